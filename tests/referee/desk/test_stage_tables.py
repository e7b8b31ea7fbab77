"""Tables of an event of groups and a knockout: ties that wait and lots by hand at the desk, the bracket in public."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.factories import AT
from tournaments.acts.admission import Actor
from tournaments.acts.doorbell import mark_stale
from tournaments.events import setup
from tournaments.models import Match, Round, Sitting, Tournament
from tournaments.rounds import drawing, pairing
from tournaments.rounds.acts import create_round
from tournaments.standings.runs import recalculate

if TYPE_CHECKING:
    from collections.abc import Callable

FORM = {
    "format": "referee/form/1",
    "profile": "cn-national-2d",
    "stages": [
        {
            "format": "groups_rr",
            "match_score": "mp_10",
            "tie_rule": "on_stage",
            "chain": ["points", "mini_group", "extra_match", "lots"],
            "plan": {"groups": 2},
        },
        {
            "format": "ko_timed",
            "match_score": "mp_10",
            "tie_rule": "on_stage",
            "plan": {"qualify": 2, "crossed": True, "third_place": True},
        },
    ],
}


@pytest.fixture
def director(db: None) -> Actor:
    return Actor(user=factories.user())


@pytest.fixture
def client(director: Actor) -> Client:
    return factories.signed_in(director)


@pytest.fixture
def event(director: Actor) -> Tournament:
    made = setup.create_tournament(
        actor=director, at=AT, name="Cup", slug="cup", lot_seed="s" * 32, form=FORM, language="en"
    )
    for number in range(1, 9):
        factories.entrant(made, number)
    return made


def play(event: Tournament, director: Actor, home_wins: Callable[[Match], bool]) -> Round:
    """The next round, drawn, published and closed with these winners (K : 5)."""
    made = create_round(tournament_id=event.pk, actor=director, at=AT)
    drawing.draw_round(round_id=made.pk, actor=director, at=AT)
    pairing.publish_pairing(round_id=made.pk, actor=director, at=AT)
    for match in made.matches.filter(outcome="pending"):
        won = home_wins(match)
        Match.objects.filter(pk=match.pk).update(
            outcome="played",
            winner_side="NS" if won else "EW",
            home_level="K" if won else "5",
            away_level="5" if won else "K",
            home_hundredths=100 * won,
            away_hundredths=100 * (not won),
            finished_at=AT,
        )
        Sitting.objects.filter(match=match).update(phase="finished")
    Round.objects.filter(pk=made.pk).update(status="closed", started_at=AT, closed_at=AT)
    mark_stale(event.pk)
    recalculate(tournament_id=event.pk, at=AT)
    return made


def lower_wins(match: Match) -> bool:
    return match.home.number < match.away.number


def in_a_circle(match: Match) -> bool:
    """In the first group each of the first three beats the next one, the third the first; else the lower one wins."""
    members = sorted(one.entrant.number for one in match.round.stage.field.filter(group=1))[:3]
    pair = (match.home.number, match.away.number)
    if not set(pair) <= set(members):
        return lower_wins(match)
    place, other = (members.index(number) for number in pair)
    return (other - place) % 3 == 1


def groups(event: Tournament, director: Actor, home_wins: Callable[[Match], bool]) -> None:
    for _number in range(3):
        play(event, director, home_wins)


@pytest.mark.long
def test_a_tie_across_the_line_waits_and_lots_by_hand_settle_it(
    event: Tournament, director: Actor, client: Client
) -> None:
    groups(event, director, in_a_circle)
    page = client.get("/desk/cup/standings/")
    (tie,) = page.context["ties"]
    assert (tie.group, len(tie.entrants)) == (1, 3)
    assert "Extra round for ties" in page.content.decode()
    assert "It is not decided who qualifies" in client.get("/desk/cup/stages/2/begin/").content.decode()
    drawn = list(reversed(tie.entrants))
    sent = {f"order-{one.pk}": str(number) for number, one in enumerate(drawn, start=1)} | {"stage": "1"}
    assert "Say how and why" in client.post("/desk/cup/standings/lots/", sent).content.decode()
    answer = client.post("/desk/cup/standings/lots/", sent | {"reason": "cards cut at the desk"})
    assert (answer.status_code, answer["Location"]) == (303, "/desk/cup/standings/?stage=1")
    recalculate(tournament_id=event.pk, at=AT)
    after = client.get("/desk/cup/standings/?stage=1").context
    assert after["ties"] == []
    assert [line["row"].entrant for line in after["rows"] if line["group"] == 1][:3] == drawn
    assert client.get("/desk/cup/stages/2/begin/").context["count"] == 4


@pytest.mark.long
@pytest.mark.parametrize(
    ("lots", "said"),
    [
        (["1", "2"], "nobody else"),
        (["1", "2", "2"], "each once"),
        (["1", "2", "third"], "each once"),
    ],
)
def test_refused_lots_come_back_as_they_were_typed(
    event: Tournament, director: Actor, client: Client, lots: list[str], said: str
) -> None:
    groups(event, director, in_a_circle)
    (tie,) = client.get("/desk/cup/standings/").context["ties"]
    drawn = {name: lot for (name, _label), lot in zip(tie.lots, lots, strict=False)}
    sent = drawn | {"reason": "cards cut", "stage": "1", "tie": tie.id}
    answer = client.post("/desk/cup/standings/lots/", sent)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert said in page
    for name, typed in (drawn | {"reason": "cards cut"}).items():
        field = re.search(rf'<input[^>]* name="{name}"[^>]*>', page)
        assert field
        assert f'value="{typed}"' in field[0]
    assert not event.stages.get(number=1).drawn_lots.exists()


@pytest.mark.long
def test_files_of_standings_are_of_the_stage_shown(event: Tournament, director: Actor, client: Client) -> None:
    groups(event, director, lower_wins)
    client.post("/desk/cup/stages/2/begin/")
    recalculate(tournament_id=event.pk, at=AT)
    page = client.get("/desk/cup/standings/?stage=1").content.decode()
    for address in ("export.csv", "export.xlsx", "live.pdf"):
        assert f"/desk/cup/standings/{address}?stage=1" in page
        assert client.get(f"/desk/cup/standings/{address}?stage=9").status_code == 404
    asked = [client.get(f"/desk/cup/standings/export.csv{query}") for query in ("?stage=1", "?stage=2", "")]
    counts = [len(one.content.decode("utf-8-sig").splitlines()) - 1 for one in asked]
    assert counts == [8, 4, 4]
    assert "cup-stage-1-standings.csv" in asked[0]["Content-Disposition"]


@pytest.mark.long
def test_each_stage_is_published_by_itself(event: Tournament, director: Actor, client: Client) -> None:
    groups(event, director, lower_wins)
    assert client.get("/desk/cup/standings/publish/").context["stage"].number == 1
    client.post("/desk/cup/stages/2/begin/")
    play(event, director, lower_wins)
    assert client.get("/desk/cup/standings/publish/").context["stage"].number == 2
    seen = client.get("/desk/cup/standings/publish/?stage=1").context
    sent = {"stage": "1", "round": "3", "number": str(seen["number"])}
    waits = client.post("/desk/cup/standings/publish/", sent)["Location"]
    assert client.get("/desk/cup/standings/publish/?stage=1")["Location"] == waits
    assert client.post(f"{waits}now/")["Location"] == "/desk/cup/publications/1/"
    assert event.publications.get().stage.number == 1
    assert client.get("/desk/cup/standings/publish/?stage=9").status_code == 404


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "qualifies", "semi"), [("en", "goes on", "Semi-finals"), ("zh", "出线", "半决赛")]
)
def test_the_public_sees_groups_bracket_and_placing(
    event: Tournament, director: Actor, client: Client, language: str, qualifies: str, semi: str
) -> None:
    groups(event, director, lower_wins)
    here = f"/{language}/e/cup/standings/"
    first = Client().get(here + "?stage=1")
    page = first.content.decode()
    assert page.count('class="data compact cross"') == 2
    assert page.count(qualifies) == 4
    assert [len(section.cross) for section in first.context["sections"]] == [4, 4]
    client.post("/desk/cup/stages/2/begin/")
    play(event, director, lower_wins)
    play(event, director, lower_wins)
    second = Client().get(here + "?stage=2")
    assert semi in second.content.decode()
    bracket = second.context["bracket"]
    assert [len(column.meetings) for column in bracket.columns] == [2, 2]
    assert sum(one.third for one in bracket.meetings) == 1
    (everybody,) = Client().get(here + "?stage=all").context["placing"]
    assert [(line.entrant.number, line.rank) for line in everybody.lines][:4] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [line.rank for line in everybody.lines][4:] == [5, 5, 7, 7]


@pytest.mark.long
def test_hidden_standings_hide_the_placing_too(event: Tournament, director: Actor) -> None:
    Tournament.objects.update(live_public=False)
    groups(event, director, lower_wins)
    for stage in ("1", "all"):
        answer = Client().get(f"/en/e/cup/standings/?stage={stage}")
        assert answer.status_code == 200
        assert "placing" not in answer.context
        assert "Pair 1" not in answer.content.decode()
