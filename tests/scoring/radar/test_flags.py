"""Flags of the radar: what is flagged, what is not, and that each says how often honest play comes to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scoring.radar.flags import board_flags, revoke_flags, table_flags
from scoring.radar.rates import Honest, Spread, binomial_tail, honest, median
from scoring.radar.seen import BoardSeen, Flag, HandSeen, Kind, Place, Rate, RevokesSeen, TableSeen
from scoring.wording import both

HERE = Place(2, 7)
#: Totals of 10,000 hands, the most gained in three hands and the longest run of 1,000 matches, results of boards.
KNOWN = Honest(
    figures=Spread.counted({0: 5, 40: 2_000, 80: 5_990, 120: 2_000, 240: 5}, 10_000),
    climbs=Spread.counted({2: 600, 5: 396, 8: 4}, 1_000),
    runs=Spread.counted({1: 900, 2: 98, 3: 2}, 1_000),
    fields=Spread.counted({10: 900, 60: 97, 120: 3}, 1_000),
    measured={"flagged": {"fast": 3, "slow": 12}, "matches": 1_000},
)


def hands(*figures: int, every: int = 360) -> list[HandSeen]:
    return [
        HandSeen(n, figure, (figure, n, 0), {"NS": 1}, entered=every * n) for n, figure in enumerate(figures, start=1)
    ]


def flags(played: Sequence[HandSeen], known: Honest = KNOWN, usual: int | None = 360) -> list[Flag]:
    names = {"NS": both("entrant 3", "3 号")}
    return list(table_flags(TableSeen(HERE, "any", 100, played, names, usual), known))


def kinds(played: Sequence[HandSeen], **more: object) -> list[Kind]:
    return [flag.kind for flag in flags(played, **more)]  # type: ignore[arg-type]


def test_an_ordinary_match_raises_no_question() -> None:
    assert flags(hands(40, 80, 120, 80, 40)) == []


@pytest.mark.parametrize(("figure", "times"), [(0, 5), (-20, 0), (240, 5), (300, 0)])
def test_a_rare_total_says_how_rare_it_is(figure: int, times: int) -> None:
    (flag,) = flags(hands(80, figure))
    assert (flag.kind, flag.hand, flag.place, flag.rate) == (Kind.TOTAL, 2, HERE, Rate(times, 10_000, "hands"))
    assert flag.key == "total.r2.t7.open.g1.h2.v1"


def test_another_version_of_a_hand_is_another_flag() -> None:
    first, second = hands(80, 300)
    (flag,) = flags([first, replace(second, version=2)])
    assert flag.key.endswith("h2.v2")


def test_nothing_is_rare_by_rules_that_were_never_measured() -> None:
    assert flags(hands(0, 300, 300), Honest()) == []
    assert honest("of nobody") == Honest()


def test_many_levels_in_three_hands() -> None:
    climbing = [replace(hand, gains={"NS": gained}) for hand, gained in zip(hands(80, 40, 80), (3, 2, 3), strict=True)]
    (flag,) = flags(climbing)
    assert (flag.kind, flag.rate) == (Kind.CLIMB, Rate(4, 1_000, "matches"))
    assert "entrant 3 gained 8 in 3 hands" in flag.seen["en"]
    assert kinds([replace(hand, gains={"NS": 1, "EW": 1}) for hand in hands(80, 40, 80)]) == []


def test_levels_are_counted_within_three_hands_only() -> None:
    spread = [
        replace(hand, gains={"NS": gained}) for hand, gained in zip(hands(80, 40, 80, 40), (4, 0, 0, 4), strict=True)
    ]
    assert kinds(spread) == []


def test_three_equal_sheets_are_a_copy_and_two_are_none() -> None:
    def alike(many: int) -> list[HandSeen]:
        return [replace(hand, parts=(60, 20, 0)) for hand in hands(*[80] * many)]

    assert kinds(alike(2)) == []
    (flag,) = flags(alike(3))
    assert (flag.kind, flag.hand, flag.rate) == (Kind.COPY, 3, Rate(2, 1_000, "matches"))
    assert kinds([replace(hand, parts=()) for hand in hands(80, 80, 80)]) == []


@pytest.mark.parametrize(
    ("entered", "expected"),
    [
        ((360, 720, 1080), []),
        ((360, 500, 559), [Kind.FAST]),
        ((360, 500, 560), []),
        # one slip that waited for the next hand is honest
        ((360, 1065, 1080, 1440), []),
        ((10, 20, 30, 40, 50), [Kind.FAST]),
        ((360, None, 380, 400), [Kind.FAST]),
        ((None, None, None), []),
    ],
)
def test_hands_that_cannot_have_been_played_so_fast(entered: Sequence[int | None], expected: list[Kind]) -> None:
    played = [replace(hand, entered=at) for hand, at in zip(hands(*[40, 80] * 3), entered, strict=False)]
    assert kinds(played) == expected


def test_a_run_of_fast_hands_is_one_question() -> None:
    (flag,) = flags(hands(40, 80, 40, 80, 40, every=20))
    assert "Hands 1 to 5: 4 hands were played and entered within 80 seconds" in flag.seen["en"]
    assert flag.rate == Rate(3, 1_000, "matches")


@pytest.mark.parametrize(
    ("took", "usual", "flagged"),
    [(1499, 300, False), (1500, 300, True), (1500, 400, False), (1600, 400, True), (3600, 360, True),
     (3601, 360, False), (2400, None, False)],
)  # fmt: skip
def test_a_very_long_hand(took: int, usual: int | None, flagged: bool) -> None:
    first, second = hands(40, 80)
    late = [replace(first, entered=0), replace(second, entered=took)]
    assert kinds(late, usual=usual) == [Kind.SLOW] * flagged


def test_what_the_record_says_is_handed_on() -> None:
    (hand,) = hands(80)
    told = both("so", "如此")
    played = [replace(hand, not_due=(told,), differs=(told, told), owed=told)]
    assert kinds(played) == [Kind.DUE, Kind.CARDS, Kind.RETURN]
    assert [flag.seen["zh"] for flag in flags(played)] == ["第 1 副：如此", "第 1 副：如此如此", "第 1 副：如此"]


def board(*took: int, points: int = 200) -> BoardSeen:
    return BoardSeen(4, points, [(Place(1, table), 3, one, one) for table, one in enumerate(took, start=1)])


def test_a_result_far_from_the_field() -> None:
    (flag,) = board_flags(board(80, 85, 75, 80, 200), KNOWN)
    assert (flag.kind, flag.place.table, flag.hand, flag.rate) == (Kind.FIELD, 5, 3, Rate(3, 1_000, "results"))
    assert "half of the 4 other tables took 80 or less" in flag.seen["en"]
    assert list(board_flags(board(80, 85, 75, 200), KNOWN)) == [], "four tables are no field"
    assert list(board_flags(board(80, 85, 75, 80, 200, points=400), KNOWN)) == [], "half as much of four decks"


def test_revokes_of_one_entrant() -> None:
    seen = RevokesSeen(5, 40, [(HERE, 2), (Place(3, 1), None)])
    (flag,) = revoke_flags(seen)
    assert (flag.key, flag.place.round, flag.hand) == ("revokes.e5.n2", 3, None)
    assert flag.rate == Rate(80, 10_000, "entrants")
    assert list(revoke_flags(replace(seen, where=seen.where[:1]))) == []


def test_the_arithmetic() -> None:
    spread = Spread.counted({-10: 1, 0: 2, 30: 3}, 6)
    assert [spread.at_most(n) for n in (-11, -10, 0, 29, 30, 99)] == [0, 1, 3, 3, 6, 6]
    assert [spread.at_least(n) for n in (-99, -10, 0, 1, 30, 31)] == [6, 6, 5, 3, 3, 0]
    assert median([5, 1, 9]) == 5
    assert median([5, 1, 9, 7]) == 5
    assert binomial_tail(2, 2, 10) == pytest.approx(0.01)
    assert binomial_tail(3, 1, 2) == pytest.approx(0.875)


@pytest.mark.parametrize(
    ("rate", "en", "zh"),
    [
        (Rate(0, 2_000, "matches"), "not once in 2,000 honest matches", "2,000 场诚实对局中一次也没有"),
        (Rate(12, 80_000, "hands"), "in 12 of 80,000 honest hands", "80,000 副诚实对局中有 12 副"),
    ],
)
def test_a_rate_in_words(rate: Rate, en: str, zh: str) -> None:
    assert dict(rate.text) == {"en": en, "zh": zh}
