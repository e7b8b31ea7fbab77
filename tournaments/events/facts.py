"""The fields of an event: read, checked, completed; each refusal names its field. Of its stages: `stages.facts`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from scoring import penalties, profiles
from scoring.hands.findings import Refused

from ..acts.errors import Refusal
from ..acts.text import TextProblem, clean_line
from ..stages.misfits import BadSetting

SLUG_LENGTH = 60

_RESERVED_SLUGS = frozenset({"new", "import", "demo", "api", "admin", "live", "desk", "table", "rules", "static"})


EVENT_FIELDS = ("name", "name_latin", "place", "starts_on", "language", "timezone")
_TEXT_LENGTHS = {"name": 120, "name_latin": 120, "place": 120}


def event_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    clean: dict[str, Any] = {}
    for name, value in facts.items():
        if name in _TEXT_LENGTHS:
            try:
                clean[name] = clean_line(value, max_length=_TEXT_LENGTHS[name], required=name == "name")
            except TextProblem as problem:
                raise BadSetting(name, problem.message, problem.code) from None
        elif name == "language":
            if value not in dict(settings.LANGUAGES):
                raise BadSetting(name, {"en": "There is no such language.", "zh": "没有这种语言。"})
            clean[name] = value
        elif name == "timezone":
            clean[name] = _zone(value)
        elif name == "starts_on":
            clean[name] = _day(value)
    return clean


RULING_FIELDS = ("penalties", "appeal_minutes")
MOST_APPEAL_MINUTES = 1440


def ruling_facts(facts: Mapping[str, Any], *, individual: bool) -> dict[str, Any]:
    """How the event rules: its penalty schedule (an id, or `{"base", "set"}`), the minutes to appeal; None: usual."""
    clean: dict[str, Any] = {}
    if "penalties" in facts:
        clean["penalties"] = _schedule(facts["penalties"], individual=individual)
    if "appeal_minutes" in facts:
        minutes = facts["appeal_minutes"]
        if minutes is not None and (type(minutes) is not int or not 0 <= minutes <= MOST_APPEAL_MINUTES):
            message = {"en": "0 to 1,440 minutes.", "zh": "0 到 1440 分钟。"}
            raise BadSetting("appeal_minutes", message)
        clean["appeal_minutes"] = minutes
    return clean


def _schedule(spec: object, *, individual: bool) -> Any:
    """A penalty schedule for the kind of game the event plays, as it is stored; None: the usual one."""
    if spec is None:
        return None
    try:
        schedule = penalties.load(spec, "penalties")
    except Refused as refused:
        raise BadSetting("penalties", refused.message, refused.code) from None
    if schedule.individual is not individual:
        raise BadSetting(
            "penalties",
            {
                "en": "This penalty schedule is for single players; the event is one of two sides."
                if schedule.individual
                else "This penalty schedule is for two sides; the event is one of single players.",
                "zh": "该罚则表用于个人玩法，而本赛事是两方对局。"
                if schedule.individual
                else "该罚则表用于两方对局，而本赛事是个人玩法。",
            },
        )
    return schedule.spec


def _zone(value: object) -> str:
    try:
        return ZoneInfo(str(value)).key
    except (KeyError, ValueError, OSError):
        raise BadSetting("timezone", {"en": "There is no such time zone.", "zh": "没有这个时区。"}) from None


def _day(value: object) -> date | None:
    if value in (None, ""):
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise BadSetting("starts_on", {"en": "This is not a day.", "zh": "这不是日期。"}) from None


def read_slug(value: str) -> str:
    text = value.strip().lower() if isinstance(value, str) else ""
    allowed = set("abcdefghijklmnopqrstuvwxyz0123456789-")
    if not text or len(text) > SLUG_LENGTH or set(text) - allowed or text.startswith("-") or text.endswith("-"):
        raise BadSetting(
            "slug",
            {
                "en": "The address is made of letters a to z, figures and hyphens.",
                "zh": "地址只能用小写字母、数字和连字符。",
            },
        )
    if text in _RESERVED_SLUGS:
        raise slug_taken()
    return text


def slug_taken() -> Refusal:
    return Refusal("slug_taken", field="slug", status=409)


def build_profile(spec: Any) -> profiles.Profile:
    try:
        return profiles.build(spec, individual=True)
    except profiles.ProfileError as error:
        raise BadSetting("profile", error.message, error.code) from None


def json_safe(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in facts.items()}
