"""Every public page in both languages: what it says, what it never says, how it may be kept."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.public.presenters.meetings import in_columns, meetings
from referee.public.presenters.screen import HANDS
from referee.templatetags.referee import _worded
from scoring import profiles
from scoring.standings.results import Result
from tests.markup import flat
from tests.referee.public.events import played, publish
from tests.tournaments import factories, playing
from tournaments.events import rule_changes
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.officials_entries import forfeit
from tournaments.models import Entrant, Player, Publication, StageEntrant, Tournament
from tournaments.rounds.acts import create_round
from tournaments.standings.runs import recalculate
from tournaments.standings.shown import _known, live_standings, publication_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db

# path, what it says in English and in Chinese, of `played()`: round 1 published, round 2 running, a hand waits
PAGES = [
    ("", "Order of the standings", "名次顺序"),
    ("?q=lee 3", "Found: 1", "找到 1 个"),
    ("?q=4", "Round 2: table 2", "第 2 轮：2 桌"),
    ("?q=nobody", "No entrant has that name", "没有找到"),
    ("rounds/", "2 of 2 results", "2 桌中 2 桌已有结果"),
    ("rounds/1/", "2 of 2 results", "2 桌中 2 桌已有结果"),
    ("rounds/2/", "hand 2", "第 2 副"),
    ("rounds/2/?q=王3", "Show all", "全部显示"),
    ("rounds/2/?view=map", "Map of the hall", "场地图"),
    ("rounds/1/tables/1/", "Attackers 80 → take the deal, +0", "闲家 80 → 闲家上台，不升级"),
    ("rounds/1/tables/2/", "N–S from 2, to 4", "南北方 2 起，到 4"),
    ("rounds/2/tables/1/", "A hand counts, and is shown, when two parties stand behind it.", "双方都认可的一副才计入"),
    ("standings/", "Provisional, still open:", "暂定，未完："),
    ("standings/?cols=all", "Fewer columns", "少几列"),
    ("standings/1/", "Standings after round 1", "第 1 轮后名次"),
    ("entrants/", "Pair 4", "Pair 4"),
    ("entrants/?q=2", "Pair 2", "Pair 2"),
    ("entrants/1/", "Round 2, table 1", "第 2 轮 1 桌"),
    ("follow/?n=1,4", "Followed entrants", "关注的参赛方"),
    ("follow/?n=1,2,3,4", "hand 2 waits for confirmation", "第 2 副待确认"),
    ("screen/", "Live standings", "实时名次"),
    ("screen/?show=hands", "Latest hands", "最近各副"),
    ("screen/?show=map", "Map of the hall", "场地图"),
    ("screen/?show=clock", "Time: finish the hand in progress", "时间到：打完这副"),
    ("check/", "Rules in force", "所用规则"),
    ("rules/", "in force at this event", "本赛事采用"),
    ("rulings/", "Nothing has been ruled at this event.", "本赛事还没有判罚。"),
]
RULES = [
    ("/en/rules/", "National competition rules, two decks"),
    ("/zh/rules/", "中国升级竞赛规则"),
    ("/en/rules/scn2-2013/", 'id="scn2.'),
    ("/zh/rules/scn2-2013/", "全部条款"),
    ('/en/rules/scn2-2013/?set={"throw_fine":5}', "The event sets: "),
]
LIVE = ["", "rounds/", "rounds/2/", "rounds/2/tables/1/", "standings/", "entrants/1/", "follow/", "screen/"]


@pytest.fixture
def event() -> Event:
    return played()


def base(event: Event, language: str = "en") -> str:
    return f"/{language}/e/{event.tournament.slug}/"


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return flat(answer.content.decode())


def words_of(page: str) -> str:
    """The words a reader sees, tags away."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


