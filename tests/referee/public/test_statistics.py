"""Statistics of an event: what is counted, in words and pictures, and what is folded again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from referee.pictures.bars import percent, share_of
from referee.public.presenters.statistics import page
from scoring.values import Role
from tests.markup import flat
from tests.referee.public.events import waiting_hand
from tests.tournaments import playing
from tests.tournaments.factories import sheet
from tournaments.ledger import corrections
from tournaments.models import LedgerEntry, Sitting
from tournaments.sittings.figures import figures_of

if TYPE_CHECKING:
    from tests.tournaments.playing import Event


@pytest.mark.parametrize(
    ("part", "whole", "said"), [(0, 0, "0 %"), (1, 3, "33 %"), (2, 3, "67 %"), (1, 200, "0.5 %"), (7, 7, "100 %")]
)
def test_shares(part: int, whole: int, said: str) -> None:
    assert percent(share_of(part, whole)) == said


@pytest.fixture
def event() -> Event:
    """Table 1: three hands kept by the dealers; table 2: the deal is taken twice, and once with two levels."""
    made = playing.event(4)
    made.play(made.running((1, 2), (3, 4)), [35, 0, 60], [80, 95, 120])
    return made


pytestmark = pytest.mark.django_db


def test_every_hand_that_counts_is_counted_once(event: Event) -> None:
    hands = figures_of(event.tournament, ())
    assert [(hand.table, hand.number, hand.total) for hand in hands] == [
        (1, 1, 35), (1, 2, 0), (1, 3, 60), (2, 1, 80), (2, 2, 95), (2, 3, 120),
    ]  # fmt: skip
    assert [hand.winner for hand in hands] == [Role.DEALER] * 3 + [Role.ATTACKERS] * 3
    assert [hand.deal_changes_hands for hand in hands] == [False] * 3 + [True] * 3
    assert [hand.seconds is None for hand in hands] == [True, False, False] * 2


def test_only_what_moved_is_folded_again(event: Event) -> None:
    figures_of(event.tournament, ())
    with CaptureQueriesContext(connection) as seen:
        figures_of(event.tournament, ())
    assert len(seen) == 1, "nothing moved: the sittings alone are read"
    sitting = Sitting.objects.get(round__tournament=event.tournament, table__number=2)
    entry = sitting.entries.get(hand_no=1)
    corrections.correct(
        entry_id=entry.pk,
        actor=event.actor,
        at=event.tick(),
        expected_revision=sitting.revision,
        facts={**entry.facts, **sheet(85)},
        reason="Slip misread",
        treatment="recompute",
    )
    assert [hand.total for hand in figures_of(event.tournament, ()) if hand.table == 2] == [85, 95, 120]


def test_a_hand_that_waits_is_not_counted(event: Event, client: Client) -> None:
    running = event.running((1, 3), (2, 4))
    waiting_hand(event, playing.sittings_of(running)[0])
    assert len(figures_of(event.tournament, ())) == 6


def test_what_is_kept_back_is_left_out(event: Event) -> None:
    first = Sitting.objects.get(round__tournament=event.tournament, table__number=1)
    assert {hand.table for hand in figures_of(event.tournament, {first.pk})} == {2}


def test_a_pause_is_no_long_hand(event: Event) -> None:
    """A slip that came an hour and more after the hand before says nothing of pace."""
    running = event.running((1, 3), (2, 4))
    table = playing.sittings_of(running)[0]
    event.hand(table, 35)
    for _ in range(61):
        event.tick()
    event.hand(table, 40)
    late = LedgerEntry.objects.get(sitting=table, hand_no=2)
    hands = [hand for hand in figures_of(event.tournament, ()) if (hand.round, hand.table) == (2, 1)]
    assert (late.status, [hand.seconds for hand in hands]) == ("effective", [None, None])


def test_the_page_in_both_languages(event: Event, client: Client) -> None:
    for language, words in (
        (
            "en",
            ("The dealer side kept the deal", "50 %", "Most points of the attackers · 120", "Round 1, table 2, hand 3"),
        ),
        ("zh", ("庄家方保住庄家", "50 %", "闲家最高得分 · 120", "第 1 轮 2 桌第 3 副")),
    ):
        said = flat(client.get(f"/{language}/e/{event.tournament.slug}/statistics/").content.decode())
        for word in words:
            assert word in said


def test_each_outcome_has_its_share(event: Event) -> None:
    with override("en"):
        shown = page(event.tournament)
    assert [(bar.label, bar.number, bar.width) for bar in shown["pictures"][0].bars][-2:] == [
        ("attackers take the deal, +0", "33 %", "100%"),
        ("attackers take the deal, +1", "17 %", "50%"),
    ]
    assert [line.hands for line in shown["rounds"]] == [6]


def test_an_event_without_hands_says_so(client: Client) -> None:
    made = playing.event(2)
    said = client.get(f"/en/e/{made.tournament.slug}/statistics/").content.decode()
    assert "Nothing to count yet" in said
