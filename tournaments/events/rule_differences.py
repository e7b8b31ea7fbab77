"""What other rules would make of an event: every sitting judged under both, and whatever differs. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.hands.findings import Finding, Refused
from scoring.profiles import Profile
from scoring.sittings.states import EntryResult, Opening, SittingState

from ..models import LedgerEntry, Sitting, Stage, Tournament
from ..sittings.games import game_of, two_sides
from ..sittings.ledgers import Ledger, cached_state
from ..sittings.next_games import plays_games
from ..sittings.results import as_stored, match_result, ruled_on_match
from ..standings.rankings import basis_of, with_result
from ..standings.results import COUNTED_ROUNDS


@dataclass(slots=True)
class Judged:
    """A sitting under one set of rules. `results` and `problems` are by position; a problem blocks its entry."""

    ledger: Ledger
    state: SittingState
    results: dict[int, EntryResult] = field(default_factory=dict)
    problems: dict[int, tuple[Finding, ...]] = field(default_factory=dict)


def under(event: Tournament, spec: Any) -> Tournament:
    """The event as it would be under other rules; never saved."""
    trial = copy(event)
    trial.profile_spec = spec
    return trial


def ledgers_of(event: Tournament) -> list[Ledger]:
    """Every sitting that a pairing shows, by round and table, with its entries. Two queries."""
    rows: dict[int, list[LedgerEntry]] = defaultdict(list)
    for row in LedgerEntry.objects.filter(tournament=event.pk).order_by("sitting_id", "position", "version"):
        rows[row.sitting_id].append(row)
    seated = (
        Sitting.objects.filter(round__tournament=event.pk, match__superseded_in=None)
        .select_related("match", "round__stage", "table")
        .order_by("round__number", "table__number", "game", "pk")
    )
    ledgers, games = [], defaultdict[int, list[Sitting]](list)
    for sitting in seated:
        sitting.round.tournament = event
        sitting.match.round = sitting.round
        games[sitting.match_id].append(sitting)
        ledgers.append(Ledger(sitting, sitting.match, rows[sitting.pk], games[sitting.match_id]))
    return ledgers


def differences(event: Tournament, spec: Any) -> dict[str, Any]:
    """What differs when the event is judged by the rules of `spec`: JSON with ids, never names.

    `matches`: sittings whose record differs, with the columns of the match under both and the hands that differ (None
    under `new`: no longer counts); `places`: ranks that move; `blocked`: entries that the new rules cannot judge, with
    the finding; `judged`: how many sittings and entries were looked at.
    """
    trial = under(event, spec)
    pairs = [
        (judge(old, opening_of(old)), judge(new, opening_under(opening_of(old), event, trial)))
        for old, new in zip(ledgers_of(event), ledgers_of(trial), strict=True)
    ]
    return {
        "matches": [one for one in (_match(old, new) for old, new in pairs) if one is not None],
        "places": [row for stage in event.stages.order_by("number") for row in _places(stage, trial, pairs)],
        "blocked": [row for old, new in pairs for row in _blocked(old, new)],
        "judged": {"sittings": len(pairs), "entries": sum(len(old.ledger.effective) for old, _ in pairs)},
    }


def judge(ledger: Ledger, opening: Opening) -> Judged:
    """One sitting from an opening under the rules of the ledger's event, up to its end or the first problem.

    What is wrong with a sheet itself is found for every entry, also behind a problem.
    """
    judged = Judged(ledger, two_sides(game_of(ledger.profile).start(ledger.profile, opening, ledger.conditions)))
    for row in ledger.effective:
        if judged.state.finished:
            break
        try:
            _judge_entry(judged, row, ledger.profile)
        except Refused as refused:
            judged.problems[row.position] = refused.findings
    judged.state = replace(judged.state, entries=tuple(judged.results.values()))
    if plays_games(ledger):  # the match is made of all its games as they are judged here
        ledger.sitting.state = cached_state(judged.state)
    return judged


def _judge_entry(judged: Judged, row: LedgerEntry, profile: Profile) -> None:
    game = game_of(profile)
    entry = game.read_entry(profile, row.facts)
    blocking = [one for one in game.check_entry(profile, entry) if one.blocking]
    if blocking:
        raise Refused(blocking)
    if not judged.problems:
        judged.state, result = game.step(profile, judged.ledger.conditions, judged.state, entry)
        judged.results[row.position] = result


def opening_of(ledger: Ledger) -> Opening:
    """The opening as recorded, of a sitting of two sides."""
    opening = ledger.opening
    assert isinstance(opening, Opening)
    return opening


def opening_under(opening: Opening, old: Tournament, new: Tournament) -> Opening:
    """The opening under new rules: who began at the first level of the old ladder begins at that of the new one."""
    first, then = old.profile.ladder.first, new.profile.ladder.first
    levels = {side: then if level == first else level for side, level in opening.levels.items()}
    return replace(opening, levels=levels)


def columns_of(judged: Judged) -> Mapping[str, Any]:
    """The columns of the match's result; a forfeit ruled on the match itself stays."""
    if ruled_on_match(judged.ledger):
        return {name: getattr(judged.ledger.match, name) for name in _RESULT}
    return as_stored(match_result(judged.ledger, judged.state))


