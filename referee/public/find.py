"""Lookups inside one event, of what is public only: the rest is as unknown as what does not exist (404)."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from django.db.models import prefetch_related_objects
from django.http import Http404
from django.shortcuts import get_object_or_404

from referee.parts.spoken import is_spoken
from tournaments.acts.text import plain_number
from tournaments.models import Entrant, Publication, Round, Sitting
from tournaments.rounds.public import VISIBLE_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models import Pairing, Stage, Tournament

SHORTEST_SEARCH = 2


def round_numbered(tournament: Tournament, number: int) -> Round:
    rounds = Round.objects.select_related("stage", "tournament").filter(status__in=VISIBLE_ROUNDS)
    return get_object_or_404(rounds, tournament=tournament, number=number)


def sitting_at(tournament: Tournament, number: int, table: int, game: str | None = None) -> Sitting:
    """The sitting at a table; `game` (as an address writes it) asks for one of several games, else the one due."""
    rows = (
        Sitting.objects.select_related("match__home", "match__away", "round__stage", "round__tournament", "table")
        .prefetch_related("match__places__entrant")
        .filter(round__status__in=VISIBLE_ROUNDS, round__tournament=tournament, round__number=number)
        .filter(table__number=table)
    )
    if game is not None and (number_of_game := plain_number(game)) is not None:
        return get_object_or_404(rows, match__superseded_in=None, game=number_of_game)
    return get_object_or_404(rows, active=True)


def pairing(tournament: Tournament, number: int) -> Pairing:
    """The standing pairing of a round, with its document."""
    rows = round_numbered(tournament, number).pairings.select_related("draw").exclude(document="")
    found = rows.order_by("-number").first()
    if found is None:
        raise Http404
    return found


def publication(tournament: Tournament, number: int) -> Publication:
    rows = Publication.objects.select_related("stage", "round", "tournament", "supersedes")
    return get_object_or_404(rows, tournament=tournament, number=number)


def entrant(tournament: Tournament, number: int) -> Entrant:
    rows = Entrant.objects.select_related("tournament").prefetch_related("players")
    return get_object_or_404(rows, tournament=tournament, number=number)


def stage(tournament: Tournament, number: str | None) -> Stage:
    """The stage of that number (as an address writes it), else the last with a public round, else the first. The event
    holds its stages afterwards, in order."""
    prefetch_related_objects([tournament], "stages")
    stages = list(tournament.stages.all())
    if number:
        stages = [one for one in stages if str(one.number) == number]
    if not stages:
        raise Http404
    if len(stages) == 1:
        return stages[0]
    begun = set(tournament.rounds.filter(status__in=VISIBLE_ROUNDS).values_list("stage_id", flat=True))
    return next((one for one in reversed(stages) if one.pk in begun), stages[0])


def wanted(query: str) -> str:
    """A search as it is compared; empty when it is too short to mean anybody (a number may be one figure)."""
    text = folded(query)[:60]
    return text if len(text) >= SHORTEST_SEARCH or text.isdigit() else ""


def matching(text: str, entrants: Iterable[Entrant]) -> list[Entrant]:
    """Entrants whose number is `text`, or whose name, unit or player carries it, written or spoken in pinyin (players
    prefetched)."""
    return [one for one in entrants if text == str(one.number) or any(_carries(text, name) for name in _names(one))]


def _carries(text: str, name: str) -> bool:
    return text in folded(name) or is_spoken(text, name)


def _names(entrant: Entrant) -> Iterable[str]:
    yield from (entrant.name, entrant.name_latin, entrant.unit)
    for player in entrant.players.all():
        yield from (player.name, player.name_latin)


def folded(text: str) -> str:
    """Without case, accents and spaces: ``García`` is found as ``garcia``, ``wangfang`` as ``Wang Fang``."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter) and not letter.isspace())
