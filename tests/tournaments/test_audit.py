"""Exports of whole events, and the audit that works them out again."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from scoring.profiles import load
from tests.conftest import ROOT
from tests.tournaments.factories import device, sheet
from tests.tournaments.playing import SEED, Event, event, sittings_of
from tests.worlds import kept
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Refusal
from tournaments.acts.text import canonical_json
from tournaments.audit.audit import NotAnEvent, audit, certify
from tournaments.audit.certificate import Certificate, Difference
from tournaments.audit.record import event_document, event_json, file_digest, record_digest
from tournaments.demo import rows
from tournaments.events import rule_changes
from tournaments.ledger import corrections, officials_entries, scorekeeping
from tournaments.models import Entrant, LedgerEntry, Sitting, Tournament
from tournaments.people.erasure import erase_person
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import closing
from tournaments.rulings import given_penalties
from tournaments.rulings.log import decide, propose
from tournaments.standings.runs import publish, recalculate
from tournaments.standings.tables import rows_of_question

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@kept
def played() -> Event:
    """Two rounds with digs, an annulled hand, a penalty, a correction, a forfeit, a bye and a withdrawal; published."""
    made = event(7, stage={"rounds_planned": 2, "chain": ["points", "opponents", "wins", "lots"]})
    first = made.running((1, 2), (3, 4), (5, 6), (7, None))
    one, two, three = sittings_of(first)
    made.hand(one, 60, last_trick_winner="attackers", led=[{"type": "pair"}], kitty_points=20)
    made.hand(one, 35)
    one.refresh_from_db()
    scorekeeping.record_hand(
        sitting_id=one.pk,
        actor=made.actor,
        at=made.tick(),
        facts={"kind": "annulled", "reason": "misdeal"},
        hand_no=one.hand_no,
        basis="watched",
    )
    one.refresh_from_db()
    given_penalties.penalise_level(
        sitting_id=one.pk,
        actor=made.actor,
        at=made.tick(),
        expected_revision=one.revision,
        side="EW",
        levels=-1,
        reason="took back a card",
        clause="penalty.take_back.play",
    )
    made.end(one)
    made.hand(two, 35)
    officials_entries.forfeit(
        match_id=three.match_id, actor=made.actor, at=made.tick(), outcome="away_forfeit", reason="not seated"
    )
    entry = LedgerEntry.objects.filter(sitting=two).get()
    two.refresh_from_db()
    corrections.correct(
        entry_id=entry.pk,
        actor=made.actor,
        at=made.tick(),
        expected_revision=two.revision,
        facts={**sheet(85), "dealer": "N", "level": "2"},
        treatment="recompute",
        reason="slip misread",
    )
    made.end(two)
    withdraw_entrant(entrant_id=made.ids[6], actor=made.actor, at=made.tick(), reason="left")
    closing.close_round(round_id=first.pk, actor=made.actor, at=made.tick())
    stage = made.tournament.stages.get()
    publish(stage_id=stage.pk, round_id=first.pk, actor=made.actor, at=made.tick())
    second = made.running((1, 3), (2, 5), (4, 7))
    made.play(second, [35, 40], [100, 35], [0])
    publish(stage_id=stage.pk, round_id=second.pk, actor=made.actor, at=made.tick())
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    return made


def run(*args: str, **options: str) -> tuple[int, str]:
    """The audit of a record whose log no worker numbers meanwhile."""
    out = StringIO()
    try:
        call_command("audit", *args, copy=True, stdout=out, **options)
    except SystemExit as ended:
        return int(ended.code), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.long
def test_a_played_event_has_no_difference_here_or_elsewhere(tmp_path: Path) -> None:
    made = played()
    assert run(made.tournament.slug)[0] == 0
    for official in (True, False):
        made.tournament.refresh_from_db()
        file = tmp_path / f"{official}.json"
        file.write_bytes(event_json(made.tournament, official=official, names=official, at=made.now))
        code, text = run(export=str(file))
        assert (code, text.strip().endswith("0 differences")) == (0, True), text


@pytest.mark.long
def test_regional_matches_are_kept_exported_and_worked_out_again(tmp_path: Path) -> None:
    """A jump to A, the flag and its failure, corrected to a jump of the other side; levels after A in results."""
    made = event(4, profile="chaodipi")
    first = made.running((1, 2), (3, 4))
    one, two = sittings_of(first)
    declared = {"event": "red_fives_declared", "by": "dealer"}
    made.hand(one, 60, specials=[declared], dark_bids=[{"side": "attackers", "times": 1}])
    made.hand(one, 45)
    one.refresh_from_db()
    assert one.state["levels"] == {"NS": "flag", "EW": "2"}
    flag = {"kind": "hand", "captured_in_tricks": 110}
    scorekeeping.record_hand(
        sitting_id=one.pk, actor=made.actor, at=made.tick(), facts=flag, hand_no=one.hand_no, basis="watched"
    )
    one.refresh_from_db()
    assert (one.state["flag_failures"], one.state["levels"]["EW"]) == ({"NS": 1, "EW": 0}, "2")
    made.end(one)
    one.match.refresh_from_db()
    assert (one.match.home_level, one.match.away_level, one.match.winner_side) == ("flag", "2", "NS")
    made.hand(two, 60, specials=[declared])
    entry = LedgerEntry.objects.filter(sitting=two).get()
    two.refresh_from_db()
    corrections.correct(
        entry_id=entry.pk,
        actor=made.actor,
        at=made.tick(),
        expected_revision=two.revision,
        facts={**entry.facts, "specials": [{**declared, "by": "attackers"}]},
        treatment="recompute",
        reason="the other side declared",
    )
    made.end(two)
    two.match.refresh_from_db()
    assert (two.match.home_level, two.match.away_level) == ("A", "2")
    closing.close_round(round_id=first.pk, actor=made.actor, at=made.tick())
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    assert run(made.tournament.slug)[0] == 0
    made.tournament.refresh_from_db()
    file = tmp_path / "event.json"
    file.write_bytes(event_json(made.tournament, official=True, names=True, at=made.now))
    assert run(export=str(file))[1].strip().endswith("0 differences")


@pytest.mark.long
def test_the_export_is_the_same_bytes_twice_and_holds_names_apart() -> None:
    made = played()
    made.tournament.refresh_from_db()
    assert event_json(made.tournament, official=True) == event_json(made.tournament, official=True)
    without = event_json(made.tournament, official=True).decode()
    with_names = event_document(made.tournament, official=True, names=True)
    assert "Pair 1" not in without
    assert "王1" not in without
    assert with_names["names"]["entrants"][str(made.ids[1])]["players"][0]["name"] == "王1"


@pytest.mark.long
def test_the_public_export_hides_what_is_not_public() -> None:
    made = event(4, stage={"format": "rr", "rounds_planned": 3})
    sitting = sittings_of(made.running((1, 2), (3, 4)))[0]
    scorekeeping.record_hand(
        sitting_id=sitting.pk,
        actor=Actor(device=device(sitting, "NS")),
        at=made.tick(),
        facts=sheet(35, dealer="N"),
        hand_no=1,
    )
    made.paired((1, 3), (2, 4))
    made.tournament.refresh_from_db()
    public, official = (event_document(made.tournament, official=flag) for flag in (False, True))
    assert [len(document["ledger"]) for document in (public, official)] == [0, 1]
    assert [len(document["rounds"]) for document in (public, official)] == [1, 2]
    assert [len(document["matches"]) for document in (public, official)] == [2, 4]
    assert "history" not in public
    assert SEED not in json.dumps(official)


def test_the_seed_of_the_lots_is_exported_once_it_is_shown() -> None:
    made = played()
    made.tournament.refresh_from_db()
    assert event_document(made.tournament)["lot_seed"] == SEED


Change = Callable[[dict[str, Any]], None]


def first(document: dict[str, Any], name: str, **where: Any) -> dict[str, Any]:
    return next(row for row in document[name] if all(row[key] == value for key, value in where.items()))


def _facts(document: dict[str, Any]) -> None:
    first(document, "ledger", kind="hand", status="effective")["facts"]["captured_in_tricks"] = 0


def _state(document: dict[str, Any]) -> None:
    document["sittings"][0]["state"]["levels"]["NS"] = "K"


def _score(document: dict[str, Any]) -> None:
    first(document, "matches", outcome="played")["home_hundredths"] += 100


def _forfeit(document: dict[str, Any]) -> None:
    first(document, "matches", outcome="away_forfeit")["winner_side"] = "EW"


def _bye(document: dict[str, Any]) -> None:
    first(document, "matches", outcome="bye")["home_hundredths"] = 0


def _delete(document: dict[str, Any]) -> None:
    document["ledger"].remove(first(document, "ledger", kind="level_penalty"))


def _unconfirmed(document: dict[str, Any]) -> None:
    first(document, "ledger", kind="hand", status="effective")["basis"] = ""


def _two_versions(document: dict[str, Any]) -> None:
    row = first(document, "ledger", kind="hand", status="superseded")
    row["status"] = "effective"


def _row(document: dict[str, Any]) -> None:
    document["standings"][0]["rows"][0]["rank"] = 9


def _digest(document: dict[str, Any]) -> None:
    document["publications"][0]["document"] += " "


def _published_row(document: dict[str, Any]) -> None:
    row = document["publications"][0]
    row["document"] = row["document"].replace('"rank":2', '"rank":1', 1)


def _missing_publication(document: dict[str, Any]) -> None:
    del document["publications"][0]


def _profile(document: dict[str, Any]) -> None:
    document["tournament"]["profile_spec"] = "scn2-2013"


def _seed(document: dict[str, Any]) -> None:
    document["lot_seed"] = "another seed, chosen after the play"


def _behind(document: dict[str, Any]) -> None:
    document["standings"][0]["covers"] -= 1


def _phase(document: dict[str, Any]) -> None:
    document["sittings"][0]["phase"] = "playing"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (_facts, "levels"),
        (_state, "levels"),
        (_score, "home_hundredths"),
        (_forfeit, "winner_side"),
        (_bye, "home_hundredths"),
        (_delete, "levels"),
        (_unconfirmed, "parties"),
        (_two_versions, "effective versions"),
        (_row, "digest"),
        (_digest, "digest"),
        (_published_row, "rows"),
        (_missing_publication, "number"),
        (_profile, "profile_digest"),
        (_seed, "lot_commitment"),
        (_behind, "covers"),
        (_phase, "phase"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_every_kind_of_tampering_is_found(document: dict[str, Any], change: Change, what: str) -> None:
    assert audit(document) == []
    tampered = copy.deepcopy(document)
    change(tampered)
    assert what in {difference.what for difference in audit(tampered)}


@pytest.fixture(scope="module")
def exported(django_db_setup: None, module_without_loop: None, django_db_blocker: DjangoDbBlocker) -> bytes:
    """The export of a played event that is gone again."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = played()
        made.tournament.refresh_from_db()
        export = event_json(made.tournament, official=True)
        transaction.set_rollback(True)
    return export


