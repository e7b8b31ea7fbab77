"""Worked cases of a profile: hands on which a rule turns, each settled by the fold like any other hand.

Nothing here knows what a hand comes to: a case is a sheet made from the profile's values, its sentence is the fold's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.hands.regional import JUMP_TOPICS, JUMPS
from scoring.hands.sheets import read_entry
from scoring.individual import states
from scoring.individual.fold import fold as fold_of_players
from scoring.individual.sheets import read_entry as read_entry_of_players
from scoring.profiles import Clause, Profile
from scoring.profiles.loader import TWO_TEAMS
from scoring.profiles.tables import level_bands
from scoring.sittings.fold import fold
from scoring.sittings.states import Opening
from scoring.values import Level, Role, Seat, Shape, Side, Text, Trump
from scoring.wording import Lines, number, playing

#: The hands of a case are dealt by South, so that N-S are the dealer side.
_DEALER = Seat.S
_TRUMP = Trump.H
_THROWN = 5
_SLIP = 40


@dataclass(frozen=True, slots=True)
class WorkedCase:
    """A hand that shows what a clause does.

    `case` says what happened, `sentence` and `levels` what comes of it (both lines as the referee reads them out; the
    second line of a game of single players gives their scores).
    `opening` and `ledger` are the JSON the fold was given: the last entry is the hand, those before it led up to it.
    """

    kind: str
    case: Text
    sentence: Text
    levels: Text
    clause: Clause | None
    opening: Mapping[str, Any]
    ledger: tuple[Mapping[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "case": dict(self.case),
            "sentence": dict(self.sentence),
            "levels": dict(self.levels),
            "clause": None if self.clause is None else self.clause.id,
            "opening": dict(self.opening),
            "ledger": [dict(row) for row in self.ledger],
        }


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a case is made of: the topic it shows, levels of the dealer side and the attackers, and the sheets."""

    kind: str
    topic: str
    case: Lines
    dealing: Level
    attacking: Level
    sheets: tuple[dict[str, Any], ...]


def worked_cases(profile: Profile) -> tuple[WorkedCase, ...]:
    """The cases this profile gives rise to, in the order of counting."""
    if profile.game != TWO_TEAMS:
        return tuple(_settled_alone(profile, draft) for draft in _DRAFTS_OF_DIVISION[profile.division](profile))
    return tuple(_settled(profile, draft) for draft in _drafts(profile))


def _settled(profile: Profile, draft: _Draft) -> WorkedCase:
    opening = Opening({Side.NS: draft.dealing, Side.EW: draft.attacking}, _DEALER)
    state = fold(profile, opening, [read_entry(profile, sheet) for sheet in draft.sheets], reasons=True)
    result = state.entries[-1]
    assert result.sentence is not None
    assert result.levels_sentence is not None
    return WorkedCase(
        kind=draft.kind,
        case=draft.case.text(),
        sentence=result.sentence,
        levels=result.levels_sentence,
        clause=profile.topics.get(draft.topic),
        opening=opening.to_json(),
        ledger=draft.sheets,
    )


def _drafts(profile: Profile) -> Iterator[_Draft]:
    yield from _line(profile)
    yield from _last_trick(profile)
    yield from _fines(profile)
    yield from _below_zero(profile)
    yield from _cap(profile)
    yield from _must_play(profile)
    yield from _finish(profile)
    yield from _hook(profile)
    yield from _jumps(profile)
    yield from _flag(profile)
    yield from _auction(profile)


def _total(points: int) -> dict[str, Any]:
    return {"kind": "hand", "total_only": points}


def _at_start(profile: Profile, kind: str, topic: str, case: Lines, *sheets: dict[str, Any]) -> _Draft:
    return _Draft(kind, topic, case, profile.ladder.first, profile.ladder.first, sheets)


def _line(profile: Profile) -> Iterator[_Draft]:
    line = int(profile.threshold)
    yield _at_start(profile, "zero", "table.zero", Lines("No points at all", "一分未得"), _total(0))
    for points, topic in ((line - 5, "table.below"), (line, "table.line")):
        words = Lines(f"{points} points", f"得 {points} 分")
        yield _at_start(profile, "line", topic, words, _total(points))


