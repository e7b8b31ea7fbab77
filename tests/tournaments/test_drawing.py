"""Draws in the product: by the format of the stage, kept as documents, drawn again, changed by hand, published."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts import jobs
from tournaments.acts.errors import Refusal
from tournaments.acts.text import canonical_json
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.draws.documents import answer_of, document_again
from tournaments.models import Draw, Entrant, Job, Match, Round, Stage, StageEntrant
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import closing, drawing, reseating
from tournaments.rounds.acts import create_round
from tournaments.rounds.pairing import check_pairing, publish_pairing, supersede_pairing
from tournaments.standings import rankings
from tournaments.standings.runs import publish, record_drawn_lots
from tournaments.transfer.job_kinds import KINDS

pytestmark = pytest.mark.django_db


def stage_of(made: Event, **fields: Any) -> Stage:
    """The event's stage with other fields; `plan` is its plan."""
    stage = made.tournament.stages.get()
    for name, value in fields.items():
        setattr(stage, name, value)
    stage.save()
    return stage


def pairs(made: Event, round_: Round) -> list[tuple[int, int | None]]:
    """Numbers of those who meet, in order of the matches."""
    names = dict(Entrant.objects.filter(tournament=made.tournament).values_list("pk", "number"))
    matches = round_.matches.filter(superseded_in=None).order_by("number")
    return [(names[match.home_id], names.get(match.away_id)) for match in matches]


def play(made: Event, round_: Round) -> None:
    """Publish, start and play a round: at every table the entrant with the lower number wins."""
    made.begun(round_)
    names = dict(Entrant.objects.filter(tournament=made.tournament).values_list("pk", "number"))
    for sitting in sittings_of(round_):
        home_wins = names[sitting.match.home_id] < names[sitting.match.away_id]
        # North deals first: held below the line the home side gains, at 120 the other side takes the deal and gains
        made.hand(sitting, 35 if home_wins else 160)
        made.end(sitting)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())


def document(round_: Round) -> dict[str, Any]:
    draw = drawing.latest_draw(round_.pk)
    assert draw is not None
    return drawing.document_of(draw)


def again_is_the_same(round_: Round) -> None:
    """Every draw of the round follows from its own question, byte for byte."""
    for draw in Draw.objects.filter(round=round_):
        kept = json.loads(draw.document)
        assert canonical_json(document_again(kept)) == draw.document
        assert answer_of(kept["question"]) == kept["answer"]


@pytest.mark.long
def test_a_whole_swiss_event_with_withdrawals_never_repeats_a_meeting() -> None:
    made = event(9, units={1: "Harbour", 2: "Harbour"})
    met: set[frozenset[int | None]] = set()
    byes: list[int] = []
    for number in range(1, 5):
        round_ = made.drawn()
        found = pairs(made, round_)
        assert found == [(one, other) for one, other in found if other is not None] + [
            (one, None) for one, other in found if other is None
        ]
        assert not {frozenset(pair) for pair in found} & met
        met |= {frozenset(pair) for pair in found}
        byes += [one for one, other in found if other is None]
        assert check_pairing(round_) == ()
        assert document(round_)["findings"] == []
        again_is_the_same(round_)
        play(made, round_)
        if number == 2:
            withdraw_entrant(entrant_id=made.ids[9], actor=made.actor, at=made.tick(), reason="left")
    assert len(set(byes)) == len(byes) == 2
    last = [one for pair in pairs(made, round_) for one in pair]
    assert sorted(last) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_equal_scores_meet_and_the_costs_say_so() -> None:
    made = event(4)
    play(made, made.drawn())
    round_ = made.drawn()
    said = document(round_)
    assert said["answer"]["total"]["score"] == 0
    assert {frozenset(pair) for pair in pairs(made, round_)} == {frozenset((1, 2)), frozenset((3, 4))}
    assert [one["table"] for one in said["meetings"]] == [1, 2]


def renamed(text: str, names: dict[str, str]) -> str:
    """A document with ids put as the numbers of their entrants."""

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {names.get(key, key): walk(one) for key, one in sorted(value.items())}
        if isinstance(value, list):
            return [walk(one) for one in value]
        return int(names[str(value)]) if type(value) is int and str(value) in names else value

    return canonical_json(walk(json.loads(text)))


