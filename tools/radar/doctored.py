"""Named ways in which the record of a match comes to be wrong, by a slip or on purpose: what the radar is tried on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from scoring.profiles import Profile
from scoring.radar.seen import BoardSeen, HandSeen
from scoring.values import Side, Text
from scoring.wording import both
from tools.radar.played import BOARDS, Match, Played, gains_of

Way = Callable[[Profile, Match, Sequence[Played], Random], Match]


def _hands(match: Match, hands: Sequence[HandSeen]) -> Match:
    return match._replace(table=replace(match.table, hands=tuple(hands)))


def _changed(match: Match, at: int, **what: object) -> Match:
    hands = list(match.table.hands)
    hands[at] = replace(hands[at], **what)  # type: ignore[arg-type]
    return _hands(match, hands)


def _any(match: Match, chance: Random) -> int:
    return chance.randrange(len(match.table.hands))


def _figure(profile: Profile, match: Match, at: int, total: int) -> Match:
    hand = match.table.hands[at]
    gains = hand.gains
    if profile.game == "two_teams":
        gains = gains_of(profile, total, Side.NS if at % 2 else Side.EW)
    parts = (total - sum(hand.parts[1:]), *hand.parts[1:])
    return _changed(match, at, figure=total, parts=parts, gains=gains)


def hundred_more(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    at = _any(match, chance)
    return _figure(profile, match, at, (match.table.hands[at].figure or 0) + 100)


def five_more(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    at = _any(match, chance)
    return _figure(profile, match, at, (match.table.hands[at].figure or 0) + 5)


def other_role(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    at = _any(match, chance)
    return _figure(profile, match, at, 100 * profile.decks - (match.table.hands[at].figure or 0))


def kitty_again(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """The kitty is counted twice in the hand where it gave most."""
    at = max(range(len(match.table.hands)), key=lambda n: match.table.hands[n].parts[1:2])
    hand = match.table.hands[at]
    return _figure(profile, match, at, (hand.figure or 0) + (hand.parts[1] if len(hand.parts) == 3 else 0))


def copied(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """One sheet written down three times running."""
    first = chance.randrange(max(1, len(match.table.hands) - 2))
    for at in range(first + 1, min(first + 3, len(match.table.hands))):
        hand = match.table.hands[first]
        match = _changed(match, at, figure=hand.figure, parts=hand.parts, gains=hand.gains)
    return match


def invented(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """Nothing was played: believable hands, one every forty seconds."""
    return _hands(match, [replace(hand, entered=40 * n) for n, hand in enumerate(match.table.hands)])


def rushed(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """The last three hands were not played."""
    hands = list(match.table.hands)
    for at in range(max(1, len(hands) - 3), len(hands)):
        hands[at] = replace(hands[at], entered=(hands[at - 1].entered or 0) + 30)
    return _hands(match, hands)


def given_away(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """Three hands running go to one party as high as ever."""
    hands = list(match.table.hands)
    party = sorted({name for hand in hands for name in hand.gains})[0]
    most = max(max(one.gains.values(), default=0) for one in bank) if profile.game != "two_teams" else 0
    for at in range(min(3, len(hands))):
        if profile.game == "two_teams":
            hands[at] = replace(hands[at], figure=0, parts=(0, 0, 0), gains=gains_of(profile, 0, Side.NS))
        else:
            hands[at] = replace(hands[at], gains={**dict.fromkeys(hands[at].gains, 0), party: most})
    return _hands(match, hands)


def held_back(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """A hand drawn out by forty minutes."""
    hands, first = list(match.table.hands), chance.randrange(1, max(2, len(match.table.hands)))
    for at in range(first, len(hands)):
        hands[at] = replace(hands[at], entered=(hands[at].entered or 0) + 2400)
    return _hands(match, hands)


def level_too_high(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """One level above what was due was played and written down."""
    told = both("The level was not as due.", "级数与应打的不符。")
    return _changed(match, _any(match, chance), not_due=(told,))


def other_cards(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """A total that the cards on record do not give."""
    told = both("The cards give another total.", "按牌谱总分不同。")
    return _changed(match, _any(match, chance), differs=(told,))


def not_returned(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    told = both("The return was owed.", "应传牌。")
    return _changed(match, _any(match, chance), owed=told)


def revoked(profile: Profile, match: Match, bank: Sequence[Played], chance: Random) -> Match:
    """One party revokes twice more."""
    party = min(match.revokes)
    return match._replace(revokes={**match.revokes, party: match.revokes[party] + 2})


WAYS: Final[Mapping[str, tuple[Text, Way]]] = {
    "hundred_more": (both("a hundred typed too many", "多输入一百分"), hundred_more),
    "five_more": (both("five points too many", "多写 5 分"), five_more),
    "other_role": (both("the points of the other role", "闲庄得分写反"), other_role),
    "kitty_again": (both("the kitty counted twice", "底牌多算一次"), kitty_again),
    "copied": (both("one sheet written three times", "同一副连写三次"), copied),
    "invented": (both("a match never played, entered in minutes", "没有打，几分钟内录完"), invented),
    "rushed": (both("the last three hands made up", "最后三副编造"), rushed),
    "given_away": (both("three hands given away", "连送三副"), given_away),
    "held_back": (both("a hand drawn out by forty minutes", "一副拖延四十分钟"), held_back),
    "level_too_high": (both("a level too high", "级数写高"), level_too_high),
    "other_cards": (both("a total against the cards on record", "总分与牌谱不符"), other_cards),
    "not_returned": (both("a return not made, with a record", "有牌谱而未传牌"), not_returned),
    "revoked": (both("two revokes of one party", "一方两次悔牌"), revoked),
}


def knew_the_board(boards: Sequence[BoardSeen], chance: Random) -> list[BoardSeen]:
    """At one table of eight boards the attackers take everything on two of them."""
    chosen, table = chance.sample(boards, BOARDS), chance.randrange(8)
    found = []
    for at, board in enumerate(chosen):
        results = list(board.results)
        if at < 2:
            results[table] = (*results[table][:3], board.points)
        found.append(replace(board, results=[results[table], *results[:table], *results[table + 1 :]]))
    return found
