"""Lookups inside one event: an id of another event is as unknown as one that does not exist (404)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404

from referee.parts.numbers import whole_number as number
from tournaments.acts.errors import NoMatchHere
from tournaments.acts.text import plain_number
from tournaments.models import (
    Call,
    Correction,
    Device,
    Entrant,
    EntryStatus,
    Invitation,
    LedgerEntry,
    Official,
    Photo,
    Publication,
    Round,
    Ruling,
    Sitting,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Stage, Tournament


def round_numbered(tournament: Tournament, number: int) -> Round:
    return get_object_or_404(Round.objects.select_related("stage", "tournament"), tournament=tournament, number=number)


def sitting_at(tournament: Tournament, number: int, table: int, game: str | None = None) -> Sitting:
    """The sitting at a table in a round, with everything its page names; `game` (as an address writes it) asks for one
    of several games instead of the one that is due. NoMatchHere where none is in the draw."""
    rows = Sitting.objects.select_related(
        "match__home", "match__away", "match__round__stage", "round__stage", "round__tournament", "table__tournament"
    )
    there = rows.filter(round__tournament=tournament, round__number=number, table__number=table)
    asked: dict[str, Any] = {"active": True}
    if game is not None and (number_of_game := plain_number(game)) is not None:
        asked = {"match__superseded_in": None, "game": number_of_game}
    sitting = there.filter(**asked).first()
    if sitting is None:
        raise NoMatchHere(number, table)
    return sitting


def sitting_or_none(tournament: Tournament, number: int, table: int) -> Sitting | None:
    """The sitting at a table in a round, or None: a form's field may name what does not exist."""
    try:
        return sitting_at(tournament, number, table)
    except NoMatchHere:
        return None


def ruling(tournament: Tournament, number: int) -> Ruling:
    rows = Ruling.objects.select_related(
        "tournament",
        "sitting__match__home",
        "sitting__match__away",
        "sitting__round__stage",
        "sitting__table",
        "proposed_by",
        "decided_by",
    )
    return get_object_or_404(rows, tournament=tournament, number=number)


def entry(tournament: Tournament, entry_id: int) -> LedgerEntry:
    rows = LedgerEntry.objects.select_related(
        "sitting__match__home", "sitting__match__away", "sitting__round__stage", "sitting__table", "entered_by"
    )
    return get_object_or_404(rows, tournament=tournament, pk=entry_id)


def standing_version(old: LedgerEntry) -> LedgerEntry:
    """The version that counts in the place of an entry that a correction replaced; the entry itself where none does."""
    rows = LedgerEntry.objects.select_related(
        "sitting__match__home", "sitting__match__away", "sitting__round__stage", "sitting__table", "entered_by"
    )
    same_place = rows.filter(sitting=old.sitting_id, position=old.position, status=EntryStatus.EFFECTIVE)
    return same_place.first() or old


def call(tournament: Tournament, call_id: int) -> Call:
    return get_object_or_404(Call, sitting__round__tournament=tournament, pk=call_id)


def photo(tournament: Tournament, photo_id: int) -> Photo:
    rows = Photo.objects.select_related("call__sitting__round", "call__sitting__table")
    return get_object_or_404(rows, call__sitting__round__tournament=tournament, pk=photo_id)


def correction(tournament: Tournament, correction_id: int) -> Correction:
    rows = Correction.objects.select_related(
        "entry__sitting__match__home",
        "entry__sitting__match__away",
        "entry__sitting__round__stage",
        "entry__sitting__table",
        "proposed_by",
        "decided_by",
    )
    return get_object_or_404(rows, entry__tournament=tournament, pk=correction_id)


def device(tournament: Tournament, device_id: int) -> Device:
    return get_object_or_404(Device, sitting__round__tournament=tournament, pk=device_id)


def entrant(tournament: Tournament, number: int) -> Entrant:
    return get_object_or_404(Entrant.objects.prefetch_related("players"), tournament=tournament, number=number)


def entrants_written(tournament: Tournament, texts: Sequence[str]) -> list[int]:
    """Ids of entrants whose numbers somebody typed, in order; 0 for what is none, so that the service says so."""
    known: dict[int | None, int] = dict(tournament.entrants.values_list("number", "pk"))
    return [known.get(_whole_or_none(text), 0) for text in texts]


def sittings_written(round_: Round, texts: Sequence[str]) -> list[int]:
    """Ids of the sittings at tables whose numbers somebody typed, in order; 0 where nobody sits."""
    seated = Sitting.objects.filter(round=round_, active=True)
    known: dict[int | None, int] = dict(seated.values_list("table__number", "pk"))
    return [known.get(_whole_or_none(text), 0) for text in texts]


def _whole_or_none(text: str) -> int | None:
    value = number(text)
    return value if isinstance(value, int) else None


def invitation(tournament: Tournament, invitation_id: int) -> Invitation:
    rows = Invitation.objects.filter(tournament=tournament, ended_at=None)
    return get_object_or_404(rows, pk=invitation_id)


def official(tournament: Tournament, official_id: int) -> Official:
    rows = Official.objects.select_related("user").filter(revoked_at=None)
    return get_object_or_404(rows, tournament=tournament, pk=official_id)


def stage_numbered(tournament: Tournament, number: int) -> Stage:
    return get_object_or_404(tournament.stages.select_related("tournament"), number=number)


def publication(tournament: Tournament, number: int) -> Publication:
    rows = Publication.objects.select_related("stage", "round", "published_by", "supersedes")
    return get_object_or_404(rows, tournament=tournament, number=number)
