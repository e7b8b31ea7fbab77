"""A whole event: matches, match scores and the table."""

from __future__ import annotations

from fractions import Fraction

from tests.slow.sittings import Sitting, number, with_corrections
from tests.slow.tables import rules_of


def work_out(event: dict) -> dict:
    """Everything that a case file leads to."""
    ranked = bracket_of if event["stage"]["format"] == "ko_timed" else table_of
    rounds = [
        {"number": one["number"], "matches": [_match(event, match, corrected=True) for match in one["matches"]]}
        for one in event["rounds"]
    ]
    before = [
        {"number": one["number"], "matches": [_match(event, match, corrected=False) for match in one["matches"]]}
        for one in event["rounds"]
    ]
    return {
        "rounds": rounds,
        "before_corrections": [
            {"round": one["number"], **worked}
            for one, source in zip(before, event["rounds"], strict=True)
            for worked, match in zip(one["matches"], source["matches"], strict=True)
            if match.get("corrections")
        ],
        "standings_before_corrections": ranked(event, before),
        "standings": ranked(event, rounds),
    }


def _match(event: dict, match: dict, *, corrected: bool) -> dict:
    stage = event["stage"]
    sitting = Sitting(
        rules_of(event["profile"]),
        {"levels": match["opening"]["levels"], "first_dealer": match["first_dealer"]},
        lead_levels=stage["lead_levels"],
        tie_rule=stage["tie_rule"],
    )
    ledger = with_corrections(match["ledger"], match.get("corrections", []) if corrected else [])
    sitting.play(ledger)
    forfeit = match.get("forfeit")
    if forfeit:
        outcome, decided_by = forfeit["outcome"], "forfeit"
        winner = {"home_forfeit": "EW", "away_forfeit": "NS", "double_forfeit": None}[outcome]
    else:
        if match["end"] == "time":
            sitting.end_at_time()
        outcome, decided_by, winner = "played", sitting.finished, sitting.winner
        assert decided_by is not None, f"table {match['table']} has no end"
        assert match["end"] == {"levels": "time", "tie_rule": "time"}.get(decided_by, decided_by)
    home_score, away_score = _mp_210(stage["scale"], outcome, winner)
    return {
        "table": match["table"],
        "home": match["home"],
        "away": match["away"],
        "outcome": outcome,
        "decided_by": decided_by,
        "winner": {"NS": match["home"], "EW": match["away"], None: None}[winner],
        "home_level": sitting.levels["NS"] if outcome == "played" else None,
        "away_level": sitting.levels["EW"] if outcome == "played" else None,
        "home_score": str(home_score),
        "away_score": str(away_score),
        "entries": sitting.lines,
    }


def _mp_210(scale: str, outcome: str, winner: str | None) -> tuple[int, int]:
    """practice §3: 2 / 1 / 0 (F7, F8, F28); a forfeit 2 : 0, both absent 0 : 0."""
    assert scale == "mp_210"
    if outcome == "double_forfeit":
        return 0, 0
    if winner is None:
        return 1, 1
    return (2, 0) if winner == "NS" else (0, 2)


def bracket_of(event: dict, rounds: list[dict]) -> list[dict]:
    """A knockout (practice §2): who came further stands higher; who went out in the same round shares a place."""
    out = {
        match["away"] if match["winner"] == match["home"] else match["home"]: one["number"]
        for one in rounds
        for match in one["matches"]
    }
    order = [entrant["id"] for entrant in sorted(event["entrants"], key=lambda entrant: entrant["number"])]
    came = {entrant: out.get(entrant, len(rounds) + 1) for entrant in order}
    return [
        {
            "entrant": entrant,
            "rank": 1 + len([other for other in order if came[other] > came[entrant]]),
            "shared": list(came.values()).count(came[entrant]) > 1,
            "values": {},
            "split_by": None,
        }
        for entrant in sorted(order, key=lambda entrant: -came[entrant])
    ]


def table_of(event: dict, rounds: list[dict]) -> list[dict]:
    """practice §4: tie-breaks one after the other; each splits the groups that are still tied."""
    matches = [match for one in rounds for match in one["matches"]]
    order = [entrant["id"] for entrant in sorted(event["entrants"], key=lambda entrant: entrant["number"])]
    groups = [order]
    values: dict[str, dict[str, Fraction]] = {entrant: {} for entrant in order}
    split_by: dict[str, str | None] = dict.fromkeys(order)
    for place, code in enumerate(event["stage"]["chain"]):
        if code != "head_to_head":
            for entrant in order:
                values[entrant][code] = _value(code, entrant, matches)
        following = []
        for group in groups:
            got = _head_to_head(group, matches) if code == "head_to_head" else {e: values[e][code] for e in group}
            if got is None:
                following.append(group)
                continue
            for entrant in group:
                values[entrant][code] = got[entrant]
            parts = [[e for e in group if got[e] == value] for value in sorted(set(got.values()), reverse=True)]
            if len(parts) > 1 and place > 0:
                split_by.update(dict.fromkeys(group, code))
            following.extend(parts)
        groups = following
    rows = []
    for group in groups:
        rank = len(rows) + 1
        rows.extend(
            {
                "entrant": entrant,
                "rank": rank,
                "shared": len(group) > 1,
                "values": {code: str(value) for code, value in values[entrant].items()},
                "split_by": split_by[entrant],
            }
            for entrant in group
        )
    return rows


def _points(entrant: str, matches: list[dict]) -> Fraction:
    home = sum(Fraction(match["home_score"]) for match in matches if match["home"] == entrant)
    away = sum(Fraction(match["away_score"]) for match in matches if match["away"] == entrant)
    return Fraction(home + away)


def _value(code: str, entrant: str, matches: list[dict]) -> Fraction:
    own = [match for match in matches if entrant in (match["home"], match["away"])]
    if code == "points":
        return _points(entrant, matches)
    if code == "opponents":  # 对手分: the final points of all opponents (F7, G4, B4)
        opponents = [match["away"] if match["home"] == entrant else match["home"] for match in own]
        return Fraction(sum(_points(opponent, matches) for opponent in opponents))
    if code == "wins":  # forfeits count as wins (practice §4, unplayed rounds)
        return Fraction(len([match for match in own if match["winner"] == entrant]))
    played = [match for match in own if match["outcome"] == "played"]  # forfeits give no level difference
    mine = [number(match["home_level"] if match["home"] == entrant else match["away_level"]) for match in played]
    theirs = [number(match["away_level"] if match["home"] == entrant else match["home_level"]) for match in played]
    if code == "net_levels":  # 净级 (G2, G4)
        return Fraction(sum(mine) - sum(theirs))
    if code == "sum_levels":  # the sum of own levels (G2)
        return Fraction(sum(mine))
    raise ValueError(f"the slow calculation does not know {code}")


def _head_to_head(group: list[str], matches: list[dict]) -> dict[str, Fraction] | None:
    """Only between two, and only if they met (practice §4, Swiss 4)."""
    if len(group) != 2:
        return None
    between = [match for match in matches if {match["home"], match["away"]} == set(group)]
    if not between:
        return None
    return {entrant: _points(entrant, between) for entrant in group}
