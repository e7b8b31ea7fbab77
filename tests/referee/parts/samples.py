"""Made-up values for the shared parts: a level table, a ledger of levels, places over rounds."""

from __future__ import annotations

from dataclasses import dataclass

from referee.parts.plots import Placed, PlayedHand


@dataclass(frozen=True)
class Band:
    low: int
    high: int
    role: str
    levels: int
    deal_changes_hands: bool


@dataclass(frozen=True)
class Profile:
    """A two-deck table: the deal turns at `line`, a level every `step` points, three levels for none at all."""

    id: str = "sample"
    points_max: int = 200
    line: int = 80
    step: int = 40

    def bands(self, low: int, high: int) -> tuple[Band, ...]:
        bands: list[Band] = []
        for total in range(low, high + 1, 5):
            now = self._result(total)
            if bands and (bands[-1].role, bands[-1].levels, bands[-1].deal_changes_hands) == now:
                bands[-1] = Band(bands[-1].low, total, *now)
            else:
                bands.append(Band(total, total, *now))
        return tuple(bands)

    def _result(self, total: int) -> tuple[str, int, bool]:
        if total >= self.line:
            return "attackers", (total - self.line) // self.step, True
        return "dealer", 3 if total <= 0 else 1 + (self.line - self.step > total), False


def levels_after(*pairs: tuple[str, str]) -> list[PlayedHand]:
    """Hands 1, 2, … with both levels after each."""
    return [PlayedHand(number, {"NS": ns, "EW": ew}) for number, (ns, ew) in enumerate(pairs, start=1)]


LADDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
START = {"NS": "2", "EW": "2"}


def told_match(hook: str, void: str) -> list[PlayedHand]:
    """The match of the sketches: up to J, hooked down to 2; a void hand on the way."""
    hands = levels_after(
        ("4", "2"), ("4", "2"), ("4", "4"), ("6", "4"), ("6", "4"), ("9", "4"), ("10", "4"), ("J", "4"), ("2", "4"), ("2", "5")
    )
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
