"""A regulation run on the pages: officials at the desk, both sides of the tables on their phones, one clock for all.

Everything goes through the pages people use, by forms alone or in a browser (`Front`), and every hand is played out
card by card by the simulator.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from referee.hands.forms import SheetForm
from scoring.cards.replay import Replay
from tests.events.fronts import OTHER, ZH, Front, Person, Phone
from tests.events.hands import Fits, any_hand, both, gains, just_taken, played
from tests.tournaments import factories
from tournaments.models import (
    Correction,
    LedgerEntry,
    Match,
    MatchOutcome,
    PartyCode,
    Publication,
    Round,
    RoundStatus,
    Ruling,
    Sitting,
    SittingPhase,
    Stage,
    Tournament,
)
from tournaments.standings.publications import final_placing
from tournaments.standings.rankings import basis_of
from tournaments.standings.runs import verify
from tournaments.standings.waiting import waiting_in

Facts = dict[str, Any]
MORNING = datetime(2026, 11, 7, 1, 0, tzinfo=UTC)
FORFEITED = {"NS": MatchOutcome.HOME_FORFEIT, "EW": MatchOutcome.AWAY_FORFEIT}
#: What the pages say where all is well, and where places are not decided yet.
SAID = {
    "zh": {"checked": "独立检查：没有问题", "reproduced": "重算一致", "undecided": "出线名额未定"},
    "en": {"checked": "checked: nothing found", "reproduced": "reproduced", "undecided": "not decided who qualifies"},
}
#: Pages of the desk that are about the whole event.
DESK_PAGES = ("", "setup/", "rounds/", "rulings/", "corrections/", "standings/", "publications/", "history/")
#: What officials write as their reasons.
REASONS = {
    "zh": {
        "absent": "没有到场",
        "told": "双方都这样说",
        "slip": "记分表写错",
        "again": "更正后重发",
        "lots": "同级，按赛前公布的抽签",
        "board": "装错牌袋",
    },
    "en": {
        "absent": "Nobody came",
        "told": "Both sides say so",
        "slip": "The sheet was written wrongly",
        "again": "Published again after a correction",
        "lots": "Equal levels: the lots committed before play",
        "board": "The cards were put back wrongly",
    },
}


@dataclass
class HallClock:
    """What everybody's clock shows: it moves when a test says so, and no two looks at it fall together."""

    time: datetime = MORNING

    def __call__(self) -> datetime:
        self.time += timedelta(microseconds=1)
        return self.time

    def minutes(self, count: float) -> None:
        self.time += timedelta(minutes=count)