@pytest.mark.long
def test_the_order_in_which_entrants_were_entered_changes_nothing() -> None:
    texts = []
    for order in (range(1, 10), (5, 9, 1, 3, 8, 2, 7, 4, 6)):
        made = event(0, slug=f"order-{order[0]}")
        # ids far from every other number of the document, so that they can be put as numbers
        Entrant.objects.bulk_create(
            Entrant(
                pk=1_000_000 * order[0] + place, tournament=made.tournament, number=n, name=f"P{n}", unit=f"U{n % 3}"
            )
            for place, n in enumerate(order)
        )
        made.ids.update(Entrant.objects.filter(tournament=made.tournament).values_list("number", "pk"))
        for _ in range(3):
            round_ = made.drawn()
            text = drawing.latest_draw(round_.pk).document
            texts.append(renamed(text, {str(pk): str(number) for number, pk in made.ids.items()}))
            play(made, round_)
    assert texts[:3] == texts[3:]


@pytest.mark.parametrize("size", [2, 3, 5, 6, 8, 13])
def test_a_knockout_goes_on_to_the_winner_and_the_third(size: int) -> None:
    made = event(size)
    stage_of(made, format="ko_timed", rounds_planned=6, tie_rule="on_stage", plan={"third_place": True})
    left, last = size, []
    while left > 1:
        round_ = made.drawn()
        last = pairs(made, round_)
        again_is_the_same(round_)
        assert check_pairing(round_) == ()
        left = round_.matches.filter(for_place=None).count()
        play(made, round_)
    assert {1, 2} in [set(pair) for pair in last]
    third = round_.matches.filter(for_place=3).get() if size > 2 else None
    assert third is None or {made.ids[3]} <= {third.home_id, third.away_id}
    with pytest.raises(Refusal, match="knockout_decided"):
        made.drawn()


@pytest.mark.long
def test_a_bracket_gives_byes_to_the_first_and_keeps_them_apart() -> None:
    made = event(6)
    stage_of(made, format="ko_timed", rounds_planned=3, tie_rule="on_stage")
    round_ = made.drawn()
    assert pairs(made, round_) == [(4, 5), (3, 6), (1, None), (2, None)]
    assert list(round_.matches.order_by("number").values_list("slot", flat=True)) == [2, 4, 1, 3]
    play(made, round_)
    assert pairs(made, made.drawn()) == [(1, 4), (2, 3)]


@pytest.mark.long
def test_a_knockout_by_draw_number_gives_nobody_two_byes() -> None:
    """Nine pairs, always the lowest against the next; the highest number without a bye yet has it."""
    made = event(9)
    stage_of(made, format="ko_timed", rounds_planned=4, tie_rule="on_stage", plan={"bracket": "draw_number"})
    found = []
    for _ in range(4):
        round_ = made.drawn()
        found.append(pairs(made, round_))
        again_is_the_same(round_)
        play(made, round_)
    assert found == [
        [(1, 2), (3, 4), (5, 6), (7, 8), (9, None)],
        [(1, 3), (5, 9), (7, None)],
        [(1, 7), (5, None)],
        [(1, 5)],
    ]


@pytest.mark.long
def test_who_leaves_a_knockout_lets_the_opponent_through() -> None:
    made = event(4)
    stage_of(made, format="ko_timed", rounds_planned=2, tie_rule="on_stage", plan={"third_place": True})
    play(made, made.drawn())
    withdraw_entrant(entrant_id=made.ids[1], actor=made.actor, at=made.tick(), reason="ill")
    withdraw_entrant(entrant_id=made.ids[3], actor=made.actor, at=made.tick(), reason="ill")
    assert pairs(made, made.drawn()) == [(2, None), (4, None)]


def field(made: Event, stage: Stage, *places: tuple[int, int | None, int | None, int | None]) -> None:
    """Who plays in the stage, in order: number, group, and group and rank in the stage before."""
    StageEntrant.objects.bulk_create(
        StageEntrant(
            stage=stage,
            entrant_id=made.ids[number],
            order=order,
            group=group,
            from_group=from_group,
            from_rank=from_rank,
            joined_at=made.now,
        )
        for order, (number, group, from_group, from_rank) in enumerate(places, start=1)
    )
    stage.begun_at = made.now
    stage.save(update_fields=["begun_at"])


