"""`{% load referee %}`: every tag, in both languages."""

from __future__ import annotations

import re

import pytest
from django.template import engines
from django.test import RequestFactory
from django.utils import translation

from referee.parts.states import STATES
from referee.parts.words import in_language, unbroken
from scoring.profiles import build, load
from scoring.profiles.titles import title_of
from tests.markup import flat
from tests.referee.parts import styleguide

TO_JOKER = build({"base": "cn-national-2d", "set": {"after_A": ["joker"]}})


def _rendered(source: str, language: str = "en", **context: object) -> str:
    with translation.override(language):
        return (
            engines["django"]
            .from_string("{% load referee frame controls %}" + source)
            .render({"rules": TO_JOKER, **context}, RequestFactory().get("/table/"))
        )


def _words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


@pytest.mark.parametrize(
    ("source", "en", "zh"),
    [
        ('{% level "J" %}', "J", "J"),
        ('{% level "A"|reached:rules %}', "A", "A"),
        ('{% level "passed"|reached:rules %}', "past the joker level", "打过王"),
        ('{% level_change "4" "6" %}', "4 → to 6", "4 → 到 6"),
        ('{% level_change "4" "4" %}', "4", "4"),
        ('{% side "NS" %}', "N–S", "南北方"),
        ('{% side "EW" "full" %}', "East–West", "东西方"),
        ('{{ "EW"|side_word }} {{ "NS"|side_word:"short" }}', "East–West N–S", "东西方 南北方"),
        (
            '{{ "N"|seat_word }} {{ "W"|seat_word }} {{ "S"|seat_word }} {{ "E"|seat_word }}',
            "North West South East",
            "北 西 南 东",
        ),
        ('{{ "dealer"|role_word }} {{ "attackers"|role_word }}', "dealer side attackers", "庄家方 闲家方"),
        ('{% trump "D" %}, {% trump "NT" %}', "diamonds , no-trump", "方块 , 无主"),
        ('{{ "C"|trump_word }} {{ "NT"|trump_word }}', "clubs no-trump", "梅花 无主"),
        ('{% card_text "HJ" %}', "J jack of hearts", "J 红桃 J"),
        ('{% status "dispute" %}', "Dispute", "争议"),
        ('{% status "dispute" "Dispute 2:40" %}', "Dispute 2:40", "Dispute 2:40"),
        ("{% score 2 0 %}", "2 : 0", "2 : 0"),
    ],
)
def test_the_words_of_a_mark(source: str, en: str, zh: str) -> None:
    assert _words(_rendered(source)) == en
    assert _words(_rendered(source, "zh-hans")) == zh


def test_a_suit_is_silent_beside_its_word_and_spoken_alone() -> None:
    assert 'aria-hidden="true"' in _rendered('{% suit "H" %}')
    assert 'role="img" aria-label="红桃"' in _rendered('{% suit "H" label=True %}', "zh-hans")


@pytest.mark.parametrize(("code", "spoken"), [("S10", "10 of spades"), ("JB", "big joker"), ("?", "unknown card")])
def test_a_card_face_is_spoken_once(code: str, spoken: str) -> None:
    html = _rendered("{% card code %}", code=code)
    assert re.findall(r'aria-label="([^"]*)"', html) == [spoken]


def test_a_mark_escapes_what_it_is_given() -> None:
    assert "<script>" not in _rendered("{% level x %}{% status 'call' x %}{% clause x x %}", x="<script>")


def test_a_clause_links_to_its_text_in_the_language_of_the_page() -> None:
    profile = load("scn2-2013")
    clause = next(iter(profile.clauses.values()))
    html = _rendered("{% clause profile clause %}", "zh-hans", profile=profile, clause=clause)
    assert f'href="/zh/rules/scn2-2013/#{clause.id}"' in html
    assert clause.text["zh"][:8] in html
    assert f">{title_of(clause)['zh']}</a>" in html


@pytest.mark.parametrize("state", STATES)
def test_a_state_has_a_sign_and_a_word_in_both_languages(state: str) -> None:
    english, chinese = (
        _words(_rendered("{% status state %}", language, state=state)) for language in ("en", "zh-hans")
    )
    assert english.isascii()
    assert re.fullmatch(r"[\u4e00-\u9fff]+", chinese)


def test_the_ruler_of_a_page_carries_its_slider() -> None:
    html = _rendered('{% ruler profile 165 name="captured" value=85 %}', profile=load("scn2-2013"))
    assert 'min="0" max="200" step="5" value="85"' in flat(html)
    assert 'data-field="captured"' in html
    assert 'class="flag" x="82.5%"' in html
    assert "<input" not in _rendered("{% ruler profile 165 %}", profile=load("scn2-2013"))


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_whole_page_of_parts_is_well_formed(language: str) -> None:
    with translation.override(language):
        html = styleguide.render(RequestFactory().get("/style/"))
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert html.count("<h1") == 1
    used = set(re.findall(r'<use href="#([^"]+)"', html))
    assert used <= set(ids)
    assert "style=" not in html.replace("/style/", "")


def test_the_scores_of_a_sentence_never_break() -> None:
    """What stands beside a colon otherwise may."""
    assert unbroken("beat Pair 5 8 : 5 · 场分 +3 : −2, Pair 1 : Pair 2") == (
        "beat Pair 5 8\u00a0:\u00a05 · 场分 +3\u00a0:\u00a0−2, Pair 1 : Pair 2"
    )
    with translation.override("en"):
        assert in_language({"en": "N–S win A : K", "zh": "南北方 A : K 胜"}) == "N–S win A\u00a0:\u00a0K"


def test_clauses_that_are_called_alike_are_told_apart_where_it_matters() -> None:
    by_title: dict[str, list[str]] = {}
    for one in TO_JOKER.clauses.values():
        by_title.setdefault(title_of(one)["en"], []).append(one.id)
    alike = next(ids for ids in by_title.values() if len(ids) > 1)
    assert len({_words(_rendered("{% clause rules id %}", id=one)) for one in alike}) == 1
    apart = [_words(_rendered("{% clause rules id apart=True %}", id=one)) for one in alike]
    assert [one.rpartition(" ")[2] for one in apart] == [str(at + 1) for at in range(len(alike))]
