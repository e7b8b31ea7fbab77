"""The desk of an evening of single players: seats by hand, hands from slips, penalties, corrections."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.tournaments.individual import Evening, alone, evening, everyone, sittings_of
from tournaments.acts.admission import Actor
from tournaments.models import LedgerEntry, Match, MatchPlace, Sitting
from tournaments.rounds.acts import create_round

pytestmark = pytest.mark.django_db

SignIn = Callable[[Actor], Client]


def running(preset: str, players: int, sign_in: SignIn, **stage: int) -> tuple[Evening, Client, Sitting, str]:
    """An evening with one running table: its desk, the sitting, the address of the table's page."""
    here = evening(preset, players, stage=stage)
    (sitting,) = sittings_of(here.round())
    return here, sign_in(here.actor), sitting, f"/desk/{here.tournament.slug}/rounds/1/tables/1/"


def seats(here: Evening, *tables: tuple[int, ...]) -> dict[str, list[str]]:
    """The form of the seats, players by number (0: nobody)."""
    rows = [[str(here.ids.get(number, "")) for number in table] for table in tables]
    return {"table": [str(row) for row in range(1, len(rows) + 1)]} | {
        f"place_{place}": [row[place - 1] for row in rows] for place in range(1, 5)
    }


@pytest.mark.long
def test_seats_by_hand_look_and_publish(sign_in: SignIn) -> None:
    here = evening("I1", 9)
    desk, base = sign_in(here.actor), f"/desk/{here.tournament.slug}/rounds/"
    desk.post(f"{base}new/")
    form = seats(here, (1, 2, 3, 4), (5, 6, 7, 8))
    assert desk.post(f"{base}1/pair/", form).status_code == 303
    page = desk.get(f"{base}1/pair/").content.decode()
    assert "选手9" in page
    wrong = seats(here, (1, 2, 3, 3), (5, 6, 7, 8))
    refused = desk.post(f"{base}1/pair/", wrong)
    assert refused.status_code == 400
    assert refused.content.decode().count(f'<option value="{here.ids[3]}" selected>') == 2
    short = desk.post(f"{base}1/pair/", seats(here, (1, 2, 3, 0)))
    assert short.status_code == 400
    assert MatchPlace.objects.count() == 8
    assert desk.post(f"{base}1/draw/").status_code == 303
    desk.post(f"{base}1/publish/")
    replaced = desk.post(
        f"{base}1/supersede/", seats(here, (1, 4, 5, 8), (2, 3, 6, 9)) | {"reason": "7 号未到"}, follow=True
    )
    assert replaced.status_code == 200
    standing = Match.objects.filter(superseded_in=None)
    assert {match.home_id for match in standing if not match.individual} == {here.ids[7]}


