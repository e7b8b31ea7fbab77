"""The laptop that followed goes on: a numbered term, whose first leaf names the last head it held of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from ..acts import signing
from ..acts.access import Act
from ..acts.admission import SYSTEM, Actor, require
from ..acts.change import Add, Change, Line, Move, commit
from ..acts.doorbell import mark_stale
from ..log.merkle import Frontier
from ..log.numbering import number_leaves
from ..models import Elsewhere, LogHead, Term, Tournament
from . import kept, terms
from .errors import FollowFailed


def take_over(*, actor: Actor, at: datetime, unplugged: bool, tournament_id: int | None = None) -> Sequence[Term]:
    """Go on with every event that was followed here. `unplugged`: somebody has seen that the first laptop is off or
    out of the network. `tournament_id`: the event at whose desk it is done, where it is not the operator's command.

    Refused: `not_following`, `unplug_first`.
    """
    if tournament_id is not None:
        require(actor, Act.TAKE_OVER, tournament=Tournament.objects.get(pk=tournament_id))
    elif actor != SYSTEM:
        raise ValueError("without an event only the operator takes over")
    if not kept.is_following():
        raise FollowFailed("not_following")
    if not unplugged:
        raise FollowFailed("unplug_first")
    with transaction.atomic():
        events = Tournament.objects.filter(elsewhere=Elsewhere.FOLLOWED).select_for_update().order_by("pk")
        begun = [
            begin(event, actor if event.pk == tournament_id else SYSTEM, at) for event in events if _goes_on(event)
        ]
    # only now: whoever dies before it takes over once more, and the terms that began are all there
    told = [*terms.ours(), *map(terms.statement, begun)]
    kept.write(kept.TERMS, {"terms": told})
    kept.end_following()
    for term in begun:
        number_leaves(term.tournament_id, at=at)
    return begun


def _goes_on(event: Tournament) -> bool:
    """Whether a term begins for an event, which is written here from now on; a record from a file is only kept."""
    event.elsewhere = ""
    Tournament.objects.filter(pk=event.pk).update(elsewhere="")
    return event.imported_at is None


def begin(event: Tournament, actor: Actor, at: datetime, slug: str = "") -> Term:
    """The next term of an event begins here: its first leaf names the last head of the one before. `slug`: the address
    it has from here on, where its own is taken."""
    last = LogHead.objects.filter(tournament=event).order_by("-size").first()
    number_leaves(event.pk, at=at)  # what was acknowledged before and had no number yet comes before the new term
    term = Term(
        tournament=event,
        number=terms.number_of(event) + 1,
        began_at=at,
        head_size=0 if last is None else last.size,
        head_root=Frontier().root.hex() if last is None else last.root,
        head_signature="" if last is None else last.signature,
        key=signing.public_key(),
    )
    admitted = require(actor, Act.TAKE_OVER, tournament=event)
    told, renamed = {"term": term.number, "acts": term.head_size}, {"slug": slug} if slug else {}
    line = Line(Act.TAKE_OVER, old={"slug": event.slug} if slug else None, new=told | renamed)
    commit(Change(admitted, None, (Add(term), *([Move(event, renamed)] if slug else [])), (line,)), actor, at)
    mark_stale(event.pk)
    return term
