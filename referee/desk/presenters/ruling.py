"""One ruling: its facts and clause, its penalty, its appeal and its history, and the penalty that a decision states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.adjudicator.judging import verdict_of
from referee.adjudicator.questions import KINDS
from referee.desk.presenters.rulings import CASE_TEMPLATE, FACTS, FOUND, line, which_time
from referee.parts.numbers import whole_number as whole
from referee.parts.rulings import case_address, penalty_words
from referee.parts.words import SIDES, in_language, listed
from scoring import profiles
from scoring.individual.entries import plays_levels
from scoring.signals.information import CHANNEL_WORDS
from tournaments.acts.access import Act
from tournaments.models import LedgerEntry, Official, Ruling, RulingStep, User
from tournaments.rulings import reads
from tournaments.rulings.log import AS_PROPOSED
from tournaments.sittings.games import parties_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk
    from scoring.penalties import Offence
    from scoring.profiles import Profile
    from tournaments.models import RulingAct, Tournament

#: The sides whose points of a match can be set apart.
SCORED = ("NS", "EW")
TREATMENTS: Mapping[str, str | _StrPromise] = {
    "recompute": gettext_lazy("Recompute: later gains are applied to the due levels"),
    "let_stand": gettext_lazy("Let stand: later hands keep their levels"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a ruling, with the place in the record that came with it."""

    act: RulingAct
    who: str
    words: str
    entry: LedgerEntry | None
    committee: str = ""


_STEPS: Mapping[str, str | _StrPromise] = {
    RulingStep.PROPOSE: gettext_lazy("proposed the ruling"),
    RulingStep.DECIDE: gettext_lazy("decided"),
    RulingStep.CANCEL: gettext_lazy("cancelled the ruling"),
    RulingStep.LODGE: gettext_lazy("appealed"),
    RulingStep.UPHOLD: gettext_lazy("upheld the appeal"),
    RulingStep.REJECT: gettext_lazy("rejected the appeal"),
}


def one(desk: Desk, ruling: Ruling) -> dict[str, Any]:
    """A ruling's page: facts, clause, verdict, penalty, appeal, acts, and the same clause before."""
    sitting = ruling.sitting
    acts = list(ruling.acts.select_related("user", "entry", "correction").prefetch_related("committee__user"))
    shown = line(ruling)
    schedule = desk.tournament.penalty_schedule
    offence = schedule.offences.get(ruling.facts.get("irregularity", ""))
    return {
        "ruling": ruling,
        "line": shown,
        "facts": _facts(ruling, offence),
        "told": ruling.facts.get("told", ""),
        "proposed": "" if ruling.proposal is None else penalty_words(ruling.proposal),
        "which_time": "" if ruling.proposal is None else which_time(ruling.proposal),
        "next_time": "" if ruling.proposal is None else in_language(ruling.proposal["next_time"]),
        "decided": penalty_words(ruling.penalty) if ruling.decided_at else "",
        "steps": [_step(act) for act in acts],
        "before": [line(other) for other in reads.same_clause(ruling)],
        "may_decide": desk.may(Act.DECIDE_RULING, sitting) and ruling.status == "proposed",
        "may_cancel": _may_cancel(desk, ruling),
        "may_lodge": _may_lodge(desk, ruling),
        "may_answer": desk.may(Act.DECIDE_APPEAL, sitting) and ruling.appeal == "lodged",
        "parties": [(party, SIDES[party]) for party in parties_of(desk.tournament.profile)],
        "individual": sitting.match.individual,
        "officials": _may_sit(ruling),
        "treatments": list(TREATMENTS.items()),
        "moves_hands": _moves_hands(ruling),
    } | of_position(desk, ruling)


def _may_cancel(desk: Desk, ruling: Ruling) -> bool:
    if ruling.status == "proposed":
        return desk.may(Act.CANCEL_RULING, ruling.sitting)
    return (
        ruling.status == "decided"
        and ruling.appeal in ("none", "rejected")
        and desk.may(Act.DECIDE_RULING, ruling.sitting)
    )


def _may_lodge(desk: Desk, ruling: Ruling) -> bool:
    return ruling.appealable(desk.now) and desk.may(Act.LODGE_APPEAL, ruling.sitting)


def _moves_hands(ruling: Ruling) -> bool:
    """Whether deciding or undoing this ruling changes a hand, so that a treatment may have to be chosen."""
    penalty = ruling.penalty if ruling.decided_at else ruling.proposal
    return penalty is not None and penalty["unit"] in ("points", "profile_fine", "annul", "result")