def _won(profile: Profile, captured: int, points: int, led: Shape, winner: Role, **facts: Any) -> dict[str, Any]:
    """A sheet whose last trick was led with a shape; `points` lie in the kitty, or in that trick."""
    where = "kitty_points" if profile.last_trick == "kitty" else "last_trick_points"
    return {
        "kind": "hand",
        "captured_in_tricks": captured,
        "last_trick_winner": str(winner),
        "led": [led.to_json()],
        where: points,
        **facts,
    }


def _last_trick(profile: Profile) -> Iterator[_Draft]:
    led, name = (Shape(2), Lines("a pair", "对子")) if profile.decks > 1 else (Shape(1), Lines("a single", "单张"))
    captured = max(0, int(profile.threshold) - 20)
    if profile.last_trick != "kitty":
        for winner, who in (
            (Role.ATTACKERS, Lines("attackers", "闲家")),
            (Role.DEALER, Lines("dealer side", "庄家方")),
        ):
            words = (
                name
                + Lines(" led to the last trick, 20 points in it, won by the ", "领出末圈，圈中 20 分，赢方为")
                + who
            )
            sheet = _won(profile, captured, 20, led, winner)
            yield _at_start(profile, "last_trick", "last_trick", words, sheet)
        return
    facts = {"winning_category": "trump"} if profile.dig_trump_only else {}
    words = Lines("Attackers win the last trick, led with ", "闲家赢得末圈，领出的是") + name
    words += Lines("; 20 points in the kitty", "，底牌 20 分")
    topic = profile.kitty_factor((led,)).topic
    dug = _won(profile, captured, 20, led, Role.ATTACKERS, **facts)
    yield _at_start(profile, "dig", topic, words, dug)
    if profile.dig_trump_only:
        words = Lines("The same won with side cards", "同上，但以副牌赢得")
        dug = _won(profile, captured, 20, led, Role.ATTACKERS, winning_category="side")
        yield _at_start(profile, "dig", "kitty.trump_only", words, dug)


def _plain(captured: int, **facts: Any) -> dict[str, Any]:
    """A sheet of a hand whose last trick changed nothing."""
    return {"kind": "hand", "captured_in_tricks": captured, "last_trick_winner": "dealer", **facts}


def _without_dig(profile: Profile, captured: int, **facts: Any) -> dict[str, Any]:
    if profile.last_trick == "kitty":
        return _plain(captured, **facts)
    return _won(profile, captured, 0, Shape(1), Role.DEALER, **facts)


def _thrown(side: Role) -> dict[str, Any]:
    return {"side": str(side), "cards": _THROWN}


def _fines(profile: Profile) -> Iterator[_Draft]:
    if not profile.throw_fine:
        return
    captured = max(0, int(profile.threshold) - 10)
    held = Lines(f"{captured} points, and ", f"得 {captured} 分，")
    for side, who in (
        (Role.DEALER, Lines("the dealer side fail", "庄家方")),
        (Role.ATTACKERS, Lines("attackers fail", "闲家")),
    ):
        words = held + who + Lines(f" with a throw of {_THROWN} cards", f"甩 {_THROWN} 张失败")
        sheet = _without_dig(profile, captured, throw_failures=[_thrown(side)])
        yield _at_start(profile, "fine", "throw_fine", words, sheet)


def _below_zero(profile: Profile) -> Iterator[_Draft]:
    topic = "floor" if profile.table.settle(-5) != -5 else "table.negative"
    if profile.throw_fine:
        words = Lines(
            f"20 points, and attackers fail with a throw of {_THROWN} cards", f"得 20 分，闲家甩 {_THROWN} 张失败"
        )
        sheet = _without_dig(profile, 20, throw_failures=[_thrown(Role.ATTACKERS)])
    else:
        ruled = {"points": -_SLIP, "why": {"en": "ruling", "zh": "判罚"}}
        words = Lines(f"20 points, and {_SLIP} ruled against the attackers", f"得 20 分，判罚闲家 {_SLIP} 分")
        sheet = _without_dig(profile, 20, adjustments=[ruled])
    yield _at_start(profile, "below_zero", topic, words, sheet)
    if profile.throw_fine and profile.last_trick == "kitty" and profile.kitty_max >= 30:
        facts = {"winning_category": "trump"} if profile.dig_trump_only else {}
        words = Lines(
            "The same fine and a dig with a single, 30 points in the kitty", "同样罚分，但以单张抠底，底牌 30 分"
        )
        dug = _won(profile, 0, 30, Shape(1), Role.ATTACKERS, throw_failures=[_thrown(Role.ATTACKERS)], **facts)
        yield _at_start(profile, "order", "total", words, dug)


