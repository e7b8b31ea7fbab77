"""Every kind of page of the demonstration, in both languages: no raw value, no id, no word of the other language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.page_words import Walk, slips, typed_words
from tests.tournaments import factories
from tournaments.demo import cast
from tournaments.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.timeout(1800)]

#: Reasons and names that the demonstration has somebody type, in both languages at once.
TYPED = {
    cast.PLACE,
    "十五分钟未到场 / Not at the table after fifteen minutes",
    "选手身体不适退出 / A player was taken ill",
    "签字记分表为准 / As on the signed sheet",
}


class Hall(NamedTuple):
    """The demonstration: its people's browsers, each with the pages it begins at."""

    browsers: dict[str, Client]
    start: dict[str, list[str]]


@pytest.fixture(scope="module")
def hall(django_db_setup: None, module_without_loop: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Hall]:
    with django_db_blocker.unblock(), transaction.atomic():
        said = StringIO()
        call_command("demo", stdout=said)
        browsers = {"everybody": Client(), "organiser": Client(), "referee": Client()}
        for who, (username, _) in {"organiser": cast.ORGANISER, "referee": cast.REFEREES[0]}.items():
            user = User.objects.get(username=username)
            user.set_password("who has one is not asked to set it first")
            user.save()
            browsers[who].force_login(user, backend="django.contrib.auth.backends.ModelBackend")
            factories.just_proved(browsers[who])
        _, *sides = re.findall(r"http://[^/]+(/\S+)", said.getvalue())
        tables = [browsers["everybody"].post(side)["Location"] for side in sides]
        yield Hall(browsers, {"everybody": tables, "organiser": ["/desk/"], "referee": ["/desk/"]})
        transaction.set_rollback(True)


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("who", ["everybody", "organiser", "referee"])
def test_every_kind_of_page_is_in_words(hall: Hall, who: str, language: str) -> None:
    client, typed = hall.browsers[who], typed_words() | TYPED
    client.cookies["django_language"] = "zh-hans" if language == "zh" else "en"
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    pages = dict(Walk(client).pages(*([f"/{language}/"] if who == "everybody" else []), *hall.start[who]))
    assert len(pages) > 25
    found = {slip: address for address, html in pages.items() for slip in slips(html, language, typed)}
    assert not found, "\n".join(f"{address}: {slip}" for slip, address in found.items())


@pytest.mark.parametrize(
    ("html", "language", "said"),
    [
        ("<p>按记录应打 {&#x27;en&#x27;: &#x27;3&#x27;}</p>", "zh", "raw"),
        ("<p>method round_robin</p>", "en", "raw 'round_robin'"),
        ("<option>penalty.late.forfeit</option>", "en", "id 'penalty.late.forfeit'"),
        ('<a class="clause" href="/rulings/#penalty.late.forfeit">penalty.late.forfeit</a>', "en", "id"),
        ('<a class="clause" href="/rules/#cn.cap">cn.cap</a>', "zh", ""),
        ("<p>迟到 15 分</p>", "en", "Chinese '迟到'"),
        ('<p lang="zh-Hans">迟到 15 分</p>', "en", ""),
        ("<p>第 1 轮 draw</p>", "zh", "English 'draw'"),
        ('<button title="closed">关</button>', "zh", "English 'closed'"),
        ("<p>Emma Clarke 录入，CSV</p>", "zh", ""),
        ("<p>主客不均 24, 偏离 12</p>", "zh", "half-width"),
        ("<p><b>是</b>: 继续</p>", "zh", "half-width"),
        ("<p>南北方, <b>2</b></p>", "zh", "half-width"),
        ("<p><b>两桌</b>, <b>三桌</b></p>", "zh", "half-width"),
        ("<p>21:40，打 10:20；2, 3</p>", "zh", ""),
        ("<script>let a = {b: None}</script><code>a.b_c</code>", "zh", ""),
    ],
)
def test_a_slip_is_found(html: str, language: str, said: str) -> None:
    found = slips(html, language, {"Emma Clarke"})
    assert all(said and slip.startswith(said) for slip in found[:1])
    assert bool(found) == bool(said)
