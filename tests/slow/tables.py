"""The rules as printed, game by game: level tables, kitty factors, and what else tells the games apart.

Typed from the source documents (item ids of the inventory); what a document leaves open is by analogy and says so.
"""

from __future__ import annotations

# S0-LV-06, S4-LV-10: the levels in order. S0-LV-07, S4-MF-01: past the last one the match is won.
LADDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

# S0-EQ-08, S4-FL-02: counter-clockwise; the seat on the right hand (下家).
RIGHT = {"N": "W", "W": "S", "S": "E", "E": "N"}
# S0-EQ-02, S4-EQ-01: partners sit opposite.
PARTNER = {"N": "S", "S": "N", "W": "E", "E": "W"}
SIDE = {"N": "NS", "S": "NS", "W": "EW", "E": "EW"}
OTHER = {"NS": "EW", "EW": "NS"}


#: As printed: from, to, who gains, how many levels.
Bands = list[tuple[int, int, str, int]]

# S4-LV-02, two decks; S3-LV-05 and S0-LV-09 print the same rows from 0 on.
TWO_DECKS = [
    (-40, -5, "dealer", 4),  # 庄家升四级 -40~-5
    (0, 0, "dealer", 3),  # 庄家升三级 0
    (5, 35, "dealer", 2),  # 庄家升两级 5~35
    (40, 75, "dealer", 1),  # 庄家升一级 40~75
    (80, 115, "attackers", 0),  # 闲家上台 80~115
    (120, 155, "attackers", 1),  # 闲家上台并升一级 120~155
    (160, 195, "attackers", 2),  # 闲家上台并升两级 160~195
    (200, 235, "attackers", 3),  # 闲家上台并升三级 200~235
]
# S4-LV-01, one deck; S3-LV-06: one deck halves the scores.
ONE_DECK = [
    (-20, -5, "dealer", 4), (0, 0, "dealer", 3), (5, 15, "dealer", 2), (20, 35, "dealer", 1),
    (40, 55, "attackers", 0), (60, 75, "attackers", 1), (80, 95, "attackers", 2), (100, 115, "attackers", 3),
]  # fmt: skip
# S4-LV-03, three decks.
THREE_DECKS = [
    (-60, -5, "dealer", 4), (0, 0, "dealer", 3), (5, 55, "dealer", 2), (60, 115, "dealer", 1),
    (120, 175, "attackers", 0), (180, 235, "attackers", 1), (240, 295, "attackers", 2), (300, 355, "attackers", 3),
]  # fmt: skip
# S4-RV-09: four decks, 80 for a level, line 160; S4-RV-10 the same in Nanning.
FOUR_DECKS = [
    (-80, -5, "dealer", 4), (0, 0, "dealer", 3), (5, 75, "dealer", 2), (80, 155, "dealer", 1),
    (160, 235, "attackers", 0), (240, 315, "attackers", 1), (320, 395, "attackers", 2),
]  # fmt: skip
# S3-LV-04, A-15: the line of 100 with half of it for a level.
LINE_OF_100 = [
    (-50, -5, "dealer", 4), (0, 0, "dealer", 3), (5, 45, "dealer", 2), (50, 95, "dealer", 1),
    (100, 145, "attackers", 0), (150, 195, "attackers", 1),
]  # fmt: skip
# S0-LV-14, S0-LV-15, A-02: 20 points for a level.
BY_TWENTY = [
    (0, 0, "dealer", 5), (5, 15, "dealer", 4), (20, 35, "dealer", 3), (40, 55, "dealer", 2), (60, 75, "dealer", 1),
    (80, 95, "attackers", 0), (100, 115, "attackers", 1),
]  # fmt: skip
# S0-LV-14, S0-LV-15, A-02: 10 points for a level; S4-RV-21 the same in 炒地皮, there on below zero.
BY_TEN = [
    (0, 0, "dealer", 9), (5, 5, "dealer", 8), (10, 15, "dealer", 7), (20, 25, "dealer", 6), (30, 35, "dealer", 5),
    (40, 45, "dealer", 4), (50, 55, "dealer", 3), (60, 65, "dealer", 2), (70, 75, "dealer", 1),
    (80, 85, "attackers", 0), (90, 95, "attackers", 1),
]  # fmt: skip
BELOW_BY_TEN = (-10, -5, "dealer", 10)
# S4-RV-24: at the flag the attackers need 100; 10 points for a level as everywhere in 炒地皮.
AT_THE_FLAG = [
    (-10, -5, "dealer", 12), (0, 0, "dealer", 11), (5, 5, "dealer", 10), (10, 15, "dealer", 9), (20, 25, "dealer", 8),
    (30, 35, "dealer", 7), (40, 45, "dealer", 6), (50, 55, "dealer", 5), (60, 65, "dealer", 4), (70, 75, "dealer", 3),
    (80, 85, "dealer", 2), (90, 95, "dealer", 1), (100, 105, "attackers", 0), (110, 115, "attackers", 1),
]  # fmt: skip
# S4-RV-14: 10 points for a level, line 160.
CHANGZHOU = [
    (-10, -5, "dealer", 18), (0, 0, "dealer", 17), (5, 5, "dealer", 16), (10, 15, "dealer", 15),
    (20, 25, "dealer", 14), (30, 35, "dealer", 13), (40, 45, "dealer", 12), (50, 55, "dealer", 11),
    (60, 65, "dealer", 10), (70, 75, "dealer", 9), (80, 85, "dealer", 8), (90, 95, "dealer", 7),
    (100, 105, "dealer", 6), (110, 115, "dealer", 5), (120, 125, "dealer", 4), (130, 135, "dealer", 3),
    (140, 145, "dealer", 2), (150, 155, "dealer", 1), (160, 165, "attackers", 0), (170, 175, "attackers", 1),
]  # fmt: skip
# S1-LV-01, S1-LV-02: closed bands; above 320 the last one (封顶).
SUPER = [
    (0, 0, "dealer", 6), (5, 10, "dealer", 5), (15, 20, "dealer", 4), (25, 30, "dealer", 3), (35, 35, "dealer", 2),
    (40, 75, "dealer", 1), (80, 115, "attackers", 0), (120, 120, "attackers", 1), (125, 160, "attackers", 2),
    (165, 200, "attackers", 3), (205, 240, "attackers", 4), (245, 280, "attackers", 5), (285, 320, "attackers", 6),
]  # fmt: skip


