"""What the database itself refuses, with every check of the application left out. Both databases."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction

from tests.tournaments.factories import AT, Hall, device, entrant, hall, round_, sheet, tournament, user
from tournaments import migrations
from tournaments.acts import history
from tournaments.models import (
    AppealMember,
    Correction,
    Device,
    Entrant,
    HistoryEntry,
    LedgerEntry,
    Match,
    Official,
    Pairing,
    Publication,
    Round,
    RuleChange,
    Ruling,
    RulingAct,
    SavedAnswer,
    Sitting,
    StaleCount,
    Table,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def row(here: Hall, **more: Any) -> LedgerEntry:
    """A waiting entry of N–S, or what `more` makes of it."""
    fields: dict[str, Any] = {
        "tournament": here.event,
        "sitting": here.sitting,
        "position": 1,
        "version": 1,
        "kind": "hand",
        "hand_no": 1,
        "facts": sheet(),
        "status": "waiting",
        "entered_side": "NS",
        "entered_at": AT,
    }
    return LedgerEntry.objects.create(**{**fields, **more})


CONFIRMED = {"status": "effective", "confirmed_side": "EW", "confirmed_at": AT}


def refuses(act: Callable[[], Any], name: str = "") -> None:
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        act()
    # SQLite names the columns of a unique index, not the index
    assert name in str(caught.value) or "UNIQUE constraint failed" in str(caught.value)


def change(one: models.Model, **fields: Any) -> Callable[[], Any]:
    return lambda: type(one)._default_manager.filter(pk=one.pk).update(**fields)


def delete(one: models.Model) -> Callable[[], Any]:
    return lambda: type(one)._default_manager.filter(pk=one.pk)._raw_delete("default")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ({}, {}, "entry_version_once"),
        (CONFIRMED, {**CONFIRMED, "version": 2}, "one_effective_version"),
        (CONFIRMED, {**CONFIRMED, "position": 2}, "one_effective_hand"),
        ({}, {"position": 2, "hand_no": 2, "entered_side": "EW"}, "one_entry_waits"),
        ({"status": "contesting"}, {"status": "contesting", "version": 2, "entered_side": "EW"}, "one_entry_contests"),
    ],
)
def test_two_entries_that_cannot_stand_together(first: dict[str, Any], second: dict[str, Any], name: str) -> None:
    here = hall()
    row(here, **first)
    refuses(lambda: row(here, **second), name)


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"status": "effective"}, "two_parties_or_an_official"),
        ({"status": "effective", "entered_side": "", "entered_by": True}, "two_parties_or_an_official"),
        ({"status": "superseded"}, "two_parties_or_an_official"),
        ({**CONFIRMED, "confirmed_side": "NS"}, "nobody_confirms_itself"),
        ({"status": "effective", "entered_side": "", "entered_by": True, "basis": "watched", "confirmed_side": "EW"},
         "nobody_confirms_itself"),
        ({"entered_by": True}, "one_party_enters"),
        ({"entered_side": ""}, "one_party_enters"),
        ({"hand_no": None}, "hands_are_numbered"),
        ({"hand_no": 0}, "hands_are_numbered"),
        ({"kind": "end"}, "hands_are_numbered"),
        ({"position": 0}, "entry_numbers_positive"),
    ],
)  # fmt: skip
def test_an_entry_that_cannot_stand(fields: dict[str, Any], name: str) -> None:
    here = hall()
    if fields.get("entered_by"):
        fields = {**fields, "entered_by": user()}
    refuses(lambda: row(here, **fields), name)


FACTS: dict[str, Any] = {
    "position": 2, "version": 2, "kind": "annulled", "hand_no": 2, "facts": sheet(40), "entered_side": "EW",
    "entered_at": AT.replace(year=2027), "device_time": "now", "reason": "changed",
}  # fmt: skip


@pytest.mark.parametrize("status", ["waiting", "effective", "superseded", "withdrawn"])
@pytest.mark.parametrize("field", FACTS)
def test_facts_of_an_entry_are_never_edited(field: str, status: str) -> None:
    here = hall()
    one = row(
        here, **({**CONFIRMED, "status": status} if status in ("effective", "superseded") else {"status": status})
    )
    refuses(change(one, **{field: FACTS[field]}), "ledgerentry_facts_stay")


STATUSES = ("waiting", "contesting", "effective", "superseded", "withdrawn", "returned", "overruled")
LAWFUL = {
    ("waiting", "effective"), ("waiting", "withdrawn"), ("waiting", "returned"), ("waiting", "overruled"),
    ("contesting", "effective"), ("contesting", "overruled"), ("effective", "superseded"),
}  # fmt: skip


@pytest.mark.parametrize("old", STATUSES)
@pytest.mark.parametrize("new", STATUSES)
def test_an_entry_moves_lawfully(old: str, new: str) -> None:
    here = hall()
    one = row(here, **({**CONFIRMED, "status": old} if old in ("effective", "superseded") else {"status": old}))
    more = {"confirmed_side": "EW", "confirmed_at": AT} if new == "effective" and old != "effective" else {}
    act = change(one, status=new, **(more if old in ("waiting", "contesting") else {}))
    if old == new or (old, new) in LAWFUL:
        act()
    else:
        refuses(act)


@pytest.mark.parametrize("field", ["confirmed_side", "confirmed_by", "confirmed_at", "basis"])
def test_who_confirmed_is_written_once(field: str) -> None:
    here = hall()
    values = {"confirmed_side": "", "confirmed_by": user(), "confirmed_at": AT.replace(year=2027), "basis": "ruling"}
    refuses(change(row(here, **CONFIRMED), **{field: values[field]}), "ledgerentry_confirmed_once")


def test_what_was_wrong_is_written_when_an_entry_is_sent_back() -> None:
    here = hall()
    one = row(here)
    refuses(change(one, sent_back_note="x"), "ledgerentry_sent_back_once")
    change(one, status="returned", sent_back_what="trump", sent_back_note="x")()
    refuses(change(one, sent_back_note="y"), "ledgerentry_sent_back_once")


def publication(here: Hall, number: int = 1, **more: Any) -> Publication:
    return Publication.objects.create(
        tournament=here.event, stage=here.stage, round=here.round, number=number, provisional=True, document="{}",
        digest="d", published_at=AT, published_by=here.organiser.user, **more,
    )  # fmt: skip


def note(here: Hall) -> HistoryEntry:
    return history.record(tournament=here.event, actor=here.chief, at=AT, act="start_round")


def pairing(here: Hall, number: int = 1, **more: Any) -> Pairing:
    return Pairing.objects.create(
        round=here.round, number=number, published_at=AT, published_by=here.organiser.user, **more
    )


def correction(here: Hall, **more: Any) -> Correction:
    fields = {
        "sitting_revision": 1,
        "facts": sheet(40),
        "reason": "r",
        "proposed_by": here.chief.user,
        "proposed_at": AT,
    }
    return Correction.objects.create(entry=row(here, **CONFIRMED), **{**fields, **more})


def rule_change(here: Hall, **more: Any) -> RuleChange:
    fields = {
        "old_spec": here.event.profile_spec,
        "old_digest": here.event.profile_digest,
        "new_spec": "scn2-2013",
        "new_digest": "another",
        "reason": "r",
        "differences": {},
        "needs_second": True,
        "proposed_by": here.organiser.user,
        "proposed_at": AT,
    }
    return RuleChange.objects.create(tournament=here.event, **{**fields, **more})


def ruling(here: Hall, number: int = 1, **more: Any) -> Ruling:
    fields = {
        "tournament": here.event, "sitting": here.sitting, "side": "NS", "source": "irregularity", "facts": {},
        "clause": "penalty.take_back.play", "clause_text": {}, "profile_digest": "d", "verdict": {},
        "proposed_by": here.referee.user, "proposed_at": AT,
    }  # fmt: skip
    return Ruling.objects.create(number=number, **{**fields, **more})


def ruling_act(here: Hall, **more: Any) -> RulingAct:
    fields = {"step": "propose", "at": AT, "user": here.referee.user}
    of = more.pop("ruling", None) or ruling(here)
    return RulingAct.objects.create(ruling=of, **{**fields, **more})


def appeal_member(here: Hall) -> AppealMember:
    return AppealMember.objects.create(act=ruling_act(here), user=here.chief.user)


KEPT: dict[str, tuple[Callable[[Hall], models.Model], dict[str, Any]]] = {
    "publication": (publication, {"document": "[]"}),
    "historyentry": (note, {"reason": "another"}),
    "pairing": (pairing, {"published_at": AT.replace(year=2027)}),
    "correction": (correction, {"facts": sheet(45)}),
    "rulechange": (rule_change, {"new_digest": "yet another"}),
    "ruling": (ruling, {"verdict": {"en": "another"}}),
    "rulingact": (ruling_act, {"reason": "another"}),
    "appealmember": (appeal_member, {"user": None}),
    "ledgerentry": (row, {"facts": sheet(45)}),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_is_neither_edited_nor_deleted(name: str) -> None:
    make, edit = KEPT[name]
    one = make(hall())
    refuses(change(one, **edit), name)
    refuses(delete(one), f"{name}_is_kept")


@pytest.mark.parametrize("name", KEPT)
def test_a_demonstration_may_be_deleted_but_not_edited(name: str) -> None:
    make, edit = KEPT[name]
    one = make(hall(event={"demo": True}))
    refuses(change(one, **edit), name)
    delete(one)()
    assert not type(one)._default_manager.filter(pk=one.pk).exists()


def test_a_tournament_does_not_become_a_demonstration() -> None:
    here = hall()
    refuses(change(here.event, demo=True), "tournament_demo_from_birth")
    change(tournament(demo=True), demo=False)()


@pytest.mark.parametrize(
    "fields", [{"profile_spec": "scn2-2013"}, {"profile_digest": "x"}, {"lot_seed": "x"}, {"lot_commitment": "x"}]
)
def test_the_rules_and_lots_of_a_tournament_stay(fields: dict[str, Any]) -> None:
    refuses(change(hall().event, **fields), "tournament_rules_stay")


def test_rules_move_only_where_the_newest_applied_change_leads() -> None:
    here = hall()
    new = {"profile_spec": "scn2-2013", "profile_digest": "another"}
    one = rule_change(here)
    refuses(change(here.event, **new), "tournament_rules_stay")
    change(one, status="applied", decided_at=AT, decided_by=here.chief.user)()
    refuses(change(here.event, **{**new, "profile_digest": "elsewhere"}), "tournament_rules_stay")
    refuses(change(here.event, **new, lot_seed="x"), "tournament_rules_stay")
    change(here.event, **new)()
    old = {"profile_spec": here.event.profile_spec, "profile_digest": here.event.profile_digest}
    refuses(change(here.event, **old), "tournament_rules_stay")


def test_a_change_of_rules_is_decided_once_and_by_another_where_that_is_asked() -> None:
    here = hall()
    one = rule_change(here)
    refuses(lambda: rule_change(here), "one_open_rule_change")
    refuses(change(one, status="applied", decided_at=AT), "rule_change_second_is_another")
    refuses(
        change(one, status="applied", decided_at=AT, decided_by=here.organiser.user), "rule_change_second_is_another"
    )
    refuses(change(one, status="refused"), "decided_rule_changes_are_dated")
    change(one, status="refused", decided_at=AT, decided_by=here.organiser.user)()
    refuses(change(one, status="proposed", decided_at=None), "rulechange_facts_stay")
    refuses(lambda: rule_change(here, reason=""), "rule_change_has_reason")
    refuses(lambda: rule_change(here, new_digest=here.event.profile_digest), "rule_change_changes")


def test_a_tournament_may_be_saved_whole_again() -> None:
    event = Tournament.objects.get(pk=tournament(profile={"base": "cn-national-2d", "set": {"score_cap": 200}}).pk)
    event.name = "Another"
    event.save()
    assert Tournament.objects.get(pk=event.pk).name == "Another"


def test_a_correction_is_decided_once_by_another_official() -> None:
    here = hall()
    one = correction(here)
    decided = {"decided_at": AT, "status": "applied"}
    refuses(change(one, **decided, decided_by=here.chief.user), "second_official_is_another")
    refuses(change(one, status="applied"), "decided_corrections_are_dated")
    change(one, **decided, decided_by=here.referee.user)()
    refuses(change(one, status="refused"), "correction_facts_stay")


RULING_STATES = ("proposed", "decided", "cancelled", "lodged", "upheld", "rejected")
RULING_MOVES = {
    ("proposed", "decided"), ("proposed", "cancelled"), ("decided", "lodged"), ("decided", "cancelled"),
    ("lodged", "upheld"), ("lodged", "rejected"), ("rejected", "cancelled"),
}  # fmt: skip


@pytest.mark.parametrize("old", RULING_STATES)
@pytest.mark.parametrize("new", RULING_STATES)
def test_a_ruling_moves_lawfully(old: str, new: str) -> None:
    here = hall()
    decision = {"decided_by": here.chief.user, "decided_at": AT, "appeal_until": AT}

    def columns(state: str) -> dict[str, Any]:
        appealed = state in ("lodged", "upheld", "rejected")
        return {"status": "decided" if appealed else state} | ({"appeal": state} if appealed else {})

    one = ruling(here, **columns(old), **({} if old in ("proposed", "cancelled") else decision))
    moved = columns(new) | (decision if (old, new) == ("proposed", "decided") else {})
    if old == new or (old, new) in RULING_MOVES:
        change(one, **moved)()
    else:
        refuses(change(one, **{"appeal": "none", **moved}))


@pytest.mark.parametrize("field", ["penalty", "decided_at", "appeal_until", "clause", "side", "number"])
def test_a_decided_ruling_is_not_decided_again(field: str) -> None:
    here = hall()
    values = {"penalty": {"unit": "warning"}, "clause": "another", "side": "EW", "number": 2}
    decided = {"status": "decided", "decided_by": here.chief.user, "decided_at": AT, "appeal_until": AT}
    refuses(change(ruling(here, **decided), **{field: values.get(field, AT.replace(year=2027))}), "ruling_")


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"clause": ""}, "ruling_cites_a_clause"),
        ({"number": 0}, "ruling_number_positive"),
        ({"status": "decided"}, "decided_rulings_are_dated"),
        ({"status": "decided", "decided_at": AT}, "ruling_decision_whole"),
        ({"penalty": {"unit": "warning"}}, "ruling_decision_whole"),
        ({"appeal": "lodged"}, "only_decided_rulings_are_appealed"),
    ],
)
def test_a_ruling_that_cannot_stand(fields: dict[str, Any], name: str) -> None:
    here = hall()
    refuses(lambda: ruling(here, **fields), name)


def test_acts_of_a_ruling_have_an_actor_a_reason_and_come_once() -> None:
    here = hall()
    one = ruling_act(here)
    refuses(lambda: ruling_act(here, ruling=one.ruling), "ruling_step_once")
    refuses(lambda: ruling_act(here, ruling=one.ruling, step="cancel"), "ruling_act_has_reason")
    refuses(lambda: ruling_act(here, ruling=one.ruling, step="decide", user=None), "ruling_act_has_an_actor")


def test_a_ruling_stays_in_its_tournament_and_at_its_table() -> None:
    here, there = hall(), hall()
    refuses(lambda: ruling(here, sitting=there.sitting), "ruling_in_its_tournament")
    refuses(lambda: ruling(here, entry=row(there)), "ruling_in_its_tournament")
    ruling(here, entry=row(here))
    refuses(lambda: ruling(here), "ruling_number_once")


def test_one_correction_of_an_entry_is_open_and_has_a_reason() -> None:
    here = hall()
    one = correction(here)
    fields = {"entry": one.entry, "sitting_revision": 1, "facts": {}, "proposed_by": here.chief.user, "proposed_at": AT}
    refuses(lambda: Correction.objects.create(**fields, reason="r"), "one_open_correction")
    refuses(lambda: Correction.objects.create(**fields, reason="", status="refused", decided_at=AT), "has_reason")


@pytest.mark.parametrize("place", [("home", "home"), ("home", "away"), ("away", "home"), ("away", "away")])
def test_an_entrant_meets_one_other_in_a_round(place: tuple[str, str]) -> None:
    here = hall()
    busy = {"home": here.sitting.match.home, "away": here.sitting.match.away}[place[0]]
    free = entrant(here.event, 9)
    pair = {"home": busy, "away": free} if place[1] == "home" else {"home": free, "away": busy}
    refuses(lambda: Match.objects.create(round=here.round, number=2, **pair))
    other = Match.objects.create(round=here.round, number=2, home=free, away=entrant(here.event, 10))
    refuses(change(other, **{place[1]: busy}))
    following = Round.objects.create(tournament=here.event, stage=here.stage, number=2)
    Match.objects.create(round=following, number=1, **pair)


def test_a_replaced_match_leaves_its_entrants_free() -> None:
    here = hall()
    match = here.sitting.match
    change(match, superseded_in=pairing(here))()
    Match.objects.create(round=here.round, number=1, home=match.away, away=match.home)
    refuses(change(match, superseded_in=None))


@pytest.mark.parametrize(
    "fields",
    [
        {"outcome": "played"},
        {"outcome": "played", "home_hundredths": 200},
        {"home_hundredths": 200},
        {"outcome": "bye", "home_hundredths": 200},
    ],
)
def test_a_match_result_is_complete(fields: dict[str, Any]) -> None:
    refuses(change(hall().sitting.match, **fields), "match_result_complete")


def test_nothing_joins_two_tournaments() -> None:
    here, there = hall(), hall()
    stranger = entrant(there.event, 9)
    table = Table.objects.get(tournament=there.event)
    match = Match.objects.create(round=here.round, number=5, home=entrant(here.event, 7), away=entrant(here.event, 8))
    refuses(lambda: row(here, tournament=there.event), "ledgerentry_in_its_tournament")
    refuses(
        lambda: Match.objects.create(round=here.round, number=9, home=stranger, away=entrant(here.event, 9)),
        "match_in_its_tournament",
    )
    refuses(change(match, away=stranger), "match_in_its_tournament")
    refuses(
        lambda: Sitting.objects.create(match=match, round=here.round, table=table, opening={}),
        "sitting_in_its_tournament",
    )
    refuses(lambda: Round.objects.create(tournament=here.event, stage=there.stage, number=9), "round_in_its_tournament")


def test_one_round_runs_and_its_times_match() -> None:
    here = hall()
    refuses(lambda: round_(here.stage, number=2), "one_round_runs")
    refuses(change(here.round, closed_at=AT), "round_times_match_status")
    refuses(lambda: round_(here.stage, status="draft"), "round_number_once")


def test_places_tables_offices_and_keys_are_held_once() -> None:
    here = hall()
    refuses(lambda: device(here.sitting, "NS"), "one_device_a_place")
    Device.objects.filter(side="NS").update(released_at=AT)
    device(here.sitting, "NS")
    match = Match.objects.create(round=here.round, number=2, home=entrant(here.event, 8), away=entrant(here.event, 9))
    places = {"match": match, "round": here.round, "table": here.sitting.table, "opening": {}}
    refuses(lambda: Sitting.objects.create(**places), "table_once_a_round")
    refuses(
        lambda: Official.objects.create(
            tournament=here.event, user=here.chief.user, office="chief_referee", appointed_at=AT
        ),
        "one_office_once",
    )
    kept = {"scope": "user:1", "key": "k", "request_digest": "d", "saved_at": AT}
    SavedAnswer.objects.create(**kept)
    refuses(lambda: SavedAnswer.objects.create(**kept), "key_used_once")


def test_numbers_of_entrants_and_publications_are_used_once() -> None:
    here = hall()
    refuses(lambda: entrant(here.event, 1), "entrant_number_once")
    refuses(lambda: entrant(here.event, 0), "entrant_number_positive")
    refuses(lambda: Entrant.objects.create(tournament=here.event, number=8, name=""), "entrant_has_name")
    first = publication(here)
    refuses(lambda: publication(here), "publication_number_once")
    refuses(lambda: publication(here, 2, supersedes=first), "superseding_publication_has_reason")
    refuses(lambda: pairing(here, 2), "superseding_pairing_has_reason")


def test_every_guard_stands() -> None:
    """A later migration that remakes a table on SQLite would drop its triggers: this test would tell."""
    modules = [import_module(f"tournaments.migrations.{found.name}") for found in iter_modules(migrations.__path__)]
    names = {guard.name for module in modules for guard in getattr(module, "GUARDS", ())}
    assert {"ledgerentry_is_kept", "drawnlots_is_kept"} <= names
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        standing = {name for (name,) in cursor.fetchall()}
    assert names <= standing


def test_a_count_of_acts_only_grows_and_stays() -> None:
    here = hall()
    count = StaleCount.objects.create(tournament=here.event, slot=3, number=5)
    StaleCount.objects.filter(pk=count.pk).update(number=6)
    refuses(lambda: StaleCount.objects.filter(pk=count.pk).update(number=5), "stalecount_only_grows")
    refuses(lambda: StaleCount.objects.filter(pk=count.pk).update(slot=4), "stalecount_only_grows")
    refuses(lambda: StaleCount.objects.filter(pk=count.pk)._raw_delete("default"), "stalecount_is_kept")
    refuses(lambda: StaleCount.objects.create(tournament=here.event, slot=3), "one_stale_count_a_slot")
