"""The log of rulings, and the form that makes one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from referee.adjudicator.judging import verdict_of
from referee.adjudicator.questions import KINDS
from referee.parts.names import shown_name
from referee.parts.numbers import whole_number as whole
from referee.parts.rulings import case_address, clause_page, penalty_words, stands
from referee.parts.words import SEATS, SIDES, in_language
from scoring.signals.information import CHANNEL_WORDS
from tournaments.acts.access import Act
from tournaments.models import Ruling, Sitting
from tournaments.rulings import reads
from tournaments.rulings.cases import EVIDENCE, STATED
from tournaments.sittings.games import parties_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk
    from scoring.hands.findings import Finding
    from scoring.penalties import Offence
    from tournaments.rulings.cases import Judged

MOST = 200
CASE_TEMPLATE = "public/adjudicator/_verdict.html"
FOUND: Mapping[str, str | _StrPromise] = {
    "drawing": gettext_lazy("while drawing"),
    "at_once": gettext_lazy("before the next lead"),
    "later": gettext_lazy("later"),
}
FACTS: Mapping[str, str | _StrPromise] = {
    "found": gettext_lazy("Found"),
    "minutes": gettext_lazy("Minutes late"),
    "cards": gettext_lazy("Cards of the throw"),
    "agreed": gettext_lazy("The opponents agreed to correct it"),
    "both": gettext_lazy("Both sides did it"),
    "attackers_total": gettext_lazy("Real total of the attackers"),
    "dealer": gettext_lazy("Dealer of the hand"),
    "channel": gettext_lazy("In which way"),
    "on_card": gettext_lazy("On the signal card of the side"),
    "reasoned": gettext_lazy("A reason was found in the cards"),
    "reported": gettext_lazy("Reported by"),
    "seen": gettext_lazy("What was seen"),
    "used": gettext_lazy("What the partner could learn and did with it"),
    "ally": gettext_lazy("Ally of the hand"),
}
#: Facts that are said with yes or no, for they decide and are not known before somebody asked.
_ASKED: Final = ("on_card", "reasoned")


def asked(findings: Sequence[Finding]) -> list[Finding]:
    """Findings with a fact that is missing called as the form calls it."""
    return [_asked(one) if one.code == "missing" and one.field in FACTS else one for one in findings]


def _asked(one: Finding) -> Finding:
    said = _("%(what)s: please state this.") % {"what": FACTS[one.field]}
    return replace(one, message=dict.fromkeys(("en", "zh"), said))


@dataclass(frozen=True, slots=True)
class LoggedRuling:
    """One ruling of a list."""

    ruling: Ruling
    state: str
    state_words: str
    penalty: str
    clause_page: str

    @property
    def where(self) -> str:
        sitting = self.ruling.sitting
        words = _("Round %(r)s, table %(t)s") % {"r": sitting.round.number, "t": sitting.table.number}
        if self.ruling.hand_no:
            return _("%(where)s, hand %(n)s") % {"where": words, "n": self.ruling.hand_no}
        return words


def line(ruling: Ruling) -> LoggedRuling:
    state, words = stands(ruling)
    penalty = ruling.penalty if ruling.decided_at else ruling.proposal
    undecided = not ruling.decided_at and ruling.proposal is None
    said = "" if undecided else penalty_words(penalty)
    return LoggedRuling(ruling, state, words, said, clause_page(ruling.tournament, ruling.clause))


def log(desk: Desk, query: QueryDict) -> dict[str, Any]:
    """The list with its search; what cannot be a number finds nothing."""
    clause, table, entrant = (query.get(name, "").strip()[:100] for name in ("clause", "table", "entrant"))
    rows = reads.log(
        desk.tournament,
        clause=clause if clause.isprintable() else "",
        table=_number(table) if table else None,
        entrant=_number(entrant) if entrant else None,
    )
    found = list(rows.select_related("tournament")[: MOST + 1])
    cited = Ruling.objects.filter(tournament=desk.tournament).order_by("clause").values_list("clause", flat=True)
    return {
        "lines": [line(ruling) for ruling in found[:MOST]],
        "more": len(found) > MOST,
        "searched": bool(clause or table or entrant),
        "clause": clause,
        "table": table,
        "entrant": entrant,
        "cited": list(cited.distinct()),
        "may_propose": desk.may(Act.PROPOSE_RULING),
    }


def _number(text: str) -> int:
    value = whole(text)
    return value if isinstance(value, int) and 0 <= value < 1_000_000 else -1


@dataclass(frozen=True, slots=True)
class Typed:
    """What the form of a new ruling holds, as typed."""

    sitting: Sitting | None
    irregularity: str = ""
    case: str = ""
    query: str = ""
    side: str = ""
    hand: str = ""
    clause: str = ""
    told: str = ""
    stated: Mapping[str, str] | None = None
    evidence: Mapping[str, str] | None = None

    @classmethod
    def of(
        cls, query: QueryDict, sitting: Sitting | None, *, told: str = "", evidence: Mapping[str, str] | None = None
    ) -> Typed:
        names = ("irregularity", "case", "query", "side", "hand", "clause")
        texts = {name: query.get(name, "").strip() for name in names}
        stated = {name: query.get(name, "").strip() for name in STATED}
        return cls(sitting, **texts, told=told.strip(), stated=stated, evidence=evidence)

    def facts(self) -> dict[str, Any]:
        """The facts as the service takes them; what is no number is handed on for the service to say so."""
        told = {"told": self.told} if self.told else {}
        if self.case:
            return {"case": {"kind": self.case, "query": self.query}, **told}
        stated: dict[str, Any] = {}
        for name, text in (self.stated or {}).items():
            if not text:
                continue
            if name in ("both", "agreed"):
                stated[name] = True
            elif name in _ASKED:
                stated[name] = text == "yes"
            elif name in ("minutes", "cards", "attackers_total"):
                stated[name] = whole(text)
            else:
                stated[name] = text
        shown = {name: text for name, text in (self.evidence or {}).items() if text}
        return {"irregularity": self.irregularity, **stated, **shown, **told}

    @property
    def hand_no(self) -> Any:
        return whole(self.hand) if self.hand else None


def needed(offence: Offence, division: str = "sides") -> list[str]:
    """The facts beside the side that this irregularity's cases ask for."""
    names = {name for case in offence.cases for name in case.when}
    for case in offence.cases:
        for step in case.ladder:
            if step.unit == "profile_fine" and step.of == "throw":
                names.add("cards")
            if step.unit in ("points", "result", "profile_fine"):
                names.add("dealer")
        if case.or_real_result:
            names.add("attackers_total")
    if "role" in names:
        names.add("dealer")
    if division == "everyone":
        names -= {"dealer", "attackers_total"}
    if division == "ally" and "dealer" in names:
        names.add("ally")
    wanted = ("both", "found", "agreed", "minutes", "cards", "dealer", "ally", "attackers_total", "channel")
    return [name for name in wanted if name in names]


