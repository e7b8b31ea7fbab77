"""Play whole hands from a seed: `manage.py simulate --profile ID --hands N --seed S` prints their records."""

from __future__ import annotations

from argparse import ArgumentParser
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.cards.records import write
from scoring.profiles import ProfileError, load, profile_ids
from scoring.simulation.hand import simulate
from scoring.simulation.players import RANDOM, SENSIBLE
from scoring.simulation.single import simulate_single


class Command(BaseCommand):
    help = "Print the records of hands played by simple players; the same seed gives the same hands."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--profile", metavar="ID", help="rules to play by; all of two sides in turn when left out")
        parser.add_argument("--hands", type=int, default=1, help="how many hands (1)")
        parser.add_argument("--seed", default="0", help="where chance begins (0)")
        parser.add_argument("--random", action="store_true", help="any legal play rather than a sensible one")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            names = [options["profile"]] if options["profile"] else profile_ids()
            profiles = [load(name, individual=True) for name in names]
        except ProfileError as error:
            raise CommandError(error.message["en"]) from None
        for number in range(options["hands"]):
            profile = profiles[number % len(profiles)]
            chance = Random(f"{options['seed']}/{profile.id}/{number}")  # noqa: S311 - a game, not a secret
            play = simulate_single if profile.game == "individual" else simulate
            record = play(profile, chance, habits=RANDOM if options["random"] else SENSIBLE)
            self.stdout.write(write(record))
