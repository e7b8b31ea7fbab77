"""The files of the product that a hand passes from a phone to the ledger: ``python -m tests.path_of_a_hand``.

A hand is entered by one side and confirmed by the other over the API, on a database made for it; counted is every file
of which a line runs meanwhile. The figure stands in docs/decisions.md.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("scoring", "tournaments", "referee", "api")


def passed(hall: dict[str, Any]) -> list[str]:
    """The files, by name. The first hand is entered unseen: it reads what is read once (the rules, the addresses)."""
    enter(hall, 1)
    files: set[str] = set()

    def see(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    sys.setprofile(see)
    enter(hall, 2)
    sys.setprofile(None)
    inside = {Path(name) for name in files if Path(name).is_relative_to(ROOT)}
    names = (path.relative_to(ROOT) for path in inside)
    return sorted(str(path) for path in names if path.parts[0] in PRODUCT)


def enter(hall: dict[str, Any], number: int) -> None:
    """One hand, entered by NS and confirmed by EW."""
    from django.test import Client

    place = hall["places"][0]
    facts = {"kind": "hand", "trump": "H", "captured_in_tricks": 45, "last_trick_winner": "dealer"}
    address = f"/api/v1/sittings/{place['sitting']}"

    def send(side: str, where: str, body: dict[str, Any]) -> Any:
        credential = {"Authorization": place["sides"][side], "Idempotency-Key": f"{side}{number}"}
        answer = Client().post(f"{address}/{where}/", body, content_type="application/json", headers=credential)
        assert answer.status_code in (200, 201), answer.content
        return answer.json()

    entered = send("NS", "hands", {"facts": facts, "hand_no": number})
    send("EW", f"entries/{entered['entry']}/confirm", {})


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"DJANGO_SETTINGS_MODULE": "referee.settings", "DATA_DIR": folder, "DEBUG": "1"})
        os.environ.pop("DATABASE_URL", None)
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        from django.conf import settings

        from tests.reliability import hall

        settings.ALLOWED_HOSTS = ["testserver"]
        files = passed(hall.make(2))
        print(*files, f"{len(files)} files", sep="\n")


if __name__ == "__main__":
    main()