def gained(bands: Bands, total: int, *, capped: bool = False) -> tuple[str, int]:
    """Who gains how many levels by a printed table.

    S4-LV-04, S0-LV-10: past its last band every further band as wide gives one level more, and below its first one
    where that begins below zero. A table that begins at 0 takes a negative total for 0 (S0-SC-05). `capped`: nothing
    more past the last band.
    """
    first, last = bands[0], bands[-1]
    if first[0] == 0:
        total = max(total, 0)
    if capped:
        total = min(total, last[1])
    for low, high, role, levels in bands:
        if low <= total <= high:
            return role, levels
    low, high, role, levels = first if total < 0 else last
    width = (high - low + 5) * (1 if total > 0 else -1)
    while not low <= total <= high:
        low, high, levels = low + width, high + width, levels + 1
    return role, levels


def national_levels(total: int) -> tuple[str, int]:
    """S4-LV-02, S4-LV-04, two decks."""
    return gained(TWO_DECKS, total)


def scn2_levels(total: int) -> tuple[str, int]:
    """S0-LV-09 to 11, the 40-point table; S0-SC-05: a negative total counts as 0."""
    return gained(TWO_DECKS[1:], total)


# How many cards stand on each rung of a shape.
WIDTH = {"single": 1, "pair": 2, "triple": 3, "quad": 4}


def cards_of(shape: dict) -> int:
    if shape["type"] == "tractor":
        return shape["width"] * shape["length"]
    return WIDTH[shape["type"]]


def all_single(led: list[dict]) -> bool:
    return all(shape["type"] == "single" for shape in led)


def largest(led: list[dict], factor) -> dict:
    """The part of a throw with the most cards; of equal ones (open in the sources) the one with the larger factor."""
    return max(led, key=lambda shape: (cards_of(shape), factor([shape])))


