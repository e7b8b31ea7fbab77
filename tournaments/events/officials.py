"""Who holds which office in an event: appointed, invited, taken back.

A name that nobody has makes an account for the event. An account that is somebody's own is only invited: appointing it
gives nothing over it, nor to it, until its person accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, AddAll, Change, Line, Move, MoveAll, RemoveAll, Write, carry_out
from ..acts.errors import NotFound, Refusal
from ..acts.rows import find_tournament, read_entries_again
from ..models import Invitation, Office, Official, Table, Tournament, User
from ..people.accounts import called
from ..stages.misfits import BadSetting

Held = Official | Invitation


def appoint(
    *,
    tournament_id: int,
    actor: Actor,
    at: datetime,
    username: str,
    office: str,
    display_name: str = "",
    tables: Iterable[int] = (),
) -> Held:
    """Give a person an office, or ask them; a referee may be given tables (numbers), else the whole hall.

    At once: a name that nobody has (the account is made, with the name to be shown), who already serves in this event,
    an account made for it that has no password yet, and oneself. Anybody else is invited.
    """
    if office not in Office.values:
        raise BadSetting("office", {"en": "There is no such office.", "zh": "没有这个职务。"})
    numbers = sorted(set(tables))

    def decide() -> Change[Held]:
        read_entries_again(tournament_id)  # who served the whole hall may serve one table from now on
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.MANAGE_OFFICIALS, tournament=event)
        places = list(Table.objects.filter(tournament=event, number__in=numbers).order_by("number"))
        if len(places) != len(numbers):
            raise BadSetting("tables", {"en": "There is no such table.", "zh": "没有这张桌。"})
        person = called(username, display_name)
        if person._state.adding:
            return appointed(admitted, at, person, office, places, at_once=True)
        at_once = person == actor.user or _serves(event, person) or belongs_to(event, person)
        standing = (_office if at_once else _invitation)(event, person, office)
        return appointed(admitted, at, person, office, places, at_once=at_once, standing=standing)

    try:
        return carry_out(decide, actor, at)
    except IntegrityError:  # an account of this name was made meanwhile: now it is there
        return carry_out(decide, actor, at)


def appointed(
    admitted: Admitted,
    at: datetime,
    person: User,
    office: str,
    places: Sequence[Table],
    *,
    at_once: bool,
    standing: Held | None = None,
) -> Change[Held]:
    """The person, perhaps a new one, holds the office at these tables, or is asked; what is `standing` stays."""
    if at_once:
        held, writes = office_taken(admitted, person, office, at, places, standing)
    else:
        held = standing or Invitation(tournament=admitted.tournament, user=person, office=office, invited_at=at)
        writes = _kept(held, places)
    new = {"user": person, "office": office, "tables": [one.number for one in places]}
    return Change(admitted, held, writes, (Line(Act.MANAGE_OFFICIALS, _subject(held), new=new),))


def office_taken(
    admitted: Admitted,
    person: User,
    office: str,
    at: datetime,
    places: Sequence[Table] = (),
    standing: Held | None = None,
) -> tuple[Held, tuple[Write, ...]]:
    """The office as it then is, for these tables; one that is `standing` stays. Nothing of it waits as an invitation
    any more. A person who is not stored yet gets an account that was made by it."""
    facts: dict[str, Any] = {"tournament": admitted.tournament, "user": person, "office": office}
    new_person = person._state.adding
    held = standing or Official(**facts, appointed_at=at, made_account=new_person)
    if new_person:
        return held, (Add(person), *_kept(held, places))
    return held, (*_kept(held, places), MoveAll(Invitation, {**facts, "ended_at": None}, {"ended_at": at}))


def _kept(held: Held, places: Iterable[Table]) -> tuple[Write, ...]:
    """What is held, for these tables and no others."""
    through, name = type(held).tables.through, str(type(held)._meta.model_name)
    row = Add(held) if held._state.adding else RemoveAll(through, {name: held})
    return row, AddAll([through(**{name: held, "table": one}) for one in places])


def _office(event: Tournament, person: User, office: str) -> Official | None:
    return Official.objects.filter(tournament=event, user=person, office=office, revoked_at=None).first()


def _invitation(event: Tournament, person: User, office: str) -> Invitation | None:
    return Invitation.objects.filter(tournament=event, user=person, office=office, ended_at=None).first()


def belongs_to(event: Tournament, person: User) -> bool:
    """Whether the account was made for this event and is nobody's own yet."""
    made_here = Official.objects.filter(tournament=event, user=person, made_account=True)
    return not person.has_usable_password() and made_here.exists()


