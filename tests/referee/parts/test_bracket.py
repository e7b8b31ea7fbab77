"""The knockout in columns: what leads to a match stands beside it, what is not drawn is open, ways are marked."""

from __future__ import annotations

import pytest

from referee.pictures.bracket import Bracket, Meeting, Party, arranged, pages


def tree(matches: int, rounds: int, *, third: bool = False, followed: int = 0) -> Bracket:
    """A bracket with so many matches in its first round and so many rounds drawn; the upper one always wins. The upper
    of match n of the first round is entrant 2n − 1."""
    entrants, meetings = list(range(1, 2 * matches + 1)), []
    for column in range(rounds):
        pairs = list(zip(entrants[::2], entrants[1::2], strict=True))
        for slot, (upper, lower) in enumerate(pairs, start=1):
            one = Party(upper, upper, f"Pair {upper}", "9", won=True, followed=upper == followed)
            meetings.append(Meeting(column, slot, one, Party(lower, lower, "Other", "5", followed=lower == followed)))
        entrants = [upper for upper, _lower in pairs]
    if third:
        meetings.append(Meeting(rounds - 1, 0, Party(98, 98, "A"), Party(99, 99, "B"), third=True))
    return arranged(meetings, [f"Round {number + 1}" for number in range(matches.bit_length())])


@pytest.mark.parametrize("matches", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("drawn", [1, 2])
def test_every_round_has_half_the_cells_of_the_one_before(matches: int, drawn: int) -> None:
    shown = tree(matches, min(drawn, matches.bit_length()))
    assert shown.tree
    assert [len(column.cells) for column in shown.columns] == [
        matches >> place for place in range(matches.bit_length())
    ]
    assert all(
        cell is not None and cell.slot == place for cell, place in zip(shown.columns[-1].cells, [1], strict=True)
    )
    drawn_here = [len(column.meetings) for column in shown.columns]
    assert drawn_here == [matches >> place if place < drawn else 0 for place in range(matches.bit_length())]


def test_what_is_not_drawn_is_open_and_a_place_nobody_drew_is_empty() -> None:
    bye = Meeting(0, 1, Party(1, 1, "Pair 1", won=True), Party(None), note="bye")
    shown = arranged([bye, Meeting(0, 3, Party(2, 2), Party(3, 3))], ["Quarter-finals", "Semi-finals", "Final"])
    first, second, final = (column.cells for column in shown.columns)
    assert [cell is not None and cell.known for cell in first] == [True, False, True, False]
    assert first[1] is None
    assert [cell is not None and not cell.known for cell in (*second, *final)] == [True, True, True]


@pytest.mark.parametrize(
    ("matches", "drawn", "third", "now", "winner"),
    [(4, 1, False, 0, None), (4, 2, False, 1, None), (4, 3, False, 2, 1), (4, 3, True, 2, 1), (1, 1, False, 0, 1)],
)
def test_it_opens_on_the_round_in_play(matches: int, drawn: int, third: bool, now: int, winner: int | None) -> None:
    shown = tree(matches, drawn, third=third)
    assert shown.now == now
    final = shown.final
    assert (final.winner.entrant if final and final.winner else None) == winner
    assert sum(one.third for one in shown.meetings) == third


def test_a_bye_is_no_result_and_two_forfeits_are_waited_for_no_more() -> None:
    bye = Meeting(0, 1, Party(1, 1, won=True), Party(None))
    both = Meeting(0, 2, Party(2, 2), Party(3, 3), ended=True)
    first, _final = (shown := arranged([bye, both], ["Semi-finals", "Final"])).columns
    assert (first.over, len(first.played)) == (1, 1)
    open_ = arranged([bye, Meeting(0, 2, Party(2, 2), Party(3, 3)), Meeting(1, 1, Party(1, 1), Party(3, 3))], ["", ""])
    assert [one.now for one in (shown, open_)] == [0, 0]
    assert arranged([bye, both, Meeting(1, 1, Party(1, 1), Party(None))], ["", ""]).now == 1


def test_the_way_of_who_is_followed_leads_to_where_it_ends() -> None:
    shown = tree(4, 3, followed=3)
    marked = [[one.slot for one in column.meetings if one.followed] for column in shown.columns]
    assert marked == [[2], [1], []]
    assert [[one.slot for one in column.meetings if one.through] for column in shown.columns] == [[2], [], []]
    assert [column.start for column in shown.columns] == [2, 1, 1]


def test_rounds_drawn_anew_stand_below_each_other() -> None:
    first = [
        Meeting(0, 0, Party(1, 1, "A", won=True), Party(2, 2, "B")),
        Meeting(0, 0, Party(3, 3, "C"), Party(4, 4, "D", won=True)),
        Meeting(0, 0, Party(5, 5, "E", won=True), Party(None), note="bye"),
    ]
    second = [Meeting(1, 0, Party(1, 1, "A"), Party(5, 5, "E")), Meeting(1, 0, Party(4, 4, "D", won=True), Party(None))]
    shown = arranged([*first, *second], ["Round 1", "Round 2"])
    assert not shown.tree
    assert [len(column.cells) for column in shown.columns] == [3, 2]
    assert shown.now == 1
    assert shown.final is None


@pytest.mark.parametrize(
    ("matches", "drawn", "sizes"),
    [
        (4, 1, [(4, 2, 1)]),
        (8, 1, [(4, 2, 1), (4, 2, 1), (4, 2, 1)]),
        (8, 4, [(4, 2, 1)]),
        (16, 1, [(4, 2, 1)] * 5),
        (16, 4, [(4, 2, 1)]),
        (32, 1, [(4, 2, 1)] * 11),
        (1, 1, [(1,)]),
    ],
)
def test_a_page_of_the_projector_has_no_more_than_a_hall_can_read(
    matches: int, drawn: int, sizes: list[tuple[int, ...]]
) -> None:
    parts = pages(tree(matches, drawn))
    assert [tuple(len(column.cells) for column in part.columns) for part in parts] == sizes
    assert [part.ends for part in parts] == [False] * (len(parts) - 1) + [True]


def test_the_pages_of_a_bracket_show_every_match_from_now_on() -> None:
    shown = tree(16, 2)
    seen = {(one.column, one.slot) for part in pages(shown) for column in part.columns for one in column.cells if one}
    assert seen == {(column, slot) for column in range(5) for slot in range(1, (16 >> column) + 1)}


def test_rounds_drawn_anew_come_match_by_match() -> None:
    here = [Meeting(0, 0, Party(n, n), Party(n + 50, n + 50)) for n in range(8)]
    later = [Meeting(1, 0, Party(n, n), Party(n + 1, n + 1)) for n in range(0, 8, 2)]
    third = Meeting(2, 0, Party(1, 1), Party(2, 2), third=True)
    shown = arranged([*here, *later, Meeting(2, 0, Party(5, 5), Party(6, 6)), third], ["1", "2", "3"])
    parts = pages(shown)
    assert [[(column.word, len(column.cells)) for column in part.columns] for part in parts] == [
        [("1", 4), ("1", 4), ("2", 4)],
        [("3", 1)],
    ]
    assert parts[1].columns[0].third is not None