HAND = {
    "kind": "hand",
    "hand_no": "1",
    "dealer": "2",
    "bid": "90",
    "trump": "H",
    "captured_in_tricks": "85",
    "last_trick_winner": "dealer",
    "basis": "signed_sheet",
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "facts", "scores"),
    [
        (HAND, {"captured_in_tricks": 85}, {"1": -1, "2": 3, "3": -1, "4": -1}),
        (
            HAND | {"last_trick_winner": "attackers", "led": "pair", "kitty_points": "5"},
            {"led": [{"type": "pair"}], "kitty_points": 5},
            {"1": 1, "2": -3, "3": 1, "4": 1},
        ),
        (
            HAND | {"kind": "total", "total_only": "95", "captured_in_tricks": "", "last_trick_winner": ""},
            {"total_only": 95},
            {"1": 1, "2": -3, "3": 1, "4": 1},
        ),
        (HAND | {"throw_place_1": "1", "throw_cards_1": "3"}, {"throw_failures": [{"place": "1", "cards": 3}]}, None),
        (
            HAND | {"adjustment_points": "10", "adjustment_why": "漏跟"},
            {"adjustments": [{"points": 10, "why": "漏跟"}]},
            None,
        ),
        (
            {"kind": "adjusted", "hand_no": "1", "gains_1": "2", "gains_3": "−1", "why": "裁定", "basis": "ruling"},
            {"gains": {"1": 2, "2": 0, "3": -1, "4": 0}},
            {"1": 2, "2": 0, "3": -1, "4": 0},
        ),
        (
            {"kind": "annulled", "hand_no": "1", "annulled_reason": "all_passed", "basis": "watched"},
            {"reason": "all_passed"},
            {"1": 0, "2": 0, "3": 0, "4": 0},
        ),
    ],
)
def test_every_kind_of_entry_from_a_slip(sign_in: SignIn, form, facts, scores) -> None:
    _, desk, sitting, table = running("I1", 4, sign_in)
    answer = desk.post(f"{table}enter/", form)
    assert answer.status_code == 303, answer.content.decode()
    entry = LedgerEntry.objects.get()
    assert facts.items() <= entry.facts.items()
    sitting.refresh_from_db()
    if scores is not None:
        assert sitting.state["scores"] == scores
    page = desk.get(f"{table}enter/?from={entry.pk}").content.decode()
    assert all(f'value="{form[name]}"' in page for name in ("captured_in_tricks", "total_only") if form.get(name))
    assert desk.get(table).status_code == 200


@pytest.mark.long
def test_points_of_all_from_a_slip_and_what_is_wrong_with_them(sign_in: SignIn) -> None:
    _, desk, sitting, table = running("I2", 4, sign_in)
    form = {"kind": "hand", "hand_no": "1", "last_trick_place": "3", "kitty_points": "15", "basis": "watched"}
    form |= {f"points_{place}": str(points) for place, points in enumerate((80, 60, 50, 30), start=1)}
    refused = desk.post(f"{table}enter/", form)
    assert refused.status_code == 400
    assert 'value="30"' in refused.content.decode()
    assert desk.post(f"{table}preview/", form).status_code == 200
    assert desk.post(f"{table}enter/", form | {"points_4": "35"}).status_code == 303
    sitting.refresh_from_db()
    assert sitting.state["scores"] == {"1": 80, "2": 60, "3": 65, "4": 35}


@pytest.mark.long
def test_a_penalty_an_end_and_its_taking_back(sign_in: SignIn) -> None:
    here, desk, sitting, table = running("I1", 4, sign_in)
    here.enter(sitting, alone("1", 95, 95))
    sitting.refresh_from_db()
    of = {"revision": str(sitting.revision), "key": "p"}
    desk.post(f"{table}penalty/", of | {"side": "2", "levels": "−2", "reason": "迟到", "clause": "individual.penalty"})
    sitting.refresh_from_db()
    assert sitting.state["scores"] == {"1": -3, "2": -1, "3": 1, "4": 1}
    page = desk.get(table).content.decode()
    assert "迟到" in page
    desk.post(f"{table}end/", {"revision": str(sitting.revision), "key": "e", "end": "ruling", "why": "停电"})
    assert Match.objects.get(pk=sitting.match_id).outcome == "played"
    sitting.refresh_from_db()
    desk.post(f"{table}reopen/", {"revision": str(sitting.revision), "key": "r", "reason": "来电"})
    assert Match.objects.get(pk=sitting.match_id).outcome == "pending"
    sitting.refresh_from_db()
    gone = {"revision": str(sitting.revision), "key": "g", "end": "left", "by": "3"}
    assert "has left" in desk.post(f"{table}end/", gone, follow=True).content.decode()
    assert Match.objects.get(pk=sitting.match_id).outcome == "played"


def test_the_desk_names_points_as_the_phone_does(sign_in: SignIn) -> None:
    here, desk, sitting, _ = running("I1", 4, sign_in)
    here.enter(sitting, alone("1", 95, 95))
    history = desk.get(f"/desk/{here.tournament.slug}/history/", headers={"Accept-Language": "zh"}).content.decode()
    assert "三家得分" in history
    assert "闲家得分" not in history


