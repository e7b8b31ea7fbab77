"""The log of an event: what every act leaves in it, its numbers and heads, and every bent row found."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.test import override_settings

from tests.tournaments.log.tampering import edited, without_guards
from tests.tournaments.log.wide import EVENTS, demonstration
from tests.tournaments.playing import Event, event
from tournaments.acts import leaves, protected
from tournaments.acts.admission import Actor
from tournaments.audit.record import event_json
from tournaments.log import beginning, checking, heads, numbering
from tournaments.models import Entrant, LedgerEntry, LogHead, LogLeaf, Office, Official, Player, Tournament
from tournaments.people.erasure import erase_person
from tournaments.transfer.imports import import_event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

AT = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _heads_of_this_test(tmp_path: Path, settings: object):
    settings.HEADS = tmp_path / "heads"  # type: ignore[attr-defined]


def found(made: Tournament) -> list[str]:
    return [one.code for one in checking.check(made)]


def test_every_model_is_protected_or_said_why_not():
    models = {one.__name__ for one in apps.get_app_config("tournaments").get_models()}
    through = {one.model.__name__ for one in protected.ALL if one.model._meta.auto_created}
    known = {one.model.__name__ for one in protected.ALL}
    assert models == (known - through) | set(protected.OUTSIDE)
    assert not known & set(protected.OUTSIDE)


@pytest.mark.long
def test_an_event_made_by_acts_is_explained_by_its_log_before_and_after_it_is_numbered():
    made = demonstration()
    assert found(made) == []
    count = LogLeaf.objects.filter(tournament=made).count()
    assert numbering.number_all(at=AT) == count > 100
    assert numbering.number_all(at=AT) == 0
    assert found(made) == []
    assert [one.size for one in heads.in_file(made)] == [count]
    # what no act wrote is found in each of the three ways
    with without_guards_where_they_are():
        LedgerEntry.objects.filter(tournament=made).update(reason="?")
        assert "value_changed" in found(made)


class without_guards_where_they_are:
    """On SQLite the guards are taken down for the block; all of it is taken back."""

    def __enter__(self) -> None:
        self.inside = transaction.atomic()
        self.inside.__enter__()
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL session_replication_role = replica")
                return
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')

    def __exit__(self, *raised: object) -> None:
        transaction.set_rollback(True)
        self.inside.__exit__(None, None, None)


def test_names_stand_in_the_log_as_commitments_only():
    made = event(pairs=2)
    texts = "".join(LogLeaf.objects.filter(tournament=made.tournament).values_list("body", flat=True))
    names = [one for row in Entrant.objects.all() for one in (row.name, row.name_latin) if one]
    assert names
    assert [one for one in (*names, made.tournament.name) if one in texts] == []


def test_a_leaf_says_what_was_written_and_opens_with_its_salt():
    made = event(pairs=2)
    leaf = LogLeaf.objects.filter(tournament=made.tournament, body__contains='["entrant","+"').order_by("pk")[0]
    body, salts = json.loads(leaf.body), json.loads(leaf.salts)
    table, how, columns, rows = next(one for one in body["rows"] if one[0] == "entrant")
    row = Entrant.objects.get(pk=rows[0][0])
    said = dict(zip(columns, rows[0][1:], strict=True))
    assert (table, how, said["number"]) == ("entrant", "+", row.number)
    assert said["name"] == leaves.commitment(salts[f"entrant.{row.pk}"], f"entrant.{row.pk}.name", row.name)
    assert said["name"] != leaves.commitment(salts[f"entrant.{row.pk}"], f"entrant.{row.pk}.name", row.name + " ")


def test_a_name_is_erased_and_every_leaf_stays_as_it_is():
    made = event(pairs=2)
    player = Player.objects.filter(entrant__tournament=made.tournament).first()
    assert player is not None
    before = dict(LogLeaf.objects.values_list("pk", "body"))
    salts = "".join(LogLeaf.objects.values_list("salts", flat=True))
    assert f'"player.{player.pk}"' in salts
    erase_person(player_id=player.pk, actor=made.actor, at=made.tick())
    kept = LogLeaf.objects.filter(pk__in=before).values_list("salts", flat=True)
    assert f'"player.{player.pk}"' not in "".join(kept)
    assert {pk: body for pk, body in LogLeaf.objects.values_list("pk", "body") if pk in before} == before
    assert checking.check(made.tournament) == []


def test_the_database_itself_keeps_the_log():
    made = event(pairs=2).tournament
    numbering.number_all(at=AT)
    leaf, head = LogLeaf.objects.filter(tournament=made), LogHead.objects.filter(tournament=made)
    for edit in (
        lambda: leaf.update(body="{}"),
        lambda: leaf.filter(number=1).update(number=None),
        lambda: leaf.filter(number=1).delete(),
        lambda: head.update(root="0" * 64),
        lambda: head.delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            edit()


def test_an_event_read_from_a_file_begins_a_log_of_its_own():
    made = event(pairs=2)
    data = event_json(made.tournament, official=True, names=True, at=AT)
    assert isinstance(made.actor, Actor)
    taken = import_event(data=data, actor=made.actor, at=made.tick(), slug="taken")
    assert taken.tournament is not None
    assert found(taken.tournament) == []
    assert LogLeaf.objects.filter(tournament=taken.tournament).exists()


def test_an_event_from_before_there_was_a_log_begins_one():
    made = event(pairs=2).tournament
    with connection.cursor() as cursor, without_guards_where_they_are():
        cursor.execute("DELETE FROM tournaments_logleaf")
        assert beginning.begin_missing(at=AT) == 1
        assert found(made) == []
        assert beginning.begin_missing(at=AT) == 0


def test_what_an_older_key_signed_is_believed_when_it_was_written_down():
    made = event(pairs=2).tournament
    numbering.number_all(at=AT)
    with override_settings(SECRET_KEY="another key of the installation, 0123456789"):
        assert found(made) == []
        (Path(heads.file_of(made)).parent / "keys").unlink()
        assert set(found(made)) >= {"leaf_not_signed", "head_not_signed"}


def test_a_log_that_is_gone_is_missed_by_the_file_of_heads():
    made = event(pairs=2).tournament
    numbering.number_all(at=AT)
    with without_guards_where_they_are():
        LogLeaf.objects.all()._raw_delete(connection.alias)
        LogHead.objects.all()._raw_delete(connection.alias)
        assert set(found(made)) == {"log_gone", "log_cut"}


@pytest.mark.parametrize("column", ["root", "signature", "frontier"])
def test_a_bent_head_is_found_though_the_file_has_it_whole(column: str):
    made = event(pairs=2).tournament
    numbering.number_all(at=AT)
    head = LogHead.objects.get(tournament=made)
    bent = {"root": head.root[::-1], "signature": head.signature[::-1], "frontier": json.dumps([head.root[::-1]])}
    with without_guards_where_they_are():
        LogHead.objects.update(**{column: bent[column]})
        assert found(made) != []


def test_a_head_that_a_crash_kept_from_the_file_is_written_with_the_next():
    made = event(pairs=2)
    numbering.number_all(at=AT)
    heads.file_of(made.tournament).unlink()
    official = Official.objects.filter(tournament=made.tournament, office=Office.ORGANISER).first()
    assert official is not None
    made.tournament.refresh_from_db()
    act_again(made)
    numbering.number_all(at=AT + timedelta(seconds=5))
    assert len(list(heads.in_file(made.tournament))) == 2


def act_again(made: Event) -> None:
    from tournaments.people.entrants import add_entrant

    add_entrant(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), name="Late / 迟到")


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.parametrize("seed", range(5))
def test_edits_behind_the_back_of_the_service_are_found(seed: int):
    tampered(seed, 60)


@pytest.mark.long
def test_every_protected_table_has_rows_in_some_event():
    made = [build() for build in EVENTS.values()]
    for kept in protected.ALL:
        assert any(kept.model._default_manager.filter(**{kept.event: one.pk}).exists() for one in made), kept.table
    assert [found(one) for one in made] == [[]] * len(made)


def tampered(seed: int, count: int) -> Counter[tuple[str, str, str]]:
    """Make so many edits, each alone, to an event chosen by the seed, and find every one. What was edited, by kind,
    table and column."""
    build = list(EVENTS.values())[seed % len(EVENTS)]
    made, chance, seen = build(), Random(seed), Counter[tuple[str, str, str]]()
    numbering.number_all(at=AT)
    assert found(made) == []
    while seen.total() < count:
        with without_guards():
            edit = edited(made, chance)
            if edit is None:
                continue
            assert checking.check(made), f"nobody saw: {edit} (seed {seed}, edit {seen.total()})"
            seen[edit.kind, edit.table, edit.column] += 1
    assert found(made) == []
    return seen


def test_a_head_that_was_cut_off_in_the_file_is_written_again_on_a_line_of_its_own():
    made = event(pairs=2).tournament
    numbering.number_all(at=AT)
    path = heads.file_of(made)
    whole = path.read_bytes()
    for left in (whole[:-20], whole[:-1] + b"\0" * 30):
        path.write_bytes(left)
        heads.keep(made)
        assert [one.size for one in heads.in_file(made)] == [LogHead.objects.get(tournament=made).size]
