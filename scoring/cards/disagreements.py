"""What the cards of a recorded hand say against the sheet that the table wrote down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import MappingProxyType

from scoring import wording
from scoring.cards.replay import Replay
from scoring.hands.entries import HandSheet
from scoring.hands.findings import Finding
from scoring.hands.totals import attackers_total
from scoring.values import Place, Role, Text, Trump

_FIELDS: dict[str, Text] = {
    "line": {"en": "the line of the dealer", "zh": "庄家定的上台分数"},
    "dealer": {"en": "the dealer", "zh": "庄家"},
    "bid": {"en": "the bid", "zh": "叫分"},
    "call": {"en": "the called card", "zh": "所叫的牌"},
    "ally": {"en": "the ally", "zh": "盟友"},
    "points": {"en": "the points of the players", "zh": "各家得分"},
    "last_trick_place": {"en": "the winner of the last trick", "zh": "末圈赢家"},
    "level": {"en": "the level", "zh": "级别"},
    "trump": {"en": "the trumps", "zh": "主"},
    "captured_in_tricks": {"en": "the points in tricks", "zh": "闲家得分"},
    "last_trick_winner": {"en": "the winner of the last trick", "zh": "末圈赢家"},
    "led": {"en": "the shapes led to the last trick", "zh": "末圈领出的牌型"},
    "kitty_points": {"en": "the kitty points", "zh": "底牌分"},
    "last_trick_points": {"en": "the points of the last trick", "zh": "末圈分"},
    "throw_failures": {"en": "the failed throws", "zh": "甩牌失败"},
    "total": {"en": "the total", "zh": "总分"},
}
_TRUMPS: dict[Trump, Text] = {
    Trump.S: {"en": "spades", "zh": "黑桃"},
    Trump.H: {"en": "hearts", "zh": "红桃"},
    Trump.C: {"en": "clubs", "zh": "梅花"},
    Trump.D: {"en": "diamonds", "zh": "方块"},
    Trump.NT: {"en": "no-trump", "zh": "无主"},
}
_ROLES: dict[Role, Text] = {
    Role.DEALER: {"en": "dealer side", "zh": "庄家方"},
    Role.ATTACKERS: {"en": "attackers", "zh": "闲家方"},
}


def disagreements(replay: Replay, sheet: HandSheet) -> tuple[Finding, ...]:
    """A finding `record_disagrees` for each field in which the sheet differs from what the cards give.

    A field that the sheet leaves open, or that the record does not tell, disagrees with nothing. The total is
    compared without what officials ruled.
    """
    return tuple(_disagreements(replay, sheet))


def _disagreements(replay: Replay, sheet: HandSheet) -> Iterator[Finding]:
    played = replay.sheet
    for name in ("dealer", "level", "trump", "last_trick_winner"):
        entered, true = getattr(sheet, name), getattr(played, name)
        if entered is not None and true is not None and entered != true:
            yield disagreement(name, in_words(entered), in_words(true))
    if played.line is not None and sheet.line != played.line:
        entered_line = same("–") if sheet.line is None else same(int(sheet.line))
        yield disagreement("line", entered_line, same(int(played.line)))
    if not replay.complete or replay.total is None:
        return
    if sheet.total_only is None:
        for name in ("captured_in_tricks", "last_trick_points", "kitty_points"):
            entered, true = getattr(sheet, name), getattr(played, name)
            if entered is not None and true is not None and entered != true:
                yield disagreement(name, same(entered), same(true))
        if sheet.led and played.led and Counter(sheet.led) != Counter(played.led):
            yield disagreement("led", wording.shapes_named(list(sheet.led)), wording.shapes_named(list(played.led)))
        if Counter(sheet.throw_failures) != Counter(played.throw_failures):
            yield disagreement("throw_failures", _throws(sheet), _throws(played))
    entered_total = attackers_total(replay.profile, sheet, level=replay.level, reasons=False)
    unruled = entered_total.raw - entered_total.adjustments
    true_total = replay.total.raw - replay.total.adjustments
    if unruled != true_total:
        yield disagreement("total", same(wording.shown(unruled)["en"]), same(wording.shown(true_total)["en"]))


def disagreement(name: str, entered: Text, true: Text) -> Finding:
    """The finding on one field: what was entered, and what the cards give."""
    field = _FIELDS[name]
    return Finding(
        code="record_disagrees",
        field=name,
        blocking=False,
        clause=None,
        message={
            "en": f"Entered for {field['en']}: {entered['en']}; by the cards: {true['en']}.",
            "zh": f"{field['zh']}：录入为{entered['zh']}，按牌应为{true['zh']}。",
        },
        params=MappingProxyType({"entered": dict(entered), "played": dict(true)}),
    )


def in_words(value: object) -> Text:
    """A value of a sheet in both languages."""
    if isinstance(value, Trump):
        return _TRUMPS[value]
    if isinstance(value, Role):
        return _ROLES[value]
    if isinstance(value, Place):
        return wording.PLACES[value]
    return wording.SEATS.get(value) or same(value)  # type: ignore[call-overload]


def same(value: object) -> Text:
    """What is written alike in both languages."""
    return {"en": f"{value}", "zh": f" {value} "}


def _throws(sheet: HandSheet) -> Text:
    rows = sorted((one.side, one.cards) for one in sheet.throw_failures)
    if not rows:
        return {"en": "none", "zh": "无"}
    return {
        "en": ", ".join(f"{_ROLES[side]['en']} {cards}" for side, cards in rows),
        "zh": "、".join(f"{_ROLES[side]['zh']} {cards} 张" for side, cards in rows),
    }
