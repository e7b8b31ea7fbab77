"""The JSON shapes of the product's things. Names are joined here, at the edge."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring import profiles
from scoring.values import exact as text_of
from tournaments.boards.reads import KeptBack, played_here, shown_later
from tournaments.boards.results import Adjustment
from tournaments.ledger.codes import entrant_code_text, party_code_text, pin_text
from tournaments.ledger.corrections import Corrected, CorrectionPreview
from tournaments.ledger.hands_on_record import Replayed
from tournaments.ledger.officials_entries import Ruled
from tournaments.ledger.previewing import Preview
from tournaments.ledger.recorded import Recorded
from tournaments.models import (
    Board,
    Call,
    CheckIn,
    Correction,
    DrawnLots,
    Entrant,
    EntrantCode,
    HistoryEntry,
    Invitation,
    LedgerEntry,
    Match,
    MatchPlace,
    Official,
    PartyCode,
    Publication,
    Round,
    Ruling,
    RulingAct,
    Sitting,
    Stage,
    Table,
    Tournament,
)
from tournaments.people.roll_call import LateTable, RollRow
from tournaments.plans.boards import Both
from tournaments.rulings.acts import Done
from tournaments.rulings.adjusted_boards import Adjusted
from tournaments.rulings.reads import ByClause
from tournaments.sittings.records import SittingRecord
from tournaments.stages.facts import WORTHS
from tournaments.standings.settled import State
from tournaments.standings.shown import StandingRow

Document = dict[str, Any]


def _time(value: Any) -> str | None:
    return None if value is None else value.isoformat()


def exact(hundredths: int | None) -> str | None:
    """Hundredths as an exact decimal text."""
    if hundredths is None:
        return None
    whole, rest = divmod(abs(hundredths), 100)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else f"{sign}{whole}"


def profile(one: profiles.Profile) -> Document:
    return {"id": one.id, "version": one.version, "digest": one.digest, "title": dict(one.title), "spec": one.spec()}


def event(one: Tournament) -> Document:
    return {
        "slug": one.slug,
        "name": one.name,
        "name_latin": one.name_latin,
        "place": one.place,
        "starts_on": one.starts_on and one.starts_on.isoformat(),
        "language": one.language,
        "timezone": one.timezone,
        "profile": profile(one.profile),
        "single_official": one.single_official,
        "live_public": one.live_public,
        "penalties": one.penalty_schedule.spec,
        "appeal_minutes": int(one.appeal_time.total_seconds() // 60),
        "demo": one.demo,
        "lot_commitment": one.lot_commitment,
    }


def stage(one: Stage) -> Document:
    return {
        "number": one.number,
        "name": one.name,
        "format": one.format,
        "match_score": one.match_score,
        "match_score_assumed": one.match_score_assumed,
        "tie_rule": one.tie_rule,
        "minutes": one.minutes,
        "hands": one.hands,
        "lead_levels": one.lead_levels,
        "rounds_planned": one.rounds_planned,
        "chain": one.chain,
        "plan": one.plan,
        "begun_at": _time(one.begun_at),
    }


def entrant(one: Entrant) -> Document:
    return {
        "number": one.number,
        "name": one.name,
        "name_latin": one.name_latin,
        "unit": one.unit,
        "category": one.category,
        "seed": one.seed,
        "withdrawn": one.withdrawn_at is not None,
        "players": [{"name": player.name, "name_latin": player.name_latin} for player in one.players.all()],
    }


def brief(one: Entrant | None) -> Document | None:
    return None if one is None else {"number": one.number, "name": one.name, "name_latin": one.name_latin}


def check_in(one: CheckIn | None) -> Document:
    """A check-in; empty when there was none to take back."""
    if one is None:
        return {}
    return {
        "entrant": one.entrant.number,
        "round": None if one.round is None else one.round.number,
        "arrived_at": _time(one.arrived_at),
        "own_code": one.noted_by_id is None,
        "undone_at": _time(one.undone_at),
    }


def roll_row(row: RollRow) -> Document:
    return {
        "entrant": brief(row.entrant),
        "table": row.table,
        "side": row.side or None,
        "bye": row.bye,
        "arrived_at": None if row.check_in is None else _time(row.check_in.arrived_at),
    }


def late_table(table: LateTable) -> Document:
    return {
        "table": table.sitting.table.number,
        "sitting": table.sitting.pk,
        "parties": [
            {
                "side": party.side,
                "entrant": brief(party.entrant),
                "minutes": party.minutes,
                "arrived_at": _time(party.arrived_at),
                "ruled": party.ruled,
            }
            for party in table.parties
        ],
    }


def round_(one: Round) -> Document:
    return {
        "number": one.number,
        "stage": one.stage.number,
        "extra": one.extra,
        "status": one.status,
        "started_at": _time(one.started_at),
        "ends_at": _time(one.ends_at),
        "stopped_at": _time(one.stopped_at),
        "closed_at": _time(one.closed_at),
    }


def board(
    stage: Stage,
    number: int,
    sittings: Sequence[Sitting],
    scores: Mapping[int, Both],
    adjusted: Mapping[int, Adjustment],
) -> Document:
    """A board at all tables: its results, official marks with their reason, and exact scores by match, home first."""
    deal = stage.deals[number]
    return {
        "number": number,
        "dealer": str(deal.dealer),
        "level": str(deal.level),
        "trump": str(deal.trump or ""),
        "measure": str(stage.directing.measure),
        "board_scale": str(stage.directing.board_scale or WORTHS[stage.format][0]),
        "results": [_at_table(one, number, adjusted.get(one.pk)) for one in sittings],
        "scores": [
            {"match": match, "home": text_of(home), "away": text_of(away)} for match, (home, away) in scores.items()
        ],
    }


def _at_table(one: Sitting, number: int, said: Adjustment | None) -> Document:
    """A board at one table; nulls where nothing was played, or no official put a mark in its place."""
    row = next((row for row in one.board_results.all() if row.board.number == number), None)
    return {
        "sitting": one.pk,
        "match": one.match_id,
        "round": one.round.number,
        "table": one.table.number,
        "room": one.room,
        "outcome": one.match.outcome,
        "north_south": brief(one.north_south),
        "east_west": brief(one.east_west),
        "dealer_side": row.dealer_side if row else "",
        "attackers_points": row.attackers_points if row else None,
        "hand_points": row.hand_points if row else None,
        "ns_mark": row.ns_mark if row else None,
        "ew_mark": row.ew_mark if row else None,
        "reason": said.reason if said else "",
        "clause": said.clause if said else "",
    }


def place(one: MatchPlace) -> Document:
    """One player's place at a table, with what he had at its end."""
    return {
        "place": one.place,
        "entrant": brief(one.entrant),
        "score": exact(one.hundredths),
        "level": one.level,
        "hands_won": one.hands_won,
        "penalties": one.penalties,
        "winner": one.winner,
    }


