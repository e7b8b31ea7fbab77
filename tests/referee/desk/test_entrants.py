"""Entrants by form and by file."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.markup import flat
from tests.tournaments.factories import Hall
from tournaments.models import Entrant
from tournaments.people.lists import read_file

HEAD = "external_id,number,name,unit,player1,player2\n"


def upload(client: Client, hall: Hall, text: str, name: str = "pairs.csv"):
    file = SimpleUploadedFile(name, text.encode())
    return client.post(f"/desk/{hall.event.slug}/entrants/import/", {"file": file, "encoding": "utf-8"})


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def test_a_pair_is_called_by_its_players(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/entrants/"
    answer = organiser.post(f"{here}new/", {"player_1": "林晓", "player_2": "周航", "unit": "东区"}, follow=True)
    assert answer.redirect_chain == [(here, 303)]
    assert "5 林晓 / 周航 is entered." in answer.content.decode()
    made = Entrant.objects.get(unit="东区")
    assert (made.name, made.number) == ("林晓 / 周航", 5)
    organiser.post(f"{here}5/", {"player_1": "林晓", "player_2": "何川", "number": "5", "name": "二队"})
    made.refresh_from_db()
    assert (made.name, [player.name for player in made.players.all()]) == ("二队", ["林晓", "何川"])


def test_a_pair_called_by_its_players_goes_on_to_be_when_the_partner_is_found(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/entrants/"
    organiser.post(f"{here}new/", {"player_1": "林晓"})
    made = Entrant.objects.get(name="林晓")
    asked = field(organiser.get(f"{here}5/").content.decode(), "player_1")
    named = re.search(r'name="name" value="([^"]*)"', organiser.get(f"{here}5/").content.decode())
    organiser.post(
        f"{here}5/", {"number": "5", "name": named[1] if named else "", "player_1": asked, "player_2": "周航"}
    )
    made.refresh_from_db()
    assert made.name == "林晓 / 周航"


def test_a_taken_number_is_refused_and_the_figures_are_kept(hall: Hall, organiser: Client) -> None:
    answer = organiser.post(f"/desk/{hall.event.slug}/entrants/new/", {"name": "二队", "number": "1"})
    assert answer.status_code == 409
    assert "Number 1 is taken" in answer.content.decode()
    assert 'value="二队"' in answer.content.decode()


def test_a_dry_run_writes_nothing_and_applying_it_does(hall: Hall, organiser: Client) -> None:
    before = Entrant.objects.count()
    page = upload(organiser, hall, HEAD + "a1,,,东区,林晓,周航\na2,,=SUM,西区,何川,宋雨\n").content.decode()
    assert "2 new · 0 changed · 0 the same" in page
    assert Entrant.objects.count() == before
    organiser.post(
        f"/desk/{hall.event.slug}/entrants/import/", {"cells": field(page, "cells"), "plan": field(page, "plan")}
    )
    assert Entrant.objects.count() == before + 2
    again = upload(organiser, hall, HEAD + "a1,,林晓 / 周航,北区,林晓,周航\n").content.decode()
    assert "0 new · 1 changed · 0 the same" in again
    assert "北区" in again


def test_a_plan_that_is_no_longer_true_is_not_applied(hall: Hall, organiser: Client) -> None:
    page = upload(organiser, hall, HEAD + "a1,9,甲,,林晓,周航\n").content.decode()
    organiser.post(f"/desk/{hall.event.slug}/entrants/new/", {"name": "乙", "external_id": "a1"})
    here, sent = f"/desk/{hall.event.slug}/entrants/import/", ("cells", "plan")
    answer = organiser.post(here, {name: field(page, name) for name in sent})
    seen_anew = answer.content.decode()
    assert answer.status_code == 412
    assert "have changed since the dry run" in seen_anew
    assert "0 new · 1 changed · 0 the same" in seen_anew
    assert not Entrant.objects.filter(name="甲").exists()
    organiser.post(here, {name: field(seen_anew, name) for name in sent})
    assert Entrant.objects.filter(name="甲").exists(), "the file need not be chosen again"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "a1,1,甲,,林晓,周航\n", "Row 2"),
        (HEAD + "a1,9,甲,,林晓,周航\na1,10,乙,,何川,宋雨\n", "Row 3"),
        ("", "holds no entrants"),
        ("单位,电话\n东区,1\n", "which column holds the names"),
    ],
)
def test_problems_are_told_by_row_and_nothing_is_imported(hall: Hall, organiser: Client, text: str, said: str) -> None:
    before = Entrant.objects.count()
    answer = upload(organiser, hall, text or "\n")
    assert answer.status_code == 422
    assert "Nothing was imported" in answer.content.decode()
    assert said in answer.content.decode()
    assert Entrant.objects.count() == before


def page_of(client: Client, hall: Hall, **fields: str):
    """The list on its page sent again as a browser sends it, with some fields changed."""
    here = f"/desk/{hall.event.slug}/entrants/import/"
    page = fields.pop("page")
    sent = {name: unescape(value) for name, value in re.findall(r'<input[^>]*name="([^"]+)"\s+value="([^"]*)"', page)}
    for choice in ("leave", "two"):
        sent.pop(choice, None)
    for name, options in re.findall(r'<select[^>]*name="([^"]+)".*?>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        sent[name] = chosen[1] if chosen else "0" if name == "head" else ""
    return client.post(here, sent | fields)


LIST = (
    "报名表,,,\n姓名,搭档,部门,电话\n林晓,周航,东区,13800001111\n何川,,西区,13800002222\n林晓,宋雨,东区,1\n合计,3,,\n"
)


def test_a_list_is_put_right_on_its_page(hall: Hall, organiser: Client) -> None:
    """A column is taken for something else, a line is left out, a name is typed; then the list comes in."""
    before = Entrant.objects.count()
    first = upload(organiser, hall, LIST)
    page = first.content.decode()
    assert first.status_code == 422, "one name stands there twice"
    assert all(
        said in page for said in ("Found 3 entrants", "Not taken over: 部门, 电话", "138····1111", "One player only")
    )
    again = page_of(organiser, hall, page=page, look="1", **{"column-2": "unit"})
    page = again.content.decode()
    assert again.status_code == 422
    assert "Row 5: 林晓 is also in row 3. One person, or two?" in page
    assert 'name="cell-5-0" value="林晓"' in flat(page)
    assert "Found 2 entrants" in page_of(organiser, hall, page=page, look="1", leave="5").content.decode()
    page = page_of(organiser, hall, page=page, look="1", **{"cell-5-0": "林小晓"}).content.decode()
    assert "Found 3 entrants" in page
    assert page_of(organiser, hall, page=page).status_code == 303
    added = Entrant.objects.filter(tournament=hall.event).order_by("number")[before:]
    assert [(one.name, one.unit) for one in added] == [
        ("林晓 / 周航", "东区"),
        ("何川", "西区"),
        ("林小晓 / 宋雨", "东区"),
    ]


def test_a_partner_who_is_missing_is_typed_on_the_page(hall: Hall, organiser: Client) -> None:
    text = "姓名,搭档\n林晓,周航\n何川,\n吴桐和郑一鸣,\n陈曦,宋雨\n许诺,唐果\n"
    page = upload(organiser, hall, text).content.decode()
    assert page.count("One player only: type the other here") == 2
    assert 'name="cell-3-1" value=""' in flat(page)
    typed = {"cell-3-1": "赵敏", "cell-4-0": "吴桐", "cell-4-1": "郑一鸣"}
    page = page_of(organiser, hall, page=page, look="1", **typed).content.decode()
    assert "One player only" not in page
    assert page_of(organiser, hall, page=page).status_code == 303
    names = set(Entrant.objects.filter(tournament=hall.event).values_list("name", flat=True))
    assert names >= {"何川 / 赵敏", "吴桐 / 郑一鸣"}


def test_honest_namesakes_come_in(hall: Hall, organiser: Client) -> None:
    """Chosen, read as two people, imported: one click for each line, or one for all of them."""
    text = "姓名,搭档\n王伟,李娜\n张敏,王伟\n张敏,刘洋\n"
    page = flat(upload(organiser, hall, text).content.decode())
    assert page.count("One person, or two?") == 3  # at the two lines, and the first of them below
    assert 'name="two" value="3" data-reread>' in page
    assert "2 repeated names: all different people" in page
    one = flat(page_of(organiser, hall, page=page, look="1", two="3").content.decode())
    assert 'name="two" value="3" data-reread checked>' in one
    assert "1 problem. Nothing was imported." in one
    page = flat(page_of(organiser, hall, page=page, look="namesakes").content.decode())
    assert page.count("checked>") == 2
    assert "Import 3 entrants" in page
    assert page_of(organiser, hall, page=page, two="3").status_code == 400, "the other line is not answered"
    before = Entrant.objects.count()
    assert page_of(organiser, hall, page=page, two=["3", "4"]).status_code == 303
    assert Entrant.objects.count() == before + 3


def test_what_was_not_looked_at_is_not_imported(hall: Hall, organiser: Client) -> None:
    page = upload(organiser, hall, "姓名,部门\n林晓,东区\n").content.decode()
    assert page_of(organiser, hall, page=page, **{"column-1": "unit"}).status_code == 412
    assert not Entrant.objects.filter(name="林晓").exists()


def test_another_line_of_heads_is_read_anew(hall: Hall, organiser: Client) -> None:
    page = upload(organiser, hall, "姓名,单位\n名字,学校\n林晓,一中\n").content.decode()
    assert "Line 2 holds the heads" in page
    page = page_of(organiser, hall, page=page, look="1", head="1").content.decode()
    assert "Line 1 holds the heads" in page


def test_a_list_is_pasted(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/entrants/import/"
    page = organiser.post(here, {"text": "7\t林晓\t周航\t东区\r\n8\t何川\t宋雨\t西区"}).content.decode()
    assert "Found 2 entrants" in page
    assert page_of(organiser, hall, page=page).status_code == 303
    assert Entrant.objects.get(tournament=hall.event, number=8).name == "何川 / 宋雨"
    for nothing in ({}, {"text": " "}, {"text": "", "encoding": "utf-8"}):
        assert organiser.post(here, {"a": "b", **nothing}).status_code == 422


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_sample_is_understood(hall: Hall, organiser: Client, language: str) -> None:
    here = f"/desk/{hall.event.slug}/entrants/import/"
    organiser.cookies["django_language"] = language
    data = organiser.get(f"{here}sample.xlsx").content
    found = read_file(data, "sample.xlsx")
    assert found.layout.fields == ("number", "player1", "player2", "unit", "category", "seed")
    assert (len(found.rows), found.problems) == (2, ())


@pytest.mark.parametrize("page", ["entrants/import/", "/desk/import/", "/desk/new/"])
@pytest.mark.parametrize(("language", "words"), [("en", "Choose a file"), ("zh-hans", "选文件")])
def test_the_file_chooser_speaks_the_language_of_the_page(
    hall: Hall, organiser: Client, page: str, language: str, words: str
) -> None:
    organiser.cookies["django_language"] = language
    shown = organiser.get(page if page.startswith("/") else f"/desk/{hall.event.slug}/{page}").content.decode()
    assert words in shown
    assert shown.count('class="chooser"') == shown.count('type="file"') == 1


def test_rows_of_another_event_or_tampered_rows_are_not_taken(hall: Hall, organiser: Client) -> None:
    before = Entrant.objects.count()
    answer = organiser.post(f"/desk/{hall.event.slug}/entrants/import/", {"cells": "made:up", "plan": "x"})
    assert answer.status_code == 303
    assert Entrant.objects.count() == before


def test_a_withdrawal_needs_a_reason(hall: Hall, organiser: Client) -> None:
    here = f"/desk/{hall.event.slug}/entrants/1/withdraw/"
    organiser.post(here, {"reason": ""})
    assert Entrant.objects.get(tournament=hall.event, number=1).withdrawn_at is None
    organiser.post(here, {"reason": "ill"})
    assert Entrant.objects.get(tournament=hall.event, number=1).withdrawn_at is not None


def test_the_export_comes_back_in_as_the_same(hall: Hall, organiser: Client) -> None:
    for entrant in Entrant.objects.filter(tournament=hall.event):
        entrant.external_id = f"x{entrant.number}"
        entrant.save()
    data = organiser.get(f"/desk/{hall.event.slug}/entrants/export.csv").content.decode("utf-8-sig")
    page = upload(organiser, hall, data).content.decode()
    assert "0 new · 0 changed · 4 the same" in page