def form(desk: Desk, typed: Typed) -> dict[str, Any]:
    """The choices of the form; the facts it asks for are those the irregularity needs."""
    schedule = desk.tournament.penalty_schedule
    offence = schedule.offences.get(typed.irregularity)
    sitting = typed.sitting
    context: dict[str, Any] = {
        "typed": typed,
        "schedule": schedule,
        "offences": list(schedule.offences.values()),
        "offence": offence,
        "tables": [(_at(one), _where(one)) for one in _sittings(desk)],
        "at": "" if sitting is None else _at(sitting),
        "parties": [
            *((party, SIDES[party]) for party in parties_of(desk.tournament.profile)),
            ("", _("both, or not known")),
        ],
        "dealers": [(party, SIDES[party]) for party in parties_of(desk.tournament.profile)]
        if desk.tournament.individual
        else SEATS.items(),
    }
    carried = {"at": context["at"], "irregularity": typed.irregularity, "case": typed.case, "query": typed.query}
    carried |= {"side": typed.side, "hand": typed.hand, "clause": typed.clause, "told": typed.told}
    carried |= {**(typed.stated or {}), **(typed.evidence or {})}
    context["carried"] = [(name, value) for name, value in carried.items() if value]
    if sitting is not None:
        context["hands"] = [(number, number) for number in range(1, sitting.hand_no + 1)]
        context["sitting"] = sitting
    if offence is not None:
        wanted = needed(offence, desk.tournament.profile.division)
        found = {value for case in offence.cases if (value := case.when.get("found"))}
        context["wanted"] = wanted
        context["found_choices"] = [(name, word) for name, word in FOUND.items() if name in found | {"later"}]
        stated = typed.stated or {}
        real = _("Where the hand was played to its end")
        figures = (("minutes", 3, "numeric", ""), ("cards", 2, "numeric", ""), ("attackers_total", 5, "text", real))
        context |= {
            "found": stated.get("found", ""),
            "dealer": stated.get("dealer", ""),
            "ally": stated.get("ally", ""),
            "ticks": [(name, FACTS[name], stated.get(name)) for name in ("both", "agreed") if name in wanted],
            "figures": [
                (name, FACTS[name], stated.get(name, ""), most, mode, help)
                for name, most, mode, help in figures
                if name in wanted
            ],
        }
        if "channel" in wanted:
            context |= _of_information(typed)
    return context


