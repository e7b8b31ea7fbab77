"""What is public of the feed, sent on: in order, nothing lost, tried again, given up, stopped."""

from __future__ import annotations

import http.server
import json
import re
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from tests.tournaments import playing
from tests.tournaments.receiver import Receiver, receiving, status
from tournaments.acts.errors import Refusal
from tournaments.audit.record import event_json
from tournaments.log import checking
from tournaments.log.feed import feed_of
from tournaments.log.numbering import number_all
from tournaments.models import Elsewhere, HistoryEntry, HookDelivery, Tournament, Webhook
from tournaments.models.webhooks import HookKind, StoppedBy
from tournaments.webhooks import acts, telling
from tournaments.webhooks.reads import shown_of
from tournaments.webhooks.sending import Answered, headers_of, new_secret

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

API = Path(__file__).parents[2] / "docs" / "api.md"
ALL = list(HookKind.values)


@pytest.fixture(autouse=True)
def _of_this_test(tmp_path: Any, settings: Any) -> None:
    settings.HEADS = tmp_path / "heads"
    settings.WEBHOOK_PRIVATE = settings.WEBHOOK_HTTP = True


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@dataclass
class Told:
    """An event that one address is told of; the clock is its own."""

    made: playing.Event
    address: str
    secret: str = field(default_factory=new_secret)
    later: timedelta = timedelta()

    def __post_init__(self) -> None:
        number_all(at=self.now())
        self.hook = self.by(acts.make, address=self.address, kinds=ALL, secret=self.secret)

    def by(self, act: Any, **more: Any) -> Any:
        of = {"tournament_id": self.made.tournament.pk} if act is acts.make else {"webhook_id": self.hook.pk}
        return act(**of, actor=self.made.actor, at=self.now(), **more)

    def now(self) -> datetime:
        return self.made.now + self.later

    def tell(self, after: timedelta = timedelta(), **more: Any) -> int:
        """Number what is new, then tell, so much later."""
        self.later += after
        number_all(at=self.now())
        count = telling.tell_all(self.now, **more)
        self.hook = Webhook.objects.filter(pk=self.hook.pk).first() or self.hook
        return count

    @property
    def public(self) -> list[int]:
        """The numbers of the lines of the feed that say something."""
        event = Tournament.objects.get(pk=self.made.tournament.pk)
        return [one["number"] for one in feed_of(event, None, 500) if one["public"]]

    def rows(self) -> list[tuple[int | None, str, int, str]]:
        rows = HookDelivery.objects.filter(webhook=self.hook).order_by("number")
        return list(rows.values_list("number", "state", "tries", "trouble"))


def told(receiver: Receiver) -> Told:
    return Told(playing.event(4), receiver.address)


def played(to: Told) -> None:
    round_ = to.made.running((1, 2), (3, 4))
    for captured, place in zip((35, 80), playing.sittings_of(round_), strict=True):
        to.made.hand(place, captured)


def numbers(receiver: Receiver) -> list[int]:
    return [one.told["data"]["number"] for one in receiver.messages]


def test_everything_public_goes_out_in_order_signed_and_once(receiver: Receiver) -> None:
    to = told(receiver)
    played(to)
    to.tell()
    assert numbers(receiver) == to.public
    assert to.tell() == 0
    assert all(one.is_signed(to.secret) for one in receiver.messages)
    assert len({one.headers["webhook-id"] for one in receiver.messages}) == len(receiver.messages)
    said = [what for one in receiver.messages for what in one.told["data"]["public"]]
    assert [one["status"] for one in said if one["what"] == "round"] == ["published", "running"]
    assert [one["table"] for one in said if one["what"] == "hand"] == [1, 2]
    event = Tournament.objects.get(pk=to.made.tournament.pk)
    lines = {one["number"]: one["public"] for one in feed_of(event, None, 500)}
    assert {one.told["data"]["number"]: one.told["data"]["public"] for one in receiver.messages} == {
        number: lines[number] for number in to.public
    }
    assert {one.told["type"] for one in receiver.messages} == {"referee.feed"}