def dealt(made: Event, stage: Stage, groups: list[list[int]]) -> None:
    places = [(number, group, None, None) for group, members in enumerate(groups, start=1) for number in members]
    field(made, stage, *places)


@pytest.mark.long
def test_groups_play_their_own_round_robins() -> None:
    made = event(7)
    stage = stage_of(made, format="groups_rr", rounds_planned=3, plan={"groups": 2})
    dealt(made, stage, [[1, 4, 5, 7], [2, 3, 6]])
    found = []
    for _ in range(3):
        round_ = made.drawn()
        assert check_pairing(round_) == ()
        again_is_the_same(round_)
        found.append(pairs(made, round_))
        groups = dict(round_.matches.values_list("home_id", "group"))
        assert {pk: 1 if pk in {made.ids[n] for n in (1, 4, 5, 7)} else 2 for pk in groups} == groups
        play(made, round_)
    # a group of four: 1–3 2–4, then 1–2 3–4, then 1–4 2–3 of its order
    first = [[pair for pair in one if pair[0] in (1, 4, 5, 7)] for one in found]
    assert first == [[(1, 5), (4, 7)], [(1, 4), (5, 7)], [(1, 7), (4, 5)]]
    assert sorted(one for round_ in found for one, other in round_ if other is None) == [2, 3, 6]


def test_a_crossed_knockout_pairs_winners_with_seconds_of_the_other_group() -> None:
    made = event(4)
    stage = stage_of(made, format="ko_timed", rounds_planned=2, tie_rule="on_stage", plan={"crossed": True})
    field(made, stage, (1, None, 1, 1), (2, None, 2, 1), (3, None, 1, 2), (4, None, 2, 2))
    round_ = made.drawn()
    assert pairs(made, round_) == [(1, 4), (2, 3)]
    play(made, round_)
    assert pairs(made, made.drawn()) == [(1, 2)]


@pytest.mark.long
def test_danish_rounds_pair_by_rank_and_allow_rematches() -> None:
    made = event(4)
    stage_of(made, format="danish")
    found = []
    for _ in range(3):
        round_ = made.drawn()
        assert check_pairing(round_) == ()
        again_is_the_same(round_)
        found.append(pairs(made, round_))
        play(made, round_)
    # 1 and 3 win, then 1 and 2: by rank the third round is the first once more, seats turned
    assert found == [[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(2, 1), (4, 3)]]


def test_drawing_again_needs_a_reason_and_gives_the_same_bytes() -> None:
    made = event(5)
    round_ = made.drawn()
    with pytest.raises(Refusal, match="reason_required"):
        drawing.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    drawing.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick(), reason="a pair came late")
    first, second = Draw.objects.filter(round=round_)
    assert (first.document, first.digest) == (second.document, second.digest)
    assert (second.number, second.reason) == (2, "a pair came late")
    drawing.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick(), reason="other hall", first_table=11)
    assert [sitting.table.number for sitting in sittings_of(round_)] == [11, 12]
    again_is_the_same(round_)
    with pytest.raises(Refusal, match="bad_table"):
        drawing.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick(), reason="x", first_table=0)


LONG_REASONS: dict[str, tuple[int, Callable[[Event, dict[str, Any], str], object]]] = {
    "draw again": (200, lambda made, of, why: drawing.draw_round(**of, reason=why)),
    "ask for a draw": (200, lambda made, of, why: drawing.ask_draw(**of, reason=why)),
    "swap": (
        200,
        lambda made, of, why: drawing.swap_entrants(**of, one=made.ids[1], other=made.ids[2], reason=why),
    ),
    "replace the pairing": (
        200,
        lambda made, of, why: supersede_pairing(**of, pairs=[{"home": made.ids[1], "away": made.ids[2]}], reason=why),
    ),
    "sat elsewhere": (200, lambda made, of, why: reseating.reseat_match(**of, entrants=[made.ids[1]], reason=why)),
    "publish": (
        300,
        lambda made, of, why: publish(**of, stage_id=made.tournament.stages.get().pk, reason=why),
    ),
    "lots drawn": (
        300,
        lambda made, of, why: record_drawn_lots(
            actor=of["actor"], at=of["at"], stage_id=made.tournament.stages.get().pk, order=[made.ids[1]], reason=why
        ),
    ),
}


