"""A match of a case event beside what its public page shows."""

from __future__ import annotations

import re
from typing import Any

SIDES = (("home_level", "home"), ("away_level", "away"))
DEALER = {"en": "keep the deal, +{n}", "zh": "庄家方升 {n} 级"}
ATTACKERS = {"en": "take the deal, +{n}", "zh": "闲家上台升 {n} 级"}
NO_LEVEL = {"en": "take the deal, +0", "zh": "闲家上台，不升级"}
HOOK = {"en": "hooked", "zh": "钩到底"}
OVER = {"en": "match over", "zh": "终局"}


def expected_match(expected: dict[str, Any], round_: int, table: int) -> dict[str, Any]:
    """A match as the slow calculation has it."""
    matches = next(one["matches"] for one in expected["rounds"] if one["number"] == round_)
    match: dict[str, Any] = next(one for one in matches if one["table"] == table)
    return match


def compare(shown: dict[str, Any], due: dict[str, Any], match: dict[str, Any], language: str) -> None:
    """The page's levels, winner, score and every hand's sentence against the expected match."""
    sides = [{"level": due[level], "won": due["winner"] == match[who]} for level, who in SIDES]
    assert shown["sides"] == sides
    assert re.findall(r"\d+", shown["score"]) == [due["home_score"], due["away_score"]]
    assert len(shown["hands"]) - len(due["entries"]) == (1 if match["end"] == "time" else 0)
    for hand, line in zip(shown["hands"], due["entries"], strict=False):
        assert hand["no"] == str(line.get("hand_no", "")), hand
        assert hand["levels"] == [line["levels"]["NS"], line["levels"]["EW"]], hand
        if line["kind"] == "hand":
            assert total(hand["sentence"]) == line["total"], hand
            assert gain(line, language) in hand["sentence"], hand
            assert (HOOK[language] in hand["sentence"]) == line["hook"], hand
    by_itself = match["end"] in ("lead", "passed")
    assert (OVER[language] in shown["hands"][-1]["sentence"]) == by_itself


def total(sentence: str) -> int:
    """The total that a sentence states: behind its sum, before what follows from it."""
    figures = re.split(r"→|, counts|，按", sentence)[0].rsplit("=", 1)[-1]
    found = re.search(r"−?\d+", figures)
    assert found, sentence
    return int(found[0].replace("−", "-"))


def gain(line: dict[str, Any], language: str) -> str:
    words = DEALER if line["winner_role"] == "dealer" else ATTACKERS if line["levels_won"] else NO_LEVEL
    return words[language].format(n=line["levels_won"])


def as_shown(standings: list[dict[str, Any]], names: dict[str, str], chain: list[str]) -> list[list[str]]:
    """Expected standings as the rows of a page: place (= where shared), entrant, the components of the chain."""
    return [
        [
            f"{'=' if row['shared'] else ''}{row['rank']}",
            names[row["entrant"]],
            *(row["values"][code] for code in chain if code in row["values"]),
        ]
        for row in standings
    ]
