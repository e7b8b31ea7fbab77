"""Hands of single players simulated, written down, read back and judged again, one in five made wrong on purpose.

``python -m tests.soak.single_hands --hands 100000 --to FILE`` goes on where FILE ends, and prints what was counted.
Nothing is taken as caught that was not: a wrong hand counts as caught where the finding that its kind must give stands
at its place, else it is listed as missed with its number, by which it is made again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from scoring.cards.deck import points_of
from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord, write
from scoring.individual.replay import SingleReplay, replay_single
from scoring.profiles import Profile, individual_ids, load
from scoring.simulation.players import RANDOM, SENSIBLE
from scoring.simulation.single import simulate_single
from tests.soak.single_wrongs import KINDS, WrongHand

#: One hand in so many is made wrong.
ONE_IN = 5
#: So many hands are judged between two writings of the file.
STRETCH = 200
RULES = {name: load(name, individual=True) for name in individual_ids()}
NAMES = tuple(KINDS)


@dataclass
class Tally:
    """What was counted: hands from `first` up to `next`; `wrong` and `caught` by game and kind (`game: kind`).

    `found` are honest hands with findings, `missed` wrong ones whose finding did not stand at its place, each with the
    number of the hand.
    """

    seed: str
    next: int = 0
    honest: Counter[str] = field(default_factory=Counter)
    redealt: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    found: list[list[Any]] = field(default_factory=list)
    missed: list[list[Any]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path, seed: str) -> Tally:
        """The tally of a file, from nothing where there is none; of another seed it is refused."""
        if not path.exists():
            return cls(seed)
        rows = json.loads(path.read_text(encoding="utf-8"))
        if rows["seed"] != seed:
            raise SystemExit(f"{path} counts the hands of seed {rows['seed']}")
        counters = {name: Counter(rows.pop(name)) for name in ("honest", "wrong", "caught")}
        return cls(**rows, **counters)

    def write(self, path: Path) -> None:
        """Whole or not at all: a run that is cut off goes on from the last stretch."""
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps(vars(self), indent=1, sort_keys=True), encoding="utf-8")
        beside.replace(path)

    @property
    def sound(self) -> bool:
        return not self.found and not self.missed and self.wrong == self.caught

    def lines(self) -> list[str]:
        wrong, caught = sum(self.wrong.values()), sum(self.caught.values())
        said = [
            f"{self.next} hands of seed {self.seed}: {sum(self.honest.values())} honest ({self.redealt} dealt again), "
            f"{wrong} made wrong, {caught} caught at their place",
            f"honest hands with a finding: {len(self.found)}; wrong hands missed: {len(self.missed)}",
        ]
        for name in RULES:
            said.append(f"{name}: {self.honest[name]} honest")
            said += [
                f"  {kind}: {self.caught[f'{name}: {kind}']} of {self.wrong[f'{name}: {kind}']}"
                for kind in KINDS
                if self.wrong[f"{name}: {kind}"]
            ]
        return said + [f"hand {number}, {what}: {told}" for number, what, told in (*self.found, *self.missed)]


def played(profile: Profile, seed: object, *, keep_redeals: bool = True) -> HandRecord:
    """A hand written down and read back."""
    habits = RANDOM if Random(f"habits/{seed}").randrange(3) == 0 else SENSIBLE
    chance = Random(f"{profile.id}/{seed}")
    record = simulate_single(profile, chance, habits=habits, keep_redeals=keep_redeals)
    (back,) = parse(write(record))
    assert back == record
    return back


def faults(profile: Profile, record: HandRecord) -> tuple[SingleReplay, list[str]]:
    """What is wrong with an honest hand: findings, what could not be judged, cards and points that do not add up."""
    again = replay_single(profile, record)
    told = [one.message["en"] for one in again.findings]
    if again.redeal:
        return again, told + ["tricks of a hand dealt again"] * bool(record.tricks)
    told += [one["en"] for one in again.unknown] + ["not complete"] * (not again.complete)
    laid = [card for trick in record.tricks for play in trick.plays for card in play.laid]
    (kitty,) = [act.cards for act in record.acts if act.act == "bury"]
    told += ["cards are not whole"] * (set(Counter([*laid, *kitty]).values()) != {profile.decks})
    points = sum(trick.points or 0 for trick in again.tricks) + points_of(profile, [one for one in kitty if one])
    told += [f"{points} points"] * (points != profile.points_max)
    if again.result is not None:
        gains = sum(again.result.gains.values())
        fined = sum(one.cards for one in again.hand.throw_failures) * profile.throw_fine
        due = {"alone": 0, "everyone": profile.points_max - fined}.get(profile.division, gains)
        told += [f"gains of {gains} in all"] * (gains != due)
    return again, told


def caught(profile: Profile, wrong: WrongHand) -> tuple[bool, list[str]]:
    """Whether the finding that must be there stands at its place, and all that was found."""
    (back,) = parse(write(wrong.record))
    found = replay_single(profile, back).findings
    clause = profile.topics.get(wrong.topic)
    due = (wrong.code, None if clause is None else clause.id, f"record:{wrong.place(back)}")
    at = [one for one in found if (one.code, one.clause, one.field) == due and wrong.says in one.message["en"]]
    return bool(at), [f"{one.code} {one.clause} {one.field}: {one.message['en']}" for one in found]


def made_wrong(profile: Profile, number: int, seed: object) -> tuple[str, WrongHand]:
    """The hand made wrong in the kind whose turn it is, or in the next that fits this hand."""
    record = played(profile, seed, keep_redeals=False)
    chance = Random(f"wrong/{seed}")
    turn = number // ONE_IN
    for name in (*NAMES[turn % len(NAMES) :], *NAMES):
        wrong = KINDS[name](profile, record, chance)
        if wrong is not None:
            return name, wrong
    raise AssertionError("a card that its player never held fits every hand")


def judge(tally: Tally) -> None:
    """The next hand: honest, or one in five wrong."""
    number = tally.next
    seed = f"{tally.seed}/{number}"
    # drawn, so that every kind meets every game
    game = Random(f"game/{seed}").choice(list(RULES))
    profile = RULES[game]
    if number % ONE_IN == ONE_IN - 1:
        kind, wrong = made_wrong(profile, number, seed)
        is_caught, told = caught(profile, wrong)
        tally.wrong[f"{game}: {kind}"] += 1
        if is_caught:
            tally.caught[f"{game}: {kind}"] += 1
        else:
            tally.missed.append([number, f"{game}: {kind}", told])
    else:
        again, told = faults(profile, played(profile, seed))
        tally.honest[game] += 1
        tally.redealt += again.redeal
        if told:
            tally.found.append([number, game, told])
    tally.next += 1


def run(tally: Tally, hands: int, path: Path | None = None) -> Tally:
    """Judge up to so many hands in all; a stretch at a time into the file."""
    while tally.next < hands:
        judge(tally)
        if path is not None and (tally.next % STRETCH == 0 or tally.next == hands):
            tally.write(path)
    return tally


def main(asked: list[str]) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--hands", type=int, default=100_000, help="how many in all, with those in the file")
    options.add_argument("--seed", default="0")
    options.add_argument("--to", type=Path, metavar="FILE", help="where it is counted; the run goes on from there")
    given = options.parse_args(asked)
    tally = Tally(given.seed) if given.to is None else Tally.read(given.to, given.seed)
    run(tally, given.hands, given.to)
    print("\n".join(tally.lines()))
    return 0 if tally.sound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
