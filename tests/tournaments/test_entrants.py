"""Entrants: adding, changing, importing tables, withdrawing, erasing a person."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from tests.tournaments.playing import Event, colleague, event
from tournaments.acts.errors import Forbidden, Refusal
from tournaments.models import Entrant, HistoryEntry, Office
from tournaments.people import entrants, spreadsheets
from tournaments.people.erasure import erase_person
from tournaments.people.imports import dry_run, entrants_csv, read_table
from tournaments.standings.runs import publish, verify

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HEAD = "external_id,number,name,name_latin,unit,player1,player2\n"


def add(made: Event, **facts: object) -> Entrant:
    return entrants.add_entrant(
        tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), **{"name": "A", **facts}
    )


def load(made: Event, text: str | bytes, name: str = "x.csv", *, encoding: str | None = None, plan: str | None = None):
    data = text if isinstance(text, bytes) else text.encode()
    rows, problems = read_table(data, name, encoding=encoding)
    return entrants.import_entrants(
        tournament_id=made.tournament.pk,
        actor=made.actor,
        at=made.tick(),
        rows=rows,
        problems=problems,
        plan_digest=plan,
    )


def listed(made: Event) -> list[tuple[int, str, str]]:
    return list(made.tournament.entrants.order_by("number").values_list("number", "name", "unit"))


def test_numbers_follow_and_names_are_canonical() -> None:
    made = event(2)
    third = add(made, name="  Zoe\u0301   Li ", players=[{"name": "李雷"}])
    assert (third.number, third.name) == (3, "Zoé Li")
    assert [player.name for player in third.players.all()] == ["李雷"]


@pytest.mark.parametrize(
    ("facts", "field", "code"),
    [
        ({"name": ""}, "name", "empty"),
        ({"name": "…"}, "name", "empty"),
        ({"name": "a\x00b"}, "name", "hidden_characters"),
        ({"name": "a\u200bb"}, "name", "hidden_characters"),
        ({"name": "a\u202eb"}, "name", "hidden_characters"),
        ({"name": "a\ud800"}, "name", "hidden_characters"),
        ({"name": "a" + "\u0323" * 9}, "name", "too_many_marks"),
        ({"name": "x" * 81}, "name", "too_long"),
        ({"name": 5}, "name", "not_text"),
        ({"number": 0}, "number", "bad_number"),
        ({"number": True}, "number", "bad_number"),
        ({"number": 1}, "number", "number_taken"),
        ({"players": "ab"}, "players", "not_a_list"),
        ({"players": [{"nick": "a"}]}, "players", "unknown_field"),
        ({"players": [{"name": ""}]}, "players", "empty"),
        ({"players": [{"name": "a"}] * 13}, "players", "too_many_players"),
    ],
)
def test_bad_entrants_are_refused_by_field(facts: dict[str, object], field: str, code: str) -> None:
    made = event(1)
    with pytest.raises(Refusal) as refused:
        add(made, **facts)
    assert (refused.value.field, refused.value.code) == (field, code)
    assert made.tournament.entrants.count() == 1


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "{{7*7}}", "'; DROP TABLE x", "=1+1", "王芳 / 李"])
def test_odd_texts_are_kept_as_text(name: str) -> None:
    assert add(event(0), name=name).name == name


def test_a_change_is_kept_as_a_version_and_the_history_holds_no_name() -> None:
    made = event(2)
    changed = entrants.change_entrant(
        entrant_id=made.ids[1],
        actor=made.actor,
        at=made.tick(),
        changes={"name": "新名", "unit": "Harbour", "players": [{"name": "王芳"}]},
    )
    assert (changed.name, [player.name for player in changed.players.all()]) == ("新名", ["王芳"])
    assert [version.name for version in changed.history.order_by("history_id")] == ["Pair 1", "新名"]
    acts = HistoryEntry.objects.filter(tournament=made.tournament).values_list("old", "new", "reason")
    assert "新名" not in str(list(acts))
    assert "Pair" not in str(list(acts))
    with pytest.raises(Refusal, match="unknown_field"):
        entrants.change_entrant(entrant_id=made.ids[1], actor=made.actor, at=made.now, changes={"tournament": 2})


def test_an_erased_person_is_gone_everywhere_and_digests_hold() -> None:
    made = event(2)
    round_ = made.running((1, 2))
    made.play(round_, [35])
    entrants.change_entrant(entrant_id=made.ids[1], actor=made.actor, at=made.tick(), changes={"name": "王1 / Lee 1"})
    stage = made.tournament.stages.get()
    publication = publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick())
    person = Entrant.objects.get(pk=made.ids[1]).players.get(order=1)
    erase_person(player_id=person.pk, actor=made.actor, at=made.tick())
    entrant = Entrant.objects.get(pk=made.ids[1])
    assert entrant.name == "— / Lee 1"
    kept = [*entrant.history.values_list("name", flat=True), *person.history.values_list("name", flat=True)]
    assert not [name for name in kept if "王1" in name]
    publication.refresh_from_db()
    assert verify(publication) == {"digest": True, "rows": True}


def test_only_organisers_touch_entrants() -> None:
    made = event(1)
    chief = colleague(made, Office.CHIEF_REFEREE)
    with pytest.raises(Forbidden):
        entrants.add_entrant(tournament_id=made.tournament.pk, actor=chief, at=made.now, name="B")
    with pytest.raises(Forbidden):
        entrants.change_entrant(entrant_id=made.ids[1], actor=chief, at=made.now, changes={"name": "B"})


def test_an_import_adds_updates_and_leaves() -> None:
    made = event(0)
    load(made, HEAD + "a,1,王芳 / 李雷,Wang / Li,Harbour,王芳,李雷\nb,2,Two,,,P,Q\n")
    rows, problems = read_table((HEAD + "b,1,Two,,,P,R\na,2,,,,王芳,李雷\nc,,Three,,,S,T\n").encode(), "x.csv")
    plan = dry_run(made.tournament, rows, problems)
    assert not plan.problems
    assert [row.name for row in plan.new] == ["Three"]
    assert {change.row.external_id: sorted(change.fields) for change in plan.changed} == {
        "b": ["number", "players"],
        "a": ["number"],
    }
    assert listed(made) == [(1, "王芳 / 李雷", "Harbour"), (2, "Two", "")]
    load(made, HEAD + "b,1,Two,,,P,R\na,2,,,,王芳,李雷\nc,,Three,,,S,T\n", plan=plan.digest)
    assert listed(made) == [(1, "Two", ""), (2, "王芳 / 李雷", "Harbour"), (3, "Three", "")]
    again = load(made, entrants_csv(made.tournament))
    assert (len(again.new), len(again.changed), len(again.same)) == (0, 0, 3)


def test_a_plan_that_no_longer_holds_is_refused() -> None:
    made = event(0)
    text = HEAD + "a,,One,,,P,Q\n"
    rows, problems = read_table(text.encode(), "x.csv")
    plan = dry_run(made.tournament, rows, problems)
    add(made, name="Between", external_id="a")
    with pytest.raises(Refusal, match="plan_changed"):
        load(made, text, plan=plan.digest)


@pytest.mark.parametrize(
    ("text", "row", "code"),
    [
        ("", None, "no_rows"),
        (HEAD, None, "no_rows"),
        ("unit\nA\n", 1, "no_name_column"),
        (HEAD + "a,1,A,,,P,Q\nb,1,B,,,R,S\n", 3, "number_taken"),
        (HEAD + "a,1,A,,,P,Q\na,2,B,,,R,S\n", 3, "id_twice"),
        (HEAD + "a,1,A,,,P,Q\nb,2,a,,,R,S\n", 3, "namesake"),
        (HEAD + "a,1,A,,U,P,Q\nb,2,B,,U,P,S\n", 3, "namesake"),
        (HEAD + "a,x,A,,,P,Q\n", 2, "bad_number"),
        (HEAD + "a,1,A\u202e,,,P,Q\n", 2, "hidden_characters"),
        (HEAD + "a,1,,,U,,\n", 2, "empty"),
        (HEAD + 'a,1,"A,,,P,Q\n', 2, "broken_quotes"),
        (HEAD + "a,1," + "x" * 201 + ",,,P,Q\n", 2, "cell_too_long"),
        ("name,player1_latin\nA,Wang\n", 2, "player_without_name"),
    ],
)
def test_one_bad_row_and_nothing_is_imported(text: str, row: int | None, code: str) -> None:
    made = event(0)
    with pytest.raises(entrants.ImportRefused) as refused:
        load(made, text)
    problems = {(problem.row, problem.code) for problem in refused.value.problems}
    assert (row, code) in problems
    for problem in refused.value.problems:
        assert problem.message["en"]
        assert problem.message["zh"]
    assert not made.tournament.entrants.exists()


def test_the_sentence_names_row_person_and_entrant() -> None:
    made = event(0)
    with pytest.raises(entrants.ImportRefused) as refused:
        load(made, HEAD + "a,2,A,,U,Wang Fang,Q\nb,12,B,,U,Wang Fang,S\n")
    assert refused.value.message["en"] == "Row 3: Wang Fang is also in row 2. One person, or two?"
    assert refused.value.message["zh"] == "第 3 行：Wang Fang 也在第 2 行。是同一人，还是同名的两个人？"


def test_two_people_may_share_a_name() -> None:
    made = event(0)
    load(made, HEAD + "a,1,A,,Harbour,王芳,Q\nb,2,B,,Mill,王芳,S\n")
    assert made.tournament.entrants.count() == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "a,1,A,,U,王芳,P\nb,2,B,,U,王芳,S\n", "Row 3: 王芳 is also in row 2. One person, or two?"),
        (HEAD + "a,1,A,,U,王芳,P\nb,2,a,,V,R,S\n", "Row 3: row 2 is also called a. One entrant, or two?"),
        ("name,unit\n王芳,Harbour\n李雷,Mill\n王芳,Mill\n", "Row 4: 王芳 is also in row 2. One person, or two?"),
        ("player1,player2\n王芳,王芳\n", "Row 2: 王芳 appears twice. One person, or two?"),
        ("player1,player2\n王芳,李雷\n王芳,李雷\n", "Row 3: 王芳 is also in row 2. One person, or two?"),
        ("player1,player2\n何川,李雷\n", "Row 2: 何川 is also in entrant 1. One person, or two?"),
    ],
)
def test_namesakes_are_asked_about_once_and_then_come_in(text: str, said: str) -> None:
    """Whoever looks at the list says that they are two; all of it is told in one question a row."""
    made = event(0)
    if "何川" in text:
        load(made, "player1,player2\n何川,宋雨\n")
    before = made.tournament.entrants.count()
    rows = read_table(text.encode(), "x.csv")[0]
    given = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": made.tick(), "rows": rows}
    with pytest.raises(entrants.ImportRefused) as refused:
        entrants.import_entrants(**given)
    (problem,) = refused.value.problems
    assert (problem.code, problem.message["en"]) == ("namesake", said)
    done = entrants.import_entrants(**given, namesakes={problem.row})
    assert [one.row for one in done.namesakes] == [problem.row]
    assert made.tournament.entrants.count() == before + len(rows)


def test_one_person_by_id_is_never_two() -> None:
    made = event(0)
    rows = read_table(b"player1,player1_id\nA,x1\nB,x1\n", "x.csv")[0]
    given = {"tournament_id": made.tournament.pk, "actor": made.actor, "at": made.tick(), "rows": rows}
    with pytest.raises(entrants.ImportRefused) as refused:
        entrants.import_entrants(**given, namesakes={2, 3})
    assert [one.code for one in refused.value.problems] == ["import_row"]


def test_chinese_heads_and_declared_encoding() -> None:
    made = event(0)
    text = "编号,名称,单位,选手1,选手2\n1,王芳 / 李雷,港务,王芳,李雷\n"
    with pytest.raises(entrants.ImportRefused, match="wrong_encoding"):
        load(made, text.encode("gb18030"), encoding="utf-8")
    load(made, text.encode("gb18030"), encoding="gb18030")
    assert listed(made) == [(1, "王芳 / 李雷", "港务")]
    load(event(0), b"\xef\xbb\xbf" + text.encode())


def workbook(*rows: list[object]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_xlsx_is_read_like_csv() -> None:
    made = event(0)
    rows = (["number", "name", "player1"], [1, "王芳", "王芳"], [None, None, None], [2.0, "B", 7])
    load(made, workbook(*rows), "x.xlsx")
    assert listed(made) == [(1, "王芳", ""), (2, "B", "")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"PK\x03\x04 broken", "not_a_table"),
        (b"x" * (spreadsheets.MAX_BYTES + 1), "file_too_large"),
        (b"name\n" + b"a\n" * (spreadsheets.MAX_ROWS + 1), "too_many_rows"),
        (workbook(["name"], ["=1+1"]), "formula"),
        (b"na\x00me\nA\n", "not_a_table"),
        (b"\xff\xfe\x00", "wrong_encoding"),
        (b"name" + b"," * 1_000_000, "line_too_long"),
        (b"name\n" + b"a" * 1_000_000, "line_too_long"),
        (b'name,unit\nA,"' + b"x\n" * 200_000, "broken_quotes"),
    ],
)
def test_hostile_files_are_refused(data: bytes, code: str) -> None:
    made = event(0)
    with pytest.raises(entrants.ImportRefused, match=code):
        load(made, data, "x.xlsx" if data.startswith(b"PK") else "x.csv")
    assert not made.tournament.entrants.exists()


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1a", "@SUM", "'=x"])
def test_export_guards_formulas_and_keeps_the_name(name: str) -> None:
    made = event(0)
    add(made, name=name, external_id="a")
    data = entrants_csv(made.tournament)
    assert f",'{name}," in data.decode("utf-8-sig")
    assert len(load(made, data).same) == 1
