"""Simulated hands of single players are judged again without a finding; wrong ones are caught at their place."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from scoring.cards.deck import points_of
from scoring.cards.record_reading import parse
from scoring.cards.records import ActRecord, HandRecord, write
from scoring.cards.replay import replay
from scoring.hands.findings import Refused
from scoring.individual.replay import SingleReplay, replay_single
from scoring.profiles import Profile, build, individual_ids, load
from scoring.questions.protocol import answer
from scoring.simulation.players import RANDOM, SENSIBLE
from scoring.simulation.single import simulate_single
from tests.scoring.cards.mutations import MUTATIONS, Wrong, place_of
from tests.scoring.test_simulation import ROWS, SOAK

SLICE = 4
RULES = {name: load(name, individual=True) for name in individual_ids()}


def played(profile: Profile, seed: object) -> tuple[HandRecord, SingleReplay]:
    """A hand written down, read back and judged again."""
    habits = RANDOM if Random(f"habits/{seed}").randrange(3) == 0 else SENSIBLE
    record = simulate_single(profile, Random(f"{profile.id}/{seed}"), habits=habits, keep_redeals=True)
    (back,) = parse(write(record))
    assert back == record
    return back, replay_single(profile, back)


def check(profile: Profile, seed: object) -> SingleReplay:
    record, again = played(profile, seed)
    assert not again.findings, (profile.id, seed, [one.message["en"] for one in again.findings])
    if again.redeal:
        assert not record.tricks
        return again
    assert again.complete
    assert not again.unknown
    laid = [card for trick in record.tricks for play in trick.plays for card in play.laid]
    (kitty,) = [act.cards for act in record.acts if act.act == "bury"]
    assert set(Counter([*laid, *kitty]).values()) == {profile.decks}
    won = sum(trick.points or 0 for trick in again.tricks)
    assert won + points_of(profile, kitty) == profile.points_max
    assert again.result is not None
    if profile.division == "everyone":
        assert sum(again.result.gains.values()) - fines(profile, again) == profile.points_max
    elif profile.division == "alone":
        assert sum(again.result.gains.values()) == 0
    return again


def fines(profile: Profile, again: SingleReplay) -> int:
    return -sum(one.cards for one in again.hand.throw_failures) * abs(profile.throw_fine)


@pytest.mark.parametrize("name", RULES)
def test_a_simulated_hand_of_single_players_is_judged_without_a_finding(name: str) -> None:
    for seed in range(SLICE):
        check(RULES[name], seed)


def test_an_event_with_rules_of_its_own_is_played_too() -> None:
    check(build({"base": "sandayi", "set": {"hollow_tractors": False}}, individual=True), 1)


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


# --- made wrong on purpose ---


def bid_no_lower(profile: Profile, record: HandRecord, chance: Random) -> Wrong | None:
    """A player bids as much as the one before."""
    bids = [i for i, act in enumerate(record.acts) if act.act == "bid"]
    if len(bids) < 2:
        return None
    i = chance.randrange(1, len(bids))
    wrong = with_act(record, bids[i], replace(record.acts[bids[i]], number=record.acts[bids[i - 1]].number))
    return Wrong(wrong, (-1, bids[i]), "not_lower", "bid")


def other_buries(profile: Profile, record: HandRecord, chance: Random) -> Wrong:
    """Somebody else than the dealer buries."""
    i, act = next((i, act) for i, act in enumerate(record.acts) if act.act == "bury")
    other = next(place for place in profile.seats if place is not act.by)
    return Wrong(with_act(record, i, replace(act, by=other)), (-1, i), "not_the_dealer", "division")


def buried_stranger(profile: Profile, record: HandRecord, chance: Random) -> Wrong:
    """A card is buried that the dealer never held."""
    i, act = next((i, act) for i, act in enumerate(record.acts) if act.act == "bury")
    his = {*record.deal[act.by], *(record.kitty or ())}
    card = next(card for place in profile.seats for card in record.deal[place] if card not in his)
    return Wrong(
        with_act(record, i, replace(act, cards=(card, *act.cards[1:]))), (-1, i), "card_not_held", "follow.suit"
    )


def fourth_copy(profile: Profile, record: HandRecord, chance: Random) -> Wrong | None:
    """The dealer calls a copy that three decks do not have."""
    calls = [i for i, act in enumerate(record.acts) if act.act == "call"]
    if not calls:
        return None
    wrong = with_act(record, calls[0], replace(record.acts[calls[0]], number=4))
    return Wrong(wrong, (-1, calls[0]), "call_unclear", "ally")


def wrong_friend(profile: Profile, record: HandRecord, chance: Random) -> Wrong | None:
    """Another is written down as the friend."""
    if "ally" not in record.result:
        return None
    other = next(place for place in profile.seats if place != record.result["ally"])
    return Wrong(replace(record, result={**record.result, "ally": other.value}), None, "result_differs", "total")


def with_act(record: HandRecord, number: int, act: ActRecord) -> HandRecord:
    return replace(record, acts=(*record.acts[:number], act, *record.acts[number + 1 :]))


SINGLE_MUTATIONS = (*MUTATIONS, bid_no_lower, other_buries, buried_stranger, fourth_copy, wrong_friend)


def catches(profile: Profile, seed: object, mutation) -> bool:
    """Make a hand wrong and see that it is caught at its place; False where this hand cannot be made wrong so."""
    record, again = played(profile, seed)
    wrong = None if again.redeal else mutation(profile, record, Random(f"wrong/{seed}"))
    if wrong is None:
        return False
    (back,) = parse(write(wrong.record))
    found = replay_single(profile, back).findings
    clause = profile.topics.get(wrong.topic)
    act = wrong.spot is not None and wrong.spot[0] < 0
    at = back.acts[wrong.spot[1]].place if act else place_of(back, wrong.spot)
    named = (wrong.code, None if clause is None else clause.id, f"record:{at}")
    told = [(one.code, one.clause, one.field) for one in found]
    assert named in told, (profile.id, seed, mutation.__name__, told)
    return True


@pytest.mark.parametrize("mutation", SINGLE_MUTATIONS, ids=lambda one: one.__name__)
def test_a_hand_made_wrong_is_caught_at_its_place(mutation) -> None:
    rules = RULES["sandayi" if mutation is bid_no_lower else "zhaopengyou"]
    assert any(catches(rules, seed, mutation) for seed in range(8)), "no hand could be made wrong in this way"


@pytest.mark.soak
@pytest.mark.parametrize("row", range(SOAK // ROWS))
def test_long_runs_of_hands_of_single_players(row: int) -> None:
    profiles = tuple(RULES.values())
    for seed in range(row * ROWS, (row + 1) * ROWS):
        profile = profiles[seed % len(profiles)]
        check(profile, seed)
        if seed % 5 == 0:
            catches(profile, seed, SINGLE_MUTATIONS[seed // 5 % len(SINGLE_MUTATIONS)])


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
