"""A person's name is erased while every digest still holds: results and history know ids, never names."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from ..acts import history
from ..acts.access import Act, Actor, require
from ..acts.errors import NotFound
from ..acts.rows import locked_entrant
from ..models import Entrant, Player

ERASED = "—"


def erase_person(*, player_id: int, actor: Actor, at: datetime) -> Player:
    """Replace a person's name by a dash, here and in all earlier versions, and the name of an entrant called by it.

    Results, ledger, history and publications hold ids, so every digest still holds.
    """
    with transaction.atomic():
        try:
            player = Player.objects.select_related("entrant__tournament").get(pk=player_id)
        except Player.DoesNotExist:
            raise NotFound() from None
        entrant = locked_entrant(player.entrant_id)
        require(actor, Act.ERASE_PERSON, tournament=entrant.tournament)
        names = {name for name in (player.name, player.name_latin) if name and name != ERASED}
        for version in [*player.history.all()]:
            names |= {name for name in (version.name, version.name_latin) if name and name != ERASED}
        Player.objects.filter(pk=player.pk).update(name=ERASED, name_latin="", external_id="")
        player.history.update(name=ERASED, name_latin="", external_id="")
        Entrant.objects.filter(pk=entrant.pk).update(
            name=_without(entrant.name, names), name_latin=_without(entrant.name_latin, names)
        )
        for version in entrant.history.all():
            version.name = _without(version.name, names)
            version.name_latin = _without(version.name_latin, names)
            version.save(update_fields=["name", "name_latin"])
        history.record(
            tournament=entrant.tournament,
            actor=actor,
            at=at,
            act=Act.ERASE_PERSON,
            subject=f"player:{player.pk}",
            new={"erased": True},
        )
    player.refresh_from_db()
    return player


def _without(text: str, names: Iterable[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, ERASED)
    return text
