"""A case event (tests/cases) played through the REST API, by the parties that played it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.api.client import Api, seated, signed_in
from tournaments.models import User

CASES = Path(__file__).resolve().parent.parent / "cases"
PASSWORD = "quiet-harbour-42"


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    folder = CASES / name
    return (
        json.loads((folder / "event.json").read_text("utf-8")),
        json.loads((folder / "expected.json").read_text("utf-8")),
    )


@dataclass
class Played:
    """An event as it stands after its replay: `sittings` by (round, table)."""

    slug: str
    organiser: Api
    chief: Api
    referee: Api
    numbers: dict[str, int]
    sittings: dict[tuple[int, int], int] = field(default_factory=dict)
    matches: dict[tuple[int, int], int] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"events/{self.slug}"


def set_up(event: dict[str, Any], slug: str) -> Played:
    """Officials, the event with its stage, and the entrants from a file (dry run first)."""
    for name in ("organiser", "chief", "referee"):
        User.objects.create_user(username=name, password=PASSWORD, display_name=name)
    organiser = signed_in("organiser", PASSWORD)
    stage = event["stage"]
    organiser.ok(
        "POST",
        "events/",
        {
            "name": event["name"]["zh"],
            "name_latin": event["name"]["en"],
            "slug": slug,
            "profile": event["profile"],
            "stage": {
                "format": stage["format"],
                "match_score": stage["scale"],
                "match_score_assumed": stage["scale_assumed"],
                "tie_rule": stage["tie_rule"],
                "minutes": stage["minutes"],
                "lead_levels": stage["lead_levels"],
                "rounds_planned": len(event["rounds"]),
                "chain": stage["chain"],
            },
        },
    )
    played = Played(
        slug,
        organiser,
        invited(organiser, slug, "chief", "chief_referee"),
        invited(organiser, slug, "referee", "referee"),
        {one["id"]: one["number"] for one in event["entrants"]},
    )
    import_entrants(played, event["entrants"])
    return played


def invited(organiser: Api, slug: str, name: str, office: str) -> Api:
    """Somebody who has an account is invited to an office, and accepts."""
    asked = organiser.ok("POST", f"events/{slug}/officials/", {"username": name, "office": office})
    official = signed_in(name, PASSWORD)
    official.ok("POST", f"invitations/{asked['id']}/accept/")
    return official


def import_entrants(played: Played, entrants: list[dict[str, Any]]) -> None:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(
        ["number", "external_id", "name", "name_latin", "unit", "player1", "player1_latin", "player2", "player2_latin"]
    )
    for one in entrants:
        people = [part for player in one["players"] for part in (player["name"], player["name_latin"])]
        rows.writerow([one["number"], one["id"], one["name"], one["name_latin"], one["unit"], *people])
    data = out.getvalue().encode()
    path = f"{played.path}/entrants/import/"
    plan = played.organiser.call("POST", path, raw=data, kind="text/csv").json
    assert plan["problems"] == [], plan["problems"]
    assert len(plan["new"]) == len(entrants)
    played.organiser.call("POST", f"{path}?plan={plan['plan']}", raw=data, kind="text/csv")
    again = played.organiser.call("POST", path, raw=data, kind="text/csv").json
    assert (len(again["same"]), again["new"], again["changed"]) == (len(entrants), [], [])


def play_round(played: Played, round_: dict[str, Any]) -> None:
    """Open the round and play every table; it stays open."""
    codes = open_round(played, round_)
    for match in round_["matches"]:
        play_match(played, round_["number"], match, codes[match["table"]])


def open_round(played: Played, round_: dict[str, Any]) -> dict[int, dict[str, str]]:
    """Create, pair by hand, publish, start: the codes of each table by side."""
    number, path = round_["number"], f"{played.path}/rounds/{round_['number']}"
    assert played.organiser.keyed(f"{played.path}/rounds/", {})["number"] == number
    pairs = [
        {
            "table": match["table"],
            "home": played.numbers[match["home"]],
            "away": played.numbers[match["away"]],
            "first_dealer": match["first_dealer"],
        }
        for match in round_["matches"]
    ]
    assert played.organiser.keyed(f"{path}/pair/", {"pairs": pairs})["findings"] == []
    shown = played.organiser.keyed(f"{path}/publish/")
    for one in shown["matches"]:
        seat = one["sittings"][0]
        played.sittings[number, seat["table"]] = seat["id"]
        played.matches[number, seat["table"]] = one["id"]
    codes = played.organiser.keyed(f"{played.path}/codes/")["results"]
    texts: dict[int, dict[str, str]] = {}
    for one in codes:
        texts.setdefault(one["table"], {})[one["side"]] = one["code"]
    played.organiser.keyed(f"{path}/start/")
    return texts


def play_match(played: Played, number: int, match: dict[str, Any], codes: dict[str, str]) -> None:
    sitting = played.sittings[number, match["table"]]
    if match["scored_by"] == "referee":
        played.organiser.keyed(f"sittings/{sitting}/scored-by/", {"scored_by": "referee"})
    sides = {}
    if match["ledger"] and match["scored_by"] == "sides":
        sides = {side: seated(code)[0] for side, code in codes.items()}
    hand_no = 0
    for line in match["ledger"]:
        facts = {name: value for name, value in line.items() if name != "entered_by"}
        hand_no += facts["kind"] in ("hand", "annulled", "adjusted")
        enter(played, sitting, sides, line.get("entered_by"), facts, hand_no)
    if match["forfeit"]:
        body = {"outcome": match["forfeit"]["outcome"], "reason": match["forfeit"]["why"]}
        played.chief.keyed(f"matches/{played.matches[number, match['table']]}/forfeit/", body)
    elif match["end"] == "time":
        played.referee.keyed(f"sittings/{sitting}/end/", {"reason": "time"}, If_Match=revision(played, sitting))


def enter(
    played: Played, sitting: int, sides: dict[str, Api], by: str | None, facts: dict[str, Any], hand_no: int
) -> None:
    """One entry by who made it; the other side confirms what a side entered."""
    if facts["kind"] == "level_penalty":
        body = {"side": facts["side"], "levels": facts["levels"], "reason": facts["why"]}
        body["clause"] = "referee.level_penalty"
        played.chief.keyed(f"sittings/{sitting}/penalties/", body, If_Match=revision(played, sitting))
        return
    body = {"facts": facts, "hand_no": hand_no}
    if by in sides:
        made = sides[by].keyed(f"sittings/{sitting}/hands/", body)
        assert made["answer"] == "waiting"
        other = sides["EW" if by == "NS" else "NS"]
        confirmed = other.keyed(f"sittings/{sitting}/entries/{made['entry']}/confirm/", {})
        assert confirmed["answer"] == "confirmed"
        return
    basis = "ruling" if facts["kind"] == "adjusted" else "signed_sheet"
    made = played.referee.keyed(f"sittings/{sitting}/hands/", body | {"basis": basis, "reason": facts.get("why", "")})
    assert made["answer"] == "confirmed"


def correct(played: Played, number: int, match: dict[str, Any]) -> None:
    """The corrections of a match, each seen before it is applied."""
    sitting = played.sittings[number, match["table"]]
    for one in match["corrections"]:
        hands = played.referee.ok("GET", f"sittings/{sitting}/")["hands"]
        entry = next(hand["id"] for hand in hands if hand["hand_no"] == one["hand_no"])
        path = f"entries/{entry}/corrections/"
        seen = played.referee.ok("POST", f"{path}preview/", {"facts": one["sheet"]})
        body = {"facts": one["sheet"], "reason": one["reason"], "treatment": one["treatment"]}
        done = played.referee.keyed(path, body, If_Match=f'"{seen["sitting_revision"]}"')
        assert done["entry"] is not None


def close_round(played: Played, number: int) -> None:
    played.organiser.keyed(f"{played.path}/rounds/{number}/close/")


def revision(played: Played, sitting: int) -> str:
    etag: str = played.referee.get(f"sittings/{sitting}/").headers["ETag"]
    return etag
