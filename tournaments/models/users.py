"""Who may sign in, their sessions and links, and the offices they hold in a tournament."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who can sign in. Sides at a table never sign in: they hold a party code.

    `factor_since`: since when a second factor is asked for; the key of codes is kept encrypted (none: passkeys alone),
    `factor_step` is the newest step of time whose code was used (`people.second_factor`).
    """

    display_name = models.CharField(_("name"), max_length=80, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    factor_since = models.DateTimeField(null=True, editable=False)
    factor_key = models.CharField(max_length=200, blank=True, editable=False)
    factor_step = models.PositiveBigIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new password, however it was set, ends every way in that the person has."""
        # Django keeps a password just set in `_password` until it is saved
        is_new_password = self.pk is not None and getattr(self, "_password", None) is not None
        super().save(*args, **kwargs)
        if is_new_password:
            for rows, where in self.ways_in():
                rows._default_manager.filter(**where).delete()

    def ways_in(self) -> list[tuple[type[models.Model], dict[str, Any]]]:
        """The person's sessions, API tokens and unused sign-in links: tables, and which rows of them."""
        from knox.models import AuthToken

        return [(AuthToken, {"user": self}), (Session, {"user": self}), (SignInLink, {"user": self, "used_at": None})]


class Session(AbstractBaseSession):
    """Django's session, findable by its person, so that each can see and end their own."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")
    started_at = models.DateTimeField(null=True)
    browser = models.CharField(max_length=200, blank=True)


class RecoveryCode(models.Model):
    """One of ten codes that stand in for a lost second factor, each once; only its digest is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "digest"], name="recovery_code_once")]

    def __str__(self) -> str:
        return f"recovery code {self.pk} of {self.user_id}"


class Passkey(models.Model):
    """A passkey (通行密钥, WebAuthn): a key pair of a device or of a person's key store, for the second factor.

    Only its public half is here. A browser gives it to the host name `rp_id` alone. `sign_count`: how often it signed,
    as it says itself; many say 0 for ever.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=60)
    rp_id = models.CharField(max_length=253)
    credential = models.CharField(max_length=1400, unique=True)
    public_key = models.TextField()
    sign_count = models.PositiveBigIntegerField(default=0)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at", "id"]

    def __str__(self) -> str:
        return f"passkey {self.pk} of {self.user_id}"


class TokenScope(models.TextChoices):
    """What an API token may do of what its person may; each includes the one before (`acts.access.REACH`)."""

    READ = "read", _("reads")
    ENTER = "enter", _("reads and enters hands")
    DIRECT = "direct", _("everything you may do")


class TokenGrant(models.Model):
    """What an API token may do, and when it was used last. A token without one is from before there were scopes, and
    may do what its person may."""

    token = models.OneToOneField("knox.AuthToken", on_delete=models.CASCADE, primary_key=True, related_name="grant")
    scope = models.CharField(max_length=6, choices=TokenScope.choices)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.scope} of {self.token_id}"


class AccountEventKind(models.TextChoices):
    SIGNED_IN = "signed_in", _("signed in")
    TOKEN_MADE = "token_made", _("an API token was made")
    WRONG_PASSWORD = "wrong_password", _("wrong password")
    WRONG_CODE = "wrong_code", _("right password, wrong code")
    PASSWORD_CHANGED = "password_changed", _("password changed")
    FACTOR_ON = "factor_on", _("second factor turned on")
    FACTOR_OFF = "factor_off", _("second factor turned off")
    RECOVERY_USED = "recovery_used", _("recovery code used")
    RECOVERY_MADE = "recovery_made", _("new recovery codes made")
    PASSKEY_ADDED = "passkey_added", _("passkey added")
    PASSKEY_REMOVED = "passkey_removed", _("passkey removed")
    PASSKEY_COPIED = "passkey_copied", _("passkey refused: its counter went back")


class AccountEvent(models.Model):
    """Something that happened to an account, for its person to see; kept for some months, with no address."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="account_events")
    at = models.DateTimeField()
    kind = models.CharField(max_length=20, choices=AccountEventKind.choices)
    browser = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["user", "-at"], name="events_of_account")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"


class Office(models.TextChoices):
    ORGANISER = "organiser", _("organiser")
    CHIEF_REFEREE = "chief_referee", _("chief referee")
    REFEREE = "referee", _("referee")


class Official(models.Model):
    """One office that a person holds in one tournament (裁判). A referee without tables serves the whole hall.

    `made_account`: the account was made by this appointment. Until it has a password of its own, the organisers of this
    tournament may make it sign-in links.
    """

    tournament = models.ForeignKey("Tournament", on_delete=models.CASCADE, related_name="officials")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="offices")
    office = models.CharField(max_length=16, choices=Office.choices)
    tables: models.ManyToManyField[Any, Any] = models.ManyToManyField("Table", blank=True, related_name="referees")
    appointed_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    made_account = models.BooleanField(default=False)

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


class Invitation(models.Model):
    """An office offered to somebody whose account is their own: it gives nothing until they accept."""

    tournament = models.ForeignKey("Tournament", on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="invitations")
    office = models.CharField(max_length=16, choices=Office.choices)
    tables: models.ManyToManyField[Any, Any] = models.ManyToManyField("Table", blank=True, related_name="+")
    invited_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user", "office"],
                condition=models.Q(ended_at__isnull=True),
                name="one_invitation_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.office})?"


class SignInLink(models.Model):
    """A one-use link that signs its user in; only the digest of its secret is kept.

    It was made for an office, with which it ends; without one it was made by the operator of this installation.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    # never SET_NULL: a link whose office went would become one of the operator
    official = models.ForeignKey(Official, on_delete=models.CASCADE, null=True, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link of {self.user_id}"
