"""The stages of an event at the desk: made from a preset, changed in their form, carried as a file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from referee.desk.forms.stages import moved
from referee.parts.stage_words import BOARD_SCALES
from scoring.standings.chains import CHAINS
from tests.tournaments import factories
from tournaments.models import Entrant, Stage, Tournament
from tournaments.plans.plan import BoardWorth
from tournaments.plans.presets import PRESETS
from tournaments.stages.forms import Form

FORM = {
    "name": "Autumn Cup",
    "slug": "autumn",
    "starts_on": "2026-10-16",
    "language": "zh-hans",
    "timezone": "Asia/Shanghai",
    "profile": "",
}


def made(client: Client, preset: str) -> Tournament:
    answer = client.post("/desk/new/", FORM | {"preset": preset})
    assert answer.status_code == 303, answer.context["form"].errors
    return Tournament.objects.get(slug="autumn")


def typed(client: Client, number: int = 1) -> dict[str, Any]:
    """The form of a stage as a browser would send it back unchanged."""
    form = client.get(f"/desk/autumn/stages/{number}/").context["form"]
    values = {field.name: field.value() for field in form}
    sent = {name: value for name, value in values.items() if value is not False and value not in (None, "")}
    return sent | {"format": form.format.value, "chain": form.chain, "shown": form.shown, "act": "save"}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_stage_of_every_preset_is_saved_unchanged(somebody: Client, preset: str) -> None:
    event = made(somebody, preset)
    before = Form.of_event(event).text()
    for stage in event.stages.all():
        answer = somebody.post(f"/desk/autumn/stages/{stage.number}/", typed(somebody, stage.number))
        assert answer.status_code == 303, (preset, answer.context["form"].errors)
    event.refresh_from_db()
    assert Form.of_event(event).text() == before


def test_the_chain_of_stages_stands_on_the_settings_page(somebody: Client) -> None:
    made(somebody, "F2")
    page = somebody.get("/desk/autumn/setup/").content.decode()
    assert page.count('class="stage-picture"') >= 2
    assert "the first 2 of each group go on" in page
    assert "8 groups, by lot" in page


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "number", "change", "score", "drawn"),
    [
        ("F1", 1, {}, "2 for a win, 1 for a draw, 0 for a loss", True),
        ("F1", 1, {"tie_rule": "lots"}, "2 for a win, 0 for a loss", False),
        ("F2", 1, {}, "1 for a win, 0 for a loss", False),
        ("F2", 2, {}, "1 for a win, 0 for a loss", False),
        ("F17", 2, {}, "3 for a win, 0 for a loss", False),
        ("F17", 2, {"tie_rule": "draw"}, "3 for a win, 1 for a draw, 0 for a loss", True),
    ],
)
def test_a_draw_is_named_only_where_there_can_be_one(
    somebody: Client, preset: str, number: int, change: dict[str, str], score: str, drawn: bool
) -> None:
    event = made(somebody, preset)
    event.stages.filter(number=number).update(**change)
    page = f"/desk/autumn/stages/{number}/"
    for sent in (None, typed(somebody, number) | {"act": "format"}):
        form = (somebody.get(page) if sent is None else somebody.post(page, sent)).content.decode()
        assert f"<span>{score}</span>" in form
        assert (" for a draw" in form) == ('<th class="num" scope="col">drawn</th>' in form) == drawn
    assert score in somebody.get("/desk/autumn/setup/").content.decode()


@pytest.mark.parametrize(
    ("act", "added", "after"),
    [
        ("up:wins", "", ["points", "wins", "opponents", "lots"]),
        ("up:points", "", ["points", "opponents", "wins", "lots"]),
        ("down:opponents", "", ["points", "wins", "opponents", "lots"]),
        ("down:lots", "", ["points", "opponents", "wins", "lots"]),
        ("out:wins", "", ["points", "opponents", "lots"]),
        ("out:nothing", "", ["points", "opponents", "wins", "lots"]),
        ("add", "net_levels", ["points", "opponents", "wins", "net_levels", "lots"]),
        ("add", "wins", ["points", "opponents", "wins", "lots"]),
        ("add", "luck", ["points", "opponents", "wins", "lots"]),
    ],
)
def test_buttons_move_the_tie_breaks(act: str, added: str, after: list[str]) -> None:
    assert moved(["points", "opponents", "wins", "lots"], act, added) == after


def test_moving_a_tie_break_saves_nothing_and_keeps_what_was_typed(somebody: Client) -> None:
    event = made(somebody, "F1")
    answer = somebody.post(
        "/desk/autumn/stages/1/", typed(somebody) | {"act": "up:wins", "minutes": "55", "match_score_assumed": ""}
    )
    form = answer.context["form"]
    assert form.chain[:3] == ["points", "wins", "opponents"]
    assert form["minutes"].value() == "55"
    assert event.stages.get().minutes == 40
    assert somebody.post("/desk/autumn/stages/1/", typed(somebody) | {"chain": form.chain}).status_code == 303
    assert event.stages.get().chain[:3] == ["points", "wins", "opponents"]


def test_an_unticked_box_stays_unticked_while_the_chain_is_moved(somebody: Client) -> None:
    made(somebody, "F1")
    sent = typed(somebody)
    del sent["match_score_assumed"]
    form = somebody.post("/desk/autumn/stages/1/", sent | {"act": "up:wins"}).context["form"]
    assert form["match_score_assumed"].value() is False


@pytest.mark.parametrize(
    ("preset", "change", "said"),
    [
        ("F1", {"chain": ["points", "lots", "wins"]}, "nothing after them could"),
        ("F1", {"chain": ["points", "points"]}, "once"),
        ("F1", {"chain": []}, "one tie-break at the least"),
        ("F1", {"minutes": "40", "warning": "45"}, "before the end of a timed round"),
        ("F1", {"minutes": "abc"}, "whole number"),
        ("F1", {"prizes": "100, 200"}, "greater prize"),
        ("F1", {"places": "three"}, "place from 1"),
        ("F3", {"tie_rule": "draw"}, "cannot be drawn"),
        ("F3", {"best_of": "2"}, "odd number"),
        ("F19", {"fixed": "2, 3, 17"}, "17"),
        ("F7", {"match_score": "base15"}, "carry no levels"),
    ],
)
def test_what_contradicts_itself_is_said_at_its_field(
    somebody: Client, preset: str, change: dict[str, Any], said: str
) -> None:
    event = made(somebody, preset)
    before = Form.of_event(event).text()
    answer = somebody.post("/desk/autumn/stages/1/", typed(somebody) | change)
    form = answer.context["form"]
    assert answer.status_code == (422 if change == {"minutes": "abc"} else 400)  # what cannot be read, what is refused
    fields = {name: errors for name, errors in form.errors.items() if name != "__all__"} | {"chain": form.chain_errors}
    assert said in str(fields), form.errors
    assert Form.of_event(event).text() == before


def test_another_format_shows_its_own_fields_first(somebody: Client) -> None:
    made(somebody, "F1")
    answer = somebody.post("/desk/autumn/stages/1/", typed(somebody) | {"format": "ko_timed", "act": "format"})
    fields = answer.context["form"].fields
    assert {"bracket", "third_place", "best_of"} <= set(fields)
    assert "one_bye" not in fields
    assert Stage.objects.get().format == "swiss_timed"


@pytest.mark.parametrize("looked_first", [True, False])
def test_what_is_usual_follows_the_format_and_what_is_chosen_stays(somebody: Client, looked_first: bool) -> None:
    made(somebody, "hand")
    page = "/desk/autumn/stages/1/"
    assert 'name="drawn" value="swiss_timed"' in somebody.get(page).content.decode()
    sent = typed(somebody) | {"drawn": "swiss_timed", "format": "dup_pairs", "boards": "4", "lead_levels": ""}
    if looked_first:
        answer = somebody.post(page, sent | {"act": "format"})
        assert answer.context["chosen_scale"] == "hand_points"
        assert [line.code for line in answer.context["chain"]] == list(CHAINS["duplicate"])
        sent |= {"drawn": "dup_pairs", "match_score": "mp_210", "chain": ["points", "lots"]}
    answer = somebody.post(page, sent)
    assert answer.status_code == 303, answer.context["form"].errors
    stage = Stage.objects.get()
    found = ("mp_210", ["points", "lots"]) if looked_first else ("hand_points", list(CHAINS["duplicate"]))
    assert (stage.format, stage.match_score, stage.chain) == ("dup_pairs", *found)


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "offered", "chosen", "kept"),
    [
        ("dup_teams", ["difference", "wins", "imp"], "wins", {"boards": 4, "board_scale": "wins"}),
        ("dup_teams", ["difference", "wins", "imp"], "difference", {"boards": 4}),
        ("dup_pairs", ["matchpoints", "cross_imp"], "cross_imp", {"boards": 4, "board_scale": "cross_imp"}),
        ("dup_pairs", ["matchpoints", "cross_imp"], "matchpoints", {"boards": 4}),
    ],
)
def test_each_kind_of_boards_has_its_own_worth(
    somebody: Client, form: str, offered: list[str], chosen: str, kept: dict[str, Any]
) -> None:
    """The choice stays in the form, on the page, and in the event made from its file."""
    event = made(somebody, "F1")
    somebody.post("/desk/autumn/stages/new/", {"format": form})
    shown = typed(somebody, 2)
    page = somebody.get("/desk/autumn/stages/2/").context["form"]
    assert [value for value, _word in page.fields["board_scale"].choices] == offered
    assert {select.field.widget.attrs.get("class") for select in (page["board_scale"], page["measure"])} == {"field"}
    sent = shown | {"boards": "4", "board_scale": chosen}
    assert somebody.post("/desk/autumn/stages/2/", sent).status_code == 303
    stated = event.stages.get(number=2).plan
    assert {name: stated[name] for name in ("boards", "board_scale") if name in stated} == kept
    assert str(BOARD_SCALES[BoardWorth(chosen)]) in somebody.get("/desk/autumn/setup/").content.decode()
    file = SimpleUploadedFile("form.json", Form.of_event(event).text().encode(), "application/json")
    somebody.post("/desk/new/", FORM | {"slug": "winter", "preset": "file", "file": file})
    assert Tournament.objects.get(slug="winter").stages.get(number=2).plan == stated


def test_a_new_event_starts_from_the_form_of_another(somebody: Client) -> None:
    event = made(somebody, "F2")
    file = somebody.get("/desk/autumn/setup/form.json")
    assert json.loads(file.content)["format"] == "referee/form/1"
    sent = SimpleUploadedFile("form.json", file.content, "application/json")
    answer = somebody.post("/desk/new/", FORM | {"slug": "winter", "preset": "file", "file": sent})
    assert (answer.status_code, answer["Location"]) == (303, "/desk/winter/setup/")
    assert Form.of_event(Tournament.objects.get(slug="winter")).text() == Form.of_event(event).text()


@pytest.mark.long
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"not json", "not JSON"),
        (b"[]", "object"),
        (b"null", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"format": "referee/form/1", "profile": "\\ud800"}', "not JSON"),
        (b'{"format": "referee/form/1", "stages": [{"format": "rr"}, {"minutes": NaN}]}', "not JSON"),
        (
            b'{"format": "referee/form/1", "profile": "scn2-2013",'
            b' "stages": [{"format": "rr"}, {"format": "ko_timed", "minutes": 0}]}',
            "stages[1].minutes",
        ),
        (b'{"format": "referee/form/1"}', "form.stages is missing"),
        (b"{" * 200_001, "too large"),
    ],
)
def test_a_file_that_is_no_form_is_refused(somebody: Client, content: bytes, said: str) -> None:
    sent = SimpleUploadedFile("form.json", content, "application/json")
    answer = somebody.post("/desk/new/", FORM | {"preset": "file", "file": sent})
    assert answer.status_code == 422
    assert said in str(answer.context["form"].errors)
    assert not Tournament.objects.exists()


@pytest.mark.long
@pytest.mark.parametrize("content", [b"", b"[]", b"3"])
def test_of_a_file_that_holds_no_form_at_all_one_thing_is_said(somebody: Client, content: bytes) -> None:
    sent = SimpleUploadedFile("form.json", content, "application/json")
    answer = somebody.post("/desk/new/", FORM | {"preset": "file", "file": sent})
    (sentences,) = answer.context["form"].errors.values()
    assert len(sentences) == 1


def test_no_file_is_said_at_its_field(somebody: Client) -> None:
    answer = somebody.post("/desk/new/", FORM | {"preset": "file"})
    assert answer.status_code == 422
    assert "Choose the file" in str(answer.context["form"].errors["file"])


def test_by_hand_leads_on_to_the_stages(somebody: Client) -> None:
    answer = somebody.post("/desk/new/", FORM | {"preset": "hand", "profile": "cn-national-2d"})
    assert (answer.status_code, answer["Location"]) == (303, "/desk/autumn/setup/")
    assert Stage.objects.get().format == "swiss_timed"


def entered(event: Tournament, count: int) -> list[Entrant]:
    return [factories.entrant(event, number) for number in range(1, count + 1)]


@pytest.mark.long
def test_a_stage_is_added_and_removed(somebody: Client) -> None:
    event = made(somebody, "F1")
    answer = somebody.post("/desk/autumn/stages/new/", {"format": "groups_rr"})
    assert (answer.status_code, answer["Location"]) == (303, "/desk/autumn/stages/2/")
    assert event.stages.get(number=2).directing.group_of == 4
    assert somebody.post("/desk/autumn/stages/2/", typed(somebody, 2) | {"qualify": "6"}).status_code == 303
    assert "the first 6 go on" in somebody.get("/desk/autumn/setup/").content.decode()
    assert somebody.post("/desk/autumn/stages/2/remove/").status_code == 303
    assert event.stages.count() == 1
    page = somebody.post("/desk/autumn/stages/1/remove/", follow=True).content.decode()
    assert event.stages.count() == 1
    assert "1 to 8 stages" in page


@pytest.mark.parametrize("form", ["ko_timed", "danish", "rr", "dup_teams", "dup_pairs", "swiss_timed", "groups_rr"])
def test_every_format_can_follow_groups(somebody: Client, form: str) -> None:
    event = made(somebody, "F2")
    answer = somebody.post("/desk/autumn/stages/new/", {"format": form})
    assert answer["Location"] == "/desk/autumn/stages/3/"
    assert event.stages.get(number=3).format == form
    assert somebody.get("/desk/autumn/stages/3/").status_code == 200


def test_an_unknown_format_makes_no_stage(somebody: Client) -> None:
    event = made(somebody, "F1")
    assert "no such format" in somebody.post("/desk/autumn/stages/new/", {"format": "x"}, follow=True).content.decode()
    assert event.stages.count() == 1


def test_a_stage_begins_as_it_was_shown(somebody: Client) -> None:
    event = made(somebody, "F2")
    entered(event, 16)
    shown = somebody.get("/desk/autumn/stages/1/begin/").context["groups"]
    assert [len(group.places) for group in shown] == [2] * 8
    assert somebody.post("/desk/autumn/stages/1/begin/").status_code == 303
    fixed = somebody.get("/desk/autumn/stages/1/begin/").context
    assert fixed["begun"]
    assert [[one.entrant for one in group.places] for group in fixed["groups"]] == [
        [one.entrant for one in group.places] for group in shown
    ]


def by_hand(groups: Any) -> dict[str, str]:
    """The first group and the second swap their first entrants."""
    sent = {"how": "by_hand"}
    for group in groups:
        for number, one in enumerate(group.places, start=1):
            other = {1: 2, 2: 1}.get(group.number, group.number) if number == 1 else group.number
            sent |= {f"order-{one.entrant.pk}": str(number), f"group-{one.entrant.pk}": str(other)}
    return sent


def test_groups_drawn_by_hand_are_kept(somebody: Client) -> None:
    event = made(somebody, "F2")
    entered(event, 16)
    shown = somebody.get("/desk/autumn/stages/1/begin/").context["groups"]
    assert somebody.post("/desk/autumn/stages/1/begin/", by_hand(shown)).status_code == 303
    fixed = somebody.get("/desk/autumn/stages/1/begin/").context["groups"]
    assert fixed[0].places[0].entrant == shown[1].places[0].entrant
    assert fixed[0].places[1].entrant == shown[0].places[1].entrant


@pytest.mark.parametrize("number", ["", "two", "1.5", "2"])
def test_draw_numbers_that_are_none_or_twice_are_refused_and_kept(somebody: Client, number: str) -> None:
    event = made(somebody, "F2")
    first = entered(event, 16)[0]
    sent = by_hand(somebody.get("/desk/autumn/stages/1/begin/").context["groups"])
    at = sent[f"order-{first.pk}"]
    typed = {"1": number, "2": {"2": "1"}.get(number, number)}[at]
    answer = somebody.post("/desk/autumn/stages/1/begin/", sent | {f"order-{first.pk}": typed})
    assert answer.status_code == 400
    assert "each once in its group" in answer.content.decode()
    kept = {one.entrant.pk: one.typed[0] for group in answer.context["groups"] for one in group.places}
    assert kept[first.pk] == typed
    assert event.stages.get(number=1).begun_at is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("played", "free"),
    [
        (False, {"name", "rounds_planned", "minutes", "hands", "tie_rule", "match_score", "warning", "late"}),
        (True, {"name", "rounds_planned", "minutes", "warning", "late"}),
    ],
)
def test_what_is_fixed_stands_in_the_form_as_text(somebody: Client, played: bool, free: set[str]) -> None:
    event = made(somebody, "F2")
    entered(event, 16)
    somebody.post("/desk/autumn/stages/1/begin/")
    if played:
        factories.round_(event.stages.get(number=1))
    answer = somebody.get("/desk/autumn/stages/1/")
    form, page = answer.context["form"], answer.content.decode()
    assert free == set(form.shown.split()) - {"match_score_assumed", "lead_levels"}
    for name in form.fields:
        assert (f'name="{name}"' in page) == (name in form.shown.split()), name
    assert ('name="chain"' in page) != played
    assert 'name="format"' not in page
    words = {str(label): str(said) for _title, _fields, fixed in form.sections for label, said in fixed}
    assert (words["Groups"], words["In which order they stand"]) == ("8", "by lot")
    before = Form.of_event(event).text()
    sent = typed(somebody) | {"groups": "4", "order": "seeded", "format": "rr"}
    assert somebody.post("/desk/autumn/stages/1/", sent).status_code == 303
    assert Form.of_event(event).text() == before
    assert somebody.post("/desk/autumn/stages/1/", typed(somebody) | {"minutes": "45"}).status_code == 303
    assert event.stages.get(number=1).minutes == 45


def test_a_second_draw_needs_a_reason(somebody: Client) -> None:
    event = made(somebody, "F2")
    entered(event, 16)
    here = "/desk/autumn/stages/1/begin/"
    somebody.post(here)
    assert somebody.post(here).status_code == 400
    assert somebody.post(here, {"reason": "the drum was not mixed"}).status_code == 303


def test_a_later_stage_waits_for_the_one_before(somebody: Client) -> None:
    event = made(somebody, "F2")
    entered(event, 16)
    page = somebody.get("/desk/autumn/stages/2/begin/")
    assert page.status_code == 200
    assert "Stage 1 is not over" in page.content.decode()
    assert somebody.post("/desk/autumn/stages/2/begin/").status_code == 409
