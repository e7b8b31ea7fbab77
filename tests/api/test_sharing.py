"""What pages of other sites may read: what anybody reads without a credential, and nothing else."""

from __future__ import annotations

import pytest

from tests.api.client import Answer, Api
from tests.api.hall import ApiHall, api_hall
from tests.tournaments.factories import signed_in

pytestmark = pytest.mark.django_db

ELSEWHERE = "https://blog.example.org"
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def here() -> ApiHall:
    return api_hall()


def shares(answer: Answer) -> bool:
    assert "Access-Control-Allow-Credentials" not in answer.headers
    return answer.headers.get(ALLOWED) == "*"


def asks_first(path: str, method: str, wanted: str = "") -> Answer:
    """As a browser does before a page elsewhere may send a request."""
    sent = {"Origin": ELSEWHERE, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": wanted}
    return Api().call("OPTIONS", path, **{name.replace("-", "_"): value for name, value in sent.items() if value})


@pytest.mark.parametrize("path", ["events/", "{}/", "{}/standings/", "{}/rounds/", "nowhere/"])
def test_public_reads_are_shared(here: ApiHall, path: str) -> None:
    path = path.format(here.path)
    assert shares(here.nobody.get(path, Origin=ELSEWHERE))
    assert shares(here.nobody.get(path)), "the same for everybody, so that caches need not keep two"


@pytest.mark.parametrize("path", ["events/", "{}/", "{}/history/"])
def test_what_somebody_reads_with_a_credential_is_not(here: ApiHall, path: str) -> None:
    for api in (here.organiser, here.ns, Api("Bearer nonsense"), Api("Basic eDp5")):
        assert not shares(api.get(path.format(here.path), Origin=ELSEWHERE))


def test_no_write_is(here: ApiHall) -> None:
    for path in ("tokens/", "devices/", f"{here.path}/codes/"):
        assert not shares(here.nobody.post(path, {}, Origin=ELSEWHERE))
        assert not shares(asks_first(path, "POST", "content-type"))
    assert not shares(asks_first(f"{here.path}/", "PATCH"))
    assert not shares(asks_first(f"{here.path}/", "DELETE"))


def test_a_browser_that_asks_first_may_read_and_show_nothing_of_anybody(here: ApiHall) -> None:
    for wanted in ("if-none-match", "authorization"):
        answer = asks_first(f"{here.path}/", "GET", wanted)
        assert shares(answer)
        assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
        assert answer.headers["Access-Control-Allow-Headers"] == "If-None-Match"
    assert not shares(Api().call("OPTIONS", f"{here.path}/", Origin=ELSEWHERE)), "that is a question of ours"


def test_what_is_kept_back_stays_so(here: ApiHall) -> None:
    """A cookie opens nothing here: who is signed in at the desk reads what strangers read."""
    at_desk = Api(client=signed_in(here.hall.organiser))
    answer = at_desk.get(f"{here.path}/history/", Origin=ELSEWHERE)
    assert answer.status == 403
    assert at_desk.get(f"{here.path}/").raw == here.nobody.get(f"{here.path}/").raw
