"""Result codes: what two phones signed counts once; what they cannot vouch for is looked at by a referee."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import pytest

from referee.hands.result_codes import facts_of_fields
from tests.tournaments.factories import AT, Hall, hall, sheet
from tests.tournaments.signing import Signing, bytes_of, text_of
from tournaments.acts.admission import Actor
from tournaments.acts.errors import NotFound, Refusal
from tournaments.ledger import corrections, devices, result_codes, scorekeeping
from tournaments.ledger.recorded import Recorded
from tournaments.ledger.result_code_text import read_code_text
from tournaments.models import Call, DeviceKey, EntryStatus, HistoryEntry, LedgerEntry, ResultCode, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@dataclass
class Table:
    here: Hall
    ns: Signing
    ew: Signing

    @property
    def revision(self) -> int:
        return Sitting.objects.get(pk=self.here.sitting.pk).revision

    def both(self, **claim: Any) -> str:
        return self.ew.agrees(self.ns.claims(**{"revision": self.revision} | claim))

    def give(self, code: str, actor: Actor | None = None) -> Recorded:
        return result_codes.agree_by_result_code(
            sitting_id=self.here.sitting.pk,
            actor=actor or self.here.referee,
            at=AT,
            code=read_code_text(code),
            read=facts_of_fields,
        )

    def refused(self, code: str, actor: Actor | None = None) -> str:
        with pytest.raises(Refusal) as caught:
            self.give(code, actor)
        assert all(caught.value.message.values())
        return caught.value.code

    def nothing_counts(self) -> bool:
        return not LedgerEntry.objects.filter(status=EntryStatus.EFFECTIVE).exists()


@pytest.fixture
def table() -> Table:
    here = hall(profile="scn2-2013")
    return Table(here, Signing(here.ns), Signing(here.ew))


@pytest.mark.parametrize("who", ["referee", "ns", "ew"])
def test_what_both_signed_counts_once(table: Table, who: str) -> None:
    once = str(uuid.uuid4())
    code = table.both(once=once)
    done = table.give(code, getattr(table.here, who))
    entry = LedgerEntry.objects.get()
    assert (done.answer, done.entry, done.revision) == ("confirmed", entry, table.revision)
    assert (entry.entered_side, entry.entered_device_id) == ("NS", table.here.ns.device.pk)
    assert (entry.confirmed_side, entry.confirmed_device_id) == ("EW", table.here.ew.device.pk)
    assert (entry.status, entry.facts["captured_in_tricks"]) == ("effective", 35)
    assert result_codes.counted(table.here.ns.device, once)
    assert not result_codes.counted(table.here.ew.device, once)
    again = table.give(code)
    assert (again.entry, again.answer) == (entry, "confirmed")
    assert (LedgerEntry.objects.count(), ResultCode.objects.get().status) == (1, "counted")
    line = HistoryEntry.objects.get(act="agree_by_code")
    assert line.sitting_id == table.here.sitting.pk


def test_the_same_as_a_hand_that_was_sent(table: Table) -> None:
    other = hall(profile="scn2-2013")
    sent = scorekeeping.record_hand(sitting_id=other.sitting.pk, actor=other.ns, at=AT, facts=sheet(35), hand_no=1)
    scorekeeping.confirm_hand(sitting_id=other.sitting.pk, actor=other.ew, at=AT, entry_id=sent.entry.pk)
    table.give(table.both())
    states = Sitting.objects.filter(pk__in=[other.sitting.pk, table.here.sitting.pk]).values_list("state", flat=True)
    assert len(states) == 2
    assert states[0] == states[1]


def test_the_entry_that_waits_is_the_one_that_counts(table: Table) -> None:
    code = table.both()
    sent = scorekeeping.record_hand(
        sitting_id=table.here.sitting.pk, actor=table.here.ns, at=AT, facts=sheet(35), hand_no=1
    )
    assert table.give(code).entry == sent.entry
    assert LedgerEntry.objects.get().confirmed_side == "EW"


def test_what_the_phones_sent_themselves_meanwhile_is_the_same_hand(table: Table) -> None:
    code = table.both()
    sent = scorekeeping.record_hand(
        sitting_id=table.here.sitting.pk, actor=table.here.ns, at=AT, facts=sheet(35), hand_no=1
    )
    scorekeeping.confirm_hand(sitting_id=table.here.sitting.pk, actor=table.here.ew, at=AT, entry_id=sent.entry.pk)
    assert table.give(code).entry == sent.entry
    assert not Call.objects.exists()


def test_several_hands_after_the_same_revision(table: Table) -> None:
    base = table.revision
    first, second, third = (table.both(hand=n, revision=base, at_level=level) for n, level in ((1, 2), (2, 4), (3, 6)))
    assert table.refused(second) == "hand_skipped"
    table.give(first)
    # the claiming phone sends the second hand itself before its code is handed in
    scorekeeping.record_hand(sitting_id=table.here.sitting.pk, actor=table.here.ns, at=AT, facts=sheet(35), hand_no=2)
    table.give(second)
    table.give(third)
    assert list(LedgerEntry.objects.values_list("hand_no", "status")) == [(n, "effective") for n in (1, 2, 3)]


@pytest.mark.parametrize("at", [0, 1, 4, 20, 40, 90, 120, -1, -70, -100])
def test_a_changed_byte_counts_nothing(table: Table, at: int) -> None:
    data = bytearray(bytes_of(table.both()))
    data[at] ^= 1
    with pytest.raises(Refusal) as caught:
        table.give(text_of(bytes(data)))
    assert caught.value.code in ("code_not_genuine", "code_unreadable", "not_found")
    assert table.nothing_counts()
    assert not ResultCode.objects.exists()
    assert not Call.objects.exists()


@pytest.mark.parametrize("cut", [1, 30, 64, 70, 140])
def test_a_part_is_no_code(table: Table, cut: int) -> None:
    with pytest.raises(Refusal) as caught:
        read_code_text(text_of(bytes_of(table.both())[:-cut]))
    assert caught.value.code in ("code_unreadable", "code_half")


@pytest.mark.parametrize("text", ["", "#", "nonsense", "A" * 3000, "牌", "AQ", "http://x/code/e/#"])
def test_nonsense_is_no_code(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_code_text(text)
    assert caught.value.code == "code_unreadable"


def test_a_code_is_read_from_an_address_and_across_lines(table: Table) -> None:
    code = table.both()
    assert read_code_text(f"https://hall.example/code/cup/#{code[:40]}\n {code[40:]}").text == code
    with pytest.raises(Refusal) as caught:
        read_code_text(table.ns.claims())
    assert caught.value.code == "code_half"


def test_only_the_two_phones_of_the_table_sign(table: Table) -> None:
    foreign = hall(profile="scn2-2013")
    stranger = Signing(foreign.ew)
    assert table.refused(stranger.agrees(table.ns.claims(revision=table.revision))) == "code_not_genuine"
    # the same phone twice, a key the server does not know, a signature of one use for the other
    assert table.refused(table.ns.agrees(table.ns.claims(revision=table.revision))) == "code_not_genuine"
    unknown = Signing(table.here.ew, known=False)
    assert table.refused(unknown.agrees(table.ns.claims(revision=table.revision))) == "code_not_genuine"
    claim = table.ns.claims(revision=table.revision)
    data = bytes_of(claim)
    assert (
        table.refused(table.ew.agrees(text_of(data[:-64] + table.ew._signature(b"", data[:-64])))) == "code_not_genuine"
    )
    with pytest.raises(NotFound):
        result_codes.agree_by_result_code(
            sitting_id=foreign.sitting.pk,
            actor=foreign.referee,
            at=AT,
            code=read_code_text(table.both()),
            read=facts_of_fields,
        )
    assert table.nothing_counts()


def goes_to_review(table: Table, code: str, why: str) -> None:
    before = LedgerEntry.objects.filter(status=EntryStatus.EFFECTIVE).count()
    assert table.refused(code) == why
    kept = ResultCode.objects.get(status="review")
    assert (kept.why, kept.text, kept.given_by_id) == (why, code, table.here.referee.user.pk)
    assert Call.objects.get(closed_at=None).note
    assert table.refused(code) == why  # handed in again: the same, and nothing is called twice
    assert ResultCode.objects.filter(status="review").count() == Call.objects.filter(closed_at=None).count() == 1
    assert LedgerEntry.objects.filter(status=EntryStatus.EFFECTIVE).count() == before


def test_a_phone_that_lost_its_place_vouches_for_nothing(table: Table) -> None:
    code = table.both()
    devices.release(device_id=table.here.ew.device.pk, actor=table.here.chief, at=AT)
    goes_to_review(table, code, "code_key_gone")


def test_a_record_that_moved_since(table: Table) -> None:
    code = table.both()
    scorekeeping.record_hand(
        sitting_id=table.here.sitting.pk, actor=table.here.referee, at=AT, facts=sheet(80), hand_no=1, basis="watched"
    )
    goes_to_review(table, code, "code_stale")


def test_a_correction_in_between_makes_it_stale(table: Table) -> None:
    table.give(table.both())
    code = table.both(hand=2, at_level=4)
    entry = LedgerEntry.objects.get()
    corrections.correct(
        entry_id=entry.pk,
        actor=table.here.referee,
        at=AT,
        facts=sheet(30),
        reason="misread",
        expected_revision=table.revision,
    )
    goes_to_review(table, code, "code_stale")


def test_the_other_figures_wait(table: Table) -> None:
    code = table.both()
    scorekeeping.record_hand(sitting_id=table.here.sitting.pk, actor=table.here.ns, at=AT, facts=sheet(40), hand_no=1)
    goes_to_review(table, code, "code_stale")


def test_a_once_key_that_was_used(table: Table) -> None:
    once = str(uuid.uuid4())
    table.give(table.both(once=once))
    goes_to_review(table, table.both(once=once, hand=2, captured_in_tricks="40"), "code_used")


def test_a_replayed_code_does_not_count_again_after_the_hand_was_corrected(table: Table) -> None:
    code = table.both()
    table.give(code)
    corrections.correct(
        entry_id=LedgerEntry.objects.get().pk,
        actor=table.here.referee,
        at=AT,
        facts=sheet(30),
        reason="misread",
        expected_revision=table.revision,
    )
    table.give(code)
    standing = LedgerEntry.objects.get(status=EntryStatus.EFFECTIVE)
    assert standing.facts["captured_in_tricks"] == 30


def test_a_sheet_that_cannot_be_is_refused_as_everywhere(table: Table) -> None:
    assert table.refused(table.both(captured_in_tricks="300")) == "above_deck_total"
    assert not ResultCode.objects.exists()


def test_a_key_is_enrolled_once_by_the_phone_itself(table: Table) -> None:
    assert DeviceKey.objects.get(device=table.here.ns.device).public_key == table.ns.public
    Signing(table.here.ns, key=table.ns.key)
    with pytest.raises(Refusal) as caught:
        Signing(table.here.ns)
    assert caught.value.code == "key_there_already"
    late = hall(profile="scn2-2013").ns
    for bad in ("", "AAAA", table.ns.public[:-4], "A" * 87, "牌"):
        with pytest.raises(Refusal) as caught:
            result_codes.enrol_key(sitting_id=late.sitting_id or 0, actor=late, at=AT, public_key=bad)
        assert caught.value.code == "bad_key"
    with pytest.raises(NotFound):
        result_codes.enrol_key(sitting_id=table.here.sitting.pk, actor=late, at=AT, public_key=table.ns.public)
    assert result_codes.keys_at(table.here.sitting) == {
        table.here.ns.device.public_id: table.ns.public,
        table.here.ew.device.public_id: table.ew.public,
    }
