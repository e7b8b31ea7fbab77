"""Every fact that an entry rests on, with an act that changes it: docs/decisions.md ("The entry path") lists them.

For the tests that change each between the two statements of an entry, or let it race with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from knox.models import AuthToken

from tests.tournaments.factories import AT, Hall, hall, official, round_, sheet
from tests.tournaments.test_rule_changes import FORTY
from tournaments.acts.admission import Actor
from tournaments.acts.text import text_digest
from tournaments.demo import removal
from tournaments.events import officials, rule_changes
from tournaments.events.setup import update_tournament
from tournaments.following import terms
from tournaments.ledger import devices, scorekeeping
from tournaments.ledger.codes import party_code_text
from tournaments.ledger.entry_path import Asked
from tournaments.ledger.officials_entries import end_sitting, forfeit
from tournaments.models import LedgerEntry, Match, Office, Official, Pairing, PartyCode, Round, Sitting, Table, User
from tournaments.people import second_factor, tokens, withdrawals
from tournaments.rounds import acts as rounds
from tournaments.rounds import reseating
from tournaments.rounds.pairing import check_pairing
from tournaments.rounds.pairing_documents import numbered_pairing
from tournaments.rulings import given_penalties
from tournaments.standings import runs

BEFORE = AT + timedelta(seconds=30)


def change_hand(here: Hall, actor: Actor) -> None:
    scorekeeping.record_hand(
        sitting_id=here.sitting.pk, actor=here.chief, at=AT, facts=sheet(80), hand_no=1, basis="watched"
    )


def penalise(here: Hall, actor: Actor) -> None:
    given_penalties.penalise_level(
        sitting_id=here.sitting.pk, actor=here.chief, at=AT, expected_revision=0, side="NS", levels=-1, reason="r",
        clause="referee.level_penalty",
    )  # fmt: skip


def take_back(here: Hall, actor: Actor) -> None:
    row = LedgerEntry.objects.get(sitting=here.sitting)
    scorekeeping.take_back(sitting_id=here.sitting.pk, actor=here.ns, at=AT, entry_id=row.pk)


def release_phone(here: Hall, actor: Actor) -> None:
    assert actor.device is not None
    devices.release(device_id=actor.device.pk, actor=here.chief, at=AT)


def give_a_new_card(here: Hall, actor: Actor) -> None:
    assert actor.device is not None
    devices.reissue(table_id=here.sitting.table_id, side=actor.device.side, actor=here.chief, at=AT)


def have_real_cards(here: Hall, actor: Actor) -> None:
    for code in PartyCode.objects.filter(table=here.sitting.table_id):
        PartyCode.objects.filter(pk=code.pk).update(digest=text_digest(party_code_text(code)))


def take_the_place(here: Hall, actor: Actor) -> None:
    """Another phone shows the same card."""
    assert actor.device is not None
    card = party_code_text(actor.device.code)
    other = f"o{actor.device.pk % 1_000_000}"
    devices.claim(code_text=card, at=AT, token=other, public_id=other, take_over=True)


def revoke_office(here: Hall, actor: Actor) -> None:
    row = Official.objects.get(tournament=here.event, user=actor.user)
    officials.revoke(official_id=row.pk, actor=here.organiser, at=AT)


def give_another_table(here: Hall, actor: Actor) -> None:
    assert actor.user is not None
    Table.objects.get_or_create(tournament=here.event, number=7)
    given = {"username": actor.user.username, "office": Office.REFEREE, "tables": [7]}
    officials.appoint(tournament_id=here.event.pk, actor=here.organiser, at=AT, **given)


def let_several_officiate(here: Hall, actor: Actor) -> None:
    """One official no longer does everything."""
    update_tournament(tournament_id=here.event.pk, actor=here.organiser, at=AT, changes={"single_official": False})


def ask_for_a_factor(here: Hall, actor: Actor) -> None:
    assert here.organiser.user is not None
    here.organiser.user.factor_since = AT
    here.organiser.user.save()
    update_tournament(tournament_id=here.event.pk, actor=here.organiser, at=AT, changes={"second_factor": True})


def have_a_factor(here: Hall, actor: Actor) -> None:
    assert actor.user is not None
    User.objects.filter(pk=actor.user.pk).update(factor_since=AT)


def lose_the_factor(here: Hall, actor: Actor) -> None:
    """The tokens that were made with it end too."""
    assert actor.user is not None
    second_factor.forget(person=User.objects.get(pk=actor.user.pk), at=AT)


def end_the_token(here: Hall, actor: Actor) -> None:
    assert actor.user is not None
    token = AuthToken.objects.get(user=actor.user)
    tokens.revoke(person=actor.user, token=tokens.token_id(token))


def shut_the_account(here: Hall, actor: Actor) -> None:
    """As who runs the installation does it."""
    assert actor.user is not None
    User.objects.filter(pk=actor.user.pk).update(is_active=False)


def move_away(here: Hall, actor: Actor) -> None:
    rounds.move_sitting(sitting_id=here.sitting.pk, actor=here.chief, at=AT, table=8)


def swap(here: Hall, actor: Actor) -> None:
    both = [one.pk for one in here.sittings]
    rounds.swap_tables(round_id=here.round.pk, actor=here.chief, at=AT, sitting_ids=both)


def let_a_referee_score(here: Hall, actor: Actor) -> None:
    rounds.set_scored_by(sitting_id=here.sitting.pk, actor=here.chief, at=AT, scored_by="referee")


def forfeit_match(here: Hall, actor: Actor) -> None:
    forfeit(match_id=here.sitting.match_id, actor=here.chief, at=AT, outcome="home_forfeit", reason="Left")


def withdraw(here: Hall, actor: Actor) -> None:
    entrant = here.sitting.match.home_id
    assert entrant is not None
    withdrawals.withdraw_entrant(entrant_id=entrant, actor=here.organiser, at=AT, reason="Ill")


def end_match(here: Hall, actor: Actor) -> None:
    end_sitting(sitting_id=here.sitting.pk, actor=here.chief, at=AT, expected_revision=0, reason="time")


def close_round(here: Hall, actor: Actor) -> None:
    """As closing leaves it; closing itself waits for a result, which is a fact of its own."""
    Round.objects.filter(pk=here.round.pk).update(status="closed", closed_at=AT)


def replace_pairing(here: Hall, actor: Actor) -> None:
    """As a later pairing leaves the sitting."""
    Sitting.objects.filter(pk=here.sitting.pk).update(active=False)


def have_a_pairing(here: Hall, actor: Actor) -> None:
    def publish(pairing: Pairing) -> None:
        Match.objects.filter(round=here.round).update(published_in=pairing)

    with transaction.atomic():
        numbered_pairing(here.round, here.chief, AT, check_pairing, make=publish).save()


def seat_otherwise(here: Hall, actor: Actor) -> None:
    """The two sat the other way round: the table goes to another match, with what was played."""
    match = here.sitting.match
    given = {"entrants": [match.home_id, match.away_id], "reason": "Sat otherwise"}
    reseating.reseat_match(round_id=here.round.pk, actor=here.chief, at=AT, **given)


def change_rules(here: Hall, actor: Actor) -> None:
    """At once before the first hand, else refused while a round runs."""
    given = {"spec": FORTY, "reason": "The regulation says forty"}
    rule_changes.propose(tournament_id=here.event.pk, actor=here.chief, at=AT, **given)


def have_a_round_before(here: Hall, actor: Actor) -> None:
    Round.objects.filter(pk=here.round.pk).update(number=2)
    round_(here.stage, number=1, status="closed")


def publish_standings(here: Hall, actor: Actor) -> None:
    """Of the round before: all counters of the event are held meanwhile, and nothing that counts moves."""
    before = here.event.rounds.get(number=1)
    runs.publish(stage_id=here.stage.pk, round_id=before.pk, actor=here.organiser, at=AT)


def write_elsewhere(here: Hall, actor: Actor) -> None:
    """As hearing of a later term leaves the event."""
    terms.end_here(here.event.pk)


def remove_event(here: Hall, actor: Actor) -> None:
    removal.remove()


@dataclass(frozen=True)
class Fact:
    """A change under an entry, who enters, and how an entry that comes after it is answered. `confirms`: it confirms
    the other side's hand instead. `event`, `opening`: what the event and the table are like before."""

    change: Callable[[Hall, Actor], None]
    who: str
    code: str
    confirms: bool = False
    event: Mapping[str, Any] = field(default_factory=dict)
    opening: Mapping[str, Any] = field(default_factory=dict)
    before: Callable[[Hall, Actor], None] | None = None

    def __str__(self) -> str:
        return f"{self.change.__name__}-{'confirming-' if self.confirms else ''}{self.who}"

    @property
    def refuses(self) -> bool:
        """Whether nothing may be written after the change; else an entry counts, on what then stands."""
        return self.code not in ("confirmed", "waiting")

    @property
    def removes(self) -> bool:
        """Whether the change takes the event away, so that nothing is left to be asked."""
        return self.change is remove_event

    def hall(self) -> tuple[Hall, Actor]:
        """An event in which nothing has changed yet, and who enters."""
        here = hall(tables=2, event=dict(self.event), **self.opening)
        if self.who == "of_table":
            actor = official(here.event, tables=(here.sitting.table,))
        else:
            actor = getattr(here, self.who)
        if self.confirms:
            scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=BEFORE, facts=sheet(35), hand_no=1)
        if self.before is not None:
            self.before(here, actor)
        return here, actor

    def asks(self, here: Hall) -> Asked | None:
        """What is asked, where it is no hand."""
        if not self.confirms:
            return None
        return scorekeeping.hand_to_confirm(entry_id=LedgerEntry.objects.get(sitting=here.sitting).pk)