def match(one: Match, sittings: Iterable[Sitting], kept: KeptBack | None = None) -> Document:
    """A match; in an individual game its players stand under `places`. Of one that is `kept` back no result is told."""
    made = _match(one, sittings, kept or KeptBack())
    if kept is not None and one.pk in kept.matches:
        made |= dict.fromkeys(("home_score", "away_score", "net", "away_net"))
        made |= dict.fromkeys(("home_level", "away_level", "winner_side", "decided_by"), "")
    return made | {"places": [place(row) for row in one.places.all()]} if one.individual else made


def _match(one: Match, sittings: Iterable[Sitting], kept: KeptBack) -> Document:
    return {
        "id": one.pk,
        "number": one.number,
        "home": brief(one.home),
        "away": brief(one.away),
        "outcome": one.outcome,
        "home_level": one.home_level,
        "away_level": one.away_level,
        "winner_side": one.winner_side,
        "decided_by": one.decided_by,
        "home_score": exact(one.home_hundredths),
        "away_score": exact(one.away_hundredths),
        "net": exact(one.net_hundredths),
        "away_net": exact(one.away_net_hundredths),
        "sittings": [seat(sitting, kept) for sitting in sittings],
    }


def seat(one: Sitting, kept: KeptBack | None = None) -> Document:
    """A sitting without its hands; of one that is `kept` back its boards, those played, and when they are shown."""
    made: Document = {
        "id": one.pk,
        "table": one.table.number,
        "game": one.game,
        "room": one.room,
        "home_side": one.home_side,
        "boards": one.boards,
        "phase": one.phase,
        "scored_by": one.scored_by,
        "revision": one.revision,
        "hand_no": one.hand_no,
        "state": one.state,
    }
    if kept is None or one.pk not in kept.sittings:
        return made
    waiting = sorted(set(one.boards or ()) - kept.boards)
    said = shown_later(waiting, live=one.round.tournament.live_public)
    told = {"played": played_here(one), "waiting": waiting, "message": dict(said)}
    return made | {"state": {"finished": one.state.get("finished", False)}, "kept_back": told}


