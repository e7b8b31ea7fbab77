"""What clauses are called in a few words."""

from __future__ import annotations

import pytest

from scoring.profiles import Profile, individual_ids, load, profile_ids
from scoring.profiles.clause_files import clauses_beside
from scoring.profiles.tables import chapter_title
from scoring.profiles.titles import beside, title_of

EVERY = [*(load(one) for one in profile_ids()), *(load(one, individual=True) for one in individual_ids())]


@pytest.mark.parametrize("profile", EVERY, ids=lambda one: one.id)
def test_every_clause_has_a_short_name_of_its_own_topic(profile: Profile) -> None:
    other = chapter_title("nothing")
    for clause in profile.clauses.values():
        title = title_of(clause)
        assert title != other, clause.id
        assert len(title["en"]) <= 24, clause.id
        assert len(title["zh"]) <= 8, clause.id


def test_a_clause_is_named_by_its_topic_then_by_what_stands_before_the_dot() -> None:
    clauses = load("scn2-2013").clauses
    named = {code: title_of(clauses[code])["en"] for code in ("scn2.throw.forced", "scn2.throw.stands", "scn2.hook")}
    assert named == {"scn2.throw.forced": "Failed throw", "scn2.throw.stands": "Throws", "scn2.hook": "Hook"}


def test_what_holds_beside_any_profile_is_named_by_its_subject() -> None:
    for clause in clauses_beside():
        assert beside(clause.id) == clause
    assert {title_of(one)["en"] for one in clauses_beside()} == {
        "Signals between partners",
        "Duplicate boards",
        "Games of single players",
        "Other ways to play",
    }
    assert beside("scn2.hook") is None
