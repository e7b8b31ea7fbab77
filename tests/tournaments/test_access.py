"""Who may do what: the table of acts against what is written down here, and the questions around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.tournaments.factories import AT, Hall, device, hall, official, user
from tournaments.acts.access import MATRIX, Act, Who
from tournaments.acts.admission import SYSTEM, Actor, allowed, forbidden, offices, require, who_may
from tournaments.acts.errors import Forbidden, Refusal
from tournaments.models import Office, Sitting

pytestmark = pytest.mark.django_db

# columns: nobody, a signed-in stranger, the side at its sitting, referee, chief referee, organiser
PEOPLE = ("nobody", "stranger", "side", "referee", "chief", "organiser")
EXPECTED: Mapping[str, str] = {
    "see_public": "yes yes yes yes yes yes",
    "see_table": "- - yes yes yes yes",
    "enter_hand": "- - yes yes yes -",
    "confirm_hand": "- - yes yes yes -",
    "enrol_key": "- - yes - - -",
    "agree_by_code": "- - yes yes yes -",
    "take_back": "- - yes - - -",
    "send_back": "- - yes - - -",
    "call_referee": "- - yes - - -",
    "object": "- - yes - - -",
    "take_call": "- - - yes yes -",
    "close_call": "- - - yes yes -",
    "settle": "- - - yes yes -",
    "correct": "- - - yes yes -",
    "attach_record": "- - - yes yes yes",
    "attach_photo": "- - yes yes yes yes",
    "remove_photo": "- - - yes yes -",
    "propose_correction": "- - - - yes -",
    "approve_correction": "- - - yes yes -",
    "refuse_correction": "- - - yes yes -",
    "penalise": "- - - - yes -",
    "end_sitting": "- - - yes yes -",
    "reopen_sitting": "- - - - yes -",
    "forfeit": "- - - - yes -",
    "decide_by_lot": "- - - - yes -",
    "set_boards": "- - - - yes yes",
    "adjust_board": "- - - - yes -",
    "arrange_hall": "- - - - yes yes",
    "set_logos": "- - - - yes yes",
    "steer_screen": "- - - - yes yes",
    "set_signals": "- - - - yes yes",
    "file_signals": "- - - yes yes yes",
    "put_aside": "- - - yes yes yes",
    "commit_deals": "- - - - yes yes",
    "draw_deals": "- - - - yes yes",
    "name_reader": "- - - - yes yes",
    "read_deals": "- - - yes yes yes",
    "show_deals": "- - - - yes yes",
    "propose_ruling": "- - - yes yes -",
    "decide_ruling": "- - - - yes -",
    "cancel_ruling": "- - - yes yes -",
    "lodge_appeal": "- - yes yes yes yes",
    "decide_appeal": "- - - - yes -",
    "begin_stage": "- - - - yes yes",
    "create_round": "- - - - yes yes",
    "pair": "- - - - yes yes",
    "publish_pairing": "- - - - yes yes",
    "supersede_pairing": "- - - - yes yes",
    "start_round": "- - - - yes yes",
    "set_clock": "- - - - yes yes",
    "extra_time": "- - - yes yes yes",
    "agree_end": "- - yes - - -",
    "reseat": "- - - - yes -",
    "check_in": "- - - yes yes yes",
    "close_round": "- - - - yes yes",
    "reopen_round": "- - - - yes yes",
    "set_scored_by": "- - - - yes yes",
    "swap_tables": "- - - - yes yes",
    "publish": "- - - - - yes",
    "stop_publishing": "- - - - - yes",
    "import_entrants": "- - - - - yes",
    "edit_entrants": "- - - - - yes",
    "keep_apart": "- - - - - yes",
    "let_meet": "- - - - - yes",
    "substitute": "- - - - yes -",
    "withdraw": "- - - - yes yes",
    "readmit": "- - - - yes yes",
    "erase_person": "- - - - - yes",
    "issue_codes": "- - - - yes yes",
    "release_device": "- - - yes yes yes",
    "see_desk": "- - - yes yes yes",
    "see_history": "- - - yes yes yes",
    "undo": "- - - yes yes yes",
    "manage_officials": "- - - - - yes",
    "accept_invitation": "- yes - yes yes yes",
    "decline_invitation": "- yes - yes yes yes",
    "set_up": "- - - - - yes",
    "set_webhooks": "- - - - - yes",
    "propose_rules": "- - - - yes yes",
    "apply_rules": "- - - - yes yes",
    "refuse_rules": "- - - - yes yes",
    "export_names": "- - - - - yes",
    "pair_follower": "- - - - yes -",
    "take_over": "- - - - yes -",
    "move_event": "- - - - - yes",
    "settle_review": "- - - yes yes -",
    "create_tournament": "- yes - yes yes yes",
    "import_event": "- yes - yes yes yes",
}


def people(here: Hall) -> dict[str, Actor]:
    return {
        "nobody": Actor(),
        "stranger": Actor(user=user()),
        "side": here.ns,
        "referee": here.referee,
        "chief": here.chief,
        "organiser": here.organiser,
    }


def may(actor: Actor, act: Act, here: Hall, sitting: Sitting | None = None) -> bool:
    return allowed(actor, act, tournament=here.event, sitting=sitting or here.sitting)


def test_every_act_has_a_row() -> None:
    assert set(MATRIX) == set(Act)
    assert set(EXPECTED) == {act.value for act in Act}


@pytest.mark.parametrize("act", Act)
def test_the_table_of_acts(act: Act) -> None:
    here, there = hall(), hall()
    expected = dict(zip(PEOPLE, (word == "yes" for word in EXPECTED[act.value].split()), strict=True))
    assert {name: may(actor, act, here) for name, actor in people(here).items()} == expected
    # officials and devices of another event are strangers and nobodies here
    signed_in, anyone = Who.OWN_ACCOUNT in MATRIX[act], Who.ANYONE in MATRIX[act]
    for name, actor in people(there).items():
        assert may(actor, act, here) == (anyone or (signed_in and actor.user is not None)), name


@pytest.mark.parametrize("act", Act)
def test_an_event_that_asks_for_a_second_factor(act: Act) -> None:
    """Organiser and chief referee without one do nothing as such; with one, and for all others, the table holds."""
    here = hall(event={"second_factor": True})
    words = dict(zip(PEOPLE, EXPECTED[act.value].split(), strict=True))
    everybody = {Who.ANYONE, Who.OWN_ACCOUNT} & MATRIX[act]
    for name, actor in people(here).items():
        shut = name in ("chief", "organiser") and not everybody
        assert may(actor, act, here) == (words[name] == "yes" and not shut), name
        if shut:
            with pytest.raises(Refusal) as caught:
                require(actor, act, tournament=here.event, sitting=here.sitting)
            expected = "second_factor_needed" if words[name] == "yes" else "forbidden"
            assert (caught.value.code, caught.value.status) == (expected, 403), name
            assert actor.user is not None
            actor.user.factor_since = AT
            assert may(actor, act, here) == (words[name] == "yes")


@pytest.mark.parametrize("act", [act for act in Act if not {Who.ANYONE, Who.OWN_ACCOUNT} & MATRIX[act]])
def test_an_operator_who_asks_every_official_for_a_second_factor(act: Act, settings: Any) -> None:
    """Whatever the event asks for; a side at its table goes on by its card."""
    settings.SECOND_FACTOR = True
    here = hall()
    words = dict(zip(PEOPLE, EXPECTED[act.value].split(), strict=True))
    for name, actor in people(here).items():
        assert may(actor, act, here) == (words[name] == "yes" and actor.user is None), name
        if actor.user is not None and words[name] == "yes":
            with pytest.raises(Refusal, match="second_factor_needed"):
                require(actor, act, tournament=here.event, sitting=here.sitting)
            actor.user.factor_since = AT
            assert may(actor, act, here), name


def test_who_also_serves_as_a_referee_does_that_without_a_second_factor() -> None:
    here = hall(event={"second_factor": True})
    here.event.officials.create(user=here.organiser.user, office=Office.REFEREE, appointed_at=AT)
    assert may(here.organiser, Act.SETTLE, here)
    assert not may(here.organiser, Act.PUBLISH, here)
    assert here.chief.user not in who_may(Act.SETTLE, tournament=here.event, sitting=here.sitting)


@pytest.mark.parametrize("act", [act for act in Act if Who.SIDE in MATRIX[act]])
def test_a_device_acts_at_its_own_sitting_until_it_is_released(act: Act) -> None:
    here = hall(tables=2)
    assert not may(here.ns, act, here, here.sittings[1])
    assert not allowed(here.ns, act, tournament=here.event)
    released = device(here.sittings[1], "NS")
    released.released_at = AT
    assert not may(Actor(device=released), act, here, here.sittings[1])


def test_a_referee_serves_assigned_tables_or_the_whole_hall() -> None:
    here = hall(tables=3)
    assigned = official(here.event, Office.REFEREE, tables=(here.sittings[0].table, here.sittings[1].table))
    served = [may(assigned, Act.SETTLE, here, place) for place in here.sittings]
    assert served == [True, True, False]
    assert [may(here.referee, Act.SETTLE, here, place) for place in here.sittings] == [True] * 3
    assert may(assigned, Act.SEE_DESK, here, None)


def test_two_offices_add_up() -> None:
    here = hall(tables=2)
    assigned = official(here.event, Office.REFEREE, tables=(here.sittings[0].table,))
    here.event.officials.create(user=assigned.user, office=Office.ORGANISER, appointed_at=AT)
    assert set(offices(assigned, here.event)) == {Office.REFEREE, Office.ORGANISER}
    assert may(assigned, Act.PUBLISH, here)
    assert not may(assigned, Act.SETTLE, here, here.sittings[1])


@pytest.mark.parametrize("office", Office)
def test_a_single_official_holds_every_office(office: Office) -> None:
    here = hall(event={"single_official": True})
    alone = official(here.event, office)
    assert set(offices(alone, here.event)) == set(Office)
    assert all(may(alone, act, here) for act in (Act.PUBLISH, Act.FORFEIT, Act.CORRECT))
    assert set(offices(Actor(user=user()), here.event)) == frozenset()


def test_a_revoked_office_and_an_inactive_person_count_at_once() -> None:
    here = hall()
    assert may(here.chief, Act.FORFEIT, here)
    here.event.officials.filter(user=here.chief.user).update(revoked_at=AT)
    assert not may(here.chief, Act.FORFEIT, here)
    person = here.organiser.user
    assert person is not None
    person.is_active = False
    assert not may(here.organiser, Act.PUBLISH, here)
    assert not allowed(here.organiser, Act.CREATE_TOURNAMENT, tournament=None)


def test_a_site_administrator_has_no_rights_in_an_event() -> None:
    here = hall()
    admin = user()
    admin.is_superuser = admin.is_staff = True
    assert not any(may(Actor(user=admin), act, here) for act in (Act.SEE_DESK, Act.PUBLISH, Act.EXPORT_NAMES))


def test_nobody_is_not_the_system() -> None:
    here = hall()
    assert all(may(SYSTEM, act, here) for act in Act)
    assert Actor() != SYSTEM
    with pytest.raises(Forbidden) as caught:
        require(Actor(), Act.PUBLISH, tournament=here.event)
    assert (caught.value.status, caught.value.code) == (403, "forbidden")


@pytest.mark.parametrize(
    ("act", "en", "zh"),
    [
        (Act.PUBLISH, "You may not do this; the organiser may.", "你没有这个权限，需要主办方。"),
        (Act.PENALISE, "You may not do this; the chief referee may.", "你没有这个权限，需要裁判长。"),
        (
            Act.CONFIRM_HAND,
            "You may not do this; a side at its own table or a referee of the table or the chief referee may.",
            "你没有这个权限，需要本桌的一方或该桌裁判或裁判长。",
        ),
    ],
)
def test_a_refusal_names_who_may(act: Act, en: str, zh: str) -> None:
    with pytest.raises(Forbidden) as caught:
        require(Actor(), act, tournament=hall().event)
    assert caught.value.message == {"en": en, "zh": zh}


def test_every_act_has_somebody_in_words() -> None:
    assert all(len(forbidden(act).message["en"]) > len(Forbidden().message["en"]) for act in Act)


def test_an_actor_is_one_party() -> None:
    here = hall()
    with pytest.raises(ValueError, match="not both"):
        Actor(user=here.chief.user, device=here.ns.device)
    scopes: list[Any] = [here.ns.scope, here.ew.scope, here.chief.scope, here.referee.scope]
    assert len(set(scopes)) == 4
