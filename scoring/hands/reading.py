"""Reading JSON strictly: a reader collects a finding for everything it cannot read and never stops at the first.

A whole number is an int and nothing else: not true, not "80", not 80.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from scoring import wording
from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import Profile
from scoring.values import LEVELS, Card, Level, Points, Shape

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")

#: More items than any list of a hand can have.
MOST_ITEMS = 200
MOST_WORDS = 1_000


class Reader:
    """Reads the fields of one JSON object. Unread keys are `unknown_field` findings at the end.

    Of what is no object only that is said, not that every field is missing.
    """

    def __init__(self, data: object, path: str = "", findings: list[Finding] | None = None) -> None:
        self.findings: list[Finding] = [] if findings is None else findings
        self.path = path
        self._read: set[str] = set()
        self._is_object = isinstance(data, Mapping)
        self.data: Mapping[Any, Any] = data if isinstance(data, Mapping) else {}
        if not self._is_object:
            self._type(path or "input", "an object", "一个对象", data)

    def refuse_if_any(self) -> None:
        if self.findings:
            raise Refused(self.findings)

    def done(self, *, allowed: Iterable[str] = ()) -> None:
        """Note every key nobody asked for."""
        for key in self.data:
            if key not in self._read and key not in allowed:
                name = key[:40] if isinstance(key, str) else "?"
                self.findings.append(finding("unknown_field", self._at("".join(c for c in name if c.isprintable()))))

    def raw(self, name: str) -> Any:
        self._read.add(name)
        return self.data.get(name)

    def has(self, name: str) -> bool:
        return self.raw(name) is not None

    def missing(self, name: str) -> None:
        if self._is_object:
            self.findings.append(finding("missing", self._at(name)))

    def whole(
        self,
        name: str,
        what: Mapping[str, str],
        *,
        low: int | None = None,
        high: int | None = None,
        required: bool = False,
    ) -> int | None:
        """A whole number between `low` and `high` (give both or neither), or None with a finding (none when absent and
        not required)."""
        value = self.raw(name)
        if value is None:
            if required:
                self.missing(name)
            return None
        if type(value) is not int and type(value) is not Points:
            self.findings.append(finding("not_a_whole_number", self._at(name), what=what, value=wording.shown(value)))
            return None
        if low is not None and high is not None and not low <= value <= high:
            self.findings.append(
                finding(
                    "out_of_range",
                    self._at(name),
                    what=what,
                    value=wording.shown(value),
                    low=wording.shown(low),
                    high=wording.shown(high),
                )
            )
            return None
        return int(value)

    def points(self, name: str, what: Mapping[str, str], *, required: bool = False) -> Points | None:
        """Points as a whole number of any size; whether they are possible is for the sheet's own checks."""
        value = self.whole(name, what, required=required)
        return None if value is None else Points(value)

    def choice(self, name: str, kind: type[E], *, required: bool = False) -> E | None:
        value = self.word(name, [member.value for member in kind], required=required)
        return None if value is None else kind(value)

    def word(self, name: str, choices: Iterable[str], *, required: bool = False) -> str | None:
        value = self.raw(name)
        if value is None:
            if required:
                self.missing(name)
            return None
        options = list(choices)
        if isinstance(value, str) and value in options:
            return str(value)
        self.findings.append(
            finding(
                "unknown_value",
                self._at(name),
                value=wording.shown(value),
                choices={"en": ", ".join(options), "zh": "、".join(options)},
            )
        )
        return None

    def flag(self, name: str, *, required: bool = False) -> bool | None:
        value = self.raw(name)
        if value is None:
            if required:
                self.missing(name)
            return None
        if isinstance(value, bool):
            return value
        self._type(self._at(name), "true or false", " true 或 false", value)
        return None

    def level(self, name: str, profile: Profile, *, required: bool = False) -> Level | None:
        """A level of the ladder. Where no levels are played there is none to name: a given one is refused."""
        value = self.raw(name)
        if not profile.ladder:
            if value is not None:
                self.findings.append(finding("no_levels", self._at(name), profile=profile, topic="ladder"))
            return None
        if value is None:
            if required:
                self.missing(name)
            return None
        if isinstance(value, str) and value in LEVELS and Level(value) in profile.ladder:
            return Level(value)
        self.findings.append(
            finding(
                "level_not_on_ladder",
                self._at(name),
                profile=profile,
                topic="ladder",
                value=wording.shown(value),
                levels=wording.level_list(profile.ladder.levels),
            )
        )
        return None

    def text(self, name: str, most: int) -> str | None:
        """A text of at most so many characters."""
        value = self.raw(name)
        if value is None or (isinstance(value, str) and len(value) <= most):
            return value
        self._type(self._at(name), "a text", "一段文字", value)
        return None

    def why(self, name: str) -> Any:
        """A reason: a text, or one in each language."""
        value = self.raw(name)
        if value is None:
            return None
        if isinstance(value, str) and len(value) <= MOST_WORDS:
            return value
        if isinstance(value, Mapping) and set(value) == {"en", "zh"}:
            texts = {"en": value["en"], "zh": value["zh"]}
            if all(isinstance(text, str) and len(text) <= MOST_WORDS for text in texts.values()):
                return texts
        self._type(self._at(name), "a text", "一段文字", value)
        return None

    def items(self, name: str, read: Callable[[object, str], T | None]) -> tuple[T, ...]:
        """Every readable item of a list; `read` takes the item and its path."""
        value = self.raw(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            self._type(self._at(name), "a list", "一个列表", value)
            return ()
        if len(value) > MOST_ITEMS:
            self.findings.append(finding("too_many", self._at(name), most=MOST_ITEMS))
            return ()
        found = (read(item, f"{self._at(name)}[{i}]") for i, item in enumerate(value))
        return tuple(item for item in found if item is not None)

    def shapes(self, name: str) -> tuple[Shape, ...]:
        return self.items(name, self._shape)

    def cards(self, name: str) -> tuple[Card, ...]:
        return self.items(name, self._card)

    def nested(self, data: object, path: str) -> Reader:
        return Reader(data, path, self.findings)

    def _shape(self, data: object, path: str) -> Shape | None:
        try:
            return Shape.from_json(data)
        except ValueError:
            self.findings.append(finding("shape_unknown", path))
            return None

    def _card(self, data: object, path: str) -> Card | None:
        try:
            return Card.parse(data)
        except ValueError:
            self.findings.append(finding("card_unknown", path, value=wording.shown(data)))
            return None

    def _type(self, path: str, en: str, zh: str, value: object) -> None:
        self.findings.append(finding("wrong_type", path, expected=en, expected_zh=zh, value=wording.shown(value)))

    def _at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def unknown_fields(data: Mapping[str, Any], known: Iterable[str], path: str = "") -> list[Finding]:
    """A finding for every field of an object that nobody asks for."""
    reader = Reader(data, path)
    reader.done(allowed=known)
    return reader.findings
