"""Questions made by a seed for the ops that the typed cases say little of: what makes sense there, at its edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

Input = dict[str, Any]
_IDS: Final = tuple("abcdefgh")
_ALONE: Final = ("sandayi", "ersibai", "zhaopengyou")
_SEATS: Final = "SENW"
_SIDES: Final = ("dealer", "attackers")


def made(seed: str, each: int) -> Iterator[dict[str, Any]]:
    """Questions of every op that is made here, so many of each."""
    from tools.mutation.edges import MAKERS

    for name, maker in (*_MAKERS.items(), *MAKERS):
        chance = Random(f"{seed} {name} {maker.__name__}")  # noqa: S311 - chance, not secrecy
        for _ in range(each):
            profile, asked = maker(chance)
            question = {"profile": profile, "input": {"op": name, **asked}}
            yield question if profile is not None else {"input": question["input"]}


def _two_sides(chance: Random) -> Any:
    from scoring.profiles import load, profile_ids

    return load(chance.choice(profile_ids()))


def _pack(profile: Any, chance: Random) -> list[str]:
    from scoring.cards.deck import FACES

    pack = [str(card) for card in FACES * profile.decks]
    chance.shuffle(pack)
    return pack


def _ground(profile: Any, chance: Random) -> Input:
    levels = [str(one) for one in profile.ladder]
    trumps = "SHCD" if not profile.no_trump_allowed or chance.random() < 0.7 else ("NT",)
    return {"level": chance.choice(levels) if levels else None, "trump": chance.choice(trumps)}


def _few(profile: Any, chance: Random, size: int) -> list[str]:
    """Cards from few ranks and suits, so that there are pairs, triples and tractors among them."""
    suits = chance.sample("SHCD", chance.choice((1, 1, 2, 2)))
    low = chance.randrange(8)
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")[low : low + chance.randint(2, 6)]
    some = [f"{suit}{rank}" for suit in suits for rank in ranks] * profile.decks
    if chance.random() < 0.4:
        some += ["JS", "JB"] * profile.decks
    chance.shuffle(some)
    return some[:size]


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


def _shapes(chance: Random) -> tuple[Any, Input]:
    profile = _any(chance)
    return profile.id, {**_ground(profile, chance), "cards": _few(profile, chance, chance.randint(1, 8))}


def _any(chance: Random) -> Any:
    from scoring.profiles import load

    return load(chance.choice(_ALONE), individual=True) if chance.random() < 0.12 else _two_sides(chance)


def _follow(chance: Random) -> tuple[Any, Input]:
    profile = _any(chance)
    size = chance.choice((1, 2, 2, 3, 4, 4, 5, 6))
    lead = _lead(profile, chance, size)
    suit = [card for card in _few(profile, chance, 40) if card[0] == lead[0][0]]
    hand = (suit + _few(profile, chance, 12))[: chance.randint(len(lead), 14)]
    hand += _few(profile, chance, 20)[: max(0, len(lead) - len(hand))]
    asked = {
        **_ground(profile, chance),
        "lead": lead,
        "hand": hand,
        "play": chance.sample(hand, min(len(lead), len(hand))),
    }
    return profile.id, asked


def _lead(profile: Any, chance: Random, size: int) -> list[str]:
    """Cards of one suit or trumps: equal ones, a run, or anything."""
    suit, ranks = chance.choice("SHCD"), ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    at, width = chance.randrange(10), chance.randint(1, max(1, min(3, profile.decks)))
    kind = chance.random()
    if kind < 0.3:
        return [f"{suit}{ranks[at]}"] * width
    if kind < 0.7 and profile.decks > 1:
        width = max(2, width)
        return [f"{suit}{rank}" for rank in ranks[at : at + chance.randint(2, 3)] for _ in range(width)]
    some = [f"{suit}{rank}" for rank in ranks for _ in range(profile.decks)]
    return chance.sample(some, min(size, len(some)))


def _follow_set(chance: Random) -> tuple[Any, Input]:
    name, asked = _follow(chance)
    play = asked.pop("play")
    asked["hand"] = asked["hand"][:9]
    return name, asked | ({"prefix": play[: chance.randint(0, 2)]} if chance.random() < 0.4 else {})


def _trick(chance: Random) -> tuple[Any, Input]:
    profile = _any(chance)
    lead = _lead(profile, chance, chance.choice((1, 2, 3, 4)))
    ground = _ground(profile, chance)
    seats = (
        "12345"[: profile.players] if profile.division != "sides" else chance.choice(("SENW", "ESWN", "NWSE", "WSEN"))
    )
    plays: list[Any] = [[seats[0], lead]]
    for seat in seats[1:]:
        other = _lead(profile, chance, len(lead))
        if chance.random() < 0.5:
            trump = ground["trump"] if ground["trump"] != "NT" else "S"
            suit = chance.choice((lead[0][0], trump)).replace("J", "S")
            other = [card if card[0] == "J" else suit + card[1:] for card in other]
        plays.append([seat, (other * len(lead))[: len(lead)]])
    asked: Input = {**ground, "plays": plays[: chance.choice((4, 4, 4, 2, 5))]}
    if chance.random() < 0.4 and profile.division == "sides":
        asked["dealer_side"] = chance.choice(("NS", "EW"))
    return profile.id, asked


def _throw(chance: Random) -> tuple[Any, Input]:
    profile = _any(chance)
    suit = chance.choice("SHCD")
    some = [f"{suit}{rank}" for rank in ("3", "5", "8", "9", "10", "J", "Q", "K", "A") for _ in range(profile.decks)]
    chance.shuffle(some)
    size = chance.randint(2, 5)
    others: list[Any] = [
        some[size + 4 * at : size + 4 * at + chance.randint(1, 4)] for at in range(profile.players - 1)
    ]
    others = [None if chance.random() < 0.12 else one for one in others]
    asked: Input = {**_ground(profile, chance), "thrown": some[:size], "others": others}
    return profile.id, asked | ({"side": chance.choice(_SIDES)} if chance.random() < 0.4 else {})


def _forced(chance: Random) -> tuple[Any, Input]:
    name, asked = _throw(chance)
    asked = {key: asked[key] for key in ("level", "trump", "thrown")}
    kinds = chance.sample(("single", "pair", "triple", "quad", "tractor"), chance.randint(1, 4))
    return name, asked | {"others_hold_bigger": {kind: chance.random() < 0.5 for kind in kinds}}


def _replay(chance: Random) -> tuple[None, Input]:
    from scoring.cards.records import write
    from scoring.profiles import load
    from scoring.simulation.hand import simulate
    from scoring.simulation.single import simulate_single
    from scoring.values import Seat

    if chance.random() < 0.4:
        single = simulate_single(load(chance.choice(_ALONE), individual=True), chance)
        return None, {"record": _stated(write(single), chance, ("1", "2", "3", "4"))}
    profile = _two_sides(chance)
    record = simulate(profile, chance, dealer=chance.choice([None, *Seat]), level=chance.choice(list(profile.ladder)))
    return None, {"record": _stated(write(record), chance, tuple(_SEATS))}


def _stated(record: str, chance: Random, seats: tuple[str, ...]) -> str:
    """A record with another end: a comment, and what a sheet says it came to, right or wrong."""
    points = str(5 * chance.randint(0, 40))
    every = {
        "captured": points,
        "kitty": "10",
        "factor": "2",
        "fines": "10",
        "last_trick": "20",
        "adjustments": "-10",
        "total": points,
        "levels": "1",
        "winner": chance.choice(_SIDES),
        "last": chance.choice((*_SIDES, *seats)),
        "next": chance.choice(seats),
        "bid": "100",
        "ally": chance.choice(seats),
        "taken_1": points,
    }
    told = chance.sample(list(every), chance.randint(0, 4))
    comment = "{a comment\nof two lines}\n" if chance.random() < 0.1 else ""
    if not told:
        return record + comment
    return (
        record.partition("\nresult\n")[0] + "\nresult\n" + "".join(f"{name} {every[name]}\n" for name in told) + comment
    )


def _auction(chance: Random) -> tuple[Any, Input]:
    """Bids, passes, and what follows where nobody declares: a turned kitty, a named suit; burials and rebels."""
    profile = _two_sides(chance)
    pack = _pack(profile, chance)
    level, size = chance.choice([str(one) for one in profile.ladder]), profile.deal_sizes[profile.decks][1]
    acts: list[Any] = []
    if chance.random() < 0.5:
        acts += [
            {
                "by": chance.choice(_SEATS),
                "act": "declare",
                "cards": [f"{chance.choice('SHCD')}{level}"] * chance.randint(1, 2),
            }
        ]
        acts += [
            {"by": chance.choice(_SEATS), "act": "counter", "cards": [_high(suit, level, chance)] * 2}
            for suit in chance.sample("SHCD", chance.randint(0, 2))
        ]
    else:
        acts += [{"by": seat, "act": "pass"} for seat in _SEATS[: chance.choice((0, 4, 4))]]
        flips = [
            {"act": "flip", "cards": pack[: chance.randint(1, max(1, size))]},
            {"act": "flip", "cards": pack[:size]},
        ]
        acts += chance.choice(
            (flips[:1], flips[1:], [{"by": chance.choice(_SEATS), "act": "name", "names": chance.choice("SHCD")}])
        )
    taker = chance.choice(_SEATS)
    buries = [{"by": taker, "act": "take_kitty"}, {"by": taker, "act": "bury", "cards": pack[:size]}]
    acts += buries[: chance.choice((0, 1, 2, 2))]
    acts += [{"by": seat, "act": "pass"} for seat in chance.sample(_SEATS, chance.choice((0, 0, 3, 4)))]
    if chance.random() < 0.3:
        acts.append(
            {
                "by": chance.choice(_SEATS),
                "act": "rebel",
                "hand_points": 5 * chance.randint(0, 5),
                "trump_count": chance.randint(0, 5),
            }
        )
    asked: Input = {"level": level, "acts": acts, "hand_no": chance.choice((1, 2))}
    more = {
        "dealer": chance.choice(_SEATS),
        "first_drawer": chance.choice(_SEATS),
        "complete": True,
        "attackers_level": "5",
        "previous_hand_was_rebellion": True,
    }
    asked |= {name: more[name] for name in ("dealer", *chance.sample(list(more), 1))[: chance.choice((0, 1, 2))]}
    return profile.id, asked


def _high(suit: str, level: str, chance: Random) -> str:
    return chance.choice(("JS", "JB", f"{suit}{level}"))


def _flipped(chance: Random) -> tuple[Any, Input]:
    profile = _two_sides(chance)
    size = profile.deal_sizes[profile.decks][1]
    kitty = _pack(profile, chance)[: size if chance.random() < 0.7 else chance.randint(1, size + 1)]
    return profile.id, {
        "hand_no": chance.choice((1, 2)),
        "level": chance.choice([str(one) for one in profile.ladder]),
        "kitty_top_first": kitty,
    }


def _sitting(chance: Random) -> tuple[Any, Input]:
    from tools.conformance import _entry

    profile = _two_sides(chance)
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


def _returned(chance: Random) -> tuple[str, Input]:
    """A hand of the national rules begun by the dealer, with side leads that may ask."""
    from scoring.profiles import load

    profile = load("cn-national-2d")
    pack = _pack(profile, chance)
    hands = {seat: pack[at * 12 : (at + 1) * 12] for at, seat in enumerate(_SEATS)}
    held, leader, tricks = {seat: list(cards) for seat, cards in hands.items()}, "S", []
    for _ in range(chance.randint(1, 6)):
        order = [_SEATS[(_SEATS.index(leader) + step) % 4] for step in range(4)]
        lead = chance.choice(held[leader])
        trick = []
        for seat in order:
            same = [card for card in held[seat] if card[0] == lead[0]]
            card = lead if seat == leader else chance.choice(same or held[seat])
            held[seat].remove(card)
            trick.append([seat, [card]])
        tricks.append(trick)
        leader = chance.choice((leader, "S", "S", *order))
    if chance.random() < 0.2:
        tricks[-1] = tricks[-1][: chance.randint(1, 3)]
    asked: Input = {
        "level": chance.choice(("10", "2", "7")),
        "trump": chance.choice("SHCD"),
        "dealer": "S",
        "direct": chance.sample(["8", "9", "J", "Q", "6", "7"], 4),
        "hand": hands["S"],
        "tricks": tricks,
        "event": {"return_duty": chance.choice(("normal", "strict")), "return_fine": 20},
    }
    return profile.id, asked


def _matched(chance: Random) -> tuple[Any, Input]:
    profile = _two_sides(chance)
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


_MAKERS: Final[dict[str, Callable[[Random], tuple[Any, Input]]]] = {
    "knockout_standings": _knockout,
    "overall_placing": _placing,
    "individual_state": _individual_state,
    "individual_hand": _one_hand,
    "board_scores": _board,
    "victory_points": _victory,
    "shapes": _shapes,
    "follow": _follow,
    "follow_set": _follow_set,
    "trick": _trick,
    "throw": _throw,
    "forced_small": _forced,
    "replay": _replay,
    "sitting_state": _sitting,
    "return_duty": _returned,
    "match_result": _matched,
    "auction": _auction,
    "flip_kitty": _flipped,
}
