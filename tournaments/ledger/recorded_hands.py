"""Records of hands (牌谱) laid beside the entries of a ledger. The record changes no result: a correction does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db.models import Max

from scoring.cards.record_reading import parse
from scoring.cards.records import Comment, HandRecord, write
from scoring.hands.findings import Refused
from scoring.profiles import Profile
from scoring.sittings.states import SittingState

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line
from ..acts.errors import BAD_REQUEST, NOT_FOUND, UNPROCESSABLE, clean_text
from ..acts.text import text_digest
from ..models import LedgerEntry, RecordedHand
from ..sittings.games import State, replay_hand
from ..sittings.ledgers import Ledger
from ..standings.runs import person_of
from .acting import act_on, change_at, unchanged
from .hands_on_record import Replayed, replay_beside
from .judging import SheetRejected, refusal

TEXT_LIMIT: Final = 50_000
#: Tags that are kept: facts of the hand. The others name persons and places, or rules beside those of the event.
KEPT: Final = frozenset(
    {"level", "ns_level", "ew_level", "levels", "dealer", "leader", "first_drawer", "trump", "line"}
)


def attach(*, sitting_id: int, actor: Actor, at: datetime, hand_no: int, text: str) -> Replayed:
    """Lay the record of one hand beside the entry of that hand; an older record of it stays kept.

    Names, rules and the words of comments are dropped: the ledger holds ids and facts. Level, dealer and trump are
    filled in from the entry where the record leaves them out. What cannot be read is refused with every problem by
    line and column; a record whose replay finds fault is stored all the same, for that is what happened at the table.
    """
    text = _lines_of(text)

    def decide(ledger: Ledger, admitted: Admitted) -> Change[Replayed]:
        entry = _entry(ledger, hand_no)
        record = _completed(ledger, entry, _one_hand(ledger.profile, text))
        canonical = write(record)
        before = RecordedHand.objects.filter(sitting=ledger.sitting, hand_no=hand_no)
        recorded = RecordedHand(
            tournament=ledger.tournament,
            sitting=ledger.sitting,
            hand_no=hand_no,
            number=(before.aggregate(last=Max("number"))["last"] or 0) + 1,
            text=canonical,
            digest=text_digest(canonical),
            attached_by=person_of(actor),
            attached_at=at,
        )
        new = {"hand_no": hand_no, "number": recorded.number, "digest": recorded.digest}
        line = Line(Act.ATTACH_RECORD, ("recorded_hand", recorded), new=new, sitting=ledger.sitting)
        seen = replay_beside(recorded, entry, ledger.sitting)
        return change_at(ledger, admitted, seen, unchanged(ledger, Add(recorded)), [line], moved=False, public=True)

    return act_on(sitting_id, Act.ATTACH_RECORD, actor, at, decide)


def _lines_of(text: str) -> str:
    """The text as it may be read, its lines where they were: problems are told by line and column."""
    if isinstance(text, str):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    clean_text(text, "text", limit=TEXT_LIMIT, required=True)
    return text


def _entry(ledger: Ledger, hand_no: int) -> LedgerEntry:
    """The entry of the hand that counts."""
    found = next((row for row in ledger.effective if row.hand_no == hand_no), None)
    if found is None:
        raise refusal("no_such_hand", status=NOT_FOUND, field="hand_no")
    return found


def _one_hand(profile: Profile, text: str) -> HandRecord:
    try:
        hands = parse(text, profile)
    except Refused as refused:
        raise SheetRejected(refused.findings) from None
    if len(hands) > 1:
        raise refusal(
            "one_hand_only",
            f"The text holds {len(hands)} hands; attach them one by one.",
            f"文字里有 {len(hands)} 副牌，请逐副附上。",
            status=BAD_REQUEST,
            field="text",
        )
    (hand,) = hands
    if not (hand.deal or hand.kitty or hand.acts or hand.tricks):
        raise refusal("empty_record", "There is no card in it.", "里面没有一张牌。", status=BAD_REQUEST, field="text")
    return hand


def _completed(ledger: Ledger, entry: LedgerEntry, record: HandRecord) -> HandRecord:
    """The record as it is kept, with what the ledger knows and the record leaves out. `SheetRejected` where the rules
    of the event have no such level."""
    tags = {name: value for name, value in record.tags.items() if name in KEPT}
    before = ledger.fold_before(entry.position)
    known, stated = _known(entry.facts, before, record)
    kept = replace(
        record,
        tags=known | tags | _fixed(before),
        result={**stated, **record.result},
        comments=tuple(_without_words(one) for one in record.comments if one.code),
    )
    trump = entry.facts.get("trump")
    try:
        told = replay_hand(ledger.profile, kept).trump
    except Refused as refused:
        raise SheetRejected(refused.findings, status=UNPROCESSABLE) from None
    if told is None and trump is not None:
        kept = replace(kept, tags={**kept.tags, "trump": trump})
    return kept


def _known(facts: Mapping[str, Any], state: State, record: HandRecord) -> tuple[dict[str, str], dict[str, int | str]]:
    """Tags that the ledger can fill in, and what its entry states where no act of the record tells it.

    Dealer and level of the entry and the levels before the hand; of single players the bid and the ally too.
    """
    known = {name: str(facts[name]) for name in ("dealer", "level", "line") if facts.get(name) is not None}
    if isinstance(state, SittingState):
        levels = {f"{side.value.lower()}_level": str(level) for side, level in state.levels.items()}
        return levels | known | ({"hand": "1"} if state.contested else {}), {}
    if state.levels:
        own = {place.value: str(level) for place, level in state.levels.items()}
        if set(known) >= {"dealer", "level"}:
            own[known["dealer"]] = known["level"]
        known["levels"] = " ".join(level for _, level in sorted(own.items()))
    acts, bids = {act.act for act in record.acts}, facts.get("bids") or {}
    stated: dict[str, int | str] = {}
    bid = min(bids.values()) if bids else facts.get("bid")
    if bid is not None and "bid" not in acts:
        stated["bid"] = int(bid)
    if facts.get("ally") is not None and "call" not in acts:
        stated["ally"] = str(facts["ally"])
    return known, stated


def _fixed(state: State) -> dict[str, str]:
    """The tag of the trumps that the board, or the event, sets for this hand: whatever the record says of it."""
    due = state.due if isinstance(state, SittingState) else None
    return {} if due is None or due.trump is None else {"fixed_trump": str(due.trump)}


def _without_words(comment: Comment) -> Comment:
    """The code of a ruling stays; what somebody wrote beside it may name persons."""
    return replace(comment, text="")
