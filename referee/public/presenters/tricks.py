"""A recorded hand that counts, step by step: the deal, one trick after another, and what the hand came to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.adjudicator import hand_steps, played_hand
from referee.adjudicator.questions import TRICK
from referee.parts.recorded import DEAL, END, steps_address
from referee.parts.rulings import case_address
from referee.public.presenters.match import hand_told, names_by_place
from tournaments.acts.text import plain_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.ledger.hands_on_record import Replayed
    from tournaments.models import Sitting


@dataclass(frozen=True, slots=True)
class Added:
    """What is added to the points in tricks, or taken from them, and what the attackers have then."""

    name: str
    points: int
    sum: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a hand in the row of all: ``0`` the deal, the number of a trick, ``end``. Of a trick who won it and
    what lay in it, as far as that is known; `role` is empty else."""

    key: str
    address: str
    role: str = ""
    points: int | None = None


def page(sitting: Sitting, hand_no: int, asked: str | None) -> dict[str, Any] | None:
    """The step that is asked for; None where the hand has no record, or none that is told yet."""
    found = hand_told(sitting, hand_no)
    if found is None:
        return None
    line, seen = found
    steps = list(_steps(sitting, hand_no, seen))
    at = _at(steps, asked)
    key = steps[at].key
    shown = {
        "sitting": sitting,
        "round": sitting.round,
        "match": sitting.match,
        "line": line,
        "names": names_by_place(sitting),
        "sided": any(step.role for step in steps),
        "hand": seen.replay,
        "steps": steps,
        "step": steps[at],
        "before": steps[at - 1] if at else None,
        "after": steps[at + 1] if at + 1 < len(steps) else None,
        "last": len(seen.replay.tricks),
        "game": f"?game={sitting.game}" if sitting.round.stage.directing.best_of > 1 else "",
    }
    if key == DEAL:
        return shown | _deal(seen)
    if key == END:
        return shown | {"said": line.sentence} | _end(seen, steps)
    step = hand_steps.trick(seen, int(key))
    position = case_address(sitting.round.tournament, TRICK, step.query) if step.query else ""
    return shown | {"kind": "trick", "trick": step, "position": position, "said": step.verdict.text}


def _at(steps: Sequence[Step], asked: str | None) -> int:
    """Which step is asked for: what is no number is the deal, beyond the last trick is the end."""
    if asked == END:
        return len(steps) - 1
    number = None if asked is None else plain_number(asked)
    return min(number or 0, len(steps) - 1)


def _steps(sitting: Sitting, hand_no: int, seen: Replayed) -> Iterator[Step]:
    yield Step(DEAL, steps_address(sitting, hand_no, DEAL))
    for one in played_hand.tricks(seen.replay):
        key = str(one.number)
        yield Step(key, steps_address(sitting, hand_no, key), _role(seen, one.number), one.points)
    yield Step(END, steps_address(sitting, hand_no, END))


def _role(seen: Replayed, number: int) -> str:
    """The side that won a trick; nothing where nobody plays together."""
    role = seen.replay.role_of(seen.replay.tricks[number - 1].winner)
    return "" if role is None else role.value


def _deal(seen: Replayed) -> dict[str, Any]:
    again = seen.replay
    pockets = hand_steps.dealt(seen)
    names = {one.name for one in pockets}
    return {
        "kind": "deal",
        "pockets": pockets,
        "unknown_seats": [seat.value for seat in again.profile.seats if seat.value not in names],
        "unknown_kitty": hand_steps.KITTY not in names and again.profile.deal_at(again.level)[1] > 0,
        "acts": played_hand.acts(seen),
    }


def _end(seen: Replayed, steps: Sequence[Step]) -> dict[str, Any]:
    shown = played_hand.shown(seen)
    return {
        "kind": "end",
        "total": seen.replay.total,
        "added": list(_added(seen)),
        "gains": [(one, steps[one.number].address) for one in hand_steps.gains(seen) or ()],
        "buried": hand_steps.buried(seen),
        "cards_total": shown["cards_total"],
        "disagreements": shown["disagreements"],
        "unknown": shown["unknown"],
    }


def _added(seen: Replayed) -> Iterator[Added]:
    """What else makes up the total by the cards, in the order in which it is added."""
    total = seen.replay.total
    if total is None:
        return
    parts = []
    if total.multiplier is not None:
        kitty = seen.replay.profile.last_trick == "kitty"
        words = _("Kitty × %(factor)s") if kitty else _("Last trick × %(factor)s")
        parts.append((words % {"factor": total.multiplier}, total.bonus))
    parts += [(_("Fines for throws"), total.fines)] if total.fines else []
    sums = accumulate((points for _name, points in parts), initial=total.captured)
    yield from (Added(name, points, so_far) for (name, points), so_far in zip(parts, list(sums)[1:], strict=True))
