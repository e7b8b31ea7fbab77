"""Standings: marked stale by every act that may move them, recalculated one at a time, published frozen."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic
from typing import Any

from django.db import transaction
from django.db.models import Exists, JSONField, OuterRef, TextField, Value
from django.db.models.functions import Cast

from scoring import profiles
from scoring.standings.placing import answer_placing

from ..acts import doorbell, history
from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.announce import announce
from ..acts.change import Add, Change, Line, RemoveAll, Told, carry_out
from ..acts.errors import Forbidden, NotFound, Refusal, Stale, clean_text
from ..acts.origins import document_of
from ..acts.rows import find_tournament, hold_tables
from ..acts.text import canonical_json, text_digest
from ..boards.reads import kept_back
from ..models import (
    DrawnLots,
    EntryStatus,
    LedgerEntry,
    Publication,
    Recalculation,
    Round,
    RoundStatus,
    Stage,
    StandingsRun,
    Tournament,
    User,
    WakeAddress,
)
from .publications import placing_question, same_placing, tables_in
from .rankings import basis_of, is_over
from .results import is_provisional, open_tables
from .seen import seen
from .stage_order import stage_after
from .tables import KnockoutTable, Table, rows_json, rows_of_question
from .worked_out import worked_out

DOCUMENT_FORMAT = "referee/standings/2"


def recalculate(*, tournament_id: int, at: datetime) -> bool:
    """Bring the live tables of a tournament up to its stale number; False when there was nothing to do.

    One at a time per tournament: whoever finds the row locked leaves, and who holds it looks again after its commit
    and asks for another one, so nothing that was marked meanwhile is missed. Running it twice, late or after another
    changes nothing.
    """
    doorbell.answer(tournament_id)
    began = monotonic()
    done = _recalculate_once(tournament_id, at)
    if done:
        doorbell.rest(tournament_id, monotonic() - began)
    if done and doorbell.stale().filter(tournament=tournament_id).exists():
        doorbell.ring(tournament_id)
    return done


def _recalculate_once(tournament_id: int, at: datetime) -> bool:
    with transaction.atomic():
        rows = Recalculation.objects.select_for_update(skip_locked=True, of=("self",)).select_related("tournament")
        row = rows.filter(tournament=tournament_id).first()
        if row is None:
            return False
        # of the same moment as the row: whatever is counted after it rings again, for the bell was answered before
        event = row.tournament
        # counted before the matches are read: what they show covers at least this number
        counted = doorbell.counted(event)
        number = counted.number
        if number <= row.covered_number:
            return False
        stages = event.stages.annotate(is_open=is_provisional()).select_related("run").defer("run__rows")
        moved = [stage for stage in stages if _write_run(stage, counted, at, is_open=stage.is_open)]
        covered = Recalculation.objects.filter(tournament=tournament_id, covered_number__lt=number)
        covered.update(covered_number=number, finished_at=at)
        shown = event.live_public and any(not kept_back(stage).results for stage in moved)
        announce(tournament_id, "standings", None, number, public=shown)
    return True


def _write_run(stage: Stage, counted: doorbell.Counted, at: datetime, *, is_open: bool) -> bool:
    """Whether the table is another one than before. `stage` was read with its table as it is stored."""
    known, number = getattr(stage, "run", None), counted.number
    now = worked_out(stage, counted, 0 if known is None else known.covers)
    table: dict[str, Any] = {"provisional": is_open}
    if known is None or known.digest != now.digest:
        # it is JSON already
        table |= {"rows": Cast(Value(now.text, TextField()), JSONField()), "digest": now.digest}
    if known is None:
        StandingsRun.objects.create(stage=stage, covers=number, computed_at=at, **table)
        return True
    moved = "rows" in table or is_open != known.provisional
    run = StandingsRun.objects.filter(stage=stage, covers__lt=number)
    run.update(covers=number, computed_at=at, **(table if moved else {}))
    return moved


def live_rows(stage: Stage) -> list[dict[str, Any]]:
    """The rows of the live table as it is now."""
    return rows_json(basis_of(stage).tables())


def sweep(*, at: datetime) -> list[int]:
    """Ask again for every stale tournament (the doorbell may have been lost); the ids asked for."""
    ids = list(doorbell.stale().order_by("tournament_id").values_list("tournament_id", flat=True))
    return [tournament_id for tournament_id in ids if doorbell.ring(tournament_id, insist=True)]


def publish(
    *,
    stage_id: int,
    round_id: int,
    actor: Actor,
    at: datetime,
    expected_number: int | None = None,
    supersedes: int | None = None,
    reason: str = "",
) -> Publication:
    """Publish the table after a round: frozen, numbered, with its digest.

    `expected_number`: the stale number the organiser saw; when something happened since, `stale`. A round that has a
    publication gets another only by superseding it (`supersedes`: its id) with a reason. Tables still open make it
    provisional. The last planned round of a stage, closed and complete, is final: only then are lots drawn and their
    seed shown; an extra match that a tie waits for comes first.
    """

    def decide() -> Change[Publication]:
        asked = asked_for(
            stage_id=stage_id,
            round_id=round_id,
            actor=actor,
            expected_number=expected_number,
            supersedes=supersedes,
            reason=reason,
        )
        return _frozen(asked.event, asked.stage, asked.round, asked.admitted, at, asked.previous, asked.reason)

    return carry_out(decide, actor, at)


@dataclass(frozen=True, slots=True)
class Asked:
    """A publication that may be made now, `previous` the one that it replaces."""

    event: Tournament
    stage: Stage
    round: Round
    admitted: Admitted
    previous: Publication | None
    reason: str


def asked_for(
    *,
    stage_id: int,
    round_id: int,
    actor: Actor,
    expected_number: int | None,
    supersedes: int | None,
    reason: str,
) -> Asked:
    """What is asked of `publish`, refused as it is there; in the caller's transaction, which holds the tables."""
    said = clean_text(reason, "reason", limit=history.REASON_LIMIT)
    stage, round_ = _stage_and_round(stage_id, round_id)
    event = find_tournament(stage.tournament_id, lock=True)
    hold_tables(event.pk)
    admitted = require(actor, Act.PUBLISH, tournament=event)
    if round_.status not in (RoundStatus.RUNNING, RoundStatus.CLOSED):
        raise Refusal(
            "round_not_started",
            message={"en": "This round has not started.", "zh": "这一轮还没有开始。"},
            params={"round": round_.number},
        )
    number = doorbell.stale_number(event.pk)
    if expected_number is not None and expected_number != number:
        raise Stale(current={"number": number})
    return Asked(event, stage, round_, admitted, _superseded(event, round_, supersedes, said), said)


