"""More questions made by a seed, for rules that few events need: tie-breaks, own penalties, fixed hands, sheets."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

Input = dict[str, Any]
_IDS: Final = tuple("abcdef")
_SEATS: Final = "SENW"
_SIDES: Final = ("dealer", "attackers")
_CODES: Final = (
    "points",
    "wins",
    "opponents",
    "opponents_played",
    "head_to_head",
    "mini_group",
    "mini_net",
    "net_levels",
    "sum_levels",
    "last_round_back",
    "best_scores",
    "penalties",
    "board_points",
)


def standings(chance: Random) -> tuple[None, Input]:
    """A small field after a few rounds, with byes, forfeits, lots, extra matches and who is ruled out."""
    ids: list[Any] = list(_IDS[: chance.choice((2, 4, 5, 6))])
    results = [
        _match(number, pair, chance) for number in range(1, chance.randint(2, 4)) for pair in _pairs(ids, chance)
    ]
    chain = chance.sample(_CODES, chance.randint(1, 4))
    asked: Input = {"chain": chain, "entrants": ids, "results": results}
    if chance.random() < 0.4:
        chain.append(chance.choice(("lots", "extra_match")))
        asked |= chance.choice(({"seed": "s" * chance.choice((1, 200))}, {"drawn": chance.sample(ids, len(ids))}, {}))
    two = chance.sample(ids, 2)
    more: Input = {
        "penalties": {two[0]: chance.randint(0, 3)},
        "fines": {two[0]: chance.choice(("0.5", "1"))},
        "carried": {two[1]: "1.5"},
        "board_points": {one: str(chance.randint(0, 9)) for one in ids},
        "byes": "average",
        "excluded": two[:1],
        "lines": sorted(chance.sample(range(1, 6), 2)),
        "prizes": ["100", "50.5", "0"],
        "extra_matches": [{"home": two[0], "away": two[1], "winner": chance.choice((*two, None))}],
        "scale": chance.choice(("mp_210", "ti_15", "hand_points")),
        "points_are": chance.choice(("matchpoints", "imps")),
    }
    return None, asked | {name: more[name] for name in chance.sample(list(more), chance.randint(0, 4))}


def _pairs(ids: list[Any], chance: Random) -> list[tuple[Any, Any]]:
    order: list[Any] = chance.sample(ids, len(ids))
    return list(zip(order[::2], [*order[1::2], None][: (len(order) + 1) // 2], strict=True))


def _match(number: int, pair: tuple[Any, Any], chance: Random) -> Input:
    home, away = pair
    row: Input = {"round": number, "home": home, "away": away}
    if away is None:
        return row | {"outcome": "bye", "home_score": chance.choice(("2", "1", "0")), "away_score": "0", "winner": None}
    if chance.random() < 0.1:
        gone = chance.choice(("home_forfeit", "away_forfeit", "double_forfeit"))
        won = {"home_forfeit": away, "away_forfeit": home}.get(gone)
        scores = {"home_score": "2" if won == home else "0", "away_score": "2" if won == away else "0"}
        return row | {"outcome": gone, "winner": won} | scores
    worth = chance.choice((("2", "0"), ("1", "1"), ("0", "2")))
    levels = [chance.choice(("3", "5", "8", "K", "A", "passed")) for _ in range(2)]
    scores = {"home_score": worth[0], "away_score": worth[1], "home_level": levels[0], "away_level": levels[1]}
    return row | {"outcome": "played", "winner": {"2": home, "0": away}.get(worth[0])} | scores


def irregularity(chance: Random) -> tuple[str, Input]:
    """An offence under a schedule with ladders and minutes of its own."""
    from scoring.penalties import load

    base = chance.choice(("standard", "friendly", "strict", "boards"))
    offences = load(base).offences
    code = chance.choice([*offences, "late", "late"])
    case = chance.choice(offences[code].cases).clause.removeprefix("penalty.")
    asked: Input = {
        "irregularity": code,
        "by": chance.choice(("NS", "EW")),
        "dealer": chance.choice(_SEATS),
        "earlier": chance.choice((0, 0, 1, 2, 3, 100)),
    }
    facts: Input = {
        "both": True,
        "found": chance.choice(("drawing", "at_once", "later")),
        "agreed": True,
        "minutes": chance.randint(0, 22),
        "round_minutes": chance.choice((36, 40, 60)),
        "cards": 3,
        "attackers_total": chance.choice((0, 75, 80, 120)),
    }
    asked |= {name: facts[name] for name in chance.sample(list(facts), chance.randint(1, 4))}
    own: Input = {"base": base}
    if chance.random() < 0.7:
        own["set"] = {case: [_step(chance) for _ in range(chance.randint(1, 2))]}
    if chance.random() < 0.5:
        own["limits"] = {chance.choice(("late.forfeit", "late.levels", case)): chance.choice((0, 1, 10, 600, 601))}
    return chance.choice(("cn-national-2d", "chaodipi", "scn2-2013")), asked | {"schedule": own}


def _step(chance: Random) -> Input:
    one: Input = chance.choice(
        (
            {"unit": "none"},
            {"unit": "warning"},
            {"unit": "forfeit"},
            {"unit": "exclusion"},
            {"unit": "points", "amount": chance.choice((0, 5, 20, 400, 1000))},
            {
                "unit": "levels",
                "of": chance.choice(("guilty", "innocent")),
                "amount": chance.choice((-3, -1, 0, 1, 2, 12)),
            },
            {"unit": "result", "amount": chance.choice((0, 1, 3, 12))},
            {"unit": "annul", "reason": chance.choice(("misdeal", "redeal", "ruling"))},
            {"unit": "match_points", "mode": "add", "amount": chance.choice(("-0.5", "-1", "1", "0.3"))},
            {"unit": "match_points", "mode": "set", "amount": "0", "innocent": chance.choice(("2", "0", "-1", None))},
            {"unit": "profile_fine", "fine": chance.choice(("throw", "dark_bid"))},
        )
    )
    if one["unit"] == "levels" and chance.random() < 0.4:
        one["each"] = {"minutes": chance.choice((0, 1, 5, 120)), "after": chance.choice((0, 5, 120, 121))}
    return one


def fixed_game(chance: Random) -> tuple[str, Input]:
    hands = [
        {"dealer": chance.choice(_SEATS), "attackers_total": 5 * chance.randint(-2, 50)}
        for _ in range(chance.randint(1, 4))
    ]
    return chance.choice(("cn-national-2d", "online-super", "wiki-one-deck")), {
        "trump": chance.choice("SHCD"),
        "levels": {"NS": "2", "EW": "5"},
        "hands": hands,
        "scoring": chance.choice(("points", "hand_points", "wins")),
    }


def fixed_sitting(chance: Random) -> tuple[str, Input]:
    """Fixed levels; totals from a slip; hooks, jumps and the flag; what a referee ruled."""
    name = chance.choice(("cn-national-2d", "scn2-2013", "scn3-2026", "chaodipi", "chaodipi", "nanning-4d"))
    ledger = [_row(name, chance) for _ in range(chance.randint(1, 4))]
    level = {"scn2-2013": "J", "scn3-2026": "J", "chaodipi": chance.choice(("A", "K", "5")), "nanning-4d": "3"}.get(
        name, "2"
    )
    asked: Input = {
        "opening": {"levels": {"NS": level, "EW": chance.choice((level, "5"))}, "first_dealer": chance.choice(_SEATS)}
    }
    if chance.random() < 0.4:
        asked["conditions"] = {"fixed": [{"level": chance.choice(("5", "7"))} for _ in range(chance.randint(1, 4))]}
    return name, asked | {"ledger": ledger}


def _row(name: str, chance: Random) -> Input:
    kind = chance.random()
    if kind < 0.15:
        return {
            "kind": "level_penalty",
            "side": chance.choice(("NS", "EW")),
            "levels": chance.choice((-1, 1)),
            "why": {"en": "x", "zh": "y"},
        }
    if kind < 0.25:
        return {
            "kind": "adjusted",
            "side": chance.choice(("NS", "EW")),
            "levels": chance.randint(0, 2),
            "deal_changes_hands": True,
            "why": "r",
        }
    if kind < 0.45:
        return {"kind": "hand", "total_only": chance.choice((0, 40, 80, 165)), "trump": "H"} | (
            {"adjustments": [{"points": 10, "why": {"en": "x", "zh": "y"}}]} if chance.random() < 0.4 else {}
        )
    hand: Input = {
        "kind": "hand",
        "captured_in_tricks": chance.choice((0, 40, 75, 80, 100, 200)),
        "trump": chance.choice("HC"),
    }
    if name == "nanning-4d":
        return hand | {
            "last_trick_winner": chance.choice(_SIDES),
            "led": [{"type": "pair"}],
            "last_trick_points": chance.choice((0, 10, 40, 45)),
        }
    hand |= {
        "last_trick_winner": "attackers",
        "led": [{"type": chance.choice(("single", "pair"))}],
        "kitty_points": chance.choice((0, 10)),
        "winning_play": chance.choice((["HJ"], ["HJ", "HJ"], ["SJ", "SJ"], ["H5", "H5"], ["HA"])),
    }
    if name == "chaodipi" and chance.random() < 0.6:
        hand["specials"] = [
            {"event": chance.choice(("red_fives_declared", "red_fives_dug", "dug_510K")), "by": chance.choice(_SIDES)}
            for _ in range(chance.randint(1, 2))
        ]
    return hand


def throw_penalty(chance: Random) -> tuple[Any, Input]:
    base = chance.choice(("cn-national-2d", "scn2-2013", "changzhou-4d"))
    own = {"throw_fine": chance.choice((5, 10)), "throw_fine_per": chance.choice(("card", "card_but_one"))}
    return {"base": base, "set": own}, {"failing_side": chance.choice(_SIDES), "cards_thrown": chance.randint(2, 26)}


def called(chance: Random) -> tuple[str, Input]:
    """A hand of players who call a friend, with the call on record."""
    hand: Input = {
        "dealer": chance.choice("12345"),
        "ally": chance.choice("12345"),
        "captured_in_tricks": 5 * chance.randint(0, 60),
        "last_trick_winner": chance.choice(_SIDES),
        "call": {"card": chance.choice(("SA", "HK", "JB", "X1"))},
    }
    if chance.random() < 0.6:
        hand["call"]["ordinal"] = chance.randint(0, 4)
    return "zhaopengyou", {"hand": hand}


MAKERS: Final[tuple[tuple[str, Callable[[Random], tuple[Any, Input]]], ...]] = (
    ("standings", standings),
    ("irregularity", irregularity),
    ("fixed_game", fixed_game),
    ("sitting_state", fixed_sitting),
    ("throw_penalty", throw_penalty),
    ("individual_hand", called),
)
