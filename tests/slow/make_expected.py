"""Write `expected.json` beside every case event: `python -m tests.slow.make_expected`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.slow.events import work_out

CASES = Path(__file__).resolve().parent.parent / "cases"
EVENTS = ("f1", "f3")


def read(name: str, file: str = "event.json") -> dict:
    return json.loads((CASES / name / file).read_text(encoding="utf-8"))


def expected_text(event: dict) -> str:
    return laid_out(work_out(event)) + "\n"


def laid_out(value, indent: str = "") -> str:
    """JSON with one line for every object that holds no list of objects."""
    inner = indent + " "
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(inner + laid_out(item, inner) for item in value) + f"\n{indent}]"
    if isinstance(value, dict) and any(isinstance(item, list) and item for item in value.values()):
        return "{" + ", ".join(f'"{key}": {laid_out(item, indent)}' for key, item in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    for name in EVENTS:
        path = CASES / name / "expected.json"
        path.write_text(expected_text(read(name)), encoding="utf-8")
        print(f"wrote {path.relative_to(CASES.parent)}")


if __name__ == "__main__":
    main()
