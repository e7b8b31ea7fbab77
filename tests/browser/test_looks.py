"""What everybody may expect of the pages of an event in stages: nothing sticks out, keys are large enough, headings go
down one by one, fields and columns are named, and text stands out from what it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.pages import faults
from tests.referee.public.events import publish
from tests.tournaments.factories import AT
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.models import Job, Publication, SittingPhase
from tournaments.people import attendance
from tournaments.rounds import closing
from tournaments.standings.runs import recalculate

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

BOARDS: Final = {"format": "dup_teams", "match_score": "mp_210", "tie_rule": "draw", "minutes": None,
                 "rounds_planned": 3, "chain": ["points", "opponents", "head_to_head", "board_points", "lots"],
                 "plan": {"boards": 2, "groups": 2}}  # fmt: skip
LOOKS: Final = [("zh-hans", "dark", 320), ("en", "light", 390), ("en", "dark", 1280)]
OF_KNOCKOUT: Final = (
    "/desk/new/",
    "/desk/import/",
    "/desk/{slug}/",
    "/desk/{slug}/setup/",
    "/desk/{slug}/running/",
    "/desk/{slug}/stages/1/",
    "/desk/{slug}/stages/1/begin/",
    "/desk/{slug}/attendance/",
    "/desk/{slug}/attendance/?round=2",
    "/desk/{slug}/entrants/1/",
    "/desk/{slug}/rounds/",
    "/desk/{slug}/rounds/2/pair/",
    "/desk/{slug}/rounds/2/tables/1/",
    "/desk/{slug}/standings/",
    "/desk/{slug}/standings/publish/",
    "/desk/{slug}/jobs/{done}/",
    "/desk/{slug}/jobs/{failed}/",
    "/{language}/e/{slug}/",
    "/{language}/e/{slug}/rounds/1/",
    "/{language}/e/{slug}/rounds/2/",
    "/{language}/e/{slug}/standings/",
    "/{language}/e/{slug}/standings/{published}/",
    "/{language}/e/{slug}/standings/?follow=1,2",
    "/{language}/e/{slug}/follow/?n=1,2,3",
    "/{language}/e/{slug}/entrants/",
    "/{language}/e/{slug}/certificate/",
    "/{language}/e/{slug}/check/",
)
OF_BOARDS: Final = (
    "/desk/{slug}/",
    "/desk/{slug}/stages/1/",
    "/desk/{slug}/stages/1/begin/",
    "/desk/{slug}/stages/1/boards/",
    "/desk/{slug}/rounds/1/tables/1/",
    "/desk/{slug}/rounds/1/tables/1/boards/",
    "/desk/{slug}/standings/",
    "/{language}/e/{slug}/",
    "/{language}/e/{slug}/rounds/1/",
    "/{language}/e/{slug}/rounds/1/tables/1/",
    "/{language}/e/{slug}/standings/",
)
OF_GROUPS: Final = (
    "/{language}/e/{slug}/rounds/1/",
    "/{language}/e/{slug}/standings/",
    "/{language}/e/{slug}/standings/{published}/",
)
#: Before anybody has entered, every page says so.
OF_NOTHING: Final = (
    "/desk/{slug}/",
    "/desk/{slug}/entrants/",
    "/desk/{slug}/attendance/",
    "/desk/{slug}/rounds/",
    "/desk/{slug}/stages/1/begin/",
    "/desk/{slug}/standings/publish/",
    "/desk/{slug}/publications/",
)


@pytest.fixture
def look(live_server: LiveServer, enter: Callable[..., Page]) -> Callable[..., None]:
    """``look(event, paths, language, theme, width, **ids)``: no page has a fault, with all its folds open."""

    def look_at(made: Event, paths: tuple[str, ...], language: str, theme: str, width: int, **ids: int) -> None:
        page = enter(made.actor, language=language, theme=theme)
        page.set_viewport_size({"width": width, "height": 844})
        known = {"slug": made.tournament.slug, "language": language[:2], **ids}
        found = {}
        for path in paths:
            answer = page.goto(live_server + path.format(**known))
            assert answer is not None
            assert answer.status == 200, path
            page.evaluate("document.querySelectorAll('main details').forEach(part => { part.open = true })")
            if wrong := faults(page):
                found[path] = wrong
        assert found == {}

    return look_at


@pytest.mark.parametrize(
    ("inside", "fault"),
    [
        ("<p>One</p>", ""),
        ("<div style='width: 2000px'>One</div>", "wider than the screen: 2"),
        ("<h1>Another</h1>", "not one h1"),
        ("<h3>Third</h3>", "h3 after h1: Third"),
        ("<button style='height: 20px'>Go</button>", "too small: <button"),
        ("<label><input type=checkbox style='margin: 0'>Yes</label>", "too small: <input"),
        ("<input style='height: 48px'>", "no label: <input"),
        ("<a class=btn style='display: block; height: 48px' href='#'></a>", "no name: <a"),
        ("<table><tr><th>Name</th></tr></table>", "no scope: <th"),
        ("<table><tr><th scope=col></th></tr></table>", "empty head: <th"),
        ("<section aria-labelledby=none>One</section>", "labelled by nothing: <section"),
        ("<label style='display: block; height: 48px'><input type=radio>Hearts</label>", "in no group: <input"),
        ("<p id=a>One</p><p id=a>Two</p>", "twice: #a"),
        ("<p style='color: #888; background: #fff'>Pale</p>", "hard to read: <p"),
    ],
)
def test_every_fault_is_found(page: Page, inside: str, fault: str) -> None:
    page.set_content(f"<body style='background: #fff; color: #000'><main><h1>Title</h1>{inside}</main></body>")
    found = faults(page)
    assert [one.startswith(fault) for one in found] == ([True] if fault else [])


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_a_knockout(look: Callable[..., None], language: str, theme: str, width: int) -> None:
    """Five pairs, one with a name as long as they get: a round is published, the next is being played."""
    made = event(5, language="zh-hans", preset="F3", name="第十七届全国高校教职工升级（双升）邀请赛公开组")
    longest = made.tournament.entrants.get(number=2)
    longest.name, longest.name_latin = (
        "长风新村街道老干部活动中心代表队",
        "Massachusetts Institute of Technology Graduates",
    )
    longest.save()
    first = made.begun(made.drawn())
    made.play(first, *[[35]] * len(sittings_of(first)))
    published: Publication = publish(made, first)
    made.begun(made.drawn())
    attendance.check_in(entrant_id=longest.pk, round_id=None, actor=made.actor, at=made.tick())
    asked = {"tournament": made.tournament, "kind": "score_sheets", "subject": first.pk, "asked_at": AT, "done_at": AT}
    done = Job.objects.create(**asked, result={"bytes": 4}, content=b"%PDF")
    failed = Job.objects.create(
        **asked, refusal={"code": "gone", "message": {"en": "It is gone.", "zh": "已经没有了。"}}
    )
    ids = {"done": done.pk, "failed": failed.pk, "published": published.number}
    look(made, OF_KNOCKOUT, language, theme, width, **ids)


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_groups_that_play_past_the_joker_level(
    look: Callable[..., None], language: str, theme: str, width: int
) -> None:
    """Seven teams in two groups, every match won past the last level: the grids of who beat whom hold long words."""
    made = event(7, language="zh-hans", preset="F17")
    first = made.begun(made.drawn())
    for sitting in sittings_of(first):
        while sitting.phase != SittingPhase.FINISHED:
            made.hand(sitting, 0)
            sitting.refresh_from_db()
    closing.close_round(round_id=first.pk, actor=made.actor, at=made.tick())
    published: Publication = publish(made, first)
    look(made, OF_GROUPS, language, theme, width, published=published.number)


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_boards_in_two_rooms(look: Callable[..., None], language: str, theme: str, width: int) -> None:
    """Four teams in two groups: one room has played both boards, the other the first."""
    made = event(4, language="zh-hans", stage=BOARDS)
    round_ = made.begun(made.drawn())
    opened, closed, *_rest = sittings_of(round_)
    for sitting, hands in ((opened, 2), (closed, 1)):
        for _hand in range(hands):
            made.hand(sitting, 35)
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    look(made, OF_BOARDS, language, theme, width)


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_nothing_yet(look: Callable[..., None], language: str, theme: str, width: int) -> None:
    look(event(0, preset="F2"), OF_NOTHING, language, theme, width)


@pytest.mark.parametrize(("language", "theme", "width"), LOOKS)
def test_what_has_just_changed_can_be_read(
    live_server: LiveServer, enter: Callable[..., Page], language: str, theme: str, width: int
) -> None:
    """The band of what is on now is washed as news come in: at its first moment, too, its words stand out from it."""
    made = event(4, language="zh-hans")
    made.begun(made.drawn())
    page = enter(made.actor, language=language, theme=theme)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{live_server}/{language[:2]}/e/{made.tournament.slug}/")
    page.locator(".hero").evaluate("""band => {
        band.classList.add("changed");
        const [washed] = band.getAnimations();
        washed.pause();
        washed.currentTime = 0;
    }""")
    assert faults(page) == []
