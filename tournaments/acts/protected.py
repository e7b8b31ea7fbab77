"""Which rows and columns of an event its log protects, and what needs no protection, each with why.

The log (`leaves`) says of every protected row what stands in each of its columns. A row that no act wrote, one that is
gone, and a value that no act put there are found by the audit (`tournaments.log.checking`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Final

from django.db.models import BooleanField, DateField, DateTimeField, Field, ForeignKey, IntegerField, JSONField, Model

from ..models import (
    AppealMember,
    Board,
    BoardResult,
    Call,
    CheckIn,
    Correction,
    Dealing,
    Device,
    DeviceKey,
    Draw,
    DrawnLots,
    Entrant,
    EntrantCode,
    HallFixture,
    HistoryEntry,
    Invitation,
    KeptApart,
    LedgerEntry,
    Logo,
    Match,
    MatchPlace,
    Official,
    Origin,
    Pairing,
    PartyCode,
    Photo,
    Player,
    Projector,
    Publication,
    PutAside,
    RecordedHand,
    ResultCode,
    Round,
    RuleChange,
    Ruling,
    RulingAct,
    SignalCard,
    SignalTerms,
    Sitting,
    Stage,
    StageEntrant,
    Table,
    TablePlace,
    Term,
    Tournament,
    UnderReview,
    Webhook,
)


@dataclass(frozen=True, slots=True)
class Column:
    """A protected column: its name in the database, the attribute of a row, and what it holds: values of just that
    type are stored as they are. `of_words`: one of a few words of the product, which say nothing of anybody.
    `as_it_is`: values of these types stand in a leaf as they are."""

    name: str
    attname: str
    kind: type
    of_words: bool
    field: Field
    as_it_is: frozenset[type]


@dataclass(frozen=True, slots=True)
class Protected:
    """A table of an event: its model, the way from a row to its event, columns that anybody may count or touch.

    `named`: its texts are names of people, which may be erased one by one. `open`: texts of the product that stand in
    leaves as they are.
    """

    model: type[Model]
    event: str
    free: frozenset[str] = frozenset()
    named: bool = False
    open: frozenset[str] = frozenset()

    @property
    def table(self) -> str:
        """The name in the log: that of the table, without the application's."""
        return short(self.model)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The protected columns but the primary key."""
        return tuple(columns_of(self.model).values())


_OF_EVENT: Final = "tournament"
_OF_ROUND: Final = "round__tournament"
_OF_STAGE: Final = "stage__tournament"
_OF_ENTRANT: Final = "entrant__tournament"
_OF_SITTING: Final = "sitting__round__tournament"

#: Columns left free are work counted for the machine: whoever changes one causes work, or none, and moves no result.
ALL: Final[tuple[Protected, ...]] = (
    # where an event is written is known of each installation by itself; bent, it stops acts and moves none
    Protected(Tournament, "pk", frozenset({"stale_number", "built_number", "elsewhere", "moved_to"})),
    Protected(Stage, _OF_EVENT),
    Protected(Entrant, _OF_EVENT, named=True),
    Protected(Player, _OF_ENTRANT, named=True),
    Protected(StageEntrant, _OF_STAGE),
    Protected(KeptApart, _OF_EVENT),
    Protected(SignalTerms, _OF_EVENT),
    Protected(SignalCard, _OF_ENTRANT),
    Protected(Table, _OF_EVENT),
    Protected(TablePlace, _OF_EVENT),
    Protected(HallFixture, _OF_EVENT),
    Protected(Projector, _OF_EVENT),
    Protected(Logo, _OF_EVENT),
    # how far an address was told, and that a worker is at it
    Protected(Webhook, _OF_EVENT, frozenset({"after", "held_until", "failing_since"})),
    # what it counts is that entries have to be read again
    Protected(Round, _OF_EVENT, frozenset({"grounds"})),
    Protected(CheckIn, _OF_ENTRANT),
    Protected(Draw, _OF_ROUND),
    Protected(Pairing, _OF_ROUND),
    Protected(Match, _OF_ROUND),
    Protected(MatchPlace, _OF_ROUND),
    Protected(Sitting, _OF_ROUND),
    Protected(Board, _OF_STAGE),
    Protected(Dealing, _OF_STAGE),
    Protected(BoardResult, "board__stage__tournament"),
    Protected(LedgerEntry, _OF_EVENT),
    Protected(RecordedHand, _OF_EVENT),
    Protected(PutAside, _OF_EVENT),
    Protected(DrawnLots, _OF_STAGE),
    Protected(Publication, _OF_EVENT),
    Protected(RuleChange, _OF_EVENT),
    Protected(Correction, "entry__tournament"),
    Protected(Ruling, _OF_EVENT),
    Protected(RulingAct, "ruling__tournament"),
    Protected(AppealMember, "act__ruling__tournament"),
    Protected(Official, _OF_EVENT),
    Protected(Official.tables.through, "official__tournament"),
    Protected(Invitation, _OF_EVENT),
    Protected(Invitation.tables.through, "invitation__tournament"),
    Protected(PartyCode, "table__tournament"),
    Protected(EntrantCode, _OF_ENTRANT),
    # when a phone was last seen is a note for the desk, written by every page it opens
    Protected(Device, _OF_SITTING, frozenset({"seen_at"})),
    Protected(DeviceKey, "device__sitting__round__tournament"),
    Protected(ResultCode, _OF_SITTING),
    Protected(Call, _OF_SITTING),
    Protected(Photo, "call__sitting__round__tournament"),
    Protected(HistoryEntry, _OF_EVENT),
    Protected(Origin, _OF_EVENT),
    Protected(Term, _OF_EVENT, open=frozenset({"head_root", "head_signature", "key"})),
    Protected(UnderReview, _OF_EVENT),
)

#: Tables outside the log, by model, with why nobody bends a result there.
OUTSIDE: Final[Mapping[str, str]] = {
    "AccountEvent": "what happened to accounts, which belong to no event",
    "Counter": "how often somebody guessed; forgotten after minutes",
    "EventUpload": "pieces of a file on its way in; what came in is in the log",
    "EventUploadPiece": "pieces of a file on its way in; what came in is in the log",
    "HistoricalEntrant": "earlier names, for the reader; what counts stands in the entrant",
    "HistoricalPlayer": "earlier names, for the reader; what counts stands in the player",
    "HookDelivery": "what is on its way to an address elsewhere; what it says is read from the log",
    "Job": "work that was asked for; what it wrote is in the log",
    "LogHead": "the log itself, held by its signatures",
    "LogLeaf": "the log itself, held by its signatures",
    "LogoContent": "the bytes of a logo; their digest is in the log",
    "PhotoContent": "the bytes of a photo, which go in time; their digest is in the log",
    "Passkey": "ways in of accounts, held by the device that has the other half",
    "Recalculation": "how far the machine has counted",
    "RecoveryCode": "ways in of accounts, each works once",
    "SavedAnswer": "answers kept for a request that is sent twice; the act is in the log",
    "Session": "who is signed in",
    "SignInLink": "ways in that work once",
    "StaleCount": "how much there is to count",
    "StandingsRun": "the live table, which the audit works out again from the matches",
    "TokenGrant": "what a token of an account may do; what was done with it is in the log",
    "WakeAddress": "where the phones of players are woken; it moves no result, and is forgotten after days",
    "User": "accounts belong to no event; what they may do in one is its offices",
}

BY_MODEL: Final[Mapping[type[Model], Protected]] = {one.model: one for one in ALL}


@lru_cache(maxsize=256)
def protected(model: type[Model]) -> Protected | None:
    """The table of a model in the log; None for one outside. Who is signed in is a proxy of a row."""
    found = BY_MODEL.get(model)
    return found or BY_MODEL.get(model._meta.concrete_model or model)


def short(model: type[Model]) -> str:
    return model._meta.db_table.removeprefix("tournaments_")


@lru_cache(maxsize=128)
def columns_of(model: type[Model]) -> Mapping[str, Column]:
    """The protected columns of a table by attribute, but the primary key."""
    free, shown = BY_MODEL[model].free, BY_MODEL[model].open
    fields = [one for one in model._meta.concrete_fields if not one.primary_key and one.column not in free]
    return {one.attname: _column(one, one.column in shown) for one in fields}


def _column(field: Field, shown: bool) -> Column:
    kind, of_words = kind_of(field), bool(field.choices) or shown
    plain = {kind} if kind in (int, bool) or (kind is str and of_words) else set()
    return Column(str(field.column), field.attname, kind, of_words, field, frozenset(plain | {type(None)}))


def kind_of(field: Field) -> type:
    """The type of a field's values; JSONField for JSON."""
    while isinstance(field, ForeignKey):
        field = field.target_field
    kinds: tuple[tuple[type[Field], type], ...] = (
        (JSONField, JSONField),
        (BooleanField, bool),
        (IntegerField, int),
        (DateTimeField, datetime),
        (DateField, date),
    )
    return next((kind for of, kind in kinds if isinstance(field, of)), str)