def test_the_receiver_of_the_handbook_takes_ours_and_nothing_else(receiver: Receiver) -> None:
    """The ten lines of docs/api.md, as they stand there."""
    found = re.search(r"    (import base64.*?)\n    http\.server\.HTTPServer", API.read_text("utf-8"), re.DOTALL)
    assert found is not None
    secret, known = new_secret(), dict[str, Any]()
    exec(textwrap.dedent("    " + found[1]).replace("whsec_...", secret), known)
    with serving(known["Receiver"]) as port:
        now, body = timezone.now(), b'{"type":"referee.test"}'
        for key, at, status_ in (
            (secret, now, 200),
            (new_secret(), now, 401),
            (secret, now - timedelta(minutes=6), 401),
        ):
            said = telling.send(f"http://127.0.0.1:{port}/", headers_of([key], "msg_1", at, body), body)
            assert said.status == status_


@contextmanager
def serving(handler: Any) -> Iterator[int]:
    with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_only_from_now_on_and_only_the_kinds_that_were_asked_for(receiver: Receiver) -> None:
    made = playing.event(4)
    made.running((1, 2), (3, 4))
    to = Told(made, receiver.address)
    Webhook.objects.update(kinds=["hand"])
    made.hand(playing.sittings_of(made.tournament.rounds.get())[0], 35)
    to.tell()
    assert [one.told["data"]["public"] for one in receiver.messages] == [
        [{"what": "hand", "round": 1, "table": 1, "hand": 1}]
    ]


def test_what_is_kept_back_is_not_sent_nor_sent_again(receiver: Receiver) -> None:
    to = told(receiver)
    receiver.answers = [status(200), status(200), status(500)]
    played(to)
    to.tell()
    assert len(receiver.messages) == 3  # the first hand failed
    Tournament.objects.update(live_public=False)
    to.tell(timedelta(minutes=1))
    assert len(receiver.messages) == 3
    assert not any(state == "waiting" for _, state, _, _ in to.rows())


def test_no_name_is_ever_in_it(receiver: Receiver) -> None:
    to = told(receiver)
    played(to)
    to.by(acts.try_it)
    to.tell()
    names = [one.name for one in to.made.tournament.entrants.all()]
    sent = b"".join(one.body for one in receiver.messages).decode()
    assert len(receiver.messages) == len(to.public) + 1
    assert not any(name in sent for name in names)


def test_it_is_tried_again_with_growing_waits_and_the_others_wait_behind_it(receiver: Receiver) -> None:
    to = told(receiver)
    receiver.answers = [status(500), status(503), status(200)]
    played(to)
    to.tell()
    first = to.public[0]
    assert to.rows() == [(first, "waiting", 1, "status")]
    assert to.tell(timedelta(seconds=4)) == 0
    assert to.tell(timedelta(seconds=1)) == 1
    assert to.rows() == [(first, "waiting", 2, "status")]
    assert to.tell(timedelta(seconds=29)) == 0
    to.tell(timedelta(seconds=1))
    assert numbers(receiver) == [first, first, *to.public]
    assert len({one.headers["webhook-id"] for one in receiver.messages[:3]}) == 1
    assert to.hook.failing_since is None


def test_a_desk_that_knows_better_does_not_wait(receiver: Receiver) -> None:
    to = told(receiver)
    receiver.answers = [status(500)] * 3
    played(to)
    for wait in (0, 5, 30):
        to.tell(timedelta(seconds=wait))
    to.by(acts.go_on)
    to.tell()
    assert numbers(receiver)[3:] == to.public


def test_what_fails_again_and_again_is_given_up_and_can_be_sent_again(receiver: Receiver) -> None:
    to = told(receiver)
    played(to)
    receiver.answers = [status(500)] * (len(telling.WAITS) + 1)
    to.tell()
    first, *others = to.public
    for wait in telling.WAITS:
        to.tell(wait)
    assert to.rows()[0] == (first, "dead", len(telling.WAITS) + 1, "status")
    assert numbers(receiver)[-len(others) :] == others  # the next ones followed
    (shown,) = shown_of(to.made.tournament)
    assert [one.number for one in shown.dead] == [first]
    receiver.answers = [status(500)]
    to.by(acts.send_again, line=first)
    to.tell()
    assert to.rows()[0][:2] == (first, "dead")  # once, and it stands there again
    to.by(acts.send_again, line=first)
    to.tell()
    assert to.rows()[0][:2] == (first, "done")
    with pytest.raises(Refusal, match="not_found"):
        to.by(acts.send_again, line=first)


