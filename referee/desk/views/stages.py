"""The stages of an event at the desk: change one, add and remove, begin one with its field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import choices, find
from referee.desk.act_views import ActView, FormPage, OwnPage
from referee.desk.forms.stages import PATHS, StageForm, moved
from referee.desk.presenters import next_step, stages
from referee.desk.views.events import setup_page
from referee.parts.stage_words import scale_words
from tournaments.acts.access import Act
from tournaments.models import Stage, StageFormat
from tournaments.stages.acts import add_stage, begin_stage, change_stage, fixed_among, remove_stage
from tournaments.standings.stage_order import stage_before

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from referee.desk.guard import Desk


class Change(FormPage):
    """The form of one stage. Its buttons move tie-breaks or change the format; only Save writes."""

    right = Act.SET_UP
    template, current = "desk/stage.html", "setup"
    form: StageForm

    def look_up(self) -> None:
        self.stage = find.stage_numbered(self.desk.tournament, self.kwargs["number"])
        self.saved = self.request.method == "POST" and (self.typed("act") or "save") == "save"
        super().look_up()

    def made_form(self, *sent: QueryDict) -> StageForm:
        stage, typed, initial = self.stage, sent[0] if sent else None, StageForm.initial_of(self.stage)
        gone = set(fixed_among(stage, PATHS.values()))
        settled = {name for name, path in PATHS.items() if path in gone}
        format_ = _format(typed.get("format") if typed and "format" not in settled else None, stage)
        if typed and "format" not in settled:
            typed = StageForm.following(typed, format_)
        chain = typed.getlist("chain") if typed and "chain" not in settled else stage.chain
        if typed and not self.saved:
            initial |= StageForm.kept(typed)
            chain = chain if "chain" in settled else moved(chain, self.typed("act"), typed.get("added", ""))
        return StageForm(
            typed if self.saved else None,
            initial=initial,
            format_=format_,
            later=stage_before(stage) is not None,
            chain=chain,
            settled=settled,
        )

    def act(self) -> object:
        return change_stage(**self.by, stage_id=self.stage.pk, changes=self.form.facts(self.stage.plan))

    def back(self) -> str:
        return reverse("desk:setup", kwargs={"event": self.desk.tournament.slug})

    def shown(self) -> dict[str, Any]:
        stage, form = self.stage, self.form
        formats, scored = stages.formats_for(self.desk.tournament), "match_score" in form.fields
        rule = form["tie_rule"].value() if "tie_rule" in form.fields else stage.tie_rule
        draws = Stage(format=form.format, tie_rule=rule).may_be_drawn
        return {
            "stage": stage,
            "form": form,
            "formats": [one for one in formats if "format" not in form.settled or one[0] == form.format],
            "scales": choices.scale_rows(draws=draws) if scored and "match_score" not in form.settled else [],
            "scale": scale_words(stage) if "match_score" in form.settled else "",
            "scale_heads": choices.scale_heads(draws=draws),
            "chosen_scale": form["match_score"].value() if scored else "",
            "chain": choices.chain_lines(form.chain),
        }


def _format(asked: str | None, stage: Stage) -> StageFormat:
    return StageFormat(asked if asked in StageFormat.values else stage.format)


class OnSetup(ActView):
    """An act whose form stands on the page of the set-up."""

    right = Act.SET_UP

    def page(self) -> HttpResponse:
        return setup_page(self.request, self.desk)

    def at(self) -> str:
        return reverse("desk:setup", kwargs={"event": self.desk.tournament.slug})

    def back(self) -> str:
        return self.at()


class Add(OnSetup):
    """One more stage after the last, as its format is usually played; then its form."""

    looked_at = "desk:setup"
    made: Stage

    def act(self) -> None:
        asked = self.typed("format")
        before = self.desk.tournament.stages.order_by("-number").first()
        facts = {"format": asked, "plan": stages.usual_plan(asked, before)}
        self.made = add_stage(**self.by, tournament_id=self.desk.tournament.pk, facts=facts)

    def back(self) -> str:
        return _address(self.desk, "stage", self.made.number)


class Remove(OnSetup):
    done, proof = gettext_lazy("The stage is removed."), True

    def look_up(self) -> None:
        self.stage = find.stage_numbered(self.desk.tournament, self.kwargs["number"])

    def act(self) -> None:
        remove_stage(**self.by, stage_id=self.stage.pk)


class Begin(OwnPage):
    """Who will play in a stage, as foreseen or drawn by hand; then it begins. Begun: who plays in it."""

    right = Act.BEGIN_STAGE
    template, current = "desk/stage_begin.html", "pairing"

    def look_up(self) -> None:
        self.stage = find.stage_numbered(self.desk.tournament, self.kwargs["number"])

    def act(self) -> object:
        typed = self.request.POST
        drawn = stages.by_hand(self.stage, typed)
        replaced = stages.replacing(typed)
        return begin_stage(**self.by, stage_id=self.stage.pk, reason=self.reason, **drawn, replace_withdrawn=replaced)

    def tell(self, done: object) -> None:
        messages.success(self.request, _("Stage %(n)s has begun.") % {"n": self.stage.number})

    def back(self) -> str:
        return _address(self.desk, "stage_begin", self.stage.number)

    def shown(self) -> dict[str, Any]:
        desk, stage = self.desk, self.stage
        shown = stages.field_page(stage, self.request.POST or self.request.GET) | {"stage": stage}
        shown |= {"may_set_up": desk.may(Act.SET_UP), "may_create": desk.may(Act.CREATE_ROUND)} | self.by_field
        if found := shown.get("refusal"):
            shown["ways_out"] = next_step.ways_out(desk, stage, found.code)
        return shown


def _address(desk: Desk, name: str, number: int) -> str:
    return reverse(f"desk:{name}", kwargs={"event": desk.tournament.slug, "number": number})
