"""A duplicate event of eight teams with real deals, from the promise to the certificate: the hands are played by cards,
one board is played with wrong pockets, and anybody deals all boards again from what is shown at the end."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client

from scoring.cards.dealing import Dealt, in_order
from scoring.cards.records import write
from scoring.cards.replay import replay
from scoring.simulation.hand import simulate
from scoring.values import Level, Seat
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.audit.audit import certify
from tournaments.audit.record import event_document
from tournaments.deals.acts import commit_deals, draw_lot, read_deals, show_deals
from tournaments.deals.reads import compared, planned_boards
from tournaments.ledger import scorekeeping
from tournaments.ledger.recorded_hands import attach
from tournaments.models import Dealing, LedgerEntry, Sitting
from tournaments.rounds import closing
from tournaments.rulings.adjusted_boards import adjust_board
from tournaments.stages.acts import begin_stage
from tournaments.standings.runs import publish
from tournaments.transfer.paper.deals import slips_pdf

pytestmark = [pytest.mark.django_db, pytest.mark.long]

TEAMS, SPARE = 8, 2
CLAUSE = "penalty.misboard.board"


def by(made: Event) -> dict[str, Any]:
    return {"actor": made.actor, "at": made.tick()}


def swapped(dealt: Dealt) -> Dealt:
    """North and East have exchanged a card: somebody put it back into the wrong pocket."""
    north, east = list(dealt.hands[Seat.N]), list(dealt.hands[Seat.E])
    mine = next(card for card in north if card not in east)
    theirs = next(card for card in east if card not in north)
    north[north.index(mine)], east[east.index(theirs)] = theirs, mine
    return replace(dealt, hands={**dealt.hands, Seat.N: in_order(north), Seat.E: in_order(east)})


def play_board(made: Event, sitting: Sitting, hand_no: int, dealt: Dealt, chance: Random) -> None:
    """One board played by cards at a table; its sheet is entered and its record laid beside it."""
    sitting.refresh_from_db()
    fixed = sitting.round.stage.deals[dealt.board]
    profile = made.tournament.profile
    record = simulate(profile, chance, level=Level(str(fixed.level)), dealer=fixed.dealer, dealt=dealt)
    facts = replay(profile, record).sheet.to_json()
    scorekeeping.record_hand(
        sitting_id=sitting.pk, facts={"kind": "hand", **facts}, hand_no=hand_no, basis="watched", **by(made)
    )
    attach(sitting_id=sitting.pk, hand_no=hand_no, text=write(record), **by(made))


def test_from_the_promise_to_the_certificate(tmp_path: Path) -> None:
    made, chance = event(TEAMS, preset="F7"), Random(20260501)
    stage = made.tournament.stages.get()
    last = planned_boards(stage)[-1]
    assert made.actor.user is not None
    row = commit_deals(
        stage_id=stage.pk, first=1, last=last + SPARE, nonce="c0ffee" * 10 + "c0fe", reader_id=made.actor.user.pk,
        **by(made),
    )  # fmt: skip
    row = draw_lot(dealing_id=row.pk, lot="4 4 1 6 2", **by(made))
    deals = read_deals(dealing_id=row.pk, purpose="slips", **by(made))
    assert slips_pdf(stage, deals.values(), made.now)[:4] == b"%PDF"
    begin_stage(stage_id=stage.pk, **by(made))
    stage.refresh_from_db()

    fouled: tuple[Sitting, int] | None = None
    for number in range(1, stage.rounds_planned + 1):
        round_ = made.begun(made.drawn())
        for sitting in sittings_of(round_):
            for hand_no, board in enumerate(sitting.boards or (), start=1):
                dealt = deals[board]
                if fouled is None and number == 2:
                    fouled, dealt = (sitting, board), swapped(dealt)
                play_board(made, sitting, hand_no, dealt, chance)
        closing.close_round(round_id=round_.pk, **by(made))
    assert fouled is not None

    # the cards tell: the named official holds the records against the deals, and the board is adjusted
    where, board = fouled
    (found,) = compared(row, read_deals(dealing_id=row.pk, purpose="check", **by(made))).others
    assert (found.sitting, found.board, [one.pocket for one in found.differences]) == (where, board, ["N", "E"])
    where.refresh_from_db()
    half = {"artificial": "average"}
    adjust_board(
        sitting_id=where.pk, number=board, expected_revision=where.revision, ns=half, ew=half, clause=CLAUSE,
        reason="North and East played with a card of each other", **by(made),
    )  # fmt: skip
    publish(stage_id=stage.pk, round_id=made.tournament.rounds.order_by("-number")[0].pk, **by(made))

    row = show_deals(dealing_id=row.pk, **by(made))
    told = Client().get(f"/en/e/{made.tournament.slug}/stages/1/deals/").content.decode()
    assert row.secret in told
    assert row.commitment in told
    program = tmp_path / "deals.py"
    program.write_bytes(Client().get("/deals.py").content)
    (command,) = re.findall(r"python3 deals\.py (\w{64}) &#x27;([\d ]+)&#x27; (\d+) (\d+) (\d)", told)
    printed = subprocess.run([sys.executable, "-I", str(program), *command], capture_output=True, check=True).stdout
    for number, dealt in deals.items():
        assert f"board {number} fingerprint {dealt.fingerprint}\n{dealt.text}" in printed.decode()
        if number <= last:
            page = Client().get(f"/en/e/{made.tournament.slug}/stages/1/boards/{number}/").content.decode()
            assert dealt.fingerprint in page
    document = event_document(made.tournament, official=True, names=True)
    certificate = certify(document)
    assert list(certificate.differences) == []
    assert {line.kind: line.verdict for line in certificate.lines}["deals"] == "reproduced"
    hands = LedgerEntry.objects.filter(tournament=made.tournament, status="effective", hand_no__isnull=False).count()
    assert hands == TEAMS * last == 48
    assert Dealing.objects.get().secret == row.secret
