"""Each side sent the other's claim back: the queue shows both side by side and settles by one of them in two clicks."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.referee.table.places import read
from tests.tournaments.factories import AT, dig, sheet
from tournaments.ledger import scorekeeping
from tournaments.models import LedgerEntry, Sitting
from tournaments.rounds.board import queue

if TYPE_CHECKING:
    from django.test import Client

    from tests.tournaments.factories import Hall
    from tournaments.acts.admission import Actor

pytestmark = pytest.mark.django_db


def send_back(here: Hall, who: Actor, facts: dict, by: Actor, what: str = "shape") -> LedgerEntry:
    entry = scorekeeping.record_hand(
        sitting_id=here.sitting.pk, actor=who, at=AT, facts={"dealer": "N", **facts}, hand_no=1
    ).entry
    scorekeeping.send_back(sitting_id=here.sitting.pk, actor=by, at=AT, entry_id=entry.pk, what=what)
    entry.refresh_from_db()
    return entry


@pytest.fixture
def both(hall: Hall) -> tuple[LedgerEntry, LedgerEntry]:
    """North–South say that the attackers dug with a pair, East–West with a single; neither agrees."""
    ours = send_back(hall, hall.ns, dig(85, 20, "pair"), hall.ew)
    return ours, send_back(hall, hall.ew, dig(85, 20, "single"), hall.ns)


def board(client: Client, here: Hall) -> str:
    return unescape(client.get(f"/desk/{here.event.slug}/").content.decode())


def at_table(client: Client, here: Hall) -> str:
    return unescape(client.get(f"/desk/{here.event.slug}/rounds/1/tables/1/").content.decode())


@pytest.mark.long
def test_both_claims_stand_side_by_side(hall: Hall, referee: Client, both) -> None:
    for page in (board(referee, hall), at_table(referee, hall)):
        assert "Led to the last trick" in page or "Shape" in page
        assert "It matters: take the deal, +2, or take the deal, +1." in page
        assert "Attackers 85 + kitty 20×4 = 165 → take the deal, +2" in page
        assert "Attackers 85 + kitty 20×2 = 125 → take the deal, +1" in page
        for entry in both:
            assert f"settle/?entry={entry.pk}&revision=" in page
    assert "Sent back twice." in board(referee, hall)
    (item,) = queue(hall.event, AT)
    assert [claim.entry for claim in item.claims] == list(both)
    assert (item.differing, item.matters) == (("led",), True)


@pytest.mark.long
def test_it_is_settled_by_one_of_them_and_the_phones_say_so(hall: Hall, referee: Client, both) -> None:
    revision = Sitting.objects.get(pk=hall.sitting.pk).revision
    address = f"/desk/{hall.event.slug}/rounds/1/tables/1/settle/?entry={both[1].pk}&revision={revision}"
    answer = referee.post(address, {"reason": "cards counted", "to": "board", "key": "s1"})
    assert answer["Location"] == f"/desk/{hall.event.slug}/"
    counts = LedgerEntry.objects.get(status="effective")
    assert (counts.facts["led"], counts.basis, counts.reason) == (both[1].facts["led"], "ruling", "cards counted")
    assert "Sent back twice." not in board(referee, hall)
    for actor in (hall.ns, hall.ew):
        page = unescape(read(actor))
        assert "A referee has settled hand 1:" in page
        assert "Attackers 85 + kitty 20×2 = 125 → take the deal, +1" in page


def test_where_one_side_alone_claimed_its_last_claim_is_shown(hall: Hall, referee: Client) -> None:
    send_back(hall, hall.ns, sheet(60), hall.ew, "points")
    last = send_back(hall, hall.ns, sheet(65), hall.ew, "points")
    page = board(referee, hall)
    assert "Sent back twice." in page
    assert f"settle/?entry={last.pk}&revision=" in page
    assert "As North–South say" in page
    (item,) = queue(hall.event, AT)
    assert ([claim.entry for claim in item.claims], item.differing, item.matters) == ([last], (), None)


def test_equal_claims_say_that_it_does_not_matter(hall: Hall, referee: Client) -> None:
    send_back(hall, hall.ns, sheet(60), hall.ew, "points")
    send_back(hall, hall.ew, sheet(60), hall.ns, "points")
    assert "It does not matter: dealer side keep the deal, +1, either way." in board(referee, hall)


def test_the_phones_show_where_the_claims_differ(hall: Hall, both) -> None:
    page = unescape(read(hall.ns))
    assert "Where the two entries differ" in page
