"""Awards: who gets one, what stands on it, and that the organiser's words are only words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.referee.public.events import publish
from tests.tournaments import playing
from tests.tournaments.individual import alone, evening, sittings_of
from tournaments.models import Player, Publication
from tournaments.standings import runs
from tournaments.transfer.paper.awards import awards_data, awards_pdf, record_words, usual_words

if TYPE_CHECKING:
    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db
ADDRESS = "http://hall.test/zh/e/cup/standings/1/"


@pytest.fixture
def event() -> Event:
    return playing.event(4, stage={"rounds_planned": 1})


@pytest.fixture
def final(event: Event) -> Publication:
    """Two matches won, two lost: 1 beats 2 clearly, 3 beats 4 narrowly."""
    round_ = event.running((1, 2), (3, 4))
    event.play(round_, [0, 0, 0], [35])
    return publish(event, round_)


@pytest.mark.parametrize(
    ("record", "zh", "en"),
    [
        ({}, "", ""),
        ({"won": 1}, " 1 场 1 胜", "1 match: 1 won"),
        ({"won": 4, "drawn": 2, "lost": 1}, " 7 场 4 胜 2 平 1 负", "7 matches: 4 won, 2 drawn, 1 lost"),
        ({"lost": 2}, " 2 场 2 负", "2 matches: 2 lost"),
    ],
)
def test_a_record_in_words(record: dict[str, int], zh: str, en: str) -> None:
    assert (record_words(record, "zh"), record_words(record, "en")) == (zh, en)


def test_the_first_three_with_what_they_did(event: Event, final: Publication) -> None:
    Player.objects.filter(entrant__tournament=event.tournament).delete()
    said = awards_data(final, usual_words(final, "zh"))
    assert [one["place"] for one in said["awards"]] == ["冠军", "亚军", "季军"]
    first = said["awards"][0]
    assert (first["names"], first["before"], first["after"]) == ("Pair 1", "在本次比赛中 1 场 1 胜，荣获", "。")
    assert [one["place"] for one in awards_data(final, usual_words(final, "en"))["awards"]] == [
        "Champion",
        "Runner-up",
        "Third place",
    ]


def test_everybody_may_get_one(final: Publication) -> None:
    said = awards_data(final, replace(usual_words(final, "zh"), places=64))
    assert [one["place"] for one in said["awards"]][3:] == ["第4名"]


def test_the_players_stand_side_by_side(event: Event, final: Publication) -> None:
    first = event.tournament.entrants.get(number=1)
    first.players.all().delete()
    for seat, name in enumerate(("何川", "宋雨"), 1):
        Player.objects.create(entrant=first, order=seat, name=name)
    assert awards_data(final, usual_words(final, "zh"))["awards"][0]["names"] == "何川　宋雨"


def test_words_are_only_words_and_the_same_bytes_come_twice(final: Publication) -> None:
    words = replace(usual_words(final, "zh"), title="#panic()", text="$x 【战绩】 【名次】 {nobody}", closing="*_`")
    made = awards_pdf(final, words, ADDRESS)
    assert made.startswith(b"%PDF")
    assert awards_pdf(final, words, ADDRESS) == made


@pytest.mark.parametrize(
    ("signers", "lines"),
    [("裁判长、主办方", ["裁判长", "主办方"]), (" A ,, B，C、D", ["A", "B", "C"]), ("", [])],
)
def test_everybody_who_signs_has_a_line(final: Publication, signers: str, lines: list[str]) -> None:
    words = replace(usual_words(final, "zh"), signers=signers)
    assert awards_data(final, words)["signed"] == lines
    assert awards_pdf(final, words, ADDRESS).startswith(b"%PDF")


def test_a_text_without_a_place(final: Publication) -> None:
    said = awards_data(final, replace(usual_words(final, "zh"), text="感谢参加。"))
    assert (said["awards"][0]["before"], said["awards"][0]["place"]) == ("感谢参加。", "")


def test_single_players_get_one_without_matches() -> None:
    made = evening("I1", 4, stage={"hands": 1, "rounds_planned": 1})
    round_ = made.round()
    made.enter(sittings_of(round_)[0], alone("1", 80, 60))
    runs.recalculate(tournament_id=made.tournament.pk, at=made.tick())
    published = runs.publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    said = awards_data(published, usual_words(published, "zh"))
    assert said["awards"][0]["before"] == "在本次比赛中荣获"
