"""Random hands and ledgers of any two-team game, as a table might write them down."""

from __future__ import annotations

from random import Random

from tests.slow.sittings import FLAG, Sitting
from tests.slow.tables import OTHER, RIGHT, SIDE, WIDTH, Rules, cards_of

SUITS = "SHCD"


def shape(rules: Rules, chance: Random) -> dict:
    """A shape that the decks hold; tractors of up to six."""
    if rules.tractors and rules.decks > 1 and chance.random() < 0.4:
        width = chance.randint(2, rules.decks)
        return {"type": "tractor", "width": width, "length": chance.randint(2, 6)}
    return {"type": chance.choice([name for name, width in WIDTH.items() if width <= rules.decks])}


def led(rules: Rules, chance: Random) -> list[dict]:
    """What was led to the last trick: one shape, or a throw."""
    if not rules.throws or chance.random() < 0.6:
        return [shape(rules, chance)]
    if chance.random() < 0.5:
        return [{"type": "single"}] * chance.randint(2, 5)
    parts = [shape(rules, chance) for _ in range(chance.randint(2, 3))]
    # a slow table is walked band by band: no totals of a thousand million
    return parts if sum(map(cards_of, parts)) <= 14 else parts[:1]


def sheet(rules: Rules, chance: Random, *, flag: bool = False) -> dict:
    """One hand. At the flag nothing is buried, dug or bid, and there is no trump suit."""
    most = 100 * rules.decks
    made = {
        "kind": "hand",
        "captured_in_tricks": 5 * chance.randint(0, most // 5),
        "last_trick_winner": chance.choice(["dealer", "attackers"]),
    }
    if chance.random() < 0.05:
        return {"kind": "hand", "total_only": 5 * chance.randint(-20, most // 2)} | ({} if flag else {"trump": "H"})
    if rules.throw_fine:
        made["throw_failures"] = [
            {"side": chance.choice(["dealer", "attackers"]), "cards": chance.randint(2, 9)}
            for _ in range(chance.choice([0, 0, 0, 1, 2]))
        ]
    if chance.random() < 0.1:
        made["adjustments"] = [{"points": 5 * chance.randint(-6, 6), "why": "ruled"}]
    if flag:
        return made
    made["trump"] = chance.choice(SUITS + ("N" if rules.no_trump else ""))
    made["trump"] = "NT" if made["trump"] == "N" else made["trump"]
    if rules.last_trick_counts:
        return made | {"led": led(rules, chance), "last_trick_points": 5 * chance.randint(0, 16)}
    if made["last_trick_winner"] == "attackers":
        made |= {"led": led(rules, chance), "kitty_points": 5 * chance.randint(0, 16)}
        made["winning_category"] = chance.choice(["trump", "side"])
        if chance.random() < 0.6:
            rank = chance.choice(["J", "J", "A", "10"])
            made["winning_play"] = [f"{chance.choice(SUITS)}{rank}"]
            if made["winning_category"] == "trump" and made["trump"] != "NT":
                made["winning_play"] = [f"{made['trump']}{rank}"]
    if rules.jumps and chance.random() < 0.2:
        made["specials"] = [special(made, chance)]
    if rules.dark_bid_fine and chance.random() < 0.2:
        made["dark_bids"] = [{"side": chance.choice(["dealer", "attackers"]), "times": chance.randint(1, 3)}]
    return made


def special(made: dict, chance: Random) -> dict:
    """A special play that this hand can have seen: only attackers who win the last trick dig."""
    if made["last_trick_winner"] == "attackers" and chance.random() < 0.6:
        return {"event": chance.choice(["red_fives_dug", "dug_510K"]), "by": "attackers"}
    return {"event": "red_fives_declared", "by": chance.choice(["dealer", "attackers"])}


def opening(rules: Rules, chance: Random) -> dict:
    """Two sides at any level of the ladder; now and then at the flag."""
    levels = list(rules.ladder) + ([FLAG] if rules.flag_levels is not None else [])
    if rules.finish == "reach_A":
        levels.remove(rules.ladder[-1])  # who stands there has won
    return {"levels": {side: chance.choice(levels) for side in ("NS", "EW")}, "first_dealer": chance.choice("NWSE")}


def hand_at(sitting: Sitting, chance: Random) -> dict:
    """The next hand of a sitting; sometimes dealt by another, or at another level, than was due."""
    dealer = sitting.dealer
    strange = chance.random() < 0.08
    if strange:
        dealer = chance.choice("NWSE")
    level = sitting.levels[SIDE[dealer]]
    made = sheet(sitting.rules, chance, flag=level == FLAG)
    if sitting.rules.jokers_declare and not strange:
        return made | {"declared_by": chance.choice("NWSE")}
    made |= {"dealer": dealer, "level": level}
    if level == "no_trump" and "trump" in made:
        made["trump"] = "NT"
    if strange and level != FLAG and chance.random() < 0.5:
        made["level"] = chance.choice(sitting.rules.ladder[:5])
        made["treatment"] = chance.choice(["recompute", "let_stand"])
    return made


def entry_at(sitting: Sitting, chance: Random) -> dict:
    """The next entry of a sitting: mostly a hand."""
    roll = chance.random()
    if roll < 0.85:
        return hand_at(sitting, chance)
    if roll < 0.9:
        reasons = ["misdeal", "redeal"] + (["rebellion"] if sitting.rules.rebellion and not sitting.rebelled else [])
        made = {"kind": "annulled", "reason": chance.choice(reasons), "dealer": sitting.dealer}
        if made["reason"] == "rebellion":
            made |= {"by": RIGHT[sitting.dealer], "hand_points": 10}
        return made
    if roll < 0.95:
        return {"kind": "level_penalty", "side": chance.choice(["NS", "EW"]), "levels": chance.choice([-3, -1, 1])}
    keeps = chance.random() < 0.5
    dealing = SIDE[sitting.dealer]
    return {
        "kind": "adjusted",
        "dealer": sitting.dealer,
        "side": dealing if keeps else OTHER[dealing],
        "levels": chance.randint(0, 3),
        "deal_changes_hands": not keeps,
        "why": "ruled",
    }


def played(rules: Rules, chance: Random, *, most: int = 16) -> tuple[dict, list[dict], Sitting]:
    """An opening, a ledger, and what the slow calculation makes of it, to the end or `most` entries."""
    begun = {"levels": {"NS": rules.ladder[0], "EW": rules.ladder[0]}, "first_dealer": chance.choice("NWSE")}
    if chance.random() < 0.7:
        begun = opening(rules, chance)
    sitting, ledger = Sitting(rules, begun), []
    while sitting.finished is None and len(ledger) < most:
        entry = entry_at(sitting, chance)
        ledger.append(entry)
        sitting.enter(entry)
    return begun, ledger, sitting