def test_the_form_of_a_single_player_asks_for_one_name(sign_in: SignIn) -> None:
    here = evening("I1", 4)
    for page in ("entrants/new/", "entrants/1/"):
        shown = sign_in(here.actor).get(f"/desk/{here.tournament.slug}/{page}").content.decode()
        assert shown.count('name="player_') == 3, "name, Latin name and number of one person"
        assert "More players of a team" not in shown


@pytest.mark.long
def test_a_correction_is_looked_at_and_applied(sign_in: SignIn) -> None:
    here, desk, sitting, _ = running("I2", 4, sign_in, hands=1)
    done = here.enter(sitting, everyone([80, 60, 50, 40], "2", 10))
    address = f"/desk/{here.tournament.slug}/hands/{done.entry.pk}/correct/"
    page = desk.get(address).content.decode()
    assert 'value="80"' in page
    sitting.refresh_from_db()
    form = {
        "kind": "hand",
        "last_trick_place": "1",
        "kitty_points": "10",
        "revision": str(sitting.revision),
        "key": "c",
    }
    form |= {f"points_{place}": str(points) for place, points in enumerate((70, 70, 50, 40), start=1)}
    looked = desk.post(address, form | {"look": "1"})
    assert looked.status_code == 200
    assert "选手2" in looked.content.decode()
    applied = desk.post(address, form | {"apply": "1", "reason": "数错"})
    assert applied.status_code == 303, applied.content.decode()
    assert {row.place: row.hundredths for row in MatchPlace.objects.filter(match=sitting.match_id)} == {
        "1": 8000,
        "2": 7000,
        "3": 5000,
        "4": 4000,
    }


@pytest.mark.long
def test_a_dispute_is_settled_from_the_board(sign_in: SignIn) -> None:
    from tournaments.ledger import scorekeeping

    here, desk, sitting, table = running("I1", 4, sign_in)
    for place, bid in (("1", 90), ("3", 95)):
        scorekeeping.record_hand(
            sitting_id=sitting.pk,
            actor=here.phone(sitting, place),
            at=here.tick(),
            facts=alone("2", bid, 90),
            hand_no=1,
        )
    board = desk.get(f"/desk/{here.tournament.slug}/").content.decode()
    assert "90" in board
    assert "95" in board
    sitting.refresh_from_db()
    claim = LedgerEntry.objects.get(entered_side="3")
    settled = desk.post(
        f"{table}settle/?entry={claim.pk}&revision={sitting.revision}", {"reason": "看过叫牌", "to": "board"}
    )
    assert settled.status_code == 303
    sitting.refresh_from_db()
    assert sitting.state["scores"] == {"1": -1, "2": 3, "3": -1, "4": -1}


@pytest.mark.long
def test_an_event_is_made_from_every_preset_of_single_players(sign_in: SignIn) -> None:
    here = evening("I1", 0)
    desk = sign_in(here.actor)
    for preset in ("I1", "I2", "I3"):
        form = {
            "preset": preset,
            "name": "晚间赛",
            "slug": f"evening-{preset.lower()}",
            "starts_on": "2026-05-16",
            "language": "zh-hans",
            "timezone": "Asia/Shanghai",
            "hands": "5",
        }
        assert desk.post("/desk/new/", form).status_code == 303
        assert 'value="5"' in desk.get(f"/desk/evening-{preset.lower()}/stages/1/").content.decode()
    mixed = desk.post("/desk/new/", form | {"slug": "mixed", "profile": "scn2-2013"})
    assert mixed.status_code == 422


def test_rounds_are_refused_without_enough_players(sign_in: SignIn) -> None:
    here = evening("I3", 4)
    desk, base = sign_in(here.actor), f"/desk/{here.tournament.slug}/rounds/"
    create_round(tournament_id=here.tournament.pk, actor=here.actor, at=here.tick())
    page = desk.post(f"{base}1/draw/", follow=True).content.decode()
    assert "5 players" in page or "5 人" in page
    assert not Match.objects.exists()
