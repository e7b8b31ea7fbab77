"""Where a second official has to agree: in a closed round, and only in an event that has one."""

from __future__ import annotations

from ..acts.access import Act
from ..acts.admission import Actor, allowed
from ..models import Official, RoundStatus, Sitting, Tournament, User
from .ledgers import Ledger


def needs_second_official(ledger: Ledger, actor: Actor) -> bool:
    """Whether a correction of this official waits for another: the round is closed, and somebody else may approve."""
    if ledger.round.status != RoundStatus.CLOSED or ledger.tournament.single_official:
        return False
    return any(one != actor.user for one in who_approve(ledger.tournament, ledger.sitting))


def has_second_official(event: Tournament) -> bool:
    """Whether corrections of closed rounds wait for another official in this event."""
    return not event.single_official and len(who_approve(event)) > 1


def who_approve(event: Tournament, sitting: Sitting | None = None) -> list[User]:
    """Who may approve a correction, at that table or at any."""
    held = Official.objects.filter(tournament=event, revoked_at=None).values("user")
    people = User.objects.filter(pk__in=held, is_active=True).order_by("pk")
    act = Act.APPROVE_CORRECTION
    return [one for one in people if allowed(Actor(user=one), act, tournament=event, sitting=sitting)]
