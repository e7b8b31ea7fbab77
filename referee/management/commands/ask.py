"""Questions to the rules, one a line: `manage.py ask < questions.jsonl > answers.jsonl` (docs/questions.md)."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments import questions

LONGEST_LINE = 1_000_000


class Command(BaseCommand):
    help = "Answer questions to the rules, one JSON object a line, from standard input."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        source, target = sys.stdin.buffer, sys.stdout
        while line := source.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                while not line.endswith(b"\n") and (line := source.readline(LONGEST_LINE)):
                    pass
                answer = refusal("too_large")
            elif not line.strip():
                continue
            else:
                answer = answered(line)
            target.write(json.dumps(answer, ensure_ascii=False) + "\n")
        target.flush()


def answered(line: bytes) -> dict[str, Any]:
    """The answer to one line; a line that is no JSON gets its own refusal."""
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        return refusal("bad_json")
    return questions.answer(question)


_REFUSALS = {
    "bad_json": {"en": "This line is not JSON.", "zh": "这一行不是 JSON。"},
    "too_large": {"en": "This line is too long.", "zh": "这一行太长。"},
}


def refusal(code: str) -> dict[str, Any]:
    return {"id": None, "error": {"code": code, "field": None, "message": _REFUSALS[code]}}
