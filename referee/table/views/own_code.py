"""An entrant's own page (报到码): one big button "We are here", where it plays, what comes next, its results.

The code stands in the address only until the page is open; then a signed cookie holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from referee.parts.downloads import download
from referee.parts.known_browser import address_of, last_known, remember
from referee.parts.offline import keep
from referee.parts.printed import public_address
from referee.parts.signal_cards import CardForm, shown_card
from referee.parts.words import in_language, page_language
from referee.table.my_table import my_table, shown
from referee.table.places import private, refused, speak
from referee.table.presenters import offline_pages
from tournaments.acts.errors import Refusal
from tournaments.acts.guessing import OWN_CODE, one_try
from tournaments.ledger.codes import read_code
from tournaments.people import attendance
from tournaments.people.eligibility import has_played
from tournaments.signals.acts import file_card_by_code
from tournaments.signals.reads import cards_of, findings_of, terms_of
from tournaments.sittings.moments import one_moment
from tournaments.transfer.paper.awards import awards_pdf, usual_words
from tournaments.waking.reads import known_addresses
from tournaments.waking.sealing import own_key

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Entrant

COOKIE: Final = f"{settings.COOKIE_PREFIX}own_code"
SALT: Final = "referee.table.own_code"
# The days of an event; the desk can replace a code at any time.
LIFETIME: Final = 7 * 24 * 3600


@require_http_methods(["GET"])
def land(request: HttpRequest, code: str) -> HttpResponse:
    """From the printed code to the page; the address keeps no code."""
    return private(_open(request, code))


def _open(request: HttpRequest, code: str) -> HttpResponse:
    """Keep a code that is right in a cookie, and go on to its page."""
    try:
        with one_try(OWN_CODE, address=address_of(request), browser=last_known(request)):
            entrant = attendance.entrant_of_code(code)
    except Refusal as refusal:
        return refused(request, "table/own_code.html", refusal)
    response = redirect("table:own_code")
    response.set_cookie(
        COOKIE,
        signing.dumps(read_code(code), salt=SALT),
        max_age=LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    remember(request, response, f"own:{entrant.pk}")
    return response


def kept_code(request: HttpRequest) -> str:
    """The own code that this browser has opened. Raises BadSignature where there is none."""
    return str(signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LIFETIME))


@ensure_csrf_cookie
@require_http_methods(["GET", "POST"])
def own_code(request: HttpRequest) -> HttpResponse:
    """The page of who holds the code; POST says "we are here", or opens a code that was typed."""
    if request.method == "POST" and request.POST.get("code"):
        return private(_open(request, request.POST["code"][:40]))
    try:
        code = kept_code(request)
        entrant = attendance.entrant_of_code(code)
    except signing.BadSignature:
        return private(keep(render(request, "table/own_code.html"), "forget"))
    except Refusal as refusal:
        return refused(request, "table/own_code.html", refusal)
    speak(request, entrant.tournament)
    if request.method == "POST":
        return private(_arrive(request, code, entrant))
    template = "table/_my_table.html" if request.GET.get("part") == "live" else "table/own_code.html"
    with one_moment():
        return private(keep(render(request, template, _context(request, entrant)), "own"))


@ensure_csrf_cookie
@require_http_methods(["GET", "POST"])
def signals(request: HttpRequest) -> HttpResponse:
    """The signal card of who holds the code: filled in until the first match runs, shown afterwards."""
    try:
        code = kept_code(request)
        entrant = attendance.entrant_of_code(code)
    except signing.BadSignature:
        return private(redirect("table:own_code"))
    except Refusal as refusal:
        return refused(request, "table/own_code.html", refusal)
    speak(request, entrant.tournament)
    card = cards_of([entrant.pk]).get(entrant.pk)
    terms = terms_of(entrant.tournament)
    prescribed = terms.rules.prescribed or ()
    sent = (request.POST,) if request.method == "POST" else ()
    form = CardForm(*sent, initial=CardForm.initial_of(card, prescribed), prescribed=prescribed)
    known: dict[str, Any] = {
        "entrant": entrant,
        "tournament": entrant.tournament,
        "form": form,
        "fixed": has_played(entrant),
        "shown": None if card is None else shown_card(card),
        "told": [in_language(one.message) for one in findings_of(card, terms)],
    }
    if not sent:
        return private(render(request, "table/own_signals.html", known))
    if form.is_valid():
        try:
            file_card_by_code(code_text=code, at=timezone.now(), agreement=form.agreement())
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("The signal card is filed."))
            response = HttpResponseRedirect(redirect("table:own_signals")["Location"])
            response.status_code = 303
            return private(response)
    return private(render(request, "table/own_signals.html", known, status=422))


@require_safe
def award(request: HttpRequest) -> HttpResponse:
    """The award of who holds the code, once the last table is published, as the desk prints it."""
    try:
        entrant = attendance.entrant_of_code(kept_code(request))
    except (signing.BadSignature, Refusal):
        return private(redirect("table:own_code"))
    speak(request, entrant.tournament)
    own = my_table(request, entrant, timezone.now()).award
    if own is None or not own.sheet:
        return private(redirect("table:own_code"))
    known = {"language": page_language(), "event": entrant.tournament.slug, "number": own.published.number}
    address = public_address(request, reverse("public:publication", kwargs=known))
    data = awards_pdf(own.published, usual_words(own.published, page_language()), address, entrant)
    return private(download(data, f"{entrant.tournament.slug}-award-{entrant.number}.pdf", "application/pdf"))


def _arrive(request: HttpRequest, code: str, entrant: Entrant) -> HttpResponse:
    try:
        attendance.check_in_by_code(code_text=code, at=timezone.now())
    except Refusal as refusal:
        refused_page = _context(request, entrant) | {"refusal": refusal}
        return render(request, "table/own_code.html", refused_page, status=refusal.status)
    response = HttpResponseRedirect("")
    response["Location"] = redirect("table:own_code")["Location"]
    response.status_code = 303
    return response


def _context(request: HttpRequest, entrant: Entrant) -> dict[str, Any]:
    known = {
        "language_part": page_language(),
        "offline_pages": offline_pages(entrant.tournament),
        "push_key": own_key() if settings.PUSH_SERVICES else "",
        "push_known": " ".join(known_addresses(entrant)),
    }
    return shown(request, entrant, timezone.now()) | known
