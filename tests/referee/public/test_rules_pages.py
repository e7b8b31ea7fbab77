"""The rules as pages: who goes up and why, pictures, comparison, a hand explained; figures worked out by hand here."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from django.test import Client

from scoring.profiles import individual_ids, load, profile_ids
from scoring.profiles.tables import chapters
from scoring.questions.protocol import answer
from tests.markup import flat
from tests.referee.public.events import played
from tests.tournaments import playing

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.django_db

EVERY = [*profile_ids(), *individual_ids()]


def page(address: str, **query: object) -> str:
    answered = Client().get(f"{address}?{urlencode(query, doseq=True)}" if query else address)
    assert answered.status_code == 200, address
    return flat(unescape(answered.content.decode()))


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def section(html: str, start: str) -> str:
    """The part of a page from the element with that start tag to the end of its section or form."""
    found = re.search(rf"<(section|div|form|figure)[^>]*{start}.*?</\1>", html, re.S)
    assert found, start
    return found.group()


# Who goes up


@pytest.mark.parametrize(
    ("profile", "query", "said"),
    [
        # 80 and step 40: 165 is two levels; 9 may not jump over 10
        ("scn2-2013", {"total": 165}, ["165: attackers take the deal, +2", "2 → to 4", "right-hand neighbour"]),
        ("scn2-2013", {"total": 165, "attacking": "9"}, ["9 → to 10", "Must be played: 10, K."]),
        (
            "scn2-2013",
            {"total": 0, "dealing": "J"},
            ["0: dealer side keep the deal, +3", "J → to K", "the partner of the"],
        ),
        ("scn2-2013", {"total": 40, "dealing": "A"}, ["past A", "nobody: the match is over"]),
        ("scn2-2013", {"total": 1000}, ["1000: attackers take the deal, +23", "2 → to 10"]),
        ("scn2-2013-step10", {"total": 95}, ["95: attackers take the deal, +1"]),
        ("online-super", {"total": 120}, ["120: attackers take the deal, +1"]),
        ("online-super", {"total": 125}, ["125: attackers take the deal, +2"]),
        ("cn-national-2d", {"total": -5}, ["−5: dealer side keep the deal, +4"]),
        ("wiki-one-deck", {}, ["40: attackers take the deal, +0"]),
    ],
)
def test_who_goes_up(profile: str, query: dict[str, object], said: Sequence[str]) -> None:
    html = page(f"/en/rules/{profile}/", **query)
    form = re.search(r"<form[^>]*data-calculator.*?</form>", html, re.S)
    assert form
    shown = re.sub(r'<div class="effect"[^>]* hidden>.*?</ol>\s*</div>', "", form.group(), flags=re.S)
    for sentence in said:
        assert sentence in words(shown), sentence
    assert shown.count('class="effect"') == 1


@pytest.mark.parametrize(
    ("total", "said"),
    [
        ("62", "Points must be a multiple of 5; you wrote 62."),
        ("many", 'must be a whole number; you wrote "many".'),
        ("999999995", "No hand can end with 999999995"),
        ("9" * 40, "must be a whole number"),
    ],
)
def test_a_total_that_cannot_be(total: str, said: str) -> None:
    html = page("/en/rules/scn2-2013/", total=total)
    assert said in words(section(html, 'id="total-error"'))
    assert f'value="{total}"' in html


@pytest.mark.parametrize("profile", profile_ids())
def test_the_table_says_what_the_protocol_says(profile: str) -> None:
    """Both edges of every band as the page has them, against the question `level_result`."""
    html = page(f"/en/rules/{profile}/")
    rows = re.findall(r'<tr data-low="(-?\d*)" data-high="(-?\d*)".*?<td>(.*?)</td>', html, re.S)
    assert len(rows) > 4
    for low, high, cell in rows:
        for edge in filter(None, (low, high)):
            said = answer({"profile": profile, "input": {"op": "level_result", "attackers_total": int(edge)}})["answer"]
            verb = "take the deal" if said["winner_side"] == "attackers" else "keep the deal"
            assert f"{verb}, +{said['levels']}" in words(cell), edge
    edges = [(low, high) for low, high, _ in rows]
    assert all(int(after[0]) - int(before[1]) == 5 for before, after in pairwise(edges))


# Pictures and words


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("profile", EVERY)
def test_every_part_of_every_profile(profile: str, language: str) -> None:
    """One heading, ids once, every link of the page leads to something on it, no figure without words."""
    html = page(f"/{language}/rules/{profile}/")
    assert html.count("<h1") == 1
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    for target in set(re.findall(r'href="#([^"]+)"', html)) - {"main"}:
        if not target.startswith(("suit-", "i-", "side-")):
            assert target in ids, target
    for labelled in re.findall(r'aria-(?:labelledby|describedby)="([^"]+)"', html):
        assert set(labelled.split()) <= set(ids), labelled
    assert " style=" not in html
    assert not re.search(r"<script(?![^>]*src=)", html)
    rules = load(profile, individual=True)
    assert rules.digest in html
    assert rules.about[language] in html
    assert html.count('class="flow"') in (1, 2)


def test_flow_says_in_words_what_it_draws() -> None:
    html = page("/en/rules/scn2-2013/")
    first = html[html.index('id="first-title"') : html.index('id="later-title"')]
    drawing, text = first[: first.index("</svg>")], words(first[first.index("</svg>") :])
    drawn = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawing))
    for said in ("Has somebody declared?", "Does anybody counter?", "Does an attacker rebel?", "The dealer leads"):
        assert said in drawn
    for said in ("Has somebody declared?", "at most 15 points", "turned from the top", "leads to the first trick"):
        assert said in text
    assert "scn2.rebellion" in text


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        (
            "scn2-2013",
            ["single scn2.kitty.single ×2", "2-pair tractor scn2.kitty.tractor ×8", "pair scn2.kitty.pair ×4"],
        ),
        ("online-super", ["3-pair tractor super.kitty.tractor ×12"]),
        ("wiki-classic", ["2-pair tractor wiki.kitty.cards ×16"]),
        ("nanning-4d", ["The points of the last trick count as many times"]),
    ],
)
def test_kitty_factors(profile: str, said: Sequence[str]) -> None:
    shown = words(section(page(f"/en/rules/{profile}/"), 'id="kitty"'))
    for sentence in said:
        assert sentence in shown, sentence


def test_levels_hook_and_must_play_are_drawn() -> None:
    html = page("/zh/rules/scn2-2013/")
    stairs = section(html, 'id="ladder"')
    assert stairs.count('class="must-flag"') == 2
    assert stairs.count('class="fall-tip"') == 1
    assert "插旗的必打：10、K。" in stairs
    assert "J 可被钩到底，回到 2。" in stairs
    assert 'class="fall-tip"' not in page("/zh/rules/online-2d/")


@pytest.mark.long
def test_worked_cases_open_as_hands() -> None:
    """Every case of every profile opens as a hand that comes to the very same sentence."""
    profiles = [(name, {}) for name in ("scn2-2013", "chaodipi", "nanning-4d", "cn-national-3d", *individual_ids())]
    for profile, changes in [*profiles, ("scn2-2013", {"joker_declare": "any", "after_A": ["joker"]})]:
        html = page(f"/en/rules/{profile}/", **({"set": json.dumps(changes)} if changes else {}))
        cases = re.findall(r'<a href="(/en/rules/[^"]+/explain/\?[^"]+)">([^<]+)</a>', section(html, 'id="cases"'))
        assert len(cases) > 1
        for address, sentence in cases:
            assert unescape(sentence) in words(section(page(address), 'id="answer"')), address


def test_index_groups_and_says_what_each_is_for() -> None:
    html = page("/zh/rules/")
    for name in EVERY:
        rules = load(name, individual=True)
        assert rules.title["zh"] in html
        assert rules.about["zh"] in html
    headings = re.findall(r"<h2[^>]*>([^<]+)</h2>", html)
    assert headings[1:] == ["80 分指南", "竞赛规则", "游戏平台", "百科所载", "地方玩法", "个人玩法"]


# Two profiles


def test_comparison() -> None:
    html = page("/en/rules/compare/", a="scn2-2013", b="scn3-2026")
    figures = words(section(html, 'id="figures"'))
    assert "levels that must be played 10, K none different" in figures
    assert "points to take the deal 80 80 same" in figures
    different = words(html[html.index('id="different"') : html.index('id="alike"')])
    assert "Must be played: 10, K." in different
    assert "points to take the deal" not in different


def test_comparison_with_itself_and_with_what_an_event_sets() -> None:
    assert "The same rules hold." in page("/en/rules/compare/", a="scn2-2013", b="scn2-2013")
    html = page("/en/rules/compare/", a="scn2-2013", b="scn2-2013", b_set='{"throw_fine": 5}')
    assert "fine per card of a failed throw 10 5 different" in words(html)
    assert "1 of " in words(html)
    assert Client().get("/en/rules/compare/?a=scn2-2013&b=nowhere").status_code == 404
    assert "figures" not in page("/en/rules/compare/", a="scn2-2013")


# A hand explained

DUG = {
    "dealer": "S",
    "NS": "J",
    "EW": "9",
    "trump": "H",
    "captured_in_tricks": 60,
    "last_trick_winner": "attackers",
    "led": "single",
    "kitty_points": 10,
    "winning_play": "HJ",
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        # 60 + 10×2 = 80: the line; dug with the trump jack at J
        ({}, ["Attackers 60 + kitty 10×2 = 80", "dealer side hooked, J → 2", "next: East deals", "Hook"]),
        ({"winning_play": "SJ"}, ["take the deal, +0", "N–S J, E–W 9; next: East deals, playing 9"]),
        ({"led": "2x3"}, ["10×16 = 220", "stopped at 10"]),
        ({"led": ["pair", "single"]}, ["10×4 = 100"]),
        ({"throw_side": "attackers", "throw_cards": "5"}, ["− throw fine 50 = 30", "Throw fine"]),
        ({"ruled": "-20"}, ["− ruling 20 = 60", "Adjusted points"]),
        ({"set": '{"throw_fine": 5}', "throw_side": "dealer", "throw_cards": "4"}, ["throw fine 20 = 100"]),
    ],
)
def test_a_hand_explained(change: dict[str, object], said: Sequence[str]) -> None:
    shown = words(section(page("/en/rules/scn2-2013/explain/", **(DUG | change)), 'id="answer"'))
    for sentence in said:
        assert sentence in shown, sentence


def test_a_link_of_before_repeats_the_name_that_rows_number_now() -> None:
    address = "/en/rules/scn2-2013/explain/"
    before = {"led": ["pair", "single", ""], "throw_side": ["", "attackers"], "throw_cards": ["", "5"]}
    now = {"led_1": "pair", "led_2": "single", "throw_side_2": "attackers", "throw_cards_2": "5"}
    hand = {name: text for name, text in DUG.items() if name != "led"}
    answers = [section(page(address, **(hand | rows)), 'id="answer"') for rows in (before, now)]
    assert "10×4" in words(answers[0])
    assert "throw fine 50" in words(answers[0])
    assert answers[0] == answers[1]


def test_the_form_keeps_what_was_typed() -> None:
    html = page("/en/rules/scn2-2013/explain/", **(DUG | {"throw_side": "dealer", "throw_cards": "3"}))
    for kept in (
        'name="dealer" value="S" checked',
        'name="trump" value="H" checked',
        '<option value="J" selected',
        'name="captured_in_tricks" inputmode="numeric" autocomplete="off" value="60"',
        '<option value="single" selected',
        'name="winning_play" value="HJ"',
        '<option value="dealer" selected',
        'name="throw_cards_1" inputmode="numeric" value="3"',
    ):
        assert kept in html, kept


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"captured_in_tricks": "62"}, "captured_in_tricks", "Points must be a multiple of 5; you wrote 62."),
        ({"captured_in_tricks": ""}, "captured_in_tricks", "Points in tricks is missing."),
        ({"kitty_points": "200"}, "kitty_points", "Eight kitty cards hold at most 80"),
        ({"led": ""}, "led", "choose the shape led to the last trick"),
        ({"led": "sphere"}, "led", "A shape is a single, a pair"),
        ({"NS": "1"}, "NS", "North–South must be one of 2, 3"),
        ({"dealer": "X"}, "first_dealer", "Dealer must be one of N, W, S, E"),
        ({"winning_play": "ZZ"}, "winning_play", '"ZZ" is no card'),
        ({"throw_side": "dealer", "throw_cards": "x"}, "throw_failures", "must be a whole number"),
        ({"before": "[["}, "before", ""),
    ],
)
def test_what_cannot_be_judged(change: dict[str, object], field: str, said: str) -> None:
    html = page("/en/rules/scn2-2013/explain/", **(DUG | change))
    errors = re.findall(rf'<p class="field-error" id="{field}-error-\d+">(.*?)</p>', html, re.S)
    assert errors
    assert any(said in words(error) for error in errors), errors
    assert 'id="answer"' not in html


def test_all_findings_come_at_once() -> None:
    html = page(
        "/zh/rules/scn2-2013/explain/",
        **(DUG | {"captured_in_tricks": "62", "kitty_points": "200", "NS": "1", "winning_play": "ZZ"}),
    )
    fields = set(re.findall(r'class="field-error" id="(\w+)-error', html))
    assert {"captured_in_tricks", "kitty_points", "NS", "winning_play"} <= fields
    assert 'value="62"' in html


def test_the_same_hand_by_other_rules() -> None:
    html = page("/en/rules/scn2-2013/explain/", **DUG)
    rows = dict(re.findall(r'<th scope="row"><a href="/en/rules/([^/]+)/">.*?</th><td>(.*?)</td>', html, re.S))
    assert "Attackers 60 + kitty 10×2 = 80" in rows["online-2d"]
    assert "hooked" not in rows["online-2d"]
    assert "cn-national-3d" not in rows


def test_an_empty_form_judges_nothing() -> None:
    html = page("/zh/rules/nanning-4d/explain/")
    assert 'id="answer"' not in html
    assert "field-error" not in html
    assert 'name="last_trick_points"' in html
    assert 'name="throw_side_1"' not in html


NAMES = [
    "dealer",
    "NS",
    "EW",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "kitty_points",
    "last_trick_points",
    "winning_play",
    "ruled",
    "total_only",
    "winning_category",
    "declared_by",
    "red_fives_declared",
    "special_dig",
    "dark_bids_dealer",
    "hand_dealer",
    "before",
    "led",
    "throw_side",
    "throw_cards",
    "throw_place",
    "ally",
    "levels",
    "bids",
    "points",
    "last_trick_place",
    "total",
    "dealing",
    "attacking",
]
ODD = [
    "",
    "0",
    "85",
    "-5",
    "N",
    "3",
    "dealer",
    "attackers",
    "pair",
    "2x3",
    "9x9",
    "0x0",
    "HJ JB",
    "x" * 300,
    "\x00",
    "²",
    "９",
]
ODD += ["[", "{}", "[1]", '[{"kind":"end","reason":"time"}]', "trump", "red_fives_dug", "flag", "passed", "9" * 30, "A"]


@pytest.mark.long
def test_any_query_is_answered() -> None:
    """Whatever an address says, the page answers: a hand explained, or what is wrong with it."""
    chance = random.Random(7)
    for _ in range(120):
        part = chance.choice(("explain/", "explain/", ""))
        query = [(chance.choice(NAMES), chance.choice(ODD)) for _ in range(chance.randint(1, 8))]
        page(f"/zh/rules/{chance.choice(EVERY)}/{part}?{urlencode(query)}")


# Events and old addresses


def test_rules_of_an_event() -> None:
    """F3 changes must-play levels: the event's page has its own settings, in the frame of the event."""
    event = playing.event(preset="F3")
    slug = event.tournament.slug
    html = page(f"/zh/e/{slug}/rules/")
    assert event.tournament.profile.changed
    assert 'id="chapter-event"' in html
    assert "本赛事采用" in html
    assert f'href="/zh/e/{slug}/rules/" aria-current="page"' in html
    compared = re.search(r'href="(/zh/rules/compare/[^"]+)"', html)
    assert compared
    assert "不同" in page(compared.group(1))
    assert f"/zh/e/{slug}/rules/" in page(f"/zh/e/{slug}/")


