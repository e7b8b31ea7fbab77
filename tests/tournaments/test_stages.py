"""Chains of stages: settings that do not fit, beginning a stage, who comes into the next one."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.standings import chains, scales
from tests.tournaments.factories import AT
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tournaments.acts.admission import Actor
from tournaments.acts.change import AddAll, Move, RemoveAll
from tournaments.acts.errors import Refusal
from tournaments.draws.lots import by_lot
from tournaments.events import setup
from tournaments.ledger.officials_entries import forfeit
from tournaments.models import HistoryEntry, MatchOutcome, Office, Round, Stage, StageEntrant
from tournaments.people import entrants
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.plans.plan import BoardMeasure, MovementKind, Plan
from tournaments.plans.presets import DEFAULT_CHAINS
from tournaments.rounds import acts as rounds
from tournaments.rounds import closing, drawing, pairing
from tournaments.stages.acts import add_stage, begin_stage, change_stage, field_fixed, remove_stage
from tournaments.stages.facts import changed_facts, stage_facts
from tournaments.stages.fields import Coming, rounds_needed
from tournaments.stages.misfits import BadSetting, Settings, refuse_broken_chain, refuse_unfit_field

SWISS = {"format": "swiss_timed", "minutes": 40}
GROUPS = {"format": "groups_rr", "tie_rule": "on_stage", "plan": {"groups": 2}}
KNOCKOUT = {"format": "ko_timed", "tie_rule": "on_stage"}
TEAMS = {"format": "dup_teams", "plan": {"boards": 2}}
PAIRS = {"format": "dup_pairs", "plan": {"boards": 2}}


def with_plan(stage: dict[str, Any], **plan: Any) -> dict[str, Any]:
    return stage | {"plan": stage.get("plan", {}) | plan}


# What does not fit

FIXED = [{"level": "2"}, {"level": "3"}]

UNFIT = [
    ({"format": "groups_rr"}, "groups_missing", "stage.plan.groups"),
    (with_plan(SWISS, groups=2), "groups_not_here", "stage.plan.groups"),
    (with_plan(KNOCKOUT, group_of=4), "groups_not_here", "stage.plan.groups"),
    (with_plan(SWISS, bracket="draw_number"), "bracket_not_here", "stage.plan.bracket"),
    (with_plan(SWISS, crossed=True, qualify=2), "crossed_not_here", "stage.plan.crossed"),
    (with_plan(KNOCKOUT, crossed=True, qualify=2, bracket="draw_number"), "crossed_not_here", "stage.plan.crossed"),
    (with_plan(KNOCKOUT, crossed=True, qualify=3), "crossed_takes_two", "stage.plan.qualify"),
    (with_plan(KNOCKOUT, crossed=True), "crossed_takes_two", "stage.plan.qualify"),
    (with_plan(GROUPS, third_place=True), "third_place_not_here", "stage.plan.third_place"),
    (
        with_plan(KNOCKOUT, third_place=True, bracket="draw_number"),
        "third_place_needs_bracket",
        "stage.plan.third_place",
    ),
    (with_plan(SWISS, best_of=3), "best_of_not_here", "stage.plan.best_of"),
    ({"format": "dup_teams"}, "boards_missing", "stage.plan.boards"),
    ({"format": "dup_pairs"}, "boards_missing", "stage.plan.boards"),
    (with_plan(SWISS, boards=4), "boards_not_here", "stage.plan.boards"),
    (with_plan(TEAMS, movement="howell"), "movement_not_here", "stage.plan.movement"),
    (with_plan(SWISS, arrow=1), "movement_not_here", "stage.plan.movement"),
    (with_plan(PAIRS, movement="balanced", arrow=1), "arrow_of_balanced", "stage.plan.arrow"),
    (TEAMS | {"lead_levels": 5}, "boards_have_no_levels", "stage.lead_levels"),
    (TEAMS | {"hands": 8}, "boards_are_the_hands", "stage.hands"),
    (TEAMS | {"match_score": "base15"}, "scale_counts_levels", "stage.match_score"),
    (PAIRS | {"match_score": "base15"}, "scale_counts_levels", "stage.match_score"),
    (TEAMS | {"chain": ["points", "net_levels"]}, "levels_not_here", "stage.chain"),
    (TEAMS | {"match_score": "mp_210", "chain": ["points", "mini_net"]}, "levels_not_here", "stage.chain"),
    (PAIRS | {"chain": ["points", "sum_levels", "lots"]}, "levels_not_here", "stage.chain"),
    (with_plan(TEAMS, board_scale="cross_imp"), "board_scale_not_here", "stage.plan.board_scale"),
    (with_plan(PAIRS, board_scale="imp", measure="attackers_points"), "board_scale_not_here", "stage.plan.board_scale"),
    (with_plan(SWISS, board_scale="difference"), "board_scale_not_here", "stage.plan.board_scale"),
    (with_plan(TEAMS, board_scale="imp"), "imps_of_levels", "stage.plan.board_scale"),
    (with_plan({"format": "individual"}, fixed=FIXED), "fixed_for_sides", "stage.plan.fixed"),
    (with_plan(TEAMS, fixed=FIXED), "fixed_for_sides", "stage.plan.fixed"),
    (with_plan(SWISS, fixed=FIXED), "fixed_without_hands", "stage.hands"),
    (with_plan(SWISS, fixed=FIXED) | {"hands": 3}, "fixed_and_hands_differ", "stage.hands"),
    (with_plan(SWISS, fixed=FIXED) | {"hands": 2, "lead_levels": 3}, "fixed_has_no_lead", "stage.lead_levels"),
    (with_plan(SWISS, fixed=FIXED) | {"hands": 2, "match_score": "base13"}, "fixed_counts_hands", "stage.match_score"),
    (with_plan(SWISS, scoring="points"), "counted_without_fixed", "stage.plan.scoring"),
    (with_plan(TEAMS, scoring="wins"), "counted_without_fixed", "stage.plan.scoring"),
    (with_plan({"format": "rr"}, warning=5), "warning_without_clock", "stage.plan.warning"),
    (with_plan(SWISS, warning=40), "warning_without_clock", "stage.plan.warning"),
    (with_plan(SWISS, late=40), "late_after_the_end", "stage.plan.late"),
    (with_plan(SWISS, prizes=["1", "2"]), "prizes_grow", "stage.plan.prizes"),
    (KNOCKOUT | {"tie_rule": "draw"}, "knockout_draw", "stage.tie_rule"),
    (SWISS | {"chain": ["lots"]}, "lots_alone", "stage.chain"),
    (SWISS | {"chain": []}, "chain_empty", "stage.chain"),
    (with_plan(GROUPS, group_of=4), "groups_twice", "stage.plan.groups"),
    ({"format": "individual", "match_score": "mp_210"}, "bad_setting", "stage.match_score"),
    (SWISS | {"match_score": ["mp_210"]}, "bad_setting", "stage.match_score"),
    (SWISS | {"plan": {"best_of": 2}}, "even_games", "stage.plan.best_of"),
    (SWISS | {"plan": [1]}, "wrong_type", "stage.plan"),
]


@pytest.mark.parametrize(("facts", "code", "field"), UNFIT)
def test_settings_that_do_not_fit_are_refused_with_a_sentence(facts: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(BadSetting) as refused:
        stage_facts(facts)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert all(refused.value.message[language].endswith((".", "。")) for language in ("en", "zh"))


def test_everything_that_does_not_fit_is_told_at_once() -> None:
    with pytest.raises(BadSetting) as refused:
        stage_facts(with_plan(SWISS, groups=2, best_of=3, warning=50))
    found = [one.code for one in refused.value.findings]
    assert found == ["groups_not_here", "best_of_not_here", "warning_without_clock"]
    assert refused.value.code == found[0]


@pytest.mark.parametrize(
    "facts",
    [
        SWISS,
        GROUPS,
        KNOCKOUT,
        TEAMS,
        with_plan(GROUPS, groups=None, group_of=4),
        with_plan(SWISS, fixed=FIXED) | {"hands": 2, "match_score": "hand_points"},
        with_plan(SWISS, fixed=FIXED) | {"hands": 2, "match_score": "mp_210", "chain": ["points", "wins"]},
        with_plan(SWISS, fixed=FIXED, scoring="points") | {"hands": 2, "match_score": "hand_points"},
        with_plan(SWISS, fixed=FIXED, scoring="wins")
        | {"hands": 2, "match_score": "mp_30", "chain": ["points", "wins"]},
        with_plan(KNOCKOUT, third_place=True, best_of=3),
        with_plan(TEAMS, groups=2, measure=str(BoardMeasure.ATTACKERS_POINTS)),
        with_plan({"format": "dup_pairs"}, boards=4, movement=str(MovementKind.MITCHELL), arrow=1),
        with_plan(PAIRS, board_scale="cross_imp"),
        with_plan(TEAMS, board_scale="imp", measure=str(BoardMeasure.ATTACKERS_POINTS)),
        with_plan(SWISS, warning=5, late=0),
    ],
)
def test_settings_that_fit_are_read_again_as_they_were_written(facts: dict[str, Any]) -> None:
    read = stage_facts(facts)
    assert stage_facts(read) == read
    assert Plan.from_json(read["plan"]).rounds_by_field


@pytest.mark.parametrize(("form", "scale"), [("dup_teams", "difference"), ("dup_pairs", "matchpoints")])
def test_what_a_board_is_usually_worth_is_left_out_of_the_plan(form: str, scale: str) -> None:
    stated = stage_facts({"format": form, "plan": {"boards": 2, "board_scale": scale}})
    assert stated == stage_facts({"format": form, "plan": {"boards": 2}})
    assert "board_scale" not in stated["plan"]


@pytest.mark.parametrize(
    ("chain", "code", "number"),
    [
        ([with_plan(SWISS, qualify=2)], "nothing_to_qualify_from", 1),
        ([with_plan(SWISS, carry="points")], "nothing_to_carry", 1),
        ([with_plan(KNOCKOUT, crossed=True, qualify=2)], "nothing_to_qualify_from", 1),
        ([SWISS, with_plan(KNOCKOUT, carry="points")], "carry_into_knockout", 2),
        ([SWISS, with_plan(SWISS, carry="points") | {"match_score": "base15"}], "carry_other_scores", 2),
        ([SWISS, with_plan(KNOCKOUT, crossed=True, qualify=2)], "nothing_to_cross", 2),
        ([with_plan(GROUPS, groups=3), with_plan(KNOCKOUT, crossed=True, qualify=2)], "groups_do_not_cross", 2),
        ([with_plan(GROUPS, groups=None, group_of=3), with_plan(KNOCKOUT, qualify=4)], "too_many_qualify", 2),
        ([], "too_many_stages", None),
        ([SWISS] * 9, "too_many_stages", None),
    ],
)
def test_stages_that_do_not_lead_on_are_refused(chain: list[dict[str, Any]], code: str, number: int | None) -> None:
    with pytest.raises(BadSetting) as refused:
        refuse_broken_chain([stage_facts(facts) for facts in chain])
    assert (refused.value.code, refused.value.params.get("stage")) == (code, number)


def test_all_that_does_not_lead_on_is_told_with_the_number_of_its_stage() -> None:
    chain = [with_plan(SWISS, qualify=2), SWISS, with_plan(KNOCKOUT, carry="points", crossed=True, qualify=2)]
    with pytest.raises(BadSetting) as refused:
        refuse_broken_chain([stage_facts(facts) for facts in chain])
    found = [(one.code, one.params["stage"]) for one in refused.value.findings]
    assert found == [("nothing_to_qualify_from", 1), ("carry_into_knockout", 3), ("nothing_to_cross", 3)]


@pytest.mark.parametrize(
    ("form", "sizes", "rounds"),
    [
        ("rr", [6], 5),
        ("rr", [5], 5),
        ("groups_rr", [4, 3], 3),
        ("groups_rr", [5, 4], 5),
        ("dup_teams", [4, 4], 3),
        ("ko_timed", [8], 3),
        ("ko_timed", [9], 4),
        ("ko_timed", [2], 1),
        ("swiss_timed", [8], 4),
        ("swiss_timed", [9], 5),
        ("danish", [16], 5),
        ("individual", [12], 1),
        ("dup_pairs", [14], 7),
        ("dup_pairs", [12], 5),
        ("rr", [1], 1),
    ],
)
def test_rounds_that_the_format_needs(form: str, sizes: list[int], rounds: int) -> None:
    settings = Settings(form, Plan(), scales.SCALES["mp_210"])
    assert rounds_needed(settings, sizes) == rounds


@pytest.mark.parametrize(
    ("plan", "sizes", "code"),
    [(Plan(), [1], "too_few_entrants"), (Plan(), [], "too_few_entrants"), (Plan(groups=2), [2, 1], "group_too_small")],
)
def test_a_field_too_small_is_refused(plan: Plan, sizes: list[int], code: str) -> None:
    with pytest.raises(BadSetting, match=code):
        refuse_unfit_field(Settings("rr", plan, None), sizes)


def test_what_follows_from_a_field_is_decided_without_a_database() -> None:
    """Nothing is read and the stage stays as it is: groups of so many, and as many rounds as the largest needs."""
    made = stage_facts(with_plan(GROUPS, groups=None, group_of=4) | {"rounds_planned": None})
    stage = Stage(number=1, **made)
    coming = [Coming(pk, group) for pk, group in ((3, 1), (1, 2), (4, 1), (2, 2), (5, 1))]
    fixed = field_fixed(stage, coming, AT, reason="Two came late")
    gone, rows, then = fixed.writes
    assert (gone, isinstance(rows, AddAll)) == (RemoveAll(StageEntrant, {"stage": None}), True)
    assert [(row.order, row.entrant_id, row.group) for row in rows.rows] == [
        (1, 3, 1), (2, 1, 2), (3, 4, 1), (4, 2, 2), (5, 5, 1),
    ]  # fmt: skip
    assert then == Move(stage, {"begun_at": AT, "plan": {**made["plan"], "groups": 2}, "rounds_planned": 3})
    (line,) = fixed.lines
    assert (line.reason, line.new["order"], line.new["rounds"], len(line.new["field"])) == (
        "Two came late", "seeded", 3, 5,
    )  # fmt: skip
    assert (stage.begun_at, stage.rounds_planned, stage.plan) == (None, made["rounds_planned"], made["plan"])


def test_lots_are_repeatable_and_differ_by_stage_and_seed() -> None:
    everybody = range(1, 40)
    assert by_lot("seed", 1, everybody) == by_lot("seed", 1, reversed(everybody))
    assert sorted(by_lot("seed", 1, everybody)) == list(everybody)
    assert len({tuple(by_lot(*of, everybody)) for of in (("seed", 1), ("seed", 2), ("other", 1))}) == 3


# the stage, what is changed, its match score and chain then
OTHER_FORMATS = [
    (SWISS, PAIRS, "hand_points", chains.CHAINS["duplicate"]),
    (SWISS, TEAMS, "mp_210", chains.CHAINS["duplicate"]),
    (SWISS, {"format": "individual"}, "", chains.CHAINS["individual"]),
    (SWISS, {"format": "rr"}, "mp_210", chains.CHAINS["round_robin"]),
    (PAIRS, SWISS | {"plan": {}}, "mp_210", chains.CHAINS["swiss"]),
    ({"format": "individual"}, SWISS, "mp_210", chains.CHAINS["swiss"]),
    (
        SWISS | {"match_score": "hand_points"},
        {"format": "rr"},
        "hand_points",
        ("points", "mini_group", "penalties", "lots"),
    ),
    (SWISS | {"chain": ["points", "wins"]}, PAIRS, "hand_points", ("points", "wins")),
    (SWISS, PAIRS | {"match_score": "mp_210"}, "mp_210", chains.CHAINS["duplicate"]),
    (SWISS, PAIRS | {"chain": ["points", "lots"]}, "hand_points", ("points", "lots")),
    (SWISS, {"minutes": 30}, "mp_210", chains.CHAINS["swiss"]),
    (SWISS, {"match_score": "hand_points"}, "hand_points", ("points", "opponents", "wins", "head_to_head", "lots")),
    (SWISS, {"format": "ko_timed"}, "mp_210", DEFAULT_CHAINS["ko_timed"]),
]


@pytest.mark.parametrize(("stage", "changes", "scale", "chain"), OTHER_FORMATS)
def test_the_usual_of_a_format_follows_it(
    stage: dict[str, Any], changes: dict[str, Any], scale: str, chain: tuple[str, ...]
) -> None:
    read = changed_facts(stage_facts(stage), changes, begun=False)
    assert (read["match_score"], tuple(read["chain"])) == (scale, chain)


# The chain of an event


def chained(pairs: int, *chain: dict[str, Any], **more: Any) -> Event:
    """An event of such stages."""
    form = {"format": "referee/form/1", "profile": "cn-national-2d", "stages": list(chain)}
    return event(pairs, preset=None, form=form, **more)


def stage_of(made: Event, number: int) -> Stage:
    return made.tournament.stages.get(number=number)


def begin(made: Event, number: int = 1, **more: Any) -> Stage:
    return begin_stage(stage_id=stage_of(made, number).pk, actor=made.actor, at=made.tick(), **more)


def field(made: Event, number: int = 1) -> list[tuple[int, int | None]]:
    """Number and group of everybody in a stage, by order."""
    rows = StageEntrant.objects.filter(stage=stage_of(made, number)).order_by("order")
    return list(rows.values_list("entrant__number", "group"))


def code_of(call: Any, *args: Any, **more: Any) -> str:
    with pytest.raises(Refusal) as refused:
        call(*args, **more)
    assert refused.value.message["zh"]
    return refused.value.code


def play_stage(made: Event, number: int, *, draws: bool = False) -> None:
    """Every round of a stage: the side with the smaller number wins every match, or all are drawn."""
    numbers = {pk: one for one, pk in made.ids.items()}
    for _ in range(stage_of(made, number).rounds_planned):
        round_ = made.begun(made.drawn())
        for sitting in sittings_of(round_):
            match = sitting.match
            home_wins = numbers[match.home_id] < numbers[match.away_id]
            if draws:
                outcome = MatchOutcome.DOUBLE_FORFEIT
            else:
                outcome = MatchOutcome.AWAY_FORFEIT if home_wins else MatchOutcome.HOME_FORFEIT
            forfeit(match_id=match.pk, actor=made.actor, at=made.tick(), outcome=outcome, reason="x")
        closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())


@pytest.mark.django_db
class TestChain:
    def test_stages_are_added_changed_and_removed(self) -> None:
        made = chained(0, GROUPS)
        act = {"actor": made.actor, "at": AT}
        event_id = made.tournament.pk
        second = add_stage(
            tournament_id=event_id, facts=with_plan(KNOCKOUT, qualify=2, crossed=True, order="drawn"), **act
        )
        third = add_stage(tournament_id=event_id, facts=with_plan(SWISS, qualify=4), **act)
        assert (second.number, third.number, second.directing.qualify) == (2, 3, 2)
        change_stage(stage_id=second.pk, changes={"minutes": 60, "rounds_planned": 2}, **act)
        second.refresh_from_db()
        assert (second.minutes, second.rounds_planned, second.directing.rounds_by_field) == (60, 2, False)
        # what the second one crosses over from cannot go, and the last cannot lead on from nothing
        first = stage_of(made, 1)
        assert code_of(remove_stage, stage_id=first.pk, **act) == "nothing_to_qualify_from"
        assert code_of(change_stage, stage_id=first.pk, changes=SWISS | {"plan": {}}, **act) == ("nothing_to_cross")
        remove_stage(stage_id=second.pk, **act)
        third.refresh_from_db()
        assert third.number == 2
        assert code_of(add_stage, tournament_id=event_id, facts=with_plan(SWISS, carry="all"), **act) == (
            "unknown_value"
        )
        assert HistoryEntry.objects.filter(act="set_up", subject__startswith="stage:").count() == 4

    def test_an_event_keeps_one_stage_and_one_game(self) -> None:
        made = chained(0, SWISS)
        act = {"actor": made.actor, "at": AT}
        assert code_of(remove_stage, stage_id=stage_of(made, 1).pk, **act) == "too_many_stages"
        individual = {"format": "individual"}
        assert code_of(add_stage, tournament_id=made.tournament.pk, facts=individual, **act) == "other_game"
        off = with_plan(SWISS, fixed=[{"level": "2"}]) | {"hands": 1}
        setup.update_tournament(tournament_id=made.tournament.pk, changes={"stage": off}, **act)
        wrong = {"base": "cn-national-2d", "set": {"ladder": ["3", "4", "A"]}}
        form = {"format": "referee/form/1", "profile": wrong, "stages": [off]}
        assert code_of(event, 0, preset=None, form=form) == "level_not_on_ladder"

    def test_only_organisers_set_up_and_only_the_direction_begins(self) -> None:
        made = chained(4, SWISS)
        referee, chief = colleague(made, Office.REFEREE), colleague(made, Office.CHIEF_REFEREE)
        stage = stage_of(made, 1)
        for actor in (referee, chief, Actor()):
            assert code_of(change_stage, stage_id=stage.pk, actor=actor, at=AT, changes={}) == "forbidden"
        assert code_of(begin_stage, stage_id=stage.pk, actor=referee, at=AT) == "forbidden"
        begin_stage(stage_id=stage.pk, actor=chief, at=AT)

    def test_update_says_which_stage(self) -> None:
        made = chained(0, GROUPS, with_plan(KNOCKOUT, qualify=1))
        change = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": AT}
        setup.update_tournament(**change, changes={"stage": {"minutes": 50}})
        setup.update_tournament(**change, changes={"stage": {"number": 2, "minutes": 90}})
        assert [one.minutes for one in made.tournament.stages.order_by("number")] == [50, 90]
        assert code_of(setup.update_tournament, **change, changes={"stage": {"number": 3}}) == "not_found"


@pytest.mark.django_db
class TestBegin:
    def test_seeds_come_first_then_numbers_and_the_snake_deals_them(self) -> None:
        made = chained(7, GROUPS)
        entrants.change_entrant(entrant_id=made.ids[5], actor=made.actor, at=AT, changes={"seed": 1})
        stage = begin(made)
        assert field(made) == [(5, 1), (1, 2), (2, 2), (3, 1), (4, 1), (6, 2), (7, 2)]
        assert (stage.rounds_planned, stage.begun_at is not None) == (3, True)

    def test_lots_are_those_of_the_seed_and_stand_in_the_history(self) -> None:
        made = chained(9, with_plan(KNOCKOUT, order="drawn"))
        stage = begin(made)
        lots = by_lot(made.tournament.lot_seed, 1, made.ids.values())
        assert [made.ids[number] for number, _ in field(made)] == lots
        assert stage.rounds_planned == 4
        noted = HistoryEntry.objects.get(act="begin_stage").new
        assert (noted["order"], [row[0] for row in noted["field"]]) == ("drawn", lots)

    def test_draw_numbers_drawn_by_hand(self) -> None:
        made = chained(4, KNOCKOUT)
        begin(made, order=[made.ids[one] for one in (3, 1, 4, 2)])
        assert field(made) == [(3, None), (1, None), (4, None), (2, None)]
        for wrong in ([made.ids[1]], [made.ids[1]] * 4, [*made.ids.values(), 10**6]):
            assert code_of(begin, made, order=wrong, reason="again") == "not_everybody_once"
        assert code_of(begin, made, order=["1"], reason="again") == "not_a_list"

    @pytest.mark.parametrize("by_hand", [False, True])
    def test_who_comes_late_makes_a_round_robin_longer(self, by_hand: bool) -> None:
        made = chained(4, with_plan({"format": "rr"}, rounds_by_field=True))
        begin(made, order=[made.ids[one] for one in (3, 1, 4, 2)] if by_hand else None)
        assert stage_of(made, 1).rounds_planned == 3
        entrants.add_entrant(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), name="Late")
        assert [number for number, _ in field(made)] == ([3, 1, 4, 2, 5] if by_hand else [1, 2, 3, 4, 5])
        assert stage_of(made, 1).rounds_planned == 5

    def test_groups_drawn_by_hand(self) -> None:
        made = chained(5, GROUPS)
        one, two, three, four, five = (made.ids[number] for number in range(1, 6))
        begin(made, groups=[[five, one, three], [two, four]])
        assert field(made) == [(5, 1), (2, 2), (1, 1), (4, 2), (3, 1)]
        assert code_of(begin, made, groups=[[five, one, three, two, four]], reason="x") == "other_number_of_groups"
        assert code_of(begin, made, groups=[[five, one, three, two], [four]], reason="x") == "group_too_small"

    def test_groups_of_so_many_and_units_apart(self) -> None:
        made = chained(8, with_plan(GROUPS, groups=None, group_of=4), units={1: "甲", 4: "甲", 5: "乙", 8: "乙"})
        stage = begin(made)
        assert (stage.directing.groups, stage.rounds_planned) == (2, 3)
        groups = dict(field(made))
        assert groups[1] != groups[4]
        assert groups[5] != groups[8]

    def test_who_left_does_not_begin_and_a_field_can_be_too_small(self) -> None:
        made = chained(5, GROUPS)
        withdraw_entrant(entrant_id=made.ids[2], actor=made.actor, at=AT, reason="ill")
        begin(made)
        assert sorted(number for number, _ in field(made)) == [1, 3, 4, 5]
        withdraw_entrant(entrant_id=made.ids[3], actor=made.actor, at=AT, reason="ill")
        assert code_of(begin, made, reason="one less") == "too_few_for_groups"

    def test_beginning_again_needs_a_reason_and_an_unpublished_pairing(self) -> None:
        made = chained(4, KNOCKOUT)
        round_ = rounds.create_round(tournament_id=made.tournament.pk, actor=made.actor, at=AT)
        drawing.draw_round(round_id=round_.pk, actor=made.actor, at=AT)
        assert code_of(begin, made) == "reason_missing"
        begin(made, reason="seeds were wrong", order=[made.ids[one] for one in (2, 1, 3, 4)])
        assert not round_.matches.exists()
        drawing.draw_round(round_id=round_.pk, actor=made.actor, at=AT, reason="new order")
        pairing.publish_pairing(round_id=round_.pk, actor=made.actor, at=AT)
        assert code_of(begin, made, reason="late") == "stage_is_drawn"

    def test_a_plain_event_begins_with_its_first_round(self) -> None:
        made = event(4)
        rounds.create_round(tournament_id=made.tournament.pk, actor=made.actor, at=AT)
        assert [number for number, _ in field(made)] == [1, 2, 3, 4]
        assert stage_of(made, 1).begun_at == AT

    def test_what_shaped_the_field_is_fixed_with_it(self) -> None:
        made = chained(4, GROUPS)
        stage = begin(made)
        change = {"stage_id": stage.pk, "actor": made.actor, "at": AT}
        for changes in ({"plan": {"groups": 1}}, {"format": "rr", "plan": {}}):
            assert code_of(change_stage, **change, changes=changes) == "stage_has_begun"
        allowed = {"minutes": 30, "name": "Groups", "rounds_planned": 4}
        changed = change_stage(**change, changes=allowed | {"plan": stage.plan | {"late": 10, "warning": 5}})
        assert (changed.minutes, changed.rounds_planned, changed.directing.late) == (30, 4, 10)
        assert code_of(remove_stage, **change) == "stage_has_begun"

    def test_newcomers_are_dealt_in_until_something_is_drawn(self) -> None:
        made = chained(4, KNOCKOUT)
        round_ = rounds.create_round(tournament_id=made.tournament.pk, actor=made.actor, at=AT)
        add = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": AT}
        entrants.add_entrant(**add, name="Five", seed=1)
        assert [number for number, _ in field(made)] == [5, 1, 2, 3, 4]
        assert stage_of(made, 1).rounds_planned == 3
        begin(made, order=[one for _, one in sorted(made.ids.items(), reverse=True)] + field_ids(made, 5), reason="x")
        entrants.add_entrant(**add, name="Six")
        assert [number for number, _ in field(made)] == [4, 3, 2, 1, 5, 6]
        drawing.draw_round(round_id=round_.pk, actor=made.actor, at=AT)
        assert code_of(entrants.add_entrant, **add, name="Seven") == "late_entry"

    def test_a_late_entrant_joins_a_swiss(self) -> None:
        made = event(4)
        made.play(made.running((1, 2), (3, 4)), [40], [40])
        entrants.add_entrant(tournament_id=made.tournament.pk, actor=made.actor, at=AT, name="Five")
        assert [number for number, _ in field(made)] == [1, 2, 3, 4, 5]


def field_ids(made: Event, number: int) -> list[int]:
    return list(made.tournament.entrants.filter(number=number).values_list("pk", flat=True))


@pytest.mark.django_db
class TestNextStage:
    def groups_then_knockout(self, pairs: int = 8, **plan: Any) -> Event:
        made = chained(pairs, GROUPS, with_plan(KNOCKOUT, qualify=2, crossed=True, **plan))
        begin(made)
        return made

    @pytest.mark.long
    def test_two_of_each_group_cross_into_the_knockout(self) -> None:
        made = self.groups_then_knockout()
        create = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": AT}
        assert code_of(begin, made, 2) == "stage_before_open"
        assert code_of(rounds.create_round, **create, stage_id=stage_of(made, 2).pk) == "stage_not_begun"
        play_stage(made, 1)
        assert code_of(rounds.create_round, **create) == "begin_next_stage"
        begin(made, 2)
        rows = StageEntrant.objects.filter(stage__number=2).order_by("order")
        assert list(rows.values_list("entrant__number", "from_group", "from_rank")) == [
            (1, 1, 1),
            (2, 2, 1),
            (4, 1, 2),
            (3, 2, 2),
        ]
        assert code_of(rounds.create_round, **create, stage_id=stage_of(made, 1).pk) == "next_stage_begun"
        round_ = rounds.create_round(**create)
        assert (round_.stage.number, round_.stage.rounds_planned, round_.number) == (2, 2, 4)
        drawing.draw_round(round_id=round_.pk, actor=made.actor, at=AT)
        assert sorted(tuple(sorted(pair)) for pair in round_.matches.values_list("home__number", "away__number")) == [
            (1, 3),
            (2, 4),
        ]
        add = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": AT, "name": "late"}
        assert code_of(entrants.add_entrant, **add) == "late_entry"

    @pytest.mark.long
    def test_a_tie_across_the_line_is_decided_first(self) -> None:
        made = chained(
            4, GROUPS | {"plan": {"groups": 1}, "chain": ["points", "extra_match"]}, with_plan(SWISS, qualify=2)
        )
        begin(made)
        play_stage(made, 1, draws=True)
        assert code_of(begin, made, 2) == "tie_across_the_line"

    @pytest.mark.long
    def test_lots_decide_the_line_where_the_chain_has_them(self) -> None:
        made = chained(4, GROUPS | {"plan": {"groups": 1}, "chain": ["points", "lots"]}, with_plan(SWISS, qualify=2))
        begin(made)
        play_stage(made, 1, draws=True)
        begin(made, 2)
        first = field(made, 2)
        begin(made, 2, reason="again")
        assert first == field(made, 2)
        assert len(first) == 2

    @pytest.mark.long
    def test_a_qualifier_that_left_is_replaced_or_leaves_a_gap(self) -> None:
        made = self.groups_then_knockout()
        play_stage(made, 1)
        withdraw_entrant(entrant_id=made.ids[1], actor=made.actor, at=AT, reason="ill")
        assert code_of(begin, made, 2) == "qualifier_left"
        assert code_of(begin, made, 2, replace_withdrawn=True) == "reason_missing"
        begin(made, 2, replace_withdrawn=True, reason="next of the group")
        assert [number for number, _ in field(made, 2)] == [4, 2, 5, 3]
        begin(made, 2, replace_withdrawn=False, reason="nobody wants")
        assert [number for number, _ in field(made, 2)] == [1, 2, 4, 3]

    @pytest.mark.long
    def test_everybody_goes_on_where_nobody_has_to_qualify(self) -> None:
        made = chained(4, GROUPS, SWISS | {"rounds_planned": 2})
        begin(made)
        play_stage(made, 1)
        withdraw_entrant(entrant_id=made.ids[4], actor=made.actor, at=AT, reason="ill")
        begin(made, 2)
        assert [number for number, _ in field(made, 2)] == [1, 2, 3]

    @pytest.mark.parametrize(
        ("pairs", "group_of", "following", "code"),
        [
            (4, 2, with_plan(SWISS, qualify=2), None),
            (5, 3, with_plan(SWISS, qualify=3), "too_many_qualify"),
            (9, 3, with_plan(KNOCKOUT, qualify=2, crossed=True), "groups_do_not_cross"),
            (12, 3, with_plan(KNOCKOUT, qualify=2, crossed=True), None),
        ],
    )
    def test_a_field_that_cannot_lead_on_is_told_before_play(
        self, pairs: int, group_of: int, following: dict[str, Any], code: str | None
    ) -> None:
        made = chained(pairs, with_plan(GROUPS, groups=None, group_of=group_of), following)
        if code is None:
            begin(made)
        else:
            assert code_of(begin, made) == code
            create = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": AT}
            assert code_of(rounds.create_round, **create) == code

    @pytest.mark.long
    def test_too_few_are_left_to_qualify(self) -> None:
        made = chained(4, GROUPS, with_plan(SWISS, qualify=2))
        begin(made)
        play_stage(made, 1)
        withdraw_entrant(entrant_id=made.ids[1], actor=made.actor, at=AT, reason="ill")
        assert code_of(begin, made, 2, replace_withdrawn=True, reason="next") == "too_few_qualify"
        begin(made, 2, replace_withdrawn=False)
        assert sorted(number for number, _ in field(made, 2)) == [1, 2, 3, 4]

    def test_stages_begin_in_order(self) -> None:
        made = chained(4, GROUPS, with_plan(SWISS, qualify=1))
        assert code_of(begin, made, 2) == "stage_before_not_begun"

    def test_an_extra_round_is_none_of_those_planned(self) -> None:
        made = chained(2, SWISS | {"rounds_planned": 1})
        play_stage(made, 1)
        create = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": AT}
        assert code_of(rounds.create_round, **create) == "all_rounds_there"
        extra = rounds.create_round(**create, extra=True)
        assert (extra.extra, Round.objects.count()) == (True, 2)
