"""Long random schedules of what tables and officials do, replayed from their seed.

Every act has a key, and many are sent again: at once, later, or with another body. An act may be refused with a code;
anything else that goes wrong is ours. What was answered is kept and compared with what the ledger holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.utils import timezone

from scoring.values import Seat
from tests.reliability.hall import make
from tests.tournaments.keyed import keyed
from tournaments.acts.admission import Actor
from tournaments.acts.errors import KeyReused, Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.ledger import corrections, scorekeeping
from tournaments.ledger.officials_entries import end_sitting, reopen_sitting
from tournaments.log import checking
from tournaments.models import Device, EntryStatus, LedgerEntry, Sitting, SittingPhase, Tournament, User
from tournaments.rulings import given_penalties
from tournaments.standings.runs import recalculate

PENDING = (EntryStatus.WAITING, EntryStatus.CONTESTING)


@dataclass(frozen=True)
class Sent:
    """A request as it went out, and how it was answered: the entry, its status, the sitting's revision."""

    key: str
    act: Callable[..., Any]
    facts: Mapping[str, Any]
    answer: Mapping[str, Any]


@dataclass
class Schedule:
    """Random acts at a few tables of one event."""

    seed: int
    tables: int = 4
    outcomes: Counter[str] = field(default_factory=Counter)
    answered: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.now: datetime = timezone.now()
        made = make(self.tables)
        self.event = Tournament.objects.get(pk=made["event"])
        self.official = Actor(user=User.objects.get(offices__tournament=self.event, offices__office="organiser"))
        self.sittings = [place["sitting"] for place in made["places"]]
        devices = Device.objects.filter(sitting__in=self.sittings)
        self.phones = {(device.sitting_id, device.side): Actor(device=device) for device in devices}
        self.keys = 0

    def run(self, acts: int) -> None:
        for _ in range(acts):
            self.step()

    def step(self) -> None:
        """One random act, at one random table."""
        self.now += timedelta(seconds=self.chance.randint(1, 90))
        sitting = Sitting.objects.get(pk=self.chance.choice(self.sittings))
        acts = {
            self.enter: 30,
            self.confirm: 25,
            self.again: 15,
            self.enter_as_official: 6,
            self.correct: 6,
            self.take_back: 5,
            self.send_back: 5,
            self.settle: 8,
            self.penalise: 2,
            self.end: 1,
            self.reopen: 3,
        }
        self.chance.choices(list(acts), list(acts.values()))[0](sitting)

    # what a table or an official may do; whether it is lawful now is the product's to say

    def enter(self, sitting: Sitting) -> None:
        side = self.chance.choice(("NS", "EW"))
        self.send(scorekeeping.record_hand, self.phones[sitting.pk, side], **self.hand(sitting))

    def enter_as_official(self, sitting: Sitting) -> None:
        basis = self.chance.choice(("watched", "signed_sheet", ""))
        self.send(scorekeeping.record_hand, self.official, **self.hand(sitting), basis=basis)

    def confirm(self, sitting: Sitting) -> None:
        actor = self.chance.choice((*(self.phones[sitting.pk, side] for side in ("NS", "EW")), self.official))
        if (entry := self.one_of(sitting, *PENDING)) is not None:
            self.send(scorekeeping.confirm_hand, actor, sitting_id=sitting.pk, entry_id=entry)

    def take_back(self, sitting: Sitting) -> None:
        if (entry := self.one_of(sitting, *PENDING)) is not None:
            actor = self.phones[sitting.pk, self.chance.choice(("NS", "EW"))]
            self.send(scorekeeping.take_back, actor, sitting_id=sitting.pk, entry_id=entry)

    def send_back(self, sitting: Sitting) -> None:
        if (entry := self.one_of(sitting, *PENDING)) is not None:
            actor = self.phones[sitting.pk, self.chance.choice(("NS", "EW"))]
            self.send(scorekeeping.send_back, actor, sitting_id=sitting.pk, entry_id=entry, what="trump")

    def settle(self, sitting: Sitting) -> None:
        if sitting.phase in (SittingPhase.WAITING, SittingPhase.DISPUTED):
            facts = self.hand(sitting) | self.seen(sitting)
            self.send(scorekeeping.settle, self.official, **facts, reason="Seen by the referee")

    def correct(self, sitting: Sitting) -> None:
        entry = self.one_of(sitting, EntryStatus.EFFECTIVE, EntryStatus.SUPERSEDED)
        if entry is not None:
            treatment = self.chance.choice(("recompute", "let_stand", ""))
            facts = {"facts": self.hand(sitting)["facts"], "treatment": treatment, "reason": "Signed sheet"}
            self.send(corrections.correct, self.official, entry_id=entry, **facts, **self.seen(sitting))

    def penalise(self, sitting: Sitting) -> None:
        facts = {"side": self.chance.choice(("NS", "EW")), "levels": -1, "reason": "Late"}
        facts["clause"] = "penalty.late.levels"
        self.send(given_penalties.penalise_level, self.official, sitting_id=sitting.pk, **facts, **self.seen(sitting))

    def end(self, sitting: Sitting) -> None:
        facts = {"sitting_id": sitting.pk, "reason": "time"}
        self.send(end_sitting, self.official, **facts, **self.seen(sitting))

    def reopen(self, sitting: Sitting) -> None:
        if sitting.phase == SittingPhase.FINISHED:
            facts = {"sitting_id": sitting.pk, "reason": "Ended by mistake"}
            self.send(reopen_sitting, self.official, **facts, **self.seen(sitting))

    def again(self, sitting: Sitting) -> None:
        """An answered request comes once more: the same answer. With another body under its key: refused."""
        if not self.answered:
            return
        sent = self.chance.choice(self.answered)
        assert keyed(sent.key, sent.act, **sent.facts, at=self.now) == sent.answer, "a retry gets the first answer"
        self.outcomes["replayed"] += 1
        if sent.act is scorekeeping.record_hand:
            try:
                keyed(sent.key, sent.act, **{**sent.facts, "reason": "Another body"}, at=self.now)
            except KeyReused:
                self.outcomes["key_reused"] += 1
            else:
                raise AssertionError("a key took a second body")

    def send(self, act: Callable[..., Any], actor: Actor, **facts: Any) -> None:
        self.keys += 1
        key, facts = f"{self.seed}-{self.keys}", {"actor": actor, **facts}
        try:
            made = keyed(key, act, **facts, at=self.now)
        except Refusal as refusal:
            self.outcomes[refusal.code] += 1
        else:
            self.outcomes[act.__name__] += 1
            self.answered.append(Sent(key, act, facts, made))

    def hand(self, sitting: Sitting) -> dict[str, Any]:
        """A hand of the number that is due (or, now and then, of another one)."""
        captured = 5 * self.chance.randint(0, 30)
        facts: dict[str, Any] = {"kind": "hand", "trump": self.chance.choice("SHCD"), "captured_in_tricks": captured}
        facts["last_trick_winner"] = self.chance.choice(("dealer", "dealer", "dealer", "attackers"))
        if facts["last_trick_winner"] == "attackers":
            facts |= {"led": [{"type": self.chance.choice(("single", "pair"))}], "kitty_points": 5}
        if self.chance.random() < 0.1:
            facts["dealer"] = str(self.chance.choice(list(Seat)))
        if self.chance.random() < 0.05:
            facts = {"kind": "annulled", "reason": "misdeal"}
        # both sides often write the same hand
        if self.chance.random() < 0.4 and (entry := self.one_of(sitting, EntryStatus.WAITING)) is not None:
            facts = LedgerEntry.objects.values_list("facts", flat=True).get(pk=entry)
        number = sitting.hand_no + (self.chance.choice((-1, 1)) if self.chance.random() < 0.05 else 0)
        return {"sitting_id": sitting.pk, "facts": facts, "hand_no": number}

    def seen(self, sitting: Sitting) -> dict[str, int]:
        """The revision the official saw; now and then an old one."""
        return {"expected_revision": sitting.revision - (self.chance.random() < 0.1)}

    def one_of(self, sitting: Sitting, *statuses: str) -> int | None:
        ids = list(LedgerEntry.objects.filter(sitting=sitting, status__in=statuses).values_list("pk", flat=True))
        return self.chance.choice(ids) if ids else None

    # what must be true afterwards

    def assert_sound(self) -> None:
        """The tables are up to date and follow from the ledger; every answered act is in it, once."""
        recalculate(tournament_id=self.event.pk, at=self.now)
        differences = audit(event_document(Tournament.objects.get(pk=self.event.pk), official=True))
        assert not differences, [str(one) for one in differences]
        unexplained = checking.check(self.event)
        assert not unexplained, [str(one) for one in unexplained]
        entered = [sent for sent in self.answered if sent.act in (scorekeeping.record_hand, scorekeeping.settle)]
        known = set(LedgerEntry.objects.filter(sitting__in=self.sittings).values_list("pk", flat=True))
        assert {sent.answer["entry"] for sent in entered} <= known
