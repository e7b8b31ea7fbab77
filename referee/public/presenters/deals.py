"""The deals of a stage, and the hands of one board, as everybody may see them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.urls import reverse

from referee.parts.words import page_language
from scoring.cards.dealing import POCKETS
from tournaments.deals.reads import Shown, dealings_of, hands_of, shown_of
from tournaments.models.events import ON_BOARDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cards.dealing import Dealt
    from scoring.values import Card
    from tournaments.models import Dealing, Stage

#: The program on the page: the file of the product itself, which a test runs.
SCRIPT: Final = files("tournaments.deals").joinpath("again.py").read_text("utf-8")
_SUITS: Final = ("S", "H", "C", "D")


@dataclass(frozen=True, slots=True)
class Pocket:
    """One pocket of a board: a seat or ``kitty``, its cards by suit, and the jokers."""

    name: str
    suits: tuple[tuple[str, str], ...]
    jokers: tuple[str, ...]


def page(stage: Stage) -> dict[str, Any]:
    """What was promised of the boards of a stage and, when they are shown, where each board stands."""
    dealings = dealings_of(stage)
    if not dealings:
        raise Http404
    known = {"language": page_language(), "event": stage.tournament.slug, "stage": stage.number}
    boards = {one.row.pk: _addresses(one, known) for one in shown_of(stage)}
    rows = [(one, boards.get(one.pk, ()), _command(one)) for one in dealings]
    return {"stage": stage, "dealings": rows, "script": SCRIPT}


def _command(one: Dealing) -> str:
    """What to type to deal the boards again."""
    numbers = map(str, (one.first_board, one.last_board, one.decks))
    return shlex.join(["python3", "deals.py", one.secret, one.lot, *numbers])


def deals_address(stage: Stage) -> str:
    """Where the deals of a stage stand; empty where none are promised."""
    if stage.format not in ON_BOARDS or not dealings_of(stage):
        return ""
    known = {"language": page_language(), "event": stage.tournament.slug, "stage": stage.number}
    return reverse("public:deals", kwargs=known)


def _addresses(one: Shown, known: dict[str, Any]) -> Sequence[tuple[int, str, str]]:
    """Number, fingerprint and address of each board; a board that nobody was to play has no page."""
    played = one.row.stage.deals
    return [
        (
            number,
            dealt.fingerprint,
            reverse("public:board", kwargs={**known, "number": number}) if number in played else "",
        )
        for number, dealt in one.boards.items()
    ]


def shown(stage: Stage, number: int) -> Shown | None:
    """A dealing that is shown, by its number."""
    return next((one for one in shown_of(stage) if one.row.number == number), None)


def hands(stage: Stage, number: int) -> dict[str, Any] | None:
    """The hands of a board that is shown, for its page."""
    dealt = hands_of(stage, number)
    if dealt is None:
        return None
    return {"pockets": [_pocket(name, dealt) for name in POCKETS], "fingerprint": dealt.fingerprint}


def _pocket(name: str, dealt: Dealt) -> Pocket:
    cards: Sequence[Card] = dealt.pockets[name]
    ranks = [(suit, " ".join(card.rank for card in cards if card.suit == suit)) for suit in _SUITS]
    return Pocket(name, tuple(ranks), tuple(str(card) for card in cards if card.is_joker))
