"""Rounds: pair, check, publish, supersede, start, close; who scores a table; moving sittings between tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from scoring import match_scores, sittings
from scoring.findings import Finding
from scoring.values import Seat, Side

from ..access import Act, Actor, require
from ..announce import announce
from ..draws import checker as draws
from ..draws.pairing import Pairing as Drawn
from ..draws.round_robin import round_robin
from ..models import (
    Device,
    Entrant,
    LedgerEntry,
    Match,
    MatchOutcome,
    Pairing,
    Round,
    RoundStatus,
    ScoredBy,
    Sitting,
    StageFormat,
    Table,
    Tournament,
)
from . import history
from .errors import NotFound, Refusal
from .results import cached_state
from .setup import find_tournament
from .standings import mark_stale

ALL_MEET = frozenset({StageFormat.ROUND_ROBIN.value})


class WrongStep(Refusal):
    """The round is not at the step that this act needs."""

    def __init__(self, code: str, en: str, zh: str, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, message={"en": en, "zh": zh}, status=409, params=params or {})


class BadPairing(Refusal):
    """A pairing that cannot stand."""

    def __init__(self, code: str, en: str, zh: str, field: str = "pairs") -> None:
        super().__init__(code, field=field, message={"en": en, "zh": zh}, status=400)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entrants at a table; `away` None is a bye (then `table` is None too)."""

    home: int
    away: int | None
    table: int | None
    first_dealer: Seat | None = None


def create_round(*, tournament_id: int, actor: Actor, at: datetime, stage_id: int | None = None) -> Round:
    """The next round of the event, to be paired."""
    with transaction.atomic():
        event = find_tournament(tournament_id, lock=True)
        require(actor, Act.CREATE_ROUND, tournament=event)
        stages = event.stages.order_by("-number")
        stage = stages.filter(pk=stage_id).first() if stage_id else stages.first()
        if stage is None:
            raise NotFound()
        last = event.rounds.order_by("-number").first()
        if last is not None and last.status == RoundStatus.DRAFT:
            raise WrongStep(
                "round_not_paired",
                f"Round {last.number} is not published yet. Pair and publish it first.",
                f"第 {last.number} 轮还没有公布编排，请先编排并公布。",
            )
        if stage.rounds.count() >= stage.rounds_planned:
            raise WrongStep(
                "all_rounds_there",
                f"The regulation plans {stage.rounds_planned} rounds; all are there.",
                f"规程只安排 {stage.rounds_planned} 轮，已经都有了。",
            )
        created = Round.objects.create(tournament=event, stage=stage, number=(last.number if last else 0) + 1)
        subject = f"round:{created.pk}"
        history.record(tournament=event, actor=actor, at=at, act=Act.CREATE_ROUND, round=created, subject=subject)
    return created


def pair_round_robin(
    *, round_id: int, actor: Actor, at: datetime, scored_by: str = ScoredBy.SIDES, first_dealer: str | None = None
) -> list[Match]:
    """Pair a draft round by the Berger table of the entrants in order of number."""
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.PAIR, tournament=round_.tournament)
        entrants = list(_active(round_.tournament).order_by("number").values_list("pk", flat=True))
        if len(entrants) < 2:
            raise BadPairing("too_few_entrants", "Two entrants are needed.", "至少要有两个参赛方。")
        rounds = round_robin(entrants)
        place = round_.stage.rounds.filter(number__lt=round_.number).count()
        if place >= len(rounds):
            raise WrongStep("all_have_met", "All entrants have met one another.", "所有参赛方都已经相互赛过。")
        drawn = rounds[place]
        pairs = [Pair(home, away, table) for table, (home, away) in enumerate(drawn.pairs, start=1)]
        pairs += [Pair(entrant, None, None) for entrant in drawn.byes]
        return _pair(round_, actor, at, pairs, scored_by, first_dealer)


