"""What is put to the draws: the question of a round by the format of its stage, and what its checker needs."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from scoring.standings.results import Result
from scoring.values import exact

from ..acts.errors import WrongStep
from ..draws.apart import Wish
from ..draws.round_robin import round_robin
from ..draws.swiss_field import Rule
from ..models import DrawMethod, Match, MatchOutcome, Round, SideChoice, Stage, StageEntrant, StageFormat
from ..plans.plan import Bracket, MovementKind
from ..stages.apart import apart_in, written
from ..standings.rankings import basis_of
from ..standings.results import ALL_MEET
from ..standings.stage_order import FieldPlace, field_of
from ..standings.tables import Basis, rows_json
from .steps import BadPairing

Question = dict[str, Any]

#: Formats in which a round may be drawn before the earlier ones have results.
FIXED_IN_ADVANCE = ALL_MEET | {StageFormat.DUPLICATE_PAIRS}

_METHODS: Mapping[str, DrawMethod] = {
    StageFormat.SWISS_TIMED: DrawMethod.SWISS,
    StageFormat.DANISH: DrawMethod.DANISH,
    StageFormat.ROUND_ROBIN: DrawMethod.ROUND_ROBIN,
    StageFormat.GROUPS: DrawMethod.ROUND_ROBIN,
    StageFormat.KO_TIMED: DrawMethod.KNOCKOUT,
    StageFormat.DUPLICATE_TEAMS: DrawMethod.ROUND_ROBIN,
    StageFormat.DUPLICATE_PAIRS: DrawMethod.MOVEMENT,
}


def method_of(stage: Stage) -> DrawMethod:
    return _METHODS[stage.format]


class Earlier(NamedTuple):
    """A match of an earlier round, as much of it as a draw asks for."""

    pk: int
    number: int
    home_id: int | None
    away_id: int | None
    outcome: str
    winner_side: str
    slot: int | None
    for_place: int | None


@dataclass(frozen=True)
class Drawing:
    """A round about to be drawn: its stage, who plays in it, and what was before. Everything is read once."""

    round: Round

    @cached_property
    def stage(self) -> Stage:
        return self.round.stage

    @cached_property
    def field(self) -> tuple[FieldPlace, ...]:
        return field_of(self.stage)

    @cached_property
    def basis(self) -> Basis:
        """What the table so far follows from: results, fines and points brought into the stage."""
        return basis_of(self.stage, over=False)

    @cached_property
    def gone(self) -> frozenset[int]:
        """Who withdrew or was ruled out of the placing."""
        return frozenset(one.entrant for one in self.basis.competitors if one.withdrawn or one.excluded)

    @cached_property
    def annulled(self) -> frozenset[int]:
        """Who left so early that their results in this stage do not count."""
        return frozenset(one.entrant for one in self.basis.competitors if one.annulled)

    @cached_property
    def present(self) -> tuple[FieldPlace, ...]:
        return tuple(place for place in self.field if place.entrant not in self.gone)

    @cached_property
    def apart(self) -> dict[frozenset[int], Wish]:
        """Who is kept apart in the event."""
        return apart_in(self.round.tournament_id)

    def kept_apart(self, among: Iterable[int]) -> Question:
        """The member of a question that says who of these is kept apart; none where nobody is."""
        known, numbers = set(among), {place.entrant: place.number for place in self.field}
        told = {pair: wish for pair, wish in self.apart.items() if pair <= known}
        return {"apart": written(told, numbers)} if told else {}

    @cached_property
    def order(self) -> dict[int, int]:
        return {place.entrant: place.order for place in self.field}

    @cached_property
    def earlier_rounds(self) -> tuple[Round, ...]:
        """The stage's earlier rounds that were not extra."""
        return tuple(self.stage.rounds.filter(number__lt=self.round.number, extra=False).order_by("number"))

    @cached_property
    def earlier(self) -> tuple[tuple[Earlier, ...], ...]:
        """The standing matches of `earlier_rounds`."""
        found: dict[int, list[Earlier]] = {one.pk: [] for one in self.earlier_rounds}
        matches = Match.objects.filter(round__in=list(found), superseded_in=None)
        for round_, *row in matches.values_list("round_id", *Earlier._fields):
            found[round_].append(Earlier(*row))
        return tuple(map(tuple, found.values()))

    @cached_property
    def played(self) -> frozenset[int]:
        """Who was in an earlier round."""
        return frozenset(pk for matches in self.earlier for one in matches for pk in _sides(one))

    @cached_property
    def knocked_out(self) -> frozenset[int]:
        """Who lost an earlier match of a knockout."""
        if self.stage.format != StageFormat.KO_TIMED:
            return frozenset()
        matches = [one for matches in self.earlier for one in matches if one.for_place is None]
        return frozenset(pk for one in matches for pk in losers_of(one))

    @property
    def losers_before(self) -> frozenset[int]:
        """Who lost in the last round of a knockout: two of them may play for the third place."""
        return frozenset(pk for one in (self.earlier[-1] if self.earlier else ()) for pk in losers_of(one))

    @cached_property
    def ranks(self) -> dict[int, int]:
        """Places by the table so far, each its own: ties and newcomers stand in the order of the field."""
        ranked = self.basis.ranks() if self.earlier else {}
        last = len(ranked) + 1
        order = sorted(self.present, key=lambda place: (ranked.get(place.entrant, last), place.order))
        return {place.entrant: number for number, place in enumerate(order, start=1)}

    @cached_property
    def scores(self) -> list[dict[int, Fraction]]:
        """The points of everybody before each earlier round, and last before this one."""
        results = [one for one in self.basis.results if isinstance(one, Result)]
        before = list(_points_before([*self.earlier_rounds, self.round], self.basis.carried, results))
        for entrant, fine in self.basis.fines.items():
            before[-1][entrant] = before[-1].get(entrant, Fraction(0)) - fine
        return before

    @property
    def rounds(self) -> list[Question]:
        """The earlier rounds as the protocol writes them."""
        return [
            {"pairs": [[one.home_id, one.away_id] for one in matches if one.away_id is not None], "bye": _byes(matches)}
            for matches in self.earlier
        ]


