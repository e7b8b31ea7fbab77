"""How often a secret may be tried in vain, so that no password and no code can be guessed, and nobody is locked out.

Only wrong tries count. They count for the address they come from and, where an account is tried, for that account from
that address and from all addresses. A hall is one address: its limit is wide, and a browser that was let in before is
counted by itself, whatever strangers do. What refuses is the first counter that is full; the wider ones are not counted
on then, so that one address cannot fill the counter that an account has for all of them.

A wrong code names nobody and no event (the doors to codes, `/t/`, `/me/` and two of the API, are the service's), so
besides the address all wrong codes of a kind count together, wherever they come from. These limits may be wide, for a
code is ten signs of 32, 50 random bits: with ten thousand codes in use, 3,000 wrong ones in every minute of a year find
one with odds of about 1 in 70. And they have to be wide: a hall of a thousand phones behind one address, of which half
make a slip in the same minute, is heard, and so are five such halls. Who fills the counter of all addresses needs many
addresses and 50 tries a second without a pause; while it is full, newcomers wait for at most a minute, and nobody else.
A sign-in link has 256 bits and needs no limit.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from . import meters
from .counting import count, uncount
from .errors import TOO_MANY, Refusal
from .text import text_digest

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many within so many seconds of the first."""

    most: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Secret:
    """What is tried. `browser`: by a browser that was let in before; `here`: one account from one address; `account`:
    one account from all addresses; `everywhere`: all that is tried, from all addresses."""

    name: str
    address: Limit
    browser: Limit
    here: Limit | None = None
    account: Limit | None = None
    everywhere: Limit | None = None


PASSWORD = Secret("password", Limit(120, 300), browser=Limit(8, 300), here=Limit(8, 300), account=Limit(60, 900))
#: Tried by who has the password already. Of a million codes three are good at a time: 20 tries an hour, without a pause
#: and from everywhere, find one in a day with odds of about 1 in 700; 8 in a quarter of an hour, from a browser that is
#: let in, of about 1 in 430.
FACTOR = Secret("factor", Limit(120, 300), browser=Limit(8, 900), here=Limit(8, 900), account=Limit(20, 3600))
PARTY_CODE = Secret("code", Limit(600, 60), browser=Limit(60, 60), everywhere=Limit(3000, 60))
OWN_CODE = Secret("own_code", Limit(600, 60), browser=Limit(60, 60), everywhere=Limit(3000, 60))


class TooManyTries(Refusal):
    """Not heard until the counter has ended; `wait` is the most that can take, in seconds."""

    def __init__(self, wait: int) -> None:
        minutes = -(-wait // 60)
        super().__init__(
            "too_fast",
            message={
                "en": f"Too many tries. Wait {minutes} min, then try again.",
                "zh": f"尝试次数过多，请等 {minutes} 分钟再试。",
            },
            status=TOO_MANY,
            params={"wait": wait},
        )
        self.wait = wait


class WrongGuess(Refusal):
    """The secret was not the right one: the refusals that count as a try in vain."""


@contextmanager
def one_try(secret: Secret, *, address: str, account: str = "", browser: str = "") -> Iterator[None]:
    """Around the judging of a secret: a `WrongGuess` that leaves it stays counted.

    `account` is the name that is tried, as typed; `browser` says who was let in before on this browser, or whose token
    came along (for the same account, where one is tried). Refused: `TooManyTries`, before anything is judged.
    """
    counted: list[str] = []
    for key, limit in _counters(secret, address, account, browser):
        if count(key, limit.seconds) > limit.most:
            logger.warning("too many tries: %s", secret.name, extra={"tried_by": browser or "somebody"})
            raise _too_many(limit)
        counted.append(key)
    try:
        yield
    except WrongGuess as wrong:
        meters.refused(wrong)
        logger.warning("wrong %s", secret.name, extra={"tried_by": browser or "somebody"})
        raise
    except BaseException:
        _take_off(counted)
        raise
    _take_off(counted)


def spend(what: str, limit: Limit, *, address: str) -> None:
    """Count one call of an address, right or wrong. Refused: `TooManyTries`, of a thousand at once all but `most`."""
    if count(f"tries:{what}:{_place(address)}", limit.seconds) > limit.most:
        raise _too_many(limit)


def _too_many(limit: Limit) -> TooManyTries:
    meters.refused(refusal := TooManyTries(limit.seconds))
    return refusal


def _counters(secret: Secret, address: str, account: str, browser: str) -> Iterator[tuple[str, Limit]]:
    what, place = f"tries:{secret.name}", _place(address)
    if browser:
        yield f"{what}:by:{browser}", secret.browser
        return
    yield f"{what}:{place}", secret.address
    # a digest: what was typed can be anything
    name = text_digest(account)
    if secret.here is not None:
        yield f"{what}:{place}:{name}", secret.here
    if secret.account is not None:
        yield f"{what}:of:{name}", secret.account
    if secret.everywhere is not None:
        yield f"{what}:everywhere", secret.everywhere


def _place(address: str) -> str:
    """One household or hall: an IPv6 network of /64 is handed to one customer and counts as one."""
    try:
        read = ip_address(address)
    except ValueError:
        return text_digest(address)
    if isinstance(read, IPv6Address):
        return str(read.ipv4_mapped or ip_network((read, 64), strict=False))
    return str(read)


def _take_off(keys: list[str]) -> None:
    for key in keys:
        uncount(key)