def test_totals_of_the_event_stand_on_the_ruler() -> None:
    """35 and 80 in the closed round, 35 at both tables of the running one; the hand that waits is in no bar."""
    event = played()
    html = page(f"/en/e/{event.tournament.slug}/rules/")
    assert html.count('class="bar"') == 2
    said = re.search(r"in the (\d+) hands confirmed at this event; (\d+) of them changed the deal", words(html))
    assert said
    assert (int(said[1]), int(said[2])) == (4, 1)
    assert 'class="bar"' not in page("/en/rules/scn2-2013/")


def test_old_addresses_of_the_clauses_lead_on() -> None:
    answered = Client().get('/en/rules/scn2-2013/clauses/?set={"throw_fine":5}')
    assert answered.status_code == 302
    assert answered["Location"].startswith("/en/rules/scn2-2013/?set=")
    assert 'id="set.throw_fine"' in page(answered["Location"])


def test_individual_games_have_pages_too() -> None:
    html = page("/en/rules/sandayi/")
    assert "Does anybody bid lower?" in html
    assert 'id="who"' not in html


@pytest.mark.parametrize(
    ("profile", "query", "said"),
    [
        # the lowest bid deals, and the others need as many points
        ("sandayi", {"bids": ["120", "", "80", ""], "total_only": 80}, ["bid 80", "bidding"]),
        (
            "ersibai",
            {"points": [110, 110, 0, 0], "dealer": "1", "last_trick_place": "2", "kitty_points": 20},
            ["seat 2", "130"],
        ),
        # 120 and 60 points a level: the dealer and the ally hold with 115
        ("zhaopengyou", {"dealer": "1", "ally": "3", "total_only": 115}, ["seat 1", "seat 3", "+1"]),
        ("zhaopengyou", {"dealer": "1", "ally": "3", "total_only": 180}, ["+1"]),
    ],
)
def test_a_hand_of_single_players_explained(profile: str, query: dict[str, object], said: Sequence[str]) -> None:
    shown = words(section(page(f"/en/rules/{profile}/explain/", **query), 'id="answer"'))
    for sentence in said:
        assert sentence.lower() in shown.lower(), shown


