"""The command line of the service: serve, demo, ask, audit and Django's own commands.

``referee serve`` where the wheel is installed, ``manage.py serve`` in a checkout, ``python -m referee serve`` in both.
"""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command that the arguments name; ends the process with its exit code."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
