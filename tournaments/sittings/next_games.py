"""Matches of several games (三局两胜): each game is a sitting at the same table, one of them is played at a time.

The sitting of the game that is played, or that decided the match, is the active one: the table's pages, phones and
cards lead to it. Games stand in their order; a correction of an earlier one may make a later one needless or needed
again, and what was played in it stays in its ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from scoring.sittings.fold import start
from scoring.sittings.series import Game, Series, series_of
from scoring.sittings.states import Opening
from scoring.standings.scales import Party
from scoring.values import Text

from ..acts.change import Add, Move, MoveAll, Told, Write
from ..models import Device, LedgerEntry, MatchOutcome, Round, Sitting
from .games import State
from .ledgers import Ledger, cached_state
from .series import FORFEIT, game_of

#: How a match of several games was decided; one that was ruled lost is decided by "forfeit".
BY_GAMES = "games"


def plays_games(ledger: Ledger) -> bool:
    """Whether the match is one of several games."""
    return not ledger.match.individual and ledger.stage.directing.best_of > 1


def seats_of(ledger: Ledger) -> list[Sitting]:
    """The sittings of the match's games in order, this ledger's own among them as it stands here."""
    known = ledger.games
    if known is None:
        known = list(Sitting.objects.filter(match=ledger.match).order_by("game"))
    return [ledger.sitting if one.pk == ledger.sitting.pk else one for one in known]


def games_of(ledger: Ledger, state: State | None = None) -> list[Game]:
    """The games of the match as far as they go; this ledger's own by `state`, when given."""
    own = None if state is None else state.to_json()
    return [game_of(one, one.state if own is None or one.pk != ledger.sitting.pk else own) for one in seats_of(ledger)]


def series(ledger: Ledger, state: State | None = None) -> Series:
    """Where the match stands."""
    return series_of(games_of(ledger, state), ledger.stage.directing.best_of)


def going_on(
    ledger: Ledger, state: State | None, columns: Mapping[str, Any], *, at: datetime
) -> tuple[list[Write], list[Told]]:
    """Makes the game that is now due the active one: the next after a decided game, else the one that decided all.

    After every write of a game: `state` is the fold of this one, `columns` what is written of its match. The sides'
    phones go along; a new game begins as the first one did. A match that was ruled lost stays where it is.
    """
    match = ledger.match
    if not plays_games(ledger) or match.superseded_in_id is not None:
        return [], []
    outcome, decided_by = (columns.get(name, getattr(match, name)) for name in ("outcome", "decided_by"))
    if outcome != MatchOutcome.PENDING and decided_by == FORFEIT:
        return [], []
    seats, now = seats_of(ledger), series(ledger, state)
    number = now.deciding or now.counted + 1
    due = next((one for one in seats if one.game == number), None)
    if due is not None and due.active:
        return [], []
    left = [one for one in seats if one.active]
    writes: list[Write] = [Move(one, {"active": False}) for one in left]
    if due is None:
        due = _next_game(ledger, seats, number, at)
        writes.append(Add(due))
    else:
        writes.append(Move(due, {"active": True}))
    writes.append(MoveAll(Device, {"sitting__in": [one.pk for one in left], "released_at": None}, {"sitting": due}))
    return writes, [Told("sitting", one, public=True) for one in (*left, due)]


def _next_game(ledger: Ledger, seats: Sequence[Sitting], number: int, at: datetime) -> Sitting:
    """A fresh sitting at the table of the game before, opened as the first game was, with the time of a game."""
    first, last = seats[0], seats[-1]
    return Sitting(
        match=ledger.match,
        round=ledger.round,
        room=last.room,
        table_id=last.table_id,
        scored_by=last.scored_by,
        opening=first.opening,
        state=cached_state(start(Opening.from_json(first.opening), ledger.conditions)),
        game=number,
        home_side=last.home_side,
        extra_minutes=time_of_game(ledger.round, at),
    )


def time_of_game(round_: Round, at: datetime) -> int:
    """The minutes by which a game that begins now ends after the clock of the hall (before it when negative)."""
    minutes = round_.stage.minutes
    if minutes is None or round_.ends_at is None:
        return 0
    after = (round_.stopped_at or at) + timedelta(minutes=minutes) - round_.ends_at
    return -(-after // timedelta(minutes=1))


def later_games(ledger: Ledger) -> list[Sitting]:
    """The games after this one in which something is recorded."""
    later = [one for one in seats_of(ledger) if one.game > ledger.sitting.game]
    begun = set(LedgerEntry.objects.filter(sitting__in=later).values_list("sitting_id", flat=True)) if later else set()
    return [one for one in later if one.pk in begun]


def change_of_series(ledger: Ledger, before: State, then: State) -> Text | None:
    """What a correction means for the games of the match, in words; None when the same games count with one winner."""
    if not plays_games(ledger):
        return None
    best_of = ledger.stage.directing.best_of
    was, becomes = (series_of(games_of(ledger, state), best_of) for state in (before, then))
    if (was.winner, was.counted) == (becomes.winner, becomes.counted):
        return None
    home, away = becomes.won[Party.HOME], becomes.won[Party.AWAY]
    en, zh = [f"Games {home}:{away}."], [f"局分 {home}:{away}。"]
    if becomes.winner is None:
        en.append(f"Game {becomes.counted + 1} has to be played.")
        zh.append(f"须打第 {becomes.counted + 1} 局。")
    needless = [one.game for one in seats_of(ledger) if becomes.deciding is not None and one.game > becomes.deciding]
    for number in needless:
        en.append(f"Game {number} no longer counts; what was played in it stays in the record.")
        zh.append(f"第 {number} 局不再计入，已打的各副仍留在记录中。")
    return {"en": " ".join(en), "zh": "".join(zh)}
