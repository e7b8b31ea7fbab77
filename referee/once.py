"""A form sent twice is one act: every form carries a key, and no view has to think of it.

The tag ``{% csrf_token %}`` writes the key beside the token (`referee.templatetags.once`), and the middleware here
stands around every view that takes a form. A page that comes back refused has a new key; scripts make one a tap.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.parts.words import in_language
from tournaments.acts import meters
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Refusal
from tournaments.acts.keys import Kept, Keyed, Repeat, ShownOnce, do_once, scope_of_door

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from django.http import HttpRequest

Response = TypeVar("Response", bound=HttpResponseBase)

#: Forms that ask and write nothing: they may be sent as often as one likes.
QUESTIONS: Final = frozenset(
    {"desk:preview_hand", "table:preview", "parts:preference", "desk:passkey_ask", "desk:passkey_sign_in"}
)
#: Before sign-in or before a place is held.
DOORS: Final = frozenset(
    {"desk:sign_in", "desk:sign_in_code", "desk:enter", "table:land", "table:own_code", "table:places"}
)
#: Whose answer brings the session: the browser that sends the form again has dropped it, and the view gives another.
LET_IN: Final = frozenset({"desk:enter"})
#: What shows a secret on the page that answers, and how to get a new one.
SECRETS: Final[Mapping[str, Mapping[str, str]]] = {
    "desk:link": {"en": "Make another link on the page of the officials.", "zh": "请在裁判页另做一个链接。"},
    "desk:factor": {"en": "Make new recovery codes on the same page.", "zh": "请在同一页重新生成恢复码。"},
    "desk:passkey_add": {
        "en": "Make new recovery codes on the page of the second factor.",
        "zh": "请在两步验证页重新生成恢复码。",
    },
    "desk:factor_codes": {"en": "Make new recovery codes once more.", "zh": "请再生成一次恢复码。"},
    "desk:make_token": {"en": "End that token and make another one.", "zh": "请停用那个令牌，再做一个。"},
    "desk:webhook_make": {"en": "Make another secret on the page of the webhooks.", "zh": "请在推送页另做一个密钥。"},
    "desk:webhook_secret": {"en": "Make another secret once more.", "zh": "请再做一个密钥。"},
    "desk:deal_slips": {"en": "Print the slips again from the page of the deals.", "zh": "请在发牌页重新打印发牌单。"},
    "desk:deal_check": {"en": "Compare again from the page of the deals.", "zh": "请在发牌页重新核对。"},
}
_NOT_DONE: Final = "not_done"


def not_done(response: Response) -> Response:
    """Mark a redirect that follows a refusal: nothing was done, so its key is free."""
    setattr(response, _NOT_DONE, True)
    return response


class FormsOnce:
    """Middleware: carries out a form once for its key, and answers a repeat as the first time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if request.method != "POST" or name.startswith("api:") or name in QUESTIONS:
            return None
        if not (key := request.POST.get("key", "").strip()):
            return None

        def kept(response: HttpResponseBase) -> tuple[bool, Kept]:
            done = response.status_code < 400 and not hasattr(response, _NOT_DONE)
            answer = _kept(response)
            return done and (answer is not None or name in SECRETS), answer

        actor = Actor(user=request.user) if request.user.is_authenticated else None
        try:
            done = do_once(
                Keyed.of(_scope(request, actor), key, _sent(request)),
                lambda: view(request, *args, **kwargs),
                kept,
                actor=actor,
                at=timezone.now(),
                door=name in DOORS,
            )
            if isinstance(done, Repeat) and name in LET_IN:
                return view(request, *args, **kwargs, again=True)
            if isinstance(done, Repeat) and done.answer is None:
                raise ShownOnce(SECRETS[name])
        except Refusal as refusal:
            return _refused(request, refusal)
        return _again(request, done.answer or {}) if isinstance(done, Repeat) else done


def _scope(request: HttpRequest, actor: Actor | None) -> str:
    """The person's, else this browser's: it is known by the cookie without which no form is taken."""
    if actor is not None:
        return actor.scope
    return scope_of_door(request.META.get("CSRF_COOKIE") or request.META.get("REMOTE_ADDR", ""))


def _sent(request: HttpRequest) -> Iterator[bytes]:
    yield request.get_full_path().encode()
    fields = [(name, values) for name, values in request.POST.lists() if name not in ("key", "csrfmiddlewaretoken")]
    yield json.dumps(sorted(fields)).encode()
    for name, file in request.FILES.items():
        yield name.encode()
        yield from file.chunks()  # type: ignore[union-attr]
        file.seek(0)  # type: ignore[union-attr]


def _kept(response: HttpResponseBase) -> Kept:
    """Where it led, or what it said to a script; None of a page, which is shown anew."""
    if 300 <= response.status_code < 400:
        return {"status": response.status_code, "to": response["Location"]}
    if response.status_code == 204:
        return {"status": 204}
    if isinstance(response, JsonResponse):
        return {"status": response.status_code, "json": json.loads(response.content)}
    return None


def _again(request: HttpRequest, answer: Mapping[str, Any]) -> HttpResponse:
    if "json" in answer and _takes_json(request):
        return JsonResponse(answer["json"], status=answer["status"])
    if "json" in answer:  # a script sent it first, the form now: its address leads to the page
        answer = {"status": 303, "to": request.path}
    response = HttpResponse(status=answer["status"])
    if "to" in answer:
        response["Location"] = answer["to"]
        messages.info(request, _("This was sent twice; it was done once."))
    return response


def _takes_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    meters.refused(refusal)
    words = in_language(refusal.message)
    if _takes_json(request):
        return JsonResponse({"code": refusal.code, "message": words, "findings": []}, status=refusal.status)
    return render(request, "sent_twice.html", {"refusal": refusal}, status=refusal.status)
