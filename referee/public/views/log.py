"""The signed log of an event: how far it goes, whether an act is in it, and the program that checks it elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from referee.public.addresses import api_address
from referee.public.page import event_page
from tournaments.acts.signing import fingerprint
from tournaments.log.reads import newest_heads, proofs, went_on

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament

#: The program on the page: the file of the product itself, which a test runs.
SCRIPT: Final = files("tournaments.log").joinpath("verify.py").read_text("utf-8")
#: So many heads are told, the newest first.
HEADS: Final = 12


@event_page("log", "check")
def log(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """`receipt`: the code of an act, as a phone at the table shows it."""
    asked = "".join(request.GET.get("receipt", "")[:100].lower().split())
    proved = proofs(tournament, [asked]) if asked else None
    return {
        "heads": newest_heads(tournament, HEADS),
        "fingerprint": fingerprint(),
        "asked": asked,
        "proof": proved.places[0] if proved else None,
        "size": proved.head.size if proved else 0,
        "went_on": bool(asked) and went_on(tournament),
        "document": api_address("log", slug=tournament.slug),
        "proofs": api_address("log_proofs", slug=tournament.slug),
    }


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """The program by which anybody checks a log and receipts."""
    headers = {"Content-Disposition": 'inline; filename="verify.py"', "Cache-Control": "public, max-age=300"}
    return HttpResponse(SCRIPT, content_type="text/plain; charset=utf-8", headers=headers)
