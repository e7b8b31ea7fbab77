"""Judging a whole hand again from its record: auction, burial, every play, every throw, every trick, and the result.

What the record does not tell is not guessed: it narrows what can be judged, and `Replay.unknown` says so. A player's
hand is known when it was dealt on record (and what was taken and buried too), or when all its plays are on record.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal

from scoring.cards.auction_state import Auction, Stage
from scoring.cards.bids import RED_FIVE
from scoring.cards.deck import points_of
from scoring.cards.leads import FIVE_TEN_KING, Lead
from scoring.cards.order import Order, order_of
from scoring.cards.records import HandRecord
from scoring.cards.replay_notes import Hands, Notes, seen_cards
from scoring.cards.replay_opening import (
    auction_of,
    check_all_cards,
    check_deal,
    check_players,
    check_shown,
    hands_of,
    level_of,
)
from scoring.cards.replay_tricks import TrickReplay, judge_tricks, lead_of
from scoring.cards.tricks import claim
from scoring.hands.entries import HandSheet, Special, ThrowFailure
from scoring.hands.findings import Finding
from scoring.hands.outcomes import LevelResult, next_dealer
from scoring.hands.totals import Total, attackers_total
from scoring.hands.variants import check_line, check_line_set, result_by_line
from scoring.profiles import Profile, ProfileError, build
from scoring.values import FLAG, Card, Level, Player, Points, Role, Seat, Text, Trump, side_of


@dataclass(frozen=True, slots=True)
class Replay:
    """What a record comes to.

    `sheet` is what the table would have written down, as far as the cards tell it; total and result are there when
    they tell all of it. `redeal` says that the hand ended before play. `findings` are all problems in the order of
    the text, those of the tricks among them; `unknown` says what could not be judged. `hands` are those that play began
    with and `buried` what lay in the kitty then, None where it is not known; there are none before trumps are known.
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
    hands: Hands = field(default_factory=dict)
    buried: tuple[Card, ...] | None = None

    def role_of(self, player: Player | None) -> Role | None:
        """Of which side a player is; None where it is not known who deals."""
        if player is None or self.dealer is None:
            return None
        return Role.DEALER if side_of(player) is self.dealer.side else Role.ATTACKERS

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


def profile_of(record: HandRecord, *, individual: bool = False) -> Profile | None:
    """The rules a record names, with the options it sets upon them; None when it names none.

    `individual`: they may be of single players. Raises ProfileError, also where the options are no JSON object.
    """
    base = record.tags.get("profile")
    if base is None:
        return None
    if "set" not in record.tags:
        return build(base, individual=individual)
    try:
        changes = json.loads(record.tags["set"])
    except (ValueError, RecursionError):
        text = {"en": "The tag set is a JSON object of options.", "zh": "标签 set 应是选项的 JSON 对象。"}
        raise ProfileError("bad_profile", "set", text) from None
    return build({"base": base, "set": changes}, individual=individual)


def replay(profile: Profile, record: HandRecord) -> Replay:
    """Judge a record by a profile. Refused `level_missing` or `level_not_here` where no order of cards can be known."""
    notes = Notes(profile, record)
    check_players(notes)
    level = level_of(notes)
    check_deal(notes, level)
    check_shown(notes)
    auction = auction_of(notes, level)
    dealer, trump = auction.dealer, auction.trump
    if auction.stage is Stage.REDEAL:
        following = None if dealer is None else next_dealer(dealer, "rebellion")
        return _done(notes, auction, (), HandSheet(dealer=dealer, level=level, trump=trump), following=following)
    if trump is None:
        if record.tricks:
            notes.add("trump_missing", record.place, "The trump suit is not recorded.", "没有记录主花色。", "declare")
        return _done(notes, auction, (), HandSheet(dealer=dealer, level=level))
    order = order_of(profile, trump, auction.level)
    hands, buried = hands_of(notes, dealer, auction.level)
    check_all_cards(notes)
    tricks = judge_tricks(notes, order, hands, dealer)
    kitty = None if buried is None else points_of(profile, buried)
    complete = _is_complete(profile, tricks, auction.level)
    sheet = replace(_sheet(profile, auction, order, tricks, kitty, complete=complete), line=_line(notes))
    done = _done(notes, auction, tricks, sheet, kitty=kitty, complete=complete)
    return replace(done, hands=hands, buried=buried)


_WHOLE = re.compile(r"[0-9]{1,9}")


def _line(notes: Notes) -> Points | None:
    """The line that the dealer set for the hand, as the tag `line` says it."""
    said = notes.record.tags.get("line")
    if said is None:
        for found in check_line_set(notes.profile, None, "line"):
            notes.pass_on(found, notes.record.place)
        return None
    line = int(said) if _WHOLE.fullmatch(said) else said
    wrong = next(chain(check_line(notes.profile, line, "line"), check_line_set(notes.profile, line, "line")), None)
    if wrong is not None:
        notes.pass_on(wrong, notes.record.place)
        return None
    return Points(int(said))


