"""Every profile can be read whole, on the pages and through the API, in both languages."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from scoring.profiles import load, profile_ids

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("profile", profile_ids())
def test_all_clauses_are_shown(client: Client, profile: str, language: str) -> None:
    body = unescape(client.get(f"/{language}/rules/{profile}/").content.decode())
    rules = load(profile)
    assert rules.title[language] in body
    for clause in rules.clauses.values():
        assert f'id="{clause.id}"' in body
        assert clause.text[language] in body


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_list_names_them_all(client: Client, language: str) -> None:
    body = unescape(client.get(f"/{language}/rules/").content.decode())
    assert all(load(profile).title[language] in body for profile in profile_ids())