def pair_by_hand(
    *,
    round_id: int,
    actor: Actor,
    at: datetime,
    pairs: Sequence[Mapping[str, Any]],
    scored_by: str = ScoredBy.SIDES,
    first_dealer: str | None = None,
) -> list[Match]:
    """Pair a draft round as given: `{"home": id, "away": id or None, "table": number or None, "first_dealer": seat}`.

    Tables that are not stated are numbered in order. A draft may be paired again; a published pairing may not.
    """
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.PAIR, tournament=round_.tournament)
        return _pair(round_, actor, at, _read_pairs(pairs), scored_by, first_dealer)


def _pair(
    round_: Round, actor: Actor, at: datetime, pairs: Sequence[Pair], scored_by: str, first_dealer: str | None
) -> list[Match]:
    if round_.status != RoundStatus.DRAFT:
        raise WrongStep(
            "pairing_published",
            "This pairing is published. It can only be superseded, with a reason.",
            "编排已经公布，只能写明原因后替换。",
        )
    _refuse_if_blocked(round_)
    Sitting.objects.filter(round=round_).delete()
    Match.objects.filter(round=round_).delete()
    matches = _create_matches(round_, pairs, scored_by, _seat(first_dealer), pairing=None)
    _record_pairs(round_, actor, at, Act.PAIR, matches)
    return matches


def _refuse_if_blocked(round_: Round) -> None:
    """Only where everybody meets everybody may a round be paired before the results of the earlier ones are in."""
    if round_.stage.format in ALL_MEET:
        return
    earlier = round_.tournament.rounds.filter(number__lt=round_.number).exclude(status=RoundStatus.CLOSED)
    blocking = earlier.order_by("number").first()
    if blocking is None:
        return
    tables = tables_without_result(blocking)
    if tables:
        en, zh = _list_tables(tables)
        raise WrongStep(
            "pairing_blocked",
            f"{en} no result; round {round_.number} cannot be paired.",
            f"{zh} 桌还没有结果，不能编排第 {round_.number} 轮。",
            {"tables": tables, "round": blocking.number},
        )
    raise WrongStep(
        "pairing_blocked",
        f"Round {blocking.number} is not closed; round {round_.number} cannot be paired.",
        f"第 {blocking.number} 轮还没有关闭，不能编排第 {round_.number} 轮。",
        {"tables": [], "round": blocking.number},
    )


def _list_tables(tables: Sequence[int]) -> tuple[str, str]:
    words = [str(number) for number in tables]
    if len(words) == 1:
        return f"Table {words[0]} has", words[0]
    return f"Tables {', '.join(words[:-1])} and {words[-1]} have", "、".join(words)


def tables_without_result(round_: Round) -> list[int]:
    """Numbers of the tables of a round whose match has no result."""
    pending = Sitting.objects.filter(round=round_, active=True, match__outcome=MatchOutcome.PENDING)
    return list(pending.order_by("table__number").values_list("table__number", flat=True))


def _read_pairs(pairs: Sequence[Mapping[str, Any]]) -> list[Pair]:
    if not isinstance(pairs, Sequence) or isinstance(pairs, (str, bytes)):
        raise BadPairing("not_a_list", "Pairs are a list.", "对阵要是一个列表。")
    read: list[Pair] = []
    for pair in pairs:
        if not isinstance(pair, Mapping) or set(pair) - {"home", "away", "table", "first_dealer"}:
            raise BadPairing("unknown_field", "A pair has home, away, table, first_dealer.", "对阵的写法不对。")
        home, away, table = pair.get("home"), pair.get("away"), pair.get("table")
        if type(home) is not int or (away is not None and type(away) is not int):
            raise BadPairing("not_an_entrant", "Home and away are ids of entrants.", "主客队要用参赛方编号。")
        if table is not None and (type(table) is not int or not 1 <= table <= 9_999):
            raise BadPairing("bad_table", "A table is a number from 1 to 9999.", "桌号要是 1 到 9999 的整数。")
        read.append(Pair(home, away, None if away is None else table, _seat(pair.get("first_dealer"))))
    taken = {pair.table for pair in read if pair.table is not None}
    numbered: list[Pair] = []
    following = 0
    for pair in read:
        table = pair.table
        if pair.away is not None and table is None:
            following += 1
            while following in taken:
                following += 1
            table = following
        numbered.append(Pair(pair.home, pair.away, table, pair.first_dealer))
    return numbered


