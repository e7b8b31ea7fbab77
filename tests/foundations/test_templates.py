"""No line of a template is longer than a person reads."""

from __future__ import annotations

from pathlib import Path

from tools.templates import LONGEST, problems


def test_no_line_is_too_long() -> None:
    assert problems() == []


def test_a_line_that_is_too_long_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "page.html").write_text(f"<p>\n{'x' * LONGEST}\n{'x' * (LONGEST + 1)}\n</p>\n", "utf-8")
    assert problems(tmp_path) == [f"templates/page.html:3: {LONGEST + 1} characters, {LONGEST} at most"]
