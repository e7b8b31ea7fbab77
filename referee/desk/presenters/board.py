"""The board of a round: its clock and counts, a tile for every table, what was just recorded, and the queue."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.desk.presenters import next_step
from referee.desk.presenters.claims import Claims, difference_words
from referee.desk.presenters.claims import shown as shown_claims
from referee.desk.presenters.evidence import beside
from referee.desk.presenters.settling import settling
from referee.desk.presenters.sitting_words import Seated, after_words, name_of, names_at, players_at, result_words
from referee.parts.boards import standing
from referee.parts.clock import shown_clock
from referee.parts.formats import age, score
from referee.parts.kept import SETTLED
from referee.parts.kept import shown as kept_words
from referee.parts.names import in_names
from referee.parts.rulings import reason_words
from referee.parts.words import SIDES, SIDES_SHORT, in_language
from referee.pictures.hall import Told, drawn
from scoring.sittings.states import SittingState
from tournaments.acts.access import Act
from tournaments.acts.history import UNDO_WITHIN
from tournaments.acts.text import plain_number
from tournaments.hall.reads import plan_of
from tournaments.models import CallKind, EntryStatus, RoundStatus, RuleChange, SittingPhase, StageFormat
from tournaments.people.roll_call import incomplete_tables
from tournaments.rounds.board import glance, just_recorded, queue, rounds_of, tiles_of
from tournaments.rounds.closing import may_be_reopened
from tournaments.sittings.clock import round_clock
from tournaments.sittings.records import records as records_of
from tournaments.sittings.series import games_in
from tournaments.standings.stage_order import current_stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk
    from referee.pictures.hall import HallPicture
    from tournaments.evidence.reads import Given
    from tournaments.models import Call, Correction, LedgerEntry, Round, Ruling, Sitting, Tournament
    from tournaments.rounds.board import Glance, Waiting
    from tournaments.rounds.board import Tile as Found
    from tournaments.sittings.records import Hand
    from tournaments.sittings.series import Games


CALLS: Mapping[str, _StrPromise] = {
    CallKind.CALL: gettext_lazy("Call"),
    CallKind.DISPUTE: gettext_lazy("Dispute"),
    CallKind.OBJECTION: gettext_lazy("Objection"),
}


#: What asks for the map of the hall.
MAP: Final = "map"
#: Tables on one page of the board.
PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Part:
    """A page of the board: the numbers of its first and last table; `shown`: it is the one."""

    number: int
    first: int
    last: int
    shown: bool


class Levels(NamedTuple):
    """Where the sides of a table stand."""

    NS: str
    EW: str


@dataclass(frozen=True, slots=True)
class Tile:
    """One table, of plain values alone: a tile with the same values is worded once. `tone` is wait, bad, done or
    nothing; `icon` and `word` say the state, `since` when it began and `age` how long ago."""

    number: int
    home: str
    away: str
    levels: Levels | None
    tone: str
    pill: str
    icon: str
    word: str
    since: str
    age: str
    note: str
    unfinished: bool
    players: tuple[Seated, ...] = ()
    games: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in the queue."""

    key: str
    kind: str
    table: int
    hand_no: int | None
    round: int
    since: datetime
    words: str
    call: Call | None
    correction: Correction | None
    ruling: Ruling | None
    sitting: Sitting
    claims: Claims | None
    photos: Sequence[Given] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of what was just recorded."""

    hand: Hand
    table: int
    levels: dict[str, str]
    sentence: str
    then: str


def board(desk: Desk, the_round: Round | None = None, page: str = "", view: str = "") -> dict[str, Any]:
    """Everything the board shows, in a number of queries that does not grow with the tables: of a large hall the tiles
    of one page, what is to do at all tables. `view`: ``map`` has the map of the hall for the tiles."""
    rounds = rounds_of(desk.tournament)
    shown = the_round or _round_to_show(rounds)
    context: dict[str, Any] = {
        "round": shown,
        "rounds": rounds,
        "place": None if shown is None else _place_in_stage(shown, rounds),
        "draft": next((item for item in rounds if item.status == RoundStatus.DRAFT), None),
        "now": desk.now,
        "may_pair": desk.may(Act.PAIR),
        "may_enter": desk.may(Act.ENTER_HAND),
        "may_publish": desk.may(Act.PUBLISH),
        "may_take": desk.may(Act.TAKE_CALL),
        "may_settle": desk.may(Act.SETTLE),
        "may_add_photo": desk.may(Act.ATTACH_PHOTO),
        "photo_to": "board",
        "may_change_rules": desk.may(Act.PROPOSE_RULES) and not desk.tournament.individual,
        "rule_change": desk.tournament.rule_changes.filter(status=RuleChange.Status.PROPOSED).first(),
        "settle_reasons": SETTLED,
        "may_arrange": desk.may(Act.ARRANGE_HALL),
    }
    if shown == _round_to_show(rounds) and not desk.tournament.elsewhere:
        context["step"] = next_step.shown(desk, on_board=True)
    if shown is not None and shown == _round_to_show(rounds):
        context["reopen_for"] = _reopen_for(desk, shown)
    context["may_create"] = context["may_pair"] and context["draft"] is None and _more_planned(desk, rounds)
    all_tables = [] if shown is None or shown.status == RoundStatus.DRAFT else glance(shown)
    parts = _parts(all_tables, page)
    as_map = view == MAP
    here = [] if as_map else _on_page(all_tables, parts)
    runs = shown is not None and shown.status == RoundStatus.RUNNING
    recorded = just_recorded(shown, limit=8) if shown is not None and all_tables else []
    wanted = {one.sitting for one in here} | {entry.sitting_id for entry in recorded}
    if runs:
        wanted |= {one.sitting for one in all_tables if one.calls_somebody(desk.now)}
    found = tiles_of(shown, wanted if len(wanted) < len(all_tables) else None) if shown and all_tables else []
    waiting = queue(desk.tournament, desk.now, running=found if runs else None)
    context["queue"] = worded(desk, waiting)
    if shown is not None and shown.status != RoundStatus.DRAFT:
        context |= settling(desk)
    if shown is None or shown.status == RoundStatus.DRAFT:
        entered = shown is None and desk.tournament.entrants.exists()
        return context | {"tiles": [], "recorded": [], "entered": entered}
    games = games_in(shown)
    numbers = {one.table for one in here}
    return context | {
        "tiles": [_tile(tile, shown, games.get(tile.table), desk.now) for tile in found if tile.table in numbers],
        "hall": map_of(desk.tournament, shown, all_tables) if as_map else None,
        "parts": parts if len(parts) > 1 and not as_map else [],
        "part": next((one.number for one in parts if one.shown and one.number > 1), 0),
        "counts": _counts(all_tables, shown),
        "all_in": not any(one.outcome == "pending" for one in all_tables),
        "recorded": _recorded(found, recorded),
        **_clock(desk, shown),
    }


def _parts(tables: Sequence[Glance], page: str) -> list[Part]:
    """The pages of the board; the first is shown where none is asked for that there is."""
    pieces = [tables[start : start + PAGE] for start in range(0, len(tables), PAGE)]
    asked = plain_number(page) or 1
    asked = asked if 1 <= asked <= len(pieces) else 1
    return [Part(n, piece[0].table, piece[-1].table, n == asked) for n, piece in enumerate(pieces, start=1)]


def _on_page(tables: Sequence[Glance], parts: Sequence[Part]) -> Sequence[Glance]:
    start = next(((one.number - 1) * PAGE for one in parts if one.shown), 0)
    return tables[start : start + PAGE]


def _place_in_stage(the_round: Round, rounds: Sequence[Round]) -> int:
    """Which of the planned rounds of its stage a round is, from 1."""
    own = [one for one in rounds if one.stage_id == the_round.stage_id and not one.extra]
    return sum(one.number <= the_round.number for one in own)


def _round_to_show(rounds: Sequence[Round]) -> Round | None:
    """The round that runs, else the newest with a published pairing, else the newest."""
    for statuses in ((RoundStatus.RUNNING,), (RoundStatus.PUBLISHED, RoundStatus.CLOSED), (RoundStatus.DRAFT,)):
        matching = [item for item in rounds if item.status in statuses]
        if matching:
            return matching[-1]
    return None


def _reopen_for(desk: Desk, the_round: Round) -> int:
    """For how many seconds more the closing of the round can be taken back by who looks; 0: it cannot."""
    if not desk.may(Act.REOPEN_ROUND) or not may_be_reopened(the_round, desk.now):
        return 0
    assert the_round.closed_at is not None
    return max(1, round((the_round.closed_at + UNDO_WITHIN - desk.now).total_seconds()))


def _more_planned(desk: Desk, rounds: Sequence[Round]) -> bool:
    stage = current_stage(desk.tournament)
    if stage is None:
        return False
    return sum(item.stage_id == stage.pk and not item.extra for item in rounds) < stage.rounds_planned


def _clock(desk: Desk, the_round: Round) -> dict[str, Any]:
    """The clock with what may be done to it, and how many tables wait for somebody."""
    clock = shown_clock(round_clock(the_round), desk.now)
    return {
        "clock": clock,
        "time_up": clock is not None and clock.over,
        "may_set_clock": clock is not None and desk.may(Act.SET_CLOCK),
        "not_complete": incomplete_tables(the_round, desk.now),
    }


def _tile(found: Found, the_round: Round, games: Games | None, now: datetime) -> Tile:
    tone, pill, icon, word, since, note = _state(found, the_round, games)
    # what the boards of a pair come to is told by the other tables, not by the sum of its own
    compared = the_round.stage.format == StageFormat.DUPLICATE_PAIRS and found.match.outcome != "pending"
    levels = standing(found.state, the_round.tournament.profile)
    return Tile(
        number=found.table,
        home=name_of(found.home),
        away=name_of(found.away),
        levels=None if compared or not levels else Levels(levels["NS"], levels["EW"]),
        tone=tone,
        pill=pill,
        icon=icon,
        word=word,
        since="" if since is None else since.isoformat(),
        age="" if since is None else age(since, now),
        note=note,
        unfinished=found.match.outcome == "pending",
        players=tuple(players_at(found.match, found.state)),
        games="" if games is None or found.match.outcome != "pending" else _games_words(games),
    )


def _games_words(games: Games) -> str:
    """``Game 2, best of 3 · 1 : 0``: N–S first."""
    words = _("Game %(n)s, best of %(of)s") % {"n": games.shown.game, "of": games.best_of}
    return f"{words} · {score(games.won['NS'], games.won['EW'])}"


def _state(found: Found, the_round: Round, games: Games | None) -> tuple[str, str, str, str, datetime | None, str]:
    """Tone of the tile, tone of the pill, icon, word, since when, a note: the most urgent thing about the table."""
    hand = _("hand %(n)s") % {"n": found.sitting.hand_no}
    if found.phase == SittingPhase.DISPUTED:
        note = difference_words(found.claims, the_round.tournament.profile) or hand
        since = found.calls[0].called_at if found.calls else found.since
        return "bad", "bad", "diamond", _("Dispute"), since, note
    open_calls = [call for call in found.calls if call.kind != CallKind.DISPUTE] or list(found.calls)
    if open_calls:
        call = open_calls[0]
        word = _("%(name)s is going") % {"name": call.taken_by} if call.taken_by else str(CALLS[call.kind])
        tone = "wait" if call.taken_by else "bad"
        return (
            tone,
            tone,
            "bell",
            word,
            call.called_at,
            " · ".join(part for part in (hand, kept_words(call.note)) if part),
        )
    if found.waiting is not None:
        side = found.waiting.entered_side
        other = SIDES_SHORT["EW" if side == "NS" else "NS"]
        word = _("waits for %(side)s") % {"side": other} if side and not found.match.individual else _("waiting")
        return "wait", "wait", "hourglass", word, found.waiting.entered_at, hand
    if found.match.outcome != "pending":
        return "done", "ok", "flag", result_words(found.match, games), None, ""
    if found.phase == SittingPhase.FINISHED:
        return "wait", "wait", "hourglass", _("finished, not decided"), found.since, ""
    if the_round.status == RoundStatus.PUBLISHED:
        return "", "off", "clock", _("not started"), None, ""
    return "", "", "clock", hand, found.since, ""


def _counts(tables: Sequence[Glance], the_round: Round) -> str:
    """``12 tables: 7 playing · 2 waiting · 1 dispute`` with the words of the states."""
    kinds = Counter(_kind(one, the_round) for one in tables)
    words: list[tuple[str, str | _StrPromise]] = [
        ("not_started", _("not started")),
        ("playing", _("playing")),
        ("waiting", _("waiting")),
        ("bad", _("dispute or call")),
        ("done", _("finished")),
    ]
    parts = [f"{kinds[kind]} {word}" for kind, word in words if kinds[kind]]
    head = ngettext("%(n)s table", "%(n)s tables", len(tables)) % {"n": len(tables)}
    return _("%(tables)s: %(states)s") % {"tables": head, "states": " · ".join(parts)} if parts else head


def _kind(one: Glance, the_round: Round) -> str:
    """What a table counts as, by the most urgent thing about it, as its tile shows it (`_state`). A call that was taken
    is still a call."""
    if one.called or one.phase == SittingPhase.DISPUTED:
        return "bad"
    if one.waits:
        return "waiting"
    if one.outcome != "pending":
        return "done"
    if one.phase == SittingPhase.FINISHED:
        return "waiting"
    return "not_started" if the_round.status == RoundStatus.PUBLISHED else "playing"


def map_of(event: Tournament, the_round: Round, tables: Sequence[Glance]) -> HallPicture:
    """The tables of a round where they stand in the hall, with those that have no match in it."""
    plan = plan_of(event)
    told = dict.fromkeys(plan.places, Told("empty"))
    for one in tables:
        state = _spot_state(one, the_round)
        word = _("hand %(n)s") % {"n": one.hand_no} if state == "playing" else ""
        known = {"event": event.slug, "number": the_round.number, "table": one.table}
        told[one.table] = Told(state, word, reverse("desk:table", kwargs=known))
    return drawn(plan, told)


def _spot_state(one: Glance, the_round: Round) -> str:
    """The state on the map of what a table counts as."""
    kind = _kind(one, the_round)
    if kind == "bad":
        return "dispute" if one.phase == SittingPhase.DISPUTED else "call"
    return "finished" if kind == "done" else kind


def _recorded(found: Sequence[Found], entries: Sequence[LedgerEntry]) -> list[Recorded]:
    tables = {tile.sitting.pk: tile for tile in found}
    wanted = {entry.sitting_id: tables[entry.sitting_id] for entry in entries if entry.sitting_id in tables}
    records = records_of([tile.sitting for tile in wanted.values()]) if wanted else []
    hands = {hand.entry.pk: (record, hand) for record in records for hand in record.hands}
    lines = []
    for entry in entries:
        if entry.pk in hands:
            record, hand = hands[entry.pk]
            profile = record.sitting.round.tournament.profile
            fixed = isinstance(record.state, SittingState) and record.state.fixed
            after = {} if fixed else standing(hand.result.after.to_json(), profile)
            names = names_at(record.sitting.match)
            sentence, then = (in_names(text, names) for text in (hand.result.sentence, after_words(hand.result)))
            lines.append(Recorded(hand, tables[record.sitting.pk].table, after, sentence, then))
    return lines


def _dispute_words(waiting: Waiting) -> str:
    """How the dispute came about, and what differs."""
    entries = [claim.entry for claim in waiting.claims]
    differing = difference_words(entries, waiting.sitting.round.tournament.profile)
    if any(entry.status != EntryStatus.RETURNED for entry in entries):
        return differing
    back = _("Sent back twice.")
    return f"{back} {differing}" if differing else back


def waiting_for(desk: Desk, rounds: Sequence[Round]) -> list[Waiting]:
    """What waits for an official, read as the board reads it: of a large hall the tables that call somebody."""
    runs = next((one for one in rounds if one.status == RoundStatus.RUNNING), None)
    if runs is None:
        return queue(desk.tournament, desk.now)
    calling = {one.sitting for one in glance(runs) if one.calls_somebody(desk.now)}
    return queue(desk.tournament, desk.now, running=tiles_of(runs, calling) if calling else [])


def worded(desk: Desk, waiting: Sequence[Waiting]) -> list[Item]:
    """What waits, in words, with the photos that this official may see."""
    photos = beside(desk, waiting)
    return [_item(one, photos.get(one.call.pk, ()) if one.call is not None else ()) for one in waiting]


def _item(waiting: Waiting, photos: Sequence[Given]) -> Item:
    return Item(
        key=f"{waiting.kind}-{waiting.sitting.pk}-{_of(waiting)}",
        kind=waiting.kind,
        table=waiting.table,
        hand_no=_hand_no(waiting),
        round=waiting.sitting.round.number,
        since=waiting.since,
        words=_words(waiting),
        call=waiting.call,
        correction=waiting.correction,
        ruling=waiting.ruling,
        sitting=waiting.sitting,
        claims=shown_claims(waiting.sitting, waiting.claims) if waiting.claims else None,
        photos=photos,
    )


def _of(waiting: Waiting) -> int:
    """Tells two things of one kind at one table apart."""
    thing = waiting.call or waiting.ruling
    return 0 if thing is None else thing.pk


def _hand_no(waiting: Waiting) -> int | None:
    if waiting.claims:
        return waiting.claims[0].entry.hand_no
    if waiting.call is not None:
        return waiting.call.hand_no
    if waiting.ruling is not None:
        return waiting.ruling.hand_no
    return waiting.correction.entry.hand_no if waiting.correction else None


def _words(waiting: Waiting) -> str:
    if waiting.kind == "dispute" and waiting.claims:
        return _dispute_words(waiting)
    if waiting.kind == "second_official" and waiting.correction:
        return reason_words(waiting.correction.reason, waiting.sitting.round.tournament)
    if waiting.ruling is not None:
        return in_language(waiting.ruling.verdict)
    if waiting.kind == "unfinished":
        return _("The round is closed: end the match with what was played, or rule on it.")
    if waiting.kind == "slow":
        return _("Nothing new for a while.")
    if waiting.call is not None:
        side = str(SIDES[waiting.call.side]) if waiting.call.side else ""
        return " · ".join(part for part in (side, kept_words(waiting.call.note)) if part)
    return ""
