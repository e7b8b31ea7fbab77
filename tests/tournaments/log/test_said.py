"""What is said of a JSON value is what the database gives back of it, whatever the names of its members were."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.values import Side
from tournaments.acts.text import Said, canonical_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(Side),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        | st.dictionaries(st.integers(), inner, max_size=3)
        | st.tuples(inner, inner)
    ),
    max_leaves=8,
)


@given(values)
def test_it_is_the_canonical_json_of_what_is_read_back(value: Any) -> None:
    assert Said.of(value) == canonical_json(json.loads(json.dumps(value)))


def test_names_that_were_numbers_come_in_the_order_of_texts() -> None:
    assert Said.of({2: 0, 10: 0, 1: {3: 0, 20: 0}}) == '{"1":{"20":0,"3":0},"10":0,"2":0}'
    assert Said.of({True: 1}) == '{"true":1}'
