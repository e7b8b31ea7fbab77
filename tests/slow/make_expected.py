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
    return json.dumps(work_out(event), ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    for name in EVENTS:
        path = CASES / name / "expected.json"
        path.write_text(expected_text(read(name)), encoding="utf-8")
        print(f"wrote {path.relative_to(CASES.parent)}")


if __name__ == "__main__":
    main()
