"""Browsers that hold places, for the tests of the table page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.test import Client
from django.utils import timezone

from referee.table.places import PREFIX
from tests.markup import flat
from tests.tournaments import factories
from tournaments.ledger import scorekeeping
from tournaments.models import LedgerEntry

if TYPE_CHECKING:
    from tests.tournaments.factories import Hall
    from tournaments.acts.admission import Actor
    from tournaments.models import Device

FORM: dict[str, Any] = {
    "kind": "hand",
    "hand_no": "1",
    "trump": "H",
    "captured_in_tricks": "35",
    "last_trick_winner": "dealer",
}
DIG = FORM | {"captured_in_tricks": "85", "last_trick_winner": "attackers", "led": "pair", "kitty_points": "20"}


def token_of(device: Device) -> str:
    """The token of a device that the builders made."""
    return "token" + device.public_id.removeprefix("d")


def browser_of(*actors: Actor, language: str = "en") -> Client:
    """A browser that holds the places of these sides."""
    client = Client(headers={"Accept-Language": language})
    for actor in actors:
        client.cookies[PREFIX + actor.device.public_id] = token_of(actor.device)
    return client


def address(actor: Actor, act: str = "") -> str:
    """The address of a side's page, or of one of its acts."""
    return f"/table/{actor.device.public_id}/" + (f"{act}/" if act else "")


def hall(**more: Any) -> factories.Hall:
    """One table of the 2013 rules with a running round; South deals the first hand."""
    return factories.hall(**{"profile": "scn2-2013", **more})


def read(actor: Actor, act: str = "", language: str = "en") -> str:
    answer = browser_of(actor, language=language).get(address(actor, act))
    assert answer.status_code == 200
    return flat(answer.content.decode())


def post(actor: Actor, act: str, data: dict[str, Any], *, script: bool = False) -> Any:
    headers = {"Accept": "application/json"} if script else {}
    return browser_of(actor).post(address(actor, act), data, headers=headers)


def enter(actor: Actor, form: dict[str, Any]) -> LedgerEntry:
    answer = post(actor, "enter", form)
    assert answer.status_code == 303, answer.content.decode()
    return LedgerEntry.objects.order_by("-pk")[0]


def by_referee(place: Hall, number: int, facts: dict[str, Any]) -> LedgerEntry:
    return scorekeeping.record_hand(
        sitting_id=place.sitting.pk,
        actor=place.referee,
        at=timezone.now(),
        facts=facts,
        hand_no=number,
        basis="watched",
    ).entry
