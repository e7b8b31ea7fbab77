"""The sentences a referee reads out: what an entry did (line 1), and where the sides stand (line 2).

Grammar of line 1: `Attackers P [+ kitty K×M] [± throw fine F] [± dark bids B] [± ruling R] [= T] →
outcome[; special]`.
"""

from __future__ import annotations

from scoring.hands.entries import Adjusted, Annulled, End, Entry, HandSheet, LevelPenalty, Why
from scoring.hands.regional import deciding_special
from scoring.hands.totals import Total, dark_bid_fine, throw_penalty
from scoring.hands.variants import Scoring, hand_worth
from scoring.profiles import Profile
from scoring.profiles.option_words import win_name
from scoring.sittings.states import EntryResult, SittingState
from scoring.values import FLAG, RANKS, Level, Role, Seat, Side, Text
from scoring.wording import MINUS, SEATS, SIDES, Lines, level, past, playing, whole

_PLAYS = {
    "red_fives_declared": Lines("red fives declared", "红桃 5 亮主"),
    "red_fives_dug": Lines("dug with red fives", "红桃 5 抠底"),
    "dug_510K": Lines("dug with 510K", "510K 抠底"),
}
WIN_NAMES = {"big": Lines(" (big win)", "（大光）"), "small": Lines(" (small win)", "（小光）")}


def what_happened(
    profile: Profile, entry: Entry, before: SittingState, after: SittingState, result: EntryResult
) -> Text:
    """Line 1: what an entry did and why."""
    if isinstance(entry, HandSheet):
        assert result.total is not None
        return (summed(profile, entry, result.total) + _outcome(profile, entry, before, after, result)).text()
    if isinstance(entry, Adjusted):
        return _adjusted(entry, before, after, result).text()
    if isinstance(entry, Annulled):
        return _annulled(profile, entry, after).text()
    if isinstance(entry, LevelPenalty):
        return _penalty(entry, before, after).text()
    return _end(profile, entry, after).text()


def levels(before: SittingState, after: SittingState) -> Text:
    """Line 2: levels before and after, next dealer and level; where hands are fixed the hand points so far."""
    if after.fixed:
        return _hands(after).text()
    line = _climb(Side.NS, before, after) + Lines(", ", "，") + _climb(Side.EW, before, after)
    if after.finished:
        return (line + Lines("; match over", "；终局")).text()
    if after.next_dealer is None:
        return (line + Lines("; the next deal is contested", "；下副抢庄")).text()
    seat, due = Lines.of(SEATS[after.next_dealer]), after.levels[after.next_dealer.side]
    return (line + Lines("; next: ", "；下副") + seat + Lines(" deals, ", "坐庄，") + Lines.of(playing(due))).text()


def _hands(after: SittingState) -> Lines:
    """How many fixed hands are played, who is ahead by how much, what is due."""
    played, all_of = after.hands_played, len(after.fixed)
    line = Lines(f"Hand {played} of {all_of}: ", f"第 {played} 副（共 {all_of} 副）：") + _ahead(after)
    if after.finished:
        return line + Lines("; match over", "；终局")
    if after.due is None or after.next_dealer is None:
        return line
    seat = Lines.of(SEATS[after.next_dealer])
    return line + Lines("; next: ", "；下副") + seat + Lines(" deals, ", "坐庄，") + Lines.of(playing(after.due.level))


def _ahead(state: SittingState) -> Lines:
    """Who is how much ahead in what is counted."""
    points = state.hand_points
    if not points:
        return Lines("level", "持平")
    side = Lines.of(SIDES[Side.NS if points > 0 else Side.EW])
    if state.scoring is Scoring.HAND_POINTS:
        return side + Lines.same(f" +{abs(points)}")
    counted = _counted(state)
    return side + Lines(f" {counted.en} ahead", f"领先{counted.zh}")


