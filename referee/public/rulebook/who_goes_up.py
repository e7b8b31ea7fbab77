"""Who goes up: the level table of a profile as a calculator, and the totals that an event has played on it.

Every figure comes out of the kernel: bands from the level table, levels from `hand_outcome`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from referee.parts.formats import exact
from referee.parts.numbers import whole_number as whole
from referee.parts.words import reached
from referee.pictures.ruler import outcome_words
from scoring.hands.entries import HandSheet
from scoring.hands.findings import Finding, Refused
from scoring.hands.outcomes import hand_outcome, level_result
from scoring.hands.sheets import check_sheet, read_entry
from scoring.profiles import Band, Profile
from scoring.profiles.loader import TWO_TEAMS
from scoring.profiles.option_words import win_name
from scoring.profiles.tables import level_bands
from scoring.values import Level, Role, Seat, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoring.profiles import Clause, Reason
    from scoring.profiles.tables import BandRow

_DEALER: Final = Seat.N


@dataclass(frozen=True, slots=True)
class ShownBand:
    """A band of the level table and what it does to levels and deal. `low` and `high` None leave that end open."""

    low: int | None
    high: int | None
    span: str
    outcome: str
    name: str
    clause: Clause | None
    effect: Effect | None
    here: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What a total does: levels of both sides before and after, who deals next, and the clauses that say so."""

    dealing: tuple[str, str]
    attacking: tuple[str, str]
    stopped_at: Level | None
    finished: bool
    next_dealer: str
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class WhoGoesUp:
    """The calculator: the total asked about, the levels it starts from, and every band."""

    typed: str
    total: int
    findings: tuple[Finding, ...]
    low: int
    high: int
    levels: tuple[str, ...]
    dealing: str
    attacking: str
    rows: tuple[ShownBand, ...]
    now: ShownBand
    below: int | None
    above: int | None
    counts: Mapping[int, int]
    hands: int
    changed: int


def who_goes_up(profile: Profile, asked: Mapping[str, str], totals: Mapping[int, int]) -> WhoGoesUp:
    """The level table with one total looked up: ``total``, and the levels of both sides, ``dealing``, ``attacking``.

    `totals` are hands by total, drawn as bars; a flag with a line of its own would mix two tables, so it has none.
    """
    totals = totals if profile.flag_line is None else {}
    typed = asked.get("total", "").strip()
    total, findings = _total(profile, typed)
    # a level with a line of its own (the flag) is not on this table
    ladder = tuple(str(level) for level in profile.ladder if profile.table_at(level) is profile.table)
    dealing = _on_ladder(asked.get("dealing", ""), ladder)
    attacking = _on_ladder(asked.get("attacking", ""), ladder)
    bands = level_bands(profile)
    rows = tuple(_row(profile, band, total, dealing, attacking) for band in bands)
    now = next((row for row in rows if row.here), None) or _beyond(profile, total, dealing, attacking)
    steps = profile.table.rows is None and profile.levels_cap is None
    return WhoGoesUp(
        typed=typed or str(total),
        total=total,
        findings=findings,
        low=min(0, *(band.low or 0 for band in bands), *totals),
        high=max(int(profile.points_max) + profile.step, *(band.low or 0 for band in bands), *totals),
        counts=totals,
        hands=sum(totals.values()),
        changed=sum(n for points, n in totals.items() if profile.table.look_up(points)[0] is Role.ATTACKERS),
        levels=ladder,
        dealing=dealing,
        attacking=attacking,
        rows=rows,
        now=now,
        below=profile.step if steps and bands[0].low is not None else None,
        above=profile.step if steps and bands[-1].high is not None else None,
    )


def _total(profile: Profile, typed: str) -> tuple[int, tuple[Finding, ...]]:
    """The total typed, with what is wrong with it; the line where nothing sensible was typed."""
    line = int(profile.threshold)
    if not typed:
        return line, ()
    try:
        entry = read_entry(profile, {"kind": "hand", "total_only": whole(typed)})
    except Refused as refused:
        return line, tuple(refused.findings)
    assert isinstance(entry, HandSheet)
    found = tuple(one for one in check_sheet(profile, entry) if one.blocking)
    return (line, found) if found else (int(entry.total_only or 0), ())


def _on_ladder(typed: str, ladder: Sequence[str]) -> str:
    return typed if typed in ladder else ladder[0]


def _row(profile: Profile, band: BandRow, total: int, dealing: str, attacking: str) -> ShownBand:
    inside = band.low if band.low is not None else band.high
    assert inside is not None
    result = Band(inside, inside, band.role, band.levels, band.role is Role.ATTACKERS)
    settled = profile.table.settle(inside)
    return ShownBand(
        low=band.low,
        high=band.high,
        span=_span(band.low, band.high),
        outcome=outcome_words(result),
        name=_win_name(profile, settled, band.role),
        clause=band.clause,
        effect=_effect(profile, inside, dealing, attacking),
        here=(band.low is None or band.low <= total) and (band.high is None or total <= band.high),
    )


def _beyond(profile: Profile, total: int, dealing: str, attacking: str) -> ShownBand:
    """The row of a total past the last band of the table."""
    result = level_result(profile, total)
    band = Band(total, total, result.winner_role, result.levels, result.deal_changes_hands)
    effect = _effect(profile, total, dealing, attacking)
    clause = profile.topics.get(profile.table.topic(profile.table.settle(total)))
    return ShownBand(total, total, exact(total), outcome_words(band), "", clause, effect, here=True)


def _span(low: int | None, high: int | None) -> str:
    if low is None:
        return _("%(n)s or less") % {"n": exact(high)}
    if high is None:
        return _("%(n)s or more") % {"n": exact(low)}
    if low == high:
        return exact(low)
    return _("%(low)s to %(high)s") % {"low": exact(low), "high": exact(high)}


def _win_name(profile: Profile, settled: int, role: Role) -> str:
    return {"big": _("big win"), "small": _("small win")}.get(win_name(profile, settled, role) or "", "")


def _effect(profile: Profile, total: int, dealing: str, attacking: str) -> Effect | None:
    if profile.game != TWO_TEAMS:
        return None
    before = {Side.NS: Level(dealing), Side.EW: Level(attacking)}
    outcome = hand_outcome(profile, dealer=_DEALER, levels=before, result=level_result(profile, total))
    after = {side: reached(None if outcome.passed is side else outcome.levels[side], profile) for side in Side}
    return Effect(
        dealing=(dealing, after[Side.NS]),
        attacking=(attacking, after[Side.EW]),
        stopped_at=outcome.stopped_at,
        finished=outcome.winner is not None,
        next_dealer="right" if outcome.deal_changes_hands else "partner",
        because=_once(outcome.because),
    )


def _once(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple({reason.clause.id: reason for reason in reasons}.values())