def _match(old: Judged, new: Judged) -> dict[str, Any] | None:
    """What differs in one sitting, or None."""
    ledger = old.ledger
    then, now = ({**columns_of(one), **_standing(one.state)} for one in (old, new))
    hands = [
        {"entry": row.pk, "kind": row.kind, "hand_no": row.hand_no, "old": before, "new": after}
        for row, before, after in (
            (row, _hand(old.results.get(row.position)), _hand(new.results.get(row.position)))
            for row in ledger.effective
        )
        if before != after
    ]
    if then == now and not hands:
        return None
    return {
        "match": ledger.match.pk,
        "sitting": ledger.sitting.pk,
        "round": ledger.round.number,
        "table": ledger.sitting.table.number,
        "home": ledger.match.home_id,
        "away": ledger.match.away_id,
        "old": then,
        "new": now,
        "hands": hands,
    }


def _standing(state: SittingState) -> dict[str, Any]:
    where = state.position.to_json()
    return {"levels": where["levels"], "next_dealer": where["next_dealer"], "finished": state.finished}


def _hand(result: EntryResult | None) -> dict[str, Any] | None:
    """One entry's result in short: total, levels after it, and what the ledger before it contradicts."""
    if result is None:
        return None
    return {
        "total": None if result.total is None else result.total.raw,
        "levels": result.after.to_json()["levels"],
        "next_dealer": result.after.to_json()["next_dealer"],
        "discrepancies": [one.code for one in result.discrepancies],
    }


def _blocked(old: Judged, new: Judged) -> list[dict[str, Any]]:
    """Entries with a problem that they do not have under the old rules."""
    rows = []
    for row in new.ledger.effective:
        known = {one.code for one in old.problems.get(row.position, ())}
        found = next((one for one in new.problems.get(row.position, ()) if one.code not in known), None)
        if found is not None:
            rows.append(
                {
                    "round": new.ledger.round.number,
                    "table": new.ledger.sitting.table.number,
                    "sitting": new.ledger.sitting.pk,
                    "entry": row.pk,
                    "hand_no": row.hand_no,
                    **found.to_json(),
                }
            )
    return rows


def _places(stage: Stage, trial: Tournament, pairs: Sequence[tuple[Judged, Judged]]) -> list[dict[str, Any]]:
    """Ranks that move in the live table of a stage."""
    trial_basis = basis_of(stage, ladder=trial.profile.ladder)
    for _, new in pairs:
        if new.ledger.stage.pk == stage.pk and new.ledger.round.status in COUNTED_ROUNDS:
            trial_basis = with_result(trial_basis, new.ledger.match, columns_of(new))
    now, then = basis_of(stage).ranks(), trial_basis.ranks()
    return [
        {"stage": stage.number, "entrant": entrant, "old": now.get(entrant), "new": then.get(entrant)}
        for entrant in dict.fromkeys([*now, *then])
        if now.get(entrant) != then.get(entrant)
    ]


_RESULT = (
    "outcome", "home_level", "away_level", "winner_side", "decided_by", "home_hundredths", "away_hundredths",
    "net_hundredths", "away_net_hundredths", "finer_scores",
)  # fmt: skip
