"""What is due, through the whole life of an event: before it, in a round, between rounds, after the last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.referee.public.events import publish, waiting_hand
from tests.tournaments import playing
from tests.tournaments.factories import device, sheet
from tournaments.acts.admission import Actor
from tournaments.ledger import scorekeeping
from tournaments.ledger.calls import call_referee
from tournaments.ledger.devices import issue_codes
from tournaments.models import Office, Official, PartyCode
from tournaments.people import attendance
from tournaments.rounds import closing
from tournaments.rounds.acts import start_round
from tournaments.rounds.due import Due, WhatIsDue, what_is_due
from tournaments.rounds.life import Reached, Step, life_of
from tournaments.stages.acts import add_stage, begin_stage

if TYPE_CHECKING:
    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db


def due(made: Event) -> WhatIsDue:
    """Both languages are whole, and the Chinese has no Latin word."""
    found = what_is_due(made.tournament)
    for text in (found.title, found.why, found.after):
        if text is not None:
            assert text["en"]
            assert not re.search("[A-Za-z]{2}", text["zh"])
    return found


def reached(made: Event) -> dict[Step, Reached]:
    """The row of steps; each has its word in both languages."""
    due = what_is_due(made.tournament)
    found = life_of(made.tournament, due.step, due.undone)
    assert all(one.words["en"] and one.words["zh"] for one in found)
    return {one.step: one.reached for one in found}


def test_before_the_first_round() -> None:
    made = playing.event(4)
    assert (due(made).due, due(made).round, due(made).blocked) == (Due.FIRST_ROUND, 1, False)
    for number in (2, 3, 4):
        made.tournament.entrants.filter(number=number).update(withdrawn_at=made.tick())
    found = due(made)
    assert (found.due, found.blocked) == (Due.ENTRANTS, True)
    assert found.why == {"en": "1 entered; a round needs two.", "zh": "已有 1 方，至少要两方。"}


def test_who_has_not_come_is_named_once_somebody_has() -> None:
    made = playing.event(8)
    made.tournament.entrants.filter(number=3).update(name="何川 / 宋雨", name_latin="He Chuan / Song Yu")
    assert due(made).due is Due.FIRST_ROUND
    for number in (1, 2, 4, 5, 6, 7):
        attendance.check_in(entrant_id=made.ids[number], actor=made.actor, at=made.tick())
    made.tournament.entrants.filter(number=8).update(withdrawn_at=made.tick())
    found = due(made)
    assert (found.due, found.blocked) == (Due.CHECK_IN, True)
    assert found.title == {"en": "6 have come, 1 is missing", "zh": "到了 6 方，还差 1 方"}
    assert found.why == {"en": "Not here yet: He Chuan / Song Yu.", "zh": "还没签到：何川 / 宋雨。"}
    attendance.check_in(entrant_id=made.ids[3], actor=made.actor, at=made.tick())
    assert due(made).due is Due.FIRST_ROUND
    assert reached(made)[Step.CHECK_IN] is Reached.DONE


def test_cards_and_a_judge_come_before_the_start() -> None:
    made = playing.event(4, stage={"rounds_planned": 2})
    round_ = made.published((1, 2), (3, 4))
    found = due(made)
    assert (found.due, found.blocked) == (Due.PRINT, False)
    assert found.why is not None
    assert found.why["zh"] == "2 桌都还没有桌卡：手机扫桌卡入座。"
    issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    assert (due(made).due, due(made).round) == (Due.START, 1)
    Official.objects.filter(tournament=made.tournament).exclude(office=Office.ORGANISER).delete()
    made.tournament.single_official = False
    made.tournament.save()
    assert (due(made).due, due(made).blocked) == (Due.CHIEF, True)
    playing.colleague(made, Office.REFEREE)
    assert due(made).due is Due.START
    PartyCode.objects.filter(table__tournament=made.tournament).delete()
    start_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    assert due(made).due is Due.PLAY


def test_a_pairing_that_is_drawn_is_to_be_published() -> None:
    made = playing.event(4)
    made.drawn()
    assert due(made).due is Due.PAIR
    assert due(made).drawn
    assert due(made).title == {"en": "Publish the pairing of round 1", "zh": "公布第 1 轮编排"}
    assert due(made).after == {"en": "Then start round 1.", "zh": "然后开始第 1 轮。"}


def test_the_life_of_an_event_is_one_row() -> None:
    """What the event does without is not in it: no roll call here, one stage only."""
    made = playing.event(4, stage={"rounds_planned": 1})
    assert list(reached(made)) == [one for one in Step if one not in (Step.CHECK_IN, Step.STAGE)]
    assert [one for one, is_ in reached(made).items() if is_ is Reached.NOW] == [Step.PAIR]
    assert [one for one, is_ in reached(made).items() if is_ is Reached.DONE] == [Step.SET_UP, Step.ENTRANTS]
    facts = {"format": "ko_timed", "rounds_planned": 1, "plan": {"qualify": 2}}
    add_stage(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), facts=facts)
    assert reached(made)[Step.STAGE] is Reached.TO_COME
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [0])
    assert due(made).due is Due.BEGIN_STAGE
    assert due(made).why == {"en": "2 entrants play on.", "zh": "2 方出线。"}
    assert reached(made)[Step.STAGE] is Reached.NOW
    assert reached(made)[Step.PUBLISH] is Reached.TO_COME, "nothing is published"
    begin_stage(stage_id=made.tournament.stages.get(number=2).pk, actor=made.actor, at=made.tick())
    assert (reached(made)[Step.PAIR], reached(made)[Step.STAGE]) == (Reached.NOW, Reached.DONE)


def test_a_tie_across_the_line_names_who_is_tied() -> None:
    made = playing.event(4, stage={"rounds_planned": 1, "chain": ["points", "extra_match"]})
    for number in (2, 4):
        made.tournament.entrants.filter(number=number).update(name=f"第{number}对", name_latin=f"Pair {number}")
    made.tournament.entrants.filter(number=1).update(name="高峰 / 罗兰", name_latin="Gao Feng / Luo Lan")
    made.tournament.entrants.filter(number=3).update(name="何川 / 宋雨", name_latin="He Chuan / Song Yu")
    facts = {"format": "ko_timed", "rounds_planned": 1, "plan": {"qualify": 1}}
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    found = due(made)
    assert (found.due, found.blocked) == (Due.EXTRA_MATCH, True)
    assert found.why is not None
    assert found.why["zh"].startswith("高峰 / 罗兰、何川 / 宋雨：第 1、2 名至此各项全同")
    add_stage(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), facts=facts)
    found = due(made)
    assert (found.due, found.blocked, found.refused) == (Due.BEGIN_STAGE, True, "tie_across_the_line")
    assert found.title == {
        "en": "Top 1: 1 place is open, places 1 and 2 are tied",
        "zh": "前 1 名还差 1 个：第 1、2 名并列",
    }
    assert found.why is not None
    assert found.why["zh"].startswith("高峰 / 罗兰、何川 / 宋雨。")
    assert found.why["en"].startswith("Gao Feng / Luo Lan, He Chuan / Song Yu. ")


def test_while_a_round_is_played() -> None:
    made = playing.event(4, stage={"rounds_planned": 2})
    running = made.running((1, 2), (3, 4))
    first, second = playing.sittings_of(running)
    assert due(made).why == {"en": "Tables: 2 play.", "zh": "2 桌在打。"}
    waiting_hand(made, first)
    found = due(made)
    assert (found.due, found.blocked) == (Due.PLAY, False)
    assert found.why == {"en": "Tables: 1 plays, 1 waits for an answer.", "zh": "1 桌在打，1 桌等确认。"}
    first.refresh_from_db()
    scorekeeping.record_hand(
        sitting_id=first.pk,
        actor=Actor(device=device(first, "EW")),
        at=made.tick(),
        facts=sheet(40) | {"dealer": "N"},
        hand_no=first.hand_no,
    )
    found = due(made)
    assert (found.due, found.round, found.table, found.blocked) == (Due.DISPUTE, 1, 1, True)
    assert found.title == {"en": "Table 1 has a dispute", "zh": "1 桌有争议"}
    # as the board counts them: what has a dispute is not counted as a call, though that was called for too
    assert found.why == {"en": "Tables: 1 plays, 1 is in dispute.", "zh": "1 桌在打，1 桌有争议。"}
    call_referee(sitting_id=second.pk, actor=Actor(device=device(second, "NS")), at=made.tick())
    said = due(made).why
    assert said == {"en": "Tables: 1 calls a referee, 1 is in dispute.", "zh": "1 桌叫裁判，1 桌有争议。"}


def test_from_the_last_result_to_the_end() -> None:
    made = playing.event(4, stage={"rounds_planned": 2})
    running = made.running((1, 2), (3, 4))
    for sitting in playing.sittings_of(running):
        made.hand(sitting, 35)
        made.end(sitting)
    assert (due(made).due, due(made).round) == (Due.CLOSE, 1)
    closing.close_round(round_id=running.pk, actor=made.actor, at=made.tick())
    found = due(made)
    assert (found.due, found.round) == (Due.MAKE_ROUND, 2)
    assert found.why == {"en": "The last standings are not published.", "zh": "上一轮的名次还没公布。"}
    publish(made, running)
    assert due(made).why is None
    last = made.running((1, 3), (2, 4))
    made.play(last, [35], [60])
    assert due(made).due is Due.PUBLISH
    newest = publish(made, last)
    assert (due(made).due, due(made).publication) == (Due.OVER, newest.number)