def _cap(profile: Profile) -> Iterator[_Draft]:
    cap = profile.score_cap
    if cap is None or cap >= profile.points_max or profile.last_trick != "kitty":
        return
    words = Lines("All points of the decks", "得全部分数")
    yield _at_start(profile, "cap", "cap", words, _without_dig(profile, int(profile.points_max)))


def _gain(profile: Profile, role: Role, levels: int) -> tuple[int, int] | None:
    """A total that gives that role at least so many levels, and how many it gives; None if no row of the table does."""
    rows = [row for row in level_bands(profile) if row.role is role and row.levels >= levels]
    if not rows:
        return None
    row = rows[0] if role is Role.ATTACKERS else rows[-1]
    total = row.low if row.low is not None else row.high
    return (int(total or 0), row.levels)


def _must_play(profile: Profile) -> Iterator[_Draft]:
    ladder = profile.ladder
    levels = list(profile.must_play) if profile.must_mode != "none" else []
    if ladder.finish == "pass_A" and ladder.pass_a == "held" and ladder.last not in levels:  # noqa: S105 - a rule
        levels.append(ladder.last)
    two, one = _gain(profile, Role.ATTACKERS, 2), _gain(profile, Role.ATTACKERS, 1)
    for level in levels:
        topic = "must_play" if level in profile.must_play else "pass_a"
        below = ladder.index(level) - 1
        start = ladder.levels[below]
        if two is not None and below >= 0 and ladder.climb(start, 1, held=False).stopped_at is None:
            yield _Draft("must_play", topic, _attackers_at(start, two), ladder.first, start, (_total(two[0]),))
        if one is not None:
            yield _Draft("must_play", topic, _attackers_at(level, one), ladder.first, level, (_total(one[0]),))


def _attackers_at(level: Level, gain: tuple[int, int]) -> Lines:
    points, levels = gain
    at = playing(level)
    many = "level" if levels == 1 else "levels"
    return Lines(
        f"Attackers {at['en']} get {points} points, worth {number(levels)['en']} {many}",
        f"{at['zh']}的一方作闲家得 {points} 分，可升 {levels} 级",
    )


def _finish(profile: Profile) -> Iterator[_Draft]:
    ladder = profile.ladder
    below, above = _gain(profile, Role.DEALER, 1), _gain(profile, Role.ATTACKERS, 1)
    if below is None or above is None:
        return
    at = playing(ladder.last)
    words = Lines(f"The dealer side, {at['en']}, hold the deal", f"庄家方{at['zh']}，保住庄")
    if ladder.finish != "reach_A":
        yield _Draft("finish", "finish", words, ladder.last, ladder.first, (_total(below[0]),))
        if ladder.finish == "wrap" or ladder.pass_a == "any":  # noqa: S105 - a rule
            words = _attackers_at(ladder.last, above)
            yield _Draft("finish", "finish", words, ladder.first, ladder.last, (_total(above[0]),))
    elif len(ladder) > 1:
        start = ladder.levels[-2]
        yield _Draft("finish", "finish", _attackers_at(start, above), ladder.first, start, (_total(above[0]),))


