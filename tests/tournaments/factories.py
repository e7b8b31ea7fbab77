"""Small builders for tests: an event with a running round, its sides and officials, and sheets in protocol form.

Everything is made as the product leaves it; nothing here decides what a test is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.test import Client
from django.utils import timezone

from scoring.sittings.fold import start
from scoring.sittings.states import Opening
from scoring.values import Level, Seat, Side
from tests.worlds import kept
from tournaments.acts.admission import Actor
from tournaments.models import (
    Device,
    Entrant,
    Match,
    Office,
    Official,
    PartyCode,
    Recalculation,
    Round,
    Sitting,
    Stage,
    Table,
    Tournament,
    User,
)
from tournaments.sittings.ledgers import cached_state

AT = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
_numbers = count(1)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def user(name: str = "user") -> User:
    return User.objects.create(username=f"{name}{next(_numbers)}", display_name=name)


def tournament(*, profile: Any = "cn-national-2d", demo: bool = False, **more: Any) -> Tournament:
    from scoring import profiles

    number = next(_numbers)
    made = Tournament.objects.create(
        slug=f"event-{number}",
        name=f"Event {number}",
        language="en",
        profile_spec=profile,
        profile_digest=profiles.build(profile).digest,
        lot_seed="s" * 40,
        lot_commitment=digest("s" * 40),
        created_at=AT,
        demo=demo,
        **more,
    )
    Recalculation.objects.create(tournament=made)
    return made


def stage(event: Tournament, **more: Any) -> Stage:
    settings = {
        "number": 1,
        "format": "swiss_timed",
        "match_score": "mp_210",
        "tie_rule": "draw",
        "minutes": 40,
        "rounds_planned": 4,
        "chain": ["points", "opponents", "wins", "net_levels"],
    }
    return Stage.objects.create(tournament=event, **{**settings, **more})


def entrant(event: Tournament, number: int) -> Entrant:
    return Entrant.objects.create(tournament=event, number=number, name=f"Pair {number}")


def round_(on: Stage, *, number: int = 1, status: str = "running") -> Round:
    times = {"started_at": AT} if status in ("running", "closed") else {}
    if status == "closed":
        times["closed_at"] = AT
    return Round.objects.create(tournament=on.tournament, stage=on, number=number, status=status, **times)


def sitting(
    of: Round,
    home: Entrant,
    away: Entrant,
    table: int,
    *,
    first_dealer: str | None = "S",
    levels: tuple[str, str] = ("2", "2"),
) -> Sitting:
    place, _ = Table.objects.get_or_create(tournament=of.tournament, number=table)
    match = Match.objects.create(round=of, number=table, home=home, away=away)
    opening = Opening(
        {Side.NS: Level(levels[0]), Side.EW: Level(levels[1])}, None if first_dealer is None else Seat(first_dealer)
    )
    return Sitting.objects.create(
        match=match, round=of, table=place, opening=opening.to_json(), state=cached_state(start(opening))
    )


def device(at: Sitting, side: str) -> Device:
    code = PartyCode.objects.filter(table=at.table, side=side, revoked_at=None).first()
    if code is None:
        code = PartyCode.objects.create(table=at.table, side=side, digest=digest(f"{at.table_id}{side}"), issued_at=AT)
    number = next(_numbers)
    return Device.objects.create(
        public_id=f"d{number}",
        code=code,
        sitting=at,
        side=side,
        token_digest=digest(f"token{number}"),
        claimed_at=AT,
        seen_at=AT,
    )


def official(event: Tournament, office: Office = Office.REFEREE, *, tables: tuple[Table, ...] = ()) -> Actor:
    person = user(str(office))
    row = Official.objects.create(tournament=event, user=person, office=office, appointed_at=AT)
    row.tables.set(tables)
    return Actor(user=person)


def signed_in(actor: Actor, language: str = "") -> Client:
    """The browser of somebody who has signed in; with `language` in its cookie where the test is about words."""
    client = Client()
    client.force_login(actor.user, backend="django.contrib.auth.backends.ModelBackend")
    just_proved(client)
    if language:
        client.cookies["django_language"] = language
    return client


def just_proved(client: Client) -> None:
    """As after signing in: the password was typed a moment ago."""
    proved_now(client.session)


def proved_now(session: SessionBase) -> None:
    """The same of a session that is known otherwise."""
    session["proved_at"] = timezone.now().isoformat()
    session.save()


@dataclass
class Hall:
    """An event with one running round of one table (or more), its two sides and its officials."""

    event: Tournament
    stage: Stage
    round: Round
    sitting: Sitting
    sittings: list[Sitting]
    ns: Actor
    ew: Actor
    referee: Actor
    chief: Actor
    organiser: Actor


@kept
def hall(
    *,
    tables: int = 1,
    status: str = "running",
    profile: Any = "cn-national-2d",
    event: dict[str, Any] | None = None,
    stage_: dict[str, Any] | None = None,
    **opening: Any,
) -> Hall:
    made = tournament(profile=profile, **(event or {}))
    on = stage(made, **(stage_ or {}))
    current = round_(on, status=status)
    sittings = [
        sitting(current, entrant(made, 2 * table - 1), entrant(made, 2 * table), table, **opening)
        for table in range(1, tables + 1)
    ]
    first = sittings[0]
    return Hall(
        event=made,
        stage=on,
        round=current,
        sitting=first,
        sittings=sittings,
        ns=Actor(device=device(first, "NS")),
        ew=Actor(device=device(first, "EW")),
        referee=official(made, Office.REFEREE),
        chief=official(made, Office.CHIEF_REFEREE),
        organiser=official(made, Office.ORGANISER),
    )


def sheet(captured: int = 35, **more: Any) -> dict[str, Any]:
    """A hand that the dealer side ended: no dig."""
    return {"kind": "hand", "trump": "H", "captured_in_tricks": captured, "last_trick_winner": "dealer", **more}


def dig(captured: int, kitty: int, shape: str = "pair", **more: Any) -> dict[str, Any]:
    """A hand that the attackers ended."""
    return sheet(captured, last_trick_winner="attackers", led=[{"type": shape}], kitty_points=kitty, **more)