def entry(one: LedgerEntry, *, inside: bool) -> Document:
    """One version of an entry; who wrote it (an id, a side) only for those inside the event."""
    made: Document = {
        "id": one.pk,
        "position": one.position,
        "version": one.version,
        "kind": one.kind,
        "hand_no": one.hand_no,
        "facts": one.facts,
        "status": one.status,
        "entered_at": _time(one.entered_at),
        "confirmed_at": _time(one.confirmed_at),
        "reason": one.reason,
    }
    if inside:
        made |= {
            "entered_side": one.entered_side,
            "entered_by": one.entered_by_id,
            "confirmed_side": one.confirmed_side,
            "confirmed_by": one.confirmed_by_id,
            "basis": one.basis,
        }
    return made


def sitting(record: SittingRecord, *, inside: bool, kept: KeptBack | None = None) -> Document:
    """A sitting with its confirmed hands and reasons; the entry that waits only for those inside the event.

    No hands of a sitting that is `kept` back.
    """
    one = record.sitting
    told = kept is None or one.pk not in kept.sittings
    made = seat(one, kept) | {
        "event": one.round.tournament.slug,
        "round": one.round.number,
        "match": one.match_id,
        "opening": one.opening,
        "hands": [
            entry(hand.entry, inside=inside)
            | {
                "result": hand.result.to_json(),
                "earlier": [entry(old, inside=inside) for old in hand.earlier],
            }
            for hand in (record.hands if told else ())
        ],
        "levels": {str(party): str(level) for party, level in record.state.levels.items()} if told else {},
    }
    if inside:
        made["waiting"] = record.waiting and entry(record.waiting, inside=True)
    return made


def recorded(one: Recorded) -> Document:
    return {
        "entry": one.entry.pk,
        "hand_no": one.entry.hand_no,
        "status": one.status,
        "answer": one.answer,
        "revision": one.revision,
        "replayed": one.replayed,
        "differing": list(one.differing),
        "findings": [finding.to_json() for finding in one.findings],
    }


def preview(one: Preview) -> Document:
    return {
        "findings": [finding.to_json() for finding in one.findings],
        "result": one.result and one.result.to_json(),
        "state": one.state.to_json(),
    }


def correction_preview(one: CorrectionPreview, numbers: Mapping[int, int]) -> Document:
    """`numbers` are entrant numbers by id."""
    return {
        "findings": [finding.to_json() for finding in one.findings],
        "changes": {field: {"recorded": old, "corrected": new} for field, (old, new) in one.changes.items()},
        "effects": {
            name: {
                "levels": {str(party): str(level) for party, level in effect.state.levels.items()},
                "match": dict(effect.match),
                "games": effect.games and dict(effect.games),
                "places": {
                    str(numbers[pk]): {"now": now, "then": then} for pk, (now, then) in sorted(effect.places.items())
                },
                "hands": [
                    {
                        "position": hand.position,
                        "hand_no": hand.hand_no,
                        "recorded": hand.recorded.to_json(),
                        "judged": hand.judged and hand.judged.to_json(),
                    }
                    for hand in effect.hands
                ],
            }
            for name, effect in one.effects.items()
        },
        "folds_into_one": one.folds_into_one,
        "needs_second_official": one.needs_second_official,
        "sitting_revision": one.sitting_revision,
    }