@pytest.fixture
def document(exported: bytes) -> dict[str, Any]:
    return json.loads(exported)


Path_ = tuple[str | int, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The path of every value that holds no others."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1] != "0" else "1") if value else "x"
    return 1


def changed(document: dict[str, Any], path: Path_) -> dict[str, Any]:
    copied = copy.deepcopy(document)
    held: Any = copied
    for key in path[:-1]:
        held = held[key]
    held[path[-1]] = other(held[path[-1]])
    return copied


def found_in(document: dict[str, Any]) -> bool:
    """Whether the audit finds a difference, or cannot read the document at all."""
    try:
        return bool(audit(document))
    except NotAnEvent:
        return True


@pytest.mark.long
def test_a_change_of_any_value_of_an_export_is_found(document: dict[str, Any]) -> None:
    paths = list(leaves(document))
    assert len(paths) > 1_000
    for path in random.Random(20260501).sample(paths, 60):
        assert found_in(changed(document, path)), path


#: What follows from the rest of the record, so that it is found whatever digests a forger writes over it.
WORKED_OUT = {
    "ledger": ("facts", "status", "kind", "hand_no"),
    "sittings": ("state", "hand_no", "phase", "opening"),
    "matches": (
        "outcome",
        "home_level",
        "away_level",
        "winner_side",
        "home_hundredths",
        "away_hundredths",
        "decided_by",
    ),
    "standings": ("rows", "digest", "covers"),
    "publications": ("document", "digest", "number", "provisional"),
    "pairings": ("document", "digest", "number"),
    "draws": ("document", "digest", "number", "method"),
    "stage_entrants": ("order", "group", "entrant_id"),
}


@pytest.mark.long
def test_a_forger_who_mends_the_digests_is_found(document: dict[str, Any]) -> None:
    paths = [
        path
        for path in leaves(document)
        if len(path) > 2 and path[0] in WORKED_OUT and path[2] in WORKED_OUT[str(path[0])] and _counts(document, path)
    ]
    assert {path[0] for path in paths} == set(WORKED_OUT)
    for path in random.Random(20260502).sample(paths, 60):
        forged = changed(document, path)
        forged["digest"] = record_digest(forged)
        forged["file_digest"] = file_digest(forged)
        assert found_in(forged), path


def _counts(document: dict[str, Any], path: Path_) -> bool:
    """Versions of entries that were corrected, and why an entry was made, lead to nothing."""
    row = document[str(path[0])][int(path[1])]
    return path[0] != "ledger" or (row["status"] == "effective" and path[-1] not in ("reason", "type"))


def test_a_table_that_counts_what_was_not_played_is_found(document: dict[str, Any]) -> None:
    """Somebody writes another result into a published table and works its rows out anew, digests and all."""
    row = document["publications"][-1]
    frozen = json.loads(row["document"])
    table = frozen["tables"][0]
    result = next(one for one in table["question"]["results"] if one["outcome"] == "played" and one["winner"])
    result["home_score"], result["away_score"] = result["away_score"], result["home_score"]
    result["winner"] = result["home"] if result["winner"] == result["away"] else result["away"]
    table["rows"] = rows_of_question(table["question"], load("cn-national-2d"))
    row["document"] = canonical_json(frozen)
    row["digest"] = hashlib.sha256(row["document"].encode()).hexdigest()
    # a change of rules that was refused explains nothing
    document["rule_changes"].append({"id": 1, "status": "refused", "decided_at": "2100-01-01T00:00:00+00:00"})
    document["digest"] = record_digest(document)
    document["file_digest"] = file_digest(document)
    assert {one.what for one in audit(document)} == {"result"}


@pytest.mark.long
def test_what_happened_at_the_very_moment_of_a_publication_may_have_come_after_it() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [35])
    stage, now = made.tournament.stages.get(), made.tick()
    publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=now)
    entry = LedgerEntry.objects.filter(kind="hand").first()
    corrections.correct(
        entry_id=entry.pk,
        actor=made.actor,
        at=now,
        expected_revision=Sitting.objects.get(pk=entry.sitting_id).revision,
        facts=entry.facts | {"captured_in_tricks": 120},
        reason="the other side took them",
    )
    recalculate(tournament_id=made.tournament.pk, at=now)
    made.tournament.refresh_from_db()
    document = event_document(made.tournament, official=True)
    assert json.loads(document["publications"][0]["document"])["tables"][0]["rows"] != document["standings"][0]["rows"]
    assert not [one for one in audit(document) if one.where.startswith("publication")]
    # a table of an older version is judged by the times of acts
    row = document["publications"][0]
    frozen = json.loads(row["document"])
    del frozen["seen"]
    row["document"] = canonical_json(frozen)
    row["digest"] = hashlib.sha256(row["document"].encode()).hexdigest()
    assert not [one for one in audit(document) if one.where.startswith("publication")]
    row["published_at"] = made.tick().isoformat()
    assert {one.what for one in audit(document) if one.where.startswith("publication")} == {"result"}


