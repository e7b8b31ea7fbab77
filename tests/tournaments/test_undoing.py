"""Undoing an act of the desk: the table of acts and their opposites, what refuses it, and what the record says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.tournaments.factories import user
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tests.tournaments.test_radar import odd
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.events import officials, setup
from tournaments.hall import acts as hall
from tournaments.hall.reads import plan_of
from tournaments.ledger.codes import entrant_code_text
from tournaments.ledger.officials_entries import end_sitting, forfeit
from tournaments.log import checking
from tournaments.models import (
    Entrant,
    HistoryEntry,
    Invitation,
    KeptApart,
    Match,
    Office,
    Official,
    Player,
    Round,
    Ruling,
    Sitting,
    Stage,
    Tournament,
    User,
)
from tournaments.people import attendance, entrants, withdrawals
from tournaments.projector import acts as projector
from tournaments.projector.reads import projector_of
from tournaments.radar.acts import put_aside
from tournaments.radar.reads import questions_of
from tournaments.rounds import acts as rounds
from tournaments.rounds import closing
from tournaments.rulings import given_penalties, log
from tournaments.stages import acts as stages
from tournaments.stages.apart import keep_apart, kept_in, let_meet
from tournaments.undoing.acts import OPPOSITES, offered, undo
from tournaments.undoing.not_undone import NOT_UNDONE, SINCE

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SECONDS = timedelta(seconds=1)
Look = Callable[[], object]
Case = tuple[Callable[[], object], Look]


def by(made: Any) -> dict[str, Any]:
    return {"actor": made.actor, "at": made.tick()}


def last(made: Event, act: str) -> HistoryEntry:
    return HistoryEntry.objects.filter(tournament=made.tournament, act=act).latest("pk")


def undone(made: Event, row: HistoryEntry, after: timedelta = 10 * SECONDS, actor: Actor | None = None) -> HistoryEntry:
    at = row.at + after
    made.now = max(made.now, at)
    return undo(tournament_id=made.tournament.pk, entry_id=row.pk, actor=actor or made.actor, at=at)


def values(model: Any, *names: str, **where: object) -> list[Any]:
    return list(model.objects.filter(**where).order_by("pk").values_list(*names))


def seat(made: Event, number: int = 1) -> dict[str, int]:
    return {"entrant_id": made.ids[number]}


# What each case does, and what has to be as it was


def checked_in(made: Event) -> Case:
    there = lambda: [one.undone_at for one in Entrant.objects.get(pk=made.ids[1]).check_ins.filter(undone_at=None)]  # noqa: E731
    return lambda: attendance.check_in(**seat(made), **by(made)), there


def checked_out(made: Event) -> Case:
    attendance.check_in(**seat(made), **by(made))
    there = lambda: Entrant.objects.get(pk=made.ids[1]).check_ins.filter(undone_at=None).count()  # noqa: E731
    return lambda: attendance.undo_check_in(**seat(made), **by(made)), there


def people(made: Event) -> Look:
    names = ("pk", "number", "name", "name_latin", "unit", "category", "seed", "withdrawn_at", "players__name")
    return lambda: sorted(values(Entrant, *names, tournament=made.tournament), key=str)


def renamed(made: Event) -> Case:
    changes = {"name": "Other", "number": 77, "unit": "City", "seed": 3}
    return lambda: entrants.change_entrant(**seat(made), **by(made), changes=changes), people(made)


def other_players(made: Event) -> Case:
    changes = {"name": "Three", "players": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}]}
    return lambda: entrants.change_entrant(**seat(made), **by(made), changes=changes), people(made)


def one_player_less(made: Event) -> Case:
    return lambda: entrants.change_entrant(**seat(made), **by(made), changes={"players": [{"name": "Lee 1"}]}), (
        lambda: [row[-1] for row in people(made)()]  # type: ignore[attr-defined]
    )


def entered(made: Event) -> Case:
    facts = {"name": "Slip", "players": [{"name": "Ann"}, {"name": "Bob"}]}
    return lambda: entrants.add_entrant(tournament_id=made.tournament.pk, **by(made), **facts), people(made)


def substituted(made: Event) -> Case:
    made.play(made.running((1, 2), (3, 4)), [35], [85])
    players = {"players": [{"name": "Ann"}, {"name": "Bob"}]}
    return lambda: entrants.change_entrant(**seat(made), **by(made), changes=players, reason="ill"), people(made)


def withdrew(made: Event) -> Case:
    return lambda: withdrawals.withdraw_entrant(**seat(made), **by(made), reason="left"), people(made)


def forfeited_too(made: Event) -> Case:
    """In a running round its match is forfeited."""
    made.running((1, 2), (3, 4))
    look = people(made)
    matches = ("outcome", "home_hundredths", "away_hundredths")
    return lambda: withdrawals.withdraw_entrant(**seat(made), **by(made), reason="left"), (
        lambda: (look(), values(Match, *matches), values(Sitting, "phase", "active"))
    )


def let_in(made: Event) -> Case:
    withdrawals.withdraw_entrant(**seat(made), **by(made), reason="left")
    row = last(made, "withdraw")
    made.now = row.at
    return lambda: undone(made, row), lambda: Entrant.objects.get(pk=made.ids[1]).withdrawn_at is not None


def apart(made: Event) -> dict[str, Any]:
    pair = {"one": made.ids[1], "other": made.ids[2], "force": "must", "reason": "siblings"}
    return {"tournament_id": made.tournament.pk, **pair}


def wishes(made: Event) -> Look:
    return lambda: [(one.one_id, one.other_id, one.force, one.reason) for one in kept_in(made.tournament)]


def kept(made: Event) -> Case:
    return lambda: keep_apart(**apart(made), **by(made)), wishes(made)


def met(made: Event) -> Case:
    row = keep_apart(**apart(made), **by(made))
    return lambda: let_meet(kept_id=row.pk, **by(made), reason="settled"), wishes(made)


def offices(made: Event) -> Look:
    def look() -> object:
        held = values(Official, "user", "office", "tables__number", tournament=made.tournament, revoked_at=None)
        asked = values(Invitation, "user", "office", "tables__number", tournament=made.tournament, ended_at=None)
        return held, asked

    return look


def appointed(made: Event) -> Case:
    return lambda: officials.appoint(
        tournament_id=made.tournament.pk, **by(made), username="newcomer", office="referee"
    ), offices(made)


def invited(made: Event) -> Case:
    person = user("own")
    person.set_password("x" * 20)
    person.save()
    return lambda: officials.appoint(
        tournament_id=made.tournament.pk, **by(made), username=person.username, office="referee"
    ), offices(made)


def uninvited(made: Event) -> Case:
    ask, look = invited(made)
    row: Any = ask()
    return lambda: officials.withdraw(invitation_id=row.pk, **by(made)), look


def dismissed(made: Event) -> Case:
    made.running((1, 2), (3, 4))
    held = officials.appoint(
        tournament_id=made.tournament.pk, **by(made), username="newcomer", office="referee", tables=[2]
    )
    User.objects.get(username="newcomer").set_password("x" * 20)
    return lambda: officials.revoke(official_id=held.pk, **by(made)), offices(made)


def clock(made: Event) -> Look:
    return lambda: [(end, stopped is None) for end, stopped in values(Round, "ends_at", "stopped_at")]


def extended(made: Event) -> Case:
    round_ = made.running((1, 2), (3, 4))
    return lambda: rounds.extend_round(round_id=round_.pk, **by(made), minutes=7), clock(made)


def shortened(made: Event) -> Case:
    round_ = made.running((1, 2), (3, 4))
    return lambda: rounds.extend_round(round_id=round_.pk, **by(made), minutes=-7), clock(made)


def stopped(made: Event) -> Case:
    """What it stood is given to the tables."""
    round_ = made.running((1, 2), (3, 4))
    ends_at = round_.ends_at
    assert ends_at is not None

    def look() -> object:
        now = Round.objects.get()
        assert now.ends_at is not None
        return now.stopped_at, timedelta(0) <= now.ends_at - ends_at <= 60 * SECONDS

    return lambda: rounds.stop_clock(round_id=round_.pk, **by(made), reason="alarm"), look


def went_on(made: Event) -> Case:
    round_ = made.running((1, 2), (3, 4))
    rounds.stop_clock(round_id=round_.pk, **by(made), reason="alarm")
    return lambda: rounds.go_on(round_id=round_.pk, **by(made)), lambda: Round.objects.get().stopped_at is None


def more_time(made: Event) -> Case:
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    return lambda: rounds.add_time(sitting_id=sitting.pk, **by(made), minutes=5, reason="ruling"), (
        lambda: values(Sitting, "extra_minutes")
    )


def scored(made: Event) -> Case:
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    return lambda: rounds.set_scored_by(sitting_id=sitting.pk, **by(made), scored_by="referee"), (
        lambda: values(Sitting, "scored_by")
    )


def swapped(made: Event) -> Case:
    round_ = made.running((1, 2), (3, 4))
    both = [one.pk for one in sittings_of(round_)]
    return lambda: rounds.swap_tables(round_id=round_.pk, **by(made), sitting_ids=both), (
        lambda: values(Sitting, "pk", "table__number", "active")
    )


def moved(made: Event) -> Case:
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    return lambda: rounds.move_sitting(sitting_id=sitting.pk, **by(made), table=30), (
        lambda: values(Sitting, "pk", "table__number")
    )


def ready_to_close(made: Event) -> Round:
    round_ = made.running((1, 2), (3, 4))
    for sitting in sittings_of(round_):
        made.hand(sitting, 35)
        made.end(sitting)
    return round_


def closed(made: Event) -> Case:
    round_ = ready_to_close(made)
    return lambda: closing.close_round(round_id=round_.pk, **by(made)), lambda: values(Round, "status", "ends_at")


def reopened(made: Event) -> Case:
    round_ = ready_to_close(made)
    row = closing.close_round(round_id=round_.pk, **by(made))
    assert row.closed_at is not None
    soon = row.closed_at + SECONDS
    return lambda: closing.reopen_round(round_id=round_.pk, actor=made.actor, at=soon), (
        lambda: values(Round, "status")
    )


def matches() -> object:
    return values(Match, "outcome", "home_hundredths"), values(Sitting, "phase", "hand_no")


def ended(made: Event) -> Case:
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    made.hand(sitting, 35)
    sitting.refresh_from_db()
    seen = {"expected_revision": sitting.revision, "reason": "time"}
    return lambda: end_sitting(sitting_id=sitting.pk, **by(made), **seen), matches


def given_up(made: Event) -> Case:
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    return lambda: forfeit(match_id=sitting.match_id, **by(made), outcome="home_forfeit", reason="absent"), matches


def both_absent(made: Event) -> Case:
    sitting = sittings_of(made.published((1, 2), (3, 4)))[0]
    return lambda: forfeit(match_id=sitting.match_id, **by(made), outcome="double_forfeit", reason="absent"), matches


def levels() -> object:
    return [row.state["levels"] for row in Sitting.objects.order_by("pk")], Ruling.objects.exclude(
        status="cancelled"
    ).count()


def penalised(made: Event) -> Case:
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    made.hand(sitting, 35)
    sitting.refresh_from_db()
    clause = next(iter(sitting.round.tournament.profile.clauses))
    given = {"side": "NS", "levels": -1, "reason": "late", "clause": clause, "expected_revision": sitting.revision}
    return lambda: given_penalties.penalise_level(sitting_id=sitting.pk, **by(made), **given), levels


def proposed(made: Event) -> Case:
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    facts = {"irregularity": "late", "minutes": 6}
    return lambda: log.propose(sitting_id=sitting.pk, **by(made), facts=facts, side="NS"), levels


def placed(made: Event) -> Case:
    made.running((1, 2), (3, 4))
    hall.arrange_in_rows(tournament_id=made.tournament.pk, **by(made), width=2)
    there, others = {1: (2, 1)}, [("door", 4, 1)]
    return lambda: hall.arrange(tournament_id=made.tournament.pk, **by(made), places=there, fixtures=others), (
        lambda: (dict(plan_of(made.tournament).places), plan_of(made.tournament).fixtures)
    )


def placed_first(made: Event) -> Case:
    made.running((1, 2), (3, 4))
    return lambda: hall.arrange_in_rows(tournament_id=made.tournament.pk, **by(made), width=1), (
        lambda: dict(plan_of(made.tournament).places)
    )


def screen(made: Event) -> Look:
    def look() -> object:
        row = projector_of(made.tournament)
        return list(row.boards), row.held, row.paused, row.draw_id

    return look


def chose(made: Event) -> Case:
    return lambda: projector.choose(tournament_id=made.tournament.pk, **by(made), boards=["map", "hands"]), screen(made)


def held(made: Event) -> Case:
    projector.pause(tournament_id=made.tournament.pk, **by(made), paused=True)
    return lambda: projector.show(tournament_id=made.tournament.pk, **by(made), board="map"), screen(made)


def paused(made: Event) -> Case:
    projector.choose(tournament_id=made.tournament.pk, **by(made), boards=["map"])
    return lambda: projector.pause(tournament_id=made.tournament.pk, **by(made), paused=True), screen(made)


def ceremony(made: Event) -> Case:
    made.drawn()
    return lambda: projector.begin_ceremony(tournament_id=made.tournament.pk, **by(made)), screen(made)


def weighed(_: Event) -> Any:
    made, _round = odd()
    (one,) = questions_of(made.tournament)
    asked = {"tournament_id": made.tournament.pk, "flag": one.flag.key, "note": "counted"}
    look = lambda: [one.aside for one in questions_of(made.tournament)]  # noqa: E731
    return made, (lambda: put_aside(**asked, **by(made)), look)


def facts(made: Event) -> Look:
    names = ("name", "place", "starts_on", "appeal_minutes", "live_public", "penalties")
    stage = ("number", "name", "format", "minutes", "rounds_planned", "chain", "plan")
    return lambda: (values(Tournament, *names, pk=made.tournament.pk), values(Stage, *stage))


def set_event(made: Event) -> Case:
    changes = {"name": "Other", "place": "Hall", "starts_on": "2026-05-02", "appeal_minutes": 5, "live_public": False}
    return lambda: setup.update_tournament(tournament_id=made.tournament.pk, **by(made), changes=changes), facts(made)


def set_stage(made: Event) -> Case:
    stage = made.tournament.stages.get()
    changes = {"minutes": 33, "rounds_planned": 6}
    return lambda: stages.change_stage(stage_id=stage.pk, **by(made), changes=changes), facts(made)


FINAL = {"format": "rr", "rounds_planned": 3, "name": "Final"}


def added_stage(made: Event) -> Case:
    return lambda: stages.add_stage(tournament_id=made.tournament.pk, **by(made), facts=FINAL), facts(made)


def removed_stage(made: Event) -> Case:
    stage = stages.add_stage(tournament_id=made.tournament.pk, **by(made), facts=FINAL)
    return lambda: stages.remove_stage(stage_id=stage.pk, **by(made)), facts(made)


CASES: list[tuple[Act, Callable[[Event], Any]]] = [
    (Act.CHECK_IN, checked_in),
    (Act.CHECK_IN, checked_out),
    (Act.EDIT_ENTRANTS, renamed),
    (Act.EDIT_ENTRANTS, other_players),
    (Act.EDIT_ENTRANTS, one_player_less),
    (Act.EDIT_ENTRANTS, entered),
    (Act.SUBSTITUTE, substituted),
    (Act.WITHDRAW, withdrew),
    (Act.WITHDRAW, forfeited_too),
    (Act.READMIT, let_in),
    (Act.KEEP_APART, kept),
    (Act.LET_MEET, met),
    (Act.MANAGE_OFFICIALS, appointed),
    (Act.MANAGE_OFFICIALS, invited),
    (Act.MANAGE_OFFICIALS, uninvited),
    (Act.MANAGE_OFFICIALS, dismissed),
    (Act.SET_CLOCK, extended),
    (Act.SET_CLOCK, shortened),
    (Act.SET_CLOCK, stopped),
    (Act.SET_CLOCK, went_on),
    (Act.EXTRA_TIME, more_time),
    (Act.SET_SCORED_BY, scored),
    (Act.SWAP_TABLES, swapped),
    (Act.SWAP_TABLES, moved),
    (Act.CLOSE_ROUND, closed),
    (Act.REOPEN_ROUND, reopened),
    (Act.END_SITTING, ended),
    (Act.FORFEIT, given_up),
    (Act.FORFEIT, both_absent),
    (Act.DECIDE_RULING, penalised),
    (Act.PROPOSE_RULING, proposed),
    (Act.ARRANGE_HALL, placed),
    (Act.ARRANGE_HALL, placed_first),
    (Act.STEER_SCREEN, chose),
    (Act.STEER_SCREEN, held),
    (Act.STEER_SCREEN, paused),
    (Act.STEER_SCREEN, ceremony),
    (Act.PUT_ASIDE, weighed),
    (Act.SET_UP, set_event),
    (Act.SET_UP, set_stage),
    (Act.SET_UP, added_stage),
    (Act.SET_UP, removed_stage),
]


def done(case: Callable[[Event], Any]) -> tuple[Event, Callable[[], object], Look]:
    made = event(4)
    prepared = case(made)
    if isinstance(prepared[0], Event):
        made, prepared = prepared
    do, look = prepared
    return made, do, look


def test_every_act_is_undone_or_says_why_not() -> None:
    assert not set(OPPOSITES) & set(NOT_UNDONE)
    assert set(OPPOSITES) | set(NOT_UNDONE) == set(Act)
    assert {act for act, _case in CASES} == set(OPPOSITES), "every opposite is tried"
    named = {act for act, one in OPPOSITES.items() for act in (act, *one.changed, *one.built)}
    assert named == set(SINCE), "what stands in the way has a name"


def test_its_sentences_are_whole_in_both_languages() -> None:
    for one in NOT_UNDONE.values():
        assert set(one) == {"en", "zh"}
        assert one["en"].endswith(".")
        assert one["zh"].endswith("。")
        assert one["en"].isascii()
        assert not one["zh"].isascii()
    for one in SINCE.values():
        assert set(one) == {"en", "zh"}
        assert one["en"][0].islower()
        assert one["en"][-1].isalpha()
        assert not set("。，") & {one["zh"][-1]}


@pytest.mark.long
@pytest.mark.parametrize(("act", "case"), CASES, ids=[case.__name__ for _act, case in CASES])
def test_its_opposite_sets_right_what_it_did(act: Act, case: Callable[[Event], Any]) -> None:
    made, do, look = done(case)
    before, rows = look(), HistoryEntry.objects.filter(tournament=made.tournament)
    do()
    assert look() != before, "the act did something"
    row = last(made, act)
    assert offered([row], made.actor, made.tournament, row.at) == [row]
    there = rows.count()
    answer = undone(made, row)
    assert look() == before
    assert rows.count() >= there + 2, "the history has both, and that one undid the other"
    assert (answer.act, answer.subject, answer.new) == ("undo", f"history:{row.pk}", {"undone": act.value})
    assert audit(event_document(made.tournament)) == []
    assert checking.check(made.tournament) == []
    with pytest.raises(Refusal, match="undone_already"):
        undone(made, row, 11 * SECONDS)


# What refuses it


def refused(code: str) -> Any:
    return pytest.raises(Refusal, match=code)


def test_the_minute_is_the_servers() -> None:
    made, do, look = done(renamed)
    before = look()
    do()
    row = last(made, "edit_entrants")
    after = look()
    with refused("too_late_to_undo"):
        undone(made, row, 60 * SECONDS + timedelta(microseconds=1))
    assert offered([row], made.actor, made.tournament, row.at + 61 * SECONDS) == []
    assert look() == after
    undone(made, row, 60 * SECONDS)
    assert look() == before


def test_what_is_not_undone_says_what_to_do_instead() -> None:
    made = event(4)
    made.published((1, 2), (3, 4))
    for act in ("publish_pairing", "pair", "create_round", "create_tournament"):
        row = last(made, act)
        assert offered([row], made.actor, made.tournament, row.at) == []
        with refused("not_undone") as caught:
            undone(made, row)
        assert caught.value.message == NOT_UNDONE[Act(act)]


def build(made: Event) -> None:
    made.paired((1, 2), (3, 4))


def also_renamed(made: Event) -> None:
    entrants.change_entrant(**seat(made), **by(made), changes={"category": "A"})


@pytest.mark.parametrize(
    ("case", "then", "code", "said"),
    [
        (kept, build, "built_on_act", "a stage was begun"),
        (met, build, "built_on_act", "a stage was begun"),
        (renamed, build, "built_on_act", "a stage was begun"),
        (withdrew, lambda made: made.paired((2, 3), (4, None)), "built_on_act", "a stage was begun"),
        (renamed, also_renamed, "changed_since", "the entrant was changed again"),
        (
            kept,
            lambda made: let_meet(kept_id=KeptApart.objects.get().pk, **by(made), reason="settled"),
            "changed_since",
            "it was taken back",
        ),
        (
            extended,
            lambda made: rounds.extend_round(round_id=Round.objects.get().pk, **by(made), minutes=2),
            "changed_since",
            "the clock was changed again",
        ),
        (
            ended,
            lambda made: (made.hand(sittings_of(Round.objects.get())[1], 35), end_other(made), close_it(made)),
            "built_on_act",
            "the round was closed",
        ),
    ],
    ids=["kept", "met", "renamed", "withdrew", "changed", "taken back", "clock", "closed"],
)
def test_what_was_built_on_it_or_changed_since_is_named(
    case: Callable[[Event], Any], then: Callable[[Event], object], code: str, said: str
) -> None:
    made, do, look = done(case)
    do()
    row = last(made, next(act for act, one in CASES if one is case))
    then(made)
    after = look()
    with refused(code) as caught:
        undo(tournament_id=made.tournament.pk, entry_id=row.pk, actor=made.actor, at=row.at + SECONDS)
    assert said in caught.value.message["en"]
    assert "不能再撤销" in caught.value.message["zh"]
    assert HistoryEntry.objects.filter(pk=caught.value.params["history"], act=caught.value.params["act"]).exists()
    assert look() == after
    assert not HistoryEntry.objects.filter(act="undo").exists()


def end_other(made: Event) -> None:
    made.end(sittings_of(Round.objects.get())[1])


def close_it(made: Event) -> None:
    closing.close_round(round_id=Round.objects.get().pk, **by(made))


def test_an_entrant_that_is_known_elsewhere_is_not_taken_out() -> None:
    made, do, _look = done(entered)
    do()
    row = last(made, "edit_entrants")
    new = Entrant.objects.latest("pk")
    attendance.check_in(entrant_id=new.pk, actor=made.actor, at=row.at)
    with refused("entrant_in_use"):
        undone(made, row)
    assert Entrant.objects.filter(pk=new.pk).exists()


def test_nothing_of_an_entrant_taken_out_is_left_to_read() -> None:
    made, do, _look = done(entered)
    do()
    new = Entrant.objects.latest("pk")
    people_of_it = list(new.players.values_list("pk", flat=True))
    undone(made, last(made, "edit_entrants"))
    assert not Entrant.history.filter(id=new.pk).exists()
    assert not Player.history.filter(id__in=people_of_it).exists()


def test_who_did_it_or_has_the_same_office_undoes_it_and_nobody_else() -> None:
    made = event(4)
    organiser, other = colleague(made, Office.ORGANISER), colleague(made, Office.ORGANISER)
    chief = colleague(made, Office.CHIEF_REFEREE)
    keep_apart(**apart(made), actor=organiser, at=made.tick())
    row = last(made, "keep_apart")
    made.tournament.refresh_from_db()
    assert offered([row], chief, made.tournament, row.at) == []
    for actor in (chief, Actor(), Actor(user=user())):
        with pytest.raises(Forbidden):
            undone(made, row, actor=actor)
    undone(made, row, actor=other)
    assert wishes(made)() == []
    assert last(made, "undo").user == other.user


def test_a_referee_does_not_reopen_what_he_ended() -> None:
    """The opposite has its own right: the chief referee reopens a match."""
    made, _do, look = done(ended)
    referee = colleague(made, Office.REFEREE)
    sitting = sittings_of(Round.objects.get())[0]
    end_sitting(sitting_id=sitting.pk, actor=referee, at=made.tick(), expected_revision=sitting.revision, reason="time")
    after, row = look(), last(made, "end_sitting")
    made.tournament.refresh_from_db()
    assert offered([row], referee, made.tournament, row.at) == []
    with pytest.raises(Forbidden):
        undone(made, row, actor=referee)
    assert look() == after


def test_a_line_of_another_event_is_not_there() -> None:
    made, do, _look = done(kept)
    do()
    other = event(2, name="Other")
    with pytest.raises(NotFound):
        undo(tournament_id=other.tournament.pk, entry_id=last(made, "keep_apart").pk, **by(other))


def test_what_a_phone_did_is_not_undone_at_the_desk() -> None:
    made = event(4)
    attendance.issue_entrant_codes(tournament_id=made.tournament.pk, **by(made))
    code = Entrant.objects.get(pk=made.ids[1]).codes.get()
    attendance.check_in_by_code(code_text=entrant_code_text(code), at=made.tick())
    row = last(made, "check_in")
    assert offered([row], made.actor, made.tournament, row.at) == []
    with refused("not_undone"):
        undone(made, row)


def test_the_opposite_is_refused_by_its_own_room_and_nothing_is_left() -> None:
    """The undo and its opposite are written together or not at all."""
    made = event(4)
    checked = HistoryEntry.objects.filter(tournament=made.tournament)
    keep = keep_apart(tournament_id=made.tournament.pk, **by(made), one=made.ids[2], other=made.ids[3], **SAME)
    let_meet(kept_id=keep.pk, **by(made), reason="settled")
    row = last(made, "let_meet")
    withdrawals.withdraw_entrant(**seat(made, 2), actor=made.actor, at=row.at, reason="left")
    count = checked.count()
    with refused("entrant_withdrawn"):
        undone(made, row)
    assert checked.count() == count


SAME: dict[str, Any] = {"force": "rather", "reason": "siblings"}