def correction(one: Correction) -> Document:
    return {
        "id": one.pk,
        "entry": one.entry_id,
        "facts": one.facts,
        "treatment": one.treatment,
        "reason": one.reason,
        "status": one.status,
        "proposed_at": _time(one.proposed_at),
        "decided_at": _time(one.decided_at),
    }


def corrected(one: Corrected) -> Document:
    return {
        "correction": correction(one.correction),
        "entry": one.entry and one.entry.pk,
        "revision": one.revision,
        "replayed": one.replayed,
    }


def ruled(one: Ruled) -> Document:
    return {
        "entry": one.entry and one.entry.pk,
        "sitting": one.sitting and one.sitting.pk,
        "match": one.match.pk,
        "outcome": one.match.outcome,
        "revision": one.revision,
        "replayed": one.replayed,
    }


def penalised(one: Done) -> Document:
    """A penalty given at the table: as what it did to the record, with the number of its ruling."""
    sitting = one.ruling.sitting
    did = ruled(Ruled(one.entry, sitting, sitting.match, one.revision, one.replayed))
    return did | {"ruling": one.ruling.number}


def recorded_hand(one: Replayed, *, faults: bool) -> Document:
    """The record of a hand as it is kept, what its cards come to, and where the entry that counts says otherwise.

    `faults`: with what the players did against the rules, for officials.
    """
    replay = one.replay.to_json()
    if not faults:
        del replay["findings"]
        for trick in replay["tricks"]:
            del trick["findings"]
    return {
        "sitting": one.recorded.sitting_id,
        "entry": one.entry.pk,
        "hand_no": one.recorded.hand_no,
        "number": one.recorded.number,
        "text": one.recorded.text,
        "digest": one.recorded.digest,
        "attached_at": _time(one.recorded.attached_at),
        "replay": replay,
        "disagreements": [found.to_json() for found in one.disagreements],
    }


def ruling(one: Ruling) -> Document:
    """A ruling as officials read it, with its acts in order."""
    return {
        "id": one.pk,
        "number": one.number,
        "sitting": one.sitting_id,
        "entry": one.entry_id,
        "hand_no": one.hand_no,
        "side": one.side,
        "source": one.source,
        "facts": one.facts,
        "clause": one.clause,
        "clause_text": one.clause_text,
        "profile_digest": one.profile_digest,
        "verdict": one.verdict,
        "proposal": one.proposal,
        "penalty": one.penalty,
        "status": one.status,
        "appeal": one.appeal,
        "appeal_until": _time(one.appeal_until),
        "proposed_at": _time(one.proposed_at),
        "decided_at": _time(one.decided_at),
        "acts": [ruling_act(act) for act in one.acts.all()],
    }


def ruling_act(one: RulingAct) -> Document:
    return {
        "step": one.step,
        "at": _time(one.at),
        "user": one.user_id,
        "side": one.side,
        "reason": one.reason,
        "entry": one.entry_id,
        "correction": one.correction_id,
        "committee": [member.user_id for member in one.committee.all()],
    }


def ruling_done(one: Done) -> Document:
    return {
        "ruling": ruling(one.ruling),
        "entry": one.entry and one.entry.pk,
        "correction": one.correction and one.correction.pk,
        "revision": one.revision,
        "replayed": one.replayed,
    }


def by_clause(one: ByClause) -> Document:
    """Decided rulings on one clause as everybody may read them: no persons, no table, nothing as told."""
    return {
        "clause": one.clause,
        "text": dict(one.text),
        "rulings": [
            {
                "number": made.number,
                "round": made.sitting.round.number,
                "verdict": made.verdict,
                "penalty": made.penalty,
                "status": made.status,
                "appeal": made.appeal,
                "stands": made.stands,
                "decided_at": _time(made.decided_at),
            }
            for made in one.rulings
        ],
    }


