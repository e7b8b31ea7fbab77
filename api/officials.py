"""Officials of an event: appointed, invited, let in by a link; and the invitations one has got."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.events import officials, sign_in_links
from tournaments.events.setup import new_secret
from tournaments.models import Invitation, Office, Official, User
from tournaments.rounds import board

from .answers.base import list_of
from .answers.events import InvitationAnswer, OfficialAnswer, SignInLink, invitation_answer, official_answer
from .common.describe import described, unsaved, written
from .common.strict import Body, Whole, Words, length_of
from .common.views import Endpoint, found


class OfficialForm(Body):
    username = Words(
        length_of(User, "username"), help_text="the name to sign in with; one that nobody has makes a new person"
    )
    display_name = Words(
        length_of(User, "display_name"), required=False, allow_blank=True, help_text="the name shown of a new person"
    )
    office = serializers.ChoiceField(Office.values)
    tables = serializers.ListField(child=Whole(min_value=1), required=False)


class Officials(Endpoint):
    @described("Who holds which office", answer=list_of(OfficialAnswer))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        return Response({"results": [official_answer(one) for one in board.officials_of(event)]})

    @written(
        "Appoint an official; somebody whose account is their own is invited (202)",
        body=OfficialForm,
        status=201,
        answer=OfficialAnswer,
        also={202: InvitationAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.MANAGE_OFFICIALS)
        fields = self.body(OfficialForm)
        done = officials.appoint(tournament_id=event.pk, actor=self.actor, at=self.now, **fields)
        if isinstance(done, Invitation):
            return Response(invitation_answer(done), status=202)
        return Response(official_answer(done), status=201)


class OneOfficial(Endpoint):
    @written("Take an office back", status=204, empty=True)
    def delete(self, request: Request, slug: str, official_id: int) -> Response:
        event = self.event(slug, Act.MANAGE_OFFICIALS)
        one = found(Official.objects.filter(tournament=event), pk=official_id)
        officials.revoke(official_id=one.pk, actor=self.actor, at=self.now)
        return Response(status=204)


class Link(Endpoint):
    @unsaved("Ask for another link with a new key.", "请用新的键另要一个链接。")
    @written("A link that lets a new official in once, for a day; shown once", status=201, answer=SignInLink)
    def post(self, request: Request, slug: str, official_id: int) -> Response:
        event = self.event(slug, Act.MANAGE_OFFICIALS)
        one = found(Official.objects.filter(tournament=event), pk=official_id)
        secret = new_secret()
        link = sign_in_links.make(official_id=one.pk, actor=self.actor, at=self.now, secret=secret)
        base = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"
        address = f"{base}{reverse('desk:enter', kwargs={'secret': secret})}"
        return Response({"link": address, "expires_at": link.expires_at.isoformat()}, status=201)


class Invitations(Endpoint):
    @described("Who is invited to an office and has not answered", answer=list_of(InvitationAnswer))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.MANAGE_OFFICIALS)
        return Response({"results": [invitation_answer(one) for one in board.invitations_of(event)]})


class OneInvitation(Endpoint):
    @written("Take an invitation back", status=204, empty=True)
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        event = self.event(slug, Act.MANAGE_OFFICIALS)
        one = found(Invitation.objects.filter(tournament=event), pk=invitation_id)
        officials.withdraw(invitation_id=one.pk, actor=self.actor, at=self.now)
        return Response(status=204)


class MyInvitations(Endpoint):
    @described("The offices you are invited to", answer=list_of(InvitationAnswer))
    def get(self, request: Request) -> Response:
        person = self.actor.user
        if person is None:
            raise NotAuthenticated()
        return Response({"results": [invitation_answer(one) for one in board.invitations_for(person)]})


class Accept(Endpoint):
    @written("Accept an invitation: you hold the office", status=201, answer=OfficialAnswer)
    def post(self, request: Request, invitation_id: int) -> Response:
        official = officials.accept(invitation_id=invitation_id, actor=self.actor, at=self.now)
        return Response(official_answer(official), status=201)


class Decline(Endpoint):
    @written("Decline an invitation", status=204, empty=True)
    def post(self, request: Request, invitation_id: int) -> Response:
        officials.decline(invitation_id=invitation_id, actor=self.actor, at=self.now)
        return Response(status=204)