def published_after_one_match(at: datetime | None = None) -> tuple[Event, LedgerEntry]:
    """A round of two matches, published when the first is over: with the entry of its hand."""
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    sitting = sittings_of(round_)[0]
    made.hand(sitting, 35)
    made.end(sitting)
    publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick() if at is None else at)
    return made, LedgerEntry.objects.get(sitting=sitting, kind="hand")


def correct(made: Event, entry: LedgerEntry, at: datetime) -> None:
    corrections.correct(
        entry_id=entry.pk,
        actor=made.actor,
        at=at,
        expected_revision=Sitting.objects.get(pk=entry.sitting_id).revision,
        facts=entry.facts | {"captured_in_tricks": 120},
        reason="the other side took them",
    )


def forfeit(made: Event, entry: LedgerEntry, at: datetime) -> None:
    match = entry.sitting.match_id
    officials_entries.forfeit(
        match_id=match, actor=made.actor, at=at, outcome="home_forfeit", reason="strangers played"
    )


def penalise(made: Event, entry: LedgerEntry, at: datetime) -> None:
    """Levels off a side of a match that is over: first played on, then ended again."""
    seen = Sitting.objects.get(pk=entry.sitting_id).revision
    officials_entries.reopen_sitting(
        sitting_id=entry.sitting_id, actor=made.actor, at=at, expected_revision=seen, reason="too early"
    )
    given_penalties.penalise_level(
        sitting_id=entry.sitting_id,
        actor=made.actor,
        at=at,
        expected_revision=seen + 1,
        side="NS",
        levels=-1,
        reason="took back a card",
        clause="penalty.take_back.play",
    )
    officials_entries.end_sitting(
        sitting_id=entry.sitting_id, actor=made.actor, at=at, expected_revision=seen + 2, reason="time"
    )


