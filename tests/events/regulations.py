"""A regulation run on the pages: officials at the desk, both sides of every table on their phones, one clock for all.

Everything goes through the addresses people use. A page that refuses fails the test at that step, with its words.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.messages import ERROR, get_messages
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from referee.desk.sheets import SheetForm
from referee.table.forms import of_facts
from scoring.cards.replay import replay
from scoring.cards.simulator import simulate
from scoring.values import Level, Seat
from tests.tournaments import factories
from tournaments.exchange.codes import party_code_text
from tournaments.models import (
    Correction,
    LedgerEntry,
    Match,
    MatchOutcome,
    PartyCode,
    Publication,
    Round,
    Ruling,
    Sitting,
    SittingPhase,
    Stage,
    Tournament,
)
from tournaments.queries.rankings import basis_of
from tournaments.services import standings

Facts = dict[str, Any]
MORNING = datetime(2026, 11, 7, 1, 0, tzinfo=UTC)
OTHER = {"NS": "EW", "EW": "NS"}
FORFEITED = {"NS": MatchOutcome.HOME_FORFEIT, "EW": MatchOutcome.AWAY_FORFEIT}


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


def done(client: Client, address: str, data: Mapping[str, Any] | None = None) -> Any:
    """A form sent: it must be sent on (303), and nothing refused."""
    answer = client.post(address, data or {})
    if answer.status_code != 303:
        refusal = (answer.context or {}).get("refusal")
        form = (answer.context or {}).get("form")
        said = getattr(refusal, "message", None) or getattr(form, "errors", None)
        raise AssertionError(f"{address} answered {answer.status_code}: {said} {getattr(refusal, 'findings', '')}")
    refused = [str(one) for one in get_messages(answer.wsgi_request) if one.level >= ERROR]
    assert not refused, f"{address}: {refused}"
    return answer


def shown(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, f"{address} answered {answer.status_code}"
    return str(answer.content.decode())


@dataclass
class Phone:
    """One side's phone at one table."""

    client: Client
    address: str

    @classmethod
    def at(cls, code: str) -> Phone:
        """Scan the card, say that it is you, stand at the table's page."""
        client = Client(headers={"Accept-Language": "zh-CN"})
        shown(client, f"/t/{code}/")
        return cls(client, done(client, f"/t/{code}/")["Location"])

    def act(self, name: str, data: Mapping[str, Any] | None = None) -> str:
        answer = self.client.post(f"{self.address}{name}/", data or {}, headers={"Accept": "application/json"})
        assert answer.status_code == 200, f"{name}: {answer.content.decode()}"
        return str(answer.json().get("message", ""))


