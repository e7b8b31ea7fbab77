"""The rules as pages: one profile in words and pictures, all of them grouped, two of them side by side.

Every figure comes out of the kernel: cases from the fold, factors from the kitty table.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.parts.words import in_language
from referee.pictures import flow_chart, staircase
from referee.public.rulebook.card_pictures import drawn
from referee.public.rulebook.explaining import query_of
from referee.public.rulebook.explaining_single import query_of as single_query_of
from referee.public.rulebook.who_goes_up import who_goes_up
from scoring.explaining import flows
from scoring.explaining.counter_ladder import counter_ladder
from scoring.explaining.counting import counting
from scoring.explaining.worked_cases import worked_cases
from scoring.profiles import OPTIONS, Profile, individual_ids, load, profile_ids
from scoring.profiles.comparing import compare, different_options
from scoring.profiles.loader import TWO_TEAMS
from scoring.profiles.option_words import say
from scoring.profiles.tables import chapters, chapters_beside, kitty_table
from scoring.signals.clauses import cite
from scoring.values import RANKS
from scoring.wording import level_list
from tournaments.models import CardAsked, ReturnDuty
from tournaments.signals.reads import terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.explaining.counter_ladder import Rung
    from scoring.profiles import Clause
    from scoring.profiles.comparing import Compared
    from scoring.profiles.tables import Chapter, KittyRow
    from scoring.values import Text
    from tournaments.models import Tournament

#: Whose rules they are, in the order of the list.
FAMILIES: Final = {
    "guide": gettext_lazy("The 80 Points guide"),
    "national": gettext_lazy("National competition rules"),
    "online": gettext_lazy("Game platforms"),
    "encyclopedia": gettext_lazy("As the encyclopedia tells it"),
    "regional": gettext_lazy("Regional games"),
    "single": gettext_lazy("Every player for himself"),
}
_NO_DOCUMENT: Final = "Common practice of events"
#: Titles of sources that are no titles only: what is described in them, in both languages.
SOURCES: Final = {
    "event": {"en": "Set by the event", "zh": "赛事规定"},
    _NO_DOCUMENT: {"en": _NO_DOCUMENT, "zh": "赛事惯例"},
    "80分, SCN V2.0 (2013)": {"en": "SCN V2.0 (2013), 80分", "zh": "《80分》SCN V2.0（2013）"},
    "升级, on 中国升级竞赛规则 (2003)": {
        "en": "升级, on the national competition rules (2003)",
        "zh": "《升级》所述中国升级竞赛规则（2003）",
    },
    "升级, variants and regional games": {
        "en": "升级, variants and regional games",
        "zh": "《升级》，变体与地方玩法",
    },
}
#: Options that a reader compares as figures.
FIGURES: Final = (
    "decks",
    "threshold",
    "step",
    "negative_total",
    "score_cap",
    "levels_cap",
    "kitty_scheme",
    "ladder",
    "must_play",
    "must_mode",
    "finish",
    "hook_levels",
    "throw_fine",
    "no_trump_allowed",
    "rebellion",
)
_MOST_CARDS: Final = 9
_DRAWN_SUIT: Final = "H"


# All profiles


@dataclass(frozen=True, slots=True)
class Family:
    title: str
    profiles: tuple[Profile, ...]


def families() -> tuple[Family, ...]:
    """All profiles by family, individual games last."""
    known = [load(name) for name in profile_ids()] + [load(name, individual=True) for name in individual_ids()]
    order = list(FAMILIES)
    known.sort(key=lambda one: (order.index(one.family), one.decks, one.id))
    grouped = groupby(known, lambda one: one.family)
    return tuple(Family(str(FAMILIES[name]), tuple(found)) for name, found in grouped)


#: What the clauses of a chapter are about, in cards.
CHAPTER_PICTURES: Final[Mapping[str, str]] = {
    "deal": "? ? ? ?",
    "auction": "H2 - S2* S2*",
    "kitty": "H5* HK* ? ?",
    "rebellion": "D3 C4 H6 S7",
    "cards": "S2 - JS JB*",
    "play": "S8 S8 - S5* S5*",
    "throws": "HA HQ* HQ* - HK HK",
    "points": "S5* H10* DK*",
    "levels": "S2 S3 S4*",
    "special": "SJ* - S2",
    "dealer": "S3* ? ? ?",
    "match": "S2 - SA*",
    "rulings": "S9 S6 - H4*",
}


def by_chapter(profile: Profile) -> list[tuple[Chapter, list[tuple[str, str]]]]:
    """The chapters of a profile, each with its cards."""
    return [(one, drawn(CHAPTER_PICTURES[one.name])) for one in chapters(profile) if one.name in CHAPTER_PICTURES]


#: Characters of a search among the clauses, and different texts that it shows.
LONGEST_SEARCH, MOST_FOUND = 60, 30


@dataclass(frozen=True, slots=True)
class FoundClause:
    """A clause in the words of the page, and whose it is: each profile with its id of the clause."""

    text: str
    profiles: tuple[tuple[Profile, str], ...]


def find_clauses(query: str) -> dict[str, Any]:
    """The clauses of all profiles that hold every word of a search, in either language or in their id; the same text
    comes once."""
    query = query.strip()[:LONGEST_SEARCH]
    words, found = query.casefold().split(), dict[str, list[tuple[Profile, str]]]()
    for family in families() if words else ():
        for profile in family.profiles:
            for clause in profile.clauses.values():
                said = " ".join((clause.id, *clause.text.values())).casefold()
                if all(word in said for word in words):
                    found.setdefault(in_language(clause.text), []).append((profile, clause.id))
    shown = [FoundClause(text, tuple(places)) for text, places in list(found.items())[:MOST_FOUND]]
    return {"query": query, "found": shown, "count": len(found), "more": len(found) - len(shown)}


def has_levels(profile: Profile) -> bool:
    """Whether anybody climbs levels in this game."""
    return len(profile.ladder) > 1


# Kitty and cases


@dataclass(frozen=True, slots=True)
class Factor:
    """A row of the kitty table; `cards` are drawn, empty where they would fill the page."""

    cards: tuple[str, ...]
    words: str
    factor: int
    clause: Clause | None


def factors(profile: Profile) -> tuple[Factor, ...]:
    return tuple(_factor(row) for row in kitty_table(profile))


def _factor(row: KittyRow) -> Factor:
    return Factor(_cards(row), in_language(row.words), row.factor, row.clause)


def _cards(row: KittyRow) -> tuple[str, ...]:
    """An example of what was led, from the ace down."""
    if sum(shape.cards for shape in row.shapes) > _MOST_CARDS:
        return ()
    cards: list[str] = []
    top = len(RANKS)
    for shape in row.shapes:
        ranks = RANKS[top - shape.length : top]
        cards += [f"{_DRAWN_SUIT}{rank}" for rank in ranks for _copy in range(shape.width)]
        top -= shape.length + 1
    return tuple(cards)


@dataclass(frozen=True, slots=True)
class Case:
    """A worked case of the kernel and the query that works it out again."""

    kind: str
    case: str
    sentence: str
    levels: str
    clause: Clause | None
    query: str


CASE_TITLES: Final = {
    "zero": gettext_lazy("No points"),
    "line": gettext_lazy("The line"),
    "last_trick": gettext_lazy("Last trick"),
    "dig": gettext_lazy("Digging the kitty"),
    "fine": gettext_lazy("Failed throw"),
    "below_zero": gettext_lazy("Below zero"),
    "order": gettext_lazy("Order of counting"),
    "cap": gettext_lazy("Cap"),
    "must_play": gettext_lazy("Levels that must be played"),
    "finish": gettext_lazy("End of the match"),
    "hook": gettext_lazy("Hook"),
    "hook_limit": gettext_lazy("Hook"),
    "bid": gettext_lazy("Bidding"),
    "jump": gettext_lazy("Red fives and 510K"),
    "flag": gettext_lazy("The flag stage"),
    "dark_bid": gettext_lazy("Face-down bids"),
    "joker_declare": gettext_lazy("Declaring with a joker"),
}


def cases(profile: Profile) -> list[tuple[str, list[Case]]]:
    """The worked cases under their titles, in the order of counting."""
    found: dict[str, list[Case]] = {}
    for one in worked_cases(profile):
        title = str(CASE_TITLES.get(one.kind, one.kind))
        make = query_of if profile.game == TWO_TEAMS else single_query_of
        query = make(profile, one.opening, one.ledger)
        found.setdefault(title, []).append(
            Case(
                one.kind,
                in_language(one.case),
                in_language(one.sentence),
                in_language(one.levels),
                one.clause,
                query,
            )
        )
    return list(found.items())


# Who may counter


@dataclass(frozen=True, slots=True)
class DrawnRung:
    """A rung of the counter ladder with its marks as they are drawn, one for each card of a suit or joker."""

    id: str
    drawn: tuple[str, ...]
    words: Text
    reinforced_blocks: bool
    final: bool


def rungs(profile: Profile) -> tuple[DrawnRung, ...]:
    return tuple(_rung(rung) for rung in counter_ladder(profile))


def _rung(rung: Rung) -> DrawnRung:
    drawn = rung.marks * rung.count if len(rung.marks) == 1 else rung.marks
    return DrawnRung(rung.id, drawn, rung.words, rung.reinforced_blocks, rung.final)


# The whole page


def profile_page(profile: Profile, asked: Mapping[str, str], totals: Mapping[int, int] | None = None) -> dict[str, Any]:
    """Everything on the page of one profile; `totals` are hands by total, where an event has played some."""
    hands = [
        (name, title, steps, flow_chart.draw(steps))
        for name, title, steps in (
            ("first", _("The first hand"), flows.pre_play(profile, first=True)),
            ("later", _("Every later hand"), flows.pre_play(profile, first=False)),
        )
    ]
    if hands[0][2] == hands[1][2]:
        hands = [("every", _("Every hand"), *hands[0][2:])]
    return {
        "profile": profile,
        "two_sides": profile.game == TWO_TEAMS,
        "family": FAMILIES[profile.family],
        "sources": sources(profile),
        "who": who_goes_up(profile, asked, totals or {}) if has_levels(profile) else None,
        "staircase": staircase.draw(profile) if has_levels(profile) else None,
        "must_play": in_language(level_list(profile.must_play)),
        "hook_levels": in_language(level_list(profile.hook_levels)),
        "ladder_clauses": flows.spoken(profile, "ladder", "must_play", "finish", "pass_a", "after_A", "hook"),
        "factors": factors(profile),
        "cases": cases(profile),
        "rungs": rungs(profile),
        "rung_clauses": flows.spoken(
            profile, *flows.COUNTERING, "counter.reinforced", *flows.special_counters(profile)
        ),
        "counting": counting(profile),
        "flows": hands,
        "looks": looking(profile),
        "chapters": chapters(profile) + (chapters_beside() if profile.game == TWO_TEAMS else ()),
        "all_open": asked.get("clauses") == "all",
        "not_stated": sum(not clause.stated for clause in profile.clauses.values()),
    }


@dataclass(frozen=True, slots=True)
class SignalsAsked:
    """What an event asks of signals, in words, with the clauses that it rests on; `fine` is in points."""

    card: str
    prescribed: tuple[str, ...]
    duty: str
    fine: int | None
    clauses: tuple[Clause, ...]


def signals_asked(tournament: Tournament) -> SignalsAsked | None:
    """What has been said of signals; None where nothing was."""
    terms = terms_of(tournament)
    if not terms.number:
        return None
    returns = terms.return_duty != ReturnDuty.OFF
    topics = ["open", "card", "no_points", *(["return", "return.fine"] if returns else [])]
    return SignalsAsked(
        card=str(CardAsked(terms.card).label),
        prescribed=terms.prescribed,
        duty=str(ReturnDuty(terms.return_duty).label),
        fine=terms.return_fine if returns else None,
        clauses=tuple(reason.clause for reason in cite(*topics)),
    )


def sources(profile: Profile) -> list[str]:
    """Titles of the documents the clauses come from, the one most quoted first."""
    count: dict[str, int] = {}
    for clause in profile.clauses.values():
        if clause.stated and clause.source["items"] and clause.source["title"] != "event":
            title = source_words(clause.source["title"])
            count[title] = count.get(title, 0) + 1
    return sorted(count, key=lambda title: -count[title])


def source_words(title: str) -> str:
    """The title of a source document, its describing words in the language of the page."""
    return in_language(SOURCES.get(title, title))


def source_line(clause: Clause) -> str:
    """Where a clause comes from: document and section. Common practice is no document and has no sections."""
    title, section = clause.source["title"], clause.source["section"]
    return f"{source_words(title)} · {section}" if section and title != _NO_DOCUMENT else source_words(title)


def looking(profile: Profile) -> tuple[Clause, ...]:
    """Clauses on what may be looked at during play."""
    return tuple(clause for clause in profile.clauses.values() if clause.topic.partition(".")[0] == "look")


# Two profiles


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of both profiles in words."""

    title: str
    a: str
    b: str
    same: bool


