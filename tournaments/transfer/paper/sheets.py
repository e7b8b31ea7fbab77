"""Score sheets: one A4 page for each table of a round, to be written by hand under the rules of the event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import prefetch_related_objects

from scoring.hands.fields import EVERYONE, FIELDS, Column
from scoring.hands.variants import Scoring
from scoring.individual.entries import plays_levels
from scoring.individual.states import IndividualOpening
from scoring.profiles import Profile
from scoring.sittings.states import FixedHand, Opening
from scoring.values import Seat, Text
from scoring.wording import PLACES, SEATS, TRUMPS, level

from ...ledger.sheet_lines import sign_of
from ...models import Entrant, Match, Round, SideChoice, Sitting, StageFormat, Tournament
from ...rounds.public import round_matches
from ...sittings.games import GameOpening, game_of, parties_of
from ...sittings.records import conditions_of
from .typesetting import common, dated, language_of, moment, name_on_paper, set_pages

ROWS = 14
#: More would be too low to write in.
MOST_ROWS = 28
#: Lines without a number below fixed hands, for those that are dealt again.
SPARE_ROWS = 3

ROOMS: Mapping[str, Text] = {
    "open": {"en": "open room", "zh": "开室"},
    "closed": {"en": "closed room", "zh": "闭室"},
}


def _column(key: str, en: str, zh: str, width: int = 10) -> Column:
    return Column(key, {"en": en, "zh": zh}, width)


def columns_of(
    profile: Profile, *, fixed: bool = False, boards: bool = False, scoring: Scoring = Scoring.HAND_POINTS
) -> tuple[Column, ...]:
    """What a table writes down of each hand under these rules, from left to right.

    Where hands are `fixed` nobody keeps a level: a hand gives points, or is won. With `boards` each has its board's
    number.
    """
    first = _column("no", "Board", "牌号", 7) if boards else _column("no", "No.", "副次", 7)
    sheet = (first, *_of_hand(profile))
    if fixed:
        return (*sheet, *_of_fixed(_kept_of_fixed(scoring)))
    return (*sheet, *(_of_sides(profile) if profile.division == "sides" else _of_players(profile)))


def _of_hand(profile: Profile) -> tuple[Column, ...]:
    """Who deals, at which level and with which trump; then the parts of the attackers' total, or of what each took."""
    game = profile.division
    found = [one for field in FIELDS if game in field.games and field.here(profile) for one in field.columns]
    if profile.counter_ranks:
        found.append(replace(_column("countered", "Counter by", "反主", 11), rank=1))
    if game != EVERYONE:
        found.append(replace(_column("total", "Total", "总分", 9), rank=4))
    return tuple(sorted((one for one in found if game in one.games), key=lambda one: one.rank))


def _of_sides(profile: Profile) -> tuple[Column, ...]:
    return (
        _column("result", "Result", "结果", 10),
        _column("NS", "Level N–S", "南北方级别", 10),
        _column("EW", "Level E–W", "东西方级别", 10),
        _column("next", "Next dealer", "下副庄家", 9),
        _column("sign_NS", "Initials N–S", "南北方签字", 11),
        _column("sign_EW", "Initials E–W", "东西方签字", 11),
    )


def _kept_of_fixed(scoring: Scoring) -> Text:
    """What a side keeps where no level moves."""
    return {"en": "hands won", "zh": "胜副"} if scoring is Scoring.WINS else {"en": "points", "zh": "得分"}


def _of_fixed(kept: Text) -> tuple[Column, ...]:
    en, zh = kept["en"].capitalize(), kept["zh"]
    return (
        _column("NS", f"{en} N–S", f"南北方{zh}", 10),
        _column("EW", f"{en} E–W", f"东西方{zh}", 10),
        _column("sign_NS", "Initials N–S", "南北方签字", 11),
        _column("sign_EW", "Initials E–W", "东西方签字", 11),
    )


def _of_players(profile: Profile) -> tuple[Column, ...]:
    """Columns for each place: points taken where everybody plays alone, then gain over what he now has."""
    table, found, kept = parties_of(profile), [], kept_by(profile)
    if profile.division == "everyone":
        found += [_column(f"points_{place}", f"Points {place}", f"{place} 号得分", 9) for place in table]
    found += [_column(one, f"Seat {one}: ± / {kept['en']}", f"{one} 号 ± / {kept['zh']}", 13) for one in table]
    return (*found, _column("sign", "Initials", "签字", 14))


def kept_by(profile: Profile) -> Text:
    """What a party has after each hand: a level, or the sum of its gains."""
    levels = profile.division == "sides" or plays_levels(profile)
    return {"en": "level", "zh": "级别"} if levels else {"en": "sum", "zh": "累计"}


def opening_cells(profile: Profile, opening: GameOpening) -> dict[str, Text]:
    """What is known before the first hand, by column: levels, and who deals first."""
    cells = {str(party): level(one) for party, one in opening.levels.items()}
    if isinstance(opening, IndividualOpening):
        if opening.first_dealer is not None:
            cells["dealer"] = PLACES[opening.first_dealer]
        return cells
    contested = {"en": "open", "zh": "抢庄"}
    return cells | {"next": contested if opening.first_dealer is None else SEATS[opening.first_dealer]}


