"""The offer to undo at the desk and over the API: shown once, in one line with what was done, and pressed."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages.storage.base import Message
from django.test import Client
from django.utils import timezone, translation

from referee.parts.kept import UNDONE, kept, shown
from referee.parts.notices import Notice, notices
from tests.api.hall import desk
from tests.tournaments.factories import signed_in, user
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tests.tournaments.test_apart import apart
from tests.tournaments.test_undoing import by, last
from tournaments.acts.admission import Actor
from tournaments.models import Entrant, HistoryEntry, KeptApart, Office, Official, User
from tournaments.people import attendance
from tournaments.rounds import pairing
from tournaments.rounds.acts import start_round
from tournaments.rulings import log
from tournaments.stages import acts as stages
from tournaments.stages.apart import kept_in
from tournaments.undoing.did import WHY

pytestmark = pytest.mark.django_db

TYPED = {"one": "1", "other": "3", "force": "must", "reason": "siblings"}


def at(made: Event, part: str = "apart/") -> str:
    return f"/desk/{made.tournament.slug}/{part}"


def page(client: Client, address: str, language: str = "en") -> str:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def offer(text: str) -> tuple[str, int]:
    """Where the form of the offer goes, and for how many seconds more it stands."""
    ((address, left),) = re.findall(r'action="([^"]+/undo/)" data-undo="(\d+)"', text)
    return address, int(left)


def test_the_page_that_follows_offers_it_once_and_pressing_it_sets_it_right() -> None:
    made = event(4)
    official = signed_in(made.actor)
    official.post(at(made), TYPED)
    told = page(official, at(made))
    address, left = offer(told)
    assert 50 <= left <= 60
    assert told.count('class="notice ok') == 1, "what was done and how it is undone are one line"
    assert 'name="back" value="/desk/' in told
    assert "data-undo" not in page(official, at(made))
    answer = official.post(address, {"back": at(made, "entrants/")})
    assert (answer.status_code, answer["Location"]) == (303, at(made, "entrants/"))
    assert kept_in(made.tournament) == []
    after = page(official, at(made, "entrants/"))
    assert "Undone: kept two entrants apart." in after
    assert "data-undo" not in after, "an undo is not offered to be undone"
    again = official.post(address, headers={"accept-language": "en"})
    assert again.status_code == 409
    assert "This was undone already." in again.content.decode()


def test_what_was_done_is_said_where_nothing_else_says_it() -> None:
    made = event(4)
    official = signed_in(made.actor)
    official.post(at(made, "entrants/1/"), {"name": "Other", "number": "1", "player-1": "A", "player-2": "B"})
    told = page(official, at(made, "entrants/"))
    assert "Done: changed an entrant." in told
    official.post(offer(told)[0], {"back": "https://elsewhere.example/"})
    assert Entrant.objects.get(pk=made.ids[1]).name == "Pair 1"


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "/desk/", "/", ""])
def test_it_leads_to_no_other_place(back: str) -> None:
    made = event(4)
    official = signed_in(made.actor)
    official.post(at(made), TYPED)
    answer = official.post(offer(page(official, at(made)))[0], {"back": back})
    assert answer["Location"] == at(made, "history/")


def test_the_page_of_what_was_added_goes_with_it() -> None:
    made = event(4)
    official = signed_in(made.actor)
    sent = {"name": "Slip", "player-1": "A", "player-2": "B"}
    assert official.post(at(made, "entrants/new/"), sent).status_code == 303
    new = Entrant.objects.get(name="Slip")
    address, _left = offer(page(official, at(made, "entrants/")))
    answer = official.post(address, {"back": at(made, f"entrants/{new.number}/")})
    assert answer["Location"] == at(made, "entrants/")
    assert not Entrant.objects.filter(pk=new.pk).exists()


def test_the_history_offers_it_for_the_minute_to_who_may() -> None:
    made = event(4)
    made.now = timezone.now()
    apart(made, 1, 2, at=made.now)
    row = last(made, "keep_apart")
    own, chief = signed_in(made.actor), signed_in(colleague(made, Office.CHIEF_REFEREE))
    assert Official.objects.filter(user=made.actor.user).exists()
    address = at(made, f"history/{row.pk}/undo/")
    assert address in page(own, at(made, "history/"))
    assert address not in page(chief, at(made, "history/"))
    assert chief.post(address).status_code == 403
    assert own.post(address).status_code == 303
    after = page(own, at(made, "history/"))
    assert address not in after
    for words in ("undid an act", "What was undone", "let two entrants meet again", "Undone within the minute"):
        assert words in after
    assert "一分钟内撤销" in page(own, at(made, "history/"), "zh-hans")
    assert signed_in(Actor(user=user())).post(address).status_code == 404


def test_when_the_minute_is_over_it_is_refused_in_a_sentence() -> None:
    made = event(4)
    apart(made, 1, 2)
    row = last(made, "keep_apart")
    official = signed_in(made.actor)
    assert at(made, f"history/{row.pk}/undo/") not in page(official, at(made, "history/"))
    refused = official.post(at(made, f"history/{row.pk}/undo/"), headers={"accept-language": "en"})
    assert refused.status_code == 409
    assert "The minute in which this could be undone is over." in refused.content.decode()
    assert KeptApart.objects.get().revoked_at is None
    assert official.get(at(made, f"history/{row.pk}/undo/"))["Location"] == at(made, "history/")


def test_an_office_is_given_back_only_after_the_password() -> None:
    made = event(2)
    official = signed_in(made.actor)
    official.post(at(made, "officials/"), {"username": "newcomer", "office": "referee", "display_name": "New"})
    held = Official.objects.get(user__username="newcomer")
    official.post(at(made, f"officials/{held.pk}/revoke/"))
    assert User.objects.filter(username="newcomer").exists()
    address, _left = offer(page(official, at(made, "officials/")))
    session = official.session
    del session["proved_at"]
    session.save()
    official.post(address)
    assert not Official.objects.filter(user__username="newcomer", revoked_at=None).exists()


def test_over_the_api_the_answer_names_where_it_is_undone() -> None:
    made = event(4)
    made.now = timezone.now()
    organiser = desk(made.actor)
    path = f"events/{made.tournament.slug}"
    body = {"entrants": [1, 3], "force": "must", "reason": "siblings"}
    answer = organiser.post(f"{path}/apart/", body, Idempotency_Key="undo-one")
    assert answer.status == 201
    row = last(made, "keep_apart")
    link = f'</api/v1/{path}/history/{row.pk}/undo/>; rel="undo"'
    assert answer.headers["Link"] == link
    assert organiser.post(f"{path}/apart/", body, Idempotency_Key="undo-one").headers["Link"] == link, (
        "a repeat is answered as the first"
    )
    undone = organiser.post(f"{path}/history/{row.pk}/undo/", Idempotency_Key="undo-two")
    assert undone.status == 200
    said = undone.json
    assert (said["act"], said["subject"], said["new"]) == ("undo", f"history:{row.pk}", {"undone": "keep_apart"})
    assert "Link" not in undone.headers, "do the act again"
    refused = organiser.post(f"{path}/history/{row.pk}/undo/", Idempotency_Key="undo-three")
    assert (refused.status, refused.error["code"]) == (409, "undone_already")
    assert organiser.post(f"{path}/history/{row.pk + 1000}/undo/", Idempotency_Key="undo-four").status == 404
    check = organiser.post(f"{path}/entrants/1/withdraw/", {"reason": "left"}, Idempotency_Key="undo-five")
    attendance_row = HistoryEntry.objects.get(act="withdraw")
    assert f"/history/{attendance_row.pk}/undo/" in check.headers["Link"]


def test_what_nobody_undoes_has_no_link() -> None:
    made = event(4)
    answer = desk(made.actor).post(f"events/{made.tournament.slug}/rounds/", {}, Idempotency_Key="undo-one")
    assert answer.status == 201
    assert "Link" not in answer.headers


def test_a_fetched_check_in_is_undone_where_it_stands() -> None:
    """The roll's own button takes a check-in back; its script asks for an empty answer and no offer."""
    made = event(4)
    official = signed_in(made.actor)
    official.post(at(made, "attendance/check/"), {"entrant": "1"}, headers={"x-requested-with": "fetch"})
    assert "data-undo" not in page(official, at(made, "attendance/"))
    attendance.undo_check_in(entrant_id=made.ids[1], actor=made.actor, at=made.tick())
    official.post(at(made, "attendance/check/"), {"entrant": "1"})
    assert "data-undo" in page(official, at(made, "attendance/"))


