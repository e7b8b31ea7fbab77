"""Judge recorded hands again: `manage.py replay FILE...`, a line for each hand and one for each problem."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord
from scoring.cards.replay import profile_of, replay
from scoring.findings import Finding, Refused
from scoring.profiles import Profile, ProfileError, load


class Command(BaseCommand):
    help = "Judge recorded hands again and print every problem with its line; exit code 1 when there is any."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="texts in the hand notation; - is standard input")
        parser.add_argument("--profile", metavar="ID", help="judge by these rules, whatever the records name")
        parser.add_argument("--language", choices=("en", "zh"), default="en", help="language of the sentences")

    def handle(self, *args: Any, **options: Any) -> None:
        rules = _rules(options["profile"])
        hands = problems = 0
        for name in options["files"]:
            for number, (line, found) in enumerate(_judged(_text(name), rules), 1):
                hands += 1
                problems += len(found)
                self.stdout.write(f"{name} {number}: {line}")
                for one in found:
                    clause = "" if one.clause is None else f" [{one.clause}]"
                    self.stdout.write(f"  {one.code}: {one.message[options['language']]}{clause}")
        self.stdout.write(f"{hands} hands, {problems} problems")
        if problems:
            sys.exit(1)


def _judged(text: str, rules: Profile | None) -> Iterator[tuple[str, tuple[Finding, ...]]]:
    """What each hand of a text comes to, in a line, and its problems."""
    try:
        records = parse(text)
    except Refused as refused:
        yield "cannot be read", refused.findings
        return
    for record in records:
        yield _one(record, rules)


def _one(record: HandRecord, rules: Profile | None) -> tuple[str, tuple[Finding, ...]]:
    try:
        profile = rules or profile_of(record)
        if profile is None:
            raise CommandError("A record names no rules; give them with --profile.")
        again = replay(profile, record)
    except ProfileError as error:
        raise CommandError(f"{error.field}: {error.message['en']}") from None
    except Refused as refused:
        return "cannot be judged", refused.findings
    if again.redeal:
        line = "dealt again"
    elif again.total is None or again.result is None:
        line = f"{len(again.tricks)} tricks, not all recorded"
    else:
        line = (
            f"attackers {again.total.raw}, {again.result.winner_role} +{again.result.levels}, next {again.next_dealer}"
        )
    return line, again.findings


def _rules(profile_id: str | None) -> Profile | None:
    try:
        return None if profile_id is None else load(profile_id)
    except ProfileError as error:
        raise CommandError(error.message["en"]) from None


def _text(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from None
