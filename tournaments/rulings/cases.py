"""What a ruling would say: from an irregularity and the penalty schedule, or from a position of the adjudicator.

Nothing is written here; a ruling without a clause does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring.hands.findings import Refused
from scoring.individual.entries import plays_levels
from scoring.penalties.steps import Step, step_words
from scoring.questions.irregularities import propose_as_stated
from scoring.values import Side
from scoring.wording import MINUS

from ..acts.errors import BAD_REQUEST, Refusal, clean_text, refuse_unless_storable
from ..acts.schedule import clause_texts, offences_by_clause
from ..ledger.judging import SheetRejected, party_name, refusal
from ..models import EntryKind, LedgerEntry, RulingSource
from ..sittings.games import parties_of
from ..sittings.ledgers import Ledger
from .reads import times_before

TOLD_LIMIT = 1000
INFORMATION = "illegal_information"
VERDICT_LIMIT = 600
QUERY_LIMIT = 3000

#: What an irregularity may state beside its code; the rest follows from the table.
STATED = (
    "both",
    "found",
    "minutes",
    "cards",
    "agreed",
    "attackers_total",
    "dealer",
    "ally",
    "channel",
    "on_card",
    "reasoned",
)
#: What stands as evidence of illegal information, in words: who reported it, what was seen, and what the partner could
#: learn from it. The hand is that of the ruling.
EVIDENCE = ("reported", "seen", "used")
EVIDENCE_NEEDED = ("channel", "reported", "seen")


@dataclass(frozen=True, slots=True)
class Judged:
    """A ruling before it is made: the clause, its text, the sentence, and what the schedule proposes."""

    source: RulingSource
    facts: Mapping[str, Any]
    clause: str
    clause_text: Mapping[str, str]
    verdict: Mapping[str, str]
    proposal: Mapping[str, Any] | None


def judge(
    ledger: Ledger,
    facts: Mapping[str, Any],
    side: str,
    hand_no: int | None,
    clause: str,
    verdict: Mapping[str, str] | None,
) -> Judged:
    """The clause, the sentence and the proposal; refused with every finding where the facts cannot be judged."""
    if side and side not in parties_of(ledger.profile):
        raise refusal("unknown_side", status=BAD_REQUEST, field="side")
    if hand_no is not None and (type(hand_no) is not int or not 0 < hand_no <= ledger.sitting.hand_no):
        raise refusal(
            "unknown_hand",
            f"Hand {ledger.sitting.hand_no} is the last one begun here.",
            f"这里最后开始的是第 {ledger.sitting.hand_no} 副。",
            status=BAD_REQUEST,
            field="hand_no",
        )
    if not isinstance(facts, Mapping) or ("case" in facts) == ("irregularity" in facts):
        raise refusal("facts_missing", status=BAD_REQUEST, field="facts")
    unknown = set(facts) - {"told", *(("case",) if "case" in facts else ("irregularity", *STATED, *EVIDENCE))}
    if unknown:
        name = min(str(one) for one in unknown)
        raise refusal(
            "unknown_field",
            f"There is no such fact: {name[:40]}.",
            f"没有这一项事实：{name[:40]}。",
            status=BAD_REQUEST,
            field="facts",
        )
    told = clean_text(facts.get("told", ""), "told", limit=TOLD_LIMIT)
    noted = {"told": told} if told else {}
    if "case" in facts:
        return _judge_case(ledger, facts["case"], noted, clause, verdict)
    return _judge_irregularity(ledger, facts, noted | _evidence(facts), side, hand_no)


def _evidence(facts: Mapping[str, Any]) -> dict[str, str]:
    """The evidence as texts. Illegal information is not ruled on without its way, who reported it and what was seen."""
    told = {name: clean_text(facts.get(name, ""), name, limit=TOLD_LIMIT) for name in EVIDENCE}
    if facts["irregularity"] == INFORMATION:
        for name in EVIDENCE_NEEDED:
            if not (told.get(name) or facts.get(name)):
                raise refusal("evidence_missing", status=BAD_REQUEST, field=name)
    return {name: text for name, text in told.items() if text}


def _judge_case(
    ledger: Ledger, case: object, noted: dict[str, Any], clause: str, verdict: Mapping[str, str] | None
) -> Judged:
    known = clause_texts(ledger.tournament)
    if clause not in known:
        raise refusal(
            "clause_required",
            "A ruling must cite a clause.",
            "判罚要写明依据哪一条。",
            status=BAD_REQUEST,
            field="clause",
        )
    kind, query = (case.get("kind"), case.get("query")) if isinstance(case, Mapping) else (None, None)
    if not isinstance(kind, str) or not kind.isidentifier() or len(kind) > 20 or not isinstance(query, str):
        raise refusal("bad_case", status=BAD_REQUEST, field="facts")
    query = clean_text(query, "facts", limit=QUERY_LIMIT)
    if not isinstance(verdict, Mapping) or set(verdict) != {"en", "zh"}:
        raise refusal("verdict_missing", status=BAD_REQUEST, field="verdict")
    said = {tag: clean_text(verdict[tag], "verdict", limit=VERDICT_LIMIT, required=True) for tag in ("en", "zh")}
    facts = {"case": {"kind": kind, "query": query}, **noted}
    return Judged(RulingSource.CASE, facts, clause, known[clause], said, None)


def _judge_irregularity(
    ledger: Ledger, facts: Mapping[str, Any], noted: dict[str, Any], side: str, hand_no: int | None
) -> Judged:
    refuse_unless_storable(dict(facts), "facts")
    code = facts["irregularity"]
    stated = {name: facts[name] for name in STATED if facts.get(name) not in (None, "")}
    question = {"irregularity": code, **stated}
    question.setdefault("dealer", _dealer(ledger, hand_no))
    if ledger.profile.division == "ally":
        question.setdefault("ally", _ally(ledger, hand_no))
    if side:
        question["by"] = side
    if ledger.stage.minutes:
        question["round_minutes"] = ledger.stage.minutes
    if isinstance(code, str):
        question["earlier"] = times_before(ledger.sitting, ledger.stage, code, side)
    try:
        said = {name: one for name, one in question.items() if one is not None}
        proposed = propose_as_stated(ledger.profile, ledger.stage.penalty_schedule, said)
    except Refused as refused:
        raise SheetRejected(refused.findings) from None
    shown = proposed.to_json()
    proposal = {name: shown[name] for name in ("count", "on", "entry", "sentence", "next_time")}
    # what is taken off the score of a single player is written as every such penalty is
    alone = (shown["entry"] or {}).get("kind") == EntryKind.PENALTY
    proposal |= {"unit": "levels" if alone else proposed.step.unit, "real_result_stands": proposed.real_result_stands}
    proposal |= {"memory": proposed.offence.memory}
    if proposed.ask:
        proposal |= {"ask": [dict(one) for one in proposed.ask]}
    return Judged(
        RulingSource.IRREGULARITY,
        {"irregularity": code, **stated, **noted},
        proposed.case.clause,
        dict(proposed.case.whole_text()),
        dict(proposed.sentence),
        proposal,
    )


def judge_given(ledger: Ledger, party: str, amount: int, clause: str, reason: str) -> tuple[str, Judged]:
    """Whose act a penalty is about that an official gives at the table, and the ruling it makes.

    `amount` is what `party` loses (negative) or gains: of two sides a gain is for an act of the other one. An offence
    of the penalty schedule counts as one; what the schedule itself would propose stands beside it where it can tell.
    """
    offence = offences_by_clause(ledger.tournament).get(clause)
    alone = ledger.match.individual
    guilty = party if amount < 0 else "" if alone else str(Side(party).other)
    facts: dict[str, Any] = {} if offence is None else {"irregularity": offence.code}
    proposal, time = None, 1
    if offence is not None and guilty:
        time += times_before(ledger.sitting, ledger.stage, offence.code, guilty)
        proposal = _proposed_for(ledger, facts, guilty, clause)
    known = clause_texts(ledger.tournament)
    said = known.get(clause) or ledger.tournament.rulings.filter(clause=clause).latest("number").clause_text
    title = {"en": reason, "zh": reason} if offence is None else offence.title
    verdict = _given(ledger, guilty or party, amount, title)
    if time > 1:
        verdict = {"en": f"{verdict['en']} (time {time})", "zh": f"{verdict['zh']}（第 {time} 次）"}
    verdict = {"en": f"{verdict['en']}.", "zh": f"{verdict['zh']}。"}
    return guilty, Judged(RulingSource.OFFICIAL, {**facts, "told": reason}, clause, said, verdict, proposal)


def _proposed_for(ledger: Ledger, facts: dict[str, Any], side: str, clause: str) -> Mapping[str, Any] | None:
    """What the schedule proposes where it speaks of the same case; None where it would have to know more."""
    try:
        judged = _judge_irregularity(ledger, facts, {}, side, None)
    except Refusal:
        return None
    return judged.proposal if judged.clause == clause else None


def _given(ledger: Ledger, party: str, amount: int, title: Mapping[str, str]) -> dict[str, str]:
    """A penalty at the table in words: who, for what, how much."""
    who = party_name(party)
    if not ledger.match.individual:
        words = step_words(Step("levels", Fraction(amount)))
    elif plays_levels(ledger.profile):
        words = {"en": f"levels {amount:+}", "zh": f"{amount:+} 级"}
    else:
        words = {"en": f"points {amount:+}", "zh": f"{amount:+} 分"}
    words = {tag: text.replace("-", MINUS) for tag, text in words.items()}
    return {
        "en": f"{who['en']}: {title['en']}: {words['en']}",
        "zh": f"{who['zh'].strip()}：{title['zh']}：{words['zh']}",
    }


def _dealer(ledger: Ledger, hand_no: int | None) -> str | None:
    """Who dealt the hand: as recorded, or as due for the hand in play."""
    row = hand_at(ledger, hand_no)
    if row is not None:
        dealer = row.facts.get("dealer")
        return dealer if isinstance(dealer, str) else None
    due = ledger.fold().position.next_dealer
    return None if due is None else str(due)


def _ally(ledger: Ledger, hand_no: int | None) -> str | None:
    """Who played with the dealer, as recorded."""
    row = hand_at(ledger, hand_no)
    ally = None if row is None else row.facts.get("ally")
    return ally if isinstance(ally, str) else None


def hand_at(ledger: Ledger, hand_no: int | None) -> LedgerEntry | None:
    """The hand of that number as it counts."""
    return next((row for row in ledger.effective if hand_no is not None and row.hand_no == hand_no), None)
