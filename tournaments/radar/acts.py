"""An official puts a flag of the radar aside, with a note, or takes it up again."""

from __future__ import annotations

from datetime import datetime

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import Add, Change, Line, carry_out
from ..acts.errors import CONFLICT, UNPROCESSABLE, Refusal, clean_text
from ..acts.rows import find_tournament
from ..models import PutAside
from ..models.radar import NOTE_LENGTH
from ..standings.runs import person_of
from .reads import questions_of


def put_aside(*, tournament_id: int, actor: Actor, at: datetime, flag: str, note: str, aside: bool = True) -> PutAside:
    """Put a flag aside that stands now, or (`aside` false) take it up again; both with a note.

    Refused: `unknown_flag` (nothing of that name stands now), `flag_is_so` (it was put aside, or taken up, already),
    and a missing note.
    """

    def decide() -> Change[PutAside]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.PUT_ASIDE, tournament=event)
        why = clean_text(note, "note", limit=NOTE_LENGTH, required=True)
        asked = next((one for one in questions_of(event) if one.flag.key == flag), None)
        if asked is None:
            raise Refusal("unknown_flag", field="flag", status=UNPROCESSABLE)
        if asked.aside is aside:
            raise Refusal("flag_is_so", field="flag", status=CONFLICT)
        row = PutAside(
            tournament=event,
            number=event.put_aside.count() + 1,
            flag=flag,
            aside=aside,
            note=why,
            put_at=at,
            put_by=person_of(actor),
        )
        line = Line(
            Act.PUT_ASIDE, ("put_aside", row), why, old={"aside": not aside}, new={"aside": aside, "flag": flag}
        )
        return Change(admitted, row, (Add(row),), (line,))

    return carry_out(decide, actor, at)
