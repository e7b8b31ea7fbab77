"""A running round as the API's parties see it: both sides' phones and officials with their tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knox.models import AuthToken

from tests.api.client import Api
from tests.tournaments import factories
from tournaments.acts.admission import Actor
from tournaments.acts.text import text_digest
from tournaments.models import Device, Tournament


def phone(actor: Actor) -> Api:
    """The phone of a device from the factories, with a token of its own."""
    device = actor.device
    assert device is not None
    token = f"token-of-{device.pk}"
    Device.objects.filter(pk=device.pk).update(token_digest=text_digest(token))
    return Api(f"Device {device.public_id}:{token}")


def desk(actor: Actor) -> Api:
    return Api(f"Bearer {AuthToken.objects.create(user=actor.user)[1]}")


@dataclass
class ApiHall:
    """`ns` and `ew` are phones, the others officials; `nobody` sends no credential."""

    hall: factories.Hall
    ns: Api
    ew: Api
    referee: Api
    chief: Api
    organiser: Api
    nobody: Api

    @property
    def event(self) -> Tournament:
        return self.hall.event

    @property
    def path(self) -> str:
        return f"events/{self.hall.event.slug}"

    @property
    def sitting(self) -> str:
        return f"sittings/{self.hall.sitting.pk}"

    def waits(self, facts: dict[str, Any] | None = None) -> int:
        """A hand entered by North-South that waits; its entry id."""
        made = self.ns.keyed(f"{self.sitting}/hands/", {"facts": facts or self.first(), "hand_no": 1})
        entry: int = made["entry"]
        return entry

    def counts(self) -> int:
        """A first hand that both sides stand behind; its entry id."""
        entry = self.waits()
        self.ew.keyed(f"{self.sitting}/entries/{entry}/confirm/", {})
        return entry

    @staticmethod
    def first(captured: int = 35, **more: Any) -> dict[str, Any]:
        return factories.sheet(captured, **more)


def api_hall(**options: Any) -> ApiHall:
    hall = factories.hall(**options)
    return ApiHall(
        hall,
        phone(hall.ns),
        phone(hall.ew),
        desk(hall.referee),
        desk(hall.chief),
        desk(hall.organiser),
        Api(),
    )
