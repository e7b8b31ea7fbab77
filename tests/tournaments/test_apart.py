"""Two entrants kept apart: said, taken back, kept, and what draws, checker, groups, exports and audit make of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from tests.tournaments.individual import evening
from tests.tournaments.playing import Event, colleague, event
from tests.tournaments.test_drawing import again_is_the_same, document, pairs, play, stage_of
from tests.tournaments.test_stages import GROUPS, begin, chained, field
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.documents import field_lines
from tournaments.audit.record import event_document, event_json
from tournaments.draws import sentences
from tournaments.models import Draw, HistoryEntry, KeptApart, Office, Tournament
from tournaments.people.entrants import add_entrant
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import drawing, seating
from tournaments.rounds.acts import create_round
from tournaments.rounds.pairing import check_pairing
from tournaments.stages.apart import apart_in, keep_apart, kept_in, let_meet
from tournaments.transfer.imports import import_event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def by(made: Any) -> dict[str, Any]:
    return {"actor": made.actor, "at": made.tick()}


def apart(made: Any, first: int, second: int, force: str = "must", **more: Any) -> KeptApart:
    """Two entrants, by number, are kept apart."""
    asked = {"one": made.ids[first], "other": made.ids[second], "force": force, "reason": "siblings", **by(made)}
    return keep_apart(tournament_id=made.tournament.pk, **asked | more)


def meet(made: Event, row: KeptApart, **more: Any) -> KeptApart:
    return let_meet(kept_id=row.pk, **{"reason": "settled", **by(made)} | more)


def refused(code: str) -> Any:
    return pytest.raises(Refusal, match=code)


def found(made: Event, round_: Any) -> list[tuple[str, str]]:
    return [(one.code, one.params.get("force", "")) for one in check_pairing(round_)]


def test_it_is_said_with_a_reason_and_taken_back_once() -> None:
    made = event(4)
    row = apart(made, 3, 1, "rather")
    assert (row.number, row.one_id, row.other_id, row.set_by) == (1, made.ids[1], made.ids[3], made.actor.user)
    assert kept_in(made.tournament) == [row]
    meet(made, row)
    assert (kept_in(made.tournament), apart_in(made.tournament)) == ([], {})
    with refused("may_meet"):
        meet(made, row)
    assert apart(made, 1, 3).number == 2
    assert [(one.act, one.reason, one.old, one.new) for one in HistoryEntry.objects.order_by("pk")[5:]] == [
        ("keep_apart", "siblings", None, {"kept": "1 – 3", "force": "rather"}),
        ("let_meet", "settled", {"kept": "1 – 3", "force": "rather"}, None),
        ("keep_apart", "siblings", None, {"kept": "1 – 3", "force": "must"}),
    ]


def test_what_cannot_be_said() -> None:
    made = event(4)
    row = apart(made, 1, 2)
    for one, two in ((1, 2), (2, 1)):
        with refused("kept_apart_already"):
            apart(made, one, two, "rather")
    for code, more in {
        "unknown_value": {"force": "perhaps"},
        "reason_missing": {"reason": " "},
        "not_two_entrants": {"other": made.ids[1]},
        "forbidden": {"actor": colleague(made, Office.CHIEF_REFEREE)},
    }.items():
        with refused(code):
            apart(made, 1, 3, **more)
    with refused("not_two_entrants"):
        apart(made, 1, 3, other=evening("I1", 4).ids[1])
    with refused("forbidden"):
        meet(made, row, actor=colleague(made, Office.REFEREE))
    Tournament.objects.filter(pk=made.tournament.pk).update(single_official=True)
    with refused("reason_missing"):
        meet(made, row, reason="")
    withdraw_entrant(entrant_id=made.ids[4], reason="ill", **by(made))
    with refused("entrant_withdrawn"):
        apart(made, 1, 4)


def test_the_database_keeps_it() -> None:
    made = event(4)
    rows = KeptApart.objects.filter(pk=apart(made, 1, 2).pk)
    again = {name: getattr(rows.get(), name) for name in ("tournament", "one", "other", "force", "set_at", "set_by")}
    with pytest.raises(IntegrityError), transaction.atomic():
        KeptApart.objects.create(number=2, reason="twice", **again)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(force="rather")
    with pytest.raises(DatabaseError), transaction.atomic():
        rows._raw_delete(connection.alias)
    meet(made, rows.get())
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(revoked_at=None, revoked_by=None, revoked_why="")


def test_a_swiss_draw_keeps_them_apart_and_can_be_made_again() -> None:
    made = event(4)
    assert pairs(made, made.drawn()) == [(1, 3), (4, 2)]
    apart(made, 3, 1)
    rather = apart(made, 2, 3, "rather")
    round_ = made.tournament.rounds.get()
    # the draft that stands breaks it: the checker says so until it is drawn again
    assert found(made, round_) == [("kept_apart", "must")]
    drawing.draw_round(round_id=round_.pk, reason="siblings", **by(made))
    assert pairs(made, round_) == [(1, 2), (3, 4)]
    assert found(made, round_) == []
    drawn = document(round_)
    one, two, three = (made.ids[number] for number in (1, 2, 3))
    assert drawn["question"]["apart"] == drawn["check"]["apart"] == [[one, three, "must"], [two, three, "rather"]]
    again_is_the_same(round_)
    meet(made, rather)
    drawing.draw_round(round_id=round_.pk, reason="settled", **by(made))
    assert document(round_)["question"]["apart"] == [[one, three, "must"]]
    again_is_the_same(round_)


def test_why_they_do_not_meet() -> None:
    made = event(4)
    apart(made, 1, 3)
    round_ = made.drawn()
    said = drawing.why_not(round_id=round_.pk, actor=made.actor, one=made.ids[1], other=made.ids[3])
    assert (said["forbidden_by"], said["dearer_in"]) == (["kept_apart"], "kept_apart")
    assert sentences.why_not_text(said, 1, 3)["en"] == (
        "The rules keep them apart: they must be kept apart. With no. 1 and no. 3, "
        "more who must be kept apart would meet (meetings of those who must be kept apart: 1 instead of 0)."
    )


def test_by_hand_it_may_be_broken_and_that_is_told() -> None:
    made = event(4)
    apart(made, 1, 2)
    apart(made, 3, 4, "rather")
    round_ = made.paired((1, 2), (3, 4))
    assert found(made, round_) == [("kept_apart", "must"), ("kept_apart", "rather")]
    drawn = document(round_)
    assert [one["code"] for one in drawn["findings"]] == ["kept_apart", "kept_apart"]
    assert (drawn["judged"]["total"]["kept_apart"], drawn["judged"]["total"]["rather_apart"]) == (1, 1)
    assert sentences.judged_text(drawn["judged"])["en"].startswith("Beside the best draw: more who must be kept apart")
    again_is_the_same(round_)


def test_no_round_is_possible() -> None:
    made = event(2)
    apart(made, 1, 2)
    with refused("no_pairing_possible") as refusal:
        made.drawn()
    assert "who must be kept apart" in refusal.value.message["en"]


def test_a_danish_round_keeps_them_apart() -> None:
    made = event(4)
    stage_of(made, format="danish")
    apart(made, 1, 2)
    round_ = made.drawn()
    assert pairs(made, round_) == [(1, 3), (2, 4)]
    assert document(round_)["question"]["apart"] == [[made.ids[1], made.ids[2], "must"]]
    again_is_the_same(round_)


def test_in_a_round_robin_it_is_only_told() -> None:
    made = event(4)
    stage_of(made, format="rr")
    apart(made, 1, 4)
    round_ = made.drawn()
    assert (1, 4) in pairs(made, round_)
    assert "apart" not in document(round_)["question"]
    assert found(made, round_) == [("kept_apart", "must")]
    again_is_the_same(round_)


def test_groups_are_dealt_with_them_apart_and_dealt_again_by_the_audit() -> None:
    made = chained(6, GROUPS)
    row = apart(made, 1, 4)
    begin(made)
    assert field(made) == [(1, 1), (2, 2), (3, 1), (4, 2), (5, 1), (6, 2)]
    # what is said or taken back later changes nothing of what the audit finds
    meet(made, row)
    apart(made, 1, 3)
    document = event_document(made.tournament, official=True, names=True)
    assert audit(document) == []
    (line,) = field_lines(document)
    assert line.note is not None
    assert line.note["en"].endswith("groups dealt again, the same")


def test_groups_that_cannot_part_them_are_refused_and_dealt_by_hand() -> None:
    made = chained(4, GROUPS)
    apart(made, 1, 3)
    apart(made, 1, 4)
    with refused("kept_apart_in_group"):
        begin(made)
    begin(made, groups=[[made.ids[1], made.ids[3]], [made.ids[2], made.ids[4]]])
    add_entrant(tournament_id=made.tournament.pk, name="Late", **by(made))
    assert len(field(made)) == 5


def test_single_players_sit_at_different_tables() -> None:
    made = evening("I1", 8)
    round_ = create_round(tournament_id=made.tournament.pk, **by(made))
    seating.seat_players(round_id=round_.pk, **by(made))
    together = [set(table) for table in seating.seating_of(round_).tables]
    one, other = sorted(number for number, pk in made.ids.items() if pk in together[0])[:2]
    apart(made, one, other)
    assert found(made, round_) == [("kept_apart", "must")]
    seating.seat_players(round_id=round_.pk, **by(made))
    assert not any({made.ids[one], made.ids[other]} <= set(table) for table in seating.seating_of(round_).tables)
    assert found(made, round_) == []


def test_it_travels_with_the_event() -> None:
    made = event(4)
    apart(made, 1, 3)
    meet(made, apart(made, 2, 3, "rather"))
    play(made, made.drawn())
    data = event_json(made.tournament, official=True, names=True)
    kept = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept").tournament
    assert kept is not None
    assert event_json(kept, official=True, names=True) == data
    assert audit(event_document(made.tournament)) == audit(event_document(kept)) == []
    numbers = {one.pk: one.number for one in kept.entrants.all()}
    read = drawing.document_of(Draw.objects.get(round__tournament=kept))
    assert [[numbers[one], numbers[other], wish] for one, other, wish in read["question"]["apart"]] == [[1, 3, "must"]]
    public = event_document(made.tournament)["kept_apart"]
    assert [(row["force"], row["revoked_at"] is None) for row in public] == [("must", True), ("rather", False)]
    assert not {"reason", "set_by_id", "revoked_by_id", "revoked_why"} & set(public[0])
