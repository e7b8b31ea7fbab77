"""The page of calls: whose they are, in which order, with what of the table filled in; photos beside the claims."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.markup import flat
from tests.referee.table.places import address, browser_of, hall
from tests.tournaments.factories import AT, Hall, device, official, sheet, signed_in
from tests.tournaments.photos import HOSTILE, photo, told_everything
from tournaments.acts.admission import Actor
from tournaments.evidence import acts as evidence
from tournaments.hall.acts import arrange_in_rows
from tournaments.ledger import calls, scorekeeping
from tournaments.models import Call, Photo, PhotoContent

pytestmark = pytest.mark.django_db


def page(of: Hall, actor: Actor, query: str = "", language: str = "en") -> str:
    return flat(signed_in(actor, language).get(f"/desk/{of.event.slug}/calls/{query}").content.decode())


def order(text: str) -> list[int]:
    """The tables in the order of the page."""
    return [int(found) for found in re.findall(r'data-say="Table (\d+)', text)]


def call(of: Hall, table: int, **more: Any) -> Call:
    side = of.ns if table == 1 else Actor(device=device(of.sittings[table - 1], "NS"))
    return calls.call_referee(sitting_id=of.sittings[table - 1].pk, actor=side, at=AT, **more)


def dispute(of: Hall) -> Call:
    for actor, points in ((of.ns, 35), (of.ew, 40)):
        facts = sheet(points)
        scorekeeping.record_hand(sitting_id=of.sitting.pk, actor=actor, at=AT, facts=facts, hand_no=1)
    return Call.objects.get(kind="dispute")


def test_the_nearest_table_comes_first() -> None:
    of = hall(tables=9)
    arrange_in_rows(tournament_id=of.event.pk, actor=of.chief, at=AT, width=3)
    made = {table: call(of, table) for table in (1, 4, 9)}
    assert order(page(of, of.referee)) == [1, 4, 9]  # nobody knows where he is: who waits longest
    assert order(page(of, of.referee, "?at=8")) == [9, 4, 1]
    assert "row 3, table 3 from the left" in page(of, of.referee)
    for odd in ("?at=99", "?at=x", "?at=-1", f"?at={'9' * 5000}"):
        assert order(page(of, of.referee, odd)) == [1, 4, 9]
    calls.take_call(call_id=made[4].pk, actor=of.chief, at=AT)  # a colleague goes there
    assert order(page(of, of.referee, "?at=8")) == [9, 1, 4]
    calls.take_call(call_id=made[1].pk, actor=of.referee, at=AT)  # his own comes first, and he is on the way there
    assert order(page(of, of.referee, "?at=8")) == [1, 9, 4]
    calls.close_call(call_id=made[1].pk, actor=of.referee, at=AT)
    assert order(page(of, of.referee)) == [9, 4]  # from table 1, which he served last
    fragment = signed_in(of.referee, "en").get(f"/desk/{of.event.slug}/calls/live/?at=8").content.decode()
    assert order(fragment) == [9, 4]


def test_a_referee_sees_the_calls_of_his_tables() -> None:
    of = hall(tables=3)
    for table in (1, 2, 3):
        call(of, table)
    some = official(of.event, tables=(of.sittings[1].table,))
    assert order(page(of, some)) == [2]
    assert order(page(of, of.organiser)) == []  # who takes no calls has none
    assert "No table waits for you." in page(of, of.organiser)
    assert signed_in(hall().referee).get(f"/desk/{of.event.slug}/calls/").status_code == 404


def test_acts_on_a_call_lead_back_to_the_page_they_stand_on() -> None:
    of = hall()
    made = dispute(of)
    client, here = signed_in(of.referee), f"/desk/{of.event.slug}/"
    back = {"calls": f"{here}calls/", "board": here, "table": f"{here}rounds/1/tables/1/", "": here}
    for to, there in back.items():
        answer = client.post(f"{here}calls/{made.pk}/take/", {"to": to})
        assert (answer.status_code, answer["Location"]) == (303, there)
    entry = of.sitting.entries.first()
    settled = client.post(
        f"{here}rounds/1/tables/1/settle/?entry={entry.pk}&revision={_revision(of)}",
        {"to": "calls", "reason": "cards counted"},
    )
    assert (settled.status_code, settled["Location"]) == (303, f"{here}calls/")
    assert order(page(of, of.referee)) == []


def _revision(of: Hall) -> int:
    of.sitting.refresh_from_db()
    return of.sitting.revision


def link(text: str, word: str) -> dict[str, str]:
    """The query of the link with this word."""
    found = re.search(rf'href="([^"]+)"[^>]*>(?:<svg(?:(?!</svg>).)*</svg>)?\s*{word}', text)
    assert found, text
    return {name: one for name, (one,) in parse_qs(urlsplit(found[1].replace("&amp;", "&")).query).items()}


def test_the_adjudicator_opens_with_what_is_known_of_the_hand() -> None:
    of = hall(levels=("5", "7"))
    call(of, 1, note="A throw")
    known = link(page(of, of.referee), "Adjudicator")
    assert known == {"event": of.event.slug, "at": "1.1.1", "dealer": "S", "level": "5", "kind": "throw"}
    client = Client(headers={"Accept-Language": "en"})
    opened = client.get("/en/adjudicator/", known, follow=True)
    text = opened.content.decode()
    assert opened.redirect_chain[-1][0].startswith("/en/adjudicator/throw/")
    assert re.search(r'<option value="5" selected', text)
    assert '<input type="hidden" name="at" value="1.1.1">' in text
    judged = client.get("/en/adjudicator/throw/", known | {"N": "HAHKHQ", "level": "5", "trump": "S", "leader": "N"})
    assert "&amp;at=1.1&amp;hand=1" in judged.content.decode()
    for odd in ("1.1.1.1", "a", "1.1.'", "9" * 99):
        assert 'name="at"' not in client.get("/en/adjudicator/throw/", known | {"at": odd}).content.decode()


def test_of_a_dispute_it_knows_what_both_sides_say() -> None:
    of = hall()
    dispute(of)
    known = link(page(of, of.referee), "Adjudicator")
    assert known["trump"] == sheet(35)["trump"]
    assert (known["dealer"], known["at"]) == ("S", "1.1.1")
    chosen = Client().get("/en/adjudicator/", known).content.decode()
    for name in ("dealer", "trump", "level", "at"):
        assert f'<input type="hidden" name="{name}" value="{known[name]}">' in chosen


def test_a_call_leads_to_a_ruling_at_its_table() -> None:
    of = hall()
    call(of, 1)
    assert link(page(of, of.referee), "Rule on it") == {"at": "1.1", "hand": "1"}


def file(data: bytes, name: str = "slip.jpg", kind: str = "image/jpeg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, kind)


def test_both_sides_give_photos_and_the_referee_has_them_beside_the_claims() -> None:
    of = hall()
    made = dispute(of)
    for side in (of.ns, of.ew):
        form = browser_of(side).get(address(side)).content.decode()
        assert f'action="{address(side, f"calls/{made.pk}/photos")}"' in form
        given = browser_of(side).post(address(side, f"calls/{made.pk}/photos"), {"photo": file(told_everything())})
        assert (given.status_code, given["Location"]) == (303, address(side))
    ours, theirs = Photo.objects.order_by("pk")
    own = {one: f"{address(one)}photos/{{}}.jpg" for one in (of.ns, of.ew)}
    assert own[of.ns].format(ours.pk) in browser_of(of.ns).get(address(of.ns)).content.decode()
    for side, mine, other in ((of.ns, ours, theirs), (of.ew, theirs, ours)):
        shown = browser_of(side).get(address(side)).content.decode()
        assert f"photos/{mine.pk}.jpg" in shown
        assert f"photos/{other.pk}.jpg" not in shown
        assert browser_of(side).get(own[side].format(mine.pk)).status_code == 200
        assert browser_of(side).get(own[side].format(other.pk)).status_code == 404
    desk = f"/desk/{of.event.slug}/"
    for where in ("", "live/", "calls/", "calls/live/", "rounds/1/tables/1/"):
        text = signed_in(of.referee).get(desk + where).content.decode()
        for one in (ours, theirs):
            assert f'src="{desk}photos/{one.pk}.jpg"' in text, where
    other = official(of.event, tables=(hall().sitting.table,))
    assert ".jpg" not in signed_in(other).get(desk).content.decode()
    for stranger in (Client(), signed_in(hall().organiser), browser_of(hall().ns)):
        assert stranger.get(f"{desk}photos/{ours.pk}.jpg").status_code in (302, 404)
        assert stranger.get(f"{desk}photos/{ours.pk}.jpg").get("Content-Type", "").startswith("text/html")


def test_no_page_of_the_public_knows_of_photos() -> None:
    of = hall()
    made = dispute(of)
    evidence.attach(call_id=made.pk, actor=of.ns, at=AT, file=photo())
    digest = Photo.objects.get().digest
    for where in ("", "rounds/1/", "rounds/1/tables/1/", "live/", "hall/"):
        text = Client().get(f"/en/e/{of.event.slug}/{where}").content.decode()
        assert "photos/" not in text
        assert digest not in text
    exported = Client().get(f"/api/v1/events/{of.event.slug}/export/").content.decode()
    assert digest not in exported
    assert "photo" not in exported


def test_a_photo_is_kept_by_nobody_and_does_nothing() -> None:
    of = hall()
    given = evidence.attach(call_id=dispute(of).pk, actor=of.ns, at=AT, file=photo())
    places = {
        f"/desk/{of.event.slug}/photos/{given.pk}.jpg": signed_in(of.referee),
        f"{address(of.ns)}photos/{given.pk}.jpg": browser_of(of.ns),
    }
    for where, client in places.items():
        answer = client.get(where)
        assert answer["Content-Type"] == "image/jpeg"
        assert set(answer["Cache-Control"].replace(" ", "").split(",")) == {"no-store", "private"}
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "ETag" not in answer
        assert answer.content == bytes(PhotoContent.objects.get().content)


@pytest.mark.parametrize("name", ["svg", "bomb", "20_mb", "nothing", "truncated_jpeg"])
def test_a_hostile_file_is_refused_in_words(name: str) -> None:
    of = hall()
    made, (data, code) = dispute(of), HOSTILE[name]
    where = address(of.ns, f"calls/{made.pk}/photos")
    headers = {"Accept": "application/json"}
    refused = browser_of(of.ns).post(where, {"photo": file(data, "slip.jpg")}, headers=headers)
    assert (refused.json()["code"], refused.status_code >= 400) == (code, True)
    assert browser_of(of.ns).post(where, {"photo": file(data)}).status_code == 303
    answer = signed_in(of.referee, "en").post(f"/desk/{of.event.slug}/calls/{made.pk}/photos/", {"photo": file(data)})
    assert answer.status_code >= 400
    assert refused.json()["message"] in flat(answer.content.decode())
    assert not Photo.objects.exists()


def test_a_referee_removes_one_on_the_page_of_the_table() -> None:
    of = hall()
    given = evidence.attach(call_id=dispute(of).pk, actor=of.ns, at=AT, file=photo())
    client, table = signed_in(of.referee, "en"), f"/desk/{of.event.slug}/rounds/1/tables/1/"
    assert "Remove it for good" in client.get(table).content.decode()
    where = f"/desk/{of.event.slug}/photos/{given.pk}/remove/"
    assert client.post(where, {"reason": ""}).status_code == 400
    answer = client.post(where, {"reason": "a face"})
    assert (answer.status_code, answer["Location"]) == (303, table)
    assert not PhotoContent.objects.exists()
    assert client.get(f"/desk/{of.event.slug}/photos/{given.pk}.jpg").status_code == 404
    assert "removed a photo" in client.get(f"/desk/{of.event.slug}/history/").content.decode()


def test_queries_do_not_grow(django_assert_max_num_queries: Any) -> None:
    of = hall(tables=6)
    counts = []
    for tables in ((1, 2), (3, 4, 5, 6)):
        for table in tables:
            made = call(of, table)
            evidence.attach(call_id=made.pk, actor=of.referee, at=AT, file=photo())
        client = signed_in(of.referee)
        with django_assert_max_num_queries(60) as seen:
            client.get(f"/desk/{of.event.slug}/calls/")
        counts.append(len(seen))
    assert counts[0] == counts[1]
