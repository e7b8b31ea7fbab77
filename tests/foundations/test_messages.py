"""The catalogue tool finds what Django would show, and what a translation lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polib
import pytest

from tools.messages import Key, chinese_problems, compile_all, hidden_messages, in_chinese, problems, used_messages

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATE = """{% load i18n %}{% translate "Publish" %} {% translate "round" context "a turn" %}
{% blocktranslate trimmed count n=hands|length %}
  {{ n }} hand
{% plural %}
  {{ n }} hands
{% endblocktranslate %}
<a title="{% translate 'Close the round' as t %}">{{ _("Sign in") }}</a>{# {% translate "never" %} #}"""
MODULE = """
title = _("Tables")
other = ngettext("%(n)s table", "%(n)s tables", n)
late = pgettext_lazy("of a device", "released")
not_a_message = print("no")
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for name, text in {"templates/a.html": TEMPLATE, "referee/b.py": MODULE}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_messages_of_templates_and_modules_are_found(sources: Path) -> None:
    assert used_messages(sources) == {
        Key(None, "Publish", ""): {"templates/a.html"},
        Key("a turn", "round", ""): {"templates/a.html"},
        Key(None, "%(n)s hand", "%(n)s hands"): {"templates/a.html"},
        Key(None, "Close the round", ""): {"templates/a.html"},
        Key(None, "Sign in", ""): {"templates/a.html"},
        Key(None, "Tables", ""): {"referee/b.py"},
        Key(None, "%(n)s table", "%(n)s tables"): {"referee/b.py"},
        Key("of a device", "released", ""): {"referee/b.py"},
    }


USED = {Key(None, "%(n)s hands left", ""): {"templates/a.html"}}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (polib.POEntry(msgid="%(n)s hands left", msgstr="还剩 %(n)s 副"), []),
        (polib.POEntry(msgid="%(n)s hands left", msgstr=""), ["templates/a.html: not translated"]),
        (polib.POEntry(msgid="%(n)s hands left", msgstr="还剩 %(m)s 副"), ["templates/a.html: other placeholders"]),
        (polib.POEntry(msgid="%(n)s hands left", msgstr="还剩 %(n)s 副", flags=["fuzzy"]), ["templates/a.html: fuzzy"]),
        (polib.POEntry(msgid="gone", msgstr="无"), ["templates/a.html: not in the catalogue", "used nowhere: 'gone'"]),
        (
            polib.POEntry(msgid="%(n)s hands left", msgstr="还剩 %(n)s 副", obsolete=True),
            ["templates/a.html: not in the catalogue"],
        ),
    ],
)
def test_problems_are_told(entry: polib.POEntry, told: list[str]) -> None:
    found = problems([entry], USED)
    assert len(found) == len(told)
    assert all(text.startswith(start) for text, start in zip(found, told, strict=True))


@pytest.mark.parametrize("text", ["It's over", "the “end”", "don’t"])
def test_quotation_marks_are_refused(text: str) -> None:
    entry = polib.POEntry(msgid=text, msgstr="完")
    assert ["reword" in line for line in problems([entry], {Key(None, text, ""): {"a.html"}})] == [True]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("东西方 5 : 2 胜，净级 +3；14:05 开始（第 2 版）。", ""),
        ("对局:已结束", "half-width '局:'"),
        ("第 2 轮,已关闭", "half-width '轮,'"),
        ("先看, 再按", "half-width '看,'"),
        ("甩牌(对子)", "half-width '牌('"),
        ("东西胜", "东西方 is the word"),
        ("第 3 行南北", "南北方 is the word"),
        ("草花大", "梅花 is the word"),
        ("最后一回合", "末圈 is the word"),
    ],
)
def test_chinese_is_held_to_its_marks_and_words(text: str, told: str) -> None:
    found = chinese_problems([("a.json", text)])
    assert found == [] if not told else [told in line for line in found] == [True]


def test_chinese_outside_the_catalogue_is_read(tmp_path: Path) -> None:
    """Sentences of the rules' files and of modules; no docstring, no pattern, no English that names a word."""
    (tmp_path / "scoring").mkdir()
    (tmp_path / "scoring" / "a.json").write_text('[{"text": {"en": "a", "zh": "甩牌"}, "source": "升级"}]', "utf-8")
    module = '"""Throws (甩牌)."""\nSAID = {"zh": "抠底"}\nLOOK = "(?:选手)[1-9]"\nNOTE = "a tie (加赛)"\n'
    module += 'KEYED = {"80分, SCN": 1}\n'
    (tmp_path / "scoring" / "b.py").write_text(module, "utf-8")
    assert list(in_chinese(tmp_path)) == [("scoring/a.json", "甩牌"), ("scoring/b.py", "抠底")]


def test_a_message_in_a_formatted_string_is_told(tmp_path: Path) -> None:
    """It would be shown in English on every Chinese page, and nothing would miss it."""
    (tmp_path / "referee").mkdir()
    (tmp_path / "referee" / "a.py").write_text("said = f'{_(title)} 1'\nfine = _(title)\n", "utf-8")
    assert hidden_messages(tmp_path) == [
        "referee/a.py:1: a message inside a formatted string is not found: take it out"
    ]


def test_compiled_catalogue_is_read_by_gettext(tmp_path: Path) -> None:
    import gettext

    folder = tmp_path / "referee" / "locale" / "zh_Hans" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "hand"\nmsgstr "一副"\n', "utf-8"
    )
    compile_all(tmp_path)
    with (folder / "django.mo").open("rb") as compiled:
        assert gettext.GNUTranslations(compiled).gettext("hand") == "一副"
