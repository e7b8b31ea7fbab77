"""Whole events from their files: what comes in comes out again, and what is wrong is refused with its place."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.factories import AT, device, sheet, user
from tests.tournaments.playing import Event, event, sittings_of
from tests.tournaments.test_audit import played
from tests.tournaments.test_json_members import Counted
from tournaments.acts.access import Act
from tournaments.acts.admission import SYSTEM, Actor, allowed
from tournaments.acts.doorbell import stale_number
from tournaments.acts.errors import Refusal
from tournaments.acts.origins import document_of, runs_of, translated
from tournaments.acts.text import canonical_json
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document, event_json, file_digest, record_digest
from tournaments.audit.sections import EVENT_OFFICIAL, EVENT_PUBLIC, SECTIONS
from tournaments.ledger import scorekeeping
from tournaments.models import BoardResult, Entrant, HistoryEntry, Official, Publication, StandingsRun, Tournament, User
from tournaments.people import entrants
from tournaments.people.erasure import erase_person
from tournaments.rounds.acts import create_round
from tournaments.standings.runs import publish, recalculate, verify
from tournaments.standings.shown import live_standings, publication_rows
from tournaments.transfer.imports import BadFile, import_event
from tournaments.transfer.whole_events import read_event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"[" * 100_000, "not_json"),
        (b'{"a":' * 100_000, "not_json"),
        (b"9" * 10_000_000, "not_json"),
        (b'{"format":1e999}', "not_json"),
        (b'{"format":-1e999}', "not_json"),
        (b'{"matches":[' + b"[]," * 1_000_000 + b"[]]}", "not_this_version"),
        (b'{"matches":[' + b'{"id":1},' * 1_000_000 + b"{}]}", "not_this_version"),
        (b'{"other":[' + b"1," * 1_000_000 + b"1]}", "not_this_version"),
        (b'{"names":{' + b'"a":1,' * 1_000_000 + b'"a":1}}', "file_too_large"),
        (b'{"names":' + b"[" * 100_000, "not_json"),
        (b"\x1f\x8b\x08 packed", "not_json"),
        (b'{"format":"\\ud800"}', "bad_text"),
        (b"\xff\xfe{}", "not_json"),
        (b"", "not_json"),
    ],
    ids=range(14),
)
def test_a_file_that_only_costs_is_given_up_early(data: bytes, code: str) -> None:
    pieces = Counted(data)
    assert [one.code for one in read_event(pieces).findings] == [code]
    assert pieces.read <= 4_000_000


def export_of(made: Event) -> bytes:
    made.tournament.refresh_from_db()
    return event_json(made.tournament, official=True, names=True, at=made.now)


@functools.cache
def exported() -> bytes:
    """An export of a played event, made once: the file does not care which database it is read into."""
    return export_of(played())


def written(document: dict[str, Any]) -> bytes:
    """A document with digests that fit it, as somebody who forges one would write it."""
    document["digest"] = record_digest(document)
    document["file_digest"] = file_digest(document)
    return canonical_json(document).encode()


def read(data: bytes, made: Event, **more: Any) -> Tournament:
    found = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept", **more).tournament
    assert found is not None
    return found


def everything() -> dict[str, int]:
    """How many rows there are of everything an import writes."""
    models = [Tournament, User, *(section.model for section in SECTIONS)]
    return {model.__name__: model._default_manager.count() for model in models}


@pytest.mark.long
def test_what_comes_in_comes_out_again_byte_for_byte() -> None:
    made = played()
    data = export_of(made)
    kept = read(data, made)
    stated = datetime.fromisoformat(json.loads(data)["exported_at"])
    assert event_json(kept, official=True, names=True, at=stated) == data
    assert audit(event_document(kept, official=True)) == audit(event_document(kept)) == []
    # and once more, from the record itself
    assert json.loads(event_json(Tournament.objects.get(slug="kept")))["tournament"]["slug"] == made.tournament.slug
    third = import_event(
        data=event_json(kept, official=True, names=True), actor=made.actor, at=made.tick(), slug="third"
    ).tournament
    assert third is not None
    assert event_document(third, official=True, names=True) == event_document(kept, official=True, names=True)


@pytest.mark.long
def test_what_was_exported_in_the_middle_of_play_comes_in() -> None:
    """A match just ended, whose recalculation is still to come, one that waits and one in dispute."""
    made = event(6)
    places = sittings_of(made.running((1, 2), (3, 4), (5, 6)))
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    for captured, place in zip((80, 120, 45), places, strict=True):
        made.hand(place, captured)
    made.end(places[0])
    for place in places[1:]:
        place.refresh_from_db()
        ns, ew = (Actor(device=device(place, side)) for side in ("NS", "EW"))
        facts: dict[str, Any] = {"sitting_id": place.pk, "at": made.tick(), "hand_no": place.hand_no}
        scorekeeping.record_hand(actor=ns, facts=sheet(60), **facts)
        if place is places[2]:
            scorekeeping.record_hand(actor=ew, facts=sheet(65), **facts)
    assert StandingsRun.objects.get().covers < stale_number(Tournament.objects.get().pk)
    data = export_of(made)
    assert audit(json.loads(data)) == []
    kept = read(data, made)
    assert audit(event_document(kept, official=True)) == []
    assert StandingsRun.objects.get(stage__tournament=kept).covers == stale_number(kept.pk)


def test_pages_of_a_record_show_its_own_entrants() -> None:
    made = played()
    data = export_of(made)
    kept = read(data, made)
    assert kept.pk != made.tournament.pk
    for was, now in zip(made.tournament.publications.all(), kept.publications.all(), strict=True):
        assert (was.document, was.digest) == (now.document, now.digest)
        names = [[row.entrant.name for row in publication_rows(one)] for one in (was, now)]
        assert names[0] == names[1]
        assert {row.entrant.tournament_id for row in publication_rows(now)} == {kept.pk}
        question = document_of(kept, now)["tables"][0]["question"]
        assert set(question["entrants"]) <= set(kept.entrants.values_list("pk", flat=True))
        assert all(one["home"] in question["entrants"] for one in question["results"])
        assert verify(now) == {"digest": True, "rows": True}
    live = live_standings(kept.stages.get())
    assert [row.entrant.number for row in live.rows] == [
        row.entrant.number for row in live_standings(made.tournament.stages.get()).rows
    ]
    assert live.fresh
    assert {row.entrant.tournament_id for row in live.rows} == {kept.pk}


def test_a_record_is_not_gone_on_with() -> None:
    made = played()
    kept = read(export_of(made), made)
    assert allowed(made.actor, Act.SEE_DESK, tournament=kept)
    assert not allowed(made.actor, Act.PUBLISH, tournament=kept)
    for act in (
        lambda: create_round(tournament_id=kept.pk, actor=made.actor, at=made.tick()),
        lambda: entrants.add_entrant(tournament_id=kept.pk, actor=made.actor, at=made.tick(), name="Late"),
        lambda: publish(
            stage_id=kept.stages.get().pk, round_id=kept.rounds.last().pk, actor=made.actor, at=made.tick()
        ),
    ):
        with pytest.raises(Refusal, match="event_is_a_record"):
            act()
    # a person may still be erased, and every digest holds
    player = kept.entrants.get(number=1).players.first()
    erase_person(player_id=player.pk, actor=made.actor, at=made.tick())
    kept.refresh_from_db()
    assert audit(event_document(kept, official=True)) == []


def test_who_imports_it_is_its_organiser_and_nobody_in_it_can_sign_in() -> None:
    made = played()
    data = export_of(made)
    someone = user("archivist")
    kept = import_event(data=data, actor=Actor(user=someone), at=made.tick(), slug="kept").tournament
    assert allowed(Actor(user=someone), Act.EXPORT_NAMES, tournament=kept)
    people = User.objects.filter(offices__tournament=kept).exclude(pk=someone.pk)
    assert people
    assert not any(one.is_active or one.has_usable_password() for one in people)
    assert {str(one) for one in people} == {str(one.user) for one in made.tournament.officials.all()}
    assert HistoryEntry.objects.filter(tournament=kept, act=Act.IMPORT_EVENT, user=someone).count() == 1
    assert not allowed(made.actor, Act.SEE_DESK, tournament=kept)
    with pytest.raises(Refusal, match="forbidden"):
        import_event(data=data, actor=Actor(), at=made.tick(), slug="other")


@pytest.mark.long
def test_a_dry_run_tells_the_same_and_writes_nothing() -> None:
    made = played()
    data = export_of(made)
    before = everything()
    dry = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept", dry_run=True)
    assert everything() == before
    assert dry.tournament is None
    assert (dry.slug, dry.counts["matches"], dry.certificate.clean) == ("kept", 7, True)
    wet = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept")
    assert (wet.counts, wet.digest, wet.certificate) == (dry.counts, dry.digest, dry.certificate)
    with pytest.raises(Refusal, match="slug_taken"):
        import_event(data=data, actor=made.actor, at=made.tick(), slug="kept")
    with pytest.raises(Refusal, match="slug_taken"):
        import_event(data=data, actor=made.actor, at=made.tick())


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        (lambda d: d.update(format="referee/event/9"), "unknown_format", "format"),
        (lambda d: d.update(scope="public"), "not_official", "scope"),
        (lambda d: d.pop("names"), "no_names", "names"),
        (lambda d: d.update(extra=1), "unknown_field", "extra"),
        (lambda d: d.pop("ledger"), "missing", "ledger"),
        (lambda d: d.update(matches={}), "missing", "matches"),
        (lambda d: d["matches"].append(7), "wrong_type", "matches[7]"),
        (lambda d: d["matches"][3].pop("slot"), "missing", "matches[3].slot"),
        (lambda d: d["matches"][3].update(price=1), "unknown_field", "matches[3].price"),
        (lambda d: d["matches"][3].update(number="4"), "bad_value", "matches[3].number"),
        (lambda d: d["matches"][3].update(number=True), "bad_value", "matches[3].number"),
        (lambda d: d["matches"][3].update(number=-1), "bad_value", "matches[3].number"),
        (lambda d: d["matches"][3].update(number=2**70), "bad_value", "matches[3].number"),
        (lambda d: d["matches"][3].update(outcome="tea"), "bad_value", "matches[3].outcome"),
        (lambda d: d["matches"][3].update(home_id=999), "points_nowhere", "matches[3].home_id"),
        (lambda d: d["matches"][3].update(id=d["matches"][2]["id"]), "id_twice", "matches[3].id"),
        (lambda d: d["entrants"][0].pop("excluded_at"), "missing", "entrants[0].excluded_at"),
        (lambda d: d["entrants"][0].update(excluded_at=d["exported_at"]), "bad_value", "entrants[0].excluded_at"),
        (lambda d: d["entrants"].append(7), "wrong_type", "entrants[7]"),
        (lambda d: d["ledger"][0].update(entered_at="yesterday"), "bad_value", "ledger[0].entered_at"),
        (lambda d: d["ledger"][0].update(entered_at="2026-05-01T09:00:00"), "bad_value", "ledger[0].entered_at"),
        (lambda d: d["ledger"][0].update(sitting_id=None), "bad_value", "ledger[0].sitting_id"),
        (lambda d: d["stages"][0].update(plan={"groups": 0}), "out_of_range", "stages[0].plan.groups"),
        (lambda d: d["tournament"].update(slug="x" * 90), "bad_value", "tournament.slug"),
        (lambda d: d["tournament"].update(starts_on="May"), "bad_value", "tournament.starts_on"),
        (lambda d: d["names"].update(more={}), "unknown_field", "names"),
        (lambda d: d["names"]["entrants"].popitem(), "names_differ", "names.entrants."),
        (lambda d: d["names"]["tournament"].update(name=""), "empty", "names.tournament.name"),
        (lambda d: d["names"]["officials"].update({"777": "X"}), "names_differ", "names.officials.777"),
        (lambda d: d["names"]["tournament"].update(name="a\u202eb"), "hidden_characters", "names.tournament.name"),
        (lambda d: d["history"][0].update(user_id=0), "bad_value", "history[0].user_id"),
        (lambda d: d["sittings"][0]["state"]["levels"].update(NS="K"), "audit_differs", "round 1 table 1"),
        (lambda d: d["ledger"][0].update(status="waiting"), "audit_differs", "round 1 table 1"),
        (lambda d: d["matches"][0].update(number=d["matches"][1]["number"]), "audit_differs", "round 1 pairing 1"),
        (lambda d: d["sittings"][0].update(round_id=d["rounds"][1]["id"]), "database_refuses", ""),
        (lambda d: d["entrants"].reverse(), "not_the_same", "entrants[0].id"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_with_its_place(change: Change, code: str, path: str) -> None:
    document = json.loads(exported())
    change(document)
    someone = Actor(user=user())
    before = everything()
    with pytest.raises(BadFile) as refused:
        import_event(data=written(document), actor=someone, at=AT, slug="kept")
    assert (refused.value.code, refused.value.field) == (code, path) or (
        refused.value.code == code and path.endswith(".") and refused.value.field.startswith(path)
    )
    assert refused.value.message["en"]
    assert refused.value.message["zh"]
    assert everything() == before


def test_a_changed_file_is_refused_by_its_digest() -> None:
    document = json.loads(exported())
    document["history"][0]["reason"] = "another"
    with pytest.raises(BadFile) as refused:
        import_event(data=canonical_json(document).encode(), actor=Actor(user=user()), at=AT, slug="kept")
    assert [one.code for one in refused.value.findings] == ["digest_differs", "digest_differs"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b"[" * 100_000, "not_json"),
        (b"[NaN]", "not_json"),
        (b'{"a": 1', "not_json"),
        (b'"\\u0000"', "bad_text"),
        (b'"\\ud800"', "bad_text"),
        (b"[]", "not_an_event"),
        (b"{}", "unknown_format"),
        (b'{"format": "referee/event/1"}', "unknown_format"),
        (b"9" * 10_000, "not_json"),
    ],
)
def test_what_is_no_event_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(BadFile) as refused:
        import_event(data=data, actor=Actor(user=user()), at=AT, slug="kept")
    assert refused.value.code == code


@pytest.mark.long
def test_an_event_in_play_is_kept_with_what_waits_and_its_drafts() -> None:
    made = event(4, stage={"format": "rr", "rounds_planned": 3})
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    made.hand(sitting, 35)
    made.paired((1, 3), (2, 4))
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    data = export_of(made)
    kept = read(data, made)
    assert json.loads(data)["digest"] == event_document(kept, official=True)["digest"]
    assert [one.status for one in kept.rounds.all()] == ["running", "draft"]
    assert kept.lot_seed == ""


def test_every_column_of_an_event_is_exported_or_left_out_on_purpose() -> None:
    apart = {
        "entrants": {"name", "name_latin", "unit", "external_id"},
        # phones are no part of a record
        "ledger": {"entered_device_id", "confirmed_device_id"},
        # what is said and tried at a table before it counts
        "sittings": {"over_side", "over_at", "over_revision", "pin_hand", "wrong_pins"},
        # who may still make links for an account: nobody, where the event is a record only
        "officials": {"made_account"},
        # how a closing is taken back, which of a record it never is; the history tells it and why a board was adjusted
        "rounds": {"stood_since", "built_before", "grounds"},
        "ruling_acts": {"forfeited"},
        "board_results": {"mark_reason", "mark_clause"},
        # with it and the key of the installation the deals could be read
        "deals": {"nonce"},
    }
    for section in SECTIONS:
        columns = {column.attname for column in section.model._meta.concrete_fields} - {"tournament_id"}
        assert set(section.columns(official=True)) == columns - apart.get(section.name, set()), section.name
    columns = {column.attname for column in Tournament._meta.concrete_fields}
    left_out = {"name", "name_latin", "place", "lot_seed", "demo", "imported_at", "built_number"}
    # what is asked of accounts here says nothing of the event
    left_out.add("second_factor")
    # where it is written is said of this installation
    left_out |= {"elsewhere", "moved_to"}
    assert {*EVENT_PUBLIC, *EVENT_OFFICIAL} == columns - left_out


def test_what_older_exports_had_in_every_row_still_stands_there() -> None:
    """Else what was imported before would come out with other digests."""
    for row in event_document(event(4).tournament)["entrants"]:
        assert row["excluded_at"] is None
        assert row.keys() == {
            "id", "number", "seed", "category", "withdrawn_at", "annulled_in_id", "excluded_at"
        }  # fmt: skip


def test_runs_of_ids() -> None:
    pairs = [(1, 11), (2, 12), (3, 14), (7, 15), (8, 16)]
    runs = runs_of(pairs)
    assert runs == [[1, 11, 2], [3, 14, 1], [7, 15, 2]]
    assert [translated(one, runs) for one, _ in pairs] == [other for _, other in pairs]
    for unknown in (0, 4, 6, 9):
        with pytest.raises(KeyError):
            translated(unknown, runs)


def test_ids_go_on_after_those_that_were_read() -> None:
    """What is made after an import has an id of its own, on both databases."""
    made = played()
    kept = read(export_of(made), made)
    later = Entrant.objects.create(tournament=made.tournament, number=99, name="Later")
    assert later.pk > max(kept.entrants.values_list("pk", flat=True))
    assert Publication.objects.count() == 4
    assert Official.objects.filter(tournament=kept).count() == made.tournament.officials.count() + 1


def test_why_a_board_was_adjusted_comes_along() -> None:
    """The export tells it in the history only; here it stands with the board."""
    data = (Path(__file__).parents[1] / "cases" / "exports" / "teams.json").read_bytes()
    told = [one for one in json.loads(data)["history"] if one["act"] == "adjust_board" and one["new"]]
    import_event(data=data, actor=SYSTEM, at=AT)
    kept = BoardResult.objects.exclude(ns_mark=None)
    assert told
    assert [(one.mark_reason, one.mark_clause) for one in kept] == [
        (one["reason"], one["new"]["clause"]) for one in told
    ]
