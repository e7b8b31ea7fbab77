"""One counter (反主) on what was declared and countered before it, without the rest of the auction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.cards.auction import begin, problems
from scoring.cards.auction_state import Act, Auction, Deal, Stage, parted
from scoring.cards.bids import Bid, kind_of, reinforced, strength_of, trump_of
from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile, Reason
from scoring.profiles.clause_files import clauses_beside
from scoring.values import Card, Level, Seat, Trump


@dataclass(frozen=True, slots=True)
class CounterVerdict:
    """Whether the counter may be made; `problems` say why not."""

    problems: tuple[Finding, ...]
    because: tuple[Reason, ...]

    @property
    def allowed(self) -> bool:
        return not self.problems


def declaration(profile: Profile, level: Level, by: Seat, suit: str, *, strong: bool) -> Bid:
    """A declaration taken as a fact; `strong`: of several identical cards."""
    cards = (Card(suit, level.rank),) * (2 if strong else 1)
    return Bid(by, cards, Trump(suit), reinforced(profile, level, cards))


def counters_on(
    profile: Profile, level: Level, declared: Bid | None, acts: Sequence[tuple[str, Act]], found: list[Finding]
) -> tuple[Bid, ...]:
    """The declaration and the counters on it, taken as facts: each act with the field that it was told in.

    What shows cards that counter nothing is left out and noted in `found`.
    """
    bids = [] if declared is None else [declared]
    for field, act in acts:
        bid = _bid(profile, level, act, bids)
        if bid is None:
            found.append(finding("counter_cards", field, profile=profile, topic="counter.what", level=str(level)))
        else:
            bids.append(bid)
    return tuple(bids)


def _bid(profile: Profile, level: Level, act: Act, before: list[Bid]) -> Bid | None:
    """A counter; one by the declarer that restored the suit stands above what it answered."""
    probe = replace(begin(Deal(profile, level, None)), bids=tuple(before))
    core, jokers = parted(probe, act.cards)
    kind, strength = kind_of(profile, level, core), strength_of(profile, level, core)
    if kind is None or strength is None or act.by is None:
        return None
    trump = trump_of(core, kind, act.names)
    if before and strength <= before[-1].strength and before[0].by is act.by:
        strength = before[-1].strength._replace(place=before[-1].strength.place + 1)
    return None if trump is None else Bid(act.by, core, trump, strength, jokers)


def standing(
    deal: Deal,
    bids: tuple[Bid, ...],
    *,
    after_burial: bool | None = None,
    buried_by: Seat | None = None,
    flipped: bool = False,
) -> Auction:
    """The auction in which these bids stand; which window it is follows from the rules where it is not said."""
    profile, first = deal.profile, deal.first_hand
    if after_burial is None:
        after_burial = not (profile.early_counter or first)
    if after_burial and buried_by is None and len(bids) < 2:
        buried_by = deal.dealer
    stage = Stage.EARLY
    if after_burial:
        stage = Stage.LATE if profile.late_counter else Stage.PLAY
        if first and not profile.first_hand_late_counter:
            stage = Stage.PLAY
    return replace(
        begin(deal),
        stage=stage,
        bids=bids,
        trump=bids[-1].trump if bids else None,
        buried=(buried_by,) if after_burial and buried_by is not None else (),
        flipped=(Card("J", "S"),) if flipped else (),
    )


def judge_counter(auction: Auction, act: Act) -> CounterVerdict:
    profile, found = auction.profile, problems(auction, act)
    topics = ("counter.what", "counter.order") if not found else ()
    because = tuple(reason for topic in topics for reason in profile.cite(topic))
    return CounterVerdict(found, because or tuple(cited(profile, found)))


def cited(profile: Profile, found: Sequence[Finding]) -> Iterator[Reason]:
    """The clauses that findings rest on, each once: those of the profile, and of what holds beside any."""
    beside = {clause.id: clause for clause in clauses_beside()}
    for clause in dict.fromkeys(one.clause for one in found if one.clause is not None):
        yield Reason(profile.clauses.get(clause) or beside[clause])
