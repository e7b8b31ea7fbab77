"""What all acts on rounds share: the steps of a round, its locks, its byes and its open tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from scoring.standings import match_scores

from ..acts import history
from ..acts.access import Act, Actor
from ..acts.announce import announce, announce_tables
from ..acts.errors import Refusal
from ..models import MatchOutcome, Round, Sitting, Stage

#: How long the reason of a draw or of a replaced pairing may be: it is published and printed with it.
REASON_LIMIT = 200


class BadPairing(Refusal):
    """A pairing that cannot stand."""

    def __init__(self, code: str, en: str = "", zh: str = "", field: str = "pairs") -> None:
        super().__init__(code, field=field, message={"en": en, "zh": zh} if en else None, status=400)


def note_round(
    round_: Round, actor: Actor, at: datetime, act: Act, *, reason: str = "", old: Any = None, new: Any = None
) -> None:
    """A row of the history about a round."""
    history.record(
        tournament=round_.tournament,
        actor=actor,
        at=at,
        act=act,
        round=round_,
        subject=f"round:{round_.pk}",
        reason=reason,
        old=old,
        new=new,
    )


def tell_round(round_: Round) -> None:
    """Tell the pages of the event, and the phones at the tables, which only hear of their own."""
    announce(round_.tournament_id, "round", round_.pk, round_.number, public=True)
    announce_tables(Sitting.objects.filter(round=round_, active=True).values_list("pk", flat=True))


def tables_without_result(round_: Round) -> list[int]:
    """Numbers of the tables of a round whose match has no result."""
    pending = Sitting.objects.filter(round=round_, active=True, match__outcome=MatchOutcome.PENDING)
    return list(pending.order_by("table__number").values_list("table__number", flat=True))


def list_tables(tables: Sequence[int]) -> tuple[str, str]:
    words = [str(number) for number in tables]
    if len(words) == 1:
        return f"Table {words[0]} has", words[0]
    return f"Tables {', '.join(words[:-1])} and {words[-1]} have", "、".join(words)


def score_byes(round_: Round, at: datetime) -> None:
    waiting = round_.matches.filter(superseded_in=None, away=None, home__isnull=False, outcome=MatchOutcome.PENDING)
    byes = waiting.filter(home__withdrawn_at=None)
    if not byes.exists():
        return
    byes.update(outcome=MatchOutcome.BYE, home_hundredths=bye_hundredths(round_.stage), finished_at=at)


def bye_hundredths(stage: Stage) -> int:
    """What a bye is worth, in hundredths, as the plan says; a player who sits out scores nothing.

    An average is worked out in the table when all rounds are over: until then the bye has the value of the scale.
    """
    if not stage.match_score:
        return 0
    score = match_scores.score(stage.match_score, home=None, away=None, outcome="bye", bye=stage.directing.bye)
    return int(score.home * 100)
