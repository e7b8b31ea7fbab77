"""Signals of an event: what it asks, the cards of its entrants, who may file them when, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from tests.tournaments.playing import Event, event
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document, event_json
from tournaments.ledger.codes import entrant_code_text
from tournaments.models import HistoryEntry, SignalCard, SignalTerms
from tournaments.people.attendance import issue_entrant_codes
from tournaments.signals.acts import Agreement, file_card, file_card_by_code, set_terms
from tournaments.signals.reads import Terms, filed_in, terms_of
from tournaments.transfer.imports import import_event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

USUAL = Agreement(
    direct=["8", "9", "J", "Q"],
    instead={"8": "7"},
    indirect=[{"topic": "jokers", "by": "trump_rank", "ranks": ["2", "10"], "meaning": "大王"}],
    notes="对方可问",
)


def by(made: Event) -> dict[str, Any]:
    return {"actor": made.actor, "at": made.tick()}


def filed(made: Event, agreement: Agreement = USUAL, number: int = 1, **more: Any) -> SignalCard:
    return file_card(entrant_id=made.ids[number], agreement=agreement, **by(made), **more)


def asked(made: Event, card: str = "card_required", **more: Any) -> SignalTerms:
    return set_terms(tournament_id=made.tournament.pk, card=card, **by(made), **more)


def refused(code: str) -> Any:
    return pytest.raises(Refusal, match=code)


def test_without_a_word_cards_are_free_and_nothing_is_owed() -> None:
    made = event(4)
    assert terms_of(made.tournament) == Terms("free", (), "off", 20, 0)
    assert [one.findings for one in filed_in(made.tournament)] == [()] * 4


def test_a_card_is_kept_with_its_versions() -> None:
    made = event(4)
    filed(made)
    last = filed(made, Agreement(direct=["2", "4", "6", "J", "Q"], system="246JQ"))
    assert (last.number, last.after_start, last.filed_by) == (2, False, made.actor.user)
    first, *others = filed_in(made.tournament)
    assert first.card == last
    assert [one.card for one in others] == [None] * 3
    assert [one.new for one in HistoryEntry.objects.filter(act="file_signals").order_by("pk")] == [
        {"number": 1, "direct": ["8", "9", "J", "Q"], "indirect": 1},
        {"number": 2, "direct": ["2", "4", "6", "J", "Q"], "indirect": 0},
    ]


@pytest.mark.parametrize(
    ("agreement", "code", "field"),
    [
        (Agreement(direct=["8", "10"]), "point_card", "card.direct"),
        (Agreement(direct=["8", "8"]), "twice", "card.direct"),
        (Agreement(direct=["1"]), "unknown_rank", "card.direct"),
        (Agreement(direct="8"), "unknown_value", "direct"),  # type: ignore[arg-type]
        (Agreement(indirect=[{"topic": "luck", "by": "trump_rank"}]), "unknown_value", "indirect[0].topic"),
        (Agreement(indirect=[{"topic": "void", "by": "tempo"}]), "unknown_value", "indirect[0].by"),
        (Agreement(indirect=[{"topic": "void", "by": "card_order"}] * 9), "too_many_signals", "indirect"),
        (Agreement(notes="x" * 401), "text_too_long", "notes"),
        (Agreement(instead={"8": 7}), "unknown_value", "instead"),  # type: ignore[dict-item]
    ],
)
def test_a_card_that_the_rules_do_not_allow_is_refused(agreement: Agreement, code: str, field: str) -> None:
    made = event(4)
    with refused(code) as told:
        filed(made, agreement)
    assert told.value.field == field
    assert not SignalCard.objects.exists()


def test_points_may_be_shown_indirectly() -> None:
    assert filed(event(4)).indirect[0]["ranks"] == ["2", "10"]


def test_one_system_for_all() -> None:
    made = event(4)
    filed(made)
    asked(made, "prescribed", prescribed=["2", "4", "6", "J", "Q"])
    with refused("not_the_prescribed_system"):
        filed(made, number=2)
    filed(made, Agreement(direct=["Q", "J", "6", "4", "2"]), number=2)
    assert [[found.code for found in one.findings] for one in filed_in(made.tournament)] == [
        ["not_the_prescribed_system"],
        [],
        [],
        [],
    ]


def test_who_has_to_file_a_card_and_has_not() -> None:
    made = event(4)
    asked(made)
    filed(made)
    assert [[found.code for found in one.findings] for one in filed_in(made.tournament)] == [
        [],
        ["not_filed"],
        ["not_filed"],
        ["not_filed"],
    ]


def test_after_the_start_an_official_files_with_a_reason_and_it_says_so() -> None:
    made = event(4)
    asked(made)
    made.running((1, 2), (3, 4))
    with refused("reason_missing"):
        filed(made)
    late = filed(made, reason="忘交")
    assert late.after_start
    assert [found.code for found in filed_in(made.tournament)[0].findings] == ["filed_late"]
    with refused("reason_missing"):
        asked(made, "free")
    assert asked(made, "free", reason="赛前会决定").number == 2


def code_of(made: Event, number: int = 1) -> str:
    codes = issue_entrant_codes(tournament_id=made.tournament.pk, **by(made))
    return entrant_code_text(next(one for one in codes if one.entrant_id == made.ids[number]))


def test_the_own_phone_files_until_the_first_match_runs() -> None:
    made = event(4)
    code = code_of(made)
    card = file_card_by_code(code_text=code, at=made.tick(), agreement=USUAL)
    assert (card.entrant_id, card.filed_by) == (made.ids[1], None)
    made.running((1, 2), (3, 4))
    with refused("card_is_fixed"):
        file_card_by_code(code_text=code, at=made.tick(), agreement=USUAL)
    with refused("unknown_code"):
        file_card_by_code(code_text="AAAA-AAAA", at=made.tick(), agreement=USUAL)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"card": "always"}, "unknown_value"),
        ({"return_duty": "often"}, "unknown_value"),
        ({"return_fine": 201}, "bad_fine"),
        ({"return_fine": True}, "bad_fine"),
        ({"card": "prescribed"}, "no_system"),
        ({"card": "prescribed", "prescribed": ["K"]}, "point_card"),
    ],
)
def test_terms_that_cannot_be(terms: dict[str, Any], code: str) -> None:
    with refused(code):
        asked(event(4), **{"card": "free", **terms})


def test_the_database_keeps_cards_and_terms() -> None:
    made = event(4)
    rows = (filed(made), asked(made))
    for row, change in zip(rows, ({"direct": ["2"]}, {"card": "free"}), strict=True):
        model = type(row)._default_manager
        with pytest.raises(DatabaseError), transaction.atomic():
            model.filter(pk=row.pk).update(**change)
        with pytest.raises(DatabaseError), transaction.atomic():
            model.filter(pk=row.pk)._raw_delete(connection.alias)


def test_they_travel_with_the_event() -> None:
    made = event(4)
    filed(made)
    asked(made, return_duty="strict", return_fine=40)
    made.running((1, 2), (3, 4))
    data = event_json(made.tournament, official=True, names=True)
    kept = import_event(data=data, actor=made.actor, at=made.tick(), slug="kept").tournament
    assert kept is not None
    assert event_json(kept, official=True, names=True) == data
    assert terms_of(kept).return_fine == 40
    assert audit(event_document(made.tournament)) == []
    public = event_document(made.tournament)
    assert public["signal_cards"][0]["direct"] == ["8", "9", "J", "Q"]
    assert "filed_by_id" not in public["signal_cards"][0]
