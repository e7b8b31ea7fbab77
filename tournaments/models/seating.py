"""Who meets whom and where: tables, draws, pairings, matches and sittings."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from .entrants import Entrant


class SideChoice(models.TextChoices):
    NS = "NS", _("North-South")
    EW = "EW", _("East-West")


class PlaceChoice(models.TextChoices):
    """The places at a table of an individual game, counter-clockwise."""

    ONE = "1", _("seat 1")
    TWO = "2", _("seat 2")
    THREE = "3", _("seat 3")
    FOUR = "4", _("seat 4")
    FIVE = "5", _("seat 5")


#: Who may hold a card, a phone, an entry or a confirmation at a table: a side, or a place of an individual game.
PARTIES = [*SideChoice.choices, *PlaceChoice.choices]


class Table(models.Model):
    """A place in the hall (桌)."""

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="table_number_once")]

    def __str__(self) -> str:
        return str(self.number)


class DrawMethod(models.TextChoices):
    """How a pairing came about."""

    SWISS = "swiss", _("Swiss draw")
    DANISH = "danish", _("Danish draw")
    ROUND_ROBIN = "round_robin", _("table of the round robin")
    KNOCKOUT = "knockout", _("knockout")
    MOVEMENT = "movement", _("movement")
    SEATS = "seats", _("seats")
    HAND = "hand", _("by hand")


class Draw(models.Model):
    """One draw of a round's pairing, the newest is the draft that stands. Rows are only added.

    `document` is canonical JSON: the question that was put to the draws (ids, never names), their answer with its
    costs, and what the checker found; so anybody can draw again and get the same bytes. `digest` is its SHA-256.
    """

    round = models.ForeignKey("Round", on_delete=models.PROTECT, related_name="draws")
    number = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=12, choices=DrawMethod.choices)
    document = models.TextField()
    digest = models.CharField(max_length=64)
    reason = models.CharField(max_length=200, blank=True, help_text="why it was drawn again")
    drawn_at = models.DateTimeField()
    drawn_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="draw_number_once"),
            models.CheckConstraint(condition=Q(number=1) | ~Q(reason=""), name="redraw_has_reason"),
        ]

    def __str__(self) -> str:
        return f"draw {self.number} of round {self.round_id}"


class Pairing(models.Model):
    """A published, numbered pairing of a round. Never edited: a later number may supersede parts of it.

    `document` is canonical JSON of who meets whom at which table (ids), the digest of its draw, and what the checker
    found; `digest` is its SHA-256. Pairings of older versions have neither.
    """

    round = models.ForeignKey("Round", on_delete=models.PROTECT, related_name="pairings")
    number = models.PositiveSmallIntegerField()
    draw = models.ForeignKey(Draw, null=True, on_delete=models.PROTECT, related_name="pairings")
    document = models.TextField(blank=True)
    digest = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    published_at = models.DateTimeField()
    published_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="pairing_number_once"),
            models.CheckConstraint(condition=Q(number=1) | ~Q(reason=""), name="superseding_pairing_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.number}"


class MatchOutcome(models.TextChoices):
    PENDING = "pending", _("not finished")
    PLAYED = "played", _("played")
    HOME_FORFEIT = "home_forfeit", _("home side forfeits")
    AWAY_FORFEIT = "away_forfeit", _("away side forfeits")
    DOUBLE_FORFEIT = "double_forfeit", _("both forfeit")
    BYE = "bye", _("bye")


class Match(models.Model):
    """Two entrants meeting in a round (对局); the home entrant sits North-South. `away` is empty for a bye.

    In an individual game both are empty: who plays stands in `places`, and so do the results; a player who sits out has
    a bye. The result is cached here when the sitting finishes: standings fold over these rows, never over hands. Scores
    are whole hundredths of a point; where a board compared over many tables does not come to such, `finer_scores` has
    them exact, and the hundredths are for showing. Levels are ladder ranks or "passed".
    """

    round = models.ForeignKey("Round", on_delete=models.PROTECT, related_name="matches")
    number = models.PositiveIntegerField()
    home = models.ForeignKey("Entrant", null=True, on_delete=models.PROTECT, related_name="home_matches")
    away = models.ForeignKey("Entrant", null=True, on_delete=models.PROTECT, related_name="away_matches")
    published_in = models.ForeignKey(Pairing, null=True, on_delete=models.PROTECT, related_name="matches")
    superseded_in = models.ForeignKey(Pairing, null=True, on_delete=models.PROTECT, related_name="replaced_matches")
    outcome = models.CharField(max_length=16, choices=MatchOutcome.choices, default=MatchOutcome.PENDING)
    home_level = models.CharField(max_length=8, blank=True)
    away_level = models.CharField(max_length=8, blank=True)
    winner_side = models.CharField(max_length=2, choices=SideChoice.choices, blank=True)
    decided_by = models.CharField(max_length=16, blank=True, help_text="passed, lead, levels, tie_rule, forfeit, lots")
    home_hundredths = models.BigIntegerField(null=True)
    away_hundredths = models.BigIntegerField(null=True)
    net_hundredths = models.BigIntegerField(
        null=True, help_text="hand or board points the home entrant is ahead; none where levels are counted"
    )
    away_net_hundredths = models.BigIntegerField(
        null=True, help_text="the same of the away entrant: not the opposite where scores were split"
    )
    finer_scores = models.JSONField(
        default=dict, blank=True, help_text="exact texts of the scores that hundredths do not hold: home, away, nets"
    )
    finished_at = models.DateTimeField(null=True)
    group = models.PositiveSmallIntegerField(null=True, help_text="the group it belongs to, in a stage with groups")
    slot = models.PositiveIntegerField(null=True, help_text="its place in the bracket from the top, from 1")
    for_place = models.PositiveSmallIntegerField(null=True, help_text="3: the match for the third place")

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(
                fields=["round", "number"], condition=Q(superseded_in__isnull=True), name="match_number_once"
            ),
            models.UniqueConstraint(
                fields=["round", "home"], condition=Q(superseded_in__isnull=True), name="home_once_a_round"
            ),
            models.UniqueConstraint(
                fields=["round", "away"], condition=Q(superseded_in__isnull=True), name="away_once_a_round"
            ),
            models.CheckConstraint(condition=Q(away__isnull=True) | ~Q(home=F("away")), name="nobody_meets_itself"),
            models.CheckConstraint(condition=Q(home__isnull=False) | Q(away__isnull=True), name="away_meets_home"),
            models.CheckConstraint(
                condition=Q(outcome="pending", home_hundredths__isnull=True, away_hundredths__isnull=True)
                | Q(outcome="bye", home__isnull=False, away__isnull=True, home_hundredths__isnull=False)
                | Q(outcome="played", home__isnull=True, home_hundredths__isnull=True, away_hundredths__isnull=True)
                | (
                    Q(outcome__in=["played", "home_forfeit", "away_forfeit", "double_forfeit"])
                    & Q(away__isnull=False, home_hundredths__isnull=False, away_hundredths__isnull=False)
                ),
                name="match_result_complete",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def individual(self) -> bool:
        """Whether single players play it, each for himself."""
        return self.home_id is None

    @property
    def home_score(self) -> Fraction | None:
        return None if self.home_hundredths is None else Fraction(self.home_hundredths, 100)

    @property
    def away_score(self) -> Fraction | None:
        return None if self.away_hundredths is None else Fraction(self.away_hundredths, 100)

    @property
    def net(self) -> Fraction | None:
        """Hand or board points the home entrant is ahead, where they are what the match is measured by."""
        return None if self.net_hundredths is None else Fraction(self.net_hundredths, 100)

    @property
    def away_net(self) -> Fraction | None:
        """The same of the away entrant: not the opposite where scores were split."""
        return None if self.away_net_hundredths is None else Fraction(self.away_net_hundredths, 100)


class MatchPlace(models.Model):
    """One player's place in a match of an individual game, and what he had at its end.

    `round` and `active` repeat the match's (false once a later pairing replaced it), so that the database can hold that
    an entrant plays once a round. The score is whole hundredths; the level a ladder rank or "passed", empty in a game
    without levels.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="places")
    round = models.ForeignKey("Round", on_delete=models.PROTECT, related_name="places")
    active = models.BooleanField(default=True)
    place = models.CharField(max_length=1, choices=PlaceChoice.choices)
    entrant = models.ForeignKey("Entrant", on_delete=models.PROTECT, related_name="places")
    hundredths = models.BigIntegerField(null=True)
    level = models.CharField(max_length=8, blank=True)
    hands_won = models.PositiveIntegerField(null=True)
    penalties = models.PositiveIntegerField(null=True)
    winner = models.BooleanField(null=True, help_text="won the table, perhaps with others")

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["match", "place"], name="place_once_a_match"),
            models.UniqueConstraint(fields=["round", "entrant"], condition=Q(active=True), name="place_once_a_round"),
            models.CheckConstraint(
                condition=Q(
                    hundredths__isnull=True,
                    hands_won__isnull=True,
                    penalties__isnull=True,
                    winner__isnull=True,
                    level="",
                )
                | Q(hundredths__isnull=False, hands_won__isnull=False, penalties__isnull=False, winner__isnull=False),
                name="place_result_complete",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.place}"

    @property
    def score(self) -> Fraction | None:
        return None if self.hundredths is None else Fraction(self.hundredths, 100)


