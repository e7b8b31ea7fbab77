"""One table: entering from slips, settling, rulings, the end, its phones."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from referee.hands.forms import SheetForm
from referee.hands.words import DESK
from tests.markup import flat
from tests.tournaments import factories
from tests.tournaments.factories import AT, Hall, sheet
from tournaments.ledger import scorekeeping
from tournaments.models import LedgerEntry, Match, Round, Ruling, Sitting

HAND = {
    "kind": "hand",
    "trump": "H",
    "captured_in_tricks": "55",
    "last_trick_winner": "attackers",
    "led_1": "pair",
    "kitty_points": "25",
    "throw_side_1": "dealer",
    "throw_cards_1": "3",
    "hand_no": "1",
    "basis": "signed_sheet",
    "key": "k1",
}


def at(hall: Hall, table: int = 1) -> str:
    return f"/desk/{hall.event.slug}/rounds/1/tables/{table}/"


def enter(client: Client, hall: Hall, **facts: Any):
    return client.post(f"{at(hall)}enter/", HAND | facts)


def test_a_full_sheet_counts_at_once_with_its_basis(hall: Hall, referee: Client) -> None:
    assert enter(referee, hall).status_code == 303
    entry = LedgerEntry.objects.get()
    assert (entry.status, entry.basis, entry.entered_by) == ("effective", "signed_sheet", hall.referee.user)
    assert entry.facts["throw_failures"] == [{"side": "dealer", "cards": 3}]
    assert (entry.facts["captured_in_tricks"], entry.facts["led"]) == (55, [{"type": "pair"}])
    page = referee.get(at(hall)).content.decode()
    assert "Attackers 55 + kitty 25×4 + throw fine 30 = 185" in page


def test_sending_the_same_page_twice_is_one_hand(hall: Hall, referee: Client) -> None:
    enter(referee, hall)
    assert enter(referee, hall).status_code == 303
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"kind": "total", "attackers_total": "120"}, {"total_only": 120}),
        ({"kind": "annulled", "annulled_reason": "misdeal"}, {"kind": "annulled", "reason": "misdeal"}),
        (
            {
                "kind": "adjusted",
                "adjusted_side": "EW",
                "adjusted_levels": "1",
                "deal_changes_hands": "yes",
                "adjusted_why": "x",
            },
            {"kind": "adjusted", "side": "EW", "levels": 1, "deal_changes_hands": True, "why": "x"},
        ),
        (
            {"led_1": "tractor-2-3", "led_2": "single"},
            {"led": [{"type": "tractor", "width": 2, "length": 3}, {"type": "single"}]},
        ),
        (
            {"adjustment_points": "\u221210", "adjustment_why": "hint"},
            {"adjustments": [{"points": -10, "why": "hint"}]},
        ),
    ],
)
def test_the_other_forms_of_a_hand(
    hall: Hall, referee: Client, facts: dict[str, Any], expected: dict[str, Any]
) -> None:
    answer = enter(referee, hall, **facts)
    assert answer.status_code == 303, answer.context["findings"]
    found = LedgerEntry.objects.get().facts
    assert {name: found[name] for name in expected} == expected
    page = referee.get(at(hall)).content.decode()
    assert ("total from a slip" in page) == (facts.get("kind") == "total")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("captured_in_tricks", "83"),
        ("captured_in_tricks", "８０"),
        ("captured_in_tricks", "80.0"),
        ("captured_in_tricks", "1e2"),
        ("captured_in_tricks", "-5"),
        ("captured_in_tricks", "99999999999999999999"),
        ("captured_in_tricks", ""),
        ("kitty_points", "85"),
        ("trump", "X"),
        ("level", "11"),
        ("dealer", "Q"),
        ("last_trick_winner", "nobody"),
        ("basis", ""),
    ],
)
def test_what_cannot_be_accepted_is_named_by_its_field_and_kept(
    hall: Hall, referee: Client, field: str, value: str
) -> None:
    answer = enter(referee, hall, **{field: value})
    page = answer.content.decode()
    assert 400 <= answer.status_code < 500
    assert field in answer.context["bad"]
    assert "<title>Refused" in flat(page)
    assert 'role="alert"' in page
    if field in ("captured_in_tricks", "kitty_points"):
        assert f'value="{value}"' in page
    assert not LedgerEntry.objects.exists()


def test_the_preview_judges_and_writes_nothing(hall: Hall, referee: Client) -> None:
    seen = referee.post(f"{at(hall)}preview/", HAND).content.decode()
    assert "Attackers 55 + kitty 25×4 + throw fine 30 = 185" in seen
    wrong = referee.post(f"{at(hall)}preview/", HAND | {"captured_in_tricks": "83"}).content.decode()
    assert "Points must be a multiple of 5; you wrote 83." in wrong
    assert not LedgerEntry.objects.exists()


@pytest.fixture
def dispute(hall: Hall) -> tuple[LedgerEntry, LedgerEntry]:
    """Two accounts of the first hand: 95 and 90."""
    entries = []
    for actor, points in ((hall.ns, 95), (hall.ew, 90)):
        done = scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=actor, at=AT, facts=sheet(points), hand_no=1)
        entries.append(done.entry)
    return entries[0], entries[1]


def test_a_dispute_says_what_differs_and_whether_it_matters(hall: Hall, referee: Client, dispute) -> None:
    board = referee.get(f"/desk/{hall.event.slug}/").content.decode()
    assert "Points in tricks: 95 or 90" in board
    assert "It does not matter: take the deal, +0, either way." in board
    assert "Set 95" in board
    assert "Set 90" in board
    assert "Set 95" in referee.get(at(hall)).content.decode()


def test_set_90_settles_it_with_a_reason(hall: Hall, referee: Client, dispute) -> None:
    hall.sitting.refresh_from_db()
    address = f"{at(hall)}settle/?entry={dispute[1].pk}&revision={hall.sitting.revision}"
    answer = referee.post(address, {"reason": "both sides agree", "to": "board", "key": "s1"})
    assert answer["Location"] == f"/desk/{hall.event.slug}/"
    effective = LedgerEntry.objects.get(status="effective")
    assert (effective.facts["captured_in_tricks"], effective.basis, effective.reason) == (
        90,
        "ruling",
        "both sides agree",
    )
    assert "Set 95" not in referee.get(f"/desk/{hall.event.slug}/").content.decode()


def test_a_settlement_on_an_old_page_is_refused(hall: Hall, referee: Client, dispute) -> None:
    answer = referee.post(f"{at(hall)}settle/?entry={dispute[1].pk}&revision=0", follow=True)
    assert "Something changed since you opened this" in answer.content.decode()
    assert not LedgerEntry.objects.filter(status="effective").exists()


def test_an_official_confirms_what_a_side_entered_but_not_their_own(hall: Hall, referee: Client) -> None:
    done = scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, facts=sheet(95), hand_no=1)
    assert f"confirm/{done.entry.pk}/" in referee.get(at(hall)).content.decode()
    referee.post(f"{at(hall)}confirm/{done.entry.pk}/")
    assert LedgerEntry.objects.get().status == "effective"


@pytest.mark.long
def test_a_penalty_is_the_chief_s(hall: Hall, referee: Client, chief: Client) -> None:
    enter(
        referee,
        hall,
        captured_in_tricks="20",
        last_trick_winner="dealer",
        led_1="",
        kitty_points="",
        throw_side_1="",
        throw_cards_1="",
    )
    hall.sitting.refresh_from_db()
    ruling = {"side": "NS", "levels": "\u22121", "reason": "took back a card", "revision": str(hall.sitting.revision)}
    assert referee.post(f"{at(hall)}penalty/", ruling).status_code == 403
    chief.post(f"{at(hall)}penalty/", ruling | {"reason": ""})
    told = chief.post(f"{at(hall)}penalty/", ruling, follow=True).content.decode()
    assert "A penalty must cite a clause." in told
    assert not LedgerEntry.objects.filter(kind="level_penalty").exists()
    chief.post(f"{at(hall)}penalty/", ruling | {"clause": "referee.level_penalty"})
    assert LedgerEntry.objects.get(kind="level_penalty").facts["levels"] == -1
    assert Ruling.objects.get().clause == "referee.level_penalty"
    assert "took back a card" in chief.get(at(hall)).content.decode()


@pytest.mark.long
def test_a_penalty_says_what_the_schedule_has_for_this_time(hall: Hall, chief: Client) -> None:
    """The third taking back loses the match; one more level is not that."""
    told = []
    for _time in range(3):
        hall.sitting.refresh_from_db()
        sent = {"side": "NS", "levels": "−1", "reason": "a queen", "clause": "penalty.take_back.play"}
        page = chief.post(f"{at(hall)}penalty/", sent | {"revision": hall.sitting.revision}, follow=True)
        told.append(re.sub(r"\s+", " ", page.content.decode()))
    assert ["as ruling no. " in page for page in told] == [True] * 3
    said = "This is the third time in this stage; the penalties of the event say: N–S forfeit the match"
    assert [said in page for page in told] == [False, False, True]


def test_the_end_at_time_gives_the_match_its_result(hall: Hall, referee: Client) -> None:
    enter(referee, hall)
    hall.sitting.refresh_from_db()
    referee.post(f"{at(hall)}end/", {"end": "time", "revision": str(hall.sitting.revision)})
    assert Match.objects.get(pk=hall.sitting.match_id).outcome == "played"
    page = referee.get(at(hall)).content.decode()
    assert "0\u00a0:\u00a02" in page
    assert "Enter from a slip" not in page


def test_a_forfeit_is_the_chief_s_and_says_why(hall: Hall, referee: Client, chief: Client) -> None:
    ruling = {"outcome": "away_forfeit", "reason": "absent"}
    assert referee.post(f"{at(hall)}forfeit/", ruling).status_code == 403
    chief.post(f"{at(hall)}forfeit/", ruling)
    assert Match.objects.get(pk=hall.sitting.match_id).outcome == "away_forfeit"


@pytest.mark.parametrize(
    ("address", "posted"),
    [
        ("rounds/1/tables/9/", None),
        ("rounds/1/tables/9/enter/", HAND),
        ("rounds/1/tables/9/forfeit/", {"outcome": "away_forfeit", "reason": "absent"}),
        ("rounds/1/tables/9/end/", {"end": "time"}),
        ("attendance/late/", {"round": "1", "table": "9", "side": "NS"}),
    ],
)
def test_a_table_that_is_not_in_the_draw_takes_no_result(
    hall: Hall, chief: Client, address: str, posted: dict[str, Any] | None
) -> None:
    here = f"/desk/{hall.event.slug}/{address}"
    for language, sentence in (("en", "Table 9 has no match in round 1."), ("zh-hans", "第 1 轮 9 桌没有对局。")):
        chief.cookies["django_language"] = language
        answer = chief.get(here) if posted is None else chief.post(here, posted)
        assert answer.status_code == 404
        assert sentence in answer.content.decode()
    assert not LedgerEntry.objects.exists()


@pytest.mark.parametrize(
    ("stands", "en", "zh"),
    [
        ({"status": "draft", "started_at": None}, "Round 1 has not started yet.", "第 1 轮还没有开始。"),
        ({"status": "published", "started_at": None}, "Round 1 has not started yet.", "第 1 轮还没有开始。"),
        ({"status": "closed", "closed_at": AT}, "Round 1 is closed.", "第 1 轮已关闭。"),
        ({}, "The match is over; nothing can be added.", "对局已经结束，不能再录。"),
    ],
)
def test_no_form_of_a_hand_opens_where_none_can_be_entered(
    hall: Hall, referee: Client, stands: dict[str, Any], en: str, zh: str
) -> None:
    """Told when the form is asked for, not after it was filled in; the page of the table has no link to it."""
    form = f"{at(hall)}enter/"
    assert f'href="{form}"' in referee.get(at(hall)).content.decode()
    if stands:
        Round.objects.update(**stands)
    else:
        enter(referee, hall)
        hall.sitting.refresh_from_db()
        referee.post(f"{at(hall)}end/", {"end": "time", "revision": str(hall.sitting.revision)})
    assert f'href="{form}"' not in referee.get(at(hall)).content.decode()
    for language, sentence in (("en", en), ("zh-hans", zh)):
        referee.cookies["django_language"] = language
        answer = referee.get(form)
        page = answer.content.decode()
        assert answer.status_code == 409
        assert sentence in page
        assert 'name="captured_in_tricks"' not in page


def test_phones_are_signed_out_and_codes_replaced(hall: Hall, organiser: Client) -> None:
    device = hall.ns.device
    organiser.post(f"{at(hall)}release/{device.pk}/")
    device.refresh_from_db()
    assert device.released_at is not None
    old = hall.ew.device.code
    organiser.post(f"{at(hall)}reissue/EW/")
    old.refresh_from_db()
    assert old.revoked_at is not None
    assert organiser.post(f"{at(hall)}reissue/XX/").status_code == 404


def test_codes_are_shown_to_who_may_issue_them_only(hall: Hall, organiser: Client, referee: Client) -> None:
    organiser.post(f"{at(hall)}reissue/EW/")
    assert "PIN" in organiser.get(at(hall)).content.decode()
    assert "PIN" not in referee.get(at(hall)).content.decode()


def test_who_only_looks_on_is_told_how_to_act(hall: Hall, organiser: Client, referee: Client) -> None:
    page = organiser.get(at(hall)).content.decode()
    assert "be appointed referee" in page
    assert f"/desk/{hall.event.slug}/officials/" in page
    assert "be appointed referee" not in referee.get(at(hall)).content.decode()


def test_who_scores_a_table_can_be_switched_until_it_has_finished(
    hall: Hall, organiser: Client, referee: Client
) -> None:
    organiser.post(f"{at(hall)}scored-by/", {"scored_by": "referee"})
    assert Sitting.objects.get(pk=hall.sitting.pk).scored_by == "referee"
    assert "Let the sides score it" in organiser.get(at(hall)).content.decode()
    referee.post(f"{at(hall)}end/", {"end": "time", "revision": str(hall.sitting.revision)})
    assert "Let the sides score it" not in organiser.get(at(hall)).content.decode()


def test_a_referee_of_other_tables_enters_nothing_here(hall: Hall, sign_in) -> None:
    other = factories.official(hall.event, tables=(hall.sittings[1].table,))
    client = sign_in(other)
    assert client.get(f"{at(hall)}enter/").status_code == 403
    assert enter(client, hall).status_code == 403
    assert client.get(f"{at(hall, 2)}enter/").status_code == 200
    assert not LedgerEntry.objects.exists()


@pytest.mark.long
def test_queries_of_a_table_do_not_grow_with_its_hands(
    hall: Hall, referee: Client, django_assert_max_num_queries
) -> None:
    def count() -> int:
        with django_assert_max_num_queries(60) as seen:
            referee.get(at(hall))
        return len(seen)

    enter(referee, hall, key="a")
    few = count()
    for number in range(2, 7):
        enter(referee, hall, key=f"b{number}", hand_no=str(number), captured_in_tricks="40")
    assert LedgerEntry.objects.count() > 3
    assert count() == few


def test_an_end_by_mistake_is_taken_back_by_the_chief(hall: Hall, referee: Client, chief: Client) -> None:
    referee.post(f"{at(hall)}end/", {"end": "time", "revision": "0"})
    hall.sitting.refresh_from_db()
    assert hall.sitting.phase == "finished"
    again = {"reason": "the clock was wrong", "revision": str(hall.sitting.revision)}
    assert referee.post(f"{at(hall)}reopen/", again).status_code == 403
    chief.post(f"{at(hall)}reopen/", again)
    hall.sitting.refresh_from_db()
    assert hall.sitting.phase == "playing"
    assert Match.objects.get(pk=hall.sitting.match_id).outcome == "pending"
    page = flat(chief.get(at(hall)).content.decode())
    assert "counts for nothing" not in page
    assert re.search(r"<li>taken back · [^<]*<", page)


def test_lots_decide_a_match_that_its_rule_leaves_open(db: None, sign_in) -> None:
    hall = factories.hall(stage_={"tie_rule": "lots", "format": "ko_timed"})
    client = sign_in(hall.chief)
    client.post(f"{at(hall)}end/", {"end": "time", "revision": "0"})
    assert "Equal levels: decide" in client.get(at(hall)).content.decode()
    client.post(f"{at(hall)}decide/", {"reason": "drawn at the table", "winner": "EW"})
    match = Match.objects.get(pk=hall.sitting.match_id)
    assert (match.outcome, match.winner_side) == ("played", "EW")


def test_what_does_not_count_stays_visible_at_the_desk(hall: Hall, referee: Client, dispute) -> None:
    hall.sitting.refresh_from_db()
    referee.post(f"{at(hall)}settle/?entry={dispute[1].pk}&revision={hall.sitting.revision}", {"reason": "slip"})
    page = referee.get(at(hall)).content.decode()
    assert "Taken back, sent back, overruled 2" in page
    assert "Points in tricks 95" in page


CHAODIPI, NANNING = "chaodipi", "nanning-4d"
JOKER = {"base": "scn2-2013", "set": {"joker_declare": "any"}}
PLAYED = {"kind": "hand", "captured_in_tricks": 60, "last_trick_winner": "dealer", "trump": "H"}
DUG = PLAYED | {"last_trick_winner": "attackers", "kitty_points": 10}
# rules, what is filled in beside trump, points and last trick, the facts it makes, what the page then says
REGIONAL: list[tuple[Any, dict[str, Any], dict[str, Any], str]] = [
    (
        CHAODIPI,
        {"red_fives_declared": "dealer"},
        PLAYED | {"specials": [{"event": "red_fives_declared", "by": "dealer"}]},
        "red fives declared: N–S to A, E–W to 2",
    ),
    (
        CHAODIPI,
        {"last_trick_winner": "attackers", "kitty_points": "10", "special_dig": "dug_510K"},
        DUG | {"led": [{"type": "single"}] * 3, "specials": [{"event": "dug_510K", "by": "attackers"}]},
        "dug with 510K: E–W to A, N–S to 2",
    ),
    (
        CHAODIPI,
        {"dark_bids_attackers": "2", "dark_bids_dealer": "0"},
        PLAYED | {"dark_bids": [{"side": "attackers", "times": 2}]},
        "Attackers 60 − dark bids 160 = −100",
    ),
    (
        NANNING,
        {"led_1": "quad", "last_trick_points": "30"},
        PLAYED | {"led": [{"type": "quad"}], "last_trick_points": 30},
        "Attackers 60 − last trick 30×4 = −60",
    ),
    (
        {"base": "scn2-2013", "set": {"dig_trump_only": True}},
        {"last_trick_winner": "attackers", "kitty_points": "10", "led_1": "pair", "winning_category": "trump"},
        DUG | {"led": [{"type": "pair"}], "winning_category": "trump"},
        "Attackers 60 + kitty 10×4 = 100",
    ),
    (JOKER, {"declared_by": "E"}, PLAYED | {"declared_by": "E"}, "E–W 3 → 4"),
]


@pytest.mark.parametrize(("rules", "filled", "facts", "words"), REGIONAL)
def test_sheets_of_regional_games(
    db: None, sign_in, rules: Any, filled: dict[str, Any], facts: dict[str, Any], words: str
) -> None:
    hall = factories.hall(profile=rules, levels=("3", "3"))
    client = sign_in(hall.referee)
    typed = {"trump": "H", "captured_in_tricks": "60", "last_trick_winner": "dealer", **filled}
    sent = {"kind": "hand", "hand_no": "1", "basis": "signed_sheet", "key": "k1", **typed}
    assert client.post(f"{at(hall)}enter/", sent).status_code == 303
    entry = LedgerEntry.objects.get()
    assert {name: value for name, value in entry.facts.items() if name not in ("dealer", "level")} == facts
    assert SheetForm.of_facts(entry.facts).facts() == entry.facts
    page = client.get(at(hall)).content.decode()
    assert words in page


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("why", {"en": "takes back a play", "zh": "悔牌"}, "悔牌"),
        ("why", "as told", "as told"),
        ("adjustments", [{"points": -10, "why": {"en": "late", "zh": "迟到"}}], "−10（迟到）"),
        ("adjustments", [{"points": 5, "why": "late"}, {"points": -5}], "+5（late）、−5"),
    ],
)
def test_reasons_are_said_in_the_language_of_the_page(name: str, value: Any, words: str) -> None:
    with translation.override("zh-hans"):
        assert DESK.says(name, value) == words
