"""Standings: marked stale by every act that may move them, recalculated one at a time, published frozen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from scoring import profiles
from scoring.individual_standings import IndividualResult
from scoring.profiles import Profile
from scoring.results import Result
from scoring.values import exact

from ..access import Act, Actor, require
from ..announce import announce
from ..exchange.text import canonical_json
from ..models import (
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
)
from ..queries.results import Results, open_tables, penalties_of, rank, ranked_entrants, results_of
from . import doorbell, history
from .errors import Forbidden, NotFound, Refusal, Stale
from .idempotency import in_one_transaction, once

DOCUMENT_FORMAT = "referee/standings/1"


def mark_stale(tournament_id: int) -> None:
    """Raise the tournament's stale number and ask for a recalculation after commit.

    The last write of a transaction: it locks the tournament's row.
    """
    Tournament.objects.filter(pk=tournament_id).update(stale_number=F("stale_number") + 1)
    transaction.on_commit(lambda: doorbell.ring(tournament_id), robust=True)


def recalculate(*, tournament_id: int, at: datetime) -> bool:
    """Bring the live tables of a tournament up to its stale number; False when there was nothing to do.

    One at a time per tournament: whoever finds the row locked leaves, and who holds it looks again after its commit
    and asks for another one, so nothing that was marked meanwhile is missed. Running it twice, late or after another
    changes nothing.
    """
    doorbell.answer(tournament_id)
    done = _recalculate_once(tournament_id, at)
    if done and _stale().filter(tournament=tournament_id).exists():
        doorbell.ring(tournament_id)
    return done


def _recalculate_once(tournament_id: int, at: datetime) -> bool:
    with transaction.atomic():
        row = (
            Recalculation.objects.select_for_update(skip_locked=True)
            .filter(tournament=tournament_id)
            .values_list("covered_number")
            .first()
        )
        event = Tournament.objects.filter(pk=tournament_id).first()
        if row is None or event is None or event.stale_number <= row[0]:
            return False
        # the number is read before the matches: what they show covers at least this number
        number = event.stale_number
        for stage in event.stages.all():
            _write_run(event, stage, number, at)
        covered = Recalculation.objects.filter(tournament=tournament_id, covered_number__lt=number)
        covered.update(covered_number=number, finished_at=at)
        announce(tournament_id, "standings", None, number)
    return True


def _write_run(event: Tournament, stage: Stage, number: int, at: datetime) -> None:
    rows = live_rows(event, stage)
    digest = digest_of(rows)
    provisional = bool(open_tables(stage))
    run = StandingsRun.objects.filter(stage=stage)
    known = run.values_list("digest", "provisional").first()
    if known is None:
        StandingsRun.objects.create(
            stage=stage, covers=number, rows=rows, digest=digest, provisional=provisional, computed_at=at
        )
    elif known == (digest, provisional):
        run.filter(covers__lt=number).update(covers=number, computed_at=at)
    else:
        run.filter(covers__lt=number).update(
            covers=number, rows=rows, digest=digest, provisional=provisional, computed_at=at
        )


def live_rows(event: Tournament, stage: Stage) -> list[dict[str, Any]]:
    """The live table as JSON rows. No lots are drawn in it: only the final publication decides by lots."""
    results = results_of(stage)
    rows = rank(
        stage.chain,
        ranked_entrants(stage, results),
        results,
        individual=event.individual,
        ladder=event.profile.ladder,
        penalties=penalties_of(stage),
    )
    return [row.to_json() for row in rows]


def rows_of_question(question: Mapping[str, Any], profile: Profile) -> list[dict[str, Any]]:
    """The rows that the protocol's `standings` question of a publication leads to."""
    individual = profile.division != "sides"
    read = IndividualResult.from_json if individual else Result.from_json
    rows = rank(
        question["chain"],
        question["entrants"],
        cast(Results, [read(one) for one in question["results"]]),
        individual=individual,
        ladder=profile.ladder,
        penalties=question.get("penalties"),
        seed=question.get("seed"),
    )
    return [row.to_json() for row in rows]


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical JSON of a value."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def sweep(*, at: datetime) -> list[int]:
    """Ask again for every stale tournament (the doorbell may have been lost); the ids asked for."""
    ids = list(_stale().order_by("tournament_id").values_list("tournament_id", flat=True))
    return [tournament_id for tournament_id in ids if doorbell.ring(tournament_id, insist=True)]


def _stale() -> QuerySet[Recalculation]:
    return Recalculation.objects.filter(covered_number__lt=F("tournament__stale_number"))


