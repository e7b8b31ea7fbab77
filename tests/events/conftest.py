"""Every answer of the API that these tests get is compared with the schema."""

from __future__ import annotations

import pytest

from ..api.answers import checked_answers


@pytest.fixture(autouse=True)
def _answers_as_the_schema_says(monkeypatch: pytest.MonkeyPatch) -> None:
    checked_answers(monkeypatch)