# --- the result ---


def _is_complete(profile: Profile, tricks: Sequence[TrickReplay], level: Level) -> bool:
    """Whether every card of every hand was played and every trick has a winner."""
    hand_size = profile.deal_at(level)[0]
    laid: Counter[Player] = Counter()
    for trick in tricks:
        for play in trick.plays:
            laid[play.seat] += len(play.laid)
    return all(trick.verdict is not None for trick in tricks) and all(laid[seat] == hand_size for seat in Seat)


def _sheet(
    profile: Profile,
    auction: Auction,
    order: Order,
    tricks: Sequence[TrickReplay],
    kitty: Points | None,
    *,
    complete: bool,
) -> HandSheet:
    """What the table writes down of this hand; `kitty` is what the buried cards are worth, where they are known."""
    dealer = auction.dealer
    sheet = HandSheet(dealer=dealer, level=auction.level, trump=auction.trump)
    if dealer is None:
        return sheet
    sheet = replace(sheet, throw_failures=tuple(_failures(dealer, tricks)))
    if not complete:
        return sheet
    attackers = dealer.side.other
    won = [trick for trick in tricks if trick.winner is not None and side_of(trick.winner) is attackers]
    captured = sum(trick.points or 0 for trick in won)
    last = tricks[-1]
    assert last.winner is not None
    winner = Role.ATTACKERS if side_of(last.winner) is attackers else Role.DEALER
    lead = lead_of(order, last.plays[0])
    assert lead is not None
    led = tuple(unit.shape for unit in lead.units)
    by_cards = profile.last_trick == "cards_times_points"
    dug = winner is Role.ATTACKERS and not by_cards and auction.level != FLAG
    cards = next(seen_cards(play.laid) for play in last.plays if play.seat is last.winner) or ()
    made = claim(lead, cards)
    won_in = lead.category if made is None else made.category
    category: Literal["trump", "side"] = "trump" if won_in.is_trumps else "side"
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
        specials=tuple(_specials(profile, auction, dealer, cards, lead, dug=dug)),
    )


def _failures(dealer: Seat, tricks: Iterable[TrickReplay]) -> Iterable[ThrowFailure]:
    """The throws that failed by the record: their leaders left some of the cards."""
    for trick in tricks:
        first = next(iter(trick.plays), None)
        if trick.throw is not None and first is not None and first.forced is not None:
            role = Role.DEALER if side_of(first.seat) is dealer.side else Role.ATTACKERS
            yield ThrowFailure(role, len(first.cards))


def _specials(
    profile: Profile, auction: Auction, dealer: Seat, cards: Sequence[Card], lead: Lead, *, dug: bool
) -> Iterable[Special]:
    """What raises levels beside the points; `cards` won the last trick."""
    jumps = profile.level_jumps
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
    notes: Notes,
    auction: Auction,
    tricks: tuple[TrickReplay, ...],
    sheet: HandSheet,
    *,
    kitty: Points | None = None,
    complete: bool = False,
    following: Seat | None = None,
) -> Replay:
    profile = notes.profile
    total: Total | None = None
    result: LevelResult | None = None
    needs_kitty = complete and sheet.last_trick_winner is Role.ATTACKERS and profile.last_trick == "kitty"
    if needs_kitty and sheet.kitty_points is None and profile.deal_at(auction.level)[1]:
        complete = False
        notes.unknown.append(
            {"en": "Cannot be added up without the buried cards.", "zh": "没有扣下的底牌，无法算出总分。"}
        )
    elif tricks and not complete:
        notes.unknown.append(
            {"en": "Cannot be added up: not every card was recorded.", "zh": "没有记全所有的牌，无法算出总分。"}
        )
    if complete and sheet.dealer is not None:
        total = attackers_total(profile, sheet, level=auction.level)
        result = result_by_line(profile, sheet.line, total.raw, level=auction.level)
        following = next_dealer(sheet.dealer, "hand", deal_changes_hands=result.deal_changes_hands)
        _compare(notes, sheet, total, result, following, kitty)
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
        findings=tuple(sorted(notes.findings, key=lambda one: (one.params["line"], one.params["column"]))),
        unknown=tuple(notes.unknown),
    )


def _compare(
    notes: Notes, sheet: HandSheet, total: Total, result: LevelResult, following: Seat, kitty: Points | None
) -> None:
    """The result line of the record against what the cards come to."""
    came: Mapping[str, object] = MappingProxyType(
        {
            "captured": total.captured,
            "kitty": None if kitty is None else int(kitty),
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
    ruled = notes.record.result.get("adjustments", 0)
    for name, stated in notes.record.result.items():
        true = came[name]
        if true is None or true == stated or name == "adjustments" or (ruled and name not in ("captured", "kitty")):
            continue
        en, zh = f"{name} is stated as {stated}, the cards give {true}.", f"{name} 记为 {stated}，按牌应为 {true}。"
        notes.add("result_differs", notes.record.place, en, zh, "total")
