"""The conformance cases: ``python -m tools.conformance update`` writes them and their page, ``check`` looks.

The worked examples typed from the source documents come first, with the answers that were written there. The others are
edges: for every profile both sides of each band, each level of the ladder, each shape in the kitty, and cards dealt by
a seed. The last ones a seed made up: they tell the kernel from one made wrong on purpose, or are one of their kind.
Their answers are our own; `check` fails when one of them would be another today.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from scoring.conformance.runner import counted
from tools.mutation.places import OPERATORS, OUT

ROOT: Final = Path(__file__).resolve().parent.parent
CASES: Final = ROOT / "scoring" / "conformance" / "cases.jsonl"
PAGE: Final = ROOT / "docs" / "conformance.md"
#: What the archive holds beside the cases: every question there is, and the clauses that belong to no profile.
QUESTIONS: Final = CASES.with_name("questions.md")
CLAUSES: Final = CASES.with_name("clauses.json")
WRITTEN: Final = ("vectors", "vectors-2")
#: Questions made up by a seed: they tell the kernel from one made wrong on purpose, or are one of their kind.
FOUND: Final = ROOT / "tests" / "cases" / "found.jsonl"
#: Questions written by hand for a line of the kernel that no other tells, by the letter of their ids. Each row has what
#: was judged from the clause (`says`), and why; the whole answer counts.
DIRECTED: Final = {
    "DC": ROOT / "tests" / "cases" / "directed_cards.jsonl",
    "DR": ROOT / "tests" / "cases" / "directed_rest.jsonl",
}

#: What the mutants showed when they were run last.
FIGURES: Final = ROOT / "tools" / "mutation" / "figures.json"

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


def cases() -> Iterator[dict[str, Any]]:
    """Every case in order, with the clauses that our own answer cites."""
    from tournaments.questions import answer

    for name in WRITTEN:
        for one in json.loads((ROOT / "tests" / "cases" / f"{name}.json").read_text("utf-8")):
            question = {"id": one["id"], "profile": one["profile"], "input": one["input"]}
            said = answer(question)
            stated = one.get("stated", one.get("status") == "stated")
            yield _case(one["id"], said, question, one["expected"], stated=stated) | {"part": True}
    for number, (profile, asked) in enumerate(edges(), start=1):
        yield _own({"id": f"E-{number:04}", "profile": profile, "input": asked})
    for number, line in enumerate(FOUND.read_text("utf-8").splitlines(), start=1):
        yield _own({"id": f"F-{number:05}", **json.loads(line)})
    for letter, file in DIRECTED.items():
        for number, one in enumerate(map(json.loads, file.read_text("utf-8").splitlines()), start=1):
            asked = {name: value for name, value in one.items() if name not in ("says", "why")}
            yield _own({"id": f"{letter}-{number:05}", **asked}, one["says"])


def _own(question: dict[str, Any], says: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A case whose answer is our own kernel's, with all that counts of it; `says`: what was judged by hand."""
    from scoring.conformance.runner import agrees
    from tournaments.questions import answer

    said = answer(question)
    if says is not None and not agrees(says, said):
        raise ValueError(f"{question['id']}: the kernel does not say {says}, but {said}")
    return _case(question["id"], said, question, counted(said), stated=False)


def _case(id_: str, said: Mapping[str, Any], question: Any, expect: Any, *, stated: bool) -> dict[str, Any]:
    from scoring.conformance.runner import cited, reasons, told

    _note_cited(said)
    case = {"id": id_, "clauses": cited(said), "stated": stated, "question": question, "expect": expect}
    case |= {"found": told(said)} if "error" in said else {}
    return case | ({"reasons": more} if (more := reasons(said)) else {})


#: The clauses that answers have cited so far, with their texts.
_CITED: Final[dict[str, Any]] = {}


def _note_cited(said: Any) -> None:
    """Keep the text of every clause that an answer cites, in its entries as well."""
    if isinstance(said, Mapping):
        for row in said.get("because") or ():
            _CITED.setdefault(row["clause"], dict(row["text"]))
    for one in said.values() if isinstance(said, Mapping) else said if isinstance(said, list | tuple) else ():
        _note_cited(one)


def beside() -> str:
    """The clauses that cases cite and no profile has (`profiles.json` has the others), by id; without those that say
    the value an event sets."""
    from scoring.profiles import individual_ids, load, profile_ids
    from scoring.profiles.clause_files import clauses_beside

    loaded = [*map(load, profile_ids()), *(load(one, individual=True) for one in individual_ids())]
    held = {name for one in loaded for name in one.clauses}
    known = {clause.id: dict(clause.text) for clause in clauses_beside()} | _CITED
    told = {name: words for name, words in sorted(known.items()) if name not in held and not name.startswith("set.")}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def text() -> str:
    return "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in cases())


