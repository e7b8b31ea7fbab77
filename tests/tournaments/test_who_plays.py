"""Who may play: twins, substitutes, late entrants, withdrawals in a round robin, and who really sat at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tournaments.playing import Event, colleague, event, sittings_of
from tournaments.acts import announce
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.models import Entrant, HistoryEntry, Match, Office, Pairing, Stage, StageEntrant
from tournaments.people import entrants
from tournaments.people.imports import read_table
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds import closing, reseating
from tournaments.rulings import given_penalties
from tournaments.standings.penalised import penalised
from tournaments.standings.rankings import basis_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

pytestmark = pytest.mark.django_db


def add(made: Event, *players: dict[str, str], **facts: object) -> Entrant:
    return entrants.add_entrant(
        tournament_id=made.tournament.pk,
        actor=made.actor,
        at=made.tick(),
        **{"name": "Late", "players": list(players), **facts},
    )


def change(made: Event, number: int, *names: str, actor: object = None, **how: object) -> Entrant:
    return entrants.change_entrant(
        entrant_id=made.ids[number],
        actor=actor or made.actor,
        at=made.tick(),
        changes={"players": [{"name": name} for name in names]},
        **how,
    )


# Twins


@pytest.mark.parametrize(
    ("person", "unit", "code"),
    [
        ({"name": "Other", "external_id": "p1"}, "B", "player_twice"),
        ({"name": "ann", "external_id": ""}, "A", "namesake"),
        ({"name": "Ann", "external_id": ""}, "B", None),
        ({"name": "Ann", "external_id": "p9"}, "A", None),
        ({"name": "Bob", "external_id": "p2"}, "A", None),
    ],
)
def test_nobody_plays_for_two_entrants(person: dict[str, str], unit: str, code: str | None) -> None:
    made = event(0)
    add(made, {"name": "Bob", "external_id": "p1"}, {"name": "Ann"}, name="One", unit="A")
    if code is None:
        add(made, person, name="Two", unit=unit)
        return
    with pytest.raises(Refusal, match=code):
        add(made, person, name="Two", unit=unit)
    if code == "namesake":
        assert add(made, person, name="Two", unit=unit, namesakes=True).number == 2
    else:
        with pytest.raises(Refusal, match=code):
            add(made, person, name="Two", unit=unit, namesakes=True)


def test_a_person_is_not_both_players_of_a_pair() -> None:
    made = event(0)
    with pytest.raises(Refusal, match="player_twice"):
        add(made, {"name": "A", "external_id": "1"}, {"name": "B", "external_id": "1"})


def test_who_withdrew_may_play_for_another_entrant() -> None:
    made = event(2)
    withdraw_entrant(entrant_id=made.ids[1], actor=made.actor, at=made.tick(), reason="ill")
    assert add(made, {"name": "王1"}, name="New").number == 3


# Seeds and categories


def test_seeds_and_categories_are_kept_and_exchanged() -> None:
    made = event(2)
    one = add(made, name="Seeded", seed=1, category="women")
    assert (one.seed, one.category) == (1, "women")
    with pytest.raises(Refusal, match="seed_taken") as refused:
        add(made, name="Again", seed=1)
    assert refused.value.field == "seed"
    with pytest.raises(Refusal, match="bad_seed"):
        add(made, name="Again", seed=0)


# Substitutes


def test_players_change_freely_before_play() -> None:
    made = event(4)
    made.published((1, 2), (3, 4))
    change(made, 1, "New", "Names")
    assert not HistoryEntry.objects.filter(act="substitute").exists()


def test_a_pair_has_substitutes_only_with_the_chief_referee_and_a_reason() -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    with pytest.raises(Refusal, match="plays_now"):
        change(made, 1, "王1", "New", reason="ill")
    made.play(round_, [35], [35])
    organiser, chief = colleague(made, Office.ORGANISER), colleague(made, Office.CHIEF_REFEREE)
    with pytest.raises(Refusal, match="no_substitutes"):
        change(made, 1, "王1", "New", actor=organiser, reason="ill")
    with pytest.raises(Refusal, match="reason_missing"):
        change(made, 1, "王1", "New", actor=chief)
    change(made, 1, "王1", "New", actor=chief, reason="ill")
    assert HistoryEntry.objects.get(act="substitute").reason == "ill"


def test_a_file_brings_no_substitutes_into_a_pair_that_has_played() -> None:
    made = event(0)
    head = "external_id,name,player1,player2\n"

    def load(*lines: str) -> None:
        rows, problems = read_table((head + "\n".join(lines)).encode(), "x.csv")
        entrants.import_entrants(
            tournament_id=made.tournament.pk, actor=made.actor, at=made.tick(), rows=rows, problems=problems
        )

    load("a,One,Ann,Bob", "b,Two,Cid,Dot")
    made.ids.update(made.tournament.entrants.values_list("number", "pk"))
    load("a,One,Ann,Ben")
    made.play(made.running((1, 2)), [35])
    load("a,Uno,Ann,Ben")
    with pytest.raises(Refusal, match="reason_missing"):
        load("a,Uno,Ann,Eve")
    assert [player.name for player in Entrant.objects.get(number=1).players.all()] == ["Ann", "Ben"]


def test_the_players_of_a_team_change_between_rounds() -> None:
    made = event(2)
    change(made, 1, "a", "b", "c", "d", "e", "f")
    round_ = made.running((1, 2))
    made.play(round_, [35])
    change(made, 1, "a", "b", "c", "g")
    assert HistoryEntry.objects.filter(act="substitute").count() == 1


# Late entrants


@pytest.mark.parametrize(("missed", "score"), [("zero", None), ("bye", 200)])
def test_a_late_entrant_joins_a_swiss_event(missed: str, score: int | None) -> None:
    made = event(4)
    Stage.objects.filter(tournament=made.tournament).update(plan={"missed": missed} if missed == "bye" else {})
    made.play(made.running((1, 2), (3, 4)), [35], [35])
    late = add(made, {"name": "L"})
    matches = Match.objects.filter(home=late)
    assert [match.home_hundredths for match in matches] == ([] if score is None else [score])
    assert HistoryEntry.objects.filter(subject=f"entrant:{late.pk}").get().new["missed"] == [1]
    stage = Stage.objects.get(tournament=made.tournament)
    assert StageEntrant.objects.get(stage=stage, entrant=late).order == 5


@pytest.mark.parametrize("form", ["rr", "ko_timed"])
def test_nobody_joins_a_draw_that_is_made(form: str) -> None:
    made = event(4)
    made.published((1, 2), (3, 4))
    Stage.objects.filter(tournament=made.tournament).update(format=form)
    with pytest.raises(Refusal, match="late_entry"):
        add(made, {"name": "L"})
    assert made.tournament.entrants.count() == 4


@pytest.mark.parametrize(("played", "annulled"), [(1, True), (2, False)])
def test_leaving_a_round_robin_early_annuls_its_results(played: int, annulled: bool) -> None:
    made = event(4)
    Stage.objects.filter(tournament=made.tournament).update(format="rr", rounds_planned=3)
    for pairs in (((1, 2), (3, 4)), ((1, 3), (2, 4)))[:played]:
        made.play(made.running(*pairs), [35], [35])
    gone = withdraw_entrant(entrant_id=made.ids[1], actor=made.actor, at=made.tick(), reason="ill")
    assert (gone.annulled_in_id is not None) is annulled


# Who really sat there


def seats(made: Event, round_: object) -> dict[int, tuple[int, int, str]]:
    numbers = {pk: number for number, pk in made.ids.items()}
    return {
        sitting.table.number: (
            numbers[sitting.match.home_id],
            numbers[sitting.match.away_id],
            sitting.match.winner_side,
        )
        for sitting in sittings_of(round_)
    }


@pytest.mark.parametrize("played", [False, True])
def test_what_was_played_stands_for_who_sat_there(played: bool) -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    first, second = sittings_of(round_)
    made.hand(first, 35)
    made.hand(second, 120)
    if played:
        made.end(first)
        made.end(second)
    winners = ("NS", "EW") if played else ("", "")
    assert seats(made, round_) == {1: (1, 2, winners[0]), 2: (3, 4, winners[1])}
    pairing = reseating.reseat_match(
        round_id=round_.pk,
        actor=made.actor,
        at=made.tick(),
        entrants=[made.ids[2], made.ids[3]],
        reason="sat at the wrong tables",
    )
    assert seats(made, round_) == {1: (1, 3, winners[0]), 2: (2, 4, winners[1])}
    assert (pairing.number, pairing.reason) == (2, "sat at the wrong tables")
    if not played:
        made.end(first)
        made.end(second)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    old = Match.objects.filter(round=round_, superseded_in=pairing)
    assert {match.outcome for match in old} == {"pending"}
    assert Pairing.objects.filter(round=round_).count() == 2


@pytest.mark.parametrize(
    ("who", "code"),
    [((1, 5), "no_match"), ((1, 1), "two_entrants"), ((1, 99), "not_an_entrant")],
)
def test_only_two_who_play_change_places(who: tuple[int, int], code: str) -> None:
    made = event(5)
    round_ = made.running((1, 2), (3, 4), (5, None))
    of = {"round_id": round_.pk, "actor": made.actor, "at": made.tick()}
    ids = [made.ids.get(number, 10**9) for number in who]
    with pytest.raises(Refusal, match=code):
        reseating.reseat_match(**of, entrants=ids, reason="x")
    with pytest.raises(Refusal, match="reason_missing"):
        reseating.reseat_match(**of, entrants=[made.ids[1], made.ids[3]], reason=" ")


@pytest.mark.parametrize(("who", "told"), [((2, 3), {1, 2}), ((1, 2), {1})])
def test_the_phones_at_the_tables_hear_who_sits_there_now(
    who: tuple[int, int],
    told: set[int],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    topics: list[str] = []
    monkeypatch.setattr(announce, "publish", lambda topic, _message, *, public: topics.append(topic))
    entrants_ = [made.ids[number] for number in who]
    with django_capture_on_commit_callbacks(execute=True):
        reseating.reseat_match(
            round_id=round_.pk, actor=made.actor, at=made.tick(), entrants=entrants_, reason="as they sat"
        )
    tables = {announce.sitting_topic(sitting.pk): sitting.table.number for sitting in sittings_of(round_)}
    assert {tables[topic] for topic in topics if topic in tables} == told


@pytest.mark.long
@pytest.mark.parametrize("played", [False, True])
def test_two_who_sat_the_other_way_round_at_their_own_table(played: bool) -> None:
    """What the sides won stands for who sat there, and so do rulings; the next number of the pairing says who did."""
    made = event(4)
    round_ = made.running((1, 2), (3, 4))
    first, second = sittings_of(round_)

    def play() -> None:
        made.hand(first, 35)
        first.refresh_from_db()
        given_penalties.penalise_level(
            sitting_id=first.pk, actor=made.actor, at=made.tick(), expected_revision=first.revision, side="EW",
            levels=-1, reason="a queen", clause="penalty.take_back.play",
        )  # fmt: skip
        made.end(first)
        made.hand(second, 125)
        made.end(second)

    if played:
        play()
    pairing = reseating.reseat_match(
        round_id=round_.pk, actor=made.actor, at=made.tick(), entrants=[made.ids[1], made.ids[2]], reason="as seated"
    )
    if not played:
        play()
    assert seats(made, round_) == {1: (2, 1, "NS"), 2: (3, 4, "EW")}
    assert (pairing.number, Pairing.objects.filter(round=round_).count()) == (2, 2)
    (guilty,) = (one.guilty for one in penalised(made.tournament))
    assert guilty == (made.ids[1],)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())
    (table,) = basis_of(made.tournament.stages.get()).tables()
    points = {int(row.entrant): row.values["points"] for row in table.rows()}
    assert points == {made.ids[1]: 0, made.ids[2]: 2, made.ids[3]: 0, made.ids[4]: 2}
    assert audit(event_document(made.tournament, official=True)) == []


@pytest.mark.long
def test_teams_who_sat_the_other_way_round_in_both_rooms() -> None:
    stage = {"format": "dup_teams", "minutes": None, "tie_rule": "draw", "chain": ["points"], "plan": {"boards": 1}}
    made = event(2, stage={**stage, "rounds_planned": 1})
    round_ = made.running((1, 2))
    opened, closed = sittings_of(round_)
    made.hand(opened, 35)
    made.hand(closed, 85)
    reseating.reseat_match(
        round_id=round_.pk, actor=made.actor, at=made.tick(), entrants=[made.ids[2], made.ids[1]], reason="as seated"
    )
    match = Match.objects.get(round=round_, superseded_in=None)
    assert (match.home_id, match.net, match.winner_side) == (made.ids[2], 3, "NS")
    assert audit(event_document(made.tournament, official=True)) == []
