"""The tokens hold the contrast the house promises, in both themes; the style sheets use only what exists."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from csp.constants import SELF
from django.conf import settings
from django.template import Context, Template

from referee.static_files import FIRST_STYLES

CSS = Path("referee/static/referee/css")
TEMPLATES = sorted(Path("templates").rglob("*.html"))
LIGHT, DARK = 0, 1
GROUND = ("bg", "surface", "sunken")


def _tokens() -> dict[str, tuple[str, str]]:
    """Colour tokens as (light, dark) hexadecimal."""
    found = re.findall(
        r"--([\w-]+):\s*var\(--L, #([0-9A-F]{6})\) var\(--D, #([0-9A-F]{6})\);", (CSS / "tokens.css").read_text()
    )
    return {name: (light, dark) for name, light, dark in found}


TOKENS = _tokens()


def _luminance(colour: str) -> float:
    def linear(part: str) -> float:
        share = int(part, 16) / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(colour[at : at + 2]) for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast of two colours."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_known_pairs() -> None:
    assert contrast("FFFFFF", "000000") == 21
    assert round(contrast("767676", "FFFFFF"), 2) == 4.54


PROMISED = [
    ("ink", (*GROUND,), 13.4, 11.9),
    ("soft", (*GROUND,), 5.8, 6.6),
    ("brand", (*GROUND, "brand-wash"), 7.0, 6.5),
    ("on-brand", ("brand",), 8.3, 7.8),
    ("ok", (*GROUND, "ok-wash"), 5.1, 7.8),
    ("wait", (*GROUND, "wait-wash"), 5.6, 8.4),
    ("bad", (*GROUND, "bad-wash"), 7.0, 6.2),
    ("on-bad", ("bad",), 8.4, 6.6),
    ("note", (*GROUND, "note-wash"), 9.0, 9.6),
    ("edge", (*GROUND,), 3.4, 4.6),
    ("ink", ("hold1", "hold2", "hold3", "take0", "take1", "take2", "take3"), 8.9, 6.3),
    ("suit-red", (*GROUND,), 5.4, 6.5),
    ("suit-green", (*GROUND,), 5.4, 6.5),
    ("suit-blue", (*GROUND,), 5.4, 6.5),
    ("ns", (*GROUND,), 4.5, 4.5),
    ("ew", (*GROUND,), 4.5, 4.5),
]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("token", "grounds", "light", "dark"), PROMISED, ids=[f"{row[0]}-on-{row[1][0]}" for row in PROMISED]
)
def test_contrast_is_what_the_house_promises(
    token: str, grounds: tuple[str, ...], light: float, dark: float, theme: int
) -> None:
    lowest = min(contrast(TOKENS[token][theme], TOKENS[ground][theme]) for ground in grounds)
    assert round(lowest, 1) >= (light, dark)[theme]


@pytest.mark.parametrize("suit", ["black", "red", "green", "blue"])
def test_suits_stand_out_on_the_face_of_a_card(suit: str) -> None:
    face = re.search(rf"--paper-{suit}: #([0-9A-F]{{6}});", (CSS / "tokens.css").read_text())
    assert face
    assert all(round(contrast(face[1], paper), 1) >= 5.4 for paper in TOKENS["paper"])


def test_every_custom_property_used_is_defined() -> None:
    sheets = "\n".join(sheet.read_text() for sheet in CSS.glob("*.css"))
    used = set(re.findall(r"var\(--([\w-]+)", sheets))
    defined = set(re.findall(r"--([\w-]+):", sheets))
    assert used <= defined


def test_what_comes_late_overrides_nothing_of_the_first_screen() -> None:
    """A table page carries some sheets inside and loads ``components.css`` after them (`static_files.FIRST_STYLES`):
    elsewhere it comes before the table's. The same selector in both would depend on that order."""
    first, late = (
        {
            one.strip()
            for group in re.findall(r"([^{}]+){", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
            for one in group.split(",")
        }
        for text in (
            "".join((CSS / f"{name}.css").read_text() for name in FIRST_STYLES),
            (CSS / "components.css").read_text(),
        )
    )
    assert {one for one in first & late if not one.startswith("@")} == set()


def test_the_policy_allows_those_styles_inside_a_page_and_no_others() -> None:
    tag = Template("{% load frame %}{% first_styles %}").render(Context())
    digest = base64.b64encode(hashlib.sha256(tag.removeprefix("<style>").removesuffix("</style>").encode()).digest())
    assert settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["style-src"] == [SELF, f"'sha256-{digest.decode()}'"]
    assert "/*" not in tag


def test_a_module_tells_all_that_it_imports() -> None:
    told = Template('{% load frame %}{% module "referee/js/table.js" %}').render(Context())
    names = re.findall(r'rel="modulepreload" href="/static/referee/js/([\w-]+)\.', told)
    assert {"table-entry", "table-form", "table-required", "live"} <= set(names)
    assert len(names) == len(set(names))


def test_no_outside_asset_in_the_style_sheets() -> None:
    assert all("url(" not in sheet.read_text() and "@import" not in sheet.read_text() for sheet in CSS.glob("*.css"))


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_a_template_needs_no_inline_style_or_script(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"\sstyle=|<style|\son\w+=\"|javascript:", text)
    assert not re.search(r"<script(?![^>]*(?:\bsrc=|application/json))", text)


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_an_icon_asked_for_is_in_the_sprite(template: Path) -> None:
    sprite = Path("templates/partials/sprite.html").read_text()
    asked = re.findall(r"{% icon ['\"]([\w-]+)['\"]", template.read_text())
    assert [name for name in asked if f'id="i-{name}"' not in sprite] == []
