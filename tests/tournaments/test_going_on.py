"""What a worker keeps of standings never shows: after any act the stored table is the one worked out from nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts import doorbell
from tournaments.acts.errors import Refusal
from tournaments.acts.text import canonical_json
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.events import rule_changes
from tournaments.ledger import corrections
from tournaments.ledger.officials_entries import forfeit, reopen_sitting
from tournaments.models import (
    AppealState,
    Entrant,
    EntryStatus,
    LedgerEntry,
    Match,
    MatchOutcome,
    Round,
    RoundStatus,
    RuleChange,
    Ruling,
    Sitting,
    SittingPhase,
    StandingsRun,
    Tournament,
)
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import closing
from tournaments.rulings import appeals, given_penalties, log
from tournaments.standings import remembered
from tournaments.standings.rankings import live_table
from tournaments.standings.runs import live_rows, recalculate

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FORTY = {"base": "cn-national-2d", "set": {"threshold": 40, "step": 20}}


@dataclass
class Directing:
    """An event directed at random."""

    of: Event
    chance: Random
    done: Counter[str] = field(default_factory=Counter)

    def step(self) -> None:
        often = [self.play, self.play, self.play, self.correct, self.reopen, self.penalise, self.rule, self.appeal]
        rarely = [self.forfeited, self.withdraw, self.rules, self.close, self.next_round, self.round_reopened]
        act: Callable[[], None] = self.chance.choice([*often, *often, *rarely])
        try:
            act()
        except Refusal as refusal:
            self.done[refusal.code] += 1
        else:
            self.done[act.__name__] += 1

    @property
    def facts(self) -> dict[str, Any]:
        return {"actor": self.of.actor, "at": self.of.tick()}

    def sitting(self, **more: Any) -> Sitting:
        rows = list(Sitting.objects.filter(round__tournament=self.of.tournament, active=True, **more).order_by("pk"))
        if not rows:
            raise Refusal("not_found")
        return self.chance.choice(rows)

    def play(self) -> None:
        """A table plays a hand or two, and mostly ends."""
        sitting = self.sitting(round__status=RoundStatus.RUNNING, phase=SittingPhase.PLAYING)
        for _ in range(self.chance.randint(1, 2)):
            self.of.hand(sitting, 5 * self.chance.randint(0, 30))
        if self.chance.random() < 0.8:
            self.of.end(sitting)

    def correct(self) -> None:
        rows = LedgerEntry.objects.filter(sitting=self.sitting(), status=EntryStatus.EFFECTIVE, facts__kind="hand")
        entry = rows.order_by("-pk").first()
        if entry is None:
            raise Refusal("not_found")
        facts = {**entry.facts, "captured_in_tricks": 5 * self.chance.randint(0, 30)}
        seen = {"expected_revision": entry.sitting.revision, "treatment": "recompute", "reason": "Signed sheet"}
        corrections.correct(entry_id=entry.pk, facts=facts, **seen, **self.facts)

    def reopen(self) -> None:
        sitting = self.sitting(phase=SittingPhase.FINISHED)
        reopen_sitting(sitting_id=sitting.pk, expected_revision=sitting.revision, reason="By mistake", **self.facts)

    def penalise(self) -> None:
        sitting = self.sitting()
        said = {"side": self.chance.choice(("NS", "EW")), "levels": -1, "clause": "penalty.late.levels"}
        seen = {"expected_revision": sitting.revision, "reason": "Late"}
        given_penalties.penalise_level(sitting_id=sitting.pk, **said, **seen, **self.facts)

    def rule(self) -> None:
        """A ruling that sets match points or takes some off, or excludes."""
        sitting, side = self.sitting(), self.chance.choice(("NS", "EW"))
        mode, points = self.chance.choice((("add", "-0.5"), ("set", "1"), ("set", "0.25")))
        penalty: dict[str, Any] = {
            "unit": "match_points",
            "entry": {"sides": [side], "mode": mode, "match_points": points},
        }
        if self.chance.random() < 0.1:
            penalty = {"unit": "exclusion", "entry": {"sides": [side], "excluded": True}}
        put = {"facts": {"irregularity": "take_back"}, "side": side, "sitting_id": sitting.pk}
        ruling = log.propose(**put, **self.facts).ruling
        log.decide(ruling_id=ruling.pk, expected_revision=self.revision(sitting), penalty=penalty, **self.facts)

    def appeal(self) -> None:
        """Against the newest ruling; one that is open is decided."""
        ruling = Ruling.objects.filter(tournament=self.of.tournament, status="decided").order_by("-pk").first()
        if ruling is None:
            raise Refusal("not_found")
        if ruling.appeal == AppealState.NONE:
            appeals.lodge_appeal(ruling_id=ruling.pk, reason="Never", side=ruling.side, **self.facts)
        else:
            said = {"upheld": self.chance.random() < 0.5, "reason": "Seen", "treatment": "recompute"}
            seen = {"expected_revision": self.revision(ruling.sitting)}
            appeals.decide_appeal(ruling_id=ruling.pk, **said, **seen, **self.facts)

    def forfeited(self) -> None:
        sitting = self.sitting(round__status=RoundStatus.RUNNING)
        said = {"outcome": self.chance.choice(("home_forfeit", "away_forfeit")), "reason": "Absent"}
        forfeit(match_id=sitting.match_id, **said, **self.facts)

    def withdraw(self) -> None:
        still = Entrant.objects.filter(tournament=self.of.tournament, withdrawn_at=None).order_by("pk")
        if len(still) <= len(self.of.ids) - 2:
            raise Refusal("not_found")
        withdraw_entrant(entrant_id=self.chance.choice(list(still)).pk, reason="Ill", **self.facts)

    def rules(self) -> None:
        spec = self.chance.choice((FORTY, FORTY["base"]))
        change = rule_changes.propose(tournament_id=self.of.tournament.pk, spec=spec, reason="Agreed", **self.facts)
        if change.status != RuleChange.Status.APPLIED:
            rule_changes.apply(change_id=change.pk, **self.facts)

    def close(self) -> None:
        """The round that runs is played to its end and closed."""
        running = Round.objects.filter(tournament=self.of.tournament, status=RoundStatus.RUNNING).first()
        if running is None:
            raise Refusal("not_found")
        for sitting in sittings_of(running):
            if sitting.phase == SittingPhase.PLAYING and sitting.match.outcome == MatchOutcome.PENDING:
                self.of.hand(sitting, 5 * self.chance.randint(0, 30))
                self.of.end(sitting)
        closing.close_round(round_id=running.pk, **self.facts)

    def next_round(self) -> None:
        if Round.objects.filter(tournament=self.of.tournament).exclude(status=RoundStatus.CLOSED).exists():
            raise Refusal("not_found")
        self.of.begun(self.of.drawn())

    def round_reopened(self) -> None:
        last = (
            Round.objects.filter(tournament=self.of.tournament, status=RoundStatus.CLOSED).order_by("-number").first()
        )
        if last is None:
            raise Refusal("not_found")
        closing.reopen_round(round_id=last.pk, **self.facts)

    def revision(self, sitting: Sitting) -> int:
        return Sitting.objects.get(pk=sitting.pk).revision


@pytest.mark.long
@pytest.mark.parametrize("chain", [None, ("points", "last_round_back", "lots")], ids=["swiss", "base15"])
@pytest.mark.parametrize("seed", range(3))
def test_the_stored_table_is_the_one_from_nothing(seed: int, chain: tuple[str, ...] | None) -> None:
    remembered.forget()
    made = event(7)
    here = made.tournament.stages.get()
    if chain is not None:
        here.chain = list(chain)
        here.save()
    directing, digests = Directing(made, Random(f"{seed}-{chain}")), set[str]()
    directing.next_round()
    for _ in range(50):
        directing.step()
        recalculate(tournament_id=made.tournament.pk, at=made.tick())
        if directing.chance.random() < 0.05:
            remembered.forget()
        table = live_table(here)
        run = StandingsRun.objects.filter(stage=here).values("rows", "digest", "provisional").first()
        assert run == table, directing.done
        digests.add(table["digest"])
    kept = remembered.take(here.pk)
    assert kept is None or kept.text == canonical_json(live_table(here)["rows"])
    assert len(digests) > 4
    assert directing.done["play"] > 2, directing.done
    assert audit(event_document(Tournament.objects.get(pk=made.tournament.pk), official=True)) == []


def test_a_database_that_was_put_back_is_read_anew() -> None:
    """What is kept is dropped where the stored table covers less than it: that one never came of it."""
    made = event(4)
    first, second = sittings_of(round_ := made.running((1, 2), (3, 4)))
    made.play(round_, [35], [35])
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    Match.objects.filter(pk=first.match_id).update(home_hundredths=0, away_hundredths=200, winner_side="EW")
    doorbell.mark_stale(made.tournament.pk, second.pk)
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    run, here = StandingsRun.objects.get(), made.tournament.stages.get()
    assert run.rows != live_rows(here), "only the matches of tables that were counted are read"
    run.covers = 0
    run.save()
    doorbell.mark_stale(made.tournament.pk, second.pk)
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    assert StandingsRun.objects.get().rows == live_rows(here)
