"""Evenings of single players, played by the acts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from tests.tournaments.factories import AT, digest, user
from tests.worlds import kept, kept_step
from tournaments.acts.admission import Actor
from tournaments.events import setup
from tournaments.ledger import codes, devices, recorded, scorekeeping
from tournaments.ledger.officials_entries import end_sitting
from tournaments.models import Device, PartyCode, Round, Sitting, Tournament
from tournaments.people import entrants
from tournaments.rounds import closing, pairing, seating
from tournaments.rounds.acts import create_round, start_round

SEED = "0123456789abcdef" * 4


@dataclass
class Evening:
    """An evening run by one official, with its players' ids by number."""

    tournament: Tournament
    actor: Actor
    ids: dict[int, int]
    now: datetime = AT

    def tick(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now

    def round(self) -> Round:
        """The next round, drawn and running."""
        return self.seated()

    def seated(self, *tables: tuple[int, ...]) -> Round:
        """The next round with these players (numbers by place), running."""
        made, self.now = _next_round(self, *tables)
        return made

    def enter(self, sitting: Sitting, facts: dict[str, Any]) -> recorded.Recorded:
        """One hand from a signed sheet."""
        sitting.refresh_from_db()
        return scorekeeping.record_hand(
            sitting_id=sitting.pk,
            actor=self.actor,
            at=self.tick(),
            facts=facts,
            hand_no=sitting.hand_no,
            basis="signed_sheet",
        )

    def end(self, sitting: Sitting, reason: str = "time") -> None:
        sitting.refresh_from_db()
        end_sitting(
            sitting_id=sitting.pk,
            actor=self.actor,
            at=self.tick(),
            expected_revision=sitting.revision,
            reason=reason,
        )

    def close(self, round_: Round) -> None:
        closing.close_round(round_id=round_.pk, actor=self.actor, at=self.tick())

    def phone(self, sitting: Sitting, place: str) -> Actor:
        """The phone of one place at a sitting."""
        devices.issue_codes(tournament_id=self.tournament.pk, actor=self.actor, at=self.now)
        code = PartyCode.objects.get(table=sitting.table_id, side=place, revoked_at=None)
        device = devices.claim(
            code_text=codes.party_code_text(code),
            at=self.tick(),
            token=f"token{sitting.pk % 1_000_000}x{place}",
            public_id=f"d{sitting.pk % 1_000_000}x{place}",
            take_over=True,
        )
        return Actor(device=Device.objects.select_related("sitting").get(pk=device.pk))


@kept_step
def _next_round(of: Evening, *tables: tuple[int, ...]) -> tuple[Round, datetime]:
    """The next round, running: with these tables, or as it is drawn where none is named; and the time it is then."""
    now = replace(of)  # a step changes no argument
    made = create_round(tournament_id=now.tournament.pk, actor=now.actor, at=now.tick())
    if tables:
        named = [{"players": [now.ids[number] for number in table]} for table in tables]
        seating.seat_by_hand(round_id=made.pk, actor=now.actor, at=now.tick(), tables=named)
    else:
        seating.seat_players(round_id=made.pk, actor=now.actor, at=now.tick())
    pairing.publish_pairing(round_id=made.pk, actor=now.actor, at=now.tick())
    return start_round(round_id=made.pk, actor=now.actor, at=now.tick()), now.now


@kept
def evening(preset: str, players: int, **more: Any) -> Evening:
    """An evening of a preset with so many players and one official who holds every office."""
    actor = Actor(user=user("director"))
    facts = {"name": "Evening", "slug": f"e-{digest(str(actor.user.pk))[:8]}", "lot_seed": SEED, "language": "zh-hans"}
    made = setup.create_tournament(actor=actor, at=AT, **{**facts, "preset": preset, "single_official": True, **more})
    ids = {
        number: entrants.add_entrant(
            tournament_id=made.pk, actor=actor, at=AT, name=f"选手{number}", players=[{"name": f"选手{number}"}]
        ).pk
        for number in range(1, players + 1)
    }
    return Evening(made, actor, ids)


def sittings_of(round_: Round) -> list[Sitting]:
    return list(Sitting.objects.filter(round=round_, active=True).select_related("match").order_by("table__number"))


def alone(dealer: str, bid: int, captured: int, **more: Any) -> dict[str, Any]:
    """A hand of 三打一: who plays alone, the bid, what the three took in tricks; the dealer won the last trick."""
    return {
        "kind": "hand",
        "dealer": dealer,
        "bid": bid,
        "trump": "S",
        "captured_in_tricks": captured,
        "last_trick_winner": "dealer",
        **more,
    }


def allied(dealer: str, ally: str, captured: int, **more: Any) -> dict[str, Any]:
    """A hand of 找朋友: dealer, ally, what the attackers took in tricks; the dealer side won the last trick."""
    return {
        "kind": "hand",
        "dealer": dealer,
        "ally": ally,
        "trump": "H",
        "captured_in_tricks": captured,
        "last_trick_winner": "dealer",
        **more,
    }


def everyone(points: list[int], last: str, kitty: int) -> dict[str, Any]:
    """A hand of 二百四: points in tricks by place, who won the last trick, the points of the kitty."""
    return {
        "kind": "hand",
        "dealer": "1",
        "trump": "D",
        "points": {str(place): taken for place, taken in enumerate(points, start=1)},
        "last_trick_place": last,
        "kitty_points": kitty,
    }
