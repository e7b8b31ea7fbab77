"""Audit: every result of an event worked out again from its ledger, and compared with what is recorded.

It reads an event document (see `record`), so it does the same on the machine that keeps the event and on any
other. Nothing is written. What was frozen (draws, pairings, publications) is looked at in `documents`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import profiles
from scoring.cards.record_reading import parse
from scoring.cards.records import write_all
from scoring.hands.findings import Refused
from scoring.individual.states import IndividualState
from scoring.values import Side
from scoring.wording import both

from ..acts.text import digest_of, text_digest
from ..boards.reads import room_of
from ..models import (
    Board,
    EntryStatus,
    LedgerEntry,
    Match,
    MatchOutcome,
    Round,
    Sitting,
    SittingPhase,
    Stage,
    Tournament,
)
from ..plans.boards import FieldMatch, Marks, PairTable, Played, Room, in_field, played_of
from ..plans.boards import compare as compare_rooms
from ..rounds.steps import bye_hundredths
from ..sittings.games import State, replay_hand, two_sides
from ..sittings.ledgers import FOLD, Ledger, cached_state
from ..sittings.next_games import BY_GAMES, plays_games
from ..sittings.results import (
    FORFEITS,
    as_stored,
    by_field,
    match_on_boards,
    match_result,
    place_results,
    result_in_field,
    unplayed_result,
)
from ..standings.tables import rows_json
from .certificate import Certificate, CheckedLine, Difference, Verdict
from .documents import (
    compare,
    deal_lines,
    draw_lines,
    field_lines,
    lots_lines,
    pairing_lines,
    publication_lines,
    ruling_lines,
)
from .publications import PublishedResults
from .record import FORMAT, OLDER_FORMATS, file_digest, record_digest
from .standings import EventFacts, rows_by, rule_changes


class NotAnEvent(ValueError):
    """The document is not an event export of a known format, or parts of it are missing."""


def audit(document: Mapping[str, Any]) -> list[Difference]:
    """Every difference of an event document, in order; empty when all is as the rules have it."""
    return certify(document).differences


def certify(document: Mapping[str, Any]) -> Certificate:
    """The certificate of an event document; NotAnEvent when it is none, or not whole."""
    if not isinstance(document, Mapping) or document.get("format") not in (FORMAT, *OLDER_FORMATS):
        raise NotAnEvent("this is not an event export of a known format")
    try:
        facts = document["tournament"]
        lines = tuple(_lines(document))
        return Certificate(facts["slug"], record_digest(document), document.get("scope", ""), lines)
    except Refused as refused:
        raise NotAnEvent(f"the export contradicts itself: {refused.message['en']}") from refused
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise NotAnEvent(f"the export is incomplete: {type(error).__name__}: {error}") from error


def _lines(document: Mapping[str, Any]) -> Iterator[CheckedLine]:
    facts = document["tournament"]
    event = Tournament(id=facts["id"], slug=facts["slug"], profile_spec=facts["profile_spec"])
    yield _file_line(document)
    try:
        profile = event.profile
    except profiles.ProfileError as error:
        found = Difference(facts["slug"], "profile", facts["profile_spec"], error.code)
        yield CheckedLine("rules", RULES, facts["profile_digest"], Verdict.REPRODUCED, differences=(found,))
        return
    yield _rules_line(document, profile)
    yield from lots_lines(document)
    yield from deal_lines(document)
    stages = {row["id"]: _stage(event, row, document) for row in document["stages"]}
    rounds = {row["id"]: _round(stages[row["stage_id"]], row) for row in document["rounds"]}
    record = EventFacts(document, stages, rounds)
    yield from field_lines(document)
    yield from draw_lines(document)
    yield from pairing_lines(document)
    yield from _round_lines(record)
    yield from _record_lines(document, rounds, profile)
    yield from ruling_lines(document)
    yield from _run_lines(record)
    yield from publication_lines(document, PublishedResults(record))


def _stage(event: Tournament, row: Mapping[str, Any], document: Mapping[str, Any]) -> Stage:
    """A stage with its boards, nothing of it in the database."""
    stage = Stage(tournament=event, **{name: row[name] for name in row})
    boards = [Board(**one) for one in document.get("boards", ()) if one["stage_id"] == row["id"]]
    stage.__dict__["deals"] = {board.number: board.fixed for board in boards}
    return stage


def _round(stage: Stage, row: Mapping[str, Any]) -> Round:
    return Round(
        id=row["id"],
        tournament=stage.tournament,
        stage=stage,
        number=row["number"],
        status=row["status"],
        extra=row.get("extra", False),
    )


def _file_line(document: Mapping[str, Any]) -> CheckedLine:
    """The digests a document states of itself; older ones state none."""
    title = both("The export itself", "导出文件本身")
    if "digest" not in document:
        note = both("an older export, without a digest of its own", "旧版导出，没有自己的摘要码")
        return CheckedLine("export", title, record_digest(document), Verdict.RECORDED, note)
    found = compare("export", document, {"digest": record_digest(document), "file_digest": file_digest(document)})
    return CheckedLine("export", title, document["digest"], Verdict.REPRODUCED, differences=tuple(found))


RULES = both("The rules of the event", "本赛事的规则")


def _rules_line(document: Mapping[str, Any], profile: profiles.Profile) -> CheckedLine:
    facts = document["tournament"]
    found = list(_audit_rule_changes(document))
    if not profile.is_known_as(facts["profile_digest"]):
        found += compare(facts["slug"], {"profile_digest": facts["profile_digest"]}, {"profile_digest": profile.digest})
    count = len(rule_changes(document))
    note = both(f"changed {count} times", f"改过 {count} 次") if count else None
    return CheckedLine("rules", RULES, facts["profile_digest"], Verdict.REPRODUCED, note, tuple(found))


#: What the public export leaves out while it could still be used.
WITHHELD = both("boards that other tables have to play are left out", "其他桌还要打的牌副暂不公布")


def _round_lines(record: EventFacts) -> Iterator[CheckedLine]:
    """Round by round: every sitting folded again, every match result worked out from its sittings."""
    played, matches_of = _Played.of(record), rows_by(record.document["matches"], "round_id")
    for row in record.document["rounds"]:
        round_, matches = record.rounds[row["id"]], matches_of[row["id"]]
        sittings = [one for match in matches for one in record.sittings[match["id"]]]
        entries = [entry for one in sittings for entry in record.entries[one["id"]]]
        found = [one for match in matches for one in _audit_match(match, round_, played)]
        withheld = row["id"] in record.document.get("withheld", ())
        yield CheckedLine(
            "round",
            both(
                f"Round {round_.number}: {len(sittings)} sittings, {len(entries)} entries",
                f"第 {round_.number} 轮：{len(sittings)} 席，{len(entries)} 条记录",
            ),
            digest_of({"matches": matches, "sittings": sittings, "ledger": entries}),
            Verdict.RECORDED if withheld else Verdict.REPRODUCED,
            WITHHELD if withheld else None,
            differences=tuple(found),
        )


@dataclass(frozen=True, slots=True)
class _Played:
    """The record with what boards need: numbers of tables and boards by id, results of boards by sitting; what each
    match of a stage of pairs comes to, by stage and match."""

    record: EventFacts
    tables: Mapping[int, int]
    boards: Mapping[int, int]
    board_results: Mapping[int, list[Mapping[str, Any]]]
    fields: dict[int, Mapping[int, FieldMatch]]

    @classmethod
    def of(cls, record: EventFacts) -> _Played:
        document = record.document
        # older documents have fewer sections
        return cls(
            record,
            {row["id"]: row["number"] for row in document["tables"]},
            {row["id"]: row["number"] for row in document.get("boards", ())},
            rows_by(document.get("board_results", ()), "sitting_id"),
            {},
        )

    def in_field(self, stage: Stage) -> Mapping[int, FieldMatch]:
        """What each match of a stage of duplicate pairs comes to, compared over its tables as they are kept."""
        if stage.pk not in self.fields:
            forfeited = {row["id"] for row in self.record.document["matches"] if row["outcome"] in FORFEITS}
            tables = [
                PairTable(row["match_id"], self._room(row))
                for row in self.record.document["sittings"]
                if self.record.rounds[row["round_id"]].stage_id == stage.pk
                and row.get("active", True)
                and row["match_id"] not in forfeited
            ]
            self.fields[stage.pk] = in_field(tables, stage.directing, stage.tournament.profile, stage.deals)
        return self.fields[stage.pk]

    def _room(self, seat: Mapping[str, Any]) -> Room:
        kept = {self.boards[row["board_id"]]: row for row in self.board_results[seat["id"]]}
        got = {
            number: Played(Side(row["dealer_side"]), row["hand_points"], row["attackers_points"])
            for number, row in kept.items()
            if row["hand_points"] is not None
        }
        over = seat["phase"] == SittingPhase.FINISHED
        return Room(Side(seat["home_side"]), tuple(seat["boards"]), got, self.marks(seat["id"]), over)

    def marks(self, sitting: int) -> dict[int, Marks]:
        """What officials put in place of results at a sitting, by number of the board."""
        rows = [row for row in self.board_results[sitting] if row["ns_mark"] is not None]
        return {self.boards[row["board_id"]]: Marks(row["ns_mark"], row["ew_mark"]) for row in rows}


def _audit_match(row: Mapping[str, Any], round_: Round, played: _Played) -> Iterator[Difference]:
    """Every sitting of a match folded, and its result worked out from all of them."""
    match = Match(
        id=row["id"],
        round=round_,
        home_id=row["home_id"],
        away_id=row["away_id"],
        outcome=row["outcome"],
        winner_side=row["winner_side"],
        decided_by=row["decided_by"],
    )
    seats = sorted(played.record.sittings[row["id"]], key=lambda seat: seat["id"])
    if not seats:
        yield from _audit_bye(row, round_)
        return
    folded: list[tuple[Ledger, State]] = []
    for seat in seats:
        where = _where(round_, seat, played)
        yield from _audit_versions(where, played.record.entries[seat["id"]])
        ledger = _ledger(match, seat, played)
        try:
            folded.append((ledger, ledger.fold()))
        except Refused as refused:
            yield Difference(where, "ledger", "entries that count", refused.code)
            return
    ruled = _ruled(match, folded)
    for seat, (ledger, state) in zip(seats, folded, strict=True):
        yield from _audit_sitting(_where(round_, seat, played), seat, ledger, state, ruled=ruled)
        yield from _audit_boards(_where(round_, seat, played), ledger, state, played)
    where = _where(round_, seats[0], played)
    expected = unplayed_result(round_.stage, MatchOutcome(match.outcome)) if ruled else _result(folded, played)
    # older exports have fewer columns
    yield from compare(where, row, {name: value for name, value in as_stored(expected).items() if name in row})
    for place, columns in place_results(folded[0][1]).items():
        recorded = next((one for one in played.record.places[row["id"]] if one["place"] == place), {})
        yield from compare(f"{where} place {place}", recorded, columns)


def _where(round_: Round, seat: Mapping[str, Any], played: _Played) -> str:
    room = f" {seat['room']} room" if seat.get("boards") is not None else ""
    game = f" game {seat['game']}" if seat.get("game", 1) > 1 else ""
    return f"round {round_.number} table {played.tables[seat['table_id']]}{room}{game}"


def _ledger(match: Match, seat: Mapping[str, Any], played: _Played) -> Ledger:
    """The ledger of a sitting, read from the document."""
    sitting = Sitting(match=match, round=match.round, **{name: seat[name] for name in _SITTING if name in seat})
    return Ledger(sitting, match, [_entry(sitting, row) for row in played.record.entries[seat["id"]]])


_SITTING = ("id", "opening", "state", "phase", "room", "game", "home_side", "boards", "decided_side")


def _ruled(match: Match, folded: Sequence[tuple[Ledger, State]]) -> bool:
    """Whether a forfeit was ruled on the match itself: the ledgers do not know of it."""
    if match.outcome not in FORFEITS:
        return False
    if plays_games(folded[0][0]):
        return match.decided_by != BY_GAMES
    return not any(
        not isinstance(state, IndividualState) and state.finished and state.decided_by == "forfeit"
        for _, state in folded
    )


def _result(folded: Sequence[tuple[Ledger, State]], played: _Played) -> Mapping[str, Any]:
    """The columns of a match's result from all its sittings: games in their order, both rooms, or the one table."""
    ledger, state = folded[0]
    if ledger.sitting.boards is not None:
        rooms = [room_of(one.sitting, two_sides(fold), played.marks(one.sitting.pk)) for one, fold in folded]
        stage = ledger.stage
        if by_field(ledger):
            over = two_sides(state).finished
            return result_in_field(stage, played.in_field(stage).get(ledger.match.pk) if over else None)
        return match_on_boards(ledger, compare_rooms(rooms, stage.directing, ledger.profile, stage.deals))
    if plays_games(ledger):
        for one, fold in folded:
            one.sitting.state = cached_state(fold)
        ledger.games = [one.sitting for one, _ in sorted(folded, key=lambda pair: pair[0].sitting.game)]
    return match_result(ledger, state)


