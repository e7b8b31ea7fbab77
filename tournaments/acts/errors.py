"""Refusals: what an act answers instead of writing. Each has a code, a field and a sentence in two languages."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from scoring.hands.findings import Finding
from scoring.messages import MESSAGES

BAD_REQUEST = 400
UNAUTHENTICATED = 401
FORBIDDEN = 403
NOT_FOUND = 404
CONFLICT = 409
STALE = 412
UNPROCESSABLE = 422
NOT_STATED = 428
TOO_MANY = 429

#: The sentence of every code of a refusal, those of the kernel included.
SENTENCES: Final[Mapping[str, Mapping[str, str]]] = MESSAGES | json.loads(
    Path(__file__).with_name("refusals.json").read_text("utf-8")
)


class Refusal(Exception):
    """An act that was refused; nothing was written.

    `message` is what can be said more exactly than by the sentence of the code.
    `status` is the HTTP status an API answers with, `current` what the caller should look at again (JSON), `findings`
    every problem of a sheet at once, `params` the values inside the sentence.
    """

    def __init__(
        self,
        code: str,
        *,
        field: str | None = None,
        message: Mapping[str, str] | None = None,
        status: int = CONFLICT,
        findings: Iterable[Finding] = (),
        params: Mapping[str, Any] | None = None,
        current: Any = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.message = dict(SENTENCES[code] if message is None else message)
        self.status = status
        self.findings = tuple(findings)
        self.params = dict(params or {})
        self.current = current
        #: Whether it was counted (`meters`).
        self.counted = False

    def __str__(self) -> str:
        return f"{self.code}: {self.message.get('en', '')}"


class EventIsRecord(Refusal):
    """The event was read from a file: it is a record that nobody goes on with."""

    def __init__(self) -> None:
        super().__init__("event_is_a_record", status=FORBIDDEN)


class EventElsewhere(Refusal):
    """The event is written by another installation: nothing is written to it here. `over`: it was written here once.
    `to`: the address to which it was moved, where it was."""

    def __init__(self, *, over: bool, to: str = "") -> None:
        code, message = "event_over_here" if over else "event_followed", None
        if over and to:
            code = "event_moved"
            message = {
                "en": f"This event goes on at {to}. Open that address and type the code of your card once.",
                "zh": f"本赛事已移到 {to} 继续。请打开该地址，并输入一次桌卡上的代码。",
            }
        super().__init__(code, message=message, status=FORBIDDEN)


class Forbidden(Refusal):
    """The actor holds no office or place that allows the act. `may`: who does, as words of both languages."""

    def __init__(self, may: Mapping[str, str] | None = None) -> None:
        if may is None:
            message = {"en": "You may not do this.", "zh": "你没有这个权限。"}
        else:
            message = {"en": f"You may not do this; {may['en']} may.", "zh": f"你没有这个权限，需要{may['zh']}。"}
        super().__init__("forbidden", message=message, status=FORBIDDEN)


class SecondFactorNeeded(Refusal):
    """The office would do, but the event asks who holds it for a second factor."""

    def __init__(self) -> None:
        super().__init__("second_factor_needed", status=FORBIDDEN)


class BeyondScope(Refusal):
    """The person may do this, the API token may not: made for `scope`, it would have to be made for `needed`."""

    def __init__(self, scope: str, needed: str) -> None:
        super().__init__("beyond_scope", status=FORBIDDEN, params={"scope": scope, "needed": needed})


class NotFound(Refusal):
    """No such thing here: unknown ids and ids of another tournament answer alike."""

    def __init__(self) -> None:
        super().__init__("not_found", status=NOT_FOUND)


class NoMatchHere(Refusal):
    """A table that is not in the draw of a round: nothing can be entered or ruled there."""

    def __init__(self, number: int, table: int) -> None:
        super().__init__(
            "no_match_here",
            message={
                "en": f"Table {table} has no match in round {number}.",
                "zh": f"第 {number} 轮 {table} 桌没有对局。",
            },
            params={"round": number, "table": table},
            status=NOT_FOUND,
        )


class KeyReused(Refusal):
    """The same idempotency key came with another body."""

    def __init__(self) -> None:
        super().__init__("key_reused", status=UNPROCESSABLE)


class Stale(Refusal):
    """A write on a version that is no longer the newest."""

    def __init__(self, current: Any = None, *, message: Mapping[str, str] | None = None) -> None:
        super().__init__(
            "stale",
            message=message
            or {
                "en": "Something changed since you opened this. Your figures are kept; look again.",
                "zh": "你打开后记录有变动。你填的数都在，请再看一眼。",
            },
            status=STALE,
            current=current,
        )


class NotStated(Refusal):
    """A write that has to state which version it changes, and does not."""

    def __init__(self) -> None:
        super().__init__("version_not_stated", status=NOT_STATED)


class RoundClosed(Refusal):
    """Hands are taken while the round runs, not before and not after."""

    def __init__(self, number: int, *, started: bool = True) -> None:
        if started:
            message = {
                "en": f"Round {number} is closed. For a correction see a referee.",
                "zh": f"第 {number} 轮已关闭。要更正，请找裁判。",
            }
        else:
            message = {"en": f"Round {number} has not started yet.", "zh": f"第 {number} 轮还没有开始。"}
        super().__init__("round_closed" if started else "round_not_started", message=message, params={"round": number})


class TextRefused(Refusal):
    """A written reason or note that is missing, too long or holds characters that are no text."""


#: What is said of a text that is needed and empty, by its field.
_MISSING = {
    "name": "logo_name_missing",
    "note": "note_missing",
    "reason": "reason_missing",
    "text": "text_missing",
    "verdict": "verdict_missing",
    "what": "what_missing",
}


def clean_text(value: object, field: str, *, limit: int, required: bool = False) -> str:
    """The text as it may be stored: trimmed, without control characters, at most `limit` characters."""
    if not isinstance(value, str):
        message = {"en": "This must be text.", "zh": "这里要写文字。"}
        raise TextRefused("not_text", field=field, message=message, status=BAD_REQUEST)
    text = value.strip()
    if required and not text:
        raise TextRefused(_MISSING[field], field=field, status=BAD_REQUEST)
    if len(text) > limit:
        params = {"limit": limit}
        raise TextRefused("text_too_long", field=field, message=at_most(limit), status=BAD_REQUEST, params=params)
    refuse_unless_storable(text, field)
    return text


def at_most(limit: int | str) -> dict[str, str]:
    """What is said of a text that is too long."""
    return {"en": f"At most {limit} characters.", "zh": f"最多 {limit} 个字符。"}


def refuse_unless_storable(value: object, field: str) -> None:
    """Refuse text, anywhere inside a JSON value, with control characters or halves of characters."""
    if isinstance(value, str):
        if any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t" for sign in value):
            raise TextRefused("text_not_allowed", field=field, status=BAD_REQUEST)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            refuse_unless_storable(inner, f"{field}.{name}" if field else str(name))
    elif isinstance(value, list | tuple):
        for inner in value:
            refuse_unless_storable(inner, field)


class WrongStep(Refusal):
    """The round is not at the step that this act needs."""

    def __init__(self, code: str, en: str = "", zh: str = "", params: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, message={"en": en, "zh": zh} if en else None, params=params)
