"""Eight real regulations as they run: each with its own scale, a tie decided by its own rule, a forfeit, a ruling, a
correction and its byes. How the pages are gone through is the runner's affair (`Running`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from random import Random

from scoring.cards.replay import Replay
from tests.events.fronts import OTHER
from tests.events.hands import Board, any_hand, as_captured, both, gains, just_taken, played, worth
from tests.events.regulations import Running
from tournaments.models import Entrant, Match, MatchOutcome, Round, Sitting, Stage


@dataclass(frozen=True)
class Regulation:
    """A regulation by its preset: how many enter, with how many players each, and what happens."""

    preset: str
    entrants: int
    story: Callable[[Running], None]
    seed: int
    players: int = 2


def byes(round_: Round) -> list[int]:
    return list(round_.matches.filter(outcome=MatchOutcome.BYE).values_list("home__number", flat=True))


def result(sitting: Sitting) -> Match:
    return Match.objects.get(pk=sitting.match_id)


def scores(sitting: Sitting) -> tuple[Fraction | None, Fraction | None]:
    match = result(sitting)
    return match.home_score, match.away_score


# F1: timed Swiss


def f1(made: Running) -> None:
    """Seven pairs, four rounds: a bye in each, equal levels are a draw, ties go to the opponents' points."""
    stage = made.begin(1)
    rested = []
    for number in range(1, 5):
        late = [(3, "EW")] if number == 2 else []
        round_ = made.round(*late)
        rested += byes(round_)
        first, second, third = made.sittings(round_)
        made.play(first)
        made.play(first)
        made.win(second, "NS")
        if number == 1:
            made.level(third)
            made.slip(second, 1)
        elif number == 2:
            made.clock.minutes(8)
            made.arrive(third, "EW")
            assert made.late(third, "EW").penalty["entry"]["levels"] == 1
            made.win(third, "EW")
        elif number == 3:
            made.forfeit(third, "EW")
        else:
            made.win(third, "EW")
        made.over(round_)
        made.close(round_)
        if number == 1:
            drawn = result(third)
            assert (drawn.outcome, drawn.winner_side, drawn.home_hundredths) == (MatchOutcome.PLAYED, "", 100)
        assert made.publish(stage)["final"] == (number == 4)
    made.slip(second, 1, closed=True)
    assert made.publish(stage)["final"]
    assert len(set(rested)) == 4
    assert "opponents" in made.split_by(stage)


# F2: groups, then a crossed knockout


def f2(made: Running) -> None:
    """Eight groups, one of them of three who beat each other in a circle: one extra match decides, then the bracket."""
    stage = made.begin(1)
    groups = Counter(stage.field.values_list("group", flat=True))
    (odd,) = (group for group, size in groups.items() if size == 3)
    circle = sorted(stage.field.filter(group=odd).values_list("entrant__number", flat=True))
    won_by_away: list[Sitting] = []
    for number in range(1, 4):
        round_ = made.round()
        assert len(byes(round_)) == 1
        sittings = made.sittings(round_)
        for sitting in sittings:
            met = [circle.index(one.number) for one in (sitting.match.home, sitting.match.away) if one.number in circle]
            if met:
                made.win(sitting, "NS" if (met[1] - met[0]) % 3 == 1 else "EW")
            elif sitting != sittings[-1]:
                made.win(sitting, "EW", as_captured)
                won_by_away.append(sitting)
        if number == 1:
            made.forfeit(sittings[-1], "NS")
        made.over(round_)
        made.close(round_)
    swung = won_by_away[0]
    assert result(swung).winner_side == "EW"
    made.correct(swung, 1, 120 if made.written(swung, 1) < 80 else 35, closed=True)
    assert result(swung).winner_side == "NS"
    assert not made.publish(stage)["final"]
    assert made.said("undecided") in made.organiser.open(f"{made.desk}stages/2/begin/")
    extra = 0
    while made.waits(stage):
        extra += 1
        round_ = made.round(extra=True)
        for sitting in made.sittings(round_):
            made.win(sitting, "NS" if sitting.match.home.number < sitting.match.away.number else "EW")
        made.over(round_)
        made.close(round_)
    assert extra == 3
    assert made.publish(stage)["final"]
    assert "extra_match" in made.split_by(stage)
    last = made.begin(2)
    assert last.field.count() == 16
    for number in range(4):
        round_ = made.round()
        sittings = made.sittings(round_)
        assert len(sittings) == 8 >> number
        made.level(sittings[0])
        for sitting in sittings[1:]:
            made.win(sitting, "NS")
        if number == 1:
            assert made.rule(sittings[1], "NS", "slow_play").penalty == {"unit": "warning"}
        made.over(round_)
        assert result(sittings[0]).decided_by == "tie_rule"
        made.close(round_)
        made.publish(last)


