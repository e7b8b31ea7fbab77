"""The radar at the desk and over the API: questions with their rates, put aside with a note, unknown to the public."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.hall import desk
from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event, event, sittings_of
from tests.tournaments.test_radar import odd
from tournaments.models import PutAside
from tournaments.radar.reads import questions_of

pytestmark = pytest.mark.django_db


def at(made: Event, part: str = "radar/") -> str:
    return f"/desk/{made.tournament.slug}/{part}"


def page(client: Client, address: str, language: str = "en") -> str:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_question_is_shown_with_its_rate_and_put_aside() -> None:
    made, _ = odd()
    official, (one,) = signed_in(made.actor), questions_of(made.tournament)
    told = page(official, at(made))
    assert "never accusations" in told
    assert "The same hand again" in told
    assert "honest matches" in told
    assert f'href="{at(made, "rounds/1/tables/1/")}"' in told
    typed = {"flag": one.flag.key, "aside": "1", "note": "both sides agree"}
    assert official.post(at(made, "radar/aside/"), typed).status_code == 303
    assert PutAside.objects.get().note == "both sides agree"
    told = page(official, at(made))
    assert "Nothing stands out." in told
    assert "both sides agree" in told
    assert official.post(at(made, "radar/aside/"), {**typed, "aside": "0", "note": "no"}).status_code == 303
    assert "Nothing stands out." not in page(official, at(made))


def test_without_a_note_the_form_comes_back_open() -> None:
    made, _ = odd()
    official, (one,) = signed_in(made.actor), questions_of(made.tournament)
    sent = {"flag": one.flag.key, "aside": "1", "note": ""}
    answer = official.post(at(made, "radar/aside/"), sent, headers={"accept-language": "en"})
    assert answer.status_code == 400
    text = answer.content.decode()
    assert "Write a note" in text
    assert '<details class="more" open>' in text


def test_it_reads_in_chinese_too() -> None:
    made, _ = odd()
    official = signed_in(made.actor)
    official.cookies["django_language"] = "zh-hans"
    assert "记录相同" in page(official, at(made), "zh")


def test_an_event_without_questions_says_so() -> None:
    made = event(4)
    assert "Nothing stands out." in page(signed_in(made.actor), at(made))


def test_the_public_sees_nothing_of_it(client: Client) -> None:
    made, round_ = odd()
    assert client.get(at(made)).status_code in (302, 303, 403)
    slug = made.tournament.slug
    number = sittings_of(round_)[0].match.number
    for path in (f"/en/e/{slug}/", f"/en/e/{slug}/rounds/1/", f"/en/e/{slug}/rounds/1/matches/{number}/"):
        told = client.get(path).content.decode()
        assert "adar" not in told
        assert "same hand again" not in told


def test_over_the_api() -> None:
    made, _ = odd()
    api, path = desk(made.actor), f"events/{made.tournament.slug}/radar/"
    (one,) = api.get(path).json["questions"]
    assert (one["kind"], one["round"], one["table"], one["hand"], one["last"]) == ("copy", 1, 1, 3, None)
    assert one["rate"]["unit"] == "matches"
    (now,) = api.keyed(path, {"flag": one["flag"], "note": "agreed"})["questions"]
    assert (now["last"]["aside"], now["last"]["note"]) == (True, "agreed")
    (again,) = api.keyed(path, {"flag": one["flag"], "note": "not agreed", "aside": False})["questions"]
    assert not again["last"]["aside"]
