"""Advice on a stage: what its form would do, from events made up with the same rules, as a job with pictures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from referee.desk import find
from referee.desk.act_views import FormPage
from referee.desk.forms.house import Refusable
from referee.desk.presenters.advice import report_shown
from referee.desk.views.jobs import shown as job_shown
from referee.parts.numbers import whole_number
from tournaments.acts.access import Act
from tournaments.models import Job
from tournaments.stages.trying import ADVICE, FEWEST, MOST, SPREADS, ask_advice, can_be_tried, usual_rounds

if TYPE_CHECKING:
    from tournaments.models import Stage

#: How far the sides of a field are apart, in words.
_SPREADS = {
    "even": _("much alike: a national final"),
    "mixed": _("mixed: a club or city event"),
    "wide": _("far apart: beginners and experts"),
}


class AdviceForm(Refusable, forms.Form):
    """How many sides or single players, how many rounds, how long, and how far apart the sides are."""

    entrants = forms.IntegerField(label=_("Sides"), min_value=FEWEST, max_value=MOST)
    rounds = forms.CharField(
        label=_("Rounds"), max_length=20, help_text=_("One, two or three numbers to compare, like 4, 6.")
    )
    minutes = forms.IntegerField(label=_("Minutes a round"), min_value=5, max_value=240, required=False)
    pace = forms.IntegerField(label=_("Minutes a hand"), min_value=1, max_value=30)
    spread = forms.ChoiceField(label=_("The field"), choices=[(key, _SPREADS[key]) for key in SPREADS])
    seed = forms.CharField(
        label=pgettext_lazy("of chance", "Seed"),
        max_length=40,
        help_text=_("The same seed gives the same answer, byte for byte."),
    )

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if stage.tournament.individual:
            self.fields["entrants"].label = _("Players")
        if not usual_rounds(stage):
            del self.fields["rounds"]
        if stage.minutes is None:
            del self.fields["minutes"]

    def given(self) -> dict[str, Any]:
        """What the act takes; numbers of rounds that are none are refused by it."""
        typed = dict(self.cleaned_data)
        words = re.split(r"[\s,，、]+", typed.pop("rounds", "").strip())
        numbers = [whole_number(one) for one in words if one]
        return typed | {"rounds": [one if isinstance(one, int) else 0 for one in numbers]}


class Advice(FormPage):
    """The form, how far the work is, and the newest report."""

    right = Act.SEE_DESK
    template, current = "desk/advice.html", "setup"
    form: AdviceForm

    def look_up(self) -> None:
        self.stage = find.stage_numbered(self.desk.tournament, self.kwargs["number"])
        super().look_up()

    def made_form(self, *sent: Any) -> AdviceForm:
        return AdviceForm(*sent, initial=self.initial(), stage=self.stage)

    def initial(self) -> dict[str, Any]:
        newest = self._jobs().first()
        if newest is not None:
            given = newest.arguments
            return given | {
                "rounds": ", ".join(map(str, given["rounds"])),
                "minutes": given["minutes"] or self.stage.minutes,
            }
        present = self.desk.tournament.entrants.filter(withdrawn_at=None).count()
        entrants = min(MOST, present if present >= FEWEST else 16)
        return {
            "entrants": entrants,
            "rounds": ", ".join(map(str, usual_rounds(self.stage, entrants))),
            "minutes": self.stage.minutes,
            "pace": 6,
            "spread": "mixed",
            "seed": "1",
        }

    def _jobs(self) -> Any:
        return Job.objects.filter(tournament=self.desk.tournament, kind=ADVICE, subject=self.stage.pk).order_by("-pk")

    def act(self) -> Job:
        return ask_advice(**self.by, stage_id=self.stage.pk, **self.form.given())

    def back(self) -> str:
        return reverse("desk:advice", kwargs={"event": self.desk.tournament.slug, "number": self.stage.number})

    def shown(self) -> dict[str, Any]:
        jobs = self._jobs()
        waiting, done = jobs.filter(done_at=None).first(), jobs.filter(done_at__isnull=False).first()
        failed = done is not None and done.refusal
        known = {} if waiting is None else job_shown(self.desk, waiting)
        report = None if done is None or failed else report_shown(done.result["report"])
        return known | {
            "current": self.current,
            "stage": self.stage,
            "form": self.form,
            "possible": can_be_tried(self.stage),
            "report": report,
            "asked": None if done is None else done,
        }
