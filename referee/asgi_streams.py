"""The live streams alone, as a process of their own: without the pages, which `referee.asgi` loads."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
django.setup()

from referee.serving.streams import application  # noqa: E402  (needs the applications to be loaded)

__all__ = ["application"]