def person_of(actor: Actor) -> User:
    """Who signs a publication: always a person (`forbidden` for devices and commands)."""
    if actor.user is None:
        raise Forbidden()
    return actor.user


def _stage_and_round(stage_id: int, round_id: int) -> tuple[Stage, Round]:
    stage = Stage.objects.filter(pk=stage_id).first()
    round_ = Round.objects.filter(pk=round_id, stage=stage_id).first()
    if stage is None or round_ is None:
        raise NotFound()
    return stage, round_


def _superseded(event: Tournament, round_: Round, supersedes: int | None, reason: str) -> Publication | None:
    """The publication that the new one replaces: the newest of the round, and only when it was named."""
    current = event.publications.filter(round=round_, superseded_by=None).first()
    if supersedes is None:
        if current is None:
            return None
        raise Refusal(
            "already_published",
            message={
                "en": f"Round {round_.number} is published as no. {current.number}. Supersede it, with a reason.",
                "zh": f"第 {round_.number} 轮已公布为第 {current.number} 号。请写明原因后替换。",
            },
            params={"number": current.number, "publication": current.pk},
            current={"publication": current.pk, "number": current.number},
        )
    if current is None or current.pk != supersedes:
        if not event.publications.filter(pk=supersedes).exists():
            raise NotFound()
        raise Stale(current={"publication": current.pk if current else None})
    if not reason:
        raise Refusal(
            "reason_required",
            field="reason",
            message={"en": "Say why it is replaced.", "zh": "请写明替换的原因。"},
            status=400,
        )
    return current


