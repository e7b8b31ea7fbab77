"""What a hand has to say: the table asks for what the rules miss, and the page asks for what the table asks.

Every way of filling in a form is tried: each field that a row mentions is left empty or has one of a few values. And
what its numbers may be: the page refuses, in the rules' own sentences, what the rules refuse.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.hands import bounds, required
from referee.hands.forms import PhoneForm, PlayersForm
from referee.parts.words import in_language
from referee.table.presenters import field_of
from scoring.hands import sheets
from scoring.hands.findings import Refused
from scoring.individual import entries, fold
from scoring.individual.sheets import read_entry
from scoring.individual.states import IndividualOpening
from scoring.profiles import load
from scoring.sittings.checks import check_next
from scoring.sittings.fold import start
from scoring.sittings.states import Opening
from scoring.values import Level, Seat, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Page

    from referee.hands.bounds import Bound
    from referee.hands.required import Required
    from scoring.findings import Finding
    from scoring.profiles import Profile

RULE = Path(required.__file__).parents[1] / "static/referee/js/table-required.js"

#: profile, level, whether the deal is contested: every kind of last trick, of level and of declaring there is.
SIDES = [
    ("scn2-2013", "2", False),
    ("scn2-2013", "2", True),
    ("nanning-4d", "2", False),
    ("chaodipi", "2", False),
    ("chaodipi", "flag", False),
    ("wiki-one-deck", "2", True),
]
ALONE = ["sandayi", "ersibai", "zhaopengyou"]
CASES = [*SIDES, *((name, "", False) for name in ALONE)]

VALUES = {
    "kind": ("hand", "annulled"),
    "last_trick_winner": ("", "dealer", "attackers"),
    "led": ("", "single", "more"),
    "led_2": ("", "single"),
    "annulled_reason": ("", "misdeal", "rebellion"),
    "dealer": ("", "S"),
    "declared_by": ("", "E"),
    "trump": ("", "H"),
    "winning_category": ("", "trump"),
    "bid": ("", "80"),
}
PLACE = ("", "1")


def rows_of(name: str, contested: bool) -> tuple[Profile, list[Required]]:
    if name in ALONE:
        profile = load(name, individual=True)
        return profile, required.of_players(profile, {str(place): f"P{place}" for place in entries.places(profile)})
    profile = load(name)
    return profile, required.of_two_sides(profile, contested=contested)


def fields_of(rows: list[Required], profile: Profile) -> dict[str, tuple[str, ...]]:
    """The fields that the rows mention, with the values that are tried."""
    names = {name for row in rows for name in (*row.fields, *row.when)} - {"led_1", "led_3"}
    own = {} if profile.division == "sides" else {"dealer": PLACE, "ally": PLACE, "last_trick_place": PLACE}
    if not profile.rebellion:
        own["annulled_reason"] = ("", "misdeal")
    return {name: own.get(name) or VALUES.get(name, ("", "20")) for name in sorted(names)}


def ways(fields: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    return (dict(zip(fields, values, strict=True)) for values in product(*fields.values()))


def asked(rows: list[Required], way: Mapping[str, str], level: str) -> list[str]:
    known = {**way, "level": level}
    return sorted({row.at for row in required.missing(rows, lambda name: known.get(name, ""))})


def missed_by_sides(profile: Profile, level: str, contested: bool, way: Mapping[str, str]) -> set[str]:
    """The fields at which the rules refuse a hand of two sides."""
    return {field_of(one.field) for one in refused_of_sides(profile, level, contested, way)}


def refused_of_sides(profile: Profile, level: str, contested: bool, way: Mapping[str, str]) -> list[Finding]:
    opening = Opening(dict.fromkeys(Side, Level(level)), None if contested else Seat.S)
    typed = PhoneForm.posted(way, profile)
    annulled = way["kind"] == "annulled"
    typed.level = level
    facts = typed.turned_to("annulled" if annulled else "hand").facts()
    try:
        entry = sheets.read_entry(profile, facts)
        found = check_next(profile, start(opening), entry)
    except Refused as refused:
        found = refused.findings
    return [one for one in found if one.blocking]


def missed_by_players(profile: Profile, way: Mapping[str, str]) -> set[str]:
    """The fields at which the rules refuse a hand of single players."""
    return {field_of(one.field) for one in refused_of_players(profile, way)}


def refused_of_players(profile: Profile, way: Mapping[str, str]) -> list[Finding]:
    form = PlayersForm(way, profile).turned_to(way["kind"])
    try:
        entry = read_entry(profile, form.facts())
        found = fold.check_next(profile, fold.start(profile, IndividualOpening.first(profile)), entry)
    except Refused as refused:
        found = refused.findings
    return [one for one in found if one.blocking]


@pytest.mark.long
@pytest.mark.parametrize(("name", "level", "contested"), CASES)
def test_the_table_asks_for_what_the_rules_miss(name: str, level: str, contested: bool) -> None:
    profile, rows = rows_of(name, contested)
    missed = (
        partial(missed_by_players, profile) if name in ALONE else partial(missed_by_sides, profile, level, contested)
    )
    tried = 0
    for way in ways(fields_of(rows, profile)):
        tried += 1
        table = set(asked(rows, way, level)) - {"trump"}  # the rules can do without it
        rules = missed(way) - {"points"}  # that they do not add up
        assert bool(table) == bool(rules), way
        if len(table) == 1:  # of several the rules name some
            assert table <= rules, way
    assert tried >= 100


TRY_ALL = """async ([source, rows, fields, level]) => {
    const { missing } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    let ways = [{ level }];
    for (const [name, values] of fields)
        ways = ways.flatMap((way) => values.map((value) => ({ ...way, [name]: value })));
    const asked = (way) => missing(rows, (name) => way[name] ?? "").map((row) => row.at);
    return ways.map((way) => [...new Set(asked(way))].sort().join(" "));
}"""


def test_the_page_asks_for_what_the_table_asks(page: Page) -> None:
    """The page's own function, in a browser, over every way of filling in every form."""
    tried = 0
    for name, level, contested in CASES:
        profile, rows = rows_of(name, contested)
        fields = fields_of(rows, profile)
        given: list[Any] = [RULE.read_text(), required.rows_json(rows), list(fields.items()), level]
        table = [" ".join(asked(rows, way, level)) for way in ways(fields)]
        assert page.evaluate(TRY_ALL, given) == table, name
        tried += len(table)
    assert tried > 3000


