"""Chains of tie-breaks (小分次序): those of practice, what may follow what, and what their columns are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from scoring.hands.findings import Finding, finding, refusal
from scoring.standings.scales import Scale
from scoring.standings.tiebreaks import TIEBREAKS, AmongTied, TieBreak
from scoring.values import Text, readable
from scoring.wording import MINUS, both

_NET_IMPS = both("net IMPs", "净 IMP")
#: What points can be besides match scores of plain differences, with the names that tables and sentences then give to
#: the tie-breaks that count them.
POINTS_ARE: Mapping[str, Mapping[str, Text]] = MappingProxyType(
    {
        "matchpoints": {"points": both("per cent over the average", "高出平均的百分点")},
        "cross_imp": {"points": both("cross-IMPs", "交叉 IMP")},
        "cross_levels": {"points": both("levels over the other tables", "对各桌的级差")},
        "imps": {"points": both("IMPs", "IMP"), "board_points": _NET_IMPS},
        "victory_points": {"points": both("victory points", "胜利分"), "board_points": _NET_IMPS},
        "victory_points_of_levels": {"points": both("victory points", "胜利分")},
        "points_by_imps": {"board_points": _NET_IMPS},
    }
)


def title_of(code: str, points_are: str | None = None) -> Text:
    """The name of a tie-break; that of points may be their own."""
    own = {} if points_are is None else POINTS_ARE[points_are]
    return own.get(code, TIEBREAKS[code].title)


#: What a tie-break can measure that is a gain or a loss.
_SIGNED = frozenset({"net_levels", "mini_net", "board_points"})


def figure(code: str, text: str) -> str:
    """What a tie-break measured, from its exact text, as tables for people have it: ``+3`` where it is a gain."""
    shown = readable(text).replace("-", MINUS)
    return f"+{shown}" if shown and code in _SIGNED and not shown.startswith(MINUS) else shown


#: The chains of practice, by kind of event.
CHAINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "swiss": ("points", "opponents", "wins", "head_to_head", "net_levels", "sum_levels", "lots"),
        "round_robin": ("points", "mini_group", "mini_net", "net_levels", "sum_levels", "penalties", "lots"),
        "round_robin_extra": ("points", "mini_group", "extra_match", "lots"),
        "round_robin_net": ("points", "mini_net", "net_levels", "sum_levels", "penalties", "lots"),
        "base15": ("points", "last_round_back", "lots"),
        "base13": ("points", "head_to_head", "wins", "best_scores", "lots"),
        "duplicate": ("points", "opponents", "head_to_head", "board_points", "lots"),
        "individual": ("points", "wins", "hands_won", "last_round_back", "penalties", "lots"),
        "individual_levels": ("points", "sum_levels", "wins", "hands_won", "last_round_back", "penalties", "lots"),
    }
)


def chain_findings(chain: Sequence[object], scale: Scale | None = None) -> list[Finding]:
    """What is wrong with a chain of tie-breaks, all at once; with a scale also what that scale does not give."""
    found: list[Finding] = []
    seen: set[str] = set()
    for i, code in enumerate(chain):
        at = f"chain.{i}"
        if not isinstance(code, str) or code not in TIEBREAKS:
            found.append(finding("unknown_tiebreak", at))
            continue
        item, following = TIEBREAKS[code], chain[i + 1 :]
        en, zh = item.title["en"], item.title["zh"]
        if code in seen:
            found.append(
                refusal("tiebreak_twice", at, f"The tie-break {en} is there twice.", f"小分项{zh}出现了两次。")
            )
        elif isinstance(item, TieBreak) and item.last_resort and following:
            text = "Lots decide every tie: nothing after them could."
            found.append(refusal("lots_not_last", at, text, "抽签必能分出先后，后面不能再有小分项。"))
        elif isinstance(item, AmongTied) and item.waits and any(code != "lots" for code in following):
            text = "An extra match comes after every other tie-break; only lots may follow."
            found.append(refusal("extra_match_not_last", at, text, "加赛须在其他小分项之后，其后只能抽签。"))
        elif scale is not None and item.by_levels and scale.by_hands:
            text = f"Hand points are no levels: there is no {en} to compare."
            found.append(refusal("levels_not_here", at, text, f"按各副积分计分没有级数，不能比{zh}。"))
        seen.add(code)
    return found


def default_chain(chain: Sequence[str], scale: Scale | None) -> tuple[str, ...]:
    """The usual chain without what this scale does not give."""
    return tuple(code for code in chain if not (scale is not None and scale.by_hands and TIEBREAKS[code].by_levels))