def _seat(value: object) -> Seat | None:
    if value in (None, ""):
        return None
    if not isinstance(value, str) or value not in Seat.__members__.values():
        raise BadPairing("bad_seat", "A seat is N, W, S or E.", "座位只有 N、W、S、E。", "first_dealer")
    return Seat(value)


def _active(event: Tournament) -> Any:
    return Entrant.objects.filter(tournament=event, withdrawn_at=None)


def _create_matches(
    round_: Round,
    pairs: Sequence[Pair],
    scored_by: str,
    first_dealer: Seat | None,
    *,
    pairing: Pairing | None,
    numbers: Sequence[int] = (),
) -> list[Match]:
    if not pairs:
        raise BadPairing("no_pairs", "The pairing is empty.", "还没有对阵。")
    if scored_by not in ScoredBy.values:
        raise BadPairing("bad_scored_by", "Tables are scored by the sides or a referee.", "记分方只有双方或裁判。")
    _check_pairs(round_, pairs)
    names = numbers or range(1, len(pairs) + 1)
    matches = Match.objects.bulk_create(
        Match(round=round_, number=number, home_id=pair.home, away_id=pair.away, published_in=pairing)
        for number, pair in zip(names, pairs, strict=True)
    )
    tables = _tables(round_.tournament, [pair.table for pair in pairs if pair.table is not None])
    first_level = round_.tournament.profile.ladder.first
    new_sittings = []
    for match, pair in zip(matches, pairs, strict=True):
        if pair.table is None:
            continue
        opening = sittings.Opening(
            levels={Side.NS: first_level, Side.EW: first_level}, first_dealer=pair.first_dealer or first_dealer
        )
        new_sittings.append(
            Sitting(
                match=match,
                round=round_,
                table=tables[pair.table],
                scored_by=scored_by,
                opening=opening.to_json(),
                state=cached_state(sittings.start(opening)),
            )
        )
    Sitting.objects.bulk_create(new_sittings)
    return matches


def _check_pairs(round_: Round, pairs: Sequence[Pair]) -> None:
    seen: list[int] = [pair.home for pair in pairs] + [pair.away for pair in pairs if pair.away is not None]
    twice = {entrant for entrant in seen if seen.count(entrant) > 1}
    known = dict(Entrant.objects.filter(tournament=round_.tournament, pk__in=seen).values_list("pk", "number"))
    if set(seen) - set(known):
        raise BadPairing("not_an_entrant", "There is no such entrant in this event.", "本赛事没有这个参赛方。")
    if twice:
        number = known[min(twice)]
        raise BadPairing("entrant_twice", f"Entrant {number} is paired twice.", f"{number} 号被排了两次。")
    withdrawn = Entrant.objects.filter(pk__in=seen, withdrawn_at__isnull=False).order_by("number").first()
    if withdrawn is not None:
        raise BadPairing(
            "entrant_withdrawn", f"Entrant {withdrawn.number} has withdrawn.", f"{withdrawn.number} 号已退赛。"
        )
    places = [pair.table for pair in pairs if pair.table is not None]
    if len(set(places)) < len(places):
        raise BadPairing("table_twice", "A table is used twice.", "有一张桌排了两次。")


def _tables(event: Tournament, numbers: Iterable[int]) -> dict[int, Table]:
    wanted = set(numbers)
    known = {table.number: table for table in event.tables.filter(number__in=wanted)}
    missing = sorted(wanted - set(known))
    for table in Table.objects.bulk_create(Table(tournament=event, number=number) for number in missing):
        known[table.number] = table
    return known


def _record_pairs(
    round_: Round, actor: Actor, at: datetime, act: Act, matches: Sequence[Match], reason: str = ""
) -> None:
    history.record(
        tournament=round_.tournament,
        actor=actor,
        at=at,
        act=act,
        round=round_,
        subject=f"round:{round_.pk}",
        reason=reason,
        new={"pairs": [[match.home_id, match.away_id] for match in matches]},
    )