@dataclass
class Running:
    """An event of a preset, run by three officials."""

    slug: str
    clock: HallClock
    chance: Random
    organiser: Client
    chief: Client = field(default_factory=Client)
    referee: Client = field(default_factory=Client)
    phones: dict[tuple[int, str], Phone] = field(default_factory=dict)

    # Setting up

    @classmethod
    def of(cls, preset: str, count: int, clock: HallClock, *, seed: int, players: int = 2) -> Running:
        """The event from its preset, its officials, and so many entrants from a file."""
        slug = f"{preset.lower()}-cup"
        organiser = Client()
        organiser.force_login(factories.user("organiser"), backend="django.contrib.auth.backends.ModelBackend")
        organiser.cookies["django_language"] = "zh-hans"
        typed = {
            "preset": preset,
            "name": f"{preset} 杯",
            "name_latin": f"{preset} Cup",
            "slug": slug,
            "starts_on": "2026-11-07",
            "language": "zh-hans",
            "timezone": "Asia/Shanghai",
            "profile": "",
        }
        assert done(organiser, "/desk/new/", typed)["Location"] == f"/desk/{slug}/entrants/"
        made = cls(slug, clock, Random(seed), organiser)
        made.chief, made.referee = made._official("chief", "chief_referee"), made._official("referee", "referee")
        made._entrants(count, players)
        return made

    def _official(self, name: str, office: str) -> Client:
        """A new person with an office, come in by the link shown at the desk."""
        done(self.organiser, f"{self.desk}officials/", {"username": name, "display_name": name, "office": office})
        held = self.event.officials.get(office=office)
        link = self.organiser.post(f"{self.desk}officials/{held.pk}/link/").context["link"]
        client = Client()
        client.cookies["django_language"] = "zh-hans"
        client.post("/desk/enter/" + link.split("/desk/enter/")[1])
        assert "_auth_user_id" in client.session
        return client

    def _entrants(self, count: int, players: int) -> None:
        """The file is looked at first, then imported; imported again it changes nothing."""
        address, data = f"{self.desk}entrants/import/", entrants_csv(count, players)

        def dry_run() -> Any:
            file = SimpleUploadedFile("pairs.csv", data, "text/csv")
            answer = self.organiser.post(address, {"file": file, "encoding": "utf-8"})
            assert (answer.status_code, answer.context["plan"].problems) == (200, ())
            return answer.context

        seen = dry_run()
        assert (len(seen["plan"].new), self.event.entrants.count()) == (count, 0)
        done(self.organiser, address, {"rows": seen["rows"], "plan": seen["plan"].digest})
        again = dry_run()["plan"]
        assert (len(again.same), again.new, again.changed) == (count, (), ())

    # Where it stands

    @property
    def desk(self) -> str:
        return f"/desk/{self.slug}/"

    @property
    def public(self) -> str:
        return f"/zh/e/{self.slug}/"

    @property
    def event(self) -> Tournament:
        return Tournament.objects.get(slug=self.slug)

    def stage(self, number: int) -> Stage:
        return self.event.stages.get(number=number)

    def sittings(self, round_: Round) -> list[Sitting]:
        """The tables of a round that still play."""
        rows = Sitting.objects.filter(round=round_, active=True).exclude(phase=SittingPhase.FINISHED)
        return list(rows.select_related("match__home", "match__away", "table").order_by("table__number"))

    # A stage and its rounds

    def begin(self, number: int) -> Stage:
        shown(self.organiser, f"{self.desk}stages/{number}/begin/")
        done(self.organiser, f"{self.desk}stages/{number}/begin/")
        return self.stage(number)

    def draw(self, *, extra: bool = False) -> Round:
        """A new round, drawn, looked at and published, with a card for every table; not started yet."""
        made = done(self.organiser, f"{self.desk}rounds/new/", {"extra": "on"} if extra else {})
        round_ = self.event.rounds.get(number=int(made["Location"].split("/rounds/")[1].split("/")[0]))
        here = f"{self.desk}rounds/{round_.number}/"
        done(self.organiser, f"{here}draw/", {"reason": ""})
        shown(self.organiser, f"{here}pair/")
        done(self.organiser, f"{here}publish/", {"accept": "on"})
        assert self.organiser.post(f"{here}cards/").content.startswith(b"%PDF")
        assert "独立检查：没有问题" in shown(Client(), f"{self.public}rounds/{round_.number}/")
        round_.refresh_from_db()
        return round_

    def start(self, round_: Round, *absent: tuple[int, str]) -> None:
        """The clock starts; every side takes its place on its phone, but those of `absent` (table, side)."""
        done(self.organiser, f"{self.desk}rounds/{round_.number}/start/")
        round_.refresh_from_db()
        self.phones.clear()
        for sitting in self.sittings(round_):
            for side in ("NS", "EW"):
                if (sitting.table.number, side) not in absent:
                    self.arrive(sitting, side)

    def arrive(self, sitting: Sitting, side: str) -> None:
        """A side scans the card of its table."""
        code = PartyCode.objects.select_related("table").get(table=sitting.table, side=side, revoked_at=None)
        self.phones[sitting.pk, side] = Phone.at(party_code_text(code))

    def round(self, *absent: tuple[int, str], extra: bool = False) -> Round:
        round_ = self.draw(extra=extra)
        self.start(round_, *absent)
        return round_

    def over(self, round_: Round) -> None:
        """Time passes; the sides of every table that still plays say that it is over."""
        stage = round_.stage
        self.clock.minutes((stage.minutes or 0) + 1)
        for sitting in self.sittings(round_):
            for side in ("NS", "EW"):
                self.phones[sitting.pk, side].act("over")
            sitting.refresh_from_db()
            assert sitting.phase == SittingPhase.FINISHED, sitting.phase

    def close(self, round_: Round) -> None:
        done(self.organiser, f"{self.desk}rounds/{round_.number}/close/")
        self.clock.minutes(5)
        self.settle()

    def settle(self) -> None:
        """What the worker does as soon as a result moves."""
        standings.recalculate(tournament_id=self.event.pk, at=self.clock())

    # Hands

    def due(self, sitting: Sitting) -> tuple[str, str]:
        """Who deals the next hand and at which level; a contested deal goes to either pair by chance."""
        sitting.refresh_from_db()
        state = sitting.state
        dealer = state["next_dealer"] or self.chance.choice("NE")
        return dealer, state["next_level"] or state["levels"]["NS" if dealer in "NS" else "EW"]

    def hand(self, sitting: Sitting, facts: Facts, dealer: str = "") -> LedgerEntry:
        """One hand: the side of the dealer types it, the other side sees it and confirms."""
        dealer = dealer or self.due(sitting)[0]
        side = "NS" if dealer in "NS" else "EW"
        contested = {"dealer": dealer} if sitting.state["next_dealer"] is None else {}
        typed = {**of_facts({**facts, **contested}, self.event.profile).values, "hand_no": sitting.hand_no}
        self.phones[sitting.pk, side].act("enter", {name: value for name, value in typed.items() if value != ""})
        waiting = LedgerEntry.objects.filter(sitting=sitting).latest("pk")
        other = self.phones[sitting.pk, OTHER[side]]
        shown(other.client, other.address)
        other.act("confirm", {"entry": waiting.pk, "version": waiting.version})
        waiting.refresh_from_db()
        sitting.refresh_from_db()
        assert waiting.status == "effective"
        return waiting

    def cards(self, sitting: Sitting) -> LedgerEntry:
        """One hand played out card by card from the seed: its sheet is what the table writes down."""
        dealer, level = self.due(sitting)
        profile = self.event.profile
        played = replay(profile, simulate(profile, self.chance, dealer=Seat(dealer), level=Level(level)))
        sheet = {name: value for name, value in played.sheet.to_json().items() if name not in ("dealer", "level")}
        return self.hand(sitting, sheet, dealer)

    def total(self, captured: int, **more: Any) -> Facts:
        """A hand of the dealer side's last trick with that total of the attackers."""
        return {
            "kind": "hand",
            "trump": self.chance.choice("SHCD"),
            "captured_in_tricks": captured,
            "last_trick_winner": "dealer",
            **more,
        }

    def win(self, sitting: Sitting, side: str, *, captured: int = 35) -> None:
        """Hands until that side leads: as dealers they hold the attackers to so few, as attackers they take 125."""
        for _hand in range(4):
            dealer, _level = self.due(sitting)
            self.hand(sitting, self.total(captured if dealer in side else 125), dealer)
            if self.leads(sitting) == side:
                return
        raise AssertionError(f"{side} does not lead after four hands: {sitting.state}")

    def win_at_once(self, sitting: Sitting, side: str) -> None:
        """That side takes every hand, the others none, until the match is over before its time."""
        for _hand in range(20):
            dealer, _level = self.due(sitting)
            self.hand(sitting, self.total(0 if dealer in side else 195), dealer)
            if sitting.phase == SittingPhase.FINISHED:
                return
        raise AssertionError(f"not over after twenty hands: {sitting.state}")

    def climb(self, sitting: Sitting) -> int:
        """Both sides rise in turn until one has played its last level; how many hands that took.

        Who is not ahead, or has come to A, deals and holds the attackers to nothing; else the attackers just take it.
        """
        for hand in range(1, 60):
            dealer, level = self.due(sitting)
            side = "NS" if dealer in "NS" else "EW"
            rises = level == "A" or self.leads(sitting) != side
            self.hand(sitting, self.total(0 if rises else 85), dealer)
            if sitting.phase == SittingPhase.FINISHED:
                return hand
        raise AssertionError(f"nobody has passed: {sitting.state}")

    def level(self, sitting: Sitting) -> None:
        """One hand in which the attackers just take the deal: nobody has risen, equal levels."""
        self.hand(sitting, self.total(85))
        assert self.leads(sitting) is None

    def leads(self, sitting: Sitting) -> str | None:
        """The side with the higher level as the record has it."""
        sitting.refresh_from_db()
        if sitting.state.get("passed"):
            return str(sitting.state["passed"])
        steps = [str(one) for one in self.event.profile.ladder.levels]
        ns, ew = (steps.index(sitting.state["levels"][side]) for side in ("NS", "EW"))
        return None if ns == ew else "NS" if ns > ew else "EW"

    # Officials

    def table(self, sitting: Sitting) -> str:
        return f"{self.desk}rounds/{sitting.round.number}/tables/{sitting.table.number}/"

    def forfeit(self, sitting: Sitting, side: str, reason: str = "没有到场") -> None:
        """The chief referee lets that side lose because it stays away."""
        shown(self.chief, self.table(sitting))
        done(self.chief, f"{self.table(sitting)}forfeit/", {"outcome": FORFEITED[side], "reason": reason})

    def late(self, sitting: Sitting, side: str) -> Ruling:
        """What the penalties say of a late side is proposed from the list of late tables, and decided."""
        round_ = sitting.round
        roll = f"{self.desk}attendance/"
        shown(self.referee, f"{roll}?round={round_.number}")
        done(self.referee, f"{roll}late/", {"round": round_.number, "table": sitting.table.number, "side": side})
        return self.decide(Ruling.objects.filter(sitting=sitting).latest("pk"))

    def rule(self, sitting: Sitting, side: str, irregularity: str, **facts: Any) -> Ruling:
        """A referee puts an irregularity into the log; the chief referee decides it as the penalties say."""
        at = f"{sitting.round.number}.{sitting.table.number}"
        typed = {"at": at, "irregularity": irregularity, "side": side, "told": "双方都这样说", **facts}
        done(self.referee, f"{self.desk}rulings/new/", typed)
        return self.decide(Ruling.objects.filter(sitting=sitting).latest("pk"))

    def decide(self, ruling: Ruling) -> Ruling:
        page = f"{self.desk}rulings/{ruling.number}/"
        shown(self.chief, page)
        ruling.sitting.refresh_from_db()
        done(self.chief, f"{page}decide/", {"penalty": "proposed", "revision": ruling.sitting.revision})
        ruling.refresh_from_db()
        return ruling

    def correct(self, sitting: Sitting, hand_no: int, *, closed: bool = False, **changes: Any) -> None:
        """A hand was written down wrongly: seen first, then applied.

        In a closed round the chief referee proposes it, and a second official agrees.
        """
        who = self.chief if closed else self.referee
        entry = LedgerEntry.objects.get(sitting=sitting, hand_no=hand_no, status="effective")
        address = f"{self.desk}hands/{entry.pk}/correct/"
        form = SheetForm.of_facts({**entry.facts, **changes})
        typed: Facts = {name: value for name, value in form.values.items() if value} | form.rows
        sitting.refresh_from_db()
        typed |= {"revision": str(sitting.revision), "reason": "记分表写错"}
        seen = who.post(address, typed | {"look": "1"})
        assert seen.status_code == 200, (seen.context["findings"], seen.context["refusal"])
        done(who, address, typed | {"apply": "1", "treatment": "recompute"})
        if closed:
            waiting = Correction.objects.get(entry=entry, status="proposed").pk
            done(self.referee, f"{self.desk}corrections/{waiting}/", {"decision": "approve"})
        sitting.refresh_from_db()
        assert LedgerEntry.objects.get(sitting=sitting, hand_no=hand_no, status="effective").version == 2
        self.settle()

    def lots(self, match: Match) -> str:
        """Equal levels where the regulation draws lots: those committed before play decide."""
        sitting = match.sittings.get(active=True)
        shown(self.chief, self.table(sitting))
        done(self.chief, f"{self.table(sitting)}decide/", {"reason": "同级，按赛前公布的抽签"})
        match.refresh_from_db()
        return match.winner_side

    # Tables

    def publish(self, stage: Stage) -> dict[str, Any]:
        """Publish the table of a stage after its last round; what was published is checked at once."""
        address = f"{self.desk}standings/publish/?stage={stage.number}"
        seen = self.organiser.get(address).context
        typed = {"stage": stage.number, "round": seen["round"].number, "number": seen["number"], "reason": "更正后重发"}
        done(self.organiser, f"{self.desk}standings/publish/", typed)
        publication = Publication.objects.filter(tournament=self.event).latest("number")
        assert standings.verify(publication) == {"digest": True, "rows": True}
        shown(Client(), f"{self.public}standings/{publication.number}/")
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

    def read_everything(self) -> None:
        """Every page that the public and the officials have of the event opens."""
        for language in ("zh", "en"):
            for address in self._public_pages():
                shown(Client(), f"/{language}/e/{self.slug}/{address}")
        for address in ("", "setup/", "rounds/", "rulings/", "corrections/", "standings/", "publications/", "history/"):
            shown(self.organiser, f"{self.desk}{address}")

    def _public_pages(self) -> Iterator[str]:
        yield from ("", "rounds/", "standings/", "rulings/", "entrants/", "entrants/1/", "screen/", "check/", "rules/")
        yield from (f"rounds/{round_.number}/" for round_ in self.event.rounds.all())
        yield from (f"standings/?stage={stage.number}" for stage in self.event.stages.all())
        if self.event.stages.count() > 1:
            yield "standings/?stage=all"
        last = self.event.rounds.latest("number")
        for sitting in last.sittings.filter(active=True).select_related("table"):
            yield f"rounds/{last.number}/tables/{sitting.table.number}/"

    def certify(self, folder: Path) -> None:
        """The certificate of the live event, of its export, and of the export taken in as a record: all clean."""
        assert "重算一致" in shown(Client(), f"{self.public}certificate/")
        certificate = Client().get(f"{self.public}certificate/certificate.json").json()
        assert certificate["clean"], [line for line in certificate["lines"] if line["differences"]]
        assert Client().get(f"{self.public}certificate/certificate.pdf").content.startswith(b"%PDF")
        data = self.organiser.get(f"{self.desk}export.json").content
        file = folder / f"{self.slug}.json"
        file.write_bytes(data)
        for asked in ({"export": str(file)}, {"slug": self.slug}):
            said = io.StringIO()
            with redirect_stdout(said):
                call_command("audit", **asked, stdout=said)
            assert ", 0 differences" in said.getvalue()
        self._as_a_record(data)

    def _as_a_record(self, data: bytes) -> None:
        upload = SimpleUploadedFile("event.json", data, "application/json")
        seen = self.organiser.post("/desk/import/", {"file": upload, "slug": f"{self.slug}-kept"})
        assert seen.status_code == 200
        done(self.organiser, "/desk/import/", {"checked": seen.context["checked"], "slug": f"{self.slug}-kept"})
        assert "重算一致" in shown(Client(), f"/zh/e/{self.slug}-kept/certificate/")
