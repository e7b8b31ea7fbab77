"""Awards on paper for the first of a published table, in the organiser's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from referee.desk import find
from referee.desk.forms.house import Refusable
from referee.desk.guard import official
from referee.desk.views.standings import page
from referee.parts.downloads import download
from referee.parts.printed import codes_warning, public_address
from referee.parts.words import page_language
from tournaments.acts.access import Act
from tournaments.transfer.paper.awards import MOST, Words, awards_pdf, usual_words

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


class AwardsForm(Refusable, forms.Form):
    """The words of the sheets and how many get one. Nothing is kept: the address of the PDF carries them."""

    places = forms.IntegerField(label=_("For the first"), min_value=1, max_value=MOST)
    title = forms.CharField(label=_("Title"), max_length=12)
    text = forms.CharField(
        label=_("Text"),
        max_length=120,
        help_text=_("[place] stands for the place, [record] for matches won, drawn and lost."),
    )
    closing = forms.CharField(label=_("Last line"), max_length=60, required=False)
    issuer = forms.CharField(label=_("Issued by"), max_length=60, required=False)
    signers = forms.CharField(
        label=_("Who signs"),
        max_length=60,
        required=False,
        help_text=_("At most three, parted by commas: each gets a line to sign."),
    )


@official(Act.SEE_DESK)
@require_safe
def awards(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The words to look at and to change, with the sheets behind a button."""
    publication = find.publication(desk.tournament, number)
    usual = usual_words(publication, page_language())
    form = AwardsForm(initial={name: getattr(usual, name) for name in AwardsForm.base_fields})
    shown = {"publication": publication, "form": form, "warning": codes_warning(request)}
    return render(request, "desk/awards.html", page(desk, "publications") | shown)


@official(Act.SEE_DESK)
@require_safe
def paper(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    publication = find.publication(desk.tournament, number)
    form = AwardsForm(request.GET)
    if not form.is_valid():
        shown: dict[str, Any] = {"publication": publication, "form": form, "warning": codes_warning(request)}
        return render(request, "desk/awards.html", page(desk, "publications") | shown, status=400)
    known = {"language": page_language(), "event": desk.tournament.slug, "number": number}
    address = public_address(request, reverse("public:publication", kwargs=known))
    data = awards_pdf(publication, Words(page_language(), **form.cleaned_data), address)
    return download(data, f"{desk.tournament.slug}-awards-{number}.pdf", "application/pdf")
