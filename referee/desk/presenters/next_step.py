"""What is due now, in words, with the buttons that do it or lead to where it is done: on every page of the desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.acts.access import Act
from tournaments.models import Office
from tournaments.rounds.due import TIE, Due, what_is_due
from tournaments.rounds.life import life_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.desk.guard import Desk
    from scoring.values import Text
    from tournaments.models import Stage
    from tournaments.rounds.due import WhatIsDue
    from tournaments.rounds.life import LifeStep
    from tournaments.rounds.next_step import NextStep


@dataclass(frozen=True, slots=True)
class Way:
    """A button: a link, or (`posts`) an act, which may send one field; `file`: an act whose answer is a file. `key` is
    its key on the board, `told` the id of the sentence there that says what it does.
    """

    words: str
    address: str
    posts: bool = False
    file: bool = False
    field: str = ""
    value: str = ""
    icon: str = ""
    key: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is due: what it is, why; `blocked` says that something stands in its way. The first way is the main one.
    `life` is the whole life of the event with this step in it, `place` the number of the step there. `pairs` is the
    number of the round to which it leads for pairing, 0 where it does not."""

    due: Due
    title: Text
    why: Text | None
    after: Text | None
    ways: tuple[Way, ...]
    blocked: bool
    life: tuple[LifeStep, ...]
    place: int
    words: Text
    pairs: int = 0


#: What somebody decides on the page of the stage itself.
DECIDED_THERE: Final = ("qualifier_left",)


def shown(desk: Desk, *, on_board: bool = False) -> Shown:
    """What is due in the event now. A round is started and closed on the board alone, where one sees its tables."""
    due = what_is_due(desk.tournament)
    steps = life_of(desk.tournament, due.step, due.undone)
    at = next(at for at, one in enumerate(steps) if one.step is due.step)
    pairs = due.round if due.due is Due.PAIR and desk.may(Act.PAIR) else 0
    return Shown(
        due.due,
        due.title,
        due.why,
        due.after,
        (_ON_BOARD if on_board else _WAYS).get(due.due, _WAYS[due.due])(desk, due),
        due.blocked,
        steps,
        at + 1,
        steps[at].words,
        pairs or 0,
    )


def _entrants(desk: Desk, _due: WhatIsDue) -> tuple[Way, ...]:
    way = Way(_("Paste the list"), _of(desk, "desk:import"), icon="people")
    return _for(desk, Act.IMPORT_ENTRANTS, way) or (_link(_("Entrants"), _of(desk, "desk:entrants")),)