def national_1d(led: list[dict]) -> int:
    """S4-KT-02: single 2, throw 3."""
    return 2 if len(led) == 1 else 3


def national_multiplier(led: list[dict]) -> int:
    """S4-KT-03, two decks, by the shape led to the last trick (S4-KT-01)."""
    if len(led) > 1:
        if all_single(led):
            return 3  # 全为单张的甩牌 3 倍
        return national_multiplier([largest(led, national_multiplier)])  # by the part with most cards
    shape = led[0]
    if shape["type"] == "tractor":
        multiplier = 6  # 两连对 6 倍
        for _ in range(shape["length"] - 2):
            multiplier += 2  # 每多 1 对加 2 倍
        return multiplier
    return {"single": 2, "pair": 4}[shape["type"]]  # 单张 2 倍, 对子 4 倍


def national_3d(led: list[dict]) -> int:
    """S4-KT-04, three decks; throws as in two decks (A-09)."""
    if len(led) > 1:
        return 3 if all_single(led) else national_3d([largest(led, national_3d)])
    shape = led[0]
    if shape["type"] == "tractor":
        multiplier, more = {2: (5, 1), 3: (6, 2)}[shape["width"]]
        for _ in range(shape["length"] - 2):
            multiplier += more
        return multiplier
    return {"single": 2, "pair": 3, "triple": 4}[shape["type"]]


def scn2_multiplier(led: list[dict]) -> int:
    """S0-KT-03: by the largest rank class the leader played; S0-KT-04. More decks by analogy: S4-KT-06.

    Single 2, pair 4, two pairs 8 and one more doubling for each further pair; a triple 6, and each further one
    trebles; four of a kind 8, and each further four quadruple.
    """
    if len(led) > 1:
        return scn2_multiplier([largest(led, scn2_multiplier)])
    shape = led[0]
    if shape["type"] == "tractor":
        multiplier = {2: 8, 3: 18, 4: 32}[shape["width"]]
        for _ in range(shape["length"] - 2):
            multiplier *= shape["width"]
        return multiplier
    return {"single": 2, "pair": 4, "triple": 6, "quad": 8}[shape["type"]]


def four_times_pairs(led: list[dict]) -> int:
    """S1-KT-02, S1-KT-03: a tractor 4 for each of its pairs; a throw by its largest part, nothing is added up."""
    if len(led) > 1:
        return four_times_pairs([largest(led, four_times_pairs)])
    shape = led[0]
    if shape["type"] == "tractor":
        return sum(4 for _ in range(shape["length"]))
    return {"single": 2, "pair": 4}[shape["type"]]


def pow_cards(led: list[dict]) -> int:
    """S3-KT-02: one doubling for each card; throws likewise, by analogy."""
    multiplier = 1
    for shape in led:
        for _ in range(cards_of(shape)):
            multiplier *= 2
    return multiplier


def cards_once(led: list[dict]) -> int:
    """S3-KT-03: no doubling, as often as there are cards."""
    return sum(cards_of(shape) for shape in led)


def cards_twice(led: list[dict]) -> int:
    """S3-KT-04, A-05: twice for each card."""
    return sum(2 * cards_of(shape) for shape in led)


class Rules:
    """One set of rules.

    `must_play` levels may not be jumped over (`no_skip`, S0-LV-12) or must be dealt and passed (`must_defend`,
    S4-RV-08). `finish`: past the last level (pass_A), at it (reach_A), never (wrap). A-12: past the last level by
    holding the deal at it, unless `last_held` is off. `hook_at` are levels; `hook_any` any card of that rank will do.
    """

    def __init__(self, name, levels, multiplier, **more):
        self.name = name
        self.levels = levels
        self.multiplier = multiplier
        self.decks = 2
        self.ladder = LADDER
        self.must_play = []
        self.must_mode = "must_defend"
        self.finish = "pass_A"
        self.last_held = True
        self.held_from = None  # the first level that is left by holding the deal only (default: the last one)
        self.throw_fine = 0
        self.hook_at = []
        self.hook_any = False
        self.hook_needs_deal = True
        self.hook_limit = None
        self.rebellion = False
        self.trump_digs_only = False
        self.single_digs_once = False
        self.cap = None
        self.floor = None
        self.last_trick_counts = False
        self.jumps = False
        self.flag_levels = None
        self.dark_bid_fine = 0
        self.jokers_declare = False
        self.no_trump = True
        self.throws = True
        self.tractors = True
        for field, value in more.items():
            assert hasattr(self, field), field
            setattr(self, field, value)

    def but(self, name, **more):
        """The same rules, some of them otherwise."""
        return Rules(**{**vars(self), **more, "name": name})


