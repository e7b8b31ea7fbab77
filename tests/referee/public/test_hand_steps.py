"""The public pages of a recorded hand, one step each: what they say, when they are there, and the ways to them."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from referee.parts.words import SEATS, card_words
from scoring.cards.records import HandRecord, write
from scoring.cards.replay import replay
from scoring.simulation.hand import simulate
from scoring.values import Level, Seat
from tests.referee.public.test_boards import close, sheet, teams
from tests.tournaments import factories, test_games
from tests.tournaments.individual import alone, evening, sittings_of
from tests.tournaments.test_recorded_hands import RECORD, REPLAY, played, put
from tests.tournaments.test_scorekeeping import play
from tournaments.ledger import scorekeeping
from tournaments.ledger.recorded_hands import attach

if TYPE_CHECKING:
    from tests.tournaments.factories import Hall
    from tests.tournaments.playing import Event
    from tournaments.models import Sitting

pytestmark = pytest.mark.django_db

LAST = len(REPLAY.tricks)
STEPS = ["0", *(str(number) for number in range(1, LAST + 1)), "end"]
#: The same hand with the plays of North and South exchanged: nearly every one of them is a fault.
FAULTY = write(RECORD).replace("S:", "X:").replace("N:", "S:").replace("X:", "N:")


def hand(here: Hall, language: str = "en", number: int = 1) -> str:
    return f"/{language}/e/{here.event.slug}/rounds/1/tables/1/hands/{number}/tricks/"


def body(address: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200, address
    return answer.content.decode().partition("<main")[2].partition("</main")[0]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def step_of(html: str) -> str:
    found = re.search(r'<h2 id="step"[^>]*>(.*?)</h2>', html, re.DOTALL)
    assert found is not None
    return words(found[1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "tag", "wins", "so_far"),
    [
        ("en", "en", "{} wins the trick.", "Attackers so far: {}"),
        ("zh", "zh-hans", "{}家赢得这一圈。", "闲家至此得 {} 分"),
    ],
)
def test_every_trick_is_told_in_words(language: str, tag: str, wins: str, so_far: str) -> None:
    here = played()
    put(here)
    captured = 0
    for trick in REPLAY.tricks:
        html = body(f"{hand(here, language)}?trick={trick.number}")
        page = words(html)
        captured += trick.verdict.attackers_gain(REPLAY.dealer.side)
        assert so_far.format(captured) in page
        with override(tag):
            assert wins.format(SEATS[trick.winner.value]) in page
            cards = {card_words(str(card)) for play in trick.plays for card in play.laid}
        assert [card for card in cards if card not in page] == []
        assert all(reason.clause.id in html for reason in trick.verdict.because)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["North 25 cards", "Kitty 8 cards", "takes the kitty"]),
        ("zh", ["北 25 张", "底牌 8 张", "拿底牌"]),
    ],
)
def test_the_first_step_is_the_deal_and_what_came_before_play(language: str, said: list[str]) -> None:
    here = played()
    put(here)
    page = words(body(hand(here, language)))
    acts = {act.act for act in RECORD.acts}
    assert "take_kitty" in acts
    assert [one for one in said if one not in page] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_last_step_adds_up_what_the_hand_came_to(language: str) -> None:
    here = played()
    put(here)
    html = body(f"{hand(here, language)}?trick=end")
    rows = re.findall(r'<td class="num">\s*\+?(\d+)\s*</td>\s*<td class="num">\s*(\d+)\s*</td>', html)
    assert REPLAY.total is not None
    total = 0
    for points, so_far in rows:
        total += int(points)
        assert total == int(so_far)
    assert total == REPLAY.total.raw
    sentence = words(body(f"/{language}/e/{here.event.slug}/rounds/1/tables/1/"))
    said = re.search(r'data-said="([^"]+)"', html)
    assert said is not None
    assert said[1].replace("&gt;", ">") in sentence, "as on the page of the match"


def test_an_entry_that_differs_counts_and_the_last_step_says_so() -> None:
    here = played(captured_in_tricks=int(REPLAY.sheet.captured_in_tricks or 0) + 5)
    put(here)
    page = words(body(hand(here) + "?trick=end"))
    assert "The record differs from the entry; the entry counts." in page


def test_a_record_of_tricks_alone_says_what_is_missing() -> None:
    here = played()
    put(here, write(HandRecord(tricks=RECORD.tricks[:2])))
    page = words(body(hand(here)))
    missing = ["The cards of North are not recorded.", "The kitty is not recorded.", "What came before play is not"]
    assert [one for one in missing if one not in page] == []
    assert "The hands before this trick" not in words(body(hand(here) + "?trick=2"))
    assert "not every card was recorded" in words(body(hand(here) + "?trick=end"))


@pytest.mark.parametrize(
    ("asked", "step"),
    [
        ("", "The deal"), ("?trick=", "The deal"), ("?trick=nonsense", "The deal"), ("?trick=-3", "The deal"),
        ("?trick=7", f"Trick 7 of {LAST}"), ("?trick=end", "The result"), ("?trick=99999", "The result"),
        ("?trick=%E0%A5%A9", "The deal"), ("?trick=" + "9" * 5000, "The deal"),
    ],
)  # fmt: skip
def test_every_address_is_a_step(asked: str, step: str) -> None:
    here = played()
    put(here)
    assert step_of(body(hand(here) + asked)) == step


def test_the_steps_lead_to_one_another_and_the_part_is_the_page_without_its_frame() -> None:
    here = played()
    put(here)
    for at, key in enumerate(STEPS):
        address = f"{hand(here)}?trick={key}"
        html = body(address)
        for rel, other in (("prev", at - 1), ("next", at + 1)):
            found = re.search(rf'rel="{rel}" href="([^"]+)"', html)
            if 0 <= other < len(STEPS):
                assert found is not None
                assert found[1] == f"{hand(here)}?trick={STEPS[other]}"
            else:
                assert found is None
        assert html.count('aria-current="step"') == 1
        part = Client().get(f"{address}&part=live").content.decode()
        assert "<html" not in part
        assert words(part) in words(html)


def test_a_fault_is_told_to_nobody_here() -> None:
    here = played()
    done = put(here, FAULTY)
    assert done.replay.findings
    told = "".join(body(f"{hand(here)}?trick={key}") for key in STEPS)
    messages = [one.message["en"].partition(": ")[2] for one in done.replay.findings]
    assert [one for one in messages if one in words(told)] == []


def test_there_is_no_page_without_a_record_or_a_hand_that_counts() -> None:
    here = played()
    assert Client().get(hand(here)).status_code == 404
    put(here)
    assert Client().get(hand(here)).status_code == 200
    for number in (2, 0, 99999999999999999999):
        assert Client().get(hand(here, number=number)).status_code == 404
    assert Client().get(hand(here).replace("/e/", "/e/not-")).status_code == 404
    assert Client().post(hand(here)).status_code == 405


def test_a_hand_of_single_players_without_a_record_has_no_such_page() -> None:
    made = evening("I1", 4)
    (table,) = sittings_of(made.round())
    made.enter(table, alone("1", 95, 95))
    slug = made.tournament.slug
    assert Client().get(f"/en/e/{slug}/rounds/1/tables/1/").status_code == 200
    assert Client().get(f"/en/e/{slug}/rounds/1/tables/1/hands/1/tricks/").status_code == 404


def test_the_match_and_the_desk_lead_to_it() -> None:
    here = played()
    match = hand(here).partition("hands/")[0]
    desk = f"/desk/{here.event.slug}/rounds/1/tables/1/hands/1/record/"
    referee = factories.signed_in(here.referee)
    assert hand(here) not in body(match)
    assert hand(here) not in body(desk, referee)
    put(here)
    for page in (match, match + "hands/1/"):
        assert f'href="{hand(here)}"' in body(page)
    assert f'href="{hand(here)}"' in body(desk, referee)


def test_a_game_that_is_over_keeps_its_steps() -> None:
    here = test_games.match_hall()
    first = test_games.current(here)
    test_games.game(here, "NS")
    attach(sitting_id=first.pk, actor=here.referee, at=factories.AT, hand_no=1, text=write(RECORD))
    assert Client().get(hand(here)).status_code == 404, "the game that is due has no record"
    match = hand(here).partition("hands/")[0]
    (link,) = re.findall(r'href="([^"]*/tricks/[^"]*)"', body(f"{match}?game=1"))
    assert link == f"{hand(here)}?game=1"
    page = body(link)
    following = re.search(r'rel="next" href="([^"]+)"', page)
    assert following is not None
    assert following[1].replace("&amp;", "&") == f"{hand(here)}?game=1&trick=1"
    assert step_of(body(f"{hand(here)}?game=1&trick=1")).startswith("Trick 1 ")
    assert f'href="{match}?game=1"' in page


def record_board(made: Event, sitting: Sitting) -> None:
    """The board of a table played by cards, entered and recorded."""
    fixed = sitting.round.stage.deals[1]
    profile = made.tournament.profile
    record = simulate(profile, Random(1), dealer=Seat(str(fixed.dealer)), level=Level(str(fixed.level)))
    facts = replay(profile, record).sheet.to_json()
    by: dict[str, Any] = {"sitting_id": sitting.pk, "actor": made.actor, "hand_no": 1}
    scorekeeping.record_hand(**by, at=made.tick(), facts=facts, basis="watched")
    attach(**by, at=made.tick(), text=write(record))


@pytest.mark.long
def test_the_cards_of_a_board_wait_until_every_table_has_played_it(client: Client) -> None:
    made = teams()
    round_ = made.running((1, 2), (3, 4))
    first, *others = round_.sittings.order_by("table__number")
    record_board(made, first)
    steps = f"/en/e/{made.tournament.slug}/rounds/1/tables/{first.table.number}/hands/1/tricks/"
    match = steps.partition("hands/")[0]
    desk = f"/desk/{made.tournament.slug}/rounds/1/tables/{first.table.number}/hands/1/record/"
    official = factories.signed_in(made.actor)
    for key in ("", "?trick=3", "?trick=end", "?trick=3&part=live"):
        assert client.get(steps + key).status_code == 404
    assert steps not in body(match)
    assert steps not in body(desk, official), "it would lead nowhere"
    for sitting in others:
        made.hand(sitting, 60)
    assert client.get(steps).status_code == 404, "until the round is closed"
    close(made, round_)
    for key in ("", "?trick=3", "?trick=end"):
        assert client.get(steps + key).status_code == 200
    assert body(sheet(made)).count(f'href="{steps}"') == 1
    assert f'href="{steps}"' in body(match)
    assert f'href="{steps}"' in body(desk, official)
    assert body(sheet(made)).count("/tricks/") == 1, "the other tables have no record"


def queries(address: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert Client().get(address).status_code == 200
    return len(seen)


@pytest.mark.long
def test_a_step_asks_the_same_however_much_was_recorded() -> None:
    here = factories.hall()
    play(here, REPLAY.sheet.to_json())
    put(here)
    few = {key: queries(f"{hand(here)}?trick={key}") for key in ("0", "1", str(LAST), "end")}
    assert len(set(few.values())) == 1
    assert max(few.values()) <= 10
    play(here, factories.sheet(35), factories.sheet(40))
    for number in (1, 2, 3, 3):
        put(here, hand_no=number)
    assert {key: queries(f"{hand(here)}?trick={key}") for key in few} == few


@pytest.mark.long
def test_a_board_asks_the_same_however_many_tables_recorded_it() -> None:
    made = teams()
    round_ = made.running((1, 2), (3, 4))
    tables = list(round_.sittings.order_by("table__number"))
    for sitting in tables:
        made.hand(sitting, 60)
    close(made, round_)
    none = queries(sheet(made))
    other = teams()
    round_ = other.running((1, 2), (3, 4))
    for sitting in round_.sittings.order_by("table__number"):
        record_board(other, sitting)
    close(other, round_)
    assert body(sheet(other)).count("/tricks/") == len(tables)
    assert queries(sheet(other)) == none
