"""Events in which every protected table has rows: the demonstration, a duplicate event, an evening, an import."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.hands.result_codes import facts_of_fields
from tests.tournaments.factories import AT, user
from tests.tournaments.individual import alone, evening
from tests.tournaments.individual import sittings_of as tables_of
from tests.tournaments.photos import photo
from tests.tournaments.playing import Event, event, sittings_of
from tests.tournaments.signing import Signing
from tournaments.acts.access import Act
from tournaments.acts.admission import SYSTEM, Actor, require
from tournaments.acts.change import Add, Change, Line, commit
from tournaments.audit.record import event_json
from tournaments.deals.acts import commit_deals, draw_lot, read_deals, show_deals
from tournaments.demo import event as demo
from tournaments.events import officials, rule_changes
from tournaments.evidence.acts import attach
from tournaments.following import kept
from tournaments.following.taking_over import take_over
from tournaments.hall.acts import arrange, arrange_in_rows
from tournaments.ledger.result_code_text import read_code_text
from tournaments.ledger.result_codes import agree_by_result_code
from tournaments.log import numbering
from tournaments.logos import acts as logos
from tournaments.models import Call, Elsewhere, Office, Official, Sitting, Tournament, UnderReview
from tournaments.people import attendance
from tournaments.projector.acts import choose
from tournaments.radar.acts import put_aside
from tournaments.radar.reads import questions_of
from tournaments.rounds import closing
from tournaments.rulings import appeals, log
from tournaments.rulings.adjusted_boards import adjust_board
from tournaments.signals.acts import Agreement, file_card, set_terms
from tournaments.stages.apart import keep_apart
from tournaments.standings.runs import live_rows, publish, recalculate, record_drawn_lots
from tournaments.transfer.imports import import_event
from tournaments.webhooks.acts import make as make_webhook

_STAGE: Final = {
    "format": "dup_teams",
    "match_score": "mp_210",
    "tie_rule": "draw",
    "minutes": None,
    "rounds_planned": 1,
    "chain": ["points"],
    "plan": {"boards": 2, "places": [1]},
}
CLAUSE: Final = "penalty.misboard.board"
_CASE: Final = {"case": {"kind": "follow", "query": "profile=cn-national-2d&level=2&trump=H"}}
_CARD: Final = Agreement(direct=("4", "6"), system="Elders first / 先大后小", notes="As printed / 见附页")


def demonstration() -> Tournament:
    """Two rounds of pairs from their phones, published, one hand corrected, three recorded by cards; a question of the
    radar put aside, a photo given with a call, a hand agreed by result code."""
    made = demo.build(at=AT, seed="7", secrets=lambda: secrets.token_hex(20))
    chief = Official.objects.filter(tournament=made, office=Office.CHIEF_REFEREE, revoked_at=None)[0]
    question = questions_of(made)[0]
    put_aside(
        tournament_id=made.pk, actor=Actor(user=chief.user), at=AT, flag=question.flag.key, aside=True, note="Seen"
    )
    call = Call.objects.filter(sitting__round__tournament=made, closed_at=None)[0]
    attach(call_id=call.pk, actor=Actor(user=chief.user), at=AT, file=photo())
    _result_code(made, Actor(user=chief.user))
    return made


def _result_code(made: Tournament, chief: Actor) -> None:
    """At one table of the running round the phones agree on a hand by result code."""
    rows = Sitting.objects.filter(round__tournament=made, round__status="running", phase="playing", active=True)
    for sitting in rows.order_by("pk"):
        held = {one.side: one for one in sitting.devices.filter(released_at=None)}
        if held.keys() >= {"NS", "EW"} and sitting.state["next_dealer"]:
            ns, ew = (Signing(Actor(device=held[side])) for side in ("NS", "EW"))
            code = ew.agrees(ns.claims(hand=sitting.hand_no, revision=sitting.revision))
            agree_by_result_code(
                sitting_id=sitting.pk, actor=chief, at=AT, code=read_code_text(code), read=facts_of_fields
            )
            return
    raise AssertionError("no table with two phones")


def duplicate() -> Tournament:
    """Four teams on promised boards: signals, the hall, two kept apart, guests asked, a sponsor shown, a ruling and its
    appeal, a board adjusted, lots drawn by hand, other rules asked for."""
    made = event(4, stage=_STAGE)
    _prepared(made)
    assert made.actor.user is not None
    dealt = commit_deals(
        stage_id=made.tournament.stages.get().pk,
        first=1,
        last=4,
        nonce="5a" * 32,
        reader_id=made.actor.user.pk,
        **_by(made),
    )
    draw_lot(dealing_id=dealt.pk, lot="3 1 6 6 2", **_by(made))
    read_deals(dealing_id=dealt.pk, purpose="slips", **_by(made))
    round_ = made.running((1, 2), (3, 4))
    arrange_in_rows(tournament_id=made.tournament.pk, width=2, **_by(made))
    arrange(tournament_id=made.tournament.pk, places={}, fixtures=[("door", 9, 1), ("pillar", 9, 2)], **_by(made))
    choose(tournament_id=made.tournament.pk, boards=["map", "pairings"], **_by(made))
    tables = sittings_of(round_)
    for sitting in tables:
        for total in (35, 80):
            made.hand(sitting, total)
    _ruled(made, tables[0].pk)
    closing.close_round(round_id=round_.pk, **_by(made))
    tables[1].refresh_from_db()
    half = {"artificial": "average"}
    adjust_board(
        sitting_id=tables[1].pk, number=2, expected_revision=tables[1].revision, ns=half, ew=half,
        clause=CLAUSE, reason="A card lay in another pocket", **_by(made),
    )  # fmt: skip
    show_deals(dealing_id=dealt.pk, **_by(made))
    recalculate(tournament_id=made.tournament.pk, at=made.tick())
    stage = made.tournament.stages.get()
    tied = [row["entrant"] for row in live_rows(stage) if "undecided" in row]
    record_drawn_lots(stage_id=stage.pk, order=tied, reason="Drawn at the desk", **_by(made))
    publish(stage_id=stage.pk, round_id=round_.pk, **_by(made))
    rule_changes.propose(tournament_id=made.tournament.pk, spec="scn2-2013", reason="Misprint", **_by(made))
    return made.tournament


def _prepared(made: Event) -> None:
    """What is done before a first round."""
    of = made.tournament.pk
    set_terms(tournament_id=of, card="card_required", return_duty="normal", return_fine=20, **_by(made))
    file_card(entrant_id=made.ids[1], agreement=_CARD, **_by(made))
    keep_apart(
        tournament_id=of, one=made.ids[1], other=made.ids[3], force="rather", reason="Sisters / 姐妹", **_by(made)
    )
    attendance.issue_entrant_codes(tournament_id=of, **_by(made))
    make_webhook(
        tournament_id=of, address="https://club.example/hook", kinds=["hand"], secret="whsec_AAAA", **_by(made)
    )
    attendance.check_in(entrant_id=made.ids[2], **_by(made))
    logos.add(tournament_id=of, kind="sponsor", name="Tea house / 茶馆", file=photo(), **_by(made))


def _ruled(made: Event, sitting_id: int) -> None:
    """A ruling, kept on appeal by a committee of one; a referee of two tables, and somebody asked to be one."""
    for name in ("umpire", user("guest").username):
        officials.appoint(tournament_id=made.tournament.pk, username=name, office="referee", tables=(1, 2), **_by(made))
    ruling = log.propose(
        sitting_id=sitting_id, facts={**_CASE, "told": "A pair was not followed"}, clause=CLAUSE,
        verdict={"en": "The pair was owed.", "zh": "应跟对子。"}, side="NS", hand_no=1, at_once=True, **_by(made),
    ).ruling  # fmt: skip
    appeals.lodge_appeal(ruling_id=ruling.pk, reason="It lay on the table", side="NS", **_by(made))
    appeals.decide_appeal(
        ruling_id=ruling.pk, expected_revision=Sitting.objects.get(pk=sitting_id).revision, upheld=False,
        reason="So it was", committee=("umpire",), **_by(made),
    )  # fmt: skip


def single_players() -> Tournament:
    """An evening of 三打一: two tables, one hand each, the round closed."""
    made = evening("I1", 8)
    round_ = made.seated((1, 2, 3, 4), (5, 6, 7, 8))
    for place in tables_of(round_):
        made.enter(place, alone("2", 80, 45))
        made.end(place)
    made.close(round_)
    return made.tournament


def imported() -> Tournament:
    """The evening, read in from its file by another organiser."""
    data = event_json(single_players(), official=True, names=True)
    made = import_event(data=data, actor=Actor(user=user("keeper")), at=AT, slug="kept").tournament
    assert made is not None
    return made


def _by(made: Event) -> dict[str, Any]:
    return {"actor": made.actor, "at": made.tick()}


def taken_over() -> Tournament:
    """An event of a laptop that is gone: it goes on here in a later term, and an act that the old disk alone had is
    looked at."""
    made = event(2).tournament
    numbering.number_all(at=AT)
    Tournament.objects.filter(pk=made.pk).update(elsewhere=Elsewhere.FOLLOWED)
    kept.write(kept.FOLLOWING, {"address": "http://first"})
    take_over(actor=SYSTEM, at=AT, unplugged=True)
    found = UnderReview(
        tournament=made, digest="0" * 64, body="{}", signature="0" * 128, done_at=AT, what=[["call", "added", {}]],
        listed_at=AT,
    )  # fmt: skip
    admitted = require(SYSTEM, Act.SETTLE_REVIEW, tournament=made)
    commit(Change(admitted, None, (Add(found),), (Line(Act.SETTLE_REVIEW, new={"listed": 1}),)), SYSTEM, AT)
    return made


#: The events by name.
EVENTS: Final[Mapping[str, Callable[[], Tournament]]] = {
    "demonstration": demonstration,
    "duplicate": duplicate,
    "single players": single_players,
    "imported": imported,
    "taken over": taken_over,
}
