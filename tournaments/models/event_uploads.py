"""Whole events that were sent as files and wait to be read by a worker."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class EventUpload(models.Model):
    """A file as it was sent, until it is taken or forgotten. The same file sent again by its sender is the same one."""

    sender = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    sent_at = models.DateTimeField(help_text="when it was sent last; it is forgotten a day later")
    slug = models.CharField(max_length=60, blank=True, help_text="the address it is to have here; else the one it had")
    digest = models.CharField(max_length=64, help_text="SHA-256 of its bytes")
    size = models.PositiveBigIntegerField(help_text="bytes")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["sender", "digest", "slug"], name="one_upload_a_file"),
        ]

    def __str__(self) -> str:
        return f"{self.size} bytes {self.digest[:8]}"


class EventUploadPiece(models.Model):
    """The next bytes of a file; nobody has to hold it whole."""

    upload = models.ForeignKey(EventUpload, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="one_piece_a_number"),
        ]

    def __str__(self) -> str:
        return f"piece {self.number} of {self.upload_id}"
