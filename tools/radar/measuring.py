"""The figures behind the radar: how often honest play is flagged, and how many of each doctored way.

`python -m tools.radar` measures everything anew from the seed in the file, prints it, and says whether it is what the
file has; `--write` writes it; `--matches 200 --hands 200` measures a slice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from scoring.profiles import Profile
from scoring.profiles.loader import individual_ids, profile_ids
from scoring.radar.flags import REVOKES, best_climb, board_flags, runs, table_flags
from scoring.radar.rates import Honest, honest_of, median
from scoring.radar.seen import BoardSeen, Kind
from tools.radar.doctored import WAYS, knew_the_board
from tools.radar.played import BOARDS, Match, bank, boards, matches, returns, rules

SEED = "radar-2026"
#: Hands played by cards for each profile, and a third as many that flags are tried on.
HANDS = 1_000
#: Matches put together of them by the rules that are played most, by the others, and matches doctored in each way.
MATCHES, FEWER, DOCTORED = 10_000, 2_000, 500
MOST_PLAYED = ("scn2-2013", "cn-national-2d", "sandayi", "zhaopengyou")
#: Boards that eight tables played, and hands judged for returns; both by the rules of this profile.
BOARDS_PLAYED, RETURNS, OF = 200, 2_000, "scn2-2013"
DIRECT = ("8", "9")


def profiles() -> list[str]:
    """All profiles, those that are played most first."""
    return list(dict.fromkeys((*MOST_PLAYED, *profile_ids(), *individual_ids())))


def matches_of(profile: str, most: int = MATCHES) -> int:
    shares = dict.fromkeys(MOST_PLAYED, MATCHES)
    return max(1, most * shares.get(profile, FEWER) // MATCHES)


def measured(profile: str, *, hands: int = HANDS, many: int = MATCHES, doctored: int = DOCTORED) -> dict[str, Any]:
    """All figures of one profile. What is usual is counted in some matches, flags in others, of other hands."""
    kind = rules(profile)
    drawn = bank(kind, hands, f"{SEED}/usual")
    data = usual(matches(kind, drawn, many, f"{SEED}/usual"))
    known = honest_of(data, {})
    others = bank(kind, max(1, hands // 3), f"{SEED}/tried")
    flagged = Counter[str](dict.fromkeys(kinds(), 0))
    for match in matches(kind, others, many, f"{SEED}/tried"):
        found = kinds_in(match, known)
        flagged.update(found)
        flagged["any"] += bool(found)
    return data | {"flagged": dict(flagged), "tried": doctored, "doctored": _doctored(kind, others, known, doctored)}


def kinds() -> tuple[str, ...]:
    return (*(str(kind) for kind in Kind if kind not in (Kind.FIELD, Kind.RETURN)), "any")


def usual(played: Iterable[Match]) -> dict[str, Any]:
    """What honest matches come to: figures of hands; the highest climb and the longest run of each match."""
    figures, climbs, longest = Counter[int](), Counter[int](), Counter[int]()
    hands = many = 0
    for match in played:
        many += 1
        hands += len(match.table.hands)
        figures.update(hand.figure for hand in match.table.hands if hand.figure is not None)
        best = best_climb(match.table.hands)
        climbs[0 if best is None else best[0]] += 1
        longest[max(map(len, runs(match.table.hands)), default=0)] += 1
    return {
        "hands": hands,
        "matches": many,
        "figures": _written(figures),
        "climbs": _written(climbs),
        "runs": _written(longest),
    }


def _written(counts: Mapping[int, int]) -> dict[str, int]:
    return {str(number): counts[number] for number in sorted(counts)}


def kinds_in(match: Match, known: Honest) -> set[str]:
    """What is flagged of a match."""
    found = {str(flag.kind) for flag in table_flags(match.table, known)}
    return found | ({str(Kind.REVOKES)} if max(match.revokes.values()) >= REVOKES else set())


def _doctored(profile: Profile, drawn: Sequence[Any], known: Honest, many: int) -> dict[str, int]:
    """Of so many matches doctored in each way: those with a flag that the honest match does not have."""
    caught = dict.fromkeys(WAYS, 0)
    for number, match in enumerate(matches(profile, drawn, many, f"{SEED}/doctored")):
        before = {flag.key for flag in table_flags(match.table, known)}
        for name, (_, way) in WAYS.items():
            chance = Random(f"{SEED}/{name}/{number}")  # noqa: S311 - chance, not secrecy
            after = way(profile, match, drawn, chance)
            new = {flag.key for flag in table_flags(after.table, known)} - before
            more = max(after.revokes.values()) >= REVOKES > max(match.revokes.values())
            caught[name] += bool(new) or more
    return caught


def measured_boards(*, many: int = BOARDS_PLAYED, tried: int = MATCHES) -> dict[str, Any]:
    """How far results of a board are from the middle of the others; and matches of eight boards."""
    profile = rules(OF)
    played = boards(profile, many, f"{SEED}/usual")
    apart = Counter(
        abs(one[3] - median([other[3] for m, other in enumerate(board.results) if m != n])) * 200 // board.points
        for board in played
        for n, one in enumerate(board.results)
    )
    data = {"profile": OF, "boards": many, "results": apart.total(), "apart": _written(apart)}
    known = honest_of({"figures": {}, "climbs": {}, "runs": {}, "hands": 0, "matches": 0}, {"boards": data})
    others = boards(profile, max(BOARDS, many // 3), f"{SEED}/tried")
    chance = Random(f"{SEED}/boards")  # noqa: S311 - chance, not secrecy
    flagged = caught = 0
    for _ in range(tried):
        flagged += _at_one_table(chance.sample(others, BOARDS), known, chance.randrange(8))
        known_boards = knew_the_board(others, chance)
        caught += _at_one_table(known_boards, known, 0)
    return data | {"matches": tried, "flagged": flagged, "knew_the_board": caught}


def _at_one_table(chosen: Sequence[BoardSeen], known: Honest, table: int) -> bool:
    """Whether a result of this table is flagged."""
    mine = ((board, board.results[table]) for board in chosen)
    return any(
        flag.place == one[0] and flag.hand == one[1] for board, one in mine for flag in board_flags(board, known)
    )


def measured_returns(*, many: int = RETURNS) -> dict[str, Any]:
    """How often a return is owed, and not made by players who know of no signal."""
    owed, broken = returns(rules(OF), many, SEED, DIRECT)
    return {"profile": OF, "hands": many, "direct": list(DIRECT), "settled": owed, "not_made": broken}
