"""What is shown where somebody shares a page: title, one sentence, and what stands on the picture.

Only what the page itself shows to everybody is on it. The address of a picture holds the digest of what it says, so a
correction makes a new picture under a new address.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.parts.formats import day_words, exact
from referee.parts.names import Named, shortened, shown_name
from referee.parts.results import record_words, result_of
from referee.parts.states import STATES
from referee.parts.words import in_language, level_word, page_language, reached
from referee.public import story
from referee.public.presenters import entrant as entrants
from referee.public.presenters import event as events
from referee.public.presenters import match as matches
from scoring.values import Side
from tournaments.models import RoundStatus
from tournaments.standings import shown
from tournaments.standings.runs import publication_document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from referee.public.presenters.entrant import Way
    from referee.public.presenters.match import AtTable
    from referee.public.presenters.players import Seat
    from tournaments.models import Entrant, Publication, Sitting, Tournament
    from tournaments.sittings.records import SittingRecord
    from tournaments.standings.shown import StandingRow

_DIGITS: Final = 16
_LINES: Final = 5
_COLUMNS: Final = 48
_ON_PODIUM: Final = 3
_PLACED: Final = 8


@dataclass(frozen=True, slots=True)
class Shared:
    """`page` is the path of the page that is shared, `share` that of its sharing page, `data` what the picture says."""

    title: str
    sentence: str
    page: str
    share: str
    data: Mapping[str, Any]

    @property
    def digest(self) -> str:
        text = json.dumps(self.data, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]

    @property
    def card(self) -> str:
        return f"{self.share}card-{self.digest}.png"

    @property
    def poster(self) -> str:
        return f"{self.share}poster-{self.digest}.png"

    @property
    def paper(self) -> str:
        return f"{self.share}poster.pdf"


def of_match(sitting: Sitting, shown_match: Mapping[str, Any]) -> Shared:
    """A match from what its page shows (`presenters.match.page`)."""
    match, round_ = sitting.match, sitting.round
    said = {"r": round_.number, "t": sitting.table.number}
    known = {"number": round_.number, "table": sitting.table.number}
    where = _("Round %(r)s, table %(t)s") % said
    page = _path("match", round_.tournament, **known)
    common = {"where": where, "scan": _("Scan for every hand"), "foot": _foot(sitting, shown_match)}
    if match.individual:
        lines = [{"head": one.name, "text": _seat(one)} for one in shown_match["seats"]]
        sentence = shown_match["decided"] or _stands(shown_match)
        facts = {"kind": "facts", "title": where, "story": sentence, "lines": lines[:_LINES]}
        title = " · ".join([where, *(one.name for one in shown_match["seats"])])
        return _shared(round_.tournament, title, sentence, page, common | facts)
    left, right = _in_order(shown_match["here"])
    score = f"{_score(left, shown_match)} : {_score(right, shown_match)}"
    told = _told(sitting, shown_match)
    detail = "" if told.hand is None else _about(told.hand.entry.hand_no, getattr(told.hand.result, "sentence", None))
    picture = {
        "kind": "match",
        "score": score,
        "left": {"name": _name(left.entrant), "won": left.won},
        "right": {"name": _name(right.entrant), "won": right.won},
        "over": left.won or right.won,
        "won": _("won"),
        "story": told.sentence,
        "detail": detail,
        "chart": _chart(shown_match),
        "lines": [],
    }
    title = f"{_name(left.entrant)} {score} {_name(right.entrant)}"
    return _shared(round_.tournament, title, f"{told.sentence} · {where}", page, common | picture)


def of_entrant(entrant: Entrant, shown_entrant: Mapping[str, Any]) -> Shared:
    """An entrant from what its page shows (`presenters.entrant.page`)."""
    ways: Sequence[Way] = shown_entrant["ways"]
    done = [way for way in ways if way.state == "finished" and way.later is None]
    record = record_words(way.how for way in done)
    place = shown_entrant["place"]
    words = [_place(place.rank)] if place is not None and place.rank is not None else []
    sentence = " · ".join([*words, *([record] if record else [])]) or _("Takes part")
    data = {
        "kind": "facts",
        "where": "",
        "title": _name(entrant),
        "story": sentence,
        "lines": [
            {"head": _("Round %(n)s") % {"n": way.one.round.number}, "text": _way(way)} for way in done[-_LINES:]
        ],
        "scan": _("Scan for every match"),
        "foot": "",
    }
    page = _path("entrant", entrant.tournament, number=entrant.number)
    return _shared(entrant.tournament, _name(entrant), sentence, page, data)


def of_publication(publication: Publication) -> Shared:
    """Published standings: who leads or won, the first eight."""
    tournament, final = publication.tournament, bool(publication_document(publication)["final"])
    rows = shown.publication_rows(publication)
    first = [row for row in rows.at(range(min(_PLACED, len(rows)))) if row.rank is not None]
    names = [_name(row.entrant) for row in first]
    grouped = any(group is not None for group in rows.groups)
    number = {"n": publication.round.number}
    where = _("Final standings") if final else _("Standings after round %(n)s") % number
    sentence = where if grouped or not names else _leads(names[0], final=final)
    data = {
        "kind": "podium" if first and not grouped else "facts",
        "where": where,
        "title": where,
        "story": sentence,
        "places": [
            {"rank": _rank(row, final=final), "name": name}
            for row, name in zip(first[:_ON_PODIUM], names, strict=False)
        ],
        "others": [
            {"place": _number(row), "name": name}
            for row, name in zip(first[_ON_PODIUM:], names[_ON_PODIUM:], strict=True)
        ],
        "lines": [],
        "scan": _("Scan for all places"),
        "foot": _day(publication.published_at, tournament),
    }
    page = _path("publication", tournament, number=publication.number)
    return _shared(tournament, f"{_name(tournament)} · {where}", sentence, page, data)


def of_event(tournament: Tournament, shown_event: Mapping[str, Any]) -> Shared:
    """An event from what its page shows (`presenters.event.now`)."""
    round_, publication = shown_event["round"], shown_event["publication"]
    lines = [{"head": _("Entrants"), "text": str(shown_event["entered"])}]
    if round_ is not None:
        state = _("is being played") if round_.status == RoundStatus.RUNNING else round_.get_status_display()
        lines.append({"head": _("Round %(n)s") % {"n": round_.number}, "text": str(state)})
    if publication is not None:
        first = [row for row in shown.publication_rows(publication).at(range(1)) if row.rank is not None]
        lines += [{"head": _("In front"), "text": _name(row.entrant)} for row in first]
    when = day_words(tournament.starts_on) if tournament.starts_on else ""
    sentence = " · ".join(filter(None, (tournament.place, when))) or _("Shengji tournament")
    data = {
        "kind": "facts",
        "where": "",
        "title": _name(tournament),
        "story": sentence,
        "lines": lines,
        "scan": _("Scan to follow"),
        "foot": "",
    }
    return _shared(tournament, _name(tournament), sentence, _path("event", tournament), data)


def later(found: Callable[..., Shared], *known: Any) -> SimpleLazyObject:
    """What is shared, worked out when a page asks for it: its changing part does not."""
    return SimpleLazyObject(lambda: found(*known))


def match_at(sitting: Sitting) -> Shared:
    return of_match(sitting, matches.page(sitting))


def entrant_at(entrant: Entrant) -> Shared:
    return of_entrant(entrant, entrants.page(entrant))


def event_at(tournament: Tournament) -> Shared:
    return of_event(tournament, events.now(tournament, ""))


def _shared(tournament: Tournament, title: str, sentence: str, page: str, data: Mapping[str, Any]) -> Shared:
    language = {"language": page_language(), "event": _name(tournament)}
    return Shared(title, sentence, page, f"{page}share/", {**data, **language})


def _name(thing: Named | None) -> str:
    """A name as pictures and titles have room for it."""
    return shortened(shown_name(thing), _COLUMNS)


def _path(name: str, tournament: Tournament, **known: Any) -> str:
    return reverse(f"public:{name}", kwargs={"language": page_language(), "event": tournament.slug, **known})


def _in_order(here: Sequence[AtTable]) -> tuple[AtTable, AtTable]:
    """The winner first; N–S first where nobody has won."""
    first, second = here
    return (second, first) if second.won else (first, second)


def _score(at: AtTable, shown_match: Mapping[str, Any]) -> str:
    """Where a side stands: its level, its points where hands are fixed; match points where a forfeit decided."""
    if shown_match["row"].forfeit and at.score is not None:
        return exact(at.score)
    return level_word(at.stands)


def _told(sitting: Sitting, shown_match: Mapping[str, Any]) -> story.Told:
    """The story of a match that is over, else how it stands."""
    row, record = shown_match["row"], shown_match["record"]
    if row.forfeit:
        return story.Told(str(sitting.match.get_outcome_display()).capitalize())
    if not sitting.match.finished_at or not row.told or not shown_match["lines"]:
        return story.Told(_stands(shown_match))
    if shown_match["plot"] is None:
        hands = _counted(shown_match)
        return story.Told(ngettext("%(n)s hand", "%(n)s hands", hands) % {"n": hands})
    winner = next((Side(at.side) for at in shown_match["here"] if at.won), None)
    return story.of_match(record.hands, winner, sitting.round.tournament.profile)


def _stands(shown_match: Mapping[str, Any]) -> str:
    row = shown_match["row"]
    if row.hand is None:
        return str(STATES[row.state].word).capitalize()
    return _("Hand %(n)s is being played") % {"n": row.hand}


def _about(hand_no: int | None, sentence: object) -> str:
    if hand_no is None or not sentence:
        return ""
    return _("Hand %(n)s: %(what)s") % {"n": hand_no, "what": in_language(sentence)}


def _foot(sitting: Sitting, shown_match: Mapping[str, Any]) -> str:
    hands = _counted(shown_match)
    count = ngettext("%(n)s hand", "%(n)s hands", hands) % {"n": hands} if hands else ""
    finished = sitting.match.finished_at
    day = _day(finished, sitting.round.tournament) if finished else ""
    return " · ".join(filter(None, (day, count)))


def _counted(shown_match: Mapping[str, Any]) -> int:
    """How many hands were played; a void one was not."""
    return sum(line.entry.kind in story.PLAYED for line in shown_match["lines"])


def _chart(shown_match: Mapping[str, Any]) -> dict[str, Any] | None:
    """Levels from the lowest that anybody stood on, and the row of each side before the first hand and after each."""
    if shown_match["plot"] is None:
        return None
    record: SittingRecord = shown_match["record"]
    profile = record.sitting.round.tournament.profile
    ladder = [*map(str, profile.ladder), reached(None, profile)]
    start, hands = matches.opened(record.opening), matches.played(record, profile)
    tracks = {side: [ladder.index(start[side])] for side in ("NS", "EW")}
    for hand in hands:
        for side, track in tracks.items():
            track.append(ladder.index(hand.levels[side]))
    low, high = min(map(min, tracks.values())), max(map(max, tracks.values()))
    high = min(max(high, low + _LINES), len(ladder) - 1)
    names = {at.side: _name(at.entrant) for at in shown_match["here"]}
    return {
        "levels": [level_word(level) for level in ladder[low : high + 1]],
        "tracks": [
            {"name": names[side], "side": side, "steps": [row - low for row in track]} for side, track in tracks.items()
        ],
    }


def _seat(seat: Seat) -> str:
    stands = level_word(seat.level) if seat.level else seat.score
    return " · ".join([stands, _("won")]) if seat.won else stands


def _way(way: Way) -> str:
    """``5 : 2 · Lin Xiao / Zhou Hang``."""
    result = result_of(way.one)
    return f"{result} · {_name(way.one.opponent)}" if way.one.opponent else result


def _leads(name: str, *, final: bool) -> str:
    return (_("%(name)s win") if final else _("%(name)s lead")) % {"name": name}


def _rank(row: StandingRow, *, final: bool) -> str:
    words = {1: _("Champion"), 2: _("Runner-up"), 3: pgettext("of the winners", "Third place")}
    return words.get(row.rank or 0, _number(row)) if final else _number(row)


def _number(row: StandingRow) -> str:
    """A place in figures; one that is shared never without its sign."""
    return f"={row.rank}" if row.shared else str(row.rank)


def _place(rank: int) -> str:
    return _("Place %(n)s") % {"n": rank}


def _day(moment: datetime, tournament: Tournament) -> str:
    return day_words(moment.astimezone(ZoneInfo(tournament.timezone)).date())
