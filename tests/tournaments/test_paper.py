"""Paper for the table and the wall, read back from the PDF: what it says, where it stands, how many pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.test import Client
from django.utils.translation import override

from referee.parts.rulings import on_paper
from scoring.profiles import load
from scoring.sittings.states import FixedHand
from scoring.values import Level, Seat, Trump
from tests.tournaments import factories
from tests.tournaments.factories import AT, hall
from tests.tournaments.individual import evening
from tests.tournaments.playing import Event, event
from tests.tournaments.test_rulings import answer, appeal, decide, propose
from tournaments.acts.doorbell import mark_stale
from tournaments.ledger.sheet_lines import sign_of
from tournaments.log import numbering
from tournaments.log.reads import newest_heads
from tournaments.models import Entrant, Match, Publication, Round, Sitting, Stage, Table, Tournament
from tournaments.rounds import pairing, seating
from tournaments.rounds.acts import create_round
from tournaments.rounds.public import round_matches
from tournaments.standings.runs import publish, recalculate
from tournaments.transfer.paper.lists import finder_data, finder_pdf, pairing_pdf, publication_pdf, standings_pdf
from tournaments.transfer.paper.rulings import rulings_pdf
from tournaments.transfer.paper.sheets import columns_of, fixed_lines, score_sheets_pdf
from tournaments.transfer.paper.typesetting import by_name

pytestmark = pytest.mark.django_db

MILLIMETRE = 72 / 25.4
#: Nothing is printed nearer to the edge: printers leave that much white.
MARGIN = 6 * MILLIMETRE
LANGUAGES = ("zh-hans", "en")
LONG = "澄湖杯暨城市棋牌俱乐部双升公开赛" * 7


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page; every letter must stand inside the printable part of its page."""
    document, pages = pypdfium2.PdfDocument(pdf), []
    for page in document:
        width, height = page.get_size()
        text = page.get_textpage()
        for number in range(text.count_chars()):
            left, bottom, right, top = text.get_charbox(number)
            if right > left and top > bottom:
                assert MARGIN <= left < right <= width - MARGIN, text.get_text_range(number, 12)
                assert MARGIN <= bottom < top <= height - MARGIN, text.get_text_range(number, 12)
        pages.append(text.get_text_range().replace("\r\n", "\n"))
    document.close()
    return pages


def flat(pages: list[str]) -> str:
    return re.sub(r"\s+", "", "".join(pages))


def numbered(pages: list[str]) -> bool:
    """Whether each page says which of how many it is."""
    count = len(pages)
    return all(f"page{page}of{count}" in flat([text]) for page, text in enumerate(pages, 1))


def field(size: int, *, name: str = "Pair {n}", unit: str = "", **more: Any) -> Round:
    """A published round of so many entrants, two a table, the odd one with a bye; nothing is played."""
    made = factories.tournament(**more)
    round_ = factories.round_(factories.stage(made), status="published")
    Entrant.objects.bulk_create(
        Entrant(tournament=made, number=n, name=name.format(n=n), unit=unit) for n in range(1, size + 1)
    )
    entrants = list(made.entrants.order_by("number"))
    pairs = [entrants[at : at + 2] for at in range(0, size, 2)]
    Match.objects.bulk_create(
        Match(round=round_, number=n, home=pair[0], away=pair[1] if len(pair) == 2 else None)
        for n, pair in enumerate(pairs, 1)
    )
    matches = [match for match in round_.matches.order_by("number") if match.away_id]
    Table.objects.bulk_create(Table(tournament=made, number=match.number) for match in matches)
    tables = {table.number: table for table in made.tables.all()}
    opening = {"levels": {"NS": "2", "EW": "2"}, "first_dealer": "S"}
    Sitting.objects.bulk_create(
        Sitting(match=match, round=round_, table=tables[match.number], opening=opening) for match in matches
    )
    return round_