def _counted(state: SittingState) -> Lines:
    """By how much a side is ahead, with its unit where the unit is not hand points."""
    points = abs(state.hand_points)
    if state.scoring is Scoring.POINTS:
        return Lines(f"{points} point{'' if points == 1 else 's'}", f" {points} 分")
    if state.scoring is Scoring.WINS:
        return Lines(f"{points} hand{'' if points == 1 else 's'}", f" {points} 副")
    return Lines(str(points), f" {points} 分")


_LEVEL_IN = {
    Scoring.HAND_POINTS: Lines("Hand points level", "各副积分持平"),
    Scoring.POINTS: Lines("Points level", "得分持平"),
    Scoring.WINS: Lines("As many hands won", "胜副数持平"),
}


def _name(one: Level) -> Lines:
    return Lines.of(level(one))


def _climb(side: Side, before: SittingState, after: SittingState) -> Lines:
    name = Lines.of(SIDES[side]) + Lines.same(" ")
    old, new = _name(before.levels[side]), _name(after.levels[side])
    if after.passed is side:
        return name + old + Lines.same(" → ") + Lines.of(past(before.levels[side]))
    if old == new:
        return name + new
    return name + old + Lines.same(" → ") + new


#: Who the total of a sheet belongs to.
ATTACKERS = Lines("Attackers ", "闲家 ")


def summed(profile: Profile, sheet: HandSheet, total: Total, whose: Lines = ATTACKERS) -> Lines:
    """`Attackers P [+ kitty K×M] [± throw fine F] [± ruling R] [= T] →`, with what cap and floor leave of it."""
    terms = Lines.same("")
    if profile.last_trick != "kitty":
        if total.bonus:
            times = f"{int(sheet.last_trick_points or 0)}×{total.multiplier}"
            sign = "+" if total.bonus > 0 else MINUS
            terms += Lines(f" {sign} last trick {times}", f" {sign} 末圈 {times}")
    elif total.multiplier is not None:
        dug = f"{int(sheet.kitty_points or 0)}×{total.multiplier}"
        terms += Lines(f" + kitty {dug}", f" + 底牌 {dug}")
    if sheet.total_only is None:
        for role in (Role.ATTACKERS, Role.DEALER):
            fine = sum(throw_penalty(profile, role, one.cards) for one in sheet.throw_failures if one.side is role)
            if fine:
                terms += _term(fine, Lines("throw fine", "甩牌罚分"))
        for role in (Role.ATTACKERS, Role.DEALER):
            fine = sum(dark_bid_fine(profile, role, one.times) for one in sheet.dark_bids if one.side is role)
            if fine:
                terms += _term(fine, Lines("dark bids", "暗炒罚分"))
    if total.adjustments:
        terms += _term(total.adjustments, Lines("ruling", "判罚"))
    start = whole(total.captured)
    line = whose + Lines.same(start) + terms
    if terms.en:
        line += Lines.same(f" = {whole(total.raw)}")
    if total.for_levels < total.raw:
        line += Lines(f", capped at {total.for_levels}", f"，封顶 {total.for_levels}")
    elif total.for_levels > total.raw:
        line += Lines(f", counts as {total.for_levels}", f"，按 {total.for_levels} 计")
    return line + Lines.same(" → ")


def _term(amount: int, name: Lines) -> Lines:
    sign = "+" if amount > 0 else MINUS
    return Lines.same(f" {sign} ") + name + Lines.same(f" {abs(amount)}")


def _outcome(
    profile: Profile, entry: HandSheet, before: SittingState, after: SittingState, result: EntryResult
) -> Lines:
    line = _gain(profile, before, result)
    line += _hooked(profile, after, result) + _jumped(entry, after, result) + _flag(profile, before, after, result)
    return line + _finished(profile, after, result)


