"""What a side does at the table. Every act comes from a plain form, or from the page's script with the same fields.

The script gets JSON and keeps its own pace; a plain form is sent on to the page (303), or shown again as it was typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.hands.result_codes import facts_of_fields
from referee.once import not_done
from referee.parts.kept import ALL_WRONG, CALLS, UNEXPECTED, WRONG, kept
from referee.parts.words import in_language
from referee.table.places import at_place, wants_json
from referee.table.presenters import field_of
from referee.table.views.pages import findings_json, page, record_page, ruled_here, screen_of
from tournaments.acts import meters
from tournaments.acts.errors import Refusal
from tournaments.acts.leaves import promised
from tournaments.acts.text import plain_number, row_number
from tournaments.ledger import calls, ending, previewing, result_codes, scorekeeping
from tournaments.ledger.judging import SheetRejected
from tournaments.ledger.result_code_text import read_code_text
from tournaments.rulings import appeals

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from referee.table.places import HeldPlace
    from referee.table.screens import Screen


@at_place("POST")
def enter(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Send a hand, or an annulled one, to the other side; as an answer to theirs it confirms or contests it."""
    screen = screen_of(place, own=True)
    screen.read(request.POST)
    annulled = request.POST.get("kind") == "annulled"
    facts = screen.facts(annulled=annulled)

    def act() -> str:
        if result_codes.counted(place.device, request.POST.get("key", "")):
            return _("Two phones have agreed by result code: the hand counts.")
        _refuse_what_is_left_empty(screen, facts, annulled=annulled)
        recorded = scorekeeping.record_hand(
            **_here(place),
            facts=facts,
            hand_no=_whole(request.POST.get("hand_no", "")),
            reason=_why(screen),
            device_time=request.POST.get("device_time", "")[:40],
        )
        return {
            "confirmed": _("Both entries are the same: the hand counts."),
            "disputed": _("The two entries differ. A referee is called."),
        }.get(recorded.answer, "")

    def again(refusal: Refusal) -> HttpResponse:
        screen.findings = refusal.findings
        return page(request, screen, status=refusal.status, refusal=refusal)

    return answer(request, place, act, again=again)


def _refuse_what_is_left_empty(screen: Screen, facts: dict[str, Any], *, annulled: bool) -> None:
    """The same table that the page asks by; with what is missing, everything else that is wrong is named."""
    missing = [row.finding for row in screen.left_empty(annulled=annulled)]
    if missing:
        seen = previewing.preview(sitting_id=screen.sitting.pk, actor=screen.place.actor, facts=facts)
        raise SheetRejected([*missing, *(one for one in seen.findings if screen.typed_in(field_of(one.field)))])


