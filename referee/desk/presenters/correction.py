"""A correction before it is applied: what changes in the entry, and what each treatment makes of everything after."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.desk.presenters.board import name_of
from referee.desk.presenters.sitting_words import names_at, parties, players_at
from referee.hands.forms import SheetForm
from referee.hands.words import DESK, TREATED, compared
from referee.parts.boards import standing
from referee.parts.formats import event_date_time, exact, score
from referee.parts.names import in_names
from referee.parts.words import in_language, level_word, reached
from scoring.individual.states import IndividualEntryResult, IndividualState
from tournaments.acts.errors import Refusal
from tournaments.ledger import corrections
from tournaments.models import Correction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk
    from referee.desk.presenters.players import Sheet
    from scoring.profiles import Profile
    from scoring.sittings.states import EntryResult
    from tournaments.ledger.correction_plans import Effect, HandEffect
    from tournaments.ledger.corrections import CorrectionPreview
    from tournaments.models import LedgerEntry, Match, Sitting

TREATMENTS: Final[Mapping[str, tuple[str | _StrPromise, _StrPromise]]] = {
    "recompute": (
        TREATED["recompute"],
        gettext_lazy("Keep the points of every later hand; work out the levels again."),
    ),
    "let_stand": (
        TREATED["let_stand"],
        gettext_lazy("The record of this hand is put right; later hands keep the levels they were played at."),
    ),
    "adjust": (
        TREATED["adjust"],
        gettext_lazy("You set the result of this hand in place of the sheet."),
    ),
}


@dataclass(frozen=True, slots=True)
class PlaceChange:
    name: str
    old: str
    new: str

    @property
    def moved(self) -> bool:
        return self.old != self.new


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """One hand from the corrected one on: as recorded and as judged."""

    number: str
    dealt: str
    total: str
    before: str
    after: str

    @property
    def differs(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Way:
    """One treatment as a card; not `known` until its figures are given (an adjusted result)."""

    code: str
    title: str
    about: str
    known: bool = False
    levels: Mapping[str, str] | None = None
    levels_before: str = ""
    standing: tuple[PlaceChange, ...] = ()
    match: str = ""
    match_before: str = ""
    places: tuple[PlaceChange, ...] = ()
    others: str = ""
    hands: tuple[ShownEffect, ...] = ()
    games: Any = None


@dataclass(frozen=True, slots=True)
class Effects:
    """What the page shows of a preview. `folds`: nothing later changes; `single`: no treatment has to be chosen."""

    changes: bool
    rows: tuple[tuple[str, str, str, bool], ...]
    sentence_before: Any
    sentence_after: Any
    folds: bool
    single: bool
    question: str
    ways: tuple[Way, ...]
    needs_second: bool


def facts_under(form: Sheet, treatment: str) -> dict[str, Any]:
    """The facts to be written: under "adjust" the adjusted result of the card, else the sheet."""
    return form.adjusted_facts() if treatment == "adjust" and isinstance(form, SheetForm) else form.facts()


def effects(desk: Desk, old: LedgerEntry, form: Sheet) -> dict[str, Any]:
    """The preview of a correction as typed; with figures in the card of the adjusted result, that one as well."""
    seen = corrections.correction_preview(entry_id=old.pk, actor=desk.actor, facts=form.facts())
    found = _to_choose_from(seen)
    problems: dict[str, Any] = {}
    if isinstance(form, SheetForm) and form.values["adjusted_levels"] and "adjust" not in found:
        try:
            adjusted = corrections.correction_preview(entry_id=old.pk, actor=desk.actor, facts=form.adjusted_facts())
            found |= adjusted.effects
        except Refusal as refusal:
            problems = {"refusal": refusal, "findings": [], "bad": set()}
    return {
        "effects": _shown(
            seen, found, old.sitting.match, offer_adjust=isinstance(form, SheetForm) and form.kind != "adjusted"
        )
    } | problems


def proposed_effects(desk: Desk, proposed: Correction) -> dict[str, Any]:
    """What a waiting correction would change now, or that it was overtaken."""
    try:
        seen = corrections.correction_preview(entry_id=proposed.entry_id, actor=desk.actor, facts=proposed.facts)
    except Refusal as refusal:
        return {
            "overtaken": _("The record has moved on since this was proposed: %(why)s")
            % {"why": in_language(refusal.message)}
        }
    known = proposed.treatment in seen.effects
    found = {proposed.treatment: seen.effects[proposed.treatment]} if known else _to_choose_from(seen)
    shown: dict[str, Any] = {"effects": _shown(seen, found, proposed.entry.sitting.match, offer_adjust=False)}
    if proposed.sitting_revision != proposed.entry.sitting.revision:
        shown["overtaken"] = _(
            "Something was recorded at this table since. Approving will be refused; propose it again."
        )
    return shown


def _to_choose_from(seen: CorrectionPreview) -> dict[str, Effect]:
    """The treatments that differ: one where nothing later depends on the choice."""
    effects = dict(seen.effects)
    return dict(list(effects.items())[:1]) if seen.folds_into_one else effects


def _shown(seen: CorrectionPreview, found: dict[str, Effect], match: Match, *, offer_adjust: bool) -> Effects:
    before = seen.before
    first = next(iter(seen.effects.values()))
    moved = any(old != new for effect in found.values() for old, new in effect.places.values())
    nothing = seen.folds_into_one and not moved and _ends(first.state) == _ends(before) and "adjust" not in found
    names: dict[int | None, str] = {match.home_id: name_of(match.home), match.away_id: name_of(match.away)}
    if match.individual:
        names = {row.entrant_id: name_of(row.entrant) for row in match.places.all()}
    ways = [_way(code, effect, before, match, names) for code, effect in found.items()]
    single = seen.folds_into_one and len(ways) == 1
    if not single and offer_adjust and "adjust" not in found:
        ways.append(Way("adjust", str(TREATMENTS["adjust"][0]), str(TREATMENTS["adjust"][1])))
    lines = [line for effect in found.values() for line in effect.hands if line.judged != line.recorded]
    later = len({line.position for line in lines if line.position != seen.entry.position})
    return Effects(
        changes=bool(seen.changes),
        rows=tuple(compared(seen.entry.facts, seen.facts, match.round.tournament.profile)),
        sentence_before=in_names(_sentence(first.hands, seen.entry, recorded=True), names_at(match)),
        sentence_after=in_names(_sentence(first.hands, seen.entry, recorded=False), names_at(match)),
        folds=nothing,
        single=single,
        question=_question(later, single=single),
        ways=tuple(ways),
        needs_second=seen.needs_second_official,
    )


def _question(later: int, *, single: bool) -> str:
    if single:
        return _("What it changes")
    return ngettext(
        "%(n)s later hand was played at another level or dealer. How to treat it?",
        "%(n)s later hands were played at another level or dealer. How to treat them?",
        later,
    ) % {"n": later}


def _ends(state: Any) -> tuple[Any, ...]:
    if isinstance(state, IndividualState):
        return (state.position, state.finished, state.winners)
    return (state.position, state.finished, state.winner, state.draw)


def _sentence(hands: Sequence[HandEffect], entry: LedgerEntry, *, recorded: bool) -> Any:
    hand = next((item for item in hands if item.position == entry.position), None)
    if hand is None:
        return ""
    result = hand.recorded if recorded else hand.judged
    return result.sentence if result is not None else _("no longer counts")


def _way(code: str, effect: Effect, before: Any, match: Match, names: Mapping[int | None, str]) -> Way:
    title, about = TREATMENTS[code]
    profile = match.round.tournament.profile
    now, then = (standing(state.to_json(), profile) for state in (before, effect.state))
    was = score(now["NS"], now["EW"]) if now else ""
    others = [entrant for entrant, (old, new) in effect.places.items() if entrant not in names and old != new]
    return Way(
        code=code,
        title=str(title),
        about=str(about),
        known=True,
        levels=then,
        levels_before=_("as before") if now == then else _("was %(score)s") % {"score": was},
        standing=_standing(before, effect.state, match),
        match="" if match.individual else result_words(effect.match),
        match_before="" if match.individual else _was(effect.match, match),
        places=tuple(
            PlaceChange(names[entrant], str(effect.places[entrant][0]), str(effect.places[entrant][1]))
            for entrant in names
            if entrant is not None and entrant in effect.places
        ),
        others=ngettext("%(n)s moves", "%(n)s move", len(others)) % {"n": len(others)} if others else _("no change"),
        hands=tuple(_line(hand, profile) for hand in effect.hands if hand.hand_no),
        games=effect.games,
    )


def _standing(before: Any, after: Any, match: Match) -> tuple[PlaceChange, ...]:
    """Level or score of every single player before and after; none where two sides play."""
    old, new = (players_at(match, state.position.to_json()) for state in (before, after))
    return tuple(PlaceChange(a.name, a.level or a.score, b.level or b.score) for a, b in zip(old, new, strict=True))


def result_words(columns: Mapping[str, Any]) -> str:
    """The result that the columns of a match hold."""
    if columns["home_hundredths"] is None:
        return _("still being played")
    home, away = (exact(_points(columns[name])) for name in ("home_hundredths", "away_hundredths"))
    points = score(home, away)
    return {"NS": _("North–South win %(score)s"), "EW": _("East–West win %(score)s")}.get(
        columns["winner_side"], _("Drawn %(score)s")
    ) % {"score": points}


def _was(columns: Mapping[str, Any], match: Match) -> str:
    if match.home_hundredths is None or match.away_hundredths is None:
        return "" if columns["home_hundredths"] is None else _("was still being played")
    same = (match.home_hundredths, match.away_hundredths, match.winner_side) == (
        columns["home_hundredths"],
        columns["away_hundredths"],
        columns["winner_side"],
    )
    return _("as before") if same else _("was %(score)s") % {"score": score(match.home_score, match.away_score)}


def _points(hundredths: int) -> Any:
    return Fraction(hundredths, 100)


def _line(hand: HandEffect, profile: Profile) -> ShownEffect:
    return ShownEffect(
        number=str(hand.hand_no or "·"),
        dealt=_dealt(hand),
        total=_totals(hand.recorded, hand.judged),
        before=_levels_after(hand.recorded, profile),
        after=_levels_after(hand.judged, profile) if hand.judged is not None else _("no longer counts"),
    )


def _dealt(hand: HandEffect) -> str:
    dealer = hand.facts.get("dealer")
    if not dealer:
        return "–"
    level = hand.facts.get("level") or ""
    judged = str(hand.judged.level) if hand.judged is not None and hand.judged.level else level
    words = f"{DESK.says('dealer', dealer)} {level}".strip()
    return words if judged == level else f"{words} → {judged}"


def _totals(recorded: EntryResult | IndividualEntryResult, judged: EntryResult | IndividualEntryResult | None) -> str:
    old = exact(recorded.total.raw) if recorded.total else "–"
    new = exact(judged.total.raw) if judged is not None and judged.total else "–"
    return old if old == new else f"{old} → {new}"


def _levels_after(result: EntryResult | IndividualEntryResult, profile: Profile) -> str:
    if isinstance(result, IndividualEntryResult):
        levels, scores = result.after.to_json()["levels"], result.after.scores
        return " ".join(level_word(reached(level, profile)) for level in levels.values()) or " ".join(
            exact(number) for number in scores.values()
        )
    levels = standing(result.after.to_json(), profile)
    return score(*(level_word(level) for level in levels.values()))


def listed(desk: Desk) -> list[Correction]:
    """Every correction of the event, those that wait first, then newest first."""
    rows = Correction.objects.filter(entry__tournament=desk.tournament).select_related(
        "entry__sitting__round", "entry__sitting__table", "proposed_by", "decided_by"
    )
    return sorted(rows, key=lambda row: (row.status != Correction.Status.PROPOSED, -row.pk))


def stands(entry: LedgerEntry, desk: Desk) -> str:
    """Since when an entry counts, and who stands behind it."""
    people = {user.pk: str(user) for user in (entry.entered_by, entry.confirmed_by) if user is not None}
    when = event_date_time(entry.confirmed_at or entry.entered_at, desk.tournament)
    return f"{parties(entry, people)} · {when}"


def table_address(desk: Desk, sitting: Sitting) -> str:
    known = {"event": desk.tournament.slug, "number": sitting.round.number, "table": sitting.table.number}
    return reverse("desk:table", kwargs=known)
