"""Logos: who gives them, what is kept of them, that they go, and that paper bears them."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from tests.tournaments.factories import user
from tests.tournaments.photos import HOSTILE, SECRETS, SVG, photo, told_everything
from tests.tournaments.playing import Event, event
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Refusal
from tournaments.log import checking
from tournaments.log.numbering import number_leaves
from tournaments.logos import acts
from tournaments.logos.reads import content_of, logos_of
from tournaments.models import HistoryEntry, Logo, LogoContent
from tournaments.transfer.paper.door import door_data, door_pdf
from tournaments.transfer.paper.logos import logos_on_paper

pytestmark = pytest.mark.django_db
ADDRESS = "http://hall.test/zh/e/cup/"


def given(made: Event, kind: str = "sponsor", name: str = "Tea House", **more: Any) -> Logo:
    file = more.pop("file", None) or photo("PNG", **more)
    return acts.add(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), kind=kind, name=name, file=file)


def test_the_association_stands_first_and_its_picture_is_made_anew() -> None:
    made = event()
    given(made, size=(2000, 500))
    given(made, "association", "Shengji Union", file=told_everything())
    shown = logos_of(made.tournament)
    assert [(one.name, one.association) for one in shown] == [("Shengji Union", True), ("Tea House", False)]
    assert (shown[1].width, shown[1].height) == (acts.EDGE, acts.EDGE // 4)
    data = content_of(made.tournament, shown[0].digest)
    assert data is not None
    assert Image.open(io.BytesIO(data)).format == "JPEG"
    assert not any(secret in data for secret in SECRETS)
    assert content_of(event().tournament, shown[0].digest) is None
    assert checking.check(made.tournament) == []


@pytest.mark.parametrize(
    ("kind", "name", "file", "code"),
    [
        ("weather", "Tea", photo(), "bad_logo"),
        ("sponsor", " ", photo(), "logo_name_missing"),
        ("sponsor", "x" * 61, photo(), "too_long"),
        ("sponsor", "Tea", SVG, "logo_is_svg"),
        ("sponsor", "Tea", b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a -->\n<SVG onload="x()"/>', "logo_is_svg"),
        ("sponsor", "Tea", *HOSTILE["bomb"]),
        ("sponsor", "Tea", *HOSTILE["text"]),
        ("sponsor", "Tea", *HOSTILE["too_large"]),
    ],
)
def test_what_is_no_logo_is_refused(kind: str, name: str, file: bytes, code: str) -> None:
    made = event()
    with pytest.raises(Refusal, match=code):
        given(made, kind, name, file=file)
    assert not Logo.objects.exists()


@pytest.mark.parametrize(("kind", "most"), [("association", 1), ("sponsor", 6)])
def test_there_are_so_many_and_no_more(kind: str, most: int) -> None:
    made = event()
    logos = [given(made, kind, colour=(number, 0, 0), size=(40, 40 + number)) for number in range(most)]
    with pytest.raises(Refusal, match="too_many_logos"):
        given(made, kind, size=(90, 90))
    assert given(made, kind, colour=(0, 0, 0), size=(40, 40)) == logos[0]  # the same picture again
    by = {"tournament_id": made.tournament.pk, "actor": made.actor}
    acts.remove(**by, at=made.tick(), digest=logos[0].digest)
    assert LogoContent.objects.count() == most - 1
    given(made, kind, size=(90, 90))
    assert checking.check(made.tournament) == []
    told = HistoryEntry.objects.filter(act="set_logos").order_by("pk").values_list("old", "new")
    assert told[most] == ({"kind": kind, "name": "Tea House"}, None)
    with pytest.raises(Refusal, match="not_found"):
        acts.remove(**by, at=made.tick(), digest=logos[0].digest)


def test_nobody_else_gives_one() -> None:
    made = event()
    made.actor = Actor(user=user("passer-by"))
    with pytest.raises(Refusal, match="forbidden"):
        given(made)


def test_a_bent_logo_is_found() -> None:
    made = event()
    given(made)
    Logo.objects.update(name="Coffee House")
    assert checking.check(made.tournament) != []


@pytest.mark.parametrize("size", ["a3", "a4"])
@pytest.mark.parametrize("logos", [0, 7])
def test_the_door_poster_is_one_page_and_the_same_bytes_twice(size: str, logos: int) -> None:
    made = event()
    made.tournament.name = "2026 年第一届「升级」公开赛暨全国业余选手邀请赛"
    made.tournament.name_latin = "First Open Championship of Shengji and Invitational of Amateurs"
    for number in range(logos):
        given(made, "sponsor" if number else "association", f"Name {number}", size=(300, 80 + number))
    number_leaves(made.tournament.pk, at=made.tick())
    poster = door_pdf(made.tournament, ADDRESS, size)
    assert poster.startswith(b"%PDF")
    assert poster.count(b"/Type /Page\n") + poster.count(b"/Type/Page/") <= 1
    assert door_pdf(made.tournament, ADDRESS, size) == poster
    said = door_data(made.tournament, ADDRESS, size)
    assert (len(said["association"]), len(said["sponsors"])) == (min(logos, 1), max(logos - 1, 0))
    assert said["head"] is not None


def test_a_logo_goes_to_paper_with_its_name() -> None:
    made = event()
    given(made, "association", "<Union>")
    found = logos_on_paper(made.tournament)
    assert [one["name"] for one in found["association"]] == ["<Union>"]
    assert "data:image/jpeg;base64," in found["association"][0]["svg"]
    assert "Union" not in found["association"][0]["svg"]
