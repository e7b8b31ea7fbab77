"""A hall in the database that the environment names: one running round, a token for every phone and one for a referee.

``python -m tests.reliability.hall HALLS TABLES`` migrates, makes halls by the acts and prints each as one JSON
line. A process of its own, so that the tests' Django never opens the database of the service under test.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: How the installation starts its servers.
SERVER = ("--http", "referee.http_door:Door", "--lifespan", "off", "--no-access-log")


@dataclass(frozen=True)
class Place:
    """A table: its sitting and the credential of each side's phone."""

    sitting: int
    sides: dict[str, str]


@dataclass(frozen=True)
class Hall:
    slug: str
    event: int
    referee: str
    places: list[Place]


def open_hall(environment: dict[str, str], tables: int, *, phones: bool = True) -> Hall:
    """Make a hall in the database of `environment`."""
    return open_halls(environment, 1, tables, phones=phones)[0]


def open_halls(environment: dict[str, str], halls: int, tables: int, *, phones: bool = True) -> list[Hall]:
    """Make so many halls, each an event with so many tables, in the database of `environment`."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.reliability.hall", str(halls), str(tables)]
    done = subprocess.run(
        [*command, "phones" * phones], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    made = [json.loads(line) for line in done.stdout.splitlines()[-halls:]]
    return [Hall(**{**one, "places": [Place(**place) for place in one["places"]]}) for one in made]


def make(tables: int, *, phones: bool = True) -> dict[str, Any]:
    """The hall, made by the acts; credentials as the API takes them."""
    from django.utils import timezone
    from knox.models import get_token_model

    from tournaments.acts.admission import Actor
    from tournaments.events import officials, setup
    from tournaments.ledger import devices
    from tournaments.ledger.codes import party_code_text
    from tournaments.models import Office, User
    from tournaments.people import entrants
    from tournaments.rounds import acts as rounds
    from tournaments.rounds import drawing, pairing

    at = timezone.now()
    user = User.objects.create_user(f"official-{secrets.token_hex(4)}", password=secrets.token_hex(16))
    actor = Actor(user=user)
    event = setup.create_tournament(
        actor=actor, at=at, name="Hall", slug=f"hall-{secrets.token_hex(4)}", lot_seed="s" * 32, preset="F1",
        single_official=True,
    )  # fmt: skip
    given: dict[str, Any] = {"tournament_id": event.pk, "actor": actor, "at": at}
    officials.appoint(**given, username=user.username, office=Office.CHIEF_REFEREE)
    ids = [entrants.add_entrant(**given, name=f"Pair {number}").pk for number in range(2 * tables)]
    round_ = rounds.create_round(**given)
    pairs = [{"home": home, "away": away} for home, away in zip(ids[::2], ids[1::2], strict=True)]
    act: dict[str, Any] = {"round_id": round_.pk, "actor": actor, "at": at}
    drawing.pair_by_hand(**act, pairs=pairs, first_dealer="S")
    pairing.publish_pairing(**act)
    codes = devices.issue_codes(**given)
    rounds.start_round(**act)
    sittings = round_.sittings.order_by("table__number").values_list("pk", flat=True)
    places: dict[int, dict[str, str]] = {pk: {} for pk in sittings}
    for code in codes if phones else ():
        token = secrets.token_hex(32)
        device = devices.claim(code_text=party_code_text(code), at=at, token=token, public_id=secrets.token_hex(6))
        places[device.sitting_id][code.side] = f"Device {device.public_id}:{token}"
    _, token = get_token_model().objects.create(user=user)
    return {
        "slug": event.slug,
        "event": event.pk,
        "referee": f"Bearer {token}",
        "places": [{"sitting": sitting, "sides": sides} for sitting, sides in places.items()],
    }


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    django.setup()
    from django.core.management import call_command

    from tournaments.following.numbers import begin

    call_command("migrate", interactive=False, verbosity=0)
    begin(Random(1))  # a laptop's range of numbers, as `serve` draws it
    for _ in range(int(sys.argv[1])):
        print(json.dumps(make(int(sys.argv[2]), phones=sys.argv[3:] == ["phones"])))