def set_score(made: Event, entry: LedgerEntry, at: datetime) -> None:
    """A ruling in match points, which nothing at the table shows."""
    ruling = propose(
        sitting_id=entry.sitting_id, actor=made.actor, at=at, facts={"irregularity": "slow_play"}, side="NS"
    ).ruling
    decide(
        ruling_id=ruling.pk,
        actor=made.actor,
        at=at,
        expected_revision=Sitting.objects.get(pk=entry.sitting_id).revision,
        penalty={"unit": "match_points", "entry": {"sides": ["NS"], "match_points": "0.5", "mode": "set"}},
    )


def withdraw(made: Event, entry: LedgerEntry, at: datetime) -> None:
    """The other match is forfeited."""
    withdraw_entrant(entrant_id=made.ids[3], actor=made.actor, at=at, reason="left")


def change_rules(made: Event, entry: LedgerEntry, at: datetime) -> None:
    """Applied between rounds."""
    other = sittings_of(made.tournament.rounds.get())[1]
    made.hand(other, 40)
    made.end(other)
    closing.close_round(round_id=other.round_id, actor=made.actor, at=made.tick())
    change = rule_changes.propose(
        tournament_id=made.tournament.pk, actor=made.actor, at=at, spec="scn2-2013", reason="misprint"
    )
    rule_changes.apply(change_id=change.pk, actor=made.actor, at=at)