@pytest.mark.long
def test_pages_say_it_in_both_languages(event: Event, client: Client) -> None:
    for path, en, zh in PAGES:
        for language, said, tag in (("en", en, "en"), ("zh", zh, "zh-Hans")):
            page = text_of(client, base(event, language) + path)
            assert said in page, (language, path)
            assert f'lang="{tag}"' in page
            assert page.count("<h1") == 1, path
    for address, said in RULES:
        assert said in text_of(client, address), address
    assert base(event) in text_of(client, "/en/")
    assert base(event, "zh") in text_of(client, "/zh/")


@pytest.mark.long
def test_chinese_pages_hold_no_english_sentences(event: Event, client: Client) -> None:
    own = {"Event", "Pair", "Lee", "Referee", "CSV", "JSON", "EN", "National", "XLSX"}
    for path, _en, _zh in PAGES:
        page = re.sub(
            r'<svg.*?</svg>|<[^>]*lang="en"[^>]*>.*?</a>', " ", text_of(client, base(event, "zh") + path), flags=re.S
        )
        for word in re.findall(r"\b[A-Z][a-z]{3,}\b", words_of(page)):
            assert word in own, (path, word)


@pytest.mark.long
def test_a_waiting_hand_is_never_public(client: Client) -> None:
    """195 in tricks waits at table 1: neither the figure nor what it would do is on any page, live part or file."""
    event = played()
    waits = event.tournament.rounds.get(number=2).sittings.get(table__number=1)
    assert waits.entries.get(status="waiting").facts["captured_in_tricks"] == 195
    # the table of levels names every total there is
    pages = [path for path, _, _ in PAGES if path != "rules/"]
    paths = pages + [f"{path}?part=live" for path in LIVE] + ["standings/1/document.json"]
    for path in paths:
        for language in ("en", "zh"):
            words = words_of(text_of(client, base(event, language) + path))
            assert not re.search(r"\b195\b", words), path
            assert "take the deal, +2" not in words, path
    assert "Hand 2 waits for confirmation" in text_of(client, base(event) + "rounds/2/tables/1/")


@pytest.mark.long
def test_live_parts_are_the_inside_of_the_page(event: Event, client: Client) -> None:
    for path in LIVE:
        part = text_of(client, f"{base(event)}{path}?part=live")
        assert "<html" not in part
        whole = text_of(client, base(event) + path)
        assert 'data-live-url="/live/' in whole
        assert 'part=live"' in whole


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("", "en"),
        ("en-GB,en;q=0.9", "en"),
        ("zh-CN", "zh"),
        ("zh-TW,zh;q=0.8,en;q=0.5", "zh"),
        ("zh-Hant-HK", "zh"),
        ("fr,de;q=0.7", "en"),
        ("de,zh;q=0.5,en;q=0.3", "zh"),
    ],
)
def test_front_door(client: Client, asked: str, language: str) -> None:
    answer = client.get("/", headers={"accept-language": asked} if asked else {})
    assert (answer.status_code, answer["Location"]) == (302, f"/{language}/")
    assert "Accept-Language" in answer["Vary"]


@pytest.mark.long
def test_what_is_not_there_is_404(event: Event, client: Client) -> None:
    other = played()
    create_round(tournament_id=event.tournament.pk, actor=event.actor, at=event.tick())
    paths = (
        "rounds/3/",  # a draft is not public
        "rounds/9/",
        "rounds/1/tables/9/",
        "standings/9/",
        "standings/?stage=7",
        "entrants/99/",
        f"standings/{other.tournament.publications.get().pk + 1000}/document.json",
    )
    for path in paths:
        assert client.get(base(event) + path).status_code == 404, path
    for address in (
        "/fr/",
        "/en/e/nowhere/",
        "/en/rules/nowhere/",
        '/en/rules/scn2-2013/?set={"decks":"x"}',
        "/en/rules/scn2-2013/?set=[[[",
    ):
        assert client.get(address).status_code == 404, address
    assert client.post(base(event)).status_code == 405


