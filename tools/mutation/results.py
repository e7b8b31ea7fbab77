"""Questions made by a seed on what results come to: knockouts, places after stages, boards, victory points."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

Input = dict[str, Any]
_IDS: Final = tuple("abcdefgh")


def _knockout(chance: Random) -> tuple[None, Input]:
    size = chance.choice((2, 4, 8, 3, 6))
    entrants = list(_IDS[:size])
    matches, field, number = [], list(entrants), 1
    stop = chance.randint(1, 4)
    while len(field) > 1 and number <= stop:
        winners, losers = [], []
        if len(field) % 2:
            one = field.pop()
            matches.append({"round": number, "home": one, "away": None, "winner": one, "outcome": "bye"})
            winners.append(one)
        for home, away in zip(field[::2], field[1::2], strict=True):
            if chance.random() < 0.1:
                continue
            outcome = chance.choice(("played",) * 6 + ("home_forfeit", "away_forfeit", "double_forfeit"))
            won = {"home_forfeit": away, "away_forfeit": home, "double_forfeit": None}.get(
                outcome, chance.choice((home, away))
            )
            matches.append({"round": number, "home": home, "away": away, "winner": won, "outcome": outcome})
            winners += [won] if won else []
            losers += [home if won == away else away]
        if len(losers) == 2 and chance.random() < 0.6:
            matches.append(
                {
                    "round": number + 1,
                    "home": losers[0],
                    "away": losers[1],
                    "winner": chance.choice(losers),
                    "outcome": "played",
                    "for_place": 3,
                }
            )
        field, number = winners, number + 1
    asked: Input = {"entrants": entrants, "matches": matches}
    more: Input = {
        "withdrawn": chance.sample(entrants, 1),
        "excluded": chance.sample(entrants, 1),
        "lines": [1, 2],
        "numbers": {one: at for at, one in enumerate(entrants, 1)},
        "prizes": ["100", "50"],
    }
    return None, asked | {name: more[name] for name in chance.sample(list(more), chance.randint(0, 3))}


def _placing(chance: Random) -> tuple[None, Input]:
    entrants = list(_IDS)
    stages = []
    for size in (chance.randint(2, 4), 8):
        ranks = sorted(chance.choices(range(1, size + 1), k=size))
        stages.append(
            [
                {"entrant": one, "rank": rank if chance.random() < 0.9 else None}
                for one, rank in zip(chance.sample(entrants, size), ranks, strict=True)
            ]
        )
    asked: Input = {"stages": stages}
    if chance.random() < 0.5:
        asked["categories"] = {one: chance.choice(("youth", "ladies", "")) for one in entrants if chance.random() < 0.8}
    return None, asked


def _board(chance: Random) -> tuple[Any, Input]:
    method = chance.choice(("matchpoints", "neuberg", "cross_imp", "board_against_board"))
    measure = chance.choice(("attackers_points", "hand_points"))
    side = chance.choice(("NS", "EW"))
    tables = 2 if method == "board_against_board" else chance.randint(1, 4)
    results = []
    for at in range(tables):
        pairs = {"ns": _IDS[2 * at], "ew": _IDS[2 * at + 1]}
        if method == "board_against_board" and at:
            pairs = {"ns": "b", "ew": "a"}
        results.append(
            {
                **pairs,
                "dealer_side": side if measure == "attackers_points" else chance.choice(("NS", "EW")),
                **_result(chance),
            }
        )
    asked: Input = {"method": method, "measure": measure, "results": results}
    if chance.random() < 0.4:
        asked["expected"] = tables + chance.randint(0, 3)
    if chance.random() < 0.5:
        asked["scale"] = chance.choice(("difference", "wins", "imp"))
    if chance.random() < 0.4:
        asked["ten_percent"] = chance.choice(("2", "1.5", 4))
    if chance.random() < 0.3:
        asked["own_percent"] = {one: str(chance.randint(0, 100)) for one in chance.sample(_IDS, 2)}
    profile = chance.choice(("cn-national-2d", "online-super", "chaodipi"))
    return (profile if measure == "hand_points" or chance.random() < 0.2 else None), asked


def _result(chance: Random) -> Input:
    total = lambda: chance.choice((5, -5, 40, 80, 85, 120, 200, 320, 5 * chance.randint(0, 900)))  # noqa: E731
    percent = lambda: chance.choice(("average_plus", "average", "average_minus", "65", 30))  # noqa: E731
    kind = chance.random()
    if kind < 0.6:
        return {"attackers_total": total()}
    if kind < 0.72:
        return {"weighted": [{"attackers_total": total(), "weight": "65"}, {"attackers_total": total(), "weight": 35}]}
    if kind < 0.9:
        return {"artificial": {"ns": percent(), "ew": percent()}}
    halves: tuple[Input, ...] = (
        {"attackers_total": total()},
        {"artificial": percent()},
        {"weighted": [{"attackers_total": total(), "weight": 100}]},
    )
    return {"split": {"ns": chance.choice(halves), "ew": chance.choice(halves)}}


def _victory(chance: Random) -> tuple[None, Input]:
    asked: Input = {"margin": chance.randint(-80, 80), "boards": chance.randint(1, 40)}
    return None, asked | ({"factor": chance.choice((10, "7.5", 15, 1))} if chance.random() < 0.3 else {})


MAKERS: Final[tuple[tuple[str, Callable[[Random], tuple[Any, Input]]], ...]] = (
    ("knockout_standings", _knockout),
    ("overall_placing", _placing),
    ("board_scores", _board),
    ("victory_points", _victory),
)