def penalty(posted: QueryDict, ruling: Ruling) -> Any:
    """The penalty that the form of a decision states; the service judges it."""
    choice, side = posted.get("penalty", ""), posted.get("side", "")
    if choice == "proposed":
        return AS_PROPOSED
    if choice in ("", "none"):
        return None
    if choice == "warning":
        return {"unit": "warning"}
    why = _why(ruling)
    if choice == "annul":
        return {"unit": "annul", "entry": {"kind": "annulled", "reason": "ruling", "why": why}}
    if choice == "forfeit":
        return {"unit": "forfeit", "entry": {"kind": "end", "reason": "forfeit", "by": side}}
    if choice in ("fine", "score", "exclusion"):
        return _of_standings(choice, side, posted, why)
    amount = whole(posted.get("amount", "").strip().replace("+", ""))
    if choice == "points":
        row = {"points": amount, "why": why, "clause": ruling.clause}
        return {"unit": "points", "entry": {"adjustments": [row]}}
    if ruling.sitting.match.individual:
        measure = "levels" if plays_levels(ruling.tournament.profile) else "points"
        return {"unit": "levels", "entry": {"kind": "penalty", "place": side, measure: amount}}
    return {"unit": "levels", "entry": {"kind": "level_penalty", "side": side, "levels": amount, "why": why}}


def _of_standings(choice: str, side: str, posted: QueryDict, why: dict[str, str]) -> dict[str, Any]:
    """What acts on the standings: points off, the match's points of both sides, or exclusion."""
    if choice == "exclusion":
        return {"unit": "exclusion", "entry": {"sides": [side], "excluded": True, "why": why}}
    if choice == "fine":
        points: dict[str, Any] = {"match_points": f"-{_points(posted.get('fine', '')).lstrip('-')}", "mode": "add"}
    else:
        scores = {party: _points(posted.get(f"score_{party}", "")) for party in SCORED}
        points = {"match_points": scores.get(side, ""), "mode": "set", "scores": scores}
    return {"unit": "match_points", "entry": {"sides": [side], **points, "why": why}}


def _points(text: str) -> str:
    """Points as typed, with a plain minus: −0.5 or -0.5, in full-width digits too."""
    return normalize("NFKC", text).strip().replace("\u2212", "-")[:8]


def _why(ruling: Ruling) -> dict[str, str]:
    """The reason as the record's sentence has it: the irregularity, else the ruling's number."""
    offence = ruling.tournament.penalty_schedule.offences.get(ruling.facts.get("irregularity", ""))
    if offence is not None:
        return dict(offence.title)
    return {"en": f"by ruling no. {ruling.number}", "zh": f"按第 {ruling.number} 号判罚"}


def _facts(ruling: Ruling, offence: Offence | None) -> list[tuple[str, str]]:
    """What the ruling rests on, in words, without what was told."""
    rows = []
    if "irregularity" in ruling.facts:
        code = ruling.facts["irregularity"]
        rows.append((_("Irregularity"), in_language(offence.title) if offence else str(code)))
    if ruling.side:
        rows.append((_("Whose act it was"), str(SIDES[ruling.side])))
    for name, word in FACTS.items():
        if name in ruling.facts:
            rows.append((str(word), _fact(name, ruling.facts[name])))
    if ruling.proposal is not None:
        rows.append((which_time(ruling.proposal), str(ruling.proposal["count"])))
    return rows


def _fact(name: str, value: Any) -> str:
    if name == "found":
        return str(FOUND[value])
    if name == "channel":
        return in_language(CHANNEL_WORDS[value])
    if value is False:
        return _("no")
    return _("yes") if value is True else str(value)


def _step(act: RulingAct) -> Step:
    who = str(act.user) if act.user else ""
    if act.side:
        side = str(SIDES[act.side])
        who = _("%(who)s for %(side)s") % {"who": who, "side": side} if who else side
    committee = listed(str(member.user) for member in act.committee.all())
    return Step(act, who, str(_STEPS[act.step]), act.entry, committee)


def _may_sit(ruling: Ruling) -> list[User]:
    """Officials who may sit on a committee: everybody but who ruled."""
    held = Official.objects.filter(tournament=ruling.tournament, revoked_at=None).exclude(user=ruling.decided_by)
    return list(User.objects.filter(pk__in=held.values("user")).order_by("display_name", "username"))


def of_position(desk: Desk, ruling: Ruling) -> dict[str, Any]:
    """The position that a ruling was made on, drawn by the rules it was made under; nothing where there is none."""
    position = ruling.facts.get("case")
    if position is None or position["kind"] not in KINDS:
        return {}
    profile = rules_then(desk.tournament, ruling.profile_digest)
    verdict = verdict_of(position["kind"], profile, QueryDict(position["query"]))
    address = case_address(desk.tournament, position["kind"], position["query"])
    return {"verdict": verdict, "profile": profile, "case_template": CASE_TEMPLATE, "edit_case": address}


def rules_then(tournament: Tournament, digest: str) -> Profile:
    """The event's rules with that digest: those in force, or those of a change that has replaced them since."""
    if digest != tournament.profile_digest:
        spec = tournament.rule_changes.filter(old_digest=digest).values_list("old_spec", flat=True).first()
        if spec is not None:
            return profiles.build(spec, individual=True)
    return tournament.profile
