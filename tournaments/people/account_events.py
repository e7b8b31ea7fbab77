"""What happened to a person's own account, for that person to see: when, and from which browser. No address is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, RemoveAll, Write, carry_out
from ..models import AccountEvent, AccountEventKind, Official, User

#: After this nobody asks; wrong passwords, of which there can be many, go with the rest.
KEPT_FOR: Final = timedelta(days=90)
SHOWN: Final = 50
BROWSER_LENGTH: Final = 200


def write_own(*writes: Write, over: tuple[User, ...] = ()) -> None:
    """Carry out what people do with their own accounts: no event has to admit it, and none tells of it."""
    own = Admitted(Actor(), "own_account", None)
    carry_out(lambda: Change(own, None, writes, over=over), own.actor, timezone.now())


def noted(person: int, kind: AccountEventKind, at: datetime, browser: str) -> tuple[Write, ...]:
    """The writes that note it; what is too old goes with them. `browser`: what it says of itself."""
    event = AccountEvent(user_id=person, at=at, kind=kind, browser=browser[:BROWSER_LENGTH])
    return RemoveAll(AccountEvent, {"user_id": person, "at__lt": at - KEPT_FOR}), Add(event)


def note(person: int, kind: AccountEventKind, at: datetime, browser: str) -> None:
    """Note it by itself."""
    write_own(*noted(person, kind, at, browser))


@dataclass(frozen=True, slots=True)
class Happened:
    """One thing that happened: to the account, or to an office in an event."""

    at: datetime
    kind: AccountEventKind | None = None
    browser: str = ""
    office: Official | None = None
    taken_back: bool = False

    @property
    def is_alarm(self) -> bool:
        """Whether somebody tried in vain."""
        return self.kind in (AccountEventKind.WRONG_PASSWORD, AccountEventKind.WRONG_CODE)


def happened_to(person: User) -> list[Happened]:
    """What happened to the account and to the offices of its person, the newest first."""
    own = AccountEvent.objects.filter(user=person).order_by("-at", "-pk")[:SHOWN]
    found = [Happened(one.at, AccountEventKind(one.kind), one.browser) for one in own]
    for held in Official.objects.filter(user=person).select_related("tournament").order_by("-pk")[:SHOWN]:
        found.append(Happened(held.appointed_at, office=held))
        if held.revoked_at is not None:
            found.append(Happened(held.revoked_at, office=held, taken_back=True))
    return sorted(found, key=lambda one: one.at, reverse=True)[:SHOWN]
