"""The program that checks a log without the product: signatures as RFC 8032 has them, and nothing bent gets by it."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tournaments.log import verify
from tournaments.log.merkle import Tree

#: Public key, message and signature: the first three tests of RFC 8032, section 7.1.
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2"
        "4655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302ae"
        "eb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28"
        "dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_signatures_are_those_of_the_standard(key: str, message: str, signature: str):
    given = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
    assert verify.is_signed(*given)
    assert not verify.is_signed(given[0], given[1] + b"!", given[2])
    assert not verify.is_signed(given[0], given[1], given[2][:-1] + bytes([given[2][-1] ^ 1]))


def test_signatures_are_judged_as_the_library_judges_them():
    chance = Random(8032)
    for _ in range(20):
        key, text = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32)), chance.randbytes(40)
        public, signature = key.public_key().public_bytes_raw(), key.sign(text)
        assert verify.is_signed(public, text, signature)
        place = chance.randrange(64)
        bent = signature[:place] + bytes([signature[place] ^ (1 << chance.randrange(8))]) + signature[place + 1 :]
        assert not verify.is_signed(public, text, bent)


AT = "2026-11-01T09:30:00+00:00"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def log_of(count: int = 5) -> dict[str, Any]:
    """A log of so many acts under two heads."""
    bodies = [json.dumps({"act": number, "at": AT}) for number in range(count)]
    digests = [verify.sha256(b"\0" + body.encode()) for body in bodies]
    heads = []
    for size in (2, count):
        head: dict[str, Any] = {
            "size": size,
            "root": Tree(digests[:size]).root.hex(),
            "at": "2026-11-01T10:00:00+00:00",
        }
        heads.append({**head, "signature": KEY.sign(verify.signed_text(7, head)).hex()})
    leaves = [
        {"number": number, "digest": digest.hex(), "body": body}
        for number, (digest, body) in enumerate(zip(digests, bodies, strict=True))
    ]
    return {"event": 7, "keys": [KEY.public_key().public_bytes_raw().hex()], "heads": heads, "leaves": leaves}


def receipt(body: str) -> dict[str, str]:
    return {"body": body, "signature": promise(body)["signature"]}


def promise(body: str) -> dict[str, str]:
    """What an entry is answered with, before anything else of it is known."""
    digest = verify.sha256(b"\0" + body.encode()).hex()
    return {"digest": digest, "at": AT, "signature": KEY.sign(verify.promise_text(7, digest, AT)).hex()}


NEVER_CAME = json.dumps({"act": 9, "at": AT})


def cut(log: dict[str, Any]) -> None:
    log["leaves"].pop()


def swap(log: dict[str, Any]) -> None:
    log["leaves"][0], log["leaves"][1] = log["leaves"][1], log["leaves"][0]


def bend(log: dict[str, Any]) -> None:
    log["leaves"][3]["body"] = log["leaves"][3]["body"].replace("3", "4")


def sign_anew(log: dict[str, Any]) -> None:
    log["heads"][1]["at"] = "2026-11-01T11:00:00+00:00"


def behead(log: dict[str, Any]) -> None:
    log["heads"].pop()


def lose(log: dict[str, Any]) -> None:
    del log["leaves"][1]


@pytest.mark.parametrize("edit", [cut, swap, bend, sign_anew, behead, lose])
def test_a_bent_log_is_found(edit: Any):
    log = deepcopy(log_of())
    assert verify.problems(log) == []
    edit(log)
    assert verify.problems(log) != []


def test_a_receipt_stands_in_the_log_and_not_after_one_bit_is_changed():
    log = log_of()
    good = receipt(log["leaves"][2]["body"])
    assert verify.missing(log, good) == ""
    assert verify.missing(log, {**good, "body": good["body"].replace("2", "3", 1)}) == "no key of the log signed it"
    assert verify.missing(log, receipt(NEVER_CAME)) == f"it was promised at {AT} and does not stand in the log"


def test_a_receipt_whose_digest_was_changed_is_refused():
    log = log_of()
    good = receipt(log["leaves"][2]["body"])
    whole = {**good, "digest": log["leaves"][2]["digest"]}
    assert verify.missing(log, whole) == ""
    other = log["leaves"][1]["digest"]
    for bent in (other, whole["digest"].upper()):
        assert verify.missing(log, {**whole, "digest": bent}) == "the receipt was changed"


def test_a_promise_is_kept_or_seen_to_be_broken_without_what_the_act_wrote():
    log = log_of()
    good = promise(log["leaves"][2]["body"])
    assert verify.missing(log, good) == ""
    for name, bent in (("at", "2026-11-01T09:31:00+00:00"), ("digest", promise(NEVER_CAME)["digest"])):
        assert verify.missing(log, {**good, name: bent}) == "no key of the log signed it"
    assert verify.missing({**log, "event": 8}, good) == "no key of the log signed it"
    assert verify.missing(log, promise(NEVER_CAME)) == f"it was promised at {AT} and does not stand in the log"


def test_the_program_runs_alone(tmp_path: Path):
    program = tmp_path / "verify.py"
    program.write_text(Path(verify.__file__).read_text("utf-8"), "utf-8")
    log = log_of()
    files = {
        "log.json": log,
        "good.json": receipt(log["leaves"][2]["body"]),
        "bad.json": receipt(NEVER_CAME),
        "promise.json": {"entry": 5, "promise": promise(log["leaves"][1]["body"])},
    }
    for name, said in files.items():
        (tmp_path / name).write_text(json.dumps(said), "utf-8")
    sound = _run(tmp_path, "log.json", "good.json")
    assert (sound.returncode, sound.stdout.splitlines()[1:]) == (
        0,
        ["5 acts under 2 heads: sound", f"good.json: {log['leaves'][2]['digest'][:16]}: its act stands in the log"],
    )
    assert _run(tmp_path, "log.json", "bad.json").returncode == 1
    assert _run(tmp_path, "log.json", "promise.json").returncode == 0


@pytest.mark.parametrize(
    "bent",
    [b"", b"{", b"\xe1{}", b"[]", b"{}", b'{"receipts": 3}', b'{"receipts": [{"body": "{}", "signature": "zz"}]}'],
)
def test_what_cannot_be_read_is_told_in_a_line(bent: bytes, tmp_path: Path):
    (tmp_path / "verify.py").write_text(Path(verify.__file__).read_text("utf-8"), "utf-8")
    (tmp_path / "log.json").write_text(json.dumps(log_of()), "utf-8")
    (tmp_path / "bent.json").write_bytes(bent)
    for files in (("bent.json",), ("log.json", "bent.json"), ("log.json", "none.json")):
        told = _run(tmp_path, *files)
        assert (told.returncode, "Traceback" in told.stderr) == (1, False)
        assert f"{files[-1]}: " in told.stdout + told.stderr


@pytest.mark.parametrize(("place", "sign"), [("digest", "g"), ("digest", "F"), ("number", None)])
def test_a_bent_digest_or_number_is_told_in_a_line(place: str, sign: str | None, tmp_path: Path):
    (tmp_path / "verify.py").write_text(Path(verify.__file__).read_text("utf-8"), "utf-8")
    log = log_of()
    log["leaves"][1][place] = sign and sign + log["leaves"][1][place][1:]
    (tmp_path / "log.json").write_text(json.dumps(log), "utf-8")
    told = _run(tmp_path, "log.json")
    assert (told.returncode, told.stderr.count("\n") < 2) == (1, True)


def _run(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "verify.py", *files], cwd=folder, capture_output=True, text=True, check=False
    )