def by(bands: Bands, *, capped: bool = False):
    return lambda total: gained(bands, total, capped=capped)


# S0-TH-04 to 06: 10 points for each card of a failed throw. S4-TH-03 states no amount: 10 by analogy (inventory §6).
TEN = 10

SCN = {
    "throw_fine": TEN,
    "hook_at": ["J"],  # S0-HK-01, S2-HK-01: at J, with the main J, and the deal taken
    "rebellion": True,  # S0-RB-01 to 06, S2-RB-01
}
SCN2 = SCN | {"must_play": ["10", "K"], "must_mode": "no_skip", "hook_limit": 1}  # S0-LV-12, S0-HK-02
NATIONAL = {"throw_fine": TEN, "no_trump": False}  # S4-TD-05
MUST_A = {"must_play": ["A"]}  # inventory §6
WIKI = {"finish": "reach_A"}  # S3-LV-01; no fines (S3), no hook
FROM_THREE = LADDER[1:]  # S3-LV-02, S3-LV-03, S4-RV-10: 2 is always a trump

PROFILES = [
    Rules("scn2-2013", by(TWO_DECKS[1:]), scn2_multiplier, **SCN2),
    Rules("scn2-2013-step20", by(BY_TWENTY), scn2_multiplier, **SCN2),
    Rules("scn2-2013-step10", by(BY_TEN), scn2_multiplier, **SCN2),
    Rules("scn3-2026", by(TWO_DECKS[1:]), scn2_multiplier, **SCN),  # S2-LV-03, S2-HK-03
    Rules("online-super", by(SUPER, capped=True), four_times_pairs, finish="wrap"),  # S1-LV-03; fines are coins
    Rules("wiki-classic", by(TWO_DECKS), pow_cards, **WIKI),
    Rules("wiki-one-deck", by(ONE_DECK), pow_cards, decks=1, ladder=FROM_THREE, **WIKI),
    Rules("wiki-100", by(LINE_OF_100), pow_cards, **WIKI),
    Rules("cn-national-1d", by(ONE_DECK), national_1d, decks=1, **NATIONAL),
    Rules("cn-national-2d", national_levels, national_multiplier, **NATIONAL, **MUST_A),
    Rules("cn-national-3d", by(THREE_DECKS), national_3d, decks=3, **NATIONAL, **MUST_A),
    Rules("online-2d", by(TWO_DECKS), scn2_multiplier, throw_fine=TEN),  # S4-KT-05
    Rules("online-3d", by(THREE_DECKS), scn2_multiplier, decks=3, throw_fine=TEN),  # S4-KT-06
    Rules("four-deck-online", by(FOUR_DECKS), scn2_multiplier, decks=4, throw_fine=TEN),  # S4-RV-09
    Rules("bajiwo", by(TWO_DECKS), scn2_multiplier, throw_fine=TEN),  # S4-RV-16: an ordinary game of two decks
    Rules(
        "chaodipi",
        by([BELOW_BY_TEN, *BY_TEN]),
        scn2_multiplier,
        must_play=["2", "A"],  # S4-RV-21
        jumps=True,  # S4-RV-22, S4-RV-23
        flag_levels=by(AT_THE_FLAG),  # S4-RV-24
        dark_bid_fine=80,  # S4-RV-19
    ),
    Rules(
        "nanning-4d",
        by(FOUR_DECKS),
        scn2_multiplier,
        decks=4,
        ladder=FROM_THREE,
        last_trick_counts=True,  # S4-RV-13
        throws=False,
    ),
    Rules("changzhou-4d", by(CHANGZHOU), scn2_multiplier, decks=4, tractors=False),  # S4-RV-14
]