class ScoredBy(models.TextChoices):
    SIDES = "sides", _("the sides")
    REFEREE = "referee", _("a referee")


class SittingPhase(models.TextChoices):
    PLAYING = "playing", _("playing")
    WAITING = "waiting", _("waiting for confirmation")
    DISPUTED = "disputed", _("in dispute")
    FINISHED = "finished", _("finished")


class Sitting(models.Model):
    """A match at one table (席) with its own ledger. `state` caches the fold; `revision` counts its writes."""

    match = models.ForeignKey(Match, db_index=False, on_delete=models.PROTECT, related_name="sittings")
    round = models.ForeignKey("Round", on_delete=models.PROTECT, related_name="sittings")
    room = models.CharField(max_length=8, default="open")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sittings")
    active = models.BooleanField(
        default=True, help_text="false once a later pairing replaced it, or another game of its match is due"
    )
    scored_by = models.CharField(max_length=8, choices=ScoredBy.choices, default=ScoredBy.SIDES)
    opening = models.JSONField(help_text="the kernel's opening of the game: levels, first dealer")
    phase = models.CharField(max_length=8, choices=SittingPhase.choices, default=SittingPhase.PLAYING)
    revision = models.PositiveIntegerField(default=0)
    state = models.JSONField(default=dict, help_text="what pages show at once: a cache of the fold")
    hand_no = models.PositiveIntegerField(default=1, help_text="number of the hand to be entered next")
    changed_at = models.DateTimeField(null=True)
    game = models.PositiveSmallIntegerField(default=1, help_text="which game of the match, from 1")
    decided_side = models.CharField(
        max_length=2,
        choices=SideChoice.choices,
        null=True,
        help_text="several games: who won a game that ended level, by lot or by one more hand",
    )
    home_side = models.CharField(
        max_length=2, choices=SideChoice.choices, default=SideChoice.NS, help_text="where the home entrant sits"
    )
    boards = models.JSONField(null=True, help_text="duplicate: numbers of its boards in the order of play")
    extra_minutes = models.SmallIntegerField(default=0, help_text="extra time of this table, in minutes")
    over_side = models.CharField(max_length=2, choices=PARTIES, blank=True, help_text="who said first that it is over")
    over_at = models.DateTimeField(null=True)
    over_revision = models.PositiveIntegerField(null=True, help_text="of which record that was said")
    pin_hand = models.PositiveIntegerField(null=True, help_text="the hand that wrong PINs were tried for")
    wrong_pins = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["table__number", "game"]
        constraints = [
            models.UniqueConstraint(fields=["match", "room", "game"], name="one_sitting_a_room_and_game"),
            models.UniqueConstraint(
                fields=["round", "table", "game"], condition=Q(active=True), name="table_once_a_round_and_game"
            ),
        ]

    def __str__(self) -> str:
        return f"sitting {self.pk}"

    @property
    def north_south(self) -> Entrant | None:
        """Who sits North–South here."""
        return self.match.home if self.home_side == SideChoice.NS else self.match.away

    @property
    def east_west(self) -> Entrant | None:
        """Who sits East–West here."""
        return self.match.away if self.home_side == SideChoice.NS else self.match.home
