"""The rules as printed, for the two sets of rules that the case events are played under."""

from __future__ import annotations

# S0-LV-06, S4-LV-10: the levels in order. S0-LV-07, S4-MF-01: past the last one the match is won.
LADDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

# S0-EQ-08, S4-FL-02: counter-clockwise; the seat on the right hand (下家).
RIGHT = {"N": "W", "W": "S", "S": "E", "E": "N"}
# S0-EQ-02, S4-EQ-01: partners sit opposite.
PARTNER = {"N": "S", "S": "N", "W": "E", "E": "W"}
SIDE = {"N": "NS", "S": "NS", "W": "EW", "E": "EW"}
OTHER = {"NS": "EW", "EW": "NS"}


def national_levels(total: int) -> tuple[str, int]:
    """S4-LV-02, two decks: who gains and how many levels."""
    printed = [
        (-40, -5, "dealer", 4),  # 庄家升四级 -40~-5
        (0, 0, "dealer", 3),  # 庄家升三级 0
        (5, 35, "dealer", 2),  # 庄家升两级 5~35
        (40, 75, "dealer", 1),  # 庄家升一级 40~75
        (80, 115, "attackers", 0),  # 闲家上台 80~115
        (120, 155, "attackers", 1),  # 闲家上台并升一级 120~155
        (160, 195, "attackers", 2),  # 闲家上台并升两级 160~195
        (200, 235, "attackers", 3),  # 闲家上台并升三级 200~235
    ]
    for low, high, role, levels in printed:
        if low <= total <= high:
            return role, levels
    # S4-LV-04: outside the table every further 40 points give one level more, in both directions.
    if total > 235:
        low, high, levels = 200, 235, 3
        while not low <= total <= high:
            low, high, levels = low + 40, high + 40, levels + 1
        return "attackers", levels
    low, high, levels = -40, -5, 4
    while not low <= total <= high:
        low, high, levels = low - 40, high - 40, levels + 1
    return "dealer", levels


def scn2_levels(total: int) -> tuple[str, int]:
    """S0-LV-09, the 40-point table; S0-SC-05: a negative total counts as 0."""
    total = max(total, 0)
    printed = [
        (0, 0, "dealer", 3),
        (5, 35, "dealer", 2),
        (40, 75, "dealer", 1),
        (80, 115, "attackers", 0),  # S0-LV-11
    ]
    for low, high, role, levels in printed:
        if low <= total <= high:
            return role, levels
    # S0-LV-10: on the base of 80 every further 40 points give one level.
    points, levels = 80, 0
    while points + 40 <= total:
        points, levels = points + 40, levels + 1
    return "attackers", levels


def national_multiplier(led: list[dict]) -> int:
    """S4-KT-03, two decks, by the shape led to the last trick (S4-KT-01)."""
    if len(led) > 1:
        if all(shape["type"] == "single" for shape in led):
            return 3  # 全为单张的甩牌 3 倍
        return national_multiplier([largest(led)])  # otherwise by the combination with the most cards
    shape = led[0]
    if shape["type"] == "single":
        return 2  # 单张 2 倍
    if shape["type"] == "pair":
        return 4  # 对子 4 倍
    if shape["type"] == "tractor" and shape["width"] == 2:
        multiplier = 6  # 两连对 6 倍
        for _ in range(shape["length"] - 2):
            multiplier += 2  # 每多 1 对加 2 倍
        return multiplier
    raise ValueError(f"not in two decks: {shape}")


def scn2_multiplier(led: list[dict]) -> int:
    """S0-KT-03: by the largest rank class the leader played; S0-KT-04."""
    shape = largest(led)
    if shape["type"] == "single":
        return 2
    if shape["type"] == "pair":
        return 4
    if shape["type"] == "tractor" and shape["width"] == 2:
        multiplier = 8  # two pairs
        for _ in range(shape["length"] - 2):
            multiplier *= 2  # one more doubling for each further pair
        return multiplier
    raise ValueError(f"not in two decks: {shape}")


def largest(led: list[dict]) -> dict:
    """The part of a throw with the most cards."""
    cards = {"single": 1, "pair": 2}
    return max(led, key=lambda shape: cards.get(shape["type"]) or shape["width"] * shape["length"])


# S0-TH-04 to 06: 10 points for each card of a failed throw. S4-TH-03 states no amount: 10 by analogy (inventory §6).
THROW_FINE = 10


class Rules:
    """One set of rules; `must_play` levels must be dealt and passed (S4-RV-08), A in both sets used here."""

    def __init__(self, name, levels, multiplier, *, hook, rebellion):
        self.name = name
        self.levels = levels
        self.multiplier = multiplier
        self.must_play = ["A"]
        self.hook = hook
        self.rebellion = rebellion


# inventory §6, cn-national-2d: no hook, no rebellion, A must be played.
NATIONAL_2D = Rules("cn-national-2d", national_levels, national_multiplier, hook=False, rebellion=False)

# F3: A must really be played. The other rules are those of S0: hook (S0-HK-01, 02), rebellion (S0-RB-01 to 06).
F3_RULES = Rules("scn2-2013, A must be played", scn2_levels, scn2_multiplier, hook=True, rebellion=True)


def rules_of(profile) -> Rules:
    """The rules that a case file names."""
    if profile == "cn-national-2d":
        return NATIONAL_2D
    if profile == {"base": "scn2-2013", "set": {"must_play": ["A"], "must_mode": "must_defend"}}:
        return F3_RULES
    raise ValueError(f"the slow calculation does not know the rules {profile}")