def _frozen(
    event: Tournament,
    stage: Stage,
    round_: Round,
    admitted: Admitted,
    at: datetime,
    previous: Publication | None,
    reason: str,
) -> Change[Publication]:
    last = event.publications.order_by("-number").first()
    number = last.number + 1 if last else 1
    document = standings_document(event, stage, round_, number=number, at=at, last=last, previous=previous)
    text = canonical_json(document)
    publication = Publication(
        tournament=event,
        stage=stage,
        round=round_,
        number=number,
        supersedes=previous,
        reason=reason,
        provisional=document["provisional"],
        document=text,
        digest=text_digest(text),
        published_at=at,
        published_by=person_of(admitted.actor),
    )
    line = Line(
        Act.PUBLISH,
        ("publication", publication),
        reason,
        old={"number": previous.number, "digest": previous.digest} if previous else None,
        new={"number": number, "digest": publication.digest, "provisional": publication.provisional},
        round=round_,
    )
    told = Told("standings", publication, number, public=True)
    # who played is woken no more
    over = document["final"] and stage_after(stage) is None
    asleep = (RemoveAll(WakeAddress, {"code__entrant__tournament": event}),) if over else ()
    return Change(admitted, publication, (Add(publication), *asleep), (line,), (told,))


def standings_document(
    event: Tournament,
    stage: Stage,
    round_: Round,
    *,
    number: int,
    at: datetime,
    last: Publication | None = None,
    previous: Publication | None = None,
) -> dict[str, Any]:
    """The document of a publication: ids and numbers, never names.

    `tables` has one table, or one for each group: its `question` is the protocol's, with every result that counted, so
    anybody can put it to the rules again and get its `rows`; `seen` is how far the record had been written. The last
    one of an event also has the `placing` of all.
    """
    still_open = open_tables(stage, up_to_round=round_.number)
    over = not still_open and is_over(stage, up_to_round=round_.number)
    basis = basis_of(stage, up_to_round=round_.number, over=over)
    seed = stage_seed(event, stage) if over else None
    tables = basis.tables(seed)
    if over and _waits_for_a_match(tables):
        # an extra match decides first: what is left for lots is not known, and the seed stays secret
        over, tables = False, basis.tables()
    written = [_table_json(table, event) for table in tables]
    document: dict[str, Any] = {
        "format": DOCUMENT_FORMAT,
        "tournament": {"id": event.pk, "slug": event.slug},
        "number": number,
        "supersedes": previous.number if previous else None,
        "published_at": at.isoformat(),
        "stage": {
            "number": stage.number,
            "format": stage.format,
            "match_score": stage.match_score,
            "match_score_assumed": stage.match_score_assumed,
            "tie_rule": stage.tie_rule,
            "plan": stage.plan,
        },
        "round": round_.number,
        "final": over,
        "provisional": bool(still_open),
        "open": [{"round": item["round"], "table": item["table"], "phase": item["phase"]} for item in still_open],
        "profile": {"spec": event.profile_spec, "digest": event.profile_digest},
        "lots": {"commitment": event.lot_commitment, "stage_commitment": commitment_of(stage_seed(event, stage))},
        "numbers": _numbers(event, {one.entrant for one in basis.competitors}),
        "corrections": _corrections(event, stage, since=last),
        "seen": seen(event),
        "tables": written,
    }
    if over and stage_after(stage) is None:
        placing = placing_question(event, stage, [row for table in written for row in table["rows"]])
        if len(placing["stages"]) > 1 or "categories" in placing:
            answer = answer_placing({name: value for name, value in placing.items() if name != "op"})
            del answer["because"]
            document["placing"] = {"question": placing, **answer}
    return document


def _table_json(table: Table | KnockoutTable, event: Tournament) -> dict[str, Any]:
    question = table.question()
    written: dict[str, Any] = {"group": table.group, "question": question}
    if table.annulled:
        written["annulled"] = list(table.annulled)
    return {**written, "rows": rows_of_question(question, event.profile)}


def _waits_for_a_match(tables: Sequence[Table | KnockoutTable]) -> bool:
    """Whether a tie that matters waits for an extra match."""
    rows = (row for table in tables for row in table.rows())
    return any(row.undecided is not None and row.undecided.by == "extra_match" for row in rows)


def stage_seed(event: Tournament, stage: Stage) -> str:
    """The seed of the lots of a stage: the event's for its last stage, else one made of it.

    The last publication of a stage shows its seed; the event's own stays secret while stages are still to come.
    """
    if stage_after(stage) is None:
        return event.lot_seed
    return seed_before_the_last(event.lot_seed, stage.number)