# What its numbers may be

TRIED = [*map(str, range(-10, 31)), "83", "99", *map(str, range(95, 430, 5)), "203", "999999999"]
NO_NUMBER = ["x", "8o", "1.5", "−7", "- 5", "1234567890", "１０"]
COUNTED = {
    "not_a_whole_number",
    "not_a_multiple_of_5",
    "out_of_range",
    "above_deck_total",
    "kitty_too_rich",
    "bid_not_here",
    "points_not_conserved",
}


def numbers_of(name: str, level: str) -> tuple[Profile, list[Bound], dict[str, str]]:
    """The bounds of a form, and a way to fill it in that has all of its numbers, each of them right."""
    alone = name in ALONE
    profile = load(name, individual=alone)
    if alone:
        places = [str(place) for place in fold.places(profile)]
        found = bounds.of_players(profile, {place: f"P{place}" for place in places})
        share, rest = divmod(int(profile.points_max) // 5, len(places))
        way = {f"points_{place}": str(5 * (share + (rest if place == places[0] else 0))) for place in places}
        own = {"dealer": "1", "ally": "2", "last_trick_place": "1"}
    else:
        found, way, own = bounds.of_two_sides(profile), {}, {"last_trick_points": "10"}
    bid = str(profile.bidding["high"]) if profile.bidding else ""
    dug = {"last_trick_winner": "attackers", "led": "pair", "winning_category": "trump", "trump": "H", "bid": bid}
    points = {"captured_in_tricks": "20", "kitty_points": "0"}
    return profile, found, {"kind": "hand", "level": level, **dug, **points, **own, **way}


REFUSE_ALL = """async ([source, bounds, ways]) => {
    const { wrong } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    return ways.map((way) => wrong(bounds, (name) => way[name] ?? "").map((row) => [row.at, row.say]));
}"""


@pytest.mark.parametrize(("name", "level"), [(name, level) for name, level, contested in CASES if not contested])
def test_the_page_refuses_the_numbers_that_the_rules_refuse(name: str, level: str, page: Page) -> None:
    profile, found, filled = numbers_of(name, level)
    own = {one for bound in found for one in bound.fields} - {"rebel_points"}
    few = ["-5", "0", "5", "10", "90", "95", "100", "195", "200"]
    pairs = [pair for pair in product(sorted(own), repeat=2) if pair[0] < pair[1]]
    tried = [filled | {field: value} for field in own for value in (*TRIED, *NO_NUMBER)]
    tried += [filled | {a: x, b: y} for a, b in pairs[:6] for x, y in product(few, repeat=2)]
    if profile.division == "sides" and profile.rebellion:
        void = {"kind": "annulled", "annulled_reason": "rebellion", "level": level}
        tried += [void | {"rebel_points": value} for value in (*TRIED, *NO_NUMBER)]
    table = bounds.bounds_json(found)
    for way, said in zip(tried, page.evaluate(REFUSE_ALL, [RULE.read_text(), table, tried]), strict=True):
        by = refused_of_players(profile, way) if name in ALONE else refused_of_sides(profile, level, False, way)
        rules = {(field_of(one.field), in_language(one.message)) for one in by if one.code in COUNTED}
        assert {tuple(one) for one in said} <= rules, way
        assert bool(said) == bool(rules), way
