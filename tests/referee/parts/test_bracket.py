"""The knockout as geometry: boxes never overlap, arms lead from a match to the one its winner goes to."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from referee.pictures.bracket import HEIGHT, WIDTH, Bracket, Meeting, Party, draw


def tree(matches: int, rounds: int, *, third: bool = False) -> Bracket:
    """A bracket with so many matches in its first round and so many rounds drawn; the upper one always wins."""
    size, meetings = matches, []
    for column in range(rounds):
        for slot in range(1, size + 1):
            upper = Party(slot * 2 - 1, f"Pair {slot}", "9", won=True)
            meetings.append(Meeting(column, slot, upper, Party(slot * 2, "Other", "5")))
        size //= 2
    if third:
        meetings.append(Meeting(rounds - 1, 0, Party(98, "A"), Party(99, "B"), third=True))
    return draw(meetings, [f"Round {number + 1}" for number in range(matches.bit_length())])


@pytest.mark.parametrize("matches", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("third", [False, True])
def test_boxes_never_overlap_and_stay_on_the_paper(matches: int, third: bool) -> None:
    picture = tree(matches, matches.bit_length(), third=third)
    for one, other in combinations(picture.boxes, 2):
        assert abs(one.x - other.x) >= WIDTH or abs(one.y - other.y) >= HEIGHT, (one, other)
    assert max(box.y + HEIGHT for box in picture.boxes) <= picture.height
    assert picture.box == (WIDTH, HEIGHT)
    assert max(box.x + WIDTH for box in picture.boxes) <= picture.width


@pytest.mark.parametrize("matches", [2, 4, 8, 16])
@pytest.mark.parametrize("drawn", [1, 2])
def test_every_match_but_the_final_has_one_arm_to_the_middle_of_a_box(matches: int, drawn: int) -> None:
    picture = tree(matches, drawn)
    assert len(picture.boxes) == 2 * matches - 1
    assert len(picture.arms) == 2 * matches - 2
    middles = {(box.x, box.y + HEIGHT // 2) for box in picture.boxes}
    for arm in picture.arms:
        end = re.fullmatch(r"M\d+ \d+H\d+V(\d+)H(\d+)", arm)
        assert end
        assert (int(end[2]), int(end[1])) in middles


def test_what_is_not_drawn_is_open_and_what_is_bye_says_so() -> None:
    bye = Meeting(0, 1, Party(1, "Pair 1", won=True), Party(None), note="bye")
    picture = draw([bye, Meeting(0, 2, Party(2, "Pair 2"), Party(3, "Pair 3"))], ["Semi-finals", "Final"])
    assert [line.text for line in picture.boxes[0].lines] == ["Pair 1", "bye"]
    assert [box.css for box in picture.boxes] == ["", "", "open"]


def test_rounds_drawn_anew_follow_the_winners() -> None:
    first = [
        Meeting(0, 0, Party(1, "A", won=True), Party(2, "B")),
        Meeting(0, 0, Party(3, "C"), Party(4, "D", won=True)),
        Meeting(0, 0, Party(5, "E", won=True), Party(None), note="bye"),
    ]
    second = [Meeting(1, 0, Party(1, "A"), Party(5, "E")), Meeting(1, 0, Party(4, "D", won=True), Party(None))]
    picture = draw([*first, *second], ["Round 1", "Round 2"])
    assert len(picture.arms) == 3
    assert [len(meetings) for _word, meetings in picture.rounds] == [3, 2]
