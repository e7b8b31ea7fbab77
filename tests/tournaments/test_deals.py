"""Deals of duplicate boards: promised, drawn by lot, sealed, read by one person, shown, dealt again by anybody."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.test import override_settings

from scoring.cards import dealing
from scoring.cards.records import HandRecord, write
from scoring.values import Seat
from tests.tournaments.playing import Event, event
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit, certify
from tournaments.audit.record import event_document, event_json
from tournaments.deals import again
from tournaments.deals.acts import commit_deals, draw_lot, name_reader, read_deals, show_deals
from tournaments.deals.reads import compared, hands_of, shown_of
from tournaments.deals.sealing import opened, secret_of
from tournaments.ledger.recorded_hands import attach
from tournaments.models import Board, Dealing, HistoryEntry, Office, Official, Player, Round, Sitting, User
from tournaments.rounds import closing
from tournaments.transfer.imports import import_event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NONCE = "5a" * 32
STAGE = {
    "format": "dup_teams",
    "match_score": "mp_210",
    "tie_rule": "draw",
    "minutes": None,
    "rounds_planned": 1,
    "chain": ["points", "board_points", "lots"],
    "plan": {"boards": 2},
}


def by(made: Event) -> dict[str, Any]:
    return {"actor": made.actor, "at": made.tick()}


def promised(made: Event, first: int = 1, last: int = 4, **more: Any) -> Dealing:
    stage = made.tournament.stages.get()
    reader = {"reader_id": made.actor.user.pk if made.actor.user else None}
    return commit_deals(stage_id=stage.pk, first=first, last=last, nonce=NONCE, **by(made), **{**reader, **more})


def drawn(made: Event, lot: str = "3 1 6 6 2", **more: Any) -> Dealing:
    return draw_lot(dealing_id=promised(made, **more).pk, lot=lot, **by(made))


def teams() -> Event:
    return event(4, stage=STAGE)


def played(made: Event) -> Round:
    round_ = made.running((1, 2), (3, 4))
    for sitting in round_.sittings.order_by("table__number"):
        for total in (35, 80):
            made.hand(sitting, total)
    return round_


def over(made: Event) -> None:
    closing.close_round(round_id=played(made).pk, actor=made.actor, at=made.tick())


def refused(code: str) -> Any:
    return pytest.raises(Refusal, match=code)


def test_the_promise_stands_before_the_lot_and_both_before_play() -> None:
    made = teams()
    row = promised(made)
    assert row.commitment == dealing.commitment(secret_of(NONCE))
    assert Board.objects.count() == 4
    with refused("lot_not_drawn"):
        read_deals(dealing_id=row.pk, purpose="slips", **by(made))
    row = draw_lot(dealing_id=row.pk, lot="  7   号球  ", **by(made))
    assert row.lot == "7 号球"
    with refused("lot_is_drawn"):
        draw_lot(dealing_id=row.pk, lot="8", **by(made))
    with refused("boards_promised"):
        promised(made, 4, 5)
    assert promised(made, 5, 6).number == 2


def test_once_a_board_is_played_nothing_is_promised_or_drawn_for_it() -> None:
    made = teams()
    later = promised(made, 1, 1)
    played(made)
    with refused("board_begun"):
        promised(made, 2, 2)
    with refused("board_begun"):
        draw_lot(dealing_id=later.pk, lot="1", **by(made))


@pytest.mark.parametrize(
    ("numbers", "field"), [((0, 3), "first"), ((1, 1001), "last"), ((3, 2), "last"), ((True, 2), "first")]
)
def test_numbers_of_boards_are_checked(numbers: tuple[int, int], field: str) -> None:
    with refused("bad_board_number") as told:
        promised(teams(), *numbers)
    assert told.value.field == field


def test_the_deals_are_read_by_the_one_who_is_named_and_every_reading_is_kept() -> None:
    made = teams()
    row = drawn(made)
    other = User.objects.create(username="other", display_name="别人")
    Official.objects.create(
        tournament=made.tournament, user=other, office=Office.ORGANISER, appointed_at=made.now, revoked_at=None
    )
    with refused("not_the_reader"):
        read_deals(dealing_id=row.pk, purpose="slips", actor=Actor(user=other), at=made.tick())
    got = read_deals(dealing_id=row.pk, purpose="slips", boards=[2, 3], **by(made))
    seed = dealing.seed_of(secret_of(NONCE), row.lot.encode())
    assert got == {number: dealing.deal(seed, number, 2) for number in (2, 3)}
    line = HistoryEntry.objects.filter(act="read_deals").get()
    assert (line.user, line.new) == (made.actor.user, {"purpose": "slips", "first": 2, "last": 3, "boards": 2})
    name_reader(dealing_id=row.pk, reader_id=other.pk, **by(made))
    with refused("not_the_reader"):
        read_deals(dealing_id=row.pk, purpose="slips", **by(made))
    with refused("no_such_board"):
        read_deals(dealing_id=row.pk, purpose="slips", boards=[5], actor=Actor(user=other), at=made.tick())


def test_who_plays_or_holds_no_office_is_not_named() -> None:
    made = teams()
    stranger = User.objects.create(username="stranger")
    with refused("reader_no_official"):
        promised(made, reader_id=stranger.pk)
    assert made.actor.user is not None
    made.actor.user.display_name = "同名"
    made.actor.user.save()
    Player.objects.create(entrant_id=made.ids[1], order=9, name="同名")
    with refused("reader_plays"):
        promised(made)


def test_they_are_shown_when_nobody_has_to_play_them_and_anybody_deals_them_again(tmp_path: Path) -> None:
    made = teams()
    row = drawn(made, lot="三号球 17")
    with refused("deals_wait"):
        show_deals(dealing_id=row.pk, **by(made))
    over(made)
    assert hands_of(row.stage, 1) is None
    row = show_deals(dealing_id=row.pk, **by(made))
    assert row.secret == secret_of(NONCE).hex()
    (shown,) = shown_of(row.stage)
    # the very text that the page gives away, run as a program of its own
    script = tmp_path / "again.py"
    script.write_text(Path(again.__file__).read_text("utf-8"), "utf-8")
    told = subprocess.run(
        [sys.executable, "-I", str(script), row.secret, row.lot, "1", "4", "2"], capture_output=True, check=True
    ).stdout.decode()
    wanted = "".join(f"board {n} fingerprint {one.fingerprint}\n{one.text}" for n, one in shown.boards.items())
    assert told.replace("\r\n", "\n") == f"commitment {row.commitment}\n{wanted}"
    with refused("deals_are_shown"):
        show_deals(dealing_id=row.pk, **by(made))
    with refused("deals_are_shown"):
        name_reader(dealing_id=row.pk, reader_id=None, **by(made))


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_the_script_deals_as_the_kernel_does(decks: int) -> None:
    seed = bytes(range(32))
    assert all(again.deal(seed, board, decks) == dealing.deal(seed, board, decks).text for board in range(1, 30))


def _everything_told(made: Event) -> str:
    """Every row of every table as it stands in the database, the exports and the audit."""
    told = [event_json(made.tournament, official=official, names=official).decode() for official in (False, True)]
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            told += [str(row) for row in cursor.fetchall()]
    return "\n".join(told)


def test_before_that_no_secret_and_no_card_of_theirs_stands_anywhere(caplog: pytest.LogCaptureFixture) -> None:
    made = teams()
    cache.clear()
    row = drawn(made)
    with caplog.at_level("DEBUG"):
        got = read_deals(dealing_id=row.pk, purpose="slips", **by(made))
        played(made)
    told = _everything_told(made) + caplog.text
    secret = secret_of(NONCE)
    seed = dealing.seed_of(secret, row.lot.encode())
    hidden = [secret.hex(), seed.hex(), *(one.fingerprint for one in got.values())]
    hidden += ["".join(map(str, cards)) for one in got.values() for cards in one.pockets.values()]
    assert row.commitment in told
    assert [one for one in hidden if one in told] == []


def test_another_key_cannot_open_the_promise_and_an_older_one_can() -> None:
    made = teams()
    row = drawn(made)
    with override_settings(SECRET_KEY="another key"):
        assert opened(row) is None
        with refused("deals_lost"):
            read_deals(dealing_id=row.pk, purpose="slips", **by(made))
    from django.conf import settings

    with override_settings(SECRET_KEY="another key", SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert opened(row) == secret_of(NONCE, settings.SECRET_KEY_FALLBACKS[0])


def _record(made: Event, sitting: Sitting, hand_no: int, deal: dealing.Dealt) -> None:
    hand = HandRecord(tags={}, deal=deal.hands, kitty=deal.kitty)
    attach(sitting_id=sitting.pk, hand_no=hand_no, text=write(hand), **by(made))


def test_a_hand_played_with_other_cards_is_found() -> None:
    made = teams()
    row = drawn(made)
    deals = read_deals(dealing_id=row.pk, purpose="check", **by(made))
    one, other = played(made).sittings.order_by("table__number")[:2]
    at = one.boards.index(1) + 1
    _record(made, one, at, deals[1])
    _record(made, one, one.boards.index(2) + 1, deals[2])
    north, east = deals[1].hands[Seat.N], deals[1].hands[Seat.E]
    card = next(card for card in north if card not in east)
    back = next(card for card in east if card not in north)
    wrong = {
        **deals[1].hands,
        Seat.N: dealing.in_order([*_without(north, card), back]),
        Seat.E: dealing.in_order([*_without(east, back), card]),
    }
    _record(made, other, other.boards.index(1) + 1, replace(deals[1], hands=wrong))
    told = compared(row, deals)
    assert told.hands == 3
    (found,) = told.others
    assert (found.sitting, found.board) == (other, 1)
    assert [(each.pocket, each.missing, each.extra) for each in found.differences] == [
        ("N", (card,), (back,)),
        ("E", (back,), (card,)),
    ]


def _without(cards: tuple[Any, ...], card: object) -> list[Any]:
    at = cards.index(card)
    return [*cards[:at], *cards[at + 1 :]]


def test_the_audit_opens_the_promise_and_finds_a_false_one() -> None:
    made = teams()
    row = drawn(made)
    lines = {line.kind: line for line in certify(event_document(made.tournament)).lines}
    assert lines["deals"].verdict == "recorded"
    over(made)
    show_deals(dealing_id=row.pk, **by(made))
    document = event_document(made.tournament)
    assert {line.kind: line for line in certify(document).lines}["deals"].verdict == "reproduced"
    assert audit(document) == []
    document["deals"][0]["secret"] = "00" * 32
    (line,) = (line for line in certify(document).lines if line.kind == "deals")
    assert [one.what for one in line.differences] == ["commitment"]


@pytest.mark.parametrize(
    "change",
    [
        {"commitment": "0" * 64},
        {"nonce": "00" * 32},
        {"last_board": 9},
        {"lot": "another"},
        {"lot": "", "lot_at": None, "lot_by": None},
    ],
)
def test_the_database_keeps_what_was_promised_and_drawn(change: dict[str, Any]) -> None:
    made = teams()
    row = drawn(made)
    with pytest.raises(DatabaseError), transaction.atomic():
        Dealing.objects.filter(pk=row.pk).update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        Dealing.objects.filter(pk=row.pk)._raw_delete(connection.alias)


def test_what_is_shown_is_not_hidden_again() -> None:
    made = teams()
    row = drawn(made)
    over(made)
    show_deals(dealing_id=row.pk, **by(made))
    for change in ({"secret": "11" * 32}, {"secret": "", "shown_at": None, "shown_by": None}, {"reader": None}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Dealing.objects.filter(pk=row.pk).update(**change)


def test_a_closed_event_shows_what_was_never_played() -> None:
    made = teams()
    row = drawn(made, last=40)
    made.tournament.closed_at = datetime.fromisoformat("2026-05-02T10:00:00+08:00")
    made.tournament.save()
    assert show_deals(dealing_id=row.pk, **by(made)).secret


@pytest.mark.parametrize("shown", [False, True])
def test_an_event_with_deals_comes_in_from_its_export(shown: bool) -> None:
    made = teams()
    row = drawn(made)
    over(made)
    if shown:
        show_deals(dealing_id=row.pk, **by(made))
    data = event_json(made.tournament, official=True, names=True)
    kept = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept").tournament
    assert kept is not None
    (there,) = Dealing.objects.filter(stage__tournament=kept)
    assert (there.nonce, bool(there.secret)) == ("", shown)
    assert event_json(kept, official=True, names=True) == data
    assert (opened(there) is not None) == shown
