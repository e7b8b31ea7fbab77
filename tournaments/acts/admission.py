"""Who acts, and whether that actor may: judged by the table of acts (`access`), the offices held in a tournament, the
place that a device holds, and the scope of a token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from django.conf import settings

from ..models import Device, Elsewhere, Office, Official, Sitting, TokenScope, Tournament, User
from . import meters
from .access import MATRIX, OF_ELSEWHERE, OF_RECORD, REACH, Act, Who
from .errors import BeyondScope, EventElsewhere, EventIsRecord, Forbidden, Refusal, SecondFactorNeeded


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a signed-in person, or a device that holds a side's place, or nobody. Commands act as `SYSTEM`.

    `token`: what the API token may do that the person acts by; None: no token, the person acts in person.
    """

    user: User | None = None
    device: Device | None = None
    system: bool = False
    token: TokenScope | None = None

    def __post_init__(self) -> None:
        if self.user is not None and self.device is not None:
            raise ValueError("an actor is a person or a device, not both")

    def reaches(self, act: Act) -> bool:
        """Whether the act is within the scope of the token, where there is one."""
        return self.token is None or act in REACH[self.token]

    @property
    def side(self) -> str | None:
        return None if self.device is None else self.device.side

    @property
    def sitting_id(self) -> int | None:
        return None if self.device is None else self.device.sitting_id

    @property
    def scope(self) -> str:
        """Whose idempotency keys a request uses: two people may use the same key for two requests."""
        if self.user is not None:
            return f"user:{self.user.pk}"
        if self.device is not None:
            return f"device:{self.device.pk}"
        return "system" if self.system else "nobody"


SYSTEM = Actor(system=True)

#: Offices that somebody holds in a tournament, each with the tables assigned to it; none: the whole hall.
Offices = Mapping[Office, frozenset[int]]

_OFFICES: Mapping[str, Who] = {
    Office.ORGANISER: Who.ORGANISER,
    Office.CHIEF_REFEREE: Who.CHIEF_REFEREE,
    Office.REFEREE: Who.REFEREE,
}

#: The offices of which an event may ask that who acts in them has a second factor.
WITH_FACTOR = frozenset({Office.ORGANISER, Office.CHIEF_REFEREE})

_RANK = (Office.CHIEF_REFEREE, Office.REFEREE, Office.ORGANISER)

#: Said before a round starts in which nobody may do `SETTLE`.
NOBODY_SETTLES: Mapping[str, str] = {
    "en": "Nobody in this event may settle a dispute: appoint a referee or a chief referee.",
    "zh": "本赛事还没有人可以裁定争议：请指派裁判或裁判长。",
}

_IN_WORDS: Mapping[Who, Mapping[str, str]] = {
    Who.ANYONE: {"en": "anybody", "zh": "任何人"},
    Who.OWN_ACCOUNT: {"en": "whoever has signed in and has a password of their own", "zh": "已登录并设有自己密码的人"},
    Who.SIDE: {"en": "a side at its own table", "zh": "本桌的一方"},
    Who.REFEREE: {"en": "a referee of the table", "zh": "该桌裁判"},
    Who.CHIEF_REFEREE: {"en": "the chief referee", "zh": "裁判长"},
    Who.ORGANISER: {"en": "the organiser", "zh": "主办方"},
}


def allowed(
    actor: Actor,
    act: Act,
    *,
    tournament: Tournament | None,
    sitting: Sitting | None = None,
    held: Offices | None = None,
) -> bool:
    """Whether the actor may do the act, here. A referee with assigned tables serves only those.

    `held`: the actor's offices where they were just read; a page that asks many such questions reads them once.
    """
    who = MATRIX[act]
    if _is_closed_to(act, tournament) or not actor.reaches(act):
        return False
    if actor.system or Who.ANYONE in who:
        return True
    if Who.OWN_ACCOUNT in who:
        # an account without a password belongs to the event that made it, and does nothing outside
        return actor.user is not None and actor.user.is_active and actor.user.has_usable_password()
    if actor.device is not None:
        return Who.SIDE in who and sitting is not None and _holds_place(actor.device, sitting)
    if tournament is None:
        return False
    known = offices(actor, tournament) if held is None else held
    return any(
        _serves(act, office, tables, sitting)
        for office, tables in known.items()
        if not _is_shut(office, actor, tournament)
    )