@pytest.mark.long
@pytest.mark.parametrize("act", [correct, forfeit, penalise, set_score, withdraw, change_rules])
def test_an_act_begun_before_a_publication_and_written_after_it_is_no_difference(
    act: Callable[[Event, LedgerEntry, datetime], None],
) -> None:
    """Its time is that of its request, which waited while the table was published."""
    made, entry = published_after_one_match()
    published = json.loads(made.tournament.publications.get().document)["tables"][0]["question"]["results"]
    began = made.now - timedelta(seconds=1)
    act(made, entry, began)
    recalculate(tournament_id=made.tournament.pk, at=made.now)
    made.tournament.refresh_from_db()
    for official in (True, False):
        document = event_document(made.tournament, official=official)
        assert document["publications"][0]["published_at"] > began.isoformat()
        assert [str(one) for one in audit(document)] == []
    publish(
        stage_id=made.tournament.stages.get().pk,
        round_id=entry.sitting.round_id,
        actor=made.actor,
        at=made.tick(),
        supersedes=made.tournament.publications.get().pk,
        reason="late act",
    )
    again = json.loads(made.tournament.publications.last().document)["tables"][0]["question"]["results"]
    assert published != again
    assert audit(event_document(made.tournament)) == []


def test_what_a_table_had_seen_excuses_nothing_in_it_whatever_the_clocks_say() -> None:
    """A hand entered by a server whose clock is ahead, then published by another: the table counts it."""
    early = event(4).tick()
    made, _ = published_after_one_match(early)
    made.tournament.refresh_from_db()
    document = event_document(made.tournament)
    assert max(row["entered_at"] for row in document["ledger"]) > document["publications"][0]["published_at"]
    assert [one for one in audit(document) if one.where.startswith("publication")] == []
    row = document["publications"][0]
    frozen = json.loads(row["document"])
    table = frozen["tables"][0]
    result = table["question"]["results"][0]
    result["home_score"], result["away_score"] = result["away_score"], result["home_score"]
    result["winner"] = result["away"] if result["winner"] == result["home"] else result["home"]
    table["rows"] = rows_of_question(table["question"], load("cn-national-2d"))
    row["document"] = canonical_json(frozen)
    row["digest"] = hashlib.sha256(row["document"].encode()).hexdigest()
    assert "result" in {one.what for one in audit(document)}


