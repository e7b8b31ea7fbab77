"""Where an event came from that was read from a file."""

from __future__ import annotations

from django.db import models


class Origin(models.Model):
    """The file an event was read from, and which ids its rows had there.

    Documents that were frozen elsewhere (publications, pairings, draws, history) keep the ids of the machine that
    made them, so their digests hold. `ids` says by the name of a table which own id stands for which of those: a list
    of runs ``[theirs, own, how many]``.
    """

    tournament = models.OneToOneField("Tournament", on_delete=models.PROTECT, related_name="origin")
    slug = models.CharField(max_length=60, help_text="its address where it was played")
    digest = models.CharField(max_length=64, help_text="of the record in the file")
    ids = models.JSONField()
    imported_at = models.DateTimeField()
    imported_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.tournament_id} from {self.slug}"