def call(one: Call) -> Document:
    return {
        "id": one.pk,
        "sitting": one.sitting_id,
        "kind": one.kind,
        "side": one.side,
        "hand_no": one.hand_no,
        "note": one.note,
        "called_at": _time(one.called_at),
        "taken_at": _time(one.taken_at),
        "closed_at": _time(one.closed_at),
    }


def standing(row: StandingRow) -> Document:
    """A place; with group, line, prize and the tie that waits only where there is one."""
    more = {
        "group": row.group,
        "qualifies": row.qualifies,
        "prize": row.prize,
        "undecided": row.undecided and dict(row.undecided),
    }
    return {
        "rank": row.rank,
        "shared": row.shared,
        "entrant": brief(row.entrant),
        "values": dict(row.values),
        "split_by": row.split_by,
        "why": row.why and dict(row.why),
    } | {name: value for name, value in more.items() if value is not None}


def drawn_lots(one: DrawnLots, numbers: Mapping[int, int]) -> Document:
    """Lots drawn by hand, entrants by their numbers on paper."""
    return {
        "number": one.number,
        "stage": one.stage.number,
        "order": [numbers[entrant] for entrant in one.order],
        "reason": one.reason,
        "drawn_at": _time(one.drawn_at),
    }


def publication(one: Publication, state: State) -> Document:
    """A published table and how settled it is now; what its frozen document calls provisional is as it was then."""
    return {
        "number": one.number,
        "round": one.round.number,
        "stage": one.stage.number,
        "supersedes": one.supersedes and one.supersedes.number,
        "superseded_by": one.superseded_by.number if hasattr(one, "superseded_by") else None,
        "reason": one.reason,
        "settled": state.settled.value,
        "provisional": state.provisional,
        "why": dict(state.why),
        "correction_until": _time(state.until),
        "digest": one.digest,
        "published_at": _time(one.published_at),
    }


def published(one: Publication, state: State, rows: Iterable[StandingRow]) -> Document:
    """The frozen document as digested, beside the rows with the names of today."""
    return publication(one, state) | {"document": json.loads(one.document), "rows": [standing(row) for row in rows]}


def code(one: PartyCode) -> Document:
    """A code as it is printed on the card; only for officials."""
    return {"table": one.table.number, "side": one.side, "code": party_code_text(one), "pin": pin_text(one)}


def adjusted(one: Adjusted) -> Document:
    """What stands of a board at a table after an official's act; null where nothing does."""
    row = one.result
    return {
        "revision": one.revision,
        "result": row
        and {
            "board": row.board.number,
            "dealer_side": row.dealer_side or None,
            "attackers_points": row.attackers_points,
            "hand_points": row.hand_points,
            "ns": row.ns_mark,
            "ew": row.ew_mark,
        },
    }


def fixed_board(one: Board) -> Document:
    return {"number": one.number, "dealer": one.dealer, "level": one.level, "trump": one.trump or None}


def own_code(one: EntrantCode) -> Document:
    """An entrant's own code as it is printed; only for officials."""
    return {"entrant": one.entrant.number, "code": entrant_code_text(one)}


def table(one: Table) -> Document:
    return {"number": one.number}


def history_entry(one: HistoryEntry) -> Document:
    return {
        "id": one.pk,
        "at": _time(one.at),
        "user": one.user_id,
        "side": one.side,
        "sitting": one.sitting_id,
        "round": one.round and one.round.number,
        "act": one.act,
        "subject": one.subject,
        "reason": one.reason,
        "old": one.old,
        "new": one.new,
    }


def official(one: Official) -> Document:
    return {
        "id": one.pk,
        "user": one.user.username,
        "name": one.user.display_name,
        "office": one.office,
        "tables": sorted(table.number for table in one.tables.all()),
    }


def invitation(one: Invitation) -> Document:
    """Without the name of the account: who guesses a username learns nothing of its owner."""
    return {
        "id": one.pk,
        "event": one.tournament.slug,
        "user": one.user.username,
        "office": one.office,
        "tables": sorted(table.number for table in one.tables.all()),
        "invited_at": one.invited_at.isoformat(),
    }
