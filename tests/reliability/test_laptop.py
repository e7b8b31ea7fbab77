"""One laptop: SQLite, no broker, one process. Sixteen phones at once; a flat battery in the middle of work."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.reliability.conftest import Laptop
from tests.reliability.hall import Place
from tests.reliability.phones import Phone

pytestmark = pytest.mark.long

HANDS = 4


def play(laptop: Laptop, place: Place, hands: int) -> Counter[int]:
    """Both sides' phones of a table: one enters, the other confirms; each request's key is its own."""
    answers: Counter[int] = Counter()
    phones = {side: Phone(laptop.address, credential) for side, credential in place.sides.items()}
    for hand_no in range(1, hands + 1):
        one, other = ("NS", "EW") if (hand_no + place.sitting) % 2 else ("EW", "NS")
        entered = phones[one].enter(place.sitting, hand_no, 80 + 5 * ((place.sitting + hand_no) % 7), key=f"e{hand_no}")
        answers[entered.status] += 1
        assert entered.status == 201, entered
        confirmed = phones[other].confirm(place.sitting, entered.body["entry"], key=f"c{hand_no}")
        answers[confirmed.status] += 1
    return answers


def end(laptop: Laptop, place: Place) -> None:
    referee = Phone(laptop.address, laptop.hall.referee)
    revision = referee.get(f"/sittings/{place.sitting}/")["revision"]
    answer = referee.ask("POST", f"/sittings/{place.sitting}/end/", {"reason": "time"}, revision=revision)
    assert answer.status == 200, answer


def wait_until_fresh(laptop: Laptop, seconds: float = 30) -> dict[str, object]:
    reader, limit = Phone(laptop.address), time.monotonic() + seconds
    while not (table := reader.get(f"/events/{laptop.hall.slug}/standings/"))["fresh"]:
        assert time.monotonic() < limit, f"not fresh within {seconds} s"
        time.sleep(0.05)
    return dict(table)


def test_sixteen_phones_at_once(laptop: Laptop) -> None:
    """Nothing is refused for another's sake, nothing is lost, and it stops cleanly."""
    with ThreadPoolExecutor(16) as pool:
        answers = sum(pool.map(lambda place: play(laptop, place, HANDS), laptop.hall.places), Counter())
    written = 16 * HANDS
    assert answers == {201: written, 200: written}
    assert laptop.row("SELECT count(*) FROM tournaments_ledgerentry WHERE status = 'effective'") == (written,)
    wait_until_fresh(laptop)
    assert laptop.stop() == 0
    assert "locked" not in laptop.said()
    assert "Traceback" not in laptop.said()
    assert f"{written} entries" in laptop.audit()


def test_kill_with_queued_work_and_restart(laptop: Laptop) -> None:
    """Every answered act survives, the recalculation that was waiting is made up for, and the tables are the same."""
    for place in laptop.hall.places[:3]:
        play(laptop, place, 2)
        end(laptop, place)
    laptop.kill()
    at_tables = "(SELECT COALESCE(SUM(number), 0) FROM tournaments_stalecount)"
    numbers = f"SELECT stale_number + {at_tables}, covered_number FROM tournaments_tournament t"
    stale, covered = laptop.row(f"{numbers} JOIN tournaments_recalculation r ON r.tournament_id = t.id")
    assert covered < stale, "the work should still be waiting when the process is killed"
    laptop.start()
    table = wait_until_fresh(laptop)
    assert table["covers"] == stale
    assert sum(float(row["values"]["points"]) for row in table["rows"]) == 3 * 2  # type: ignore[attr-defined]
    assert laptop.stop() == 0
    assert "9 entries" in laptop.audit()


def test_a_page_that_was_kept_is_new_as_soon_as_a_hand_counts(laptop: Laptop) -> None:
    """Read, entered by an official, read again: the second page has the hand; and who asks again is told he has it."""
    place, slug = laptop.hall.places[0], laptop.hall.slug
    page = f"{laptop.address}/en/e/{slug}/rounds/1/tables/1/?part=live"
    referee = Phone(laptop.address, laptop.hall.referee)

    def read(tag: str = "") -> tuple[int, str, str]:
        try:
            with urlopen(Request(page, headers={"If-None-Match": tag} if tag else {})) as answer:
                return answer.status, answer.headers["ETag"], answer.read().decode()
        except HTTPError as error:
            return error.code, error.headers["ETag"], ""

    seen = {read()[2]}
    for hand_no in range(1, 13):
        _, tag, same = read()
        assert same in seen
        assert read(tag) == (304, tag, "")
        answer = referee.enter(place.sitting, hand_no, 80 + 5 * hand_no, key=f"kept{hand_no}", basis="watched")
        assert answer.status == 201, (answer, laptop.said()[-3000:])
        assert read(tag)[0] == 200
        after = read()[2]
        assert after not in seen, "an old page was given after the hand counted"
        seen.add(after)
