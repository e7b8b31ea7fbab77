"""Records of hands of single players: what they may leave out, whom they may name, and what is a finding.

Simulated hands in bulk, one in five made wrong, are in `tests/soak/test_single_hands.py`.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord, write
from scoring.cards.replay import replay
from scoring.hands.findings import Refused
from scoring.individual.replay import SingleReplay, replay_single
from scoring.profiles import Profile, build, load
from scoring.questions.protocol import answer
from scoring.simulation.single import simulate_single
from tests.soak import single_hands
from tests.soak.single_hands import RULES


def played(profile: Profile, seed: object) -> tuple[HandRecord, SingleReplay]:
    """A hand written down, read back and judged again without a finding."""
    record = single_hands.played(profile, seed)
    again, told = single_hands.faults(profile, record)
    assert told == []
    return record, again


def test_an_event_with_rules_of_its_own_is_played_too() -> None:
    played(build({"base": "sandayi", "set": {"hollow_tractors": False}}, individual=True), 1)


def test_the_level_of_the_dealer_and_the_names_of_players_may_stand_on_a_record() -> None:
    rules = RULES["zhaopengyou"]
    record, again = played(rules, 0)
    own = replace(record, tags={**record.tags, "level": str(again.level), "player_1": "Wang Fang"})
    (back,) = parse(write(own))
    assert back.tags["player_1"] == "Wang Fang"
    assert replay_single(rules, back).findings == ()
    other = next(level for level in rules.ladder if level != again.level)
    (found,) = replay_single(rules, replace(back, tags={**back.tags, "level": str(other)})).findings
    assert found.code == "level_differs"


def test_a_bid_that_no_act_tells_is_taken_from_the_result() -> None:
    rules = RULES["sandayi"]
    record, again = played(rules, 0)
    acts = tuple(act for act in record.acts if act.act not in ("bid", "pass"))
    assert again.hand.bid is not None
    silent = replace(record, acts=acts)
    assert not replay_single(rules, silent).complete
    told = replay_single(rules, replace(silent, result={**record.result, "bid": int(again.hand.bid)}))
    assert told.complete
    assert told.hand.bid == again.hand.bid


# --- what a record may leave out, and whom it may name ---

BIDS = """[profile "sandayi"]

auction
1 bid 115
2 pass
3 bid 105
4 pass
1 pass
3 name =H
"""


def test_a_short_record_tells_who_deals_for_what_and_names_what_it_cannot_tell() -> None:
    said = answer({"id": 1, "input": {"op": "replay", "record": BIDS}})["answer"]
    assert (said["dealer"], said["bid"], said["trump"], said["level"]) == ("3", 105, "H", None)
    assert (said["complete"], said["redeal"], said["findings"]) == (False, False, [])
    passed = BIDS.replace("bid 115", "pass").replace("bid 105", "pass").replace("1 pass\n3 name =H\n", "")
    assert answer({"id": 1, "input": {"op": "replay", "record": passed}})["answer"]["redeal"] is True


@pytest.mark.parametrize(("passes", "redeal"), [("1234", True), ("123", False)])
def test_without_a_declaration_the_cards_are_dealt_again_once_all_have_passed(passes: str, redeal: bool) -> None:
    text = '[profile "ersibai"]\nauction\n' + "".join(f"{place} pass\n" for place in passes)
    assert replay_single(RULES["ersibai"], parse(text)[0]).redeal is redeal


def test_what_the_table_does_not_know_is_unknown_without_the_call() -> None:
    record = simulate_single(RULES["zhaopengyou"], Random(1))
    silent = replace(record, acts=tuple(act for act in record.acts if act.act != "call"), result={})
    again = replay_single(RULES["zhaopengyou"], silent)
    assert (again.ally, again.complete, again.findings) == (None, False, ())
    assert again.unknown[0]["en"] == "The call is not recorded."


def test_cards_that_nobody_saw_before_the_call_is_met_leave_the_friend_open() -> None:
    record = simulate_single(RULES["zhaopengyou"], Random(1))
    first = record.tricks[0]
    plays = tuple(replace(play, cards=(None,) * len(play.laid), forced=None, parts=()) for play in first.plays)
    again = replay_single(
        RULES["zhaopengyou"], replace(record, tricks=(replace(first, plays=plays), *record.tricks[1:]), result={})
    )
    assert (again.ally, again.complete) == (None, False)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (BIDS.replace("2 pass", "5 pass"), "holder_missing"),
        (BIDS.replace("2 pass", "N pass"), "holder_missing"),
        (BIDS.replace("sandayi", "cn-national-2d"), "unreadable"),
        (BIDS.replace("3 name =H", "3 call SA#7"), "copy_unknown"),
        ('[dealer "3"]\n' + BIDS, "tag_value"),
        (BIDS.replace("\nauction", '[level "7"]\n\nauction'), "no_levels"),
        ('[profile "zhaopengyou"]\n[levels "2 3 4"]\n', "level_not_here"),
        ('[profile "zhaopengyou"]\n[levels "2 3 4 5 1"]\n', "level_not_here"),
    ],
)
def test_who_does_not_sit_here_and_what_is_not_played_here_is_refused_at_its_place(text: str, code: str) -> None:
    said = answer({"id": 1, "input": {"op": "replay", "record": text}})
    assert code in [one["code"] for one in said["error"]["findings"]]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("3 declare H2", "act_not_here"),
        ("4 name =H", "not_the_dealer"),
        ("3 bury S3", "bury_count"),
        ("2 bid 100", "bidding_over"),
    ],
)
def test_an_act_out_of_place_is_a_finding_with_its_line(line: str, code: str) -> None:
    found = replay_single(RULES["sandayi"], parse(BIDS + line)[0]).findings
    assert [(one.code, one.params["line"]) for one in found] == [(code, 10)]


def test_the_rules_asked_for_stand_before_those_the_record_names() -> None:
    with pytest.raises(Refused):
        parse(BIDS, load("cn-national-2d"))
    assert parse(BIDS.replace("sandayi", "ersibai"), RULES["sandayi"])[0].acts[0].number == 115


def test_a_record_is_judged_by_rules_of_its_own_table_only() -> None:
    single, pairs = parse(BIDS)[0], parse('[level "7"]\n\nauction\nN pass\n')[0]
    for judge, profile, record in (
        (replay, load("cn-national-2d"), replace(single, tags={"level": "7"})),
        (replay_single, RULES["sandayi"], replace(pairs, tags={})),
    ):
        with pytest.raises(Refused) as refused:
            judge(profile, record)
        assert refused.value.code == "not_at_the_table"


def test_places_do_not_matter() -> None:
    """Everybody one place on: the same result, one place on."""
    profile = RULES["sandayi"]
    record, again = played(profile, 3)
    on = {place: profile.seats[(i + 1) % 4] for i, place in enumerate(profile.seats)}
    turned = replace(
        record,
        tags={**record.tags, "dealer": on[record.tags["dealer"]].value},
        deal={on[place]: cards for place, cards in record.deal.items()},
        acts=tuple(replace(act, by=on[act.by]) for act in record.acts),
        tricks=tuple(
            replace(trick, plays=tuple(replace(play, seat=on[play.seat]) for play in trick.plays))
            for trick in record.tricks
        ),
    )
    other = replay_single(profile, turned)
    assert not other.findings
    assert other.result.gains == {on[place]: gain for place, gain in again.result.gains.items()}
