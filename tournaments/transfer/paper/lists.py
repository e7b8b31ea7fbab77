"""Lists for the wall: the pairing of a round, and standings, live or as published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import prefetch_related_objects

from scoring import profiles
from scoring.standings.chains import figure, title_of
from scoring.standings.tiebreaks import TIEBREAKS, TieBreak
from scoring.values import Side, Text
from scoring.wording import PLACES, SIDES

from ...acts.origins import document_of
from ...log.heads import Head
from ...log.reads import head_over, newest_heads
from ...models import Entrant, Match, Publication, Round, SideChoice, Sitting, Stage, StageFormat, Tournament
from ...rounds.public import round_matches
from ...sittings.games import parties_of
from ...standings.publications import chain_in, points_in
from ...standings.shown import StandingRow, live_standings, publication_rows
from .logos import logos_on_paper
from .sheets import ROOMS
from .typesetting import by_name, capital, common, dated, language_of, moment, name_on_paper, set_pages

#: So many open tables are named; more are counted.
OPEN_NAMED = 12


def pairing_pdf(round_: Round) -> bytes:
    """The pairing of a round as it stands, by table, byes last."""
    return set_pages("pairing.typ", pairing_data(round_, round_matches(round_)), dated(round_)[1])


def pairing_data(round_: Round, matches: Sequence[Match]) -> dict[str, Any]:
    """What the sheet says, with the digest that its pairing was published with: that of the certificate."""
    event = round_.tournament
    number, at = dated(round_)
    seated = sorted(
        ((sitting.table.number, sitting.room, sitting, match) for match in matches for sitting in match.sittings.all()),
        key=lambda one: one[:2],
    )
    in_rooms = round_.stage.format == StageFormat.DUPLICATE_TEAMS
    byes = [match.home for match in matches if match.home is not None and match.away is None]
    newest = round_.pairings.order_by("-number").first()
    return common(event) | {
        "round": round_.number,
        "number": number,
        "reason": newest.reason if newest else "",
        "time": moment(at, event),
        "digest": newest.digest if newest else "",
        "heads": _heads(event),
        "tables": [
            {
                "table": table,
                "room": dict(ROOMS[room]) if in_rooms else None,
                "seats": [_seat(one, event) for one in _players(match, sitting)],
            }
            for table, room, sitting, match in seated
        ],
        "byes": [_seat(one, event) for one in byes],
    }


def _players(match: Match, sitting: Sitting) -> list[Entrant]:
    """Who sits at a table: North-South before East-West, or by place."""
    if match.home is not None and match.away is not None:
        return [match.home, match.away] if sitting.home_side == SideChoice.NS else [match.away, match.home]
    return [place.entrant for place in match.places.all()]


def _heads(event: Tournament) -> list[Text]:
    if event.individual:
        return [capital(PLACES[place]) for place in PLACES if place in parties_of(event.profile)]
    return [dict(words) for words in SIDES.values()]


def _seat(entrant: Entrant, event: Tournament) -> dict[str, Any]:
    return {"number": entrant.number, "name": name_on_paper(entrant, event)}


def finder_pdf(round_: Round) -> bytes:
    """Everybody who plays in a round by name, with the table and seat."""
    return set_pages("finder.typ", finder_data(round_, round_matches(round_)), dated(round_)[1])


def finder_data(round_: Round, matches: Sequence[Match]) -> dict[str, Any]:
    """A line for every player (for an entrant without players, for itself), by name."""
    prefetch_related_objects(matches, "home__players", "away__players")
    event = round_.tournament
    number, at = dated(round_)
    rows = [row for match in matches for row in _seated(match, event)]
    return common(event) | {
        "round": round_.number,
        "number": number,
        "time": moment(at, event),
        "digest": "",
        "rows": sorted(rows, key=lambda row: (*by_name(row["name"]), row["number"])),
    }


def _seated(match: Match, event: Tournament) -> Iterator[dict[str, Any]]:
    """Who sits where in a match; in two rooms the first table stands for both."""
    here = sorted(
        (sitting for sitting in match.sittings.all() if sitting.active), key=lambda one: (one.table.number, one.game)
    )
    if match.individual:
        titles = {str(place): words for place, words in PLACES.items()}
        for place in match.places.all():
            yield from _lines_of(place.entrant, event, here[0].table.number, titles[place.place])
        return
    for entrant, at_home in ((match.home, True), (match.away, False)):
        if entrant is None:
            continue
        if not here:
            yield from _lines_of(entrant, event, None, {})
            continue
        side = Side(here[0].home_side) if at_home else Side(here[0].home_side).other
        yield from _lines_of(entrant, event, here[0].table.number, SIDES[side])


def _lines_of(
    entrant: Entrant, event: Tournament, table: int | None, seat: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    players = list(entrant.players.all())
    own = name_on_paper(entrant, event)
    for name in [name_on_paper(player, event) for player in players] or [own]:
        shown = "" if name == own else own
        yield {"name": name, "entrant": shown, "number": entrant.number, "table": table, "seat": dict(seat)}


def standings_pdf(stage: Stage) -> bytes:
    """The live table of a stage as last computed, marked as live."""
    event, live = stage.tournament, live_standings(stage)
    at = live.run.computed_at if live.run else event.created_at
    data = {
        "title": {"zh": "实时名次", "en": "Live standings"},
        "number": {"zh": f"实时，未公布 · {live.number}", "en": f"live, not published · {live.number}"},
        "time": moment(at, event),
        "digest": live.run.digest if live.run else "",
        "notes": _open_notes(live.open),
        "profile": dict(event.profile.title),
        "profile_digest": event.profile_digest,
        "head": _told(next(iter(newest_heads(event)), None)),
    }
    chain = () if stage.format == StageFormat.KO_TIMED else stage.chain
    rows = table_data(event, chain, live.rows, stage.points_are)
    return set_pages("standings.typ", common(event) | logos_on_paper(event) | data | rows, at)


def publication_pdf(publication: Publication) -> bytes:
    """A published table: everything out of its frozen document, with the names of today."""
    event, document = publication.tournament, document_of(publication.tournament, publication)
    rules = profiles.build(document["profile"]["spec"], individual=True)
    round_ = document["round"]
    title = {"zh": f"第 {round_} 轮后名次", "en": f"Standings after round {round_}"}
    data = {
        "title": {"zh": "最终名次", "en": "Final standings"} if document["final"] else title,
        "number": {"zh": f"公布第 {publication.number} 号", "en": f"publication no. {publication.number}"},
        "time": moment(publication.published_at, event),
        "digest": publication.digest,
        "notes": [*_replacements(publication), *_open_notes(document["open"])],
        "profile": dict(rules.title),
        "profile_digest": document["profile"]["digest"],
        "head": _told(head_over(event, publication.published_at)),
    }
    rows = table_data(event, chain_in(document), publication_rows(publication), points_in(document))
    return set_pages("standings.typ", common(event) | logos_on_paper(event) | data | rows, publication.published_at)


def _told(head: Head | None) -> dict[str, Any] | None:
    """A head of the signed log as paper names it."""
    return None if head is None else {"acts": head.size, "root": head.root}


def _replacements(publication: Publication) -> list[Text]:
    """What a publication replaces, and what replaced it."""
    notes: list[Text] = []
    old, new = publication.supersedes, Publication.objects.filter(supersedes=publication).first()
    if new is not None:
        notes.append(
            {"zh": f"已被第 {new.number} 号替换：{new.reason}", "en": f"Replaced by no. {new.number}: {new.reason}"}
        )
    if old is not None:
        why = publication.reason
        notes.append({"zh": f"替换第 {old.number} 号：{why}", "en": f"Replaces no. {old.number}: {why}"})
    return notes


def _open_notes(tables: Sequence[Mapping[str, Any]]) -> list[Text]:
    """That the table is provisional, and which tables are still open."""
    if not tables:
        return []
    named, more = tables[:OPEN_NAMED], "…" if len(tables) > OPEN_NAMED else ""
    zh = "、".join(f"第 {one['round']} 轮 {one['table']} 桌" for one in named)
    en = ", ".join(f"round {one['round']} table {one['table']}" for one in named)
    return [{"zh": f"暂定，尚未结束：{zh}{more}", "en": f"Provisional, still open: {en}{more}"}]


def table_data(
    event: Tournament, chain: Sequence[str], rows: Sequence[StandingRow], points_are: str | None
) -> dict[str, Any]:
    """Columns for the tie-breaks that measure everybody, and a line for each place.

    A line says in words why it stands before the next one of its group where the columns do not show it.
    """
    shown = [code for code in chain if isinstance(one := TIEBREAKS[code], TieBreak) and not one.last_resort]
    return {
        "entrant": {"zh": "选手", "en": "Player"} if event.individual else {"zh": "参赛方", "en": "Entrant"},
        "columns": [capital(title_of(code, points_are)) for code in shown],
        "rows": [_line(event, shown, row, following) for row, following in zip(rows, [*rows[1:], None], strict=False)],
    }


def _line(event: Tournament, shown: Sequence[str], row: StandingRow, following: StandingRow | None) -> dict[str, Any]:
    after = following if following is not None and following.group == row.group else None
    alike = after is not None and all(row.values.get(code) == after.values.get(code) for code in shown)
    return {
        "group": row.group,
        "place": row.rank,
        "shared": row.shared,
        "number": row.entrant.number,
        "name": name_on_paper(row.entrant, event),
        "unit": row.entrant.unit,
        "cells": [figure(code, row.values.get(code, "")) for code in shown],
        "why": row.why[language_of(event)] if (alike or not shown) and row.why else "",
    }