@pytest.mark.long
def test_reading_sets_no_cookie_and_needs_no_session(event: Event) -> None:
    client = Client()
    for path, _, _ in PAGES:
        answer = client.get(base(event) + path)
        assert not answer.cookies, path
        assert "Cookie" in answer["Vary"]
        assert "private" not in answer["Cache-Control"]


def test_entity_tags(event: Event, client: Client) -> None:
    """A page asked for again is 304; it differs by language, theme and suits, and once a name has changed."""
    address = base(event) + "standings/1/"
    first = client.get(address)
    assert first["Cache-Control"] == "public, no-cache"
    again = client.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    tags = {first["ETag"], client.get(base(event, "zh") + "standings/1/")["ETag"]}
    for cookie in ("theme=dark", "suits=four"):
        tags.add(client.get(address, headers={"cookie": cookie})["ETag"])
    Entrant.objects.filter(pk=event.ids[1]).update(name="Erased")
    tags.add(client.get(address)["ETag"])
    assert len(tags) == 5
    assert client.get(base(event) + "standings/")["Cache-Control"] == "public, no-cache"


def test_document_has_its_digest(event: Event, client: Client) -> None:
    answer = client.get(base(event) + "standings/1/document.json")
    digest = hashlib.sha256(answer.content).hexdigest()
    assert digest in text_of(client, base(event) + "standings/1/")
    assert digest in text_of(client, base(event) + "check/")
    assert b"Pair" not in answer.content


@pytest.mark.long
def test_replaced_publication_stays_and_names_its_successor(event: Event, client: Client) -> None:
    before = words_of(text_of(client, base(event) + "standings/1/"))
    first = event.tournament.publications.get()
    publish(event, event.tournament.rounds.get(number=1), supersedes=first.pk, reason="Slip misread")
    page = text_of(client, base(event) + "standings/1/")
    assert "Replaced by no. 2: Slip misread" in page
    assert first.digest in page
    rows = re.compile(r"# Entrant .* Check it yourself")
    assert rows.search(words_of(page)).group() == rows.search(before).group()
    assert "Replaces no. 1: Slip misread" in text_of(client, base(event) + "standings/2/")


@pytest.mark.long
def test_shared_places_and_reasons() -> None:
    """Four entrants drew or won alike: shared ranks carry "=", and a tie split by a hidden column says why."""
    event = played(3)
    client = Client()
    words = words_of(text_of(client, base(event) + "standings/3/"))
    assert re.search(r"=1 Pair \d+ ", words)
    assert "5 before 8: equal on points (3), opponent points (9); wins 1 to 0" in words
    assert "After R3" in words


def test_the_list_of_entrants_has_place_and_rounds_and_is_sorted(event: Event, client: Client) -> None:
    def numbers(query: str) -> list[int]:
        page = text_of(client, base(event) + f"entrants/{query}")
        return [int(number) for number in re.findall(r'<td class="num">(\d+)</td>\s*<th scope="row">', page)]

    page = text_of(client, base(event) + "entrants/")
    assert 'class="met won"' in page
    ranks = {row.entrant.number: row.rank for row in live_standings(event.tournament.stages.get()).rows}
    assert numbers("") == numbers("?sort=nonsense") == sorted(ranks)
    assert numbers("?sort=place") == sorted(ranks, key=lambda number: (ranks[number], number))
    assert "?sort=unit" not in page, "nobody has a unit"
    event.tournament.entrants.filter(number__in=(2, 4)).update(unit="东区")
    assert numbers("?sort=unit") == [2, 4, 1, 3]
    Tournament.objects.filter(pk=event.tournament.pk).update(live_public=False)
    page = text_of(client, base(event) + "entrants/")
    assert 'class="met' not in page
    assert "?sort=place" not in page


