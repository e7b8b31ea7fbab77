"""Regulations of another make, from the file of entrants to the certificate: two rooms on boards, games played to
their end in groups, four decks at 15 plus or minus the levels, fixed levels.

Every hand is typed on one side's phone and confirmed on the other's; each run meets a tie decided by its own rule, a
forfeit, a ruling, a correction and a bye.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.events.regulations import OTHER, HallClock, Running, done, hall_clock, shown
from tournaments.models import Entrant, Match, MatchOutcome, Round, Sitting, Stage
from tournaments.queries.publications import final_placing

__all__ = ["hall_clock"]

pytestmark = pytest.mark.django_db


def byes(round_: Round) -> int:
    return round_.matches.filter(outcome=MatchOutcome.BYE).count()


def places_in_groups(stage: Stage) -> dict[int, int]:
    """The place of each entrant in its group as it was drawn, from 0."""
    found: dict[int, int] = {}
    seen: dict[int | None, int] = {}
    for row in stage.field.order_by("order"):
        found[row.entrant_id] = seen.get(row.group, 0)
        seen[row.group] = found[row.entrant_id] + 1
    return found


def points(made: Running, stage: Stage) -> dict[int, Fraction]:
    return {int(row.entrant): row.values["points"] for row in made.rows(stage)}


@dataclass(frozen=True)
class Equalising:
    """Two entrants of different matches of the last round who are to end equal; the first is now `behind` points ahead
    of the second, so it loses by half of that and the second wins by the rest."""

    first: Entrant
    second: Entrant
    behind: int

    def home_result(self, sitting: Sitting) -> int | None:
        """By how much the home side of a match has to win (negative: lose); None: this match does not matter."""
        match = sitting.match
        results = {self.first.pk: -(self.behind // 2), self.second.pk: self.behind - self.behind // 2}
        if match.home_id in results:
            return results[match.home_id]
        return -results[match.away_id] if match.away_id in results else None


def equalising(tables: Iterable[Sitting], now: dict[int, Fraction]) -> Equalising:
    """The two who are nearest, but not equal, among those who do not meet."""
    sides = [(sitting, one) for sitting in tables for one in (sitting.match.home, sitting.match.away)]
    found = [
        (now[one.pk] - now[other.pk], one.pk, other.pk, one, other)
        for (here, one), (there, other) in permutations(sides, 2)
        if here != there and now[one.pk] > now[other.pk] and (now[one.pk] - now[other.pk]).denominator == 1
    ]
    apart, *_, one, other = min(found)
    return Equalising(one, other, int(apart))


# F18: four decks, 15 plus or minus the difference of levels


def ahead(made: Running, sitting: Sitting, side: str, levels: int) -> None:
    """That side rises by so many levels and the other by none: it deals and holds the attackers (four decks)."""
    totals = {3: 0, 2: 40, 1: 120}
    while levels:
        step = min(3, levels)
        dealer = made.due(sitting)[0] if sitting.state["next_dealer"] else side[0]
        made.hand(sitting, four_decks(made, totals[step]), dealer)
        levels -= step


def four_decks(made: Running, captured: int) -> dict[str, Any]:
    """A hand without a kitty, whose last trick was of nothing."""
    return made.total(captured, led=[{"type": "single"}], last_trick_points=0)


def by_difference(made: Running, sitting: Sitting, home: int) -> None:
    """A match that the home side wins by so many levels (negative: loses; 0: only the deal changes hands)."""
    if not home:
        made.hand(sitting, four_decks(made, 160))
    side = sitting.home_side if home > 0 else OTHER[sitting.home_side]
    ahead(made, sitting, side, abs(home))


def test_f18_fifteen_plus_or_minus_the_levels(hall_clock: HallClock, tmp_path: Path) -> None:
    """Seven pairs, three rounds: the difference counts to 10, a forfeit gives 18, equal sums: the last round."""
    made = Running.of("F18", 7, hall_clock, seed=18)
    stage = made.begin(1)

    first = made.round()
    one, two, three = made.sittings(first)
    made.cards(one)
    made.cards(one)
    by_difference(made, two, 12)
    by_difference(made, three, -2)
    made.rule(three, OTHER[three.home_side], "take_back", hand="1")
    made.over(first)
    made.close(first)
    assert (byes(first), made.publish(stage)["final"]) == (1, False)
    two.match.refresh_from_db()
    assert (two.match.home_score, two.match.away_score) == (25, 5)
    three.match.refresh_from_db()
    assert (three.match.home_score, three.match.away_score) == (14, 16)

    # twelve levels were two too many: a sheet was read wrongly, the round is closed, a second official agrees
    made.correct(two, 4, closed=True, captured_in_tricks=160)
    two.match.refresh_from_db()
    assert (two.match.home_score, two.match.away_score) == (24, 6)
    assert made.publish(stage)["final"] is False

    second = made.round()
    one, two, three = made.sittings(second)
    made.forfeit(one, OTHER[one.home_side])
    made.cards(two)
    by_difference(made, three, 1)
    made.over(second)
    made.close(second)
    one.match.refresh_from_db()
    assert (one.match.home_score, one.match.away_score) == (18, 0)
    made.publish(stage)

    third = made.round()
    before = points(made, stage)
    tied = equalising(made.sittings(third), before)
    for sitting in made.sittings(third):
        result = tied.home_result(sitting)
        if result is None:
            made.cards(sitting)
        else:
            by_difference(made, sitting, result)
    made.over(third)
    made.close(third)
    assert made.publish(stage)["final"]
    after = {int(row.entrant): row for row in made.rows(stage)}
    first_row, second_row = after[tied.first.pk], after[tied.second.pk]
    assert first_row.values["points"] == second_row.values["points"]
    assert second_row.rank < first_row.rank
    assert "last_round_back" in made.split_by(stage)
    made.read_everything()
    made.certify(tmp_path)
    assert len(final_placing(made.event).places) == 7


# F19: eight hands at fixed levels

#: What the dealer side gets of a hand (negative: the attackers), by the attackers' total.
HAND_POINTS = {3: 0, 2: 20, 1: 60, -1: 85, -2: 125, -3: 165}


def by_hand_points(made: Running, sitting: Sitting, home: int, hands: int = 8) -> None:
    """So many hands by chance that the home side gets that sum of hand points."""
    left = home if sitting.home_side == "NS" else -home
    for rest in reversed(range(hands)):
        dealer, _level = made.due(sitting)
        sign = 1 if dealer in "NS" else -1
        fits = [worth for worth in HAND_POINTS if _reachable(left - sign * worth, rest)]
        worth = made.chance.choice(fits)
        made.hand(sitting, made.total(HAND_POINTS[worth]), dealer)
        left -= sign * worth
    assert left == 0


def _reachable(points: int, hands: int) -> bool:
    """Whether so many hands, none of them worth nothing, can sum to that."""
    return abs(points) <= 3 * hands and (hands != 1 or points != 0)


def test_f19_eight_hands_at_fixed_levels(hall_clock: HallClock, tmp_path: Path) -> None:
    """Seven pairs, four rounds: dealers by turns, hand points add up, a round may end at time before its last hand."""
    made = Running.of("F19", 7, hall_clock, seed=19)
    stage = made.begin(1)
    rested = 0
    for number in range(1, 5):
        round_ = made.round()
        rested += byes(round_)
        one, two, three = made.sittings(round_)
        if number == 1:
            assert [made.cards(one).facts["level"] for _hand in range(8)] == [*"23455678"]
            assert one.phase == "finished"
            by_hand_points(made, two, 5)
            assert two.phase == "finished"
            by_hand_points(made, three, -3, hands=6)
            ruled = made.rule(three, "NS", "take_back", hand="2")
            assert ruled.penalty["unit"] == "match_points"
        elif number == 2:
            made.forfeit(one, one.home_side)
            by_hand_points(made, two, 2)
            by_hand_points(made, three, 4)
            made.correct(three, 8, captured_in_tricks=200)
        elif number == 3:
            by_hand_points(made, one, 0)
            by_hand_points(made, two, -1)
            by_hand_points(made, three, 6, hands=7)
        else:
            tied = equalising(made.sittings(round_), points(made, stage))
            for sitting in (one, two, three):
                by_hand_points(made, sitting, tied.home_result(sitting) or 0)
        made.over(round_)
        made.close(round_)
        assert made.publish(stage)["final"] == (number == 4)
    after = {int(row.entrant): row.values | {"rank": row.rank} for row in made.rows(stage)}
    one_row, other_row = after[tied.first.pk], after[tied.second.pk]
    assert one_row["points"] == other_row["points"]
    ahead_by_opponents = one_row["opponents"] > other_row["opponents"]
    assert one_row["opponents"] == other_row["opponents"] or (one_row["rank"] < other_row["rank"]) is ahead_by_opponents
    assert rested == 4
    made.read_everything()
    made.certify(tmp_path)
    assert len(final_placing(made.event).places) == 7


# F7: teams of four on boards, in two rooms

#: Who wins in a group by the places in the draw: 1 beat 2 at equal points, so did 4 and 3.
WINNERS = {(0, 1): 0, (0, 2): 2, (0, 3): 0, (1, 2): 1, (1, 3): 1, (2, 3): 3}
WINNERS_OF_THREE = {(0, 1): 0, (0, 2): 0, (1, 2): 1}


def rooms(round_: Round, match: Match) -> tuple[Sitting, Sitting]:
    found = Sitting.objects.filter(round=round_, match=match, active=True).select_related("match", "table", "round")
    return found.get(room="open"), found.get(room="closed")


def on_boards(made: Running, round_: Round, match: Match, winner: str) -> None:
    """Both rooms play both boards: on the first the winner ("home" or "away") does better in the open room, on the
    second the cards are played out alike."""
    low, high = sorted(rooms(round_, match)[0].boards)
    alike = made.chance.getstate()
    for sitting in rooms(round_, match):
        for number in sitting.boards:
            dealer, _level = made.due(sitting)
            if number == high:
                made.chance.setstate(alike)
                made.cards(sitting)
            elif sitting.room == "open":
                made.hand(sitting, made.total(35 if (dealer in "NS") == (winner == "home") else 85), dealer)
            else:
                made.hand(sitting, made.total(60), dealer)
    assert low in sitting.boards
    match.refresh_from_db()
    assert match.winner_side == ("NS" if winner == "home" else "EW")


def test_f7_duplicate_teams_in_two_rooms(hall_clock: HallClock, tmp_path: Path) -> None:
    """Seven teams in two groups: both rooms of a match play the same boards; equal points: who beat whom."""
    made = Running.of("F7", 7, hall_clock, seed=7, players=4)
    stage = made.begin(1)
    group_of = dict(stage.field.values_list("entrant_id", "group"))
    drawn = places_in_groups(stage)
    sizes = [*group_of.values()]
    rested = 0
    for number in range(1, 4):
        round_ = made.round()
        rested += byes(round_)
        assert made.organiser.get(f"{made.desk}rounds/{number}/sheets.pdf").content.startswith(b"%PDF")
        for match in round_.matches.exclude(away=None).order_by("number"):
            home, away = drawn[match.home_id], drawn[match.away_id]
            whole = sizes.count(group_of[match.home_id]) == 4
            wins = (WINNERS if whole else WINNERS_OF_THREE)[min(home, away), max(home, away)]
            opened, closed = rooms(round_, match)
            if not whole and {home, away} == {0, 2}:
                made.forfeit(opened, "NS" if away == 0 else "EW")
                continue
            on_boards(made, round_, match, "home" if home == wins else "away")
            if whole and {home, away} == {1, 2}:
                hand = opened.boards.index(min(opened.boards)) + 1
                made.correct(opened, hand, captured_in_tricks=0 if wins == home else 90)
            if not whole and {home, away} == {0, 1}:
                made.rule(closed, "NS" if away == 1 else "EW", "take_back", hand="1")
            if whole and {home, away} == {0, 3}:
                misboarded(made, closed, max(closed.boards))
        made.over(round_)
        made.close(round_)
        assert made.publish(stage)["final"] == (number == 3)
    assert rested == 3
    assert "head_to_head" in made.split_by(stage)
    whole_table = [row for row in made.rows(stage) if sizes.count(group_of[int(row.entrant)]) == 4]
    assert [drawn[int(row.entrant)] for row in sorted(whole_table, key=lambda row: row.rank)] == [0, 1, 3, 2]
    made.read_everything()
    made.certify(tmp_path)
    assert len(final_placing(made.event).places) == 7


def misboarded(made: Running, sitting: Sitting, board: int) -> None:
    """The cards of a board were put back wrongly: the chief referee gives both 50 %."""
    shown(made.chief, f"{made.table(sitting)}boards/")
    sitting.refresh_from_db()
    typed = {"how": "average", "reason": "装错牌袋", "clause": "misboard", "revision": sitting.revision}
    done(made.chief, f"{made.table(sitting)}boards/{board}/adjust/", typed)


# F17: one game a match, to its end, in groups and once more


def to_the_end(made: Running, sitting: Sitting, winner: str, risen: int = 0) -> None:
    """The other side deals and rises so many times by three levels; then the winner takes the deal and passes all."""
    loser = OTHER[winner]
    for _hand in range(risen):
        made.hand(sitting, made.total(0), made.due(sitting)[0] if sitting.state["next_dealer"] else loser[0])
    if risen:
        made.hand(sitting, made.total(85), made.due(sitting)[0])
    while sitting.phase != "finished":
        made.hand(sitting, made.total(0), made.due(sitting)[0] if sitting.state["next_dealer"] else winner[0])
    assert sitting.state["passed"] == winner


#: Places in the draw of a group of four: who wins, and how often the loser rises first. Three have equal points.
GAMES = {(0, 1): (0, 0), (1, 2): (1, 1), (0, 2): (2, 2), (0, 3): (0, 0), (1, 3): (1, 0), (2, 3): (2, 0)}


def test_f17_groups_then_the_qualifiers_once_more(hall_clock: HallClock, tmp_path: Path) -> None:
    """Seven pairs in two groups, games to the end: equal points go by net levels, equal net levels by their sum."""
    made = Running.of("F17", 7, hall_clock, seed=17)
    for number in (1, 2):
        stage = made.begin(number)
        sizes = [*stage.field.values_list("group", flat=True)]
        assert stage.rounds_planned == 3
        for _round in range(stage.rounds_planned):
            round_ = made.round()
            assert byes(round_) == (number == 1)
            for sitting in made.sittings(round_):
                game(made, stage, sitting, sizes)
            made.close(round_)
            published = made.publish(stage)
        if number == 1:
            assert {"net_levels", "sum_levels"} <= made.split_by(stage)
            (group,) = {one for one in sizes if sizes.count(one) == 4}
            drawn = places_in_groups(stage)
            rows = [row for row in made.rows(stage) if drawn_in(stage, int(row.entrant)) == group]
            assert [drawn[int(row.entrant)] for row in sorted(rows, key=lambda row: row.rank)] == [0, 2, 1, 3]
    assert published["final"]
    made.read_everything()
    made.certify(tmp_path)
    assert len(final_placing(made.event).places) == 7


def drawn_in(stage: Stage, entrant: int) -> int | None:
    group: int | None = stage.field.get(entrant_id=entrant).group
    return group


def game(made: Running, stage: Stage, sitting: Sitting, sizes: list[int | None]) -> None:
    """One match: as listed in the group of four; in the smaller one with a forfeit, a rebellion and a correction."""
    drawn, match = places_in_groups(stage), sitting.match
    places = {drawn[match.home_id]: sitting.home_side, drawn[match.away_id]: OTHER[sitting.home_side]}
    pair = (min(places), max(places))
    if stage.number == 2:
        to_the_end(made, sitting, places[pair[0]])
        return
    if sizes.count(drawn_in(stage, match.home_id)) == 4:
        winner, risen = GAMES[pair]
        to_the_end(made, sitting, places[winner], risen)
    elif pair == (0, 2):
        made.forfeit(sitting, places[2])
    elif pair == (0, 1):
        rebelled(made, sitting, places[0])
        to_the_end(made, sitting, places[0])
    else:
        made.hand(sitting, made.total(60), places[1][0])
        made.rule(sitting, places[1], "take_back", hand="1")
        made.correct(sitting, 1, captured_in_tricks=20)
        to_the_end(made, sitting, places[1])


def rebelled(made: Running, sitting: Sitting, dealing: str) -> None:
    """After the first hand an attacker shows ten points and asks for another deal; the other side agrees."""
    made.hand(sitting, made.total(35), dealing[0])
    attacker = OTHER[dealing]
    phone = made.phones[sitting.pk, attacker]
    typed = {"kind": "annulled", "annulled_reason": "rebellion", "rebel": attacker[0], "rebel_points": "10"}
    phone.act("enter", {**typed, "hand_no": sitting.hand_no})
    waiting = sitting.entries.latest("pk")
    made.phones[sitting.pk, dealing].act("confirm", {"entry": waiting.pk, "version": waiting.version})
    sitting.refresh_from_db()
