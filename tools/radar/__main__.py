"""`python -m tools.radar`: the figures of the radar, measured anew, printed, compared with the file or written."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring.radar.rates import FILE, document
from tools.radar import measuring
from tools.radar.doctored import WAYS

#: The figures, beside the flags that tell them.
WHERE = Path(__file__).resolve().parents[2] / "scoring" / "radar" / FILE


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.radar", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the file of figures")
    parser.add_argument("--shown", action="store_true", help="print what the file has, measure nothing")
    parser.add_argument("--matches", type=int, default=measuring.MATCHES)
    parser.add_argument("--hands", type=int, default=measuring.HANDS)
    parser.add_argument("--boards", type=int, default=measuring.BOARDS_PLAYED)
    parser.add_argument("--profile", action="append", help="only these profiles")
    asked = parser.parse_args(words)
    data = document() if asked.shown else _measured(asked)
    _say(table_of(data))
    if asked.write:
        WHERE.write_text(written(data), encoding="utf-8")
    elif not asked.shown:
        same = all(document()["profiles"].get(name) == one for name, one in data["profiles"].items())
        same = same and all(document()[name] == data[name] for name in ("boards", "returns"))
        _say("The same as in the file." if same else "Not what the file has.")
        return 0 if same else 1
    return 0


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")


def _measured(asked: argparse.Namespace) -> dict[str, Any]:
    found = {}
    for name in asked.profile or measuring.profiles():
        doctored = max(1, asked.matches * measuring.DOCTORED // measuring.MATCHES)
        many = measuring.matches_of(name, asked.matches)
        found[name] = measuring.measured(name, hands=asked.hands, many=many, doctored=doctored)
        sys.stderr.write(f"{name}\n")
    return {
        "seed": measuring.SEED,
        "profiles": found,
        "boards": measuring.measured_boards(many=asked.boards, tried=asked.matches),
        "returns": measuring.measured_returns(many=10 * asked.boards),
    }


def written(data: Mapping[str, Any]) -> str:
    """The file: a line for each profile."""
    lines = [f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in data["profiles"].items()]
    rest = [f" {json.dumps(name)}: {json.dumps(data[name])}" for name in ("seed", "boards", "returns")]
    return "{\n" + ",\n".join([*rest, ' "profiles": {\n' + ",\n".join(lines) + "\n }"]) + "\n}\n"


def table_of(data: Mapping[str, Any]) -> str:
    """Flagged honest matches and caught doctored ones, by profile, in per cent."""
    kinds, ways = measuring.kinds(), tuple(WAYS)
    rows = [" | ".join(("profile", "matches", *kinds)), "|".join(["---"] * (len(kinds) + 2))]
    for name, one in data["profiles"].items():
        rows.append(
            " | ".join((name, f"{one['matches']:,}", *(_share(one["flagged"][k], one["matches"]) for k in kinds)))
        )
    rows += ["", " | ".join(("profile", *ways)), "|".join(["---"] * (len(ways) + 1))]
    for name, one in data["profiles"].items():
        rows.append(" | ".join((name, *(_share(one["doctored"][way], one["tried"]) for way in ways))))
    boards, returns = data["boards"], data["returns"]
    rows += [
        "",
        f"boards: {boards['results']:,} results; of {boards['matches']:,} matches of eight boards flagged at one table "
        f"{_share(boards['flagged'], boards['matches'])}, of as many in which two boards were known "
        f"{_share(boards['knew_the_board'], boards['matches'])}",
        f"returns: of {returns['hands']:,} hands settled {returns['settled']}, not made {returns['not_made']}",
    ]
    return "\n".join(rows)


def _share(part: int, of: int) -> str:
    return f"{100 * part / of:.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
