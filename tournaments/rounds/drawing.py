"""Draws of draft rounds, by the format of the stage or by hand; each is kept as a document that can be made again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from scoring.hands.findings import Refused

from ..acts import jobs, origins
from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, Change, Told, Write, carry_out, commit
from ..acts.errors import NotFound, WrongStep, clean_text
from ..acts.jobs import Made, Tell, Work
from ..acts.rows import locked_round
from ..acts.text import canonical_json
from ..draws.documents import Document, answer_of, draw_document, meetings_of
from ..draws.swiss_questions import explain_why_not
from ..models import Draw, DrawMethod, Job, Match, Round, RoundStatus, ScoredBy, Sitting, StageFormat
from .draw_questions import FIXED_IN_ADVANCE, Drawing, Question, check_of, method_of, question_of
from .pairs import Pair, draft_gone, new_matches, read_pairs, read_seat
from .steps import REASON_LIMIT, BadPairing, line_on, list_tables, tables_without_result

#: From so many entrants on a draw is a job of its own.
LARGE = 300
DRAW = "draw_round"
#: Kept as the reason when a pairing made by hand is only typed again.
TYPED_AGAIN = "typed again"
#: Kept as the reason when the draft was dropped because the field of its stage was fixed anew.
FIELD_CHANGED = "field changed"
#: Findings about a pairing by hand that refuse it.
_REFUSED = frozenset({"knocked_out", "groups_mixed", "unknown_entrant"})


def draw_round(
    *,
    round_id: int,
    actor: Actor,
    at: datetime,
    reason: str = "",
    scored_by: str = ScoredBy.SIDES,
    first_dealer: str | None = None,
    first_table: int = 1,
) -> Draw:
    """Draw a draft round by the format of its stage; the draft that stood is replaced, which needs a reason.

    Tables are numbered from `first_table` in the order of the draw.
    """

    def decide() -> Change[Draw]:
        round_, admitted = _draft(round_id, actor)
        return _kept(round_, _drawn(round_, first_table), admitted, at, reason, scored_by, first_dealer)

    return carry_out(decide, actor, at)


def ask_draw(
    *,
    round_id: int,
    actor: Actor,
    at: datetime,
    reason: str = "",
    scored_by: str = ScoredBy.SIDES,
    first_dealer: str | None = None,
    first_table: int = 1,
) -> Draw | Job:
    """As `draw_round`; a large field is drawn by a worker, and the job is the answer."""
    with transaction.atomic():
        round_, admitted = _draft(round_id, actor)
        if len(Drawing(round_).present) < LARGE:
            drawn = _drawn(round_, first_table)
            return commit(_kept(round_, drawn, admitted, at, reason, scored_by, first_dealer), actor, at)
        _reason_of(round_, method_of(round_.stage), reason)
        read_seat(first_dealer)
        _check_first_table(first_table)
        return jobs.ask(
            tournament_id=round_.tournament_id,
            kind=DRAW,
            subject=round_.pk,
            act=Act.PAIR,
            actor=actor,
            at=at,
            reason=reason,
            scored_by=scored_by,
            first_dealer=first_dealer,
            first_table=first_table,
        )


def _prepare(job: Job, tell: Tell) -> Document:
    round_ = Round.objects.select_related("tournament", "stage").filter(pk=job.subject).first()
    if round_ is None:
        raise NotFound()
    return _drawn(round_, job.arguments["first_table"], tell)


def _finish(job: Job, document: Document, actor: Actor, at: datetime) -> Made:
    round_, admitted = _draft(job.subject, actor)
    if question_of(Drawing(round_)) != document["question"]:
        raise WrongStep("changed_meanwhile")
    given = job.arguments
    kept = _kept(round_, document, admitted, at, given["reason"], given["scored_by"], given["first_dealer"])
    return Made({"draw": commit(kept, actor, at).pk, "round": round_.number})


WORK = Work({"en": "Draw of a round", "zh": "编排一轮"}, _prepare, _finish)


def pair_by_hand(
    *,
    round_id: int,
    actor: Actor,
    at: datetime,
    pairs: Sequence[Mapping[str, Any]],
    scored_by: str = ScoredBy.SIDES,
    first_dealer: str | None = None,
    reason: str = "",
) -> list[Match]:
    """Pair a draft round as given: `{"home": id, "away": id or None, "table": number or None, "first_dealer": seat}`.

    Tables that are not stated are numbered in order. A draft may be paired again; a published pairing may not. To
    change what was drawn needs a reason. Somebody knocked out, or two of different groups, are refused.
    """

    def decide() -> Change[Draw]:
        round_, admitted = _draft(round_id, actor)
        return _paired(round_, read_pairs(pairs), admitted, at, reason, scored_by, first_dealer)

    return list(carry_out(decide, actor, at).round.matches.order_by("number"))


def swap_entrants(*, round_id: int, actor: Actor, at: datetime, one: int, other: int, reason: str) -> Draw:
    """Two entrants (ids) of a draft change places; everything else stays as it is."""

    def decide() -> Change[Draw]:
        round_, admitted = _draft(round_id, actor)
        standing = pairs_of(round_)
        named = {pk for pair in standing for pk in (pair.home, pair.away)}
        if one == other or not {one, other} <= named:
            raise BadPairing("two_entrants", "Choose two entrants of this round.", "请选本轮的两个参赛方。")
        places = {one: other, other: one}
        swapped = [
            replace(pair, home=places.get(pair.home, pair.home), away=pair.away and places.get(pair.away, pair.away))
            for pair in standing
        ]
        scored_by = Sitting.objects.filter(round=round_).values_list("scored_by", flat=True).first()
        return _paired(round_, swapped, admitted, at, reason, scored_by or ScoredBy.SIDES, None)

    return carry_out(decide, actor, at)


def pairs_of(round_: Round) -> list[Pair]:
    """The standing pairing of a round with its tables."""
    matches = round_.matches.filter(superseded_in=None, home__isnull=False).order_by("number")
    found = []
    for match in matches.prefetch_related("sittings__table"):
        seats = [sitting for sitting in match.sittings.all() if sitting.active]
        dealer = read_seat(seats[0].opening.get("first_dealer")) if seats else None
        table = min((sitting.table.number for sitting in seats), default=None)
        home = match.home_id
        assert home is not None
        found.append(Pair(home, match.away_id, table, dealer, match.group, match.slot, match.for_place))
    return found


def why_not(*, round_id: int, actor: Actor, one: int, other: int | None) -> dict[str, Any]:
    """What a drawn Swiss round would cost if these two met (`other` None: if `one` had the bye), beside the best.

    As the protocol's `why_not`, with `best`: the total of the best round. Refused for draws that choose nothing.
    """
    draw = latest_draw(round_id)
    round_ = Round.objects.select_related("tournament", "stage").filter(pk=round_id).first()
    if draw is None or round_ is None:
        raise NotFound()
    require(actor, Act.SEE_DESK, tournament=round_.tournament)
    document = document_of(draw)
    question, answer = document["question"], document["answer"]
    if question.get("op") != "swiss_round" or not answer.get("feasible"):
        raise WrongStep("nothing_chosen")
    try:
        asked = {name: value for name, value in question.items() if name != "op"}
        said = explain_why_not(asked, answer, one, other)
    except Refused as refused:
        raise _first(refused) from None
    return {"best": answer["total"], **said}


def latest_draw(round_id: int) -> Draw | None:
    """The draw of a round that stands."""
    return Draw.objects.filter(round=round_id).order_by("-number").first()


def document_of(draw: Draw) -> Document:
    return origins.document_of(draw.round.tournament, draw)


def _draft(round_id: int, actor: Actor) -> tuple[Round, Admitted]:
    """The round to be drawn, locked, and who draws it; refused when it is published, or waits for an earlier one."""
    round_ = locked_round(round_id)
    admitted = require(actor, Act.PAIR, tournament=round_.tournament)
    if round_.tournament.individual:
        raise WrongStep("single_players", "Single players are seated at tables.", "个人赛要按桌安排座位。")
    if round_.status != RoundStatus.DRAFT:
        raise WrongStep("pairing_published")
    _refuse_if_blocked(round_)
    return round_, admitted


def _refuse_if_blocked(round_: Round) -> None:
    """Only where everybody meets everybody may a round be paired before the results of the earlier ones are in."""
    earlier = round_.tournament.rounds.filter(number__lt=round_.number).exclude(status=RoundStatus.CLOSED)
    if round_.stage.format in FIXED_IN_ADVANCE and not round_.extra:
        earlier = earlier.exclude(stage=round_.stage)
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


def _untold(step: Mapping[str, str], done: int, of: int) -> None:
    """Nobody waits to hear how far a small draw is."""


def _drawn(round_: Round, first_table: int, tell: Tell = _untold) -> Document:
    """The document of the draw; refused when no round is possible."""
    _check_first_table(first_table)
    tell({"en": "Reading who plays and who has met", "zh": "正在读取参赛方和以往对阵"}, 0, 3)
    drawing = Drawing(round_)
    size = len(drawing.present)
    if size < 2:
        raise BadPairing("too_few_entrants", "Two entrants are needed.", "至少要有两个参赛方。")
    question = question_of(drawing)
    try:
        tell({"en": f"Pairing {size:,} entrants", "zh": f"正在为 {size:,} 个参赛方编排"}, 1, 3)
        answer = answer_of(question)
        meetings = meetings_of(answer)
        if not meetings:
            raise BadPairing("no_pairing_possible", answer["reason"]["en"], answer["reason"]["zh"])
        tell({"en": "Checking the pairing and setting the tables", "zh": "正在核对编排并安排桌次"}, 2, 3)
        # a group that is through, and who meets somebody annulled, do not play: nobody is left out
        fixed = round_.stage.format in FIXED_IN_ADVANCE or round_.extra
        head = _head(drawing, question, method_of(round_.stage), _named(meetings) if fixed else None)
        return draw_document(head, first_table=first_table, answer=answer)
    except Refused as refused:
        raise _first(refused) from None


def _named(meetings: Sequence[Mapping[str, Any]]) -> list[int]:
    return [pk for one in meetings for pk in (one["home"], one["away"]) if pk is not None]


def _head(drawing: Drawing, question: Question, method: str, named: Sequence[int] | None = None) -> dict[str, Any]:
    numbers = {str(place.entrant): place.number for place in drawing.field}
    return {
        "stage": drawing.stage.number,
        "round": drawing.round.number,
        "method": str(method),
        "numbers": numbers,
        "question": question,
        "check": check_of(drawing, question, named),
    }


def _check_first_table(first_table: object) -> None:
    if type(first_table) is not int or not 1 <= first_table <= 5_000:
        raise BadPairing(
            "bad_table", "A table is a number from 1 to 5000.", "桌号要是 1 到 5000 的整数。", "first_table"
        )


def _paired(
    round_: Round,
    pairs: Sequence[Pair],
    admitted: Admitted,
    at: datetime,
    reason: str,
    scored_by: str,
    dealer: str | None,
) -> Change[Draw]:
    """Keep a pairing made by hand, with what it costs beside the best draw where the format has one."""
    drawing = Drawing(round_)
    question, answer = _own_draw(drawing)
    named = None
    if (round_.stage.format in FIXED_IN_ADVANCE and answer) or round_.extra:
        named = _named(meetings_of(answer))
    placed = _placed(drawing, pairs, question, answer)
    given = [_meeting(pair) for pair in placed]
    head = _head(drawing, question, DrawMethod.HAND, named)
    said = _reason_of(round_, DrawMethod.HAND, reason)
    # who cannot be named is refused by the making of the matches, so that no document is made of strangers
    made = new_matches(round_, placed, scored_by, read_seat(dealer), pairing=None)
    try:
        document = draw_document(head, given=given, answer=answer)
    except Refused as refused:
        raise _first(refused) from None
    wrong = next((one for one in document["findings"] if one["code"] in _REFUSED), None)
    if wrong is not None:
        raise BadPairing(wrong["code"], wrong["message"]["en"], wrong["message"]["zh"])
    return _recorded(round_, document, made, admitted, at, said)


def _own_draw(drawing: Drawing) -> tuple[Question, dict[str, Any]]:
    """What the format itself would draw; nothing where it cannot."""
    try:
        question = question_of(drawing)
        latest = latest_draw(drawing.round.pk)
        if latest is not None:
            known = document_of(latest)
            if known["question"] == question:
                return question, dict(known["answer"])
        return question, dict(answer_of(question))
    except (WrongStep, BadPairing, Refused):
        return {}, {}


def _placed(drawing: Drawing, pairs: Sequence[Pair], question: Question, answer: Mapping[str, Any]) -> list[Pair]:
    """Pairs by hand with their group, and in a bracket with a place: that of the same meeting in the draw, else the
    first that is free, in order."""
    groups = {place.entrant: place.group for place in drawing.field}
    if drawing.round.extra:
        return list(pairs)
    if drawing.stage.format != StageFormat.KO_TIMED:
        return [replace(pair, group=groups.get(pair.home)) for pair in pairs]
    if "numbers" in question:
        return list(pairs)
    losers = set(question.get("losers", ()))
    drawn = {frozenset((one["home"], one["away"])): one["slot"] for one in meetings_of(answer) if "slot" in one}
    taken = {pair.slot or drawn.get(frozenset((pair.home, pair.away))) for pair in pairs}
    free = (slot for slot in range(1, 2 * len(pairs) + len(drawn) + 2) if slot not in taken)
    found = []
    for pair in pairs:
        if pair.home in losers and (pair.away is None or pair.away in losers):
            found.append(replace(pair, slot=None, for_place=3))
        else:
            slot = pair.slot or drawn.get(frozenset((pair.home, pair.away))) or next(free)
            found.append(replace(pair, slot=slot, for_place=None))
    return found


def _meeting(pair: Pair) -> dict[str, Any]:
    said = {"home": pair.home, "away": pair.away, "table": pair.table}
    places = {"group": pair.group, "slot": pair.slot, "for_place": pair.for_place, "boards": pair.boards}
    return said | {name: value for name, value in places.items() if value is not None}


def _kept(
    round_: Round,
    document: Document,
    admitted: Admitted,
    at: datetime,
    reason: str,
    scored_by: str,
    first_dealer: str | None,
) -> Change[Draw]:
    """A draw that was computed is the draft of its round."""
    pairs = [
        Pair(
            one["home"],
            one["away"],
            one["table"],
            group=one.get("group"),
            slot=one.get("slot"),
            for_place=one.get("for_place"),
            boards=one.get("boards"),
        )
        for one in document["meetings"]
    ]
    said = _reason_of(round_, document["method"], reason)
    made = new_matches(round_, pairs, scored_by, read_seat(first_dealer), pairing=None)
    return _recorded(round_, document, made, admitted, at, said)


def _recorded(
    round_: Round,
    document: Document,
    made: tuple[Sequence[Match], tuple[Write, ...]],
    admitted: Admitted,
    at: datetime,
    reason: str,
) -> Change[Draw]:
    matches, writes = made
    text = canonical_json(document)
    last = latest_draw(round_.pk)
    draw = Draw(
        round=round_,
        number=1 if last is None else last.number + 1,
        method=document["method"],
        document=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        reason=reason,
        drawn_at=at,
        drawn_by=admitted.actor.user,
    )
    new = {
        "pairs": [[match.home_id, match.away_id] for match in matches],
        "draw": draw.number,
        "method": str(draw.method),
        "digest": draw.digest,
    }
    line, told = line_on(round_, Act.PAIR, reason=reason, new=new), Told("round", round_.pk, round_.number)
    return Change(admitted, draw, (*draft_gone(round_), *writes, Add(draw)), (line,), (told,))


def _reason_of(round_: Round, method: str, reason: str) -> str:
    """The reason to keep; refused when it is too long, and when a draw that stands is replaced without one."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT)
    last = latest_draw(round_.pk)
    if last is None or reason:
        return reason
    if last.method == DrawMethod.HAND and method == DrawMethod.HAND:
        return TYPED_AGAIN
    if not round_.matches.exists():
        return FIELD_CHANGED
    raise BadPairing(
        "reason_required",
        "This round is drawn. Say why it is drawn again or changed.",
        "这一轮已经编排，重新编排或改动要写明原因。",
        "reason",
    )


def _first(refused: Refused) -> BadPairing:
    one = refused.findings[0]
    return BadPairing(one.code, one.message["en"], one.message["zh"], one.field)
