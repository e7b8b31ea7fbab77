"""Setting up: create and change tournaments."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.db import IntegrityError

from scoring import profiles
from scoring.hands.findings import Refused

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import PAGES_MOVED, Add, AddAll, Change, Line, Move, carry_out
from ..acts.errors import NotFound, Refusal
from ..acts.rows import find_tournament, read_entries_again
from ..models import Office, Official, Recalculation, Stage, Tournament
from ..plans.presets import PRESETS, plain
from ..stages.acts import changed_fields
from ..stages.facts import stage_facts
from ..stages.forms import Form
from ..stages.misfits import BadSetting, refuse_all, refuse_broken_chain, refuse_unless_playable
from ..standings.runs import commitment_of
from ..standings.stage_order import current_stage
from .facts import (
    EVENT_FIELDS,
    RULING_FIELDS,
    build_profile,
    event_facts,
    json_safe,
    read_slug,
    ruling_facts,
    slug_taken,
)

SHORTEST_SEED = 16
#: What of an event is yes or no.
FLAGS = ("single_official", "second_factor", "live_public")
#: Those that say what an official may do: no page of strangers shows them.
OF_OFFICIALS = frozenset({"single_official", "second_factor"})


def create_tournament(
    *,
    actor: Actor,
    at: datetime,
    name: str,
    slug: str,
    lot_seed: str,
    name_latin: str = "",
    place: str = "",
    starts_on: date | None = None,
    language: str = "zh-hans",
    timezone: str = "Asia/Shanghai",
    preset: str | None = None,
    form: object = None,
    stage: Mapping[str, Any] | None = None,
    profile: str | Mapping[str, Any] | None = None,
    single_official: bool = False,
    judges: bool = False,
    demo: bool = False,
) -> Tournament:
    """Create an event with its stages; who creates it becomes its organiser, and with `judges` its chief referee.

    `preset` (one of PRESETS), or `form` (the JSON of a form, see `stages.forms`), fills in profile, penalties and
    stages; `profile`, and the fields of `stage` for the first stage, win. `lot_seed` is at least 16 random characters
    from the caller: only its SHA-256 is public until the last publication.
    """
    admitted = require(actor, Act.CREATE_TOURNAMENT, tournament=None)
    made = _form(preset, form, profile, stage)
    built = build_profile(made.profile)
    facts = _all_stage_facts(made.stages, built)
    if len(lot_seed) < SHORTEST_SEED:
        raise BadSetting("lot_seed", {"en": "The seed of the lots is too short.", "zh": "抽签种子太短。"})
    event = Tournament(
        slug=read_slug(slug),
        profile_spec=made.profile,
        profile_digest=built.digest,
        single_official=bool(single_official),
        demo=demo,
        lot_seed=lot_seed,
        lot_commitment=commitment_of(lot_seed),
        created_at=at,
        created_by=actor.user,
        **ruling_facts(
            {"penalties": made.penalties, "appeal_minutes": made.appeal_minutes}, individual=built.division != "sides"
        ),
        **event_facts(
            {
                "name": name,
                "name_latin": name_latin,
                "place": place,
                "starts_on": starts_on,
                "language": language,
                "timezone": timezone,
            }
        ),
    )
    offices = (Office.ORGANISER, Office.CHIEF_REFEREE) if judges else (Office.ORGANISER,)
    change = created(admitted, at, event, facts, offices, made.penalties)
    try:
        return carry_out(lambda: change, actor, at)
    except IntegrityError:
        raise slug_taken() from None


def created(
    admitted: Admitted,
    at: datetime,
    event: Tournament,
    stages: Sequence[Mapping[str, Any]],
    offices: Sequence[Office],
    penalties: object,
) -> Change[Tournament]:
    """A new event with its stages, the offices of who made it, and what the history says of it."""
    person = admitted.actor.user
    held = [] if person is None else offices
    writes = (
        Add(event),
        AddAll([Stage(tournament=event, number=number, **one) for number, one in enumerate(stages, start=1)]),
        Add(Recalculation(tournament=event)),
        AddAll([Official(tournament=event, user=person, office=office, appointed_at=at) for office in held]),
    )
    new = {
        "slug": event.slug,
        "profile": event.profile_spec,
        "profile_digest": event.profile_digest,
        "penalties": penalties,
        "stages": stages,
        "offices": [office.value for office in offices],
    }
    line = Line(Act.CREATE_TOURNAMENT, ("tournament", event), new=new)
    return Change(admitted, event, writes, (line,), event=event)


def _form(
    preset: str | None, form: object, profile: str | Mapping[str, Any] | None, stage: Mapping[str, Any] | None
) -> Form:
    """What the new event is made from, with what was stated besides."""
    if preset and preset not in PRESETS:
        raise BadSetting("preset", {"en": "There is no such preset.", "zh": "没有这个模板。"})
    if preset and form is not None:
        raise BadSetting("form", code="two_forms")
    if form is not None:
        try:
            made = Form.from_json(form)
        except Refused as refused:
            first = refused.findings[0]
            raise Refusal(
                first.code, field=first.field, message=first.message, status=400, findings=refused.findings
            ) from None
    else:
        made = Form.of_preset(PRESETS[preset]) if preset else Form("scn2-2013", ({},))
    first_stage = {**(made.stages[0] if made.stages else {}), **plain(stage or {})}
    return replace(
        made, profile=made.profile if profile is None else plain(profile), stages=(first_stage, *made.stages[1:])
    )


def _all_stage_facts(stages: Sequence[Mapping[str, Any]], profile: profiles.Profile) -> list[dict[str, Any]]:
    """The fields of all stages; all that is wrong at once, each with the number of its stage in `params`."""
    facts, wrong = [], []
    for number, stage in enumerate(stages, start=1):
        try:
            facts.append(stage_facts(stage))
            refuse_unless_playable(profile, facts[-1])
        except BadSetting as refused:
            refused.params = {"stage": number}
            wrong.append(refused)
    refuse_all(wrong)
    refuse_broken_chain(facts)
    return facts


def update_tournament(*, tournament_id: int, actor: Actor, at: datetime, changes: Mapping[str, Any]) -> Tournament:
    """Change fields of an event, and of a stage under "stage" (its "number", else the current one).

    The address and the lots never change; the profile see `rule_changes`; what of a stage may still be changed see
    `stages.changed_fields`. Refused: `own_factor_first`, for who asks others for a second factor has one.
    """

    def decide() -> Change[Tournament]:
        if not changes.keys().isdisjoint(OF_OFFICIALS):
            read_entries_again(tournament_id)
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.SET_UP, tournament=event)
        known = {*EVENT_FIELDS, *RULING_FIELDS, *FLAGS, "stage"}
        unknown = sorted(set(changes) - known)
        if unknown:
            raise BadSetting(unknown[0], {"en": "This cannot be changed.", "zh": "这一项不能改。"}, "unknown_field")
        new: dict[str, Any] = event_facts({name: changes[name] for name in EVENT_FIELDS if name in changes})
        new |= {name: bool(changes[name]) for name in FLAGS if name in changes}
        if new.get("second_factor") and actor.user is not None and actor.user.factor_since is None:
            raise Refusal("own_factor_first", field="second_factor")
        new |= ruling_facts(changes, individual=event.individual)
        old = {name: getattr(event, name) for name in new}
        moved = {name for name, value in new.items() if value != old[name]} - OF_OFFICIALS
        writes = [Move(event, dict(new))] if new else []
        if "stage" in changes:
            stage, wanted = _stage_meant(event, plain(changes["stage"]))
            old["stage"], new["stage"] = changed_fields(stage, wanted)
            writes += [Move(stage, new["stage"])] if new["stage"] else []
            moved |= {"stage"} if new["stage"] else set()
        line = Line(Act.SET_UP, ("tournament", event), old=json_safe(old), new=json_safe(new))
        told = PAGES_MOVED if moved else ()
        return Change(admitted, event, tuple(writes), (line,), told, stale="stage" in changes)

    return carry_out(decide, actor, at)


def _stage_meant(event: Tournament, changes: Mapping[str, Any]) -> tuple[Stage, dict[str, Any]]:
    """The stage whose "number" is stated, else the current one, and what is to change of it."""
    wanted = dict(changes)
    number = wanted.pop("number", None)
    stage = current_stage(event) if number is None else event.stages.filter(number=number).first()
    if stage is None:
        raise NotFound()
    stage.tournament = event
    return stage, wanted


def new_secret() -> str:
    """Random text for a link, a token or the seed of the lots (256 bits)."""
    return secrets.token_hex(32)
