"""What a sheet says of cards, held against what decks and hands can hold: shapes, throws, the winning cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scoring import wording
from scoring.hands.entries import HandSheet
from scoring.hands.findings import Finding, finding
from scoring.hands.regional import JUMP_TOPICS, JUMPS
from scoring.profiles import Profile
from scoring.values import FLAG, Level, Role, Shape


def check_shapes(
    profile: Profile, shapes: tuple[Shape, ...], field: str, level: Level | None = None
) -> Iterator[Finding]:
    """Shapes the decks do not have, or that no hand at that level can hold."""
    hand, led = profile.deal_at(level)[0], sum(shape.cards for shape in shapes)
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
        elif shape.type == "510K" and not profile.shape_510k:
            yield finding("shape_510k_not_here", f"{field}[{i}]", profile=profile, topic="deal")
        elif shape.type == "tractor" and not profile.tractors:
            yield finding("tractor_not_here", f"{field}[{i}]", profile=profile, topic="tractors")
        if shape.cards > hand:
            too_long = True
            yield finding(
                "shape_too_long",
                f"{field}[{i}]",
                profile=profile,
                topic="deal",
                cards=hand,
                shape=wording.shape_name(shape),
            )
    if led > hand and not too_long:
        yield finding("too_many_cards_led", field, profile=profile, topic="deal", cards=hand, value=led)


def check_throws(profile: Profile, sheet: HandSheet, prefix: str, level: Level | None = None) -> Iterator[Finding]:
    """The failed throws of a sheet."""
    for i, one in enumerate(sheet.throw_failures):
        yield from check_throw_size(profile, one.cards, f"{prefix}throw_failures[{i}].cards", level)


def check_throw_size(profile: Profile, cards: int, field: str, level: Level | None = None) -> Iterator[Finding]:
    """A throw has at least two cards and no more than a hand, where there are throws."""
    most = profile.deal_at(level)[0]
    if not profile.throws_allowed:
        yield finding("throw_not_here", field, profile=profile, topic="throws")
    elif not 2 <= cards <= most:
        yield finding(
            "throw_size",
            field,
            profile=profile,
            topic="throw_fine",
            high=most,
            value=wording.shown(cards),
        )


def check_specials(profile: Profile, sheet: HandSheet, prefix: str, level: Level | None) -> Iterator[Finding]:
    """Plays that set levels of their own, and face-down bids: where the rules have them and the hand allows them."""
    if sheet.dark_bids:
        field = f"{prefix}dark_bids"
        if not profile.dark_bid_fine:
            yield finding("dark_bid_not_here", field)
        elif level == FLAG:
            yield finding("special_at_flag", field, profile=profile, topic="flag")
        elif len({one.side for one in sheet.dark_bids}) < len(sheet.dark_bids):
            yield finding("dark_bid_twice", field, profile=profile, topic="dark_bid")
    for i, one in enumerate(sheet.specials):
        field = f"{prefix}specials[{i}]"
        jump = JUMPS[one.event]
        digs = one.event != "red_fives_declared"
        if jump not in profile.level_jumps:
            yield finding("jump_not_here", f"{field}.event")
        elif level == FLAG:
            yield finding("special_at_flag", field, profile=profile, topic="flag")
        elif digs and one.by is Role.DEALER:
            yield finding("dig_by_dealer", f"{field}.by", profile=profile, topic=JUMP_TOPICS[jump])
        elif digs and sheet.last_trick_winner is Role.DEALER:
            yield finding("special_without_dig", field, profile=profile, topic=JUMP_TOPICS[jump])
    yield from _specials_together(profile, sheet, prefix)


def _specials_together(profile: Profile, sheet: HandSheet, prefix: str) -> Iterator[Finding]:
    """Plays that cannot be in one hand: the same twice, two digs, one pair of red fives in two hands."""
    field = f"{prefix}specials"
    events = [one.event for one in sheet.specials]
    if len(set(events)) < len(events):
        yield finding("special_twice", field)
        return
    if {"red_fives_dug", "dug_510K"} <= set(events):
        yield finding("specials_one_dig", field, profile=profile, topic="jump.510K")
    holders = {one.by for one in sheet.specials if one.event != "dug_510K"}
    if len(holders) > profile.decks // 2:
        yield finding("specials_one_pair", field, profile=profile, topic="jump.pair_H5", decks=profile.decks)


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
