"""A person's name is erased while every digest still holds: results and history know ids, never names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import PAGES_MOVED, Change, Forget, Line, MoveAll, RemoveAll, Write, carry_out
from ..acts.errors import NotFound
from ..acts.rows import locked_entrant
from ..models import Entrant, Player, WakeAddress

ERASED = "—"


def erase_person(*, player_id: int, actor: Actor, at: datetime) -> Player:
    """Replace a person's name by a dash, here and in all earlier versions, and the name of an entrant called by it.

    Results, ledger, history and publications hold ids, so every digest still holds.
    """

    def decide() -> Change[Player]:
        player = Player.objects.filter(pk=player_id).first()
        if player is None:
            raise NotFound()
        player.entrant = locked_entrant(player.entrant_id)
        admitted = require(actor, Act.ERASE_PERSON, tournament=player.entrant.tournament)
        return erased(player, admitted, list(player.history.all()), list(player.entrant.history.all()))

    player = carry_out(decide, actor, at)
    player.refresh_from_db()
    return player


def erased(player: Player, admitted: Admitted, versions: Sequence[Any], of_entrant: Sequence[Any]) -> Change[Player]:
    """The person is called by a dash in its row and its `versions`, and in those of its entrant; none is added, and no
    phone of the entrant is woken any more."""
    entrant = player.entrant
    names = {name for one in (player, *versions) for name in (one.name, one.name_latin) if name and name != ERASED}
    nobody = {"name": ERASED, "name_latin": "", "external_id": ""}
    writes: list[Write] = [Forget(entrant.tournament_id, (player, entrant))]
    writes += [MoveAll(Player, {"pk": player.pk}, nobody), MoveAll(Player.history.model, {"id": player.pk}, nobody)]
    for table, row in [(Entrant, entrant), *((Entrant.history.model, version) for version in of_entrant)]:
        without = {"name": _without(row.name, names), "name_latin": _without(row.name_latin, names)}
        # said anew for the log, which has lost what it said of them before
        same = {column: getattr(row, column) for column in ("unit", "category", "external_id")}
        writes.append(MoveAll(table, {"pk": row.pk}, without | same))
    # nobody knows which of the phones was that person's
    writes.append(RemoveAll(WakeAddress, {"code__entrant": entrant}))
    line = Line(Act.ERASE_PERSON, ("player", player), new={"erased": True})
    return Change(admitted, player, tuple(writes), (line,), PAGES_MOVED)


def _without(text: str, names: Iterable[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, ERASED)
    return text
