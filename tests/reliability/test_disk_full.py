"""A full disk is told as such, loses nothing that was confirmed, and is over when there is room."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.db import OperationalError, connection

from tests.reliability.conftest import Laptop
from tests.reliability.phones import Phone
from tournaments.acts.failures import FULL, outage_of


def fill(path: Path) -> None:
    """Write until there is no room, not even for the smallest piece."""
    with path.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))


@pytest.mark.long
def test_a_laptop_whose_disk_is_full(small_laptop: Laptop) -> None:
    laptop, place = small_laptop, small_laptop.hall.places[0]
    ns, ew = (Phone(laptop.address, place.sides[side]) for side in ("NS", "EW"))
    first = ns.enter(place.sitting, 1, 80, key="e1")
    assert first.status == 201
    assert ew.confirm(place.sitting, first.body["entry"], key="c1").status == 200

    ballast = laptop.inside(laptop.folder / "ballast")
    fill(ballast)
    refused = [ns.enter(place.sitting, 2, 80, key="e2") for _ in range(20)]
    assert {(one.status, one.code) for one in refused} == {(507, "disk_full")}
    assert {"en", "zh"} == set(refused[0].body["error"]["message"])
    assert ns.get(f"/sittings/{place.sitting}/")["hands"][0]["hand_no"] == 1, "what can be read is read"
    with urlopen(f"{laptop.address}/health") as answer:
        assert (answer.status, json.load(answer)["disk"]) == (200, "full")
    assert laptop.said().count("disk_full") == 1, laptop.said()
    assert "Insufficient Storage" not in laptop.said()

    ballast.unlink()
    assert ns.enter(place.sitting, 2, 80, key="e2").status == 201, "the same request, once there is room"
    assert laptop.stop() == 0


@pytest.mark.django_db
@pytest.mark.postgres
def test_the_code_of_postgresql_for_a_full_disk_is_known() -> None:
    with pytest.raises(OperationalError) as raised, connection.cursor() as cursor:
        cursor.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'no space left'; END $$")
    assert outage_of(raised.value, wrote=True) is FULL