def _sides(match: Earlier) -> list[int]:
    return [pk for pk in (match.home_id, match.away_id) if pk is not None]


def _byes(matches: Sequence[Earlier]) -> list[int]:
    return [one.home_id for one in matches if one.away_id is None and one.home_id is not None]


def _points_before(
    rounds: Iterable[Round], carried: Mapping[int, Fraction], results: Iterable[Result]
) -> Iterator[dict[int, Fraction]]:
    """The points of everybody before each of these rounds, which are in order."""
    points: dict[Any, Fraction] = defaultdict(Fraction, carried)
    waiting = deque(sorted(results, key=lambda one: one.round))
    for one in rounds:
        while waiting and waiting[0].round < one.number:
            result = waiting.popleft()
            points[result.home] += result.home_score
            if result.away is not None:
                points[result.away] += result.away_score
        yield dict(points)


def losers_of(match: Earlier) -> list[int]:
    """Who lost a finished match; both where neither came."""
    if match.outcome in (MatchOutcome.PENDING, MatchOutcome.BYE):
        return []
    lost = [match.home_id] if match.winner_side != SideChoice.NS else []
    lost += [match.away_id] if match.winner_side != SideChoice.EW else []
    return [pk for pk in lost if pk is not None]


def winner_of(match: Earlier) -> int | None:
    """Who goes on: the winner, or who had a bye; nobody where neither came."""
    if match.away_id is None:
        return match.home_id
    return {SideChoice.NS.value: match.home_id, SideChoice.EW.value: match.away_id}.get(match.winner_side)


def question_of(drawing: Drawing) -> Question:
    """The question of a round; refused when the format has nothing to draw."""
    if drawing.round.extra:
        return _extra(drawing)
    made = _QUESTIONS.get(drawing.stage.format)
    if made is None:
        raise WrongStep("single_players", "Single players are seated at tables.", "个人赛要按桌安排座位。")
    if not drawing.field:
        raise WrongStep(
            "stage_not_begun",
            "Nobody plays in this stage yet: begin it first.",
            "这一阶段还没有参赛方，请先开始这一阶段。",
        )
    return made(drawing)


def _swiss(drawing: Drawing) -> Question:
    plan, scores = drawing.stage.directing, drawing.scores
    rounds = [
        one | {"scores": _written({pk: before.get(pk, Fraction(0)) for pk in _named(one)})}
        for one, before in zip(drawing.rounds, scores, strict=False)
    ]
    present = sorted(drawing.present, key=lambda place: drawing.ranks[place.entrant])
    now = scores[-1]
    return {
        "op": "swiss_round",
        "entrants": [
            {"id": place.entrant, "rank": drawing.ranks[place.entrant], "unit": place.unit or None} for place in present
        ],
        "rounds": rounds,
        "scores": _written({place.entrant: now.get(place.entrant, Fraction(0)) for place in present}),
        "rules": {
            Rule.NO_REMATCH.value: plan.no_rematch.value,
            Rule.ONE_BYE.value: plan.one_bye.value,
            Rule.UNITS_APART.value: plan.units_apart.value,
        },
        **drawing.kept_apart(place.entrant for place in present),
    }