# F3: timed knockout


def f3(made: Running) -> None:
    """Six pairs: five levels ahead win at once, equal levels go to the side on stage, A must really be played."""
    stage = made.begin(1)
    round_ = made.round()
    assert len(byes(round_)) == 2
    first, second = made.sittings(round_)
    made.win_at_once(first, "EW")
    assert (result(first).winner_side, result(first).decided_by) == ("EW", "lead")
    made.level(second)
    stage_side = second.state["on_stage"]
    made.over(round_)
    assert (result(second).winner_side, result(second).decided_by) == (stage_side, "tie_rule")
    made.close(round_)

    round_ = made.round()
    first, second = made.sittings(round_)
    made.win(first, "NS")
    made.play(first)
    made.forfeit(second, "EW")
    made.over(round_)
    made.close(round_)
    made.slip(first, 1, closed=True)
    assert not made.publish(stage)["final"]

    round_ = made.round()
    (final,) = made.sittings(round_)
    made.win(final, "NS")
    before = final.state["levels"]["NS"]
    made.rule(final, "NS", "take_back", hand="1")
    final.refresh_from_db()
    assert final.state["levels"]["NS"] != before
    assert made.climb(final) > 10
    assert result(final).decided_by == "passed"
    made.close(round_)
    assert made.publish(stage)["final"]


# F5: three knockout rounds by draw number


def f5(made: Running) -> None:
    """Five pairs: paired from the lowest draw number, nobody rests twice, late is lost, equal levels go to lots."""
    stage = made.begin(1)
    drawn = [row.entrant.number for row in stage.field.select_related("entrant").order_by("order")]
    round_ = made.round((1, "NS"))
    assert byes(round_) == [drawn[4]]
    first, second = made.sittings(round_)
    made.clock.minutes(1)
    assert made.late(first, "NS").penalty["unit"] == "forfeit"
    assert result(first).outcome == MatchOutcome.HOME_FORFEIT
    made.level(second)
    made.over(round_)
    assert result(second).winner_side == ""
    won = made.lots(second.match)
    assert won in ("NS", "EW")
    made.close(round_)
    made.publish(stage)

    left = [drawn[1], drawn[2] if won == "NS" else drawn[3]]
    round_ = made.round()
    assert byes(round_) == [left[1]]
    (only,) = made.sittings(round_)
    made.play(only)
    made.play(only)
    made.over(round_)
    if not result(only).winner_side:
        made.lots(only.match)
    made.close(round_)

    round_ = made.round()
    (final,) = made.sittings(round_)
    made.win(final, "NS")
    made.slip(final, 1)
    made.over(round_)
    if not result(final).winner_side:
        made.lots(final.match)
    made.close(round_)
    assert made.publish(stage)["final"]


# F7: teams of four on boards, in two rooms

#: Who wins in a group by the places in the draw: 1 beat 2 at equal points, so did 4 and 3.
WINNERS = {(0, 1): 0, (0, 2): 2, (0, 3): 0, (1, 2): 1, (1, 3): 1, (2, 3): 3}
WINNERS_OF_THREE = {(0, 1): 0, (0, 2): 0, (1, 2): 1}


def places_in_groups(stage: Stage) -> dict[int, int]:
    """The place of each entrant in its group as it was drawn, from 0."""
    found: dict[int, int] = {}
    seen: dict[int | None, int] = {}
    for row in stage.field.order_by("order"):
        found[row.entrant_id] = seen.get(row.group, 0)
        seen[row.group] = found[row.entrant_id] + 1
    return found


def rooms(round_: Round, match: Match) -> tuple[Sitting, Sitting]:
    found = Sitting.objects.filter(round=round_, match=match, active=True).select_related("match", "table", "round")
    return found.get(room="open"), found.get(room="closed")


def on_boards(made: Running, round_: Round, match: Match, winner: str) -> None:
    """Both rooms play both boards, each dealt once: on the lower the winner (NS: home) does better, the higher is
    played alike in both rooms."""
    opened, closed = rooms(round_, match)
    low, high = sorted(opened.boards)
    hands = {low: dealt_once(made, round_.stage, low, winner), high: dealt_once(made, round_.stage, high)}
    for room, sitting in enumerate((opened, closed)):
        for number in sitting.boards:
            made.write(sitting, hands[number][room])
    match.refresh_from_db()
    assert match.winner_side == winner