def test_hidden_live_standings(event: Event, client: Client) -> None:
    Tournament.objects.filter(pk=event.tournament.pk).update(live_public=False)
    page = text_of(client, base(event) + "standings/")
    assert "shows its standings only when they are published" in page
    assert "Pair 1" not in page
    assert "Pair 1" not in text_of(client, base(event) + "standings/?part=live")
    assert "Place now" not in text_of(client, base(event) + "entrants/1/")
    screen = text_of(client, base(event) + "screen/?show=standings")
    assert "Live standings" not in screen
    assert "only when they are published" in screen
    assert "Pair 1" in text_of(client, base(event) + "standings/1/")


def test_correction_is_told_with_its_reason(event: Event, client: Client) -> None:
    sitting = playing.sittings_of(event.tournament.rounds.get(number=2))[1]
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
    page = text_of(client, base(event) + "rounds/2/tables/2/")
    assert "Slip misread" in page
    assert "Version 2" in page
    assert re.search(r"Points in tricks: <span[^>]*>35</span> → 60", page)
    assert "Attackers 60" in page
    assert "Attackers 35" not in page


@pytest.mark.long
def test_reasons_link_to_their_clauses(event: Event, client: Client) -> None:
    page = text_of(client, base(event) + "rounds/1/tables/1/")
    found = re.findall(r'<a class="clause" href="([^"#]+)#([^"]+)"', page)
    assert found
    for address, clause in found:
        assert f'id="{clause}"' in text_of(client, address)


def test_clauses_of_an_event_that_changes_rules(client: Client) -> None:
    """F3 changes must-play levels: the chips of its pages lead to the clauses as they are in force there."""
    event = playing.event(preset="F3")
    page = text_of(client, base(event))
    address = re.search(r'href="(/en/rules/[^"]+)"', page).group(1).replace("&amp;", "&")
    assert "The event sets: " in text_of(client, address)


@pytest.mark.long
def test_latin_names_on_english_pages(event: Event, client: Client) -> None:
    Entrant.objects.filter(pk=event.ids[1]).update(name="刘洋 / 赵敏", name_latin="Liu Yang / Zhao Min")
    Player.objects.filter(entrant=event.ids[1], order=1).update(name="刘洋", name_latin="Liu Yang")
    Tournament.objects.filter(pk=event.tournament.pk).update(name="澄湖杯", name_latin="Chenghu Cup")
    for path in (
        "rounds/1/",
        "rounds/1/tables/1/",
        "standings/",
        "standings/1/",
        "entrants/",
        "entrants/1/",
        "screen/",
    ):
        en, zh = (words_of(text_of(client, base(event, language) + path)) for language in ("en", "zh"))
        assert "Liu Yang / Zhao Min" in en, path
        assert "刘洋 / 赵敏" not in en, path
        assert "刘洋 / 赵敏" in zh, path
    for query in ("liuyang", "LIU Y", "刘洋", "zhao"):
        assert "Found: 1" in text_of(client, f"{base(event)}?q={query}"), query
    assert "Chenghu Cup" in text_of(client, "/en/")


@pytest.mark.long
def test_bye_and_forfeit(client: Client) -> None:
    event = playing.event(pairs=3)
    round_ = event.running((1, 2), (3, None))
    match = round_.matches.get(away__isnull=False)
    forfeit(match_id=match.pk, actor=event.actor, at=event.tick(), outcome="away_forfeit", reason="absent")
    words = words_of(text_of(client, base(event) + "rounds/1/"))
    assert "forfeit" in words
    assert "bye" in words
    # nobody waits for the result of a bye
    assert "1 of 1 results" in words
    assert "1 of 1 results" in words_of(text_of(client, base(event) + "rounds/"))
    assert "away side forfeits" in text_of(client, base(event) + "rounds/1/tables/1/").lower()
    assert "bye" in words_of(text_of(client, base(event) + "entrants/3/"))


