"""Choices that the set-up form explains in words: regulations, rules, scales."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.parts.words import in_language
from scoring import profiles as kernel_profiles
from scoring.profiles import Profile
from tournaments.presets import PRESETS


@dataclass(frozen=True, slots=True)
class Explained:
    """One choice with what it means: `lines` are sentences of the rules."""

    id: str
    title: str
    about: str = ""
    lines: tuple[str, ...] = ()


def presets() -> list[tuple[str, str]]:
    return [(preset.id, in_language(preset.title)) for preset in PRESETS.values()]


def preset_cards() -> list[Explained]:
    return [Explained(preset.id, in_language(preset.title), in_language(preset.about)) for preset in PRESETS.values()]


def _offered() -> list[Profile]:
    """The rules a new event may choose."""
    known = (*kernel_profiles.profile_ids(), *kernel_profiles.individual_ids())
    return [kernel_profiles.load(name, individual=True) for name in known]


def profiles() -> list[tuple[str, str]]:
    return [(profile.id, in_language(profile.title)) for profile in _offered()]


def profile_cards() -> list[Explained]:
    return [explained(profile) for profile in _offered()]


def explained(profile: Any) -> Explained:
    """A profile's rules in words: its clauses that decide a result, in order."""
    lines = tuple(in_language(clause.text) for clause in profile.clauses.values())
    return Explained(profile.id, in_language(profile.title), lines=lines)
