"""The reader's own settings: language, theme, suits. Each is one cookie, set by a plain form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import HttpResponseBadRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from referee.parts.navigation import in_other_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "language": ("en", "zh-hans"),
    "theme": ("auto", "light", "dark"),
    "suits": ("two", "four"),
}
#: The attribute of a request under which a form that is given back notes the address of the page shown.
SHOWN_AT: Final = "shown_at"
_YEAR: Final = 365 * 24 * 3600


def cookie_name(preference: str) -> str:
    """The cookie that keeps a preference; the language's is Django's own."""
    return settings.LANGUAGE_COOKIE_NAME if preference == "language" else f"{settings.COOKIE_PREFIX}{preference}"


def preference_of(request: HttpRequest | None, preference: str) -> str:
    """The reader's theme or suits; the first choice when none or nonsense is set."""
    chosen = request.COOKIES.get(cookie_name(preference), "") if request is not None else ""
    return chosen if chosen in CHOICES[preference] else CHOICES[preference][0]


# No CSRF token: it would make every public page private to one reader, and a forged post can only change the look.
@csrf_exempt
@require_POST
def set_preference(request: HttpRequest, preference: str) -> HttpResponse:
    """Keep ``to`` in the preference's cookie and go back to ``next``, a page of this site (else the front page)."""
    to = request.POST.get("to", "")
    if to not in CHOICES.get(preference, ()):
        return HttpResponseBadRequest()
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None, require_https=request.is_secure()):
        back = "/"
    if preference == "language":
        back = in_other_language(back, "zh" if to == "zh-hans" else "en") or back
    response = HttpResponseRedirect(back)
    # a public page is made once for everybody: its look is set in the browser (look.js)
    readable = preference != "language"
    response.set_cookie(
        cookie_name(preference), to, max_age=_YEAR, samesite="Lax", secure=request.is_secure(), httponly=not readable
    )
    return response


def page_address(request: HttpRequest) -> str:
    """Where the page that is shown can be asked for: a form given back is shown at the address it was sent to."""
    return getattr(request, SHOWN_AT, "") or request.get_full_path()