def strength() -> str:
    """What the mutants showed when they were run last, for the page."""
    held = json.loads(FIGURES.read_text("utf-8"))
    out = "; ".join(f"`{name}` ({why})" for name, why in OUT.items() if name != "__init__.py")
    tables = "\n\n".join(_strength(one) for one in held["runs"])
    operators = "\n".join(f"- `{name}`: {what}." for name, what in OPERATORS.items())
    return f"""A suite that a wrong program passes is worth little, so the kernel is made wrong on purpose, in one
place at a time, and has to be caught (`python -m tools.mutants`; {held["places"]:,} places, drawn by a seed).
The operators and the places were settled before the cases that were found by searching:

{operators}

A mutant is killed when an answer of the suite differs, cites other clauses, gives other amounts as its reasons or
refuses other fields. One that breaks
down or does not end, so that no answer has to differ, is counted apart: the runner notices it all the same, for a line
is missing. Equal: alike in 100,000 questions made up for its op, and the reason is written down
(`tools/mutation/equal.json`). What is left is alive: nobody has shown yet which of the two it is. Each mutant is put to
all cases that run its statement; what is changed while the kernel is imported, and the data, to all cases.

{tables}

{held["told"]}

Left out, as no answer that counts comes from there: {out}. So are functions that no question reaches
(`tools/mutation/outside.json`), and everywhere texts, assertions and the sizes of caches."""


def _strength(run: Mapping[str, Any]) -> str:
    head = "| operator | mutants | killed | broke down | equal | alive |\n|---|---|---|---|---|---|"
    rows = {**run["operators"], "all": [sum(column) for column in zip(*run["operators"].values(), strict=True)]}
    told = "\n".join(
        f"| {name} | " + " | ".join(f"{one:,}" for one in numbers) + " |" for name, numbers in rows.items()
    )
    return f"{run['title']}\n\n{head}\n{told}"


def page(lines: str) -> str:
    """What the suite holds, for docs/conformance.md."""
    found = [json.loads(line) for line in lines.splitlines()]
    ops = Counter(one["question"]["input"]["op"] for one in found)
    clauses = {clause for one in found for clause in one["clauses"]}
    refusals = sum(set(one["expect"]) == {"code"} for one in found)
    rows = "\n".join(f"| `{op}` | {times:,} |" for op, times in sorted(ops.items()))
    by_letter = Counter(one["id"].partition("-")[0] for one in found)
    directed = sum(by_letter[letter] for letter in DIRECTED)
    edges_here, found_here = by_letter["E"], by_letter["F"]
    written = len(found) - edges_here - found_here - directed
    return f"""# Conformance

A verdict that nobody else can check is only our word. The conformance suite is what we hold ourselves to, in a form
that any program can be held to: {len(found):,} questions with the answers that count, {refusals:,} of them refusals,
citing {len(clauses):,} clauses.

Download it from any installation: `/conformance.zip`. It holds the cases, a runner that needs nothing but Python, the
protocol in two pages, every question with its fields, the options and clauses of every profile with their sources, the
clauses beside them, and the codes of refusals. An adapter of a few lines lets another program answer; adapters are
other people's.

    python runner.py --program "./my-adapter"

- {written:,} cases were typed from the source documents, with the answer written beside the quotation; `stated` says
  whether the document gives that answer.
- {edges_here:,} are edges of every profile of two sides: both sides of every band of totals, each level of the ladder
  in both roles, each shape in the kitty, fines, and cards dealt by a seed. Their answers are our own kernel's; they
  show where another program differs, and they stop ours from changing unseen: `make check` fails when one answer
  would be another.
- {found_here:,} are questions made up by a seed: some four hundred were kept because they tell our kernel from one that
  was made wrong in one place, the others because no other has their op, their clauses and their kind of answer. Their
  answers are our own kernel's as well.
- {directed:,} were written by hand, each for a line of the kernel that no other case told: what is right was judged
  from the clause first.
- Of edges, questions of a seed and those written by hand whole answers count, but for texts; of a refusal its code and,
  with `--fields`, what is wrong at which field.
- Where sources disagree no case is right for all: each case names its profile, and the profile its source.

## How strong it is

{strength()}

## What it asks

| op | cases |
|---|---|
{rows}

Written by `make conformance` from the vectors and the profiles.
"""


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    import django

    django.setup()
    lines = text()
    asked = (ROOT / "docs" / "questions.md").read_text("utf-8")
    made = {CASES: lines, PAGE: page(lines), CLAUSES: beside(), QUESTIONS: asked}
    if sys.argv[1:] == ["update"]:
        for path, written in made.items():
            path.write_text(written, "utf-8")
        return 0
    if sys.argv[1:] != ["check"]:
        print("usage: python -m tools.conformance update|check", file=sys.stderr)
        return 2
    if any(not path.exists() or path.read_text("utf-8") != written for path, written in made.items()):
        print("An answer of the conformance suite is another one now: run `make conformance` and look at what differs.")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
