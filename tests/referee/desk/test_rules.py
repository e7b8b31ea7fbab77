"""The page that changes an event's rules: what is typed is read, shown, proposed, applied; nothing typed is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from referee.desk.presenters import rules
from scoring import profiles
from tests.tournaments import playing
from tournaments.models import Office, RuleChange, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.tournaments.playing import Event
    from tournaments.acts.admission import Actor


@pytest.fixture
def played(db: None) -> Event:
    of = playing.event(4)
    of.play(of.running((1, 2), (3, 4)), [60], [35])
    return of


def address(of: Event) -> str:
    return f"/desk/{of.tournament.slug}/rules/"


FORTY = {"base": "cn-national-2d", "option": ["threshold", "step", ""], "value": ["40", "20", ""]}


@pytest.mark.long
def test_two_steps_on_the_pages(played: Event, sign_in: Callable[[Actor], Client]) -> None:
    client = sign_in(played.actor)
    page = client.get(address(played)).content.decode()
    assert "No change: the event is played by the rules it began with." in page

    looked = client.post(address(played), {**FORTY, "look": "1"})
    page = looked.content.decode()
    assert looked.status_code == 200
    assert "points to take the deal" in page
    assert "Round 1, table 1" in page
    assert "Propose this change" in page
    assert not RuleChange.objects.exists()

    answer = client.post(address(played), {**FORTY, "propose": "1", "reason": "misprint", "key": "k"})
    change = RuleChange.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"{address(played)}{change.pk}/")
    assert change.new_spec == {"base": "cn-national-2d", "set": {"threshold": 40, "step": 20}}
    page = client.get(f"{address(played)}{change.pk}/").content.decode()
    assert "Apply the new rules" in page
    client.post(f"{address(played)}{change.pk}/", {"decision": "apply"})
    assert Tournament.objects.get(pk=played.tournament.pk).profile_spec == change.new_spec
    history = client.get(f"/desk/{played.tournament.slug}/history/").content.decode()
    assert "changed the rules" in history
    assert "misprint" in history
    again = client.get(address(played)).content.decode()
    assert 'value="40"' in again


@pytest.mark.long
def test_a_refused_proposal_keeps_what_was_typed(played: Event, sign_in: Callable[[Actor], Client]) -> None:
    client = sign_in(played.actor)
    answer = client.post(address(played), {**FORTY, "value": ["33", "20", ""], "look": "1"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'value="33"' in page
    played.running((1, 3), (2, 4))
    answer = client.post(address(played), {**FORTY, "propose": "1", "reason": "misprint"})
    assert answer.status_code == 409
    assert "Close it first" in answer.content.decode()
    assert 'value="misprint"' in answer.content.decode()


def test_the_proposer_waits_for_another_where_there_is_a_chief(
    played: Event, sign_in: Callable[[Actor], Client]
) -> None:
    organiser, chief = playing.colleague(played, Office.ORGANISER), playing.colleague(played, Office.CHIEF_REFEREE)
    client = sign_in(organiser)
    client.post(address(played), {**FORTY, "propose": "1", "reason": "misprint"})
    change = RuleChange.objects.get()
    page = client.get(f"{address(played)}{change.pk}/").content.decode()
    assert "Apply the new rules" not in page
    assert "Proposer and approver must be two people." in page
    other = sign_in(chief)
    assert "Apply the new rules" in other.get(f"{address(played)}{change.pk}/").content.decode()
    other.post(f"{address(played)}{change.pk}/", {"decision": "refuse"})
    change.refresh_from_db()
    assert change.status == "refused"


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("threshold", "40", 40),
        ("ladder", "5, 10, K", ["5", "10", "K"]),
        ("must_play", "5，10、K", ["5", "10", "K"]),
        ("must_play", "–", []),
        ("score_cap", "–", None),
        ("no_trump_allowed", "是", True),
        ("no_trump_allowed", "no", False),
        ("must_mode", "no_skip", "no_skip"),
        ("must_mode", "不能跳过", "no_skip"),
        ("counter_ranks", "two small jokers, 两张相同的大王", ["small2", "big2"]),
        ("level_table", '[{"from": null}]', [{"from": None}]),
    ],
)
def test_a_value_as_it_is_typed(name: str, typed: str, value: Any) -> None:
    assert rules.read(name, typed, profiles.load("cn-national-2d").options[name]) == value


@pytest.mark.parametrize("profile_id", profiles.profile_ids())
def test_every_value_is_written_so_that_it_is_read_again(profile_id: str) -> None:
    for name, value in profiles.load(profile_id).options.items():
        assert rules.read(name, rules.written(name, value), value) == value, name


def test_the_board_says_that_a_change_waits(played: Event, sign_in: Callable[[Actor], Client]) -> None:
    client = sign_in(played.actor)
    board = f"/desk/{played.tournament.slug}/"
    assert "A change of rules waits" not in client.get(board).content.decode()
    client.post(address(played), {**FORTY, "propose": "1", "reason": "misprint"})
    page = client.get(board).content.decode()
    assert "A change of rules waits" in page
    assert f"rules/{RuleChange.objects.get().pk}/" in page