_ENDS = {"levels": ("A", "2")}
FACTS: list[Fact] = [
    Fact(change_hand, "referee", "already_recorded"),
    Fact(change_hand, "ns", "already_recorded"),
    Fact(penalise, "ns", "waiting"),
    Fact(take_back, "ew", "stale", confirms=True),
    Fact(release_phone, "ns", "forbidden"),
    Fact(release_phone, "ew", "forbidden", confirms=True),
    Fact(give_a_new_card, "ns", "forbidden"),
    Fact(take_the_place, "ns", "forbidden", before=have_real_cards),
    Fact(revoke_office, "referee", "not_found"),
    Fact(give_another_table, "of_table", "forbidden"),
    Fact(give_another_table, "referee", "forbidden"),
    Fact(let_several_officiate, "organiser", "forbidden", event={"single_official": True}),
    Fact(ask_for_a_factor, "chief", "second_factor_needed"),
    Fact(lose_the_factor, "chief", "forbidden", event={"second_factor": True}, before=have_a_factor),
    Fact(end_the_token, "referee", "forbidden"),
    Fact(shut_the_account, "referee", "not_found"),
    Fact(move_away, "of_table", "forbidden"),
    Fact(swap, "of_table", "forbidden"),
    Fact(let_a_referee_score, "ns", "scored_by_referee"),
    Fact(forfeit_match, "ns", "match_over"),
    Fact(withdraw, "ns", "match_over"),
    Fact(end_match, "referee", "match_over"),
    Fact(close_round, "ns", "round_closed"),
    Fact(close_round, "referee", "round_closed"),
    Fact(close_round, "ew", "round_closed", confirms=True),
    Fact(replace_pairing, "ns", "sitting_replaced"),
    Fact(seat_otherwise, "referee", "confirmed", opening=_ENDS, before=have_a_pairing),
    Fact(change_rules, "referee", "confirmed"),
    Fact(publish_standings, "referee", "confirmed", before=have_a_round_before),
    Fact(write_elsewhere, "ns", "event_over_here"),
    Fact(write_elsewhere, "referee", "event_over_here"),
    Fact(remove_event, "ns", "not_found", event={"demo": True}),
    Fact(remove_event, "referee", "not_found", event={"demo": True}),
]
