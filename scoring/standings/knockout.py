"""The placing of a knockout (淘汰赛名次): by how far one came; those who lost in one round share their places.

Who has not lost stands first, then the losers of the last round, of the round before, and so on. A match for a place
(the third) orders the two who play it. The first place has to be won: where both finalists forfeit nobody has it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.hands.findings import Finding, Refused, finding, refusal
from scoring.hands.reading import Reader, unknown_fields
from scoring.standings.knockout_words import how_far
from scoring.standings.match_scores import Outcome
from scoring.standings.ranked import NOTHING_AT_STAKE, Stakes, Undecided
from scoring.standings.results import EntrantId, Result, entrant_findings, entrant_order, is_id, is_round
from scoring.standings.tables import excluded_findings, stakes_findings, stakes_of
from scoring.values import Text

_FORFEITS = frozenset({Outcome.HOME_FORFEIT, Outcome.AWAY_FORFEIT, Outcome.DOUBLE_FORFEIT})


class KnockoutMatch(NamedTuple):
    """A finished match of a knockout; a bye has no `away`. `for_place` 3: between the losers of the semi-finals."""

    round: int
    home: EntrantId
    away: EntrantId | None
    winner: EntrantId | None
    outcome: Outcome = Outcome.PLAYED
    for_place: int | None = None

    def to_json(self) -> dict[str, Any]:
        row = {name: getattr(self, name) for name in ("round", "home", "away", "winner")}
        row["outcome"] = str(self.outcome)
        return row if self.for_place is None else {**row, "for_place": self.for_place}

    def result(self) -> Result:
        """Who met and who won, as a result without points."""
        nothing = Fraction(0)
        return Result(self.round, self.home, self.away, nothing, nothing, outcome=self.outcome, winner=self.winner)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> KnockoutMatch:
        """The protocol's match, already known to be sound. A forfeit is won by the side present."""
        outcome, home, away = Outcome(data.get("outcome", "played")), data["home"], data.get("away")
        won = {Outcome.HOME_FORFEIT: away, Outcome.AWAY_FORFEIT: home, Outcome.DOUBLE_FORFEIT: None, Outcome.BYE: home}
        winner = won.get(outcome, data.get("winner"))
        return cls(data["round"], home, away, winner, outcome, data.get("for_place"))


@dataclass(frozen=True, slots=True)
class KnockoutRow:
    """One place; `rank` is None for who was ruled out of the placing. `reached` says how far it came and by whom it was
    stopped, `size` are those who share the place."""

    entrant: EntrantId
    rank: int | None
    size: int
    reached: Text
    stakes: Stakes = NOTHING_AT_STAKE
    undecided: Undecided | None = None

    def to_json(self) -> dict[str, Any]:
        """As a row of `standings`: the reason of the place is `why`; there are no values to compare."""
        return {
            "entrant": self.entrant,
            "rank": self.rank,
            "shared": self.size != 1,
            "values": {},
            "split_by": None,
            "why": dict(self.reached),
            **self.stakes.told(self.rank, self.size, self.undecided),
        }


#: Of a match for a place: whether it is lost, and whether it is not played.
_NO_PLACE_MATCH = (False, True)


@dataclass(frozen=True, slots=True)
class _Way:
    """How far an entrant came: `out` is the place of the round it left in (None: still in), `place_match` orders those
    who left in one round: who won stands before who has not played (yet), and he before who lost."""

    entrant: EntrantId
    out: int | None
    place_match: tuple[bool, bool]
    reached: Text

    @property
    def order(self) -> tuple[int, int]:
        return (0 if self.out is None else 1, -(self.out or 0))


