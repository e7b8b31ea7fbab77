"""A stage as a card: its picture, what the regulation says of it, by what its entrants are ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.parts import stage_words
from referee.pictures.stages import Picture, picture_of
from tournaments.models import Stage
from tournaments.plans.presets import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class StageCard:
    """One stage. `into` says who comes in from the stage before it, empty for the first."""

    stage: Stage
    title: str
    picture: Picture
    facts: tuple[stage_words.Fact, ...]
    order: str
    into: str


def cards_of(tournament: Tournament) -> list[StageCard]:
    """The chain of stages of an event."""
    return _cards(tournament.stages.order_by("number"))


def cards_of_form(facts: Iterable[Mapping[str, Any]]) -> list[StageCard]:
    """The cards of stages that are not made yet: of a preset, or of a file."""
    return _cards(Stage(number=number, **plain(one)) for number, one in enumerate(facts, start=1))


def _cards(stages: Iterable[Stage]) -> list[StageCard]:
    return [_card(stage, later=place > 0) for place, stage in enumerate(stages)]


def _card(stage: Stage, *, later: bool) -> StageCard:
    return StageCard(
        stage=stage,
        title=stage_words.title_of(stage),
        picture=picture_of(stage),
        facts=tuple(stage_words.facts_of(stage, later=later)),
        order=stage_words.order_words(stage),
        into=stage_words.comes_in(stage) if later else "",
    )