def _serves(act: Act, office: Office, tables: frozenset[int], sitting: Sitting | None) -> bool:
    """Whether the office, with these tables, is one for the act here."""
    if _OFFICES[office] not in MATRIX[act]:
        return False
    return office != Office.REFEREE or sitting is None or not tables or sitting.table_id in tables


def _is_shut(office: Office, actor: Actor, tournament: Tournament) -> bool:
    """Whether nothing is done in this office because the event, or the operator for all of them, asks for a second
    factor, which the person has not."""
    asked = settings.SECOND_FACTOR or (tournament.second_factor and office in WITH_FACTOR)
    return asked and actor.user is not None and actor.user.factor_since is None


def who_may(act: Act, *, tournament: Tournament, sitting: Sitting | None = None) -> list[User]:
    """The officials of the tournament who may do the act here, those with the highest office first."""
    rows = Official.objects.filter(tournament=tournament, revoked_at=None, user__is_active=True)
    found: dict[int, User] = {}
    held: Offices
    for one in sorted(rows.select_related("user").prefetch_related("tables").order_by("pk"), key=_rank):
        held = {Office(one.office): frozenset(table.pk for table in one.tables.all())}
        if tournament.single_official:
            held = dict.fromkeys(Office, frozenset())
        if allowed(Actor(user=one.user), act, tournament=tournament, sitting=sitting, held=held):
            found.setdefault(one.user_id, one.user)
    return list(found.values())


def _rank(official: Official) -> int:
    return _RANK.index(Office(official.office))


@dataclass(frozen=True, slots=True)
class Admitted:
    """That somebody may do an act here: `require` gives it, and no change is committed without one."""

    actor: Actor
    act: Act | str
    tournament: Tournament | None
    sitting: Sitting | None = None


def require(
    actor: Actor,
    act: Act,
    *,
    tournament: Tournament | None,
    sitting: Sitting | None = None,
    held: Offices | None = None,
) -> Admitted:
    """Raise `Forbidden` unless the actor may do the act; `EventIsRecord` when nobody may because the event is one,
    `SecondFactorNeeded` where the event asks for one, `BeyondScope` where the person may and the token may not."""
    meters.asked_for(act)
    if tournament is not None and _is_closed_to(act, tournament):
        raise EventIsRecord() if tournament.imported_at else event_elsewhere(tournament)
    if not allowed(actor, act, tournament=tournament, sitting=sitting, held=held):
        raise refused(actor, act, tournament=tournament, sitting=sitting, held=held)
    return note_admission(actor, act, tournament, sitting)


#: An act to which somebody was admitted: its name, the event and the sitting it was about.
Admission = tuple[str, int | None, int | None]
_NOTED: ContextVar[list[Admission] | None] = ContextVar("admissions", default=None)


@contextmanager
def admissions() -> Iterator[list[Admission]]:
    """What the actor is admitted to meanwhile, so that a repeat of the request can be judged as the first was."""
    noted: list[Admission] = []
    before = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(before)


def note_admission(actor: Actor, act: Act, tournament: Tournament | None, sitting: Sitting | None) -> Admitted:
    """The admission of an actor who may; noted where a repeat of the request may come."""
    one = (str(act), None if tournament is None else tournament.pk, None if sitting is None else sitting.pk)
    if (noted := _NOTED.get()) is not None and one not in noted:
        noted.append(one)
    return Admitted(actor, act, tournament, sitting)