def test_exports_of_older_versions_are_still_audited() -> None:
    older = json.loads((ROOT / "tests/cases/exports/event-1.json").read_text("utf-8"))
    certificate = certify(older)
    assert older["format"] == "referee/event/1"
    assert certificate.clean, [str(one) for one in certificate.differences]
    # what had no document then is only recorded
    assert {line.kind for line in certificate.lines if line.verdict == "recorded"} == {"export", "pairing"}
    older["publications"][0]["document"] = older["publications"][0]["document"].replace('"rank":2', '"rank":1', 1)
    assert not certify(older).clean


def test_the_certificate_has_a_line_for_each_thing(document: dict[str, Any]) -> None:
    certificate = certify(document)
    kinds = Counter(line.kind for line in certificate.lines)
    assert kinds == {
        **dict.fromkeys(("export", "rules", "lots", "field", "rulings", "live"), 1),
        **dict.fromkeys(("draw", "pairing", "round", "publication"), 2),
    }
    assert {line.kind for line in certificate.lines if line.verdict == "judged"} == {"draw", "pairing", "rulings"}
    assert all(len(line.digest) == 64 for line in certificate.lines)
    written = json.loads(canonical_json(certificate.to_json()))
    assert Certificate.from_json(written).to_json() == certificate.to_json()
    assert certificate.digest == document["digest"]


@pytest.mark.long
def test_the_certificate_of_the_command_and_its_exit_codes(tmp_path: Path) -> None:
    made = played()
    for suffix, begins in ((".json", b"{"), (".pdf", b"%PDF")):
        file = tmp_path / f"certificate{suffix}"
        assert run(made.tournament.slug, certificate=str(file))[0] == 0
        assert file.read_bytes().startswith(begins)
    assert json.loads((tmp_path / "certificate.json").read_bytes())["clean"] is True
    export = tmp_path / "event.json"
    document = json.loads(event_json(made.tournament, official=True))
    document["matches"][0]["home_hundredths"] += 100
    export.write_text(canonical_json(document), "utf-8")
    assert run(export=str(export))[0] == 1
    for wrong in ({"export": str(tmp_path / "missing.json")}, {"certificate": str(tmp_path / "x.txt")}):
        with pytest.raises(CommandError) as refused:
            run(*(() if "export" in wrong else (made.tournament.slug,)), **wrong)
        assert refused.value.returncode == 2


def test_the_command_prints_differences_and_fails() -> None:
    made = played()
    Sitting.objects.filter(pk=sittings_of(made.tournament.rounds.first())[0].pk).update(hand_no=99)
    code, text = run(made.tournament.slug)
    assert code == 1
    assert "Round 1, table 1, number of the next hand: stored is 99, the record gives 4." in text


