"""What a side types at the table, as the protocol's ledger entry and back. Nothing is judged here: the kernel does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from referee.hands.shapes import code_of, shape_of, short_codes
from referee.parts.numbers import whole_number
from scoring.hands.regional import SPECIAL_DIGS
from scoring.values import FLAG, LEVELS, Level, Role, Shape, Trump

if TYPE_CHECKING:
    from django.http import QueryDict

    from scoring.profiles import Profile

THROWS: Final = 3
LED: Final = 3
FIELDS: Final = (
    "dealer",
    "declared_by",
    "level",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "led",
    "kitty_points",
    "last_trick_points",
    "winning_category",
    "hook_card",
    "red_fives_declared",
    "why",
)
NUMBERS: Final = ("captured_in_tricks", "kitty_points", "last_trick_points")
NO_TRUMP: Final = Trump.NT.value


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

    @property
    def dark_bids(self) -> tuple[tuple[str, str], ...]:
        """Face-down bids out of order: role of the side, how many."""
        return tuple((role.value, self.get(f"dark_bids_{role.value}")) for role in Role)

    @property
    def has_dark_bids(self) -> bool:
        return any(times.strip("0") for _, times in self.dark_bids)


def typed(data: QueryDict | Mapping[str, Any]) -> Typed:
    """What was posted, trimmed and cut to a length that can be shown again."""
    names = (
        *FIELDS,
        "annulled_reason",
        "rebel",
        "rebel_points",
        *(f"throw_{part}_{row}" for part in ("side", "cards") for row in range(1, THROWS + 1)),
        *(f"led_{row}" for row in range(1, LED + 1)),
        *(f"dark_bids_{role.value}" for role in Role),
    )
    return Typed({name: str(data.get(name, "")).strip()[: 40 if name != "why" else 200] for name in names})


def hand_facts(form: Typed, profile: Profile, *, level: str = "") -> dict[str, Any]:
    """The hand as the protocol writes it; what was left empty is left out, what is no number stays text.

    `level` is the level due, at which the hand counts whatever was chosen: it names the card that digs with the hook,
    and says whether there is a trump suit and a kitty at all. What the form does not ask for at that level is left out.
    """
    played = level or form.get("level")
    facts: dict[str, Any] = {"kind": "hand"}
    for name in ("dealer", "declared_by", "level"):
        if form.get(name):
            facts[name] = form.get(name)
    if form.get("captured_in_tricks"):
        facts["captured_in_tricks"] = whole_number(form.get("captured_in_tricks"))
    trump = NO_TRUMP if without_trump_suit(played) else form.get("trump")
    if trump:
        facts["trump"] = trump
    if played != FLAG.rank:
        facts |= _last_trick(form, profile, played) | _specials(form)
    throws = [{"side": side, "cards": whole_number(cards)} for _, side, cards in form.throws if side]
    if throws:
        facts["throw_failures"] = throws
    return facts


def _last_trick(form: Typed, profile: Profile, level: str) -> dict[str, Any]:
    winner = form.get("last_trick_winner")
    facts: dict[str, Any] = {"last_trick_winner": winner} if winner else {}
    if profile.last_trick != "kitty":
        facts |= _led(form)
        if form.get("last_trick_points"):
            facts["last_trick_points"] = whole_number(form.get("last_trick_points"))
    elif winner == "attackers":
        facts |= _dig(form, level)
    return facts


def _specials(form: Typed) -> dict[str, Any]:
    """Plays that set levels of their own, and face-down bids out of order."""
    specials = []
    if form.get("red_fives_declared"):
        specials.append({"event": "red_fives_declared", "by": form.get("red_fives_declared")})
    if form.get("led") in SPECIAL_DIGS and form.get("last_trick_winner") == "attackers":
        specials.append({"event": form.get("led"), "by": "attackers"})
    bids = [{"side": role, "times": whole_number(times)} for role, times in form.dark_bids if times.strip("0")]
    return ({"specials": specials} if specials else {}) | ({"dark_bids": bids} if bids else {})


def without_trump_suit(level: str) -> bool:
    """Whether a level (as text, "" where it is not known) is played without a trump suit."""
    return level in LEVELS and Level(level).has_no_trump_suit


def annulled_facts(form: Typed) -> dict[str, Any]:
    """An annulled hand as the protocol writes it."""
    facts: dict[str, Any] = {"kind": "annulled", "reason": form.get("annulled_reason")}
    if form.get("dealer"):
        facts["dealer"] = form.get("dealer")
    if form.get("annulled_reason") == "rebellion":
        if form.get("rebel"):
            facts["by"] = form.get("rebel")
        if form.get("rebel_points"):
            facts["hand_points"] = whole_number(form.get("rebel_points"))
    return facts


def of_facts(facts: Mapping[str, Any], profile: Profile) -> Typed:
    """The form that says the same as a ledger entry (to correct what was sent back)."""
    plain = ("dealer", "declared_by", "level", "trump", *NUMBERS)
    values = {name: str(facts[name]) for name in plain if name in facts}
    for special in facts.get("specials", ()):
        if special["event"] == "red_fives_declared":
            values["red_fives_declared"] = str(special["by"])
        else:
            values["led"] = str(special["event"])
    values |= {f"dark_bids_{one['side']}": str(one["times"]) for one in facts.get("dark_bids", ())}
    values |= {name: str(facts.get(name, "")) for name in ("last_trick_winner", "winning_category")}
    codes = [code_of(Shape.from_json(shape)) for shape in facts.get("led", ())]
    if values.get("led"):
        pass  # a special dig says what was led
    elif len(codes) == 1 and codes[0] in short_codes(profile):
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


def _led(form: Typed) -> dict[str, Any]:
    codes = [code for _, code in form.led_more if code] if form.get("led") == "more" else [form.get("led")]
    if form.get("led") in SPECIAL_DIGS:
        codes = [code_of(shape) for shape in SPECIAL_DIGS[form.get("led")]]
    led = [shape_of(code) for code in codes if code]
    return {"led": led} if led else {}


def _dig(form: Typed, level: str) -> dict[str, Any]:
    facts = _led(form)
    if form.get("kitty_points"):
        facts["kitty_points"] = whole_number(form.get("kitty_points"))
    if form.get("winning_category"):
        facts["winning_category"] = form.get("winning_category")
    if form.get("hook_card"):
        suit = form.get("trump") if form.get("hook_card") == "trump" else form.get("hook_card")
        facts["winning_play"] = [f"{suit}{level}"] * _copies(facts.get("led", []))
    return facts


def _copies(led: list[Any]) -> int:
    """How many equal cards beat the lead: as many as its shape is wide."""
    width = {"pair": 2, "triple": 3, "quad": 4}
    if len(led) != 1 or not isinstance(led[0], dict):
        return 1
    return width.get(str(led[0].get("type")), 1)
