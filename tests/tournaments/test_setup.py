"""Creating and changing events, officials, sign-in links."""

from __future__ import annotations

from hashlib import sha256

import pytest

from scoring import profiles
from tests.tournaments.factories import AT, hall, official, user
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Forbidden, Refusal
from tournaments.events import officials, setup
from tournaments.models import HistoryEntry, Office, Recalculation, Tournament
from tournaments.plans.presets import PRESETS, plain

pytestmark = pytest.mark.django_db

SEED = "0123456789abcdef" * 4


def create(actor: Actor | None = None, **more: object) -> Tournament:
    facts = {"name": "澄湖杯", "slug": "chenghu", "lot_seed": SEED, "preset": "F1"}
    return setup.create_tournament(actor=actor or Actor(user=user()), at=AT, **{**facts, **more})


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_makes_an_event(preset: str) -> None:
    event = create(preset=preset)
    form = PRESETS[preset]
    assert event.profile.digest == profiles.build(plain(form.profile), individual=True).digest == event.profile_digest
    assert event.penalties == plain(form.penalties)
    for stage, wanted in zip(event.stages.order_by("number"), plain(form.stages), strict=True):
        stated = "rounds_planned" in wanted
        assert stage.directing.rounds_by_field is not stated
        by_field = {} if stated else {"rounds_by_field": True}
        for name, value in wanted.items():
            assert getattr(stage, name) == (value | by_field if name == "plan" else value)
    assert set(form.title) == set(form.about) == {"en", "zh"}


def test_the_creator_organises_and_the_seed_is_committed() -> None:
    actor = Actor(user=user())
    event = create(actor)
    assert [(o.user, o.office) for o in event.officials.all()] == [(actor.user, Office.ORGANISER)]
    assert event.lot_commitment == sha256(SEED.encode()).hexdigest()
    assert Recalculation.objects.filter(tournament=event, covered_number=0).exists()
    assert SEED not in str(HistoryEntry.objects.filter(tournament=event).values_list("new"))


def test_stage_and_profile_win_over_the_preset() -> None:
    event = create(stage={"minutes": 55, "chain": ["points", "wins"]}, profile="scn2-2013")
    stage = event.stages.get()
    assert (stage.minutes, stage.rounds_planned, stage.chain) == (55, 4, ["points", "wins"])
    assert event.profile.id == "scn2-2013"


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"name": "  "}, "name", "empty"),
        ({"name": "a\u202eb"}, "name", "hidden_characters"),
        ({"name": "x" * 121}, "name", "too_long"),
        ({"name": None}, "name", "empty"),
        ({"slug": "Über"}, "slug", "bad_setting"),
        ({"slug": "-a"}, "slug", "bad_setting"),
        ({"slug": "api"}, "slug", "slug_taken"),
        ({"language": "fr"}, "language", "bad_setting"),
        ({"timezone": "Mars/Olympus"}, "timezone", "bad_setting"),
        ({"timezone": "../etc"}, "timezone", "bad_setting"),
        ({"starts_on": "2026-02-30"}, "starts_on", "bad_setting"),
        ({"preset": "F9"}, "preset", "bad_setting"),
        ({"lot_seed": "short"}, "lot_seed", "bad_setting"),
        ({"profile": "nobody"}, "profile", "unknown_profile"),
        ({"stage": {"minutes": 0}}, "stage.minutes", "bad_setting"),
        ({"stage": {"minutes": True}}, "stage.minutes", "bad_setting"),
        ({"stage": {"minutes": 40.0}}, "stage.minutes", "bad_setting"),
        ({"stage": {"chain": ["points", "points"]}}, "stage.chain", "bad_setting"),
        ({"stage": {"chain": ["luck"]}}, "stage.chain", "bad_setting"),
        ({"stage": {"chain": ["points", "lots", "wins"]}}, "stage.chain", "lots_not_last"),
        ({"stage": {"chain": ["lots"]}}, "stage.chain", "lots_alone"),
        ({"stage": {"format": "groups_rr", "plan": {"groups": 9, "group_of": 4}}}, "stage.plan.groups", "groups_twice"),
        ({"stage": {"chain": ["net_levels"], "match_score": "hand_points"}}, "stage.chain", "levels_not_here"),
        ({"stage": {"match_score": "x"}}, "stage.match_score", "bad_setting"),
        ({"stage": {"colour": "red"}}, "stage.colour", "unknown_field"),
        ({"preset": "F3", "stage": {"tie_rule": "draw"}}, "stage.tie_rule", "knockout_draw"),
    ],
)
def test_nonsense_is_refused_by_field(changes: dict[str, object], field: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        create(**changes)
    assert (refused.value.field, refused.value.code) == (field, code)
    assert refused.value.message["en"]
    assert refused.value.message["zh"]
    assert not Tournament.objects.exists()


def test_an_address_is_taken_once() -> None:
    create()
    with pytest.raises(Refusal, match="slug_taken"):
        create()


def test_nobody_creates_anonymously() -> None:
    with pytest.raises(Forbidden):
        create(Actor())


def test_what_decides_results_is_fixed_once_play_began() -> None:
    at_work = hall()
    change = {"tournament_id": at_work.event.pk, "actor": at_work.organiser, "at": AT}
    with pytest.raises(Refusal, match="play_has_begun"):
        setup.update_tournament(**change, changes={"stage": {"chain": ["points"]}})
    setup.update_tournament(**change, changes={"stage": {"minutes": 50}, "name": "New name"})
    at_work.stage.refresh_from_db()
    at_work.event.refresh_from_db()
    assert (at_work.stage.minutes, at_work.event.name) == (50, "New name")


@pytest.mark.parametrize("field", ["slug", "profile_spec", "lot_seed", "demo", "stale_number"])
def test_some_things_never_change(field: str) -> None:
    at_work = hall()
    with pytest.raises(Refusal, match="unknown_field"):
        setup.update_tournament(tournament_id=at_work.event.pk, actor=at_work.organiser, at=AT, changes={field: "x"})


def test_only_the_organiser_sets_up() -> None:
    at_work = hall()
    with pytest.raises(Forbidden):
        setup.update_tournament(tournament_id=at_work.event.pk, actor=at_work.referee, at=AT, changes={})


def test_offices_are_given_once_and_taken_back() -> None:
    at_work = hall()
    given = {"tournament_id": at_work.event.pk, "actor": at_work.organiser, "at": AT, "username": "wang"}
    first = officials.appoint(**given, display_name="王芳", office="referee", tables=[1])
    again = officials.appoint(**given, office="referee")
    assert first.pk == again.pk
    assert list(again.tables.all()) == []
    assert not first.user.has_usable_password()
    taken = officials.revoke(official_id=first.pk, actor=at_work.organiser, at=AT)
    assert taken.revoked_at == AT


def test_the_last_organiser_stays() -> None:
    at_work = hall()
    mine = at_work.event.officials.get(user=at_work.organiser.user)
    with pytest.raises(Refusal, match="last_organiser"):
        officials.revoke(official_id=mine.pk, actor=at_work.organiser, at=AT)
    official(at_work.event, Office.ORGANISER)
    officials.revoke(official_id=mine.pk, actor=at_work.organiser, at=AT)