def comparison(a: Profile, b: Profile) -> dict[str, Any]:
    """Two profiles side by side: figures, then topics by chapter.

    First what an option decides differently; then topics of which one profile is silent, topics that no option decides
    and that read differently, and what is the same.
    """
    rows = compare(a, b)
    decided = {topic for name in different_options(a, b) for topic in OPTIONS[name].topics}
    differ = [row for row in rows if not row.same and row.topic in decided]
    others = [row for row in rows if not row.same and row.topic not in decided]
    silent = [row for row in others if row.clause_a is None or row.clause_b is None]
    worded = [row for row in others if row.clause_a is not None and row.clause_b is not None]
    return {
        "figures": [_figure(a, b, name) for name in FIGURES],
        "different": _by_chapter(a, b, differ),
        "folded": [
            ("silent", _("Where only one of them speaks"), _by_chapter(a, b, silent)),
            ("words", _("Where they speak in other words"), _by_chapter(a, b, worded)),
            ("alike", _("Where they agree"), _by_chapter(a, b, [row for row in rows if row.same])),
        ],
        "count": len(differ),
        "all": len(rows),
    }


def _figure(a: Profile, b: Profile, name: str) -> Figure:
    one, other = (in_language(say(name, profile.options[name])) for profile in (a, b))
    return Figure(in_language(OPTIONS[name].title), one, other, one == other)


def _by_chapter(a: Profile, b: Profile, rows: Iterable[Compared]) -> list[tuple[str, list[Compared]]]:
    titles = {chapter.name: in_language(chapter.title) for profile in (b, a) for chapter in chapters(profile)}
    return [(titles[name], list(found)) for name, found in groupby(rows, lambda row: row.chapter)]