def rank_knockout(
    entrants: Sequence[EntrantId],
    matches: Sequence[KnockoutMatch],
    *,
    withdrawn: Collection[EntrantId] = (),
    excluded: Collection[EntrantId] = (),
    numbers: Mapping[EntrantId, int] = MappingProxyType({}),
    stakes: Stakes = NOTHING_AT_STAKE,
) -> tuple[KnockoutRow, ...]:
    """The placing after these finished matches, best first; who shares a place stands in order of the ids.

    `withdrawn`: who left without losing is out of the round after its last. `numbers` are what entrants are called by
    in the sentences (their ids where left out). `excluded` ones come last, without a place.
    """
    bracket = Bracket(entrants, matches, withdrawn, numbers)
    ways = sorted((bracket.way(one) for one in entrants), key=lambda way: (way.order, entrant_order(way.entrant)))
    placed = [way for way in ways if way.entrant not in excluded]
    place = 1 if any(way.out is None for way in placed) else 2
    rows: list[KnockoutRow] = []
    for _, level in groupby(placed, key=lambda way: way.order):
        for part in _parts(list(level)):
            rows += _block(part, place, stakes)
            place += len(part)
    out = sorted((way for way in ways if way.entrant in excluded), key=lambda way: entrant_order(way.entrant))
    return (*rows, *(KnockoutRow(way.entrant, None, 1, way.reached, stakes) for way in out))


def _parts(level: Sequence[_Way]) -> list[list[_Way]]:
    """Those who came as far as one another, apart only where a match for the place was between them."""
    if {way.place_match for way in level} == {_NO_PLACE_MATCH}:
        return [list(level)]
    ordered = sorted(level, key=lambda way: (way.place_match, entrant_order(way.entrant)))
    return [list(part) for _, part in groupby(ordered, key=lambda way: way.place_match)]


def _block(part: Sequence[_Way], place: int, stakes: Stakes) -> list[KnockoutRow]:
    size = len(part)
    waits = stakes.lines is not None and stakes.matters(place, size)
    undecided = Undecided(None, place, place + size - 1) if waits else None
    return [KnockoutRow(way.entrant, place, size, way.reached, stakes, undecided) for way in part]


class Bracket:
    """The matches by round and entrant, and how many were still in before each round."""

    def __init__(
        self,
        entrants: Sequence[EntrantId],
        matches: Sequence[KnockoutMatch],
        withdrawn: Collection[EntrantId],
        numbers: Mapping[EntrantId, int],
    ) -> None:
        self.withdrawn, self.numbers = withdrawn, numbers
        main = sorted((match for match in matches if match.for_place is None), key=lambda match: match.round)
        self.rounds = sorted({match.round for match in main})
        self.own: dict[EntrantId, list[KnockoutMatch]] = {one: [] for one in entrants}
        for match in main:
            for party in (match.home, match.away):
                if party is not None:
                    self.own[party].append(match)
        self.for_place = {
            party: match for match in matches if match.for_place is not None for party in (match.home, match.away)
        }
        self.out = {one: self._out(one) for one in entrants}

    def _out(self, entrant: EntrantId) -> int | None:
        """The index of the round in which it left; who withdrew undefeated leaves in the round after its last."""
        own = self.own[entrant]
        lost = next((match for match in own if match.winner != entrant and match.outcome is not Outcome.BYE), None)
        if lost is not None:
            return self.rounds.index(lost.round)
        if entrant in self.withdrawn:
            return max((self.rounds.index(match.round) for match in own), default=-1) + 1
        return None

    def in_before(self, index: int) -> int:
        """How many were still in before a round."""
        return sum(out is None or out >= index for out in self.out.values())

    def way(self, entrant: EntrantId) -> _Way:
        out, reached, match = self.out[entrant], how_far(self, entrant), self.for_place.get(entrant)
        if match is None:
            return _Way(entrant, out, _NO_PLACE_MATCH, reached)
        how = match.winner not in (entrant, None), match.winner is None
        return _Way(entrant, out, how, reached)


def answer_knockout(question: Mapping[str, Any]) -> dict[str, Any]:
    """The protocol's `knockout_standings`: `rows` in order; Refused with all findings on bad input."""
    reader = Reader(question)
    entrants, matches = reader.raw("entrants"), reader.raw("matches")
    withdrawn, excluded = reader.raw("withdrawn"), reader.raw("excluded")
    numbers, lines, prizes = reader.raw("numbers"), reader.raw("lines"), reader.raw("prizes")
    reader.done()
    found = [*reader.findings, *entrant_findings(entrants)]
    if not found and isinstance(entrants, list):
        found += match_findings(matches, entrants)
        found += excluded_findings(excluded, entrants) + excluded_findings(withdrawn, entrants)
    found += stakes_findings(lines, prizes) + _numbers_findings(numbers)
    if found:
        raise Refused(found)
    assert isinstance(entrants, list)
    assert isinstance(matches, list)
    called = {str(entrant): number for entrant, number in (numbers or {}).items()}
    rows = rank_knockout(
        entrants,
        [KnockoutMatch.from_json(one) for one in matches],
        withdrawn=withdrawn or (),
        excluded=excluded or (),
        numbers={entrant: called[str(entrant)] for entrant in entrants if str(entrant) in called},
        stakes=stakes_of(question),
    )
    text = "By how far one came; who lost in the same round shares the places."
    reason = {"clause": "placing.knockout", "text": {"en": text, "zh": "按晋级轮次排名；同一轮负者名次并列。"}}
    return {"rows": [row.to_json() for row in rows], "because": [reason]}


