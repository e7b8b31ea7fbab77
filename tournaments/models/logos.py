"""Logos of an association and of sponsors."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class LogoKind(models.TextChoices):
    """Whose logo it is; in this order they are shown."""

    ASSOCIATION = "association", _("Association")
    SPONSOR = "sponsor", _("Sponsor")


class Logo(models.Model):
    """A logo (标志) with the name of whose it is, which stands for it where no picture is seen.

    Its bytes (`LogoContent`) are held by their digest.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="logos")
    kind = models.CharField(max_length=12, choices=LogoKind.choices)
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bytes as they were kept")
    added_at = models.DateTimeField()
    added_by = models.ForeignKey("User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["kind", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "digest"], name="one_logo_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class LogoContent(models.Model):
    """The bytes of a logo: a JPEG that this service made itself."""

    logo = models.OneToOneField(Logo, on_delete=models.PROTECT, related_name="content", primary_key=True)
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"bytes of logo {self.logo_id}"