def publish(
    *,
    stage_id: int,
    round_id: int,
    actor: Actor,
    at: datetime,
    expected_number: int | None = None,
    supersedes: int | None = None,
    reason: str = "",
    key: str | None = None,
) -> Publication:
    """Publish the table after a round: frozen, numbered, with its digest.

    `expected_number`: the stale number the organiser saw; when something happened since, `stale`. A round that has a
    publication gets another only by superseding it (`supersedes`: its id) with a reason. Tables still open make it
    provisional. The last planned round, closed and complete, is final: only then are lots drawn and the seed shown.
    """
    request = once(
        actor=actor,
        key=key,
        body={
            "act": "publish",
            "stage": stage_id,
            "round": round_id,
            "number": expected_number,
            "supersedes": supersedes,
            "reason": reason,
        },
    )

    def act() -> Publication:
        stage, round_ = _stage_and_round(stage_id, round_id)
        event = Tournament.objects.select_for_update(no_key=True).get(pk=stage.tournament_id)
        require(actor, Act.PUBLISH, tournament=event)
        saved = request.look_up()
        if saved is not None:
            return Publication.objects.get(pk=saved["publication"])
        if round_.status not in (RoundStatus.RUNNING, RoundStatus.CLOSED):
            raise Refusal(
                "round_not_started",
                message={"en": "This round has not started.", "zh": "这一轮还没有开始。"},
                params={"round": round_.number},
            )
        if expected_number is not None and expected_number != event.stale_number:
            raise Stale(current={"number": event.stale_number})
        previous = _superseded(event, round_, supersedes, reason)
        publication = _freeze(event, stage, round_, actor, at, previous, reason.strip())
        request.save({"publication": publication.pk}, at=at, tournament_id=event.pk)
        return publication

    return in_one_transaction(act)


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
    if not reason.strip():
        raise Refusal(
            "reason_required",
            field="reason",
            message={"en": "Say why it is replaced.", "zh": "请写明替换的原因。"},
            status=400,
        )
    return current


def _freeze(
    event: Tournament,
    stage: Stage,
    round_: Round,
    actor: Actor,
    at: datetime,
    previous: Publication | None,
    reason: str,
) -> Publication:
    last = event.publications.order_by("-number").first()
    number = last.number + 1 if last else 1
    document = standings_document(event, stage, round_, number=number, at=at, last=last, previous=previous)
    text = canonical_json(document)
    publication = Publication.objects.create(
        tournament=event,
        stage=stage,
        round=round_,
        number=number,
        supersedes=previous,
        reason=reason[:300],
        provisional=document["provisional"],
        document=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        published_at=at,
        published_by=person_of(actor),
    )
    history.record(
        tournament=event,
        actor=actor,
        at=at,
        act=Act.PUBLISH,
        round=round_,
        subject=f"publication:{publication.pk}",
        reason=reason,
        old={"number": previous.number, "digest": previous.digest} if previous else None,
        new={"number": number, "digest": publication.digest, "provisional": publication.provisional},
    )
    announce(event.pk, "standings", publication.pk, number)
    return publication


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

    `question` is the protocol's `standings` question with every result that counted, so anybody can put it to the
    rules again and get `rows`.
    """
    results = results_of(stage, up_to_round=round_.number)
    entrants = ranked_entrants(stage, results)
    penalties = penalties_of(stage, round_.number)
    still_open = open_tables(stage, up_to_round=round_.number)
    is_last = stage.rounds.filter(number__lte=round_.number).count() >= stage.rounds_planned
    final = is_last and round_.status == RoundStatus.CLOSED and not still_open
    draws_lots = final and "lots" in stage.chain
    seed = event.lot_seed if draws_lots else None
    question: dict[str, Any] = {
        "op": "standings",
        "chain": list(stage.chain),
        # the scores of a table stand under their players, and such keys are texts
        "entrants": [str(entrant) for entrant in entrants] if event.individual else entrants,
        "results": [result_json(result) for result in results],
    }
    if penalties:
        question["penalties"] = {str(entrant): count for entrant, count in penalties.items()}
    if seed is not None:
        question["seed"] = seed
    return {
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
        },
        "round": round_.number,
        "final": final,
        "provisional": bool(still_open),
        "open": [{"round": item["round"], "table": item["table"], "phase": item["phase"]} for item in still_open],
        "profile": {"spec": event.profile_spec, "digest": event.profile_digest},
        "lots": {"commitment": event.lot_commitment},
        "numbers": _numbers(event, entrants),
        "corrections": _corrections(event, stage, since=last),
        "question": question,
        "rows": rows_of_question(question, event.profile),
    }


def _numbers(event: Tournament, entrants: Sequence[int]) -> dict[str, int]:
    """Entrant id -> its number on paper."""
    ranked_ids = set(entrants)
    known = event.entrants.values_list("pk", "number")
    return {str(pk): number for pk, number in known if pk in ranked_ids}


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


def result_json(result: Result | IndividualResult) -> dict[str, Any]:
    """A result as the protocol writes it."""
    if isinstance(result, IndividualResult):
        return {
            "round": result.round,
            "scores": {str(entrant): exact(score) for entrant, score in result.scores.items()},
            "levels": {str(entrant): level for entrant, level in result.levels.items()},
            "winners": [str(entrant) for entrant in result.winners],
            "hands_won": {str(entrant): won for entrant, won in result.hands_won.items()},
        }
    written: dict[str, Any] = {
        "round": result.round,
        "home": result.home,
        "away": result.away,
        "home_score": exact(result.home_score),
        "away_score": exact(result.away_score),
        "outcome": str(result.outcome),
        "winner": result.winner,
    }
    if result.home_level and result.away_level:
        written |= {"home_level": result.home_level, "away_level": result.away_level}
    return written


def publication_document(publication: Publication) -> dict[str, Any]:
    """The frozen document as JSON."""
    return dict(json.loads(publication.document))


def verify(publication: Publication) -> Mapping[str, bool]:
    """Whether the stored text has its digest, and whether its rows follow from its question."""
    document = publication_document(publication)
    profile = profiles.build(document["profile"]["spec"], individual=True)
    rows = rows_of_question(document["question"], profile)
    digest = hashlib.sha256(publication.document.encode()).hexdigest()
    return {"digest": digest == publication.digest, "rows": rows == document["rows"]}
