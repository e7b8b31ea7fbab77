"""The sentences of individual games: what an entry did (line 1), and where the players stand (line 2)."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.hands.entries import Why
from scoring.individual.entries import (
    IndividualAdjusted,
    IndividualAnnulled,
    IndividualEnd,
    IndividualEntry,
    IndividualHand,
    PlacePenalty,
)
from scoring.individual.states import IndividualEntryResult, IndividualState
from scoring.profiles import Profile
from scoring.profiles.option_words import win_name
from scoring.sittings.sentences import WIN_NAMES, ruled_level, summed
from scoring.values import Level, Place, Role, Text
from scoring.wording import MINUS, PLACES, Lines, number, whole

_AND = Lines(" and ", "与")
_COMMA = Lines(", ", "，")


def what_happened(
    profile: Profile,
    entry: IndividualEntry,
    before: IndividualState,
    after: IndividualState,
    result: IndividualEntryResult,
) -> Text:
    """Line 1: what an entry did and why."""
    if isinstance(entry, IndividualHand):
        line = {"alone": _alone, "everyone": _everyone, "ally": _allied}[profile.division](profile, entry, result)
        return (line + _over(profile, after, result)).text()
    if isinstance(entry, IndividualAdjusted):
        return (_gains(result) + _reason(entry.why)).text()
    if isinstance(entry, IndividualAnnulled):
        return _annulled(entry).text()
    if isinstance(entry, PlacePenalty):
        return _penalty(entry, before, after).text()
    return _end(entry, after).text()


def standing(profile: Profile, before: IndividualState, after: IndividualState) -> Text:
    """Line 2: level or score of every player before and after; who deals next where that is known."""
    parts = [
        _level(place, before.levels[place], after) if after.levels else _score(place, before.scores[place], after)
        for place in after.scores
    ]
    line = _joined(parts, _COMMA)
    if after.finished:
        return (line + Lines("; table over", "；终局")).text()
    if after.next_dealer is not None:
        return (line + Lines("; next: ", "；下副 ") + _name(after.next_dealer) + Lines(" deals", "坐庄")).text()
    if profile.bidding is not None:
        return (line + Lines("; the next deal goes to the lowest bid", "；下副叫分定庄")).text()
    return (line + Lines("; the next deal is contested", "；下副抢庄")).text()


def _name(place: Place) -> Lines:
    return Lines.of(PLACES[place])


def _joined(parts: Iterable[Lines], between: Lines) -> Lines:
    line: Lines | None = None
    for part in parts:
        line = part if line is None else line + between + part
    return Lines.same("") if line is None else line


def _signed(amount: int) -> str:
    return f"{MINUS if amount < 0 else '+' if amount else ''}{abs(amount)}"


def _level(place: Place, old: Level, after: IndividualState) -> Lines:
    if place in after.passed:
        return _name(place) + Lines(f" {old} → past {old}", f" {old} → 打过 {old}")
    new = after.levels[place]
    return _name(place) + Lines.same(f" {new}" if new == old else f" {old} → {new}")


def _score(place: Place, old: int, after: IndividualState) -> Lines:
    new = after.scores[place]
    moved = whole(new) if new == old else f"{whole(old)} → {whole(new)}"
    return _name(place) + Lines.same(f" {moved}")


def _alone(profile: Profile, hand: IndividualHand, result: IndividualEntryResult) -> Lines:
    """`Bid 95, the three took 100 → the three win`."""
    assert result.total is not None
    assert result.dealer is not None
    count = profile.players - 1
    en, zh = f"the {number(count)['en']}", f"{number(count)['zh']}家"
    line = Lines(f"Bid {result.bid}, ", f"叫 {result.bid}，")
    line += summed(profile, hand.sheet(result.dealer), result.total, Lines(f"{en} took ", f"{zh}得 "))
    if result.winner_role is Role.ATTACKERS:
        return line + Lines(f"{en} win", f"{zh}胜")
    return line + Lines("", "庄家 ") + _name(result.dealer) + Lines(", who dealt, wins alone", "胜")


def _everyone(profile: Profile, hand: IndividualHand, result: IndividualEntryResult) -> Lines:
    """`Seat 1 80, seat 2 60, …; kitty 10 to seat 1 → seat 1 takes most, 90`."""
    line = _joined((_name(place) + Lines.same(f" {whole(points)}") for place, points in hand.points.items()), _COMMA)
    if hand.last_trick_place is not None:
        kitty = int(hand.kitty_points or 0)
        line += Lines(f"; kitty {kitty} to ", f"；底牌 {kitty} 归 ") + _name(hand.last_trick_place)
    most = max(result.gains.values())
    line += Lines.same(" → ") + _joined(map(_name, result.winners), _AND)
    many = len(result.winners) > 1
    return line + Lines(f" {'take' if many else 'takes'} most, {whole(most)}", f"得分最高，{whole(most)} 分")


def _allied(profile: Profile, hand: IndividualHand, result: IndividualEntryResult) -> Lines:
    """`Attackers 60 → dealer seat 1 and ally seat 3 win, +1`."""
    assert result.total is not None
    assert result.dealer is not None
    line = summed(profile, hand.sheet(result.dealer), result.total)
    won = result.levels_won
    if result.winner_role is Role.ATTACKERS:
        line += Lines("attackers win, ", "闲家胜，")
    elif result.ally is result.dealer:
        line += Lines("dealer ", "庄家 ") + _name(result.dealer) + Lines(" wins without an ally, ", "独庄胜，")
    else:
        assert result.ally is not None
        line += Lines("dealer ", "庄家 ") + _name(result.dealer) + Lines(" and ally ", "与盟友 ")
        line += _name(result.ally) + Lines(" win, ", "胜，")
    line += Lines(f"+{won}", f"升 {won} 级" if won else "不升级")
    name = win_name(profile, result.total.for_levels, Role.DEALER) if result.winner_role is Role.DEALER else None
    line += WIN_NAMES[name] if name is not None else Lines.same("")
    for place, level in result.stopped_at.items():
        line += Lines("; ", "；") + _name(place) + Lines(f" stops at {level}", f"停在 {level}")
    return line


def _over(profile: Profile, after: IndividualState, result: IndividualEntryResult) -> Lines:
    if not result.finished or after.end_reason != "passed":
        return Lines.same("")
    last = profile.ladder.last
    done = Lines(f" past {last}", f"打过 {last}") if after.passed else Lines(f" at {last}", f"升到 {last}")
    return Lines("; ", "；") + _joined(map(_name, after.winners), _AND) + done + Lines(": table over", "，终局")


def _gains(result: IndividualEntryResult) -> Lines:
    parts = (_name(place) + Lines.same(f" {_signed(gain)}") for place, gain in result.gains.items())
    return Lines("Adjusted: ", "调整：") + _joined(parts, _COMMA)


def _annulled(entry: IndividualAnnulled) -> Lines:
    why = {
        "all_passed": Lines("nobody bid", "四家都不叫"),
        "misdeal": Lines("misdeal", "发牌有误"),
        "redeal": Lines("redeal", "重发"),
        "ruling": Lines("ruling", "判罚"),
    }[entry.reason]
    return Lines("Void: ", "作废：") + why + _reason(entry.why) + Lines(". Redeal", "。重新发牌")


def _penalty(entry: PlacePenalty, before: IndividualState, after: IndividualState) -> Lines:
    line = Lines("Ruling: ", "判罚：") + _name(entry.place)
    line += Lines.same("") if entry.why is None else Lines(" ", "") + Lines.of(entry.why)
    if entry.levels is not None:
        many = "" if abs(entry.levels) == 1 else "s"
        amount = _signed(entry.levels)
        then = ruled_level(before.levels[entry.place], after.levels[entry.place], entry.levels)
        return line + Lines(f", {amount} level{many} ", f"，{amount} 级") + then
    amount = _signed(entry.points or 0)
    return line + Lines(f", {amount}", f"，{amount}")


def _end(entry: IndividualEnd, after: IndividualState) -> Lines:
    hands = after.hands_played
    left = Lines.same("")
    if entry.by is not None:
        en, zh = ("forfeits", "弃权") if entry.reason == "forfeit" else ("has left", "离场")
        left = Lines(f"{PLACES[entry.by]['en'].capitalize()} {en}: ", f"{PLACES[entry.by]['zh']}{zh}：")
    line = {
        "left": left,
        "forfeit": left,
        "time": Lines(f"Time, hand {hands} finished: ", f"时间到，打完第 {hands} 副："),
        "hands": Lines(f"Hand {hands} was the last: ", f"打满 {hands} 副："),
        "ruling": Lines("Ended by an official: ", "裁判终止："),
    }[entry.reason]
    if entry.award:
        line += Lines(f"the others get {_signed(entry.award)}, ", f"其余各家各 {_signed(entry.award)}，")
    if not after.winners:
        return line + Lines("nobody wins the table", "本桌无胜者") + _reason(entry.why)
    many = len(after.winners) > 1
    best = after.winners[0]
    height = str(after.levels[best]) if after.levels else whole(after.scores[best])
    what = Lines("at level ", "级别 ") if after.levels else Lines("with ", "得分 ")
    line += _joined(map(_name, after.winners), _AND) + Lines(
        " share it, " if many else " wins ", "并列，" if many else "胜，"
    )
    return line + what + Lines.same(height) + _reason(entry.why)


def _reason(why: Why | None) -> Lines:
    return Lines.same("") if why is None else Lines(" (", "（") + Lines.of(why) + Lines(")", "）")
