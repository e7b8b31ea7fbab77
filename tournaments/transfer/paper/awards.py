"""Awards (奖状) of a published table: one sheet for each of the first entrants, with the organiser's words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import prefetch_related_objects

from scoring.individual.standings import IndividualResult
from scoring.standings.results import Result
from scoring.values import Text

from ...models import Entrant, Publication
from ...standings.publications import results_in
from ...standings.runs import publication_document
from ...standings.shown import StandingRow, publication_rows
from .logos import logos_on_paper
from .share import code_svg
from .typesetting import Named, set_pages

#: In the text of an award these stand for what the table says.
PLACE: Final[Text] = {"zh": "【名次】", "en": "[place]"}
RECORD: Final[Text] = {"zh": "【战绩】", "en": "[record]"}
MOST: Final = 64
TITLE: Final[Text] = {"zh": "奖状", "en": "Award"}
TEXT: Final[Text] = {
    "zh": f"在本次比赛中{RECORD['zh']}，荣获{PLACE['zh']}。",
    "en": f"{RECORD['en']} at this event: {PLACE['en']}.",
}
#: Where no record of matches can be told, as of single players.
TEXT_ALONE: Final[Text] = {"zh": f"在本次比赛中荣获{PLACE['zh']}。", "en": f"At this event: {PLACE['en']}."}
CLOSING: Final[Text] = {"zh": "特发此证，以资鼓励。", "en": "With our congratulations."}
SIGNERS: Final[Text] = {"zh": "裁判长、主办方", "en": "Chief referee, organiser"}
#: Lines to sign that have room side by side.
MOST_SIGNERS: Final = 3
_PLACES: Final[Mapping[int, Text]] = {
    1: {"zh": "冠军", "en": "Champion"},
    2: {"zh": "亚军", "en": "Runner-up"},
    3: {"zh": "季军", "en": "Third place"},
}
_FIXED: Final[Mapping[str, Text]] = {
    "mark": {"zh": "：", "en": ""},
    "check": {"zh": "扫码核验", "en": "Scan to check"},
    "seal": {"zh": "盖章处", "en": "seal"},
}
_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Words:
    """What the organiser may change. `language` is ``zh`` or ``en``; `places`: so many of the first get one; `signers`:
    who sign, parted by commas, each on a line of its own."""

    language: str
    title: str
    text: str
    closing: str
    issuer: str
    places: int
    signers: str = ""


def usual_words(publication: Publication, language: str) -> Words:
    """The words before anybody has changed them."""
    tells = any(isinstance(one, Result) for one in results_in(publication_document(publication)))
    text = (TEXT if tells else TEXT_ALONE)[language]
    return Words(language, TITLE[language], text, CLOSING[language], publication.tournament.place, 3, SIGNERS[language])


def awards_pdf(publication: Publication, words: Words, address: str, of: Entrant | None = None) -> bytes:
    """All sheets, or those `of` one entrant; `address` is where the table can be checked. The same record and words
    give the same bytes."""
    data = awards_data(publication, words, of) | {"qr": code_svg(address)}
    return set_pages("award.typ", data, publication.published_at)


def awards_data(publication: Publication, words: Words, of: Entrant | None = None) -> dict[str, Any]:
    """What the sheets say. Who was ruled out of the placing gets none; those who share a place get one each."""
    event, language = publication.tournament, words.language
    rows = [row for row in publication_rows(publication) if row.rank is not None and row.rank <= words.places]
    rows = [row for row in rows if of is None or row.entrant.pk == of.pk]
    prefetch_related_objects([row.entrant for row in rows], "players")
    records = records_of(publication)
    day = publication.published_at.astimezone(ZoneInfo(event.timezone)).date()
    name = event.name_latin if language == "en" and event.name_latin else event.name
    return {
        "language": language,
        "event": name,
        "title": words.title,
        "closing": words.closing,
        "issuer": words.issuer,
        "signed": [one.strip() for one in re.split("[,，、]", words.signers) if one.strip()][:MOST_SIGNERS],
        "date": f"{day.year} 年 {day.month} 月 {day.day} 日" if language == "zh" else f"{day.day} {day:%B %Y}",
        "digest": publication.digest[:_DIGITS],
        **{key: text[language] for key, text in _FIXED.items()},
        **logos_on_paper(event),
        "awards": [_award(row, publication, words, records) for row in rows],
    }


def records_of(publication: Publication) -> dict[str, Counter[str]]:
    """Matches won, drawn and lost by entrant (as the document names them), as the table counts them; byes are none."""
    records: dict[str, Counter[str]] = {}
    for one in results_in(publication_document(publication)):
        if isinstance(one, IndividualResult) or one.away is None:
            continue
        for entrant in (one.home, one.away):
            how = "drawn" if one.winner is None else "won" if one.winner == entrant else "lost"
            records.setdefault(str(entrant), Counter())[how] += 1
    return records


def _award(
    row: StandingRow, publication: Publication, words: Words, records: Mapping[str, Counter[str]]
) -> dict[str, str]:
    place = place_words(row, words.language)
    record = record_words(records.get(str(row.entrant.pk), Counter()), words.language)
    before, told, after = words.text.replace(RECORD[words.language], record).partition(PLACE[words.language])
    number = {"zh": f"第 {publication.number} 号名次", "en": f"standings no. {publication.number}"}
    return {
        "names": _names(row.entrant, words.language),
        "place": place if told else "",
        "before": before,
        "after": after,
        "number": number[words.language],
    }


def place_words(row: StandingRow, language: str) -> str:
    """``冠军`` · ``Champion``; from the fourth on the number."""
    return placed(row.rank or 0, language, shared=row.shared)


def placed(rank: int, language: str, *, shared: bool) -> str:
    """As `place_words`, of a rank alone."""
    numbered: Text = {"zh": f"第{rank}名", "en": f"place {rank}"}
    words = _PLACES.get(rank, numbered)[language]
    return {"zh": f"并列{words}", "en": f"{words} (shared)"}[language] if shared else words


def record_words(record: Mapping[str, int], language: str) -> str:
    """``7 场 4 胜 2 平 1 负`` · ``7 matches: 4 won, 2 drawn, 1 lost``; empty where no match is told."""
    played = sum(record.values())
    if not played:
        return ""
    words: Sequence[tuple[str, Text]] = (
        ("won", {"zh": "胜", "en": "won"}),
        ("drawn", {"zh": "平", "en": "drawn"}),
        ("lost", {"zh": "负", "en": "lost"}),
    )
    told = [f"{record[how]} {text[language]}" for how, text in words if record.get(how)]
    if language == "zh":
        return f" {played} 场 {' '.join(told)}"
    return f"{played} {'match' if played == 1 else 'matches'}: {', '.join(told)}"


def _names(entrant: Entrant, language: str) -> str:
    """The players side by side; the entrant's own name where none are known."""
    things: Sequence[Named] = list(entrant.players.all()) or [entrant]
    named = [one.name_latin if language == "en" and one.name_latin else one.name for one in things]
    return ("　" if language == "zh" else ", ").join(named)
