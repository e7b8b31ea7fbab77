"""The batch protocol through its two doors, and the profiles."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.profiles.options import OPTIONS
from tests.api.client import Api
from tournaments import questions

ROOT = Path(__file__).resolve().parents[2]
VECTORS = json.loads((ROOT / "tests" / "cases" / "vectors.json").read_text("utf-8"))
#: Ops and rules of a later part of the protocol (docs/questions.md says which).
KNOWN = [one for one in VECTORS if one["input"]["op"] in questions.OPS]


def holds(expected: dict[str, Any], answer: dict[str, Any]) -> bool:
    return all(answer.get(name) == value for name, value in expected.items())


def test_the_page_of_the_protocol_has_a_row_for_every_op_and_option_and_no_other() -> None:
    page = (ROOT / "docs" / "questions.md").read_text("utf-8")
    tables: dict[str, set[str]] = {}
    for line in page.splitlines():
        cells = line.split("|")
        if line.startswith("| ") and "`" not in cells[1]:
            head = cells[1].strip()
        elif line.startswith("| `"):
            tables.setdefault(head, set()).update(re.findall(r"`(\w+)`", cells[1]))
    assert tables["op"] == set(questions.OPS)
    assert tables["option"] == set(OPTIONS)


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


@pytest.mark.long
def test_the_command_answers_line_by_line_and_outlives_bad_lines(tmp_path: Path) -> None:
    lines = [json.dumps(asked(one)) for one in KNOWN[:3]]
    lines[1:1] = ["{", "[]", '"x"', "", '{"id": 7, "input": {"op": "no_such_op"}}', "\x00", '{"id": "a"}']
    done = subprocess.run(
        [sys.executable, "manage.py", "ask"],
        input="\n".join(lines).encode(),
        capture_output=True,
        cwd=ROOT,
        timeout=180,
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
    assert {one["id"]: one["game"] for one in listed}.items() >= {
        "scn2-2013": "two_teams",
        "cn-national-2d": "two_teams",
        "sandayi": "individual",
        "zhaopengyou": "individual",
    }.items()
    for one in listed:
        whole = Api().ok("GET", f"rules/profiles/{one['id']}/")
        assert {name: whole[name] for name in one} == one
        assert all(clause["text"]["en"] and clause["text"]["zh"] and clause["source"] for clause in whole["clauses"])
        ids = [clause["id"] for clause in whole["clauses"]]
        assert sorted(ids) == sorted(each for chapter in whole["chapters"] for each in chapter["clauses"])
        for row in (*whole["level_bands"], *whole["kitty_table"], *whole["worked_cases"]):
            assert row["clause"] is None or row["clause"] in ids
        assert all(option["words"]["en"] and option["words"]["zh"] for option in whole["options"])
    assert Api().get("rules/profiles/no-such-rules/").status == 404


@pytest.mark.django_db
def test_the_tables_of_a_profile() -> None:
    whole = Api().ok("GET", "rules/profiles/scn2-2013/")
    bands = [(row["from"], row["to"], row["role"], row["levels"], row["clause"]) for row in whole["level_bands"]]
    assert bands[:4] == [
        (None, 0, "dealer", 3, "scn2.table.zero"),
        (5, 35, "dealer", 2, "scn2.table.below"),
        (40, 75, "dealer", 1, "scn2.table.below"),
        (80, 115, "attackers", 0, "scn2.table.line"),
    ]
    factors = {row["words"]["en"]: row["factor"] for row in whole["kitty_table"]}
    assert (factors["single"], factors["pair"], factors["2-pair tractor"], factors["3-pair tractor"]) == (2, 4, 8, 16)
    assert whole["ladder"]["must_play"] == ["10", "K"]
    assert whole["ladder"]["levels"][0] == "2"
    said = {row["option"]: (row["value"], row["words"]["en"]) for row in whole["options"]}
    assert said["must_mode"] == ("no_skip", "may not be jumped over")
    assert "hook" in {row["kind"] for row in whole["worked_cases"]}


@pytest.mark.django_db
def test_one_clause_by_its_id() -> None:
    clause = Api().ok("GET", "rules/profiles/scn2-2013/clauses/scn2.hook_limit/")
    assert (clause["topic"], clause["params"], clause["stated"]) == ("hook_limit", {"hook_limit": 1}, True)
    assert "S0-HK-02" in clause["source"]["items"]
    for path in ("scn2-2013/clauses/scn2.nothing", "scn2-2013/clauses/cn.finish", "nothing/clauses/scn2.hook"):
        assert Api().get(f"rules/profiles/{path}/").status == 404


@pytest.mark.django_db
def test_two_profiles_side_by_side() -> None:
    compared = Api().ok("GET", "rules/compare/?a=scn2-2013&b=cn-national-2d")
    rows = {row["topic"]: row for row in compared["clauses"]}
    assert (compared["a"]["id"], compared["b"]["id"]) == ("scn2-2013", "cn-national-2d")
    assert {topic: rows[topic]["same"] for topic in ("table.above", "dealer.lost", "kitty.tractor", "must_play")} == {
        "table.above": True,
        "dealer.lost": True,
        "kitty.tractor": False,
        "must_play": False,
    }
    assert (rows["hook"]["a"]["id"], rows["hook"]["b"]) == ("scn2.hook", None)
    different = {row["option"]: (row["a"]["value"], row["b"]["value"]) for row in compared["options"]}
    assert different["kitty_scheme"] == ("pow_pairs", "national_2d")
    assert "threshold" not in different
    assert all(row["same"] for row in Api().ok("GET", "rules/compare/?a=bajiwo&b=bajiwo")["clauses"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "status", "field"),
    [("a=scn2-2013", 400, "b"), ("", 400, "a"), ("a=scn2-2013&b=", 400, "b"), ("a=scn2-2013&b=no-such", 404, None)],
)
def test_what_cannot_be_compared(query: str, status: int, field: str | None) -> None:
    answer = Api().get(f"rules/compare/?{query}")
    assert (answer.status, answer.error["field"]) == (status, field)


@pytest.mark.django_db
def test_round_robin_is_asked_like_the_rest() -> None:
    (answer,) = Api().ok("POST", "rules/ask", [{"id": 1, "input": {"op": "round_robin", "entrants": ["a", "b", "c"]}}])
    rounds = answer["answer"]["rounds"]
    assert len(rounds) == 3
    assert sorted(answer["answer"]["bye"]) == ["a", "b", "c"]
