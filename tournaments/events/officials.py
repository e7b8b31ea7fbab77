"""Who holds which office in an event: appointed, invited, taken back.

A name that nobody has makes an account for the event. An account that is somebody's own is only invited: appointing it
gives nothing over it, nor to it, until its person accepts.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from ..acts import history
from ..acts.access import Act, Actor, require
from ..acts.announce import announce_over
from ..acts.errors import NotFound, Refusal
from ..acts.rows import find_tournament
from ..models import Invitation, Office, Official, Table, Tournament, User
from ..people.accounts import make_person
from ..stages.misfits import BadSetting


def appoint(
    *,
    tournament_id: int,
    actor: Actor,
    at: datetime,
    username: str,
    office: str,
    display_name: str = "",
    tables: Iterable[int] = (),
) -> Official | Invitation:
    """Give a person an office, or ask them; a referee may be given tables (numbers), else the whole hall.

    At once: a name that nobody has (the account is made, with the name to be shown), who already serves in this event,
    an account made for it that has no password yet, and oneself. Anybody else is invited.
    """
    if office not in Office.values:
        raise BadSetting("office", {"en": "There is no such office.", "zh": "没有这个职务。"})
    numbers = sorted(set(tables))
    with transaction.atomic():
        event = find_tournament(tournament_id, lock=True)
        require(actor, Act.MANAGE_OFFICIALS, tournament=event)
        places = list(Table.objects.filter(tournament=event, number__in=numbers))
        if len(places) != len(numbers):
            raise BadSetting("tables", {"en": "There is no such table.", "zh": "没有这张桌。"})
        person, is_new = make_person(username=username, display_name=display_name)
        done: Official | Invitation
        if is_new or person == actor.user or _serves(event, person) or belongs_to(event, person):
            done = take_office(event, person, office, at, made_account=is_new)
        else:
            done, _ = Invitation.objects.get_or_create(
                tournament=event, user=person, office=office, ended_at=None, defaults={"invited_at": at}
            )
        done.tables.set(places)
        history.record(
            tournament=event,
            actor=actor,
            at=at,
            act=Act.MANAGE_OFFICIALS,
            subject=_subject(done),
            new={"user": person.pk, "office": office, "tables": numbers},
        )
    return done


def take_office(event: Tournament, person: User, office: str, at: datetime, *, made_account: bool = False) -> Official:
    """The office as it now stands; who holds it already keeps it. Nothing of it waits as an invitation any more."""
    official, _ = Official.objects.get_or_create(
        tournament=event,
        user=person,
        office=office,
        revoked_at=None,
        defaults={"appointed_at": at, "made_account": made_account},
    )
    Invitation.objects.filter(tournament=event, user=person, office=office, ended_at=None).update(ended_at=at)
    return official


def belongs_to(event: Tournament, person: User) -> bool:
    """Whether the account was made for this event and is nobody's own yet."""
    made_here = Official.objects.filter(tournament=event, user=person, made_account=True)
    return not person.has_usable_password() and made_here.exists()


def _serves(event: Tournament, person: User) -> bool:
    return Official.objects.filter(tournament=event, user=person, revoked_at=None).exists()


def _subject(one: Official | Invitation) -> str:
    return f"{'official' if isinstance(one, Official) else 'invitation'}:{one.pk}"


def accept(*, invitation_id: int, actor: Actor, at: datetime) -> Official:
    """Take the office one was invited to. Refused to anybody else: `not_found`."""
    with transaction.atomic():
        invitation = _mine(invitation_id, actor)
        require(actor, Act.ACCEPT_INVITATION, tournament=invitation.tournament)
        official = take_office(invitation.tournament, invitation.user, invitation.office, at)
        official.tables.set(invitation.tables.all())
        _answered(invitation, actor, at, Act.ACCEPT_INVITATION)
    return official


def decline(*, invitation_id: int, actor: Actor, at: datetime) -> None:
    """Say no to an office one was invited to. Refused to anybody else: `not_found`."""
    with transaction.atomic():
        invitation = _mine(invitation_id, actor)
        require(actor, Act.DECLINE_INVITATION, tournament=invitation.tournament)
        _answered(invitation, actor, at, Act.DECLINE_INVITATION)


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
    event = find_tournament(event_id, lock=True)
    invitation = waiting.select_related("user").first()
    if invitation is None:
        raise NotFound()
    invitation.tournament = event
    return invitation


def _answered(invitation: Invitation, actor: Actor, at: datetime, act: Act) -> None:
    invitation.ended_at = at
    invitation.save(update_fields=["ended_at"])
    facts = {"user": invitation.user_id, "office": invitation.office}
    is_taken = act == Act.ACCEPT_INVITATION
    history.record(
        tournament=invitation.tournament,
        actor=actor,
        at=at,
        act=act,
        subject=_subject(invitation),
        old=None if is_taken else facts,
        new=facts if is_taken else None,
    )


def withdraw(*, invitation_id: int, actor: Actor, at: datetime) -> None:
    """Take an invitation back before it is answered."""
    with transaction.atomic():
        invitation = _open(invitation_id)
        require(actor, Act.MANAGE_OFFICIALS, tournament=invitation.tournament)
        _answered(invitation, actor, at, Act.MANAGE_OFFICIALS)


def revoke(*, official_id: int, actor: Actor, at: datetime) -> Official:
    """Take an office back. The last organiser stays: an event without one could not be run."""
    with transaction.atomic():
        try:
            official = Official.objects.select_for_update().get(pk=official_id)
        except Official.DoesNotExist:
            raise NotFound() from None
        event = find_tournament(official.tournament_id, lock=True)
        require(actor, Act.MANAGE_OFFICIALS, tournament=event)
        if official.revoked_at is not None:
            return official
        others = event.officials.filter(office=Office.ORGANISER, revoked_at=None).exclude(pk=official.pk)
        if official.office == Office.ORGANISER and not others.exists():
            raise Refusal("last_organiser", status=409)
        official.revoked_at = at
        official.save(update_fields=["revoked_at"])
        history.record(
            tournament=event,
            actor=actor,
            at=at,
            act=Act.MANAGE_OFFICIALS,
            subject=f"official:{official.pk}",
            old={"user": official.user_id, "office": official.office},
        )
        announce_over(official.user)
    return official
