"""A round: its tables with pairings, states and results."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.parts.boards import standing
from referee.parts.formats import signed
from referee.parts.states import STATES
from referee.parts.words import reached
from referee.pictures.knockouts import bracket_page
from referee.public import find, following
from referee.public.addresses import match_address
from referee.public.paging import page_of
from referee.public.presenters import hall
from referee.public.presenters.players import Seat, seats
from tournaments.boards.reads import kept_back, results_later
from tournaments.draws import sentences
from tournaments.hall.reads import plan_of
from tournaments.models import MatchOutcome, RoundStatus, SittingPhase
from tournaments.rounds import board, drawing, public
from tournaments.rounds.progress import pairings_of, rounds_with_progress

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from fractions import Fraction

    from referee.pictures.hall import HallPicture
    from scoring.values import Text
    from tournaments.models import Entrant, Match, Round, Sitting, Tournament

#: What everybody is told of a phase; a dispute is told as a referee who is there.
_STATES = {
    SittingPhase.PLAYING: "playing",
    SittingPhase.WAITING: "waiting",
    SittingPhase.DISPUTED: "referee",
    SittingPhase.FINISHED: "finished",
}
#: The states of a table at which a hand is in play.
IN_PLAY = ("playing", "waiting", "referee")
_FORFEITS = (MatchOutcome.HOME_FORFEIT, MatchOutcome.AWAY_FORFEIT, MatchOutcome.DOUBLE_FORFEIT)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match of a round. `state` is one of referee.parts.states or "bye"; levels are of confirmed hands only.

    `sitting` is the room that is furthest from its end, where two play the same boards. Not `told`: what it came to
    waits until nobody has to play one of its boards any more.
    """

    match: Match
    sitting: Sitting | None
    state: str
    told: bool = True

    @property
    def table(self) -> int | None:
        return self.tables[0] if self.tables else None

    @property
    def tables(self) -> list[int]:
        """Where it is played: one table, or those of both rooms."""
        if self.sitting is None:
            return []
        rooms = [self.sitting] if self.sitting.boards is None else self.match.sittings.all()
        return sorted(one.table.number for one in rooms if one.active)

    @property
    def home(self) -> Entrant | None:
        return self.match.home

    @property
    def away(self) -> Entrant | None:
        return self.match.away

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The single players of a table; none where two sides play, and for a bye."""
        if not self.match.individual or self.sitting is None:
            return ()
        return seats(self.match, self.sitting.state, self.match.round.tournament.profile)

    @property
    def entrants(self) -> list[Entrant]:
        """Everybody who plays, or sits out."""
        both = (self.match.home, self.match.away)
        return [place.entrant for place in self.match.places.all()] or [one for one in both if one is not None]

    @property
    def forfeit(self) -> bool:
        return self.match.outcome in _FORFEITS

    @property
    def played(self) -> bool:
        return self.match.outcome == MatchOutcome.PLAYED

    @property
    def winner(self) -> str:
        """``NS`` for home, ``EW`` for away, else empty."""
        return self.match.winner_side if self.told else ""

    @property
    def scores(self) -> tuple[Fraction, Fraction | None] | None:
        """The match scores of home and away."""
        if not self.told or self.match.home_score is None:
            return None
        return self.match.home_score, self.match.away_score

    @property
    def levels(self) -> tuple[str, str] | None:
        """Levels (or points) of home and away, final or so far; None before the first hand, on boards, for forfeits."""
        if self.match.individual or not self.told:
            return None
        if self.played and self.match.net is not None:
            return signed(self.match.net), signed(self.match.away_net)
        profile = self.match.round.tournament.profile
        if self.played:
            return reached(self.match.home_level, profile), reached(self.match.away_level, profile)
        if self.sitting is None or self.state in ("not_started", "finished"):
            return None
        if self.sitting.boards is not None:
            return None
        here = standing(self.sitting.state, profile)
        # in a later game the home entrant may sit East-West
        return (here["NS"], here["EW"]) if self.sitting.home_side == "NS" else (here["EW"], here["NS"])

    @property
    def said(self) -> str:
        """What is read aloud when the state changes."""
        if self.table is None or self.state == "bye":
            return ""
        return _("Table %(n)s: %(state)s") % {"n": self.table, "state": STATES[self.state].word}

    @property
    def hand(self) -> int | None:
        """The hand that is being played."""
        return self.sitting.hand_no if self.sitting and self.state in IN_PLAY else None


def rows_of(round_: Round, among: Collection[int] | None = None) -> list[MatchRow]:
    """The matches of a round (of those `among`: ids) by table, byes last; in two queries, and some more where boards
    are compared."""
    hidden = kept_back(round_.stage).matches
    rows = [_row(round_, match, match.pk not in hidden) for match in public.round_matches(round_, among)]
    return sorted(rows, key=lambda row: (row.table is None, row.table or 0, row.match.number))


def _row(round_: Round, match: Match, told: bool) -> MatchRow:
    finished = SittingPhase.FINISHED
    rooms = sorted(match.sittings.all(), key=lambda one: (one.phase == finished, one.table.number))
    sitting = next(iter(rooms), None)
    return MatchRow(match, sitting, state_of(round_, match, sitting), told)


def state_of(round_: Round, match: Match, sitting: Sitting | None) -> str:
    if match.outcome == MatchOutcome.BYE or (match.away_id is None and not match.individual):
        return "bye"
    if match.outcome != MatchOutcome.PENDING:
        return "finished"
    if round_.status == RoundStatus.PUBLISHED or sitting is None:
        return "not_started"
    return _STATES[SittingPhase(sitting.phase)]


def pairings(round_: Round, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A round's tables, those that a search means marked; the numbered pairings with their reasons."""
    rows = rows_of(round_)
    query = asked.get("q", "")
    text = find.wanted(query)
    meant = {one.pk for one in find.matching(text, board.entrants_of(round_.tournament))} if text else set()
    found = [row for row in rows if any(entrant.pk in meant for entrant in row.entrants)]
    page = page_of(found if text else rows, asked.get("page"))
    waits = any(row.played and not row.told for row in rows)
    way = "map" if asked.get("view") == "map" and not text else ""
    return {
        "way": way,
        "hall": _hall(round_, found if text else rows, searched=bool(text)) if text or way else None,
        "round": round_,
        "rounds": public.public_rounds(round_.tournament),
        "rows": page.object_list,
        "page": page,
        "query": query,
        "searched": bool(text),
        "pairings": pairings_of(round_),
        "grouped": any(row.match.group for row in rows),
        "drawn": drawn(round_),
        **_knockout(round_, following.marked(round_.tournament, round_.stage, asked)),
        "follow": following.written(asked),
        "keeps_levels": keeps_levels(round_),
        "later": results_later(round_.stage, live=round_.tournament.live_public) if waits else None,
        "final": sum(row.state == "finished" for row in rows),
        "all": sum(row.state != "bye" for row in rows),
    }


