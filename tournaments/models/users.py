"""Who may sign in, and the offices they hold in a tournament."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who can sign in. Sides at a table never sign in: they hold a party code."""

    display_name = models.CharField(_("name"), max_length=80, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)

    def __str__(self) -> str:
        return self.display_name or self.username


class SignInLink(models.Model):
    """A one-use link that signs its user in; only the digest of its secret is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link of {self.user_id}"


class Office(models.TextChoices):
    ORGANISER = "organiser", _("organiser")
    CHIEF_REFEREE = "chief_referee", _("chief referee")
    REFEREE = "referee", _("referee")


class Official(models.Model):
    """One office that a person holds in one tournament (裁判). A referee without tables serves the whole hall."""

    tournament = models.ForeignKey("Tournament", on_delete=models.CASCADE, related_name="officials")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="offices")
    office = models.CharField(max_length=16, choices=Office.choices)
    tables: models.ManyToManyField[Any, Any] = models.ManyToManyField("Table", blank=True, related_name="referees")
    appointed_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user", "office"],
                condition=models.Q(revoked_at__isnull=True),
                name="one_office_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.office})"
