"""The matches of an event, round after round, or those of one entrant: what players look for."""

from __future__ import annotations

from django.db.models import Prefetch, Q
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.boards.reads import KeptBack, kept_back
from tournaments.models import Match, Sitting
from tournaments.rounds.public import VISIBLE_ROUNDS

from .answers.base import Document, page_of
from .answers.play import MatchOfEvent, match_answer
from .common.describe import AFTER, LIMIT, READ, described
from .common.views import Endpoint
from .entrants import entrant_of


class Matches(Endpoint):
    @described(
        "The matches of an event with their results, oldest first; results of boards that others have to play are "
        "for officials",
        answer=page_of(MatchOfEvent),
        name="matches_list",
        parameters=(OpenApiParameter("entrant", int, description="number of an entrant: its matches"), AFTER, LIMIT),
        refused=(*READ, 400),
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        official = allowed(self.actor, Act.SEE_DESK, tournament=event)
        active = Sitting.objects.filter(active=True).select_related("table", "round__tournament")
        rows = (
            Match.objects.filter(round__tournament=event, superseded_in=None)
            .select_related("home", "away", "round__stage")
            .prefetch_related(Prefetch("sittings", queryset=active), "places__entrant")
        )
        if not official:
            rows = rows.filter(round__status__in=VISIBLE_ROUNDS)
        if (number := self.number_asked("entrant")) is not None:
            own = entrant_of(event, number).pk
            seats = Q(places__entrant=own, places__active=True)
            rows = rows.filter(pk__in=Match.objects.filter(Q(home=own) | Q(away=own) | seats).values("pk"))
        hidden: dict[int, KeptBack] = {}

        def told(match: Match) -> Document:
            stage = match.round.stage
            if not official and stage.pk not in hidden:
                hidden[stage.pk] = kept_back(stage)
            made = match_answer(match, match.sittings.all(), hidden.get(stage.pk))
            return {"round": match.round.number, "stage": stage.number} | made

        return self.page(rows, told)