def test_what_cannot_be_judged_of_single_players() -> None:
    html = page("/en/rules/ersibai/explain/", points=["110", "x", "0", "5"], dealer="9", kitty_points="7")
    fields = set(re.findall(r'class="field-error" id="(\w+)-error', html))
    assert {"points", "dealer", "kitty_points"} <= fields
    assert 'name="points_2" inputmode="numeric" value="x"' in html
    assert 'id="answer"' not in html


def test_the_conformance_suite_is_there_for_other_programs() -> None:
    answer = Client().get("/conformance.zip")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/zip"
    assert answer.content.startswith(b"PK")
    assert "/conformance.zip" in Client().get("/en/rules/").content.decode()


# Search among the clauses


@pytest.mark.parametrize(("query", "clause"), [("rebellion", "scn2.rebellion"), ("抠底", "scn2.kitty.dig")])
def test_a_clause_is_found_by_its_words_in_either_language(query: str, clause: str) -> None:
    found = section(page("/en/rules/", q=query), 'aria-labelledby="found"')
    linked = re.findall(r'href="/en/rules/([^/"]+)/#([^"]+)"', found)
    assert ("scn2-2013", clause) in linked
    for name, one in linked:
        said = load(name, individual=name in individual_ids()).clauses[one].text
        assert any(query in text.casefold() for text in (one, *said.values()))