def dealt_once(made: Running, stage: Stage, number: int, winner: str = "") -> tuple[Replay, Replay]:
    """A board in the open and in the closed room: the same cards, played until the winner (NS: home, which sits there
    in the open room) does better by it; without a winner both rooms play it alike."""
    deal, profile, dealt = stage.deals[number], made.event.profile, made.chance.getrandbits(32)
    assert deal.dealer is not None

    def room(chance: Random) -> Replay:
        return played(profile, Board(dealt, chance), deal.dealer.value, str(deal.level), any_hand)

    if not winner:
        alike = made.chance.getrandbits(32)
        return room(Random(alike)), room(Random(alike))
    for _ in range(200):
        opened, closed = room(made.chance), room(made.chance)
        if worth(opened, winner) > worth(closed, winner):
            return opened, closed
    raise AssertionError("everybody plays this board alike")


def miscounted(made: Running, stage: Stage, both_rooms: tuple[Sitting, Sitting], winner: str) -> None:
    """Five points too many were written against the winner as dealer: in the open room, or in the closed one."""
    for number in sorted(both_rooms[0].boards):
        dealer = stage.deals[number].dealer
        assert dealer is not None
        room = both_rooms[0] if dealer.side == winner else both_rooms[1]
        hand = room.boards.index(number) + 1
        if made.written(room, hand) >= 5:
            made.correct(room, hand, made.written(room, hand) - 5)
            return


def f7(made: Running) -> None:
    """Seven teams in two groups: both rooms of a match play the same boards; equal points: who beat whom."""
    stage = made.begin(1)
    group_of = dict(stage.field.values_list("entrant_id", "group"))
    drawn = places_in_groups(stage)
    sizes = [*group_of.values()]
    rested = 0
    for number in range(1, 4):
        round_ = made.round()
        rested += len(byes(round_))
        for match in round_.matches.exclude(away=None).order_by("number"):
            home, away = drawn[match.home_id], drawn[match.away_id]
            whole = sizes.count(group_of[match.home_id]) == 4
            wins = (WINNERS if whole else WINNERS_OF_THREE)[min(home, away), max(home, away)]
            opened, closed = rooms(round_, match)
            if not whole and {home, away} == {0, 2}:
                made.forfeit(opened, "NS" if away == 0 else "EW")
                continue
            winner = "NS" if home == wins else "EW"
            on_boards(made, round_, match, winner)
            if whole and {home, away} == {1, 2}:
                miscounted(made, stage, (opened, closed), winner)
            if not whole and {home, away} == {0, 1}:
                made.rule(closed, "NS" if away == 1 else "EW", "take_back", hand="1")
            if whole and {home, away} == {0, 3}:
                made.adjust(closed, max(closed.boards))
        made.over(round_)
        made.close(round_)
        assert made.publish(stage)["final"] == (number == 3)
    assert rested == 3
    assert "head_to_head" in made.split_by(stage)
    whole_table = [row for row in made.rows(stage) if sizes.count(group_of[int(row.entrant)]) == 4]
    assert [drawn[int(row.entrant)] for row in sorted(whole_table, key=lambda row: row.rank)] == [0, 1, 3, 2]


# F18: four decks, 15 plus or minus the difference of levels


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


def points(made: Running, stage: Stage) -> dict[int, Fraction]:
    return {int(row.entrant): row.values["points"] for row in made.rows(stage)}


def by_difference(made: Running, sitting: Sitting, home: int) -> None:
    """A match that the home side wins by so many levels (negative: loses; 0: only the deal changes hands)."""
    if not home:
        made.play(sitting, just_taken)
        return
    side, left = sitting.home_side if home > 0 else OTHER[sitting.home_side], abs(home)
    while left:
        left -= rise(made, sitting, side, left)


def rise(made: Running, sitting: Sitting, side: str, most: int) -> int:
    """A hand that side deals and rises by, by so many levels at most: by how many."""
    hand = made.play(sitting, both(gains(side, most=most), as_captured), deals=side)
    assert hand.result is not None
    return hand.result.levels


