"""The fields of a stage: read and completed. What does not fit is refused by `misfits`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.hands.findings import Refused
from scoring.individual.standings import INDIVIDUAL_TIEBREAKS
from scoring.standings import chains, scales, tiebreaks

from ..acts.text import TextProblem, clean_line
from ..models import StageFormat, TieRule
from ..plans.plan import Plan
from ..plans.presets import DEFAULT_CHAINS
from .forms import STAGE_FIELDS
from .misfits import INDIVIDUAL, KNOCKOUT, PAIRS, SWISS, WORTHS, BadSetting, Settings, misfits_of, refuse_all

MOST_MINUTES = 600
MOST_ROUNDS = 60


def stage_facts(facts: Mapping[str, Any], *, begun: bool = False) -> dict[str, Any]:
    """The fields of a stage, checked; what is not stated gets the format's usual value. `begun`: its field is fixed."""
    unknown = sorted(set(facts) - set(STAGE_FIELDS))
    if unknown:
        message = {"en": "There is no such field.", "zh": "没有这一项。"}
        raise BadSetting(f"stage.{unknown[0]}", message, "unknown_field")
    form = facts.get("format", SWISS)
    if form not in StageFormat.values:
        raise BadSetting("stage.format", {"en": "There is no such format.", "zh": "没有这种赛制。"})
    scale = _scale(facts, str(form))
    try:
        name = clean_line(facts.get("name", ""), max_length=80)
    except TextProblem as problem:
        raise BadSetting("stage.name", problem.message, problem.code) from None
    plan = _plan(facts, str(form))
    rounds = _count(facts, "rounds_planned", MOST_ROUNDS)
    if rounds is None:
        plan = {**plan, "rounds_by_field": True}
    read = {
        "name": name,
        "format": str(form),
        "match_score": scale,
        "match_score_assumed": bool(facts.get("match_score_assumed", False)),
        "tie_rule": _tie_rule(facts, str(form)),
        "minutes": _count(facts, "minutes", MOST_MINUTES),
        "hands": _count(facts, "hands", 1000),
        "lead_levels": _count(facts, "lead_levels", 100),
        "rounds_planned": rounds or 1,
        "chain": _chain(facts, str(form), scale),
        "plan": plan,
    }
    refuse_all(misfits_of(Settings.of(read), begun=begun))
    return read


def changed_facts(current: Mapping[str, Any], changes: Mapping[str, Any], *, begun: bool) -> dict[str, Any]:
    """The fields of a stage after some were changed; a number of rounds that is stated stays as stated.

    What is not stated and is the usual follows what is (`usual_with`).
    """
    wanted = {**current, **changes}
    if wanted["format"] in StageFormat.values:
        wanted = {**current, **usual_with(current, changes), **changes}
    stated = changes.get("rounds_planned")
    if stated is not None and stated != current["rounds_planned"] and isinstance(wanted["plan"], Mapping):
        wanted["plan"] = {key: value for key, value in wanted["plan"].items() if key != "rounds_by_field"}
    return stage_facts(wanted, begun=begun)


def usual_with(current: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Match score, chain and tie rule of a stage whose format or match score changes.

    What was the usual before becomes the usual of what it is now, what was chosen stays; single players have no match
    score to choose.
    """
    before, scale = current["format"], current["match_score"]
    after = changes.get("format", before)
    fitting = _usual_scale(after) if scale == _usual_scale(before) or after == INDIVIDUAL else scale
    fitting = changes.get("match_score", fitting)
    chain, tie_rule = current["chain"], current["tie_rule"]
    return {
        "match_score": fitting,
        "chain": _usual_chain(after, fitting) if chain == _usual_chain(before, scale) else chain,
        "tie_rule": _usual_tie_rule(after) if tie_rule == _usual_tie_rule(before) else tie_rule,
    }


def _usual_tie_rule(form: str) -> str:
    return "on_stage" if form == KNOCKOUT else "draw"


def _usual_scale(form: str) -> str:
    return "" if form == INDIVIDUAL else "hand_points" if form == PAIRS else "mp_210"


def _usual_chain(form: str, scale: Any) -> list[str]:
    counted = scales.SCALES.get(scale) if isinstance(scale, str) else None
    return list(chains.default_chain(DEFAULT_CHAINS[form], counted))


def _scale(facts: Mapping[str, Any], form: str) -> str:
    alone = form == INDIVIDUAL
    scale = facts.get("match_score", _usual_scale(form))
    if alone and scale:
        raise BadSetting(
            "stage.match_score",
            {"en": "Single players keep the score of their hands.", "zh": "个人赛直接计各人得分，没有场分办法。"},
        )
    if not alone and (not isinstance(scale, str) or scale not in scales.SCALES):
        raise BadSetting("stage.match_score", {"en": "There is no such match score.", "zh": "没有这种场分办法。"})
    return str(scale)


def _tie_rule(facts: Mapping[str, Any], form: str) -> str:
    tie_rule = facts.get("tie_rule") or _usual_tie_rule(form)
    if tie_rule not in TieRule.values:
        raise BadSetting("stage.tie_rule", {"en": "There is no such rule.", "zh": "没有这种办法。"})
    return str(tie_rule)


def _chain(facts: Mapping[str, Any], form: str, scale: str) -> list[str]:
    counted = scales.SCALES[scale] if scale else None
    chain = facts.get("chain")
    if chain is None:
        return _usual_chain(form, scale)
    if chain == []:
        raise BadSetting("stage.chain", code="chain_empty")
    if not isinstance(chain, list) or not all(isinstance(code, str) for code in chain) or len(set(chain)) < len(chain):
        raise BadSetting("stage.chain", {"en": "Name each tie-break once.", "zh": "每种破同分办法只写一次。"})
    known = INDIVIDUAL_TIEBREAKS if form == INDIVIDUAL else tuple(tiebreaks.TIEBREAKS)
    strange = [code for code in chain if code not in known]
    if strange:
        raise BadSetting(
            "stage.chain",
            {"en": f"There is no tie-break {strange[0]} here.", "zh": f"这里没有 {strange[0]} 这种破同分办法。"},
        )
    contradictions = chains.chain_findings(chain, counted)
    if contradictions:
        raise BadSetting("stage.chain", contradictions[0].message, contradictions[0].code)
    return chain


def _plan(facts: Mapping[str, Any], form: str) -> dict[str, Any]:
    given = facts.get("plan")
    try:
        plan = Plan.from_json({} if given is None else given, "stage.plan").to_json()
    except Refused as refused:
        raise BadSetting(refused.field, refused.message, refused.code) from None
    if form in WORTHS and plan.get("board_scale") == WORTHS[form][0]:
        del plan["board_scale"]
    return plan


def _count(facts: Mapping[str, Any], name: str, most: int) -> int | None:
    value = facts.get(name)
    if value in (None, ""):
        return None
    if type(value) is not int or not 1 <= value <= most:
        raise BadSetting(
            f"stage.{name}", {"en": f"A whole number from 1 to {most}.", "zh": f"要是 1 到 {most} 的整数。"}
        )
    return value
