#!/usr/bin/env python3
"""The command line of the service: serve, demo, ask, audit and Django's own commands."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    execute_from_command_line(sys.argv)
