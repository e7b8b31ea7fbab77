"""Paper and tables that go out."""

from __future__ import annotations

import csv
import io
from typing import Any

import pypdfium2
import pytest
from openpyxl import load_workbook

from scoring.profiles import load
from tests.tournaments.factories import AT
from tests.tournaments.individual import evening
from tests.tournaments.playing import Event, event
from tournaments.ledger import devices
from tournaments.ledger.codes import grouped, party_code_text, pin_text
from tournaments.models import Round
from tournaments.people.spreadsheets import write_csv
from tournaments.standings.runs import publish, recalculate
from tournaments.transfer.paper import typesetting
from tournaments.transfer.paper.cards import qr_svg, table_cards_pdf
from tournaments.transfer.standings import standings_csv, standings_xlsx

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def cards(made: Event, round_: Round) -> bytes:
    devices.issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=AT)
    return table_cards_pdf(round_, address="http://192.168.1.9:8000/t/", printed_at=AT)


def text_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return pages


@pytest.mark.long
@pytest.mark.parametrize(("language", "rules"), [("zh-hans", "规则"), ("en", "Rules")])
def test_cards_carry_everything_a_side_needs(language: str, rules: str) -> None:
    made = event(6, name="澄湖杯双升公开赛", name_latin="Chenghu Cup", language=language)
    round_ = made.published((1, 2), (3, 4), (5, 6))
    pages = text_of(cards(made, round_))
    assert len(pages) == 2
    text = "\n".join(pages)
    for code in devices.issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=AT):
        assert grouped(party_code_text(code)) in text
        assert pin_text(code) in text
    for words in ("澄湖杯双升公开赛", "Chenghu Cup", "南北", "东西", "North–South", "一副打完", "192.168.1.9:8000"):
        assert words in text
    assert "2026-05-01 17:00" in text  # printed in the zone of the event
    title = load("cn-national-2d").title["zh" if language == "zh-hans" else "en"]
    assert f"{rules} {title}" in text.replace("\r\n", " ")
    assert (text.index("每方用自己的手机") < text.index("Each side scans")) is (language == "zh-hans")


def test_the_same_cards_are_the_same_bytes() -> None:
    made = event(2)
    round_ = made.published((1, 2))
    assert cards(made, round_) == cards(made, round_)


DOOR = "http://192.168.1.9:8000/trust/"
SEAL = ":".join(f"{number:02X}" for number in range(32))


@pytest.mark.parametrize("alone", [False, True])
def test_cards_name_the_authority_that_phones_trust(alone: bool) -> None:
    made: Any = evening("I1", 4) if alone else event(2)
    round_ = made.round() if alone else made.published((1, 2))
    devices.issue_codes(tournament_id=made.tournament.pk, actor=made.actor, at=AT)
    told = table_cards_pdf(round_, address="https://192.168.1.9:8443/t/", printed_at=AT, seal=SEAL, door=DOOR)
    for page in text_of(told):
        assert SEAL in page.replace("\r\n", "")
        assert DOOR in page
        assert "https://192.168.1.9:8443" in page.replace("\r\n", "")
    assert "SHA-256" not in "".join(text_of(cards(made, round_)))


def test_a_card_is_half_of_an_a4_sheet() -> None:
    made = event(2)
    document = pypdfium2.PdfDocument(cards(made, made.published((1, 2))))
    width, height = document[0].get_size()
    document.close()
    assert (round(width / 72 * 25.4), round(height / 72 * 25.4)) == (297, 210)


def test_names_are_never_markup() -> None:
    made = event(2, name='#evil[*x*] $1$ <script> "q" \\')
    assert '#evil[*x*] $1$ <script> "q" \\' in text_of(cards(made, made.published((1, 2))))[0]


def test_a_font_that_holds_chinese_is_there() -> None:
    assert "Noto Sans CJK SC" in typesetting.fonts().families()


def test_the_code_is_forty_millimetres_with_a_quiet_zone() -> None:
    svg, width = qr_svg("http://192.168.1.9:8000/t/7N4Q8XK2M1/")
    modules = int(svg.split('width="', 1)[1].split('"', 1)[0])
    assert float(width) * (modules - 8) / modules == pytest.approx(40, abs=0.01)


def published(made: Event) -> tuple[Round, object]:
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [85])
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    stage = made.tournament.stages.get()
    return round_, publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick())


def test_standings_go_out_as_csv_and_xlsx() -> None:
    made = event(4)
    _, publication = published(made)
    for source in (made.tournament.stages.get(), publication):
        lines = list(csv.DictReader(io.StringIO(standings_csv(source).decode("utf-8-sig"))))
        assert [line["points"] for line in lines] == ["2", "1", "1", "0"]
        sheet = load_workbook(io.BytesIO(standings_xlsx(source))).active
        table = [[cell.value for cell in row] for row in sheet.iter_rows()]
        assert [row[3] for row in table[1:]] == [line["name"] for line in lines]
        assert table[1][0] == 1
        assert set(lines[0]) >= {"place", "shared", "number", "name", "unit", "points", "opponents", "split_by"}


def test_negative_numbers_are_numbers_and_formulas_are_texts() -> None:
    rows = write_csv([["-3", -3, "-3x", "=1", "\t=1", "a,b", None]]).decode("utf-8-sig")
    assert rows == """-3,-3,'-3x,'=1,'\t=1,"a,b",\r\n"""


def test_an_event_without_results_has_an_empty_table() -> None:
    made = event(2)
    assert standings_csv(made.tournament.stages.get()).decode("utf-8-sig").startswith("place,")
