"""Who is ranked, and the players who play for them. Names live only here: documents join them when shown."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords


class Entrant(models.Model):
    """A pair, or in individual games one player, entered in a tournament (参赛方)."""

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveIntegerField(_("number"))
    external_id = models.CharField(_("external id"), max_length=64, null=True, blank=True)
    name = models.CharField(_("name"), max_length=80)
    name_latin = models.CharField(_("Latin name"), max_length=80, blank=True)
    unit = models.CharField(_("unit"), max_length=80, blank=True)
    category = models.CharField(_("category"), max_length=40, blank=True)
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True)
    # kept, not worked out again: results that come or are corrected after it left do not change what was decided then
    annulled_in = models.ForeignKey(
        "Stage",
        null=True,
        on_delete=models.PROTECT,
        related_name="annulled_entrants",
        help_text="withdrew before half of this round robin: its results in it do not count",
    )

    history = HistoricalRecords()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "external_id"],
                condition=Q(external_id__isnull=False),
                name="entrant_external_id_once",
            ),
            models.CheckConstraint(condition=Q(number__gt=0), name="entrant_number_positive"),
            models.CheckConstraint(condition=~Q(name=""), name="entrant_has_name"),
            models.UniqueConstraint(
                fields=["tournament", "seed"], condition=Q(seed__isnull=False), name="entrant_seed_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person who plays for an entrant (选手)."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="players")
    order = models.PositiveSmallIntegerField()
    external_id = models.CharField(_("external id"), max_length=64, blank=True)
    name = models.CharField(_("name"), max_length=60)
    name_latin = models.CharField(_("Latin name"), max_length=60, blank=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["entrant", "order"], name="player_order_once")]

    def __str__(self) -> str:
        return self.name


class StageEntrant(models.Model):
    """An entrant's place in a stage: its group, and the order in which draws take it (seeding or draw number).

    Written when the stage begins; who enters late comes last. A stage without such rows is open to everybody entered.
    """

    stage = models.ForeignKey("Stage", on_delete=models.PROTECT, related_name="field")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="stages")
    order = models.PositiveIntegerField(help_text="from 1")
    group = models.PositiveSmallIntegerField(null=True, help_text="from 1; none in a stage without groups")
    from_group = models.PositiveSmallIntegerField(null=True, help_text="its group in the stage before")
    from_rank = models.PositiveIntegerField(null=True, help_text="its rank in the stage before")
    joined_at = models.DateTimeField()

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="stage_entrant_once"),
            models.UniqueConstraint(fields=["stage", "order"], name="stage_order_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} in stage {self.stage_id}"


class CheckIn(models.Model):
    """An entrant is there (报到): for the event, or for one round. Noted by an official, or by its own code."""

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="check_ins")
    round = models.ForeignKey("Round", null=True, on_delete=models.PROTECT, related_name="check_ins")
    arrived_at = models.DateTimeField()
    noted_by = models.ForeignKey(
        "User", null=True, on_delete=models.PROTECT, related_name="+", help_text="none: by the player's own code"
    )
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["arrived_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["entrant", "round"], condition=Q(undone_at__isnull=True), name="check_in_once_a_round"
            ),
            models.UniqueConstraint(
                fields=["entrant"],
                condition=Q(undone_at__isnull=True, round__isnull=True),
                name="check_in_once_for_the_event",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} there at {self.arrived_at}"


class EntrantCode(models.Model):
    """The code of an entrant, to check in with its own phone. Only its digest is kept; the text is derived."""

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="codes")
    generation = models.PositiveIntegerField(default=1)
    digest = models.CharField(max_length=64, unique=True)
    issued_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entrant", "generation"], name="entrant_code_generation_once"),
            models.UniqueConstraint(
                fields=["entrant"], condition=Q(revoked_at__isnull=True), name="one_code_an_entrant"
            ),
        ]

    def __str__(self) -> str:
        return f"code of {self.entrant_id}"


class WishChoice(models.TextChoices):
    MUST = "must", _("must never meet")
    RATHER = "rather", _("rather not, where possible")


class KeptApart(models.Model):
    """Two entrants whom draws keep apart (互相回避), until that is taken back."""

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="kept_apart")
    number = models.PositiveSmallIntegerField(help_text="from 1")
    one = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    force = models.CharField(_("how much"), max_length=6, choices=WishChoice.choices)
    reason = models.CharField(max_length=300)
    set_at = models.DateTimeField()
    set_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    revoked_why = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="kept_apart_number_once"),
            models.UniqueConstraint(
                fields=["one", "other"], condition=Q(revoked_at__isnull=True), name="kept_apart_once"
            ),
            models.CheckConstraint(condition=~Q(one=F("other")), name="kept_apart_are_two"),
            models.CheckConstraint(condition=~Q(reason=""), name="kept_apart_has_reason"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by__isnull=True, revoked_why="")
                | Q(revoked_at__isnull=False, revoked_by__isnull=False) & ~Q(revoked_why=""),
                name="kept_apart_revoked_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id} kept apart"
