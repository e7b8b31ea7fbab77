"""What the board offers between two rounds: the one thing that comes next, and for a minute the way back."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.models import Match, Office, Official, Round, Sitting, Tournament
from tournaments.rounds import closing
from tournaments.rounds.next_step import Kind, next_step
from tournaments.stages.acts import add_stage, begin_stage
from tournaments.standings.runs import publish
from tournaments.standings.waiting import publish_later, stop

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

CHAIN = ["points", "extra_match"]


def page(client: Client, made: Event, where: str = "") -> str:
    answer = client.get(f"/desk/{made.tournament.slug}/{where}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def title(shown: str) -> str:
    """What is due, as the page says it at large."""
    found = re.search(r'<h2 id="next-title">.*?</span>(.*?)</h2>', shown, re.DOTALL)
    assert found is not None
    return found[1].strip()


def one_round(pairs: int = 4, **stage: object) -> tuple[Event, Round]:
    """An event of one planned round that was closed long ago."""
    made = event(pairs, stage={"rounds_planned": 1, **stage})
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [0])
    return made, round_


def second_stage(made: Event, qualify: int) -> None:
    facts = {"format": "ko_timed", "rounds_planned": 1, "plan": {"qualify": qualify}}
    add_stage(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), facts=facts)


@pytest.mark.long
def test_between_rounds_it_is_the_next_round() -> None:
    made = event(4, stage={"rounds_planned": 2})
    client = signed_in(made.actor)
    first = made.running((1, 2), (3, 4))
    assert next_step(made.tournament) is None
    assert "Round 1 is being played" in page(client, made)
    made.play(first, [35], [0])
    for where in ("", "live/", "rounds/"):
        shown = page(client, made, where)
        assert title(shown) == "Pair round 2", where
        assert f'formaction="/desk/{made.tournament.slug}/rounds/new/"' in shown, where
        assert "Pair round 2" in shown, where
    assert f'href="/desk/{made.tournament.slug}/standings/publish/?stage=1"' in shown
    publish(stage_id=first.stage_id, round_id=first.pk, actor=made.actor, at=made.tick())
    assert "standings/publish" not in page(client, made)
    made.paired((1, 3), (2, 4))
    for where in ("", "rounds/"):
        shown = page(client, made, where)
        assert title(shown) == "Publish the pairing of round 2", where
        assert "See it and publish it" in shown, where
        assert shown.count(f'href="/desk/{made.tournament.slug}/rounds/2/pair/"') == 1, where


@pytest.mark.long
def test_no_table_is_to_be_published_before_a_round_was_played() -> None:
    made = event(4, stage={"rounds_planned": 2})
    made.paired((1, 2), (3, 4))
    shown = page(signed_in(made.actor), made)
    assert title(shown) == "Publish the pairing of round 1"
    assert shown.count("/rounds/1/pair/") == 1
    assert "standings/publish" not in shown


@pytest.mark.long
def test_at_the_end_of_a_stage_it_is_the_next_stage_where_it_is_begun() -> None:
    made, _round = one_round()
    second_stage(made, 2)
    client = signed_in(made.actor)
    for where in ("", "rounds/"):
        shown = page(client, made, where)
        assert title(shown) == "Begin stage 2"
        assert "2 entrants play on." in shown
        assert f'href="/desk/{made.tournament.slug}/stages/2/begin/"' in shown
        assert "To the set-up" not in shown
    begin_stage(stage_id=made.tournament.stages.get(number=2).pk, actor=made.actor, at=made.tick())
    assert title(page(client, made)) == "Pair round 2"


@pytest.mark.long
def test_a_tie_across_the_line_is_decided_first() -> None:
    made, _round = one_round(chain=CHAIN)
    second_stage(made, 1)
    client = signed_in(made.actor)
    for where in ("", "rounds/", "stages/2/begin/"):
        shown = page(client, made, where)
        assert "It is not decided who qualifies" in shown, where
        assert f'formaction="/desk/{made.tournament.slug}/rounds/new/"' in shown, where
        assert 'name="extra" value="1"' in shown, where
        assert f'href="/desk/{made.tournament.slug}/standings/?stage=1#ties"' in shown, where


@pytest.mark.long
def test_after_the_last_round_it_is_the_final_table_and_then_nothing() -> None:
    made, last = one_round()
    client = signed_in(made.actor)
    shown = page(client, made)
    assert title(shown) == "Publish the final standings"
    assert f'href="/desk/{made.tournament.slug}/standings/publish/?stage=1"' in shown
    published = publish(stage_id=last.stage_id, round_id=last.pk, actor=made.actor, at=made.tick())
    shown = page(client, made)
    assert "The event is over" in shown
    assert f'href="/desk/{made.tournament.slug}/publications/{published.number}/"' in shown


def test_while_the_final_table_waits_its_minute_the_line_leads_to_where_it_is_stopped() -> None:
    made, last = one_round()
    client = signed_in(made.actor)
    waits = publish_later(stage_id=last.stage_id, round_id=last.pk, actor=made.actor, at=made.tick())
    for where in ("", "entrants/"):
        shown = page(client, made, where)
        assert "The final standings are published within a minute" in shown, where
        assert f'href="/desk/{made.tournament.slug}/standings/publish/{waits.pk}/"' in shown, where
        assert "standings/publish/?stage=1" not in shown, where
    stop(job_id=waits.pk, actor=made.actor, at=made.tick())
    assert title(page(client, made)) == "Publish the final standings"


@pytest.mark.long
def test_a_tie_that_waits_for_a_match_stands_before_the_final_table() -> None:
    made, _last = one_round(chain=CHAIN)
    step = next_step(made.tournament)
    assert step is not None
    assert step.kind is Kind.EXTRA_MATCH
    shown = page(signed_in(made.actor), made)
    assert title(shown) == "Decide a tie at the table"
    assert "Pair 1, Pair 3: Places 1 and 2 are tied on everything so far; an extra match decides." in shown


def test_what_is_still_open_is_named_with_the_way_to_it() -> None:
    made, round_ = one_round()
    sitting = sittings_of(round_)[0]
    Match.objects.filter(pk=sitting.match_id).update(outcome="pending", home_hundredths=None, away_hundredths=None)
    Sitting.objects.filter(pk=sitting.pk).update(phase="playing")
    shown = page(signed_in(made.actor), made)
    assert "Round 1, table 1 has no result yet." in shown
    assert f'href="/desk/{made.tournament.slug}/rounds/1/tables/1/"' in shown


def test_who_may_not_do_it_sees_what_comes_next_without_the_button() -> None:
    made, _round = one_round()
    Official.objects.filter(tournament=made.tournament).exclude(office=Office.REFEREE).delete()
    Official.objects.get_or_create(
        tournament=made.tournament, user=made.actor.user, office=Office.REFEREE, appointed_at=made.now
    )
    Tournament.objects.filter(pk=made.tournament.pk).update(single_official=False)
    shown = page(signed_in(made.actor), made)
    assert title(shown) == "Publish the final standings"
    assert "standings/publish" not in shown


@pytest.mark.long
def test_a_closing_is_taken_back_on_the_board() -> None:
    made = event(4)
    client = signed_in(made.actor)
    made.now = timezone.now() - timedelta(minutes=9, seconds=10)
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [0])
    shown = page(client, made)
    assert "Take the closing back" in shown
    assert "data-again-in=" in shown
    answer = client.post(f"/desk/{made.tournament.slug}/rounds/1/reopen/", follow=True)
    assert "The closing is taken back: the round runs on." in unescape(answer.content.decode())
    round_.refresh_from_db()
    assert round_.status == "running"
    closing.close_round(round_id=round_.pk, actor=made.actor, at=timezone.now() - timedelta(seconds=61))
    assert "Take the closing back" not in page(client, made)
