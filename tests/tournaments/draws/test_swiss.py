"""Swiss rounds against every possible matching, and their laws."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import networkx
import pytest

from scoring.hands.findings import Refused
from tournaments.draws import swiss, swiss_field
from tournaments.draws.apart import Wish
from tournaments.draws.checker import check_pairing
from tournaments.draws.matching import CEILING, DoesNotFit, Edge, best_matching, weights
from tournaments.draws.pairing import Pairing
from tournaments.draws.swiss import Infeasible, judged, swiss_round, why_not
from tournaments.draws.swiss_field import DEFAULT_RULES, Earlier, Field, Rule, Standing, Tier
from tournaments.plans.plan import Force
from tournaments.questions import answer

HISTORIES = 1_000


def history(chance, most=10):
    """Standings and earlier rounds of a random event: any pairings whatever, late entrants, byes, units."""
    size = chance.randint(2, most)
    ids = [f"e{i}" for i in range(size)]
    units = {one: chance.choice([None, "x", "y", "z"]) for one in ids}
    scores = dict.fromkeys(ids, Fraction(0))
    earlier = []
    for _ in range(chance.randint(0, 4)):
        order = chance.sample(ids, size - chance.randint(0, size // 3))
        pairs = tuple(zip(order[::2], order[1::2], strict=False))
        byes = (order[-1],) if len(order) % 2 else ()
        earlier.append(Earlier(Pairing(pairs, byes), dict(scores)))
        for home, away in pairs:
            won = chance.choice([0, 1, 2])
            scores[home] += won
            scores[away] += 2 - won
        for one in byes:
            scores[one] += 2
    ranks = chance.sample(range(1, 3 * size), size)
    rules = {rule: chance.choice(list(Force)) for rule in DEFAULT_RULES if chance.random() < 0.5}
    pairs = [frozenset(chance.sample(ids, 2)) for _ in range(chance.choice([0, 0, 1, 3]))]
    apart = {pair: chance.choice(list(Wish)) for pair in pairs}
    rows = [Standing(one, rank, scores[one], units[one]) for one, rank in zip(ids, ranks, strict=True)]
    return rows, earlier, rules, apart


def matchings(places):
    if not places:
        yield []
        return
    for i in range(1, len(places)):
        for rest in matchings(places[1:i] + places[i + 1 :]):
            yield [(places[0], places[i]), *rest]


def counted(rows, earlier, rules, apart):
    """Costs of every possible meeting but for the lots, told from the history anew, as the tiers are described."""
    rows = sorted(rows, key=lambda one: (-one.score, one.rank))
    force = {Rule.NO_REMATCH: "must", Rule.ONE_BYE: "must", Rule.UNITS_APART: "prefer", **rules}
    met = lambda a, b: sum({a, b} == set(pair) for one in earlier for pair in one.pairing.pairs)  # noqa: E731
    byes = lambda a: sum(a in one.pairing.byes for one in earlier)  # noqa: E731

    def surplus(a):
        return sum((a == home) - (a == away) for one in earlier for home, away in one.pairing.pairs)

    def floated(a, sign):
        found = [
            sign * (one.scores[a] - one.scores[other]) > 0
            for one in earlier
            for pair in one.pairing.pairs
            if a in pair
            for other in pair
            if other != a
        ]
        return min(3, sum(found) + (byes(a) if sign > 0 else 0))

    unit = min((d for d in {x.score - y.score for x in rows for y in rows} if d > 0), default=1)
    while any((x.score - rows[-1].score) % unit for x in rows):
        unit = unit / 2 if unit != 1 else unit
    found = {}
    for i, x in enumerate(rows):
        group = [k for k, y in enumerate(rows) if y.score == x.score]
        half = len(group) // 2
        for j in range(i + 1, len(rows)):
            y = rows[j]
            if x.score == y.score:
                sides = [group.index(k) < half for k in (i, j)]
                seeding = 2 * abs(j - i - half) + (sides[0] == sides[1])
            else:
                seeding = 2 * (j - i - 1)
            seats = min(
                sum(min(5, abs(surplus(one.entrant) + seat)) ** 2 for one, seat in ((x, way), (y, -way)))
                for way in (1, -1)
            )
            wish = apart.get(frozenset((x.entrant, y.entrant)))
            costs = (
                int(wish == "must"),
                met(x.entrant, y.entrant) if force[Rule.NO_REMATCH] != "off" else 0,
                0,
                int(wish == "rather"),
                int(force[Rule.UNITS_APART] != "off" and x.unit is not None and x.unit == y.unit),
                0,
                ((x.score - y.score) / unit) ** 2,
                floated(x.entrant, 1) + floated(y.entrant, -1) if x.score != y.score else 0,
                seats,
                seeding,
            )
            kept_apart = (
                costs[Tier.KEPT_APART]
                or (force[Rule.NO_REMATCH] == "must" and costs[Tier.REMATCH])
                or (force[Rule.UNITS_APART] == "must" and costs[Tier.UNIT])
            )
            found[i, j] = None if kept_apart else costs
        if len(rows) % 2:
            had = byes(x.entrant) if force[Rule.ONE_BYE] != "off" else 0
            above = (x.score - rows[-1].score) / unit
            costs = (0, 0, had, 0, 0, above, 0, floated(x.entrant, 1), 0, 2 * (len(rows) - 1 - i))
            found[i, len(rows)] = None if force[Rule.ONE_BYE] == "must" and had else costs
    return found


def best_by_trying(costs, size):
    totals = []
    for pairs in matchings(list(range(size + size % 2))):
        if all(costs[pair] is not None for pair in pairs):
            totals.append(tuple(map(sum, zip(*(costs[pair] for pair in pairs), strict=True))))
    return min(totals, default=None)


@pytest.mark.long
def test_agrees_with_every_possible_matching():
    chance, agreed, impossible = Random(20261121), 0, 0
    for _ in range(HISTORIES):
        rows, earlier, rules, apart = history(chance, most=10 if chance.random() < 0.15 else 8)
        drawn = swiss_round(Field(rows, earlier, rules, apart))
        best = best_by_trying(counted(rows, earlier, rules, apart), len(rows))
        impossible += best is None
        agreed += isinstance(drawn, Infeasible) if best is None else drawn.total[: Tier.LOT] == best
    assert agreed == HISTORIES
    assert 0 < impossible < HISTORIES / 2


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_agrees_with_every_possible_matching_of_ten(seed):
    """A hundred histories of up to ten entrants each, nine in ten of them with nine or ten."""
    chance, wrong = Random(seed), []
    for number in range(100):
        rows, earlier, rules, apart = history(chance, most=10)
        while len(rows) < 9 and number % 10:
            rows, earlier, rules, apart = history(chance, most=10)
        drawn = swiss_round(Field(rows, earlier, rules, apart))
        best = best_by_trying(counted(rows, earlier, rules, apart), len(rows))
        if not (isinstance(drawn, Infeasible) if best is None else drawn.total[: Tier.LOT] == best):
            wrong.append(number)
    assert wrong == []


@pytest.mark.soak
@pytest.mark.parametrize("size", [250, 400, 601])
def test_a_near_graph_of_hundreds_finds_what_the_whole_one_finds(size, monkeypatch):
    """After three rounds drawn so, with results by chance: beyond a few hundred nobody far away would be cheaper."""
    chance, scores, earlier = Random(size), dict.fromkeys(range(size), Fraction(0)), []
    for _ in range(4):
        field = Field([Standing(i, i, scores[i], f"u{i % 40}") for i in range(size)], earlier)
        drawn = swiss_round(field)
        with monkeypatch.context() as patch:
            patch.setattr(swiss, "ALL_MEET", size)
            assert swiss_round(field).total[: Tier.LOT] == drawn.total[: Tier.LOT]
        earlier.append(Earlier(drawn.pairing, dict(scores)))
        for home, away in drawn.pairing.pairs:
            won = chance.choice([0, 1, 2])
            scores[home] += won
            scores[away] += 2 - won


@pytest.mark.long
def test_names_and_order_of_telling_change_nothing():
    chance = Random(5)
    for _ in range(200):
        rows, earlier, rules, apart = history(chance, most=40)
        name = {one.entrant: f"z{chance.random()}" for one in rows}
        other_rows = [Standing(name[one.entrant], 7 * one.rank, one.score, one.unit) for one in rows]
        other_rounds = [
            Earlier(
                Pairing(
                    tuple((name[a], name[b]) for a, b in chance.sample(one.pairing.pairs, len(one.pairing.pairs))),
                    tuple(name[a] for a in one.pairing.byes),
                ),
                {name[a]: score for a, score in one.scores.items()},
            )
            for one in earlier
        ]
        other_apart = {frozenset(name[one] for one in pair): wish for pair, wish in apart.items()}
        drawn = swiss_round(Field(rows, earlier, rules, apart))
        other = swiss_round(Field(chance.sample(other_rows, len(other_rows)), other_rounds, rules, other_apart))
        if isinstance(drawn, Infeasible):
            assert other == drawn
            continue
        assert other.total == drawn.total
        assert other.pairing.pairs == tuple((name[a], name[b]) for a, b in drawn.pairing.pairs)
        assert other.pairing.byes == tuple(name[a] for a in drawn.pairing.byes)


@pytest.mark.parametrize("size", [8, 9, 30])
def test_rounds_of_a_whole_event_are_sound(size):
    """As long as one is possible a round has no rematch and no second bye, and nobody sits far more at home."""
    chance, scores, earlier = Random(size), dict.fromkeys(range(size), Fraction(0)), []
    for _ in range(6):
        drawn = swiss_round(Field([Standing(i, i, scores[i]) for i in range(size)], earlier))
        found = check_pairing(drawn.pairing, entrants=range(size), earlier=[one.pairing for one in earlier])
        assert found == ()
        earlier.append(Earlier(drawn.pairing, dict(scores)))
        for home, away in drawn.pairing.pairs:
            won = chance.choice([0, 2])
            scores[home] += won
            scores[away] += 2 - won
        for one in drawn.pairing.byes:
            scores[one] += 2
    assert max(abs(Field([Standing(i, i) for i in range(size)], earlier).balance[i]) for i in range(size)) <= 3


def test_the_first_round_sets_the_upper_half_against_the_lower():
    drawn = swiss_round(Field([Standing(i, i) for i in range(1, 8)]))
    assert drawn.pairing == Pairing(((1, 4), (5, 2), (3, 6)), (7,))


@pytest.mark.long
def test_a_near_graph_finds_what_the_whole_one_finds(monkeypatch):
    chance = Random(3)
    for _ in range(20):
        size = chance.randint(60, 90)
        scores = {i: Fraction(chance.randint(0, 6)) for i in range(size)}
        order = chance.sample(range(size), size)
        earlier = [Earlier(Pairing(tuple(zip(order[: size // 2], order[size // 2 :], strict=False))))]
        field = Field([Standing(i, i, scores[i], f"u{i % 9}") for i in range(size)], earlier)
        whole = swiss_round(field)
        with monkeypatch.context() as patch:
            patch.setattr(swiss, "ALL_MEET", 10)
            assert swiss_round(field).total[: Tier.LOT] == whole.total[: Tier.LOT]


@pytest.mark.long
def test_why_not_is_the_best_round_with_that_meeting():
    chance, asked = Random(9), 0
    for _ in range(60):
        rows, earlier, rules, apart = history(chance, most=7)
        field = Field(rows, earlier, rules, apart)
        drawn = swiss_round(field)
        if isinstance(drawn, Infeasible):
            continue
        costs = counted(rows, earlier, rules, apart)
        for (i, j), alone in costs.items():
            if alone is None:
                continue
            rest = {pair: None if {i, j} & set(pair) and pair != (i, j) else cost for pair, cost in costs.items()}
            best = best_by_trying(rest, len(rows))
            ids = [one.entrant for one in field.standings]
            said = why_not(field, ids[i], ids[j] if j < len(ids) else None, drawn)
            asked += 1
            if best is None:
                assert isinstance(said.forced, Infeasible)
                continue
            assert said.forced.total[: Tier.LOT] == best
            assert said.tier is None or said.forced.total[: said.tier] == drawn.total[: said.tier]
            assert said.forced.total >= drawn.total
    assert asked > 200


def test_a_pairing_by_hand_is_told_its_costs():
    field = Field([Standing(one, rank, Fraction(0), "u") for rank, one in enumerate("abcd")])
    by_hand = judged(field, Pairing((("b", "a"), ("c", "d"))))
    assert by_hand.total[Tier.UNIT] == 2
    assert by_hand.total > swiss_round(field).total
    with pytest.raises(Refused):
        judged(field, Pairing((("b", "x"),)))


def sparse(chance, nodes, bits):
    pairs = {(i, j) for i in range(nodes) for j in range(i + 1, min(nodes, i + 1 + chance.randint(1, 6)))}
    return [Edge(i, j, (chance.getrandbits(bits),)) for i, j in sorted(pairs)]


@pytest.mark.long
def test_the_solver_is_right_up_to_the_ceiling():
    """Against a solver with whole numbers of any size, on costs that together come just below the ceiling."""
    chance, solved = Random(1), 0
    for nodes in [*range(4, 40, 2), 200, 400]:
        edges = sparse(chance, nodes, CEILING.bit_length() - 2 - (nodes // 2).bit_length())
        numbers = {(edge.one, edge.other): edge.costs[0] for edge in edges}
        graph = networkx.Graph()
        graph.add_weighted_edges_from((i, j, -cost) for (i, j), cost in numbers.items())
        right = networkx.max_weight_matching(graph, maxcardinality=True)
        found = best_matching(nodes, edges)
        assert (found is None) == (2 * len(right) < nodes)
        if found is not None:
            solved += 1
            assert sum(numbers[pair] for pair in found) == sum(numbers[tuple(sorted(pair))] for pair in right)
    assert solved > 10


@pytest.mark.long
@pytest.mark.parametrize("words", [True, False], ids=["machine words", "whole numbers of any size"])
def test_every_meeting_costs_what_the_tiers_say(words, monkeypatch):
    """Everybody may meet everybody but whom a rule keeps apart, in order, at the costs told from the history."""
    if not words:
        monkeypatch.setattr(swiss_field, "_WORD_SCORE", 0)
    chance, byes = Random(12), 0
    for number in range(150):
        rows, earlier, rules, apart = history(chance, most=14)
        field = Field(rows, earlier, rules, apart)
        edges = field.edges(field.size)
        byes += field.size % 2
        wanted = [(pair, costs) for pair, costs in counted(rows, earlier, rules, apart).items() if costs is not None]
        ends = zip(edges.one.tolist(), edges.other.tolist(), strict=True)
        tiers = zip(*(tier.tolist() for tier in edges.tiers[: Tier.LOT]), strict=True)
        assert list(zip(ends, tiers, strict=True)) == wanted, number
    assert byes > 50


def test_scores_beyond_machine_words_are_drawn_by_as_well():
    """One score is a hair above its group, so that no unit makes all of them small."""
    rows = [
        Standing(one, rank, Fraction((rank % 3 << 32) + (one == "b"))) for rank, one in enumerate("abcdef", start=1)
    ]
    field = Field(rows)
    assert max(field.scores) > 1 << 32
    assert {frozenset(pair) for pair in swiss_round(field).pairing.pairs} == {
        frozenset("be"), frozenset("ad"), frozenset("cf")
    }  # fmt: skip


def test_costs_beyond_the_ceiling_are_refused():
    with pytest.raises(DoesNotFit):
        best_matching(4, [Edge(0, 1, (CEILING,)), Edge(2, 3, (0,))])


@pytest.mark.long
@pytest.mark.parametrize("fine", [1, 100], ids=["2-1-0", "hundredths of 20"])
def test_tiers_of_four_thousand_entrants_fit(fine):
    """After twelve rounds of the widest scores of each scale and with every rule only preferred."""
    chance = Random(4)
    size, rounds, most = 4_000, 12, 2 if fine == 1 else 2_000
    scores = {i: sum(chance.randint(0, most) for _ in range(rounds)) for i in range(size)}
    scores[0], scores[1] = 0, rounds * most
    earlier = []
    for _ in range(rounds):
        order = chance.sample(range(size), size)
        before = {i: Fraction(chance.randint(0, 9)) for i in range(size)}
        earlier.append(Earlier(Pairing(tuple(zip(order[::2], order[1::2], strict=True))), before))
    standings = [Standing(i, i, Fraction(scores[i], fine), f"u{i % 50}") for i in range(size)]
    field = Field(standings, earlier, dict.fromkeys(Rule, Force.PREFER))
    assert next(weights(size, field.edges(swiss.WIDTH)))


def ask(**question):
    return answer({"id": 1, "input": {"op": "swiss_round", **question}})


ENTRANTS = [{"id": one, "rank": rank, "unit": None} for rank, one in enumerate("abcd", start=1)]


AFTER_ONE = {
    "entrants": ENTRANTS,
    "rounds": [{"pairs": [["a", "c"], ["d", "b"]], "bye": None}],
    "scores": {"a": "2", "b": "2", "c": "0", "d": "0"},
}


def test_the_protocol_answers_with_costs_by_tier():
    said = ask(**AFTER_ONE, why_not=["a", "d"])["answer"]
    assert said["feasible"] is True
    assert said["pairs"] == [["b", "a"], ["c", "d"]]
    assert said["bye"] is None
    assert {tier: cost for tier, cost in said["total"].items() if cost and tier != "lot"} == {}
    assert (said["costs"][0]["home"], said["costs"][0]["score"]) == ("b", 0)
    assert said["why_not"]["pairs"] == [["a", "d"], ["c", "b"]]
    assert (said["why_not"]["forbidden_by"], said["why_not"]["dearer_in"]) == ([], "score")
    assert said["why_not"]["total"]["score"] == 2


def test_the_protocol_says_what_forbids_a_meeting():
    said = ask(**AFTER_ONE, why_not=["a", "c"])["answer"]["why_not"]
    assert (said["forbidden_by"], said["feasible"], said["rules"]) == (["no_rematch"], False, ["no_rematch"])


def test_the_protocol_says_what_stands_in_the_way():
    rounds = [{"pairs": [["a", "b"]]}]
    said = ask(entrants=ENTRANTS[:2], rounds=rounds)["answer"]
    assert (said["feasible"], said["rules"]) == (False, ["no_rematch"])
    assert said["reason"] == {
        "en": "No round is possible unless a rematch is allowed.",
        "zh": "除非允许再次相遇，否则无法编排。",
    }
    assert ask(entrants=ENTRANTS[:2], rounds=rounds, rules={"no_rematch": False})["answer"]["pairs"] == [["b", "a"]]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({}, "wrong_type"),
        ({"entrants": ENTRANTS[:1]}, "too_few_entrants"),
        ({"entrants": [ENTRANTS[0], {**ENTRANTS[1], "rank": 1}]}, "rank_twice"),
        ({"entrants": [ENTRANTS[0], {**ENTRANTS[1], "id": "a"}]}, "entrant_twice"),
        ({"entrants": ENTRANTS, "scores": {"a": 1.5}}, "wrong_type"),
        ({"entrants": ENTRANTS, "scores": {"x": "1"}}, "unknown_entrant"),
        ({"entrants": ENTRANTS, "rounds": [{"pairs": [["a", "b"], ["a", "c"]]}]}, "twice_in_a_round"),
        ({"entrants": ENTRANTS, "rounds": [{"pairs": [["a"]]}]}, "wrong_type"),
        ({"entrants": ENTRANTS, "rules": {"no_rematches": True}}, "unknown_value"),
        ({"entrants": ENTRANTS, "rules": {"kept_apart": True}}, "unknown_value"),
        ({"entrants": ENTRANTS, "apart": {"a": "b"}}, "wrong_type"),
        ({"entrants": ENTRANTS, "apart": [["a", "b"]]}, "wrong_type"),
        ({"entrants": ENTRANTS, "apart": [["a", "a", "must"]]}, "wrong_type"),
        ({"entrants": ENTRANTS, "apart": [["a", "b", "never"]]}, "wrong_type"),
        ({"entrants": ENTRANTS, "apart": [["a", "x", "must"]]}, "unknown_entrant"),
        ({"entrants": ENTRANTS, "colour": 1}, "unknown_field"),
        ({"entrants": ENTRANTS, "why_not": ["a", None]}, "no_such_meeting"),
        ({"entrants": ENTRANTS, "why_not": ["a", "x"]}, "unknown_entrant"),
    ],
)
def test_a_bad_question_is_refused(question, code):
    error = ask(**question)["error"]
    assert error["code"] == code
    assert all(error["message"][language] for language in ("en", "zh"))
