"""Players in the sentences of the kernel."""

from __future__ import annotations

import pytest
from django.utils import translation

from referee.parts.names import in_names, shortened

LINE = {"en": "seat 1 2 → 4; next: seat 2 deals", "zh": "庄家 1 号位与盟友 3 号位胜，下副 2 号位坐庄"}


@pytest.mark.parametrize(
    ("language", "names", "said"),
    [
        ("zh", {"1": "林晓", "2": "高原", "3": "于晴"}, "庄家林晓与盟友于晴胜，下副高原坐庄"),
        ("zh", {"1": "Ann Lee", "2": "高原", "3": "于晴"}, "庄家 Ann Lee与盟友于晴胜，下副高原坐庄"),
        ("en", {"1": "Lin Xiao", "2": "高原", "3": "于晴"}, "Lin Xiao 2 → 4; next: 高原 deals"),
    ],
)
def test_names_stand_where_seats_stood(language: str, names: dict[str, str], said: str) -> None:
    with translation.override("zh-hans" if language == "zh" else language):
        assert in_names(LINE, names) == said


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("short", "short"),
        ("ten colums", "ten colums"),
        ("a name that is far too long", "a name th…"),
        ("two words / and more", "two words…"),
        ("诸葛亮明月", "诸葛亮明月"),
        ("诸葛亮明月楼", "诸葛亮明…"),
    ],
)
def test_long_names_are_cut_with_their_dots(name: str, kept: str) -> None:
    assert shortened(name, 10) == kept
