"""What becomes of people in an event is decided from what was read: nothing here has a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TypeVar

from tournaments.acts.access import Act
from tournaments.acts.admission import SYSTEM, Admitted
from tournaments.acts.change import Add, AddAll, Move, MoveAll, Remove, RemoveAll, Told
from tournaments.events.officials import appointed
from tournaments.models import (
    CheckIn,
    Entrant,
    EntrantCode,
    EntryStatus,
    Invitation,
    LedgerEntry,
    Match,
    Official,
    Player,
    Round,
    Sitting,
    Stage,
    Table,
    Tournament,
    User,
    WakeAddress,
)
from tournaments.people.attendance import arrived, issued
from tournaments.people.eligibility import came_late
from tournaments.people.entrants import changed, imported
from tournaments.people.erasure import ERASED, erased
from tournaments.people.imports import ChangedEntrant, ImportPlan
from tournaments.people.lists import EntrantRow, PlayerRow
from tournaments.people.withdrawals import lost
from tournaments.sittings.ledgers import Ledger

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
EVENT = Tournament(pk=1, slug="spring", profile_spec="scn2-2013")
ENTRANT = Entrant(pk=7, tournament=EVENT, number=3, name="李雷/Han")
OTHER = Entrant(pk=8, tournament=EVENT, number=4, name="Wang/Zhao")


Stored = TypeVar("Stored", User, Official)


def stored(row: Stored) -> Stored:
    row._state.adding = False
    return row


def admitted(act: Act) -> Admitted:
    return Admitted(SYSTEM, act, EVENT)


def test_who_is_there_already_is_noted_only_where_it_was_not() -> None:
    round_ = Round(pk=5, tournament=EVENT, number=2)
    before = CheckIn(pk=1, entrant=ENTRANT, arrived_at=NOW - timedelta(hours=1))
    change = arrived(ENTRANT, admitted(Act.CHECK_IN), NOW, [(None, before), (round_, None)])
    assert change.writes == (Add(change.answer),)
    assert (change.answer.round, change.answer.arrived_at) == (round_, NOW)
    assert [(line.round, line.new) for line in change.lines] == [(round_, {"there": True})]
    again = arrived(ENTRANT, admitted(Act.CHECK_IN), NOW, [(None, before), (round_, change.answer)])
    assert (again.answer, again.writes, again.lines, again.told) == (change.answer, (), (), ())


def test_a_code_is_kept_while_it_can_be_printed() -> None:
    first = issued(admitted(Act.ISSUE_CODES), NOW, [ENTRANT, OTHER], {})
    assert [(code.entrant, code.generation) for code in first.answer] == [(ENTRANT, 1), (OTHER, 1)]
    good, lost = first.answer
    lost.pk, lost.digest = 12, "made with another secret"
    then = issued(admitted(Act.ISSUE_CODES), NOW, [ENTRANT, OTHER], {7: good, 8: lost})
    assert then.answer[0] is good
    assert then.writes == (
        RemoveAll(WakeAddress, {"code__in": [12]}),
        MoveAll(EntrantCode, {"pk__in": [12]}, {"revoked_at": NOW}),
        AddAll(then.answer[1:]),
    )
    assert (then.answer[1].generation, then.lines[0].new) == (2, {"made": 1})
    kept = issued(admitted(Act.ISSUE_CODES), NOW, [ENTRANT], {7: good})
    assert (kept.answer, kept.writes, kept.lines) == ([good], (), ())


def test_who_leaves_loses_what_it_has_not_played() -> None:
    stage = Stage(pk=2, tournament=EVENT, number=1, format="swiss_timed", match_score="mp_210", plan={})
    round_ = Round(pk=5, tournament=EVENT, stage=stage, number=2)
    match = Match(pk=9, round=round_, home=OTHER, away=ENTRANT)
    sitting = Sitting(pk=10, match=match, round=round_, phase="waiting", revision=4)
    claim = LedgerEntry(pk=11, sitting=sitting, status=EntryStatus.WAITING, position=1, version=1)
    ledger = Ledger(sitting, match, [claim])
    change = lost(ledger, ENTRANT, admitted(Act.WITHDRAW), NOW)
    moves = {one.row: one.to for one in change.writes if isinstance(one, Move)}
    assert moves[claim] == {"status": EntryStatus.OVERRULED}
    assert (moves[match]["outcome"], moves[match]["winner_side"]) == ("away_forfeit", "NS")
    assert (moves[sitting]["phase"], moves[sitting]["revision"]) == ("finished", 5)
    assert change.told == (Told("sitting", 10, 5, public=True),)
    assert (sitting.revision, claim.status) == (4, EntryStatus.WAITING)


def test_an_erased_name_goes_from_every_version_of_both_rows() -> None:
    player = Player(pk=6, entrant=ENTRANT, order=1, name="李雷")
    version = Player.history.model(id=6, history_id=1, name="Han")
    of_entrant = Entrant.history.model(id=7, history_id=2, name="Han team")
    change = erased(player, admitted(Act.ERASE_PERSON), [version], [of_entrant])
    names = {(one.model, *one.where.items()): one.to["name"] for one in change.writes if isinstance(one, MoveAll)}
    assert names == {
        (Player, ("pk", 6)): ERASED,
        (Player.history.model, ("id", 6)): ERASED,
        (Entrant, ("pk", 7)): "—/—",
        (Entrant.history.model, ("pk", 2)): "— team",
    }


def test_an_import_swaps_numbers_by_way_of_numbers_that_nobody_has() -> None:
    first, second = (Entrant(pk=pk, tournament=EVENT, number=pk, name=f"Pair {pk}") for pk in (1, 2))
    plan = ImportPlan(
        new=(EntrantRow(4, "Late", ()), EntrantRow(5, "Ninth", (), number=9)),
        changed=(
            ChangedEntrant(first, EntrantRow(2, "Pair 1", (), number=2), {"number": (1, 2)}),
            ChangedEntrant(second, EntrantRow(3, "Pair 2", (), number=1), {"number": (2, 1)}),
        ),
    )
    new, writes = imported(EVENT, [first, second], plan)
    assert [(one.number, one.name) for one in new] == [(9, "Ninth"), (10, "Late")]
    assert writes == [
        MoveAll(Entrant, {"pk": 1}, {"number": 10_003}),
        MoveAll(Entrant, {"pk": 2}, {"number": 10_004}),
        MoveAll(Entrant, {"pk__in": []}, {"seed": None}),
        Move(first, {"number": 2}),
        Move(second, {"number": 1}),
        Add(new[0]),
        Add(new[1]),
    ]


def test_players_keep_their_places() -> None:
    before = [Player(pk=order, entrant=ENTRANT, order=order, name=name) for order, name in enumerate("ABC", start=1)]
    people = [PlayerRow("A"), PlayerRow("D")]
    writes = changed(ENTRANT, {}, people, before)
    assert writes == (Move(before[1], {"name": "D", "name_latin": "", "external_id": ""}), Remove(before[2]))


def test_who_comes_late_gets_a_bye_for_each_round_that_was_missed() -> None:
    stage = Stage(pk=2, tournament=EVENT, number=1, match_score="mp_210", plan={})
    rounds = [Round(pk=pk, stage=stage, number=pk, status=status) for pk, status in ((1, "closed"), (2, "published"))]
    late = came_late(stage, [ENTRANT], NOW, 12, list(zip(rounds, ([5], [6]), strict=True)))
    places, byes = (one.rows for one in late.writes)
    assert [(one.entrant, one.order) for one in places] == [(ENTRANT, 13)]
    assert [(one.round, one.number, one.outcome) for one in byes] == [(rounds[0], 5, "bye"), (rounds[1], 6, "pending")]
    assert late.missed == (1, 2)
    assert came_late(stage, [ENTRANT], NOW, None, [(rounds[0], [])]).writes == (AddAll([]), AddAll([]))


def test_an_office_for_a_new_name_makes_the_account_first() -> None:
    made, tables = User(username="wang"), [Table(pk=3, number=1)]
    change = appointed(admitted(Act.MANAGE_OFFICIALS), NOW, made, "referee", tables, at_once=True)
    office = change.answer
    assert isinstance(office, Official)
    assert change.writes[:2] == (Add(made), Add(office))
    assert [(row.official, row.table_id) for row in change.writes[2].rows] == [(office, 3)]
    assert (office.made_account, change.lines[0].new) == (True, {"user": made, "office": "referee", "tables": [1]})


def test_who_is_somebody_already_is_only_asked_and_an_office_moves_to_other_tables() -> None:
    person, asked = stored(User(pk=4, username="li")), admitted(Act.MANAGE_OFFICIALS)
    invited = appointed(asked, NOW, person, "referee", [], at_once=False)
    assert (invited.writes[0], invited.lines[0].subject) == (Add(invited.answer), ("invitation", invited.answer))
    office, through = stored(Official(pk=9, tournament=EVENT, user=person, office="referee")), Official.tables.through
    tables = [Table(pk=3, number=1)]
    again = appointed(asked, NOW, person, "referee", tables, at_once=True, standing=office)
    waiting = {"tournament": EVENT, "user": person, "office": "referee", "ended_at": None}
    assert (again.answer, again.writes[0]) == (office, RemoveAll(through, {"official": office}))
    assert [row.table_id for row in again.writes[1].rows] == [3]
    assert again.writes[2] == MoveAll(Invitation, waiting, {"ended_at": NOW})