def published(made: Event) -> tuple[Round, Stage, Publication]:
    """Two tables played, and the table after them published."""
    round_ = made.running((1, 2), (3, 4))
    made.play(round_, [35], [85])
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    stage = made.tournament.stages.get()
    done = publish(stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick())
    return Round.objects.get(pk=round_.pk), stage, done


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_score_sheet_has_head_rows_and_foot_for_every_table(language: str) -> None:
    made = event(4, name="澄湖杯双升公开赛", name_latin="Chenghu Cup", language=language, units={1: "城东"})
    pages = pages_of(score_sheets_pdf(made.published((3, 2), (1, 4))))
    assert len(pages) == 2
    assert numbered(pages)
    for table, (page, home, away) in enumerate(zip(pages, (3, 1), (2, 4), strict=True), 1):
        text = flat([page])
        assert f"{table}桌" in text or f"{table}Table" in text
        assert f"{home}Pair{home}" in text
        assert f"{away}Pair{away}" in text
        assert f"王{home}" in text
        assert made.tournament.profile_digest in text
        for number in range(1, 15):
            sign = sign_of(made.tournament.slug, round_number=1, table=table, hand=number)
            assert re.search(rf"^{number}\s*{sign}$", page, re.MULTILINE), number
        for words in ("澄湖杯双升公开赛", "ChenghuCup", "记分表", "Scoresheet", "第1轮", "南北方", "East–West"):
            assert words in text
        for words in (
            "Dealer",
            "闲家得分",
            "底牌分×倍数",
            "罚分",
            "总分",
            "LevelN–S",
            "抢庄",
            "下副庄家",
            "InitialsE–W",
        ):
            assert words in text or (words == "抢庄" and "open" in text), words
        for words in ("最后级别", "Onstage", "结束时间", "南北方场分", "SignatureEast–West", "裁判"):
            assert words in text
    assert "城东" in pages[1]
    first, second = ("记分表", "Score sheet") if language == "zh-hans" else ("Score sheet", "记分表")
    assert pages[0].index(first) < pages[0].index(second)


def test_a_score_sheet_of_a_room_has_its_boards_in_its_own_order() -> None:
    made = event(2, preset="F7", language="zh-hans")
    opened, closed = pages_of(score_sheets_pdf(made.published((1, 2))))
    for page, room, boards in ((opened, "开室", [("1", "北", "2"), ("2", "西", "3")]),
                               (closed, "闭室", [("2", "西", "3"), ("1", "北", "2")])):  # fmt: skip
        text = flat([page])
        assert room in text
        assert "南北方得分" in text
        assert "牌号" in text
        assert not any(words in text for words in ("南北方级别", "下副庄家", "台上", "抢庄"))
        cells = re.findall(r"^([12])\s+([北西南东])\s+([2-9])\s*$", page, re.MULTILINE)
        assert cells == boards
    assert opened.index("Pair 1") < opened.index("Pair 2")
    assert closed.index("Pair 2") < closed.index("Pair 1")


def test_a_score_sheet_of_fixed_levels_has_a_line_for_each() -> None:
    made = event(2, preset="F19", language="en")
    (page,) = pages_of(score_sheets_pdf(made.published((1, 2), first_dealer="S")))
    cells = re.findall(r"^([1-9])\s*[A-Z]\s+(North|West|South|East)\s+([2-9])\s*$", page, re.MULTILINE)
    seats = ["South", "East", "North", "West"] * 2
    assert cells == [(str(n), seat, level) for n, (seat, level) in enumerate(zip(seats, "23455678", strict=True), 1)]
    assert "PointsN–S" in flat([page])
    assert "room" not in page


@pytest.mark.parametrize(("scoring", "said"), [("points", "Points N–S"), ("wins", "Hands won N–S")])
def test_a_score_sheet_of_fixed_trump_has_a_column_for_what_counts(scoring: str, said: str) -> None:
    made = event(2, preset="F20", language="en")
    stage = made.tournament.stages.get()
    stage.plan = {**stage.plan, "scoring": scoring}
    stage.save(update_fields=["plan"])
    (page,) = pages_of(score_sheets_pdf(made.published((1, 2), first_dealer="S")))
    assert said.replace(" ", "") in flat([page]).replace(" ", "")
    assert len(re.findall("spades", page)) == 8


def test_a_dealer_that_is_set_turns_the_rotation() -> None:
    hands = (FixedHand(Level("2")), FixedHand(Level("3"), Seat.N, Trump.H), FixedHand(Level("4")))
    found = [(line["no"]["en"], line.get("dealer", {}).get("en"), line.get("trump", {}).get("en"))
             for line in fixed_lines(hands, (7, 8, 9), None)]  # fmt: skip
    assert found == [("7", None, None), ("8", "North", "hearts"), ("9", "West", None)]


@pytest.mark.parametrize(
    ("profile", "has", "not_has"),
    [
        ("cn-national-2d", "countered dig fines", "special bid ally"),
        ("cn-national-1d", "dig fines", "special bid ally"),
        ("chaodipi", "special", "bid"),
        ("nanning-4d", "dig", "special"),
        ("sandayi", "bid 1 2 3 4 total", "NS EW level ally 5"),
        ("ersibai", "points_1 points_4 last kitty 4", "dig total level NS points_5"),
        ("zhaopengyou", "ally level 5 total", "bid sum NS points_1"),
    ],
)
def test_the_columns_are_those_of_the_rules(profile: str, has: str, not_has: str) -> None:
    keys = [column.key for column in columns_of(load(profile, individual=True))]
    assert set(has.split()) <= set(keys)
    assert not set(not_has.split()) & set(keys)
    assert len(keys) == len(set(keys))
    assert keys[0] == "no"


