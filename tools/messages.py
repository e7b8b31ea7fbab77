"""Translations without GNU gettext: ``python -m tools.messages update|check|compile``.

update   writes new messages of the templates and modules into the catalogue (empty), and drops those gone
check    names every message that is missing, empty, fuzzy, left over, or translated with other placeholders
compile  makes the binary catalogue Django reads; needs nothing but the service's own requirements

The kernel's sentences are not here: they live with the clauses of the profiles.
"""

from __future__ import annotations

import re
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import polib

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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


def _placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text.replace("%%", "")))


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
            found = problems(polib.pofile(str(CATALOGUE)), used_messages())
            print("\n".join([*found, f"{len(found)} problems in the translations; `make messages` writes new ones"]))
            return 1 if found else 0
        case ["compile"]:
            compile_all()
            return 0
    print("usage: python -m tools.messages update|check|compile", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
