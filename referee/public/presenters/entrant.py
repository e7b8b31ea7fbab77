"""One entrant: matches, next table, places over rounds, levels over hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.parts.signal_cards import shown_card
from referee.pictures.plots import Plot
from referee.public.paging import PAGE
from referee.public.presenters.boards import sheets_of
from referee.public.presenters.match import chart, is_fixed, levels_of
from referee.public.presenters.round import state_of
from referee.public.presenters.standings import chart as places_chart
from tournaments.boards.reads import kept_back, kept_back_at, results_later
from tournaments.people import entrant_page
from tournaments.signals.reads import cards_of
from tournaments.standings import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.values import Text
    from tournaments.boards.reads import KeptBack
    from tournaments.models import Entrant, Tournament
    from tournaments.people.entrant_page import EntrantMatch


@dataclass(frozen=True, slots=True)
class Way:
    """One match of an entrant, own side first; `levels` while it is played, `plot` once a hand counts. Neither where
    hands are fixed, so that nobody keeps a level. `sheets`: its boards that may be seen at all tables, by address.
    `later`: what is said in place of a result that others could still use at their table."""

    one: EntrantMatch
    state: str
    levels: tuple[str, str] | None
    plot: Plot | None
    sheets: tuple[tuple[int, str], ...] = ()
    later: Text | None = None

    @property
    def name(self) -> str:
        """What its chart is called inside the page."""
        return f"levels-{self.one.round.number}"

    @property
    def how(self) -> str:
        """``won``, ``drawn`` or ``lost`` of a finished match."""
        if self.one.won is None:
            return "drawn"
        return "won" if self.one.won else "lost"

    @property
    def forfeit(self) -> bool:
        return self.one.match.outcome.endswith("forfeit")


def page(entrant: Entrant) -> dict[str, Any]:
    """An entrant's page; the place of now only where live standings are public."""
    found = entrant_page.entrant_page(entrant)
    tournament = entrant.tournament
    stages = {one.stage_id: one.stage for one in {match.round for match in found.matches}}
    sheets = {number: sheets_of(stage) for number, stage in stages.items()}
    kept = {number: kept_back(stage) for number, stage in stages.items()}
    ways = [_way(one, sheets[one.round.stage_id], kept[one.round.stage_id]) for one in found.matches]
    place_told = tournament.live_public and not kept_back_at(tournament).results
    latest = next((way for way in reversed(ways) if way.plot), None)
    return {
        "entrant": entrant,
        "players": list(entrant.players.all()),
        "ways": ways,
        "latest": latest,
        "coming": next((way for way in ways if found.next is way.one), None),
        "place": found.place if place_told else None,
        "places": found.places,
        "plot": _places(tournament, entrant),
        "signal_cards": [shown_card(one) for one in cards_of([entrant.pk]).values()],
    }


def _way(one: EntrantMatch, sheets: Mapping[int, str], kept: KeptBack) -> Way:
    record = one.record
    fixed = record is not None and is_fixed(record)
    state = state_of(one.round, one.match, record.sitting if record else None)
    levels = None
    if record is not None and state != "finished" and one.place is None and not fixed:
        stands = levels_of(record.state.position, one.round.tournament.profile)
        levels = (stands[one.side], stands["EW" if one.side == "NS" else "NS"])
    drawn = record is not None and not fixed and any(hand.entry.hand_no for hand in record.hands)
    boards = sorted(record.sitting.boards or ()) if record is not None else []
    waits = state == "finished" and one.match.pk in kept.matches
    return Way(
        one,
        state,
        levels,
        chart(record) if record is not None and drawn else None,
        tuple((number, sheets[number]) for number in boards if number in sheets),
        results_later(one.round.stage, live=one.round.tournament.live_public) if waits else None,
    )


def _places(tournament: Tournament, entrant: Entrant) -> Plot | None:
    newest = shown.newest_publication(tournament)
    if newest is None:
        return None
    rows = shown.publication_rows(newest)
    drawn = [place for place, one in enumerate(rows.entrants) if place < PAGE or one == entrant.pk]
    return places_chart(rows.at(drawn), shown.places_over_rounds(tournament.pk), entrant.pk)
