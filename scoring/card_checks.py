"""What a sheet says of cards, held against what decks and hands can hold: shapes, throws, the winning cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scoring import wording
from scoring.entries import HandSheet
from scoring.findings import Finding, finding
from scoring.profiles import Profile
from scoring.values import Role, Shape


def check_shapes(profile: Profile, shapes: tuple[Shape, ...], field: str) -> Iterator[Finding]:
    """Shapes the decks do not have, or that no hand can hold."""
    hand, led = profile.hand_cards, sum(shape.cards for shape in shapes)
    too_long = False
    for i, shape in enumerate(shapes):
        if shape.width > profile.decks:
            yield finding(
                "shape_not_here",
                f"{field}[{i}]",
                profile=profile,
                topic="deal",
                decks={
                    "en": wording.decks(profile.decks)["en"].replace(" holds", " has").replace(" hold", " have"),
                    "zh": wording.decks(profile.decks)["zh"],
                },
                shape=wording.shape_name(shape),
            )
        elif shape.length > 1 and not profile.tractors:
            yield finding("tractor_not_here", f"{field}[{i}]", profile=profile, topic="tractors")
        if shape.cards > hand:
            too_long = True
            yield finding(
                "shape_too_long",
                f"{field}[{i}]",
                profile=profile,
                topic="deal",
                cards=hand,
                shape=wording.shape_name(shape) if shape.length < 10**6 else wording.shown(shape.length),
            )
    if led > hand and not too_long:
        yield finding("too_many_cards_led", field, profile=profile, topic="deal", cards=hand, value=led)


def check_throws(profile: Profile, sheet: HandSheet, prefix: str) -> Iterator[Finding]:
    """The failed throws of a sheet."""
    for i, one in enumerate(sheet.throw_failures):
        yield from check_throw_size(profile, one.cards, f"{prefix}throw_failures[{i}].cards")


def check_throw_size(profile: Profile, cards: int, field: str) -> Iterator[Finding]:
    """A throw has at least two cards and no more than a hand, where there are throws."""
    if not profile.throws_allowed:
        yield finding("throw_not_here", field, profile=profile, topic="throws")
    elif not 2 <= cards <= profile.hand_cards:
        yield finding(
            "throw_size",
            field,
            profile=profile,
            topic="throw_fine",
            high=profile.hand_cards,
            value=wording.shown(cards),
        )


def check_winning_play(profile: Profile, sheet: HandSheet, prefix: str) -> Iterator[Finding]:
    """The cards stated to have won the last trick."""
    field = f"{prefix}winning_play"
    if not sheet.winning_play:
        return
    if sheet.last_trick_winner is Role.DEALER:
        yield finding("winning_play_without_dig", field, profile=profile, topic="kitty.escape")
    hook_may_matter = bool(profile.hook_levels) and profile.hook_card == "main"
    if sheet.trump is None and hook_may_matter and (sheet.level is None or sheet.level in profile.hook_levels):
        yield finding("trump_missing", f"{prefix}trump", profile=profile, topic="hook")
    for card, times in sorted(Counter(map(str, sheet.winning_play)).items()):
        if times > profile.decks:
            yield finding(
                "card_too_often",
                field,
                profile=profile,
                topic="deal",
                decks=wording.decks(profile.decks),
                card=card,
                times=profile.decks,
            )
