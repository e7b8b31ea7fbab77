"""Chinese names as they are typed in Latin letters."""

from __future__ import annotations

import subprocess
import sys

import pytest

from referee.parts import spoken
from referee.parts.spoken import MOST_READINGS, is_spoken, sounds_of, typed_as


@pytest.mark.parametrize("typed", ["gaofeng", "gf", "gao", "ga", "gaof", "gfeng", "feng", "fen", "f"])
def test_a_name_is_found_by_its_sound_and_by_initials(typed: str) -> None:
    assert is_spoken(typed, "高峰")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        # several readings of a family name, and in between what nobody types
        ("shan", "单雄信"),
        ("dan", "单雄信"),
        ("zengguofan", "曾国藩"),
        ("qy", "仇英"),
        ("ouyx", "区元祥"),
        # ü as it is typed, and initials of two letters
        ("lvbu", "吕布"),
        ("lubu", "吕布"),
        ("lyubu", "吕布"),
        ("zy", "周瑜"),
        ("zhy", "周瑜"),
        ("zhouyu", "周瑜"),
        # traditional characters, two players in a name, figures and Latin letters between
        ("quhong", "區紅"),
        ("gflm", "高峰 / 李明"),
        ("liming", "高峰 / 李明"),
        ("beida2", "北大 2 队"),
        ("abd", "AB 队"),
    ],
)
def test_names_as_people_type_them(typed: str, name: str) -> None:
    assert is_spoken(typed, name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("fenggao", "高峰"),
        ("gaofengx", "高峰"),
        ("aofeng", "高峰"),
        ("gg", "高峰"),
        ("高", "高峰"),
        ("", "高峰"),
        ("gao feng", "高峰"),
        # who has no Chinese name is found by what is written
        ("gf", "Gao Feng"),
        ("lee", "Pair 1"),
    ],
)
def test_what_is_not_its_sound_is_not_found(typed: str, name: str) -> None:
    assert not is_spoken(typed, name)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("高峰", "gaofeng gf"),
        ("单信", "danxin dx danshen ds chanxin cx chanshen cs shanxin sx shanshen ss"),
        ("Gao Feng", ""),
    ],
)
def test_what_a_page_carries_to_be_searched_in(name: str, typed: str) -> None:
    assert typed_as(name) == typed
    assert all(is_spoken(one, name) for one in typed.split())


def test_of_many_readings_a_page_carries_the_first() -> None:
    assert len(typed_as("单" * 20).split()) <= 2 * MOST_READINGS


def test_a_name_is_worked_out_once_and_every_place_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eighty characters, each typed as one letter in two ways, against sixty letters."""
    assert sounds_of("高峰") is sounds_of("高峰")
    assert sounds_of("Gao Feng") == ()
    tried, ends = [], spoken._ends
    monkeypatch.setattr(spoken, "_ends", lambda *asked: tried.append(asked) or ends(*asked))
    assert not is_spoken("a" * 59 + "x", "啊" * 80)
    assert len(tried) <= 80 * 80 * 60


def test_the_dictionary_is_read_by_the_first_search_alone() -> None:
    """A process that searches for nobody does not hold it, and the phrases of it are never read."""
    program = (
        "import sys; from referee.parts.spoken import is_spoken; before = 'pypinyin' in sys.modules;"
        "found = is_spoken('gf', '高峰'); from pypinyin.constants import PHRASES_DICT;"
        "print(before, found, len(PHRASES_DICT))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "0"]
