"""The demonstration: two rounds played and published, the third of four in progress, every table in another state."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import transaction

from tournaments.ledger import calls, codes, corrections
from tournaments.rounds import closing, drawing, pairing

from ..acts.access import Act
from ..acts.admission import SYSTEM, Actor, require
from ..acts.change import Change, commit
from ..events import officials, setup
from ..ledger import devices, recorded_hands, scorekeeping
from ..ledger.officials_entries import end_sitting, forfeit
from ..models import Call, Office, Round, ScoredBy, Sitting, SittingPhase, Tournament, User
from ..people import accounts, entrants
from ..rounds import acts
from ..standings.runs import live_rows, publish, recalculate
from . import cast, hands

ROUNDS_STARTED = (timedelta(minutes=128), timedelta(minutes=76), timedelta(minutes=22))
ROUND_MINUTES = 40
LATE_TABLE, WAITING, DISPUTED, CALLED, WATCHED, SENT_BACK, FINISHED = 3, 4, 2, 5, 6, 7, 8
# the table whose links are printed: it is playing, and both places are free
FREE_TABLE = 1


def build(*, at: datetime, seed: str, secrets: Callable[[], str]) -> Tournament:
    """Make the event as it stands at `at`. Same seed, same event; `secrets` gives random text for tokens and lots."""
    with transaction.atomic():
        event = _Event(at, Random(seed), secrets)  # noqa: S311 - chance, not secrecy
        event.set_up()
        for number in (1, 2):
            event.play_round(number)
        event.begin_round_in_progress()
    recalculate(tournament_id=event.tournament.pk, at=at)
    return Tournament.objects.get(pk=event.tournament.pk)


class _Event:
    def __init__(self, at: datetime, chance: Random, secrets: Callable[[], str]) -> None:
        self.now = at
        self.chance = chance
        self.secrets = secrets
        self.met: set[frozenset[int]] = set()

    def set_up(self) -> None:
        """Entrants, officials, four rounds of forty minutes."""
        at = self.now - timedelta(days=2)
        organiser, _ = accounts.make_person(username=cast.ORGANISER[0], display_name=cast.ORGANISER[1])
        self.organiser = Actor(user=organiser)
        self.tournament = setup.create_tournament(
            actor=SYSTEM,
            at=at,
            name=cast.NAME,
            name_latin=cast.NAME_LATIN,
            slug=cast.SLUG,
            place=cast.PLACE,
            starts_on=self.now.date(),
            lot_seed=self.secrets(),
            preset="F1",
            demo=True,
        )
        given: dict[str, Any] = {"tournament_id": self.tournament.pk, "actor": self.organiser, "at": at}
        for office in (Office.ORGANISER, Office.CHIEF_REFEREE):
            self._appoint(organiser, office, at)
        self.referee, self.colleague = (self._referee(name, shown, at) for name, shown in cast.REFEREES)
        self.entrants = [
            entrants.add_entrant(
                **given,
                name=f"{one[0]} / {two[0]}",
                name_latin=f"{one[1] or one[0]} / {two[1] or two[0]}",
                unit=unit,
                external_id=f"D{number:02d}",
                players=[{"name": name, "name_latin": latin or name} for name, latin in (one, two)],
            ).pk
            for number, (one, two, unit) in enumerate(cast.PAIRS, start=1)
        ]

    def _referee(self, username: str, display_name: str, at: datetime) -> Actor:
        person = accounts.called(username, display_name)
        self._appoint(person, Office.REFEREE, at)
        return Actor(user=person)

    def _appoint(self, person: User, office: Office, at: datetime) -> None:
        admitted = require(SYSTEM, Act.MANAGE_OFFICIALS, tournament=self.tournament)
        held, writes = officials.office_taken(admitted, person, office, at)
        commit(Change(admitted, held, writes), SYSTEM, at)

    def start_round(self, number: int) -> tuple[Round, datetime]:
        """Pair by the table as it stands, publish, start; the round, and when it started."""
        started = self.now - ROUNDS_STARTED[number - 1]
        given: dict[str, Any] = {"actor": self.organiser}
        round_ = acts.create_round(tournament_id=self.tournament.pk, at=started - timedelta(minutes=6), **given)
        pairs = [{"home": home, "away": away} for home, away in self.pairs()]
        drawing.pair_by_hand(round_id=round_.pk, at=started - timedelta(minutes=5), pairs=pairs, **given)
        pairing.publish_pairing(round_id=round_.pk, at=started - timedelta(minutes=4), **given)
        devices.issue_codes(tournament_id=self.tournament.pk, at=started - timedelta(minutes=3), **given)
        return acts.start_round(round_id=round_.pk, at=started, **given), started

    def pairs(self) -> list[tuple[int, int]]:
        """Neighbours in the table who have not met; in the first round by lot."""
        stage = self.tournament.stages.get()
        if not self.met:
            order = self.chance.sample(self.entrants, len(self.entrants))
        else:
            order = [row["entrant"] for row in live_rows(stage)]
        pairs = _neighbours(order, self.met)
        self.met |= {frozenset(pair) for pair in pairs}
        return pairs

    def play_round(self, number: int) -> None:
        """A round from its start to its published table."""
        round_, started = self.start_round(number)
        end = started + timedelta(minutes=ROUND_MINUTES)
        places = _sittings(round_)
        if number == 2:
            absent = places.pop()
            forfeit(
                match_id=absent.match_id,
                actor=self.organiser,
                at=started + timedelta(minutes=15),
                outcome="away_forfeit",
                reason="十五分钟未到场 / Not at the table after fifteen minutes",
            )
        tables = [_Table(self, place, started) for place in places]
        _interleave(table.play(end, misdeal_at=3 if place == 1 else 0) for place, table in enumerate(tables))
        if number == 1:
            tables[4].corrected(end)
        for table in tables:
            table.stop(end + timedelta(minutes=2))
        closed = end + timedelta(minutes=4)
        closing.close_round(round_id=round_.pk, actor=self.organiser, at=closed)
        publish(stage_id=round_.stage_id, round_id=round_.pk, actor=self.organiser, at=closed + timedelta(minutes=1))

    def begin_round_in_progress(self) -> None:
        """Round 3: each table where a real one might be after twenty minutes."""
        round_, started = self.start_round(3)
        tables = {place.table.number: _Table(self, place, started) for place in _sittings(round_)}
        watched = tables[WATCHED].sitting
        acts.set_scored_by(sitting_id=watched.pk, actor=self.organiser, at=started, scored_by=ScoredBy.REFEREE)
        until = self.now - timedelta(minutes=5)
        plays = {number: table.play(until) for number, table in tables.items() if number != LATE_TABLE}
        plays[SENT_BACK] = tables[SENT_BACK].play(until, sent_back_at=2)
        plays[WATCHED] = tables[WATCHED].watched(until)
        plays[FINISHED] = tables[FINISHED].play(started + timedelta(minutes=9))
        _interleave(plays.values())
        tables[FINISHED].given_up(self.now - timedelta(minutes=4))
        tables[DISPUTED].leave_disputed(self.now - timedelta(minutes=3))
        tables[CALLED].call(self.now - timedelta(minutes=2))
        tables[WAITING].leave_waiting(self.now - timedelta(minutes=1))
        tables[FREE_TABLE].sign_out(self.now - timedelta(minutes=1))


class _Table:
    """One table of a round: its sides enter and confirm on their phones, as players do."""

    def __init__(self, event: _Event, sitting: Sitting, started: datetime) -> None:
        self.event = event
        self.chance = event.chance
        self.sitting = sitting
        self.time = started
        self.sides: dict[str, Actor] = {}
        # a contested first deal needs its dealer written down
        self.first_dealer = self.chance.choice(hands.SEATS)

    def claim(self) -> None:
        """Both sides open their codes with their phones."""
        for code in self.sitting.table.codes.filter(revoked_at=None).select_related("table"):
            device = devices.claim(
                code_text=codes.party_code_text(code),
                at=self.time,
                token=self.event.secrets(),
                public_id=self.event.secrets()[:10],
            )
            self.sides[code.side] = Actor(device=device)

    def play(self, until: datetime, *, misdeal_at: int = 0, sent_back_at: int = 0) -> Iterator[datetime]:
        """Play hand after hand; yields the time of each next act, and goes on when all tables have come so far."""
        yield self.pass_time(20, 90)
        self.claim()
        count = 0
        while self.pass_time(150, 330) < until and not self.finished:
            yield self.time
            count += 1
            facts = self.misdeal() if count == misdeal_at else self.hand()
            entered, other = self.chance.sample(sorted(self.sides), 2)
            if count == sent_back_at:
                wrong = self.enter(entered, hands.misread(facts))
                scorekeeping.send_back(**self.act(other), entry_id=wrong, what="captured_in_tricks")
                yield self.pass_time(10, 25)
            entry = self.enter(entered, facts)
            yield self.pass_time(8, 45)
            scorekeeping.confirm_hand(**self.act(other), entry_id=entry)

    def watched(self, until: datetime) -> Iterator[datetime]:
        """A referee sits at the table and writes down every hand, after the contested first one card by card."""
        while self.pass_time(150, 330) < until and not self.finished:
            yield self.time
            by: dict[str, Any] = {"sitting_id": self.sitting.pk, "actor": self.event.colleague, "at": self.time}
            state, hand_no, record = self.read("state"), self.hand_no, ""
            if state["next_dealer"] is None:
                facts = self.hand()
            else:
                deal = {"dealer": state["next_dealer"], "level": state["next_level"]}
                facts, record = hands.recorded(self.chance, self.event.tournament.profile, **deal)
            scorekeeping.record_hand(**by, facts=facts, hand_no=hand_no, basis="watched")
            if record:
                recorded_hands.attach(**by, hand_no=hand_no, text=record)

    def leave_waiting(self, at: datetime) -> None:
        """One side has entered a hand, the other has not answered yet."""
        self.time = at
        self.enter("NS", self.hand())

    def leave_disputed(self, at: datetime) -> None:
        """Both sides have entered the hand, and differ."""
        self.time = at
        facts = self.hand()
        self.enter("NS", facts)
        self.enter("EW", hands.misread(facts))

    def call(self, at: datetime) -> None:
        """A side has called a referee, who is on the way."""
        self.time = at
        calls.call_referee(**self.act("EW"))
        call = Call.objects.get(sitting=self.sitting, closed_at=None)
        calls.take_call(call_id=call.pk, actor=self.event.referee, at=at + timedelta(seconds=40))

    def sign_out(self, at: datetime) -> None:
        """Both places become free again."""
        for actor in self.sides.values():
            assert actor.device is not None
            devices.release(device_id=actor.device.pk, actor=self.event.organiser, at=at)

    def given_up(self, at: datetime) -> None:
        """A side has to leave."""
        forfeit(
            match_id=self.sitting.match_id,
            actor=self.event.organiser,
            at=at,
            outcome="home_forfeit",
            reason="选手身体不适退出 / A player was taken ill",
        )

    def corrected(self, at: datetime) -> None:
        """A referee corrects the last hand from the signed sheet."""
        entry = self.sitting.entries.filter(status="effective", kind="hand").order_by("-position")[0]
        facts = hands.misread(entry.facts)
        corrections.correct(
            entry_id=entry.pk,
            actor=self.event.referee,
            at=at,
            expected_revision=self.revision,
            facts=facts,
            treatment="recompute",
            reason="签字记分表为准 / As on the signed sheet",
        )

    def stop(self, at: datetime) -> None:
        """Time: a referee ends the match where it stands."""
        if not self.finished:
            end_sitting(
                sitting_id=self.sitting.pk,
                actor=self.event.referee,
                at=at,
                expected_revision=self.revision,
                reason="time",
            )

    def enter(self, side: str, facts: Mapping[str, Any]) -> int:
        recorded = scorekeeping.record_hand(**self.act(side), facts=facts, hand_no=self.hand_no)
        return recorded.entry.pk

    def act(self, side: str) -> dict[str, Any]:
        return {"sitting_id": self.sitting.pk, "actor": self.sides[side], "at": self.time}

    def pass_time(self, least: int, most: int) -> datetime:
        self.time += timedelta(seconds=self.chance.randint(least, most))
        return self.time

    def hand(self) -> dict[str, Any]:
        return hands.hand(self.chance, dealer=self.dealer)

    def misdeal(self) -> dict[str, Any]:
        return hands.misdeal(self.chance, dealer=self.dealer)

    @property
    def dealer(self) -> str | None:
        return self.first_dealer if self.read("state")["next_dealer"] is None else None

    @property
    def hand_no(self) -> int:
        return int(self.read("hand_no"))

    @property
    def revision(self) -> int:
        return int(self.read("revision"))

    @property
    def finished(self) -> bool:
        return bool(self.read("phase") == SittingPhase.FINISHED)

    def read(self, column: str) -> Any:
        return Sitting.objects.values_list(column, flat=True).get(pk=self.sitting.pk)


def _sittings(round_: Round) -> list[Sitting]:
    return list(Sitting.objects.filter(round=round_, active=True).select_related("table").order_by("table__number"))


def _interleave(plays: Iterable[Iterator[datetime]]) -> None:
    """Let every table act in the order of time, so that the hall's history reads as it would have been written."""
    queue = [(next(play), place, play) for place, play in enumerate(plays)]
    heapq.heapify(queue)
    while queue:
        _, place, play = queue[0]
        following = next(play, None)
        if following is None:
            heapq.heappop(queue)
        else:
            heapq.heapreplace(queue, (following, place, play))


def _neighbours(order: Sequence[int], met: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Pair the first with the next it has not met, and so on; steps back where the rest cannot be paired."""
    if not order:
        return []
    first, *rest = order
    for other in rest:
        if frozenset((first, other)) in met:
            continue
        remaining = [one for one in rest if one != other]
        try:
            return [(first, other), *_neighbours(remaining, met)]
        except _NoPairing:
            continue
    raise _NoPairing


class _NoPairing(Exception):
    """Nobody is left whom the first has not met."""
