"""Profiles: named, versioned, immutable sets of rules, one data file each."""

from scoring.profiles.level_table import Band
from scoring.profiles.loader import build, individual_ids, load, profile_ids
from scoring.profiles.options import OPTIONS, ProfileError
from scoring.profiles.profile import Clause, Profile, Reason

__all__ = [
    "OPTIONS",
    "Band",
    "Clause",
    "Profile",
    "ProfileError",
    "Reason",
    "build",
    "individual_ids",
    "load",
    "profile_ids",
]
