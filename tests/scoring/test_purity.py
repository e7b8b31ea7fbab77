"""The kernel stands alone: standard library only, and its own data files from wherever it is installed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import scoring

ROOT = Path(scoring.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
assert len(MODULES) > 50


def test_the_kernel_imports_the_standard_library_and_itself():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                top = name.split(".")[0]
                assert top == "scoring" or top in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_the_kernel_knows_no_clock_no_chance_and_no_environment():
    forbidden = {"time", "datetime", "random", "secrets", "os", "socket", "urllib", "sqlite3", "subprocess"}
    # what others download to drive their own program is no part of the rules, though it lies with its cases
    for path in [one for one in MODULES if one != ROOT / "conformance" / "runner.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in names} & forbidden, path.name


def test_no_rule_asks_for_a_profile_by_name():
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert "scn2-2013" not in text, path.name
        assert "profile.id ==" not in text, path.name


def test_the_kernel_runs_without_site_packages():
    question = '{"id": 1, "profile": "scn2-2013", "input": {"op": "level_result", "attackers_total": 35}}'
    code = f"import json, sys; sys.path.insert(0, {str(ROOT.parent)!r}); from scoring.questions.protocol import answer;"
    code += f"print(answer(json.loads({question!r}))['answer']['levels'])"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "2"
