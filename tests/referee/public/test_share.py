"""What goes out when somebody shares a page: the story of a match, its picture, and what is never on it."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils.translation import override

from referee.public.presenters import share
from referee.public.story import of_match
from scoring import profiles
from scoring.values import Side
from tests.referee.public.events import knockout, played, publish, waiting_hand
from tests.scoring import making
from tests.tournaments import playing
from tests.tournaments.individual import alone, evening, sittings_of
from tournaments.ledger import corrections
from tournaments.models import Entrant, LedgerEntry, Sitting
from tournaments.sittings.records import Hand

if TYPE_CHECKING:
    from scoring.profiles import Profile
    from tests.tournaments.playing import Event

RULES = profiles.load("scn2-2013")
NS, EW = Side.NS, Side.EW
#: Dealer keeps the deal and gains: one, two, three levels. Attackers take it, and gain one.
ONE, TWO, THREE, TAKEN, UP = (making.hand(points) for points in (75, 35, 0, 80, 120))
DUG = making.dig(120, 20, making.PAIR)
HOOKED = making.dig(65, 10, making.PAIR, trump="S", winning_play=["SJ"])
CASES: list[tuple[dict[str, Any], list[dict[str, Any]], Side | None, str, str, int | None]] = [
    ({}, [TWO, TAKEN, TWO, TAKEN], None, "4 hands, nobody ahead", "4 副，不分高下", None),
    ({}, [ONE, TAKEN, ONE, TAKEN, ONE, TAKEN], NS, "Decided in 6 hands", "6 副分出胜负", None),
    ({}, [THREE, TAKEN, ONE], NS, "Gained 3 levels in hand 1", "第 1 副一次升 3 级", 1),
    ({}, [ONE, ONE, ONE, TAKEN, ONE], NS, "Gained levels in 3 hands running", "连续 3 副升级", None),
    ({}, [TWO, TAKEN], NS, "Did not let the opponents gain a level", "没让对手升一级", None),
    ({"ew": "5"}, [ONE, TAKEN, ONE, TAKEN, TWO, TWO, ONE], NS, "Won from 3 levels down", "落后 3 级反超取胜", None),
    ({"ew": "3"}, [TWO], NS, "Came from behind in the last hand", "最后一副反超", 1),
    ({}, [TWO], NS, "The last hand decided", "最后一副定胜负", 1),
    ({"ns": "3"}, [DUG], EW, "Came from behind by digging the kitty in the last hand", "最后一副抠底反超", 1),
    ({}, [DUG], EW, "Digging the kitty in the last hand decided", "最后一副抠底定胜负", 1),
    (
        {"ns": "J"},
        [HOOKED],
        EW,
        "The opponents had reached J and fell back to 2 in one hand",
        "对手打到 J，一副掉回 2",
        1,
    ),
]


def hands_of(rules: Profile, opening: dict[str, str], rows: list[dict[str, Any]]) -> list[Hand]:
    state = making.play(rules, making.opening(**opening), *rows)
    entries = [LedgerEntry(kind=row["kind"], hand_no=number, facts=row) for number, row in enumerate(rows, 1)]
    return [Hand(entry, result) for entry, result in zip(entries, state.entries, strict=True)]


@pytest.mark.parametrize(("opening", "rows", "winner", "en", "zh", "about"), CASES)
def test_the_story_is_what_the_hands_say(
    opening: dict[str, str], rows: list[dict[str, Any]], winner: Side | None, en: str, zh: str, about: int | None
) -> None:
    hands = hands_of(RULES, opening, rows)
    for language, said in (("en", en), ("zh-hans", zh)):
        with override(language):
            told = of_match(hands, winner, RULES)
        assert told.sentence == said
        assert (told.hand and told.hand.entry.hand_no) == about


@pytest.fixture
def event() -> Event:
    return played()


def at(event: Event, path: str, language: str = "en") -> str:
    return f"/{language}/e/{event.tournament.slug}/{path}"


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def picture_in(page: str, form: str = "card") -> str:
    found = re.search(rf'src="([^"]*/{form}-[0-9a-f]{{16}}\.png)"', page)
    assert found
    return found[1]


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


SHARED = [
    "rounds/1/tables/1/",
    *(pytest.param(path, marks=pytest.mark.long) for path in ("", "rounds/2/tables/1/", "entrants/1/", "standings/1/")),
]


@pytest.mark.django_db
@pytest.mark.parametrize("path", SHARED)
def test_what_is_shared_has_a_title_a_sentence_and_two_pictures(event: Event, client: Client, path: str) -> None:
    for language in ("en", "zh"):
        page = page_of(client, at(event, path, language))
        told = dict(re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', page))
        assert told["title"]
        assert told["description"]
        assert told["url"] == "http://testserver" + at(event, path, language)
        assert at(event, f"{path}share/", language) in page
        sharing = page_of(client, at(event, f"{path}share/", language))
        card = picture_in(sharing)
        assert told["image"] == "http://testserver" + card
        assert size_of(client.get(card).content) == (1200, 630)
        assert size_of(client.get(picture_in(sharing, "poster")).content) == (1080, 1440)
        assert client.get(at(event, f"{path}share/poster.pdf", language)).content.startswith(b"%PDF")
    assert picture_in(page_of(client, at(event, f"{path}share/", "en"))) != card, "each language has its own"


@pytest.mark.django_db
def test_the_changing_part_of_a_page_has_no_picture(event: Event, client: Client) -> None:
    assert "og:image" not in page_of(client, at(event, "rounds/1/tables/1/?part=live"))


@pytest.mark.django_db
def test_a_picture_is_kept_and_an_outdated_one_leads_to_the_newest(event: Event, client: Client) -> None:
    sharing = at(event, "rounds/2/tables/2/share/")
    before = picture_in(page_of(client, sharing))
    first = client.get(before)
    assert first["Content-Type"] == "image/png"
    assert first["Cache-Control"] == "public, max-age=3600, immutable"
    assert client.get(before).content == first.content, "the same record gives the same bytes"
    sitting = Sitting.objects.get(round__tournament=event.tournament, round__number=2, table__number=2)
    entry = sitting.entries.get(status="effective")
    corrections.correct(
        entry_id=entry.pk,
        actor=event.actor,
        at=event.tick(),
        expected_revision=sitting.revision,
        facts={**entry.facts, "captured_in_tricks": 60},
        treatment="recompute",
        reason="Slip misread",
    )
    after = picture_in(page_of(client, sharing))
    assert after != before
    old = client.get(before)
    assert (old.status_code, old["Location"], old["Cache-Control"]) == (302, after, "no-store")
    assert client.get(sharing + "card-0.png").status_code == 404


@pytest.mark.django_db
def test_a_hand_that_waits_is_on_no_picture(event: Event, client: Client) -> None:
    sharing = at(event, "rounds/2/tables/2/share/")
    before = picture_in(page_of(client, sharing))
    sitting = Sitting.objects.get(round__tournament=event.tournament, round__number=2, table__number=2)
    waiting_hand(event, sitting)
    assert picture_in(page_of(client, sharing)) == before


@pytest.mark.django_db
def test_a_name_is_only_text_on_a_picture(event: Event, client: Client) -> None:
    hostile = '#panic("x") $ * _ <script>alert(1)</script> ' + "长" * 30
    Entrant.objects.filter(tournament=event.tournament, number=1).update(name=hostile[:80])
    for path in ("entrants/1/", "rounds/1/tables/1/", "standings/1/"):
        page = page_of(client, at(event, f"{path}share/", "zh"))
        assert "<script>alert" not in page
        assert size_of(client.get(picture_in(page)).content) == (1200, 630)


@pytest.mark.django_db
def test_final_standings_have_a_champion() -> None:
    """The last planned round, closed and complete, is final."""
    made = playing.event(4, stage={"rounds_planned": 1})
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35, 35], [0, 0, 0])
    newest = publish(made, round_)
    with override("zh-hans"):
        said = share.of_publication(newest)
    assert [one["rank"] for one in said.data["places"]] == ["冠军", "亚军", "季军"]
    assert said.sentence == f"{said.data['places'][0]['name']}夺冠"
    assert [one["place"] for one in said.data["others"]] == ["4"]


@pytest.mark.django_db
def test_a_shared_place_has_its_sign() -> None:
    made = knockout(3)
    newest = publish(made, made.tournament.rounds.order_by("-number")[0])
    assert [one["place"] for one in share.of_publication(newest).data["others"]] == ["4", "=5", "=5", "=5", "=5"]


@pytest.mark.django_db
def test_single_players_stand_on_the_picture_of_their_table(client: Client) -> None:
    made = evening("I1", 4, stage={"hands": 2, "rounds_planned": 1})
    table = sittings_of(made.round())[0]
    made.enter(table, alone("1", 80, 60))
    page = page_of(client, f"/zh/e/{made.tournament.slug}/rounds/1/tables/1/share/")
    assert size_of(client.get(picture_in(page)).content) == (1200, 630)