def test_a_list_says_who_plays_below_a_name_that_does_not(client: Client) -> None:
    """On a phone, where there is no column for the players."""
    made = playing.event(pairs=2)
    made.tournament.entrants.filter(number=2).update(name="王2 / Lee 2", unit="东区")
    rows = re.findall(r'<th scope="row">.*?</th>', text_of(client, base(made) + "entrants/"), re.DOTALL)
    assert len(rows) == 2
    assert "王1" in rows[0]
    assert "王2 / Lee 2" in rows[1]
    assert rows[1].count("Lee 2") == 1
    assert "东区" in rows[1]


@pytest.mark.parametrize("typed", ["gaofeng", "gf", "GAO", "Gao Feng", "高峰", "lm"])
def test_an_entrant_is_found_by_pinyin_and_initials(event: Event, client: Client, typed: str) -> None:
    Entrant.objects.filter(tournament=event.tournament, number=3).update(name="高峰 / 李明")
    for path in ("", "entrants/", "rounds/2/", "standings/"):
        page = text_of(client, f"{base(event, 'zh')}{path}?q={typed}")
        assert "高峰 / 李明" in page, path
        assert "Pair 2" not in page, path


@pytest.mark.long
def test_queries_do_not_grow(client: Client) -> None:
    """As many queries with 12 pairs, 4 rounds, 3 hands a table and 3 publications as with 4, 2, 1 and 1."""
    counts = []
    for size in (1, 3):
        event = played(size)
        last = size + 1
        paths = [re.sub(r"rounds/2/", f"rounds/{last}/", path) for path, _, _ in PAGES]
        found = {}
        for path, generic in zip(paths, (path for path, _, _ in PAGES), strict=True):
            _known.clear()
            with CaptureQueriesContext(
                connection,
            ) as queries:
                text_of(client, base(event) + path)
            found[generic] = len(queries)
        counts.append(found)
    assert counts[0] == counts[1]
    # an event shows something of everything, and is made once for all its readers
    assert counts[0].pop("") <= 30
    # every board at once, three of them for the published tables, which a process reads once
    assert counts[0].pop("screen/") <= 24
    assert max(counts[0].values()) <= 21


@pytest.mark.long
def test_a_long_table_is_cut_into_pages(client: Client) -> None:
    event = played()
    stage = event.tournament.stages.get()
    for number in range(5, 111):
        late = factories.entrant(event.tournament, number)
        StageEntrant.objects.create(stage=stage, entrant=late, order=number, joined_at=factories.AT)
    publication = publish(event, stage.rounds.get(number=2))
    first = text_of(client, f"{base(event)}standings/{publication.number}/")
    assert first.count('data-key="place-') == 100
    assert text_of(client, f"{base(event)}standings/{publication.number}/?page=2").count('data-key="place-') == 10
    listed = text_of(client, base(event) + "entrants/")
    assert listed.count('<th scope="row">') == 100
    assert "Pair 110" in text_of(client, base(event) + "entrants/?page=2")
    assert "Pair 110" in text_of(client, base(event) + "entrants/?page=nonsense&q=110")


def places_in(page: str) -> list[str]:
    return re.findall(r'data-key="place-(\d+)"', page)


