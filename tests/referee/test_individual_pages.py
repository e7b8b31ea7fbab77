"""Every page of an evening of single players opens, in both languages, at every step, and says what it should."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournaments.factories import signed_in
from tests.tournaments.individual import Evening, allied, alone, evening, everyone, sittings_of
from tournaments.ledger import scorekeeping
from tournaments.models import LedgerEntry
from tournaments.rounds import pairing, seating
from tournaments.rounds.acts import create_round, start_round
from tournaments.standings.runs import publish, recalculate

pytestmark = pytest.mark.django_db

HANDS = {
    "I1": alone("1", 95, 100),
    "I2": everyone([80, 60, 50, 40], "2", 10),
    "I3": allied("1", "3", 55),
}
DESK = (
    "", "live/", "setup/", "entrants/", "entrants/1/", "rounds/", "rounds/1/",
    "rounds/1/tables/1/", "rounds/1/tables/1/live/", "corrections/", "standings/",
    "publications/", "history/", "officials/", "rulings/", "rulings/new/", "rules/",
)  # fmt: skip
PUBLIC = (
    "", "rounds/", "rounds/1/", "rounds/1/tables/1/", "standings/", "entrants/", "entrants/1/", "screen/", "check/",
)  # fmt: skip


def pages(of: Evening, desk: Client, *more: str) -> dict[str, str]:
    """The pages of the desk and the public ones by address, all of which open."""
    slug, shown = of.tournament.slug, {}
    for language in ("en", "zh"):
        addresses = [f"/desk/{slug}/{page}" for page in (*DESK, *more)]
        addresses += [f"/{language}/e/{slug}/{page}" for page in PUBLIC]
        for address in addresses:
            answer = desk.get(address, headers={"Accept-Language": language})
            assert answer.status_code == 200, f"{address}: {answer.status_code}"
            shown[f"{language}{address}"] = answer.content.decode()
    return shown


@pytest.mark.long
@pytest.mark.parametrize(("preset", "players"), [("I1", 9), ("I2", 8), ("I3", 10)])
def test_every_page_opens_at_every_step(preset: str, players: int) -> None:
    here = evening(preset, players)
    desk = signed_in(here.actor)
    slug = here.tournament.slug
    draft = create_round(tournament_id=here.tournament.pk, actor=here.actor, at=here.tick())
    assert desk.get(f"/desk/{slug}/rounds/1/pair/").status_code == 200
    seating.seat_players(round_id=draft.pk, actor=here.actor, at=here.tick())
    assert "选手1" in desk.get(f"/desk/{slug}/rounds/1/pair/").content.decode()
    pairing.publish_pairing(round_id=draft.pk, actor=here.actor, at=here.tick())
    shown = pages(here, desk, "rounds/1/supersede/")
    for page in (f"zh/desk/{slug}/", f"zh/zh/e/{slug}/rounds/1/"):
        assert {*range(1, 9)} <= {int(number) for number in re.findall(r"选手(\d+)", shown[page])}
    round_ = start_round(round_id=draft.pk, actor=here.actor, at=here.tick())
    first, second = sittings_of(round_)
    pages(here, desk, "rounds/1/tables/1/enter/")
    done = here.enter(first, HANDS[preset])
    phones = [here.phone(first, place) for place in "12"]
    first.refresh_from_db()
    for phone, changed in zip(phones, ("80", "85"), strict=True):
        facts = HANDS[preset]
        if preset != "I2":
            facts = facts | {"captured_in_tricks": int(changed)}
        else:
            facts = everyone([80, 60, 50, 40], "2" if changed == "80" else "3", 10)
        scorekeeping.record_hand(sitting_id=first.pk, actor=phone, at=here.tick(), facts=facts, hand_no=first.hand_no)
        pages(here, desk, f"rounds/1/tables/1/enter/?from={LedgerEntry.objects.latest('pk').pk}")
    shown = pages(here, desk, f"hands/{done.entry.pk}/correct/")
    assert "选手1" in shown[f"zh/zh/e/{slug}/rounds/1/tables/1/"]
    scorekeeping.settle(
        sitting_id=first.pk,
        actor=here.actor,
        at=here.tick(),
        expected_revision=type(first).objects.get(pk=first.pk).revision,
        facts=HANDS[preset],
        reason="counted",
        hand_no=2,
    )
    for sitting in (first, second):
        here.end(sitting)
    here.close(round_)
    recalculate(tournament_id=here.tournament.pk, at=here.tick())
    stage = here.tournament.stages.get()
    publish(stage_id=stage.pk, round_id=round_.pk, actor=here.actor, at=here.tick())
    shown = pages(here, desk, "standings/publish/", "publications/1/")
    assert desk.get(f"/zh/e/{slug}/standings/1/").status_code == 200
    assert desk.get(f"/desk/{slug}/standings/export.csv").status_code == 200
    assert desk.post(f"/desk/{slug}/rounds/1/cards/").content.startswith(b"%PDF")
