"""The codes of refusals: ``python -m tools.refusals update`` writes docs/refusals.md, ``check`` looks.

Each layer has one table of its codes, with the sentence of each in both languages: `refusals.json` of the kernel, of
the acts and of the API. Where an act can say it more exactly it has a sentence of its own. `check` asks that every code
that the program names is in a table, in one table only, and that no table holds a code which nobody names.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "refusals.md"
TABLES: Final = {
    "The rules · 规则": ROOT / "scoring" / "refusals.json",
    "Acts · 办理": ROOT / "tournaments" / "acts" / "refusals.json",
    "Requests · 请求": ROOT / "api" / "common" / "refusals.json",
}
#: What makes a refusal or a finding, its code first.
MAKERS: Final = frozenset(
    ("finding", "problem", "refusal", "_refuse", "_illegal", "Finding", "Refusal", "WrongStep", "BadPairing", "Misfit")
) | {"TextProblem", "TableProblem", "TextRefused", "envelope", "Failure"}
#: These take a code by its name or after a field.
_BY_NAME: Final = frozenset(("BadSetting", "BadEntrant"))
#: These may take the state they judge before the code.
_AFTER_A_STATE: Final = frozenset(("refusal", "_illegal"))
HEAD: Final = """# Refusals · 拒绝的代码

Every refusal has a code, for programs, and a sentence in both languages, for people; the API answers both, and its
schema lists the codes. Where more can be said, the sentence of an answer is more exact than the one here. Names in
braces stand for values. Written by `make refusals` from the tables beside the code.

每一次拒绝都有供程序识别的代码和供人阅读的双语说明，接口两者都给出，代码在接口描述中逐一列出。实际答复的说明可能比这里更具体，花括号内是
代入的值。本页由 `make refusals` 据代码旁的表写成。
"""

Sentences = Mapping[str, Mapping[str, str]]


def tables() -> dict[str, Sentences]:
    """The table of each layer by its heading."""
    return {name: json.loads(path.read_text("utf-8"), object_pairs_hook=_no_twins) for name, path in TABLES.items()}


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]
    if twice:
        raise SystemExit(f"{', '.join(twice)} is declared twice.")
    return dict(pairs)


def page(declared: Mapping[str, Sentences]) -> str:
    """The page, in Markdown."""
    parts = [HEAD]
    for name, codes in declared.items():
        parts.append(f"\n## {name}\n\n| code · 代码 | meaning | 释义 |\n|---|---|---|\n")
        for code, said in codes.items():
            if ":" not in code:
                parts.append(f"| `{code}` | {said['en']} | {said['zh']} |\n")
    return "".join(parts)


@cache
def _in_the_code() -> tuple[frozenset[str], frozenset[str]]:
    """The codes given to what makes refusals, and every text, of all packages."""
    codes, texts = set[str](), set[str]()
    for package in ("scoring", "tournaments", "api", "referee"):
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ast.parse(path.read_text("utf-8"))
            codes.update(named(module))
            constants = (one.value for one in ast.walk(module) if isinstance(one, ast.Constant))
            texts.update(value for value in constants if isinstance(value, str))
    return frozenset(codes), frozenset(texts)


def named(module: ast.Module) -> Iterator[str]:
    """The codes that a module gives to what makes refusals."""
    for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        maker = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if maker in MAKERS:
            texts = [text for one in call.args[: 1 + (maker in _AFTER_A_STATE)] if (text := _texts(one))]
            yield from texts[0] if texts else ()
        if maker in MAKERS | _BY_NAME:
            yield from (text for word in call.keywords if word.arg == "code" for text in _texts(word.value))


def _texts(node: ast.expr) -> list[str]:
    """The text of an expression, or both where it chooses."""
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def problems(declared: Mapping[str, Sentences], written: str) -> list[str]:
    """What is wrong with the tables or the page, as sentences."""
    times = Counter(code for codes in declared.values() for code in codes)
    found = [f"{code} is declared in two tables." for code, count in times.items() if count > 1]
    used, texts = _in_the_code()
    found += [f"{code} is in no table of refusals." for code in sorted(used - set(times))]
    found += [f"{code} is declared, and nothing names it." for code in times if code not in texts]
    for name, codes in declared.items():
        found += [f"{code} lacks a language." for code, said in codes.items() if not (said["en"] and said["zh"])]
        if list(codes) != sorted(codes):
            found.append(f"The codes of {name} are not in order.")
    if written != page(declared):
        found.append("docs/refusals.md was not written from the tables of now: run `make refusals`.")
    return found


def main(arguments: list[str]) -> int | str:
    """Run one command; gives the exit code, or what is wrong."""
    match arguments:
        case ["update"]:
            PAGE.write_text(page(tables()), "utf-8")
            return 0
        case ["check"]:
            return "\n".join(problems(tables(), PAGE.read_text("utf-8"))) or 0
    return "usage: python -m tools.refusals update|check"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
