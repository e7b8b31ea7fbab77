"""The ledger of a sitting: versions only grow. The database itself refuses edits and deletes (migration 0002)."""

from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .seating import PARTIES


class EntryKind(models.TextChoices):
    HAND = "hand", _("hand")
    ANNULLED = "annulled", _("annulled hand")
    LEVEL_PENALTY = "level_penalty", _("level penalty")
    PENALTY = "penalty", _("penalty of a player")
    ADJUSTED = "adjusted", _("adjusted hand")
    END = "end", _("end")


class EntryStatus(models.TextChoices):
    WAITING = "waiting", _("waiting for confirmation")
    CONTESTING = "contesting", _("differs from the other side")
    EFFECTIVE = "effective", _("confirmed")
    SUPERSEDED = "superseded", _("corrected")
    WITHDRAWN = "withdrawn", _("taken back")
    RETURNED = "returned", _("sent back")
    OVERRULED = "overruled", _("overruled")


class Basis(models.TextChoices):
    WATCHED = "watched", _("watched")
    SIGNED_SHEET = "signed_sheet", _("signed sheet")
    RULING = "ruling", _("ruling")


class LedgerEntry(models.Model):
    """One version of one entry. `facts` is the protocol's ledger entry (docs/questions.md) exactly as judged.

    A hand counts (`effective`) when two parties stand behind it: a side and the other side, a side and an official,
    or an official alone who states the basis. In an individual game every player at the table is a party.
    """

    # docs/performance.md lists what each index and key of this table costs and protects
    tournament = models.ForeignKey(
        "Tournament",
        db_index=False,
        db_constraint=False,
        help_text="that of the sitting: a guard holds it",
        on_delete=models.PROTECT,
        related_name="+",
    )
    sitting = models.ForeignKey("Sitting", db_index=False, on_delete=models.PROTECT, related_name="entries")
    board = models.ForeignKey("Board", null=True, db_index=False, on_delete=models.PROTECT, related_name="entries")
    position = models.PositiveIntegerField(help_text="place in the ledger, from 1, the same for all versions")
    version = models.PositiveIntegerField(help_text="from 1")
    kind = models.CharField(max_length=16, choices=EntryKind.choices)
    hand_no = models.PositiveIntegerField(null=True, help_text="for hand, annulled and adjusted, from 1")
    facts = models.JSONField()
    status = models.CharField(max_length=12, choices=EntryStatus.choices)
    contests = models.ForeignKey(
        "self", null=True, db_index=False, on_delete=models.PROTECT, related_name="contested_by"
    )
    entered_side = models.CharField(max_length=2, choices=PARTIES, blank=True)
    entered_by = models.ForeignKey("User", null=True, db_index=False, on_delete=models.PROTECT, related_name="+")
    entered_device = models.ForeignKey("Device", null=True, db_index=False, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField()
    device_time = models.CharField(
        max_length=40, blank=True, help_text="what the phone's clock said: a note, never an order"
    )
    confirmed_side = models.CharField(max_length=2, choices=PARTIES, blank=True)
    confirmed_by = models.ForeignKey("User", null=True, db_index=False, on_delete=models.PROTECT, related_name="+")
    confirmed_device = models.ForeignKey(
        "Device", null=True, db_index=False, on_delete=models.PROTECT, related_name="+"
    )
    confirmed_at = models.DateTimeField(null=True)
    basis = models.CharField(max_length=16, choices=Basis.choices, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    sent_back_what = models.CharField(max_length=40, blank=True, help_text="the field the other side called wrong")
    sent_back_note = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["position", "version"]
        verbose_name_plural = "ledger entries"
        # keys name the event too, for tables that are split by it; a sitting belongs to one
        constraints = [
            models.UniqueConstraint(fields=["sitting", "position", "version", "tournament"], name="entry_version_once"),
            models.UniqueConstraint(
                fields=["sitting", "position", "tournament"],
                condition=Q(status="effective"),
                name="one_effective_version",
            ),
            models.UniqueConstraint(
                fields=["sitting", "hand_no", "tournament"],
                condition=Q(status="effective", hand_no__isnull=False),
                name="one_effective_hand",
            ),
            models.UniqueConstraint(
                fields=["sitting", "tournament"], condition=Q(status="waiting"), name="one_entry_waits"
            ),
            models.UniqueConstraint(
                fields=["sitting", "tournament"], condition=Q(status="contesting"), name="one_entry_contests"
            ),
            models.CheckConstraint(condition=Q(position__gt=0, version__gt=0), name="entry_numbers_positive"),
            models.CheckConstraint(
                condition=Q(kind__in=["hand", "annulled", "adjusted"], hand_no__isnull=False, hand_no__gt=0)
                | Q(kind__in=["level_penalty", "penalty", "end"], hand_no__isnull=True),
                name="hands_are_numbered",
            ),
            models.CheckConstraint(
                condition=(Q(entered_side="") & Q(entered_by__isnull=False))
                | (~Q(entered_side="") & Q(entered_by__isnull=True)),
                name="one_party_enters",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_side="") | (~Q(confirmed_side=F("entered_side")) & ~Q(entered_side="")),
                name="nobody_confirms_itself",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["effective", "superseded"])
                | (~Q(entered_side="") & (~Q(confirmed_side="") | Q(confirmed_by__isnull=False)))
                | (Q(entered_by__isnull=False) & ~Q(basis="")),
                name="two_parties_or_an_official",
            ),
        ]
        indexes = [
            models.Index(fields=["tournament", "-entered_at"], name="entries_of_tournament"),
            *(
                models.Index(fields=[name], condition=Q(**{f"{name}__isnull": False}), name=index)
                for name, index in (
                    ("board", "entries_of_board"),
                    ("contests", "entries_that_contest"),
                    ("entered_device", "entries_of_device"),
                    ("confirmed_device", "confirmed_by_device"),
                )
            ),
        ]

    def __str__(self) -> str:
        return f"sitting {self.sitting_id} #{self.position} v{self.version}"


