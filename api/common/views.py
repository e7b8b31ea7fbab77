"""What every endpoint shares: the actor, the key, the version a write was made on, paging, documents with an ETag."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import Model, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.acts.access import Act
from tournaments.acts.admission import Actor, require
from tournaments.acts.errors import BAD_REQUEST, NotStated, Refusal, Stale
from tournaments.acts.failures import SAFE_METHODS
from tournaments.acts.history import noted
from tournaments.acts.keys import Kept, Keyed, Repeat, ShownOnce, do_once, scope_of_door
from tournaments.acts.names import with_names, without_names
from tournaments.acts.text import plain_number
from tournaments.models import Tournament
from tournaments.undoing.acts import can_be_undone

from .auth import DeviceToken, OfficialToken, actor_of
from .errors import DECIDED, exception_handler
from .sharing import share
from .strict import Body, StrictJSONParser

Result = TypeVar("Result")

PAGE = 50
PAGE_MOST = 200
_ETAG = re.compile(r'^(?:W/)?"(\d{1,10})(?:-[0-9a-f]{16})?"$')


class Endpoint(APIView):
    """An endpoint: strict JSON in, one envelope for refusals out.

    Every write is one act for one `Idempotency-Key` (`_once`), whatever the endpoint does; only a method described as
    `asked` writes nothing and has no key. `door`: asked before sign-in, so that its keys are those of an address.
    `keys_inside`: several acts in one request, each with its key in the body.
    """

    door = False
    keys_inside = False
    authentication_classes = [OfficialToken, DeviceToken]
    parser_classes: list[type[BaseParser]] = [StrictJSONParser]
    renderer_classes = [JSONRenderer]

    def get_exception_handler(self) -> Callable[[Exception, Any], Response]:
        return exception_handler

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        made = super().finalize_response(request, response, *args, **kwargs)
        if not made.has_header("Cache-Control"):
            made["Cache-Control"] = "private, no-store" if request.META.get("HTTP_AUTHORIZATION") else "no-cache"
        patch_vary_headers(made, ["Authorization"])
        share(request, made)
        return made

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """The methods that this address takes, each with what it does: the same for everybody."""
        methods = {name: getattr(self, name.lower()).summary for name in self.allowed_methods if name != "OPTIONS"}
        return Response({"methods": methods})

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)

    @property
    def now(self) -> datetime:
        return timezone.now()

    @property
    def address(self) -> str:
        """Where the request came from, for counting tries."""
        return str(self.request.META.get("REMOTE_ADDR", ""))

    @property
    def known(self) -> str:
        """Whom a caller with a token was let in as, for counting tries; empty: nobody. A phone counts as its card, so
        that taking the place over again and again gives it no fresh tries."""
        actor = self.actor
        if actor.device is not None:
            return f"code:{actor.device.code_id}"
        return "" if actor.user is None else f"user:{actor.user.pk}"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        name = str(request.method).lower()
        handler, key = getattr(self, name, None), request.headers.get("Idempotency-Key")
        writes = request.method not in SAFE_METHODS and not getattr(handler, "asked", False)
        if handler is not None and writes and key is not None and not self.keys_inside:
            setattr(self, name, partial(self._once, handler, key))  # what `dispatch` calls next
        elif handler is not None and writes:
            setattr(self, name, partial(self._told, handler))

    def _told(self, handler: Callable[..., Response], request: Request, **of: Any) -> Response:
        """Carry out a write, and name in the answer's `Link` where it can be undone."""
        with noted() as rows:
            made = handler(request, **of)
        found = [one for one in rows if can_be_undone(one)]
        if len(found) == 1:
            address = reverse("api:undo", kwargs={"slug": found[0].tournament.slug, "entry": found[0].pk})
            made["Link"] = f'<{address}>; rel="undo"'
        return made

    def _once(self, handler: Callable[..., Response], key: str, request: Request, **of: Any) -> Response:
        """Carry out a write once for its key, or answer as the first time; what is refused frees the key."""
        unsaved = getattr(handler, "unsaved", None)
        at_door = self.door or self.actor == Actor()
        scope = scope_of_door(self.address) if at_door else self.actor.scope

        def act() -> Response | Exception:
            try:
                return self._told(handler, request, **of)
            except DECIDED as refused:  # what was counted meanwhile, a wrong PIN say, stays counted
                return refused

        def kept(done: Response | Exception) -> tuple[bool, Kept]:
            if isinstance(done, Exception):
                return False, None
            return True, _kept(done) if unsaved is None else None

        keyed = Keyed.of(scope, key, self._sent())
        done = do_once(keyed, act, kept, actor=None if at_door else self.actor, at=self.now, door=self.door)
        if isinstance(done, Repeat):
            if done.answer is not None:
                return answer_again(done.answer)
            raise ShownOnce(handler.unsaved)  # type: ignore[attr-defined]
        if isinstance(done, Exception):
            raise done
        return done

    def _sent(self) -> Iterator[bytes]:
        """What makes this request itself: the method, the address with its query, the body as it was read."""
        yield f"{self.request.method} {self.request.get_full_path()}".encode()
        data: Any = self.request.data
        if hasattr(data, "read"):
            data.seek(0)
            yield from iter(partial(data.read, 1_000_000), b"")
            data.seek(0)
        elif isinstance(data, bytes):
            yield data
        elif data:
            yield json.dumps(data, sort_keys=True).encode()

    def body(self, form: type[Body]) -> dict[str, Any]:
        """The validated body."""
        data = self.request.data
        return read(form, data if data not in ("", None) else {})

    def expected_revision(self) -> int:
        """The revision the writer saw, from If-Match: missing or * is 428, a foreign tag is 412.

        A tag that came with a packed answer is stated as weak; it names the same revision.
        """
        stated = self.request.headers.get("If-Match")
        if stated is None or stated.strip() == "*":
            raise NotStated()
        match = _ETAG.match(stated.strip())
        if match is None:
            raise Stale()
        return int(match[1])

    def act(
        self, service: Callable[..., Result], form: type[Body] | None = None, *, versioned: bool = False, **of: Any
    ) -> Result:
        """Carry out a write `of` something, with the fields of the body; `versioned`: on the revision seen."""
        if versioned:
            of["expected_revision"] = self.expected_revision()
        fields = self.body(form) if form is not None else {}
        return service(actor=self.actor, at=self.now, **of, **fields)

    def event(self, slug: str, act: Act | None = None) -> Tournament:
        """The event of the address; with an act, only for who may do it. Outsiders learn nothing about drafts."""
        event = Tournament.objects.filter(slug=slug).first()
        if event is None:
            raise Http404
        if act is not None:
            require(self.actor, act, tournament=event)
        return event

    def page(self, rows: QuerySet[Any], document: Callable[[Any], Any], *, order: str = "pk") -> Response:
        """One page of rows after a cursor, in the order of one unique column."""
        found, cursor = self.cut(rows, order)
        return Response({"results": [document(row) for row in found], "next": cursor})

    def cut(self, rows: QuerySet[Any], order: str) -> tuple[list[Any], str | None]:
        """The rows of one page, and the cursor of the next one."""
        limit = self._limit()
        cursor = self.request.query_params.get("after")
        descending = order.startswith("-")
        column = order.lstrip("-")
        if cursor is not None:
            rows = rows.filter(**{f"{column}__{'lt' if descending else 'gt'}": _read_cursor(cursor)})
        found = list(rows.order_by(order)[: limit + 1])
        more = len(found) > limit
        found = found[:limit]
        last = getattr(found[-1], column) if found and more else None
        return found, None if last is None else _write_cursor(last)

    def number_asked(self, name: str) -> int | None:
        """A parameter of the address that is a whole number; None when it is left out."""
        text = self.request.query_params.get(name)
        if text is None:
            return None
        number = plain_number(text)
        if number is None:
            raise BadQuery(name, "a whole number", "整数")
        return number

    def _limit(self) -> int:
        text = self.request.query_params.get("limit", str(PAGE))
        if not re.fullmatch(r"[0-9]{1,4}", text) or not 0 < int(text) <= PAGE_MOST:
            raise BadQuery("limit", f"1-{PAGE_MOST}")
        return int(text)


