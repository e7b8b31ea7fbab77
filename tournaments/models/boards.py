"""Duplicate: the boards of a stage, and what each came to at a sitting."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from scoring.sittings.states import FixedHand
from scoring.values import Level, Seat, Trump

from .seating import SideChoice, Sitting


class Board(models.Model):
    """Duplicate only (牌副): a numbered deal with fixed dealer, level and perhaps trump."""

    stage = models.ForeignKey("Stage", on_delete=models.PROTECT, related_name="boards")
    number = models.PositiveIntegerField()
    dealer = models.CharField(max_length=1, choices=[(seat, seat) for seat in "NWSE"])
    level = models.CharField(max_length=2)
    trump = models.CharField(max_length=2, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="board_number_once")]

    def __str__(self) -> str:
        return f"board {self.number}"

    @property
    def fixed(self) -> FixedHand:
        """Its hand, as the kernel's conditions know it."""
        return FixedHand(Level(self.level), Seat(self.dealer), Trump(self.trump) if self.trump else None)


class BoardResult(models.Model):
    """What a board came to at a sitting, seen by North-South: a cache of the fold, or an adjusted score.

    `hand_points` and `attackers_points` (captured and dug, in points) are the result as played. `ns_mark` and `ew_mark`
    replace it where an official adjusted the score: marks of the protocol's `board_scores`; `mark_reason` and
    `mark_clause` say why.
    """

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="board_results")
    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="results")
    dealer_side = models.CharField(max_length=2, choices=SideChoice.choices, blank=True)
    hand_points = models.IntegerField(null=True)
    attackers_points = models.IntegerField(null=True)
    ns_mark = models.JSONField(null=True)
    ew_mark = models.JSONField(null=True)
    mark_reason = models.CharField(max_length=300, blank=True)
    mark_clause = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["board__number"]
        constraints = [
            models.UniqueConstraint(fields=["sitting", "board"], name="board_once_a_sitting"),
            models.CheckConstraint(
                condition=Q(hand_points__isnull=True, attackers_points__isnull=True)
                | Q(hand_points__isnull=False, attackers_points__isnull=False) & ~Q(dealer_side=""),
                name="board_result_whole",
            ),
            models.CheckConstraint(
                condition=Q(ns_mark__isnull=True, ew_mark__isnull=True)
                | Q(ns_mark__isnull=False, ew_mark__isnull=False),
                name="board_marks_of_both",
            ),
        ]

    def __str__(self) -> str:
        return f"board {self.board_id} at sitting {self.sitting_id}"
