"""Judging a recorded hand of single players again: who deals and why, every play, who was whose friend, the result.

The cards are judged as those of two sides are (`scoring.cards`); here is what differs: bids, a contest with levels of
one's own, the friend who is called, and to whom points count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, cast

from scoring.cards.burying import bury_count
from scoring.cards.deck import points_of
from scoring.cards.order import order_of
from scoring.cards.records import ActRecord, HandRecord, problem
from scoring.cards.replay_notes import Hands, Notes, seen_cards
from scoring.cards.replay_opening import check_all_cards, check_deal, check_players, check_shown, hands_of
from scoring.cards.replay_tricks import TrickReplay, judge_tricks
from scoring.hands.findings import Finding, Refused, finding
from scoring.hands.totals import Total
from scoring.individual.allies import Ally, find_ally
from scoring.individual.contests import CONTEST_ACTS, Bid, ContestAct, bid_down, contest
from scoring.individual.entries import Call, IndividualHand, PlaceThrow, places, plays_levels
from scoring.individual.fold import UNTIMED, start, step
from scoring.individual.states import IndividualEntryResult, IndividualOpening
from scoring.profiles import Profile
from scoring.values import Card, Level, Place, Player, Points, Role, Text, Trump
from scoring.wording import PLAYERS


@dataclass(frozen=True, slots=True)
class SingleReplay:
    """What a record of single players comes to.

    `hand` is what the table would have written down, as far as the cards tell it; `result` is there when they tell
    all of it. `ally` is None while nobody knows, the dealer where he is alone. `redeal`: nobody bid or declared.
    `hands` are those that play began with and `buried` what lay in the kitty then, as of two sides.
    """

    profile: Profile
    dealer: Place | None
    level: Level | None
    trump: Trump | None
    tricks: tuple[TrickReplay, ...]
    hand: IndividualHand
    complete: bool
    redeal: bool = False
    ally: Place | None = None
    found_in: int | None = None
    result: IndividualEntryResult | None = None
    findings: tuple[Finding, ...] = ()
    unknown: tuple[Text, ...] = ()
    hands: Hands = field(default_factory=dict)
    buried: tuple[Card, ...] | None = None

    @property
    def sheet(self) -> IndividualHand:
        """The hand under the name that a record of two sides has for it."""
        return self.hand

    @property
    def total(self) -> Total | None:
        """What the attackers came to; None where nobody plays together, or the cards do not tell it."""
        return None if self.result is None else self.result.total

    def role_of(self, player: Player | None) -> Role | None:
        """What a player was in this hand; None where nobody plays together, or it is not known who does."""
        division = self.profile.division
        if player is None or self.dealer is None or division == "everyone":
            return None
        if division == "ally" and self.ally is None:
            return None
        return self.hand.role(cast(Place, player), self.dealer)

    def to_json(self) -> dict[str, Any]:
        result, bid = self.result, self.hand.lowest_bid
        return {
            "dealer": _text(self.dealer),
            "level": None if self.level is None else str(self.level),
            "trump": _text(self.trump),
            "bid": None if bid is None else int(bid),
            "ally": _text(self.ally),
            "found_in": self.found_in,
            "tricks": [trick.to_json() for trick in self.tricks],
            "complete": self.complete,
            "redeal": self.redeal,
            "sheet": self.hand.to_json(),
            "attackers_total": None if result is None or result.total is None else result.total.raw,
            "winner_role": None if result is None else _text(result.winner_role),
            "gains": None if result is None else {str(place): gain for place, gain in result.gains.items()},
            "findings": [one.to_json() for one in self.findings],
            "unknown": [dict(text) for text in self.unknown],
        }


def _text(word: Place | Trump | Role | None) -> str | None:
    return None if word is None else word.value


@dataclass(slots=True)
class _Opened:
    """How far the hand is when play begins."""

    dealer: Place | None = None
    level: Level | None = None
    trump: Trump | None = None
    bid: Points | None = None
    call: Call | None = None
    redeal: bool = False


def replay_single(profile: Profile, record: HandRecord) -> SingleReplay:
    """Judge a record by the rules of single players. Refused where no order of cards can be known: `level_not_here`."""
    notes = Notes(profile, record)
    check_players(notes)
    levels = _levels(notes)
    check_deal(notes, None)
    check_shown(notes)
    opened = _open(notes, levels)
    dealer = opened.dealer
    level = opened.level if plays_levels(profile) else None
    hand = IndividualHand(dealer=dealer, level=level, trump=opened.trump, bid=opened.bid)
    if opened.redeal or opened.trump is None:
        if record.tricks:
            notes.add("trump_missing", record.place, "The trump suit is not recorded.", "没有记录主花色。", "declare")
        return _done(notes, opened, (), hand)
    order = order_of(profile, opened.trump, opened.level)
    hands, buried = hands_of(notes, dealer, opened.level)
    check_all_cards(notes)
    tricks = judge_tricks(notes, order, hands, dealer)
    complete = _is_complete(profile, tricks)
    ally = _ally(notes, opened, tricks, buried or (), complete=complete)
    hand = replace(hand, ally=None if ally is None else ally.place, call=opened.call)
    hand = replace(hand, throw_failures=tuple(_failures(tricks)))
    kitty = None if buried is None else points_of(profile, buried)
    if complete and profile.division == "everyone":
        hand = _everyone(profile, hand, tricks, kitty)
    elif complete and dealer is not None and (ally is not None or profile.division != "ally"):
        hand = _sides(profile, hand, dealer, tricks, kitty)
    else:
        complete = False
    done = _done(notes, opened, tricks, hand, ally=ally, levels=levels, kitty=kitty, complete=complete)
    return replace(done, hands=hands, buried=buried)


# --- before play ---


def _levels(notes: Notes) -> Mapping[Place, Level]:
    """The level of each place; all at the level of the hand, else at the first one, where they are not recorded."""
    profile, tags = notes.profile, notes.record.tags
    said = tags.get("level")
    if not profile.ladder:
        if said is not None or "levels" in tags:
            raise Refused([_problem(notes, finding("no_levels", "level", profile=profile, topic="ladder"))])
        return {}
    table, usual = places(profile), said or str(profile.ladder.first)
    ranks = tags["levels"].split() if "levels" in tags else [usual] * len(table)
    ladder = [str(level) for level in profile.ladder]
    wrong = next((rank for rank in [usual, *ranks] if rank not in ladder), None)
    if wrong is not None or len(ranks) != len(table):
        en = f"{(wrong or tags['levels'])[:20]}: these are no levels of all places here."
        zh = f"{(wrong or tags['levels'])[:20]} 不是本桌各家的级别。"
        raise Refused([notes.problem("level_not_here", notes.record.place, en, zh, "ladder")])
    return {place: Level(rank) for place, rank in zip(table, ranks, strict=True)}


def _problem(notes: Notes, found: Finding) -> Finding:
    return problem(found.code, notes.record.place, found.message["en"], found.message["zh"], clause=found.clause)


def _open(notes: Notes, levels: Mapping[Place, Level]) -> _Opened:
    """The acts before play, and what tags say of which no act tells."""
    opened = _bid(notes) if notes.profile.bidding is not None else _contest(notes, levels)
    tags, stated = notes.record.tags, notes.record.result.get("bid")
    if notes.profile.bidding is not None and opened.bid is None and isinstance(stated, int):
        opened.bid = Points(stated)
    said = Place(tags["dealer"]) if "dealer" in tags else None
    if said is not None and opened.dealer not in (None, said):
        en = f"By the acts {opened.dealer} deals, not {said}."
        notes.add(
            "dealer_differs", notes.record.place, en, f"按叫牌应由 {opened.dealer} 坐庄，不是 {said}。", "division"
        )
    opened.dealer = opened.dealer or said
    if notes.profile.division == "ally" and opened.dealer is not None:
        opened.level = levels[opened.dealer]
        if tags.get("level", str(opened.level)) != str(opened.level):
            en = f"The dealer plays {opened.level}, not {tags['level']}."
            notes.add(
                "level_differs", notes.record.place, en, f"庄家打 {opened.level}，不是 {tags['level']}。", "ladder"
            )
    elif notes.profile.division == "everyone":
        opened.level = notes.profile.ladder.first
    for act in notes.record.acts:
        _prepare(notes, opened, act)
    trump = Trump(tags["trump"]) if "trump" in tags else None
    if trump is not None and opened.trump not in (None, trump):
        en = f"By the acts the trumps are {opened.trump}, not {trump}."
        zh = f"按叫牌，主是 {opened.trump}，不是 {trump}。"
        notes.add("trump_differs", notes.record.place, en, zh, "declare")
    opened.trump = opened.trump or trump
    if opened.trump is Trump.NT and not notes.profile.no_trump_allowed:
        notes.add(
            "no_trump_not_here", notes.record.place, "These rules have no no-trump.", "本规则不打无主。", "no_trump"
        )
    return opened


def _bid(notes: Notes) -> _Opened:
    """The bidding: who begins it is not asked, for a lot or the turn decides that."""
    acts = [act for act in notes.record.acts if act.act in ("bid", "pass") and act.by is not None]
    if not acts:
        return _Opened()
    assert acts[0].by is not None
    bids = [Bid(act.by, act.number if act.act == "bid" else None) for act in acts if act.by is not None]
    state = bid_down(notes.profile, acts[0].by, bids)
    for number, found in state.problems:
        notes.pass_on(found, acts[number - 1].place)
    if state.turn is not None and notes.record.tricks:
        en, zh = f"{state.turn} has still to bid or to pass.", f"{state.turn} 号还没有叫分或表示不叫。"
        notes.add("bidding_open", notes.record.place, en, zh, "bid")
    bid = Points(state.standing) if state.dealer is not None and state.standing is not None else None
    return _Opened(dealer=cast("Place | None", state.dealer), bid=bid, redeal=state.redeal)


def _contest(notes: Notes, levels: Mapping[Place, Level]) -> _Opened:
    """The contest for the deal, in every hand; a card that nobody saw leaves its act out."""
    acts = [act for act in notes.record.acts if act.act in CONTEST_ACTS and act.by is not None]
    known = [(act, seen_cards(act.cards)) for act in acts]
    told = [(act, cards) for act, cards in known if cards is not None]
    made = [ContestAct(act.act, cast(Place, act.by), cards) for act, cards in told]
    spoken = {act.by for act in acts} == set(notes.profile.seats)
    state = contest(notes.profile, levels, made, complete=spoken and not notes.record.tricks)
    for number, found in state.problems:
        notes.pass_on(found, told[number - 1][0].place)
    return _Opened(dealer=state.dealer, trump=state.trump, redeal=state.redeal)


def _prepare(notes: Notes, opened: _Opened, act: ActRecord) -> None:
    """What the dealer does before play: take the kitty, bury, name the trumps, call a friend."""
    profile = notes.profile
    usual = ("bid", "pass") if profile.bidding is not None else CONTEST_ACTS
    named = ("name",) if profile.bidding is not None else ()
    called = ("call",) if profile.division == "ally" else ()
    if act.act in usual:
        return
    if act.act not in ("take_kitty", "bury", *named, *called):
        en, zh = f"There is no {act.act} in this game.", f"本玩法没有 {act.act}。"
        notes.add("act_not_here", act.place, en, zh, "division")
        return
    if opened.dealer is not None and act.by is not opened.dealer:
        who = PLAYERS[opened.dealer]
        notes.add(
            "not_the_dealer", act.place, f"{who['en']} deals and does this.", f"应由庄家{who['zh']}来做。", "division"
        )
    found = bury_count(profile, act.cards) if act.act == "bury" else None
    if found is not None:
        notes.pass_on(found, act.place)
    elif act.act == "name":
        opened.trump = act.names
    elif act.act == "call":
        _call(notes, opened, act)


def _call(notes: Notes, opened: _Opened, act: ActRecord) -> None:
    cards, number = seen_cards(act.cards), act.number or 1
    if cards is None or len(cards) != 1 or number > notes.profile.decks:
        en = f"A call names one card and a number up to {notes.profile.decks}."
        notes.add("call_unclear", act.place, en, f"叫朋友须指定一张牌与第几张，至多 {notes.profile.decks}。", "ally")
        return
    opened.call = Call(*cards, number)


# --- the result ---


def _is_complete(profile: Profile, tricks: Sequence[TrickReplay]) -> bool:
    laid: Counter[Place] = Counter()
    for trick in tricks:
        for play in trick.plays:
            laid[cast(Place, play.seat)] += len(play.laid)
    whole = all(laid[place] == profile.hand_cards for place in places(profile))
    return whole and all(trick.verdict is not None for trick in tricks)


def _ally(
    notes: Notes, opened: _Opened, tricks: Sequence[TrickReplay], buried: Sequence[Card], *, complete: bool
) -> Ally | None:
    """Whom the call found; None where that cannot be known."""
    profile, dealer = notes.profile, opened.dealer
    if profile.division != "ally" or dealer is None:
        return None
    if opened.call is None:
        said = notes.record.result.get("ally")
        if said is None and tricks:
            notes.unknown.append({"en": "The call is not recorded.", "zh": "没有记录叫了哪张牌。"})
        return None if said is None else Ally(Place(str(said)), None, said == dealer, ())
    plays = []
    for trick in tricks:
        seen = [(cast(Place, play.seat), seen_cards(play.laid)) for play in trick.plays]
        if any(cards is None for _, cards in seen):
            break
        plays.append([(place, cards) for place, cards in seen if cards is not None])
    found = find_ally(profile, dealer, opened.call, plays, buried=buried, complete=complete)
    return None if found.place is None else found


def _failures(tricks: Iterable[TrickReplay]) -> Iterable[PlaceThrow]:
    for trick in tricks:
        first = next(iter(trick.plays), None)
        if trick.throw is not None and first is not None and first.forced is not None:
            yield PlaceThrow(cast(Place, first.seat), len(first.cards))


def _everyone(
    profile: Profile, hand: IndividualHand, tricks: Sequence[TrickReplay], kitty: Points | None
) -> IndividualHand:
    points = dict.fromkeys(places(profile), 0)
    for trick in tricks:
        points[cast(Place, trick.winner)] += trick.points or 0
    return replace(
        hand,
        points={place: Points(taken) for place, taken in points.items()},
        last_trick_place=cast(Place, tricks[-1].winner),
        kitty_points=kitty,
    )


def _sides(
    profile: Profile, hand: IndividualHand, dealer: Place, tricks: Sequence[TrickReplay], kitty: Points | None
) -> IndividualHand:
    """What the attackers took together, and who won the last trick with what."""
    last = tricks[-1]
    winner = hand.role(cast(Place, last.winner), dealer)
    against = [trick for trick in tricks if hand.role(cast(Place, trick.winner), dealer) is Role.ATTACKERS]
    assert hand.trump is not None
    verdict = last.verdict
    assert verdict is not None
    first, *_ = verdict.plays
    dug = winner is Role.ATTACKERS
    category: Literal["trump", "side"] | None = None
    if dug and profile.dig_trump_only:
        won = next(play.cards for play in verdict.plays if play.seat is last.winner)
        in_trumps = order_of(profile, hand.trump, hand.level).only_category(won)
        category = "trump" if in_trumps is not None and in_trumps.is_trumps else "side"
    return replace(
        hand,
        captured_in_tricks=Points(sum(trick.points or 0 for trick in against)),
        last_trick_winner=winner,
        led=first.led if dug else (),
        kitty_points=kitty if dug else None,
        winning_category=category,
    )


def _done(
    notes: Notes,
    opened: _Opened,
    tricks: tuple[TrickReplay, ...],
    hand: IndividualHand,
    *,
    ally: Ally | None = None,
    levels: Mapping[Place, Level] = MappingProxyType({}),
    kitty: Points | None = None,
    complete: bool = False,
) -> SingleReplay:
    profile, result = notes.profile, None
    needs_kitty = profile.division == "everyone" or hand.last_trick_winner is Role.ATTACKERS
    if tricks and not complete:
        en, zh = "Cannot be added up: not everything was recorded.", "记录不全，无法算出总分。"
        notes.unknown.append({"en": en, "zh": zh})
    elif complete and needs_kitty and kitty is None:
        complete = False
        en, zh = "Cannot be added up without the buried cards.", "没有扣下的底牌，无法算出总分。"
        notes.unknown.append({"en": en, "zh": zh})
    elif complete and profile.division == "alone" and opened.bid is None:
        complete = False
        notes.unknown.append({"en": "The bid is not recorded.", "zh": "没有记录叫分。"})
    if complete:
        _, result = step(profile, UNTIMED, start(profile, IndividualOpening(levels)), hand, reasons=True)
        _compare(notes, hand, result, kitty)
    return SingleReplay(
        profile=profile,
        dealer=opened.dealer,
        level=opened.level,
        trump=opened.trump,
        tricks=tricks,
        hand=hand,
        complete=complete,
        redeal=opened.redeal,
        ally=None if ally is None else ally.place,
        found_in=None if ally is None else ally.found_in,
        result=result,
        findings=tuple(sorted(notes.findings, key=lambda one: (one.params["line"], one.params["column"]))),
        unknown=tuple(notes.unknown),
    )


def _compare(notes: Notes, hand: IndividualHand, result: IndividualEntryResult, kitty: Points | None) -> None:
    """The result line of the record against what the cards come to."""
    total = result.total
    last = hand.last_trick_winner or hand.last_trick_place
    bid = hand.lowest_bid
    came: dict[str, object] = {
        "kitty": None if kitty is None else int(kitty),
        "bid": None if bid is None else int(bid),
        "ally": _text(hand.ally),
        "last": None if last is None else last.value,
        "winner": _text(result.winner_role),
        **{f"taken_{place}": int(points) for place, points in hand.points.items()},
    }
    if total is not None:
        came |= {"captured": total.captured, "factor": total.multiplier, "fines": total.fines, "total": total.raw}
        came["levels"] = result.levels_won if notes.profile.division == "ally" else None
    for name, stated in notes.record.result.items():
        true = came.get(name)
        if true is None or true == stated:
            continue
        en, zh = f"{name} is stated as {stated}, the cards give {true}.", f"{name} 记为 {stated}，按牌应为 {true}。"
        notes.add("result_differs", notes.record.place, en, zh, "total")
