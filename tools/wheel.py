"""What hatchling does besides when it builds the wheel: it makes the binary catalogues, which git does not know."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledMessages(BuildHookInterface[Any]):
    """Compiles each catalogue that has no binary form as young as it; `pip wheel` of a fresh clone has none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path.insert(0, str(root))
        from tools.messages import compile_all

        for book in (root / "referee" / "locale").rglob("*.po"):
            compiled = book.with_suffix(".mo")
            if not compiled.exists() or compiled.stat().st_mtime < book.stat().st_mtime:
                compile_all(root)
                return
