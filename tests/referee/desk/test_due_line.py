"""Every page of the desk says in one line what is due, and leads there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.markup import flat
from tests.referee.public.events import waiting_hand
from tests.tournaments import playing
from tests.tournaments.factories import signed_in
from tournaments.models import Office, Sitting, SittingPhase

if TYPE_CHECKING:
    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db


def line(made: Event, page: str) -> tuple[str, str] | None:
    """Where the line leads, and its words; None where a page has none."""
    answer = signed_in(made.actor).get(f"/desk/{made.tournament.slug}/{page}", headers={"accept-language": "zh-hans"})
    assert answer.status_code == 200, page
    found = re.search(r'<a class="due-line[^"]*" href="([^"]+)"[^>]*>(.*?)</a>', flat(answer.content.decode()))
    if found is None:
        return None
    return found[1], re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", found[2])).strip()


def test_before_the_first_round() -> None:
    made = playing.event(4)
    playing.colleague(made, Office.CHIEF_REFEREE)
    for page in ("entrants/", "standings/", "officials/", "setup/", "publications/", "rulings/", "history/"):
        assert line(made, page) == (f"/desk/{made.tournament.slug}/rounds/", "下一步 编排第 1 轮 已有 4 方参赛。"), page


def test_a_dispute_comes_first() -> None:
    made = playing.event(4)
    tables = playing.sittings_of(made.running((1, 2), (3, 4)))
    waiting_hand(made, tables[1])
    Sitting.objects.filter(pk=tables[1].pk).update(phase=SittingPhase.DISPUTED)
    address = f"/desk/{made.tournament.slug}/rounds/1/tables/2/"
    assert line(made, "entrants/") == (address, "下一步 2 桌有争议 1 桌在打，1 桌有争议。")


def test_the_board_and_the_rounds_say_it_at_large() -> None:
    made = playing.event(4)
    assert line(made, "") is None
    assert line(made, "rounds/") is None