def _audit_bye(row: Mapping[str, Any], round_: Round) -> Iterator[Difference]:
    if row["outcome"] == MatchOutcome.BYE:
        where = f"round {round_.number} bye {row['home_id']}"
        yield from compare(where, row, {"home_hundredths": bye_hundredths(round_.stage)})


def _audit_sitting(
    where: str, seat: Mapping[str, Any], ledger: Ledger, state: State, *, ruled: bool
) -> Iterator[Difference]:
    expected = cached_state(state)
    if FOLD not in seat["state"]:  # kept by an older version, which folded every ledger from nothing
        del expected[FOLD]
    yield from compare(where, seat["state"], expected)
    yield from compare(where, seat, {"hand_no": ledger.next_hand_no()})
    # of several games that a ruling ended, those played to their end are over anyhow
    over = state.finished or (ruled and seat.get("active", True))
    if over != (seat["phase"] == SittingPhase.FINISHED):
        yield Difference(where, "phase", seat["phase"], "finished" if over else "not finished")


def _audit_boards(where: str, ledger: Ledger, state: State, played: _Played) -> Iterator[Difference]:
    """What the boards came to as kept beside the fold."""
    numbers = ledger.sitting.boards
    if numbers is None:
        return
    expected = played_of(two_sides(state), numbers)
    kept = {played.boards[row["board_id"]]: row for row in played.board_results[ledger.sitting.pk]}
    for number in numbers:
        got, row = expected.get(number), kept.get(number)
        if got is None and row is None:
            continue
        columns = {
            "dealer_side": "" if got is None else str(got.dealer_side),
            "hand_points": None if got is None else got.hand_points,
            "attackers_points": None if got is None else got.attackers_points,
        }
        yield from compare(f"{where} board {number}", row or {}, columns)
    for number in sorted(set(kept) - set(numbers)):
        yield Difference(f"{where} board {number}", "board", "a result", "not played here")