NOW = timezone.now()


@pytest.mark.parametrize(
    ("given", "shown_as"),
    [
        ([], []),
        ([(25, "Saved.", "")], [Notice("Saved.", "success")]),
        ([(25, "Saved.", ""), (25, "Done: x.", "U")], [Notice("Saved.", "success", "/u/", 54)]),
        ([(25, "Done: x.", "U")], [Notice("Done: x.", "success", "/u/", 54)]),
        (
            [(30, "Look.", ""), (25, "Done: x.", "U")],
            [Notice("Look.", "warning"), Notice("Done: x.", "success", "/u/", 54)],
        ),
        ([(25, "Saved.", ""), (25, "Done: x.", "O")], [Notice("Saved.", "success", "", -1)]),
    ],
)
def test_one_line_says_what_was_done_and_offers_to_undo_it(given: list[Any], shown_as: list[Notice]) -> None:
    until = {"U": NOW + timedelta(seconds=54), "O": NOW - timedelta(seconds=1), "": None}
    made = [
        Message(level, text, f"undo /u/ {int(end.timestamp())}" if (end := until[tag]) else None)
        for level, text, tag in given
    ]
    assert notices(made, NOW) == shown_as
    assert notices(None) == []


def test_the_reason_is_in_the_language_of_who_reads_it() -> None:
    for language, code in (("en", "en"), ("zh-hans", "zh")):
        assert kept(UNDONE, language) == WHY[code]
        with translation.override(language):
            assert {shown(one) for one in WHY.values()} == {WHY[code]}