def test_without_a_kitty_the_last_trick_counts_by_its_cards() -> None:
    titles = {name: {one.key: one.title for one in columns_of(load(name))} for name in ("nanning-4d", "scn2-2013")}
    assert titles["nanning-4d"]["dig"]["zh"] == "末圈分 × 张数"
    assert titles["scn2-2013"]["dig"]["en"] == "Kitty × factor"


@pytest.mark.parametrize(("preset", "players", "seats"), [("I1", 9, 4), ("I2", 8, 4), ("I3", 10, 5)])
def test_single_players_have_a_column_for_each_place(preset: str, players: int, seats: int) -> None:
    here = evening(preset, players)
    draft = create_round(tournament_id=here.tournament.pk, actor=here.actor, at=here.tick())
    seating.seat_players(round_id=draft.pk, actor=here.actor, at=here.tick())
    sheets = pages_of(score_sheets_pdf(draft))
    assert len(sheets) == 2
    for page in sheets:
        text = flat([page])
        assert all(f"Seat{place}:±" in text and f"Signatureseat{place}" in text for place in range(1, seats + 1))
        assert f"Seat{seats + 1}" not in text
        assert "草稿" in text
    wall = flat(pages_of(pairing_pdf(draft)))
    assert all(f"选手{number}" in wall for number in range(1, players + 1))
    assert wall.count("选手") == players
    assert ("轮空" in wall) is (players % seats > 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pairing_says_who_sits_where(language: str) -> None:
    made = event(5, name="澄湖杯", language=language)
    round_ = made.published((1, 2), (3, 4), (5, None))
    text = flat(pages_of(pairing_pdf(round_)))
    for words in ("澄湖杯", "1Pair12Pair2", "3Pair34Pair4", "5Pair5", "轮空", "bye", "第1轮编排", "Pairingofround1"):
        assert words in text
    assert "pairingno.1" in text
    assert "2026-05-01" in text
    assert re.search("[0-9a-f]{64}", text)


def test_the_digest_of_a_pairing_is_that_it_was_published_with() -> None:
    made = event(4)
    round_ = made.published((1, 2), (3, 4))
    digest = re.search("[0-9a-f]{64}", flat(pages_of(pairing_pdf(round_))))
    assert digest
    assert digest.group() == round_.pairings.get().digest
    Entrant.objects.filter(tournament=made.tournament, number=1).update(name="Renamed")
    renamed = flat(pages_of(pairing_pdf(round_)))
    assert "Renamed" in renamed
    assert digest.group() in renamed
    pairing.supersede_pairing(
        round_id=round_.pk,
        actor=made.actor,
        at=made.tick(),
        pairs=[
            {"home": made.ids[1], "away": made.ids[3], "table": 1},
            {"home": made.ids[2], "away": made.ids[4], "table": 2},
        ],
        reason="Wrong draw",
    )
    again = flat(pages_of(pairing_pdf(round_)))
    assert digest.group() not in again
    assert "pairingno.2" in again
    assert "Wrongdraw" in again


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_standings_are_marked_live_or_published(language: str) -> None:
    made = event(4, language=language)
    _, stage, done = published(made)
    live, frozen = flat(pages_of(standings_pdf(stage))), flat(pages_of(publication_pdf(done)))
    assert "实时，未公布" in live
    assert "live,notpublished" in live
    assert stage.run.digest in live
    assert "公布第1号" in frozen
    assert "publicationno.1" in frozen
    assert done.digest in frozen
    for text in (live, frozen):
        assert "场分" in text
        assert "Netlevels" in text
        assert "\N{MINUS SIGN}2" in text
        assert "+2" in text
        assert [text.index(f"Pair{number}") for number in (1, 3, 4, 2)] == sorted(
            text.index(f"Pair{number}") for number in (1, 3, 4, 2)
        )
    assert "实时" not in frozen


@pytest.mark.long
def test_a_printed_table_names_the_signed_head_over_it(tmp_path: Path, settings: Any) -> None:
    settings.HEADS = tmp_path / "heads"
    made = event(4)
    _, stage, done = published(made)
    before = flat(pages_of(publication_pdf(done)))
    assert "Signedlog" not in before
    numbering.number_all(at=made.tick())
    (head,) = newest_heads(made.tournament)
    for paper in (publication_pdf(done), standings_pdf(stage)):
        text = flat(pages_of(paper))
        assert f"Signedlog:{head.size}acts" in text
        assert head.root in text


def test_a_replaced_publication_says_so_and_keeps_its_rows() -> None:
    made = event(4)
    round_, stage, old = published(made)
    before = flat(pages_of(publication_pdf(old)))
    new = publish(
        stage_id=stage.pk, round_id=round_.pk, actor=made.actor, at=made.tick(), supersedes=old.pk, reason="Misprint"
    )
    after = flat(pages_of(publication_pdf(old)))
    assert "Replacedbyno.2:Misprint" in after
    assert "Replaced" not in before
    assert "Replacesno.1:Misprint" in flat(pages_of(publication_pdf(new)))


def test_an_open_table_makes_live_standings_provisional() -> None:
    made = event(4)
    made.running((1, 2), (3, 4))
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    text = flat(pages_of(standings_pdf(made.tournament.stages.get())))
    assert "Provisional,stillopen:round1table1,round1table2" in text


@pytest.mark.long
def test_the_groups_of_a_stage_are_named() -> None:
    made = event(4, stage={"format": "groups_rr", "plan": {"groups": 2}})
    made.begun(made.drawn())
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    text = flat(pages_of(standings_pdf(made.tournament.stages.get())))
    assert text.index("Group1") < text.index("Pair1") < text.index("Group2")


def test_rooms_are_named_on_the_wall() -> None:
    made = event(2, stage={"format": "dup_teams", "minutes": None, "chain": ["points", "lots"], "plan": {"boards": 2}})
    text = flat(pages_of(pairing_pdf(made.begun(made.drawn()))))
    assert text.index("openroom") < text.index("closedroom")


def test_before_the_first_result_there_is_a_page_that_says_so() -> None:
    assert "Noresultsyet." in flat(pages_of(standings_pdf(event(2).tournament.stages.get())))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_stand_under_their_clause_without_names(language: str) -> None:
    here = hall()
    Tournament.objects.filter(pk=here.event.pk).update(language=language)
    here.event.refresh_from_db()
    assert ("没有判罚" if language == "zh-hans" else "Nothinghasbeenruled") in flat(
        pages_of(rulings_pdf(here.event, on_paper))
    )
    first = propose(here)
    decide(here, first)
    propose(here)
    answer(here, _appealed(here, first))
    with override(language):
        text = flat(pages_of(rulings_pdf(here.event, on_paper)))
    first.refresh_from_db()
    key = "zh" if language == "zh-hans" else "en"
    assert first.clause in text
    assert re.sub(r"\s+", "", first.verdict[key]) in text
    assert ("申诉" if key == "zh" else "Overturnedonappeal") in text
    assert ("1条判罚" if key == "zh" else "1ruling") in text
    assert "Pair1" not in text
    assert here.referee.user.display_name not in text


def _appealed(here: Any, ruling: Any) -> Any:
    appeal(here, ruling)
    return ruling


@pytest.mark.long
def test_the_same_record_gives_the_same_bytes() -> None:
    made = event(4)
    round_, stage, done = published(made)
    for make, of in (
        (score_sheets_pdf, round_),
        (pairing_pdf, round_),
        (standings_pdf, stage),
        (publication_pdf, done),
    ):
        assert make(of) == make(type(of).objects.get(pk=of.pk))


@pytest.mark.parametrize(
    ("size", "walls", "tables"), [(1, 1, 1), (40, 1, 1), pytest.param(1000, 12, 23, marks=pytest.mark.long)]
)
def test_lists_run_over_numbered_pages_with_their_heads(size: int, walls: int, tables: int) -> None:
    round_ = field(size)
    stage = round_.stage
    mark_stale(stage.tournament_id)
    recalculate(tournament_id=stage.tournament_id, at=AT)
    for pages, expected in ((pages_of(pairing_pdf(round_)), walls), (pages_of(standings_pdf(stage)), tables)):
        assert len(pages) == expected
        assert numbered(pages)
        assert all(round_.tournament.name in page for page in pages)
        assert all("Table" in page or "Place" in page for page in pages)
        found = re.findall(r"Pair (\d+)\b", "\n".join(pages))
        assert sorted(map(int, found)) == list(range(1, size + 1))


@pytest.mark.parametrize(("size", "sheets"), [(1, 1), (40, 20), pytest.param(220, 110, marks=pytest.mark.long)])
def test_every_table_has_a_sheet(size: int, sheets: int) -> None:
    document = pypdfium2.PdfDocument(score_sheets_pdf(field(size)))
    assert len(document) == sheets
    document.close()


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names_stay_on_the_page_and_rows_unbroken(language: str) -> None:
    name = "始{n}" + LONG[:70] + "终{n}。"
    round_ = field(90, name=name, unit=LONG[:80])
    Tournament.objects.filter(pk=round_.tournament_id).update(
        name=LONG[:100], name_latin="Cup " * 29, language=language
    )
    round_ = Round.objects.select_related("tournament", "stage").get(pk=round_.pk)
    mark_stale(round_.tournament_id)
    recalculate(tournament_id=round_.tournament_id, at=AT)
    assert len(pages_of(score_sheets_pdf(round_))) == 45
    for pages in (pages_of(pairing_pdf(round_)), pages_of(standings_pdf(round_.stage))):
        for page in pages:
            text = flat([page])
            assert re.findall(r"始(\d+)澄", text)
            assert set(re.findall(r"始(\d+)澄", text)) == set(re.findall(r"终(\d+)。", text))


def test_names_are_never_markup() -> None:
    round_ = field(2, name="#x[*{n}*] $1$ <b>")
    for pdf in (score_sheets_pdf(round_), pairing_pdf(round_)):
        assert "#x[*1*]$1$<b>" in flat(pages_of(pdf))


@pytest.mark.long
def test_the_public_opens_paper_of_what_is_published_only() -> None:
    made = event(4)
    published(made)
    made.paired((1, 3), (2, 4))
    client, here = Client(), f"/en/e/{made.tournament.slug}"
    for address in ("rounds/1/pairing.pdf", "standings/1/standings.pdf", "rulings/digest.pdf"):
        answer = client.get(f"{here}/{address}")
        assert (answer.status_code, answer["Content-Type"], answer.content[:5]) == (200, "application/pdf", b"%PDF-")
        assert client.get(f"{here}/{address}", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert client.get(f"{here}/rounds/2/pairing.pdf").status_code == 404
    assert client.get(f"{here}/standings/2/standings.pdf").status_code == 404
    for page, paper_of in (("rounds/1/", "rounds/1/pairing.pdf"), ("standings/1/", "standings/1/standings.pdf")):
        assert f'href="{here}/{paper_of}"' in client.get(f"{here}/{page}").content.decode()


@pytest.mark.long
def test_the_desk_leads_to_every_paper() -> None:
    made = event(4)
    published(made)
    made.running((1, 3), (2, 4))
    client, here = factories.signed_in(made.actor), f"/desk/{made.tournament.slug}"
    public = f"/en/e/{made.tournament.slug}"
    for page, addresses in {
        "rounds/": (f"{here}/rounds/2/pairing.pdf", f"{here}/rounds/2/sheets.pdf"),
        "standings/": (f"{here}/standings/live.pdf?stage=1",),
        "publications/1/": (f"{public}/standings/1/standings.pdf",),
        "rulings/": (f"{public}/rulings/digest.pdf",),
    }.items():
        shown = client.get(f"{here}/{page}", headers={"Accept-Language": "en"}).content.decode()
        for address in addresses:
            assert f'href="{address}"' in shown
            assert client.get(address).content.startswith(b"%PDF-")


@pytest.mark.long
def test_everybody_finds_the_own_seat_by_name() -> None:
    made = event(5)
    round_ = made.published((1, 2), (3, 4), (5, None))
    pages = pages_of(finder_pdf(round_))
    text = flat(pages)
    assert numbered(pages)
    # Latin names come first, by letter; each with the entrant, its number, the table and the side
    assert [text.index(f"Lee{n}") for n in range(1, 6)] == sorted(text.index(f"Lee{n}") for n in range(1, 6))
    assert text.index("Lee5") < text.index("王1")
    assert "Lee1Pair111N–S" in text
    assert "王4Pair442E–W" in text
    assert "王5Pair55bye" in text


def test_chinese_names_stand_by_pinyin() -> None:
    assert sorted(["周一", "安二", "李三", "Bo", "an"], key=by_name) == ["an", "Bo", "安二", "李三", "周一"]


def test_single_players_find_table_and_seat() -> None:
    here = evening("I1", 9)
    draft = create_round(tournament_id=here.tournament.pk, actor=here.actor, at=here.tick())
    seating.seat_players(round_id=draft.pk, actor=here.actor, at=here.tick())
    rows = finder_data(draft, round_matches(draft))["rows"]
    seats = sorted((row["table"], row["seat"]["zh"]) for row in rows if row["table"] is not None)
    assert seats == [(table, f"{place} 号位") for table in (1, 2) for place in range(1, 5)]
    assert len(rows) == 9
