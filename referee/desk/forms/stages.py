"""The form of one stage: its format decides which fields there are; values become fields of a stage and of its plan."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from referee.desk import set_hands
from referee.desk.forms.house import Refusable
from referee.parts import stage_words
from referee.parts.formats import exact
from referee.parts.words import in_language
from scoring.hands.variants import Scoring
from scoring.individual.standings import INDIVIDUAL_TIEBREAKS
from scoring.standings.tiebreaks import TIEBREAKS
from tournaments.acts.text import plain_number
from tournaments.models import StageFormat, TieRule
from tournaments.stages.facts import usual_with
from tournaments.stages.misfits import WORTHS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from django.http import QueryDict

    from referee.parts.words import Word
    from tournaments.acts.errors import Refusal
    from tournaments.models import Stage

_F = StageFormat
_PAIRS: Final = frozenset({_F.SWISS_TIMED, _F.DANISH, _F.ROUND_ROBIN, _F.GROUPS, _F.KO_TIMED})
_DUPLICATE: Final = frozenset({_F.DUPLICATE_TEAMS, _F.DUPLICATE_PAIRS})
_ALL: Final = frozenset(StageFormat)

#: Columns of the stage, then fields of its plan, each with the formats that it belongs to.
COLUMNS: Final[Mapping[str, frozenset[StageFormat]]] = {
    "name": _ALL,
    "rounds_planned": _ALL,
    "minutes": _ALL,
    "hands": _PAIRS | {_F.INDIVIDUAL},
    "lead_levels": _PAIRS,
    "tie_rule": _PAIRS,
    "match_score": _ALL - {_F.INDIVIDUAL},
    "match_score_assumed": _ALL - {_F.INDIVIDUAL},
}
IN_PLAN: Final[Mapping[str, frozenset[StageFormat]]] = {
    "qualify": _ALL,
    "carry": _ALL,
    "order": _ALL,
    "groups": frozenset({_F.GROUPS, _F.DUPLICATE_TEAMS}),
    "group_of": frozenset({_F.GROUPS, _F.DUPLICATE_TEAMS}),
    "bracket": frozenset({_F.KO_TIMED}),
    "crossed": frozenset({_F.KO_TIMED}),
    "third_place": frozenset({_F.KO_TIMED}),
    "best_of": frozenset({_F.KO_TIMED}),
    "no_rematch": frozenset({_F.SWISS_TIMED}),
    "one_bye": frozenset({_F.SWISS_TIMED}),
    "units_apart": frozenset({_F.SWISS_TIMED, _F.GROUPS}),
    "bye": _PAIRS - {_F.KO_TIMED},
    "fixed": _PAIRS,
    "scoring": _PAIRS,
    "boards": _DUPLICATE,
    "measure": _DUPLICATE,
    "board_scale": _DUPLICATE,
    "movement": frozenset({_F.DUPLICATE_PAIRS}),
    "arrow": frozenset({_F.DUPLICATE_PAIRS}),
    "warning": _ALL,
    "late": _ALL,
    "missed": frozenset({_F.SWISS_TIMED, _F.DANISH, _F.INDIVIDUAL}),
    "places": _ALL,
    "prizes": _ALL,
}
#: What a form of a stage sets, by the names of the service.
PATHS: Final[Mapping[str, str]] = {name: name for name in ("format", "chain", *COLUMNS)} | {
    name: f"plan.{name}" for name in IN_PLAN
}
#: What only a stage after another one says.
LATER: Final = ("qualify", "carry")
SECTIONS: Final[tuple[tuple[Word, tuple[str, ...]], ...]] = (
    (_("Who plays"), ("qualify", "carry", "order", "groups", "group_of")),
    (_("How they meet"), ("rounds_planned", "bracket", "crossed", "third_place", "best_of")),
    (_("The draw"), ("no_rematch", "one_bye", "units_apart", "bye", "missed")),
    (_("How they play"), ("minutes", "hands", "fixed", "scoring", "lead_levels", "tie_rule")),
    (_("Boards"), ("boards", "measure", "board_scale", "movement", "arrow")),
    (_("The clock"), ("warning", "late")),
    (_("What places decide"), ("places", "prizes")),
)
_TEXTS: Final = ("fixed", "places", "prizes")
_SEPARATORS: Final = re.compile(r"[\s,，、;；]+")


def _number(label: Word, most: int, help_text: Word = "", least: int = 1) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, required=False, help_text=help_text)


def _choice(label: Word, words: Mapping[Any, Word], help_text: Word = "") -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=[(str(key), word) for key, word in words.items()], required=False, help_text=help_text
    )


class StageForm(Refusable, forms.Form):
    """One stage. Which fields there are follows from `format_` and from whether a stage is before it.

    `settled`: the names (as in PATHS) that can no longer be changed; they are told in words and keep their values.
    The chain of tie-breaks is not a field: it is `chain`, moved by buttons; its complaints are in `chain_errors`.
    """

    name = forms.CharField(label=_("Name"), max_length=80, required=False, help_text=_("Empty: named by its format"))
    rounds_planned = _number(_("Rounds"), 60, _("Empty: as many as the format needs"))
    minutes = _number(_("Minutes a round"), 600)
    hands = _number(_("Hands a match"), 1000)
    lead_levels = _number(_("Levels ahead that win at once"), 100)
    tie_rule = forms.ChoiceField(label=_("Equal levels at the end"), choices=TieRule.choices, required=False)
    match_score = forms.CharField(required=False)
    match_score_assumed = forms.BooleanField(
        label=_("The published regulation does not say how a match becomes points: this is assumed"), required=False
    )
    qualify = _number(_("How many of each group go on"), 10_000, _("Of the whole table without groups; empty: all"))
    carry = _choice(_("They bring along"), stage_words.CARRIES)
    order = _choice(_("In which order they stand"), stage_words.ORDERS)
    groups = _number(_("Groups"), 64)
    group_of = _number(_("Or how many make a group"), 300, least=2)
    bracket = _choice(_("Bracket"), stage_words.BRACKETS)
    crossed = forms.BooleanField(label=_("Winners of groups meet seconds of other groups"), required=False)
    third_place = forms.BooleanField(label=_("The third place is played for"), required=False)
    best_of = _number(_("Games a match"), 7, _("Odd: 1, 3 or 5; who wins most of them wins"))
    no_rematch = _choice(_("Nobody meets twice"), stage_words.FORCES)
    one_bye = _choice(_("One bye at most"), stage_words.FORCES)
    units_apart = _choice(_("Units apart"), stage_words.FORCES)
    bye = _choice(_("A bye is worth"), {"": _("as the match score says"), **stage_words.BYES})
    fixed = forms.CharField(
        label=_("Set levels and trumps, hand by hand"),
        max_length=400,
        required=False,
        help_text=_(
            "As in 2, 3, 5; with dealer and trump as in 2N/S, 3/H; 8x2/S is eight alike; empty: levels are climbed"
        ),
    )
    boards = _number(_("Boards a round"), 64)
    measure = _choice(_("A board is compared by"), stage_words.MEASURES)
    board_scale = _choice(_("A board is worth"), stage_words.BOARD_SCALES)
    movement = _choice(_("Movement"), {"": _("by the number of pairs"), **stage_words.MOVEMENTS})
    arrow = _number(_("Rounds with the arrow switched"), 100, least=0)
    warning = _number(_("Minutes before the end that it is called"), 240)
    late = _number(
        _("Minutes until an absent side forfeits"),
        240,
        _("0: at the start; empty: as the penalties say"),
        least=0,
    )
    missed = _choice(_("Rounds that a late entrant missed"), stage_words.MISSED)
    places = forms.CharField(
        label=_("Lines"),
        max_length=80,
        required=False,
        help_text=_("Places that decide something, as in 1, 8: ties across them are broken"),
    )
    prizes = forms.CharField(
        label=_("Prizes"),
        max_length=200,
        required=False,
        help_text=_("From the first place on, as in 500, 300, 200; tied places share"),
    )

    scoring = _choice(
        _("What counts of each hand"), {key: name for key, (name, _means) in stage_words.SCORINGS.items()}
    )

    def __init__(
        self,
        *args: Any,
        format_: StageFormat,
        later: bool,
        chain: Sequence[str],
        settled: Collection[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.format, self.later, self.settled = format_, later, settled
        self.chain = list(chain)
        self.chain_errors: list[str] = []
        for name in [*self.fields]:
            if not self._belongs(name):
                del self.fields[name]
        if format_ in WORTHS:
            fields: dict[str, Any] = self.fields
            fields["board_scale"].choices = [(str(worth), stage_words.BOARD_SCALES[worth]) for worth in WORTHS[format_]]
        for name, field in self.fields.items():
            field.disabled = name in settled

    def _belongs(self, name: str) -> bool:
        if name in LATER and not self.later:
            return False
        return self.format in (COLUMNS.get(name) or IN_PLAN[name])

    @classmethod
    def initial_of(cls, stage: Stage) -> dict[str, Any]:
        plan = stage.directing
        values = {name: getattr(stage, name) for name in COLUMNS} | {name: getattr(plan, name) for name in IN_PLAN}
        values["fixed"] = set_hands.written(plan.fixed)
        values["places"] = ", ".join(str(place) for place in plan.places)
        values["prizes"] = ", ".join(exact(prize) for prize in plan.prizes)
        if plan.rounds_by_field and stage.begun_at is None:
            values["rounds_planned"] = None
        return values | {"bye": plan.bye or "", "movement": plan.movement or ""}

    @classmethod
    def kept(cls, typed: QueryDict) -> dict[str, Any]:
        """What was typed so far, for a form that is only shown again: an empty check box says no."""
        shown = typed.get("shown", "").split()
        values: dict[str, Any] = {name: typed.get(name, "") for name in shown}
        checks = [name for name in shown if isinstance(cls.base_fields.get(name), forms.BooleanField)]
        return values | {name: name in typed for name in checks}

    @staticmethod
    def following(typed: QueryDict, format_: StageFormat) -> QueryDict:
        """What was typed, where another format was chosen than the form was drawn for: its match score, tie rule and
        order of the standings follow, unless they were chosen themselves."""
        drawn = typed.get("drawn", "")
        if drawn not in StageFormat.values or drawn == format_:
            return typed
        then: dict[str, Any] = {name: typed.get(name, "") for name in ("match_score", "tie_rule")}
        then |= {"format": drawn, "chain": typed.getlist("chain")}
        fitting, changed = usual_with(then, {"format": str(format_)}), typed.copy()
        changed["match_score"], changed["tie_rule"] = fitting["match_score"], fitting["tie_rule"]
        changed["shown"] = f"{typed.get('shown', '')} match_score"
        changed.setlist("chain", fitting["chain"])
        return changed

    @property
    def shown(self) -> str:
        """The names of the fields to fill in, told along so that an empty check box is not taken for one that was not
        there."""
        return " ".join(name for name, field in self.fields.items() if not field.disabled)

    @property
    def sections(self) -> list[tuple[Word, list[Any], list[tuple[Word, Word]]]]:
        """Headings with the fields below them that this format has: those to fill in, and the fixed ones in words."""
        found = []
        for title, names in SECTIONS:
            here = [name for name in names if name in self.fields]
            free = [self[name] for name in here if not self.fields[name].disabled]
            said = [name for name in here if self.fields[name].disabled and self._says(name)]
            fixed = [(self[name].label, self._words(name)) for name in said]
            found.append((title, free, fixed))
        return [(title, free, fixed) for title, free, fixed in found if free or fixed]

    @property
    def scorings(self) -> list[tuple[str, Word, Word, bool]]:
        """What of hands that are set can count, each with a sentence and whether it is chosen."""
        chosen = self["scoring"].value() or Scoring.HAND_POINTS
        return [(str(one), name, means, one == chosen) for one, (name, means) in stage_words.SCORINGS.items()]

    def _says(self, name: str) -> bool:
        """Whether a fixed field says anything: what counts of set hands does so only where some are set."""
        return name != "scoring" or bool(self.initial["fixed"])

    def _words(self, name: str) -> Word:
        """What a fixed field says."""
        fields: dict[str, Any] = self.fields
        field, value = fields[name], self.initial[name]
        if isinstance(field, forms.BooleanField):
            return _("yes") if value else _("no")
        if isinstance(field, forms.ChoiceField):
            words: dict[str, Word] = {str(key): word for key, word in fields[name].choices}
            return words.get(str(value), next(iter(words.values())))
        return "–" if value in (None, "") else str(value)

    @property
    def offered(self) -> list[tuple[str, str]]:
        """Tie-breaks that may still be added."""
        known = INDIVIDUAL_TIEBREAKS if self.format == StageFormat.INDIVIDUAL else tuple(TIEBREAKS)
        return [(code, in_language(TIEBREAKS[code].title)) for code in known if code not in self.chain]

    def facts(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of the stage for the service. `plan` is the present one: what the form does not show of it stays,
        but what belongs to another format goes."""
        typed = self.cleaned_data
        facts = {name: typed[name] for name in COLUMNS if name in self.fields}
        new = {name: value for name, value in plan.items() if name not in IN_PLAN}
        for name in IN_PLAN:
            if name in self.fields:
                value = _parsed(name, typed[name])
                if value is not False and value not in (None, "", []):
                    new[name] = value
        if "rounds_planned" in self.changed_data:
            new.pop("rounds_by_field", None)
        else:
            del facts["rounds_planned"]  # what the field made of it is not stated by saving something else
        return facts | {"format": str(self.format), "chain": list(self.chain), "plan": new}

    def add_refusal(self, refusal: Refusal) -> None:
        """What an act refuses, at its field; the names of acts are paths as in ``stage.plan.fixed[2].level``."""
        findings: list[tuple[str | None, Any]] = [(item.field, item.message) for item in refusal.findings]
        for path, message in findings or [(refusal.field, refusal.message)]:
            names = re.split(r"[.\[\]]", path or "")
            field = next((name for name in names if name in self.fields), None)
            if field is None and "chain" in names:
                self.chain_errors.append(in_language(message))
                self.add_error(None, _("The order of the standings contradicts itself."))
            else:
                self.add_error(field, in_language(message))


def _parsed(name: str, value: Any) -> Any:
    """A field as a plan writes it; texts that cannot be read go on as they are, so that the plan names them."""
    if name not in _TEXTS:
        return value
    if name == "fixed":
        return set_hands.read(value)
    parts = [part for part in _SEPARATORS.split(value.strip()) if part]
    if name == "places":
        numbers = map(plain_number, parts)
        return [part if number is None else number for part, number in zip(parts, numbers, strict=True)]
    return parts


def moved(chain: Iterable[str], act: str, added: str) -> list[str]:
    """The chain after a button: ``up:wins``, ``down:wins``, ``out:wins``, or ``add`` (the chosen one, before lots)."""
    codes = [code for code in chain if code in TIEBREAKS]
    verb, _colon, code = act.partition(":")
    if verb == "add" and added in TIEBREAKS and added not in codes:
        before_lots = codes.index("lots") if "lots" in codes else len(codes)
        return [*codes[:before_lots], added, *codes[before_lots:]]
    if code not in codes:
        return codes
    at = codes.index(code)
    codes.remove(code)
    if verb == "out":
        return codes
    to = max(0, at - 1) if verb == "up" else min(len(codes), at + 1)
    return [*codes[:to], code, *codes[to:]]