def _check_in(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    roll = Way(_("Roll call"), _of(desk, "desk:attendance"), icon="people")
    return (roll, *_first_round(desk, due))


def _first_round(desk: Desk, _due: WhatIsDue) -> tuple[Way, ...]:
    return _for(desk, Act.CREATE_ROUND, _made(desk, 1))


def _print(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    cards = Way(_("Table cards"), reverse("desk:cards", kwargs=_numbered(desk, due)), file=True, icon="print")
    return _for(desk, Act.ISSUE_CODES, cards) or _to_board(desk)


def _print_or_start(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    return (*_print(desk, due), *_start(desk, due))


def _start(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    address = reverse("desk:start", kwargs=_numbered(desk, due))
    way = Way(_("Start the round"), address, posts=True, icon="go", told="what-it-does")
    return _for(desk, Act.START_ROUND, way)


def _close(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    address = reverse("desk:close", kwargs=_numbered(desk, due))
    way = Way(_("Close the round"), address, posts=True, icon="lock", told="what-it-does")
    return _for(desk, Act.CLOSE_ROUND, way)


def _no_way(_desk: Desk, _due: WhatIsDue) -> tuple[Way, ...]:
    return ()


def _chief(desk: Desk, _due: WhatIsDue) -> tuple[Way, ...]:
    officials = _of(desk, "desk:officials")
    chief = Office.CHIEF_REFEREE.value
    me = Way(_("I judge too"), officials, posts=True, field="office", value=chief, icon="gavel")
    return _for(desk, Act.MANAGE_OFFICIALS, me, Way(_("Ask somebody else"), officials, icon="people"))


def _to_board(desk: Desk, _due: WhatIsDue | None = None) -> tuple[Way, ...]:
    return (_link(_("To the board"), _of(desk, "desk:board")),)


def _table(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    known = {"event": desk.tournament.slug, "number": due.round, "table": due.table}
    words = _("To round %(r)s, table %(t)s") % {"r": due.round, "t": due.table}
    return (_link(words, reverse("desk:table", kwargs=known)),)


def _pair(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    words = _("See it and publish it") if due.drawn else _("Pair round %(n)s") % {"n": due.round}
    way = Way(words, reverse("desk:pair", kwargs=_numbered(desk, due)), key="pair")
    return (*_for(desk, Act.PAIR, way), *_publish_first(desk, due.between))


def _make_round(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    assert due.round is not None
    return (*_for(desk, Act.CREATE_ROUND, _made(desk, due.round)), *_publish_first(desk, due.between))


def _made(desk: Desk, number: int) -> Way:
    """A round that is made, and then to be paired on its page."""
    words = _("Pair round %(n)s") % {"n": number}
    return Way(words, _of(desk, "desk:round_create"), posts=True, icon="plus", key="pair")


def _extra_match(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    assert due.between is not None
    return ways_to_decide(desk, due.between.stage)


def _begin_stage(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    step = due.between
    assert step is not None
    assert step.following is not None
    if due.refused:
        return ways_out(desk, step.following, due.refused)
    number = step.following.number
    way = Way(
        _("See who plays, begin stage %(n)s") % {"n": number},
        reverse("desk:stage_begin", kwargs={"event": desk.tournament.slug, "number": number}),
        icon="go",
    )
    return (*_for(desk, Act.BEGIN_STAGE, way), *_publish_first(desk, step))


def _publish_first(desk: Desk, step: NextStep | None) -> tuple[Way, ...]:
    """The table after the round that was closed, as long as it is not published."""
    if step is None or step.closed is None or step.published is not None:
        return ()
    return _published(desk, step, _("Publish standings"))


def _published(desk: Desk, step: NextStep, words: str) -> tuple[Way, ...]:
    """Where the table is published; while it waits its minute, where it can be stopped."""
    if step.waits is not None:
        known = {"event": desk.tournament.slug, "job": step.waits.pk}
        return (_link(_("Stop it, or publish now"), reverse("desk:publishing", kwargs=known)),)
    return _for(desk, Act.PUBLISH, Way(words, _at_stage(desk, "desk:publish", step.stage), icon="lock"))


def _publish(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    assert due.between is not None
    return _published(desk, due.between, _("Publish the final standings"))


def _over(desk: Desk, due: WhatIsDue) -> tuple[Way, ...]:
    known = {"event": desk.tournament.slug, "number": due.publication}
    ways = (
        Way(_("Awards"), reverse("desk:awards", kwargs=known), icon="print"),
        _link(_("Open no. %(n)s") % {"n": due.publication}, reverse("desk:publication", kwargs=known)),
    )
    file = Way(_("Keep the event as a file"), _of(desk, "desk:export"), icon="download")
    return (*ways, *_for(desk, Act.EXPORT_NAMES, file))


_WAYS: Final[Mapping[Due, Callable[[Desk, WhatIsDue], tuple[Way, ...]]]] = {
    Due.ENTRANTS: _entrants,
    Due.CHECK_IN: _check_in,
    Due.FIRST_ROUND: _first_round,
    Due.PRINT: _print,
    Due.CHIEF: _chief,
    Due.START: _to_board,
    Due.DISPUTE: _table,
    Due.PLAY: _to_board,
    Due.CLOSE: _to_board,
    Due.PAIR: _pair,
    Due.MAKE_ROUND: _make_round,
    Due.OPEN: _table,
    Due.EXTRA_MATCH: _extra_match,
    Due.BEGIN_STAGE: _begin_stage,
    Due.PUBLISH: _publish,
    Due.OVER: _over,
}
_ON_BOARD: Final[Mapping[Due, Callable[[Desk, WhatIsDue], tuple[Way, ...]]]] = {
    Due.PRINT: _print_or_start,
    Due.START: _start,
    Due.PLAY: _no_way,
    Due.CLOSE: _close,
}


def ways_out(desk: Desk, stage: Stage, refused: str) -> tuple[Way, ...]:
    """Where that is done which a stage waits for before it can begin: `refused` is the code of its refusal."""
    before = stage.tournament.stages.filter(number__lt=stage.number).order_by("-number").first()
    if before is None:
        return (Way(_("Entrants"), _of(desk, "desk:entrants"), icon="people"),)
    if refused == TIE:
        return ways_to_decide(desk, before)
    if refused == "stage_before_open":
        return (Way(_("To the board"), _of(desk, "desk:board"), icon="go"),)
    known: dict[str, Any] = {"event": desk.tournament.slug, "number": stage.number}
    if refused in DECIDED_THERE:
        words = _("Decide who plays in stage %(n)s") % {"n": stage.number}
        return _for(desk, Act.BEGIN_STAGE, Way(words, reverse("desk:stage_begin", kwargs=known), icon="people"))
    words = _("Change stage %(n)s") % {"n": stage.number}
    return _for(desk, Act.SET_UP, Way(words, reverse("desk:stage", kwargs=known), icon="pen"))


def ways_to_decide(desk: Desk, stage: Stage) -> tuple[Way, ...]:
    """How a tie of this stage is decided: by an extra round where its order of tie-breaks knows one, or by lots."""
    extra = Way(
        _("Extra round for ties"), _of(desk, "desk:round_create"), posts=True, field="extra", value="1", icon="plus"
    )
    lots = Way(_("Record lots drawn in the hall"), f"{_at_stage(desk, 'desk:standings', stage)}#ties", icon="pen")
    plays = _for(desk, Act.CREATE_ROUND, extra) if "extra_match" in stage.chain else ()
    return (*plays, *_for(desk, Act.PUBLISH, lots))


def _for(desk: Desk, act: Act, *ways: Way) -> tuple[Way, ...]:
    """The ways, for who may do that."""
    return ways if desk.may(act) else ()


def _link(words: str, address: str) -> Way:
    return Way(words, address, icon="go")


def _of(desk: Desk, name: str) -> str:
    return reverse(name, kwargs={"event": desk.tournament.slug})


def _numbered(desk: Desk, due: WhatIsDue) -> dict[str, Any]:
    """The round that is meant, as addresses name it."""
    return {"event": desk.tournament.slug, "number": due.round}


def _at_stage(desk: Desk, name: str, stage: Stage) -> str:
    return f"{_of(desk, name)}?stage={stage.number}"
