"""Questions by chance: others than those one has, near to them. The same seed gives the same questions.

Each is a question of the suite with one to three things changed: a value replaced by another that stands at the same
place in other questions of that op, a number moved, a card changed, something left out, put in, doubled or moved, an
option set, other rules. So they stay close to what makes sense, and touch its edges.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any, Final

Question = dict[str, Any]
#: A place in a question: names, and None for any place in a list.
Path = tuple[str | None, ...]

_CARD: Final = re.compile(r"(?:[SHCD](?:10|[2-9JQKA])|J[SB])")
_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_STRANGE: Final[tuple[Any, ...]] = (None, True, False, 0, -1, 1, "", "x", [], {}, 2.5, "2", 10**19)
_MOST: Final = 12_000


class Questions:
    """Questions to start from, by op, and what stands in them where."""

    def __init__(self, known: Sequence[Mapping[str, Any]]) -> None:
        from scoring.profiles import OPTIONS, individual_ids, profile_ids
        from scoring.questions.protocol import OPS

        self.ops = OPS
        self.known: dict[str, list[Question]] = defaultdict(list)
        self.values: dict[tuple[str, Path], list[Any]] = defaultdict(list)
        self.names: dict[tuple[str, Path], list[str]] = defaultdict(list)
        self.rules = {False: list(profile_ids()), True: [*profile_ids(), *individual_ids() * 2]}
        self.options = list(OPTIONS)
        self.option_values = _option_values()
        seen: set[str] = set()
        for one in known:
            asked = one.get("input")
            if isinstance(asked, Mapping) and isinstance(asked.get("op"), str) and asked["op"] in OPS:
                self.known[asked["op"]].append({"profile": one.get("profile"), "input": dict(asked)})
                self._note(asked["op"], (), asked, seen)

    def _note(self, op: str, path: Path, value: Any, seen: set[str]) -> None:
        key = json.dumps([op, path, value], sort_keys=True)
        if key in seen:
            return
        seen.add(key)
        if path:
            self.values[op, path].append(value)
        if isinstance(value, Mapping):
            for name, one in value.items():
                if name not in self.names[op, path]:
                    self.names[op, path].append(name)
                self._note(op, (*path, name), one, seen)
        elif isinstance(value, list):
            for one in value:
                self._note(op, (*path, None), one, seen)

    def by_chance(self, op: str, chance: Random, near: Sequence[Question] = ()) -> Question:
        """A question of that op, near to one that is known (or to one of those given)."""
        made = deepcopy(chance.choice(near or self.known[op]))
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
            if self.ops[op].needs_profile and chance.random() < 0.15:
                self._other_rules(made, op, chance)
            else:
                self._changed(made, op, chance)
        if len(json.dumps(made)) > _MOST:
            return deepcopy(chance.choice(self.known[op]))
        return made

    def _other_rules(self, made: Question, op: str, chance: Random) -> None:
        rules = made.get("profile")
        if chance.random() < 0.4 or rules is None:
            made["profile"] = chance.choice(self.rules[self.ops[op].individual])
            return
        base = (
            rules if isinstance(rules, str) else rules.get("base") if isinstance(rules, Mapping) else "cn-national-2d"
        )
        kept = rules.get("set", {}) if isinstance(rules, Mapping) else {}
        option = chance.choice(self.options)
        value = chance.choice(self.option_values[option])
        made["profile"] = {"base": base, "set": {**(kept if isinstance(kept, Mapping) else {}), option: value}}

    def _changed(self, made: Question, op: str, chance: Random) -> None:
        spots = list(_spots(made["input"], ()))
        spots = [one for one in spots if one[0] != ("op",)]
        if not spots:
            return
        deep = [one for one in spots if len(one[0]) > 1]
        path, holder, key = chance.choice(deep if deep and chance.random() < 0.5 else spots)
        kind = chance.random()
        value = holder[key]
        if kind < 0.35:
            known = self.values.get((op, path), ())
            holder[key] = deepcopy(chance.choice(known or _STRANGE))
        elif kind < 0.6:
            holder[key] = self._moved(value, chance)
        elif kind < 0.7:
            self._added(made["input"], op, chance)
        elif kind < 0.8:
            del holder[key]
        elif kind < 0.95 and isinstance(holder, list):
            self._shuffled(holder, key, chance)
        elif kind < 0.98:
            holder[key] = self._moved(value, chance)
        else:
            holder[key] = deepcopy(chance.choice(_STRANGE))

    def _moved(self, value: Any, chance: Random) -> Any:
        """A value a little different."""
        if type(value) is bool:
            return not value
        if type(value) is int:
            step: int = chance.choice((1, -1, 5, -5, 10, -10, 40, -value, -2 * value, value))
            return value + step
        if isinstance(value, str):
            return _other_text(value, chance)
        if isinstance(value, list) and value:
            made = deepcopy(value)
            self._shuffled(made, chance.randrange(len(made)), chance)
            return made
        if isinstance(value, dict) and value:
            made_ = deepcopy(value)
            name = chance.choice(list(made_))
            made_[name] = self._moved(made_[name], chance)
            return made_
        return value

    def _shuffled(self, holder: list[Any], at: int, chance: Random) -> None:
        kind, other = chance.randrange(5), chance.randrange(len(holder))
        if kind == 0:
            holder.insert(at, deepcopy(holder[other]))
        elif kind == 1:
            holder[at], holder[other] = holder[other], holder[at]
        elif kind == 2:
            del holder[at:]
        elif kind == 3:
            holder[at] = deepcopy(holder[other])
        else:
            holder[at] = self._moved(holder[at], chance)

    def _added(self, asked: Any, op: str, chance: Random) -> None:
        """A field put in that other questions have there."""
        holders = [((), asked), *((path, holder[key]) for path, holder, key in _spots(asked, ()))]
        open_ = [(path, one) for path, one in holders if isinstance(one, dict)]
        path, holder = chance.choice(open_)
        names = [name for name in self.names.get((op, path), ()) if name not in holder]
        if names:
            name = chance.choice(names)
            holder[name] = deepcopy(chance.choice(self.values[op, (*path, name)]))


def _spots(value: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    """Every place inside: its path, what holds it, and the key there."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield (*path, name), value, name
            yield from _spots(one, (*path, name))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield (*path, None), value, at
            yield from _spots(one, (*path, None))