SENTENCES = [
    (
        ("round 2 table 3 closed room hand 4 record 1", "digest", "ab", "cd"),
        "Round 2, table 3, closed room, hand 4, its record 1, digest: stored is ab, the record gives cd.",
        "第 2 轮 3 桌 闭室 第 4 副 牌谱 1，摘要码：存的是 ab，按记录应为 cd。",
    ),
    (
        ("round 1 table 2", "home_hundredths", 200, None),
        "Round 1, table 2, score of the home side: stored is 2, the record gives nothing.",
        "第 1 轮 2 桌，主队场分：存的是 2，按记录应为 无。",
    ),
    (
        ("publication 2 round 1 entrant 7", "result", {"round": 1, "winner": 7}, {"round": 1, "winner": 8}),
        "Standings no. 2, round 1, entrant id 7, result: stored is winner 7, the record gives winner 8.",
        "公布的名次第 2 号 第 1 轮 参赛方 id 7，赛果：存的是 胜方 7，按记录应为 胜方 8。",
    ),
    (
        ("round 1 table 1", "levels", {"NS": "5", "EW": "3"}, {"NS": "4", "EW": "3"}),
        "Round 1, table 1, levels: stored is N–S 5, the record gives N–S 4.",
        "第 1 轮 1 桌，级别：存的是 南北方 5，按记录应为 南北方 4。",
    ),
    (
        ("round 1 table 1", "outcome", "home_forfeit", "played"),
        "Round 1, table 1, outcome: stored is the home side forfeits, the record gives played.",
        "第 1 轮 1 桌，结局：存的是 主队弃权，按记录应为 已打。",
    ),
    (
        ("round 1 table 1 entry 2", "parties", "one", "two, or an official with a basis"),
        "Round 1, table 1, entry 2 of its record, parties behind it: stored is one, the record gives two, or an "
        "official with a basis.",
        "第 1 轮 1 桌 第 2 条记录，作证各方：存的是 一方，按记录应为 两方，或有依据的裁判。",
    ),
    (
        ("round 1 table 1", "phase", "finished", "not finished"),
        "Round 1, table 1, phase: stored is finished, the record gives not finished.",
        "第 1 轮 1 桌，阶段：存的是 已结束，按记录应为 未结束。",
    ),
    (
        ("match 7", "value_changed", "", {"en": "Match 7: it was changed.", "zh": "match 7：被改过。"}),
        "Match 7: it was changed.",
        "match 7：被改过。",
    ),
    (
        ("standings of stage 1", "rows", "results that can be ranked", "bad_place"),
        "Live standings of stage 1, rows of the table: stored is results that can be ranked, the record gives Row and "
        "place are whole numbers from 1 to 60.",
        "第 1 阶段实时名次，名次表各行：存的是 可以排名的赛果，按记录应为 排和位要是 1 到 60 的整数。",
    ),
    (
        ("autumn-cup", "lot_commitment", "a", "b"),
        "The event, commitment of the lots: stored is a, the record gives b.",
        "赛事，抽签承诺值：存的是 a，按记录应为 b。",
    ),
]


@pytest.mark.parametrize(("difference", "en", "zh"), SENTENCES)
def test_a_difference_is_a_sentence(difference: tuple[Any, ...], en: str, zh: str) -> None:
    one = Difference(*difference)
    assert dict(one.sentence) == {"en": en, "zh": zh}
    assert Difference.from_json(one.to_json()) == one
    assert str(one) == en


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "referee/event/1"}', '{"format": "x"}'])
def test_what_is_no_export_is_said_so(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content)
    with pytest.raises(CommandError):
        run(export=str(file))
    with pytest.raises(CommandError):
        run("no-such-event")
    with pytest.raises(NotAnEvent):
        audit({})


def test_erasing_a_name_leaves_the_audit_clean() -> None:
    made = played()
    for player in Entrant.objects.get(pk=made.ids[1]).players.all():
        erase_person(player_id=player.pk, actor=made.actor, at=made.tick())
    assert run(made.tournament.slug)[0] == 0


@pytest.mark.long
def test_only_a_demonstration_can_be_removed() -> None:
    kept, demo = played(), event(4, demo=True)
    round_ = demo.running((1, 2), (3, 4))
    sitting = sittings_of(round_)[0]
    device(sitting, "NS")
    demo.play(round_, [35], [85])
    stage = demo.tournament.stages.get()
    publish(stage_id=stage.pk, round_id=round_.pk, actor=demo.actor, at=demo.tick())
    recalculate(tournament_id=demo.tournament.pk, at=demo.tick())
    with pytest.raises(Refusal, match="not_a_demo"):
        rows.delete_demo(tournament_id=kept.tournament.pk)
    rows.delete_demo(tournament_id=demo.tournament.pk)
    assert list(Tournament.objects.all()) == [kept.tournament]
    assert not Entrant.history.filter(tournament_id=demo.tournament.pk).exists()
    assert run(kept.tournament.slug)[0] == 0
