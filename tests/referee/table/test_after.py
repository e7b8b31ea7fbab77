"""A phone whose match or round is over says what happens now: not what was due when it was last touched."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.markup import flat
from tests.referee.table.places import address, browser_of
from tests.tournaments.factories import device
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts.admission import Actor
from tournaments.models import LedgerEntry
from tournaments.rounds import closing, pairing
from tournaments.rounds.acts import start_round
from tournaments.stages.acts import add_stage, begin_stage
from tournaments.standings.runs import publish

if TYPE_CHECKING:
    from tournaments.models import Round, Sitting

pytestmark = pytest.mark.django_db


def phone(sitting: Sitting, side: str = "NS") -> Actor:
    return Actor(device=device(sitting, side))


def read(actor: Actor, act: str = "", language: str = "en") -> str:
    answer = browser_of(actor, language=language).get(address(actor, act))
    assert answer.status_code == 200
    return flat(unescape(answer.content.decode()))


def first_round(planned: int = 3) -> tuple[Event, Round, Actor]:
    made = event(4, stage={"rounds_planned": planned})
    round_ = made.running((1, 2), (3, 4))
    return made, round_, phone(sittings_of(round_)[0])


@pytest.mark.long
def test_it_follows_the_event_to_the_next_table() -> None:
    made, round_, ours = first_round()
    first, second = sittings_of(round_)
    made.hand(first, 35)
    made.end(first)
    assert "Round 1 is still going on" in read(ours)
    made.hand(second, 0)
    made.end(second)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    page = read(ours)
    assert "Round 1 is closed." in page
    assert "<b>Finished</b>" in page
    assert "Hand 2" not in page
    assert "<title>Table 1 · Finished" in page
    assert "The organiser is drawing round 2" in page
    assert f'data-live-url="/live/event/{made.tournament.slug}/"' in page
    before = read(ours, "now")
    made.paired((3, 1), (2, 4))
    assert read(ours, "now") == before
    following = made.tournament.rounds.get(number=2)
    pairing.publish_pairing(round_id=following.pk, actor=made.actor, at=made.tick())
    assert read(ours, "now") != before
    page = read(ours)
    assert "Round 2: table 1" in page
    assert "Against Pair 3. It has not begun yet." in page
    assert "East–West" in page
    start_round(round_id=following.pk, actor=made.actor, at=made.tick())
    assert "It has begun: go there and scan the card of that table." in read(ours)
    assert "Round 2: table 1" in read(ours)


@pytest.mark.long
def test_two_rounds_later_it_says_what_happens_then() -> None:
    made, round_, ours = first_round()
    made.play(round_, [35], [0])
    made.play(made.running((1, 3), (2, 4)), [35], [0])
    made.published((1, 4), (2, 3))
    page = read(ours)
    assert "Round 3: table 1" in page
    assert "Against Pair 4." in page
    assert "round 2" not in page


@pytest.mark.long
def test_at_the_end_it_says_the_place() -> None:
    made, round_, ours = first_round(planned=1)
    made.play(round_, [35], [85])
    assert "The final standings are still to be published." in read(ours)
    publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    page = read(ours)
    assert "The event is over" in page
    assert "of 4." in page
    assert f"/en/e/{made.tournament.slug}/standings/1/" in page
    assert "赛事结束了" in read(ours, language="zh")


@pytest.mark.long
def test_between_stages_it_waits_and_who_is_out_is_told() -> None:
    made, round_, winner = first_round(planned=1)
    loser = phone(sittings_of(round_)[0], "EW")
    facts = {"format": "ko_timed", "rounds_planned": 1, "plan": {"qualify": 2}}
    add_stage(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), facts=facts)
    made.play(round_, [35], [0])
    assert "Stage 1 is over" in read(winner)
    begin_stage(stage_id=made.tournament.stages.get(number=2).pk, actor=made.actor, at=made.tick())
    assert "The organiser is drawing round 2" in read(winner)
    pairing.publish_pairing(round_id=made.drawn().pk, actor=made.actor, at=made.tick())
    assert "Round 2: table 1" in read(winner)
    assert "Round 2 is paired without you" in read(loser)


@pytest.mark.long
def test_it_reads_but_writes_no_more() -> None:
    made, round_, ours = first_round()
    made.play(round_, [35], [0])
    count = LedgerEntry.objects.count()
    for act in ("enter", "call"):
        answer = browser_of(ours).post(address(ours, act), {"hand_no": "2", "kind": "hand"})
        assert answer.status_code == 404
        script = browser_of(ours).post(address(ours, act), {}, headers={"Accept": "application/json"})
        assert (script.status_code, script.json()["code"]) == (409, "round_closed")
    assert LedgerEntry.objects.count() == count
    # a phone that was signed out for another reason stays out
    other = phone(sittings_of(round_)[1])
    type(other.device).objects.filter(pk=other.device.pk).update(released_at=made.now, released_why="taken_over")
    assert browser_of(other).get(address(other)).status_code == 404
