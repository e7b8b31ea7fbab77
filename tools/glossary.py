"""The words of the project: ``python -m tools.glossary update`` writes docs/glossary.md, ``check`` looks.

tools/glossary.json has each word, the words it is also looked for by, its Chinese, its meaning in both languages, and
where it lives in the code: a room or module, and after a colon a class or function of it. `check` asks that each of
them is there, that no word stands twice, and that the page was written from the words of now.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
WORDS: Final = Path(__file__).with_suffix(".json")
PAGE: Final = ROOT / "docs" / "glossary.md"
HEAD: Final = """# Glossary · 词汇

The words of code, tests, API and pages, in one meaning each; where each lives is where to begin reading. Written by
`make glossary` from `tools/glossary.json`.

代码、测试、接口和页面所用的词，一词一义；末栏是它在代码中的位置。本页由 `make glossary` 据 `tools/glossary.json` 写成。

| word | 中文 | meaning | 释义 | where · 位置 |
|---|---|---|---|---|
"""


def words() -> list[dict[str, Any]]:
    """The entries of the glossary, in the order in which they explain one another."""
    return list(json.loads(WORDS.read_text("utf-8")))


def path_of(place: str) -> str:
    """The file or folder that a place of the glossary names, from the root of the checkout."""
    name = place.partition(":")[0].replace(".", "/")
    return f"{name}/" if (ROOT / name).is_dir() else f"{name}.py"


def page(entries: list[dict[str, Any]]) -> str:
    """The page, in Markdown."""
    lines = []
    for entry in entries:
        word = f"**{entry['word']}**" + "".join(f" ({other})" for other in entry["also"])
        places = (f"[`{place}`](../{path_of(place)})" for place in entry["where"])
        cells = (word, entry["zh"], entry["meaning"]["en"], entry["meaning"]["zh"], "<br>".join(places))
        lines.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(lines)


def problems(entries: list[dict[str, Any]], written: str) -> list[str]:
    """What is wrong with the words or the page, as sentences."""
    counted = Counter(name for entry in entries for name in (*entry["word"].split(", "), *entry["also"]))
    found = [f"{name} stands in the glossary twice." for name, times in counted.items() if times > 1]
    for entry in entries:
        if not (entry["zh"] and entry["meaning"]["en"] and entry["meaning"]["zh"] and entry["where"]):
            found.append(f"{entry['word']} lacks its Chinese, a meaning or a place.")
        found += [f"{entry['word']}: {place} is not in the code." for place in entry["where"] if not _is_there(place)]
    if written != page(entries):
        found.append("docs/glossary.md was not written from the words of now: run `make glossary`.")
    return found


def _is_there(place: str) -> bool:
    path = ROOT / path_of(place)
    name = place.partition(":")[2]
    if not name or not path.is_file():
        return path.exists() and not name
    named = (ast.ClassDef, ast.FunctionDef)
    return any(isinstance(node, named) and node.name == name for node in ast.parse(path.read_text("utf-8")).body)


def main(arguments: list[str]) -> int | str:
    """Run one command; gives the exit code, or what is wrong."""
    match arguments:
        case ["update"]:
            PAGE.write_text(page(words()), "utf-8")
            return 0
        case ["check"]:
            return "\n".join(problems(words(), PAGE.read_text("utf-8"))) or 0
    return "usage: python -m tools.glossary update|check"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
