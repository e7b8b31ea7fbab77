"""One sitting, entry by entry."""

from __future__ import annotations

from copy import deepcopy

from tests.slow.tables import LADDER, OTHER, PARTNER, RIGHT, SIDE, THROW_FINE, Rules

LEVEL_WORDS = [*LADDER, "passed"]


def number(level: str) -> int:
    """practice §2.1: 2 = 2 … A = 14, passed A = 15."""
    return LEVEL_WORDS.index(level) + 2


def total_of(rules: Rules, sheet: dict) -> int:
    """The attackers' total before any floor: tricks, dig, fines, adjustments (inventory §4, order of operations)."""
    if "total_only" in sheet:
        total = sheet["total_only"]
    else:
        total = sheet["captured_in_tricks"]  # S0-SC-02, S4-SC-01
        if sheet["last_trick_winner"] == "attackers":  # S0-KT-01, S4-KT-01
            total += sheet["kitty_points"] * rules.multiplier(sheet["led"])
        for throw in sheet.get("throw_failures", []):
            for _card in range(throw["cards"]):
                if throw["side"] == "dealer":
                    total += THROW_FINE  # S0-TH-05
                else:
                    total -= THROW_FINE  # S0-TH-06
    for adjustment in sheet.get("adjustments", []):
        total += adjustment["points"]
    return total


def climb(rules: Rules, level: str, gain: int, *, held: bool) -> str:
    """Level by level. S4-RV-08: a must-play level is left only by a side that held the deal at it."""
    here, start = level, True
    for _step in range(gain):
        if here in rules.must_play and not (start and held):
            return here
        if here == LADDER[-1]:
            return "passed"
        here, start = LADDER[LADDER.index(here) + 1], False
    return here


class Sitting:
    """The state of a sitting and the lines worked out so far."""

    def __init__(self, rules: Rules, opening: dict, *, lead_levels: int | None = None, tie_rule: str = "draw"):
        self.rules = rules
        self.levels = dict(opening["levels"])
        self.dealer = opening["first_dealer"]  # None: contested (S0-LV-05, S4-TD-06)
        self.lead_levels = lead_levels
        self.tie_rule = tie_rule
        self.hooked = {"NS": 0, "EW": 0}
        self.rebelled = False
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
        line["levels"] = dict(self.levels)
        line["next_dealer"] = self.dealer
        line["on_stage"] = SIDE[self.dealer] if self.dealer else None
        self.lines.append(line)
        self._finish_by_itself()

    def _hand(self, sheet: dict, line: dict) -> None:
        dealer = sheet.get("dealer") or self.dealer
        dealing = SIDE[dealer]
        if sheet.get("treatment") == "let_stand":  # the recorded level is the side's level from there
            self.levels[dealing] = sheet["level"]
        level = self.levels[dealing]
        raw = total_of(self.rules, sheet)
        role, gain = self.rules.levels(raw)
        hook = self._hooks(sheet, level, raw, dealing)
        self._settle(dealer, role, gain, changes=role == "attackers")
        if hook:
            self.levels[dealing] = LADDER[0]  # S0-HK-01: must start again at 2
            self.hooked[dealing] += 1
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

    def _next_hand(self) -> int:
        """Hands are numbered on the record as they are dealt, annulled ones too."""
        self.hand_no += 1
        return self.hand_no

    def _hooks(self, sheet: dict, level: str, total: int, dealing: str) -> bool:
        """S0-HK-01: at J, dug with the main J, and at least 80; S0-HK-02: once per side and match."""
        if not self.rules.hook or level != "J" or self.hooked[dealing]:
            return False
        dug = sheet.get("last_trick_winner") == "attackers"
        main_jack = f"{sheet['trump']}J"
        return dug and total >= 80 and main_jack in sheet.get("winning_play", [])

    def _settle(self, dealer: str, role: str, gain: int, *, changes: bool) -> None:
        dealing = SIDE[dealer]
        side = dealing if role == "dealer" else OTHER[dealing]
        self.levels[side] = climb(self.rules, self.levels[side], gain, held=role == "dealer" and not changes)
        # S0-LV-03, S4-LV-09: kept, the partner deals; S0-LV-04, S4-LV-09: lost, the right-hand neighbour deals.
        self.dealer = RIGHT[dealer] if changes else PARTNER[dealer]

    def _adjusted(self, entry: dict, line: dict) -> None:
        dealer = entry.get("dealer") or self.dealer
        level = self.levels[SIDE[dealer]]
        role = "dealer" if entry["side"] == SIDE[dealer] else "attackers"
        self._settle(dealer, role, entry["levels"], changes=entry["deal_changes_hands"])
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
        """practice §5, principles: after the level table, never below the first level, no must-play and no hook."""
        here = LADDER.index(self.levels[entry["side"]]) + entry["levels"]
        self.levels[entry["side"]] = LADDER[min(max(here, 0), len(LADDER) - 1)]

    def _finish_by_itself(self) -> None:
        for side in ("NS", "EW"):
            if self.levels[side] == "passed":  # S0-LV-07, S4-MF-01
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
