"""Numbers, times and ages as the pages write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from django.utils import translation

from referee.parts import formats, words

NOON = datetime(2026, 5, 16, 6, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-3, "−3"),
        ("16.73", "16.73"),
        ("-0.5", "−0.5"),
        (Fraction(33, 2), "16.5"),
        (Fraction(-1, 20), "−0.05"),
        (Fraction(4), "4"),
        (Fraction(1, 3), "1/3"),
        (None, ""),
    ],
)
def test_exact(value: object, text: str) -> None:
    assert formats.exact(value) == text


def test_a_float_is_no_result() -> None:
    with pytest.raises(TypeError):
        formats.exact(0.1)


@pytest.mark.parametrize(
    ("numbers", "en", "zh"),
    [
        ([], "", ""),
        ([4], "4", "4"),
        ([3, 1, 2, 2], "1–3", "1–3"),
        ([1, 2, 4, 9, 8, 7], "1–2, 4, 7–9", "1–2、4、7–9"),
    ],
)
def test_in_ranges(numbers: list[int], en: str, zh: str) -> None:
    for language, text in (("en", en), ("zh-hans", zh)):
        with translation.override(language):
            assert formats.in_ranges(numbers) == text


@pytest.mark.parametrize(("value", "text"), [(3, "+3"), (-2, "−2"), (0, "+0"), (Fraction(1, 2), "+0.5")])
def test_signed(value: object, text: str) -> None:
    assert formats.signed(value) == text


def test_a_score_never_breaks_over_a_line() -> None:
    assert formats.score(2, 0) == "2\u00a0:\u00a00"


@pytest.mark.parametrize(
    ("span", "text"), [(0, "0:00"), (-5, "0:00"), (2088, "34:48"), (3845, "1:04:05"), (timedelta(minutes=7), "7:00")]
)
def test_clock(span: timedelta | int, text: str) -> None:
    assert formats.clock(span) == text


@pytest.mark.parametrize(
    ("seconds", "en", "zh"),
    [
        (-9, "0 s ago", "0 秒前"),
        (12, "12 s ago", "12 秒前"),
        (60, "1 min ago", "1 分前"),
        (250, "4 min ago", "4 分前"),
        (7300, "2 h ago", "2 小时前"),
        (200_000, "2 d ago", "2 天前"),
    ],
)
def test_age(seconds: int, en: str, zh: str) -> None:
    then = NOON - timedelta(seconds=seconds)
    with translation.override("en"):
        assert formats.age(then, NOON) == en
    with translation.override("zh-hans"):
        assert formats.age(then, NOON) == zh


@pytest.mark.parametrize(
    ("language", "date", "both"), [("en", "16 May", "16 May, 14:30"), ("zh-hans", "5 月 16 日", "5 月 16 日 14:30")]
)
def test_dates_are_those_of_the_event(language: str, date: str, both: str) -> None:
    class Tournament:
        timezone = "Asia/Shanghai"

    with translation.override(language):
        assert formats.event_date(NOON, Tournament()) == date
        assert formats.event_date_time(NOON, "Asia/Shanghai") == both
        assert formats.event_time(NOON, Tournament()) == "14:30"
        assert formats.event_time(NOON, "UTC") == "06:30"


@pytest.mark.parametrize(("language", "text"), [("en", "hello"), ("zh-hans", "你好")])
def test_kernel_text_is_read_in_the_language_of_the_page(language: str, text: str) -> None:
    with translation.override(language):
        assert words.in_language({"en": "hello", "zh": "你好"}) == text
        assert words.in_language("as it is") == "as it is"
        assert words.in_language(None) == ""


@pytest.mark.parametrize(
    ("card", "en", "zh"),
    [
        ("HJ", "jack of hearts", "红桃 J"),
        ("S10", "10 of spades", "黑桃 10"),
        ("CA", "ace of clubs", "梅花 A"),
        ("JB", "big joker", "大王"),
        ("JS", "small joker", "小王"),
    ],
)
def test_cards_are_read_aloud(card: str, en: str, zh: str) -> None:
    with translation.override("en"):
        assert words.card_words(card) == en
    with translation.override("zh-hans"):
        assert words.card_words(card) == zh
