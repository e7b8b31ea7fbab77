"""Irregularities at the table (违规): what the event's penalty schedule says of one, as a ruling to propose.

A proposal is never applied by itself: it names the clause, says the penalty in a sentence, and carries the entry that
an official may make of it, for the ledger, for the sheet of the hand, or for the standings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from scoring import wording
from scoring.hands.findings import Finding, Refused, finding
from scoring.hands.outcomes import level_result
from scoring.hands.reading import Reader
from scoring.hands.sheets import CARDS
from scoring.hands.totals import dark_bid_fine, throw_penalty
from scoring.individual.entries import places
from scoring.penalties import Case, Offence, Schedule, Step, load, usual_schedule
from scoring.penalties.steps import nth_time, step_words
from scoring.profiles import Profile, Reason
from scoring.questions.asking import Answer, reasons, total_of
from scoring.questions.single_irregularities import entry_for, real_is_better
from scoring.signals.information import CHANNELS, judge_information, questions_on
from scoring.values import Place, Role, Seat, Side, Text, exact

FOUND = ("drawing", "at_once", "later")
On = Literal["nothing", "sheet", "ledger", "standings"]

MINUTES = {"en": "minutes", "zh": "分钟数"}
TIMES = {"en": "how many times", "zh": "次数"}
_MOST_MINUTES = 600
_MOST_TIMES = 100


@dataclass(frozen=True, slots=True)
class Facts:
    """What the official found. None is what nobody knows or what does not matter.

    `by` is the guilty side (None with `both`), `dealer` who dealt the hand, `found` when it came to light, `minutes`
    how late, `round_minutes` how long the round is, `cards` of a throw, `agreed`: the opponents agreed to a
    correction, `attackers_total` the real total of the hand, `earlier` how often that side did it before (where the
    offence counts). Of illegal information `channel` is the way, `on_card` whether a card or an order of cards is on
    the open signal card, `reasoned` whether a reason was found for a play.
    Of single players `by` and `dealer` are places, and `ally` is who plays with the dealer (the dealer: nobody).
    """

    by: Side | Place | None
    dealer: Seat | Place | None = None
    ally: Place | None = None
    both: bool = False
    found: str | None = None
    minutes: int | None = None
    round_minutes: int | None = None
    cards: int | None = None
    agreed: bool = False
    attackers_total: int | None = None
    earlier: int = 0
    channel: str | None = None
    on_card: bool | None = None
    reasoned: bool | None = None

    @property
    def role(self) -> Role | None:
        """The role of the guilty side; None when the dealer is not known."""
        if self.by is None or self.dealer is None:
            return None
        if isinstance(self.dealer, Place):
            return Role.DEALER if self.by in (self.dealer, self.ally) else Role.ATTACKERS
        return Role.DEALER if self.by is self.dealer.side else Role.ATTACKERS


@dataclass(frozen=True, slots=True)
class Proposal:
    """A ruling to propose: `entry` belongs `on` the ledger, the sheet (an adjustment) or the standings.

    `count` is which time it is, `next_time` what the schedule says of the following one. `real_result_stands`: the
    real result is better for the innocent side, so nothing replaces it. `ask` is what a referee asks first.
    """

    offence: Offence
    case: Case
    step: Step
    count: int
    on: On
    entry: Mapping[str, Any] | None
    sentence: Text
    next_time: Text
    real_result_stands: bool = False
    because: tuple[Reason, ...] = ()
    ask: tuple[Text, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "irregularity": self.offence.code,
            "penalty": self.step.to_json(),
            "count": self.count,
            "on": self.on,
            "entry": None if self.entry is None else dict(self.entry),
            "sentence": dict(self.sentence),
            "next_time": dict(self.next_time),
            "real_result_stands": self.real_result_stands,
        }


def propose(profile: Profile, schedule: Schedule, irregularity: str, facts: Facts) -> Proposal:
    """The ruling of the schedule on one of its irregularities; Refused when a fact that decides is missing."""
    if schedule.individual is not (profile.division != "sides"):
        raise Refused([finding("schedule_not_here", "schedule", title=schedule.title)])
    offence = schedule.offences[irregularity]
    told, ask = _information(facts) if any("channel" in case.when for case in offence.cases) else ((), ())
    case = _case(profile, offence, facts)
    count = facts.earlier + 1
    step = case.step_for(count)
    missing = tuple(_missing(profile, step, facts))
    if missing:
        raise Refused(missing)
    stands = case.or_real_result and _real_is_better(profile, step, facts)
    on, entry, because = ("nothing", None, ()) if stands else _entry(profile, offence, case, step, facts)
    return Proposal(
        offence,
        case,
        step,
        count,
        on,
        entry,
        _sentence(profile, case.name or offence.title, step, facts, count, entry, stands=stands),
        _next_time(profile, case, count),
        stands,
        told + because,
        ask,
    )


def _next_time(profile: Profile, case: Case, count: int) -> Text:
    """What the same would cost once more."""
    return step_words(case.step_for(count + 1), profile.division)


def _information(facts: Facts) -> tuple[tuple[Reason, ...], tuple[Text, ...]]:
    """Why the way in which the partner was told something is illegal, and what a referee asks before he rules on it.

    Refused where it is legal, or not judged yet.
    """
    if facts.channel is None:
        return (), ()
    judged = judge_information(facts.channel, on_card=facts.on_card, reason=facts.reasoned)
    if judged.legal is None:
        raise Refused([finding("missing", "reasoned" if facts.channel == "unreasoned_play" else "on_card")])
    if judged.legal:
        raise Refused([replace(finding("information_is_legal", "channel"), clause=judged.because[0].clause.id)])
    return judged.because, questions_on(facts.channel)


def _case(profile: Profile, offence: Offence, facts: Facts) -> Case:
    """The first case whose conditions hold; Refused when a fact that decides between cases is missing."""
    for case in offence.cases:
        missing: list[Finding] = []
        if case.when.get("division", profile.division) != profile.division:
            continue
        fits = all(_holds(name, value, facts, missing) for name, value in case.when.items())
        if missing and fits:
            raise Refused(missing)
        if fits:
            return case
    raise Refused([finding("irregularity_unclear", "irregularity", what=offence.title)])


def _holds(name: str, value: Any, facts: Facts, missing: list[Finding]) -> bool:
    """Whether one condition holds. What is not known is taken to hold and noted, for then it decides."""
    if name == "division":
        return True
    if name == "both":
        return facts.both is value
    if name == "agreed":
        return facts.agreed is value
    if name == "channel":
        return facts.channel in value
    if name == "found":
        if facts.found is None:
            missing.append(finding("missing", "found"))
        return facts.found in (None, value)
    if name == "role":
        if facts.role is None:
            missing.append(finding("missing", "by" if facts.by is None else "dealer"))
        return facts.role in (None, Role(value))
    if facts.minutes is None:
        missing.append(finding("missing", "minutes"))
        return True
    return _is_so_late(value, facts.minutes, facts.round_minutes)


def _is_so_late(limits: Mapping[str, int], minutes: int, round_minutes: int | None) -> bool:
    if "over" in limits:
        return minutes > limits["over"]
    part = limits.get("or_part_of_round")
    share = Fraction(round_minutes, part) if part and round_minutes is not None else Fraction(limits["from"])
    return minutes >= min(Fraction(limits["from"]), share)


def _missing(profile: Profile, step: Step, facts: Facts) -> list[Finding]:
    """Facts without which the penalty cannot be worked out."""
    if step.single:
        sides = profile.division != "everyone" and step.unit in ("points", "result")
        lacking = {
            "by": facts.by is None and step.unit not in ("none", "warning", "annul"),
            "dealer": facts.dealer is None and sides,
            "ally": facts.ally is None and sides and profile.division == "ally",
            "cards": facts.cards is None and step.of == "throw",
        }
        return [finding("missing", name) for name, lacks in lacking.items() if lacks]
    against_one = step.unit not in ("none", "warning", "annul", "match_points")
    split = step.innocent is not None and not facts.both
    needed = {
        "by": facts.by is None and (against_one or split),
        "dealer": facts.dealer is None and step.unit in ("points", "result", "profile_fine"),
        "cards": facts.cards is None and step.of == "throw",
        "minutes": facts.minutes is None and step.each is not None,
    }
    return [finding("missing", name) for name, lacks in needed.items() if lacks]


def _real_is_better(profile: Profile, step: Step, facts: Facts) -> bool:
    """Whether the hand as played gives the innocent side more than the ruling would; never when it is not known."""
    if step.unit != "result" or facts.attackers_total is None or facts.role is None:
        return False
    if step.single:
        return real_is_better(profile, facts.role, int(step.amount), facts.attackers_total)
    result = level_result(profile, profile.table.settle(facts.attackers_total))
    # taking the deal counts as one level, so results of both roles lie on one scale
    worth = result.levels + 1 if result.winner_role is Role.ATTACKERS else -result.levels
    if facts.role is Role.DEALER:
        return worth > int(step.amount) + 1
    return worth < -int(step.amount)


def _entry(
    profile: Profile, offence: Offence, case: Case, step: Step, facts: Facts
) -> tuple[On, Mapping[str, Any] | None, tuple[Reason, ...]]:
    """What an official would enter, and on what."""
    by, why = facts.by, dict(offence.title)
    if step.unit in ("none", "warning"):
        return "nothing", None, ()
    if step.unit == "annul":
        dealer = {} if facts.dealer is None else {"dealer": facts.dealer.value}
        return "ledger", {"kind": "annulled", "reason": step.of, **dealer, "why": why}, profile.cite("redeal")
    if step.single:
        return _of_player(profile, case, step, facts, why)
    assert not isinstance(by, Place)
    if step.unit == "match_points":
        sides = [side.value for side in Side] if facts.both or by is None else [by.value]
        entry: dict[str, Any] = {"sides": sides, "match_points": exact(step.amount), "mode": step.of, "why": why}
        if step.innocent is not None and by is not None and not facts.both:
            entry["scores"] = {by.value: exact(step.amount), by.other.value: exact(step.innocent)}
        return "standings", entry, ()
    assert by is not None
    if step.unit == "exclusion":
        return "standings", {"sides": [by.value], "excluded": True, "why": why}, ()
    if step.unit == "forfeit":
        return "ledger", {"kind": "end", "reason": "forfeit", "by": by.value, "why": why}, profile.cite("forfeit")
    if step.unit == "levels":
        side = by if step.of == "guilty" else by.other
        levels = int(step.amount) * _periods(step, facts)
        entry = {"kind": "level_penalty", "side": side.value, "levels": levels, "why": why}
        return "ledger", entry, profile.cite("level_penalty", levels)
    if step.unit == "result":
        return "ledger", _adjusted(step, facts, by, why), profile.cite("adjusted", int(step.amount))
    return _points(profile, case, step, facts, why)


def _of_player(
    profile: Profile, case: Case, step: Step, facts: Facts, why: Text
) -> tuple[On, Mapping[str, Any] | None, tuple[Reason, ...]]:
    assert isinstance(facts.by, Place)
    dealer = facts.dealer if isinstance(facts.dealer, Place) else None
    return entry_for(profile, case, step, facts.by, why=why, dealer=dealer, ally=facts.ally, cards=facts.cards)


def _periods(step: Step, facts: Facts) -> int:
    """How many periods have begun, for a penalty that counts them; else 1."""
    if step.each is None or facts.minutes is None:
        return 1
    return max(1, -(-(facts.minutes - step.each["after"]) // step.each["minutes"]))


def _adjusted(step: Step, facts: Facts, by: Side, why: Text) -> dict[str, Any]:
    """The result in place of the hand: the innocent side has the deal and its levels."""
    assert facts.dealer is not None
    return {
        "kind": "adjusted",
        "dealer": facts.dealer.value,
        "side": by.other.value,
        "levels": int(step.amount),
        "deal_changes_hands": facts.role is Role.DEALER,
        "why": dict(why),
    }


def _points(
    profile: Profile, case: Case, step: Step, facts: Facts, why: Text
) -> tuple[On, Mapping[str, Any] | None, tuple[Reason, ...]]:
    """Points of the hand, signed for the attackers: what the sheet has a field for, or an adjustment of its total."""
    role = facts.role
    assert role is not None
    if step.of == "throw":
        assert facts.cards is not None
        delta = throw_penalty(profile, role, facts.cards)
        because = profile.cite("throw_fine", delta)
        return "sheet", {"throw_failures": [{"side": role.value, "cards": facts.cards}]}, because
    if step.of == "dark_bid":
        delta = dark_bid_fine(profile, role, 1)
        if not delta:
            return "nothing", None, ()
        return "sheet", {"dark_bids": [{"side": role.value, "times": 1}]}, profile.cite("dark_bid", delta)
    delta = int(step.amount) if role is Role.DEALER else -int(step.amount)
    row = {"points": delta, "why": dict(why), "clause": case.clause}
    return "sheet", {"adjustments": [row]}, profile.cite("adjustment", delta)


def _sentence(
    profile: Profile,
    title: Text,
    step: Step,
    facts: Facts,
    count: int,
    entry: Mapping[str, Any] | None,
    *,
    stands: bool,
) -> Text:
    """Who did what for which time, and what it costs: for a referee to read out."""
    both = {"en": "Several players", "zh": "数家"} if step.single else {"en": "Both sides", "zh": "双方"}
    who = both if facts.both or facts.by is None else _name(facts.by)
    words = step_words(step, profile.division)
    if step.each is not None and entry is not None:
        levels = entry["levels"]
        words = {
            "en": f"{levels} level{'' if levels == 1 else 's'} up for the opponents",
            "zh": f"对方升 {levels} 级",
        }
    if stands:
        words = {
            "en": "the real result is better for the opponents and stands",
            "zh": "实际结果对对方更有利，按实际结果",
        }
    time = {"en": f", {nth_time(count)['en']}" if count > 1 else "", "zh": f"（第 {count} 次）" if count > 1 else ""}
    return {
        "en": f"{who['en']}: {title['en']}{time['en']}: {words['en']}.",
        "zh": f"{who['zh']}{title['zh']}{time['zh']}：{words['zh']}。",
    }


def _name(by: Side | Place) -> Text:
    if isinstance(by, Side):
        return wording.SIDES[by]
    name = wording.PLACES[by]
    return {"en": name["en"].capitalize(), "zh": name["zh"]}


def ask_irregularity(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """The batch protocol's door: an irregularity and its facts -> the ruling to propose."""
    schedule = load(data.get("schedule") or usual_schedule(individual=profile.division != "sides"))
    proposal = propose_as_stated(profile, schedule, {name: one for name, one in data.items() if name != "schedule"})
    case = proposal.case
    clause = {
        "clause": case.clause,
        "text": dict(case.whole_text()),
        "source": dict(case.source),
        "stated": case.stated,
    }
    told: Answer = {"ask": [dict(one) for one in proposal.ask]} if proposal.ask else {}
    told |= {"schedule": schedule.spec, "because": [clause, *reasons(proposal.because)]}
    return {**proposal.to_json(), **told}


