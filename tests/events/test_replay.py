"""The committed events, played through the API with a real worker, come to exactly the tables worked out by hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.client import Api
from tests.events.replay import Played, case, close_round, correct, play_round, set_up
from tournaments.audit.audit import audit
from tournaments.log import checking
from tournaments.models import Entrant, Tournament

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

Until = Callable[..., None]


def settled(played: Played, until: Until) -> list[dict[str, Any]]:
    """The live table once the worker has caught up."""
    until(lambda: Api().ok("GET", f"{played.path}/standings/")["fresh"])
    rows: list[dict[str, Any]] = Api().ok("GET", f"{played.path}/standings/")["rows"]
    return rows


def as_expected(rows: list[dict[str, Any]], ids: dict[int, str]) -> list[dict[str, Any]]:
    return [
        {
            "entrant": ids[row["entrant"]["number"]],
            "rank": row["rank"],
            "shared": row["shared"],
            "values": row["values"],
            "split_by": row["split_by"],
        }
        for row in rows
    ]


def reduced(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in ("entrant", "rank", "shared", "values", "split_by")} for row in rows]


def compare_match(played: Played, number: int, match: dict[str, Any], ids: dict[int, str]) -> None:
    shown = Api().ok("GET", f"{played.path}/rounds/{number}/")["matches"]
    one = next(row for row in shown if row["sittings"][0]["table"] == match["table"])
    winner = {"NS": match["home"], "EW": match["away"], "": None}[one["winner_side"]]
    assert (one["outcome"], winner, one["decided_by"]) == (match["outcome"], match["winner"], match["decided_by"])
    assert (one["home_score"], one["away_score"]) == (match["home_score"], match["away_score"])
    if match["home_level"] is not None:
        assert (one["home_level"], one["away_level"]) == (match["home_level"], match["away_level"])
    hands = Api().ok("GET", f"sittings/{played.sittings[number, match['table']]}/")["hands"]
    lines = [hand for hand in hands if hand["kind"] != "end"]
    assert len(lines) == len(match["entries"])
    for hand, line in zip(lines, match["entries"], strict=True):
        where = (number, match["table"], line.get("hand_no"))
        assert (hand["kind"], hand["hand_no"]) == (line["kind"], line.get("hand_no")), where
        after = hand["result"]["after"]
        assert {side: level or "passed" for side, level in after["levels"].items()} == line["levels"], where
        assert (after["on_stage"], after["next_dealer"]) == (line["on_stage"], line["next_dealer"]), where
        if line["kind"] == "hand":
            assert hand["result"]["total"]["raw"] == line["total"], where
            assert hand["result"]["levels_won"] == line["levels_won"], where


@pytest.mark.parametrize("name", ["f1", "f3"])
def test_case_event_replays_to_its_table(name: str, celery_worker: None, until: Until) -> None:
    event, expected = case(name)
    played = set_up(event, f"case-{name}")
    ids = {number: text for text, number in played.numbers.items()}

    for round_ in event["rounds"]:
        play_round(played, round_)
        if round_ is not event["rounds"][-1]:
            for match in round_["matches"]:
                correct(played, round_["number"], match)
            close_round(played, round_["number"])

    last = event["rounds"][-1]
    for match in last["matches"]:
        correct(played, last["number"], match)
    close_round(played, last["number"])

    for round_ in expected["rounds"]:
        for match in round_["matches"]:
            compare_match(played, round_["number"], match, ids)
    rows = settled(played, until)
    assert as_expected(rows, ids) == reduced(expected["standings"])

    covers = Api().ok("GET", f"{played.path}/standings/")["covers"]
    made = played.organiser.keyed(f"{played.path}/publications/", {"round": last["number"], "covers": covers})
    published = Api().ok("GET", f"{played.path}/publications/1/")
    assert as_expected(published["rows"], ids) == reduced(expected["standings"])
    stored = Tournament.objects.get(slug=played.slug).publications.get().document
    assert hashlib.sha256(stored.encode()).hexdigest() == made["digest"] == published["digest"]

    table = Api().get(f"{played.path}/publications/1.csv")
    assert table.status == 200
    assert len(table.raw.decode("utf-8-sig").strip().splitlines()) == 1 + len(event["entrants"])

    document = json.loads(played.organiser.get(f"{played.path}/export/").raw)
    assert audit(document) == []
    assert checking.check(Tournament.objects.get(slug=document["tournament"]["slug"])) == []
    assert audit(json.loads(Api().get(f"{played.path}/export/").raw)) == []


def test_an_audit_finds_a_changed_level(celery_worker: None, until: Until) -> None:
    event, _ = case("f3")
    played = set_up(event, "case-audit")
    play_round(played, event["rounds"][0])
    settled(played, until)
    document = json.loads(played.organiser.get(f"{played.path}/export/").raw)
    assert audit(document) == []
    document["matches"][0]["home_level"] = "Q"
    found = [(one.what, one.recorded) for one in audit(document)]
    assert ("home_level", "Q") in found
    assert {what for what, _ in found} == {"home_level", "digest", "file_digest"}


def test_an_erased_name_leaves_every_digest(celery_worker: None) -> None:
    event, _ = case("f3")
    played = set_up(event, "case-erase")
    play_round(played, event["rounds"][0])
    close_round(played, 1)
    made = played.organiser.keyed(f"{played.path}/publications/", {"round": 1})
    Entrant.objects.filter(tournament__slug=played.slug, number=1).update(name="—")
    shown = Api().ok("GET", f"{played.path}/publications/1/")
    assert shown["digest"] == made["digest"]
    assert "—" in {row["entrant"]["name"] for row in shown["rows"]}
