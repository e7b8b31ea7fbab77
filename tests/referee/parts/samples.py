"""Made-up values for the shared parts: a ledger of levels, places over rounds."""

from __future__ import annotations

from referee.pictures.plots import Placed, PlayedHand

PAST = "past A"
LADDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", PAST)
START = {"NS": "2", "EW": "2"}


def levels_after(pairs: str) -> list[PlayedHand]:
    """Hands 1, 2, … from both levels after each: ``"4:2,4:4"``, N–S first."""
    levels = [pair.split(":") for pair in pairs.split(",") if pair]
    return [PlayedHand(number, {"NS": ns, "EW": ew}) for number, (ns, ew) in enumerate(levels, start=1)]


def told_match(hook: str, void: str) -> list[PlayedHand]:
    """A match with a void hand; N–S climb to J and are hooked down to 2."""
    hands = levels_after("4:2,4:2,4:4,6:4,6:4,9:4,10:4,J:4,2:4,2:5")
    hands[4] = PlayedHand(5, hands[4].levels, void)
    hands[8] = PlayedHand(9, hands[8].levels, hook, "NS")
    return hands


PLACES = [
    Placed("Harris / Okafor", (3, 2, 1)),
    Placed("金鑫 / 石磊", (1, 1, 2)),
    Placed("Gao Yuan / Luo Lan", (6, 5, 3)),
    Placed("陈默 / 王芳", (2, 4, 4), "focus"),
    Placed("Patel / Nguyen", (9, 8, 5), "rival"),
    Placed("Ma Xiao / Shen Qing", (4, 3, 6)),
    Placed("Qin Ling / Yao Yuan", (7, 6, 7)),
    Placed("Wolfeschlegelstein / Featherstonehaugh", (5, 7, 8)),
    Placed("Tan / Lim", (8, 9, 9)),
    Placed("Xu Nuo / Tang Ning", (10, 11, 10)),
    Placed("Müller / Rossi", (11, 10, 11)),
    Placed("田野 / 孟夏", (12, 12, 12)),
]
