"""Every page of the desk says in one line what is due, where in the life of the event that is, and does or opens it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.api.hall import desk
from tests.markup import flat
from tests.referee.public.events import waiting_hand
from tests.tournaments import playing
from tests.tournaments.factories import signed_in
from tournaments.acts.access import Act
from tournaments.acts.admission import who_may
from tournaments.ledger.devices import issue_codes
from tournaments.models import Office, Official, Sitting, SittingPhase, Tournament

if TYPE_CHECKING:
    from tests.tournaments.playing import Event

pytestmark = pytest.mark.django_db


def line(made: Event, page: str) -> tuple[list[str], str]:
    """Where its buttons lead, and its words after the row of steps."""
    answer = signed_in(made.actor).get(f"/desk/{made.tournament.slug}/{page}", headers={"accept-language": "zh-hans"})
    assert answer.status_code == 200, page
    found = re.search(r'<section class="panel next-step.*?</section>', flat(answer.content.decode()))
    assert found is not None, page
    words = re.sub("<[^>]+>", " ", re.sub("<ol.*?</ol>", "", found[0]))
    return re.findall(r'(?:action|href)="(/[^"]+)"', found[0]), re.sub(r"\s+", " ", words).strip()


def test_before_the_first_round() -> None:
    made = playing.event(4)
    playing.colleague(made, Office.CHIEF_REFEREE)
    for page in (
        "entrants/",
        "standings/",
        "officials/",
        "setup/",
        "publications/",
        "rulings/",
        "history/",
        "",
        "rounds/",
    ):
        ways, said = line(made, page)
        assert ways == [f"/desk/{made.tournament.slug}/rounds/new/"], page
        assert said == ("第 3 步 / 9 · 编排 下一步 编排第 1 轮 已有 4 方参赛。 然后公布编排，打印桌卡。 编排第 1 轮"), (
            page
        )


def test_on_the_pages_of_a_table_and_of_a_round() -> None:
    """Once on each: the board and the list of rounds show it at large, the board of an earlier round as elsewhere."""
    made = playing.event(4)
    made.play(made.running((1, 2), (3, 4)), [80], [80])
    tables = playing.sittings_of(made.running((1, 3), (2, 4)))
    waiting_hand(made, tables[0])
    for page in ("", "rounds/", "rounds/1/", "rounds/2/", "rounds/2/tables/1/", "rounds/2/tables/1/enter/"):
        answer = signed_in(made.actor).get(f"/desk/{made.tournament.slug}/{page}").content.decode()
        assert answer.count('class="panel next-step') == 1, page


def test_no_button_opens_the_page_anew_on_which_it_stands() -> None:
    made = playing.event(0)
    playing.colleague(made, Office.CHIEF_REFEREE)
    paste = f"/desk/{made.tournament.slug}/entrants/import/"
    assert line(made, "setup/")[0] == [paste]
    ways, said = line(made, "entrants/import/")
    assert ways == []
    assert "录入参赛方" in said
    made = playing.event(2, stage={"rounds_planned": 1})
    round_ = made.running((1, 2))
    made.play(round_, [35])
    publish = f"/desk/{made.tournament.slug}/standings/publish/?stage=1"
    assert line(made, "standings/")[0] == [publish]
    ways, said = line(made, "standings/publish/?stage=1")
    assert ways == []
    # nothing was published, so that step is not done
    assert said == "第 8 步 / 9 · 公布 下一步 公布最终名次 结果都齐了。 然后颁奖。"


def test_the_row_of_steps_is_read_aloud() -> None:
    made = playing.event(4)
    page = flat(signed_in(made.actor, "en").get(f"/desk/{made.tournament.slug}/entrants/").content.decode())
    row = page[page.index('<ol class="life"') :]
    said = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", row[: row.index("</ol>")]))
    assert "Set-up done" in said
    assert "Pairing now" in said
    assert "Awards to come" in said
    assert row.count('aria-current="step"') == 1


def test_a_dispute_comes_first() -> None:
    made = playing.event(4)
    tables = playing.sittings_of(made.running((1, 2), (3, 4)))
    waiting_hand(made, tables[1])
    Sitting.objects.filter(pk=tables[1].pk).update(phase=SittingPhase.DISPUTED)
    ways, said = line(made, "entrants/")
    assert ways == [f"/desk/{made.tournament.slug}/rounds/1/tables/2/"]
    assert "2 桌有争议 1 桌在打，1 桌有争议。" in said
    assert line(made, "rounds/1/tables/2/")[0] == [], "nothing leads to the page that is shown"


def test_a_missing_judge_is_mended_in_one_tap() -> None:
    """From any page; an office sent without a name is for who sends it."""
    made = playing.event(4)
    made.published((1, 2), (3, 4))
    issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    Official.objects.filter(tournament=made.tournament).exclude(office=Office.ORGANISER).delete()
    Tournament.objects.filter(pk=made.tournament.pk).update(single_official=False)
    address = f"/desk/{made.tournament.slug}/officials/"
    for page in ("", "entrants/"):
        ways, said = line(made, page)
        assert ways == [address, address], page
        assert "指定裁判长" in said
        assert "我也当裁判" in said
    client = signed_in(made.actor)
    answer = client.post(address, {"office": "chief_referee", "to": "board"})
    assert answer.status_code == 303
    assert answer["location"] == f"/desk/{made.tournament.slug}/"
    assert who_may(Act.SETTLE, tournament=made.tournament) == [made.actor.user]
    assert line(made, "")[0] == [f"/desk/{made.tournament.slug}/rounds/1/start/"]


def test_the_api_says_the_same() -> None:
    made = playing.event(4)
    told = desk(made.actor).ok("GET", f"events/{made.tournament.slug}/next/")
    assert told["title"]["zh"] in line(made, "entrants/")[1]
    assert (told["step"], told["refused"]) == ("pair", None)
    assert {"step": "pair", "words": {"en": "Pairing", "zh": "编排"}, "reached": "now"} in told["life"]
