"""Rules are data: no code asks a profile for its name. It reads the profile's values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring import profiles

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("scoring", "tournaments", "referee", "api")
IDS = frozenset(profiles.profile_ids() + profiles.individual_ids())
TITLES = frozenset(title for one in IDS for title in profiles.load(one, individual=True).title.values())
#: Words of names that hold a profile, its id or its title.
HOLDERS = re.compile(r"profile|rules|\bbase\b|spec")


def names_of_profiles(tree: ast.AST) -> set[str]:
    """Names bound to an id or title of a profile, or to a container of some."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and speaks(node.value, set()):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def speaks(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is an id or title of a profile, a container of some, or a name for one of these."""
    if isinstance(node, ast.Constant):
        return node.value in IDS | TITLES
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(speaks(one, names) for one in node.elts)
    if isinstance(node, ast.Dict):
        return any(key is not None and speaks(key, names) for key in node.keys)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("frozenset", "set", "tuple"):
        return any(speaks(one, names) for one in node.args)
    return False


def holds_a_name(node: ast.AST) -> bool:
    """Whether an expression is `….profile.id`, `profile.title["en"]`, `profile_id` and the like."""
    if isinstance(node, ast.Subscript):
        return holds_a_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr in ("id", "title") and HOLDERS.search(ast.unparse(node.value)) is not None
    return isinstance(node, ast.Name) and node.id in ("profile_id", "profile_title")


def asks(node: ast.AST, names: set[str]) -> bool:
    """Whether a node decides something by a profile's name."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        literal = any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in sides)
        return any(speaks(one, names) for one in sides) or (literal and any(map(holds_a_name, sides)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("startswith", "endswith", "removeprefix", "removesuffix", "partition", "split"):
            return holds_a_name(node.func.value)
        return node.func.attr == "get" and speaks(node.func.value, names)
    if isinstance(node, ast.Subscript):
        return holds_a_name(node.slice) or speaks(node.slice, set())
    return isinstance(node, ast.MatchValue) and speaks(node.value, names)


def asked(source: str) -> Iterator[str]:
    """What a file decides by a profile's name, with the line."""
    tree = ast.parse(source)
    names = names_of_profiles(tree)
    for node in ast.walk(tree):
        if asks(node, names):
            yield f"{getattr(node, 'lineno', '?')}: {ast.unparse(node)}"


@pytest.mark.long
def test_no_code_decides_by_the_name_of_a_profile():
    found = [
        f"{path.relative_to(ROOT)}:{where}"
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for where in asked(path.read_text("utf-8"))
    ]
    assert found == []


def test_no_page_decides_by_the_name_of_a_profile():
    quoted = "|".join(re.escape(one) for one in sorted(IDS))
    decides = re.compile(
        rf"""(==|!=|\bin\b|case)\s*\(?\s*["'](?:{quoted})["']|profile\.(?:id|title)\S*\s*(?:==|!=|in)\s"""
    )
    pages = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "referee" / "static").rglob("*.js")]
    assert len(pages) > 20
    assert [str(page.relative_to(ROOT)) for page in pages if decides.search(page.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "source",
    [
        "if profile.id == 'scn2-2013': pass",
        "if event.profile.id != name or profile.id == 'x': pass",
        "x = 2 if profile_id in ('chaodipi', 'bajiwo') else 1",
        "SUPER = 'online-super'\nif name == SUPER: pass",
        "LATE: set[str] = {'bajiwo'}\nok = which in LATE",
        "if sitting.profile.id.startswith('cn-'): pass",
        "if profile.title['en'] == 'Bajiwo: two decks with re-burying': pass",
        "table = {'nanning-4d': 4}\nx = table.get(rules)",
        "x = STAKES[profile.id]",
        "match rules:\n    case 'sandayi':\n        pass",
        "if 'wiki' in profile.id: pass",
    ],
)
def test_a_file_that_asks_is_found(source):
    assert list(asked(source))


@pytest.mark.parametrize(
    "source",
    [
        "if profile_id not in profile_ids(): raise Http404",
        "if profile.last_trick == 'kitty': pass",
        "DEFAULT = 'cn-national-2d'\nprofile = load(DEFAULT)",
        "if one.id == other.id: pass",
        "heading = FAMILIES[profile.family]",
        "if profile.options['must_mode'] == 'none': pass",
    ],
)
def test_a_file_that_reads_values_is_not(source):
    assert not list(asked(source))