def _jumps(profile: Profile) -> Iterator[_Draft]:
    """A pair of red fives declared, or dug with, in time and in vain; 510K dug with."""
    line = int(profile.threshold)
    plays = (
        (
            "red_fives_declared",
            Role.DEALER,
            line - 5,
            Lines("The dealer side declare with a pair of red fives", "庄家方以一对红桃 5 亮主"),
        ),
        (
            "red_fives_declared",
            Role.DEALER,
            line,
            Lines("The dealer side declare with a pair of red fives", "庄家方以一对红桃 5 亮主"),
        ),
        (
            "red_fives_dug",
            Role.ATTACKERS,
            line,
            Lines("Attackers dig with a pair of red fives", "闲家以一对红桃 5 抠底"),
        ),
        (
            "red_fives_dug",
            Role.ATTACKERS,
            line - 5,
            Lines("Attackers dig with a pair of red fives", "闲家以一对红桃 5 抠底"),
        ),
        ("dug_510K", Role.ATTACKERS, line - 5, Lines("Attackers dig with 510K", "闲家以 510K 抠底")),
    )
    for event, by, points, words in plays:
        jump = JUMPS[event]
        if jump in profile.level_jumps:
            sheet = _total(points) | {"specials": [{"event": event, "by": str(by)}]}
            said = words + Lines(f", {points} points in all", f"，闲家共得 {points} 分")
            yield _at_start(profile, "jump", JUMP_TOPICS[jump], said, sheet)


def _flag(profile: Profile) -> Iterator[_Draft]:
    """The last failure at the flag: the other side deals, and loses the deal, between two of them."""
    if profile.flag_line is None:
        return
    failed, lost = _total(profile.flag_line), _total(int(profile.threshold))
    ledger = [failed, *[lost, failed] * (profile.flag_failures - 1)]
    words = Lines(
        f"The dealer side lose the deal at the flag; such failures running: {profile.flag_failures}",
        f"庄家方扛旗时被闲家上台，连续第 {profile.flag_failures} 次",
    )
    yield _Draft("flag", "flag.failed", words, profile.ladder.last, profile.ladder.first, tuple(ledger))


def _auction(profile: Profile) -> Iterator[_Draft]:
    if profile.dark_bid_fine:
        sheet = _without_dig(profile, int(profile.threshold), dark_bids=[{"side": "attackers", "times": 1}])
        words = Lines("Attackers bid face down out of order once", "闲家暗炒乱序一次")
        yield _at_start(profile, "dark_bid", "dark_bid", words, sheet)
    if profile.joker_declare != "none":
        declarer = str(_DEALER.right)
        sheet = _total(int(profile.threshold) - 5) | {"dealer": declarer, "declared_by": declarer}
        words = Lines("The dealer side cannot declare; an attacker does, with a joker", "庄家方不能亮主，闲家带王亮主")
        yield _at_start(profile, "joker_declare", "joker_declare", words, sheet)


def _hook(profile: Profile) -> Iterator[_Draft]:
    if not profile.hook_levels:
        return
    level, line = profile.hook_levels[0], int(profile.threshold)

    def draft(topic: str, words: Lines, *sheets: dict[str, Any]) -> _Draft:
        return _Draft("hook", topic, words, level, profile.ladder.first, sheets)

    def dug(total: int, suit: Trump, **facts: Any) -> dict[str, Any]:
        worth = 10 * profile.kitty_factor((Shape(1),)).multiplier
        points, captured = (10, total - worth) if worth <= total else (0, total)
        if profile.dig_trump_only:
            facts["winning_category"] = "trump"
        cards = {"trump": str(_TRUMP), "winning_play": [f"{suit}{level}"]}
        return _won(profile, captured, points, Shape(1), Role.ATTACKERS, **cards, **facts)

    main = Lines(f"The trump {level} wins the last trick for the attackers", f"闲家以主 {level} 赢得末圈")
    reached = Lines(f", {line} points in all", f"，共得 {line} 分")
    yield draft("hook", main + reached, dug(line, _TRUMP))
    other = Lines(f"A {level} of another suit wins it", f"以其他花色的 {level} 赢得末圈")
    yield draft("hook", other + reached, dug(line, Trump.S))
    short = Lines(f", {line - 5} points in all", f"，共得 {line - 5} 分")
    yield draft("hook", main + short, dug(line - 5, _TRUMP))
    if profile.hook_limit == 1:
        again = Lines("The same side is dug like that a second time", "同一方第二次被这样抠底")
        back = {"kind": "level_penalty", "side": str(_DEALER.side), "levels": profile.ladder.index(level)}
        between = (back,) if back["levels"] else ()
        yield draft("hook_limit", again, dug(line, _TRUMP), *between, dug(line, _TRUMP, dealer=str(_DEALER)))


