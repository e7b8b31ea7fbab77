"""The fields of an event and of its stage: read, checked, completed; each refusal names its field."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from scoring import match_scores, penalties, profiles, tiebreaks
from scoring.findings import Refused
from scoring.individual_standings import INDIVIDUAL_TIEBREAKS

from ..exchange.text import TextProblem, clean_line
from ..models import StageFormat, TieRule
from ..plans import Plan
from ..presets import DEFAULT_CHAINS
from .errors import Refusal

SLUG_LENGTH = 60
MOST_MINUTES = 600
MOST_ROUNDS = 60

_RESERVED_SLUGS = frozenset({"new", "demo", "api", "admin", "live", "desk", "table", "rules", "static"})


class BadSetting(Refusal):
    """A field of the event's form does not hold what it should."""

    def __init__(self, field: str, message: Mapping[str, str], code: str = "bad_setting") -> None:
        super().__init__(code, field=field, message=dict(message), status=400)


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


def ruling_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """How the event rules: its penalty schedule (an id, or `{"base", "set"}`), the minutes to appeal; None: usual."""
    clean: dict[str, Any] = {}
    if "penalties" in facts:
        spec = facts["penalties"]
        try:
            clean["penalties"] = None if spec is None else penalties.load(spec, "penalties").spec
        except Refused as refused:
            raise BadSetting("penalties", refused.message, refused.code) from None
    if "appeal_minutes" in facts:
        minutes = facts["appeal_minutes"]
        if minutes is not None and (type(minutes) is not int or not 0 <= minutes <= MOST_APPEAL_MINUTES):
            message = {"en": "0 to 1,440 minutes.", "zh": "0 到 1440 分钟。"}
            raise BadSetting("appeal_minutes", message)
        clean["appeal_minutes"] = minutes
    return clean


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
    return Refusal(
        "slug_taken",
        field="slug",
        message={"en": "This address is taken. Choose another.", "zh": "这个地址已被使用，请换一个。"},
        status=409,
    )


def build_profile(spec: Any) -> profiles.Profile:
    try:
        return profiles.build(spec, individual=True)
    except profiles.ProfileError as error:
        raise BadSetting("profile", error.message, error.code) from None


def refuse_other_game(profile: profiles.Profile, stage: Mapping[str, Any]) -> None:
    """An evening of single players is played by rules of single players, every other format by rules of two sides."""
    alone = stage["format"] == StageFormat.INDIVIDUAL
    if alone == (profile.division != "sides"):
        return
    if alone:
        message = {"en": "These rules are of two sides; choose another format.", "zh": "这套规则是双方对阵，请换赛制。"}
    else:
        message = {
            "en": "These rules are of single players; choose an evening of single players.",
            "zh": "这套规则是个人赛，请选个人赛的赛制。",
        }
    raise BadSetting("profile", message, "other_game")


STAGE_FIELDS = (
    "name",
    "format",
    "match_score",
    "match_score_assumed",
    "tie_rule",
    "minutes",
    "hands",
    "lead_levels",
    "rounds_planned",
    "chain",
    "plan",
)


def stage_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a stage, checked; what is not stated gets the format's usual value."""
    unknown = sorted(set(facts) - set(STAGE_FIELDS))
    if unknown:
        message = {"en": "There is no such field.", "zh": "没有这一项。"}
        raise BadSetting(f"stage.{unknown[0]}", message, "unknown_field")
    form = facts.get("format", StageFormat.SWISS_TIMED.value)
    if form not in StageFormat.values:
        raise BadSetting("stage.format", {"en": "There is no such format.", "zh": "没有这种赛制。"})
    alone = form == StageFormat.INDIVIDUAL
    scale = facts.get("match_score", "" if alone else "mp_210")
    if alone and scale:
        raise BadSetting(
            "stage.match_score",
            {"en": "Single players keep the score of their hands.", "zh": "个人赛直接计各人得分，没有场分办法。"},
        )
    if not alone and scale not in match_scores.SCALES:
        raise BadSetting("stage.match_score", {"en": "There is no such match score.", "zh": "没有这种场分办法。"})
    tie_rule = facts.get("tie_rule") or ("on_stage" if form == StageFormat.KO_TIMED else "draw")
    if tie_rule not in TieRule.values:
        raise BadSetting("stage.tie_rule", {"en": "There is no such rule.", "zh": "没有这种办法。"})
    if form == StageFormat.KO_TIMED and tie_rule == TieRule.DRAW:
        raise BadSetting(
            "stage.tie_rule", {"en": "A knockout match cannot be drawn.", "zh": "淘汰赛不能平。"}, "knockout_draw"
        )
    counted = match_scores.SCALES[scale] if scale else None
    chain = facts.get("chain") or list(tiebreaks.default_chain(DEFAULT_CHAINS[form], counted))
    if not isinstance(chain, list) or not all(isinstance(code, str) for code in chain) or len(set(chain)) < len(chain):
        raise BadSetting("stage.chain", {"en": "Name each tie-break once.", "zh": "每种破同分办法只写一次。"})
    known = INDIVIDUAL_TIEBREAKS if alone else tuple(tiebreaks.TIEBREAKS)
    strange = [code for code in chain if code not in known]
    if strange:
        raise BadSetting(
            "stage.chain",
            {"en": f"There is no tie-break {strange[0]} here.", "zh": f"这里没有 {strange[0]} 这种破同分办法。"},
        )
    contradictions = tiebreaks.chain_findings(chain, counted)
    if contradictions:
        raise BadSetting("stage.chain", contradictions[0].message, contradictions[0].code)
    try:
        name = clean_line(facts.get("name", ""), max_length=80)
    except TextProblem as problem:
        raise BadSetting("stage.name", problem.message, problem.code) from None
    try:
        plan = Plan.from_json(facts.get("plan") or {}, "stage.plan")
    except Refused as refused:
        raise BadSetting(refused.field, refused.message, refused.code) from None
    return {
        "name": name,
        "format": str(form),
        "match_score": scale,
        "match_score_assumed": bool(facts.get("match_score_assumed", False)),
        "tie_rule": str(tie_rule),
        "minutes": _count(facts, "minutes", MOST_MINUTES),
        "hands": _count(facts, "hands", 1000),
        "lead_levels": _count(facts, "lead_levels", 100),
        "rounds_planned": _count(facts, "rounds_planned", MOST_ROUNDS) or 1,
        "chain": chain,
        "plan": plan.to_json(),
    }


def _count(facts: Mapping[str, Any], name: str, most: int) -> int | None:
    value = facts.get(name)
    if value in (None, ""):
        return None
    if type(value) is not int or not 1 <= value <= most:
        raise BadSetting(
            f"stage.{name}", {"en": f"A whole number from 1 to {most}.", "zh": f"要是 1 到 {most} 的整数。"}
        )
    return value


def json_safe(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in facts.items()}