class Correction(models.Model):
    """A correction that waits for a second official, or was applied, refused or overtaken. Facts are the new sheet."""

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("waiting for a second official")
        APPLIED = "applied", _("applied")
        REFUSED = "refused", _("refused")
        OVERTAKEN = "overtaken", _("overtaken by a newer version")

    entry = models.ForeignKey(LedgerEntry, on_delete=models.PROTECT, related_name="corrections")
    sitting_revision = models.PositiveIntegerField()
    facts = models.JSONField(encoder=DjangoJSONEncoder)
    treatment = models.CharField(max_length=12, blank=True)
    reason = models.CharField(max_length=300)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PROPOSED)
    proposed_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["proposed_at"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="correction_has_reason"),
            models.CheckConstraint(
                condition=~Q(status="applied") | Q(decided_by__isnull=True) | ~Q(decided_by=F("proposed_by")),
                name="second_official_is_another",
            ),
            models.CheckConstraint(
                condition=Q(status="proposed", decided_at__isnull=True)
                | (~Q(status="proposed") & Q(decided_at__isnull=False)),
                name="decided_corrections_are_dated",
            ),
            models.UniqueConstraint(fields=["entry"], condition=Q(status="proposed"), name="one_open_correction"),
        ]

    def __str__(self) -> str:
        return f"correction of {self.entry_id}"


class SavedAnswer(models.Model):
    """The answer given to a request with an idempotency key: the same key and body get it again, for a week."""

    scope = models.CharField(max_length=60, help_text="whose keys: device:<id>, user:<id>, door:<digest>")
    key = models.CharField(max_length=255)
    request_digest = models.CharField(max_length=64)
    answer = models.TextField(help_text="JSON; empty while the request is being carried out")
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="key_used_once")]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"
