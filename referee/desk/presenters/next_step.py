"""What comes next between two rounds, in words, with the buttons that do it or lead to where it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.presenters.publishing import open_by_round
from referee.parts.stage_words import title_of
from referee.parts.words import in_language
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.rounds.next_step import Kind, next_step
from tournaments.stages.fields import foresee_field

if TYPE_CHECKING:
    from referee.desk.guard import Desk
    from tournaments.models import Stage
    from tournaments.rounds.next_step import NextStep


@dataclass(frozen=True, slots=True)
class Way:
    """A button: a link, or (`posts`) an act, with an `extra` round asked for or not. `key` is its key on the board."""

    words: str
    address: str
    posts: bool = False
    extra: bool = False
    icon: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """The step: what it is, why; `blocked` says that something stands in its way. The first way is the main one.
    `pairs` is the number of the round to which it leads for pairing, 0 where it does not."""

    title: str
    why: str
    ways: tuple[Way, ...]
    blocked: bool = False
    pairs: int = 0


#: Why a stage cannot begin, as its acts call it, where a tie has to be decided first.
TIE: Final = "tie_across_the_line"
#: What somebody decides on the page of the stage itself.
DECIDED_THERE: Final = ("qualifier_left",)


def shown(desk: Desk) -> Shown | None:
    """The next step of the event; None while a round is under way and before the first."""
    step = next_step(desk.tournament)
    return None if step is None else _STEPS[step.kind](desk, step)


def _pair(desk: Desk, step: NextStep) -> Shown:
    words = _("Pair round %(n)s") % {"n": step.round}
    way = Way(words, _of_round(desk, "desk:pair", step.round), key="pair")
    ways = (*_for(desk, Act.PAIR, way), *_publish_first(desk, step))
    title = _("Round %(n)s is being paired") % {"n": step.round}
    return Shown(title, "", ways, pairs=step.round if desk.may(Act.PAIR) else 0)


def _make_round(desk: Desk, step: NextStep) -> Shown:
    title = _("Round %(n)s") % {"n": step.round}
    words = _("Pair round %(n)s") % {"n": step.round}
    way = Way(words, _of(desk, "desk:round_create"), posts=True, icon="plus", key="pair")
    return Shown(title, "", (*_for(desk, Act.CREATE_ROUND, way), *_publish_first(desk, step)))


def _open(desk: Desk, step: NextStep) -> Shown:
    found = open_by_round(step.open)
    why = " ".join(_open_words(one.round, one.tables, one.count, appeal=one.appeal) for one in found)
    first = step.open[0]
    where = {"r": first["round"], "t": first["table"]}
    address = reverse(
        "desk:table", kwargs={"event": desk.tournament.slug, "number": first["round"], "table": first["table"]}
    )
    way = Way(_("To round %(r)s, table %(t)s") % where, address, icon="go")
    return Shown(_("All rounds are played; something is open"), why, (way,), blocked=True)


def _open_words(number: int, tables: str, count: int, *, appeal: bool) -> str:
    words = {"r": number, "t": tables}
    if appeal:
        return _("Round %(r)s, table %(t)s: an appeal is open.") % words
    return (
        ngettext("Round %(r)s, table %(t)s has no result yet.", "Round %(r)s, tables %(t)s have no result yet.", count)
        % words
    )


def _extra_match(desk: Desk, step: NextStep) -> Shown:
    why = _("Places that matter are shared, and the regulation decides them at the table.")
    return Shown(_("A tie has to be decided"), why, ways_to_decide(desk, step.stage), blocked=True)


def _begin_stage(desk: Desk, step: NextStep) -> Shown:
    assert step.following is not None
    words = {"n": step.following.number, "title": title_of(step.following)}
    try:
        count = len(foresee_field(step.following))
    except Refusal as refusal:
        title = _("Before stage %(n)s (%(title)s) can begin") % words
        return Shown(title, in_language(refusal.message), ways_out(desk, step.following, refusal), blocked=True)
    title = _("Stage %(n)s, %(title)s") % words
    why = ngettext("%(n)s entrant plays on.", "%(n)s entrants play on.", count) % {"n": count}
    way = Way(
        _("See who plays, begin stage %(n)s") % words,
        reverse("desk:stage_begin", kwargs={"event": desk.tournament.slug, "number": step.following.number}),
        icon="go",
    )
    return Shown(title, why, (*_for(desk, Act.BEGIN_STAGE, way), *_publish_first(desk, step)))


def _publish_first(desk: Desk, step: NextStep) -> tuple[Way, ...]:
    """The table after the round that was closed, as long as it is not published."""
    if step.closed is None or step.published is not None:
        return ()
    way = Way(_("Publish standings"), _at_stage(desk, "desk:publish", step.stage), icon="lock")
    return _for(desk, Act.PUBLISH, way)


def _publish(desk: Desk, step: NextStep) -> Shown:
    why = _("Every result is there. The final table is published once; lots that a tie needs are drawn with it.")
    way = Way(_("Publish the final standings"), _at_stage(desk, "desk:publish", step.stage), icon="lock")
    return Shown(_("All rounds are played"), why, _for(desk, Act.PUBLISH, way))


def _over(desk: Desk, step: NextStep) -> Shown:
    assert step.published is not None
    number = step.published.number
    known = {"event": desk.tournament.slug, "number": number}
    ways = (
        Way(_("Open no. %(n)s") % {"n": number}, reverse("desk:publication", kwargs=known), icon="go"),
        Way(_("Keep the event as a file"), _of(desk, "desk:export"), icon="download"),
    )
    why = _("The final standings are published as no. %(n)s.") % {"n": number}
    return Shown(_("The event is over"), why, ways[:1] if not desk.may(Act.EXPORT_NAMES) else ways)


_STEPS: Final = {
    Kind.PAIR: _pair,
    Kind.MAKE_ROUND: _make_round,
    Kind.OPEN: _open,
    Kind.EXTRA_MATCH: _extra_match,
    Kind.BEGIN_STAGE: _begin_stage,
    Kind.PUBLISH: _publish,
    Kind.OVER: _over,
}


def ways_out(desk: Desk, stage: Stage, refusal: Refusal) -> tuple[Way, ...]:
    """Where that is done which a stage waits for before it can begin."""
    before = stage.tournament.stages.filter(number__lt=stage.number).order_by("-number").first()
    if before is None:
        return (Way(_("Entrants"), _of(desk, "desk:entrants"), icon="people"),)
    if refusal.code == TIE:
        return ways_to_decide(desk, before)
    if refusal.code == "stage_before_open":
        return (Way(_("To the board"), _of(desk, "desk:board"), icon="go"),)
    known: dict[str, Any] = {"event": desk.tournament.slug, "number": stage.number}
    if refusal.code in DECIDED_THERE:
        words = _("Decide who plays in stage %(n)s") % {"n": stage.number}
        return _for(desk, Act.BEGIN_STAGE, Way(words, reverse("desk:stage_begin", kwargs=known), icon="people"))
    words = _("Change stage %(n)s") % {"n": stage.number}
    return _for(desk, Act.SET_UP, Way(words, reverse("desk:stage", kwargs=known), icon="pen"))


def ways_to_decide(desk: Desk, stage: Stage) -> tuple[Way, ...]:
    """How a tie of this stage is decided: by an extra round where its order of tie-breaks knows one, or by lots."""
    extra = Way(_("Extra round for ties"), _of(desk, "desk:round_create"), posts=True, extra=True, icon="plus")
    lots = Way(_("Record lots drawn in the hall"), f"{_at_stage(desk, 'desk:standings', stage)}#ties", icon="pen")
    plays = _for(desk, Act.CREATE_ROUND, extra) if "extra_match" in stage.chain else ()
    return (*plays, *_for(desk, Act.PUBLISH, lots))


def _for(desk: Desk, act: Act, way: Way) -> tuple[Way, ...]:
    """The way, for who may do that."""
    return (way,) if desk.may(act) else ()


def _of(desk: Desk, name: str) -> str:
    return reverse(name, kwargs={"event": desk.tournament.slug})


def _of_round(desk: Desk, name: str, number: int) -> str:
    return reverse(name, kwargs={"event": desk.tournament.slug, "number": number})


def _at_stage(desk: Desk, name: str, stage: Stage) -> str:
    return f"{_of(desk, name)}?stage={stage.number}"
