"""An event changes its rules: what is shown before, who may, what is written, and what stays as it was."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.factories import dig, official, user
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tournaments.acts.admission import Actor
from tournaments.acts.doorbell import stale_number
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.demo import rows
from tournaments.events import rule_changes
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.officials_entries import end_sitting, forfeit
from tournaments.models import (
    Correction,
    HistoryEntry,
    LedgerEntry,
    Match,
    Office,
    Publication,
    RuleChange,
    Sitting,
    StandingsRun,
    Tournament,
)
from tournaments.rounds import closing
from tournaments.standings.publications import rows_in
from tournaments.standings.runs import publication_document, publish, recalculate, verify

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NATIONAL = "cn-national-2d"
#: 40 points already take the deal, a level for every 20 more.
FORTY = {"base": NATIONAL, "set": {"threshold": 40, "step": 20}}


def propose(of: Event, spec: Any = FORTY, *, actor: Actor | None = None, **more: Any) -> RuleChange:
    facts: dict[str, Any] = {"reason": "the regulation says forty", **more}
    return rule_changes.propose(
        tournament_id=of.tournament.pk, actor=actor or of.actor, at=of.tick(), spec=spec, **facts
    )


def apply(of: Event, change: RuleChange, *, actor: Actor | None = None, **more: Any) -> RuleChange:
    return rule_changes.apply(change_id=change.pk, actor=actor or of.actor, at=of.tick(), **more)


def refused(act: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value


def rules(of: Event) -> tuple[Any, str]:
    row = Tournament.objects.get(pk=of.tournament.pk)
    assert row.profile.digest == row.profile_digest
    return row.profile_spec, row.profile_digest


def levels(sitting: Sitting) -> tuple[str, str]:
    sitting.refresh_from_db()
    return sitting.state["levels"]["NS"], sitting.state["levels"]["EW"]


def table(of: Event) -> dict[int, int]:
    """Entrant number → place in the live table."""
    recalculate(tournament_id=of.tournament.pk, at=of.tick())
    numbers = {pk: number for number, pk in of.ids.items()}
    run = StandingsRun.objects.get(stage__tournament=of.tournament)
    return {numbers[int(row["entrant"])]: row["rank"] for row in run.rows}


def played(**more: Any) -> Event:
    """One round: 60 points at 1–2 (a level for N–S by the rules as they are, lost by FORTY), 35 points at 3–4."""
    of = event(4, **more)
    of.play(of.running((1, 2), (3, 4)), [60], [35])
    return of


def test_before_the_first_hand_the_change_is_made_at_once() -> None:
    of = event(4)
    of.running((1, 2), (3, 4))
    (first, _) = sittings_of(of.tournament.rounds.get())
    change = propose(of, {"base": NATIONAL, "set": {"ladder": ["5", "10", "K"], "must_play": []}})
    assert change.status == "applied"
    assert rules(of) == (change.new_spec, change.new_digest)
    assert levels(first) == ("5", "5")
    assert Sitting.objects.get(pk=first.pk).opening["levels"] == {"NS": "5", "EW": "5"}
    of.hand(first, 60)
    assert levels(first) == ("10", "5")
    assert HistoryEntry.objects.get(act="apply_rules").new["profile"] == change.new_spec
    assert audit(event_document(Tournament.objects.get(pk=of.tournament.pk), official=True)) == []


def test_the_differences_are_shown_and_nothing_is_written() -> None:
    of = played()
    before = event_document(Tournament.objects.get(pk=of.tournament.pk), official=True)
    seen = rule_changes.foresee(tournament_id=of.tournament.pk, actor=of.actor, spec=FORTY)
    one, two = sittings_of(of.tournament.rounds.get())
    found = {row["sitting"]: row for row in seen.differences["matches"]}
    # 60 points: held with one level; at 40 the deal is lost with one level for the 20 above
    assert found[one.pk]["old"]["levels"] == {"NS": "3", "EW": "2"}
    assert found[one.pk]["new"]["levels"] == {"NS": "2", "EW": "3"}
    assert (found[one.pk]["old"]["winner_side"], found[one.pk]["new"]["winner_side"]) == ("NS", "EW")
    assert [hand["old"]["total"] for hand in found[one.pk]["hands"]][:1] == [60]
    # 35 points: two levels; at 40 with steps of 20 one
    assert found[two.pk]["old"]["levels"] == {"NS": "4", "EW": "2"}
    assert found[two.pk]["new"]["levels"] == {"NS": "3", "EW": "2"}
    assert found[two.pk]["new"]["winner_side"] == "NS"
    moved = {row["entrant"]: (row["old"], row["new"]) for row in seen.differences["places"]}
    assert moved[of.ids[1]][0] < moved[of.ids[1]][1]
    assert moved[of.ids[2]][0] > moved[of.ids[2]][1]
    assert seen.differences["blocked"] == []
    assert seen.differences["judged"] == {"sittings": 2, "entries": 4}
    assert (seen.at_once, seen.needs_second) == (False, False)
    assert event_document(Tournament.objects.get(pk=of.tournament.pk), official=True) == before


@pytest.mark.long
def test_two_steps_judge_everything_again() -> None:
    of = played()
    before, was = rules(of), table(of)
    one, two = sittings_of(of.tournament.rounds.get())
    change = propose(of)
    assert (change.status, rules(of), levels(one)) == ("proposed", before, ("3", "2"))
    seen = stale_number(of.tournament.pk)
    revision = Sitting.objects.get(pk=two.pk).revision

    apply(of, change)
    assert rules(of) == (FORTY, change.new_digest)
    assert (levels(one), levels(two)) == (("2", "3"), ("3", "2"))
    match = Match.objects.get(pk=one.match_id)
    assert (match.winner_side, match.home_hundredths, match.away_hundredths) == ("EW", 0, 200)
    assert (match.home_level, match.away_level) == ("2", "3")
    assert stale_number(of.tournament.pk) == seen + 1
    assert Sitting.objects.get(pk=two.pk).revision == revision + 1
    now = table(of)
    assert now[2] < was[2]
    assert now[1] > was[1]
    row = HistoryEntry.objects.get(act="apply_rules")
    assert (row.old, row.new) == (
        {"profile": before[0], "profile_digest": before[1]},
        {"profile": FORTY, "profile_digest": change.new_digest},
    )
    assert row.reason == "the regulation says forty"
    assert audit(event_document(Tournament.objects.get(pk=of.tournament.pk), official=True)) == []
    # and back: everything is as it was, by one more recorded change
    back = propose(of, NATIONAL)
    apply(of, back)
    assert (rules(of), levels(one), levels(two)) == (before, ("3", "2"), ("4", "2"))
    assert RuleChange.objects.filter(status="applied").count() == 2
    assert LedgerEntry.objects.filter(version__gt=1).count() == 0


@pytest.mark.long
def test_what_was_published_keeps_its_rules_and_its_digest() -> None:
    of = played()
    round_ = of.tournament.rounds.get()
    first = publish(stage_id=round_.stage_id, round_id=round_.pk, actor=of.actor, at=of.tick())
    apply(of, propose(of))
    kept = Publication.objects.get(pk=first.pk)
    assert (kept.document, kept.digest) == (first.document, first.digest)
    assert publication_document(kept)["profile"]["spec"] == NATIONAL
    assert verify(kept) == {"digest": True, "rows": True}
    second = publish(
        stage_id=round_.stage_id,
        round_id=round_.pk,
        actor=of.actor,
        at=of.tick(),
        supersedes=first.pk,
        reason="the rules were put right",
    )
    assert publication_document(second)["profile"]["spec"] == FORTY
    assert rows_in(publication_document(second)) != rows_in(publication_document(first))
    document = event_document(Tournament.objects.get(pk=of.tournament.pk), official=True)
    assert audit(document) == []
    assert [row["new_spec"] for row in document["rule_changes"]] == [FORTY]


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda document: document["rule_changes"].clear(), "rules of publication"),
        (lambda document: document["rule_changes"][0].update(new_digest="x"), "rule changes"),
        (lambda document: document["rule_changes"][0].update(old_spec="scn2-2013"), "rules of publication"),
    ],
)
def test_the_audit_follows_the_rules_through_their_changes(spoil: Any, what: str) -> None:
    of = played()
    round_ = of.tournament.rounds.get()
    publish(stage_id=round_.stage_id, round_id=round_.pk, actor=of.actor, at=of.tick())
    apply(of, propose(of))
    document = event_document(Tournament.objects.get(pk=of.tournament.pk), official=True)
    assert audit(document) == []
    spoil(document)
    assert what in {difference.what for difference in audit(document)}


@pytest.mark.long
def test_a_hand_that_cannot_be_judged_any_more_is_named_and_blocks() -> None:
    of = event(2, profile={"base": NATIONAL, "set": {"no_trump_allowed": True}})
    round_ = of.running((1, 2))
    (sitting,) = sittings_of(round_)
    of.hand(sitting, 35)
    of.hand(sitting, 30, trump="NT")
    of.end(sitting)
    closing.close_round(round_id=round_.pk, actor=of.actor, at=of.tick())
    seen = rule_changes.foresee(tournament_id=of.tournament.pk, actor=of.actor, spec=NATIONAL)
    (blocked,) = seen.differences["blocked"]
    assert (blocked["table"], blocked["hand_no"], blocked["field"]) == (1, 2, "trump")
    assert blocked["code"] == "no_trump_not_here"
    refusal = refused(lambda: propose(of, NATIONAL))
    assert refusal.code == "entries_blocked"
    assert refusal.current == {"blocked": [blocked]}
    assert not RuleChange.objects.exists()


def test_a_match_may_lose_its_result_and_be_ended_by_the_chief() -> None:
    """Passed A under the rules as they are; under the new ones A has to be played again."""
    of = event(2)
    round_ = of.running((1, 2))
    (sitting,) = sittings_of(round_)
    while levels(sitting)[0] != "A":
        of.hand(sitting, 0)
    of.hand(sitting, 35)
    sitting.refresh_from_db()
    assert sitting.phase == "finished"
    closing.close_round(round_id=round_.pk, actor=of.actor, at=of.tick())
    harder = {"base": NATIONAL, "set": {"threshold": 40, "step": 40}}
    change = propose(of, harder)
    (found,) = change.differences["matches"]
    assert (found["old"]["finished"], found["new"]["finished"], found["new"]["outcome"]) == (True, False, "pending")
    apply(of, change)
    sitting.refresh_from_db()
    assert (sitting.phase, Match.objects.get().outcome) == ("playing", "pending")
    end_sitting(sitting_id=sitting.pk, actor=of.actor, at=of.tick(), expected_revision=sitting.revision, reason="time")
    assert Match.objects.get().outcome == "played"


@pytest.mark.parametrize("step", ["propose", "apply"])
def test_rules_do_not_change_while_a_round_runs(step: str) -> None:
    of = played()
    change = propose(of) if step == "apply" else None
    of.running((1, 3), (2, 4))
    refusal = refused(lambda: apply(of, change) if change else propose(of))
    assert (refusal.code, refusal.params) == ("round_runs", {"round": 2})
    assert rules(of)[0] == NATIONAL


def test_a_proposal_is_overtaken_by_what_happens_after_it() -> None:
    of = played()
    change = propose(of)
    entry = LedgerEntry.objects.filter(kind="hand").order_by("pk").first()
    assert entry is not None
    corrections.correct(
        entry_id=entry.pk,
        actor=of.actor,
        at=of.tick(),
        expected_revision=entry.sitting.revision,
        facts={**entry.facts, "captured_in_tricks": 80},
        reason="misread",
        treatment="recompute",
    )
    assert refused(lambda: apply(of, change)).code == "stale"
    change.refresh_from_db()
    assert (change.status, rules(of)[0]) == ("overtaken", NATIONAL)
    assert refused(lambda: apply(of, change)).code == "rule_change_decided"


def test_a_newer_proposal_overtakes_the_older_one() -> None:
    of = played()
    first = propose(of)
    second = propose(of, {"base": NATIONAL, "set": {"threshold": 60}})
    first.refresh_from_db()
    assert (first.status, second.status) == ("overtaken", "proposed")


def test_a_waiting_correction_has_to_be_looked_at_again() -> None:
    of = played()
    chief, organiser = colleague(of, Office.CHIEF_REFEREE), colleague(of, Office.ORGANISER)
    referee = official(of.tournament, Office.REFEREE)
    entry = LedgerEntry.objects.filter(kind="hand").order_by("pk").first()
    assert entry is not None
    corrections.correct(
        entry_id=entry.pk,
        actor=chief,
        at=of.tick(),
        expected_revision=entry.sitting.revision,
        facts={**entry.facts, "captured_in_tricks": 80},
        reason="misread",
        treatment="recompute",
    )
    apply(of, propose(of, actor=organiser), actor=chief)
    waiting = Correction.objects.get()
    refusal = refused(lambda: corrections.approve_correction(correction_id=waiting.pk, actor=referee, at=of.tick()))
    assert refusal.code == "stale"


def test_where_there_is_a_chief_referee_another_person_applies() -> None:
    of = played()
    chief, organiser = colleague(of, Office.CHIEF_REFEREE), colleague(of, Office.ORGANISER)
    change = propose(of, actor=organiser)
    assert change.needs_second
    refusal = refused(lambda: apply(of, change, actor=organiser))
    assert (refusal.code, refusal.status) == ("second_official_same", 403)
    apply(of, change, actor=chief)
    assert rules(of)[0] == FORTY


def test_an_organiser_alone_applies_his_own_proposal() -> None:
    of = played()
    organiser = colleague(of, Office.ORGANISER)
    change = propose(of, actor=organiser)
    assert not change.needs_second
    apply(of, change, actor=organiser)
    assert rules(of)[0] == FORTY


@pytest.mark.parametrize("office", [Office.REFEREE, None])
def test_who_may_not(office: Office | None) -> None:
    of = played()
    change = propose(of)
    actor = Actor(user=user()) if office is None else colleague(of, office)
    for act in (
        lambda: propose(of, actor=actor),
        lambda: apply(of, change, actor=actor),
        lambda: rule_changes.refuse(change_id=change.pk, actor=actor, at=of.tick()),
        lambda: rule_changes.foresee(tournament_id=of.tournament.pk, actor=actor, spec=FORTY),
    ):
        assert refused(act).code == ("not_found" if office is None else "forbidden")


@pytest.mark.parametrize(
    ("spec", "more", "code"),
    [
        (NATIONAL, {}, "nothing_changed"),
        ({"base": NATIONAL, "set": {"step": 40}}, {}, "nothing_changed"),
        ("no-such-rules", {}, "unknown_profile"),
        ({"base": NATIONAL, "set": {"threshold": 33}}, {}, "bad_option"),
        (FORTY, {"reason": " "}, "reason_missing"),
    ],
)
def test_a_proposal_that_is_refused(spec: Any, more: dict[str, Any], code: str) -> None:
    of = played()
    assert refused(lambda: propose(of, spec, **more)).code == code
    assert not RuleChange.objects.exists()


def test_a_refused_proposal_changes_nothing_and_is_decided_once() -> None:
    of = played()
    change = propose(of)
    rule_changes.refuse(change_id=change.pk, actor=of.actor, at=of.tick(), reason="the regulation was misread")
    change.refresh_from_db()
    assert (change.status, rules(of)[0]) == ("refused", NATIONAL)
    assert refused(lambda: apply(of, change)).code == "rule_change_decided"
    row = HistoryEntry.objects.get(act="refuse_rules")
    assert (row.new, row.reason) == ({"status": "refused"}, "the regulation was misread")


@pytest.mark.long
def test_a_forfeit_and_a_bye_stay_as_ruled() -> None:
    of = event(3)
    round_ = of.running((1, 2), (3, None))
    (sitting,) = sittings_of(round_)
    of.hand(sitting, 60)
    forfeit(match_id=sitting.match_id, actor=of.actor, at=of.tick(), outcome="double_forfeit", reason="both left")
    closing.close_round(round_id=round_.pk, actor=of.actor, at=of.tick())
    apply(of, propose(of))
    assert sorted(Match.objects.values_list("outcome", flat=True)) == ["bye", "double_forfeit"]
    sitting.refresh_from_db()
    assert sitting.phase == "finished"
    assert audit(event_document(Tournament.objects.get(pk=of.tournament.pk), official=True)) == []


@pytest.mark.long
def test_a_hand_entered_after_the_change_is_judged_by_the_new_rules() -> None:
    of = played()
    apply(of, propose(of))
    (first, _) = sittings_of(of.running((1, 3), (2, 4)))
    scorekeeping.record_hand(
        sitting_id=first.pk, actor=of.actor, at=of.tick(), facts=dig(20, 10, dealer="N"), hand_no=1, basis="watched"
    )
    # 20 + 10 × 4 for the pair = 60: the deal is lost with one level
    assert levels(first) == ("2", "3")


def test_a_demonstration_that_changed_its_rules_can_be_removed_whole() -> None:
    of = event(2, demo=True)
    propose(of)
    rows.delete_demo(tournament_id=of.tournament.pk)
    assert not RuleChange.objects.exists()


@pytest.mark.parametrize(
    ("preset", "spec"),
    [("I1", {"base": "sandayi", "set": {"stake": 2}}), ("I1", NATIONAL), ("F1", "sandayi")],
)
def test_rules_change_among_games_of_two_sides(preset: str, spec: Any) -> None:
    of = event(4, preset=preset)
    assert refused(lambda: propose(of, spec)).code == "rules_for_two_sides"
    assert not RuleChange.objects.exists()