def _gain(profile: Profile, before: SittingState, result: EntryResult) -> Lines:
    won, stop = result.levels_won, result.stopped_at
    if before.fixed and result.dealer is not None:
        return _fixed_gain(before.scoring, result.dealer.side, result)
    if result.jump is not None:
        held = result.winner_role is Role.DEALER
        return Lines("dealer side keep the deal", "庄家方续庄") if held else Lines("take the deal", "闲家上台")
    if result.winner_role is Role.DEALER:
        if stop is not None:
            return Lines(f"dealer side keep the deal, +{won}", f"庄家方应升 {won} 级") + _stopped(stop)
        name = win_name(profile, result.total.for_levels, Role.DEALER) if result.total is not None else None
        line = Lines(f"dealer side keep the deal, +{won}", f"庄家方升 {won} 级")
        return line if name is None else line + WIN_NAMES[name]
    if stop is not None:
        assert result.dealer is not None
        if before.levels[result.dealer.side.other] == stop:
            if stop.rank not in RANKS:
                return Lines("take the deal, still ", "闲家上台，仍") + Lines.of(playing(stop))
            return Lines(f"take the deal; {stop} must be played, stay at {stop}", f"闲家上台；{stop} 必打，仍打 {stop}")
        return Lines(f"take the deal, +{won}", f"闲家上台，应升 {won} 级") + _stopped(stop)
    return Lines(f"take the deal, +{won}", f"闲家上台升 {won} 级" if won else "闲家上台，不升级")


def _fixed_gain(scoring: Scoring, dealing: Side, result: EntryResult) -> Lines:
    """What a fixed hand is worth, and to whom."""
    side, worth = worth_of(scoring, dealing, result)
    gain = Lines.of(SIDES[side]) + Lines.same(f" {MINUS if worth < 0 else '+'}{abs(worth)}")
    if scoring is Scoring.POINTS:
        return Lines("attackers ", "闲家") + gain
    return (Lines("attackers ", "闲家胜，") if side is not dealing else Lines("dealer side ", "庄家方胜，")) + gain


def worth_of(scoring: Scoring, dealing: Side, result: EntryResult) -> tuple[Side, int]:
    """For which side a fixed hand counted, and how much."""
    return hand_worth(
        scoring,
        dealing,
        deal_changes_hands=result.deal_changes_hands,
        levels=result.levels_won,
        attackers_total=0 if result.total is None else int(result.total.raw),
    )


def _stopped(stop: Level) -> Lines:
    if stop.rank not in RANKS:
        return Lines(f", stopped {playing(stop)['en']}", f"，须先{playing(stop)['zh']}")
    return Lines(f", stopped at {stop} (must be played)", f"，{stop} 必打，停在 {stop}")


def _hooked(profile: Profile, after: SittingState, result: EntryResult) -> Lines:
    if not result.hook or result.level is None or result.dealer is None:
        return Lines.same("")
    old, new = result.level, after.levels[result.dealer.side]
    card = Lines(f"the trump {old}", f"主 {old} ") if profile.hook_card == "main" else Lines(f"a {old}", f"{old} ")
    return Lines(
        f"; dug with {card.en}: dealer side hooked, {old} → {new}", f"；{card.zh}抠底，庄家方钩到底，{old} → {new}"
    )


def _jumped(sheet: HandSheet, after: SittingState, result: EntryResult) -> Lines:
    """Levels set by red fives or 510K, and by which play."""
    if result.jump is None:
        return Lines.same("")
    up, down = result.jump, result.jump.other
    play = _PLAYS[deciding_special(sheet.specials).event]
    line = Lines("; ", "；") + play + Lines(": ", "，") + _goes_to(up, after.levels[up])
    return line + Lines(", ", "，") + _goes_to(down, after.levels[down])


def _goes_to(side: Side, to: Level) -> Lines:
    return Lines.of(SIDES[side]) + Lines(f" to {level(to)['en']}", playing(to)["zh"])


