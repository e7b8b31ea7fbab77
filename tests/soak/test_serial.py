"""The checker of histories believes what can have been so, and refuses forged ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.soak.serial import Sitting, Told, check

ENTERED = Told(1, 0, 10, 6, {"hand": 1}, {"waiting": 12}, key="a")
SEEN = Told(1, 11, 14, 6, saw={"hand": 1, "waiting": 12})
CONFIRMED = Told(1, 12, 20, 7, {"waiting": 12}, {"waiting": None, "1": 12, "hand": 2}, key="b")
READ = Told(1, 21, 22, 7, saw={"hand": 2, "1": 12})
CORRECTED = Told(1, 23, 30, 8, {"1": 12}, {"1": 13}, key="c")
TOO_LATE = Told(1, 24, 31, refused=True, key="d")
AGAIN = replace(CORRECTED, began=32, ended=33, repeated=True)
LAST = Told(1, 34, 35, 8, saw={"hand": 2, "1": 13})
SOUND = [ENTERED, SEEN, CONFIRMED, READ, CORRECTED, TOO_LATE, AGAIN, LAST]
STOOD = {1: Sitting(5, 8, {"hand": 1}, {"hand": 2, "1": 13})}


def told(old: Told, new: Told) -> list[Told]:
    return [new if one is old else one for one in SOUND]


def test_what_can_have_been_so_is_believed() -> None:
    assert check(SOUND, STOOD) == []
    assert check(list(reversed(SOUND)), STOOD) == []


@pytest.mark.parametrize(
    ("history", "said"),
    [
        (told(CORRECTED, replace(CORRECTED, revision=7)), "lost: two acts"),
        ([*SOUND, Told(1, 40, 41, 9, {}, {"1": 14})], "lost: the act answered with revision 9"),
        (SOUND[:4], "phantom: nobody asked for revision 8"),
        ([SOUND[0], *SOUND[2:]][1:], "phantom: nobody asked for revision 6"),
        ([*SOUND, Told(1, 36, 37, 9, saw={"hand": 2, "1": 14})], "phantom: revision 9 was read"),
        (told(READ, replace(SEEN, began=21, ended=22)), "stale: revision 6 was read when 7"),
        (told(LAST, replace(READ, began=34, ended=35)), "stale: revision 7 was read when 8"),
        (told(SEEN, replace(READ, began=8, ended=11)), "early: 7 was told before"),
        (told(ENTERED, replace(ENTERED, began=15, ended=25)), "early: 6 was told before"),
        (
            [
                replace(ENTERED, began=0, ended=1),
                replace(CONFIRMED, revision=8, began=2, ended=3),
                replace(CORRECTED, revision=7, began=4, ended=5),
            ],
            "early: 8 was told before the act of 7",
        ),
        (told(CORRECTED, replace(CORRECTED, needs={"1": 11})), "wrong: the act of revision 8 needs 1 11"),
        (told(READ, replace(READ, saw={"hand": 2, "1": 11})), "wrong: revision 7 was shown as 1 11 for 12"),
        (told(SEEN, replace(SEEN, saw={"hand": 1, "waiting": 12, "1": 12})), "wrong: revision 6 was shown as 1 12"),
        ([*told(LAST, LAST)[:-1], replace(LAST, saw={"hand": 2})], "wrong: revision 8"),
        (told(AGAIN, replace(AGAIN, revision=7)), "repeat: c made revision 8"),
        ([*SOUND, replace(AGAIN, key="z")], "repeat: z is answered again"),
        ([*SOUND, replace(SEEN, sitting=2)], "sitting 2: phantom"),
    ],
)  # fmt: skip
def test_forged_histories_are_refused(history: list[Told], said: str) -> None:
    found = check(history, STOOD)
    assert any(said in one for one in found), found


def test_an_act_that_ended_otherwise_is_found_at_the_end() -> None:
    assert "lost: at the end" in check(SOUND, {1: replace(STOOD[1], after={"hand": 2, "1": 12})})[0]


def test_an_act_without_an_answer_may_have_been_done_or_not() -> None:
    silent = [replace(one, ended=None, revision=None) if one is CORRECTED else one for one in SOUND]
    assert check(silent, STOOD) == [], "its repeat says what it did"
    assert check([one for one in silent if one is not AGAIN], STOOD) == []
    never = {1: Sitting(5, 7, {"hand": 1}, {"hand": 2, "1": 12})}
    assert check([one for one in silent if one not in (AGAIN, LAST)], never) == []
    too_late = [replace(one, began=100) if one.ended is None else one for one in silent if one is not AGAIN]
    assert check(too_late, STOOD) == ["sitting 1: phantom: nobody asked for revision 8"]