def _named(one: Question) -> list[int]:
    return [pk for pair in one["pairs"] for pk in pair] + list(one["bye"])


def _written(scores: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(pk): exact(score) for pk, score in scores.items()}


def _danish(drawing: Drawing) -> Question:
    present = sorted(drawing.present, key=lambda place: drawing.ranks[place.entrant])
    entrants = [place.entrant for place in present]
    return {
        "op": "danish_round",
        "entrants": entrants,
        "rounds": drawing.rounds,
        **drawing.kept_apart(entrants),
    }


def _all_meet(drawing: Drawing) -> Question:
    """The groups of the stage (one, where there are none) without those who left before they ever played."""
    groups: dict[int, list[int]] = defaultdict(list)
    annulled = drawing.annulled
    for place in drawing.field:
        if place.entrant not in drawing.gone or place.entrant in drawing.played | annulled:
            groups[place.group or 0].append(place.entrant)
    if drawing.stage.format == StageFormat.GROUPS and 0 in groups:
        raise WrongStep("groups_not_dealt")
    left = sorted(drawing.gone & drawing.played - annulled)
    question: Question = {
        "op": "groups_round",
        "groups": [groups[number] for number in sorted(groups)],
        "round": len(drawing.earlier) + 1,
        "fours": drawing.stage.format != StageFormat.ROUND_ROBIN,
    }
    if left:
        question["gone"] = left
    if annulled:
        question["annulled"] = sorted(annulled)
    return question


def _knockout(drawing: Drawing) -> Question:
    plan, before = drawing.stage.directing, drawing.earlier[-1] if drawing.earlier else ()
    _refuse_undecided(before)
    question: Question = {"op": "knockout_round"}
    if plan.bracket is Bracket.DRAW_NUMBER:
        left = [place.entrant for place in drawing.present if place.entrant not in drawing.knocked_out]
        question["numbers"] = left
        had = [pk for matches in drawing.earlier for pk in _byes(matches) if pk in left]
        if had:
            question["had_bye"] = list(dict.fromkeys(had))
        still_in = len(left)
    elif not before:
        return question | (_crossing(drawing) if plan.crossed else {"entrants": [p.entrant for p in drawing.present]})
    else:
        slots = _slots(drawing, before)
        question["slots"] = slots
        still_in = len(slots)
    if still_in < 2:
        raise WrongStep("knockout_decided")
    losers = [pk for match in before for pk in losers_of(match) if pk not in drawing.gone]
    if plan.third_place and still_in == 2 and losers:
        question["losers"] = losers[:2]
    return question


def _refuse_undecided(before: Sequence[Earlier]) -> None:
    for match in before:
        open_end = match.outcome == MatchOutcome.PLAYED and not match.winner_side
        if open_end and match.for_place is None:
            raise WrongStep(
                "match_not_decided",
                f"Match {match.number} of the last round has no winner.",
                f"上一轮第 {match.number} 场还没有分出胜负。",
                {"match": match.pk},
            )


def _slots(drawing: Drawing, before: Sequence[Earlier]) -> list[int | None]:
    """The winners of the last round from the top of the bracket; None where nobody is left."""
    by_slot = {match.slot: match for match in before if match.slot is not None}
    size = 1
    while size < max(by_slot, default=0):
        size *= 2
    if not by_slot:
        raise WrongStep("no_bracket")
    winners = [winner_of(by_slot[slot]) if slot in by_slot else None for slot in range(1, size + 1)]
    return [pk if pk is not None and pk not in drawing.gone else None for pk in winners]


def _crossing(drawing: Drawing) -> Question:
    rows = StageEntrant.objects.filter(stage=drawing.stage, from_rank__isnull=False)
    groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for group, rank, pk in rows.values_list("from_group", "from_rank", "entrant_id"):
        groups[group or 0].append((rank or 0, pk))
    firsts = [[pk for _, pk in sorted(groups[number])[:2]] for number in sorted(groups)]
    more = [number for number in groups if len(groups[number]) > 2]
    if more:
        raise BadPairing(
            "groups_do_not_cross",
            "Only two of each group cross over; more came into this stage.",
            "交叉淘汰只能每组两个出线，这一阶段有更多。",
        )
    return {"groups": firsts}


