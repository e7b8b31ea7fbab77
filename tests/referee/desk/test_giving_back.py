"""Every form of the desk that is typed into comes back as typed when it is refused, with the sentence at its field."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import timedelta
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.utils import timezone

from tests.markup import flat
from tests.tournaments.factories import signed_in
from tests.tournaments.individual import Evening, evening
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.models import Round

pytestmark = pytest.mark.django_db

TABLE = "rounds/1/tables/1/"
LATE, MIXED = "penalty.late.levels", "penalty.misboard.board"
LONG = ("said at length " * 30).strip()


class Forms(HTMLParser):
    """What stands in the fields of a page's forms, each under the address that it is sent to, or under its id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, list[str]]]] = []
        self.marked: set[str] = set()
        self._choosing: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((has.get("action", "").partition("?")[0] or has.get("id", ""), defaultdict(list)))
        name, kind = has.get("name", ""), has.get("type", "text")
        if tag not in ("input", "select", "option") or not self.forms:
            return
        fields = next((one for id_, one in self.forms if id_ == has.get("form")), self.forms[-1][1])
        if "aria-invalid" in has:
            self.marked.add(name)
        if tag == "select":
            self._choosing = fields[name]
        elif tag == "option":
            self._choosing += [has["value"]] if "selected" in has else []
        elif kind not in ("radio", "checkbox") or "checked" in has:
            fields[name].append(has.get("value", ""))


def playing() -> tuple[Client, Event]:
    """Two tables play, with half an hour to go."""
    made = event(4)
    made.running((1, 2), (3, 4))
    now = timezone.now()
    Round.objects.update(started_at=now - timedelta(minutes=8), ends_at=now + timedelta(minutes=32))
    return signed_in(made.actor), made


def finished() -> tuple[Client, Event]:
    client, made = playing()
    made.end(sittings_of(Round.objects.get())[0])
    return client, made


def drawn() -> tuple[Client, Event]:
    made = event(4)
    made.drawn()
    return signed_in(made.actor), made


def on_boards() -> tuple[Client, Event]:
    """Teams at two tables; board 1 is being played, the others are not."""
    made = event(4, stage={"format": "dup_teams", "rounds_planned": 2, "minutes": None, "tie_rule": "draw",
                           "chain": ["points", "board_points", "lots"], "plan": {"boards": 2}})  # fmt: skip
    made.hand(sittings_of(made.running((1, 2), (3, 4)))[0], 35)
    client = signed_in(made.actor)
    client.post(f"/desk/{made.tournament.slug}/stages/1/boards/set/", {"act": "make"})
    return client, made


def level() -> tuple[Client, Event]:
    """A match of a knockout that ended level; by lots it is decided."""
    made = event(4, stage={"format": "ko_timed", "rounds_planned": 2, "tie_rule": "lots"})
    made.end(sittings_of(made.running((1, 2), (3, 4)))[0])
    return signed_in(made.actor), made


def single_players() -> tuple[Client, Evening]:
    made = evening("I1", 9)
    made.round()
    return signed_in(made.actor), made


SCENES = {one.__name__: one for one in (playing, finished, drawn, on_boards, level, single_players)}

FORMS = [
    ("playing", f"{TABLE}end/", {"end": "forfeit", "by": "", "why": "they went home", "revision": "0"}, "by",
     ("end", "why")),
    ("playing", f"{TABLE}penalty/", {"side": "EW", "levels": "two", "clause": LATE, "reason": "late again",
                                     "revision": "0"}, "levels", ("side", "levels", "clause", "reason")),
    ("playing", f"{TABLE}penalty/", {"side": "EW", "levels": "-1", "clause": LATE, "reason": LONG, "revision": "0"},
     "reason", ("side", "levels", "clause", "reason")),
    ("playing", f"{TABLE}penalty/", {"side": "NS", "levels": "-1", "clause": LATE, "reason": "late",
                                     "revision": "7"}, None, ("side", "levels", "clause", "reason")),
    ("playing", f"{TABLE}time/", {"minutes": "soon", "reason": "the lamp fell"}, "minutes", ("minutes", "reason")),
    ("playing", f"{TABLE}time/", {"minutes": "12", "reason": " "}, "reason", ("minutes",)),
    ("playing", f"{TABLE}move/", {"table": "０x"}, "table", ("table",)),
    ("playing", "rounds/1/reseat/", {"table": "1", "sat": "others", "entrant": ["1", "77"], "reason": "wrong chairs"},
     "entrant", ("entrant", "reason")),
    ("playing", "rounds/1/reseat/", {"table": "1", "sat": "reversed", "entrant": ["1", "2"], "reason": LONG},
     "reason", ("reason",)),
    ("playing", f"{TABLE}forfeit/", {"outcome": "away_forfeit", "reason": LONG}, "reason", ("outcome", "reason")),
    ("finished", f"{TABLE}reopen/", {"reason": LONG, "revision": "1"}, "reason", ("reason",)),
    ("level", f"{TABLE}decide/", {"winner": "EW", "reason": LONG}, "reason", ("winner", "reason")),
    ("playing", "rounds/1/clock/", {"do": "stop", "reason": LONG}, "reason", ("reason",)),
    ("single_players", f"{TABLE}penalty/", {"side": "3", "levels": "-1", "clause": "", "reason": "late",
                                            "revision": "0"}, "clause", ("side", "levels", "reason")),
    ("single_players", "rounds/1/swap/", {"table": ["front", "2"]}, "table", ("table",)),
    ("playing", "rounds/1/swap/", {"table": ["1", "99"]}, "table", ("table",)),
    ("playing", "entrants/1/withdraw/", {"reason": LONG}, "reason", ("reason",)),
    ("drawn", "rounds/1/draw/", {"reason": "one came late", "first_table": "front", "scored_by": "referee",
                                 "first_dealer": "W"}, "first_table",
     ("reason", "first_table", "scored_by", "first_dealer")),
    ("drawn", "rounds/1/draw/", {"reason": "", "first_table": "4", "scored_by": "referee", "first_dealer": "S"},
     "reason", ("first_table", "scored_by", "first_dealer")),
    ("drawn", "rounds/1/exchange/", {"entrant": ["4", "4"], "reason": "cameras"}, "entrant", ("entrant", "reason")),
    ("drawn", "rounds/1/exchange/", {"entrant": ["4", "3"], "reason": ""}, "reason", ("entrant",)),
    ("on_boards", f"{TABLE}boards/1/adjust/", {"how": "own", "ns": "much", "ew": "40 %", "clause": MIXED,
                                               "reason": "soiled", "revision": "1"}, "ns",
     ("how", "ns", "ew", "clause", "reason")),
    ("on_boards", f"{TABLE}boards/2/adjust/", {"how": "ew_plus", "clause": MIXED, "reason": " ", "revision": "1"},
     "reason", ("how", "clause")),
    ("on_boards", f"{TABLE}boards/2/adjust/", {"how": "ew_plus", "clause": "", "reason": "soiled", "revision": "1"},
     "clause", ("how", "reason")),
    ("on_boards", "stages/1/boards/set/", {"dealer-1": "E", "level-1": "9", "trump-1": "", "dealer-3": "E",
                                           "level-3": "9", "trump-3": "S"}, None, ("dealer-3", "level-3", "trump-3")),
]  # fmt: skip