@pytest.fixture
def hall_clock(monkeypatch: pytest.MonkeyPatch) -> HallClock:
    """The pages ask `timezone.now`: a round of an hour would else take one."""
    cache.clear()
    clock = HallClock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def entrants_csv(count: int, players: int = 2) -> bytes:
    """A file of so many pairs or teams as organisers keep it: Chinese heads, the players of each in a line."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["编号", "报名编号", "名称", "单位", *(f"选手{place}" for place in range(1, players + 1))])
    for number in range(1, count + 1):
        rows.writerow(
            [number, f"P{number:02}", f"第{number}队", "", *(f"{sign}{number}" for sign in "甲乙丙丁"[:players])]
        )
    return ("\ufeff" + out.getvalue()).encode()


@dataclass
class Running:
    """An event of a preset, run by three officials."""

    slug: str
    clock: HallClock
    chance: Random
    front: Front
    organiser: Person
    chief: Person
    referee: Person
    phones: dict[tuple[int, str], Phone] = field(default_factory=dict)

    # Setting up

    @classmethod
    def of(cls, preset: str, count: int, clock: HallClock, front: Front, *, seed: int, players: int = 2) -> Running:
        """The event from its preset, its officials, and so many entrants from a file."""
        organiser = front.official(factories.user("organiser"))
        slug = f"{preset.lower()}-cup"
        typed = {
            "preset": preset,
            "name": f"{preset} 杯",
            "name_latin": f"{preset} Cup",
            "slug": slug,
            "starts_on": "2026-11-07",
            "language": ZH if front.language == "zh" else "en",
            "timezone": "Asia/Shanghai",
        }
        organiser.open("/desk/new/")
        organiser.send("/desk/new/", typed)
        assert organiser.address == f"/desk/{slug}/entrants/"
        made = cls(slug, clock, Random(seed), front, organiser, front.official(None), front.official(None))
        made._appoint(made.chief, "chief", "chief_referee")
        made._appoint(made.referee, "referee", "referee")
        made._entrants(count, players)
        return made

    def _appoint(self, person: Person, name: str, office: str) -> None:
        """A new person with an office comes in by the link shown at the desk."""
        page = f"{self.desk}officials/"
        self.organiser.open(page)
        self.organiser.send(page, {"username": name, "display_name": name, "office": office})
        held = self.event.officials.get(office=office, user__username=name)
        self.organiser.send(f"{page}{held.pk}/link/")
        found = re.search(r"/desk/enter/[^\"\s]+", self.organiser.html)
        assert found
        person.open(found[0])
        person.send(found[0])
        person.send("/desk/welcome/", {"display_name": name, "username": name, "password": "a long walk by the lake"})
        person.open(self.desk)

    def _entrants(self, count: int, players: int) -> None:
        """The file is looked at first, then imported; imported again it would change nothing."""
        page = f"{self.desk}entrants/import/"
        file = ("pairs.csv", entrants_csv(count, players))
        self.organiser.open(page)
        self.organiser.send(page, {"file": file})
        assert self.event.entrants.count() == 0
        self.organiser.send(page)
        assert self.event.entrants.count() == count
        before = list(self.event.entrants.values_list())
        self.organiser.open(page)
        self.organiser.send(page, {"file": file})
        self.organiser.send(page)
        assert list(self.event.entrants.values_list()) == before

    # Where it stands

    @property
    def desk(self) -> str:
        return f"/desk/{self.slug}/"

    @property
    def public(self) -> str:
        return f"/{self.front.language}/e/{self.slug}/"

    @property
    def event(self) -> Tournament:
        return Tournament.objects.get(slug=self.slug)

    def stage(self, number: int) -> Stage:
        return self.event.stages.get(number=number)

    def sittings(self, round_: Round) -> list[Sitting]:
        """The tables of a round that still play."""
        rows = Sitting.objects.filter(round=round_, active=True).exclude(phase=SittingPhase.FINISHED)
        return list(rows.select_related("match__home", "match__away", "table").order_by("table__number"))

    def said(self, what: str) -> str:
        return SAID[self.front.language][what]

    def why(self, what: str) -> str:
        return REASONS[self.front.language][what]

    def read(self, address: str) -> str:
        """A public page, as anybody sees it."""
        return self.front.reader(self.front.language).open(address)

    # A stage and its rounds

    def begin(self, number: int) -> Stage:
        page = f"{self.desk}stages/{number}/begin/"
        self.organiser.open(page)
        self.organiser.send(page)
        return self.stage(number)

    def draw(self, *, extra: bool = False) -> Round:
        """A new round, drawn, looked at and published, with a card for every table; not started yet."""
        organiser = self.organiser
        organiser.open(f"{self.desk}rounds/")
        organiser.send(f"{self.desk}rounds/new/", {"extra": "1"} if extra else {})
        round_ = self.event.rounds.get(number=int(organiser.address.split("/rounds/")[1].split("/")[0]))
        here = f"{self.desk}rounds/{round_.number}/"
        organiser.send(f"{here}draw/")
        organiser.send(f"{here}publish/", {"accept": "on"} if 'name="accept"' in organiser.html else {})
        assert organiser.paper(f"{here}cards/").startswith(b"%PDF")
        assert organiser.fetch(f"{here}sheets.pdf").startswith(b"%PDF")
        assert self.said("checked") in self.read(f"{self.public}rounds/{round_.number}/")
        round_.refresh_from_db()
        return round_

    def start(self, round_: Round, *absent: tuple[int, str]) -> None:
        """The clock starts; the sides take their places on their phones, but those of `absent` (table, side)."""
        self.organiser.open(self.desk)
        self.organiser.send(f"{self.desk}rounds/{round_.number}/start/")
        round_.refresh_from_db()
        for phone in self.phones.values():
            phone.leave()
        self.phones.clear()
        late = {table for table, _side in absent}
        for sitting in self.sittings(round_):
            table = sitting.table.number
            for side in ("NS", "EW"):
                if (table in late or self.front.by_phones(table)) and (table, side) not in absent:
                    self.arrive(sitting, side)

    def arrive(self, sitting: Sitting, side: str) -> None:
        """A side scans the card of its table."""
        code = PartyCode.objects.select_related("table").get(table=sitting.table, side=side, revoked_at=None)
        self.phones[sitting.pk, side] = self.front.phone(code)

    def round(self, *absent: tuple[int, str], extra: bool = False) -> Round:
        round_ = self.draw(extra=extra)
        self.start(round_, *absent)
        return round_

    def over(self, round_: Round) -> None:
        """Time passes; every table that still plays is over: both sides say so, or a referee where they have slips."""
        stage = round_.stage
        self.clock.minutes((stage.minutes or 0) + 1)
        for sitting in self.sittings(round_):
            if self.on_phones(sitting):
                for side in ("NS", "EW"):
                    self.phones[sitting.pk, side].say_over()
            else:
                self.referee.open(self.table(sitting))
                self.referee.send(f"{self.table(sitting)}end/")
            sitting.refresh_from_db()
            assert sitting.phase == SittingPhase.FINISHED, sitting.phase

    def close(self, round_: Round) -> None:
        self.organiser.open(self.desk)
        self.organiser.send(f"{self.desk}rounds/{round_.number}/close/")
        self.clock.minutes(5)
        self.front.settle(self.event)

    # Hands

    def on_phones(self, sitting: Sitting) -> bool:
        return all((sitting.pk, side) in self.phones for side in ("NS", "EW"))

    def due(self, sitting: Sitting) -> tuple[str, str]:
        """Who deals the next hand and at which level; a contested deal goes to either pair by chance."""
        sitting.refresh_from_db()
        state = sitting.state
        dealer = state["next_dealer"] or self.chance.choice("NE")
        return dealer, state["next_level"] or state["levels"]["NS" if dealer in "NS" else "EW"]

    def play(self, sitting: Sitting, fits: Fits = any_hand, *, deals: str = "") -> Replay:
        """The next hand, played until one `fits`; what the table writes down of it. A contested deal goes to the side
        that `deals`."""
        dealer, level = self.due(sitting)
        if deals and sitting.state["next_dealer"] is None:
            dealer, level = deals[0], sitting.state["levels"][deals]
        hand = played(self.event.profile, self.chance, dealer, level, fits)
        self.write(sitting, hand)
        return hand

    def write(self, sitting: Sitting, hand: Replay) -> None:
        """The sheet of a hand: the dealer's side types it, the other side sees it and confirms; or a signed slip."""
        assert hand.dealer is not None
        facts = {name: value for name, value in hand.sheet.to_json().items() if name not in ("dealer", "level")}
        sitting.refresh_from_db()
        due = sitting.state["next_dealer"]
        dealer = due or hand.dealer.value
        if self.on_phones(sitting):
            side = "NS" if dealer in "NS" else "EW"
            self.phones[sitting.pk, side].enter(facts, sitting.hand_no, dealer, contested=due is None)
            self._confirmed(sitting, OTHER[side])
        else:
            self._slip(sitting, SheetForm.of_facts({**facts, "dealer": dealer} if due is None else facts))
        entry = LedgerEntry.objects.filter(sitting=sitting).latest("pk")
        sitting.refresh_from_db()
        assert entry.status == "effective"

    def _confirmed(self, sitting: Sitting, by: str) -> None:
        self.phones[sitting.pk, by].confirm(LedgerEntry.objects.filter(sitting=sitting).latest("pk"))

    def _slip(self, sitting: Sitting, form: SheetForm) -> None:
        page = f"{self.table(sitting)}enter/"
        self.referee.open(f"{page}?kind={form.values['kind']}")
        self.referee.send(page, {**filled(form), "basis": "signed_sheet"})

    def rebel(self, sitting: Sitting, side: str, points: int = 10) -> None:
        """A player of that side shows so few points and asks for another deal; the other side agrees."""
        if self.on_phones(sitting):
            dealer, _level = self.due(sitting)
            self.phones[sitting.pk, side].rebel(side[0], points, sitting.hand_no, dealer)
            self._confirmed(sitting, OTHER[side])
        else:
            told = {"annulled_reason": "rebellion", "annulled_by": side[0], "annulled_points": points}
            self._slip(sitting, SheetForm({"kind": "annulled", **told}))
        sitting.refresh_from_db()

    def win(self, sitting: Sitting, side: str, fits: Fits = any_hand) -> None:
        """Hands that side rises by, until it leads."""
        for _hand in range(6):
            self.play(sitting, both(gains(side), fits))
            if self.leads(sitting) == side:
                return
        raise AssertionError(f"{side} does not lead after six hands: {sitting.state}")

    def win_at_once(self, sitting: Sitting, side: str) -> None:
        """That side rises by every hand, until the match is over before its time."""
        for _hand in range(20):
            self.play(sitting, gains(side))
            if sitting.phase == SittingPhase.FINISHED:
                return
        raise AssertionError(f"not over after twenty hands: {sitting.state}")

    def climb(self, sitting: Sitting) -> int:
        """Both sides rise in turn until one has played its last level; how many hands that took.

        Who is not ahead, or has come to A, deals and rises by two levels at least; else the attackers take the deal.
        """
        for hand in range(1, 100):
            dealer, level = self.due(sitting)
            side = "NS" if dealer in "NS" else "EW"
            rises = level == "A" or self.leads(sitting) != side
            self.play(sitting, gains(side, least=2) if rises else gains(OTHER[side], least=0), deals=side)
            if sitting.phase == SittingPhase.FINISHED:
                return hand
        raise AssertionError(f"nobody has passed: {sitting.state}")

    def level(self, sitting: Sitting) -> None:
        """One hand in which the attackers just take the deal: nobody has risen, equal levels."""
        self.play(sitting, just_taken)
        assert self.leads(sitting) is None

    def leads(self, sitting: Sitting) -> str | None:
        """The side with the higher level as the record has it."""
        sitting.refresh_from_db()
        if sitting.state.get("passed"):
            return str(sitting.state["passed"])
        ns, ew = (self._step(sitting.state["levels"][side]) for side in ("NS", "EW"))
        return None if ns == ew else "NS" if ns > ew else "EW"

    def difference(self, match: Match) -> int:
        """By how many levels the home side of a match is ahead (negative: behind)."""
        match.refresh_from_db()
        return self._step(match.home_level) - self._step(match.away_level)

    def _step(self, level: str) -> int:
        return [str(one) for one in self.event.profile.ladder.levels].index(level)

    # Officials

    def table(self, sitting: Sitting) -> str:
        return f"{self.desk}rounds/{sitting.round.number}/tables/{sitting.table.number}/"

    def forfeit(self, sitting: Sitting, side: str) -> None:
        """The chief referee lets that side lose because it stays away."""
        self.chief.open(self.table(sitting))
        self.chief.send(f"{self.table(sitting)}forfeit/", {"outcome": FORFEITED[side], "reason": self.why("absent")})

    def late(self, sitting: Sitting, side: str) -> Ruling:
        """What the penalties say of a late side is proposed from the list of late tables, and decided."""
        roll, number = f"{self.desk}attendance/", str(sitting.round.number)
        self.referee.open(f"{roll}?round={number}")
        self.referee.send(f"{roll}late/", {"round": number, "table": str(sitting.table.number), "side": side})
        return self.decide(Ruling.objects.filter(sitting=sitting).latest("pk"))

    def rule(self, sitting: Sitting, side: str, irregularity: str, **facts: str) -> Ruling:
        """A referee sees what the penalties say and puts it into the log; the chief referee decides it so."""
        page, at = f"{self.desk}rulings/new/", f"{sitting.round.number}.{sitting.table.number}"
        self.referee.open(f"{page}?at={at}")
        typed = {"at": at, "irregularity": irregularity, "side": side, "told": self.why("told"), **facts}
        self.referee.send(page, typed, press=("look", "1"))
        self.referee.send(page)
        return self.decide(Ruling.objects.filter(sitting=sitting).latest("pk"))

    def decide(self, ruling: Ruling) -> Ruling:
        page = f"{self.desk}rulings/{ruling.number}/"
        self.chief.open(page)
        self.chief.send(f"{page}decide/", {"penalty": "proposed"})
        ruling.refresh_from_db()
        return ruling

    def adjust(self, sitting: Sitting, board: int) -> None:
        """The cards of a board were put back wrongly: the chief referee gives both 50 %."""
        page = f"{self.table(sitting)}boards/"
        self.chief.open(page)
        typed = {"how": "average", "reason": self.why("board"), "clause": "penalty.misboard.board"}
        self.chief.send(f"{page}{board}/adjust/", typed)

    def slip(self, sitting: Sitting, hand_no: int, *, closed: bool = False) -> None:
        """Five points were left out of a hand, or counted twice: corrected."""
        written = self.written(sitting, hand_no)
        self.correct(sitting, hand_no, written + (5 if written < 5 else -5), closed=closed)

    def hands(self, sitting: Sitting) -> int:
        """How many hands were played at a table."""
        return LedgerEntry.objects.filter(sitting=sitting, kind="hand", status="effective").count()

    def written(self, sitting: Sitting, hand_no: int) -> int:
        """The points in tricks as the record has them."""
        entry = LedgerEntry.objects.get(sitting=sitting, hand_no=hand_no, status="effective")
        return int(entry.facts["captured_in_tricks"])

    def correct(self, sitting: Sitting, hand_no: int, captured: int, *, closed: bool = False) -> None:
        """Other points were captured in a hand than written down: seen first, then applied.

        In a closed round the chief referee proposes it, and a second official agrees.
        """
        who = self.chief if closed else self.referee
        entry = LedgerEntry.objects.get(sitting=sitting, hand_no=hand_no, status="effective")
        page = f"{self.desk}hands/{entry.pk}/correct/"
        who.open(page)
        who.send(page, {"captured_in_tricks": str(captured)}, press=("look", "1"))
        chosen = {"treatment": "recompute"} if 'id="way-recompute"' in who.html else {}
        who.send(page, {"reason": self.why("slip"), **chosen}, press=("apply", "1"))
        if closed:
            waiting = f"{self.desk}corrections/{Correction.objects.get(entry=entry, status='proposed').pk}/"
            self.referee.open(waiting)
            self.referee.send(waiting, press=("decision", "approve"))
        sitting.refresh_from_db()
        assert LedgerEntry.objects.get(sitting=sitting, hand_no=hand_no, status="effective").version == 2
        self.front.settle(self.event)

    def lots(self, match: Match) -> str:
        """Equal levels where the regulation draws lots: those committed before play decide."""
        table = self.table(match.sittings.get(active=True))
        self.chief.open(table)
        self.chief.send(f"{table}decide/", {"reason": self.why("lots")})
        match.refresh_from_db()
        return match.winner_side

    # Tables

    def publish(self, stage: Stage) -> dict[str, Any]:
        """Publish the table of a stage after its last round; what was published is checked at once."""
        page = f"{self.desk}standings/publish/"
        self.organiser.open(f"{page}?stage={stage.number}")
        begun = stage.rounds.exclude(status__in=(RoundStatus.DRAFT, RoundStatus.PUBLISHED))
        typed = {"stage": str(stage.number), "round": str(begun.latest("number").number)}
        if 'name="reason"' in self.organiser.html:
            typed["reason"] = self.why("again")
        self.organiser.send(page, typed)
        (waits,) = waiting_in(self.event)
        self.organiser.send(f"{page}{waits.pk}/now/")
        publication = Publication.objects.filter(tournament=self.event).latest("number")
        assert verify(publication) == {"digest": True, "rows": True}
        self.read(f"{self.public}standings/{publication.number}/")
        self.clock.minutes(1)
        document: dict[str, Any] = json.loads(publication.document)
        return document

    def rows(self, stage: Stage) -> list[Any]:
        """Every row of the live tables of a stage, with what split its ties."""
        return [row for table in basis_of(stage).tables() for row in table.rows()]

    def waits(self, stage: Stage) -> bool:
        """Whether a tie of this stage waits for an extra match."""
        return any(row.undecided is not None and row.undecided.by == "extra_match" for row in self.rows(stage))

    def split_by(self, stage: Stage) -> set[str]:
        """The rules that decided ties of this stage."""
        return {row.split_by for row in self.rows(stage) if row.split_by}

    # The end

    def finish(self, folder: Path) -> None:
        """Everybody has a place, every page opens, and every result is the same worked out anew."""
        assert len(final_placing(self.event).places) == self.event.entrants.count()
        self.read_everything()
        self.certify(folder)

    def read_everything(self) -> None:
        """Every page that the public and the officials have of the event opens."""
        for language in ("zh", "en"):
            reader = self.front.reader(language)
            for address in self._public_pages():
                reader.open(f"/{language}/e/{self.slug}/{address}")
        for address in DESK_PAGES:
            self.organiser.open(f"{self.desk}{address}")

    def _public_pages(self) -> Iterator[str]:
        yield from ("", "rounds/", "standings/", "rulings/", "entrants/", "entrants/1/", "screen/", "check/", "rules/")
        yield "certificate/"
        yield from (f"rounds/{round_.number}/" for round_ in self.event.rounds.all())
        yield from (f"standings/?stage={stage.number}" for stage in self.event.stages.all())
        if self.event.stages.count() > 1:
            yield "standings/?stage=all"
        last = self.event.rounds.latest("number")
        for sitting in last.sittings.filter(active=True).select_related("table"):
            yield f"rounds/{last.number}/tables/{sitting.table.number}/"

    def certify(self, folder: Path) -> None:
        """The certificate of the live event, of its export, and of the export taken in as a record: all clean."""
        reader = self.front.reader(self.front.language)
        assert self.said("reproduced") in reader.open(f"{self.public}certificate/")
        certificate = json.loads(reader.fetch(f"{self.public}certificate/certificate.json"))
        assert certificate["clean"], [line for line in certificate["lines"] if line["differences"]]
        assert reader.fetch(f"{self.public}certificate/certificate.pdf").startswith(b"%PDF")
        self.organiser.prove()  # hours of the hall's clock went by
        data = self.organiser.fetch(f"{self.desk}export.json")
        file = folder / f"{self.slug}.json"
        file.write_bytes(data)
        for asked in ({"export": str(file)}, {"slug": self.slug}):
            told = io.StringIO()
            with redirect_stdout(told):
                call_command("audit", **asked, copy=True, stdout=told)
            assert ", 0 differences" in told.getvalue()
        self._as_a_record(data)

    def _as_a_record(self, data: bytes) -> None:
        kept = f"{self.slug}-kept"
        self.organiser.open("/desk/import/")
        self.organiser.send("/desk/import/", {"file": ("event.json", data), "slug": kept})
        checked = urlsplit(self.organiser.address).path
        self.front.jobs_done()
        self.organiser.open(checked)
        self.organiser.send(f"{checked}take/")
        self.front.jobs_done()
        assert self.said("reproduced") in self.read(f"/{self.front.language}/e/{kept}/certificate/")


def filled(form: SheetForm) -> Mapping[str, str]:
    """What is typed into the sheet at the desk."""
    return {name: text for name, text in form.values.items() if text}
