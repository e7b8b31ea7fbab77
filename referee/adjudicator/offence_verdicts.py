"""What an irregularity costs (犯规怎么罚) by a schedule of penalties, as the adjudicator tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.parts.numbers import whole_number
from scoring.penalties.schedule import load_for, schedule_ids
from scoring.questions.irregularities import propose_as_stated

from .questions import first_player
from .verdicts import PLAIN, Reading, Verdict, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.penalties.schedule import Case as Ruled
    from scoring.penalties.schedule import Offence, Schedule
    from scoring.profiles import Profile
    from scoring.values import Text

    from .cases import Case

_NUMBERS: Final = ("minutes", "cards", "attackers_total", "earlier")
#: When it was found, in words.
FOUND: Final = {
    "drawing": say("while cards were drawn", "抓牌时"),
    "at_once": say("before the next lead", "下一次领出之前"),
    "later": say("later", "之后"),
}


def schedules(profile: Profile) -> list[Schedule]:
    """The schedules that an event by these rules can name; first the one that counts where it names none."""
    usual = load_for(None, profile.division)
    others = [load_for(name, profile.division) for name in schedule_ids() if name != usual.id]
    return [usual, *(one for one in others if one.id != usual.id)]


def schedule_of(case: Case) -> Schedule:
    """The schedule that the question names; else that of its event, else the usual one."""
    known = schedules(case.profile)
    named = next((one for one in known if one.id == case.get("schedule")), None)
    return named or case.penalties or known[0]


def offences(case: Case) -> list[Offence]:
    """What can be asked: all but illegal information of two sides, which is a question of its own."""
    found = schedule_of(case).offences.values()
    return [one for one in found if not any("channel" in ruled.when for ruled in one.cases)]


def guilty(profile: Profile) -> tuple[str, ...]:
    """Who can have done it: a side, or a player of his own."""
    return ("NS", "EW") if profile.division == "sides" else tuple(player.value for player in profile.seats)


def cost(case: Case) -> Verdict:
    """What the schedule says of an irregularity with these facts. Raises Refused."""
    profile = case.profile
    stated: dict[str, Any] = {name: case.get(name) for name in ("irregularity", "found") if case.get(name)}
    stated |= {name: whole_number(case.get(name)) for name in _NUMBERS if case.get(name)}
    stated["by"] = case.get("by") or guilty(profile)[0]
    stated["dealer"] = case.get("dealer") or first_player(profile).value
    if profile.division == "ally" and case.get("ally"):
        stated["ally"] = case.get("ally")
    schedule = schedule_of(case)
    proposal = propose_as_stated(profile, schedule, stated)
    lines = [Reading(proposal.case.whole_text())]
    lines += [Reading(reason.clause.text, reason.clause) for reason in proposal.because]
    lines += [Reading(one) for one in _where_from(schedule, proposal.case, of_event=schedule is case.penalties)]
    following = say(f"Next time: {proposal.next_time['en']}.", f"再犯：{proposal.next_time['zh']}。")
    return Verdict(case.kind, PLAIN, proposal.sentence, (following,), tuple(lines), answer=proposal)


def _where_from(schedule: Schedule, ruled: Ruled, *, of_event: bool) -> Iterator[Text]:
    """Where the amount comes from; and that an event may have another, unless these are the penalties `of_event`."""
    title, source = schedule.title, ruled.source
    others = say(
        "These are the penalties of this event." if of_event else "An event may state other penalties.",
        "这是本赛事所定的处罚。" if of_event else "赛事可另定处罚。",
    )
    yield say(
        f"{title['en']} ({ruled.clause}), from: {source['en']}. {others['en']}",
        f"{title['zh']}（{ruled.clause}），依据：{source['zh']}。{others['zh']}",
    )
    if not ruled.stated:
        yield say("The rules themselves do not state this amount.", "规则原文没有写明这一处罚。")
