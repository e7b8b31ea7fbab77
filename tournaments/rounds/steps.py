"""What all acts on rounds share: the steps of a round, its locks, its byes and its open tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from scoring.standings import match_scores

from ..acts.access import Act
from ..acts.admission import Admitted
from ..acts.change import Add, Change, Line, MoveAll, Told, Write
from ..acts.errors import Refusal
from ..ledger.devices import SignedOut
from ..models import Match, MatchOutcome, Pairing, Round, RoundStatus, Sitting, Stage

#: How long the reason of a draw or of a replaced pairing may be: it is published and printed with it.
REASON_LIMIT = 200


class BadPairing(Refusal):
    """A pairing that cannot stand."""

    def __init__(self, code: str, en: str = "", zh: str = "", field: str = "pairs") -> None:
        super().__init__(code, field=field, message={"en": en, "zh": zh} if en else None, status=400)


def line_on(round_: Round, act: Act, *, reason: str = "", old: Any = None, new: Any = None) -> Line:
    """A line of the history about a round."""
    return Line(act, ("round", round_), reason, old, new, round=round_)


def changed(admitted: Admitted, round_: Round, writes: Iterable[Write], line: Line, *, stale: bool) -> Change[Round]:
    """The change of a round that the pages of the event hear of, and the phones at its tables, which only hear of their
    own."""
    told = Told("round", round_.pk, round_.number, public=True)
    tables = tuple(Sitting.objects.filter(round=round_, active=True).values_list("pk", flat=True))
    return Change(admitted, round_, tuple(writes), (line,), (told,), stale, tables=tables)


def replaced_by(
    pairing: Pairing, admitted: Admitted, at: datetime, line: Line, phones: SignedOut = ((), ())
) -> Change[Pairing]:
    """The change that a pairing in place of another is; byes in it score where the round runs.

    Its matches are written already: the document of a pairing says how the round stands with them.
    """
    round_ = pairing.round
    byes = (byes_scored(round_, at),) if round_.status == RoundStatus.RUNNING else ()
    told = Told("round", round_.pk, round_.number, public=True)
    writes = (*phones[0], Add(pairing), *byes)
    return Change(admitted, pairing, writes, (line,), (told,), stale=True, over=phones[1])


def tables_without_result(round_: Round) -> list[int]:
    """Numbers of the tables of a round whose match has no result."""
    pending = Sitting.objects.filter(round=round_, active=True, match__outcome=MatchOutcome.PENDING)
    return list(pending.order_by("table__number").values_list("table__number", flat=True))


def list_tables(tables: Sequence[int]) -> tuple[str, str]:
    words = [str(number) for number in tables]
    if len(words) == 1:
        return f"Table {words[0]} has", words[0]
    return f"Tables {', '.join(words[:-1])} and {words[-1]} have", "、".join(words)


def byes_scored(round_: Round, at: datetime) -> MoveAll:
    """The byes of a round have their result; who has withdrawn has none."""
    byes = {"round": round_, "superseded_in": None, "away": None, "home__isnull": False, "home__withdrawn_at": None}
    worth = bye_hundredths(round_.stage)
    result = {"outcome": MatchOutcome.BYE, "home_hundredths": worth, "finished_at": at}
    return MoveAll(Match, {**byes, "outcome": MatchOutcome.PENDING}, result)


def bye_hundredths(stage: Stage) -> int:
    """What a bye is worth, in hundredths, as the plan says; a player who sits out scores nothing.

    An average is worked out in the table when all rounds are over: until then the bye has the value of the scale.
    """
    if not stage.match_score:
        return 0
    score = match_scores.score(stage.match_score, home=None, away=None, outcome="bye", bye=stage.directing.bye)
    return int(score.home * 100)
