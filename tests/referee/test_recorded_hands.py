"""Records of hands on the pages of the desk and the public, and over the API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.cards.records import write
from tests.api.hall import desk as api_desk
from tests.api.hall import phone
from tests.tournaments.factories import hall, sheet, signed_in
from tests.tournaments.test_recorded_hands import RECORD, REPLAY, played, put
from tests.tournaments.test_scorekeeping import enter, play
from tournaments.models import LedgerEntry, RecordedHand

if TYPE_CHECKING:
    from tests.tournaments.factories import Hall

pytestmark = pytest.mark.django_db

WRONG = int(REPLAY.sheet.captured_in_tricks or 0) + 5


def at(here: Hall, hand: int = 1) -> str:
    return f"/desk/{here.event.slug}/rounds/1/tables/1/hands/{hand}/record/"


def table(here: Hall) -> str:
    return f"/desk/{here.event.slug}/rounds/1/tables/1/"


def public(here: Hall, language: str = "en") -> str:
    return f"/{language}/e/{here.event.slug}/rounds/1/tables/1/"


def text(response: Any) -> str:
    body = response.content.decode().partition("<main")[2].replace("</li>", " ")
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


@pytest.mark.long
def test_an_official_pastes_a_record_and_sees_it_beside_the_entry() -> None:
    here = played()
    referee = signed_in(here.referee)
    assert at(here) in referee.get(table(here)).content.decode()
    assert "This hand has no record yet." in text(referee.get(at(here)))
    done = referee.post(at(here), {"text": write(RECORD).replace("\n", "\r\n"), "key": "k"}, follow=True)
    seen = text(done)
    assert "The entry agrees with the cards." in seen
    assert "The entry and the cards differ" not in seen
    body = done.content.decode()
    assert body.count('id="trick-') == len(REPLAY.tricks)
    cards = sum(len(play.cards) for trick in REPLAY.tricks for play in trick.plays)
    assert body.partition('id="tricks"')[2].partition("</section>")[0].count('class="card ') == cards
    assert "Card by card" in text(referee.get(table(here)))


def test_a_file_is_read_like_a_text_and_wins_over_it() -> None:
    here = played()
    file = SimpleUploadedFile("hand.txt", ("{王芳}\n" + write(RECORD)).encode("gb18030"))
    answer = signed_in(here.organiser).post(at(here), {"text": "nonsense", "file": file})
    assert answer.status_code == 303
    assert RecordedHand.objects.get().text.count("\n") > len(REPLAY.tricks)


def test_every_problem_stands_there_with_its_line_and_the_text_stays() -> None:
    here = played()
    answer = signed_in(here.referee).post(at(here), {"text": "play\n1. S:H1\n2. E:XX <script>"})
    assert answer.status_code == 400
    seen = text(answer)
    assert "Line 2, column 6" in seen
    assert "Line 3, column" in seen
    assert "1. S:H1" in seen
    assert "&lt;script&gt;" in seen
    assert not RecordedHand.objects.exists()


def test_a_difference_is_told_and_fills_the_correction() -> None:
    here, late = hall(), [{"points": 5, "why": "late"}]
    enter(
        here, here.referee, REPLAY.sheet.to_json() | {"captured_in_tricks": WRONG, "adjustments": late}, basis="watched"
    )
    put(here)
    entry = LedgerEntry.objects.get(sitting=here.sitting)
    fill = f"/desk/{here.event.slug}/hands/{entry.pk}/correct/?record=1"
    referee = signed_in(here.referee)
    page = referee.get(at(here))
    assert "The entry and the cards differ" in text(page)
    assert fill in page.content.decode()
    assert fill not in signed_in(here.organiser).get(at(here)).content.decode(), "an organiser corrects nothing"
    form = referee.get(fill).context["form"].facts()
    assert form["captured_in_tricks"] == WRONG - 5
    assert form["adjustments"] == late, "what no card tells stays"
    plain = referee.get(fill.removesuffix("?record=1")).context["form"].facts()
    assert plain["captured_in_tricks"] == WRONG


def test_a_record_of_a_few_tricks_fills_nothing() -> None:
    here = played(captured_in_tricks=WRONG)
    put(here, "play\n" + write(RECORD).partition("play\n")[2].split("\n")[0] + "\n")
    entry = LedgerEntry.objects.get(sitting=here.sitting)
    referee = signed_in(here.referee)
    assert "record=1" not in referee.get(at(here)).content.decode()
    form = referee.get(f"/desk/{here.event.slug}/hands/{entry.pk}/correct/?record=1").context["form"].facts()
    assert form["captured_in_tricks"] == WRONG


def test_a_fault_is_told_at_the_desk_with_its_clause_and_not_to_the_public() -> None:
    here = played()
    put(here, write(RECORD).replace("S:", "X:").replace("N:", "S:").replace("X:", "N:"))
    seen = text(signed_in(here.referee).get(at(here)))
    assert re.search(r"The replay finds \d+ faults?", seen)
    assert "Line " in seen
    assert "Line " not in text(Client().get(public(here) + "hands/1/"))


def test_a_fault_is_told_to_officials_over_the_api_and_to_nobody_else() -> None:
    here = played()
    put(here, write(RECORD).replace("S:", "X:").replace("N:", "S:").replace("X:", "N:"))
    path = f"sittings/{here.sitting.pk}/hands/1/record/"
    told = api_desk(here.referee).get(path).json["replay"]
    assert told["findings"]
    assert any(trick["findings"] for trick in told["tricks"])
    for asker in (phone(here.ns), phone(here.ew)):
        shown = asker.get(path).json["replay"]
        assert "findings" not in shown
        assert [set(trick) for trick in shown["tricks"]] == [{"number", "winner", "points"}] * len(shown["tricks"])


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("card by card", "Trick by trick", "wins")), ("zh", ("逐张牌谱", "逐圈出牌", "赢圈"))],
)
def test_the_public_reads_the_tricks(language: str, words: tuple[str, ...]) -> None:
    here = played()
    link = public(here, language) + "hands/1/"
    assert Client().get(link).status_code == 404
    assert link not in Client().get(public(here, language)).content.decode()
    put(here)
    assert link in Client().get(public(here, language)).content.decode()
    page = Client().get(link)
    assert all(word in text(page) for word in words)
    assert page.content.decode().count('id="trick-') == len(REPLAY.tricks)
    for wrong in ("hands/2/", "hands/99999999999999999999/"):
        assert Client().get(public(here, language) + wrong).status_code == 404


@pytest.mark.long
def test_pages_ask_no_more_with_more_records() -> None:
    here = hall()
    play(here, REPLAY.sheet.to_json())
    put(here)
    referee = signed_in(here.referee)

    def count(client: Client, path: str) -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(path).status_code == 200
        return len(seen)

    def counts() -> list[int]:
        paths = [
            (referee, table(here)),
            (referee, at(here)),
            (Client(), public(here)),
            (Client(), public(here) + "hands/1/"),
        ]
        return [count(*one) for one in paths]

    few = counts()
    play(here, sheet(35), sheet(40), sheet(45))
    for number in (2, 3, 4, 4):
        put(here, hand_no=number)
    assert counts() == few


def test_a_record_over_the_api() -> None:
    here = played(captured_in_tricks=WRONG)
    path = f"sittings/{here.sitting.pk}/hands/1/record/"
    referee, anyone, side = api_desk(here.referee), phone(here.ew), phone(here.ns)
    assert anyone.get(path).status == 404
    assert side.post(path, {"text": write(RECORD)}, Idempotency_Key="a").status == 403
    made = referee.post(path, {"text": write(RECORD)}, Idempotency_Key="a")
    again = referee.post(path, {"text": write(RECORD)}, Idempotency_Key="a")
    assert (made.status, again.status) == (201, 201)
    assert made.json == again.json == referee.get(path).json
    open_to_all = anyone.get(path).json
    assert open_to_all["disagreements"] == made.json["disagreements"]
    assert open_to_all["replay"]["sheet"] == made.json["replay"]["sheet"]
    document = made.json
    assert document["replay"]["sheet"] == REPLAY.sheet.to_json()
    assert [one["field"] for one in document["disagreements"]] == ["captured_in_tricks", "total"]
    refused = referee.post(path, {"text": "play\n1. S:H1\n"}, Idempotency_Key="b")
    assert refused.status == 400
    assert refused.error["code"] == "card_unknown"
    assert referee.post(path.replace("/1/", "/2/"), {"text": write(RECORD)}, Idempotency_Key="c").status == 404
