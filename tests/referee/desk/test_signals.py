"""Signal cards on pages: filled in on the own phone or at the desk, seen by the opponents, everybody and on paper."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from tests.api.hall import desk
from tests.referee.table import places
from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event, event
from tests.tournaments.test_signals import asked, code_of
from tournaments.models import SignalCard
from tournaments.signals.acts import Agreement, file_card

pytestmark = pytest.mark.django_db

TYPED = {
    "direct": ["8", "9", "J", "Q"],
    "instead": "8=7",
    "topic0": "jokers",
    "by0": "trump_rank",
    "ranks0": "2 4 6",
    "meaning0": "大王",
    "system": "8-9-J-Q",
    "notes": "询问即答",
}


def at(made: Event, part: str = "signals/") -> str:
    return f"/desk/{made.tournament.slug}/{part}"


def test_the_own_phone_fills_in_its_card_and_everybody_sees_it() -> None:
    made = event(4)
    phone = Client()
    assert phone.get("/me/signals/").status_code == 302
    phone.get(f"/me/{code_of(made)}/")
    assert "/me/signals/" in phone.get("/me/").content.decode()
    assert phone.post("/me/signals/", TYPED).status_code == 303
    (card,) = SignalCard.objects.all()
    assert (card.direct, card.instead) == (["8", "9", "J", "Q"], {"8": "7"})
    assert card.indirect == [
        {"topic": "jokers", "by": "trump_rank", "ranks": ["2", "4", "6"], "instead": {}, "meaning": "大王"}
    ]
    again = phone.get("/me/signals/").content.decode()
    assert 'value="8-9-J-Q"' in again
    told = Client().get(f"/en/e/{made.tournament.slug}/entrants/1/").content.decode()
    assert "When 8 is the level, 7 takes over." in told
    assert "by the rank of a trump" in told


def test_what_is_wrong_is_said_and_what_was_typed_stays() -> None:
    made = event(4)
    asked(made, "prescribed", prescribed=["2", "4", "6", "J", "Q"])
    phone = Client()
    phone.get(f"/me/{code_of(made)}/")
    page = phone.post("/me/signals/", TYPED, headers={"accept-language": "en"})
    assert page.status_code == 422
    assert "询问即答" in page.content.decode()
    assert 'class="field-error"' in page.content.decode()
    assert phone.post("/me/signals/", {**TYPED, "by0": ""}).status_code == 422
    assert phone.post("/me/signals/", {**TYPED, "instead": "eight"}).status_code == 422
    assert phone.post("/me/signals/", {**TYPED, "direct": ["10"]}).status_code == 422
    assert not SignalCard.objects.exists()


def test_at_the_desk_cards_are_counted_filed_and_printed() -> None:
    made = event(4)
    client = signed_in(made.actor)
    terms = {"card": "card_required", "return_duty": "strict", "return_fine": "40", "reason": ""}
    assert client.post(at(made), terms).status_code == 303
    assert client.get(at(made)).context["filed"] == 0
    assert client.post(at(made, "entrants/2/signals/"), TYPED).status_code == 303
    assert client.get(at(made)).context["filed"] == 1
    assert client.get(at(made, "signals/cards.pdf")).content[:4] == b"%PDF"
    made.running((1, 2), (3, 4))
    refused = client.post(at(made, "entrants/1/signals/"), TYPED)
    assert refused.status_code == 422
    assert client.post(at(made, "entrants/1/signals/"), {**TYPED, "reason": "忘交"}).status_code == 303
    assert client.post(at(made), terms).status_code == 400


def test_the_opponents_see_both_cards_at_the_table() -> None:
    at_table = places.hall()
    assert 'id="signals"' not in places.read(at_table.ew)
    entrant = at_table.sitting.match.home_id
    card = Agreement(direct=["8", "9"], system="8-9")
    file_card(entrant_id=entrant, actor=at_table.referee, at=timezone.now(), agreement=card, reason="late")
    page = places.read(at_table.ew)
    assert 'id="signals"' in page
    assert "filed after the start" in page


def test_the_api_tells_and_files() -> None:
    made = event(4)
    hall = desk(made.actor)
    there = f"events/{made.tournament.slug}/"
    told = hall.ok("POST", f"{there}signals/", {"card": "card_required", "return_duty": "normal"})
    assert [len(one["findings"]) for one in told["entrants"]] == [1] * 4
    made_card = hall.ok("POST", f"{there}entrants/3/signals/", {"direct": ["2", "4"], "notes": "x"})
    assert made_card["direct"] == ["2", "4"]
    refused = hall.post(f"{there}entrants/3/signals/", {"direct": ["K"]})
    assert (refused.status, refused.error["code"]) == (422, "point_card")
    assert desk(made.actor).get(f"{there}signals/").json["entrants"][2]["card"] == made_card


def test_the_rules_of_the_event_tell_what_it_asks_of_signals() -> None:
    made = event(4)
    there = f"/en/e/{made.tournament.slug}/rules/"
    assert 'id="signals"' not in Client().get(there).content.decode()
    asked(made, "prescribed", prescribed=["2", "4", "6", "J", "Q"], return_duty="strict", return_fine=40)
    told = Client().get(there).content.decode().partition('id="signals"')[2].partition("</section>")[0]
    assert "2 4 6 J Q" in told
    assert "<dd>40</dd>" in told
    assert "signal.return.fine" in told