@pytest.mark.parametrize(("scene", "to", "typed", "refused", "back"), FORMS)
def test_a_refused_form_comes_back_as_it_was_typed(
    scene: str, to: str, typed: dict[str, str | list[str]], refused: str | None, back: tuple[str, ...]
) -> None:
    client, made = SCENES[scene]()
    address = f"/desk/{made.tournament.slug}/{to}"
    answer = client.post(address, typed)
    page = flat(answer.content.decode())
    assert 400 <= answer.status_code < 500
    (sentence,) = re.findall(r'<div class="notice bad" role="alert">([^<]+)</div>', page)
    shown = Forms(page)
    wanted = {name: value if isinstance(value, list) else [value] for name, value in typed.items() if name in back}
    given = [{name: fields[name] for name in back} for to, fields in shown.forms if to in (address, "act")]
    assert given.count(wanted) == 1, given
    at_fields = re.findall(r'<span class="field-error"[^>]*>([^<]+)</span>', page)
    assert (sentence in at_fields) == (refused is not None)
    assert shown.marked <= {refused}
    assert "<title>Refused" in page


@pytest.mark.parametrize(
    ("to", "typed", "field"),
    [
        (f"{TABLE}time/", {"minutes": "soon", "reason": "the lamp fell"}, "minutes"),
        (f"{TABLE}end/", {"end": "forfeit", "by": "", "revision": "0"}, "by"),
        ("entrants/new/", {"player_1": "Ann", "seed": "first"}, "seed"),
        ("standings/publish/", {"round": "7"}, "round"),
    ],
)
def test_help_and_what_is_wrong_are_tied_to_their_field(to: str, typed: dict[str, str], field: str) -> None:
    client, made = playing()
    page = flat(client.post(f"/desk/{made.tournament.slug}/{to}", typed).content.decode())
    (drawn,) = [one for one in re.findall(rf'<(?:input|select)[^>]* name="{field}"[^>]*>', page) if "aria-inv" in one]
    (described,) = re.findall(r'aria-describedby="([^"]+)"', drawn)
    told = [re.search(rf'<span class="(help|field-error)" id="{one}">[^<]+</span>', page) for one in described.split()]
    assert [one and one[1] for one in told] in (["field-error"], ["help", "field-error"])


def test_what_is_missing_is_called_as_the_form_calls_it() -> None:
    client, made = playing()
    page = client.post(f"/desk/{made.tournament.slug}/{TABLE}end/", {"end": "forfeit", "revision": "0"})
    assert page.content.decode().count("Side (for a lead or giving up) is missing.") == 2


def test_a_reason_typed_with_a_pairing_by_hand_comes_back() -> None:
    client, made = drawn()
    address = f"/desk/{made.tournament.slug}/rounds/1/pair/"
    ones = [str(made.ids[1])] * 2
    answer = client.post(address, {"table": ["1", "2"], "home": ones, "away": ["", ""], "reason": "two came late"})
    assert answer.status_code == 400
    assert answer.content.decode().count('value="two came late"') == 1


def test_a_reason_typed_with_new_seats_comes_back() -> None:
    client, made = single_players()
    address = f"/desk/{made.tournament.slug}/rounds/1/supersede/"
    answer = client.post(address, {"table": ["x"], "reason": "number 7 has not come"})
    assert answer.status_code == 400
    assert answer.content.decode().count('value="number 7 has not come"') == 1


def test_the_page_given_back_is_the_page_that_holds_the_form() -> None:
    """Its switch of language leads there, not to the address of the form, which nobody can ask for."""
    client, made = playing()
    page = f"/desk/{made.tournament.slug}/{TABLE}"
    given = client.post(f"{page}move/", {"table": "x"}).content.decode()
    assert f'name="next" value="{page}"' in given
    assert "<title>Refused" not in flat(client.get(page).content.decode())
