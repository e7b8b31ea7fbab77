"""Result codes: what two phones signed counts once; what they cannot vouch for is looked at by a referee."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from referee.hands.result_codes import facts_of_fields
from tests.tournaments.factories import AT, device, hall, sheet
from tests.tournaments.individual import alone, evening, sittings_of
from tests.tournaments.signing import FORM, Signing, bytes_of, text_of
from tournaments.acts.admission import Actor
from tournaments.acts.errors import NotFound, Refusal
from tournaments.ledger import corrections, devices, result_codes, scorekeeping
from tournaments.ledger.recorded import Recorded
from tournaments.ledger.result_code_text import read_code_text
from tournaments.models import Call, Device, DeviceKey, EntryStatus, HistoryEntry, LedgerEntry, ResultCode, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


#: What phones of single players claim: the fields of their form.
OF_PLAYERS = {
    "I1": {
        "kind": "hand",
        "dealer": "2",
        "bid": "95",
        "trump": "S",
        "captured_in_tricks": "35",
        "last_trick_winner": "dealer",
    },
    "I2": {
        "kind": "hand",
        **{f"points_{place}": str(points) for place, points in enumerate((80, 60, 50, 40), 1)},
        "last_trick_place": "2",
        "kitty_points": "10",
    },
    "I3": {
        "kind": "hand",
        "dealer": "1",
        "ally": "4",
        "trump": "H",
        "captured_in_tricks": "35",
        "last_trick_winner": "dealer",
        "at_level": "2",
    },
}


@dataclass
class Table:
    """A table with two phones that sign: `one` claims a hand with these fields, which say the same as `facts`."""

    sitting: Sitting
    referee: Actor
    one: Signing
    two: Signing
    fields: Mapping[str, str]
    facts: Callable[[int], dict[str, Any]]

    @property
    def revision(self) -> int:
        return Sitting.objects.get(pk=self.sitting.pk).revision

    @property
    def by(self) -> dict[str, Any]:
        return {"sitting_id": self.sitting.pk, "at": AT}

    @property
    def parties(self) -> tuple[str | None, str | None]:
        return self.one.actor.side, self.two.actor.side

    def claim(self, **claim: Any) -> str:
        return self.one.claims(**{"revision": self.revision, "form": self.fields} | claim)

    def both(self, **claim: Any) -> str:
        return self.two.agrees(self.claim(**claim))

    def sends(self, points: int = 35, hand: int = 1) -> LedgerEntry:
        """The claiming phone sends the hand itself."""
        return scorekeeping.record_hand(**self.by, actor=self.one.actor, facts=self.facts(points), hand_no=hand).entry

    def corrects(self, points: int) -> None:
        corrections.correct(
            entry_id=LedgerEntry.objects.get().pk,
            actor=self.referee,
            at=AT,
            facts=self.facts(points),
            reason="misread",
            expected_revision=self.revision,
        )

    def give(self, code: str, actor: Actor | None = None) -> Recorded:
        return result_codes.agree_by_result_code(
            sitting_id=self.sitting.pk,
            actor=actor or self.referee,
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


def sides() -> Table:
    here = hall(profile="scn2-2013")
    return Table(here.sitting, here.chief, Signing(here.ns), Signing(here.ew), FORM, sheet)


def players(preset: str = "I1", seats: int = 4) -> Table:
    """Places 1 and 3 of a table of single players; the others hold theirs too."""
    here = evening(preset, seats)
    (sitting,) = sittings_of(here.round())
    held = [here.phone(sitting, place) for place in "12345"[:seats]]
    return Table(
        sitting,
        here.actor,
        Signing(held[0]),
        Signing(held[2]),
        OF_PLAYERS[preset],
        lambda points: alone("2", 95, points),
    )


@pytest.fixture(params=[sides, players], ids=["two sides", "single players"])
def table(request: pytest.FixtureRequest) -> Table:
    made: Table = request.param()
    return made


@pytest.mark.parametrize("who", ["referee", "one", "two"])
def test_what_both_signed_counts_once(table: Table, who: str) -> None:
    once = str(uuid.uuid4())
    code = table.both(once=once)
    done = table.give(code, {"referee": table.referee, "one": table.one.actor, "two": table.two.actor}[who])
    entry = LedgerEntry.objects.get()
    assert (done.answer, done.entry, done.revision) == ("confirmed", entry, table.revision)
    assert (entry.entered_side, entry.confirmed_side) == table.parties
    assert (entry.entered_device, entry.confirmed_device) == (table.one.actor.device, table.two.actor.device)
    assert (entry.status, entry.facts["captured_in_tricks"]) == ("effective", 35)
    assert table.one.actor.device is not None
    assert table.two.actor.device is not None
    assert result_codes.counted(table.one.actor.device, once)
    assert not result_codes.counted(table.two.actor.device, once)
    again = table.give(code)
    assert (again.entry, again.answer) == (entry, "confirmed")
    assert (LedgerEntry.objects.count(), ResultCode.objects.get().status) == (1, "counted")
    line = HistoryEntry.objects.get(act="agree_by_code")
    assert line.sitting_id == table.sitting.pk


@pytest.mark.parametrize(("preset", "seats"), [("", 0), ("I1", 4), ("I2", 4), ("I3", 5)])
def test_the_same_as_a_hand_that_was_sent(preset: str, seats: int) -> None:
    """By the form of the page, and by the code of the same fields."""
    table, other = (players(preset, seats) if preset else sides() for _ in range(2))
    facts = facts_of_fields(table.fields, table.sitting.round.tournament.profile)
    sent = scorekeeping.record_hand(**other.by, actor=other.one.actor, facts=facts, hand_no=1)
    scorekeeping.confirm_hand(**other.by, actor=other.two.actor, entry_id=sent.entry.pk)
    table.give(table.both())
    states = Sitting.objects.filter(pk__in=[table.sitting.pk, other.sitting.pk]).values_list("state", flat=True)
    assert len(states) == 2
    assert states[0] == states[1]
    assert states[0]["hands_played"] == 1


def test_anybody_else_at_the_table_of_single_players_signs_once() -> None:
    """As any other player confirms: two who agree to one claim make one hand."""
    table = players()
    fourth = Signing(Actor(device=Device.objects.get(sitting=table.sitting, side="4")))
    claim = table.claim()
    done = table.give(fourth.agrees(claim))
    assert (done.entry.entered_side, done.entry.confirmed_side) == ("1", "4")
    assert table.give(table.two.agrees(claim)).entry == done.entry
    assert (LedgerEntry.objects.count(), ResultCode.objects.count()) == (1, 1)


def test_a_third_player_s_entry_that_waits_is_another_account() -> None:
    table = players()
    code = table.both()
    second = Actor(device=Device.objects.get(sitting=table.sitting, side="2"))
    scorekeeping.record_hand(**table.by, actor=second, facts=table.facts(40), hand_no=1)
    goes_to_review(table, code, "code_stale")


def test_the_entry_that_waits_is_the_one_that_counts(table: Table) -> None:
    code = table.both()
    sent = table.sends()
    assert table.give(code).entry == sent
    assert LedgerEntry.objects.get().confirmed_side == table.two.actor.side


def test_what_the_phones_sent_themselves_meanwhile_is_the_same_hand(table: Table) -> None:
    code = table.both()
    sent = table.sends()
    scorekeeping.confirm_hand(**table.by, actor=table.two.actor, entry_id=sent.pk)
    assert table.give(code).entry == sent
    assert not Call.objects.exists()


def test_several_hands_after_the_same_revision(table: Table) -> None:
    base = table.revision
    first, second, third = (table.both(hand=n, revision=base, at_level=level) for n, level in ((1, 2), (2, 4), (3, 6)))
    assert table.refused(second) == "hand_skipped"
    table.give(first)
    # the claiming phone sends the second hand itself before its code is handed in
    table.sends(hand=2)
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
        read_code_text(table.claim())
    assert caught.value.code == "code_half"


def test_only_two_phones_of_the_table_sign(table: Table) -> None:
    foreign = hall(profile="scn2-2013")
    stranger = Signing(foreign.ew)
    assert table.refused(stranger.agrees(table.claim())) == "code_not_genuine"
    # the same phone twice, a key the server does not know, a signature of one use for the other
    assert table.refused(table.one.agrees(table.claim())) == "code_not_genuine"
    unknown = Signing(table.two.actor, known=False)
    assert table.refused(unknown.agrees(table.claim())) == "code_not_genuine"
    data = bytes_of(table.claim())
    for_itself = text_of(data[:-64] + table.two._signature(b"", data[:-64]))
    assert table.refused(table.two.agrees(for_itself)) == "code_not_genuine"
    with pytest.raises(NotFound):
        result_codes.agree_by_result_code(
            sitting_id=foreign.sitting.pk,
            actor=foreign.referee,
            at=AT,
            code=read_code_text(table.both()),
            read=facts_of_fields,
        )
    assert table.nothing_counts()


def test_a_party_does_not_agree_with_itself_on_another_phone(table: Table) -> None:
    """The phone that took a place over countersigns nothing that the one before it there claimed."""
    claim, place = table.claim(), table.one.actor.device
    assert place is not None
    devices.release(device_id=place.pk, actor=table.referee, at=AT)
    again = Signing(Actor(device=device(table.sitting, place.side)))
    assert table.refused(again.agrees(claim)) == "code_not_genuine"
    assert table.nothing_counts()


def test_a_phone_of_another_sitting_of_the_same_event_signs_nothing_here() -> None:
    here = evening("I1", 8)
    first, second = sittings_of(here.round())
    one, elsewhere = Signing(here.phone(first, "1")), Signing(here.phone(second, "3"))
    table = Table(first, here.actor, one, elsewhere, OF_PLAYERS["I1"], lambda points: alone("2", 95, points))
    assert table.refused(table.both()) == "code_not_genuine"
    with pytest.raises(NotFound):
        replace(table, sitting=second).give(table.both())
    assert table.nothing_counts()


def goes_to_review(table: Table, code: str, why: str) -> None:
    before = LedgerEntry.objects.filter(status=EntryStatus.EFFECTIVE).count()
    assert table.refused(code) == why
    kept = ResultCode.objects.get(status="review")
    assert (kept.why, kept.text, kept.given_by) == (why, code, table.referee.user)
    assert Call.objects.get(closed_at=None).note
    assert table.refused(code) == why  # handed in again: the same, and nothing is called twice
    assert ResultCode.objects.filter(status="review").count() == Call.objects.filter(closed_at=None).count() == 1
    assert LedgerEntry.objects.filter(status=EntryStatus.EFFECTIVE).count() == before


@pytest.mark.parametrize("who", [0, 1], ids=["claimed", "agreed"])
def test_a_phone_that_lost_its_place_vouches_for_nothing(table: Table, who: int) -> None:
    code, gone = table.both(), (table.one, table.two)[who].actor.device
    assert gone is not None
    devices.release(device_id=gone.pk, actor=table.referee, at=AT)
    goes_to_review(table, code, "code_key_gone")


def test_a_record_that_moved_since(table: Table) -> None:
    code = table.both()
    scorekeeping.record_hand(**table.by, actor=table.referee, facts=table.facts(80), hand_no=1, basis="watched")
    goes_to_review(table, code, "code_stale")


def test_a_correction_in_between_makes_it_stale(table: Table) -> None:
    table.give(table.both())
    code = table.both(hand=2, at_level=4)
    table.corrects(30)
    goes_to_review(table, code, "code_stale")


def test_the_other_figures_wait(table: Table) -> None:
    code = table.both()
    table.sends(40)
    goes_to_review(table, code, "code_stale")


def test_a_once_key_that_was_used(table: Table) -> None:
    once = str(uuid.uuid4())
    table.give(table.both(once=once))
    goes_to_review(table, table.both(once=once, hand=2, captured_in_tricks="40"), "code_used")


def test_a_replayed_code_does_not_count_again_after_the_hand_was_corrected(table: Table) -> None:
    code = table.both()
    table.give(code)
    table.corrects(30)
    table.give(code)
    standing = LedgerEntry.objects.get(status=EntryStatus.EFFECTIVE)
    assert standing.facts["captured_in_tricks"] == 30


def test_a_sheet_that_cannot_be_is_refused_as_everywhere(table: Table) -> None:
    assert table.refused(table.both(captured_in_tricks="300")) == "above_deck_total"
    assert not ResultCode.objects.exists()


def test_a_hand_that_is_void_is_agreed_too(table: Table) -> None:
    """What else the form holds says nothing."""
    done = table.give(table.both(kind="annulled", annulled_reason="misdeal"))
    assert (done.entry.kind, done.entry.status, done.entry.facts["reason"]) == ("annulled", "effective", "misdeal")
    assert "captured_in_tricks" not in done.entry.facts


def test_what_only_officials_state_is_not_agreed_by_players() -> None:
    table = players()
    assert table.refused(table.both(kind="total", total_only="100")) == "officials_only"
    assert table.nothing_counts()


def test_a_key_is_enrolled_once_by_the_phone_itself(table: Table) -> None:
    assert DeviceKey.objects.get(device=table.one.actor.device).public_key == table.one.public
    Signing(table.one.actor, key=table.one.key)
    with pytest.raises(Refusal) as caught:
        Signing(table.one.actor)
    assert caught.value.code == "key_there_already"
    late = hall(profile="scn2-2013").ns
    for bad in ("", "AAAA", table.one.public[:-4], "A" * 87, "牌"):
        with pytest.raises(Refusal) as caught:
            result_codes.enrol_key(sitting_id=late.sitting_id or 0, actor=late, at=AT, public_key=bad)
        assert caught.value.code == "bad_key"
    with pytest.raises(NotFound):
        result_codes.enrol_key(sitting_id=table.sitting.pk, actor=late, at=AT, public_key=table.one.public)
    known = {one.device.public_id: one.public_key for one in result_codes.keys_at(table.sitting)}
    assert known == {table.one.me: table.one.public, table.two.me: table.two.public}
