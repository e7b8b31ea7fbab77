"""The board: what each tile says, the fragment, and queries that do not grow with the hall."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.markup import flat
from tests.tournaments import factories
from tests.tournaments.factories import AT, Hall, sheet
from tournaments.acts.admission import Actor
from tournaments.ledger import calls, scorekeeping
from tournaments.models import Call, Round, RoundStatus, Stage


def board(client: Client, hall: Hall) -> str:
    return client.get(f"/desk/{hall.event.slug}/live/").content.decode()


def test_a_tile_says_who_must_act(hall: Hall, referee: Client) -> None:
    assert "hand 1" in board(referee, hall)
    scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, facts=sheet(95), hand_no=1)
    assert "waits for E–W" in board(referee, hall)
    scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=hall.ew, at=AT, facts=sheet(95), hand_no=1)
    page = board(referee, hall)
    assert "waits for" not in page
    assert "Attackers 95 → take the deal, +0" in page


def test_a_hand_that_was_sent_back_is_confirmed_not_corrected(hall: Hall, referee: Client) -> None:
    at = {"sitting_id": hall.sitting.pk, "at": AT}
    first = scorekeeping.record_hand(actor=hall.ns, facts=sheet(90), hand_no=1, **at)
    scorekeeping.send_back(actor=hall.ew, entry_id=first.entry.pk, what="points", **at)
    again = scorekeeping.record_hand(actor=hall.ns, facts=sheet(95), hand_no=1, **at)
    scorekeeping.confirm_hand(actor=hall.ew, entry_id=again.entry.pk, **at)
    table = referee.get(f"/desk/{hall.event.slug}/rounds/1/tables/1/").content.decode()
    for page in (board(referee, hall), table):
        assert "Attackers 95" in page
        assert "version 2" not in page
        assert "Corrected" not in page


def test_a_call_is_taken_and_closed(hall: Hall, referee: Client) -> None:
    call = calls.call_referee(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, note="a revoke")
    here = f"/desk/{hall.event.slug}/calls/{call.pk}/"
    assert "a revoke" in board(referee, hall)
    referee.post(f"{here}take/")
    assert "referee is going" in board(referee, hall)
    referee.post(f"{here}close/")
    assert Call.objects.get().closed_at is not None
    assert "a revoke" not in board(referee, hall)


def test_a_call_that_was_taken_counts_as_a_call(hall: Hall, referee: Client) -> None:
    call = calls.call_referee(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT)
    referee.post(f"/desk/{hall.event.slug}/calls/{call.pk}/take/")
    page = board(referee, hall)
    assert "1 dispute or call" in page
    assert "1 waiting" not in page


def test_a_large_hall_comes_by_pages_and_its_queue_whole(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.desk.presenters.board.PAGE", 2)
    hall = factories.hall(tables=5)
    client = factories.signed_in(hall.organiser, "en")
    side = Actor(device=factories.device(hall.sittings[4], "NS"))
    calls.call_referee(sitting_id=hall.sittings[4].pk, actor=side, at=AT)
    address = f"/desk/{hall.event.slug}/"

    def shown(path: str) -> tuple[list[str], str]:
        page = client.get(address + path).content.decode()
        return re.findall(r'data-table="(\d+)"', page), flat(page)

    for path, tables in (("", ["1", "2"]), ("?page=2", ["3", "4"]), ("?page=3", ["5"]), ("?page=9", ["1", "2"])):
        found, page = shown(path)
        assert found == tables
        assert "5 tables: 4 playing · 1 dispute or call" in page
        assert "Table 5</a>" in page
        assert "Tables 3–4</a>" in page
    assert f'data-fragment-url="{address}live/?page=2"' in shown("?page=2")[1]
    assert shown("live/?page=2")[0] == ["3", "4"]
    answer = client.get(f"{address}?table=4")
    assert answer.headers["Location"] == f"{address}rounds/1/tables/4/"


def test_a_call_left_open_stays_with_the_officials_after_its_round(hall: Hall, referee: Client) -> None:
    """The live table is provisional as long as it is open, so it must not be out of sight."""
    call = calls.call_referee(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT)
    close = f"/desk/{hall.event.slug}/calls/{call.pk}/close/"
    referee.post(close.replace("close", "take"))
    Round.objects.update(status=RoundStatus.CLOSED, closed_at=AT)
    assert close in board(referee, hall)
    referee.post(close)
    assert close not in board(referee, hall)


def test_an_organiser_sees_the_call_but_does_not_take_it(hall: Hall, organiser: Client) -> None:
    call = calls.call_referee(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, note="a revoke")
    page = board(organiser, hall)
    assert "a revoke" in page
    assert "/take/" not in page
    assert organiser.post(f"/desk/{hall.event.slug}/calls/{call.pk}/take/").status_code == 403


def test_text_from_the_tables_is_shown_as_text(hall: Hall, referee: Client) -> None:
    nasty = "<img src=x onerror=alert(1)>{{7*7}}"
    calls.call_referee(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, note=nasty)
    page = board(referee, hall)
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;{{7*7}}" in page


@pytest.mark.long
def test_queries_of_the_board_do_not_grow_with_tables_or_hands(
    db: None, sign_in, django_assert_max_num_queries
) -> None:
    counts = []
    for tables in (2, 8):
        hall = factories.hall(tables=tables)
        client = sign_in(hall.referee)
        for sitting in hall.sittings:
            for number in range(1, tables // 2 + 1):
                scorekeeping.record_hand(
                    sitting_id=sitting.pk, actor=hall.referee, at=AT, facts=sheet(40), hand_no=number, basis="watched"
                )
        with django_assert_max_num_queries(60) as seen:
            assert client.get(f"/desk/{hall.event.slug}/").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("page", ["entrants/", "rounds/", "history/", "standings/", "officials/", "rounds/1/pair/"])
def test_queries_of_lists_do_not_grow(db: None, sign_in, django_assert_max_num_queries, page: str) -> None:
    counts = []
    for tables in (1, 6):
        hall = factories.hall(tables=tables)
        for sitting in hall.sittings:
            scorekeeping.record_hand(
                sitting_id=sitting.pk, actor=hall.referee, at=AT, facts=sheet(40), hand_no=1, basis="watched"
            )
            factories.official(hall.event, tables=(sitting.table,))
        client = sign_in(hall.organiser)
        with django_assert_max_num_queries(60) as seen:
            assert client.get(f"/desk/{hall.event.slug}/{page}").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("page", ["", "live/", "setup/", "entrants/", "rounds/", "rounds/1/pair/",
                                  "rounds/1/tables/1/", "rulings/", "standings/"])  # fmt: skip
def test_a_page_asks_once_for_the_offices_of_who_looks(
    hall: Hall, organiser: Client, django_assert_max_num_queries, page: str
) -> None:
    with django_assert_max_num_queries(60) as seen:
        assert organiser.get(f"/desk/{hall.event.slug}/{page}").status_code == 200
    asked = [one["sql"] for one in seen.captured_queries if f'"user_id" = {hall.organiser.user.pk}' in one["sql"]]
    assert len([sql for sql in asked if "tournaments_official" in sql]) == 1


@pytest.mark.long
def test_the_head_says_which_round_of_its_stage_is_shown(hall: Hall, organiser: Client) -> None:
    page = f"/desk/{hall.event.slug}/"
    Stage.objects.update(rounds_planned=4)
    assert '<span class="soft">/ 4</span>' in flat(organiser.get(page).content.decode())
    Round.objects.update(number=5)
    assert "· 1 of 4 of the stage" in flat(organiser.get(page).content.decode())
    Round.objects.update(extra=True)
    assert "· extra round" in organiser.get(page).content.decode()