def _of_information(typed: Typed) -> dict[str, Any]:
    """The ways in which a partner can be told something, what decides them, and the evidence as typed."""
    stated, evidence = typed.stated or {}, typed.evidence or {}
    deciding = {"card": "on_card", "card_order": "on_card", "unreasoned_play": "reasoned"}
    asks = deciding.get(stated.get("channel", ""), "")
    return {
        "channels": [(code, in_language(words)) for code, words in CHANNEL_WORDS.items()],
        "channel": stated.get("channel", ""),
        "decides": (asks, FACTS[asks], stated.get(asks, "")) if asks else None,
        "evidence": [(name, FACTS[name], evidence.get(name, ""), name == "reported") for name in EVIDENCE],
    }


def _at(sitting: Sitting) -> str:
    """A table as the form writes it."""
    return f"{sitting.round.number}.{sitting.table.number}"


def _where(sitting: Sitting) -> str:
    """A table in words, with who meets there."""
    place = _("Round %(r)s · Table %(t)s") % {"r": sitting.round.number, "t": sitting.table.number}
    match, colon = sitting.match, pgettext("after what it is about", ": ")
    if match.home is None:
        return place
    away = "" if match.away is None else shown_name(match.away)
    return f"{place}{colon}{shown_name(match.home)} – {away}"


def _sittings(desk: Desk) -> list[Sitting]:
    """Tables of the newest rounds that have begun, newest round first."""
    rows = Sitting.objects.filter(
        round__tournament=desk.tournament, active=True, round__status__in=("running", "closed")
    )
    rows = rows.select_related("round", "table", "match__home", "match__away")
    return list(rows.order_by("-round__number", "table__number")[:MOST])


def case(desk: Desk, typed: Typed) -> dict[str, Any]:
    """A position of the adjudicator, judged anew by the rules of the event; what may be cited for it.

    `verdict_text` is None where nothing could be judged, so that no ruling can be made of it.
    """
    profile = desk.tournament.profile
    if typed.case not in KINDS:
        return {}
    verdict = verdict_of(typed.case, profile, QueryDict(typed.query))
    return {
        "verdict": verdict,
        "profile": profile,
        "case_template": CASE_TEMPLATE,
        "verdict_text": dict(verdict.text) if verdict.is_judged else None,
        "clauses": verdict.clauses or tuple(profile.clauses.values()),
        "edit_case": case_address(desk.tournament, typed.case, typed.query),
    }


def deciding_clause(desk: Desk, typed: Typed) -> str:
    """The clause that the form offers first: the last of the verdict's reasons, which the others lead to."""
    verdict = case(desk, typed).get("verdict")
    return verdict.clauses[-1].id if verdict is not None and verdict.clauses else ""


def judged(desk: Desk, seen: Judged, typed: Typed) -> dict[str, Any]:
    """What a ruling on the typed facts would say, how its clause was ruled before, and what that side had before."""
    proposal = seen.proposal
    context: dict[str, Any] = {
        "seen": seen,
        "proposed": "" if proposal is None else penalty_words(proposal),
        "which_time": "" if proposal is None else which_time(proposal),
        "clause_page": clause_page(desk.tournament, seen.clause),
        "before": [line(ruling) for ruling in reads.on_clause(desk.tournament, seen.clause)],
        "may_decide": desk.may(Act.DECIDE_RULING),
    }
    if typed.sitting is not None and typed.irregularity:
        had = reads.had_before(typed.sitting, typed.irregularity, typed.side)
        context["had"] = [line(ruling) for ruling in had]
    return context


def which_time(proposal: Mapping[str, Any]) -> str:
    """What the number of times counts, in words."""
    return _("Which time in this event") if proposal.get("memory") == "event" else _("Which time in this stage")