def _hall(round_: Round, rows: list[MatchRow], *, searched: bool) -> HallPicture | None:
    """The map of the round, or where those play who were looked for."""
    return hall.of_seats(plan_of(round_.tournament), rows) if searched else hall.of_round(round_)


def keeps_levels(round_: Round) -> bool:
    """Whether levels are climbed in a round; where hands are fixed its matches are told in net points."""
    plan = round_.stage.directing
    return plan.boards is None and not plan.fixed


@dataclass(frozen=True, slots=True)
class HowDrawn:
    """How the standing pairing came about; `sentence` compares one made by hand, `checked` is the check's word."""

    how: Text
    total: tuple[tuple[Text, int], ...]
    sentence: Text | None
    checked: Text
    digest: str
    pairing: int
    has_draw: bool


def drawn(round_: Round) -> HowDrawn | None:
    """How a round was drawn; None for pairings of older versions, which kept no document."""
    pairing = round_.pairings.select_related("draw").order_by("-number").first()
    if pairing is None or not pairing.document:
        return None
    draw = pairing.draw
    document = None if draw is None else drawing.document_of(draw)
    judged = None if document is None else document.get("judged")
    total = None if document is None else (document.get("judged") or document["answer"]).get("total")
    return HowDrawn(
        how=sentences.BY_HAND if document is None else sentences.how_drawn(document),
        total=() if total is None else tuple(sentences.costs_of(total)),
        sentence=None if judged is None else sentences.judged_text(judged),
        checked=sentences.checked(json.loads(pairing.document)["findings"]),
        digest=pairing.digest,
        pairing=pairing.number,
        has_draw=draw is not None,
    )


def _knockout(round_: Round, marked: Collection[int]) -> dict[str, Any]:
    """The bracket up to this round, in a knockout."""
    if round_.extra:
        return {}
    rounds = [one for one in public.public_rounds(round_.tournament) if one.number <= round_.number]
    of_stage = [one for one in rounds if one.stage_id == round_.stage_id and not one.extra]
    return bracket_page(round_.stage, sorted(of_stage, key=lambda one: one.number), match_address, marked)


def overview(tournament: Tournament) -> dict[str, Any]:
    """Every public round with how far it is, and how many are planned."""
    stages = list(tournament.stages.order_by("number"))
    return {
        "rounds": rounds_with_progress(tournament),
        "planned": sum(stage.rounds_planned for stage in stages),
    }
