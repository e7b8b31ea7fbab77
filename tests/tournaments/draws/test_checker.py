"""What the checker finds in a pairing."""

from __future__ import annotations

import pytest

from tournaments.draws.apart import Wish
from tournaments.draws.checker import check_pairing
from tournaments.draws.pairing import Pairing
from tournaments.draws.round_robin import round_robin

ENTRANTS = ["a", "b", "c", "d", "e"]
EARLIER = [Pairing((("a", "b"), ("c", "d")), ("e",))]

CASES = [
    (Pairing((("a", "c"), ("b", "e")), ("d",)), []),
    (Pairing((("b", "a"), ("c", "e")), ("d",)), [("rematch", False)]),
    (Pairing((("a", "c"), ("b", "d")), ("e",)), [("second_bye", False)]),
    (Pairing((("a", "d"), ("b", "e")), ("c",)), [("same_unit", False)]),
    (Pairing((("a", "c"), ("b", "e"))), [("not_paired", True)]),
    (Pairing((("a", "c"), ("a", "e")), ("d", "b")), [("twice_in_a_round", True)]),
    (Pairing((("a", "c"), ("b", "e")), ("d", "x")), [("unknown_entrant", True)]),
    (Pairing((("a", "a"), ("b", "e")), ("d", "c")), [("meets_itself", True), ("twice_in_a_round", True)]),
]


@pytest.mark.parametrize(("pairing", "expected"), CASES)
def test_findings(pairing, expected):
    found = check_pairing(pairing, entrants=ENTRANTS, earlier=EARLIER, units={"a": "Club", "d": "Club"})
    assert [(finding.code, finding.blocking) for finding in found] == expected
    assert all(finding.message["en"] and finding.message["zh"] for finding in found)


def test_words_name_the_round_of_the_first_meeting():
    found = check_pairing(Pairing((("b", "a"),)), entrants=["a", "b"], earlier=EARLIER)
    assert dict(found[0].message) == {"en": "b and a already met in round 1.", "zh": "b 与 a 第 1 轮已相遇。"}


def test_who_is_kept_apart_may_be_accepted():
    apart = {frozenset("ad"): Wish.MUST, frozenset("be"): Wish.RATHER, frozenset("ab"): Wish.MUST}
    found = check_pairing(Pairing((("d", "a"), ("b", "e")), ("c",)), entrants=ENTRANTS, apart=apart)
    assert [(one.code, one.blocking, one.params["force"]) for one in found] == [
        ("kept_apart", False, "must"),
        ("kept_apart", False, "rather"),
    ]
    assert [one.message["en"] for one in found] == ["d and a must be kept apart.", "b and e are rather kept apart."]


@pytest.mark.parametrize("size", [4, 5, 9])
def test_a_round_robin_has_nothing_to_find(size):
    rounds = round_robin(range(size))
    for number, one in enumerate(rounds):
        assert check_pairing(one, entrants=range(size), earlier=rounds[:number]) == ()