def propose_as_stated(profile: Profile, schedule: Schedule, data: Mapping[str, Any]) -> Proposal:
    """The ruling of the schedule on facts as an official or a program stated them; Refused with all that is wrong."""
    reader = Reader(data)
    name = reader.word("irregularity", list(schedule.offences), required=True)
    earlier = reader.whole("earlier", TIMES, low=0, high=_MOST_TIMES)
    single = profile.division != "sides"
    table = [place.value for place in places(profile)] if single else []
    facts = Facts(
        by=_place(reader, "by", table) if single else reader.choice("by", Side),
        dealer=_place(reader, "dealer", table) if single else reader.choice("dealer", Seat),
        ally=_place(reader, "ally", table) if profile.division == "ally" else None,
        both=reader.flag("both") is True,
        found=reader.word("found", FOUND),
        minutes=reader.whole("minutes", MINUTES, low=0, high=_MOST_MINUTES),
        round_minutes=reader.whole("round_minutes", MINUTES, low=1, high=_MOST_MINUTES),
        cards=reader.whole("cards", CARDS, low=2, high=profile.hand_cards),
        agreed=reader.flag("agreed") is True,
        attackers_total=total_of(reader, profile, required=False),
        earlier=earlier or 0,
        channel=reader.word("channel", CHANNELS),
        on_card=reader.flag("on_card"),
        reasoned=reader.flag("reasoned"),
    )
    reader.done()
    reader.refuse_if_any()
    assert name is not None
    return propose(profile, schedule, name, facts)


def _place(reader: Reader, name: str, table: list[str]) -> Place | None:
    word = reader.word(name, table)
    return None if word is None else Place(word)
