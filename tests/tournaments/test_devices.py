"""Party codes and the phones that claim them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from tests.tournaments.factories import AT, digest
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.ledger import devices
from tournaments.ledger.codes import ALPHABET, grouped, party_code_text, pin_is, pin_text
from tournaments.models import Device, HistoryEntry, Office, PartyCode, Table
from tournaments.rounds.acts import swap_tables

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def issued(made: Event) -> dict[tuple[int, str], PartyCode]:
    codes = devices.issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    return {(code.table.number, code.side): code for code in codes}


def claim(code: PartyCode | str, token: str = "token", public_id: str = "phone", **more: object) -> Device:
    text = code if isinstance(code, str) else party_code_text(code)
    return devices.claim(code_text=text, at=AT, token=token, public_id=public_id, **more)


@pytest.fixture
def made() -> Event:
    return event(4)


def test_every_table_has_two_codes_of_which_only_digests_are_kept(made: Event) -> None:
    made.running((1, 2), (3, 4))
    codes = issued(made)
    assert sorted(codes) == [(1, "EW"), (1, "NS"), (2, "EW"), (2, "NS")]
    texts = {party_code_text(code) for code in codes.values()}
    assert len(texts) == 4
    for code in codes.values():
        assert len(party_code_text(code)) == 10
        assert set(party_code_text(code)) <= set(ALPHABET)
        assert code.digest == digest(party_code_text(code))
        assert len(pin_text(code)) == 4
        assert pin_is(code, f" {pin_text(code)} ")
        assert not pin_is(code, "12345")
    again = issued(made)
    assert {code.pk for code in again.values()} == {code.pk for code in codes.values()}
    assert not texts & {str(value) for row in PartyCode.objects.values_list() for value in row}


@pytest.mark.parametrize("typed", ["{0}", "{1}", " {1} ", "{2}", "{3}"])
def test_a_code_is_read_as_people_type_it(made: Event, typed: str) -> None:
    made.running((1, 2), (3, 4))
    text = party_code_text(issued(made)[1, "NS"])
    spelt = typed.format(text, grouped(text), text.lower(), text.replace("0", "O").replace("1", "l"))
    device = claim(spelt)
    assert (device.side, device.sitting.table.number) == ("NS", 1)


def test_the_first_phone_holds_the_place(made: Event) -> None:
    round_ = made.running((1, 2), (3, 4))
    code = issued(made)[1, "NS"]
    first = claim(code)
    assert first.sitting_id == sittings_of(round_)[0].pk
    assert "token" not in Device.objects.values_list("token_digest", flat=True)
    with pytest.raises(devices.CodeInUse):
        claim(code, "other", "second")
    second = claim(code, "other", "second", take_over=True)
    assert devices.device_for(public_id="phone", token="token", at=AT) is None
    assert devices.device_for(public_id="second", token="other", at=AT) == second
    gone = devices.device_released(public_id="phone", token="token")
    assert gone is not None
    assert gone.released_why == "taken_over"
    assert devices.device_released(public_id="phone", token="wrong") is None
    assert claim(issued(made)[1, "EW"], "third", "third").side == "EW"
    assert HistoryEntry.objects.filter(act=devices.CLAIM_PLACE).count() == 3


def test_the_database_holds_one_phone_a_place(made: Event) -> None:
    made.running((1, 2), (3, 4))
    first = claim(issued(made)[1, "NS"])
    with pytest.raises(IntegrityError), transaction.atomic():
        Device.objects.create(
            public_id="x",
            code=first.code,
            sitting=first.sitting,
            side="NS",
            token_digest="y",
            claimed_at=AT,
            seen_at=AT,
        )


@pytest.mark.parametrize(("public_id", "token"), [("phone", "wrong"), ("nobody", "token"), ("", "")])
def test_a_wrong_token_is_nobody(made: Event, public_id: str, token: str) -> None:
    made.running((1, 2), (3, 4))
    claim(issued(made)[1, "NS"])
    assert devices.device_for(public_id=public_id, token=token, at=AT) is None


def test_seen_is_written_once_a_minute(made: Event, django_assert_num_queries: object) -> None:
    made.running((1, 2), (3, 4))
    claim(issued(made)[1, "NS"])
    with django_assert_num_queries(1):
        devices.device_for(public_id="phone", token="token", at=AT + timedelta(seconds=30))
    devices.device_for(public_id="phone", token="token", at=AT + timedelta(seconds=90))
    assert Device.objects.get().seen_at == AT + timedelta(seconds=90)


@pytest.mark.long
def test_a_code_opens_the_running_round_else_the_published_one(made: Event) -> None:
    first = made.running((1, 2), (3, 4))
    code = issued(made)[1, "NS"]
    assert claim(code).sitting.round_id == first.pk
    made.play(first, [35], [35])
    assert devices.device_for(public_id="phone", token="token", at=AT) is None
    with pytest.raises(Refusal, match="no_sitting_here"):
        claim(code, "b", "b")
    second = made.published((1, 3), (2, 4))
    assert claim(code, "c", "c").sitting.round_id == second.pk


def test_a_draft_round_opens_nothing(made: Event) -> None:
    made.paired((1, 2), (3, 4))
    with pytest.raises(Refusal, match="no_sitting_here"):
        claim(issued(made)[1, "NS"])


def test_a_reissued_code_replaces_card_and_phone(made: Event) -> None:
    made.running((1, 2), (3, 4))
    old = issued(made)[1, "NS"]
    claim(old)
    table = Table.objects.get(tournament=made.tournament, number=1)
    new = devices.reissue(table_id=table.pk, side="NS", actor=made.actor, at=made.tick())
    assert party_code_text(new) != party_code_text(old)
    assert pin_text(new) == pin_text(PartyCode.objects.get(pk=new.pk))
    assert devices.device_for(public_id="phone", token="token", at=AT) is None
    with pytest.raises(devices.UnknownCode):
        claim(old, "b", "b")
    claim(new, "c", "c")


def test_codes_that_cannot_be_printed_again_are_replaced(made: Event, settings: object) -> None:
    made.running((1, 2), (3, 4))
    before = issued(made)
    settings.SECRET_KEY = "another key of the server, long enough to be one"
    after = issued(made)
    assert all(after[place].generation == before[place].generation + 1 for place in before)
    claim(after[1, "NS"])


@pytest.mark.parametrize("text", ["", "0000000000", "x" * 5000, "\x00", "１２３", "' OR 1=1"])
def test_an_unknown_code_is_said_to_be_unknown(made: Event, text: str) -> None:
    with pytest.raises(devices.UnknownCode) as refused:
        claim(text)
    assert refused.value.status == 404


def test_the_desk_releases_a_phone(made: Event) -> None:
    made.running((1, 2), (3, 4))
    device = claim(issued(made)[1, "NS"])
    released = devices.release(device_id=device.pk, actor=made.actor, at=made.tick())
    assert released.released_why == "desk"
    claim(issued(made)[1, "NS"], "b", "b")


def test_a_phone_stays_with_its_match_when_tables_swap(made: Event) -> None:
    round_ = made.running((1, 2), (3, 4))
    device = claim(issued(made)[1, "NS"])
    swap_tables(round_id=round_.pk, actor=made.actor, at=made.tick(), sitting_ids=[s.pk for s in sittings_of(round_)])
    held = devices.device_for(public_id="phone", token="token", at=AT)
    assert held is not None
    assert (held.sitting_id, held.sitting.table.number) == (device.sitting_id, 2)


def test_who_may(made: Event) -> None:
    made.running((1, 2), (3, 4))
    device = claim(issued(made)[1, "NS"])
    referee = colleague(made, Office.REFEREE)
    stranger = colleague(event(0), Office.ORGANISER)
    with pytest.raises(Forbidden):
        devices.issue_codes(tournament_id=made.tournament.pk, actor=referee, at=made.now)
    with pytest.raises(Forbidden):
        devices.release(device_id=device.pk, actor=stranger, at=made.now)
    with pytest.raises(NotFound):
        devices.reissue(table_id=Table.objects.first().pk, side="XX", actor=made.actor, at=made.now)
    devices.release(device_id=device.pk, actor=referee, at=made.now)
