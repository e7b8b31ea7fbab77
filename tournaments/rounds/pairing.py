"""Pairings: checked, published, and superseded where nothing was entered. Drafts are made by `drawing`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from scoring.hands.findings import Finding, Refused

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import Add, Change, Line, Move, MoveAll, Told, carry_out, write
from ..acts.errors import WrongStep, clean_text
from ..acts.rows import locked_round
from ..acts.waking import Wake, Why
from ..draws.documents import answer_of, findings_of, meetings_of
from ..ledger.devices import signed_out
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
)
from ..standings.stage_order import field_of
from .draw_questions import FIXED_IN_ADVANCE, Drawing, check_of, question_of
from .drawing import latest_draw
from .pairing_documents import numbered_pairing
from .pairs import Pair, free_numbers, keep_tables, new_matches, read_pairs
from .seating import check_seats
from .steps import REASON_LIMIT, BadPairing, line_on, replaced_by


def _refuse_single_players(round_: Round) -> None:
    if round_.tournament.individual:
        raise WrongStep("single_players", "Single players are seated at tables.", "个人赛要按桌安排座位。")


def _line(round_: Round, act: Act, matches: Sequence[Match], reason: str = "") -> Line:
    return line_on(round_, act, reason=reason, new={"pairs": [_who(match) for match in matches]})


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
    drawing = Drawing(round_)
    matches = [match for match in round_.matches.all() if match.superseded_in_id is None]
    try:
        question = question_of(drawing)
    except (WrongStep, BadPairing):
        question = {}
    named = None
    if round_.extra or (round_.stage.format in FIXED_IN_ADVANCE and question):
        named = [pk for match in matches for pk in (match.home_id, match.away_id) if pk is not None]
        if question:
            with suppress(Refused):
                meetings = meetings_of(answer_of(question))
                named += [pk for one in meetings for pk in (one["home"], one["away"]) if pk is not None]
    check, numbers = check_of(drawing, question, named), {str(place.entrant): place.number for place in drawing.field}
    meetings = [{"home": match.home_id, "away": match.away_id} for match in matches if match.home_id is not None]
    return findings_of(meetings, check, numbers)


def publish_pairing(*, round_id: int, actor: Actor, at: datetime, accept: bool = True) -> Pairing:
    """Publish a draft as pairing no. 1 of its round; from now on it is never edited.

    What the checker finds is kept with it; without `accept` it is refused as long as there is anything.
    """

    def decide() -> Change[Pairing]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.PUBLISH_PAIRING, tournament=round_.tournament)
        if round_.status != RoundStatus.DRAFT:
            raise WrongStep("pairing_published", "This pairing is published.", "编排已经公布。")
        matches = list(round_.matches.all())
        if not matches:
            raise BadPairing("no_pairs", "The pairing is empty.", "还没有对阵。")
        found = check_pairing(round_)
        if found and not accept:
            refused = BadPairing("findings_not_accepted", field="accept")
            refused.findings = found
            raise refused
        pairing = numbered_pairing(round_, actor, at, lambda _: found, draw=latest_draw(round_.pk))
        writes = (
            Add(pairing),
            MoveAll(Match, {"round": round_}, {"published_in": pairing}),
            Move(round_, {"status": RoundStatus.PUBLISHED}),
        )
        told = Told("round", round_.pk, round_.number, public=True)
        wakes = (Wake(Why.DRAWN, round_.pk),)
        return Change(admitted, pairing, writes, (_line(round_, Act.PUBLISH_PAIRING, matches),), (told,), wakes=wakes)

    return carry_out(decide, actor, at)


def supersede_pairing(
    *,
    round_id: int,
    actor: Actor,
    at: datetime,
    pairs: Sequence[Mapping[str, Any]],
    reason: str,
    accept: bool = True,
) -> Pairing:
    """Replace published matches without entries by others, under the next number and with a reason.

    Every match of an entrant in `pairs` is replaced, so all entrants of those matches must be paired again. What the
    checker finds is kept with it; without `accept` it is refused when the pairing before had nothing of the kind.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT)
    if not reason:
        raise BadPairing("reason_required", field="reason")

    def decide() -> Change[Pairing]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.SUPERSEDE_PAIRING, tournament=round_.tournament)
        if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.RUNNING):
            raise WrongStep("pairing_not_published", "This round has no open pairing.", "这一轮没有可替换的编排。")
        _refuse_single_players(round_)
        wanted = keep_tables(round_, read_pairs(pairs), pairs)
        entrants = {pair.home for pair in wanted} | {pair.away for pair in wanted if pair.away is not None}
        replaced = list(round_.matches.filter(superseded_in=None).filter(Q(home__in=entrants) | Q(away__in=entrants)))
        _refuse_unless_replaceable(replaced, entrants)
        wanted = _in_place(round_, wanted, replaced)
        old_sittings = Sitting.objects.filter(match__in=replaced)
        scored_by = old_sittings.values_list("scored_by", flat=True).first() or ScoredBy.SIDES
        phones = signed_out(Device.objects.filter(sitting__in=old_sittings), at, "desk")

        def replace_matches(pairing: Pairing) -> None:
            ids = [match.pk for match in replaced]
            retired = (
                MoveAll(Sitting, {"match__in": ids}, {"active": False}),
                MoveAll(Match, {"pk__in": ids}, {"superseded_in": pairing}),
            )
            write(retired, at, round_.tournament)
            numbers = free_numbers(round_, len(wanted))
            made = new_matches(round_, wanted, scored_by, None, pairing=pairing, numbers=numbers)[1]
            write(made, at, round_.tournament)

        known = _found_in(round_.pairings.order_by("number").last())
        pairing = numbered_pairing(round_, actor, at, check_pairing, reason=reason, make=replace_matches)
        _refuse_unless_seen([one for one in _found_in(pairing) if one not in known], accept)
        matches = list(pairing.matches.order_by("number"))
        return replaced_by(pairing, admitted, at, _line(round_, Act.SUPERSEDE_PAIRING, matches, reason), phones)

    return carry_out(decide, actor, at)


def _found_in(pairing: Pairing | None) -> list[Mapping[str, Mapping[str, str]]]:
    """What the checker found in a published pairing; older versions kept no document."""
    return [] if pairing is None or not pairing.document else list(json.loads(pairing.document)["findings"])


def _refuse_unless_seen(found: Sequence[Mapping[str, Mapping[str, str]]], accept: bool) -> None:
    if found and not accept:
        said = {language: " ".join(one["message"][language] for one in found) for language in ("en", "zh")}
        raise BadPairing(
            "findings_not_accepted",
            f"{said['en']} Accept it, or change the pairing.",
            f"{said['zh']}请确认接受，或改动编排。",
            "accept",
        )


def _in_place(round_: Round, pairs: Sequence[Pair], replaced: Sequence[Match]) -> list[Pair]:
    """New pairs with the group of their home side, and in order the places in the bracket that the replaced leave."""
    groups = {place.entrant: place.group for place in field_of(round_.stage)}
    places = iter(sorted(replaced, key=lambda match: match.number))
    found = []
    for pair in pairs:
        left = next(places, None)
        slot, for_place = (None, None) if left is None else (left.slot, left.for_place)
        group = None if round_.extra else groups.get(pair.home)
        found.append(replace(pair, group=group, slot=slot, for_place=for_place))
    return found


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
