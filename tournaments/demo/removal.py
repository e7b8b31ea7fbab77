"""Remove demonstrations whole. The guards of the database let only their rows go."""

from __future__ import annotations

from django.db import transaction

from ..models import Round, Sitting, Tournament, User
from . import cast
from .rows import delete_demo


def remove() -> int:
    """Delete every demonstration and its officials who never signed in, but the organiser; how many events went.

    The organiser stays, so that there is always somebody to whom a sign-in link can be given.
    """
    with transaction.atomic():
        # in the order every act takes its locks, so that a hand on its way is first, or finds nothing any more
        list(Round.objects.filter(tournament__demo=True).select_for_update(of=("self",)).order_by("pk"))
        list(Sitting.objects.filter(round__tournament__demo=True).select_for_update(of=("self",)).order_by("pk"))
        events = list(Tournament.objects.filter(demo=True).select_for_update())
        for event in events:
            delete_demo(tournament_id=event.pk)
        User.objects.filter(username__in=[name for name, _ in cast.REFEREES], last_login=None, offices=None).delete()
    return len(events)
