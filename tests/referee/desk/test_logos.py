"""Logos at the desk, and where everybody sees them."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.factories import AT, Hall, sheet
from tests.tournaments.photos import SVG, photo
from tournaments.ledger import scorekeeping
from tournaments.models import Logo, LogoContent
from tournaments.projector import acts


@pytest.fixture
def chief(hall: Hall) -> Client:
    return factories.signed_in(hall.chief)


def at(hall: Hall, part: str = "") -> str:
    return f"/desk/{hall.event.slug}/logos/{part}"


def public(hall: Hall, part: str = "", language: str = "en") -> str:
    return Client().get(f"/{language}/e/{hall.event.slug}/{part}").content.decode()


def sent(file: bytes, name: str = "Tea & <House>", kind: str = "sponsor") -> dict[str, object]:
    return {"name": name, "kind": kind, "photo": SimpleUploadedFile("../a.svg", file, "image/svg+xml")}


def test_a_logo_is_seen_with_its_name_until_it_is_removed(hall: Hall, chief: Client) -> None:
    assert chief.post(at(hall), sent(photo("WEBP"))).status_code == 303
    digest = Logo.objects.get().digest
    page = public(hall)
    assert 'alt="Tea &amp; &lt;House&gt;"' in page
    address = re.findall(rf'src="(/en/e/[^"]*{digest}.jpg)"', page)
    answer = Client().get(address[0])
    assert answer["Content-Type"] == "image/jpeg"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.content.startswith(b"\xff\xd8")
    assert "sandbox" in answer["Content-Security-Policy"]
    assert 'id="sponsors-1"' in public(hall, "screen/")
    assert chief.post(at(hall, f"{digest}/remove/")).status_code == 303
    assert not LogoContent.objects.exists()
    assert Client().get(address[0]).status_code == 404
    assert "logos" not in public(hall)
    assert "sponsors-1" not in public(hall, "screen/")


@pytest.mark.parametrize(
    ("file", "words"), [(SVG, "can hold programs"), (b"no picture", "not a photo"), (b"", "not a photo")]
)
def test_what_is_no_logo_is_refused_with_why(hall: Hall, chief: Client, file: bytes, words: str) -> None:
    answer = chief.post(at(hall), sent(file))
    assert answer.status_code == 400
    page = answer.content.decode()
    assert words in page
    assert 'value="Tea &amp; &lt;House&gt;"' in page
    assert not Logo.objects.exists()


def test_a_referee_looks_and_prints(hall: Hall, chief: Client, referee: Client) -> None:
    chief.post(at(hall), sent(photo()))
    page = referee.get(at(hall)).content.decode()
    assert "Tea &amp;" in page
    assert "multipart" not in page
    assert referee.post(at(hall), sent(photo("PNG"))).status_code == 403
    for size in ("a3", "a4", "a9"):
        answer = referee.get(f"/desk/{hall.event.slug}/poster.pdf?size={size}")
        assert answer.content.startswith(b"%PDF")
        assert ("a3" in answer["Content-Disposition"]) is (size == "a3")


def test_hands_are_told_below_the_boards_where_the_desk_chose_it(hall: Hall, chief: Client) -> None:
    steer = f"/desk/{hall.event.slug}/projector/"
    scorekeeping.record_hand(sitting_id=hall.sitting.pk, actor=hall.ns, at=AT, facts=sheet(95), hand_no=1)
    entry = hall.sitting.entries.get()
    scorekeeping.confirm_hand(sitting_id=hall.sitting.pk, entry_id=entry.pk, actor=hall.ew, at=AT)
    assert public(hall, "screen/").count("data-ticker") == 1  # where nobody chose
    assert "Pair 2: Attackers 95" in " ".join(public(hall, "screen/").split()), "who took the deal is named first"
    chief.post(steer, {"turn-pairings": "1", "ticker": "1"})
    assert "checked" in chief.get(steer).content.decode()
    page = public(hall, "screen/")
    assert page.count("data-ticker") == 1
    assert public(hall, "screen/?show=pairings").count("data-ticker") == 1
    for alone in ("hands", "map"):
        assert "data-ticker" not in public(hall, f"screen/?show={alone}")
    chief.post(steer, {"turn-pairings": "1"})
    assert "data-ticker" not in public(hall, "screen/")


def test_the_api_tells_what_the_projector_shows(hall: Hall) -> None:
    address = f"/api/v1/events/{hall.event.slug}/projector/"
    boards = ["pairings", "clock", "standings", "bracket", "hands", "map", "sponsors"]
    still = {"boards": boards, "held": "", "paused": False, "ticker": True, "turned": 0, "ceremony": None}
    assert Client().get(address).json() == still
    by = {"tournament_id": hall.event.pk, "actor": hall.chief, "at": AT}
    acts.choose(**by, boards=["map"], ticker=False)
    acts.show(**by, board="map")
    acts.turn(**by)
    assert Client().get(address).json() == still | {"boards": ["map"], "ticker": False, "held": "map", "turned": 1}
