"""The batch protocol's doors to the rules of regional and online games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.hands.findings import finding
from scoring.hands.outcomes import level_result
from scoring.hands.reading import Reader
from scoring.hands.regional import at_the_flag, coins_after_counters, coins_for_failed_throw, level_jump, lowest_bid
from scoring.hands.sheets import CARDS, LAST_TRICK, check_trick_points
from scoring.hands.totals import last_trick_points
from scoring.individual.sheets import read_bids
from scoring.profiles import Profile
from scoring.profiles.options import LEVEL_JUMPS
from scoring.questions.asking import MOST_TOTAL, Answer, reasons, total_of
from scoring.values import FLAG, Points, Role, Seat, exact

COINS = {"en": "coins", "zh": "金币"}
TIMES = {"en": "how many times", "zh": "次数"}
MOST_COUNTERS = 100


def ask_last_trick(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    cards = reader.whole("cards_led", CARDS, low=1, high=profile.hand_cards, required=True)
    points = reader.points("trick_points", LAST_TRICK, required=True)
    winner = reader.choice("winner", Role, required=True)
    reader.done()
    if points is not None:
        reader.findings += check_trick_points(profile, points, cards or 0, "trick_points")
    if profile.last_trick == "kitty":
        reader.findings.insert(0, finding("last_trick_not_here", "op", profile=profile, topic="kitty.dig"))
    reader.refuse_if_any()
    assert cards is not None
    assert points is not None
    assert winner is not None
    counted = last_trick_points(profile, cards_led=cards, trick_points=points, winner=winner)
    return {"attackers_delta": counted.bonus, "because": reasons(counted.because)}


def ask_jump(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    event = reader.word("event", LEVEL_JUMPS, required=True)
    by = reader.choice("by", Role, required=True)
    total = total_of(reader, profile)
    reader.done()
    if event is not None and event not in profile.level_jumps:
        reader.findings.insert(0, finding("jump_not_here", "event"))
    if event == "dig_with_510K" and by is Role.DEALER:
        reader.findings.append(finding("dig_by_dealer", "by", profile=profile, topic="jump.510K"))
    reader.refuse_if_any()
    assert event is not None
    assert by is not None
    assert total is not None
    jump = level_jump(profile, event, by=by, attackers_total=total)
    return {
        "dealer_side_level": str(jump.dealer_side),
        "attackers_level": str(jump.attackers),
        "because": reasons(jump.because),
    }


def ask_flag(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    total = total_of(reader, profile)
    before = reader.whole("consecutive_failures_before", TIMES, low=0, high=profile.flag_failures - 1, required=True)
    reader.done()
    if profile.flag_line is None:
        reader.findings.insert(0, finding("flag_not_here", "op"))
    reader.refuse_if_any()
    assert total is not None
    assert before is not None
    result = level_result(profile, total, level=FLAG)
    held = not result.deal_changes_hands
    flag = at_the_flag(profile, held=held, failures_before=before)
    said: Answer = {
        "flag_passed": held,
        "consecutive_failures": flag.failures,
        "because": reasons(result.because + (() if held else profile.cite("flag.failed"))),
    }
    return said if flag.level is None else {**said, "dealer_side_level": str(flag.level)}


def ask_bid(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    bids = _bids(reader, profile)
    total = total_of(reader, profile)
    reader.done()
    reader.refuse_if_any()
    assert total is not None
    bid = lowest_bid(profile, bids, attackers_total=total)
    return {
        "dealer": str(bid.dealer),
        "bid": int(bid.points),
        "attackers_win": bid.attackers_win,
        "because": reasons(bid.because),
    }


def _bids(reader: Reader, profile: Profile) -> dict[Seat, Points]:
    if profile.bidding is None:
        reader.raw("bids")
        reader.findings.append(finding("bids_not_here", "op"))
        return {}
    if not reader.has("bids"):
        reader.missing("bids")
        return {}
    return read_bids(profile, reader, tuple(Seat))


def ask_points(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    decks = reader.whole("decks", {"en": "the number of decks", "zh": "几副牌"}, low=1, high=4)
    reader.done()
    reader.refuse_if_any()
    total = int(profile.points_max) // profile.decks * (profile.decks if decks is None else decks)
    return {"total": total, "because": reasons(profile.cite("points", total))}


def ask_coins(profile: Profile, data: Mapping[str, Any]) -> Answer:
    """Either the result after counters, or what a failed throw costs."""
    return _coins_for_throw(profile, data) if "room_base" in data else _coins_after_counters(profile, data)


def _coins_after_counters(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    base = reader.whole("base_result", COINS, low=-MOST_TOTAL, high=MOST_TOTAL, required=True)
    counters = reader.whole("counters", TIMES, low=0, high=MOST_COUNTERS, required=True)
    reader.done()
    if profile.coins_per_counter is None:
        reader.findings.insert(0, finding("coins_not_here", "op"))
    reader.refuse_if_any()
    assert base is not None
    assert counters is not None
    result = coins_after_counters(profile, base, counters)
    return {"result": result, "because": reasons(profile.cite("coins.counter"))}


def _coins_for_throw(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    base = reader.whole("room_base", COINS, low=0, high=MOST_TOTAL, required=True)
    failed = reader.flag("throw_failed", required=True)
    reader.done()
    if profile.coins_throw_share is None:
        reader.findings.insert(0, finding("coins_not_here", "op"))
    reader.refuse_if_any()
    assert base is not None
    fine = coins_for_failed_throw(profile, base) if failed else coins_for_failed_throw(profile, 0)
    whole = fine.denominator == 1
    return {"fine": int(fine) if whole else exact(fine), "because": reasons(profile.cite("coins.throw"))}