def f18(made: Running) -> None:
    """Seven pairs, three rounds: the difference counts to 10, a forfeit gives 18, equal sums: the last round."""
    stage = made.begin(1)

    first = made.round()
    assert len(byes(first)) == 1
    one, two, three = made.sittings(first)
    made.play(one)
    made.play(one)
    by_difference(made, two, 11)
    by_difference(made, three, -2)
    made.rule(three, OTHER[three.home_side], "take_back", hand="1")
    made.over(first)
    made.close(first)
    assert not made.publish(stage)["final"]
    assert scores(two) == (25, 5)
    assert scores(three) == (14, 16)

    # the last hand was the attackers': a sheet was read wrongly; in a closed round a second official agrees
    made.correct(two, made.hands(two), 320, closed=True)
    levels = made.difference(two.match)
    assert 0 < levels < 10
    assert scores(two) == (15 + levels, 15 - levels)
    assert not made.publish(stage)["final"]

    second = made.round()
    one, two, three = made.sittings(second)
    made.forfeit(one, OTHER[one.home_side])
    made.play(two)
    by_difference(made, three, 1)
    made.over(second)
    made.close(second)
    assert scores(one) == (18, 0)
    made.publish(stage)

    third = made.round()
    tied = equalising(made.sittings(third), points(made, stage))
    for sitting in made.sittings(third):
        home = tied.home_result(sitting)
        if home is None:
            made.play(sitting)
        else:
            by_difference(made, sitting, home)
    made.over(third)
    made.close(third)
    assert made.publish(stage)["final"]
    after = {int(row.entrant): row for row in made.rows(stage)}
    first_row, second_row = after[tied.first.pk], after[tied.second.pk]
    assert first_row.values["points"] == second_row.values["points"]
    assert second_row.rank < first_row.rank
    assert "last_round_back" in made.split_by(stage)


# F19: eight hands at fixed levels


def by_hand_points(made: Running, sitting: Sitting, home: int, hands: int = 8) -> None:
    """So many hands that the home side gets that sum of hand points; none is worth nothing, or more than two."""
    left = home if sitting.home_side == "NS" else -home
    for rest in reversed(range(hands)):

        def fits(hand: Replay, left: int = left, rest: int = rest) -> bool:
            return abs(worth(hand, "NS")) <= 2 and _reachable(left - worth(hand, "NS"), rest)

        left -= worth(made.play(sitting, fits), "NS")
    assert left == 0


def _reachable(points: int, hands: int) -> bool:
    """Whether so many hands, each worth one or two, can sum to that."""
    return abs(points) <= 2 * hands and (hands != 1 or points != 0)


def f19(made: Running) -> None:
    """Seven pairs, four rounds: dealers by turns, hand points add up, a round may end at time before its last hand."""
    stage = made.begin(1)
    rested = 0
    for number in range(1, 5):
        round_ = made.round()
        rested += len(byes(round_))
        one, two, three = made.sittings(round_)
        if number == 1:
            assert [str(made.play(one).level) for _hand in range(8)] == [*"23455678"]
            assert one.phase == "finished"
            by_hand_points(made, two, 5)
            assert two.phase == "finished"
            by_hand_points(made, three, -3, hands=6)
            assert made.rule(three, "NS", "take_back", hand="2").penalty["unit"] == "match_points"
        elif number == 2:
            made.forfeit(one, one.home_side)
            by_hand_points(made, two, 2)
            by_hand_points(made, three, 4)
            made.slip(three, 8)
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


# F17: one game a match, to its end, in groups and once more


def to_the_end(made: Running, sitting: Sitting, winner: str, risen: int = 0) -> None:
    """The other side deals and rises by so many levels; then the winner takes the deal and passes all."""
    while risen:
        risen -= rise(made, sitting, OTHER[winner], risen)
    while sitting.phase != "finished":
        dealer = made.due(sitting)[0] if sitting.state["next_dealer"] else winner[0]
        made.play(sitting, gains(winner, least=1 if dealer in winner else 0), deals=winner)
    assert sitting.state["passed"] == winner


#: Places in the draw of a group of four: who wins, and by how much the loser rises first. Three have equal points.
GAMES = {(0, 1): (0, 0), (1, 2): (1, 2), (0, 2): (2, 4), (0, 3): (0, 0), (1, 3): (1, 0), (2, 3): (2, 0)}


def f17(made: Running) -> None:
    """Seven pairs in two groups, games to the end: equal points go by net levels, equal net levels by their sum."""
    for number in (1, 2):
        stage = made.begin(number)
        sizes = [*stage.field.values_list("group", flat=True)]
        assert stage.rounds_planned == 3
        for _round in range(stage.rounds_planned):
            round_ = made.round()
            assert len(byes(round_)) == (number == 1)
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
        rise(made, sitting, places[0], 2)
        made.rebel(sitting, places[1])
        to_the_end(made, sitting, places[0])
    else:
        rise(made, sitting, places[1], 2)
        made.rule(sitting, places[1], "take_back", hand="1")
        made.slip(sitting, 1)
        to_the_end(made, sitting, places[1])


REGULATIONS = (
    Regulation("F1", 7, f1, seed=11),
    Regulation("F2", 17, f2, seed=2),
    Regulation("F3", 6, f3, seed=3),
    Regulation("F5", 5, f5, seed=5),
    Regulation("F7", 7, f7, seed=7, players=4),
    Regulation("F17", 7, f17, seed=17),
    Regulation("F18", 7, f18, seed=18),
    Regulation("F19", 7, f19, seed=19),
)