def _other_text(text: str, chance: Random) -> str:
    """A text with one thing in it changed: a card, a number, a word, a line."""
    if "\n" in text and chance.random() < 0.35:
        lines = text.split("\n")
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(3):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[other])
            case _:
                lines[at], lines[other] = lines[other], lines[at]
        return "\n".join(lines)
    cards = list(_CARD.finditer(text))
    if cards and chance.random() < 0.8:
        one = chance.choice(cards)
        return (
            text[: one.start()] + _near_card(one.group(), [card.group() for card in cards], chance) + text[one.end() :]
        )
    if text in _RANKS:
        return chance.choice(_RANKS)
    numbers = list(re.finditer(r"-?\d+", text))
    if numbers and chance.random() < 0.7:
        one = chance.choice(numbers)
        return text[: one.start()] + str(int(one.group()) + chance.choice((1, -1, 5, -5))) + text[one.end() :]
    words = text.split(" ")
    if len(words) > 1 and chance.random() < 0.7:
        at = chance.randrange(len(words))
        match chance.randrange(3):
            case 0:
                del words[at]
            case 1:
                words.insert(at, chance.choice(words))
            case _:
                words[at] = chance.choice(words)
        return " ".join(words)
    if not text:
        return "x"
    at = chance.randrange(len(text))
    return (
        text[:at]
        + chance.choice(("", "x", "?", text[at] * 2, " ", "S", "H", "{", "}", "N", "#", "=", "\n"))
        + text[at + 1 :]
    )


def _near_card(card: str, others: Sequence[str], chance: Random) -> str:
    """The next card up or down, the same one of another suit, a joker, or a card that stands there too."""
    if card[0] == "J" and card[1] in "SB":
        return chance.choice(("JS", "JB", *others))
    suit, rank = card[0], card[1:]
    match chance.randrange(5):
        case 0:
            return suit + _RANKS[(_RANKS.index(rank) + chance.choice((1, -1))) % 13]
        case 1:
            return chance.choice("SHCD") + rank
        case 2:
            return chance.choice(("JS", "JB"))
        case 3:
            return suit + chance.choice(_RANKS)
        case _:
            return chance.choice(others)


def _option_values() -> dict[str, list[Any]]:
    """Values to set each option to: those that any rules write, its words, yes and no, numbers near, and wrong ones."""
    from scoring.profiles import OPTIONS
    from tools.mutation.places import _words, _written

    found: dict[str, list[Any]] = {}
    for name, option in OPTIONS.items():
        values = list(_written().get(name, ()))
        numbers = [one for one in values if type(one) is int]
        values += [one + step for one in numbers[:3] for step in (-5, 5, 1, -1)]
        values += list(_words(option.read)) if not any(isinstance(one, list) for one in values) else []
        values += [True, False] if any(type(one) is bool for one in values) else []
        values += [None, 0, 1, 2, 5, 100, 1000]
        lists = [one for one in values if isinstance(one, list) and one and isinstance(one[0], str)]
        values += [one[:-1] for one in lists] + [one[1:] for one in lists] + [one[::-1] for one in lists]
        found[name] = values
    return found
