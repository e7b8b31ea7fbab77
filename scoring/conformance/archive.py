"""The archive that others download: cases, runner, protocol, and what they speak of: profiles with their options and
clauses, the clauses beside them, the codes of refusals. The same bytes always."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from pathlib import Path

from scoring.profiles import individual_ids, load, profile_ids

_HERE = Path(__file__).parent
_FILES = ("protocol.md", "questions.md", "runner.py", "cases.jsonl", "clauses.json")
#: No clock stands in the archive.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def profiles_json() -> str:
    """Every profile: its options by name and its clauses with their sources."""
    loaded = [load(name) for name in profile_ids()] + [load(name, individual=True) for name in individual_ids()]
    told = {
        one.id: {
            "title": dict(one.title),
            "digest": one.digest,
            "options": dict(one.options),
            "clauses": [clause.to_json() for clause in one.clauses.values()],
        }
        for one in loaded
    }
    return json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True, default=str) + "\n"


@cache
def archive(version: str) -> bytes:
    """The archive as a ZIP file, in a folder that names the version."""
    folder, made = f"shengji-conformance-{version}", io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as bundle:
        texts = {name: (_HERE / name).read_text("utf-8") for name in _FILES}
        texts |= {
            "profiles.json": profiles_json(),
            "refusals.json": (_HERE.parent / "refusals.json").read_text("utf-8"),
        }
        for name, text in texts.items():
            bundle.writestr(zipfile.ZipInfo(f"{folder}/{name}", _NO_TIME), text, zipfile.ZIP_DEFLATED)
    return made.getvalue()