@pytest.mark.parametrize("act", LONG_REASONS)
def test_a_reason_is_refused_where_it_would_not_be_kept_whole(act: str) -> None:
    made = event(4)
    of = {"round_id": made.drawn().pk, "actor": made.actor, "at": made.tick()}
    most, do = LONG_REASONS[act]
    with pytest.raises(Refusal, match="text_too_long") as refused:
        do(made, of, "长" * (most + 1))
    assert (refused.value.status, refused.value.field) == (400, "reason")
    assert refused.value.message == {"en": f"At most {most} characters.", "zh": f"最多 {most} 个字符。"}


def test_a_reason_as_long_as_it_may_be_is_kept_whole() -> None:
    made = event(4)
    round_ = made.drawn()
    drawing.draw_round(round_id=round_.pk, actor=made.actor, at=made.tick(), reason=f"  {'长' * 200}\n")
    assert Draw.objects.filter(round=round_).last().reason == "长" * 200


@pytest.mark.long
def test_a_change_by_hand_is_judged_beside_the_best_draw() -> None:
    made = event(6)
    play(made, made.drawn())
    round_ = made.drawn()
    best = document(round_)["answer"]
    one, other = round_.matches.order_by("number")[:2]
    with pytest.raises(Refusal, match="reason_required"):
        drawing.swap_entrants(
            round_id=round_.pk, actor=made.actor, at=made.tick(), one=one.away_id, other=other.away_id, reason=" "
        )
    draw = drawing.swap_entrants(
        round_id=round_.pk, actor=made.actor, at=made.tick(), one=one.away_id, other=other.away_id, reason="television"
    )
    said = json.loads(draw.document)
    assert (draw.method, draw.reason) == ("hand", "television")
    assert said["judged"]["best"] == best["total"]
    assert said["judged"]["dearer_in"] == "rematch"
    again_is_the_same(round_)
    swapped = [(match.home_id, match.away_id) for match in round_.matches.order_by("number")[:2]]
    assert swapped == [(one.home_id, other.away_id), (other.home_id, one.away_id)]
    with pytest.raises(Refusal, match="two_entrants"):
        drawing.swap_entrants(round_id=round_.pk, actor=made.actor, at=made.tick(), one=1, other=1, reason="x")


@pytest.mark.long
def test_why_two_do_not_meet() -> None:
    made = event(5)
    first = made.drawn()
    met = next((one.home_id, one.away_id) for one in first.matches.order_by("number"))
    play(made, first)
    round_ = made.drawn()
    said = drawing.why_not(round_id=round_.pk, actor=made.actor, one=met[0], other=met[1])
    assert (said["feasible"], said["forbidden_by"]) == (True, ["no_rematch"])
    lone = next(one.home_id for one in round_.matches.all() if one.away_id is None)
    same = drawing.why_not(round_id=round_.pk, actor=made.actor, one=lone, other=None)
    assert (same["feasible"], same["dearer_in"], same["total"]) == (True, None, same["best"])
    other = next(one.home_id for one in first.matches.all() if one.away_id is not None and one.home_id != lone)
    dearer = drawing.why_not(round_id=round_.pk, actor=made.actor, one=other, other=None)
    assert dearer["dearer_in"] == "bye_score"
    assert dearer["total"]["bye_score"] > dearer["best"]["bye_score"] == 0
    with pytest.raises(Refusal, match="no_such_meeting"):
        drawing.why_not(round_id=round_.pk, actor=made.actor, one=lone, other=lone)


def test_somebody_knocked_out_cannot_be_paired() -> None:
    made = event(4)
    stage_of(made, format="ko_timed", rounds_planned=2, tie_rule="on_stage")
    play(made, made.drawn())
    with pytest.raises(Refusal, match="knocked_out"):
        made.paired((1, 4))
    assert not Match.objects.filter(round__number=2).exists()