def _entry(sitting: Sitting, row: Mapping[str, Any]) -> LedgerEntry:
    names = ("id", "position", "version", "kind", "hand_no", "facts", "status")
    return LedgerEntry(sitting=sitting, **{name: row[name] for name in names})


def _audit_versions(where: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Difference]:
    """At most one version of an entry counts, two parties or an official stand behind it, hands are numbered once."""
    positions: dict[int, int] = defaultdict(int)
    hands: dict[int, int] = defaultdict(int)
    for row in rows:
        if row["status"] != EntryStatus.EFFECTIVE:
            continue
        positions[row["position"]] += 1
        if row["hand_no"] is not None:
            hands[row["hand_no"]] += 1
        if row["facts"].get("kind", row["kind"]) != row["kind"]:
            yield Difference(f"{where} entry {row['position']}", "kind", row["kind"], row["facts"]["kind"])
        by_sides = row["entered_side"] and (row["confirmed_side"] or row["confirmed_by_id"] is not None)
        by_official = row["entered_by_id"] is not None and row["basis"]
        if not (by_sides or by_official) or row["confirmed_side"] == row["entered_side"] != "":
            yield Difference(f"{where} entry {row['position']}", "parties", "one", "two, or an official with a basis")
    for position, count in positions.items():
        if count > 1:
            yield Difference(f"{where} entry {position}", "effective versions", count, 1)
    for hand_no, count in hands.items():
        if count > 1:
            yield Difference(f"{where} hand {hand_no}", "effective entries", count, 1)