def movement_seed(stage: Stage) -> str:
    """What the search for a balanced movement begins with: public, and of this stage alone."""
    return f"{stage.tournament.lot_commitment}/{stage.number}"


def _movement(drawing: Drawing) -> Question:
    """A movement is laid out once: who left since then sits out, which leaves their opponents without one."""
    plan, stage = drawing.stage.directing, drawing.stage
    kind = plan.movement or MovementKind.MITCHELL
    entrants = [p.entrant for p in drawing.field if p.entrant not in drawing.gone or p.entrant in drawing.played]
    question: Question = {
        "op": "movement_round",
        "kind": kind.value,
        "entrants": entrants,
        "round": len(drawing.earlier) + 1,
    }
    if kind is not MovementKind.HOWELL:
        question["rounds"] = stage.rounds_planned
    if kind is MovementKind.BALANCED:
        question["seed"] = movement_seed(stage)
    if plan.arrow:
        question["arrow"] = plan.arrow
    gone = sorted(drawing.gone & drawing.played)
    return question | ({"gone": gone} if gone else {})


def _extra(drawing: Drawing) -> Question:
    """Ties that an extra match has to decide, each a round robin of those who are tied."""
    basis = drawing.basis
    rows = rows_json(basis.tables())
    met = Counter(frozenset((one.home, one.away)) for one in basis.extra)
    tied: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for row in rows:
        undecided = row.get("undecided")
        if undecided and undecided["by"] == "extra_match" and row["entrant"] not in drawing.gone:
            low, high = undecided["places"]
            tied[row.get("group", 0), low, high].append(row["entrant"])
    groups = [
        _least_met(sorted(tied[key], key=drawing.order.__getitem__), met) for key in sorted(tied) if len(tied[key]) > 1
    ]
    if not groups:
        raise WrongStep("nothing_tied")
    return {"op": "groups_round", "groups": groups, "round": 1, "fours": False}


def _least_met(tied: Sequence[int], met: Mapping[frozenset[Any], int]) -> list[int]:
    """Those tied in such an order that the first round of their round robin is the one that was played least."""
    rounds = round_robin(tied)
    least = min(rounds, key=lambda one: sum(met.get(frozenset(pair), 0) for pair in one.pairs))
    # who stands where the first round has its pairs and its bye comes to be paired as in that round
    places = [*(one for pair in rounds[0].pairs for one in pair), *rounds[0].byes]
    wanted = dict(zip(places, [*(one for pair in least.pairs for one in pair), *least.byes], strict=True))
    return [int(wanted[one]) for one in tied]


_QUESTIONS = {
    StageFormat.SWISS_TIMED.value: _swiss,
    StageFormat.DANISH.value: _danish,
    StageFormat.ROUND_ROBIN.value: _all_meet,
    StageFormat.GROUPS.value: _all_meet,
    StageFormat.DUPLICATE_TEAMS.value: _all_meet,
    StageFormat.KO_TIMED.value: _knockout,
    StageFormat.DUPLICATE_PAIRS.value: _movement,
}


def check_of(drawing: Drawing, question: Question, named: Sequence[int] | None = None) -> dict[str, Any]:
    """What the checker needs. `named`: who a table of all rounds has meetings for; None: everybody still in plays."""
    stage, extra = drawing.stage, drawing.round.extra
    chosen = stage.format in (StageFormat.SWISS_TIMED, StageFormat.DANISH) and not extra
    back = frozenset(question.get("losers", ()))
    playing = [p.entrant for p in drawing.present if p.entrant not in drawing.knocked_out or p.entrant in back]
    return {
        "entrants": playing if named is None else [pk for pk in playing if pk in set(named)],
        "rounds": [] if extra or stage.format == StageFormat.DANISH else drawing.rounds,
        "units": {str(p.entrant): p.unit for p in drawing.present if p.unit} if chosen else {},
        "groups": {str(p.entrant): p.group for p in drawing.field if p.group is not None}
        if stage.format in ALL_MEET and not extra
        else {},
        "out": sorted(drawing.knocked_out - back),
        "byes": len(playing) % 2 if chosen else None,
        **drawing.kept_apart(place.entrant for place in drawing.field),
    }