@dataclass(frozen=True, slots=True)
class _PlayersDraft:
    """As `_Draft`, for a game of single players; `level` is that of every player, where levels are kept."""

    kind: str
    topic: str
    case: Lines
    sheet: dict[str, Any]
    level: Level | None = None


def _settled_alone(profile: Profile, draft: _PlayersDraft) -> WorkedCase:
    opening = states.IndividualOpening.first(profile)
    if draft.level is not None:
        opening = replace(opening, levels=dict.fromkeys(opening.levels, draft.level))
    entry = read_entry_of_players(profile, draft.sheet)
    result = fold_of_players(profile, opening, [entry], reasons=True).entries[-1]
    assert result.sentence is not None
    assert result.scores_sentence is not None
    return WorkedCase(
        kind=draft.kind,
        case=draft.case.text(),
        sentence=result.sentence,
        levels=result.scores_sentence,
        clause=profile.topics.get(draft.topic),
        opening=opening.to_json(),
        ledger=(draft.sheet,),
    )


def _one_against_the_rest(profile: Profile) -> Iterator[_PlayersDraft]:
    assert profile.bidding is not None
    lowest, highest = profile.bidding["low"], profile.bidding["high"]
    words = Lines(f"Seat 1 bids {highest}, seat 3 {lowest}", f"1 号位叫 {highest}，3 号位叫 {lowest}")
    for points in (lowest, lowest - profile.bidding["step"]):
        said = words + Lines(f"; the others get {points} points", f"，其余各家共得 {points} 分")
        sheet = {"kind": "hand", "bids": {"1": highest, "3": lowest}, "total_only": points}
        yield _PlayersDraft("bid", "bid", said, sheet)


def _everyone_alone(profile: Profile) -> Iterator[_PlayersDraft]:
    kitty, rest = 20, int(profile.points_max) - 20
    first = rest // 20 * 10
    points = {"1": first, "2": rest - first, "3": 0, "4": 0}
    for place in ("1", "2"):
        words = Lines(
            f"Seat 1 takes {points['1']} points in tricks, seat 2 {points['2']}; seat {place} wins the last "
            f"trick, with {kitty} points in the kitty",
            f"1 号位得 {points['1']} 分，2 号位得 {points['2']} 分，{place} 号位赢得末圈，底牌 {kitty} 分",
        )
        sheet = {"kind": "hand", "dealer": "1", "points": points, "last_trick_place": place, "kitty_points": kitty}
        yield _PlayersDraft("last_trick", "kitty.dig", words, sheet)


def _dealer_and_ally(profile: Profile) -> Iterator[_PlayersDraft]:
    line, ladder = int(profile.threshold), profile.ladder

    def draft(kind: str, topic: str, points: int, ally: str, level: Level) -> _PlayersDraft:
        alone = Lines("Seat 1 deals without an ally", "1 号位坐庄，没有盟友")
        allied = Lines(f"Seat 1 deals, seat {ally} is the ally", f"1 号位坐庄，{ally} 号位为盟友")
        words = (alone if ally == "1" else allied) + Lines(
            f"; the others get {points} points", f"，其余各家共得 {points} 分"
        )
        if level != ladder.first:
            words = Lines(f"All {playing(level)['en']}. ", f"各家{playing(level)['zh']}。") + words
        sheet = {"kind": "hand", "dealer": "1", "ally": ally, "total_only": points}
        return _PlayersDraft(kind, topic, words, sheet, level)

    yield draft("line", "table.below", line - 5, "3", ladder.first)
    yield draft("line", "ally", line - 5, "1", ladder.first)
    yield draft("line", "table.line", line, "3", ladder.first)
    yield draft("zero", "table.zero", 0, "3", ladder.first)
    yield draft("finish", "pass_a", line - 5, "3", ladder.last)


_DRAFTS_OF_DIVISION: Mapping[str, Callable[[Profile], Iterator[_PlayersDraft]]] = {
    "alone": _one_against_the_rest,
    "everyone": _everyone_alone,
    "ally": _dealer_and_ally,
}
