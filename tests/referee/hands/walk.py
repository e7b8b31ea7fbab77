"""Walks a fact that was added to a copy of the program through every front that asks for it or tells it.

Run by `test_a_new_fact.py` inside the copy; says as JSON what each front made of it. It needs no database.
"""

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import Any

import django

NAME = "revokes"


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "referee.settings"
    django.setup()
    print(json.dumps(walked(), ensure_ascii=False))


def walked() -> dict[str, Any]:
    from django.http import QueryDict
    from django.template.loader import render_to_string
    from django.test import Client
    from django.utils import translation
    from drf_spectacular.generators import SchemaGenerator

    from referee.hands.forms import PhoneForm, SheetForm
    from referee.hands.required import missing, of_two_sides
    from referee.hands.words import DESK, PHONE, compared
    from referee.public.rulebook.explaining import Typed
    from scoring.hands.sheets import read_entry
    from scoring.profiles import load
    from tournaments.transfer.paper.sheets import columns_of

    profile = load("scn2-2013")
    played = {"kind": "hand", "trump": "H", "captured_in_tricks": "60", "last_trick_winner": "dealer", NAME: "2"}
    facts = PhoneForm.posted(played, profile).facts()
    kept = read_entry(profile, facts).to_json()
    link = QueryDict("trump=H&captured_in_tricks=60&last_trick_winner=dealer&revokes=2")
    seen: dict[str, Any] = {
        "kernel": kept[NAME],
        "phone": PhoneForm.of_facts(kept, profile).facts() == facts,
        "desk": SheetForm.of_facts(kept, profile).facts() == facts,
        "link": Typed.of_link(link, profile).facts() == facts and (NAME, "2") in Typed.of_facts(kept, profile).query(),
    }
    without = {**played, NAME: ""}
    asked = [row.at for row in missing(of_two_sides(profile, contested=False), without.get)]  # type: ignore[arg-type]
    seen["required"] = asked
    for language in ("en", "zh-hans"):
        with translation.override(language):
            seen[f"rows {language}"] = [
                next(row for row in voice.rows(kept, profile) if row[0] == NAME) for voice in (PHONE, DESK)
            ]
            seen[f"history {language}"] = [one for one in compared(kept, {**kept, NAME: 3}, profile) if one[3]]
    field = f'name="{NAME}"'
    wrong = {NAME: ["?"]}
    form = PhoneForm.posted(played, profile)
    screen = SimpleNamespace(side="NS", other="EW", hand_no=1, counted_level="2")
    context = {
        "screen": screen,
        "typed": form,
        "plain_rows": form.plain_rows(wrong),
        "public_id": "x",
        "profile": profile,
    }
    seen["phone page"] = render_to_string("table/views/enter.html", context).count(field)
    sheet = SheetForm.posted(QueryDict("kind=hand&revokes=2"), profile)
    event = SimpleNamespace(profile=profile)
    seen["desk page"] = render_to_string("desk/_sheet.html", {"form": sheet, "tournament": event}).count(field)
    client, address = Client(headers={"host": "127.0.0.1"}), f"/en/rules/{profile.id}/explain/"
    page = client.get(address, link.dict() | {"throw_side_1": "", "led_1": ""}).content.decode()
    seen["explain page"] = [page.count(field), 'id="refused"' in page]
    refused = client.get(address, link.dict() | {NAME: "many"}).content.decode()
    seen["refused page"] = ['value="many"' in refused, 'id="refused"' in refused]
    schema = SchemaGenerator().get_schema(request=None, public=True)
    seen["schema"] = schema["components"]["schemas"]["Facts"]["properties"][NAME]["type"]
    seen["paper"] = [one.title["zh"] for one in columns_of(profile) if one.key == NAME]
    return seen


if __name__ == "__main__":
    main()
