"""One sitting, entry by entry."""

from __future__ import annotations

from copy import deepcopy

from tests.slow.tables import LADDER, OTHER, PARTNER, RIGHT, SIDE, Rules, all_single, cards_of

LEVEL_WORDS = [*LADDER, "passed"]
FLAG = "flag"  # S4-RV-24: 扛旗, after A


def number(level: str) -> int:
    """practice §2.1: 2 = 2 … A = 14, passed A = 15."""
    return LEVEL_WORDS.index(level) + 2


def total_of(rules: Rules, sheet: dict) -> int:
    """The attackers' total before any floor: tricks, dig, fines, adjustments (inventory §4, order of operations)."""
    if "total_only" in sheet:
        total = sheet["total_only"]
    else:
        total = sheet["captured_in_tricks"]  # S0-SC-02, S4-SC-01
        total += last_trick_of(rules, sheet) if rules.last_trick_counts else dig_of(rules, sheet)
        for throw in sheet.get("throw_failures", []):
            for _card in range(throw["cards"]):
                if throw["side"] == "dealer":
                    total += rules.throw_fine  # S0-TH-05
                else:
                    total -= rules.throw_fine  # S0-TH-06
        for bid in sheet.get("dark_bids", []):  # S4-RV-19: each time
            for _time in range(bid["times"]):
                total += rules.dark_bid_fine if bid["side"] == "dealer" else -rules.dark_bid_fine
    for adjustment in sheet.get("adjustments", []):
        total += adjustment["points"]
    return total


def dig_of(rules: Rules, sheet: dict) -> int:
    """What the kitty gives the attackers (S0-KT-01, S4-KT-01)."""
    if sheet["last_trick_winner"] != "attackers" or "kitty_points" not in sheet:
        return 0
    if rules.trump_digs_only and sheet["winning_category"] != "trump":  # S4-KT-07
        return 0
    if rules.single_digs_once and all_single(sheet["led"]):  # S4-KT-08; a throw counts by its largest part (S4-KT-05)
        return sheet["kitty_points"]
    return sheet["kitty_points"] * rules.multiplier(sheet["led"])


def last_trick_of(rules: Rules, sheet: dict) -> int:
    """S4-RV-13: the points of the last trick as often as cards were led, for or against; A-13. One card: as ever."""
    points = sheet["last_trick_points"]
    cards = sum(cards_of(shape) for shape in sheet["led"])
    if sheet["last_trick_winner"] == "attackers":
        return points * cards
    return -points * cards if cards >= 2 else 0


def counted(rules: Rules, total: int) -> int:
    """The total for the table: cap, then floor."""
    if rules.cap is not None:
        total = min(total, rules.cap)
    if rules.floor is not None:
        total = max(total, rules.floor)
    return total


def climb(rules: Rules, level: str, gain: int, *, held: bool) -> str:
    """Level by level. S4-RV-08: a must-play level is left only by a side that held the deal at it (`must_defend`);
    S0-LV-12: it is not jumped over (`no_skip`). A-12: so is the last level, and S4-RV-24 the flag, in every game."""
    ladder = rules.ladder
    here, start = level, True
    for _step in range(gain):
        if here == FLAG:
            return "passed" if start and held else FLAG
        if here in rules.must_play and not start:
            return here
        if here in rules.must_play and rules.must_mode == "must_defend" and not held:
            return here
        if rules.finish == "pass_A" and rules.last_held and here in last_levels(rules) and not (start and held):
            return here
        if here == ladder[-1]:
            if rules.finish == "reach_A":
                return here
            if rules.finish == "wrap":  # S1-LV-03
                here, start = ladder[0], False
                continue
            if rules.flag_levels is None:
                return "passed"
            here, start = FLAG, False
            continue
        here, start = ladder[ladder.index(here) + 1], False
    return here


def last_levels(rules: Rules) -> list[str]:
    """The levels that are left by holding the deal only."""
    return rules.ladder[rules.ladder.index(rules.held_from or rules.ladder[-1]) :]


