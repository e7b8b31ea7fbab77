"""What is wrong with a pairing, whoever made it. Faults block it; the rest is for the organiser to know and accept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from scoring.hands.findings import Finding, refusal
from scoring.standings.results import EntrantId, entrant_order
from tournaments.draws.apart import Apart, Wish
from tournaments.draws.pairing import Pairing


def check_pairing(
    pairing: Pairing,
    *,
    entrants: Sequence[EntrantId],
    earlier: Sequence[Pairing] = (),
    units: Mapping[EntrantId, str] | None = None,
    groups: Mapping[EntrantId, int] | None = None,
    out: Collection[EntrantId] = (),
    byes: int | None = None,
    apart: Apart = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """Faults first: an entrant that is unknown, knocked out, twice, against itself, missing, or of another group than
    its opponent. Then what may be accepted: a rematch, a second bye, more byes than needed, two of one unit meeting or
    two who are kept apart.

    `units` and `groups` give those of entrants that have one, `out` who is knocked out, `byes` how many are needed
    (None: as many as there are).
    """
    return (
        *_faults(pairing, entrants, out),
        *_mixed_groups(pairing, groups or {}),
        *_rematches(pairing, earlier),
        *_second_byes(pairing, earlier),
        *_needless_byes(pairing, byes),
        *_same_units(pairing, units or {}),
        *_kept_apart(pairing, apart),
    )


def _faults(pairing: Pairing, entrants: Sequence[EntrantId], out: Collection[EntrantId]) -> list[Finding]:
    named, known = Counter(pairing), set(entrants)
    found = [
        refusal("meets_itself", "pairs", f"{home} would meet itself.", f"{home} 不能与自己对局。", entrant=home)
        for home, away in pairing.pairs
        if home == away
    ]
    for entrant, times in named.items():
        if entrant in out:
            text = f"{entrant} is knocked out."
            found.append(refusal("knocked_out", "pairs", text, f"{entrant} 已被淘汰。", entrant=entrant))
        elif entrant not in known:
            text = f"{entrant} is not in this event."
            found.append(refusal("unknown_entrant", "pairs", text, f"{entrant} 不在本赛事中。", entrant=entrant))
        elif times > 1:
            text = f"{entrant} is in this round {times} times."
            zh = f"{entrant} 在本轮出现了 {times} 次。"
            found.append(refusal("twice_in_a_round", "pairs", text, zh, entrant=entrant))
    for entrant in entrants:
        if entrant not in named:
            text = f"{entrant} has neither an opponent nor a bye."
            found.append(refusal("not_paired", "pairs", text, f"{entrant} 没有对手，也未轮空。", entrant=entrant))
    return found


def _mixed_groups(pairing: Pairing, groups: Mapping[EntrantId, int]) -> list[Finding]:
    found = []
    for home, away in pairing.pairs:
        if groups.get(home) != groups.get(away):
            text = f"{home} and {away} are of different groups."
            found.append(refusal("groups_mixed", "pairs", text, f"{home} 与 {away} 不在同一组。", home=home, away=away))
    return found


def _needless_byes(pairing: Pairing, needed: int | None) -> list[Finding]:
    given = len(pairing.byes)
    if needed is None or given <= needed:
        return []
    text, zh = f"Byes: {given}; needed: {needed}.", f"有 {given} 个轮空，只需 {needed} 个。"
    return [_to_accept(refusal("needless_bye", "byes", text, zh, byes=given, needed=needed))]


def _rematches(pairing: Pairing, earlier: Sequence[Pairing]) -> list[Finding]:
    met: dict[frozenset[EntrantId], int] = {}
    for number, one in enumerate(earlier, start=1):
        for pair in one.pairs:
            met.setdefault(frozenset(pair), number)
    found = []
    for home, away in pairing.pairs:
        number = met.get(frozenset((home, away)), 0)
        if number:
            text = f"{home} and {away} already met in round {number}."
            zh = f"{home} 与 {away} 第 {number} 轮已相遇。"
            found.append(_to_accept(refusal("rematch", "pairs", text, zh, home=home, away=away, round=number)))
    return found


def _second_byes(pairing: Pairing, earlier: Sequence[Pairing]) -> list[Finding]:
    had = {entrant for one in earlier for entrant in one.byes}
    return [
        _to_accept(refusal("second_bye", "byes", f"{e} already had a bye.", f"{e} 已经轮空过。", entrant=e))
        for e in sorted(had.intersection(pairing.byes), key=entrant_order)
    ]


def _same_units(pairing: Pairing, units: Mapping[EntrantId, str]) -> list[Finding]:
    found = []
    for home, away in pairing.pairs:
        unit = units.get(home)
        if home != away and unit and unit == units.get(away):
            text = f"{home} and {away} are of the same unit."
            zh = f"{home} 与 {away} 同一单位。"
            found.append(_to_accept(refusal("same_unit", "pairs", text, zh, home=home, away=away)))
    return found


def _kept_apart(pairing: Pairing, apart: Apart) -> list[Finding]:
    found = []
    for home, away in pairing.pairs:
        wish = apart.get(frozenset((home, away)))
        if wish is not None:
            found.append(apart_finding(home, away, wish, "pairs"))
    return found


def apart_finding(one: EntrantId, other: EntrantId, wish: Wish, field: str) -> Finding:
    """That two meet who are kept apart."""
    said = {
        Wish.MUST: (f"{one} and {other} must be kept apart.", f"{one} 与 {other} 必须回避。"),
        Wish.RATHER: (f"{one} and {other} are rather kept apart.", f"{one} 与 {other} 尽量回避。"),
    }[wish]
    return _to_accept(refusal("kept_apart", field, *said, home=one, away=other, force=str(wish)))


def _to_accept(finding: Finding) -> Finding:
    return replace(finding, blocking=False)
