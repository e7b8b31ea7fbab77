"""The protocol's `swiss_round`: reads the field, draws, and writes the round with its costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoring.hands.findings import Finding, Refused, refusal
from scoring.hands.reading import unknown_fields
from scoring.standings.results import EntrantId, entrant_findings, is_id, is_score, score_of
from tournaments.draws.apart import read_apart
from tournaments.draws.matching import Costs
from tournaments.draws.pairing import Pairing
from tournaments.draws.swiss import Infeasible, SwissRound, WhyNot, judged, swiss_round, why_not
from tournaments.draws.swiss_field import DEFAULT_RULES, Earlier, Field, Rule, Standing, Tier
from tournaments.plans.plan import Force

MOST_ENTRANTS, MOST_ROUNDS = 4_000, 100
_FIELDS = frozenset({"entrants", "rounds", "scores", "rules", "apart", "why_not"})


def answer_swiss_round(question: Mapping[str, Any]) -> dict[str, Any]:
    """`feasible`; when true `pairs`, `bye`, `costs` and `total`, with `why_not` as asked; else `reason` and `rules`.

    Refused on bad input, with everything that is wrong.
    """
    field, forced = _read(question)
    drawn = swiss_round(field)
    if isinstance(drawn, Infeasible):
        return _infeasible(drawn)
    answer: dict[str, Any] = {"feasible": True, **_drawn(drawn, field.tiers)}
    if forced is not None:
        answer["why_not"] = _why_not(why_not(field, *forced, drawn), field.tiers)
    return answer


def judge(question: Mapping[str, Any], pairing: Pairing, best: Mapping[str, Any]) -> dict[str, Any]:
    """What a pairing that somebody made costs beside the best answer to the question.

    `costs`, `total`, and when there is a best round its `best` total and `dearer_in`, the first tier in which the
    pairing costs more or less. Refused when the pairing names a stranger.
    """
    field, _ = _read(question)
    made = judged(field, pairing)
    mine = _by_tier(made.total, field.tiers)
    said: dict[str, Any] = {"costs": _costs(made, field.tiers), "total": mine}
    if not best.get("feasible"):
        return said
    total: Mapping[str, int] = best["total"]
    return said | {"best": dict(total), "dearer_in": next((name for name in mine if mine[name] != total[name]), None)}


def explain_why_not(
    question: Mapping[str, Any], best: Mapping[str, Any], one: EntrantId, other: EntrantId | None
) -> dict[str, Any]:
    """The `why_not` of a round whose best answer is known already. Refused when the two cannot meet."""
    field, _ = _read(question)
    byes = () if best["bye"] is None else (best["bye"],)
    said = why_not(field, one, other, judged(field, Pairing(tuple((a, b) for a, b in best["pairs"]), byes)))
    return _why_not(said, field.tiers)


def _read(question: Mapping[str, Any]) -> tuple[Field, tuple[EntrantId, EntrantId | None] | None]:
    """The field of a question, and the meeting that is asked about; Refused with everything that is wrong."""
    findings = unknown_fields(question, _FIELDS)
    entrants = _entrants(question.get("entrants"), findings)
    rounds = read_rounds(question.get("rounds"), findings)
    known = {str(id): id for id in [*(id for id, _, _ in entrants), *(id for one in rounds for id in one.pairing)]}
    scores = _scores(question.get("scores"), "scores", known, findings)
    rules = _rules(question.get("rules"), findings)
    apart = read_apart(question.get("apart"), [id for id, _, _ in entrants], findings)
    forced = _forced(question.get("why_not"), findings)
    if findings:
        raise Refused(findings)
    standings = [Standing(id, rank, scores.get(id, Fraction(0)), unit) for id, rank, unit in entrants]
    return Field(standings, rounds, rules, apart), forced


def _why_not(said: WhyNot, tiers: Sequence[Tier]) -> dict[str, Any]:
    return {
        "forbidden_by": [rule.value for rule in said.forbids],
        "dearer_in": None if said.tier is None else said.tier.name.lower(),
        **(
            _infeasible(said.forced)
            if isinstance(said.forced, Infeasible)
            else {"feasible": True, **_drawn(said.forced, tiers)}
        ),
    }


def _drawn(drawn: SwissRound, tiers: Sequence[Tier]) -> dict[str, Any]:
    pairing = drawn.pairing
    return {
        "pairs": [list(pair) for pair in pairing.pairs],
        "bye": pairing.byes[0] if pairing.byes else None,
        "costs": _costs(drawn, tiers),
        "total": _by_tier(drawn.total, tiers),
    }


def _costs(drawn: SwissRound, tiers: Sequence[Tier]) -> list[dict[str, Any]]:
    return [{"home": one.home, "away": one.away, **_by_tier(one.costs, tiers)} for one in drawn.meetings]


def _infeasible(said: Infeasible) -> dict[str, Any]:
    return {"feasible": False, "reason": dict(said.reason), "rules": [rule.value for rule in said.rules]}


def _by_tier(costs: Costs, tiers: Sequence[Tier]) -> dict[str, int]:
    return {tier.name.lower(): costs[tier] for tier in tiers}


def _entrants(data: object, findings: list[Finding]) -> list[tuple[EntrantId, int, str | None]]:
    """Ids, ranks and units."""
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) > MOST_ENTRANTS:
        en = f"Entrants must be a list of at most {MOST_ENTRANTS} objects."
        findings.append(refusal("wrong_type", "entrants", en, f"参赛方应是列表，最多 {MOST_ENTRANTS} 项。"))
        return []
    found: list[tuple[EntrantId, int, str | None]] = []
    for i, one in enumerate(data):
        if not isinstance(one, Mapping) or set(one) - {"id", "rank", "unit"}:
            en, zh = "An entrant is an object of id, rank and unit.", "参赛方应是含 id、rank、unit 的对象。"
            findings.append(refusal("wrong_type", f"entrants.{i}", en, zh))
            continue
        id: Any = one.get("id")
        rank, unit = one.get("rank"), one.get("unit")
        if type(rank) is not int or not (unit is None or isinstance(unit, str)) or not is_id(id):
            en, zh = (
                "An id is a text or whole number, a rank a whole number, a unit a text.",
                "编号应是文字或整数，名次应是整数，单位应是文字。",
            )
            findings.append(refusal("wrong_type", f"entrants.{i}", en, zh))
            continue
        found.append((id, rank, unit or None))
    findings += entrant_findings([id for id, _, _ in found])
    return found


def _scores(
    data: object, at: str, known: Mapping[str, EntrantId], findings: list[Finding]
) -> dict[EntrantId, Fraction]:
    """Scores by id; in JSON the ids are texts."""
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        findings.append(refusal("wrong_type", at, "Scores must be an object.", "分数应是对象。"))
        return {}
    found = {}
    for id, score in data.items():
        if str(id) not in known:
            findings.append(
                refusal("unknown_entrant", f"{at}.{str(id)[:40]}", "This is not an entrant.", "这不是参赛方。")
            )
        elif not is_score(score, optional=False):
            en, zh = "A score is an exact decimal text.", "分数应是精确的小数文字。"
            findings.append(refusal("wrong_type", f"{at}.{id}", en, zh))
        else:
            found[known[str(id)]] = score_of(score)
    return found


def read_rounds(data: object, findings: list[Finding]) -> list[Earlier]:
    """Earlier rounds: pairs, who had a bye (one id, or a list of them), perhaps the scores before."""
    if data is None:
        return []
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) > MOST_ROUNDS:
        en, zh = f"Rounds must be a list of at most {MOST_ROUNDS}.", f"轮次应是列表，最多 {MOST_ROUNDS} 轮。"
        findings.append(refusal("wrong_type", "rounds", en, zh))
        return []
    found = (_round(one, f"rounds.{i}", findings) for i, one in enumerate(data))
    return [one for one in found if one is not None]


def _round(data: Any, at: str, findings: list[Finding]) -> Earlier | None:
    pairs: Any = data.get("pairs") if isinstance(data, Mapping) else None
    sound = isinstance(data, Mapping) and not set(data) - {"pairs", "bye", "scores"} and isinstance(pairs, Sequence)
    if not sound or not all(map(_is_pair, pairs or ())) or not all(map(is_id, _byes(data))):
        en = "A round is an object of pairs (two ids each), bye and perhaps scores before it."
        findings.append(
            refusal("wrong_type", at, en, "每轮应是含 pairs（每对两个编号）、bye，以及可选 scores 的对象。")
        )
        return None
    pairing = Pairing(tuple((home, away) for home, away in pairs), tuple(_byes(data)))
    named = list(pairing)
    if len(set(named)) < len(named):
        en, zh = "Somebody is in this round twice.", "有参赛方在这一轮出现了两次。"
        findings.append(refusal("twice_in_a_round", at, en, zh))
    known = {str(id): id for id in named}
    return Earlier(pairing, _scores(data.get("scores"), f"{at}.scores", known, findings))


def _byes(data: Mapping[str, Any]) -> list[Any]:
    bye = data.get("bye")
    return list(bye) if isinstance(bye, list | tuple) else [] if bye is None else [bye]


def _is_pair(data: object) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str) and len(data) == 2 and all(map(is_id, data))


def _rules(data: object, findings: list[Finding]) -> dict[Rule, Force]:
    """`true` is the usual force of a rule, `false` none; "must" and "prefer" say it outright."""
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        findings.append(refusal("wrong_type", "rules", "Rules must be an object.", "规则应是对象。"))
        return {}
    found = {}
    for name, force in data.items():
        if name not in set(DEFAULT_RULES) or not (isinstance(force, bool) or force in ("must", "prefer", "off")):
            en = f"Rules are {', '.join(DEFAULT_RULES)}, each true, false, must or prefer."
            findings.append(refusal("unknown_value", f"rules.{str(name)[:40]}", en, "没有这条规则，或取值不对。"))
        elif isinstance(force, bool):
            found[Rule(name)] = DEFAULT_RULES[Rule(name)] if force else Force.OFF
        else:
            found[Rule(name)] = Force(force)
    return found


def _forced(data: Any, findings: list[Finding]) -> tuple[EntrantId, EntrantId | None] | None:
    if data is None:
        return None
    pair = isinstance(data, Sequence) and not isinstance(data, str) and len(data) == 2
    if pair and is_id(data[0]) and (data[1] is None or is_id(data[1])):
        return data[0], data[1]
    en, zh = "Name two entrants, or one and null for the bye.", "请写两个参赛方；问轮空时第二个写 null。"
    findings.append(refusal("wrong_type", "why_not", en, zh))
    return None
