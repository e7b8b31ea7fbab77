"""Links that sign a person in once: how somebody without a password comes in the first time.

A link is made for an office, by an organiser of its event, and only for an account that was made for that event; or by
the operator of the installation (`official` is None). It is void once it was used, another one was made, the person
has a password, the office ended, or a day went by.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from ..acts.access import Act
from ..acts.admission import SYSTEM, Actor, Admitted, require
from ..acts.change import Add, Change, Line, Move, RemoveAll, Write, carry_out
from ..acts.errors import FORBIDDEN, NotFound, Refusal, Stale
from ..acts.rows import find_tournament
from ..acts.text import text_digest
from ..models import Official, SignInLink, User
from .officials import belongs_to

LIFETIME = timedelta(days=1)
#: How long the browser that used a link may send the same form again.
ANSWER_LOST = timedelta(minutes=5)
NOBODY = Actor()


class HasPassword(Refusal):
    """Who has a password needs no link, and nobody gets one for them."""

    def __init__(self) -> None:
        super().__init__("has_password")


def make(*, official_id: int, actor: Actor, at: datetime, secret: str) -> SignInLink:
    """A link for who holds this office. `secret` is random text from the caller; only its digest is kept.

    Refused: `has_password`; `not_made_here` where the account was not made for this event.
    """

    def decide() -> Change[SignInLink]:
        official = Official.objects.filter(pk=official_id, revoked_at=None).select_related("user").first()
        if official is None:
            raise NotFound()
        event = find_tournament(official.tournament_id, lock=True)
        admitted = require(actor, Act.MANAGE_OFFICIALS, tournament=event)
        if official.user.has_usable_password():
            raise HasPassword()
        if not belongs_to(event, official.user):
            raise Refusal("not_made_here")
        link = _link(official.user, official, at, secret)
        new = {"user": official.user_id, "office": official.office, "link": True}
        line = Line(Act.MANAGE_OFFICIALS, ("official", official), new=new)
        return Change(admitted, link, _in_place_of_others(link), (line,))

    return carry_out(decide, actor, at)


def make_for_operator(*, person: User, at: datetime, secret: str) -> SignInLink:
    """A link from whoever runs this installation; for commands only. Refused: `has_password`."""
    if person.has_usable_password():
        raise HasPassword()
    link = _link(person, None, at, secret)
    made = Change(Admitted(SYSTEM, "make_link", None), link, _in_place_of_others(link))
    return carry_out(lambda: made, SYSTEM, at)


def _link(person: User, official: Official | None, at: datetime, secret: str) -> SignInLink:
    return SignInLink(
        user=person, official=official, digest=text_digest(secret), created_at=at, expires_at=at + LIFETIME
    )


def _in_place_of_others(link: SignInLink) -> tuple[Write, ...]:
    return RemoveAll(SignInLink, {"user": link.user, "used_at": None}), Add(link)


def use(*, secret: str, at: datetime, again: bool = False) -> User:
    """The person whom a link lets in; it is used up by this. Refused: `link_used`, whatever made it void.

    `again`: the browser that used it up sends the same form once more. A second press makes it drop the answer to the
    first, and with it the session; so for some minutes it is let in once more.
    """

    def decide() -> Change[User]:
        free = Q(used_at__gt=at - ANSWER_LOST) if again else Q(used_at=None)
        standing = SignInLink.objects.filter(free, digest=text_digest(secret), expires_at__gt=at)
        link = standing.filter(user__is_active=True, official__revoked_at=None).select_related("user").first()
        if link is None or link.user.has_usable_password():
            raise Refusal("link_used", status=FORBIDDEN)
        used = Move(link, {"used_at": link.used_at or at}, {"used_at": link.used_at})
        return Change(Admitted(NOBODY, "use_link", None), link.user, (used,))

    try:
        return carry_out(decide, NOBODY, at)
    except Stale:  # somebody was faster
        raise Refusal("link_used", status=FORBIDDEN) from None
