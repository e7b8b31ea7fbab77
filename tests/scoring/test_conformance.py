"""The conformance suite: our own kernel agrees with every case, and the runner tells what differs."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scoring.conformance.archive import archive
from scoring.conformance.runner import agrees, cases, chosen, differences, fits, main, table
from scoring.questions.protocol import answer

ROOT = Path(__file__).resolve().parents[2]
CASES = list(cases())


def test_our_own_kernel_agrees_with_every_case() -> None:
    """With its reasons and what a refusal found where: a clause or a field that is dropped is a difference."""
    agreed = [fits(case, answer(case["question"]), clauses=True, fields=True, whole=True) for case in CASES]
    assert [case["id"] for case, fine in zip(CASES, agreed, strict=True) if not fine] == []
    assert all(line.startswith("ok") for line in table(CASES, agreed))


def test_a_case_speaks_of_a_clause_unless_it_is_refused() -> None:
    without = {
        case["question"]["input"]["op"] for case in CASES if not case["clauses"] and set(case["expect"]) != {"code"}
    }
    assert without <= {"auction", "match_score", "match_result", "replay", "validate_entry"}
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert sum(case["stated"] for case in CASES) > 100


@pytest.mark.parametrize(
    ("expect", "said", "fine"),
    [
        ({"levels": 1}, {"answer": {"levels": 1, "more": 2}}, True),
        ({"levels": 1}, {"answer": {"levels": 2}}, False),
        ({"levels": None}, {"answer": {}}, False),
        ({"code": "missing"}, {"error": {"code": "missing"}}, True),
        ({"code": "missing"}, {"error": {"code": "other"}}, False),
        ({"code": "missing"}, {"answer": {"code": "missing"}}, False),
        ({"levels": 1}, None, False),
        ({"levels": 1}, {"answer": []}, False),
    ],
)
def test_only_what_counts_is_compared(expect: dict[str, object], said: object, fine: bool) -> None:
    assert agrees(expect, said) is fine


@pytest.mark.parametrize(
    ("because", "fine"),
    [
        ([{"clause": "b"}, {"clause": "a"}, {"clause": "b"}], True),
        ([{"clause": "a"}], False),
        ([{"clause": "a"}, {"clause": "b"}, {"clause": "c"}], False),
        ([], False),
        (None, False),
        (["a", "b"], False),
    ],
)
def test_reasons_are_compared_where_that_is_asked_for(because: object, fine: bool) -> None:
    case = {"clauses": ["a", "b"], "question": {}, "expect": {"levels": 1}}
    said = {"answer": {"levels": 1}} | ({} if because is None else {"because": because})
    assert fits(case, said)
    assert fits(case, said, clauses=True) is fine


@pytest.mark.parametrize(
    ("said", "fine"),
    [
        ({"because": [{"clause": "a", "amount": 5}], "answer": {"rows": [{"because": [{"clause": "b"}]}]}}, True),
        ({"because": [{"clause": "a", "amount": 10}], "answer": {"rows": [{"because": [{"clause": "b"}]}]}}, False),
        ({"because": [{"clause": "a"}], "answer": {"rows": [{"because": [{"clause": "b"}]}]}}, False),
        ({"because": [{"clause": "a", "amount": 5}], "answer": {"rows": [{"because": [{"clause": "c"}]}]}}, False),
        ({"because": [{"clause": "a", "amount": 5}], "answer": {"rows": [{}]}}, False),
    ],
)
def test_amounts_and_the_reasons_of_entries_are_compared_of_the_whole(said: dict[str, object], fine: bool) -> None:
    case = {"clauses": ["a"], "question": {}, "expect": {"rows": [{}]}, "reasons": ["a 5", "b"]}
    assert fits(case, said, clauses=True)
    assert fits(case, said, whole=True) is fine


@pytest.mark.parametrize(
    ("error", "fine"),
    [
        ({"findings": [{"code": "b", "field": "y"}, {"code": "a", "field": "x", "clause": "c"}]}, True),
        ({"findings": [{"code": "a", "field": "x", "clause": "c"}]}, False),
        ({"findings": [{"code": "b", "field": "x"}, {"code": "a", "field": "y"}]}, False),
        ({"field": "x"}, False),
        ({}, False),
    ],
)
def test_what_a_refusal_found_is_compared_where_that_is_asked_for(error: dict[str, object], fine: bool) -> None:
    case = {"clauses": ["c"], "question": {}, "expect": {"code": "a"}, "found": [["x", "a"], ["y", "b"]]}
    said = {"error": {"code": "a"} | error}
    assert fits(case, said)
    assert fits(case, said, fields=True) is fine
    assert fits(case, said, clauses=True) is ("clause" in str(error))


@pytest.mark.parametrize(
    ("answer", "fine"),
    [
        ({"levels": [{"a": 1}], "sentence": {"en": "x", "zh": "y"}}, True),
        ({"levels": [{"a": 1, "message": "x"}], "told": [{"en": "x", "zh": "y"}]}, True),
        ({"levels": [{"a": 1, "b": 2}]}, False),
        ({"levels": [{"a": 1}], "more": []}, False),
    ],
)
def test_nothing_more_is_held_where_that_is_asked_for(answer: dict[str, object], fine: bool) -> None:
    case = {"clauses": [], "question": {}, "expect": {"levels": [{"a": 1}]}}
    assert fits(case, {"answer": answer})
    assert fits(case, {"answer": answer}, whole=True) is fine
    assert fits(case | {"part": True}, {"answer": answer}, whole=True)


def test_a_refusal_of_one_thing_needs_no_rows() -> None:
    case = {"clauses": [], "question": {}, "expect": {"code": "a"}, "found": [["x", "a"]]}
    assert fits(case, {"error": {"code": "a", "field": "x"}}, clauses=True, fields=True)


def test_the_archive_is_the_same_bytes_and_names_its_version() -> None:
    made = archive("9.9.9")
    assert made == archive.__wrapped__("9.9.9")
    names = {one.filename: one for one in zipfile.ZipFile(io.BytesIO(made)).infolist()}
    files = "protocol.md questions.md runner.py cases.jsonl profiles.json clauses.json refusals.json"
    assert set(names) == {f"shengji-conformance-9.9.9/{name}" for name in files.split()}
    assert {one.date_time for one in names.values()} == {(1980, 1, 1, 0, 0, 0)}


def answering(line: str) -> str:
    """A program that answers every question with this line."""
    code = f"import sys\nfor _ in sys.stdin.buffer: sys.stdout.buffer.write({(line + chr(10)).encode()!r})"
    return shlex.join([sys.executable, "-c", code])


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [
        ("cat", 1, "0 of"),
        ("sed s/input/answer/", 1, "0 of"),
        (answering("[" * 9_000 + "]" * 9_000), 1, "0 of"),
        (answering('{"answer": "a' + "\u2028" + 'b"}'), 1, "0 of"),
        (answering('{"because": "x", "answer": NaN}'), 1, "0 of"),
        ("true", 2, "the first without one is"),
        ("sed 3q", 2, "3 answers, the first without one is"),
        ("sed p", 2, "answers; exit code 0"),
        ("sleep 60", 2, "not ended after 0.2 seconds"),
        ("no-such-program", 2, "No such file"),
        ("/", 2, "Permission denied"),
        ("", 2, "there is no command"),
        ('"', 2, "No closing quotation"),
    ],
    ids=lambda value: str(value)[:20].replace("\n", " ") if isinstance(value, str) else str(value),
)
def test_a_program_that_does_not_know_the_rules(
    program: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = "0.2" if program == "sleep 60" else "60"
    assert main(["--program", program, "--stated", "--only", "level_", "--seconds", seconds]) == code
    told = capsys.readouterr()
    assert said in (told.err if code == 2 else told.out)
    assert bool(told.err) == (code == 2)


@pytest.mark.parametrize("choice", [["--only", "zzz"], ["--profile", "zzz"], ["--only", "match_score", "--stated"]])
def test_no_case_at_all_is_no_agreement(choice: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--program", "cat", *choice]) == 2
    assert "no such case" in capsys.readouterr().err


def test_an_op_and_rules_are_chosen_by_their_whole_name() -> None:
    throws = chosen(CASES, only="throw", profile="sandayi", stated=False)
    assert {case["question"]["input"]["op"] for case in throws} == {"throw"}
    assert len({json.dumps(case["question"]["profile"]) for case in throws}) > 1
    assert {"throw_penalty"} == {
        case["question"]["input"]["op"] for case in chosen(CASES, only="throw_", profile="", stated=False)
    }


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"id": "q", "error": {"code": "a"}}, []),
        ({"id": "q", "error": {"code": "b"}}, []),
        ({"id": "q", "error": {"code": "c"}}, ["answer"]),
        ({"id": "p", "error": {"code": "a"}}, ["id"]),
        ({"id": "q", "error": {"code": "a"}, "answer": {}}, ["answer"]),
        (None, ["answer", "id"]),
    ],
)
def test_in_what_an_answer_differs(said: object, wrong: list[str]) -> None:
    case = {"clauses": [], "question": {"id": "q"}, "expect": {"code": "a"}, "found": [["x", "a"], ["y", "b"]]}
    assert list(differences(case, said, clauses=False, fields=False, whole=False)) == wrong


def test_what_differs_is_shown_beside_what_was_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--program", answering('{"because": []}'), "--only", "coins", "--clauses", "--shown", "1"]) == 1
    told = capsys.readouterr().out
    assert "differs in: answer, id, clauses" in told
    assert 'answered {"because": []}' in told
    assert told.count("  asked ") == 1


@pytest.mark.long
def test_the_archive_alone_drives_our_own_program(tmp_path: Path) -> None:
    """As somebody else would: unpack it, run the runner by itself, with a program that knows the rules."""
    zipfile.ZipFile(io.BytesIO(archive("9.9.9"))).extractall(tmp_path)
    runner = tmp_path / "shengji-conformance-9.9.9" / "runner.py"
    program = f"{sys.executable} {ROOT / 'manage.py'} ask"
    command = [sys.executable, "-I", str(runner), "--clauses", "--fields", "--whole", "--program", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert f"{len(CASES)} of {len(CASES)} cases agree." in done.stdout
    told = json.loads((runner.parent / "profiles.json").read_text("utf-8"))
    assert all(clause["text"]["zh"] for one in told.values() for clause in one["clauses"])
