"""One view class for the acts of the desk that a form on some page sends.

A form that was refused comes back with what was typed. The page knows its forms by the address they are sent to; its
template asks with ``{% typed_at address as typed %}``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from django.contrib import messages
from django.shortcuts import render
from django.views import View

from referee.desk.guard import SeeOther, official
from referee.desk.presenters.refusals import place_of
from referee.desk.presenters.refusals import refusal as shown_refusal
from referee.desk.presenters.undoing import offer
from referee.parts.numbers import whole_number
from referee.parts.views import SHOWN_AT
from referee.parts.words import in_language
from tournaments.acts import meters
from tournaments.acts.errors import Refusal
from tournaments.acts.history import noted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.http import HttpRequest, HttpResponse
    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk
    from scoring.hands.findings import Finding
    from tournaments.acts.access import Act


#: The attribute of a request under which a form given back travels to the template.
CARRIED: Final = "given_back"


@dataclass(frozen=True, slots=True)
class GivenBack:
    """A refused form: where it was sent, its values by name, and what is wrong with a field, by its name."""

    address: str
    values: Mapping[str, Sequence[str]]
    wrong: Mapping[str, str]

    def value(self, name: str, at: int = 0) -> str | None:
        """What was typed into the field of that name, None where it was not sent; `at` counts fields of one name."""
        typed = self.values.get(name, ())
        return typed[at] if at < len(typed) else None


class ActView(View):
    """An act sent by a form: it is done, told, and the browser goes `back`.

    Refused, the `page` that the form stands on comes back with what was typed.
    """

    #: Who may.
    right: ClassVar[Act]
    #: The sentence when it is done; none where the next page says it.
    done: ClassVar[str | _StrPromise] = ""
    #: The page that the address leads to when it is looked at, if not the nearest one above.
    looked_at: ClassVar[str | None] = None
    #: Whether password or code have to have been shown within the last minutes.
    proof: ClassVar[bool] = False
    #: Whether the next page offers to undo it, where it can be undone.
    undoable: ClassVar[bool] = True
    #: Names of the form for fields that the act calls otherwise.
    fields: ClassVar[Mapping[str, str]] = {}
    desk: Desk
    #: What was refused, for the page that is shown then.
    refusal: Refusal | None = None

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., HttpResponse]:
        view = cast("Callable[..., HttpResponse]", super().as_view(**initkwargs))
        methods = ("GET", "POST") if hasattr(cls, "get") else ("POST",)
        return official(cls.right, *methods, page=cls.looked_at, proof="POST" if cls.proof else "")(view)

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        (self.desk,) = args
        self.look_up()

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            with noted() as rows:
                done = self.act()
        except Refusal as refusal:
            meters.refused(refusal)
            if self.is_error(refusal):
                raise
            self.refusal = refusal
            setattr(self.request, SHOWN_AT, self.at())
            page = self.given_back(refusal)
            if page.status_code == 200:
                page.status_code = refusal.status
            return page
        self.tell(done)
        if self.undoable:
            offer(request, self.desk, rows)
        return SeeOther(self.back())

    def is_error(self, refusal: Refusal) -> bool:
        """Whether the page cannot help: what may not be seen or done at all stays an error."""
        return refusal.status in (403, 404)

    def given_back(self, refusal: Refusal) -> HttpResponse:
        """The page with the sentence and the form as typed."""
        messages.error(self.request, _said(refusal, self.words()))
        setattr(self.request, CARRIED, self.given)
        return self.page()

    @property
    def given(self) -> GivenBack | None:
        """The form as it was sent."""
        if self.request.method != "POST":
            return None
        wrong = {} if self.refusal is None else _wrong(self.refusal, self.fields, self.words())
        return GivenBack(self.request.path, dict(self.request.POST.lists()), wrong)

    def look_up(self) -> None:
        """Find what the address names."""

    def act(self) -> object:
        """Call the act of the room."""
        raise NotImplementedError

    def tell(self, done: Any) -> None:
        """Say that it is done; `done` is what the act answered."""
        if self.done:
            messages.success(self.request, self.done)

    def back(self) -> str:
        """Where to go on from here."""
        raise NotImplementedError

    def page(self) -> HttpResponse:
        """The page that the form stands on."""
        raise NotImplementedError

    def at(self) -> str:
        """The address of that page."""
        return self.back()

    def words(self) -> Mapping[str, str]:
        """What the page calls a field that a sentence names by its key."""
        return {}

    # What acts take

    @property
    def by(self) -> dict[str, Any]:
        """Who acts, and when."""
        return {"actor": self.desk.actor, "at": self.desk.now}

    def typed(self, name: str) -> str:
        return self.request.POST.get(name, "")

    @property
    def reason(self) -> str:
        return self.typed("reason")

    @property
    def revision(self) -> int | None:
        """The state that the form was made from."""
        return number_or_none(self.typed("revision"))


class OwnPage(ActView):
    """An act with a page of its own at its address, which shows what was refused above the form, or by its fields."""

    template: str
    #: The part of the desk that the page belongs to.
    current: ClassVar[str]
    #: The button that does it, where the others look at what it would do.
    button: ClassVar[str | None] = None
    look = False

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.page()

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.look = self.button is not None
        if self.button is not None and self.button not in request.POST:
            return self.page()
        return super().post(request, *args, **kwargs)

    def given_back(self, refusal: Refusal) -> HttpResponse:
        return self.page()

    def at(self) -> str:
        return self.request.get_full_path()

    def page(self) -> HttpResponse:
        known: dict[str, Any] = {"desk": self.desk, "tournament": self.desk.tournament, "current": self.current}
        shown = known | self.shown() | {"given": self.given}
        if self.refusal is not None:
            shown.setdefault("refusal", self.refusal)
        return render(self.request, self.template, shown, status=self.status)

    @property
    def status(self) -> int:
        return self.refusal.status if self.refusal else 200

    def shown(self) -> dict[str, Any]:
        """What the page shows, as typed where something was sent. What looking finds refused is a `refusal` too."""
        return {}

    @property
    def by_field(self) -> dict[str, Any]:
        """What was refused, all findings at once, each by its field."""
        return shown_refusal(self.refusal) if self.refusal else {}


class FormPage(OwnPage):
    """A page with a form of Django's, which is bound to what was sent: what is refused stands in it as typed."""

    form_class: type[Any]
    form: Any

    def look_up(self) -> None:
        sent = (self.request.POST, self.request.FILES) if self.request.method == "POST" else ()
        self.form = self.made_form(*sent)

    def made_form(self, *sent: Any) -> Any:
        return self.form_class(*sent, initial=self.initial())

    def initial(self) -> dict[str, Any]:
        """What stands in the fields at first."""
        return {}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().post(request, *args, **kwargs) if self.form.is_valid() else self.page()

    def given_back(self, refusal: Refusal) -> HttpResponse:
        self.form.add_refusal(refusal)
        return self.page()

    def shown(self) -> dict[str, Any]:
        return {"form": self.form}

    @property
    def status(self) -> int:
        return super().status if self.refusal or not self.form.errors else 422


def _wrong(refusal: Refusal, fields: Mapping[str, str], words: Mapping[str, str]) -> dict[str, str]:
    """The sentences of a refusal by the field of the form that each is about."""
    found: Sequence[Refusal | Finding] = [one for one in refusal.findings if one.blocking] or [refusal]
    said = {place_of(one.field or ""): _said(one, words) for one in found}
    return {fields.get(place, place): sentence for place, sentence in said.items() if place}


def _said(found: Refusal | Finding, words: Mapping[str, str]) -> str:
    """The sentence, with the word of the page where it names its field by the key."""
    sentence, field = in_language(found.message), found.field or ""
    return sentence.replace(field, words[field]) if field in words else sentence


def number_or_none(text: str) -> int | None:
    value = whole_number(text)
    return value if isinstance(value, int) else None
