"""What the doors of the batch protocol share: the shape of an op, and reading and writing what most of them need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring import wording
from scoring.hands.findings import finding
from scoring.hands.reading import Reader
from scoring.hands.sheets import TOTAL, off_grain
from scoring.profiles import Profile, Reason

Answer = dict[str, Any]

#: Entries of a ledger that somebody may ask about.
MOST_ENTRIES = 2_000
#: Totals somebody may ask about; real ones are far smaller.
MOST_TOTAL = 10**18


@dataclass(frozen=True, slots=True)
class Op:
    """One kind of question. `run` takes the profile (None where none is needed) and the input.

    It returns the answer's keys, with the reasons under `because`, or raises Refused. `individual`: also asked of
    the rules of individual games. `own` are fields of the question that bear the name of an option and do not set it.
    """

    run: Callable[[Any, Mapping[str, Any]], Answer]
    needs_profile: bool = True
    individual: bool = False
    own: frozenset[str] = frozenset()


def reasons(because: Iterable[Reason]) -> list[dict[str, Any]]:
    return [reason.to_json() for reason in because]


def ledger_of(reader: Reader) -> list[object]:
    """The field `ledger`: its entries as they are written."""
    ledger = reader.raw("ledger")
    if isinstance(ledger, list) and len(ledger) <= MOST_ENTRIES:
        return ledger
    en, zh = f"a list of at most {MOST_ENTRIES} entries", f"至多 {MOST_ENTRIES} 条的列表"
    reader.findings.append(finding("wrong_type", "ledger", value=wording.shown(ledger), expected=en, expected_zh=zh))
    return []


def total_of(reader: Reader, profile: Profile, *, required: bool = True) -> int | None:
    """The field `attackers_total`: a whole number of points, a multiple of 5, of either sign."""
    total = reader.whole("attackers_total", TOTAL, low=-MOST_TOTAL, high=MOST_TOTAL, required=required)
    if total is not None:
        reader.findings += off_grain(profile, total, TOTAL, "attackers_total")
    return total