def match_findings(matches: object, entrants: Sequence[EntrantId]) -> list[Finding]:
    """What is wrong with the matches of a knockout, all at once."""
    if not isinstance(matches, list):
        return [refusal("wrong_type", "matches", "Matches must be a list.", "对局应是列表。")]
    found: list[Finding] = []
    met: dict[tuple[int, EntrantId], None] = {}
    beaten: dict[EntrantId, int] = {}
    for i, match in enumerate(matches):
        if isinstance(match, Mapping):
            found += _one_match(match, f"matches.{i}", set(entrants), met, beaten)
        else:
            found.append(refusal("wrong_type", f"matches.{i}", "A match must be an object.", "对局应是一个对象。"))
    for number, entrant in met:
        if beaten.get(entrant, number) < number:
            text, zh = f"{entrant} plays on after it lost.", f"{entrant} 已负，却又出场。"
            found.append(refusal("knocked_out", "matches", text, zh))
    return found


def _one_match(
    match: Mapping[str, Any],
    at: str,
    known: set[EntrantId],
    met: dict[tuple[int, EntrantId], None],
    beaten: dict[EntrantId, int],
) -> list[Finding]:
    found = unknown_fields(match, KnockoutMatch._fields, at)
    number, outcome, place = match.get("round"), match.get("outcome", "played"), match.get("for_place")
    if not is_round(number):
        found.append(
            refusal("wrong_type", f"{at}.round", "A round is a whole number from 1.", "轮次应是从 1 起的整数。")
        )
    if not isinstance(outcome, str) or outcome not in set(Outcome):
        found.append(finding("unknown_outcome", f"{at}.outcome"))
    if place is not None and (type(place) is not int or place != 3):
        text = "Only the third place is played for."
        found.append(refusal("wrong_type", f"{at}.for_place", text, "只设第三名之争。"))
    parties = [match.get("home"), match.get("away")]
    if parties[0] in (None, parties[1]) or (parties[1] is None) != (outcome == Outcome.BYE):
        text = "A match has two sides; only a bye has no opponent."
        found.append(refusal("wrong_sides", at, text, "每场要有双方，只有轮空没有对手。"))
    for party in parties:
        if party is None:
            continue
        if not is_id(party) or party not in known:
            found.append(finding("unknown_entrant", at))
        elif type(number) is int and (number, party) in met:
            text = f"{party} is in round {number} twice."
            found.append(refusal("twice_in_a_round", at, text, f"{party} 在第 {number} 轮出现了两次。"))
        elif type(number) is int and place is None:
            met[number, party] = None
    winner = match.get("winner")
    if outcome == Outcome.PLAYED and (winner is None or winner not in parties):
        text = "Somebody wins a match of a knockout: one of its two sides."
        found.append(refusal("unknown_winner", f"{at}.winner", text, "淘汰赛每场必有胜方，且须是对局的一方。"))
    if not found and place is None:
        read = KnockoutMatch.from_json(match)
        for party in parties:
            if party is not None and party != read.winner:
                beaten[party] = min(read.round, beaten.get(party, read.round))
    return found


def _numbers_findings(numbers: object) -> list[Finding]:
    if numbers is None or (
        isinstance(numbers, Mapping) and all(type(number) is int and number > 0 for number in numbers.values())
    ):
        return []
    text = "Numbers are whole numbers from 1 by entrant."
    return [refusal("wrong_type", "numbers", text, "号码应按参赛方给出从 1 起的整数。")]
