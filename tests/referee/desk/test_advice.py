"""Advice on a stage at the desk: asked for by a form, worked out by a worker, shown with sentences and bars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.markup import flat
from tests.tournaments import factories
from tests.tournaments.factories import AT
from tournaments.acts import jobs
from tournaments.models import Entrant, Job, Stage, Tournament
from tournaments.stages import trying
from tournaments.transfer.job_kinds import KINDS

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

FORM = {"entrants": "8", "rounds": "2, 3", "minutes": "30", "pace": "6", "spread": "mixed", "seed": "s"}


def event(client: Client, preset: str) -> Tournament:
    sent: dict[str, Any] = {
        "name": "Cup",
        "slug": "cup",
        "language": "en",
        "timezone": "UTC",
        "starts_on": "2026-10-16",
    }
    answer = client.post("/desk/new/", sent | {"preset": preset, "profile": ""})
    assert answer.status_code == 303, answer.context["form"].errors
    return Tournament.objects.get(slug="cup")


def test_a_report_is_asked_for_worked_out_and_shown(somebody: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "_FEWEST_EVENTS", 5)
    monkeypatch.setattr(trying, "_PAIRS", 20)
    event(somebody, "F1")
    address = "/desk/cup/stages/1/advice/"
    assert "Nothing tried yet." in somebody.get(address).content.decode()
    assert address in somebody.get("/desk/cup/setup/").content.decode()
    answer = somebody.post(address, FORM)
    assert (answer.status_code, answer["Location"]) == (303, address)
    assert "Waiting for a free worker" in somebody.get(address).content.decode()
    assert jobs.run(job_id=Job.objects.get().pk, kinds=KINDS, at=AT)
    page = flat(somebody.get(address).content.decode())
    assert "2 rounds: the strongest side wins" in page
    assert "3 rounds instead of 2" in page
    assert page.count('class="share"') > 20
    assert 'value="2, 3"' in page
    chinese = somebody.get(address, headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "最强的一方" in chinese


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("entrants", "3", "greater than or equal to 4"),
        ("rounds", "2, x", "A whole number from 1 to"),
        ("rounds", "1, 2, 3, 4", "Write one, two or three numbers of rounds."),
        ("rounds", "9", "A whole number from 1 to"),
        ("spread", "huge", "not one of the available choices"),
    ],
)
def test_what_makes_no_sense_is_told_at_its_field(somebody: Client, field: str, value: str, said: str) -> None:
    event(somebody, "F1")
    answer = somebody.post("/desk/cup/stages/1/advice/", FORM | {field: value})
    assert answer.status_code in (400, 422)
    assert said in flat(answer.content.decode())
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("stage", "rounds", "said"),
    [
        ({"format": "dup_teams", "plan": {"boards": 2}}, "2, 3", "On boards nobody climbs"),
        (
            {"format": "dup_pairs", "match_score": "hand_points", "plan": {"boards": 1}},
            "2, 3",
            "On boards nobody climbs",
        ),
        ({"format": "dup_pairs", "match_score": "hand_points", "plan": {"boards": 1}}, "2, 9", "8 pairs play 1 to 3"),
    ],
)
def test_boards_are_tried(
    somebody: Client, monkeypatch: pytest.MonkeyPatch, stage: dict[str, Any], rounds: str, said: str
) -> None:
    monkeypatch.setattr(trying, "_FEWEST_EVENTS", 5)
    monkeypatch.setattr(trying, "_PAIRS", 20)
    made = event(somebody, "F1")
    usual = {"match_score": "mp_210", "chain": ["points", "lots"], "minutes": None, "tie_rule": "draw"}
    Stage.objects.filter(tournament=made).update(**{**usual, **stage})
    address = "/desk/cup/stages/1/advice/"
    sent = {name: value for name, value in FORM.items() if name != "minutes"}
    answer = somebody.post(address, sent | {"rounds": rounds})
    if answer.status_code != 303:
        assert said in flat(answer.content.decode())
        return
    assert jobs.run(job_id=Job.objects.get().pk, kinds=KINDS, at=AT)
    page = flat(somebody.get(address).content.decode())
    assert said in page
    assert "Matches over before their time" not in page
    assert "复式牌副不升级" in somebody.get(address, headers={"Accept-Language": "zh-hans"}).content.decode()


@pytest.mark.parametrize("preset", ["F2", "F17"])
def test_groups_are_tried_with_the_stages_that_follow(
    somebody: Client, monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    monkeypatch.setattr(trying, "_FEWEST_EVENTS", 5)
    monkeypatch.setattr(trying, "_PAIRS", 20)
    event(somebody, preset)
    answer = somebody.post("/desk/cup/stages/1/advice/", FORM | {"entrants": "16"})
    assert answer.status_code == 303
    assert jobs.run(job_id=Job.objects.get().pk, kinds=KINDS, at=AT)
    page = flat(somebody.get("/desk/cup/stages/1/advice/").content.decode())
    assert "Counted through all 2 stages" in page
    assert "Others advance without a tie-break" in page


@pytest.mark.parametrize(("preset", "players"), [("I1", 12), ("I2", 12), ("I3", 12)])
def test_an_evening_of_single_players_is_tried(
    somebody: Client, monkeypatch: pytest.MonkeyPatch, preset: str, players: int
) -> None:
    monkeypatch.setattr(trying, "_FEWEST_EVENTS", 5)
    monkeypatch.setattr(trying, "_PAIRS", 20)
    made = event(somebody, preset)
    address = "/desk/cup/stages/1/advice/"
    page = flat(somebody.get(address).content.decode())
    assert ">Players<" in page
    assert "Seats are drawn as in your event." in page
    answer = somebody.post(address, FORM | {"entrants": str(players)})
    assert answer.status_code == 303, flat(answer.content.decode())
    assert jobs.run(job_id=Job.objects.get(tournament=made).pk, kinds=KINDS, at=AT)
    page = flat(somebody.get(address).content.decode())
    assert "the strongest player wins" in page
    assert "made-up events of 12 players" in page
    assert not re.search(r"\bsides?\b", page[page.index("What comes out") : page.index("</main>")])
    assert "Drawn matches" not in page


def test_the_form_begins_with_what_can_be_played(somebody: Client) -> None:
    made = event(somebody, "F1")
    Stage.objects.filter(tournament=made).update(rounds_planned=5)
    for number in range(1, 6):
        Entrant.objects.create(tournament=made, number=number, name=f"Pair {number}")
    page = somebody.get("/desk/cup/stages/1/advice/").content.decode()
    assert 'name="rounds" value="4"' in page  # five pairs meet once in four rounds


def test_too_few_for_a_table_are_told_at_their_field(somebody: Client) -> None:
    event(somebody, "I3")
    answer = somebody.post("/desk/cup/stages/1/advice/", FORM | {"entrants": "4"})
    assert answer.status_code in (400, 422)
    assert "A table needs 5 players; there are 4." in flat(answer.content.decode())


@pytest.mark.parametrize(
    ("preset", "plan", "sent", "said"),
    [
        ("I3", {"qualify": 4}, {"entrants": "12"}, "Stage 2: A table needs 5 players; there are 4."),
        ("I2", {"qualify": 3}, {"entrants": "12"}, "Stage 2: A table needs 4 players; there are 3."),
    ],
)
def test_too_few_for_a_table_of_a_stage_that_follows_are_told_too(
    somebody: Client, preset: str, plan: dict[str, Any], sent: dict[str, str], said: str
) -> None:
    made = event(somebody, preset)
    first = Stage.objects.get(tournament=made)
    Stage.objects.filter(pk=first.pk).update(minutes=30)
    follows(first, plan)
    answer = somebody.post("/desk/cup/stages/1/advice/", FORM | sent)
    assert answer.status_code in (400, 422)
    assert said in flat(answer.content.decode())
    assert not Job.objects.exists()
    chinese = somebody.post("/desk/cup/stages/1/advice/", FORM | sent, headers={"Accept-Language": "zh-hans"})
    assert "第 2 阶段：一桌要" in chinese.content.decode()


def test_no_movement_for_the_pairs_of_a_stage_that_follows_is_told(somebody: Client) -> None:
    made = event(somebody, "F2")
    _first, second = Stage.objects.filter(tournament=made).order_by("number")
    Stage.objects.filter(pk=second.pk).update(
        format="dup_pairs", match_score="hand_points", chain=["points", "lots"], minutes=None, rounds_planned=9,
        plan={"boards": 1, "qualify": 1},
    )  # fmt: skip
    answer = somebody.post("/desk/cup/stages/1/advice/", FORM | {"entrants": "16"})
    assert answer.status_code in (400, 422)
    assert "Stage 2: 8 pairs play 1 to 3 rounds so." in flat(answer.content.decode())


def test_a_stage_that_was_changed_while_the_work_waited_ends_it_with_a_sentence(somebody: Client) -> None:
    made = event(somebody, "I3")
    address = "/desk/cup/stages/1/advice/"
    assert somebody.post(address, FORM | {"entrants": "12"}).status_code == 303
    follows(Stage.objects.get(tournament=made), {"qualify": 4})
    assert jobs.run(job_id=Job.objects.get().pk, kinds=KINDS, at=AT)
    assert "Stage 2: A table needs 5 players; there are 4." in Job.objects.get().refusal["message"]["en"]
    assert "Stage 2: A table needs 5 players" in flat(somebody.get(address).content.decode())


def test_a_report_of_an_earlier_version_is_shown(somebody: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "_FEWEST_EVENTS", 5)
    monkeypatch.setattr(trying, "_PAIRS", 20)
    event(somebody, "F1")
    address = "/desk/cup/stages/1/advice/"
    somebody.post(address, FORM)
    assert jobs.run(job_id=Job.objects.get().pk, kinds=KINDS, at=AT)
    page = flat(somebody.get(address).content.decode())
    report, job = page[page.index("What comes out") : page.index("</main>")], Job.objects.get()
    del job.result["report"]["singles"]
    job.save()
    assert report in flat(somebody.get(address).content.decode())


def test_who_has_withdrawn_is_not_counted(somebody: Client) -> None:
    made = event(somebody, "F1")
    for number in range(1, 8):
        factories.entrant(made, number)
    made.entrants.filter(number__in=(2, 5)).update(withdrawn_at=AT)
    page = somebody.get("/desk/cup/stages/1/advice/")
    assert page.context["form"].initial["entrants"] == 5


def follows(first: Stage, plan: dict[str, Any]) -> None:
    """A stage like the first one, after it."""
    first.refresh_from_db()
    first.pk, first.number, first.plan = None, 2, first.plan | plan
    first.save(force_insert=True)