def _flag(profile: Profile, before: SittingState, after: SittingState, result: EntryResult) -> Lines:
    """A failure at the flag: how many there are running, or where too many lead."""
    if not result.flag_failed or result.dealer is None:
        return Lines.same("")
    side, most = result.dealer.side, profile.flag_failures
    if after.levels[side] == FLAG:
        times = before.flag_failures[side] + 1
        return Lines(f"; flag failed, {times} of {most}", f"；扛旗不过，连续第 {times} 次")
    back, times_running = after.levels[side], "1 time" if most == 1 else f"{most} times running"
    return Lines(f"; flag failed {times_running}, back to {back}", f"；连续 {most} 次扛旗不过，退回 {back}")


def _finished(profile: Profile, after: SittingState, result: EntryResult) -> Lines:
    if after.decided_by == "passed":
        last = profile.ladder.last
        if after.passed is not None:
            return Lines(", ", "，") + Lines.of(past(last)) + Lines(": match over", "，终局")
        return Lines(f", reach {last}: match over", f"，升到 {last}，终局")
    if after.decided_by == "lead" and after.winner is not None:
        side = Lines.of(SIDES[after.winner])
        return Lines("; ", "；") + side + Lines(" lead far enough: match over", "领先达到约定级数，终局")
    return Lines.same("")


def _adjusted(entry: Adjusted, before: SittingState, after: SittingState, result: EntryResult) -> Lines:
    line = Lines("Adjusted: ", "调整：")
    if before.fixed and result.dealer is not None:
        return line + _fixed_gain(before.scoring, result.dealer.side, result) + _reason(entry.why)
    if entry.side is not None and entry.levels:
        side = Lines.of(SIDES[entry.side])
        line += side + Lines(f" +{entry.levels}, ", f"升 {entry.levels} 级，")
    line += (
        Lines("attackers take the deal", "闲家上台")
        if entry.deal_changes_hands
        else Lines("dealer side keep the deal", "庄家方续庄")
    )
    if result.stopped_at is not None:
        line += _stopped(result.stopped_at)
    if after.passed is not None:
        line += Lines(", ", "，") + Lines.of(past(before.levels[after.passed])) + Lines(": match over", "，终局")
    return line + _reason(entry.why)


def _annulled(profile: Profile, entry: Annulled, after: SittingState) -> Lines:
    if entry.reason == "rebellion":
        line = Lines("Void: rebellion.", "作废：造反。") + _ground(profile, entry)
        seat = _seat(after.next_dealer)
        return line + Lines(" Redeal, ", "重抓，改由") + seat + Lines(" deals", "坐庄")
    why = {
        "misdeal": Lines("misdeal", "发牌有误"),
        "redeal": Lines("redeal", "重发"),
        "ruling": Lines("ruling", "判罚"),
    }[entry.reason]
    line = Lines("Void: ", "作废：") + why + _reason(entry.why) + Lines(".", "。")
    if after.next_dealer is None:
        return line + Lines(" Redeal, the deal is contested", "重抓，重新抢庄")
    return line + Lines(" Redeal, ", "重抓，仍由") + _seat(after.next_dealer) + Lines(" deals", "坐庄")


def _ground(profile: Profile, entry: Annulled) -> Lines:
    if entry.by is None:
        return Lines.same("")
    who = _seat(entry.by)
    points, trumps = entry.hand_points, entry.trump_count
    if points is not None and points <= profile.rebellion_points:
        most = profile.rebellion_points
        return (
            Lines(" ", "")
            + who
            + Lines(f" holds {points} points, not above {most}.", f" {points} 分，不超过 {most} 分。")
        )
    if trumps is not None and trumps <= profile.rebellion_trumps:
        most = profile.rebellion_trumps
        return (
            Lines(" ", "")
            + who
            + Lines(f" holds {trumps} trumps, not above {most}.", f" {trumps} 张主牌，不超过 {most} 张。")
        )
    return Lines(" ", "") + who + Lines(" rebelled.", "造反。")


