"""The locked requirements: ``python -m tools.locks update`` resolves them anew, ``check`` says if they are current.

A lock names exact versions and digests and no host, so any index may serve it. Its first line holds the digest of the
inputs it was made from: that is how a forgotten update is found without a network.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "requirements"
INPUTS: Final = {"base": ("base.in",), "dev": ("base.in", "dev.in")}
PIN: Final = re.compile(r"^([a-z0-9._-]+)==(\S+)", re.MULTILINE)
RESOLVE: Final = (
    *("pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"),
    *("--no-header", "--no-annotate", "--upgrade"),
)


def first_line(folder: Path, name: str) -> str:
    """The line a current lock begins with."""
    digest = hashlib.sha256()
    for source in INPUTS[name]:
        digest.update((folder / source).read_bytes())
    return f"# made by `make lock` from inputs with the digest {digest.hexdigest()}"


def problems(folder: Path = FOLDER) -> list[str]:
    """What is wrong with the locks, as sentences."""
    found = []
    texts = {name: (folder / f"{name}.txt").read_text("utf-8") for name in INPUTS}
    for name, text in texts.items():
        if text.partition("\n")[0] != first_line(folder, name):
            found.append(f"{name}.txt was not made from its present inputs: run `make lock`.")
        if "://" in text:
            found.append(f"{name}.txt names a host.")
        bare = [entry for entry in re.split(r"\n(?=[a-z0-9])", text)[1:] if "--hash=sha256:" not in entry]
        found += [f"{name}.txt: {entry.split()[0]} has no digest." for entry in bare]
    dev = set(PIN.findall(texts["dev"]))
    found += [
        f"dev.txt differs from base.txt in {package}: run `make lock`."
        for package, version in PIN.findall(texts["base"])
        if (package, version) not in dev
    ]
    return found


def update() -> None:
    """Resolve again, to the newest versions the inputs allow."""
    for name in INPUTS:
        lock = FOLDER / f"{name}.txt"
        subprocess.run([sys.executable, "-m", "uv", *RESOLVE, f"{name}.in", "-o", lock.name], cwd=FOLDER, check=True)
        lock.write_text(f"{first_line(FOLDER, name)}\n{lock.read_text('utf-8')}", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["update"]:
        update()
    elif sys.argv[1:] == ["check"]:
        sys.exit("\n".join(problems()) or 0)
    else:
        sys.exit("usage: python -m tools.locks update|check")
