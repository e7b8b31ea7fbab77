"""A hand from one side to the other by plain forms: entered, confirmed, sent back, disputed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.referee.table.places import DIG, FORM, address, browser_of, enter, hall, post, read
from tournaments.ledger.codes import pin_text
from tournaments.models import Call, CallKind, EntryStatus, LedgerEntry, LogLeaf

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.django_db


def test_enter_then_confirm() -> None:
    place = hall()
    assert "Send to E–W" in read(place.ns)
    entry = enter(place.ns, DIG)
    assert entry.status == EntryStatus.WAITING
    assert "Take back the entry" in read(place.ns)
    assert "Confirm 165: E–W take the deal, +2" in read(place.ew)
    assert post(place.ew, "confirm", {"entry": entry.pk, "version": 1}).status_code == 303
    entry.refresh_from_db()
    assert entry.status == EntryStatus.EFFECTIVE
    assert "Hand 1 counts." in read(place.ns)


def test_a_script_is_given_the_promise_of_the_act_and_again_when_it_sends_it_again() -> None:
    place = hall()
    first, again = (post(place.ns, "enter", DIG | {"key": "once"}, script=True).json() for _ in range(2))
    assert again == first
    leaf = LogLeaf.objects.get(digest=first["promise"]["digest"])
    assert (leaf.number, leaf.signature) == (None, first["promise"]["signature"])
    assert "promise" not in post(place.ns, "enter", FORM, script=True).json()


def test_the_side_that_entered_is_never_shown_confirm() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    page = read(place.ns)
    assert "Confirm 165" not in page
    assert re.search(r'action="[^"]*/confirm/"[^§]*?name="pin"', page)
    answer = post(place.ns, "confirm", {"entry": entry.pk, "version": 1}, script=True)
    assert (answer.status_code, answer.json()["code"]) == (409, "own_entry")


def test_the_other_side_confirms_on_a_shared_phone_with_its_pin() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    pin = pin_text(place.ew.device.code)
    wrong = "0000" if pin != "0000" else "1111"
    assert post(place.ns, "confirm", {"entry": entry.pk, "pin": wrong}, script=True).json()["code"] == "wrong_pin"
    assert post(place.ns, "confirm", {"entry": entry.pk, "version": "1", "pin": pin}).status_code == 303
    entry.refresh_from_db()
    assert (entry.status, entry.confirmed_side) == (EntryStatus.EFFECTIVE, "EW")


def test_take_back_keeps_the_figures() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    assert post(place.ns, "take-back", {"entry": entry.pk}).status_code == 303
    page = read(place.ns)
    assert 'value="85"' in page
    assert 'name="led" value="pair" checked' in page
    assert 'value="85"' not in read(place.ew)


@pytest.mark.long
def test_send_back_with_a_word_and_mend() -> None:
    place = hall()
    entry = enter(place.ns, DIG)
    assert post(place.ew, "send-back", {"entry": entry.pk, "what": "kitty"}).status_code == 303
    assert "E–W say: Kitty. Count together, then send again." in read(place.ns)
    assert "东西方说“底牌分”不对。请一起数，再发一次。" in read(place.ns, language="zh-CN")
    assert "You sent it back: Kitty." in read(place.ew)
    again = enter(place.ns, DIG | {"kitty_points": "15"})
    assert post(place.ew, "send-back", {"entry": again.pk, "what": "kitty"}).status_code == 303
    for side in (place.ns, place.ew):
        assert "Still no agreement after two tries. A referee is called." in read(side)
    assert Call.objects.get().kind == CallKind.DISPUTE


def test_a_hand_sent_back_and_confirmed_is_not_corrected() -> None:
    place = hall()
    post(place.ew, "send-back", {"entry": enter(place.ns, DIG).pk, "what": "kitty"})
    again = enter(place.ns, DIG | {"kitty_points": "15"})
    assert post(place.ew, "confirm", {"entry": again.pk, "version": again.version}).status_code == 303
    again.refresh_from_db()
    assert (again.status, again.version) == (EntryStatus.EFFECTIVE, 2)
    assert "Attackers 85 + kitty 15×4" in read(place.ns, "record")
    assert "Corrected" not in read(place.ns, "record")


def test_equal_figures_confirm() -> None:
    place = hall()
    enter(place.ns, DIG)
    assert "E–W, " not in read(place.ew)
    page = browser_of(place.ew).get(address(place.ew) + "?own=1").content.decode()
    assert "equal ones confirm it" in page
    assert 'value="85"' not in page  # the other side's figures are not preset
    answer = post(place.ew, "enter", DIG, script=True)
    assert answer.json()["message"] == "Both entries are the same: the hand counts."
    assert LedgerEntry.objects.get().status == EntryStatus.EFFECTIVE


def test_different_figures_name_the_field_and_call() -> None:
    place = hall()
    enter(place.ns, FORM)
    post(place.ew, "enter", FORM | {"captured_in_tricks": "40"})
    for side, ours, theirs in ((place.ns, 35, 40), (place.ew, 40, 35)):
        page = read(side)
        rows = re.findall(
            r'<th scope="row">(.*?)</th><td class="num"><b>(.*?)</b></td><td class="num"><b>(.*?)</b>', page
        )
        assert rows == [("Points in tricks", str(ours), str(theirs))]
    # a side may still agree to the other's figures
    theirs_entry = LedgerEntry.objects.get(entered_side="EW")
    assert post(place.ns, "confirm", {"entry": theirs_entry.pk, "version": theirs_entry.version}).status_code == 303
    theirs_entry.refresh_from_db()
    assert theirs_entry.status == EntryStatus.EFFECTIVE


def test_both_phones_show_the_same_code() -> None:
    place = hall()
    enter(place.ns, DIG)
    codes = {re.search(r'<b class="check-code">(.+?)</b>', read(side))[1] for side in (place.ns, place.ew)}
    assert len(codes) == 1
    assert re.fullmatch(r"[A-Z]\d-\d\d", codes.pop())
