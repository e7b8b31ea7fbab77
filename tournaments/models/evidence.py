"""Photos given as evidence with a call of a table."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .calls import Call
from .seating import PARTIES


class Photo(models.Model):
    """A photo (照片) of the slip or of the cards, given with a call by a side (`side`) or by an official.

    What it shows is for officials and for the side that gave it. The row stays for good, the bytes (`PhotoContent`) do
    not: what they were is held by their digest.
    """

    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="photos")
    side = models.CharField(max_length=2, choices=PARTIES, blank=True, help_text="none: an official")
    added_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bytes as they were kept")
    removed_at = models.DateTimeField(null=True)
    removed_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["call", "side", "digest"], condition=Q(removed_at__isnull=True), name="one_photo_a_party"
            ),
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True, removed_by__isnull=True)
                | Q(removed_at__isnull=False, removed_by__isnull=False),
                name="photo_removed_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"photo {self.pk} of call {self.call_id}"


class PhotoContent(models.Model):
    """The bytes of a photo: a JPEG that this service made itself. Gone when it is removed, or its time is over."""

    photo = models.OneToOneField(Photo, on_delete=models.PROTECT, related_name="content", primary_key=True)
    content = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"bytes of photo {self.photo_id}"
