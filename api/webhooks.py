"""Webhooks: addresses that are told what is public of the feed; for organisers."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.models import Tournament, Webhook
from tournaments.models.webhooks import HookKind
from tournaments.webhooks import acts
from tournaments.webhooks.reads import shown_of
from tournaments.webhooks.sending import new_secret

from .answers.webhooks import (
    HookDeliveryAnswer,
    NewWebhook,
    WebhookAnswer,
    WebhookList,
    delivery_answer,
    webhook_answer,
)
from .common.describe import described, unsaved, written
from .common.strict import Body, Words, length_of
from .common.views import Endpoint, found


class WebhookForm(Body):
    address = Words(length_of(Webhook, "address"), help_text="https://, a public server, port 443 or above 1023")
    kinds = serializers.ListField(
        child=serializers.ChoiceField(HookKind.values), required=False, help_text="what it is told; else everything"
    )


def _answer(event: Tournament, number: int, secret: str = "", status: int = 200) -> Response:
    (one,) = shown_of(event, number)
    return Response(webhook_answer(one) | ({"secret": secret} if secret else {}), status=status)


class OfEvent(Endpoint):
    """What is about one address."""

    def hook(self, slug: str, number: int) -> tuple[Tournament, Webhook]:
        event = self.event(slug, Act.SET_WEBHOOKS)
        hook: Webhook = found(Webhook.objects.filter(tournament=event), number=number)
        return event, hook


class Webhooks(Endpoint):
    @described("Who is told what happens, and how they answer; for organisers", name="webhooks", answer=WebhookList)
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SET_WEBHOOKS)
        return Response({"webhooks": [webhook_answer(one) for one in shown_of(event)]})

    @unsaved("Ask for another secret.", "请另要一个密钥。")
    @written(
        "Tell an address what is public of the feed from now on; the secret is shown once",
        body=WebhookForm,
        status=201,
        answer=NewWebhook,
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SET_WEBHOOKS)
        fields = {"kinds": list(HookKind.values)} | self.body(WebhookForm)
        secret = new_secret()
        made = acts.make(tournament_id=event.pk, actor=self.actor, at=self.now, secret=secret, **fields)
        return _answer(event, made.number, secret, 201)


class OneWebhook(OfEvent):
    @described("One address, and how it answers", name="webhook", answer=WebhookAnswer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        event, hook = self.hook(slug, number)
        return _answer(event, hook.number)

    @written("Tell an address nothing any more, and forget it", status=204, empty=True)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        _event, hook = self.hook(slug, number)
        acts.remove(webhook_id=hook.pk, actor=self.actor, at=self.now)
        return Response(status=204)


class Secret(OfEvent):
    @unsaved("Ask for another secret once more.", "请再要一个密钥。")
    @written("Another secret, shown once; for a day the old one signs beside it", answer=NewWebhook)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event, hook = self.hook(slug, number)
        secret = new_secret()
        acts.renew_secret(webhook_id=hook.pk, actor=self.actor, at=self.now, secret=secret)
        return _answer(event, hook.number, secret)


class Test(OfEvent):
    @written("Send a test; what came of it stands with the address", status=202, answer=HookDeliveryAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        _event, hook = self.hook(slug, number)
        return Response(delivery_answer(acts.try_it(webhook_id=hook.pk, actor=self.actor, at=self.now)), status=202)


class Stop(OfEvent):
    @written("Send nothing until it goes on; what happens meanwhile waits", answer=WebhookAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event, hook = self.hook(slug, number)
        acts.stop(webhook_id=hook.pk, actor=self.actor, at=self.now)
        return _answer(event, hook.number)


class GoOn(OfEvent):
    @written("Go on at once, from where it stopped or waits for the next try", answer=WebhookAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event, hook = self.hook(slug, number)
        acts.go_on(webhook_id=hook.pk, actor=self.actor, at=self.now)
        return _answer(event, hook.number)


class GiveUp(OfEvent):
    @written("Give up the message that the others wait behind", answer=WebhookAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event, hook = self.hook(slug, number)
        acts.give_up(webhook_id=hook.pk, actor=self.actor, at=self.now)
        return _answer(event, hook.number)


class Again(OfEvent):
    @written("Send once more what was given up, by its line of the feed", status=202, answer=WebhookAnswer)
    def post(self, request: Request, slug: str, number: int, line: int) -> Response:
        event, hook = self.hook(slug, number)
        acts.send_again(webhook_id=hook.pk, line=line, actor=self.actor, at=self.now)
        return _answer(event, hook.number, status=202)
