"""The rules for Prometheus ask for what /metrics tells, and say what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from django.conf import settings as configured
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from referee.running import signs
from tournaments.acts import meters
from tournaments.acts.errors import SENTENCES
from tournaments.acts.guessing import TooManyTries
from tournaments.copies.files import name_of

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

ROOT = Path(__file__).resolve().parents[2]
GROUPS: list[dict[str, Any]] = yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text("utf-8"))["groups"]
RULES = {rule["alert"]: rule for group in GROUPS for rule in group["rules"]}
#: A name of ours and what is asked of its labels.
ASKED = re.compile(r"\b(referee_\w+)(?:\{([^}]*)\})?")
CONDITION = re.compile(r'(\w+)(=~?)"([^"]*)"')


@pytest.fixture
def told(db: None, client: Client, settings: Settings, tmp_path: Path) -> dict[str, list[dict[str, str]]]:
    """Everything that /metrics ever tells: the labels of its samples by their names."""
    settings.COPIES = tmp_path
    (tmp_path / name_of(timezone.now())).touch()
    for queue in configured.CELERY_TASK_QUEUES:
        signs.leave(signs.of_queue(str(queue.name)))
    signs.leave(signs.BEAT)
    meters.refused(TooManyTries(60))
    meters.stream_refused(429)
    meters.shed("readers")
    meters.error_logged("django.request")
    for outcome in ("done", "failed"):
        meters.worked("tournaments.tasks.sweep", outcome, 0.1)
        meters.meters().acts.labels("pair", outcome).inc(0)
    meters.answered("none", 500, 0.1)
    found: dict[str, list[dict[str, str]]] = {}
    for family in text_string_to_metric_families(client.get("/metrics").content.decode()):
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample.labels)
    return found


def test_names_are_there_and_once() -> None:
    assert len(RULES) == sum(len(group["rules"]) for group in GROUPS) > 10
    assert len({group["name"] for group in GROUPS}) == len(GROUPS)


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_asks_for_what_is_told(name: str, told: dict[str, list[dict[str, str]]]) -> None:
    asked = ASKED.findall(RULES[name]["expr"])
    assert asked or name == "RefereeAway"
    for metric, conditions in asked:
        wanted = CONDITION.findall(conditions)
        assert any(
            all(
                re.fullmatch(value if how == "=~" else re.escape(value), has.get(label, ""))
                for label, how, value in wanted
            )
            for has in told.get(metric, [])
        ), (metric, conditions)


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_says_what_to_do(name: str) -> None:
    rule = RULES[name]
    assert name.startswith("Referee")
    assert rule["labels"]["severity"] in ("page", "warn")
    assert {"summary", "action"} == rule["annotations"].keys()
    expression = rule["expr"]
    assert expression.count("(") == expression.count(")")
    kept = set(re.findall(r"by \(([^)]*)\)", expression)[-1:][0].split(", ")) if " by " in expression else None
    for label in re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]):
        assert kept is None or label in kept, "the label is summed away"


def test_every_number_that_says_how_it_goes_is_asked_for(told: dict[str, list[dict[str, str]]]) -> None:
    """What is told and nobody is warned of is for pictures only."""
    asked = {name for rule in RULES.values() for name, _ in ASKED.findall(rule["expr"])}
    pictures = {
        *(
            "referee_open_streams",
            "referee_phones_with_a_place",
            "referee_tasks_waiting",
            "referee_request_seconds_sum",
        ),
        *(f"referee_task_seconds_{ending}" for ending in ("bucket", "count", "sum")),
    }
    assert told.keys() - asked == pictures


def test_codes_that_rules_name_are_codes_of_refusals() -> None:
    named = {code for rule in RULES.values() for code in re.findall(r'code="(\w+)"', rule["expr"])}
    assert named == {TooManyTries(60).code}
    assert named <= SENTENCES.keys()