def test_one_that_holds_up_the_others_can_be_given_up(receiver: Receiver) -> None:
    to = told(receiver)
    with pytest.raises(Refusal, match="nothing_waits"):
        to.by(acts.give_up)
    receiver.answers = [status(400)]
    played(to)
    to.tell()
    to.by(acts.give_up)
    to.tell()
    assert numbers(receiver) == to.public


@pytest.mark.long
def test_after_days_of_failing_it_stops_itself_says_so_and_loses_nothing(receiver: Receiver) -> None:
    to = told(receiver)
    played(to)
    receiver.answers = [status(500)] * 100
    to.tell()
    while to.hook.stopped_at is None:
        assert to.later < telling.STOP_AFTER + timedelta(hours=6)
        to.tell(timedelta(hours=6))
    assert to.later >= telling.STOP_AFTER
    assert to.hook.stopped_by == StoppedBy.FAILING
    assert list(HistoryEntry.objects.filter(act="set_webhooks").order_by("pk").values_list("new", flat=True))[1:] == [
        {"stopped": "failing"}
    ]
    before = len(receiver.messages)
    assert to.tell(timedelta(days=1)) == 0
    receiver.answers = []
    dead = {one[0] for one in to.rows() if one[1] == "dead"}
    to.by(acts.go_on)
    to.tell()
    assert numbers(receiver)[before:] == [one for one in to.public if one not in dead]


def test_a_server_that_wants_no_more_is_left_alone(receiver: Receiver) -> None:
    to = told(receiver)
    receiver.answers = [status(410)]
    played(to)
    to.tell()
    assert (to.hook.stopped_by, len(receiver.messages)) == (StoppedBy.GONE, 1)


def test_what_happens_while_it_is_stopped_waits(receiver: Receiver) -> None:
    to = told(receiver)
    to.by(acts.stop)
    played(to)
    assert to.tell() == 0
    to.by(acts.try_it)
    assert to.tell() == 1  # a test goes out all the same
    to.by(acts.go_on)
    to.tell()
    assert numbers_of_lines(receiver) == to.public


def numbers_of_lines(receiver: Receiver) -> list[int]:
    return [one.told["data"]["number"] for one in receiver.messages if one.told["type"] == "referee.feed"]


class Killed(BaseException):
    """The worker died."""


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("sent", [False, True])
def test_a_worker_that_dies_loses_nothing_and_bends_no_order(receiver: Receiver, at: int, sent: bool) -> None:
    """Before the message went out, or after it and before that was written down: then it comes twice, by one name."""
    to = told(receiver)
    played(to)
    count = iter(range(99))

    def dies(address: str, headers: Any, body: bytes) -> Answered:
        if (doomed := next(count) == at) and not sent:
            raise Killed
        said = telling.send(address, headers, body)
        if doomed:
            raise Killed
        return said

    with pytest.raises(Killed):
        to.tell(to=dies)
    Webhook.objects.update(held_until=to.now() + telling.HELD)  # nobody was there to let it go
    assert to.tell() == 0
    to.tell(telling.HELD + timedelta(seconds=1))
    names = [one.headers["webhook-id"] for one in receiver.messages]
    once = list(dict.fromkeys(names))
    assert [numbers(receiver)[names.index(one)] for one in once] == to.public
    assert len(names) - len(once) == (1 if sent else 0)
    assert numbers(receiver) == sorted(numbers(receiver))


def test_a_hold_from_before_the_clock_was_set_back_holds_nobody_up(receiver: Receiver) -> None:
    to = told(receiver)
    played(to)
    Webhook.objects.update(held_until=to.now() + timedelta(days=400))
    assert to.tell() == len(to.public)