def score_sheets_pdf(round_: Round) -> bytes:
    """A score sheet for every table of a round, by table."""
    matches = round_matches(round_)
    prefetch_related_objects(matches, "home__players", "away__players")
    return set_pages("score_sheets.typ", sheets_data(round_, matches), dated(round_)[1])


def sheets_data(round_: Round, matches: list[Match]) -> dict[str, Any]:
    """Everything printed: the columns of the rules, and head, opening and lines of each table."""
    event, stage = round_.tournament, round_.stage
    number, at = dated(round_)
    boards = stage.directing.boards is not None
    fixed = boards or bool(stage.directing.fixed)
    scoring = stage.directing.scoring
    columns = columns_of(event.profile, fixed=fixed, boards=boards, scoring=scoring)
    kept = _kept_of_fixed(scoring) if fixed else kept_by(event.profile)
    seated = []
    for match in matches:
        for sitting in match.sittings.all():
            sitting.round = round_  # its stage, with the boards, is read once for all tables
            seated.append((sitting.table.number, sitting.room, sitting, match))
    rows = [str(row) for row in range(1, min(max(ROWS, stage.hands or 0), MOST_ROWS) + 1)]
    return common(event) | {
        "round": round_.number,
        "pairing": number,
        "time": moment(at, event),
        "profile": dict(event.profile.title),
        "digest": event.profile_digest,
        "individual": event.individual,
        "fixed": fixed,
        "final": {"en": f"final {kept['en']}", "zh": f"最后{kept['zh']}"},
        "rows": [{"no": {"en": row, "zh": row}} for row in rows],
        "columns": [{"key": one.key, "title": one.title, "width": one.width} for one in columns],
        "sheets": [_sheet(event, sitting, match) for *_, sitting, match in sorted(seated, key=lambda one: one[:2])],
    }


def _sheet(event: Tournament, sitting: Sitting, match: Match) -> dict[str, Any]:
    """One table. With fixed hands it has `lines` of its own; else what is known before play is its `opening`."""
    opening = game_of(event.profile).read_opening(sitting.opening)
    sheet = {
        "table": sitting.table.number,
        "room": dict(ROOMS[sitting.room]) if sitting.round.stage.format == StageFormat.DUPLICATE_TEAMS else None,
        "parties": _parties(event, match, sitting),
        "signs": [] if event.individual else _signs(event, sitting),
    }
    fixed = conditions_of(sitting).fixed
    if not fixed:
        return sheet | {"opening": opening_cells(event.profile, opening)}
    first = opening.first_dealer if isinstance(opening, Opening) else None
    return sheet | {"lines": [*fixed_lines(fixed, sitting.boards, first), *([{}] * SPARE_ROWS)]}


def _signs(event: Tournament, sitting: Sitting) -> list[str]:
    """The sign of every row, with which it can be typed in one line; none where rows are numbered by boards."""
    if sitting.boards is not None:
        return []
    known = {"round_number": sitting.round.number, "table": sitting.table.number}
    return [sign_of(event.slug, hand=row, **known) for row in range(1, MOST_ROWS + SPARE_ROWS + 1)]


def fixed_lines(fixed: Sequence[FixedHand], boards: Sequence[int] | None, first: Seat | None) -> list[dict[str, Text]]:
    """A line for each fixed hand: its board or number, dealer, level and trump where they are set.

    Where no dealer is set the deal goes round from the `first` dealer; while nobody knows him the cell stays empty.
    """
    lines, dealer = [], first
    for place, hand in enumerate(fixed):
        dealer = hand.dealer or (dealer.right if place and dealer is not None else dealer)
        number = str(place + 1 if boards is None else boards[place])
        line: dict[str, Text] = {"no": {"en": number, "zh": number}, "level": level(hand.level)}
        line |= {} if dealer is None else {"dealer": SEATS[dealer]}
        lines.append(line | ({} if hand.trump is None else {"trump": TRUMPS[hand.trump]}))
    return lines


def _parties(event: Tournament, match: Match, sitting: Sitting) -> list[Mapping[str, Any]]:
    if match.home is not None and match.away is not None:
        ns, ew = (match.home, match.away) if sitting.home_side == SideChoice.NS else (match.away, match.home)
        sides: tuple[tuple[Text, Entrant], ...] = (
            ({"en": "North–South", "zh": "南北方"}, ns),
            ({"en": "East–West", "zh": "东西方"}, ew),
        )
        return [_party(event, title, one, players=True) for title, one in sides]
    places = parties_of(event.profile)
    titles = {str(place): words for place, words in PLACES.items() if str(place) in places}
    return [_party(event, titles[one.place], one.entrant, players=False) for one in match.places.all()]


def _party(event: Tournament, title: Text, entrant: Entrant, *, players: bool) -> Mapping[str, Any]:
    named = [name_on_paper(one, event) for one in entrant.players.all()] if players else []
    return {
        "title": title,
        "number": entrant.number,
        "name": name_on_paper(entrant, event),
        "unit": entrant.unit,
        "players": "、".join(named) if language_of(event) == "zh" else ", ".join(named),
    }
