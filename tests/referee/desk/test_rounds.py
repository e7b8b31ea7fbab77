"""A round from its pairing to its end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.factories import Hall
from tournaments.models import Entrant, MatchOutcome, Pairing, PartyCode, Round, Sitting


@pytest.fixture
def desk(db: None, sign_in) -> tuple[Client, str, list[int]]:
    """An organiser at an event of five entrants without rounds: browser, address of the rounds, ids."""
    event = factories.tournament()
    factories.stage(event)
    entrants = [factories.entrant(event, number).pk for number in range(1, 6)]
    return sign_in(factories.official(event, factories.Office.ORGANISER)), f"/desk/{event.slug}/rounds/", entrants


def rows(*pairs: tuple[int | str, int | str], tables: Sequence[int | str] = ()) -> dict[str, list[str]]:
    numbers = tables or range(1, len(pairs) + 1)
    return {
        "table": [str(number) for number in numbers],
        "home": [str(home) for home, _ in pairs],
        "away": [str(away) for _, away in pairs],
    }


@pytest.mark.long
def test_pair_by_hand_look_publish_start(desk: tuple[Client, str, list[int]]) -> None:
    client, here, (a, b, c, d, e) = desk
    made = client.post(f"{here}new/")
    assert (made.status_code, made["Location"]) == (303, f"{here}1/pair/")
    answer = client.post(
        f"{here}1/pair/", rows((a, b), (c, d), (e, "")) | {"first_dealer": "N", "scored_by": "referee"}
    )
    assert answer.status_code == 303
    page = client.get(f"{here}1/pair/")
    assert "nobody left out" in page.content.decode()
    client.post(f"{here}1/publish/")
    the_round = Round.objects.get()
    assert the_round.status == "published"
    assert Pairing.objects.get().number == 1
    places = Sitting.objects.order_by("table__number")
    assert [(place.table.number, place.opening["first_dealer"], place.scored_by) for place in places] == [
        (1, "N", "referee"),
        (2, "N", "referee"),
    ]
    client.post(f"{here}1/start/")
    the_round.refresh_from_db()
    assert the_round.status == "running"
    assert the_round.matches.get(away=None).outcome == MatchOutcome.BYE


def test_a_round_is_asked_for_once_somebody_is_entered(desk: tuple[Client, str, list[int]]) -> None:
    client, here, _entrants = desk
    for page in (here, here.removesuffix("rounds/")):
        seen = client.get(page).content.decode()
        assert "Pair round 1" in seen
        assert f'formaction="{here}new/"' in seen
        assert "Enter the entrants" not in seen
    Entrant.objects.all().delete()
    assert "Enter who plays" in client.get(here.removesuffix("rounds/")).content.decode()
    assert "No round yet. Enter the entrants, then make the first round." in client.get(here).content.decode()


@pytest.mark.long
def test_tables_can_be_swapped_once_there_are_tables(desk: tuple[Client, str, list[int]]) -> None:
    client, here, (a, b, c, d, _) = desk
    client.post(f"{here}new/")
    assert "Swap two tables" not in client.get(f"{here}1/pair/").content.decode()
    client.post(f"{here}1/pair/", rows((a, b), (c, d)))
    assert "Swap two tables" in client.get(f"{here}1/pair/").content.decode()


@pytest.mark.long
def test_a_published_round_has_not_started(desk: tuple[Client, str, list[int]]) -> None:
    client, here, (a, b, c, d, e) = desk
    client.post(f"{here}new/")
    client.post(f"{here}1/pair/", rows((a, b), (c, d), (e, "")))
    client.post(f"{here}1/publish/")
    board = f"{here}1/"
    assert "2 tables: 2 not started" in client.get(board).content.decode()
    client.post(f"{here}1/start/")
    assert "2 tables: 2 playing" in client.get(board).content.decode()


def test_the_page_says_what_a_pairing_costs(desk: tuple[Client, str, list[int]]) -> None:
    client, here, (a, b, c, d, _) = desk
    client.post(f"{here}new/")
    client.post(f"{here}1/pair/", rows((a, b), (c, d)))
    assert "left out" in client.get(f"{here}1/pair/").content.decode()


@pytest.mark.parametrize("twice", [True, False])
def test_a_pairing_that_cannot_stand_is_refused_with_its_rows_kept(desk, twice: bool) -> None:
    client, here, (a, b, c, *_) = desk
    client.post(f"{here}new/")
    wrong = rows((a, b), (a, c)) if twice else rows((a, b), (c, c), tables=(1, 1))
    answer = client.post(f"{here}1/pair/", wrong)
    assert answer.status_code == 400
    assert f'<option value="{b}" selected>' in answer.content.decode()
    assert not Sitting.objects.exists()


@pytest.mark.parametrize("id_", ["999999", "abc", "-1", "1 OR 1=1"])
def test_ids_that_are_no_entrants_here_are_refused(desk, id_: str) -> None:
    client, here, (a, *_) = desk
    client.post(f"{here}new/")
    assert client.post(f"{here}1/pair/", rows((a, id_))).status_code == 400


def test_round_robin_pairs_everybody(desk: tuple[Client, str, list[int]]) -> None:
    client, here, _ = desk
    client.post(f"{here}new/")
    client.post(f"{here}1/draw/")
    assert Round.objects.get().matches.count() == 3


def published(desk: tuple[Client, str, list[int]]) -> None:
    client, here, (a, b, c, d, e) = desk
    client.post(f"{here}new/")
    client.post(f"{here}1/pair/", rows((a, b), (c, d), (e, "")))
    client.post(f"{here}1/publish/")


@pytest.mark.long
def test_a_published_pairing_is_replaced_by_a_numbered_one_with_a_reason(desk) -> None:
    published(desk)
    client, here, (a, b, c, d, e) = desk
    other = rows((a, c), (b, d), (e, ""))
    silent = client.post(f"{here}1/supersede/", other | {"reason": " "})
    assert silent.status_code == 400
    assert Pairing.objects.count() == 1
    assert client.post(f"{here}1/supersede/", other | {"reason": "units apart"}).status_code == 303
    assert [(pairing.number, pairing.reason) for pairing in Pairing.objects.all()] == [(1, ""), (2, "units apart")]
    standing = Round.objects.get().matches.filter(superseded_in=None)
    assert {(match.home_id, match.away_id) for match in standing} == {(a, c), (b, d), (e, None)}
    assert standing.get(home=e).published_in.number == 1, "what did not change keeps its pairing"


@pytest.mark.long
def test_what_a_new_pairing_worsens_is_seen_and_accepted_first(desk) -> None:
    published(desk)
    client, here, (a, b, c, d, e) = desk
    worse = rows((a, ""), (b, ""), (c, d), (e, "")) | {"reason": "b is ill"}
    asked = client.post(f"{here}1/supersede/", worse)
    page = asked.content.decode()
    assert asked.status_code == 400
    assert "Byes: 3; needed: 1." in page
    assert 'name="accept"' in page
    assert 'value="b is ill"' in page
    assert Pairing.objects.count() == 1
    done = client.post(f"{here}1/supersede/", worse | {"accept": "on"}, follow=True)
    assert "The new pairing is published." in done.content.decode()
    again = rows((a, ""), (b, ""), (d, c), (e, "")) | {"reason": "seats"}
    assert client.post(f"{here}1/supersede/", again).status_code == 303, "the byes were accepted before"


@pytest.mark.long
def test_a_row_that_has_entries_keeps_the_name_of_who_withdrew(desk) -> None:
    published(desk)
    client, here, (a, b, c, d, e) = desk
    entrants = {entrant.pk: entrant for entrant in Entrant.objects.all()}
    client.post(f"{here.removesuffix('rounds/')}entrants/{entrants[a].number}/withdraw/", {"reason": "ill"})
    gone = f"{entrants[a].number} {entrants[a].name}"
    assert gone in client.get(f"{here}1/supersede/").content.decode()
    typed = rows((a, b), (c, e), (d, "")) | {"reason": ""}
    assert gone in client.post(f"{here}1/supersede/", typed).content.decode()


@pytest.mark.long
def test_tables_are_swapped_with_their_matches(desk) -> None:
    published(desk)
    client, here, (a, *_) = desk
    client.post(f"{here}1/swap/", {"table": ["1", "2"]})
    assert Sitting.objects.get(match__home=a, active=True).table.number == 2
    for wrong in ("77", "x", ""):
        answer = client.post(f"{here}1/swap/", {"table": ["1", wrong]}, follow=True)
        assert "Choose two tables of this round." in answer.content.decode()


@pytest.mark.long
def test_table_cards_are_a_pdf_and_issue_the_codes_once(desk) -> None:
    published(desk)
    client, here, _ = desk
    card = client.post(f"{here}1/cards/")
    assert (card["Content-Type"], card.content[:5]) == ("application/pdf", b"%PDF-")
    assert PartyCode.objects.count() == 4
    client.post(f"{here}1/cards/")
    assert PartyCode.objects.count() == 4


def test_the_end_of_a_running_round_moves(desk) -> None:
    published(desk)
    client, here, _ = desk
    client.post(f"{here}1/start/")
    before = Round.objects.get().ends_at
    client.post(f"{here}1/extend/", {"minutes": "5"})
    assert (Round.objects.get().ends_at - before).total_seconds() == 300
    answer = client.post(f"{here}1/extend/", {"minutes": "soon"}, follow=True)
    assert "from 1 to 120" in answer.content.decode()


def test_a_round_with_tables_in_play_does_not_close(hall: Hall, organiser: Client) -> None:
    answer = organiser.post(f"/desk/{hall.event.slug}/rounds/1/close/", follow=True)
    assert "Tables 1 and 2 have no result; round 1 cannot be closed." in answer.content.decode()
    assert Round.objects.get().status == "running"


@pytest.mark.long
@pytest.mark.parametrize("alone", [True, False])
def test_closing_names_a_second_official_only_where_one_is_needed(sign_in, db: None, alone: bool) -> None:
    hall = factories.hall(event={"single_official": alone})
    chief, here = sign_in(hall.chief), f"/desk/{hall.event.slug}/rounds/1/"
    chief.post(f"{here}tables/1/end/", {"end": "time", "revision": "0"})
    answer = sign_in(hall.organiser).post(f"{here}close/", follow=True)
    assert Round.objects.get().status == "closed"
    assert ("needs a second official" in answer.content.decode()) is not alone


def test_a_referee_does_not_pair(hall: Hall, referee: Client) -> None:
    slug = hall.event.slug
    for act in ("draw", "publish", "start", "close", "swap", "extend", "cards"):
        assert referee.post(f"/desk/{slug}/rounds/1/{act}/").status_code == 403, act
    assert referee.post(f"/desk/{slug}/rounds/new/").status_code == 403
