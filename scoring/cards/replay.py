"""Judging a whole hand again from its record: auction, burial, every play, every throw, every trick, and the result.

What the record does not tell is not guessed: it narrows what can be judged, and `Replay.unknown` says so. A player's
hand is known when it was dealt on record (and what was taken and buried too), or when all its plays are on record.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from scoring import wording
from scoring.cards.auction import begin, play_out
from scoring.cards.auction_state import Act, Auction, Deal, Stage, around
from scoring.cards.bids import RED_FIVE
from scoring.cards.deck import points_of, unseen
from scoring.cards.following import judge_follow
from scoring.cards.order import Order, order_of
from scoring.cards.parsing import FIVE_TEN_KING, Lead, largest_reading, read_lead
from scoring.cards.records import ActRecord, HandRecord, Place, Play, Seen, TrickRecord, cards_text, problem
from scoring.cards.throwing import ThrowVerdict, judge_throw
from scoring.cards.tricks import TrickVerdict, claim, judge_trick
from scoring.entries import HandSheet, Special, ThrowFailure
from scoring.findings import Finding, Refused
from scoring.outcomes import LevelResult, level_result, next_dealer
from scoring.profiles import Profile, ProfileError, build
from scoring.totals import Total, attackers_total
from scoring.values import FLAG, LEVELS, Card, Level, Points, Role, Seat, Shape, Side, Text, Trump


@dataclass(frozen=True, slots=True)
class TrickReplay:
    """One trick judged again: who won it and what it was worth, None where a card was not seen."""

    number: int
    plays: tuple[Play, ...]
    verdict: TrickVerdict | None
    throw: ThrowVerdict | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def winner(self) -> Seat | None:
        return None if self.verdict is None else self.verdict.winner

    @property
    def points(self) -> int | None:
        return None if self.verdict is None else int(self.verdict.points)

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "winner": None if self.winner is None else self.winner.value,
            "points": self.points,
            "findings": [one.to_json() for one in self.findings],
        }


@dataclass(frozen=True, slots=True)
class Replay:
    """What a record comes to.

    `sheet` is what the table would have written down, as far as the cards tell it; total and result are there when
    they tell all of it. `redeal` says that the hand ended before play. `findings` are all problems in the order of
    the text, those of the tricks among them; `unknown` says what could not be judged.
    """

    profile: Profile
    dealer: Seat | None
    level: Level
    trump: Trump | None
    tricks: tuple[TrickReplay, ...]
    sheet: HandSheet
    complete: bool
    redeal: bool = False
    total: Total | None = None
    result: LevelResult | None = None
    next_dealer: Seat | None = None
    findings: tuple[Finding, ...] = ()
    unknown: tuple[Text, ...] = ()

    def to_json(self) -> dict[str, Any]:
        result = self.result
        return {
            "dealer": None if self.dealer is None else self.dealer.value,
            "level": str(self.level),
            "trump": None if self.trump is None else self.trump.value,
            "tricks": [trick.to_json() for trick in self.tricks],
            "complete": self.complete,
            "redeal": self.redeal,
            "sheet": self.sheet.to_json(),
            "attackers_total": None if self.total is None else self.total.raw,
            "winner_side": None if result is None else result.winner_role.value,
            "levels": None if result is None else result.levels,
            "next_dealer": None if self.next_dealer is None else self.next_dealer.value,
            "findings": [one.to_json() for one in self.findings],
            "unknown": [dict(text) for text in self.unknown],
        }


def profile_of(record: HandRecord) -> Profile | None:
    """The rules a record names, with the options it sets upon them; None when it names none.

    Raises ProfileError, also where the options are no JSON object.
    """
    base = record.tags.get("profile")
    if base is None:
        return None
    if "set" not in record.tags:
        return build(base)
    try:
        changes = json.loads(record.tags["set"])
    except (ValueError, RecursionError):
        text = {"en": "The tag set is a JSON object of options.", "zh": "标签 set 应是选项的 JSON 对象。"}
        raise ProfileError("bad_profile", "set", text) from None
    return build({"base": base, "set": changes})


def replay(profile: Profile, record: HandRecord) -> Replay:
    """Judge a record by a profile. Refused `level_missing` or `level_not_here` where no order of cards can be known."""
    return _Replaying(profile, record).run()


_Hands = dict[Seat, Counter[Card] | None]


@dataclass(slots=True)
class _Replaying:
    """The work on one record; `findings` and `unknown` grow, everything else is set once."""

    profile: Profile
    record: HandRecord
    findings: list[Finding] = field(default_factory=list)
    unknown: list[Text] = field(default_factory=list)
    failures: list[ThrowFailure] = field(default_factory=list)
    buried: tuple[Card, ...] | None = None

    def run(self) -> Replay:
        profile = self.profile
        level = self._level()
        self._check_deal(level)
        auction = self._auction(level)
        dealer, trump = auction.dealer, auction.trump
        if auction.stage is Stage.REDEAL:
            following = None if auction.dealer is None else next_dealer(auction.dealer, "rebellion")
            return self._done(auction, (), HandSheet(dealer=dealer, level=level, trump=trump), following=following)
        if trump is None:
            self._note_if_played("trump_missing", "The trump suit is not recorded.", "没有记录主花色。")
            return self._done(auction, (), HandSheet(dealer=dealer, level=level))
        order = order_of(profile, trump, auction.level)
        hands = self._hands(auction)
        self._check_all_cards()
        tricks = self._tricks(order, hands, dealer)
        complete = self._is_complete(tricks, auction.level)
        sheet = self._sheet(auction, order, tricks, complete=complete)
        return self._done(auction, tricks, sheet, complete=complete)

    # --- before play ---

    def _level(self) -> Level:
        rank = self.record.tags.get("level")
        place = self.record.place
        if rank is None:
            raise Refused([problem("level_missing", place, "The level is not recorded.", "没有记录级别。")])
        if rank not in LEVELS or Level(rank) not in self.profile.ladder:
            en, zh = f"{rank[:10]} is no level of these rules.", f"{rank[:10]} 不是本规则的级别。"
            raise Refused([self._problem("level_not_here", place, en, zh, "ladder")])
        return Level(rank)

    def _check_deal(self, level: Level) -> None:
        """Hands and kitty as dealt: their sizes, and no card more often than the decks have it."""
        hand_size, kitty_size = self.profile.deal_at(level)
        place = self.record.place
        for seat, cards in self.record.deal.items():
            if len(cards) != hand_size:
                name = wording.SEATS[seat]
                en = f"{name['en']} has {len(cards)} cards, {hand_size} are dealt."
                zh = f"{name['zh']}有 {len(cards)} 张牌，应发 {hand_size} 张。"
                self._add("hand_size", place, en, zh, "deal")
        kitty = self.record.kitty
        if kitty is not None and len(kitty) != kitty_size:
            en = f"The kitty has {len(kitty)} cards, {kitty_size} are left."
            self._add("kitty_size", place, en, f"底牌有 {len(kitty)} 张，应留 {kitty_size} 张。", "deal")
        dealt = [*self.record.deal.values(), kitty or ()]
        self._check_often([(place, cards) for cards in dealt])

    def _check_all_cards(self) -> None:
        """No card is played or buried more often than the decks have it."""
        burials = [(act.place, act.cards) for act in self.record.acts if act.act == "bury"][-1:]
        plays = [(play.place, play.laid) for trick in self.record.tricks for play in trick.plays]
        self._check_often([*burials, *plays])

    def _check_often(self, groups: Iterable[tuple[Place, Sequence[Seen]]]) -> None:
        seen: Counter[Card] = Counter()
        decks = self.profile.decks
        for place, cards in groups:
            for card in cards:
                if card is None:
                    continue
                seen[card] += 1
                if seen[card] == decks + 1:
                    named = wording.cards_named([card])
                    en, zh = f"{named['en']} is there more than {decks} times.", f"{named['zh']}多于 {decks} 张。"
                    self._add("card_too_often", place, en, zh, "deal")

    def _auction(self, level: Level) -> Auction:
        """The auction as recorded; tags say what its acts do not."""
        tags = self.record.tags
        dealer = Seat(tags["dealer"]) if "dealer" in tags else None
        first = dealer is None or tags.get("hand") == "1"
        drawer = Seat(tags["first_drawer"]) if "first_drawer" in tags else None
        contested = first and any(act.act in ("declare", "flip") for act in self.record.acts)
        deal = Deal(
            profile=self.profile,
            level=level,
            dealer=None if contested else dealer,
            first_hand=first,
            first_drawer=drawer,
            attackers_level=self._attackers_level(dealer),
        )
        known, acts = [], []
        for act in self.record.acts:
            made = _act(act)
            if made is not None:
                known.append(act)
                acts.append(made)
        state, refused = play_out(begin(deal), acts)
        for number, found in refused:
            self._place(found, known[number].place)
        if state.dealer is None and dealer is not None:
            state = replace(state, dealer=dealer)
        elif contested and dealer is not None and state.dealer is not dealer:
            en, zh = (
                f"By the auction {state.dealer} deals, not {dealer}.",
                f"按亮反，应由 {state.dealer} 坐庄，不是 {dealer}。",
            )
            self._add("dealer_differs", self.record.place, en, zh, "first_deal")
        said = Trump(tags["trump"]) if "trump" in tags else None
        if state.trump is None and said is not None:
            state = replace(state, trump=said)
        elif said is not None and state.trump is not said:
            en = f"By the auction the trumps are {state.trump}, not {said}."
            zh = f"按亮反，主是 {state.trump}，不是 {said}。"
            self._add("trump_differs", self.record.place, en, zh, "declare")
        if state.trump is Trump.NT and not self.profile.no_trump_allowed and state.level != FLAG:
            en, zh = "These rules have no no-trump.", "本规则不打无主。"
            self._add("no_trump_not_here", self.record.place, en, zh, "no_trump")
        return state

    def _attackers_level(self, dealer: Seat | None) -> Level | None:
        side = Side.EW if dealer is None or dealer.side is Side.NS else Side.NS
        rank = self.record.tags.get(f"{side.value.lower()}_level")
        return Level(rank) if rank in LEVELS else None

    def _hands(self, auction: Auction) -> _Hands:
        """The hands when play begins, as far as they are on record."""
        hands: _Hands = {seat: _known(self.record.deal.get(seat)) for seat in Seat}
        hand_size, kitty_size = self.profile.deal_at(auction.level)
        kitty = _known(self.record.kitty)
        burials = [act for act in self.record.acts if act.act == "bury" and act.by is not None]
        for act in burials:
            kitty = self._bury(act, hands, kitty)
        if kitty_size and not burials:
            kitty = None
            if auction.dealer is not None:
                hands[auction.dealer] = None
        played = {seat: self._played(seat) for seat in Seat}
        for seat in Seat:
            laid = played[seat]
            if hands[seat] is None and laid is not None and laid.total() == hand_size:
                hands[seat] = laid
        whole = [hand for hand in hands.values() if hand is not None]
        if kitty is None and len(whole) == len(Seat) and all(hand.total() == hand_size for hand in whole):
            left = Counter(unseen(self.profile, (card for hand in whole for card in hand.elements())))
            kitty = left if left.total() == kitty_size else None
        self.buried = None if kitty is None else tuple(kitty.elements())
        unknown = [seat for seat in Seat if hands[seat] is None]
        if unknown and self.record.tricks:
            en = ", ".join(wording.SEATS[seat]["en"] for seat in unknown)
            zh = "、".join(wording.SEATS[seat]["zh"] for seat in unknown)
            self.unknown.append(
                {
                    "en": f"Cannot be judged without the hand of {en}: whether suit and shape were followed.",
                    "zh": f"没有{zh}的手牌，无法判定是否照规定跟牌。",
                }
            )
        return hands

    def _bury(self, act: ActRecord, hands: _Hands, kitty: Counter[Card] | None) -> Counter[Card] | None:
        """Take the kitty and bury; the kitty that lies now, None when it was not recorded."""
        assert act.by is not None
        hand, laid = hands[act.by], _known(act.cards) if act.cards else None
        if hand is not None and kitty is not None and laid is not None:
            hand = hand + kitty
            lacking = laid - hand
            if lacking:
                self._not_held(act.place, act.by, lacking)
            hands[act.by] = hand - laid
        else:
            hands[act.by] = None
        return laid

    def _played(self, seat: Seat) -> Counter[Card] | None:
        """All cards a player laid, None when one of them was not seen."""
        return _known(
            [card for trick in self.record.tricks for play in trick.plays if play.seat is seat for card in play.laid]
        )

    # --- play ---

    def _tricks(self, order: Order, hands: _Hands, dealer: Seat | None) -> tuple[TrickReplay, ...]:
        leader = Seat(self.record.tags["leader"]) if "leader" in self.record.tags else dealer
        done = []
        for i, trick in enumerate(self.record.tricks):
            judged = self._trick(order, hands, leader, trick, dealer, last=i == len(self.record.tricks) - 1)
            done.append(judged)
            leader = judged.winner if len(trick.plays) == len(Seat) else None
        return tuple(done)

    def _trick(
        self, order: Order, hands: _Hands, leader: Seat | None, trick: TrickRecord, dealer: Seat | None, *, last: bool
    ) -> TrickReplay:
        before = len(self.findings)
        self._check_turns(trick, leader, last=last)
        throw = self._check_plays(order, hands, trick, dealer)
        verdict = self._verdict(order, trick)
        for play in trick.plays:
            hand, laid = hands[play.seat], _known(play.laid)
            hands[play.seat] = None if hand is None or laid is None else hand - laid
        return TrickReplay(trick.number, trick.plays, verdict, throw, tuple(self.findings[before:]))

    def _check_turns(self, trick: TrickRecord, leader: Seat | None, *, last: bool) -> None:
        if not trick.plays:
            self._add("trick_short", trick.place, "Nobody plays to this trick.", "本圈没有人出牌。", "trick.lead")
            return
        first = trick.plays[0]
        if leader is not None and first.seat is not leader:
            en = f"{wording.SEATS[leader]['en']} leads this trick."
            self._add("wrong_leader", first.place, en, f"本圈应由{wording.SEATS[leader]['zh']}领出。", "trick.lead")
        for play, seat in zip(trick.plays, around(first.seat), strict=False):
            if play.seat is not seat:
                en = f"It is the turn of {wording.SEATS[seat]['en']}."
                self._add("out_of_turn", play.place, en, f"此时轮到{wording.SEATS[seat]['zh']}出牌。", "trick.lead")
                break
        if len(trick.plays) < len(Seat) and not last:
            self._add("trick_short", trick.place, "Not everybody played.", "本圈没有出齐。", "trick.lead")

    def _check_plays(self, order: Order, hands: _Hands, trick: TrickRecord, dealer: Seat | None) -> ThrowVerdict | None:
        """Every play of the trick against the hand it came from; the verdict on a throw."""
        if not trick.plays:
            return None
        first = trick.plays[0]
        for play in trick.plays:
            self._check_held(hands, play)
            if len(play.laid) != len(first.laid):
                en, zh = f"{len(first.laid)} cards are due.", f"应出 {len(first.laid)} 张。"
                self._add("wrong_count", play.place, en, zh, "follow.suit")
        led = _cards(first.cards)
        if led is None:
            return None
        try:
            lead = read_lead(order, led, self._declared(order, first, led))
        except Refused as refused:
            self._place(refused.findings[0], first.place)
            return None
        throw = (
            self._check_throw(order, hands, first, lead, dealer) if lead.is_throw or first.forced is not None else None
        )
        laid = lead if first.forced is None else self._lead_of(order, first)
        for play in trick.plays[1:]:
            self._check_follow(order, hands, laid, play)
        return throw

    def _lead_of(self, order: Order, first: Play) -> Lead | None:
        """The lead as it stayed on the table, declared as its leader did; None where it cannot be read."""
        cards = _cards(first.laid)
        if cards is None:
            return None
        try:
            declared = self._declared(order, first, cards) if first.forced is None else None
            return read_lead(order, cards, declared)
        except Refused:
            return None

    def _declared(self, order: Order, first: Play, cards: Sequence[Card]) -> tuple[Shape, ...] | None:
        """The shapes the leader declared by parting the cards; None when nothing was declared."""
        if not first.parts:
            return None
        shapes, at = [], 0
        for size in first.parts:
            part = cards[at : at + size]
            at += size
            category = order.only_category(part)
            units = () if category is None else largest_reading(category, category.of(order.count(part)))
            shapes += [unit.shape for unit in units]
        return tuple(shapes)

    def _check_held(self, hands: _Hands, play: Play) -> None:
        hand, shown = hands[play.seat], _known(play.cards)
        if hand is None or shown is None:
            return
        lacking = shown - hand
        if lacking:
            self._not_held(play.place, play.seat, lacking)
            hands[play.seat] = None

    def _check_throw(
        self, order: Order, hands: _Hands, first: Play, lead: Lead, dealer: Seat | None
    ) -> ThrowVerdict | None:
        others = [hands[seat] for seat in around(first.seat)[1:]]
        try:
            verdict = judge_throw(lead, [None if hand is None else tuple(hand.elements()) for hand in others])
        except Refused as refused:
            self._place(refused.findings[0], first.place)
            return None
        if first.forced is not None:
            role = Role.DEALER if dealer is not None and first.seat.side is dealer.side else Role.ATTACKERS
            if dealer is not None:
                self.failures.append(ThrowFailure(role, len(first.cards)))
            self._check_forced(first, verdict)
        elif verdict.stands is False:
            self._add("throw_fails", first.place, verdict.sentence["en"], verdict.sentence["zh"], "throw.stands")
        return verdict

    def _check_forced(self, first: Play, verdict: ThrowVerdict) -> None:
        assert first.forced is not None
        if verdict.stands:
            self._add("throw_stood", first.place, verdict.sentence["en"], verdict.sentence["zh"], "throw.stands")
            return
        forced, kept = verdict.forced, _known(first.forced)
        if forced is None or kept is None:
            return
        choices = [forced.must_play, *forced.equals] if forced.must_play else [*forced.options]
        if forced.known and kept not in [Counter(cards) for cards in choices]:
            words = " / ".join(cards_text(cards) for cards in choices)
            self._add("wrong_forced", first.place, f"{words} must stay.", f"应强制出 {words}。", "throw.forced")

    def _check_follow(self, order: Order, hands: _Hands, lead: Lead | None, play: Play) -> None:
        hand, cards = hands[play.seat], _cards(play.laid)
        if lead is None or hand is None or cards is None or len(cards) != lead.size or hand.total() < lead.size:
            return
        if Counter(cards) - hand:
            return
        try:
            verdict = judge_follow(lead, order.count(hand.elements()), order.count(cards))
        except Refused as refused:
            self._place(refused.findings[0], play.place)
            return
        if not verdict.legal:
            clause = verdict.because[0].clause.id if verdict.because else None
            self.findings.append(
                problem(verdict.code, play.place, verdict.sentence["en"], verdict.sentence["zh"], clause=clause)
            )

    def _verdict(self, order: Order, trick: TrickRecord) -> TrickVerdict | None:
        if len(trick.plays) < len(Seat):
            return None
        plays = [(play.seat, _cards(play.laid)) for play in trick.plays]
        lead = self._lead_of(order, trick.plays[0])
        known = [(seat, cards) for seat, cards in plays if cards is not None]
        if lead is None or len(known) < len(plays):
            return None
        try:
            return judge_trick(lead, known)
        except Refused as refused:
            self._place(refused.findings[0], trick.place)
            return None

    # --- the result ---

    def _is_complete(self, tricks: Sequence[TrickReplay], level: Level) -> bool:
        """Whether every card of every hand was played and every trick has a winner."""
        hand_size = self.profile.deal_at(level)[0]
        laid: Counter[Seat] = Counter()
        for trick in tricks:
            for play in trick.plays:
                laid[play.seat] += len(play.laid)
        return all(trick.verdict is not None for trick in tricks) and all(laid[seat] == hand_size for seat in Seat)

    def _sheet(self, auction: Auction, order: Order, tricks: Sequence[TrickReplay], *, complete: bool) -> HandSheet:
        """What the table writes down of this hand."""
        dealer, profile = auction.dealer, self.profile
        sheet = HandSheet(dealer=dealer, level=auction.level, trump=auction.trump, throw_failures=tuple(self.failures))
        if dealer is None or not complete:
            return sheet
        attackers = dealer.side.other
        won = [trick for trick in tricks if trick.winner is not None and trick.winner.side is attackers]
        captured = sum(trick.points or 0 for trick in won)
        last = tricks[-1]
        assert last.winner is not None
        winner = Role.ATTACKERS if last.winner.side is attackers else Role.DEALER
        lead = self._lead_of(order, last.plays[0])
        assert lead is not None
        led = tuple(unit.shape for unit in lead.units)
        by_cards = profile.last_trick == "cards_times_points"
        dug = winner is Role.ATTACKERS and not by_cards and auction.level != FLAG
        cards = next(_cards(play.laid) for play in last.plays if play.seat is last.winner) or ()
        made = claim(lead, cards) if last.winner is not last.plays[0].seat else None
        won_in = lead.category if made is None else made.category
        category: Literal["trump", "side"] = "trump" if won_in.is_trumps else "side"
        kitty = None if self.buried is None else points_of(profile, self.buried)
        if by_cards and winner is Role.ATTACKERS:
            captured -= last.points or 0
        hooked = dug and auction.level in profile.hook_levels
        return replace(
            sheet,
            captured_in_tricks=Points(captured),
            last_trick_winner=winner,
            led=led if dug or by_cards else (),
            kitty_points=kitty if dug else None,
            last_trick_points=Points(last.points or 0) if by_cards else None,
            winning_category=category if dug and profile.dig_trump_only else None,
            winning_play=cards if hooked else (),
            specials=tuple(self._specials(auction, dealer, cards, lead, dug=dug)),
        )

    def _specials(
        self, auction: Auction, dealer: Seat, cards: Sequence[Card], lead: Lead, *, dug: bool
    ) -> Iterable[Special]:
        jumps = self.profile.level_jumps
        if "pair_H5_declare_or_dig" in jumps:
            standing = auction.standing
            if standing is not None and Counter(standing.cards)[RED_FIVE] > 1:
                role = Role.DEALER if standing.by.side is dealer.side else Role.ATTACKERS
                yield Special("red_fives_declared", role)
            if dug and Counter(cards)[RED_FIVE] > 1:
                yield Special("red_fives_dug", Role.ATTACKERS)
        if "dig_with_510K" in jumps and dug and lead.wants == (FIVE_TEN_KING,):
            yield Special("dug_510K", Role.ATTACKERS)

    def _done(
        self,
        auction: Auction,
        tricks: tuple[TrickReplay, ...],
        sheet: HandSheet,
        *,
        complete: bool = False,
        following: Seat | None = None,
    ) -> Replay:
        profile = self.profile
        total: Total | None = None
        result: LevelResult | None = None
        needs_kitty = complete and sheet.last_trick_winner is Role.ATTACKERS and profile.last_trick == "kitty"
        if needs_kitty and sheet.kitty_points is None and profile.deal_at(auction.level)[1]:
            complete = False
            self.unknown.append(
                {"en": "Cannot be added up without the buried cards.", "zh": "没有扣下的底牌，无法算出总分。"}
            )
        elif tricks and not complete:
            self.unknown.append(
                {"en": "Cannot be added up: not every card was recorded.", "zh": "没有记全所有的牌，无法算出总分。"}
            )
        if complete and sheet.dealer is not None:
            total = attackers_total(profile, sheet, level=auction.level)
            result = level_result(profile, total.raw, level=auction.level)
            following = next_dealer(sheet.dealer, "hand", deal_changes_hands=result.deal_changes_hands)
            self._compare(sheet, total, result, following)
        return Replay(
            profile=profile,
            dealer=auction.dealer,
            level=auction.level,
            trump=auction.trump,
            tricks=tricks,
            sheet=sheet,
            complete=complete,
            redeal=auction.stage is Stage.REDEAL,
            total=total,
            result=result,
            next_dealer=following,
            findings=tuple(sorted(self.findings, key=lambda one: (one.params["line"], one.params["column"]))),
            unknown=tuple(self.unknown),
        )

    def _compare(self, sheet: HandSheet, total: Total, result: LevelResult, following: Seat) -> None:
        """The result line of the record against what the cards come to."""
        kitty = None if self.buried is None else int(points_of(self.profile, self.buried))
        came: Mapping[str, object] = MappingProxyType(
            {
                "captured": total.captured,
                "kitty": kitty,
                "factor": total.multiplier,
                "fines": total.fines,
                "last_trick": sheet.last_trick_points,
                "adjustments": total.adjustments,
                "total": total.raw,
                "levels": result.levels,
                "winner": result.winner_role.value,
                "last": None if sheet.last_trick_winner is None else sheet.last_trick_winner.value,
                "next": following.value,
            }
        )
        # what an official ruled is no matter of cards
        ruled = self.record.result.get("adjustments", 0)
        for name, stated in self.record.result.items():
            true = came[name]
            if true is None or true == stated or name == "adjustments" or (ruled and name not in ("captured", "kitty")):
                continue
            en, zh = f"{name} is stated as {stated}, the cards give {true}.", f"{name} 记为 {stated}，按牌应为 {true}。"
            self._add("result_differs", self.record.place, en, zh, "total")

    # --- notes ---

    def _note_if_played(self, code: str, en: str, zh: str) -> None:
        if self.record.tricks:
            self._add(code, self.record.place, en, zh, "declare")

    def _not_held(self, place: Place, seat: Seat, lacking: Counter[Card]) -> None:
        cards, name = wording.cards_named(tuple(lacking.elements())), wording.SEATS[seat]
        en = f"{name['en']} does not hold {cards['en']}."
        self._add("card_not_held", place, en, f"{name['zh']}手中没有 {cards['zh']}。", "follow.suit")

    def _problem(self, code: str, place: Place, en: str, zh: str, topic: str) -> Finding:
        clause = self.profile.topics.get(topic)
        return problem(code, place, en, zh, clause=None if clause is None else clause.id)

    def _add(self, code: str, place: Place, en: str, zh: str, topic: str) -> None:
        self.findings.append(self._problem(code, place, en, zh, topic))

    def _place(self, found: Finding, place: Place) -> None:
        """A finding of another part of the kernel, at its place in the text."""
        self.findings.append(problem(found.code, place, found.message["en"], found.message["zh"], clause=found.clause))


def _known(cards: Sequence[Seen] | None) -> Counter[Card] | None:
    """Cards as a multiset; None when they were not recorded or one of them was not seen."""
    seen = None if cards is None else _cards(cards)
    return None if seen is None else Counter(seen)


def _cards(cards: Sequence[Seen]) -> tuple[Card, ...] | None:
    known = tuple(card for card in cards if card is not None)
    return known if len(known) == len(cards) else None


def _act(act: ActRecord) -> Act | None:
    """The act as the auction knows it; None where a card that decides was not seen. What was buried may stay unseen."""
    cards = _cards(act.cards)
    if cards is None and act.act != "bury":
        return None
    return Act(act.act, act.by, cards or (), act.names)