def test_every_word_has_to_be_there() -> None:
    more, fewer = (page("/en/rules/", q=query).count("<li><p>") for query in ("rebel", "rebel cards"))
    assert 0 < fewer < more


def test_all_that_were_found_are_counted_and_the_first_are_shown() -> None:
    found = section(page("/en/rules/", q="kitty"), 'aria-labelledby="found"')
    count, more = (int(re.search(said, found)[1]) for said in (r"(\d+) clauses found", r"(\d+) more; add a word"))  # type: ignore[index]
    assert found.count("<li><p>") == count - more == 30
    assert more > 0


@pytest.mark.parametrize("query", ["no such words", "<script>alert(1)</script>", "x" * 500])
def test_what_no_clause_says(query: str) -> None:
    found = Client().get("/en/rules/", {"q": query}).content.decode()
    assert "No clause found: try one word of it" in found
    assert "<script>alert" not in found


def test_an_empty_search_is_no_search() -> None:
    assert 'id="found"' not in page("/en/rules/", q="  ") + page("/en/rules/")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_chapters_of_the_first_rules_are_found_by_cards(language: str) -> None:
    shown = page(f"/{language}/rules/")
    linked = re.findall(rf'href="/{language}/rules/scn2-2013/#chapter-(\w+)"', shown)
    assert linked == [chapter.name for chapter in chapters(load("scn2-2013"))]
    assert shown.count('class="question-cards"') == len(linked)
