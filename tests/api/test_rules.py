"""The batch protocol through its two doors, and the profiles."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.api.client import Api
from tournaments import questions

VECTORS = json.loads((Path(__file__).parent.parent / "cases" / "vectors.json").read_text("utf-8"))
#: Ops and rules of a later part of the protocol (docs/questions.md says which).
KNOWN = [one for one in VECTORS if one["input"]["op"] in questions.OPS]


def holds(expected: dict[str, Any], answer: dict[str, Any]) -> bool:
    return all(answer.get(name) == value for name, value in expected.items())


def asked(one: dict[str, Any]) -> dict[str, Any]:
    return {"id": one["id"], "profile": one["profile"], "input": one["input"]}


@pytest.mark.django_db
def test_every_vector_over_http() -> None:
    answers = Api().ok("POST", "rules/ask", [asked(one) for one in KNOWN])
    assert [one["id"] for one in answers] == [one["id"] for one in KNOWN]
    wrong = []
    for one, got in zip(KNOWN, answers, strict=True):
        if "error" in got:
            # the only lawful refusal: the rules are not among ours yet
            assert got["error"]["code"] == "unknown_profile", (one["id"], got)
        elif not holds(one["expected"], got["answer"]):
            wrong.append((one["id"], one["expected"], got["answer"]))
        else:
            assert all(set(reason["text"]) == {"en", "zh"} for reason in got["because"])
    assert wrong == []
    assert sum("answer" in got for got in answers) > 100


def test_the_command_answers_line_by_line_and_outlives_bad_lines(tmp_path: Path) -> None:
    lines = [json.dumps(asked(one)) for one in KNOWN[:3]]
    lines[1:1] = ["{", "[]", '"x"', "", '{"id": 7, "input": {"op": "no_such_op"}}', "\x00", '{"id": "a"}']
    done = subprocess.run(
        [sys.executable, "manage.py", "ask"],
        input="\n".join(lines).encode(),
        capture_output=True,
        cwd=Path(__file__).resolve().parents[2],
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [one.get("error", {}).get("code", "answered") for one in answers] == [
        "answered",
        "bad_json",
        "bad_question",
        "bad_question",
        "unknown_op",
        "bad_json",
        "bad_question",
        "answered",
        "answered",
    ]


@pytest.mark.django_db
def test_a_batch_has_a_limit() -> None:
    question = asked(KNOWN[0])
    assert len(Api().ok("POST", "rules/ask", [question] * 1000)) == 1000
    answer = Api().post("rules/ask", [question] * 1001)
    assert (answer.status, answer.error["code"]) == (413, "too_many_questions")
    answer = Api().post("rules/ask", question)
    assert (answer.status, answer.error["code"]) == (400, "bad_body")


@pytest.mark.django_db
def test_profiles_with_their_clauses() -> None:
    listed = Api().ok("GET", "rules/profiles/")["results"]
    assert {"scn2-2013", "scn3-2026", "cn-national-2d", "online-super", "wiki-classic"} <= {one["id"] for one in listed}
    for one in listed:
        clauses = Api().ok("GET", f"rules/profiles/{one['id']}/")["clauses"]
        assert clauses
        assert all(clause["text"]["en"] and clause["text"]["zh"] and clause["source"] for clause in clauses)
    assert Api().get("rules/profiles/no-such-rules/").status == 404


@pytest.mark.django_db
def test_round_robin_is_asked_like_the_rest() -> None:
    (answer,) = Api().ok("POST", "rules/ask", [{"id": 1, "input": {"op": "round_robin", "entrants": ["a", "b", "c"]}}])
    rounds = answer["answer"]["rounds"]
    assert len(rounds) == 3
    assert sorted(answer["answer"]["bye"]) == ["a", "b", "c"]