def check_pairing(round_: Round) -> tuple[Finding, ...]:
    """What the organiser should see before publishing: rematches, second byes, same unit, entrants left out.

    Entrants are called by their numbers.
    """
    entrants = list(round_.tournament.entrants.order_by("number").values_list("pk", "number", "unit", "withdrawn_at"))
    numbers = {pk: number for pk, number, _, _ in entrants}
    return draws.check_pairing(
        _drawn(round_, numbers),
        entrants=[number for _, number, _, withdrawn in entrants if withdrawn is None],
        earlier=[_drawn(one, numbers) for one in _earlier(round_)],
        units={number: unit for _, number, unit, _ in entrants if unit},
    )


def _earlier(round_: Round) -> Iterable[Round]:
    return round_.stage.rounds.filter(number__lt=round_.number).order_by("number").prefetch_related("matches")


def _drawn(round_: Round, numbers: Mapping[int, int]) -> Drawn:
    matches = [match for match in round_.matches.all() if match.superseded_in_id is None]
    pairs = tuple((numbers[match.home_id], numbers[match.away_id]) for match in matches if match.away_id is not None)
    return Drawn(pairs, tuple(numbers[match.home_id] for match in matches if match.away_id is None))


def publish_pairing(*, round_id: int, actor: Actor, at: datetime) -> Pairing:
    """Publish a draft as pairing no. 1 of its round; from now on it is never edited."""
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.PUBLISH_PAIRING, tournament=round_.tournament)
        if round_.status != RoundStatus.DRAFT:
            raise WrongStep("pairing_published", "This pairing is published.", "编排已经公布。")
        matches = list(round_.matches.all())
        if not matches:
            raise BadPairing("no_pairs", "The pairing is empty.", "还没有对阵。")
        pairing = Pairing.objects.create(round=round_, number=1, published_at=at, published_by=actor.user)
        round_.matches.update(published_in=pairing)
        round_.status = RoundStatus.PUBLISHED
        round_.save(update_fields=["status"])
        _record_pairs(round_, actor, at, Act.PUBLISH_PAIRING, matches)
        announce(round_.tournament_id, "round", round_.pk, round_.number)
    return pairing


def supersede_pairing(
    *, round_id: int, actor: Actor, at: datetime, pairs: Sequence[Mapping[str, Any]], reason: str
) -> Pairing:
    """Replace published matches without entries by others, under the next number and with a reason.

    Every match of an entrant in `pairs` is replaced, so all entrants of those matches must be paired again.
    """
    reason = reason.strip()
    if not reason:
        raise BadPairing("reason_required", "Say why.", "请写明原因。", "reason")
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.SUPERSEDE_PAIRING, tournament=round_.tournament)
        if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.RUNNING):
            raise WrongStep("pairing_not_published", "This round has no open pairing.", "这一轮没有可替换的编排。")
        wanted = _keep_tables(round_, _read_pairs(pairs), pairs)
        entrants = {pair.home for pair in wanted} | {pair.away for pair in wanted if pair.away is not None}
        replaced = list(round_.matches.filter(superseded_in=None).filter(Q(home__in=entrants) | Q(away__in=entrants)))
        _refuse_unless_replaceable(replaced, entrants)
        number = round_.pairings.order_by("-number").values_list("number", flat=True).first() or 0
        pairing = Pairing.objects.create(
            round=round_, number=number + 1, reason=reason[:200], published_at=at, published_by=actor.user
        )
        old_sittings = Sitting.objects.filter(match__in=replaced)
        scored_by = old_sittings.values_list("scored_by", flat=True).first() or ScoredBy.SIDES
        Device.objects.filter(sitting__in=old_sittings, released_at=None).update(released_at=at, released_why="desk")
        old_sittings.update(active=False)
        Match.objects.filter(pk__in=[match.pk for match in replaced]).update(superseded_in=pairing)
        matches = _create_matches(
            round_, wanted, scored_by, None, pairing=pairing, numbers=_free_numbers(round_, len(wanted))
        )
        if round_.status == RoundStatus.RUNNING:
            _score_byes(round_, at)
        _record_pairs(round_, actor, at, Act.SUPERSEDE_PAIRING, matches, reason)
        mark_stale(round_.tournament_id)
        announce(round_.tournament_id, "round", round_.pk, round_.number)
    return pairing


