"""Rulings at the desk: the form shows what it gives before anything is written; one page carries a ruling through."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from referee.public.presenters.rulings import counted
from tests.tournaments.individual import allied, alone, evening, sittings_of
from tests.tournaments.test_corrections import levels
from tests.tournaments.test_scorekeeping import play, sheet
from tournaments.models import LedgerEntry, Ruling, Sitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.tournaments.factories import Hall
    from tournaments.acts.admission import Actor

pytestmark = pytest.mark.django_db


def address(hall: Hall, rest: str = "") -> str:
    return f"/desk/{hall.event.slug}/rulings/{rest}"


def revision(hall: Hall) -> str:
    return str(Sitting.objects.get(pk=hall.sitting.pk).revision)


def text(response: object) -> str:
    """What a reader sees, in one line."""
    body = response.content.decode()  # type: ignore[attr-defined]
    return " ".join(re.sub(r"<[^>]+>", " ", body.partition("<main")[2]).split())


TAKE_BACK = {"at": "1.1", "irregularity": "take_back", "side": "NS", "hand": "1"}


def test_the_form_asks_for_what_the_irregularity_needs_and_shows_the_ladder_first(hall: Hall, referee: Client) -> None:
    play(hall, sheet(35))
    empty = referee.get(address(hall, "new/"))
    assert "takes back a play" in text(empty)
    assert 'name="minutes"' not in empty.content.decode()
    assert (
        'name="minutes"' in referee.get(address(hall, "new/"), {"at": "1.1", "irregularity": "late"}).content.decode()
    )
    lacking = referee.get(address(hall, "new/"), {"at": "1.1", "irregularity": "late", "side": "NS", "look": "1"})
    assert lacking.status_code == 200
    assert "Refused" in text(lacking)
    seen = text(referee.get(address(hall, "new/"), {**TAKE_BACK, "look": "1"}))
    assert "N–S: takes back a play: 1 level down." in seen
    assert "from the third time: the match is forfeited" in seen
    assert "The next time 1 level down" in seen
    assert "Not yet in this event." in seen
    assert not Ruling.objects.exists()


@pytest.mark.long
def test_a_referee_proposes_and_the_chief_decides(hall: Hall, referee: Client, chief: Client) -> None:
    play(hall, sheet(35))
    made = referee.post(address(hall, "new/"), {**TAKE_BACK, "told": "South took it back", "key": "a"}, follow=True)
    assert "It is in the log" in text(made)
    assert "South took it back" in text(made)
    assert "Decide so" not in text(made)
    page = chief.get(address(hall, "1/"))
    assert "as proposed: N–S −1 level" in text(page)
    stale = chief.post(address(hall, "1/decide/"), {"penalty": "proposed", "revision": "0", "reason": "kept words"})
    assert stale.status_code == 412
    assert "kept words" in stale.content.decode()
    done = chief.post(address(hall, "1/decide/"), {"penalty": "proposed", "revision": revision(hall)}, follow=True)
    assert "Decided. The record of the table says so." in done.content.decode()
    assert levels(hall) == ("3", "2")
    table = text(chief.get(f"/desk/{hall.event.slug}/rounds/1/tables/1/"))
    assert "rests on ruling no. 1" in table
    match = text(chief.get(f"/en/e/{hall.event.slug}/rounds/1/tables/1/"))
    assert "rests on ruling no. 1" in match
    history = text(chief.get(f"/desk/{hall.event.slug}/history/"))
    assert "decided a ruling" in history


def test_rulings_are_counted_by_what_they_cost() -> None:
    """One that was cancelled or overturned costs nothing; the appeal against it is counted."""
    units = ("warning", "warning", "levels", "profile_fine", "forfeit", "none")
    stand = [Ruling(status="decided", penalty={"unit": unit}) for unit in units]
    gone = [Ruling(status="cancelled", penalty={"unit": "annul"})]
    overturned = [Ruling(status="decided", penalty={"unit": "result"}, appeal="upheld")]
    found = counted([*stand, *gone, *overturned])
    assert {one.kind: one.count for one in found} == {"none": 1, "warning": 2, "fine": 2, "match": 1, "appeal": 1}
    assert [len(one.squares) for one in counted(stand * 9) if one.kind == "warning"] == [12]


@pytest.mark.long
def test_a_record_says_that_a_ruling_in_it_stands_no_more(hall: Hall, referee: Client, chief: Client) -> None:
    """Also where the penalty had moved nothing, so that nothing had to be given back: N–S are on the lowest level."""
    referee.post(address(hall, "new/"), {**TAKE_BACK, "hand": "", "key": "a"})
    chief.post(address(hall, "1/decide/"), {"penalty": "proposed", "revision": revision(hall)})
    pages = (f"/desk/{hall.event.slug}/rounds/1/tables/1/", f"/en/e/{hall.event.slug}/rounds/1/tables/1/")
    for page in pages:
        assert "rests on ruling no. 1" in text(chief.get(page))
        assert "Cancelled" not in text(chief.get(page)).partition("rests on ruling no. 1")[2][:80]
    chief.post(address(hall, "1/cancel/"), {"revision": revision(hall), "reason": "wrong side", "key": "b"})
    for page in pages:
        assert "Cancelled" in text(chief.get(page)).partition("rests on ruling no. 1")[2][:80]


@pytest.mark.parametrize(
    ("typed", "words", "kind"),
    [
        ({"penalty": "none"}, "no penalty", None),
        ({"penalty": "warning"}, "a warning", None),
        ({"penalty": "levels", "side": "EW", "amount": "+2"}, "E–W +2 levels", "level_penalty"),
        ({"penalty": "points", "amount": "20", "treatment": "recompute"}, "attackers +20 points", "hand"),
        ({"penalty": "annul", "treatment": "recompute"}, "the hand does not count", "annulled"),
        ({"penalty": "forfeit", "side": "NS"}, "N–S forfeit the match", "end"),
        ({"penalty": "fine", "side": "NS", "fine": "0.5"}, "N–S −0.5 in the standings", None),
        ({"penalty": "fine", "side": "EW", "fine": "−１"}, "E–W −1 in the standings", None),
        (
            {"penalty": "score", "side": "NS", "score_NS": "0", "score_EW": "1.5"},
            "the match counts N–S 0, E–W 1.5",
            None,
        ),
        ({"penalty": "exclusion", "side": "NS"}, "N–S leave the event", "end"),
    ],
)
def test_the_chief_decides_otherwise(
    hall: Hall, chief: Client, typed: dict[str, str], words: str, kind: str | None
) -> None:
    play(hall, sheet(35))
    chief.post(address(hall, "new/"), TAKE_BACK)
    before = LedgerEntry.objects.count()
    done = chief.post(address(hall, "1/decide/"), {**typed, "revision": revision(hall)}, follow=True)
    assert f"Penalty {words}" in text(done)
    assert LedgerEntry.objects.count() == before + (kind is not None)
    if kind:
        assert LedgerEntry.objects.latest("pk").kind == kind


@pytest.mark.long
def test_decided_at_once_by_who_may(hall: Hall, chief: Client, referee: Client) -> None:
    play(hall, sheet(35))
    look = {**TAKE_BACK, "look": "1"}
    assert "Decide it so at once" not in text(referee.get(address(hall, "new/"), look))
    assert "Decide it so at once" in text(chief.get(address(hall, "new/"), look))
    chief.post(address(hall, "new/"), {**TAKE_BACK, "decide": "1", "key": "k"})
    chief.post(address(hall, "new/"), {**TAKE_BACK, "decide": "1", "key": "k"})
    assert Ruling.objects.get().status == "decided"
    assert levels(hall) == ("3", "2")


@pytest.mark.long
def test_what_cannot_be_decided_at_once_is_not_proposed_either(hall: Hall, chief: Client) -> None:
    """The penalty goes on the sheet of hand 1, which is not recorded: a second try must not double it."""
    typed = {"at": "1.1", "irregularity": "kitty_count", "agreed": "on", "side": "NS", "hand": "1"}
    for key in ("a", "b"):
        refused = chief.post(address(hall, "new/"), {**typed, "decide": "1", "key": key})
        assert refused.status_code == 409
        assert "Put it into the log" in text(refused)
        assert not Ruling.objects.exists()
    play(hall, sheet(35))
    chief.post(address(hall, "new/"), {**typed, "decide": "1", "key": "c"})
    assert Ruling.objects.get().status == "decided"


def test_a_fact_that_is_missing_is_called_as_the_form_calls_it(hall: Hall, referee: Client) -> None:
    seen = {"at": "1.1", "irregularity": "revoke", "side": "EW", "look": "1"}
    page = referee.get(f"/desk/{hall.event.slug}/rulings/new/", seen).content.decode()
    assert "Found: please state this." in page
    assert "found is missing" not in page


@pytest.mark.long
def test_an_appeal_is_taken_and_answered(hall: Hall, chief: Client, referee: Client) -> None:
    play(hall, sheet(35))
    chief.post(address(hall, "new/"), {**TAKE_BACK, "decide": "1"})
    lodged = referee.post(address(hall, "1/appeal/"), {"side": "NS", "reason": "We played it"}, follow=True)
    assert "Under appeal" in text(lodged)
    assert "North–South" in text(lodged)
    assert "Decide the appeal" in text(chief.get(address(hall)))
    page = chief.get(address(hall, "1/")).content.decode()
    assert page.count('name="committee"') == 2, "everybody but who ruled"
    even = {"answer": "uphold", "reason": "x", "revision": revision(hall)}
    even["committee"] = [hall.referee.user.username, hall.organiser.user.username]
    told = chief.post(address(hall, "1/appeal/answer/"), even)
    assert told.status_code == 400
    assert "A committee has an odd number of members." in told.content.decode()
    nothing = chief.post(
        address(hall, "1/appeal/answer/"), {"answer": "uphold", "reason": "", "revision": revision(hall)}
    )
    assert nothing.status_code == 400
    assert levels(hall) == ("3", "2")
    answered = chief.post(
        address(hall, "1/appeal/answer/"),
        {"answer": "uphold", "reason": "Heard", "revision": revision(hall)},
        follow=True,
    )
    assert "Overturned on appeal" in text(answered)
    assert levels(hall) == ("4", "2")
    public = text(chief.get(f"/en/e/{hall.event.slug}/rulings/"))
    assert "Overturned on appeal" in public
    assert "We played it" not in public
    assert "Pair 1" not in public


def test_a_side_appeals_from_its_phone(hall: Hall, chief: Client, client: Client) -> None:
    from tests.tournaments.factories import digest

    play(hall, sheet(35))
    chief.post(address(hall, "new/"), {**TAKE_BACK, "decide": "1"})
    device = hall.ns.device
    assert device is not None
    token = "t" * 20
    type(device).objects.filter(pk=device.pk).update(token_digest=digest(token))
    client.cookies[f"place_{device.public_id}"] = token
    place = f"/table/{device.public_id}/"
    assert "Ruling no. 1" in text(client.get(f"{place}"))
    record = text(client.get(f"{place}record/"))
    assert "1 level down" in record
    empty = client.post(f"{place}appeal/", {"ruling": "1", "reason": " "})
    assert empty.status_code == 400
    client.post(f"{place}appeal/", {"ruling": "1", "reason": "Not so", "key": "x"})
    assert Ruling.objects.get().appeal == "lodged"
    assert "Under appeal" in text(client.get(f"{place}record/"))
    assert (
        client.post(
            f"{place}appeal/", {"ruling": "99", "reason": "x"}, headers={"Accept": "application/json"}
        ).status_code
        == 404
    )


@pytest.mark.long
def test_the_log_is_searched(hall: Hall, referee: Client) -> None:
    referee.post(address(hall, "new/"), TAKE_BACK)
    referee.post(address(hall, "new/"), {"at": "1.2", "irregularity": "slow_play", "side": "EW"})
    assert "slow play" in text(referee.get(address(hall)))
    found = text(referee.get(address(hall), {"clause": "penalty.take"}))
    assert "takes back a play" in found
    assert "slow play" not in found
    assert "slow play" in text(referee.get(address(hall), {"table": "2"}))
    for nonsense in ({"table": "x"}, {"entrant": "\u0000"}, {"clause": "\u0000"}):
        assert referee.get(address(hall), nonsense).status_code == 200


@pytest.mark.parametrize(
    "typed",
    [{"at": "9.9"}, {"at": "x"}, {}, {**TAKE_BACK, "hand": "77", "look": "1"},
     {"at": "1.1", "irregularity": "none", "look": "1"}, {"at": "1.1", "case": "follow", "query": "x"}],
)  # fmt: skip
def test_nonsense_in_the_form_breaks_nothing(hall: Hall, referee: Client, typed: dict[str, str]) -> None:
    assert referee.get(address(hall, "new/"), typed).status_code == 200
    assert referee.post(address(hall, "new/"), typed).status_code in (200, 400)
    assert not Ruling.objects.exists()


CASE = {"case": "follow", "query": "level=2&trump=S&lead=H5H5&hand=H9H9D3&play=H9D3"}


@pytest.mark.long
def test_a_position_of_the_adjudicator_becomes_a_ruling(hall: Hall, referee: Client, chief: Client) -> None:
    play(hall, sheet(35))
    page = referee.get(address(hall, "new/"), {**CASE, "at": "1.1", "side": "EW"})
    seen = text(page)
    assert "Put it into the log" in seen
    assert "What the ruling says" in seen
    fields = dict(
        re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode().partition("<aside")[2])
    )
    assert fields["clause"] in hall.event.profile.clauses
    typed = {**CASE, "at": "1.1", "side": "EW", "clause": fields["clause"], "told": "East held two nines"}
    refused = referee.post(address(hall, "new/"), typed | {"clause": ""})
    assert refused.status_code == 400
    assert "A ruling must cite a clause." in text(refused)
    made = referee.post(address(hall, "new/"), typed, follow=True)
    ruling = Ruling.objects.get()
    assert ruling.facts["case"] == {"kind": "follow", "query": CASE["query"]}
    assert ruling.verdict["zh"]
    assert ruling.verdict["en"].startswith("The play is not legal.")
    assert "The play is not legal." in text(made)
    decided = {"penalty": "levels", "side": "EW", "amount": "-1", "revision": revision(hall)}
    chief.post(address(hall, "1/decide/"), decided)
    assert LedgerEntry.objects.latest("pk").facts["why"] == {"en": "by ruling no. 1", "zh": "按第 1 号判罚"}


def test_a_position_that_cannot_be_judged_makes_no_ruling(hall: Hall, referee: Client) -> None:
    for query in ("", "lead=XX&hand=H2&play=H2"):
        typed = {"case": "follow", "query": query, "at": "1.1"}
        assert referee.get(address(hall, "new/"), typed).status_code == 200
        clause = next(iter(hall.event.profile.clauses))
        assert referee.post(address(hall, "new/"), typed | {"clause": clause}).status_code == 400
    assert not Ruling.objects.exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "players", "hand"), [("I1", 4, alone("1", 85, 45)), ("I3", 5, allied("1", "3", 35))]
)
def test_single_players_are_ruled_on_by_position_and_place(
    db: None, sign_in: Callable[[Actor], Client], preset: str, players: int, hand: dict[str, Any]
) -> None:
    made = evening(preset, players)
    (table,) = sittings_of(made.seated(tuple(range(1, players + 1))))
    made.enter(table, hand)
    chief = sign_in(made.actor)
    base = f"/desk/{made.tournament.slug}/rulings/"
    single = {"case": "follow", "query": "trump=S&lead=H5&hand=H9D3&play=D3"}
    page = chief.get(f"{base}new/", {**single, "at": "1.1", "side": "2"})
    assert page.status_code == 200
    position = Client().get(page.context["edit_case"])
    assert position.context["profile"] == made.tournament.profile
    assert position.context["verdict"].text == page.context["verdict"].text
    clause = next(iter(made.tournament.profile.clauses))
    proposed = chief.post(f"{base}new/", {**single, "at": "1.1", "side": "2", "clause": clause}, follow=True)
    assert "Decide so" in text(proposed)

    def seen() -> str:
        return str(Sitting.objects.get(pk=table.pk).revision)

    typed = {"penalty": "levels", "side": "2", "amount": "-1"}
    decided = chief.post(f"{base}1/decide/", {**typed, "revision": seen()}, follow=True)
    assert "seat 2 −1" in text(decided)
    chief.post(f"{base}1/appeal/", {"side": "2", "reason": "Not so"})
    answered = {"answer": "uphold", "reason": "Heard", "revision": seen()}
    assert "Overturned on appeal" in text(chief.post(f"{base}1/appeal/answer/", answered, follow=True))
    measure = "levels" if preset == "I3" else "points"
    moved = LedgerEntry.objects.filter(sitting=table, kind="penalty").order_by("position")
    # levels that were not there to be taken are not given back
    assert [entry.facts[measure] for entry in moved] == ([-1] if preset == "I3" else [-1, 1])
    event = made.tournament.slug
    pages = (base, f"{base}1/", f"/en/e/{event}/rounds/1/tables/1/", f"/en/e/{event}/rulings/")
    for address in (*pages, f"/desk/{event}/rounds/1/tables/1/"):
        assert chief.get(address).status_code == 200


TEMPO = {"at": "1.1", "irregularity": "illegal_information", "side": "NS", "channel": "tempo"}
EVIDENCE = {"reported": "South of table 1", "seen": "A pause of a minute", "used": "North led the suit"}


def test_illegal_information_is_ruled_on_with_its_way_its_evidence_and_what_was_before(
    hall: Hall, referee: Client, chief: Client
) -> None:
    page = address(hall, "new/")
    form = text(referee.get(page, TEMPO))
    assert "In which way" in form
    assert "What was seen" in form
    without = referee.post(page, TEMPO | {"look": "1"})
    assert "without evidence" in text(without)
    seen = text(referee.post(page, TEMPO | EVIDENCE | {"look": "1"}))
    assert "illegal information, tempo: a warning" in seen
    assert "What to ask first" in seen
    assert "Which time in this event" in seen
    assert "What this side had before" not in seen
    chief.post(page, TEMPO | EVIDENCE | {"decide": "1"})
    ruling = Ruling.objects.get()
    assert {name: ruling.facts[name] for name in EVIDENCE} == EVIDENCE
    told = text(chief.get(address(hall, "1/")))
    assert all(one in told for one in EVIDENCE.values())
    assert "tempo: a card played quickly or slowly" in told
    # what was seen names people: no public page holds it
    assert "A pause of a minute" not in chief.get(f"/en/{hall.event.slug}/rulings/").content.decode()
    again = text(referee.post(page, TEMPO | EVIDENCE | {"channel": "gesture", "dealer": "S", "look": "1"}))
    assert "the second time" in again
    assert "What this side had before in this event" in again


def test_a_card_in_question_is_asked_for_on_the_signal_card(hall: Hall, referee: Client) -> None:
    page, facts = address(hall, "new/"), TEMPO | EVIDENCE | {"channel": "card", "look": "1"}
    assert "On the signal card of the side: please state this." in text(referee.post(page, facts))
    assert "legal way" in text(referee.post(page, facts | {"on_card": "yes"}))
    assert "a signal that is not on the card" in text(referee.post(page, facts | {"on_card": "no"}))
    by_address = referee.get(page, TEMPO | EVIDENCE | {"look": "1"}).content.decode()
    assert "A pause of a minute" not in by_address


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "players", "hand", "facts", "words"),
    [
        ("I1", 4, alone("1", 85, 45), {}, "adjusted result: seat 1 +3, seat 2 −3"),
        ("I3", 5, allied("1", "3", 35), {"ally": "3"}, "adjusted result: seat 1 +1, seat 3 +1"),
    ],
)
def test_single_players_are_ruled_on_by_the_schedule(
    db: None,
    sign_in: Callable[[Actor], Client],
    preset: str,
    players: int,
    hand: dict[str, Any],
    facts: dict[str, str],
    words: str,
) -> None:
    made = evening(preset, players)
    (table,) = sittings_of(made.seated(tuple(range(1, players + 1))))
    made.enter(table, hand)
    chief = sign_in(made.actor)
    base = f"/desk/{made.tournament.slug}/rulings/"
    typed = {"at": "1.1", "irregularity": "revoke", "side": "2", "found": "later"}
    form = chief.get(f"{base}new/", typed)
    assert ("Ally of the hand" in text(form)) is (preset == "I3")
    assert "seat 4" in text(form)
    lacking = chief.get(f"{base}new/", {**typed, "look": "1"})
    assert "Refused" in text(lacking) or preset == "I3"
    seen = chief.get(f"{base}new/", {**typed, "dealer": "1", **facts, "look": "1"})
    assert "the hand is ruled against this player" in text(seen)
    done = chief.post(
        f"{base}new/", {**typed, "hand": "1", "dealer": "1", **facts, "decide": "1", "key": "k"}, follow=True
    )
    assert f"Penalty {words}" in text(done)
    absent = {"at": "1.1", "irregularity": "withdraw", "side": "4", "decide": "1", "key": "l"}
    assert "seat 4 forfeits the table" in text(chief.post(f"{base}new/", absent, follow=True))
    event = made.tournament.slug
    for address in (f"/en/e/{event}/rounds/1/tables/1/", f"/zh/e/{event}/rulings/", f"/desk/{event}/history/"):
        assert chief.get(address).status_code == 200
    table_page = text(chief.get(f"/en/e/{event}/rounds/1/tables/1/"))
    assert "选手4 forfeits" in table_page


@pytest.mark.long
def test_an_official_ends_a_table_for_who_is_absent(db: None, sign_in: Callable[[Actor], Client]) -> None:
    made = evening("I1", 4)
    (table,) = sittings_of(made.seated((1, 2, 3, 4)))
    chief = sign_in(made.actor)
    here = f"/desk/{made.tournament.slug}/rounds/1/tables/1/"
    assert "a player is absent or forfeits" in text(chief.get(here))
    typed = {"end": "forfeit", "by": "3", "award": "1", "revision": "0", "why": "ill"}
    ended = chief.post(f"{here}end/", {**typed, "revision": str(table.revision)}, follow=True)
    assert "The match at this table is over." in ended.content.decode()
    entry = LedgerEntry.objects.get()
    assert (entry.facts["by"], entry.facts["award"]) == ("3", 1)
    public = f"/en/e/{made.tournament.slug}/rounds/1/tables/1/"
    assert "nobody wins the table" in text(chief.get(public))


def test_what_was_told_never_stands_in_an_address(hall: Hall, chief: Client) -> None:
    """It names people; addresses are logged and kept by browsers."""
    page = f"/desk/{hall.event.slug}/rulings/new/"
    by_address = chief.get(f"{page}?at=1.1&irregularity=take_back&side=NS&look=1&told=East+lied")
    assert "East lied" not in by_address.content.decode()
    facts = {"at": "1.1", "irregularity": "take_back", "side": "NS", "told": "East lied", "look": "1"}
    looked = chief.post(page, facts)
    html = looked.content.decode()
    assert looked.status_code == 200
    assert "What the ruling says" in html
    assert 'name="told" value="East lied"' in html
    assert not Ruling.objects.exists()
    form = html[html.index('id="facts"') - 200 : html.index('id="facts"')]
    assert 'method="post"' in form