class Sitting:
    """The state of a sitting and the lines worked out so far."""

    def __init__(self, rules: Rules, opening: dict, *, lead_levels: int | None = None, tie_rule: str = "draw"):
        self.rules = rules
        self.levels = dict(opening["levels"])
        self.dealer = opening["first_dealer"]  # None: contested (S0-LV-05, S4-TD-06)
        self.lead_levels = lead_levels
        self.tie_rule = tie_rule
        self.hooked = {"NS": 0, "EW": 0}
        self.flag_failures = {"NS": 0, "EW": 0}
        self.rebelled = False
        self.reached = None
        self.hand_no = 0
        self.finished = None  # how it was decided
        self.winner = None
        self.lines: list[dict] = []

    def play(self, ledger: list[dict]) -> None:
        for entry in ledger:
            self.enter(entry)

    def enter(self, entry: dict) -> None:
        assert self.finished is None, "an entry after the end"
        line = {"kind": entry["kind"]}
        getattr(self, "_" + entry["kind"])(entry, line)
        for side in ("NS", "EW"):
            if self.levels[side] != FLAG:
                self.flag_failures[side] = 0
        line["levels"] = dict(self.levels)
        line["next_dealer"] = self.dealer
        line["on_stage"] = SIDE[self.dealer] if self.dealer else None
        self.lines.append(line)
        self._finish_by_itself()

    def _hand(self, sheet: dict, line: dict) -> None:
        dealer = sheet.get("dealer") or self._declared(sheet) or self.dealer
        dealing = SIDE[dealer]
        if sheet.get("treatment") == "let_stand":  # the recorded level is the side's level from there
            self.levels[dealing] = sheet["level"]
        level = self.levels[dealing]
        raw = total_of(self.rules, sheet)
        table = self.rules.flag_levels if level == FLAG else self.rules.levels
        role, gain = table(counted(self.rules, raw))
        hook = self._hooks(sheet, level, role, dealing)
        up = self._goes_up(sheet, dealing, role)
        self._settle(dealer, role, gain, changes=role == "attackers")
        if up:
            self._jump(up)
        if hook:
            self.levels[dealing] = self.rules.ladder[0]  # S0-HK-01: must start again at 2
            self.hooked[dealing] += 1
        if level == FLAG and role == "attackers":
            self._fail_at_the_flag(dealing)
        self.rebelled = False
        line.update(
            hand_no=self._next_hand(),
            dealer=dealer,
            level=level,
            total=raw,
            winner_role=role,
            levels_won=gain,
            deal_changes_hands=role == "attackers",
            hook=hook,
        )

    def _declared(self, sheet: dict) -> str | None:
        """S3-TD-06, S4-RV-03: where the dealer side cannot declare, the attacker who does deals at his side's level."""
        declarer = sheet.get("declared_by")
        if declarer and self.dealer and SIDE[declarer] != SIDE[self.dealer]:
            return declarer
        return None

    def _next_hand(self) -> int:
        """Hands are numbered on the record as they are dealt, annulled ones too."""
        self.hand_no += 1
        return self.hand_no

    def _hooks(self, sheet: dict, level: str, role: str, dealing: str) -> bool:
        """S0-HK-01: dug at J with the main J, and the deal taken; S0-HK-02: so often; S3-HK-01, S4-RV-05: otherwise."""
        rules = self.rules
        if level not in rules.hook_at or sheet.get("last_trick_winner") != "attackers":
            return False
        if rules.hook_limit is not None and self.hooked[dealing] >= rules.hook_limit:
            return False
        if rules.hook_needs_deal and role != "attackers":
            return False
        cards = [f"{suit}{level}" for suit in "SHCD"] if rules.hook_any else [f"{sheet['trump']}{level}"]
        return any(card in sheet.get("winning_play", []) for card in cards)

    def _goes_up(self, sheet: dict, dealing: str, role: str) -> str | None:
        """S4-RV-22, S4-RV-23: the side that a pair of red fives or a dig with 510K sends to A; the dig decides."""
        if not self.rules.jumps:
            return None
        plays = {play["event"]: play["by"] for play in sheet.get("specials", [])}
        attacking = OTHER[dealing]
        if "dug_510K" in plays:
            return attacking
        for event in ("red_fives_dug", "red_fives_declared"):
            if event in plays:
                own = dealing if plays[event] == "dealer" else attacking
                return own if plays[event] == role else OTHER[own]
        return None

    def _jump(self, up: str) -> None:
        """Up is A, unless the hand alone leads further; down is 2, whatever the table gives."""
        if self.levels[up] not in (FLAG, "passed"):
            self.levels[up] = self.rules.ladder[-1]
        self.levels[OTHER[up]] = self.rules.ladder[0]

    def _fail_at_the_flag(self, dealing: str) -> None:
        """S4-RV-24: three failures running lead back to 2."""
        self.flag_failures[dealing] += 1
        if self.flag_failures[dealing] == 3:
            self.levels[dealing] = self.rules.ladder[0]

    def _settle(self, dealer: str, role: str, gain: int, *, changes: bool) -> None:
        dealing = SIDE[dealer]
        side = dealing if role == "dealer" else OTHER[dealing]
        self.levels[side] = climb(self.rules, self.levels[side], gain, held=role == "dealer" and not changes)
        if self.rules.finish == "reach_A" and gain and self.levels[side] == self.rules.ladder[-1]:
            self.reached = side  # S3-LV-01: reaches A by a hand; a penalty wins nothing
        # S0-LV-03, S4-LV-09: kept, the partner deals; S0-LV-04, S4-LV-09: lost, the right-hand neighbour deals.
        self.dealer = RIGHT[dealer] if changes else PARTNER[dealer]

    def _adjusted(self, entry: dict, line: dict) -> None:
        dealer = entry.get("dealer") or self.dealer
        level = self.levels[SIDE[dealer]]
        role = "dealer" if entry["side"] == SIDE[dealer] else "attackers"
        self._settle(dealer, role, entry["levels"], changes=entry["deal_changes_hands"])
        if level == FLAG and entry["deal_changes_hands"]:
            self._fail_at_the_flag(SIDE[dealer])
        self.rebelled = False
        line.update(
            hand_no=self._next_hand(),
            dealer=dealer,
            level=level,
            total=None,
            winner_role=role,
            levels_won=entry["levels"],
            deal_changes_hands=entry["deal_changes_hands"],
            hook=False,
        )

    def _annulled(self, entry: dict, line: dict) -> None:
        dealer = entry.get("dealer") or self.dealer
        if entry["reason"] == "rebellion":
            assert self.rules.rebellion
            assert not self.rebelled
            self.dealer, self.rebelled = PARTNER[dealer], True  # S0-RB-05
        else:
            self.dealer = dealer  # dealt again by the same dealer
        line.update(hand_no=self._next_hand(), dealer=dealer, level=self.levels[SIDE[dealer]])

    def _level_penalty(self, entry: dict, line: dict) -> None:
        """practice §5, principles: after the table, from the first level to the last, no must-play and no hook."""
        ladder, level = self.rules.ladder, self.levels[entry["side"]]
        if level == FLAG:
            if entry["levels"] >= 0:
                return
            here = len(ladder) + entry["levels"]
        else:
            here = ladder.index(level) + entry["levels"]
        self.levels[entry["side"]] = ladder[min(max(here, 0), len(ladder) - 1)]

    def _finish_by_itself(self) -> None:
        for side in ("NS", "EW"):
            if self.levels[side] == "passed" or self.reached == side:  # S0-LV-07, S4-MF-01
                self.finished, self.winner = "passed", side
                return
        if self.lead_levels is not None:  # F3: five levels ahead wins at once
            for side in ("NS", "EW"):
                if number(self.levels[side]) - number(self.levels[OTHER[side]]) >= self.lead_levels:
                    self.finished, self.winner = "lead", side

    def end_at_time(self) -> None:
        """S4-MF-02, practice §2.1: the higher level wins; equal levels by the rule of the event."""
        assert self.finished is None
        ns, ew = number(self.levels["NS"]), number(self.levels["EW"])
        if ns != ew:
            self.finished, self.winner = "levels", "NS" if ns > ew else "EW"
            return
        self.finished = "tie_rule"
        if self.tie_rule == "on_stage":  # F3: equal, the side on stage
            self.winner = SIDE[self.dealer]
        else:
            assert self.tie_rule == "draw"  # practice §2.1, 4: Swiss


def with_corrections(ledger: list[dict], corrections: list[dict]) -> list[dict]:
    """The ledger as it counts after the corrections: the sheet replaced, the treatment on the hands after it."""
    ledger = deepcopy(ledger)
    for correction in corrections:
        at = places_of_hands(ledger)[correction["hand_no"]]
        ledger[at] = deepcopy(correction["sheet"])
        for entry in ledger[at + 1 :]:
            if entry["kind"] == "hand":
                entry["treatment"] = correction["treatment"]
    return ledger


def places_of_hands(ledger: list[dict]) -> dict[int, int]:
    """Hand number to place in the ledger."""
    places, number_of_hand = {}, 0
    for place, entry in enumerate(ledger):
        if entry["kind"] in ("hand", "annulled", "adjusted"):
            number_of_hand += 1
            places[number_of_hand] = place
    return places