def admit_again(actor: Actor, admitted: Iterable[Admission]) -> None:
    """Raise `Forbidden` unless the actor may still do what he was admitted to."""
    for act, tournament_id, sitting_id in admitted:
        tournament = None if tournament_id is None else Tournament.objects.filter(pk=tournament_id).first()
        sitting = None if sitting_id is None else Sitting.objects.filter(pk=sitting_id).first()
        if not allowed(actor, Act(act), tournament=tournament, sitting=sitting):
            raise refused(actor, Act(act), tournament=tournament, sitting=sitting)


def refused(
    actor: Actor,
    act: Act,
    *,
    tournament: Tournament | None,
    sitting: Sitting | None = None,
    held: Offices | None = None,
) -> Refusal:
    """Why the actor is not `allowed`: the event is written elsewhere, the token's scope alone, a second factor or an
    office is wanting."""
    if tournament is not None and tournament.elsewhere and _is_closed_to(act, tournament):
        return event_elsewhere(tournament)
    if not actor.reaches(act):
        in_person = replace(actor, token=None)
        if allowed(in_person, act, tournament=tournament, sitting=sitting, held=held):
            return BeyondScope(str(actor.token), scope_for(act))
    asked = tournament is not None and (settings.SECOND_FACTOR or tournament.second_factor)
    if tournament is not None and asked and not _is_closed_to(act, tournament):
        known = offices(actor, tournament) if held is None else held
        if any(_serves(act, office, tables, sitting) for office, tables in known.items()):
            return SecondFactorNeeded()
    return forbidden(act)


def scope_for(act: Act) -> str:
    """The least scope with which a token does the act."""
    return next(scope.value for scope in TokenScope if act in REACH[scope])


def require_whole(actor: Actor) -> None:
    """Raise `BeyondScope` unless the actor acts in person, or by a token that may do whatever its person may: for what
    belongs to an account and to no event."""
    if actor.token not in (None, TokenScope.DIRECT):
        raise BeyondScope(str(actor.token), TokenScope.DIRECT.value)


def forbidden(act: Act) -> Forbidden:
    """The refusal of an act that says who may do it."""
    may = [words for who, words in _IN_WORDS.items() if who in MATRIX[act]]
    return Forbidden({"en": " or ".join(one["en"] for one in may), "zh": "或".join(one["zh"] for one in may)})


def _is_closed_to(act: Act, tournament: Tournament | None) -> bool:
    if tournament is None:
        return False
    if tournament.imported_at is not None and act not in OF_RECORD:
        return True
    return bool(tournament.elsewhere) and act not in OF_ELSEWHERE


def event_elsewhere(event: Tournament) -> EventElsewhere:
    """Why nothing is written to an event here."""
    return EventElsewhere(over=event.elsewhere == Elsewhere.OVER, to=event.moved_to)


def refuse_unless_here(event: Tournament) -> None:
    """Raise `EventElsewhere` where another installation writes the event: for the writer of changes."""
    if event.elsewhere:
        raise event_elsewhere(event)


def _holds_place(device: Device, sitting: Sitting) -> bool:
    return device.sitting_id == sitting.pk and device.released_at is None


def offices(actor: Actor, tournament: Tournament) -> Offices:
    """The offices the actor holds in the tournament, each with the tables assigned to it (none: the whole hall); all of
    them where a single official does everything."""
    if actor.user is None or not actor.user.is_active:
        return {}
    rows = Official.objects.filter(
        tournament_id=tournament.pk, user_id=actor.user.pk, revoked_at__isnull=True
    ).values_list("office", "tables")
    return held_offices(actor, tournament, rows)


def held_offices(actor: Actor, tournament: Tournament, rows: Iterable[tuple[str, int | None]]) -> Offices:
    """The same from what was read: each office once for every table assigned to it, or with none."""
    if actor.user is None or not actor.user.is_active:
        return {}
    held: dict[Office, set[int]] = {}
    for office, table in rows:
        tables = held.setdefault(Office(office), set())
        if table is not None:
            tables.add(table)
    if held and tournament.single_official:
        return dict.fromkeys(Office, frozenset())
    return {office: frozenset(tables) for office, tables in held.items()}