def _record_lines(
    document: Mapping[str, Any], rounds: Mapping[int, Round], profile: profiles.Profile
) -> Iterator[CheckedLine]:
    """The records of hands, where there are any."""
    rows = document.get("recorded_hands", ())
    if rows:
        found = tuple(_audit_recorded_hands(document, rounds, profile))
        title = both(f"{len(rows)} records of hands", f"{len(rows)} 份牌谱")
        yield CheckedLine("records", title, digest_of(rows), Verdict.REPRODUCED, differences=found)


def _audit_recorded_hands(
    document: Mapping[str, Any], rounds: Mapping[int, Round], profile: profiles.Profile
) -> Iterator[Difference]:
    """Each record of a hand: its digest, its text as it is written, its entry, and that its cards can be judged."""
    tables = {row["id"]: row["number"] for row in document["tables"]}
    places = {row["id"]: f"round {rounds[row['round_id']].number} table {tables[row['table_id']]}"
              for row in document["sittings"]}  # fmt: skip
    counting = {(row["sitting_id"], row["hand_no"]) for row in document["ledger"]
                if row["status"] == EntryStatus.EFFECTIVE}  # fmt: skip
    # documents from before hands had records have none
    for row in document.get("recorded_hands", ()):
        where = f"{places[row['sitting_id']]} hand {row['hand_no']} record {row['number']}"
        yield from compare(where, row, {"digest": text_digest(row["text"])})
        if (row["sitting_id"], row["hand_no"]) not in counting:
            yield Difference(where, "entry", "one that counts", None)
        try:
            hands = parse(row["text"], profile)
            yield from compare(where, row, {"text": write_all(hands)})
            for hand in hands:
                replay_hand(profile, hand)
        except Refused as refused:
            yield Difference(where, "record", "a hand that can be judged", refused.code)


