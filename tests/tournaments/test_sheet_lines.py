"""A row of a signed sheet in one line: its sign, its figures, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.acts.errors import Refusal
from tournaments.ledger.sheet_lines import read_line, sign_of

SLUG = "lake"


def place(number: int, table: int, hand: int) -> str:
    return f"{number}-{table}-{hand}{sign_of(SLUG, round_number=number, table=table, hand=hand)}"


@pytest.mark.parametrize(
    ("figures", "facts"),
    [
        ("", {}),
        ("H 35", {"trump": "H", "captured_in_tricks": 35, "last_trick_winner": "dealer"}),
        ("无主 0", {"trump": "NT", "captured_in_tricks": 0, "last_trick_winner": "dealer"}),
        (
            "d 85 pair 20",
            {
                "trump": "D",
                "captured_in_tricks": 85,
                "last_trick_winner": "attackers",
                "led": [{"type": "pair"}],
                "kitty_points": 20,
            },
        ),
        (
            "红 60 2x3",
            {"trump": "H", "captured_in_tricks": 60, "last_trick_winner": "attackers"}
            | {"led": [{"type": "tractor", "width": 2, "length": 3}]},
        ),
    ],
)
def test_what_is_typed_is_read(figures: str, facts: dict[str, Any]) -> None:
    line = read_line(f" {place(2, 7, 3).lower()} {figures}", SLUG)
    assert (line.round, line.table, line.hand) == (2, 7, 3)
    assert line.facts == {"kind": "hand"} | facts


@pytest.mark.parametrize(
    "text", ["", "2-7", "2-7-3", "x", "2-7-3K5", f"{place(2, 7, 3)} H 8a", f"{place(2, 7, 3)} H 85 x 5 5"]
)
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_line(text, SLUG)
    assert refused.value.code == "sheet_line_unreadable"


def test_every_wrong_figure_and_every_change_of_places_is_found() -> None:
    def sign(figures: str) -> str:
        return sign_of(SLUG, round_number=int(figures[:2]), table=int(figures[2:6]), hand=int(figures[6:]))

    for number, table, hand in ((1, 7, 3), (12, 1043, 28), (3, 64, 14)):
        right = f"{number:02d}{table:04d}{hand:03d}"
        for at, was in enumerate(right):
            for other in "0123456789":
                wrong = right[:at] + other + right[at + 1 :]
                assert (sign(wrong) == sign(right)) == (other == was)
        for at in range(len(right) - 1):
            swapped = right[:at] + right[at + 1] + right[at] + right[at + 2 :]
            assert (sign(swapped) == sign(right)) == (swapped == right)


def test_a_sheet_of_another_place_is_refused() -> None:
    line = place(2, 7, 3).replace("2-7", "2-8")
    with pytest.raises(Refusal) as refused:
        read_line(f"{line} H 85", SLUG)
    assert refused.value.code == "sheet_sign_wrong"
