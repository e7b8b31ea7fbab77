"""The edges of every profile as questions: both sides of each band, each level of the ladder, each shape in the kitty,
ledgers, auctions, records, offences, scores and tables, and cards dealt by a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

SHAPES: Final = (
    [{"type": "single"}],
    [{"type": "pair"}],
    [{"type": "triple"}],
    [{"type": "tractor", "width": 2, "length": 2}],
    [{"type": "tractor", "width": 2, "length": 3}],
    [{"type": "pair"}, {"type": "single"}],
    [{"type": "single"}, {"type": "single"}],
)


def edges() -> Iterator[tuple[str, dict[str, Any]]]:
    """Questions at the edges of every profile, by profile."""
    from scoring.profiles import load, profile_ids

    for name in profile_ids():
        profile = load(name)
        totals = {total for band in profile.bands(-100, 300) for low in (band.low, band.high) if low is not None
                  for total in (low - 5, low, low + 5) if -200 <= total <= 500}  # fmt: skip
        for total in sorted(totals):
            yield name, {"op": "level_result", "attackers_total": total}
        for level in profile.ladder:
            for role in ("dealer", "attackers"):
                for won in range(4):
                    yield name, {"op": "advance_level", "role": role, "level": str(level), "levels_won": won}
        for led in SHAPES:
            for winner in ("attackers", "dealer"):
                yield name, {"op": "kitty_bonus", "led": led, "kitty_points": 25, "last_trick_winner": winner}
        for side in ("dealer", "attackers"):
            for cards in (2, 3, 5):
                yield name, {"op": "throw_penalty", "failing_side": side, "cards_thrown": cards}
        for total in (0, int(profile.threshold) - 5, int(profile.threshold)):
            yield name, {"op": "next_dealer", "dealer": "W", "event": "hand", "attackers_total": total}
        for points, trumps in ((0, 5), (10, 2), (15, 0), (40, 9)):
            yield name, {"op": "rebellion_allowed", "role": "attackers", "hand_points": points, "trump_count": trumps,
                         "trump": "H"}  # fmt: skip
        yield name, {"op": "total_points"}
        yield name, {"op": "deal_size"}
        chance = Random(name)  # noqa: S311 - chance, not secrecy
        for made in (at_cards, ledgers, before_play, records):
            yield from ((name, one) for one in made(profile, chance))
    chance = Random("tables")  # noqa: S311 - chance, not secrecy
    for asked in (*irregularities(), *scores(), *tables(chance)):
        yield "cn-national-2d", asked
    for name in profile_ids():
        yield from ((name, one) for one in joints(load(name)))


def joints(profile: Any) -> Iterator[dict[str, Any]]:
    """Two pairs that meet beside the level, at the level cards and at the jokers, with a trump suit and without."""
    from scoring.values import RANKS

    if profile.decks == 1:
        return
    level = str(profile.ladder.levels[5])
    low, high = RANKS[RANKS.index(level) - 1], RANKS[RANKS.index(level) + 1]
    met = [("H" + low, "H" + high), ("S" + low, "S" + high), ("SK", "SA"), ("SA", "H" + level), ("S2", "H2")]
    met += [("H" + level, "S" + level), ("H" + level, "JS"), ("S" + level, "JS"), ("JS", "JB")]
    for trump in ("S", "NT") if profile.no_trump_allowed else ("S",):
        for pair in met:
            yield {"op": "is_tractor", "level": level, "trump": trump, "cards": [*pair, *pair]}


def ledgers(profile: Any, chance: Random) -> Iterator[dict[str, Any]]:
    """Matches hand by hand, with digs, fines, hooks, annulments and penalties, from every level."""
    levels = [str(level) for level in profile.ladder]
    conditions: tuple[Any, ...] = (None, {"lead_levels": 4}, {"hands": 4, "tie_rule": "on_stage"})
    for _ in range(14):
        ledger = [_entry(profile, chance) for _ in range(chance.randint(1, 4))]
        first = {side: chance.choice(levels[:-2]) for side in ("NS", "EW")}
        opening = {"levels": first, "first_dealer": chance.choice("NWSE")}
        asked = {"op": "sitting_state", "opening": opening, "ledger": ledger, "conditions": chance.choice(conditions)}
        yield {name: value for name, value in asked.items() if value is not None}


def _entry(profile: Any, chance: Random) -> dict[str, Any]:
    kind = chance.choices(("hand", "annulled", "level_penalty", "adjusted"), (12, 1, 1, 1))[0]
    if kind == "annulled":
        return {"kind": kind, "reason": chance.choice(("misdeal", "redeal", "ruling"))}
    if kind == "level_penalty":
        return {
            "kind": kind,
            "side": chance.choice(("NS", "EW")),
            "levels": chance.choice((-2, -1, 1)),
            "why": "a fine",
        }
    if kind == "adjusted":
        side = chance.choice(("NS", "EW"))
        return {"kind": kind, "side": side, "levels": chance.randint(0, 2), "deal_changes_hands": chance.random() < 0.5,
                "why": "ruled"}  # fmt: skip
    captured = 5 * chance.randint(0, int(profile.points_max) // 5 - 5)
    facts: dict[str, Any] = {"kind": "hand", "trump": chance.choice("SHCD"), "captured_in_tricks": captured,
                             "last_trick_winner": "dealer"}  # fmt: skip
    if profile.last_trick == "kitty" and chance.random() < 0.4:
        facts |= {"last_trick_winner": "attackers", "led": chance.choice(SHAPES[:2])}
        facts |= {"kitty_points": 5 * chance.randint(0, 4), "winning_play": [chance.choice(["HJ", "SJ", "S2", "HA"])]}
    if chance.random() < 0.25:
        facts["throw_failures"] = [{"side": chance.choice(("dealer", "attackers")), "cards": chance.randint(2, 4)}]
    return facts


def before_play(profile: Any, chance: Random) -> Iterator[dict[str, Any]]:
    """Auctions, counters and turned kitties."""
    from scoring.cards.deck import FACES

    levels = [str(level) for level in profile.ladder]
    for _ in range(10):
        level = chance.choice(levels)
        shown = [[f"{suit}{level}"] * many for suit in "SHCD" for many in range(1, min(3, profile.decks) + 1)]
        shown += [[joker] * min(2, profile.decks) for joker in ("JS", "JB")]
        names = ("declare", "counter", "pass", "reinforce", "take_kitty")
        acts = []
        for _ in range(chance.randint(1, 6)):
            act = chance.choices(names, (4, 3, 3, 1, 1))[0]
            row: dict[str, Any] = {"act": act, "by": chance.choice("NWSE")}
            acts.append(row if act in ("pass", "take_kitty") else row | {"cards": chance.choice(shown)})
        dealer = chance.choice(("N", "W", None))
        yield {"op": "auction", "level": level, "acts": acts, "hand_no": 2 if dealer else 1} | (
            {"dealer": dealer} if dealer else {}
        )
        state = {"declared": {"by": "S", "suit": chance.choice("SHCD"), "reinforced": chance.random() < 0.3},
                 "counters": [{"by": "E", "cards": chance.choice(shown)}] if chance.random() < 0.5 else [],
                 "dealer": chance.choice("NS"), "after_burial": chance.random() < 0.3}  # fmt: skip
        yield {"op": "counter_allowed", "level": level, "state": state,
               "bid": {"by": chance.choice("NWSE"), "cards": chance.choice(shown)}}  # fmt: skip
        kitty = [str(card) for card in chance.sample(FACES, profile.deal_sizes[profile.decks][1])]
        yield {"op": "flip_kitty", "hand_no": chance.choice((1, 2)), "level": level, "kitty_top_first": kitty}


def records(profile: Any, chance: Random) -> Iterator[dict[str, Any]]:
    """Whole hands played by the simulator, judged again from their record."""
    from scoring.cards.records import write
    from scoring.simulation.hand import simulate
    from scoring.values import Seat

    for _ in range(2):
        record = simulate(profile, chance, dealer=chance.choice(list(Seat)), level=chance.choice(list(profile.ladder)))
        yield {"op": "replay", "record": write(record)}


def irregularities() -> Iterator[dict[str, Any]]:
    """Every offence of the standard schedule, in both roles, the first three times."""
    from scoring.penalties import load

    for code in load("standard").offences:
        for by in ("NS", "EW"):
            for earlier in range(3):
                for more in (
                    {},
                    {"found": "later", "cards": 3, "minutes": 12, "round_minutes": 40, "attackers_total": 95},
                ):
                    yield {
                        "op": "irregularity",
                        "irregularity": code,
                        "by": by,
                        "dealer": "S",
                        "earlier": earlier,
                        **more,
                    }


def scores() -> Iterator[dict[str, Any]]:
    """Every match score at differences of levels, and every way not to play."""
    from scoring.standings.scales import SCALES

    for scale, known in SCALES.items():
        if known.by_hands or known.in_imps:
            for points in (-30, -3, 0, 1, 12):
                asked = {"op": "match_score", "scale": scale, "hand_points": points}
                yield asked | ({"boards": 8} if known.in_imps else {})
            continue
        for home, away in (
            ("2", "2"),
            ("3", "2"),
            ("2", "K"),
            ("A", "9"),
            ("passed", "A"),
            ("5", "passed"),
            ("8", "6"),
        ):
            yield {"op": "match_score", "scale": scale, "home": home, "away": away}
        yield {"op": "match_score", "scale": scale, "home": "7", "away": "7", "by_tie_rule": "away"}
        for outcome in ("home_forfeit", "away_forfeit", "double_forfeit", "bye"):
            yield {"op": "match_score", "scale": scale, "outcome": outcome}


def tables(chance: Random) -> Iterator[dict[str, Any]]:
    """Standings of six after four rounds, by every usual order of tie-breaks."""
    from scoring.standings.chains import CHAINS

    ids = list("abcdef")
    for name, chain in CHAINS.items():
        if name.startswith("individual"):
            continue
        for _ in range(6):
            results = []
            for number in range(1, 5):
                order = chance.sample(ids, 6)
                for home, away in zip(order[::2], order[1::2], strict=True):
                    worth = chance.choice((("2", "0"), ("1", "1"), ("0", "2")))
                    winner = {"2": home, "0": away}.get(worth[0])
                    levels = chance.sample(["3", "5", "8", "10", "K"], 2)
                    results.append({"round": number, "home": home, "away": away, "home_score": worth[0],
                                    "away_score": worth[1], "home_level": levels[0], "away_level": levels[1],
                                    "outcome": "played", "winner": winner})  # fmt: skip
            asked: dict[str, Any] = {
                "op": "standings",
                "chain": list(chain),
                "entrants": ids,
                "results": results,
                "seed": "s",
            }
            asked |= {"penalties": {"a": 1}, "board_points": {one: str(at) for at, one in enumerate(ids)}}
            yield asked | chance.choice(({}, {"fines": {"b": "0.5"}}, {"excluded": ["f"]}, {"lines": [2, 4]}))


def at_cards(profile: Any, chance: Random) -> Iterator[dict[str, Any]]:
    """Plays of cards dealt by a seed: orders, tractors, tricks, follows."""
    from scoring.cards.deck import FACES
    from scoring.values import RANKS

    levels, seats, size = [str(level) for level in profile.ladder], "SENW", 12 if profile.decks == 1 else 20
    for _ in range(8):
        ground = {"level": chance.choice(levels), "trump": chance.choice("SHCD")}
        pack = [str(card) for card in FACES * profile.decks]
        chance.shuffle(pack)
        hands = {seat: pack[at * size : (at + 1) * size] for at, seat in enumerate(seats)}
        some = chance.sample(pack, 6)
        yield {"op": "order", **ground, "cards": [card for card in some if card[0] == some[0][0] or card[0] == "J"]}
        rank = chance.randrange(11)
        suit = "H" if some[0][0] == "J" else some[0][0]
        near = [f"{suit}{one}" for one in RANKS[rank : rank + 2]]
        if profile.decks > 1:
            yield {"op": "is_tractor", **ground, "cards": [card for card in near for _ in range(2)]}
        plays = [[seat, [chance.choice(hands[seat])]] for seat in seats]
        yield {"op": "trick", **ground, "plays": plays}
        pairs = [card for card in set(hands["S"]) if hands["S"].count(card) == 2]
        lead = [sorted(pairs)[0]] * 2 if pairs else [hands["S"][0]]
        yield {"op": "follow", **ground, "lead": lead, "hand": hands["E"], "play": chance.sample(hands["E"], len(lead))}