@pytest.mark.parametrize("path", ["standings/", "standings/1/"])
def test_a_table_comes_by_pages_or_whole_and_finds_everybody(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    presenters = "referee.public.presenters"
    for module in ("referee.public.paging", f"{presenters}.standings", f"{presenters}.standing_lines"):
        monkeypatch.setattr(f"{module}.PAGE", 3)
    event = played()
    address = base(event) + path
    whole = text_of(client, f"{address}?page=all")
    everybody = places_in(whole)
    assert len(everybody) == 4
    assert "In pages of a hundred" in whole
    pages = [places_in(text_of(client, f"{address}?page={number}")) for number in (1, 2)]
    assert pages == [everybody[:3], everybody[3:]]
    last = Entrant.objects.get(pk=everybody[3])
    found = text_of(client, f"{address}?q={last.number}&cols=all")
    assert places_in(found) == everybody[3:]
    # the line leads to its page, and the name in an address to the page with it
    to = re.search(r'href="(\?[^"]*page=2)#place-', found)
    assert to is not None
    assert places_in(text_of(client, address + to[1].replace("&amp;", "&"))) == everybody[3:]
    assert places_in(text_of(client, f"{address}?of={last.pk}")) == everybody[3:]
    assert "No entrant has that name" in text_of(client, f"{address}?q=nobody")
    # every round of everybody, whoever else is on the page
    rounds = [re.findall(r'class="met \w+" title="([^"]*)"', page) for page in (whole, found)]
    assert rounds[1] == rounds[0][-len(rounds[1]) :] != []


def test_a_row_is_worded_once_and_anew_when_it_moves(client: Client) -> None:
    event = played()
    address = base(event) + "standings/"
    _worded.cache_clear()
    before = text_of(client, address)
    made = _worded.cache_info()
    assert text_of(client, address) == before
    again = _worded.cache_info()
    assert (again.misses, again.hits - made.hits) == (made.misses, 4)
    assert text_of(client, base(event, "zh") + "standings/").count('data-key="place-') == 4
    assert _worded.cache_info().misses == made.misses + 4
    Entrant.objects.filter(tournament=event.tournament, number=1).update(name="Somebody else")
    moved = text_of(client, address)
    assert moved.count("Somebody else</a>") == 1
    assert "Pair 1</a>" not in moved


def test_the_screen_brings_its_pages_in_reels(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.public.presenters.screen.ROWS", 1)
    monkeypatch.setattr("referee.public.presenters.screen.REEL", 4)
    event = played()
    address = base(event) + "screen/?show=pairings,standings"
    seen: list[str] = []
    for number in (1, 2, 3):
        page = text_of(client, f"{address}&reel={number}")
        seen += re.findall(r'data-slide id="([^"]+)"', page)
        following = f"reel={number % 2 + 1}&amp;part=live" if number < 3 else "reel=1&amp;part=live"
        assert f'data-slides-next="{base(event)}screen/?show=pairings%2Cstandings&amp;{following}' in page
    first = ["pairings-1", "pairings-2", "standings-1", "standings-2"]
    assert seen == [*first, *["standings-3", "standings-4"] * 2]


def test_the_screen_tells_who_moved_since_the_last_published_table(client: Client) -> None:
    event = playing.event(pairs=4)
    first = event.running((1, 2), (3, 4))
    event.play(first, [35], [80])
    address = base(event) + "screen/?show=standings"
    assert "moved since" not in text_of(client, address)
    publish(event, first)
    assert "moved since" not in text_of(client, address), "the table itself is no earlier one"
    second = event.running((1, 3), (4, 2))
    event.play(second, [80], [35])
    recalculate(tournament_id=event.tournament.pk, at=event.tick())
    live = {row.entrant.number: row.rank for row in live_standings(second.stage).rows}
    before = {row.entrant.number: row.rank for row in publication_rows(Publication.objects.get())}
    page = text_of(client, address)
    assert "moved since the table after round 1" in page
    rows = re.findall(r'<th scope="row">Pair (\d)</th><td class="num moved">(.*?)</td>', page)
    said = {int(number): re.sub(r"<[^>]+>", " ", cell).split() for number, cell in rows}
    moved = {number: (before[number] or 0) - (rank or 0) for number, rank in live.items()}
    assert {number > 0 for number in moved.values()} == {True, False}
    assert said == {
        number: ["▲", "up", str(by)] if by > 0 else ["▼", "down", str(-by)] if by else ["=", "unchanged"]
        for number, by in moved.items()
    }


@pytest.mark.long
def test_the_screen_tells_the_latest_hands_in_sentences(client: Client) -> None:
    """The newest first, confirmed ones alone; of the round in play, and of single players by their names."""
    event = played()
    page = text_of(client, base(event) + "screen/?show=hands")
    rows = re.findall(
        r'<td class="num"><b>(\d+)</b></td><td class="num">(\d+)</td><th scope="row">(.*?)<small>(.*?)<', page
    )
    sentence = "Attackers 35 → dealer side keep the deal, +2 (small win)"
    assert rows == [("2", "1", sentence, "Pair 4 · Pair 2"), ("1", "1", sentence, "Pair 1 · Pair 3")]
    later = event.tournament.rounds.get(number=2).sittings.get(table__number=2)
    for _ in range(HANDS):
        event.hand(later, 80)
    page = text_of(client, base(event, "zh") + "screen/?show=hands")
    assert page.count("闲家 80 → 闲家上台，不升级") == HANDS
    assert "闲家 35" not in page


def test_an_event_before_it_begins(client: Client) -> None:
    event = factories.tournament(place="Hall 3")
    for language, said in (("en", "No round is paired yet."), ("zh", "还没有编排。")):
        start = f"/{language}/e/{event.slug}/"
        for path in ("", "rounds/", "screen/"):
            assert said in text_of(client, start + path), path
        for path in ("?q=wang", "entrants/", "check/"):
            text_of(client, start + path)
    assert client.get(f"/en/e/{event.slug}/standings/").status_code == 404  # it has no stage yet
    factories.stage(event)
    assert "No results yet." in text_of(client, f"/en/e/{event.slug}/standings/")


@pytest.mark.parametrize(
    ("path", "asked"),
    [("standings/", "stage=1&"), ("standings/?stage=2", "stage=2&"), ("standings/?stage=all", "stage=all&")],
)
def test_a_live_page_asks_again_for_what_it_shows(client: Client, path: str, asked: str) -> None:
    event = playing.event(4, preset="F2", slug="two-stages")
    fragment = f'data-fragment-url="/en/e/two-stages/standings/?{asked}part=live"'.replace("&", "&amp;")
    assert fragment in text_of(client, base(event) + path)


@pytest.mark.long
def test_the_screen_names_groups_and_keeps_them_together(client: Client) -> None:
    """Two groups of seven do not fit on one page of twelve rows with their names."""
    event = playing.event(14, preset="F2", stage={"format": "groups_rr", "plan": {"groups": 2}})
    event.begun(event.drawn())
    recalculate(tournament_id=event.tournament.pk, at=event.tick())
    page = text_of(client, f"/en/e/{event.tournament.slug}/screen/?show=standings")
    first, second = page.split('id="standings-2"')
    assert ("Group 1</th>" in first, "Group 2</th>" in first) == (True, False)
    assert ("Group 2</th>" in second, second.count('<th scope="row">')) == (True, 7)


@pytest.mark.long
def test_the_screen_of_a_knockout_says_how_far_everybody_came(client: Client) -> None:
    event = playing.event(4, preset="F3")
    round_ = event.begun(event.drawn())
    event.play(round_, [35], [35])
    recalculate(tournament_id=event.tournament.pk, at=event.tick())
    page = text_of(client, f"/en/e/{event.tournament.slug}/screen/?show=standings")
    assert "Net levels" not in page
    assert page.count("semi-final") == 2
    assert "No round is being played now." in text_of(client, f"/en/e/{event.tournament.slug}/screen/?show=clock")


def test_a_disputed_hand_shows_neither_account(client: Client) -> None:
    hall = factories.hall()
    Tournament.objects.filter(pk=hall.event.pk).update(name="Autumn event")
    for actor, captured in ((hall.ns, 35), (hall.ew, 195)):
        scorekeeping.record_hand(
            sitting_id=hall.sitting.pk, actor=actor, at=factories.AT, facts=factories.sheet(captured), hand_no=1
        )
    start = f"/en/e/{hall.event.slug}/"
    page = text_of(client, start + "rounds/1/tables/1/")
    assert "A referee decides this hand." in page
    for path in ("", "rounds/1/", "rounds/1/tables/1/"):
        shown = text_of(client, start + path)
        assert "Dispute" not in shown, path
        assert "Referee" in words_of(shown), path
    for path in ("", "rounds/1/", "rounds/1/tables/1/", "standings/", "entrants/1/"):
        assert not re.search(r"\b(35|195)\b", words_of(text_of(client, start + path))), path


@pytest.mark.long
@pytest.mark.parametrize(
    ("after", "level", "words"),
    [((), "A", ("past A", "打过 A")), (("joker",), "joker", ("past the joker level", "打过王"))],
    ids=["past A", "past the joker level"],
)
def test_a_match_won_past_the_last_level(
    client: Client, after: Sequence[str], level: str, words: Sequence[str]
) -> None:
    rules = {"base": "cn-national-2d", "set": {"after_A": list(after)}}
    hall = factories.hall(profile=rules, levels=(level, "2"))
    recorded = scorekeeping.record_hand(
        sitting_id=hall.sitting.pk, actor=hall.ns, at=factories.AT, facts=factories.sheet(35), hand_no=1
    )
    scorekeeping.confirm_hand(
        sitting_id=hall.sitting.pk, actor=hall.ew, at=factories.AT, entry_id=recorded.entry.pk, version=1
    )
    recalculate(tournament_id=hall.event.pk, at=factories.AT)
    for path in ("rounds/1/", "rounds/1/tables/1/", "standings/?cols=all", "entrants/1/", "screen/"):
        for language, said in zip(("en", "zh"), words, strict=True):
            assert said in text_of(client, f"/{language}/e/{hall.event.slug}/{path}"), path


def test_the_address_on_the_table_card_leads_to_a_field_for_its_code(client: Client) -> None:
    front = client.get("/", follow=True, headers={"Accept-Language": "en"}).content.decode()
    assert 'href="/table/"' in front
    assert 'name="code"' in client.get("/table/").content.decode()


def test_a_publication_names_the_rules_it_was_published_under(client: Client) -> None:
    of = playing.event(2)
    first = of.running((1, 2))
    of.play(first, [60])
    publish(of, first)
    change = rule_changes.propose(
        tournament_id=of.tournament.pk, actor=of.actor, at=of.tick(), spec="scn2-2013", reason="misprint"
    )
    rule_changes.apply(change_id=change.pk, actor=of.actor, at=of.tick())
    before, after = (profiles.load(name).title["en"] for name in ("cn-national-2d", "scn2-2013"))
    published = text_of(client, base(of) + "standings/1/")
    assert before in published
    assert after not in published
    check = text_of(client, base(of) + "check/")
    assert after in check
    assert "The rules were changed" in check
    assert change.old_digest[:12] in check
    assert "misprint" not in check


def test_each_result_of_a_table_stands_under_its_round() -> None:
    facts = {"home_score": "2", "away_score": "0", "home_level": "K", "away_level": "8"}
    met_at = [(1, 1, 2), (2, 1, 3), (3, 2, 3), (3, 1, 4)]
    results = [Result.from_json(facts | {"round": at, "home": home, "away": away}) for at, home, away in met_at]
    found = in_columns(meetings(results, {}))
    assert {entrant: [one.round for one in met] for entrant, met in found.items()} == {
        1: [1, 2, 3],
        2: [1, 2, 3],
        3: [1, 2, 3],
        4: [1, 2, 3],
    }
    assert [one.text for one in found[4]] == ["–", "–", "8:K"]
    assert [one.how for one in found[2]] == ["lost", "missed", "won"]
    left = in_columns(meetings(results[:2], {}))
    assert [one.text for one in left[2]] == ["8:K"]


def test_the_penalties_name_the_minutes_of_the_stage(event: Event, client: Client) -> None:
    assert "Not seated 15 minutes" in text_of(client, base(event) + "rulings/")
    event.tournament.stages.update(plan={"late": 7})
    assert "Not seated 7 minutes after the start." in text_of(client, base(event) + "rulings/")
