"""What is asked of a simulator and cannot be played: a level that the rules lack, or rules of another kind of game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.hands.findings import Finding, Refused, finding
from scoring.individual.entries import places
from scoring.profiles import Profile
from scoring.values import Level, Place


def refuse_unless_of_two_sides(profile: Profile, level: Level | None) -> None:
    """Refused `individual_game`, or `level_not_on_ladder` where the rules have no such level."""
    if profile.division != "sides":
        raise Refused([finding("individual_game", "profile")])
    if level is not None and level not in profile.ladder:
        raise Refused([_not_here(profile, level, "level")])


def refuse_unless_of_single_players(profile: Profile, levels: Mapping[Place, Level]) -> None:
    """Refused `not_individual`, `no_levels` where none are played, or with every level that is missing or not here."""
    if profile.division == "sides":
        raise Refused([finding("not_individual", "profile")])
    if levels and not profile.ladder:
        raise Refused([finding("no_levels", "levels", profile=profile, topic="ladder")])
    found = tuple(_wrong(profile, levels)) if levels else ()
    if found:
        raise Refused(found)


def _wrong(profile: Profile, levels: Mapping[Place, Level]) -> Iterator[Finding]:
    for place in places(profile):
        level = levels.get(place)
        if level is None:
            yield finding("missing", f"levels.{place}")
        elif level not in profile.ladder:
            yield _not_here(profile, level, f"levels.{place}")


def _not_here(profile: Profile, level: Level, field: str) -> Finding:
    levels = " ".join(str(one) for one in profile.ladder)
    return finding("level_not_on_ladder", field, value=str(level), levels=levels)
