"""Questions made by a seed on what tables write down: ledgers of two sides and of single players, and how they end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from tools.mutation.cards import two_sides

Input = dict[str, Any]
_ALONE: Final = ("sandayi", "ersibai", "zhaopengyou")
_SEATS: Final = "SENW"
_SIDES: Final = ("dealer", "attackers")


def _individual_entry(profile: Any, chance: Random) -> Input:
    from scoring.individual.entries import places

    table = [one.value for one in places(profile)]
    kind = chance.choices(("hand", "annulled", "penalty", "adjusted", "end"), (9, 1, 1, 1, 0.4))[0]
    if kind == "annulled":
        return {"kind": kind, "reason": chance.choice(("all_passed", "misdeal", "redeal", "ruling"))}
    if kind == "penalty":
        what = "levels" if profile.ladder and profile.division == "ally" else "points"
        return {"kind": kind, "place": chance.choice(table), what: chance.choice((-3, -1, 1, 2)), "why": "late"}
    if kind == "adjusted":
        gains = {one: chance.randint(0, 2) for one in chance.sample(table, 2)}
        return {"kind": kind, "gains": gains, "why": "ruled"} | (
            {"dealer": chance.choice(table)} if chance.random() < 0.5 else {}
        )
    if kind == "end":
        ends = (
            {"reason": "time"},
            {"reason": "hands"},
            {"reason": "ruling"},
            {"reason": "left", "by": chance.choice(table)},
        )
        return {"kind": kind} | chance.choice(ends)
    return _individual_hand(profile, table, chance)


def _individual_hand(profile: Any, table: list[str], chance: Random) -> Input:
    points_max = int(profile.points_max)
    hand: Input = {"kind": "hand"}
    if profile.division == "everyone":
        kitty = 5 * chance.randint(0, 6)
        cuts = sorted(5 * chance.randint(0, (points_max - kitty) // 5) for _ in range(len(table) - 1))
        parts = [after - before for before, after in zip([0, *cuts], [*cuts, points_max - kitty], strict=True)]
        return hand | {
            "points": dict(zip(table, parts, strict=True)),
            "last_trick_place": chance.choice(table),
            "kitty_points": kitty,
        }
    hand |= {"captured_in_tricks": 5 * chance.randint(0, points_max // 5), "last_trick_winner": chance.choice(_SIDES)}
    if chance.random() < 0.4:
        hand |= {
            "led": [
                chance.choice(({"type": "single"}, {"type": "pair"}, {"type": "tractor", "width": 2, "length": 2}))
            ],
            "kitty_points": 5 * chance.randint(0, 8),
        }
    if chance.random() < 0.2:
        hand["throw_failures"] = [{"place": chance.choice(table), "cards": chance.randint(2, 4)}]
    if chance.random() < 0.1:
        hand["adjustments"] = [{"points": chance.choice((-10, 20)), "why": "late"}]
    if profile.division == "alone" and chance.random() < 0.6:
        bids = chance.sample(range(80, 125, 5), len(table))
        return hand | {
            "bids": {one: bid if chance.random() < 0.7 else None for one, bid in zip(table, bids, strict=True)}
        }
    hand["dealer"] = chance.choice(table)
    if profile.division == "alone":
        return hand | {"bid": chance.choice(range(80, 125, 5))}
    hand["ally"] = chance.choice(table)
    if chance.random() < 0.4:
        hand["level"] = chance.choice([str(one) for one in profile.ladder])
        hand |= {"treatment": "let_stand"} if chance.random() < 0.5 else {}
    return hand


def _individual_state(chance: Random) -> tuple[str, Input]:
    from scoring.individual.entries import places
    from scoring.profiles import load

    name = chance.choice(_ALONE)
    profile = load(name, individual=True)
    table = [one.value for one in places(profile)]
    asked: Input = {"ledger": [_individual_entry(profile, chance) for _ in range(chance.randint(1, 5))]}
    if name == "zhaopengyou" and chance.random() < 0.7:
        levels = chance.choice((["2", "5", "K", "A"], ["A", "K"]))
        asked["opening"] = {"levels": {one: chance.choice(levels) for one in table}}
        asked["opening"] |= {"first_dealer": chance.choice(table)} if chance.random() < 0.6 else {}
    if chance.random() < 0.3:
        asked["conditions"] = {"hands": chance.randint(1, 4)}
    return name, asked


def _one_hand(chance: Random) -> tuple[str, Input]:
    name, asked = _individual_state(chance)
    from scoring.individual.entries import places
    from scoring.profiles import load

    profile = load(name, individual=True)
    hand = _individual_hand(profile, [one.value for one in places(profile)], chance)
    levels = asked.get("opening", {}).get("levels")
    return name, {"hand": hand} | ({"levels": levels} if levels else {})


def _sitting(chance: Random) -> tuple[Any, Input]:
    from tools.conformance import _entry

    profile = two_sides(chance)
    ledger = []
    for _ in range(chance.randint(1, 4)):
        row = _entry(profile, chance)
        if row["kind"] == "hand":
            row |= _played(profile, chance)
        elif row["kind"] == "annulled":
            row |= chance.choice(
                ({"reason": "rebellion", "by": chance.choice(_SEATS), "hand_points": 10, "trump_count": 2}, {})
            )
        ledger.append(row)
    if chance.random() < 0.4:
        ends: tuple[Input, ...] = (
            {"reason": "time"},
            {"reason": "hands"},
            {"reason": "lead"},
            {"reason": "forfeit", "by": chance.choice(("NS", "EW"))},
        )
        ledger.append({"kind": "end", **chance.choice(ends)})
    levels = [str(level) for level in profile.ladder]
    opening = {
        "levels": {side: chance.choice(levels) for side in ("NS", "EW")},
        "first_dealer": chance.choice((*_SEATS, None)),
    }
    return profile.id, {"opening": opening, "ledger": ledger} | _conditions(profile, chance)


def _played(profile: Any, chance: Random) -> Input:
    more: Input = {
        "dealer": chance.choice(_SEATS),
        "level": chance.choice([str(one) for one in profile.ladder]),
        "treatment": chance.choice(("let_stand", "recompute")),
        "winning_category": chance.choice(("trump", "side")),
        "adjustments": [{"points": chance.choice((-80, -10, 20)), "why": "x"}],
        "dark_bids": [{"side": chance.choice(_SIDES), "times": chance.randint(1, 2)}],
        "specials": [{"event": chance.choice(("red_fives_declared", "red_fives_dug", "dug_510K")), "by": "attackers"}],
        "declared_by": chance.choice(_SEATS),
        "last_trick_points": 5 * chance.randint(0, 8),
    }
    return {name: more[name] for name in chance.sample(list(more), chance.choice((0, 0, 1, 1, 2)))}


def _conditions(profile: Any, chance: Random) -> Input:
    levels = [str(level) for level in profile.ladder]
    found: tuple[Any, ...] = (
        None,
        {"lead_levels": chance.randint(1, 5)},
        {"hands": chance.randint(1, 4)},
        {"hands": 2, "tie_rule": chance.choice(("on_stage", "draw", "first_to_reach", "extra_hand", "lots"))},
        {"format": chance.choice(("timed", "first_past", "fixed_hands"))},
        {
            "fixed": [
                {"level": chance.choice(levels), "dealer": chance.choice(_SEATS)} for _ in range(chance.randint(1, 4))
            ]
        },
    )
    chosen = chance.choice(found)
    return {} if chosen is None else {"conditions": chosen}


def _matched(chance: Random) -> tuple[Any, Input]:
    profile = two_sides(chance)
    levels = [*(str(one) for one in profile.ladder), "passed"]
    one = chance.choice(levels)
    asked: Input = {
        "format": chance.choice(("timed", "first_past", "fixed_hands")),
        "levels": {"NS": one, "EW": chance.choice((one, chance.choice(levels)))},
    }
    more = {
        "on_stage": chance.choice(("NS", "EW")),
        "reached_first": chance.choice(("NS", "EW")),
        "tie_rule": chance.choice(("on_stage", "draw", "first_to_reach", "extra_hand", "lots")),
    }
    return profile.id, asked | {name: more[name] for name in chance.sample(list(more), chance.randint(0, 3))}


MAKERS: Final[tuple[tuple[str, Callable[[Random], tuple[Any, Input]]], ...]] = (
    ("individual_state", _individual_state),
    ("individual_hand", _one_hand),
    ("sitting_state", _sitting),
    ("match_result", _matched),
)