def _keep_tables(round_: Round, pairs: Sequence[Pair], stated: Sequence[Mapping[str, Any]]) -> list[Pair]:
    """New pairs without a stated table take, in order, the tables that the replaced matches leave."""
    entrants = {pair.home for pair in pairs} | {pair.away for pair in pairs if pair.away is not None}
    active = Sitting.objects.filter(round=round_, active=True).select_related("match", "table")
    free: list[int] = []
    busy: set[int] = set()
    for sitting in active:
        gone = {sitting.match.home_id, sitting.match.away_id} & entrants
        (free.append if gone else busy.add)(sitting.table.number)
    taken = busy | {pair["table"] for pair in stated if pair.get("table") is not None}
    spare = [number for number in sorted(free) if number not in taken]
    following = max([*taken, *free, 0])
    kept: list[Pair] = []
    for pair, original in zip(pairs, stated, strict=True):
        table = pair.table
        if pair.away is not None and original.get("table") is None:
            if spare:
                table = spare.pop(0)
            else:
                following += 1
                table = following
        if table in busy:
            raise BadPairing("table_twice", f"Table {table} is in use.", f"{table} 桌正在使用。")
        kept.append(Pair(pair.home, pair.away, table, pair.first_dealer))
    return kept


def _free_numbers(round_: Round, count: int) -> list[int]:
    used = set(round_.matches.filter(superseded_in=None).values_list("number", flat=True))
    return [number for number in range(1, len(used) + count + 1) if number not in used][:count]


def _refuse_unless_replaceable(replaced: Sequence[Match], entrants: set[int]) -> None:
    begun = [match for match in replaced if match.outcome not in (MatchOutcome.PENDING, MatchOutcome.BYE)]
    if begun or LedgerEntry.objects.filter(sitting__match__in=replaced).exists():
        raise WrongStep(
            "match_has_entries",
            "A match with entries keeps its pairing; correct or forfeit it instead.",
            "已有记录的对局不能换编排，只能更正或判弃权。",
        )
    left_out = {entrant for match in replaced for entrant in (match.home_id, match.away_id)} - entrants - {None}
    still_playing = set(
        Entrant.objects.filter(pk__in=left_out, withdrawn_at=None).order_by("number").values_list("number", flat=True)
    )
    if still_playing:
        numbers = ", ".join(str(number) for number in sorted(still_playing))
        raise BadPairing(
            "pairing_incomplete",
            f"These entrants would lose their match: {numbers}.",
            f"这些参赛方会没有对手：{numbers}。",
        )


