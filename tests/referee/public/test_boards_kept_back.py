"""What everybody can read does not tell what a board came to while other tables have to play it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from scoring.cards.records import write
from scoring.cards.replay import replay
from scoring.simulation.hand import simulate
from scoring.values import Level, Seat
from tests.api.hall import desk, phone
from tests.proxied import PROGRAM, Names, proxy
from tests.tournaments import factories
from tests.tournaments.playing import Event, event
from tournaments.acts.admission import Actor
from tournaments.acts.announce import event_topic
from tournaments.acts.announce import publish as publish_to_pages
from tournaments.acts.hub import hub
from tournaments.audit.audit import audit, certify
from tournaments.audit.record import event_json
from tournaments.ledger import scorekeeping
from tournaments.ledger.officials_entries import forfeit
from tournaments.ledger.recorded_hands import attach
from tournaments.models import Round, Sitting, Tournament
from tournaments.rounds import closing
from tournaments.standings.runs import publish, recalculate

pytestmark = pytest.mark.django_db

COMMON = {"minutes": None, "tie_rule": "draw", "chain": ["points", "board_points", "lots"]}
#: The attackers' points of both boards at table 1 by which its match goes to either side.
HOME, AWAY = (35, 75), (135, 20)
ROUND = ((1, 2), (3, 4), (5, 6))
#: How a page begins to say when results are shown.
LATER = "Results are shown when "


def teams() -> Event:
    return event(6, stage={"format": "dup_teams", "rounds_planned": 2, **COMMON, "plan": {"boards": 2}})


def pairs(planned: int = 1) -> Event:
    stage = {"format": "dup_pairs", "match_score": "hand_points", "rounds_planned": planned, **COMMON}
    return event(6, stage={**stage, "plan": {"boards": 2}})


def play(made: Event, round_: Round, tables: int | None, totals: tuple[int, int]) -> None:
    """The two boards of the first tables of a round, of all when None: at table 1 as asked for, at the others alike.

    Then the live table is worked out.
    """
    for sitting in round_.sittings.order_by("table__number")[:tables]:
        for total in totals if sitting.table.number == 1 else (60, 60):
            made.hand(sitting, total)
    recalculate(tournament_id=made.tournament.pk, at=made.tick())


def close(made: Event, round_: Round) -> None:
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    recalculate(tournament_id=made.tournament.pk, at=made.tick())


def half_of_teams(made: Event, round_: Round, totals: tuple[int, int]) -> None:
    """The first match is over in both rooms, the others have not begun."""
    play(made, round_, 2, totals)


def one_room(made: Event, round_: Round, totals: tuple[int, int]) -> None:
    play(made, round_, 1, totals)


def one_of_two_rounds(made: Event, round_: Round, totals: tuple[int, int]) -> None:
    """The round is closed; its boards go to other tables in the next one."""
    play(made, round_, None, totals)
    close(made, round_)


#: An event, how far its first round is, and whether a match of it is over.
PART_WAY: list[tuple[Callable[[], Event], Callable[[Event, Round, tuple[int, int]], None], bool]] = [
    (teams, half_of_teams, True),
    (teams, one_room, False),
    (pairs, one_room, True),
    (lambda: pairs(planned=2), one_of_two_rounds, True),
]
IDS = ["teams", "teams, one room", "pairs", "pairs, one round of two"]

#: When boards, and results, are shown: of teams round by round, of pairs when no board can go to another table.
WHEN_TEAMS = {
    "en": (
        "Boards 1 and 2 are shown when every table has played them and the round is closed.",
        "Results are shown when every table has played the boards and the round is closed.",
    ),
    "zh": ("第 1、2 副牌待各桌都打完、本轮结束后显示。", "成绩待各桌都打完这些牌副、本轮结束后显示。"),
}
WHEN_PAIRS = {
    "en": (
        "Boards 1 and 2 are shown when all planned rounds are closed.",
        "Results are shown when all planned rounds are closed.",
    ),
    "zh": ("第 1、2 副牌待规定的各轮全部结束后显示。", "成绩待规定的各轮全部结束后显示。"),
}

#: Where everybody can read, and whether that tells results once they are told.
PAGES: dict[str, bool] = {
    "": False,
    "rounds/": False,
    "rounds/1/": True,
    "rounds/1/tables/1/": True,
    "rounds/1/tables/1/share/": True,
    "rounds/1/tables/2/": False,
    "standings/": True,
    "standings/?stage=all": False,
    "stages/1/boards/1/": True,
    "stages/1/boards/2/": True,
    "entrants/": False,
    "entrants/1/": True,
    "entrants/1/share/": True,
    "share/": False,
    "statistics/": False,
    "entrants/3/": False,
    "rulings/": False,
    "screen/": True,
    "screen/?show=standings": True,
    "screen/?show=hands": False,  # the last five, which other tables played
    "follow/?n=1,3": True,
    "rules/": True,
    "check/": False,
    "certificate/": True,
    "certificate/certificate.json": True,
}
API: dict[str, bool] = {
    "": False,
    "rounds/": False,
    "rounds/1/": True,
    "standings/": True,
    "stages/1/standings/": True,
    "standings.csv": True,
    "stages/1/": False,
    "stages/1/boards/1/": True,
    "stages/1/boards/2/": True,
    "entrants/": False,
    "publications/": False,
    "rulings/digest/": False,
    "rounds/1/draw/": False,
    "certificate/": True,
    "export/": True,
}
AT_TABLE: dict[str, bool] = {"": True, "entries/": True}


@contextmanager
def undone(made: Event) -> Iterator[None]:
    """What is done inside is taken back, with the time it took."""
    then, mark = made.now, transaction.savepoint()
    yield
    transaction.savepoint_rollback(mark)
    # certificates are kept by the state of the record, whose ids now come again
    cache.clear()
    made.now = then


def read(client: Client, made: Event, table: int) -> dict[str, tuple[int, str]]:
    """Every public page in both languages, and every public document of the API."""
    slug, sitting = made.tournament.slug, Sitting.objects.get(table__number=table, active=True, round__number=1).pk
    addresses = [f"/{language}/e/{slug}/{page}" for page in PAGES for language in ("en", "zh")]
    addresses += [f"/api/v1/events/{slug}/{part}" for part in API]
    addresses += [f"/api/v1/sittings/{sitting}/{part}" for part in AT_TABLE]
    found = {}
    for address in addresses:
        answer = client.get(address)
        found[address] = (answer.status_code, answer.content.decode())
    return found


def telling(made: Event, sitting: int) -> set[str]:
    slug = made.tournament.slug
    pages = {f"/{language}/e/{slug}/{page}" for page, tells in PAGES.items() if tells for language in ("en", "zh")}
    return (
        pages
        | {f"/api/v1/events/{slug}/{part}" for part, tells in API.items() if tells}
        | {f"/api/v1/sittings/{sitting}/{part}" for part, tells in AT_TABLE.items() if tells}
    )


@pytest.mark.parametrize(("make", "play_so_far", "over"), PART_WAY, ids=IDS)
def test_nothing_public_depends_on_a_board_that_others_have_to_play(
    make, play_so_far, over, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, now = make(), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)  # pages that tell the time tell the same twice
    round_ = made.running(*ROUND)
    seen = []
    for totals in (HOME, AWAY):
        with undone(made):
            play_so_far(made, round_, totals)
            seen.append(read(client, made, 1))
    assert {address: text for address, text in seen[0].items() if text != seen[1][address]} == {}
    # it is told that something was played, and when it is shown
    page, slug = seen[0], made.tournament.slug
    when = WHEN_PAIRS if round_.stage.format == "dup_pairs" else WHEN_TEAMS
    for language, (boards, results) in when.items():
        assert boards in page[f"/{language}/e/{slug}/rounds/1/tables/1/"][1]
        for path in ("rounds/1/", "entrants/1/", "follow/?n=1,3"):
            assert not over or results in page[f"/{language}/e/{slug}/{path}"][1], path
        assert (results in page[f"/api/v1/events/{slug}/standings/"][1]) == over


@pytest.mark.parametrize("make", [teams, pairs], ids=["teams", "pairs"])
def test_everything_is_shown_when_nobody_has_to_play_it_any_more(make, client: Client) -> None:
    made = make()
    round_ = made.running(*ROUND)
    sitting = round_.sittings.get(table__number=1)
    seen = []
    for totals in (HOME, AWAY):
        with undone(made):
            play(made, round_, None, totals)
            close(made, round_)
            seen.append(read(client, made, 1))
    told = {address for address, text in seen[0].items() if text != seen[1][address]}
    assert telling(made, sitting.pk) - told == set()
    assert not any(" shown when " in text or "后显示。" in text for _, text in seen[0].values())


def test_officials_and_the_own_phone_see_what_they_saw(client: Client) -> None:
    made = teams()
    round_ = made.running(*ROUND)
    half_of_teams(made, round_, AWAY)
    first = round_.sittings.get(table__number=1)
    other = round_.sittings.get(table__number=5)
    address, whole = f"sittings/{first.pk}/", f"events/{made.tournament.slug}/rounds/1/"
    own, elsewhere = (phone(Actor(device=factories.device(one, "NS"))) for one in (first, other))
    official = desk(made.actor)
    for who, sees in ((official, True), (own, True), (elsewhere, False)):
        found = who.get(address).json
        assert len(found["hands"]) == (2 if sees else 0)
        assert ("kept_back" in found) == (not sees)
        assert len(who.get(f"{address}entries/").json["results"]) == (2 if sees else 0)
        match = who.get(whole).json["matches"][0]
        assert (match["home_score"] is not None) == (who is official)
    told = elsewhere.get(address).json["kept_back"]
    assert (told["played"], told["waiting"]) == ([1, 2], [1, 2])
    assert official.get(f"events/{made.tournament.slug}/standings/").status == 200
    refused = elsewhere.get(f"events/{made.tournament.slug}/standings/")
    assert (refused.status, refused.error["code"]) == (409, "boards_wait")


def test_the_table_of_a_stage_shows_again_with_the_round(client: Client) -> None:
    made = teams()
    close_first = made.running(*ROUND)
    play(made, close_first, None, HOME)
    close(made, close_first)
    address = f"/en/e/{made.tournament.slug}/standings/"
    assert 'id="later"' not in client.get(address).content.decode()
    # nothing of the second round counts yet, so the table is the one after the first
    second = made.running((1, 3), (2, 5), (4, 6))
    assert 'id="later"' not in client.get(address).content.decode()
    half_of_teams(made, second, AWAY)
    assert 'id="later"' in client.get(address).content.decode()
    # the boards of the first round stay shown
    assert "35: " in client.get(f"/en/e/{made.tournament.slug}/rounds/1/tables/1/").content.decode()


def test_a_forfeit_is_told_and_its_boards_are_not(client: Client) -> None:
    made = pairs()
    round_ = made.running(*ROUND)
    first = round_.sittings.get(table__number=1)
    made.hand(first, 135)
    forfeit(match_id=first.match_id, actor=made.actor, at=made.tick(), outcome="away_forfeit", reason="left")
    page = client.get(f"/en/e/{made.tournament.slug}/rounds/1/tables/1/").content.decode()
    assert "135" not in page
    match = client.get(f"/api/v1/events/{made.tournament.slug}/rounds/1/").json()["matches"][0]
    assert (match["outcome"], match["home_score"] is None) == ("away_forfeit", False)


def test_where_nothing_is_shown_live_boards_wait_for_the_publication(client: Client) -> None:
    made = teams()
    Tournament.objects.update(live_public=False)
    round_ = made.running(*ROUND)
    play(made, round_, None, AWAY)
    close(made, round_)
    here = f"/en/e/{made.tournament.slug}/rounds/1/"
    page = client.get(f"{here}tables/1/").content.decode()
    assert "135" not in page
    said = "when every table has played them and the standings are published"
    assert said in page
    assert said.replace("them", "the boards") in client.get(here).content.decode()
    publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    assert "135" in client.get(f"{here}tables/1/").content.decode()


def exported(made: Event, **more: bool) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(event_json(Tournament.objects.get(pk=made.tournament.pk), **more))
    return document


def test_the_public_record_stays_whole_and_says_what_it_leaves_out() -> None:
    made = pairs(planned=2)
    round_ = made.running(*ROUND)
    one_of_two_rounds(made, round_, AWAY)
    publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    public = exported(made)
    assert public["withheld"] == [round_.pk]
    assert [(one["outcome"], one["home_hundredths"]) for one in public["matches"]] == [("pending", None)] * 3
    assert [public[name] for name in ("sittings", "ledger", "board_results", "standings")] == [[], [], [], []]
    assert audit(public) == []
    (line,) = [one for one in certify(public).lines if one.kind == "round"]
    assert (line.verdict, line.note["en"]) == ("recorded", "boards that other tables have to play are left out")
    official = exported(made, official=True)
    assert "withheld" not in official
    assert audit(official) == []
    assert len(official["ledger"]) == 6
    last = made.running((1, 3), (2, 5), (4, 6))
    play(made, last, None, HOME)
    close(made, last)
    public = exported(made)
    assert "withheld" not in public
    assert len(public["ledger"]) == 12
    assert audit(public) == []


def test_the_cards_of_a_board_wait_as_its_result_does(client: Client) -> None:
    made = teams()
    round_ = made.running(*ROUND)
    first = round_.sittings.get(table__number=1)
    record = simulate(made.tournament.profile, Random("1"), dealer=Seat.N, level=Level("2"))
    facts = replay(made.tournament.profile, record).sheet.to_json()
    scorekeeping.record_hand(
        sitting_id=first.pk, actor=made.actor, at=made.tick(), facts=facts, hand_no=1, basis="watched"
    )
    attach(sitting_id=first.pk, actor=made.actor, at=made.tick(), hand_no=1, text=write(record))
    page = f"/en/e/{made.tournament.slug}/rounds/1/tables/1/hands/1/"
    address = f"sittings/{first.pk}/hands/1/record/"
    assert (client.get(page).status_code, client.get(f"/api/v1/{address}").status_code) == (404, 404)
    assert desk(made.actor).get(address).status == 200
    made.hand(first, 60)
    for sitting in round_.sittings.exclude(pk=first.pk):
        made.hand(sitting, 60)
        made.hand(sitting, 60)
    close(made, round_)
    assert (client.get(page).status_code, client.get(f"/api/v1/{address}").status_code) == (200, 200)


@pytest.mark.django_db(transaction=True)
def test_two_readers_and_the_caches_between(live_server: Any, until: Callable[..., Any]) -> None:
    """An official and a stranger ask for the same, in turn: only what the stranger gets may be kept on the way."""
    made = pairs()
    round_ = made.running(*ROUND)
    slug = made.tournament.slug
    session = f"sessionid={factories.signed_in(made.actor, 'en').cookies['sessionid'].value}"

    def answer(path: str, cookie: str = "") -> tuple[str, str]:
        with urlopen(Request(live_server + path, headers={"Cookie": cookie})) as found:
            return found.headers["Cache-Control"], found.read().decode()

    answer(f"/en/e/{slug}/")
    until(lambda: hub.still(event_topic(slug), time.time()))
    play(made, round_, 1, HOME)
    # while boards are kept back nobody is told; something else is, for example a clock
    before, _ = hub.version(event_topic(slug))
    publish_to_pages(event_topic(slug), {"what": "round"}, public=True)
    until(lambda: hub.version(event_topic(slug))[0] != before)
    version, _ = hub.version(event_topic(slug))
    for path in ("standings/", "rounds/1/"):
        asked = f"/en/e/{slug}/{path}?part=live&v={version}"
        for cookie in (session, "", session):
            how, page = answer(asked, cookie)
            assert how == ("private, no-cache" if cookie else "public, max-age=3600, immutable"), path
            assert LATER in page
        assert answer(asked + "0")[0] == "no-store"
        assert answer(f"/en/e/{slug}/{path}?part=live", session)[0] == "private, no-cache"
    for path in (f"/desk/{slug}/", f"/desk/{slug}/live/?part=live&v={version}"):
        how, _page = answer(path, session)
        assert how == "private, no-store", path


@pytest.mark.skipif(PROGRAM is None, reason="no nginx here: apt-get install nginx-light")
@pytest.mark.django_db(transaction=True)
def test_two_readers_through_the_proxy(live_server: Any, tmp_path: Path, until: Callable[..., Any]) -> None:
    """What lies in the cache of the proxy, after an official and a stranger have asked for everything in turn."""
    made = pairs()
    round_ = made.running(*ROUND)
    slug = made.tournament.slug
    session = f"sessionid={factories.signed_in(made.actor, 'en').cookies['sessionid'].value}"
    play(made, round_, 1, HOME)
    port = int(live_server.url.rpartition(":")[2])
    pages = [f"/en/e/{slug}/{path}" for path in ("", "standings/", "rounds/1/", "standings/?part=live")]
    with Names({"web": "127.0.0.1", "stream": "127.0.0.1"}).serving() as names, proxy(tmp_path, names, port) as front:

        def ask(path: str, cookie: str = "") -> tuple[str, str]:
            status, headers, body = front.ask(path, Host=live_server.url.removeprefix("http://"), Cookie=cookie)
            assert status == 200, path
            return headers["Cache-Control"], body.decode()

        def kept() -> dict[str, str]:
            """What is kept, by the address it is kept under."""
            texts = [one.read_bytes().decode("utf-8", "replace") for one in front.kept.rglob("*") if one.is_file()]
            return {text.partition("KEY: ")[2].partition("#")[0].partition(slug)[2]: text for text in texts}

        for cookie in (session, "", session):
            for path in pages:
                how, page = ask(path, cookie)
                assert how.startswith("private") == bool(cookie), path
                assert (LATER in page) == ("/standings/" in path or "/rounds/" in path), path
            ask(f"/desk/{slug}/", session)
            # of the official nothing lies there, also where a stranger has asked for the same before
            assert set(kept()) == (set() if cookie and not kept() else {"/", "/standings/", "/rounds/1/"})
        for text in kept().values():
            assert "private" not in text.partition("\r\n\r\n")[0]
            assert session.partition("=")[2] not in text
        # once all is played the boards are told: to strangers within two seconds, with nobody emptying anything
        for sitting in round_.sittings.exclude(table__number=1):
            made.hand(sitting, 60)
            made.hand(sitting, 60)
        close(made, round_)
        until(lambda: LATER not in ask(pages[1])[1], seconds=10)
