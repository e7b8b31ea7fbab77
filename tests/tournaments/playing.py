"""Whole events played by the acts: entrants, rounds, hands, results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from tests.tournaments.factories import AT, digest, sheet, user
from tests.worlds import kept, kept_step
from tournaments.acts.admission import Actor
from tournaments.events import setup
from tournaments.ledger import scorekeeping
from tournaments.ledger.officials_entries import end_sitting
from tournaments.models import Office, Official, Round, Sitting, Tournament
from tournaments.people import entrants
from tournaments.rounds import closing, drawing, pairing
from tournaments.rounds.acts import create_round, start_round

SEED = "0123456789abcdef" * 4


@dataclass
class Event:
    """An event run by one official, with its entrants' ids by number."""

    tournament: Tournament
    actor: Actor
    ids: dict[int, int]
    now: datetime = AT

    def tick(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now

    def paired(self, *numbers: tuple[int, int | None], **more: object) -> Round:
        """The next round with these pairs of entrant numbers, as a draft."""
        return self._after("paired", *numbers, **more)

    def drawn(self, *, stage_id: int | None = None, extra: bool = False, **more: object) -> Round:
        """The next round as the format of its stage draws it, as a draft."""
        round_, self.now = _drawn_round(self, stage_id, extra, **more)
        return round_

    def begun(self, round_: Round) -> Round:
        """A draft, published and started."""
        pairing.publish_pairing(round_id=round_.pk, actor=self.actor, at=self.tick())
        return start_round(round_id=round_.pk, actor=self.actor, at=self.tick())

    def published(self, *numbers: tuple[int, int | None], **more: object) -> Round:
        return self._after("published", *numbers, **more)

    def running(self, *numbers: tuple[int, int | None], **more: object) -> Round:
        return self._after("running", *numbers, **more)

    def _after(self, *what: object, **more: object) -> Round:
        round_, self.now = _next_round(self, *what, **more)
        return round_

    def hand(self, sitting: Sitting, captured: int, **more: object) -> None:
        """One hand entered by the official; NS deals unless the ledger says otherwise."""
        sitting.refresh_from_db()
        facts = sheet(captured, **more)
        if sitting.state["next_dealer"] is None:
            facts["dealer"] = "N"
        scorekeeping.record_hand(
            sitting_id=sitting.pk,
            actor=self.actor,
            at=self.tick(),
            facts=facts,
            hand_no=sitting.hand_no,
            basis="signed_sheet",
        )

    def end(self, sitting: Sitting) -> None:
        sitting.refresh_from_db()
        end_sitting(
            sitting_id=sitting.pk,
            actor=self.actor,
            at=self.tick(),
            expected_revision=sitting.revision,
            reason="time",
        )

    def play(self, round_: Round, *totals: list[int]) -> None:
        """Every table's hands by table order (attackers' points), then time, then the round is closed."""
        self.now = _played_round(self, round_.pk, *totals)


@kept_step
def _next_round(of: Event, until: str, *numbers: tuple[int, int | None], **more: object) -> tuple[Round, datetime]:
    """The next round with these pairs of entrant numbers, paired, published or running, and the time it is then."""
    now = replace(of)  # a step changes no argument
    round_ = create_round(tournament_id=now.tournament.pk, actor=now.actor, at=now.tick())
    pairs = [{"home": now.ids[home], "away": now.ids[away] if away else None} for home, away in numbers]
    drawing.pair_by_hand(round_id=round_.pk, actor=now.actor, at=now.tick(), pairs=pairs, **more)
    if until != "paired":
        pairing.publish_pairing(round_id=round_.pk, actor=now.actor, at=now.tick())
    if until == "running":
        round_ = start_round(round_id=round_.pk, actor=now.actor, at=now.tick())
    return round_, now.now


@kept_step
def _drawn_round(of: Event, stage_id: int | None, extra: bool, **more: object) -> tuple[Round, datetime]:
    now = replace(of)
    round_ = create_round(
        tournament_id=now.tournament.pk, actor=now.actor, at=now.tick(), stage_id=stage_id, extra=extra
    )
    drawing.draw_round(round_id=round_.pk, actor=now.actor, at=now.tick(), **more)
    return round_, now.now


@kept_step
def _played_round(of: Event, round_id: int, *totals: list[int]) -> datetime:
    now = replace(of)
    for sitting, hands in zip(sittings_of(round_id), totals, strict=True):
        for captured in hands:
            now.hand(sitting, captured)
        now.end(sitting)
    closing.close_round(round_id=round_id, actor=now.actor, at=now.tick())
    return now.now


def sittings_of(round_: Round | int) -> list[Sitting]:
    return list(Sitting.objects.filter(round=round_, active=True).select_related("match").order_by("table__number"))


@kept
def event(pairs: int = 4, *, units: dict[int, str] | None = None, **more: object) -> Event:
    """An event of preset F1 with so many pairs and one official who holds every office."""
    actor = Actor(user=user("director"))
    facts: dict[str, object] = {"name": "Event", "slug": f"e-{digest(str(actor.user.pk))[:8]}", "lot_seed": SEED}
    made = setup.create_tournament(
        actor=actor, at=AT, **{**facts, "language": "en", "preset": "F1", "single_official": True, **more}
    )
    ids = {
        number: entrants.add_entrant(
            tournament_id=made.pk,
            actor=actor,
            at=AT,
            name=f"Pair {number}",
            unit=(units or {}).get(number, ""),
            players=[{"name": f"王{number}"}, {"name": f"Lee {number}"}],
        ).pk
        for number in range(1, pairs + 1)
    }
    return Event(made, actor, ids)


def colleague(of: Event, office: Office) -> Actor:
    """Another official of the event (the event then has officials with separate offices)."""
    person = user(str(office))
    Official.objects.create(tournament=of.tournament, user=person, office=office, appointed_at=AT)
    Tournament.objects.filter(pk=of.tournament.pk).update(single_official=False)
    return Actor(user=person)
