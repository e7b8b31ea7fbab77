"""How far an entrant came in a knockout, in words: in which round it left, and by whom it was stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scoring.standings.match_scores import Outcome
from scoring.values import Text
from scoring.wording import both

if TYPE_CHECKING:
    from scoring.standings.knockout import Bracket, KnockoutMatch
    from scoring.standings.results import EntrantId

_FORFEITS: Final = frozenset({Outcome.HOME_FORFEIT, Outcome.AWAY_FORFEIT, Outcome.DOUBLE_FORFEIT})


def how_far(bracket: Bracket, entrant: EntrantId) -> Text:
    """How far it came, and how a match for a place ended, if there was one."""
    left_in, for_place = bracket.out[entrant], bracket.for_place.get(entrant)
    text = _in(bracket, entrant) if left_in is None else _left(bracket, entrant, left_in)
    return text if for_place is None else _for_place(bracket, text, for_place, entrant)


def _round_name(bracket: Bracket, index: int) -> Text:
    """What a round is called, by how many are in it."""
    count = bracket.in_before(index)
    if count <= 2:
        return both("the final", "决赛")
    if count <= 4:
        return both("the semi-final", "半决赛")
    if count <= 8:
        return both("the quarter-final", "四分之一决赛")
    size = 1 << (count - 1).bit_length()
    return both(f"the round of {size}", f"{size} 强赛")


def _opponent(bracket: Bracket, match: KnockoutMatch, entrant: EntrantId) -> str:
    """What the other side of a match is called; empty where there is none."""
    other = match.away if match.home == entrant else match.home
    return "" if other is None else str(bracket.numbers.get(other, other))


def _in(bracket: Bracket, entrant: EntrantId) -> Text:
    own, rounds = bracket.own[entrant], bracket.rounds
    last = len(rounds) - 1
    if own and rounds and own[-1].round == rounds[last] and bracket.in_before(last) <= 2:
        if own[-1].outcome is Outcome.BYE:
            return both("won: nobody was left to play the final", "夺冠：决赛无对手")
        other = _opponent(bracket, own[-1], entrant)
        if own[-1].outcome in _FORFEITS:
            return both(f"won the final: {other} forfeited", f"决赛胜 {other} 号（对方弃权）")
        return both(f"won the final against {other}", f"决赛胜 {other} 号")
    return both("has not lost", "尚未失利")


def _left(bracket: Bracket, entrant: EntrantId, index: int) -> Text:
    name = _round_name(bracket, index)
    match = next((one for one in bracket.own[entrant] if bracket.rounds.index(one.round) == index), None)
    if match is None or match.outcome is Outcome.BYE:
        return both(f"withdrew before {name['en']}", f"{name['zh']}前退赛")
    other = _opponent(bracket, match, entrant)
    if match.outcome is Outcome.DOUBLE_FORFEIT:
        return both(f"neither side came to {name['en']} ({other})", f"{name['zh']}与 {other} 号双方弃权")
    if match.outcome in _FORFEITS:
        return both(f"forfeited {name['en']} to {other}", f"{name['zh']}弃权，负于 {other} 号")
    return both(f"lost {name['en']} to {other}", f"{name['zh']}负于 {other} 号")


def _for_place(bracket: Bracket, text: Text, match: KnockoutMatch, entrant: EntrantId) -> Text:
    place, other = match.for_place, _opponent(bracket, match, entrant)
    if match.winner is None:
        en, zh = "the match for place {} was not played", "第 {} 名争夺战未赛"
    elif match.winner == entrant:
        en, zh = f"won the match for place {{}} against {other}", f"第 {{}} 名争夺战胜 {other} 号"
    else:
        en, zh = f"lost the match for place {{}} to {other}", f"第 {{}} 名争夺战负于 {other} 号"
    return both(f"{text['en']}; {en.format(place)}", f"{text['zh']}；{zh.format(place)}")
