"""The tables of stages: groups, extra matches, lots, rulings, what is carried, knockouts, whole events."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from tests.tournaments.factories import AT, official, round_, tournament
from tests.tournaments.factories import entrant as new_entrant
from tests.tournaments.factories import stage as new_stage
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.acts.text import canonical_json
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.models import (
    Call,
    DrawnLots,
    Entrant,
    Match,
    MatchOutcome,
    Office,
    Publication,
    Recalculation,
    Round,
    Ruling,
    Sitting,
    Stage,
    StageEntrant,
    StandingsRun,
    Table,
    Tournament,
)
from tournaments.standings import runs
from tournaments.standings.publications import final_placing, results_in, rows_in, tables_in
from tournaments.standings.rankings import basis_of, points_of
from tournaments.standings.results import annuls, before_half
from tournaments.standings.settled import Settled, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

#: Scores of mp_210 and who won, by how a match ended.
ENDS = {
    "won": (200, 0, "NS", MatchOutcome.PLAYED),
    "lost": (0, 200, "EW", MatchOutcome.PLAYED),
    "drawn": (100, 100, "", MatchOutcome.PLAYED),
    "gone": (200, 0, "NS", MatchOutcome.AWAY_FORFEIT),
    "bye": (200, None, "", MatchOutcome.BYE),
}


@dataclass
class Made:
    """An event with entrants a, b, c … whose rounds are written as they come out of play."""

    event: Tournament
    organiser: Actor
    ids: dict[str, int]
    rounds: int = 0
    names: dict[int, str] = field(default_factory=dict)

    def stage(self, members: dict[str, int | None] | None = None, **settings: Any) -> Stage:
        """The next stage, its field (name → group) fixed when given."""
        made = new_stage(self.event, **{"number": self.event.stages.count() + 1, **settings})
        for order, (name, group) in enumerate((members or {}).items(), start=1):
            StageEntrant.objects.create(stage=made, entrant_id=self.ids[name], order=order, group=group, joined_at=AT)
        return made

    def round(self, stage: Stage, *matches: str, status: str = "closed", **more: Any) -> Round:
        """A round of matches written "a won b", a bye "a bye"."""
        self.rounds += 1
        made = round_(stage, number=self.rounds, status=status)
        Round.objects.filter(pk=made.pk).update(**more)
        for number, text in enumerate(matches, start=1):
            home, how, *away = text.split()
            home_score, away_score, side, outcome = ENDS[how]
            played = outcome == MatchOutcome.PLAYED
            levels = {"won": ("5", "3"), "lost": ("3", "5"), "drawn": ("4", "4")}.get(how, ("", ""))
            Match.objects.create(
                round=made,
                number=number,
                home_id=self.ids[home],
                away_id=self.ids[away[0]] if away else None,
                outcome=outcome,
                winner_side=side,
                home_level=levels[0] if played else "",
                away_level=levels[1] if played else "",
                home_hundredths=home_score,
                away_hundredths=away_score,
                for_place=int(away[1]) if len(away) > 1 else None,
                finished_at=AT,
            )
        made.refresh_from_db()
        return made

    def rows(self, stage: Stage) -> list[tuple[str, int | None]]:
        return [(self.names[row["entrant"]], row["rank"]) for row in runs.live_rows(stage)]

    def points(self, stage: Stage) -> dict[str, str]:
        return {self.names[row["entrant"]]: row["values"]["points"] for row in runs.live_rows(stage)}

    def publish(self, round_: Round, **more: Any) -> tuple[Publication, dict[str, Any]]:
        made = runs.publish(
            stage_id=round_.stage_id, round_id=round_.pk, actor=self.organiser, at=AT + timedelta(hours=8), **more
        )
        return made, json.loads(made.document)

    def placed(self, document: dict[str, Any]) -> list[tuple[str, int | None]]:
        return [(self.names[row["entrant"]], row["rank"]) for row in rows_in(document)]

    def draw(self, stage: Stage, order: str, **more: Any) -> DrawnLots:
        facts = {"actor": self.organiser, "at": AT, "reason": "drawn at the desk", **more}
        return runs.record_drawn_lots(stage_id=stage.pk, order=[self.ids[one] for one in order], **facts)

    def rule(self, round_: Round, home: str, away: str, side: str, unit: str, **entry: Any) -> Ruling:
        """A decided ruling at the table of two entrants of a round."""
        match = Match.objects.get(round=round_, home=self.ids[home], away=self.ids[away])
        seat = match.sittings.first()
        if seat is None:
            seat = _seat(match)
        return Ruling.objects.create(
            tournament=self.event,
            number=self.event.rulings.count() + 1,
            sitting=seat,
            side=side,
            source="irregularity",
            facts={"irregularity": "misconduct"},
            clause="misconduct.conduct",
            clause_text={"en": "Conduct", "zh": "行为"},
            profile_digest=self.event.profile_digest,
            verdict={"en": "Ruled", "zh": "判罚"},
            proposed_by=self.organiser.user,
            proposed_at=AT,
            status="decided",
            decided_by=self.organiser.user,
            decided_at=AT,
            appeal_until=AT + timedelta(minutes=30),
            penalty={"unit": unit, **({"entry": {"sides": [side], **entry}} if entry else {})},
        )


def _seat(match: Match) -> Sitting:
    table, _ = Table.objects.get_or_create(tournament=match.round.tournament, number=match.number)
    return Sitting.objects.create(match=match, round=match.round, table=table, opening={}, state={}, phase="finished")


def made(names: str = "abcd", **facts: Any) -> Made:
    event = tournament(**facts)
    ids = {name: new_entrant(event, number).pk for number, name in enumerate(names, start=1)}
    here = Made(event, official(event, Office.ORGANISER), ids)
    here.names = {pk: name for name, pk in ids.items()}
    return here


# Groups, extra matches, lots

CIRCLE = [("a drawn b", "d drawn e"), ("b drawn c", "e drawn f"), ("c drawn a", "f drawn d")]


def groups(here: Made, **settings: Any) -> Stage:
    """Two groups of three that meet all round; the next stage takes two of each."""
    facts = {
        "format": "groups_rr",
        "rounds_planned": 3,
        "chain": ["points", "mini_group", "extra_match", "lots"],
        "plan": {"groups": 2},
    }
    first = here.stage({"a": 1, "b": 1, "c": 1, "d": 2, "e": 2, "f": 2}, **facts, **settings)
    here.stage(format="ko_timed", tie_rule="on_stage", plan={"qualify": 2, "crossed": True}, rounds_planned=2)
    return first


def test_ranks_run_inside_a_group_and_ties_that_matter_wait() -> None:
    here = made("abcdef")
    stage = groups(here)
    here.round(stage, "a won b", "d won e")
    here.round(stage, "b won c", "e won f")
    last = here.round(stage, "c won a", "d won f")
    rows = runs.live_rows(stage)
    assert [(here.names[row["entrant"]], row["group"], row["rank"]) for row in rows] == [
        ("a", 1, 1),
        ("b", 1, 1),
        ("c", 1, 1),
        ("d", 2, 1),
        ("e", 2, 2),
        ("f", 2, 3),
    ]
    assert {row["undecided"]["by"] for row in rows[:3]} == {"extra_match"}
    assert not any("undecided" in row for row in rows[3:])
    assert [row["qualifies"] for row in rows[3:]] == [2, 2, None]
    # the last planned round is closed, but the extra matches come first: not final, and no seed is shown
    publication, document = here.publish(last)
    assert not document["final"]
    assert not any("seed" in table["question"] for table in tables_in(document))
    assert runs.verify(publication) == {"digest": True, "rows": True}
    extra = here.round(stage, "c won a", extra=True)
    assert {row["undecided"]["by"] for row in runs.live_rows(stage)[:3]} == {"extra_match"}
    extra = here.round(stage, "b won a", extra=True)
    extra = here.round(stage, "b lost c", extra=True)
    assert here.points(stage) == {"a": "2", "b": "2", "c": "2", "d": "4", "e": "2", "f": "0"}
    publication, document = here.publish(extra)
    assert document["final"]
    assert here.placed(document)[:3] == [("c", 1), ("b", 2), ("a", 3)]
    assert [(table["group"], len(table["rows"])) for table in tables_in(document)] == [(1, 3), (2, 3)]
    assert "extra match" in rows_in(document)[0]["why"]["en"]
    assert runs.verify(publication) == {"digest": True, "rows": True}
    assert len(results_in(document)) == 6


def test_an_earlier_stage_has_a_seed_of_its_own() -> None:
    here = made("abcdef")
    stage = groups(here)
    for one in CIRCLE:
        last = here.round(stage, *one)
    Stage.objects.filter(pk=stage.pk).update(chain=["points", "lots"])
    stage.refresh_from_db()
    _, document = here.publish(last)
    seeds = {table["question"]["seed"] for table in tables_in(document)}
    assert document["final"]
    assert seeds == {hashlib.sha256(f"{here.event.lot_seed}:stage:1".encode()).hexdigest()}
    assert {hashlib.sha256(seed.encode()).hexdigest() for seed in seeds} == {document["lots"]["stage_commitment"]}
    assert "lot_seed" not in event_document(here.event, official=True)


def test_lots_drawn_by_hand_decide_and_stay() -> None:
    here = made()
    stage = here.stage(rounds_planned=2, chain=["points"], plan={"places": [1]})
    here.round(stage, "a drawn b", "c drawn d")
    last = here.round(stage, "a drawn c", "b drawn d")
    assert {row["undecided"]["by"] for row in runs.live_rows(stage)} == {None}
    for order in ("ab", "a", "abcc", "abcdd", "abc"):
        with pytest.raises(Refusal, match="not_tied"):
            here.draw(stage, order)
    with pytest.raises(Refusal, match="reason_required"):
        here.draw(stage, "dbca", reason=" ")
    with pytest.raises(NotFound):
        runs.record_drawn_lots(stage_id=10**9, actor=here.organiser, at=AT, order=[], reason="x")
    with pytest.raises(Forbidden):
        here.draw(stage, "dbca", actor=official(here.event, Office.REFEREE))
    lots = here.draw(stage, "dbca")
    assert here.rows(stage) == [("d", 1), ("b", 2), ("c", 3), ("a", 4)]
    assert "drawn by hand" in runs.live_rows(stage)[0]["why"]["en"]
    here.draw(stage, "abcd")
    assert here.rows(stage) == [("a", 1), ("b", 2), ("c", 3), ("d", 4)]
    publication, document = here.publish(last)
    assert (document["final"], here.placed(document)[0]) == (True, ("a", 1))
    assert "seed" not in tables_in(document)[0]["question"]
    assert runs.verify(publication) == {"digest": True, "rows": True}
    for act in (lots.delete, lambda: DrawnLots.objects.filter(pk=lots.pk).update(order=[])):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


def test_lines_and_prizes_of_the_plan() -> None:
    here = made()
    stage = here.stage(rounds_planned=1, chain=["points", "lots"], plan={"places": [2], "prizes": ["100", "50", "25"]})
    last = here.round(stage, "a won b", "c won d")
    _, document = here.publish(last)
    assert document["final"]
    # both ties lie on one side of the line: no lots are drawn, and prizes are shared
    assert [(row["rank"], row["shared"], row["qualifies"], row["prize"]) for row in rows_in(document)] == [
        (1, True, 2, "75"),
        (1, True, 2, "75"),
        (3, True, None, "12.5"),
        (3, True, None, "12.5"),
    ]


# Rulings, byes, who leaves


def test_rulings_take_points_set_scores_and_exclude() -> None:
    here = made()
    stage = here.stage(chain=["points", "opponents", "penalties"])
    first = here.round(stage, "a won b", "c won d")
    assert here.points(stage) == {"a": "2", "b": "0", "c": "2", "d": "0"}
    fine = here.rule(first, "a", "b", "NS", "match_points", match_points="-0.5", mode="add")
    here.rule(first, "c", "d", "NS", "match_points", match_points="0", mode="set")
    here.rule(first, "c", "d", "EW", "warning")
    table = {here.names[row["entrant"]]: row["values"] for row in runs.live_rows(stage)}
    # a fine is the guilty side's alone; a score that was set is also what the opponents met
    assert {name: (one["points"], one["opponents"], one["penalties"]) for name, one in table.items()} == {
        "a": ("1.5", "0", "1"),
        "b": ("0", "2", "0"),
        "c": ("0", "0", "1"),
        "d": ("0", "0", "0"),
    }
    here.rule(first, "a", "b", "NS", "exclusion", excluded=True)
    assert here.rows(stage)[0][0] == "b"
    assert here.rows(stage)[-1] == ("a", None)
    publication, document = here.publish(first)
    (table_,) = tables_in(document)
    assert (table_["question"]["fines"], table_["question"]["excluded"]) == (
        {str(here.ids["a"]): "0.5"},
        [here.ids["a"]],
    )
    assert runs.verify(publication) == {"digest": True, "rows": True}
    Ruling.objects.filter(pk=fine.pk).update(appeal="lodged")
    assert here.points(stage)["a"] == "1.5"
    Ruling.objects.filter(pk=fine.pk).update(appeal="upheld")
    assert here.points(stage)["a"] == "2"


def test_a_bye_is_worth_the_average_when_all_rounds_are_over() -> None:
    here = made("abc")
    stage = here.stage(rounds_planned=3, chain=["points"], plan={"bye": "average"})
    here.round(stage, "a bye", "b drawn c")
    here.round(stage, "b bye", "a won c")
    assert here.points(stage) == {"a": "4", "b": "3", "c": "1"}
    here.round(stage, "c bye", "a lost b")
    assert here.points(stage) == {"a": "3", "b": "4.5", "c": "1.5"}


@pytest.mark.parametrize(
    ("played", "planned", "expected"),
    [(0, 1, True), (0, 3, True), (1, 3, True), (2, 3, False), (1, 2, False), (2, 4, False), (2, 5, True)],
)
def test_before_half_of_a_round_robin(played: int, planned: int, expected: bool) -> None:
    assert before_half(played, planned) is expected


def test_who_leaves_early_leaves_no_results_behind() -> None:
    here = made("abcdef")
    stage = groups(here)
    here.round(stage, "a won b", "d won e")
    assert not annuls(stage, here.ids["a"])  # one of two is half
    assert annuls(stage, here.ids["c"])
    other = made("abcde")
    robin = other.stage(format="rr", rounds_planned=5, chain=["points", "wins"])
    other.round(robin, "a won b", "c won d", "e bye")
    assert all(annuls(robin, pk) for pk in other.ids.values())
    other.round(robin, "a gone c", "b won e", "d bye")
    assert [name for name, pk in other.ids.items() if annuls(robin, pk)] == ["d", "e"]
    swiss = other.stage()
    assert not annuls(swiss, other.ids["a"])
    Entrant.objects.filter(pk=other.ids["d"]).update(withdrawn_at=AT, annulled_in=robin)
    # what c won against d is gone, and so is d
    assert other.points(robin) == {"a": "4", "b": "2", "c": "0", "e": "2"}
    Entrant.objects.filter(pk=other.ids["e"]).update(withdrawn_at=AT)
    assert "e" in other.points(robin)


# What is carried


@pytest.mark.long
def test_all_points_of_the_stage_before_are_brought_along() -> None:
    here = made()
    first = here.stage(rounds_planned=1, chain=["points"])
    played = here.round(first, "a won b", "c drawn d")
    here.rule(played, "a", "b", "NS", "match_points", match_points="-0.5", mode="add")
    second = here.stage(
        {"a": None, "c": None, "d": None, "b": None},
        chain=["points", "last_round_back"],
        rounds_planned=1,
        plan={"carry": "points"},
    )
    assert here.points(second) == {"a": "1.5", "b": "0", "c": "1", "d": "1"}
    last = here.round(second, "a drawn c", "b won d")
    assert here.points(second) == {"a": "2.5", "b": "2", "c": "2", "d": "1"}
    assert here.rows(second) == [("a", 1), ("b", 2), ("c", 3), ("d", 4)]
    assert "round 2 points 2 to 1" in runs.live_rows(second)[1]["why"]["en"]
    publication, document = here.publish(last)
    assert tables_in(document)[0]["question"]["carried"][str(here.ids["a"])] == "1.5"
    assert runs.verify(publication) == {"digest": True, "rows": True}
    third = here.stage({"a": None, "b": None}, chain=["points"], plan={"carry": "points"})
    assert here.points(third) == {"a": "2.5", "b": "2"}
    assert points_of(third) == {here.ids["a"]: 2.5, here.ids["b"]: 2}


def test_results_between_those_who_meet_again_count_on() -> None:
    here = made("abcdef")
    first = here.stage(format="groups_rr", rounds_planned=3, plan={"groups": 2})
    here.round(first, "a won b", "d won e")
    here.round(first, "b won c", "e won f")
    here.round(first, "c won a", "d won f")
    again = here.stage(
        {"a": None, "b": None, "d": None, "e": None}, format="rr", chain=["points", "wins"], plan={"carry": "between"}
    )
    assert here.points(again) == {"a": "2", "b": "0", "d": "2", "e": "0"}
    here.round(again, "a won d", "e won b")
    assert here.points(again) == {"a": "4", "b": "0", "d": "2", "e": "2"}


# Knockouts and whole events


def test_a_knockout_is_ranked_by_how_far_one_came() -> None:
    here = made("abcde")
    stage = here.stage(format="ko_timed", tie_rule="on_stage", rounds_planned=3, chain=["points", "net_levels"])
    here.round(stage, "a won e", "b bye", "c bye", "d bye")
    here.round(stage, "a won d", "b lost c")
    last = here.round(stage, "a won c", "d gone b 3")
    assert here.rows(stage) == [("a", 1), ("c", 2), ("d", 3), ("b", 4), ("e", 5)]
    assert runs.live_rows(stage)[1]["why"]["en"] == "lost the final to 1"
    publication, document = here.publish(last)
    assert document["final"]
    assert here.placed(document) == here.rows(stage)
    assert runs.verify(publication) == {"digest": True, "rows": True}
    assert [one.winner for one in results_in(document)][-2:] == [here.ids["a"], here.ids["d"]]


def test_the_placing_of_a_whole_event() -> None:
    here = made("abcdef")
    Entrant.objects.filter(pk__in=[here.ids["e"], here.ids["c"], here.ids["b"]]).update(category="women")
    stage = groups(here)
    here.round(stage, "a won b", "d won e")
    here.round(stage, "b won c", "e won f")
    here.round(stage, "a won c", "d won f")
    knockout = here.event.stages.get(number=2)
    for order, name in enumerate("aedb", start=1):
        StageEntrant.objects.create(stage=knockout, entrant_id=here.ids[name], order=order, joined_at=AT)
    assert [(here.names[int(one.entrant)], one.rank) for one in final_placing(here.event).places][4:] == [
        ("c", 5),
        ("f", 5),
    ]
    here.round(knockout, "a lost e", "d won b")
    last = here.round(knockout, "d lost e")
    publication, document = here.publish(last)
    rows = [(here.names[row["entrant"]], row["rank"]) for row in document["placing"]["rows"]]
    assert rows == [("e", 1), ("d", 2), ("a", 3), ("b", 3), ("c", 5), ("f", 5)]
    assert [(here.names[row["entrant"]], row["rank"]) for row in document["placing"]["categories"]["women"]] == [
        ("e", 1),
        ("b", 2),
        ("c", 3),
    ]
    assert runs.verify(publication) == {"digest": True, "rows": True}
    assert [(here.names[int(one.entrant)], one.rank) for one in final_placing(here.event).places] == rows
    document["placing"]["rows"][0]["rank"] = 2
    forged = Publication(document=canonical_json(document), digest=publication.digest)
    assert runs.verify(forged) == {"digest": False, "rows": False}


# How settled a table is, older documents, the audit


def test_how_settled_a_publication_is() -> None:
    here = made("ab", appeal_minutes=20)
    stage = here.stage(rounds_planned=2)
    first = here.round(stage, "a won b")
    publication, _ = here.publish(first)
    posted = publication.published_at

    def settled(minutes: int, one: Publication = publication) -> Settled:
        state = state_of(Publication.objects.get(pk=one.pk), posted + timedelta(minutes=minutes))
        assert all(state.why.values())
        assert all(state.title.values())
        return state.settled

    assert [settled(minutes) for minutes in (0, 19, 20, 90)] == [
        Settled.PROVISIONAL,
        Settled.PROVISIONAL,
        Settled.CONFIRMED,
        Settled.CONFIRMED,
    ]
    ruling = here.rule(first, "a", "b", "NS", "warning")
    Ruling.objects.filter(pk=ruling.pk).update(appeal="lodged")
    assert settled(90) is Settled.PROVISIONAL
    Ruling.objects.filter(pk=ruling.pk).update(appeal="rejected")
    call = Call.objects.create(sitting=ruling.sitting, kind="objection", called_at=AT)
    assert settled(90) is Settled.PROVISIONAL
    Call.objects.filter(pk=call.pk).update(closed_at=AT, closed_by=here.organiser.user)
    assert settled(90) is Settled.CONFIRMED
    second, _ = here.publish(first, supersedes=publication.pk, reason="again")
    assert (settled(90), settled(90, second)) == (Settled.REPLACED, Settled.CONFIRMED)
    last, _ = here.publish(here.round(stage, "a lost b"))
    assert (settled(0, last), settled(90, last)) == (Settled.PROVISIONAL, Settled.FINAL)


def test_documents_of_the_first_version_still_verify() -> None:
    here = made("ab")
    stage = here.stage(rounds_planned=2, chain=["points", "lots"])
    _, document = here.publish(here.round(stage, "a won b"))
    (table,) = document.pop("tables")
    old = {**document, "format": "referee/standings/1", "question": table["question"], "rows": table["rows"]}
    text = canonical_json(old)
    kept = Publication(document=text, digest=hashlib.sha256(text.encode()).hexdigest())
    assert runs.verify(kept) == {"digest": True, "rows": True}
    assert here.placed(old) == [("a", 1), ("b", 2)]
    old["rows"][0]["rank"] = 2
    forged = canonical_json(old)
    kept = Publication(document=forged, digest=hashlib.sha256(forged.encode()).hexdigest())
    assert runs.verify(kept) == {"digest": True, "rows": False}


@pytest.mark.long
def test_an_export_leads_to_the_same_tables() -> None:
    """Everything at once: groups, a fine, an exclusion, an extra match, drawn lots, points carried, a bye's average."""
    here = made("abcdef")
    first = groups(here, minutes=40)
    played = here.round(first, "a won b", "d won e")
    here.round(first, "b won c", "e won f")
    here.round(first, "c won a", "d won f")
    here.rule(played, "d", "e", "EW", "match_points", match_points="-0.5", mode="add")
    here.rule(played, "d", "e", "NS", "exclusion", excluded=True)
    extra = here.round(first, "c won a", extra=True)
    here.stage(
        {"a": None, "b": None, "c": None},
        rounds_planned=2,
        chain=["points"],
        plan={"carry": "points", "bye": "average"},
    )
    second = here.event.stages.get(number=3)
    here.round(second, "a bye", "b drawn c")
    here.round(second, "b bye", "a drawn c")
    # an extra round that was only asked for keeps no stage open
    Round.objects.create(tournament=here.event, stage=second, number=here.event.rounds.count() + 1, extra=True)
    here.draw(first, "bca")
    assert not Recalculation.objects.get(tournament=here.event).covered_number
    assert runs.recalculate(tournament_id=here.event.pk, at=AT)
    run = StandingsRun.objects.get(stage=first)
    assert run.rows == runs.live_rows(first)
    here.publish(extra)
    here.event.refresh_from_db()
    document = event_document(here.event, official=True)
    assert not [one for one in audit(document) if one.where.startswith(("standings", "publication"))]
    assert basis_of(second).average_byes
    tampered = event_document(here.event, official=True)
    tampered["drawn_lots"][0]["order"].reverse()
    assert any(one.what == "rows" for one in audit(tampered))