def test_two_groups_are_not_mixed_by_hand() -> None:
    made = event(4)
    stage = stage_of(made, format="groups_rr", rounds_planned=1, plan={"groups": 2})
    dealt(made, stage, [[1, 2], [3, 4]])
    with pytest.raises(Refusal, match="groups_mixed"):
        made.paired((1, 3), (2, 4))


def test_no_round_is_possible_when_all_have_met() -> None:
    made = event(2)
    play(made, made.drawn())
    with pytest.raises(Refusal, match="no_pairing_possible"):
        made.drawn()


def test_a_published_pairing_has_a_document_with_its_draw() -> None:
    made = event(5)
    round_ = made.drawn()
    pairing = publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())
    said = json.loads(pairing.document)
    draw = Draw.objects.get(round=round_)
    assert said["draw"] == {"number": 1, "digest": draw.digest}
    assert pairing.draw == draw
    assert [[one["home"], one["away"]] for one in said["matches"]] == [
        [one["home"], one["away"]] for one in json.loads(draw.document)["meetings"]
    ]
    assert "Pair 1" not in pairing.document + draw.document
    first, second, *_ = pairs(made, round_)
    again = [(first[0], second[1]), (second[0], first[1])]
    later = supersede_pairing(
        round_id=round_.pk,
        actor=made.actor,
        at=made.tick(),
        pairs=[{"home": made.ids[one], "away": made.ids[other]} for one, other in again],
        reason="wrong names",
    )
    said = json.loads(later.document)
    assert (later.number, said["number"], said["draw"]) == (2, 2, None)
    assert sorted(one["number"] for one in said["matches"]) == [1, 2, 3]
    assert pairing.digest != later.digest


def test_what_was_found_has_to_be_accepted() -> None:
    made = event(4)
    play(made, made.drawn())
    before = pairs(made, Round.objects.get(number=1))
    round_ = made.paired(*before)
    with pytest.raises(Refusal, match="findings_not_accepted"):
        publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick(), accept=False)
    pairing = publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick(), accept=True)
    assert {one["code"] for one in json.loads(pairing.document)["findings"]} == {"rematch"}


def entered(made: Event, size: int) -> None:
    """More entrants than anybody types."""
    first = Entrant.objects.filter(tournament=made.tournament).count() + 1
    Entrant.objects.bulk_create(
        Entrant(tournament=made.tournament, number=number, name=f"Pair {number}") for number in range(first, size + 1)
    )


@pytest.mark.long
def test_a_large_field_is_drawn_by_a_job_once() -> None:
    made = event(2)
    entered(made, drawing.LARGE)
    round_ = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    of: dict[str, Any] = {"round_id": round_.pk, "actor": made.actor, "at": made.tick()}
    job = drawing.ask_draw(**of)
    assert isinstance(job, Job)
    assert drawing.ask_draw(**of) == job
    assert not round_.matches.exists()
    assert jobs.run(job_id=job.pk, kinds=KINDS, at=made.tick())
    assert not jobs.run(job_id=job.pk, kinds=KINDS, at=made.tick())
    assert round_.matches.count() == drawing.LARGE // 2
    assert Draw.objects.get(round=round_).drawn_by == made.actor.user
    again_is_the_same(round_)
    with pytest.raises(Refusal, match="reason_required"):
        drawing.ask_draw(**of)


@pytest.mark.long
def test_a_draw_under_way_is_refused_when_somebody_withdraws_meanwhile() -> None:
    made = event(2)
    entered(made, drawing.LARGE + 1)
    round_ = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    job = drawing.ask_draw(round_id=round_.pk, actor=made.actor, at=made.tick())
    assert isinstance(job, Job)
    told: list[tuple[int, int]] = []
    document = drawing.WORK.prepare(job, lambda step, done=0, of=0: told.append((done, of)))
    assert told == [(0, 3), (1, 3), (2, 3)]
    withdraw_entrant(entrant_id=made.ids[1], actor=made.actor, at=made.tick(), reason="left")
    with pytest.raises(Refusal, match="changed_meanwhile"):
        drawing.WORK.finish(job, document, made.actor, made.tick())


