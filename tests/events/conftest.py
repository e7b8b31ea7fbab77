"""Every answer of the API that these tests get is compared with the schema."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ..api.answers import checked_answers


@pytest.fixture(autouse=True)
def _answers_as_the_schema_says(monkeypatch: pytest.MonkeyPatch) -> None:
    checked_answers(monkeypatch)


@pytest.fixture(autouse=True)
def _nobody_is_signed_out_over_night(settings: Any) -> None:
    """An event lasts days, and its officials sign in again in the morning; these stories leave that out."""
    settings.SESSION_IDLE, settings.SESSION_COOKIE_AGE = timedelta(days=30), 30 * 24 * 3600
