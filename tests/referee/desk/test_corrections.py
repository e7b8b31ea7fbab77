"""Correcting a hand: what it changes first, then a reason, then Apply or a second official."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.factories import AT, Hall, dig, sheet
from tournaments.ledger import scorekeeping
from tournaments.ledger.officials_entries import end_sitting
from tournaments.models import Correction, LedgerEntry
from tournaments.rounds import closing


@pytest.fixture
def played(hall: Hall) -> Hall:
    """Three hands: attackers 190 by a tractor that was none, then two more."""
    first = dig(70, 15) | {"led": [{"type": "tractor", "width": 2, "length": 2}]}
    for number, facts in enumerate((first, sheet(35), sheet(90)), start=1):
        scorekeeping.record_hand(
            sitting_id=hall.sitting.pk, actor=hall.referee, at=AT, facts=facts, hand_no=number, basis="watched"
        )
    hall.sitting.refresh_from_db()
    return hall


def hand(number: int) -> LedgerEntry:
    return LedgerEntry.objects.get(hand_no=number, status="effective")


def at(hall: Hall, number: int = 1) -> str:
    return f"/desk/{hall.event.slug}/hands/{hand(number).pk}/correct/"


def form(hall: Hall, number: int = 1, **changes: Any) -> dict[str, Any]:
    facts = hand(number).facts
    values = {
        "kind": "hand",
        "dealer": facts["dealer"],
        "level": facts["level"],
        "trump": facts["trump"],
        "captured_in_tricks": str(facts["captured_in_tricks"]),
        "last_trick_winner": facts["last_trick_winner"],
        "kitty_points": str(facts.get("kitty_points", "")),
        "led_1": "2x2" if facts.get("led") else "",
        "revision": str(hall.sitting.revision),
        "key": "c1",
    }
    return values | changes


def look(client: Client, hall: Hall, number: int = 1, **changes: Any) -> str:
    answer = client.post(at(hall, number), form(hall, number, **changes) | {"look": "1"})
    assert answer.status_code == 200, answer.context["findings"]
    return answer.content.decode()


def test_the_form_shows_the_entry_as_recorded(played: Hall, referee: Client) -> None:
    page = referee.get(at(played)).content.decode()
    assert 'value="70"' in page
    assert '<option value="2x2" selected>' in page


def test_old_stands_against_new_and_no_treatment_is_chosen(played: Hall, referee: Client) -> None:
    page = look(referee, played, led_1="pair")
    assert "2-pair tractor" in page
    assert "Recompute" in page
    assert "Let the played hands stand" in page
    assert "Adjusted result" in page
    assert "2 later hands were played at another level or dealer" in page
    assert 'name="treatment" value="recompute" aria-describedby="way-recompute-text" checked' not in page
    assert "Apply" in page


def test_where_nothing_later_changes_the_cards_fold_into_one_line(played: Hall, referee: Client) -> None:
    page = look(referee, played, number=3, captured_in_tricks="95")
    assert "No level, result or place changes." in page
    assert 'class="way"' not in page


def test_a_corrected_last_hand_needs_no_choice_but_shows_what_it_changes(played: Hall, referee: Client) -> None:
    page = look(referee, played, number=3, captured_in_tricks="20")
    assert "What it changes" in page
    assert 'type="radio" id="way-recompute"' not in page
    assert '<input type="hidden" name="treatment" value="recompute">' in page


def test_an_adjusted_result_is_previewed_from_its_card(played: Hall, referee: Client) -> None:
    figures = {
        "adjusted_side": "EW",
        "adjusted_levels": "1",
        "deal_changes_hands": "yes",
        "adjusted_why": "both signed",
    }
    page = look(referee, played, led_1="pair", **figures)
    assert page.count('class="way"') == 3
    assert page.count("hand by hand") == 3


@pytest.mark.parametrize(
    ("treatment", "levels"), [("recompute", {"NS": "2", "EW": "4"}), ("let_stand", {"NS": "2", "EW": "5"})]
)
def test_apply_makes_a_new_version(played: Hall, referee: Client, treatment: str, levels: dict[str, str]) -> None:
    before = played.sitting.state["levels"]
    sent = form(played, led_1="pair") | {"apply": "1", "treatment": treatment, "reason": "only a pair was led"}
    address = at(played)
    answer = referee.post(address, sent)
    assert answer.status_code == 303
    assert (hand(1).version, hand(1).facts["led"], hand(1).reason) == (2, [{"type": "pair"}], "only a pair was led")
    played.sitting.refresh_from_db()
    changed = played.sitting.state["levels"] != before
    assert changed == (treatment == "recompute")
    assert "version 2" in referee.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(
    ("missing", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"treatment": ""}, "treatment"),
        ({"captured_in_tricks": "83"}, "captured_in_tricks"),
    ],
)
def test_what_is_missing_is_named_and_the_figures_are_kept(
    played: Hall, referee: Client, missing: dict[str, str], field: str
) -> None:
    whole = {"apply": "1", "treatment": "recompute", "reason": "only a pair was led"}
    answer = referee.post(at(played), form(played, led_1="pair") | whole | missing)
    assert 400 <= answer.status_code < 500
    assert field in answer.context["bad"]
    assert '<option value="pair" selected>' in answer.content.decode()
    assert hand(1).version == 1


def test_an_old_page_is_refused_and_keeps_its_figures(played: Hall, referee: Client) -> None:
    sent = form(played, led_1="pair") | {"apply": "1", "treatment": "recompute", "reason": "x", "revision": "1"}
    answer = referee.post(at(played), sent)
    assert answer.status_code == 412
    assert '<option value="pair" selected>' in answer.content.decode()


def test_an_old_page_can_go_on_from_what_it_is_shown(played: Hall, referee: Client) -> None:
    apply = {"apply": "1", "treatment": "recompute", "reason": "x", "revision": "1"}
    answer = referee.post(at(played), form(played, led_1="pair") | apply)
    assert answer.status_code == 412
    shown = answer.context["revision"]
    assert referee.post(at(played), form(played, led_1="pair") | apply | {"revision": shown}).status_code == 303


@pytest.mark.long
def test_a_page_overtaken_by_another_correction_goes_on_with_the_newer_version(played: Hall, referee: Client) -> None:
    old, sent = at(played), form(played, captured_in_tricks="60")
    apply = {"apply": "1", "treatment": "recompute", "reason": "x"}
    assert referee.post(old, form(played, led_1="pair", key="c0") | apply).status_code == 303
    answer = referee.post(old, sent | {"look": "1"})
    page = answer.content.decode()
    assert answer.status_code == 412
    assert "Your figures are kept" in page
    assert f'action="{at(played)}"' in page
    assert at(played) != old
    again = referee.post(at(played), sent | apply | {"revision": answer.context["revision"]})
    assert again.status_code == 303
    assert hand(1).facts["captured_in_tricks"] == 60
    assert 'value="60"' in referee.get(old).content.decode()
    assert "Corrected" in referee.get(f"/desk/{played.event.slug}/live/").content.decode()
    table = referee.get(f"/desk/{played.event.slug}/rounds/1/tables/1/").content.decode()
    assert "by the record" in table
    assert "call a referee" not in table


@pytest.fixture
def closed(played: Hall) -> Hall:
    for sitting in played.sittings:
        sitting.refresh_from_db()
        end_sitting(
            sitting_id=sitting.pk, actor=played.referee, at=AT, expected_revision=sitting.revision, reason="time"
        )
    closing.close_round(round_id=played.round.pk, actor=played.organiser, at=AT)
    played.sitting.refresh_from_db()
    return played


def propose(client: Client, hall: Hall) -> Correction:
    assert "Send to a second official" in look(client, hall, led_1="pair")
    sent = form(hall, led_1="pair") | {"apply": "1", "treatment": "recompute", "reason": "only a pair was led"}
    assert client.post(at(hall), sent).status_code == 303
    return Correction.objects.get()


@pytest.mark.long
def test_after_the_round_a_second_official_decides(closed: Hall, chief: Client, referee: Client) -> None:
    proposed = propose(chief, closed)
    here = f"/desk/{closed.event.slug}/corrections/{proposed.pk}/"
    assert hand(1).version == 1
    assert "Second official" in chief.get(f"/desk/{closed.event.slug}/").content.decode()
    own = chief.get(here).content.decode()
    assert "Proposer and approver must be two people." in own
    assert "Approve and apply" not in own
    assert "Approve and apply" in referee.get(here).content.decode()
    assert chief.post(here, {"decision": "approve"}).status_code == 403
    referee.post(here, {"decision": "approve", "key": "a1"})
    assert hand(1).version == 2
    proposed.refresh_from_db()
    assert proposed.status == "applied"


@pytest.mark.long
def test_a_refused_correction_changes_nothing(closed: Hall, chief: Client, referee: Client) -> None:
    proposed = propose(chief, closed)
    referee.post(f"/desk/{closed.event.slug}/corrections/{proposed.pk}/", {"decision": "refuse"})
    proposed.refresh_from_db()
    assert (proposed.status, hand(1).version) == ("refused", 1)


def test_a_referee_does_not_correct_a_closed_round(closed: Hall, referee: Client) -> None:
    sent = form(closed, led_1="pair") | {"apply": "1", "treatment": "recompute", "reason": "x"}
    assert referee.post(at(closed), sent).status_code == 403


def test_an_organiser_does_not_correct(played: Hall, organiser: Client) -> None:
    assert organiser.get(at(played)).status_code == 403
    assert organiser.post(at(played), form(played) | {"look": "1"}).status_code == 403
    other = factories.hall()
    assert organiser.get(f"/desk/{other.event.slug}/hands/{hand(1).pk}/correct/").status_code == 404


def test_hands_after_a_corrected_end_are_named_as_counting_for_nothing(db: None, sign_in) -> None:
    hall = factories.hall(profile="scn2-2013", levels=("A", "A"))
    client = sign_in(hall.referee)
    for number in (1, 2):
        scorekeeping.record_hand(
            sitting_id=hall.sitting.pk, actor=hall.referee, at=AT, facts=sheet(90), hand_no=number, basis="watched"
        )
    hall.sitting.refresh_from_db()
    sent = form(hall, captured_in_tricks="40") | {"apply": "1", "treatment": "recompute", "reason": "read wrongly"}
    answer = client.post(at(hall), sent)
    assert answer.status_code == 303
    page = client.get(answer["Location"]).content.decode()
    assert "past A: match over" in page
    assert "Recorded after what is now the end" in page


def test_a_referee_is_told_at_once_that_the_chief_referee_sends_it_on(closed: Hall, referee: Client) -> None:
    page = look(referee, closed, led_1="pair")
    assert "Send to a second official" not in page
    assert "show this to the chief referee" in page
