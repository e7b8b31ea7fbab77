"""What a process of pages has done before it listens."""

from __future__ import annotations

import subprocess
import sys

ASKED = """
import gc, sys
import referee.wsgi
print("referee.public.views.standings" in sys.modules, gc.get_freeze_count() > 100_000)
"""


def test_pages_are_loaded_and_the_search_for_garbage_passes_them_over() -> None:
    said = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True)
    assert said.stdout == "True True\n"