def _run_lines(record: EventFacts) -> Iterator[CheckedLine]:
    """The live tables."""
    for run in record.document["standings"]:
        stage = record.stages[run["stage_id"]]
        title = both(f"Live standings of stage {stage.number}", f"第 {stage.number} 阶段实时名次")
        yield CheckedLine(
            "live", title, run["digest"], Verdict.REPRODUCED, differences=tuple(_audit_run(record, run, stage))
        )


def _audit_run(record: EventFacts, run: Mapping[str, Any], stage: Stage) -> Iterator[Difference]:
    """A live table, which claims to cover everything that happened."""
    where, now = f"standings of stage {stage.number}", record.document["tournament"]["stale_number"]
    yield from compare(where, run, {"digest": digest_of(run["rows"])})
    if run["covers"] != now:
        yield Difference(where, "covers", run["covers"], now)
        return
    try:
        rows = rows_json(record.basis(stage).tables())
    except Refused as refused:
        yield Difference(where, "rows", "results that can be ranked", refused.code)
        return
    yield from compare(where, run, {"rows": rows})


def _audit_rule_changes(document: Mapping[str, Any]) -> Iterator[Difference]:
    """Each change leads from the rules before it to those after it, and the last one to the rules of the event."""
    changes, facts = rule_changes(document), document["tournament"]
    after = [{"spec": change["old_spec"], "digest": change["old_digest"]} for change in changes[1:]]
    after.append({"spec": facts["profile_spec"], "digest": facts["profile_digest"]})
    for change, then in zip(changes, after, strict=False):
        led_to = {"spec": change["new_spec"], "digest": change["new_digest"]}
        if led_to != then:
            yield Difference(f"rule change {change['id']}", "rule changes", led_to, then)
