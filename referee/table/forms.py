"""What a side types at the table, as the protocol's ledger entry and back. Nothing is judged here: the kernel does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from scoring.findings import Finding
from scoring.values import Shape

if TYPE_CHECKING:
    from django.http import QueryDict

    from scoring.profiles import Profile

THROWS: Final = 3
LED: Final = 3
FIELDS: Final = (
    "dealer",
    "level",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "led",
    "kitty_points",
    "winning_category",
    "hook_card",
    "why",
)
NUMBERS: Final = ("captured_in_tricks", "kitty_points")
_MOST_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class Typed:
    """A form as it was typed: every value as text, so that a refused form keeps what its writer wrote."""

    values: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    @property
    def throws(self) -> tuple[tuple[int, str, str], ...]:
        """Rows of failed throws: number of the row, role of the side, cards."""
        rows = range(1, THROWS + 1)
        return tuple((row, self.get(f"throw_side_{row}"), self.get(f"throw_cards_{row}")) for row in rows)

    @property
    def led_more(self) -> tuple[tuple[int, str], ...]:
        """The shapes of a longer lead: number of the choice, code of the shape."""
        return tuple((row, self.get(f"led_{row}")) for row in range(1, LED + 1))

    @property
    def has_throws(self) -> bool:
        return any(side for _, side, _ in self.throws)


def typed(data: QueryDict | Mapping[str, Any]) -> Typed:
    """What was posted, trimmed and cut to a length that can be shown again."""
    names = (
        *FIELDS,
        "annulled_reason",
        "rebel",
        "rebel_points",
        *(f"throw_{part}_{row}" for part in ("side", "cards") for row in range(1, THROWS + 1)),
        *(f"led_{row}" for row in range(1, LED + 1)),
    )
    return Typed({name: str(data.get(name, "")).strip()[: 40 if name != "why" else 200] for name in names})


def hand_facts(form: Typed, *, level: str = "") -> dict[str, Any]:
    """The hand as the protocol writes it; what was left empty is left out, what is no number stays text.

    `level` is the level due, for the card that digs with the hook when no other level was chosen.
    """
    facts: dict[str, Any] = {"kind": "hand"}
    for name in ("dealer", "level", "trump", "last_trick_winner"):
        if form.get(name):
            facts[name] = form.get(name)
    if form.get("captured_in_tricks"):
        facts["captured_in_tricks"] = _number(form.get("captured_in_tricks"))
    if form.get("last_trick_winner") == "attackers":
        facts |= _dig(form, form.get("level") or level)
    throws = [{"side": side, "cards": _number(cards)} for _, side, cards in form.throws if side]
    if throws:
        facts["throw_failures"] = throws
    return facts


def trump_missing(form: Typed) -> Finding | None:
    """The rules can do without the trump of a hand; the table writes it down all the same."""
    if form.get("trump"):
        return None
    message = {"en": "Choose the trump suit, or no-trump.", "zh": "请选主花色，或无主。"}
    return Finding("trump_missing", "trump", blocking=True, clause=None, message=message, params={})


def annulled_facts(form: Typed) -> dict[str, Any]:
    """An annulled hand as the protocol writes it."""
    facts: dict[str, Any] = {"kind": "annulled", "reason": form.get("annulled_reason")}
    if form.get("dealer"):
        facts["dealer"] = form.get("dealer")
    if form.get("annulled_reason") == "rebellion":
        if form.get("rebel"):
            facts["by"] = form.get("rebel")
        if form.get("rebel_points"):
            facts["hand_points"] = _number(form.get("rebel_points"))
    return facts


def of_facts(facts: Mapping[str, Any], profile: Profile) -> Typed:
    """The form that says the same as a ledger entry (to correct what was sent back)."""
    values = {name: str(facts[name]) for name in ("dealer", "level", "trump", *NUMBERS) if name in facts}
    values |= {name: str(facts.get(name, "")) for name in ("last_trick_winner", "winning_category")}
    codes = [code_of(Shape.from_json(shape)) for shape in facts.get("led", ())]
    if len(codes) == 1 and codes[0] in short_codes(profile):
        values["led"] = codes[0]
    elif codes:
        values |= {"led": "more", **{f"led_{row}": code for row, code in enumerate(codes[:LED], 1)}}
    for row, failure in enumerate(facts.get("throw_failures", ())[:THROWS], 1):
        values |= {f"throw_side_{row}": str(failure["side"]), f"throw_cards_{row}": str(failure["cards"])}
    cards = facts.get("winning_play", ())
    if cards:
        values["hook_card"] = "trump" if profile.hook_card == "main" else str(cards[0])[0]
    if facts.get("kind") == "annulled":
        values["annulled_reason"] = str(facts.get("reason", ""))
    return Typed(values)


def _dig(form: Typed, level: str) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    codes = [code for _, code in form.led_more if code] if form.get("led") == "more" else [form.get("led")]
    led = [shape_of(code) for code in codes if code]
    if led:
        facts["led"] = led
    if form.get("kitty_points"):
        facts["kitty_points"] = _number(form.get("kitty_points"))
    if form.get("winning_category"):
        facts["winning_category"] = form.get("winning_category")
    if form.get("hook_card"):
        suit = form.get("trump") if form.get("hook_card") == "trump" else form.get("hook_card")
        facts["winning_play"] = [f"{suit}{level}"] * _copies(led)
    return facts


def _copies(led: list[Any]) -> int:
    """How many equal cards beat the lead: as many as its shape is wide."""
    width = {"pair": 2, "triple": 3, "quad": 4}
    if len(led) != 1 or not isinstance(led[0], dict):
        return 1
    return width.get(str(led[0].get("type")), 1)


def _number(text: str) -> int | str:
    sign, digits = (text[0], text[1:]) if text[:1] in "-−" else ("", text)
    if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        return -int(digits) if sign else int(digits)
    return text


# Shapes have one-word codes in forms: single, pair, triple, quad, 2x3 (three pairs).


def code_of(shape: Shape) -> str:
    return shape.type if shape.length == 1 else f"{shape.width}x{shape.length}"


def shape_of(code: str) -> Any:
    """The protocol's shape of a code; an unknown code goes to the kernel as it is, to be refused by name."""
    width, cross, length = code.partition("x")
    if cross and width.isdigit() and length.isdigit() and len(code) <= 5:
        return {"type": "tractor", "width": int(width), "length": int(length)}
    return {"type": code}


def short_shapes(profile: Profile) -> tuple[Shape, ...]:
    """The shapes that have their own key: what most last tricks are led with."""
    shapes = {
        1: (Shape(1),),
        2: (Shape(1), Shape(2), Shape(2, 2), Shape(2, 3)),
        3: (Shape(1), Shape(2), Shape(3), Shape(2, 2)),
    }
    return shapes.get(profile.decks, (Shape(1), Shape(2), Shape(3), Shape(4)))


def short_codes(profile: Profile) -> tuple[str, ...]:
    return tuple(code_of(shape) for shape in short_shapes(profile))


def all_shapes(profile: Profile) -> tuple[Shape, ...]:
    """Every shape that a hand of the profile could lead, shortest first."""
    widths = range(1, profile.decks + 1)
    plain = [Shape(width) for width in widths]
    tractors = [
        Shape(width, length)
        for width in widths
        if width > 1 and profile.tractors
        for length in range(2, profile.hand_cards // width + 1)
        if length <= 12
    ]
    return tuple(plain + sorted(tractors, key=lambda shape: (shape.cards, shape.length)))
