"""Translations without GNU gettext: ``python -m tools.messages update|check|compile``.

update   writes new messages of the templates and modules into the catalogue (empty), and drops those gone
check    names every message that is missing, empty, fuzzy, left over, or translated with other placeholders; and
         every Chinese text, of catalogue, rules and program, with half-width marks or a word that has another name
compile  makes the binary catalogue Django reads; needs nothing but the service's own requirements

The kernel's sentences are not in the catalogue: they live with the clauses of the profiles. Their Chinese is read by
``check`` all the same.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import polib

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

ROOT: Final = Path(__file__).resolve().parent.parent
CATALOGUE: Final = ROOT / "referee" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
SOURCES: Final = ("templates", "referee", "tournaments", "api")
KEYWORDS: Final = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
PLACEHOLDER: Final = re.compile(r"%\(\w+\)[a-z]|%[a-z]|\{\w*\}")
# a sentence is quoted into attributes and scripts and read aloud: no mark that needs care there
FORBIDDEN: Final = re.compile("['’‘“”]")
# a half-width mark beside a Chinese character; times and scores have none beside them
HALF_WIDTH: Final = re.compile(
    r"[\u3400-\u9fff](?:[:;?!.()]|,(?! [a-z]))|[,:;?!)][\u3400-\u9fff]|[,;?!] [\u3400-\u9fff]"
)
# words that have another name everywhere else
RENAMED: Final = {
    re.compile("东西(?!方)"): "东西方",
    re.compile("南北(?!方)"): "南北方",
    re.compile("草花"): "梅花",
    re.compile("红心"): "红桃",
    re.compile("阶位"): "牌型",
    re.compile("最后一(?:回合|圈|轮牌)"): "末圈",
}
CHINESE: Final = re.compile("[\u3400-\u9fff]")
IN_BRACKETS: Final = re.compile(r"(?<![\u3400-\u9fff])\([^()]*\)")
ENGLISH: Final = re.compile(r"\b[a-z]{2,}\b")
# what players may type for a card or say of a rule, kept as they do
AS_TYPED: Final = ("referee/adjudicator/card_text.py",)
WRITTEN: Final = ("scoring", "tournaments", "referee", "api", "templates")


class Key(NamedTuple):
    """What tells two messages apart."""

    context: str | None
    text: str
    plural: str


def used_messages(root: Path = ROOT) -> dict[Key, set[str]]:
    """Every message the product can show through gettext, with the files it stands in."""
    found: dict[Key, set[str]] = {}
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".txt") and "migrations" not in path.parts:
                for key in _messages_of(path):
                    found.setdefault(key, set()).add(path.relative_to(root).as_posix())
    return found


def _messages_of(path: Path) -> Iterator[Key]:
    from babel.messages.extract import extract

    source = path.read_text("utf-8")
    if path.suffix == ".py":
        language = "python"
    else:
        from django.utils.translation.template import templatize

        # Django turns a template into text with gettext calls in it; the lexer for JavaScript finds those
        language, source = "javascript", templatize(source, origin=str(path))
    for _, message, _, context in extract(language, BytesIO(source.encode()), KEYWORDS, options={"encoding": "utf-8"}):
        texts = message if isinstance(message, tuple) else (message,)
        if texts[0]:
            yield Key(context, texts[0], texts[1] if len(texts) > 1 else "")


def key_of(entry: polib.POEntry) -> Key:
    return Key(entry.msgctxt, entry.msgid, entry.msgid_plural or "")


def update(catalogue: Path = CATALOGUE) -> tuple[int, int]:
    """Bring the catalogue up to the sources; gives how many messages came and went."""
    book = polib.pofile(str(catalogue), wrapwidth=118)
    used = used_messages()
    known = {key_of(entry) for entry in book if not entry.obsolete}
    gone = [entry for entry in book if entry.obsolete or key_of(entry) not in used]
    for entry in gone:
        book.remove(entry)
    for key in used.keys() - known:
        plural = {"msgid_plural": key.plural, "msgstr_plural": {0: ""}} if key.plural else {}
        book.append(polib.POEntry(msgctxt=key.context, msgid=key.text, **plural))
    for entry in book:
        entry.occurrences = [(place, "") for place in sorted(used[key_of(entry)])]
        entry.flags = [flag for flag in entry.flags if flag == "fuzzy" or "format" in flag]
    book.sort(key=lambda entry: (entry.occurrences[0], entry.msgid, entry.msgctxt or ""))
    book.save()
    return len(used.keys() - known), len(gone)


def problems(book: Iterable[polib.POEntry], used: Mapping[Key, set[str]]) -> list[str]:
    """What the catalogue lacks, has too much, or says wrongly, one line each."""
    found = []
    entries = {key_of(entry): entry for entry in book if not entry.obsolete}
    for key, places in sorted(used.items(), key=lambda item: (min(item[1]), item[0].text)):
        entry, where = entries.get(key), min(places)
        if FORBIDDEN.search(key.text + key.plural):
            found.append(f"{where}: reword without quotation marks or apostrophes: {key.text!r}")
        if entry is None:
            found.append(f"{where}: not in the catalogue: {key.text!r}")
            continue
        said = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        if entry.fuzzy:
            found.append(f"{where}: fuzzy: {key.text!r}")
        elif not said or not all(said):
            found.append(f"{where}: not translated: {key.text!r}")
        elif any(_placeholders(text) != _placeholders(key.plural or key.text) for text in said):
            found.append(f"{where}: other placeholders than {key.text!r}")
    found += [f"used nowhere: {key.text!r}" for key in entries.keys() - used.keys()]
    return found


def hidden_messages(root: Path = ROOT) -> list[str]:
    """Messages inside formatted strings, one line each: nobody finds those for the catalogue."""
    found = []
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            place = path.relative_to(root).as_posix()
            formatted = (one for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, ast.JoinedStr))
            calls = (call for one in formatted for call in ast.walk(one) if isinstance(call, ast.Call))
            found += [
                f"{place}:{call.lineno}: a message inside a formatted string is not found: take it out"
                for call in calls
                if isinstance(call.func, ast.Name) and call.func.id in KEYWORDS
            ]
    return found


def _placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text.replace("%%", "")))


def in_chinese(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """(place, text) of every Chinese text outside the catalogue: of the rules' files, of paper, of the program."""
    for folder in WRITTEN:
        for path in sorted((root / folder).rglob("*")):
            place = path.relative_to(root).as_posix()
            texts = READERS.get(path.suffix)
            if texts is not None and place not in AS_TYPED and "migrations" not in path.parts:
                yield from ((place, text) for text in texts(path.read_text("utf-8")) if CHINESE.search(text))