def ruled_level(old: Level, new: Level, levels: int) -> Lines:
    """What levels taken or given by a ruling made of a level, in brackets: also that they made nothing of it."""
    one, other = _name(old), _name(new)
    if old != new:
        return Lines(f"({one.en} → {other.en})", f"（{one.zh} → {other.zh}）")
    if levels < 0:
        return Lines(f"({one.en} stays, no level is lower)", f"（{one.zh} 已是最低级，不变）")
    return Lines(f"({one.en} stays, no ruling goes higher)", f"（{one.zh} 不变，判罚不能再升）")


def _penalty(entry: LevelPenalty, before: SittingState, after: SittingState) -> Lines:
    if before.fixed:
        old, new = _ahead(before), _ahead(after)
        then = Lines(f"({old.en} → {new.en})", f"（{old.zh} → {new.zh}）")
    else:
        then = ruled_level(before.levels[entry.side], after.levels[entry.side], entry.levels)
    sign = MINUS if entry.levels < 0 else "+"
    count = abs(entry.levels)
    why = Lines.of(entry.why) if entry.why is not None else None
    side = Lines.of(SIDES[entry.side])
    return (
        Lines("Ruling: ", "判罚：")
        + side
        + (Lines(" ", "") + why + Lines(", ", "，") if why is not None else Lines(" ", ""))
        + Lines(
            f"{sign}{count} {'hand point' if before.fixed else 'level'}{'' if count == 1 else 's'} after this hand ",
            f"本副后 {sign}{count} {'分' if before.fixed else '级'}",
        )
        + then
    )


def _end(profile: Profile, entry: End, after: SittingState) -> Lines:
    if entry.reason == "forfeit" and entry.by is not None:
        lost, won = Lines.of(SIDES[entry.by]), Lines.of(SIDES[entry.by.other])
        return lost + Lines(" forfeit: ", "弃权，") + won + Lines(" win", "胜") + _reason(entry.why)
    if after.decided_by not in ("levels", "lead", *Scoring) or after.winner is None:
        return _tie(after)
    hands = after.hands_played
    opening = {
        "time": Lines(f"Time, hand {hands} finished: ", f"时间到，打完第 {hands} 副："),
        "hands": Lines(f"Hand {hands} was the last: ", f"打满 {hands} 副："),
        "lead": Lines("Far enough ahead: ", "领先达到约定级数："),
    }[entry.reason]
    won = Lines.of(SIDES[after.winner])
    if after.fixed:
        counted = _counted(after)
        return opening + won + Lines(f" win by {counted.en}", f"净胜{counted.zh}")
    ahead, behind = (after.levels[side] for side in (after.winner, after.winner.other))
    high, low = _name(ahead), _name(behind)
    net = profile.ladder.index(ahead) - profile.ladder.index(behind)
    return opening + won + Lines(f" win {high.en} : {low.en}, net +{net}", f" {high.zh} : {low.zh} 胜，净级 +{net}")


def _tie(after: SittingState) -> Lines:
    line = _name(after.levels[Side.NS]) + Lines.same(" : ") + _name(after.levels[Side.EW])
    if after.fixed:
        line = _LEVEL_IN[after.scoring]
    if after.draw:
        return line + Lines(", drawn", "，平局")
    if after.undecided == "extra_hand":
        return line + Lines(", an extra hand decides", "，加赛一副")
    if after.undecided == "lots" or after.winner is None:
        return line + Lines(", lots decide", "，抽签决定")
    side = Lines.of(SIDES[after.winner])
    if after.winner is after.on_stage:
        return line + Lines(", ", "，") + side + Lines(" are on stage: ", "在台上，") + side + Lines(" win", "胜")
    return line + Lines(", ", "，") + side + Lines(" got there first: ", "先到，") + side + Lines(" win", "胜")


def _seat(seat: Seat | None) -> Lines:
    return Lines.same("?") if seat is None else Lines.of(SEATS[seat])


def _reason(why: Why | None) -> Lines:
    return Lines.same("") if why is None else Lines(" (", "（") + Lines.of(why) + Lines(")", "）")
