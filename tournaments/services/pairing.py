"""Pairing a round: by table or by hand, checked, published, and superseded where nothing was entered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from scoring.findings import Finding

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
    SideChoice,
    Sitting,
    StageFormat,
    Tournament,
)
from .pairs import Pair, create_matches, free_numbers, keep_tables, read_pairs, read_seat
from .round_steps import BadPairing, WrongStep, list_tables, locked_round, note_round, score_byes, tables_without_result
from .seating import check_seats
from .standings import mark_stale, person_of

ALL_MEET = frozenset({StageFormat.ROUND_ROBIN.value})


def pair_round_robin(
    *, round_id: int, actor: Actor, at: datetime, scored_by: str = ScoredBy.SIDES, first_dealer: str | None = None
) -> list[Match]:
    """Pair a draft round by the Berger table of the entrants in order of number."""
    with transaction.atomic():
        round_ = locked_round(round_id)
        require(actor, Act.PAIR, tournament=round_.tournament)
        entrants = list(_active(round_.tournament).order_by("number").values_list("pk", flat=True))
        if len(entrants) < 2:
            raise BadPairing("too_few_entrants", "Two entrants are needed.", "至少要有两个参赛方。")
        rounds = round_robin(entrants)
        place = round_.stage.rounds.filter(number__lt=round_.number).count()
        if place >= len(rounds):
            raise WrongStep("all_have_met", "All entrants have met one another.", "所有参赛方都已经相互赛过。")
        drawn = rounds[place]
        pairs = [Pair(int(home), int(away), table) for table, (home, away) in enumerate(drawn.pairs, start=1)]
        pairs += [Pair(int(entrant), None, None) for entrant in drawn.byes]
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
        round_ = locked_round(round_id)
        require(actor, Act.PAIR, tournament=round_.tournament)
        return _pair(round_, actor, at, read_pairs(pairs), scored_by, first_dealer)


def _pair(
    round_: Round, actor: Actor, at: datetime, pairs: Sequence[Pair], scored_by: str, first_dealer: str | None
) -> list[Match]:
    _refuse_single_players(round_)
    if round_.status != RoundStatus.DRAFT:
        raise WrongStep(
            "pairing_published",
            "This pairing is published. It can only be superseded, with a reason.",
            "编排已经公布，只能写明原因后替换。",
        )
    _refuse_if_blocked(round_)
    Sitting.objects.filter(round=round_).delete()
    Match.objects.filter(round=round_).delete()
    matches = create_matches(round_, pairs, scored_by, read_seat(first_dealer), pairing=None)
    _record_pairs(round_, actor, at, Act.PAIR, matches)
    return matches


def _refuse_single_players(round_: Round) -> None:
    if round_.tournament.individual:
        raise WrongStep("single_players", "Single players are seated at tables.", "个人赛要按桌安排座位。")


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
        en, zh = list_tables(tables)
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


def _active(event: Tournament) -> Any:
    return Entrant.objects.filter(tournament=event, withdrawn_at=None)


def _record_pairs(
    round_: Round, actor: Actor, at: datetime, act: Act, matches: Sequence[Match], reason: str = ""
) -> None:
    pairs = [_who(match) for match in matches]
    note_round(round_, actor, at, act, reason=reason, new={"pairs": pairs})


def _who(match: Match) -> list[int | None]:
    """Who meets in a match, by id."""
    if match.individual:
        return [place.entrant_id for place in match.places.all()]
    return [match.home_id, match.away_id]


def check_pairing(round_: Round) -> tuple[Finding, ...]:
    """What the organiser should see before publishing: rematches, second byes, same unit, entrants left out.

    Entrants are called by their numbers.
    """
    if round_.tournament.individual:
        return check_seats(round_)
    entrants = list(round_.tournament.entrants.order_by("number").values_list("pk", "number", "unit", "withdrawn_at"))
    numbers = {pk: number for pk, number, _, _ in entrants}
    out = _knocked_out(round_)
    return draws.check_pairing(
        _drawn(round_, numbers),
        entrants=[number for pk, number, _, withdrawn in entrants if withdrawn is None and pk not in out],
        earlier=[_drawn(one, numbers) for one in _earlier(round_)],
        units={number: unit for _, number, unit, _ in entrants if unit},
    )


def _knocked_out(round_: Round) -> set[int]:
    """Who lost an earlier match of a knockout and is not left out but out."""
    if round_.stage.format != StageFormat.KO_TIMED:
        return set()
    matches = [match for one in _earlier(round_) for match in one.matches.all() if match.superseded_in_id is None]
    out: set[int | None] = set()
    for match in matches:
        if match.winner_side != SideChoice.NS and match.outcome not in (MatchOutcome.PENDING, MatchOutcome.BYE):
            out.add(match.home_id)
        if match.winner_side != SideChoice.EW and match.outcome not in (MatchOutcome.PENDING, MatchOutcome.BYE):
            out.add(match.away_id)
    return {pk for pk in out if pk is not None}


def _earlier(round_: Round) -> Iterable[Round]:
    return round_.stage.rounds.filter(number__lt=round_.number).order_by("number").prefetch_related("matches")


def _drawn(round_: Round, numbers: Mapping[int, int]) -> Drawn:
    matches = [match for match in round_.matches.all() if match.superseded_in_id is None]
    sides = [(match.home_id, match.away_id) for match in matches]
    pairs = tuple((numbers[home], numbers[away]) for home, away in sides if home is not None and away is not None)
    return Drawn(pairs, tuple(numbers[home] for home, away in sides if home is not None and away is None))


def publish_pairing(*, round_id: int, actor: Actor, at: datetime) -> Pairing:
    """Publish a draft as pairing no. 1 of its round; from now on it is never edited."""
    with transaction.atomic():
        round_ = locked_round(round_id)
        require(actor, Act.PUBLISH_PAIRING, tournament=round_.tournament)
        if round_.status != RoundStatus.DRAFT:
            raise WrongStep("pairing_published", "This pairing is published.", "编排已经公布。")
        matches = list(round_.matches.all())
        if not matches:
            raise BadPairing("no_pairs", "The pairing is empty.", "还没有对阵。")
        pairing = Pairing.objects.create(round=round_, number=1, published_at=at, published_by=person_of(actor))
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
        round_ = locked_round(round_id)
        require(actor, Act.SUPERSEDE_PAIRING, tournament=round_.tournament)
        if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.RUNNING):
            raise WrongStep("pairing_not_published", "This round has no open pairing.", "这一轮没有可替换的编排。")
        _refuse_single_players(round_)
        wanted = keep_tables(round_, read_pairs(pairs), pairs)
        entrants = {pair.home for pair in wanted} | {pair.away for pair in wanted if pair.away is not None}
        replaced = list(round_.matches.filter(superseded_in=None).filter(Q(home__in=entrants) | Q(away__in=entrants)))
        _refuse_unless_replaceable(replaced, entrants)
        number = round_.pairings.order_by("-number").values_list("number", flat=True).first() or 0
        pairing = Pairing.objects.create(
            round=round_, number=number + 1, reason=reason[:200], published_at=at, published_by=person_of(actor)
        )
        old_sittings = Sitting.objects.filter(match__in=replaced)
        scored_by = old_sittings.values_list("scored_by", flat=True).first() or ScoredBy.SIDES
        Device.objects.filter(sitting__in=old_sittings, released_at=None).update(released_at=at, released_why="desk")
        old_sittings.update(active=False)
        Match.objects.filter(pk__in=[match.pk for match in replaced]).update(superseded_in=pairing)
        matches = create_matches(
            round_, wanted, scored_by, None, pairing=pairing, numbers=free_numbers(round_, len(wanted))
        )
        if round_.status == RoundStatus.RUNNING:
            score_byes(round_, at)
        _record_pairs(round_, actor, at, Act.SUPERSEDE_PAIRING, matches, reason)
        mark_stale(round_.tournament_id)
        announce(round_.tournament_id, "round", round_.pk, round_.number)
    return pairing


def _refuse_unless_replaceable(replaced: Sequence[Match], entrants: set[int]) -> None:
    begun = [match for match in replaced if match.outcome not in (MatchOutcome.PENDING, MatchOutcome.BYE)]
    if begun or LedgerEntry.objects.filter(sitting__match__in=replaced).exists():
        raise WrongStep(
            "match_has_entries",
            "A match with entries keeps its pairing; correct or forfeit it instead.",
            "已有记录的对局不能换编排，只能更正或判弃权。",
        )
    replaced_ids = {entrant for match in replaced for entrant in (match.home_id, match.away_id) if entrant is not None}
    left_out = replaced_ids - entrants
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
