"""What is kept of a file that is said to be a photo: its pixels, made anew, and nothing else; or it is refused."""

from __future__ import annotations

import hashlib
import io

import pytest
from PIL import Image

from tests.tournaments.photos import HOSTILE, SECRETS, SVG, photo, told_everything
from tournaments.acts.errors import Refusal
from tournaments.evidence import pictures
from tournaments.evidence.pictures import EDGE, kept


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_a_photo_is_made_anew(form: str) -> None:
    made = kept(photo(form))
    picture = opened(made.data)
    assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (320, 240))
    assert (made.width, made.height) == (320, 240)
    assert made.digest == hashlib.sha256(made.data).hexdigest()
    assert kept(photo(form)) == made
    assert all(abs(one - other) < 8 for one, other in zip(picture.getpixel((5, 5)), (180, 40, 40), strict=True))


def test_nothing_that_was_said_beside_the_pixels_is_kept() -> None:
    given = told_everything()
    assert opened(given).getexif().get_ifd(0x8825)[1] == "N"
    assert all(one in given for one in SECRETS[:4])
    made = kept(given)
    picture = opened(made.data)
    assert (made.width, made.height) == (200, 400)  # turned as the camera was held
    assert not picture.getexif()
    assert not any(one in made.data for one in SECRETS)
    assert set(picture.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


@pytest.mark.parametrize("held", range(1, 9))
def test_a_photo_is_turned_as_the_camera_was_held(held: int) -> None:
    upright = Image.new("RGB", (64, 32), (250, 250, 250))
    upright.paste((10, 10, 10), (0, 0, 32, 16))  # dark at the upper left
    back = {value: key for key, value in Image.Transpose.__members__.items()}
    undo = {6: "ROTATE_90", 8: "ROTATE_270"}
    for turn in pictures._TURNS.get(held, ()):
        upright = upright.transpose(Image.Transpose[undo.get(held, back[turn])])
    exif, target = Image.Exif(), io.BytesIO()
    exif[0x0112] = held
    upright.save(target, "JPEG", quality=95, exif=exif.tobytes())
    made = opened(kept(target.getvalue()).data)
    assert made.size == (64, 32)
    assert [made.getpixel(at)[0] < 90 for at in ((8, 4), (56, 4), (8, 28), (56, 28))] == [True, False, False, False]


@pytest.mark.parametrize(("name"), HOSTILE)
def test_what_is_no_photo_is_refused(name: str) -> None:
    data, code = HOSTILE[name]
    with pytest.raises(Refusal) as refused:
        kept(data)
    assert refused.value.code == code


def test_pixels_are_counted_before_anything_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    given = photo()

    def decoded(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(Image.Image, "load", decoded)
    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", decoded)
    monkeypatch.setattr(pictures, "MOST_PIXELS", 100)
    with pytest.raises(Refusal, match="photo_too_many_pixels"):
        kept(given)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_of_a_file_that_is_two_things_only_the_picture_is_kept(form: str) -> None:
    for behind in (SVG, b"PK\x03\x04SECRET", b"<html><script>SECRET</script>", b"<?php SECRET ?>"):
        made = kept(photo(form) + behind)
        assert not any(one in made.data for one in SECRETS)


def test_a_large_photo_becomes_smaller_and_a_clear_one_white() -> None:
    made = kept(photo(size=(4000, 3000)))
    assert (made.width, made.height) == (EDGE, EDGE * 3 // 4)
    clear = opened(kept(photo("PNG", colour=(0, 0, 0, 0))).data)
    assert clear.getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png_is_read(mode: str) -> None:
    target = io.BytesIO()
    Image.new(mode, (30, 20)).save(target, "PNG")
    assert opened(kept(target.getvalue()).data).size == (30, 20)


def test_of_a_moving_picture_the_first_one_is_kept() -> None:
    target = io.BytesIO()
    first, second = Image.new("RGB", (30, 20), (250, 0, 0)), Image.new("RGB", (30, 20), (0, 0, 250))
    first.save(target, "WEBP", save_all=True, append_images=[second], lossless=True)
    assert opened(kept(target.getvalue()).data).getpixel((5, 5))[0] > 200