NATIONAL_2D = next(rules for rules in PROFILES if rules.name == "cn-national-2d")
_SCN2 = PROFILES[0]
_ONLINE = next(rules for rules in PROFILES if rules.name == "online-2d")
_WIKI = next(rules for rules in PROFILES if rules.name == "wiki-classic")
# F3: A must really be played. The other rules are those of S0.
F3_RULES = _SCN2.but("scn2-2013, A must be played", must_play=["A"], must_mode="must_defend")

#: What an event may set otherwise, and the rules that it then has.
VARIANTS = [
    ({"base": "scn2-2013", "set": {"must_play": ["A"], "must_mode": "must_defend"}}, F3_RULES),
    # S4-RV-08: the usual sets; J together with the hook (S4-RV-05: any J)
    (
        {"base": "online-2d", "set": {"must_play": ["5", "10", "K"]}},
        _ONLINE.but("5, 10, K", must_play=["5", "10", "K"]),
    ),
    (
        {"base": "online-2d", "set": {"must_play": ["J"], "hook_levels": ["J"], "hook_card": "any"}},
        _ONLINE.but("J and its hook", must_play=["J"], hook_at=["J"], hook_any=True),
    ),
    # S3-HK-01: dug with J at J, with A at A, whatever was gained
    (
        {"base": "online-2d", "set": {"hook_levels": ["J", "A"], "hook_card": "any", "hook_needs_takeover": False}},
        _ONLINE.but("hook without the deal", hook_at=["J", "A"], hook_any=True, hook_needs_deal=False),
    ),
    # S4-RV-07: some levels only
    ({"base": "online-2d", "set": {"ladder": ["5", "10", "K"]}}, _ONLINE.but("5-10-K", ladder=["5", "10", "K"])),
    (
        {"base": "scn3-2026", "set": {"ladder": ["9", "10", "J", "Q", "K", "A"]}},
        PROFILES[3].but("9 to A", ladder=["9", "10", "J", "Q", "K", "A"]),
    ),
    # S4-LV-08: no more points than there are
    ({"base": "online-2d", "set": {"score_cap": 200}}, _ONLINE.but("at most 200", cap=200)),
    ({"base": "cn-national-2d", "set": {"score_floor": -40}}, NATIONAL_2D.but("at least -40", floor=-40)),
    # S4-KT-07, S4-KT-08
    ({"base": "online-2d", "set": {"dig_trump_only": True}}, _ONLINE.but("trumps dig", trump_digs_only=True)),
    ({"base": "online-2d", "set": {"dig_single_x1": True}}, _ONLINE.but("single once", single_digs_once=True)),
    # S3-KT-03, S3-KT-04
    ({"base": "wiki-classic", "set": {"kitty_scheme": "cards_x1"}}, _WIKI.but("by cards", multiplier=cards_once)),
    ({"base": "wiki-classic", "set": {"kitty_scheme": "cards_x2"}}, _WIKI.but("twice", multiplier=cards_twice)),
    # 打过 A also by a jump
    ({"base": "online-2d", "set": {"pass_a": "any"}}, _ONLINE.but("past A by any gain", last_held=False)),
    # S3-TD-06, S4-RV-03: an attacker may declare with a joker where the dealer side cannot
    (
        {"base": "online-2d", "set": {"joker_declare": "any", "must_play": ["10", "A"]}},
        _ONLINE.but("declared with a joker", jokers_declare=True, must_play=["10", "A"]),
    ),
    # levels after A, each held like A
    (
        {"base": "online-2d", "set": {"after_A": ["joker", "no_trump"]}},
        _ONLINE.but("on to no-trump", ladder=[*LADDER, "joker", "no_trump"], held_from="A"),
    ),
]


def rules_of(profile) -> Rules:
    """The rules that a case file names: a profile's id, or what an event sets upon one."""
    for spec, rules in [*((rules.name, rules) for rules in PROFILES), *VARIANTS]:
        if spec == profile:
            return rules
    raise ValueError(f"the slow calculation does not know the rules {profile}")
