"""The history has a word for every act, field and value it shows; so has a hand that was played otherwise than due."""

from __future__ import annotations

import pytest
from django.utils import translation

from referee.desk.presenters import history, sitting
from scoring import wording
from scoring.hands.findings import finding
from scoring.values import Level
from tests.tournaments import factories
from tournaments.acts.access import Act
from tournaments.models import HistoryEntry

#: Acts that only read, and leave nothing in the history.
READING = {Act.SEE_PUBLIC, Act.SEE_TABLE, Act.SEE_DESK, Act.SEE_HISTORY, Act.EXPORT_NAMES}


def test_every_act_has_a_word() -> None:
    assert {str(act) for act in set(Act) - READING} <= set(history.ACTS)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("act", "new", "en", "zh"),
    [
        (
            "pair",
            {"draw": 1, "method": "round_robin", "digest": "06d82db0089c39e6", "revision": 4},
            ["Draw no. 1", "Method table of the round robin", "Digest 06d82db0089c…"],
            ["编排次序 1", "方式 循环赛轮次表", "摘要码 06d82db0089c…"],
        ),
        ("decide_ruling", {"clause": "penalty.late.forfeit"}, ["Clause late 1"], ["条款 迟到 1"]),
        ("decide_ruling", {"clause": "cn.cap"}, ["Clause cn.cap"], ["条款 cn.cap"]),
        (
            "send_back",
            {"what": "captured_in_tricks", "note": ""},
            ["What is wrong Points in tricks"],
            ["哪里不对 闲家得分"],
        ),
        ("forfeit", {"outcome": "home_forfeit"}, ["Outcome home side forfeits"], ["结果 南北方弃权"]),
        ("correct", {"treatment": "recompute"}, ["Treatment Recompute"], ["处理方式 重推"]),
        ("set_up", {"penalties": "strict"}, ["Penalties Strict penalties"], ["处罚表 从严处罚表"]),
        ("begin_stage", {"order": "drawn", "field": [1, 2]}, ["Order by lot", "Entrants 2"], ["顺序 抽签", "参赛方 2"]),
    ],
)
def test_what_changed_is_in_words(act: str, new: dict[str, object], en: list[str], zh: list[str]) -> None:
    event = factories.tournament()
    row = HistoryEntry.objects.create(tournament=event, at=factories.AT, act=act, new=new)
    for language, said in (("en", en), ("zh-hans", zh)):
        with translation.override(language):
            line = history._line(row, event)
            assert [f"{field} {after}" for field, _, after in line.changes] == said
            assert line.act != act


@pytest.mark.django_db
def test_words_that_buttons_wrote_are_in_the_language_of_the_page() -> None:
    """The record of an event keeps them in its own language; what somebody wrote stays as it is."""
    event = factories.tournament()
    row = HistoryEntry.objects.create(tournament=event, at=factories.AT, act="settle", reason="裁判亲见")
    with translation.override("en"):
        assert history._line(row, event).reason == "seen by the referee"
    row.reason = "我自己写的"
    with translation.override("en"):
        assert history._line(row, event).reason == "我自己写的"


def test_the_level_that_was_due_is_in_words() -> None:
    words = {
        "due": wording.level(Level("3")),
        "playing": wording.playing(Level("3")),
        "level": wording.level(Level("5")),
    }
    item = finding("level_unexpected", "level", blocking=False, **words)
    for language, said in (("en", "by the record the level is 3"), ("zh-hans", "按记录应打 3")):
        with translation.override(language):
            assert sitting._unexpected(item) == said