def _serves(event: Tournament, person: User) -> bool:
    return Official.objects.filter(tournament=event, user=person, revoked_at=None).exists()


def _subject(one: Held) -> tuple[str, Held]:
    return "official" if isinstance(one, Official) else "invitation", one


def accept(*, invitation_id: int, actor: Actor, at: datetime) -> Official:
    """Take the office one was invited to. Refused to anybody else: `not_found`."""

    def decide() -> Change[Any]:
        invitation = _mine(invitation_id, actor)
        event, person = invitation.tournament, invitation.user
        admitted = require(actor, Act.ACCEPT_INVITATION, tournament=event)
        places, standing = list(invitation.tables.all()), _office(event, person, invitation.office)
        held, writes = office_taken(admitted, person, invitation.office, at, places, standing)
        return Change(admitted, held, writes, (_answered(invitation, Act.ACCEPT_INVITATION),))

    office: Official = carry_out(decide, actor, at)
    return office


def decline(*, invitation_id: int, actor: Actor, at: datetime) -> None:
    """Say no to an office one was invited to. Refused to anybody else: `not_found`."""
    carry_out(lambda: _ended(_mine(invitation_id, actor), actor, at, Act.DECLINE_INVITATION), actor, at)


def withdraw(*, invitation_id: int, actor: Actor, at: datetime) -> None:
    """Take an invitation back before it is answered."""
    carry_out(lambda: _ended(_open(invitation_id), actor, at, Act.MANAGE_OFFICIALS), actor, at)


def _ended(invitation: Invitation, actor: Actor, at: datetime, act: Act) -> Change[None]:
    admitted = require(actor, act, tournament=invitation.tournament)
    ended = Move(invitation, {"ended_at": at}, {"ended_at": None})
    return Change(admitted, None, (ended,), (_answered(invitation, act),))


def _answered(invitation: Invitation, act: Act) -> Line:
    facts = {"user": invitation.user_id, "office": invitation.office}
    taken = act == Act.ACCEPT_INVITATION
    return Line(act, _subject(invitation), old=None if taken else facts, new=facts if taken else None)


def _mine(invitation_id: int, actor: Actor) -> Invitation:
    invitation = _open(invitation_id)
    if actor.user is None or invitation.user_id != actor.user.pk:
        raise NotFound()
    return invitation


def _open(invitation_id: int) -> Invitation:
    """An invitation that nobody has answered, with its event locked."""
    waiting = Invitation.objects.filter(pk=invitation_id, ended_at=None)
    event_id = waiting.values_list("tournament", flat=True).first()
    if event_id is None:
        raise NotFound()
    read_entries_again(event_id)
    event = find_tournament(event_id, lock=True)
    invitation = waiting.select_related("user").first()
    if invitation is None:
        raise NotFound()
    invitation.tournament = event
    return invitation


def revoke(*, official_id: int, actor: Actor, at: datetime) -> Official:
    """Take an office back. The last organiser stays: an event without one could not be run."""

    def decide() -> Change[Official]:
        official = Official.objects.select_for_update().filter(pk=official_id).first()
        if official is None:
            raise NotFound()
        event = find_tournament(official.tournament_id, lock=True)
        admitted = require(actor, Act.MANAGE_OFFICIALS, tournament=event)
        if official.revoked_at is not None:
            return Change(admitted, official)
        others = event.officials.filter(office=Office.ORGANISER, revoked_at=None).exclude(pk=official.pk)
        if official.office == Office.ORGANISER and not others.exists():
            raise Refusal("last_organiser", status=409)
        gone = Move(official, {"revoked_at": at}, {"revoked_at": None})
        line = Line(Act.MANAGE_OFFICIALS, _subject(official), old={"user": official.user_id, "office": official.office})
        return Change(admitted, official, (gone,), (line,), over=(official.user,))

    return carry_out(decide, actor, at)


def give_back(*, official_id: int, actor: Actor, at: datetime) -> Held:
    """Who held an office that was taken back by mistake holds it again, at once and for the same tables."""

    def decide() -> Change[Held]:
        gone = Official.objects.select_related("user").filter(pk=official_id).first()
        if gone is None:
            raise NotFound()
        event = find_tournament(gone.tournament_id, lock=True)
        admitted = require(actor, Act.MANAGE_OFFICIALS, tournament=event)
        standing = _office(event, gone.user, gone.office)
        if standing is not None:
            return Change(admitted, standing)
        return appointed(admitted, at, gone.user, gone.office, list(gone.tables.all()), at_once=True)

    return carry_out(decide, actor, at)