@pytest.mark.long
def test_a_round_robin_goes_on_when_somebody_leaves() -> None:
    """The table stays: opponents of who left have a bye, or nothing where the results are annulled."""
    made = event(4)
    stage_of(made, format="rr", rounds_planned=3)
    first = made.drawn()
    assert pairs(made, first) == [(1, 4), (2, 3)]
    play(made, first)
    second = made.drawn()
    play(made, second)
    # two of three are played: who leaves now keeps them
    withdraw_entrant(entrant_id=made.ids[1], actor=made.actor, at=made.tick(), reason="ill")
    third = made.drawn()
    lone = [one for one, other in pairs(made, third) if other is None]
    met = {frozenset(pair) for round_ in (first, second) for pair in pairs(made, round_)}
    assert [{1, number} for number in lone] == [
        {1, number} for number in (2, 3, 4) if frozenset((1, number)) not in met
    ]
    assert check_pairing(third) == ()
    again_is_the_same(third)


def test_an_extra_round_decides_the_tie_that_waits() -> None:
    made = event(4)
    stage_of(made, rounds_planned=1, chain=["points", "extra_match"], plan={"places": [1]})
    play(made, made.drawn())
    round_ = made.drawn(extra=True)
    winners = {
        one.home_id if one.winner_side == "NS" else one.away_id for one in Round.objects.get(number=1).matches.all()
    }
    match = round_.matches.get()
    assert {match.home_id, match.away_id} == winners
    assert check_pairing(round_) == ()
    play(made, round_)
    again = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), extra=True)
    with pytest.raises(Refusal, match="nothing_tied"):
        drawing.draw_round(round_id=again.pk, actor=made.actor, at=made.tick())
    # asked for by mistake: it keeps nothing open, and the next round takes its place
    stage = again.stage
    assert rankings.is_over(stage)
    Stage.objects.filter(pk=stage.pk).update(rounds_planned=2)
    taken = create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    assert (taken.pk, taken.extra, taken.number) == (again.pk, False, 3)


@pytest.mark.long
def test_pairs_move_by_a_balanced_movement_whose_figure_stands_in_the_document() -> None:
    made = event(8)
    plan = {"movement": "balanced", "boards": 1}
    stage_of(made, format="dup_pairs", rounds_planned=3, plan=plan, hands=1, minutes=None)
    seen: set[tuple[int, int]] = set()
    figures = []
    for _ in range(3):
        round_ = made.drawn()
        assert check_pairing(round_) == ()
        again_is_the_same(round_)
        told = document(round_)
        assert told["question"]["seed"] == f"{made.tournament.lot_commitment}/1"
        figures.append(told["answer"]["balance"])
        here = [(pk, one["boards"]) for one in told["meetings"] for pk in (one["home"], one["away"])]
        assert not seen & set(here)
        seen |= set(here)
        publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())
    assert len(seen) == 24
    assert figures[0] == figures[1] == figures[2]
    # a Mitchell of three rounds, its last with the arrow switched, has 90/49
    assert Fraction(figures[0]["spread"]) < Fraction(90, 49)
    assert audit(event_document(made.tournament, official=True)) == []


@pytest.mark.long
def test_pairs_move_over_boards_by_the_movement() -> None:
    made = event(6)
    stage_of(
        made, format="dup_pairs", rounds_planned=5, plan={"movement": "howell", "boards": 2}, hands=2, minutes=None
    )
    seen: set[tuple[int, int]] = set()
    met: set[frozenset[int]] = set()
    for _ in range(5):
        round_ = made.drawn()
        assert check_pairing(round_) == ()
        again_is_the_same(round_)
        meetings = document(round_)["meetings"]
        here = [(pk, one["boards"]) for one in meetings for pk in (one["home"], one["away"])]
        assert not seen & set(here)
        seen |= set(here)
        met |= {frozenset((one["home"], one["away"])) for one in meetings}
        publish_pairing(round_id=round_.pk, actor=made.actor, at=made.tick())
    assert (len(seen), len(met)) == (30, 15)
