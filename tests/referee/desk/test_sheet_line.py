"""At the desk a row of a signed sheet is one line, one look and one key."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from tests.referee.table.places import hall
from tests.tournaments.factories import signed_in
from tournaments.ledger.sheet_lines import sign_of
from tournaments.models import EntryStatus, LedgerEntry

pytestmark = pytest.mark.django_db


def test_a_line_leads_to_its_form_and_the_hand_is_entered() -> None:
    here = hall()
    slug = here.event.slug
    official = signed_in(here.referee)
    sign = sign_of(slug, round_number=1, table=1, hand=1)
    answer = official.get(f"/desk/{slug}/line/?line={quote(f'1-1-1{sign} H 85 pair 20')}")
    assert answer.status_code == 302
    page = official.get(answer["Location"]).content.decode()
    for field in ('name="hand_no" value="1"', 'value="85"', 'value="20"'):
        assert field in page, field
    basis = next(one for one in re.findall(r"<input[^>]*>", page) if 'value="signed_sheet"' in one)
    assert "checked" in basis
    form = {"kind": "hand", "hand_no": "1", "basis": "signed_sheet", "dealer": "S", "trump": "H", "key": "k" * 20}
    form |= {"captured_in_tricks": "85", "last_trick_winner": "attackers", "led_1": "pair", "kitty_points": "20"}
    assert official.post(answer["Location"], form).status_code in (302, 303)
    entry = LedgerEntry.objects.get()
    assert (entry.status, entry.basis, entry.facts["captured_in_tricks"]) == (EntryStatus.EFFECTIVE, "signed_sheet", 85)


def test_what_is_wrong_is_said_and_kept() -> None:
    here = hall()
    slug = here.event.slug
    official = signed_in(here.referee)
    right = sign_of(slug, round_number=1, table=1, hand=1)
    wrong = "A" if right != "A" else "B"
    for line, words in {
        f"1-1-1{wrong} H 85": "The letter does not belong",
        "nonsense": "This line cannot be read",
        f"9-9-9{sign_of(slug, round_number=9, table=9, hand=9)} H 5": "",
    }.items():
        answer = official.get(f"/desk/{slug}/line/?line={quote(line)}")
        assert answer.status_code in (404, 422)
        assert words in answer.content.decode()
        assert f'value="{line}"' in answer.content.decode()
