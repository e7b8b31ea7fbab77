"""The files that pages load, named by their hash and packed: a browser asks for each of them once.

They are collected into a folder named by what they hold, the first time a program of ours starts with them; there is
no step to remember, and what was collected never changes. `python -m referee.static_files` does it when an image is
built.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import drf_spectacular_sidecar
from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage

READER = "drf_spectacular_sidecar/swagger-ui-dist"
#: What was collected for another version of the files goes after a week: a page that is still open may ask for it.
KEPT_SECONDS = 7 * 24 * 3600
#: The style sheets of a first screen, in their order.
FIRST_STYLES = ("tokens", "base", "table")
_READER_FOLDER = Path(drf_spectacular_sidecar.__file__).parent / "static" / READER
_READER_FILES = ("swagger-ui.css", "swagger-ui.css.map", "swagger-ui-bundle.js")


def sources(base: Path) -> Iterator[tuple[str, Path]]:
    """Every file that a page loads, by its name: ours, and of the reader of the API what it needs."""
    own = base / "referee" / "static"
    for file in sorted(own.rglob("*")):
        if file.is_file():
            yield file.relative_to(own).as_posix(), file
    for name in _READER_FILES:
        yield f"{READER}/{name}", _READER_FOLDER / name


def digest_of(base: Path) -> str:
    """What all of them hold, and how they are made, as a name."""
    whole = hashlib.sha256(Path(__file__).read_bytes())
    for name, file in sources(base):
        whole.update(f"{name}\0{file.stat().st_size}\0".encode())
        whole.update(file.read_bytes())
    return whole.hexdigest()[:16]


@lru_cache
def first_styles(base: Path) -> str:
    """The style sheets that a page carries inside when a round trip is dear, without comments and indents."""
    sheets = [(base / f"referee/static/referee/css/{name}.css").read_text("utf-8") for name in FIRST_STYLES]
    lines = re.sub(r"/\*.*?\*/", "", "".join(sheets), flags=re.DOTALL).splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())


def source_of_first_styles(base: Path) -> str:
    """What the policy of our pages allows inside them besides files: these styles by their digest, no others."""
    digest = hashlib.sha256(first_styles(base).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@lru_cache
def imports(base: Path, name: str) -> list[str]:
    """The modules that one of ours begins with, and those that they begin with: each once, whoever asks first first."""
    found: list[str] = []
    waiting = [name]
    for one in waiting:
        text = (base / "referee/static" / one).read_text("utf-8")
        for other in re.findall(r'^import .*from "\./([\w-]+\.js)";', text, re.MULTILINE):
            module = f"{one.rpartition('/')[0]}/{other}"
            if module not in found:
                found.append(module)
                waiting.append(module)
    return found


class Names(CompressedManifestStaticFilesStorage):
    """Names with a hash, also where modules import one another; beside each file a packed one."""

    support_js_module_import_aggregation = True


def collect() -> None:
    """Make the folder that the settings name, unless it is there.

    Raises:
        OSError: the folder of the program cannot be written, and nobody has collected before.
    """
    root = Path(settings.STATIC_ROOT)
    if root.is_dir():
        return
    root.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root.parent, prefix="making-") as folder:
        made = Path(folder) / root.name
        storage: Any = Names(location=made)
        names = {}
        for name, file in sources(Path(settings.BASE_DIR)):
            target = made / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            names[name] = (storage, name)
        for _, _, done in storage.post_process(names):
            if isinstance(done, Exception):
                raise done
        try:
            made.rename(root)
        except OSError:
            if not root.is_dir():  # another process was not quicker
                raise
    for old in root.parent.iterdir():
        if old != root and time.time() - old.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    import django

    django.setup()
    collect()
