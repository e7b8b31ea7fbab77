"""Write `tests/cases/pinned.json` anew, from a database made for it: `python -m tests.write_pins`."""

from __future__ import annotations

import json
import os
import tempfile

import django
from django.core.management import call_command


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"DJANGO_SETTINGS_MODULE": "referee.settings", "DATA_DIR": folder})
        os.environ.pop("DATABASE_URL", None)
        django.setup()
        call_command("migrate", verbosity=0)
        from tests import pinned  # after the settings: it imports the models

        text = json.dumps(pinned.pins(), indent=1, sort_keys=True, ensure_ascii=False)
        pinned.FILE.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
