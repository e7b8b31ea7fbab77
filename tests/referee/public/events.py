"""Events as the public pages find them: some rounds played, one running with a hand that waits, something published."""

from __future__ import annotations

from tests.tournaments import factories, playing
from tests.tournaments.factories import sheet
from tests.worlds import kept
from tournaments.acts.admission import Actor
from tournaments.ledger import scorekeeping
from tournaments.models import Publication, Round, Sitting
from tournaments.standings import runs


def publish(event: playing.Event, round_: Round, **more: object) -> Publication:
    runs.recalculate(tournament_id=event.tournament.pk, at=event.tick())
    return runs.publish(stage_id=round_.stage_id, round_id=round_.pk, actor=event.actor, at=event.tick(), **more)


def waiting_hand(event: playing.Event, sitting: Sitting, captured: int = 195) -> None:
    """A hand that North-South sent and nobody confirmed yet."""
    sitting.refresh_from_db()
    facts = sheet(captured)
    if sitting.state["next_dealer"] is None:
        facts["dealer"] = "N"
    scorekeeping.record_hand(
        sitting_id=sitting.pk,
        actor=Actor(device=factories.device(sitting, "NS")),
        at=event.tick(),
        facts=facts,
        hand_no=sitting.hand_no,
    )


@kept
def played(size: int = 1, **more: object) -> playing.Event:
    """`size` closed rounds with `size` hands a table, each published, then a running one: at each of `size` times two
    tables some hands are confirmed, and one more waits at table 1.
    """
    event = playing.event(pairs=4 * size, **more)
    numbers = list(range(1, 4 * size + 1))
    for _ in range(size):
        pairs = list(zip(numbers[0::2], numbers[1::2], strict=True))
        round_ = event.running(*pairs)
        event.play(round_, *([35] * size if table % 2 else [80] * size for table in range(len(pairs))))
        publish(event, round_)
        numbers = [numbers[0], *numbers[2:], numbers[1]]
    running = event.running(*zip(numbers[0::2], numbers[1::2], strict=True))
    tables = playing.sittings_of(running)
    for sitting in tables:
        for _ in range(size):
            event.hand(sitting, 35)
    waiting_hand(event, tables[0])
    runs.recalculate(tournament_id=event.tournament.pk, at=event.tick())
    return event


@kept
def knockout(done: int = 2, pairs: int = 8, **more: object) -> playing.Event:
    """Eight pairs, or another power of two, in a knockout with a match for the third place: `done` rounds are played,
    the upper one winning everywhere; in the next, some hands are confirmed and one more waits at its first table."""
    stage = {
        "format": "ko_timed",
        "tie_rule": "on_stage",
        "rounds_planned": (rounds := pairs.bit_length() - 1),
        "minutes": 40,
        "plan": {"bracket": "bracket", "third_place": True},
    }
    event = playing.event(pairs=pairs, stage=stage, **more)
    for _ in range(done):
        round_ = event.begun(event.drawn())
        event.play(round_, *[[35]] * len(playing.sittings_of(round_)))
        runs.recalculate(tournament_id=event.tournament.pk, at=event.tick())
    if done < rounds:
        running = event.begun(event.drawn())
        tables = playing.sittings_of(running)
        for sitting in tables:
            event.hand(sitting, 35)
        waiting_hand(event, tables[0])
    runs.recalculate(tournament_id=event.tournament.pk, at=event.tick())
    return event