@lru_cache(maxsize=256)
def _reader(form: type[Body]) -> Body:
    """A form whose fields are made once: reading keeps nothing in them."""
    return form()


def read(form: type[Body], data: Any) -> dict[str, Any]:
    """What was sent, as the fields of a form."""
    try:
        return dict(_reader(form).run_validation(data))
    except (ValidationError, DjangoValidationError):
        pass  # what is wrong is told by a form of its own, with all its findings
    filled = form(data=data)
    with translation.override("en"):  # the framework's own sentences become the English half of the envelope
        filled.is_valid(raise_exception=True)
    return dict(filled.validated_data)


class BadQuery(Refusal):
    """A parameter of the address that cannot be read; `allowed` is what may stand there, in both languages."""

    def __init__(self, field: str, allowed: str, allowed_zh: str = "") -> None:
        message = {"en": f"{field} takes {allowed}.", "zh": f"{field} 只能是 {allowed_zh or allowed}。"}
        super().__init__("bad_query", field=field, message=message, status=BAD_REQUEST)


def _kept(response: Response) -> Kept:
    """An answer as it is kept: names are joined when it is given again."""
    where = {name: response[name] for name in ("Location", "Link") if response.has_header(name)}
    body = json.loads(JSONRenderer().render(without_names(response.data)) or "null")
    return {"status": response.status_code, "headers": where, "body": body}


def answer_again(kept: Mapping[str, Any]) -> Response:
    """An answer that was kept, as it is given to a repeat."""
    body = with_names(kept["body"])
    if isinstance(body, dict) and "replayed" in body:
        body["replayed"] = True
    return Response(body, status=kept["status"], headers=kept["headers"])


def _write_cursor(value: int) -> str:
    return base64.urlsafe_b64encode(str(value).encode()).decode().rstrip("=")


def _read_cursor(text: str) -> int:
    try:
        value = int(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, binascii.Error):
        raise BadQuery("after", "the `next` of an earlier page", "前一页给出的 `next`") from None
    if not 0 <= value < 2**63:
        raise BadQuery("after", "the `next` of an earlier page", "前一页给出的 `next`")
    return value


def tagged(request: Request, document: Mapping[str, Any], tag: str, *, public: bool = True) -> Response:
    """A document with a strong ETag; 304 when the reader has it already (a proxy that packs it states it as weak)."""
    stated = parse_etags(request.headers.get("If-None-Match", ""))
    etag = f'"{tag}"'
    cache = "public, max-age=1, stale-while-revalidate=5" if public else "private, no-cache"
    headers = {"ETag": etag, "Cache-Control": cache}
    if stated == ["*"] or etag in [one.removeprefix("W/") for one in stated]:
        return Response(status=304, headers=headers)
    return Response(document, headers=headers)


def found(rows: QuerySet[Any], **where: Any) -> Any:
    """The one row, or 404."""
    row: Model | None = rows.filter(**where).first()
    if row is None:
        raise Http404
    return row