def start_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Start the clock of a published round: hands may be entered, byes score, and at most one round runs."""
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.START_ROUND, tournament=round_.tournament)
        if round_.status == RoundStatus.DRAFT:
            raise WrongStep("pairing_not_published", "Publish the pairing first.", "请先公布编排。")
        if round_.status != RoundStatus.PUBLISHED:
            raise WrongStep("round_started", "This round has started.", "这一轮已经开始。")
        running = round_.tournament.rounds.filter(status=RoundStatus.RUNNING).first()
        if running is not None:
            raise WrongStep(
                "another_round_runs",
                f"Round {running.number} is still running. Close it first.",
                f"第 {running.number} 轮还在进行，请先关闭。",
            )
        round_.status = RoundStatus.RUNNING
        round_.started_at = at
        minutes = round_.stage.minutes
        round_.ends_at = at + timedelta(minutes=minutes) if minutes else None
        round_.save(update_fields=["status", "started_at", "ends_at"])
        _score_byes(round_, at)
        history.record(
            tournament=round_.tournament,
            actor=actor,
            at=at,
            act=Act.START_ROUND,
            round=round_,
            subject=f"round:{round_.pk}",
        )
        mark_stale(round_.tournament_id)
        announce(round_.tournament_id, "round", round_.pk, round_.number)
    return round_


def _score_byes(round_: Round, at: datetime) -> None:
    byes = round_.matches.filter(superseded_in=None, away=None, outcome=MatchOutcome.PENDING, home__withdrawn_at=None)
    if not byes.exists():
        return
    score = match_scores.score(round_.stage.match_score, home=None, away=None, outcome="bye")
    byes.update(outcome=MatchOutcome.BYE, home_hundredths=int(score.home * 100), finished_at=at)


def extend_round(*, round_id: int, actor: Actor, at: datetime, minutes: int) -> Round:
    """Move the end of a running round by whole minutes (extra time; negative takes back)."""
    if type(minutes) is not int or not -120 <= minutes <= 120 or minutes == 0:
        raise Refusal(
            "bad_minutes",
            field="minutes",
            message={"en": "Minutes from 1 to 120.", "zh": "要是 1 到 120 的整数分钟。"},
            status=400,
        )
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.START_ROUND, tournament=round_.tournament)
        if round_.status != RoundStatus.RUNNING or round_.ends_at is None:
            raise WrongStep("round_not_running", "This round has no running clock.", "这一轮没有在计时。")
        old = round_.ends_at
        round_.ends_at = old + timedelta(minutes=minutes)
        round_.save(update_fields=["ends_at"])
        history.record(
            tournament=round_.tournament,
            actor=actor,
            at=at,
            act=Act.START_ROUND,
            round=round_,
            subject=f"round:{round_.pk}",
            old={"ends_at": old.isoformat()},
            new={"ends_at": round_.ends_at.isoformat()},
        )
        announce(round_.tournament_id, "round", round_.pk, round_.number)
    return round_


def close_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Close a round whose matches all have a result; its devices are signed out."""
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.CLOSE_ROUND, tournament=round_.tournament)
        if round_.status == RoundStatus.CLOSED:
            return round_
        if round_.status != RoundStatus.RUNNING:
            raise WrongStep("round_not_running", "This round is not running.", "这一轮没有在进行。")
        # lock the sittings: a hand being entered right now either finishes before this or is refused after it
        list(Sitting.objects.select_for_update(no_key=True).filter(round=round_, active=True).order_by("pk"))
        tables = tables_without_result(round_)
        if tables:
            en, zh = _list_tables(tables)
            raise WrongStep(
                "round_open",
                f"{en} no result; round {round_.number} cannot be closed.",
                f"{zh} 桌还没有结果，不能关闭第 {round_.number} 轮。",
                {"tables": tables, "round": round_.number},
            )
        round_.status = RoundStatus.CLOSED
        round_.closed_at = at
        round_.save(update_fields=["status", "closed_at"])
        Device.objects.filter(sitting__round=round_, released_at=None).update(
            released_at=at, released_why="round_closed"
        )
        history.record(
            tournament=round_.tournament,
            actor=actor,
            at=at,
            act=Act.CLOSE_ROUND,
            round=round_,
            subject=f"round:{round_.pk}",
        )
        mark_stale(round_.tournament_id)
        announce(round_.tournament_id, "round", round_.pk, round_.number)
    return round_


def set_scored_by(*, sitting_id: int, actor: Actor, at: datetime, scored_by: str) -> Sitting:
    """Let the sides or a referee score a table."""
    if scored_by not in ScoredBy.values:
        raise BadPairing("bad_scored_by", "Tables are scored by the sides or a referee.", "记分方只有双方或裁判。")
    with transaction.atomic():
        sitting = _locked_sitting(sitting_id)
        require(actor, Act.SET_SCORED_BY, tournament=sitting.round.tournament)
        if sitting.scored_by == scored_by:
            return sitting
        old, sitting.scored_by = sitting.scored_by, scored_by
        sitting.save(update_fields=["scored_by"])
        history.record(
            tournament=sitting.round.tournament,
            actor=actor,
            at=at,
            act=Act.SET_SCORED_BY,
            sitting=sitting,
            round=sitting.round,
            subject=f"sitting:{sitting.pk}",
            old={"scored_by": old},
            new={"scored_by": scored_by},
        )
        announce(sitting.round.tournament_id, "sitting", sitting.pk, sitting.revision)
    return sitting


