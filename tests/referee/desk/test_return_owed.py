"""The record of a hand at the desk: whether a lead had to be returned, by the event's terms and the side's card."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from tests.referee.test_recorded_hands import at, text
from tests.tournaments.factories import Hall, hall, sheet, signed_in
from tests.tournaments.test_recorded_hands import put
from tests.tournaments.test_scorekeeping import play
from tournaments.models import Entrant, Ruling
from tournaments.signals.acts import Agreement, file_card, set_terms

pytestmark = pytest.mark.django_db

#: South asks with the heart ace, North answers with an eight, South leads clubs.
BROKEN = "play\n1. S:HA E:H3 N:H8 W:H7\n2. S:C3 E:C4 N:C6 W:C7\n"


def asked(here: Hall, duty: str = "normal", fine: int = 20) -> None:
    terms = {"card": "free", "return_duty": duty, "return_fine": fine, "reason": "agreed"}
    set_terms(tournament_id=here.event.pk, actor=here.organiser, at=timezone.now(), **terms)


def filed(here: Hall, *ranks: str) -> None:
    agreement = Agreement(direct=ranks)
    for one in Entrant.objects.filter(tournament=here.event):
        file_card(entrant_id=one.pk, actor=here.referee, at=timezone.now(), agreement=agreement, reason="agreed")


def recorded(lines: str = BROKEN) -> Hall:
    """A table whose South dealt with spades as trumps, and the record of that hand."""
    here = hall()
    play(here, sheet(40, dealer="S", trump="S"))
    put(here, lines)
    return here


def seen(here: Hall) -> tuple[str, str]:
    page = signed_in(here.referee).get(at(here))
    return text(page), page.content.decode()


def test_nothing_is_said_where_the_event_asks_for_no_return() -> None:
    here = recorded()
    filed(here, "8", "9")
    assert "Was a return owed?" not in seen(here)[0]


def test_the_card_of_the_dealers_side_says_what_was_answered() -> None:
    here = recorded()
    asked(here)
    told, _ = seen(here)
    assert "has filed no signal card" in told
    filed(here, "4", "6")
    told, _ = seen(here)
    assert "has filed no signal card" not in told
    assert "No lead has to be returned." in told
    filed(here, "8", "9")
    assert "The referee judges" in seen(here)[0]  # all of South's cards are not on record


def test_a_side_without_a_direct_signal_owes_nothing() -> None:
    here = recorded()
    asked(here)
    filed(here)
    assert "Was a return owed?" not in seen(here)[0]


def test_a_ruling_is_made_of_it_with_the_table_the_side_and_the_clause() -> None:
    here = recorded()
    asked(here, "strict", 40)
    filed(here, "8", "9", "J", "Q")
    _, page = seen(here)
    address = next(
        part.partition('"')[0].replace("&amp;", "&") for part in page.split('href="') if "/rulings/new/?at=" in part
    )
    query = parse_qs(urlsplit(address).query)
    case = parse_qs(query["query"][0])
    assert (query["at"], query["side"], query["case"], query["hand"]) == (["1.1"], ["NS"], ["return"], ["1"])
    assert (case["reading"], case["fine"], case["ranks"], case["trick2_by"]) == (["strict"], ["40"], ["8 9 J Q"], ["S"])
    form = signed_in(here.chief).get(address)
    assert "The referee judges" in text(form)
    chosen = {**{name: value[0] for name, value in query.items()}, "clause": "signal.return", "told": "heard"}
    assert "signal." in form.content.decode()
    signed_in(here.referee).post(f"/desk/{here.event.slug}/rulings/new/", chosen)
    ruling = Ruling.objects.get()
    assert (ruling.clause, ruling.side, ruling.facts["case"]["kind"]) == ("signal.return", "NS", "return")


def test_a_trick_that_is_not_wholly_known_ends_what_is_judged() -> None:
    here = recorded("play\n1. S:HA E:H3 N:H8 W:H7\n2. S:C3 E:? N:C6 W:C7\n3. S:C9 E:C4 N:D6 W:CJ\n")
    asked(here)
    filed(here, "8", "9")
    told, _ = seen(here)
    assert "nothing is broken yet" in told