def _json_texts(source: str) -> Iterator[str]:
    ways = [json.loads(source)]
    while ways:
        one = ways.pop()
        if isinstance(one, dict):
            if isinstance(one.get("zh"), str):
                yield one["zh"]
            ways += one.values()
        elif isinstance(one, list):
            ways += one


def _code_texts(source: str) -> Iterator[str]:
    """The Chinese strings of a module: no docstring, no key, no English that names a word in brackets, no pattern."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    told |= {id(key) for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            text = node.value
            plain = IN_BRACKETS.sub("", text)
            if "(?" not in text and len(CHINESE.findall(plain)) > len(ENGLISH.findall(plain)):
                yield text


READERS: Final[Mapping[str, Callable[[str], Iterable[str]]]] = {
    ".json": _json_texts,
    ".py": _code_texts,
    ".typ": str.splitlines,
}


def chinese_problems(texts: Iterable[tuple[str, str]]) -> list[str]:
    """What is not written as Chinese is, or by its other name, one line each."""
    found = []
    for place, text in texts:
        if half := HALF_WIDTH.search(text):
            found.append(f"{place}: half-width {half[0]!r} in {text!r}")
        found += [f"{place}: {name} is the word, in {text!r}" for old, name in RENAMED.items() if old.search(text)]
    return found


def compile_all(root: Path = ROOT) -> None:
    """Every catalogue of the product to its binary form beside it."""
    for path in sorted((root / "referee" / "locale").rglob("*.po")):
        polib.pofile(str(path)).save_as_mofile(str(path.with_suffix(".mo")))


def main(arguments: list[str]) -> int:
    match arguments:
        case ["update"]:
            came, went = update()
            print(f"{came} messages came, {went} went; translate the empty ones in {CATALOGUE.relative_to(ROOT)}")
            return 0
        case ["check"]:
            book = polib.pofile(str(CATALOGUE))
            said = ((text, text) for entry in book for text in (entry.msgstr, *entry.msgstr_plural.values()))
            found = problems(book, used_messages()) + hidden_messages() + chinese_problems([*said, *in_chinese()])
            print("\n".join([*found, f"{len(found)} problems in the translations; `make messages` writes new ones"]))
            return 1 if found else 0
        case ["compile"]:
            compile_all()
            return 0
    print("usage: python -m tools.messages update|check|compile", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