def swap_tables(*, round_id: int, actor: Actor, at: datetime, sitting_ids: Sequence[int]) -> list[Sitting]:
    """Two sittings of a round change tables, each with its entries and devices."""
    with transaction.atomic():
        round_ = _locked(round_id)
        require(actor, Act.SWAP_TABLES, tournament=round_.tournament)
        chosen = list(
            Sitting.objects.select_for_update(no_key=True)
            .filter(round=round_, active=True, pk__in=list(sitting_ids))
            .order_by("pk")
        )
        if len(chosen) != 2 or round_.status == RoundStatus.CLOSED:
            raise BadPairing("two_sittings", "Choose two tables of this round.", "请选本轮的两张桌。", "sitting_ids")
        first, second = chosen
        tables = (second.table_id, first.table_id)
        Sitting.objects.filter(pk=first.pk).update(active=False)
        for sitting, table_id in ((second, tables[1]), (first, tables[0])):
            Sitting.objects.filter(pk=sitting.pk).update(table_id=table_id, active=True)
            sitting.table_id = table_id
        _record_move(round_, actor, at, {first.pk: tables[0], second.pk: tables[1]})
    return [Sitting.objects.select_related("table").get(pk=sitting.pk) for sitting in chosen]


def move_sitting(*, sitting_id: int, actor: Actor, at: datetime, table: int) -> Sitting:
    """Move a sitting, with its entries and devices, to a free table."""
    if type(table) is not int or not 1 <= table <= 9_999:
        raise BadPairing("bad_table", "A table is a number from 1 to 9999.", "桌号要是 1 到 9999 的整数。", "table")
    with transaction.atomic():
        round_ = _locked(_sitting(sitting_id).round_id)
        sitting = _locked_sitting(sitting_id)
        require(actor, Act.SWAP_TABLES, tournament=round_.tournament)
        place = _tables(round_.tournament, [table])[table]
        if round_.status == RoundStatus.CLOSED or not sitting.active:
            raise WrongStep("round_closed", "This round is closed.", "这一轮已关闭。")
        if Sitting.objects.filter(round=round_, table=place, active=True).exclude(pk=sitting.pk).exists():
            raise BadPairing("table_twice", f"Table {table} is in use.", f"{table} 桌正在使用。", "table")
        Sitting.objects.filter(pk=sitting.pk).update(table=place)
        _record_move(round_, actor, at, {sitting.pk: place.pk})
    return Sitting.objects.select_related("table").get(pk=sitting_id)


def _record_move(round_: Round, actor: Actor, at: datetime, places: Mapping[int, int]) -> None:
    history.record(
        tournament=round_.tournament,
        actor=actor,
        at=at,
        act=Act.SWAP_TABLES,
        round=round_,
        subject=f"round:{round_.pk}",
        new={"tables": {str(sitting): table for sitting, table in places.items()}},
    )
    for sitting_id in places:
        announce(round_.tournament_id, "sitting", sitting_id)


def _locked(round_id: int) -> Round:
    """The round with its tournament and stage, its row locked.

    Order of locks everywhere: round, sittings, and the tournament's row last (its stale number).
    """
    rows = Round.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament", "stage")
    try:
        return rows.get(pk=round_id)
    except Round.DoesNotExist:
        raise NotFound() from None


def _sitting(sitting_id: int) -> Sitting:
    try:
        return Sitting.objects.get(pk=sitting_id)
    except Sitting.DoesNotExist:
        raise NotFound() from None


def _locked_sitting(sitting_id: int) -> Sitting:
    try:
        return (
            Sitting.objects.select_for_update(no_key=True, of=("self",))
            .select_related("round__tournament", "round__stage", "table", "match")
            .get(pk=sitting_id)
        )
    except Sitting.DoesNotExist:
        raise NotFound() from None
