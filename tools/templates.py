"""Templates are read by people: ``python -m tools.templates`` names every line that is too long.

The formatter, djangofmt, breaks what it can. A tag or an attribute that is too long, and what stands glued to the next,
is left to whoever wrote it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
#: Characters of a line, at most.
LONGEST: Final = 140


def problems(root: Path = ROOT) -> list[str]:
    """Each line that is too long, by its file and number."""
    found = []
    for folder in ("templates", "tests"):
        for path in sorted((root / folder).rglob("*.html")):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                if len(line) > LONGEST:
                    found.append(f"{path.relative_to(root)}:{number}: {len(line)} characters, {LONGEST} at most")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems()) or 0)
