"""Figures of how the house is built, for the table in docs/decisions.md: ``python -m tools.shape``.

Everything is counted from the files themselves (and the OpenAPI schema), so that two versions can be compared.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PRODUCT = ("scoring", "tournaments", "referee", "api")
LONG_FUNCTION = 60


def modules(*packages: str) -> list[Path]:
    found = (path for name in packages for path in sorted((ROOT / name).rglob("*.py")))
    return [path for path in found if "migrations" not in path.parts]


def lines_of(paths: list[Path]) -> int:
    """Lines that are not blank."""
    return sum(1 for path in paths for line in path.read_text("utf-8").splitlines() if line.strip())


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions of a module with their lines, the docstring not counted."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            said = (first.end_lineno or 0) - first.lineno + 1 if told else 0
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1 - said


def rooms(package: str) -> Counter[str]:
    """How many modules each room of a package has, its ``__init__`` not counted."""
    counted: Counter[str] = Counter()
    for path in modules(package):
        inside = path.relative_to(ROOT / package).parts
        if len(inside) > 1 and path.name != "__init__.py":
            counted[f"{package}/{inside[0]}"] += 1
    return counted


def aliases(path: Path, known: set[str]) -> int:
    """Whole modules imported under another name."""
    count = 0
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            parts = list(path.relative_to(ROOT).with_suffix("").parts)[: -node.level] if node.level else []
            package = ".".join([*parts, *([node.module] if node.module else [])])
            count += sum(1 for name in node.names if name.asname and f"{package}.{name.name}" in known)
    return count


def untyped(schema: Any) -> tuple[int, int]:
    """Answers of the API whose schema says no more than "an object", of all answers with a body in JSON."""
    bare = total = 0
    for path in schema["paths"].values():
        for operation in path.values():
            if not isinstance(operation, dict):
                continue
            for status, answer in operation.get("responses", {}).items():
                held = answer.get("content", {}).get("application/json", {}).get("schema")
                if held is not None and str(status).startswith("2"):
                    total += 1
                    bare += held.get("type") == "object" and not held.get("properties")
    return bare, total


def free(node: Any, at: str = "") -> Iterator[str]:
    """The places inside a schema that say nothing of what stands there, or only that it is an object."""
    if isinstance(node, list):
        for index, one in enumerate(node):
            yield from free(one, f"{at}/{index}")
    elif isinstance(node, dict):
        holder, _, name = at.rpartition("/")
        if holder.endswith(_HOLD_SCHEMAS) or name in ("schema", "items", "additionalProperties"):
            anything = not node.keys() - {"description", "title", "default"}
            others = node.get("additionalProperties", not node.get("properties"))
            if anything or ("object" in node.get("type", ()) and others in (True, {})):
                yield at
                return
        for name, one in node.items():
            yield from free(one, f"{at}/{name}")


_HOLD_SCHEMAS = ("properties", "/schemas", "oneOf", "anyOf", "allOf")


def schema() -> Any:
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    django.setup()
    from drf_spectacular.generators import SchemaGenerator

    return SchemaGenerator().get_schema(request=None, public=True)


def main() -> None:
    product = modules(*PRODUCT)
    known = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in product}
    templates = sorted((ROOT / "templates").rglob("*.html"))
    long = [(path, name, size) for path in product for name, size in functions(path) if size > LONG_FUNCTION]
    told = schema()
    bare, total = untyped(told)
    loose = list(free(told))
    print(f"modules of the product: {len(product)}")
    print(f"lines of code that are not blank: {lines_of(product)}")
    print(f"lines of templates: {lines_of(templates)}")
    print(f"longest line of a template: {max(len(x) for t in templates for x in t.read_text('utf-8').splitlines())}")
    print(f"functions over {LONG_FUNCTION} lines: {len(long)}")
    for path, name, size in long:
        print(f"    {path.relative_to(ROOT)}: {name}, {size}")
    print(f"whole modules under another name: {sum(aliases(path, known) for path in product)}")
    print(f"answers of the API that are only an object: {bare} of {total}")
    print(f"places of the schema where anything may stand: {len(loose)}")
    for place in loose:
        print(f"    {place}")
    print("modules of each room:")
    for room, count in sorted((rooms("scoring") + rooms("tournaments")).items()):
        print(f"    {room}: {count}")


if __name__ == "__main__":
    main()
