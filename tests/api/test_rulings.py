"""Rulings over the API: foreseen, proposed, decided on what was seen, appealed against from a phone, answered."""

from __future__ import annotations

import pytest

from tests.api.hall import ApiHall, api_hall

pytestmark = pytest.mark.django_db

TAKE_BACK = {"facts": {"irregularity": "take_back"}, "side": "NS"}


@pytest.fixture
def here(db: None) -> ApiHall:
    made = api_hall()
    made.counts()
    return made


def tag(here: ApiHall) -> dict[str, str]:
    here.hall.sitting.refresh_from_db()
    return {"If-Match": f'"{here.hall.sitting.revision}"'}


def test_a_ruling_from_facts_to_an_upheld_appeal(here: ApiHall) -> None:
    seen = here.referee.ok("POST", f"{here.sitting}/rulings/preview/", TAKE_BACK)
    assert (seen["clause"], seen["proposal"]["count"]) == ("penalty.take_back.play", 1)
    made = here.referee.ok("POST", f"{here.sitting}/rulings/", {**TAKE_BACK, "hand_no": 1})["ruling"]
    path = f"rulings/{made['id']}"
    assert (made["number"], made["status"], made["acts"][0]["step"]) == (1, "proposed", "propose")
    assert here.chief.call("POST", f"{path}/decide/", {}).status == 428
    decided = here.chief.ok("POST", f"{path}/decide/", {}, **tag(here))
    assert decided["ruling"]["penalty"]["unit"] == "levels"
    assert decided["entry"] == decided["ruling"]["acts"][1]["entry"]
    again = here.chief.call("POST", f"{path}/decide/", {}, **tag(here))
    assert (again.status, again.error["code"]) == (409, "ruling_decided")
    lodged = here.ns.ok("POST", f"{path}/appeal/", {"reason": "It never left the hand"})
    assert lodged["ruling"]["acts"][2]["side"] == "NS"
    done = here.chief.ok("POST", f"{path}/appeal/answer/", {"upheld": True, "reason": "Heard"}, **tag(here))
    assert done["ruling"]["appeal"] == "upheld"
    levels = [one["facts"]["levels"] for one in here.chief.ok("GET", f"{here.sitting}/entries/")["results"][1:]]
    assert levels == [-1, 1]


def test_none_is_another_answer_than_nothing_said(here: ApiHall) -> None:
    made = here.referee.ok("POST", f"{here.sitting}/rulings/", TAKE_BACK)["ruling"]
    spared = here.chief.ok("POST", f"rulings/{made['id']}/decide/", {"penalty": None}, **tag(here))
    assert (spared["ruling"]["penalty"], spared["entry"]) == (None, None)


@pytest.mark.long
def test_the_log_is_searched_and_the_digest_is_without_names(here: ApiHall) -> None:
    told = {"irregularity": "slow_play", "told": "Wang Fang thought for a minute"}
    slow = here.referee.ok("POST", f"{here.sitting}/rulings/", {"facts": told, "side": "EW"})["ruling"]
    here.referee.ok("POST", f"{here.sitting}/rulings/", TAKE_BACK)
    here.chief.ok("POST", f"rulings/{slow['id']}/decide/", {}, **tag(here))

    def found(query: str) -> list[int]:
        return [one["number"] for one in here.organiser.ok("GET", f"{here.path}/rulings/?{query}")["results"]]

    assert found("") == [2, 1]
    assert found("clause=penalty.slow") == [1]
    assert found("table=1&entrant=2") == [2, 1]
    assert found("table=7") == []
    for wrong in ("table=x", "entrant=-1", "clause=%00"):
        assert here.organiser.call("GET", f"{here.path}/rulings/?{wrong}").error["code"] == "bad_query"
    public = here.nobody.call("GET", f"{here.path}/rulings/digest/")
    assert [one["clause"] for one in public.json["results"]] == ["penalty.slow_play.slow"]
    assert b"Wang Fang" not in public.raw
    one = here.referee.ok("GET", f"rulings/{slow['id']}/")
    assert one["facts"]["told"] == told["told"]
    assert one["same_clause"] == []