@at_place("POST")
def confirm(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Agree to what the other side sent; with `pin` the other side agrees on this phone."""
    version = _whole(request.POST["version"]) if "version" in request.POST else None
    pin = request.POST.get("pin", "").strip()[:12] or None
    return answer(
        request,
        place,
        lambda: scorekeeping.confirm_hand(**_here(place), entry_id=_entry(request), version=version, pin=pin),
    )


@at_place("POST")
def key(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """The key by which this phone signs result codes; said once, after it has taken its place."""
    return answer(
        request, place, lambda: result_codes.enrol_key(**_here(place), public_key=request.POST.get("public_key", ""))
    )


@at_place("POST")
def agreed(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """A result code that two phones signed while there was no network."""

    def act() -> str:
        code = read_code_text(request.POST.get("code", ""))
        result_codes.agree_by_result_code(**_here(place), code=code, read=facts_of_fields)
        return _("Two phones have agreed by result code: the hand counts.")

    return answer(request, place, act)


@at_place("POST")
def take_back(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Take back what this side sent and nobody has confirmed."""
    return answer(request, place, lambda: scorekeeping.take_back(**_here(place), entry_id=_entry(request)))


@at_place("POST")
def send_back(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Say with one tap what is wrong with the other side's entry."""
    what = request.POST.get("what", "")
    wrong = what if what in WRONG or what in ALL_WRONG else "points"
    return answer(
        request,
        place,
        lambda: scorekeeping.send_back(**_here(place), entry_id=_entry(request), what=wrong),
    )


@at_place("POST")
def call(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Call a referee, with a reason or just to come."""
    what = request.POST.get("what", "")
    note = "" if what in ("", "come") else kept(CALLS.get(what, ""), place.tournament.language)
    return answer(request, place, lambda: calls.call_referee(**_here(place), note=note))


@at_place("POST")
def over(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Say that time is over and no hand is in progress; when both sides say so, the match ends."""

    def act() -> str:
        agreed = ending.agree_end(**_here(place))
        return _("The match is over.") if agreed.over else _("Noted. The other side has to say so too.")

    return answer(request, place, act)


@at_place("POST")
def objection(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Object to what a referee entered."""
    words = {**ALL_WRONG, **WRONG}
    note = kept(words.get(request.POST.get("what", ""), ""), place.tournament.language)

    def act() -> str:
        calls.object_to(**_here(place), entry_id=_entry(request), note=note)
        return _("The referee sees your objection.")

    return answer(request, place, act)


@at_place("POST")
def appeal(request: HttpRequest, place: HeldPlace) -> HttpResponse:
    """Appeal against a ruling at this table; refused, the record comes back with what was written."""
    number, written = _whole(request.POST.get("ruling", "")), request.POST.get("reason", "")

    def act() -> str:
        appeals.lodge_appeal(
            ruling_id=ruled_here(place, number),
            actor=place.actor,
            at=place.now,
            reason=written,
        )
        return _("The appeal is lodged. Play goes on.")

    def again(refusal: Refusal) -> HttpResponse:
        return record_page(request, place, refusal=refusal, appealed=number, written=written)

    return answer(request, place, act, again=again)


def answer(
    request: HttpRequest,
    place: HeldPlace,
    act: Callable[[], object],
    *,
    again: Callable[[Refusal], HttpResponse] | None = None,
) -> HttpResponse:
    """Do it and say what it says, or say why not: as JSON to the script, by redirect or by the page again to a form."""
    try:
        with promised() as made:
            done = act()
    except Refusal as refusal:
        meters.refused(refusal)
        if wants_json(request):
            return JsonResponse(_refused(refusal), status=refusal.status)
        if again is not None:
            return again(refusal)
        messages.error(request, in_language(refusal.message))
        return not_done(_back(place))
    said = done if isinstance(done, str) else ""
    if wants_json(request):
        return JsonResponse({"message": said} | ({"promise": made[-1].to_json()} if made else {}))
    if said:
        messages.info(request, said)
    return _back(place)


def _refused(refusal: Refusal) -> dict[str, Any]:
    return {
        "code": refusal.code,
        "message": in_language(refusal.message),
        "findings": findings_json(refusal.findings),
    }


def _back(place: HeldPlace) -> HttpResponse:
    response = HttpResponseRedirect(reverse("table:place", kwargs={"public_id": place.device.public_id}))
    response.status_code = 303
    return response


def _why(screen: Screen) -> str:
    """Why another dealer or level was played than the record says, if one was."""
    typed = screen.typed
    assert typed is not None
    unexpected = typed.get("dealer") or typed.get("level")
    return kept(UNEXPECTED.get(typed.get("why"), ""), screen.place.tournament.language) if unexpected else ""


def _here(place: HeldPlace) -> dict[str, Any]:
    """Which sitting, who acts, and when."""
    return {"sitting_id": place.sitting.pk, "actor": place.actor, "at": place.now}


def _entry(request: HttpRequest) -> int:
    return row_number(request.POST.get("entry", "")) or 0


def _whole(text: str) -> int:
    """A number this page itself wrote into its form; anything else is no id, so that nothing is found."""
    return plain_number(text) or 0
