"""Questions made by a seed on cards: what they make, what follows, throws, tricks, auctions, hands played out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

Input = dict[str, Any]
_ALONE: Final = ("sandayi", "ersibai", "zhaopengyou")
_SEATS: Final = "SENW"
_SIDES: Final = ("dealer", "attackers")


def two_sides(chance: Random) -> Any:
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


def _shapes(chance: Random) -> tuple[Any, Input]:
    profile = _any(chance)
    return profile.id, {**_ground(profile, chance), "cards": _few(profile, chance, chance.randint(1, 8))}


def _any(chance: Random) -> Any:
    from scoring.profiles import load

    return load(chance.choice(_ALONE), individual=True) if chance.random() < 0.12 else two_sides(chance)


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
    profile = two_sides(chance)
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
    profile = two_sides(chance)
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
    profile = two_sides(chance)
    size = profile.deal_sizes[profile.decks][1]
    kitty = _pack(profile, chance)[: size if chance.random() < 0.7 else chance.randint(1, size + 1)]
    return profile.id, {
        "hand_no": chance.choice((1, 2)),
        "level": chance.choice([str(one) for one in profile.ladder]),
        "kitty_top_first": kitty,
    }


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


MAKERS: Final[tuple[tuple[str, Callable[[Random], tuple[Any, Input]]], ...]] = (
    ("shapes", _shapes),
    ("follow", _follow),
    ("follow_set", _follow_set),
    ("trick", _trick),
    ("throw", _throw),
    ("forced_small", _forced),
    ("replay", _replay),
    ("return_duty", _returned),
    ("auction", _auction),
    ("flip_kitty", _flipped),
)
