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
from scoring.cards.replay import Replay, profile_of, replay
from scoring.hands.findings import Finding, Refused
from scoring.individual.replay import SingleReplay, replay_single
from scoring.profiles import Profile, ProfileError, load
from scoring.values import Role, Text
from scoring.wording import SEATS


class Command(BaseCommand):
    help = "Judge recorded hands again and print every problem with its line; exit code 1 when there is any."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="texts in the hand notation; - is standard input")
        parser.add_argument("--profile", metavar="ID", help="judge by these rules, whatever the records name")
        parser.add_argument("--language", choices=("en", "zh"), default="en", help="language of the sentences")

    def handle(self, *args: Any, **options: Any) -> None:
        rules, language = _rules(options["profile"]), options["language"]
        hands = problems = 0
        for name in options["files"]:
            for number, (line, found) in enumerate(_judged(_text(name), rules), 1):
                hands += 1
                problems += len(found)
                self.stdout.write(f"{name} {number}: {line[language]}")
                for one in found:
                    clause = "" if one.clause is None else f" [{one.clause}]"
                    self.stdout.write(f"  {one.code}: {one.message[language]}{clause}")
        total = {"en": f"{hands} hands, {problems} problems", "zh": f"共 {hands} 副，{problems} 处问题"}
        self.stdout.write(total[language])
        if problems:
            sys.exit(1)


def _judged(text: str, rules: Profile | None) -> Iterator[tuple[Text, tuple[Finding, ...]]]:
    """What each hand of a text comes to, in a line, and its problems."""
    try:
        records = parse(text, rules)
    except Refused as refused:
        yield {"en": "cannot be read", "zh": "无法读取"}, refused.findings
        return
    for record in records:
        yield _one(record, rules)


def _one(record: HandRecord, rules: Profile | None) -> tuple[Text, tuple[Finding, ...]]:
    try:
        profile = rules or profile_of(record, individual=True)
        if profile is None:
            raise CommandError("A record names no rules; give them with --profile.")
        if profile.game == "individual":
            single = replay_single(profile, record)
            return _line_of_single(single), single.findings
        again = replay(profile, record)
    except ProfileError as error:
        raise CommandError(f"{error.field}: {error.message['en']}") from None
    except Refused as refused:
        return {"en": "cannot be judged", "zh": "无法判定"}, refused.findings
    return _line(again), again.findings


def _line(again: Replay) -> Text:
    """What a hand came to: `attackers 45, dealer +1, next S`."""
    if again.redeal:
        return {"en": "dealt again", "zh": "重新发牌"}
    if again.total is None or again.result is None:
        return {"en": f"{len(again.tricks)} tricks, not all recorded", "zh": f"{len(again.tricks)} 圈，记录不全"}
    total, won, levels, dealer = again.total.raw, again.result.winner_role, again.result.levels, again.next_dealer
    winner = {Role.DEALER: "庄家方", Role.ATTACKERS: "闲家"}[won]
    following = "抢庄" if dealer is None else f"{SEATS[dealer]['zh']}家坐庄"
    return {
        "en": f"attackers {total}, {won} +{levels}, next {dealer}",
        "zh": f"闲家 {total} 分，{winner} +{levels}，下副{following}",
    }


def _line_of_single(again: SingleReplay) -> Text:
    """What a hand of single players came to: `3 deals; 1 -1, 2 -1, 3 +3, 4 -1`."""
    if again.redeal:
        return {"en": "dealt again", "zh": "重新发牌"}
    if again.result is None:
        return {"en": f"{len(again.tricks)} tricks, not all recorded", "zh": f"{len(again.tricks)} 圈，记录不全"}
    gains = again.result.gains.items()
    return {
        "en": f"{again.dealer} deals; " + ", ".join(f"{place} {gain:+d}" for place, gain in gains),
        "zh": f"{again.dealer} 号坐庄；" + "，".join(f"{place} 号 {gain:+d}" for place, gain in gains),
    }


def _rules(profile_id: str | None) -> Profile | None:
    try:
        return None if profile_id is None else load(profile_id, individual=True)
    except ProfileError as error:
        raise CommandError(error.message["en"]) from None


def _text(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from None
