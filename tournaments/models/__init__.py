"""All models of the product, a module for each noun; other rooms import them from here."""

from .boards import Board, BoardResult
from .calls import Call, CallKind
from .counters import Counter
from .deals import Dealing
from .devices import Device, PartyCode
from .entrants import CheckIn, Entrant, EntrantCode, KeptApart, Player, StageEntrant, WishChoice
from .event_uploads import EventUpload, EventUploadPiece
from .events import Round, RoundStatus, Stage, StageFormat, TieRule, Tournament
from .evidence import Photo, PhotoContent
from .hall import FixtureKind, HallFixture, TablePlace
from .history import HistoryEntry
from .jobs import Job
from .ledger import Basis, Correction, EntryKind, EntryStatus, LedgerEntry, SavedAnswer
from .log import LogHead, LogLeaf
from .logos import Logo, LogoContent
from .origins import Origin
from .projector import Projector
from .radar import PutAside
from .recorded_hands import RecordedHand
from .result_codes import DeviceKey, ResultCode
from .rule_changes import RuleChange
from .rulings import AppealMember, AppealState, Ruling, RulingAct, RulingSource, RulingStatus, RulingStep
from .seating import (
    Draw,
    DrawMethod,
    Match,
    MatchOutcome,
    MatchPlace,
    Pairing,
    PlaceChoice,
    ScoredBy,
    SideChoice,
    Sitting,
    SittingPhase,
    Table,
)
from .signals import CardAsked, ReturnDuty, SignalCard, SignalTerms
from .standings import DrawnLots, Publication, Recalculation, StaleCount, StandingsRun
from .terms import Elsewhere, Term, UnderReview
from .users import (
    AccountEvent,
    AccountEventKind,
    Invitation,
    Office,
    Official,
    Passkey,
    RecoveryCode,
    Session,
    SignInLink,
    TokenGrant,
    TokenScope,
    User,
)
from .waking import WakeAddress
from .webhooks import HookDelivery, HookState, Webhook

__all__ = [
    "AccountEvent",
    "AccountEventKind",
    "AppealMember",
    "AppealState",
    "Basis",
    "Board",
    "BoardResult",
    "Call",
    "CallKind",
    "CardAsked",
    "CheckIn",
    "Correction",
    "Counter",
    "Dealing",
    "Device",
    "DeviceKey",
    "Draw",
    "DrawMethod",
    "DrawnLots",
    "Elsewhere",
    "Entrant",
    "EntrantCode",
    "EntryKind",
    "EntryStatus",
    "EventUpload",
    "EventUploadPiece",
    "FixtureKind",
    "HallFixture",
    "HistoryEntry",
    "HookDelivery",
    "HookState",
    "Invitation",
    "Job",
    "KeptApart",
    "LedgerEntry",
    "LogHead",
    "LogLeaf",
    "Logo",
    "LogoContent",
    "Match",
    "MatchOutcome",
    "MatchPlace",
    "Office",
    "Official",
    "Origin",
    "Pairing",
    "PartyCode",
    "Passkey",
    "Photo",
    "PhotoContent",
    "PlaceChoice",
    "Player",
    "Projector",
    "Publication",
    "PutAside",
    "Recalculation",
    "RecordedHand",
    "RecoveryCode",
    "ResultCode",
    "ReturnDuty",
    "Round",
    "RoundStatus",
    "RuleChange",
    "Ruling",
    "RulingAct",
    "RulingSource",
    "RulingStatus",
    "RulingStep",
    "SavedAnswer",
    "ScoredBy",
    "Session",
    "SideChoice",
    "SignInLink",
    "SignalCard",
    "SignalTerms",
    "Sitting",
    "SittingPhase",
    "Stage",
    "StageEntrant",
    "StageFormat",
    "StaleCount",
    "StandingsRun",
    "Table",
    "TablePlace",
    "Term",
    "TieRule",
    "TokenGrant",
    "TokenScope",
    "Tournament",
    "UnderReview",
    "User",
    "WakeAddress",
    "Webhook",
    "WishChoice",
]
