"""The way in that only whoever runs the installation has."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from tournaments.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk by the lake"


def enter(*arguments: str) -> str:
    said = StringIO()
    call_command("enter", *arguments, stdout=said)
    return said.getvalue()


def link(said: str) -> str:
    found = re.search(r"/desk/enter/[0-9a-f]+/", said)
    assert found, said
    return found[0]


def test_the_first_organiser_comes_in_and_can_make_an_event() -> None:
    assert "manage.py enter" in Client().get("/desk/sign-in/").content.decode()
    first = link(enter())
    assert User.objects.get().username == "organiser"
    lost, own = Client(), Client()
    assert lost.post(first).status_code == 303
    # the session is lost before a password is set: another link, which voids the one before
    second, third = link(enter()), link(enter())
    assert own.post(second).status_code == 403
    assert own.post(third).status_code == 303
    facts = {"display_name": "Wu", "username": "wu", "password": PASSWORD}
    assert own.post("/desk/welcome/", facts).status_code == 303
    assert own.get("/desk/new/").status_code == 200
    assert lost.get("/desk/")["Location"].startswith("/desk/sign-in/"), "a password ends the other sessions"
    assert "manage.py enter" not in Client().get("/desk/sign-in/").content.decode()
    with pytest.raises(CommandError, match=r"manage\.py enter NAME"):
        enter()
    assert enter("--if-new") == ""


def test_others_come_in_by_name() -> None:
    User.objects.create_user("wu", password=PASSWORD)
    said = enter("lin", "--shown", "林晓")
    assert "lin" in said
    assert Client().post(link(said)).status_code == 303
    assert User.objects.get(username="lin").display_name == "林晓"
    with pytest.raises(CommandError, match="changepassword wu"):
        enter("wu")
    User.objects.filter(username="lin").update(is_active=False)
    with pytest.raises(CommandError, match="cannot sign in"):
        enter("lin")


@pytest.mark.parametrize("command", [["enter"], ["demo"], ["audit"]])
def test_before_the_tables_are_made_a_sentence_says_what_to_run(command: list[str]) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("has no schemas to look away to")
    with connection.cursor() as cursor:  # undone with the test
        cursor.execute("CREATE SCHEMA bare")
        cursor.execute("SET LOCAL search_path TO bare")
    with pytest.raises(CommandError, match=r"manage\.py migrate"):
        call_command(*command)