def seed_before_the_last(lot_seed: str, number: int) -> str:
    """The seed of a stage that others follow."""
    return commitment_of(f"{lot_seed}:stage:{number}")


def commitment_of(seed: str) -> str:
    """What is public of a seed before it is shown: its SHA-256."""
    return text_digest(seed)


def _numbers(event: Tournament, entrants: Collection[int]) -> dict[str, int]:
    """Entrant id -> its number on paper."""
    return {str(pk): number for pk, number in event.entrants.values_list("pk", "number") if pk in entrants}


def _corrections(event: Tournament, stage: Stage, *, since: Publication | None) -> list[dict[str, Any]]:
    """Hands corrected after the last publication: where, and which version counts now."""
    # a version that was sent back or overruled never counted: what follows it corrects nothing
    replaced = LedgerEntry.objects.filter(
        sitting=OuterRef("sitting"), position=OuterRef("position"), status=EntryStatus.SUPERSEDED
    )
    corrected = LedgerEntry.objects.filter(
        Exists(replaced), sitting__round__stage=stage, status=EntryStatus.EFFECTIVE
    ).order_by("sitting__round__number", "sitting__table__number", "position")
    if since is not None:
        corrected = corrected.filter(entered_at__gt=since.published_at)
    columns = ("pk", "sitting__round__number", "sitting__table__number", "hand_no", "version")
    names = ("entry", "round", "table", "hand_no", "version")
    return [dict(zip(names, row, strict=True)) for row in corrected.values_list(*columns)]


def publication_document(publication: Publication) -> dict[str, Any]:
    """The frozen document as JSON, to be read here."""
    return document_of(publication.tournament, publication)


def verify(publication: Publication) -> Mapping[str, bool]:
    """Whether the stored text has its digest, and whether its rows follow from its questions."""
    document = json.loads(publication.document)
    profile = profiles.build(document["profile"]["spec"], individual=True)
    tables = tables_in(document)
    rows = all(rows_of_question(table["question"], profile) == table["rows"] for table in tables)
    digest = text_digest(publication.document)
    return {"digest": digest == publication.digest, "rows": rows and same_placing(document)}


def record_drawn_lots(*, stage_id: int, actor: Actor, at: datetime, order: Sequence[int], reason: str) -> DrawnLots:
    """Record lots drawn by hand among entrants of a stage that are tied: `order` are their ids, the first goes first.

    Kept for good; who is drawn again is placed by the newest draw. Where lots are drawn by hand, none are drawn from
    the seed in that table. Refused unless they are two or more of one tie whose order matters.
    """
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT)
    if not reason:
        raise Refusal(
            "reason_required",
            field="reason",
            message={"en": "Say how and why lots were drawn.", "zh": "请写明抽签的原因和办法。"},
            status=400,
        )

    def decide() -> Change[DrawnLots]:
        stage = Stage.objects.select_related("tournament").filter(pk=stage_id).first()
        if stage is None:
            raise NotFound()
        event = find_tournament(stage.tournament_id, lock=True)
        hold_tables(event.pk)
        admitted = require(actor, Act.PUBLISH, tournament=event)
        _refuse_unless_tied(stage, order)
        lots = DrawnLots(
            stage=stage,
            number=stage.drawn_lots.count() + 1,
            order=list(order),
            reason=reason,
            drawn_at=at,
            drawn_by=person_of(actor),
        )
        line = Line(Act.PUBLISH, ("lots", lots), reason, new={"stage": stage.number, "order": lots.order})
        return Change(admitted, lots, (Add(lots),), (line,), stale=True)

    return carry_out(decide, actor, at)


def _refuse_unless_tied(stage: Stage, order: Sequence[int]) -> None:
    """Lots are for all who share places, and only for them; who was drawn before may be drawn again."""
    basis = replace(basis_of(stage), drawn=())
    if len(order) >= 2 and len(set(order)) == len(order):
        for table in basis.tables():
            ranks = {int(row.entrant): row.rank for row in table.rows() if row.rank is not None}
            places = {ranks.get(one) for one in order}
            tied = [one for one, rank in ranks.items() if rank in places]
            if None not in places and len(places) == 1 and len(tied) == len(order):
                return
    raise Refusal("not_tied", field="order", status=400)
