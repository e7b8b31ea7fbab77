"""The links of the bars, and a page's address in the other language."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.template import engines
from django.test import override_settings
from django.utils import translation

from referee.parts.navigation import BARS, bar_links, clause_address, in_other_language, site_links
from tests.markup import flat


@pytest.mark.parametrize(
    ("address", "language", "other"),
    [
        ("/zh/e/cup/standings/?q=a", "en", "/en/e/cup/standings/?q=a"),
        ("/en/", "zh", "/zh/"),
        ("/en", "zh", "/zh"),
        ("/english/", "zh", None),
        ("/table/", "en", None),
    ],
)
def test_the_same_page_in_the_other_language(address: str, language: str, other: str | None) -> None:
    assert in_other_language(address, language) == other


@pytest.mark.parametrize(("language", "address"), [("en", "/en/rules/p/#c"), ("zh-hans", "/zh/rules/p/#c")])
def test_a_clause_is_read_in_the_language_of_the_page(language: str, address: str) -> None:
    with translation.override(language):
        assert clause_address("p", "c") == address


def test_every_public_page_leads_to_the_events_the_rules_and_the_adjudicator() -> None:
    with translation.override("zh-hans"):
        found = [(link.key, link.address) for link in site_links()]
        at_event = [(link.key, link.address) for link in site_links("cup")]
    assert found == [("events", "/zh/"), ("rules", "/zh/rules/"), ("adjudicator", "/zh/adjudicator/")]
    # the rules of an event stand in its own bar, and questions are put by them
    assert at_event == [("events", "/zh/"), ("adjudicator", "/zh/adjudicator/?event=cup")]


@override_settings(ROOT_URLCONF="tests.referee.parts.urls")
@pytest.mark.parametrize("bar", BARS)
def test_a_bar_links_to_every_page_of_the_event_and_marks_the_present_one(bar: str) -> None:
    source = "{% load frame %}{% site_links bar event 'standings' %}"
    context = {"bar": bar, "event": SimpleNamespace(slug="cup")}
    with translation.override("zh-hans"):
        html = flat(engines["django"].from_string(source).render(context))
        assert [link.key for link in bar_links(bar, "cup")] == [key for key, _label in BARS[bar]]
    assert html.count("<a ") == len(BARS[bar])
    assert html.count('aria-current="page"') == 1
    assert ("/zh/cup/standings/" if bar == "public" else "/cup/standings/") in html