def test_another_secret_signs_beside_the_one_before_for_a_day(receiver: Receiver) -> None:
    to, other = told(receiver), new_secret()
    to.by(acts.renew_secret, secret=other)
    played(to)
    to.tell()
    assert all(one.is_signed(other) and one.is_signed(to.secret) for one in receiver.messages)
    count = len(receiver.messages)
    to.made.hand(playing.sittings_of(to.made.tournament.rounds.get())[0], 90)
    to.tell(timedelta(days=1))
    (last,) = receiver.messages[count:]
    assert last.is_signed(other)
    assert not last.is_signed(to.secret)


def test_the_secret_is_sealed_in_the_database_and_in_no_file(receiver: Receiver, settings: Any) -> None:
    to = told(receiver)
    played(to)
    stored = json.dumps(list(Webhook.objects.values()), default=str) + json.dumps(
        list(HistoryEntry.objects.values("subject", "new")), default=str
    )
    assert to.secret not in stored
    assert "theirs" not in json.dumps(list(HistoryEntry.objects.values("subject", "new")))
    to.made.tournament.refresh_from_db()
    file = event_json(to.made.tournament, official=True, names=True, at=to.now()).decode()
    assert "theirs" not in file  # what may be a key of theirs
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key of the server 0123456789", []
    assert to.tell() == 1
    assert (to.rows()[0][3], receiver.messages) == ("secret", [])


def test_the_log_protects_an_address_and_its_secret(receiver: Receiver) -> None:
    to = told(receiver)
    played(to)
    to.tell()
    assert checking.check(to.made.tournament) == []
    Webhook.objects.update(address="https://elsewhere.example/")
    assert [one.where for one in checking.check(to.made.tournament)] == [f"webhook {to.hook.pk}"]


def test_an_event_written_elsewhere_tells_nobody(receiver: Receiver) -> None:
    to = told(receiver)
    played(to)
    Tournament.objects.update(elsewhere=Elsewhere.FOLLOWED)
    assert telling.tell_all(to.now) == 0


def test_what_is_removed_is_told_nothing_more(receiver: Receiver) -> None:
    to = told(receiver)
    receiver.answers = [status(500)]
    played(to)
    to.tell()
    to.by(acts.remove)
    assert to.tell(timedelta(days=1)) == 0
    assert not HookDelivery.objects.exists()
    assert not Webhook.objects.exists()


def test_one_address_that_fails_does_not_stop_another(receiver: Receiver) -> None:
    to = told(receiver)
    with receiving() as other:
        other.answers = [status(500)] * 50
        acts.make(
            tournament_id=to.made.tournament.pk, actor=to.made.actor, at=to.now(), address=other.address, kinds=ALL,
            secret=new_secret(),
        )  # fmt: skip
        played(to)
        to.tell()
        assert numbers(receiver) == to.public
        assert len(other.messages) == 1


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"address": "https://10.0.0.1:22/"}, "bad_webhook_address"),
        ({"address": "gopher://club.example/"}, "bad_webhook_address"),
        ({"kinds": []}, "bad_webhook_kinds"),
        ({"kinds": ["hand", "hand"]}, "bad_webhook_kinds"),
        ({"kinds": ["names"]}, "bad_webhook_kinds"),
    ],
)
def test_what_is_refused(more: dict[str, Any], code: str) -> None:
    made = playing.event(4)
    asked = {"address": "https://club.example/", "kinds": ALL, "secret": new_secret()} | more
    with pytest.raises(Refusal, match=code):
        acts.make(tournament_id=made.tournament.pk, actor=made.actor, at=made.now, **asked)


def test_five_addresses_at_most() -> None:
    made = playing.event(4)
    asked: dict[str, Any] = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": made.now, "kinds": ALL}
    for number in range(acts.MOST):
        acts.make(**asked, address=f"https://club.example/{number}", secret=new_secret())
    with pytest.raises(Refusal, match="too_many_webhooks"):
        acts.make(**asked, address="https://club.example/", secret=new_secret())