def test_what_cannot_simply_be_undone_says_before_what_it_does() -> None:
    made = event(4, stage={"rounds_planned": 1})
    stages.add_stage(tournament_id=made.tournament.pk, **by(made), facts={"format": "rr", "rounds_planned": 3})
    official = signed_in(made.actor)
    draft = made.paired((1, 2), (3, 4))
    said = {at(made, "rounds/1/pair/"): "Once published, it gets a number and is never edited"}
    assert_said(official, said)
    pairing.publish_pairing(round_id=draft.pk, **by(made))
    assert_said(official, {at(made, ""): "Starting opens the tables: the clock runs and hands are taken."})
    start_round(round_id=draft.pk, **by(made))
    assert_said(official, {at(made, ""): "Closing ends the round and signs its phones out."})
    first = sittings_of(draft)[0]
    log.propose(sitting_id=first.pk, **by(made), facts={"irregularity": "slow_play"}, side="NS")
    assert_said(official, {at(made, "rulings/1/"): "It stays in the log, as cancelled."})
    made.play(draft, [35], [85])
    assert_said(
        official,
        {
            at(made, "standings/publish/"): "A published table gets a number and a digest and never changes.",
            at(made, "stages/2/begin/"): "Once the stage begins the field is fixed",
            at(made, "entrants/1/"): "It can be undone for a minute.",
        },
    )


def assert_said(official: Client, said: dict[str, str]) -> None:
    for address, sentence in said.items():
        assert sentence in page(official, address), address
