"""The batch protocol: one question in, one answer out (docs/questions.md). Every op is a thin door to one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from scoring import wording
from scoring.hands.card_checks import check_shapes, check_throw_size
from scoring.hands.entries import HandSheet
from scoring.hands.findings import Finding, Refused, finding
from scoring.hands.outcomes import (
    advance,
    advance_reasons,
    hook,
    level_result,
    next_dealer,
    rebellion_allowed,
)
from scoring.hands.reading import Reader
from scoring.hands.sheets import (
    CARDS,
    KITTY,
    LEVELS,
    TRICKS,
    check_captured,
    check_sheet,
    off_grain,
    read_entry,
)
from scoring.hands.totals import attackers_total, kitty_bonus, throw_penalty
from scoring.hands.variants import result_by_line
from scoring.profiles import OPTIONS, Profile, ProfileError, build
from scoring.questions.asking import MOST_TOTAL, Answer, Op, ledger_of, reasons, total_of
from scoring.questions.auction import ask_auction, ask_counter, ask_first_drawer, ask_flip
from scoring.questions.boards import ask_board_scores, ask_victory_points
from scoring.questions.deals import DEAL_OPS
from scoring.questions.individual import ask_individual_hand, ask_individual_state, ask_standings
from scoring.questions.irregularities import ask_irregularity
from scoring.questions.plays import PLAY_OPS
from scoring.questions.records import ask_replay
from scoring.questions.regional import ask_bid, ask_coins, ask_flag, ask_jump, ask_last_trick, ask_points
from scoring.questions.signals import SIGNAL_OPS
from scoring.questions.variants import VARIANT_OPS
from scoring.sittings.checks import level_due
from scoring.sittings.endings import decide
from scoring.sittings.fold import start, step
from scoring.sittings.states import FORMATS, TIE_RULES, UNTIMED, Conditions, EntryResult, Opening, SittingState
from scoring.standings.knockout import answer_knockout
from scoring.standings.match_scores import answer_match_score
from scoring.standings.placing import answer_placing
from scoring.values import Level, Role, Seat, Side, Trump


def answer(question: object, ops: Mapping[str, Op] | None = None) -> Answer:
    """Answer or refuse one question; never raises, whatever the question is."""
    if not isinstance(question, Mapping):
        return _refusal(None, [finding("bad_question", "question")])
    number = question.get("id")
    known: Answer = {"id": number if isinstance(number, str | int | None) else None}
    asked = question.get("input")
    if not isinstance(asked, Mapping) or set(question) - {"id", "profile", "input"}:
        return known | _refusal(known["id"], [finding("bad_question", "input")])
    name = asked.get("op")
    op = (OPS if ops is None else ops).get(name) if isinstance(name, str) else None
    if op is None:
        return _refusal(known["id"], [finding("unknown_op", "op", value=wording.shown(name))])
    try:
        data = {field: value for field, value in asked.items() if field != "op"}
        asks = op.needs_profile or "profile" in question
        profile = _profile(question.get("profile"), data, op) if asks else None
        said = op.run(profile, data)
    except ProfileError as error:
        return known | {"error": {"code": error.code, "field": error.field, "message": dict(error.message)}}
    except Refused as refused:
        return _refusal(known["id"], refused.findings)
    because = said.pop("because", [])
    return known | {"answer": said, "because": because}


def _refusal(number: object, findings: Iterable[Finding]) -> Answer:
    rows = [one.to_json() for one in findings]
    first = rows[0]
    error = {"code": first["code"], "field": first["field"], "message": first["message"], "findings": rows}
    return {"id": number, "error": error}


def _profile(spec: object, data: dict[str, Any], op: Op) -> Profile:
    """The profile asked for; input fields that name an option are set upon it, and leave the input."""
    changes = {name: data.pop(name) for name in list(data) if name in OPTIONS and name not in op.own}
    if not changes:
        return build(spec, individual=op.individual)
    if isinstance(spec, Mapping) and isinstance(spec.get("set", {}), Mapping):
        return build({**spec, "set": {**spec.get("set", {}), **changes}}, individual=op.individual)
    return build({"base": spec, "set": changes}, individual=op.individual)


def _refuse_blocking(findings: Iterable[Finding]) -> None:
    blocking = [one for one in findings if one.blocking]
    if blocking:
        raise Refused(blocking)


def _level_result(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    total, level = total_of(reader, profile), reader.level("level", profile)
    reader.done()
    reader.refuse_if_any()
    assert total is not None
    result = level_result(profile, total, level=level)
    return {
        "winner_side": result.winner_role.value,
        "levels": result.levels,
        "deal_changes_hands": result.deal_changes_hands,
        "because": reasons(result.because),
    }


def _kitty_bonus(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    winner = reader.choice("last_trick_winner", Role, required=True)
    led, winning = reader.shapes("led"), reader.shapes("winning")
    category = reader.word("winning_category", ("trump", "side"))
    reader.choice("buried_by", Role)
    kitty = reader.points("kitty_points", KITTY, required=True)
    reader.done()
    reader.findings += check_captured(profile, None, kitty)
    reader.findings += check_shapes(profile, led, "led")
    reader.findings += check_shapes(profile, winning, "winning")
    if led and winning and sum(shape.cards for shape in winning) != sum(shape.cards for shape in led):
        reader.findings.append(finding("wrong_count", "winning", profile=profile, topic="follow.suit"))
    if winner is Role.ATTACKERS and not led and not reader.findings:
        reader.findings.append(finding("shape_missing", "led", profile=profile, topic="kitty.decides"))
    if winner is Role.ATTACKERS and profile.dig_trump_only and category is None:
        reader.findings.append(
            finding("winning_category_missing", "winning_category", profile=profile, topic="kitty.trump_only")
        )
    reader.refuse_if_any()
    assert winner is not None
    assert kitty is not None
    dug = kitty_bonus(
        profile,
        last_trick_winner=winner,
        led=led,
        kitty_points=int(kitty),
        winning=winning,
        winning_category=category,
    )
    said: Answer = {"bonus": dug.bonus, "because": reasons(dug.because)}
    return said if dug.multiplier is None else {"multiplier": dug.multiplier, **said}


def _throw_penalty(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    side = reader.choice("failing_side", Role, required=True)
    cards = reader.whole("cards_thrown", CARDS, required=True)
    reader.done()
    if cards is not None:
        reader.findings += check_throw_size(profile, cards, "cards_thrown")
    reader.refuse_if_any()
    assert side is not None
    assert cards is not None
    delta = throw_penalty(profile, side, cards)
    return {"attackers_delta": delta, "because": reasons(profile.cite("throw_fine", delta))}


def _hand_total(profile: Profile, data: Mapping[str, Any]) -> Answer:
    sheet = read_entry(profile, {"kind": "hand", **data})
    assert isinstance(sheet, HandSheet)
    _refuse_blocking(check_sheet(profile, sheet))
    total = attackers_total(profile, sheet, level=sheet.level)
    result = result_by_line(profile, sheet.line, total.for_levels, level=sheet.level)
    return {
        "total_raw": total.raw,
        "total_for_levels": total.for_levels,
        "winner_side": result.winner_role.value,
        "levels": result.levels,
        "deal_changes_hands": result.deal_changes_hands,
        "total": total.to_json(),
        "because": reasons(total.because + result.because),
    }


def _advance_level(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    role = reader.choice("role", Role, required=True)
    level = reader.level("level", profile, required=True)
    levels_won = reader.whole("levels_won", LEVELS, low=0, high=MOST_TOTAL, required=True)
    reader.done()
    reader.refuse_if_any()
    assert role is not None
    assert level is not None
    assert levels_won is not None
    climb = advance(profile, role, level, levels_won)
    return {
        "next_level": None if climb.level is None else str(climb.level),
        "match_over": climb.finished,
        "stopped_at": None if climb.stopped_at is None else str(climb.stopped_at),
        "because": reasons(advance_reasons(profile, climb)),
    }


def _next_dealer(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    dealer = reader.choice("dealer", Seat, required=True)
    event = reader.word("event", ("hand", "rebellion", "misdeal", "redeal", "ruling"), required=True)
    total = total_of(reader, profile, required=event == "hand")
    reader.done()
    reader.refuse_if_any()
    assert dealer is not None
    if event == "rebellion":
        return {
            "next_dealer": next_dealer(dealer, "rebellion").value,
            "because": reasons(profile.cite("rebellion_redeal")),
        }
    if event != "hand" or total is None:
        return {"next_dealer": next_dealer(dealer, "redeal").value, "because": reasons(profile.cite("redeal"))}
    result = level_result(profile, total)
    because = result.because + profile.cite("dealer.lost" if result.deal_changes_hands else "dealer.kept")
    following = next_dealer(dealer, "hand", deal_changes_hands=result.deal_changes_hands)
    return {"next_dealer": following.value, "because": reasons(because)}


def _hook(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    level = reader.level("dealer_level", profile, required=True)
    trump = reader.choice("trump", Trump, required=True)
    cards = reader.cards("winning_play")
    won = reader.flag("won_by_that_play", required=True)
    total = total_of(reader, profile)
    before = reader.flag("dealer_side_hooked_before")
    reader.done()
    reader.refuse_if_any()
    assert level is not None
    assert trump is not None
    assert total is not None
    verdict = hook(
        profile,
        dealer_level=level,
        trump=trump,
        winning_play=cards,
        won_by_that_play=won is True,
        attackers_total=profile.table.settle(total),
        hooked_before=int(before is True),
    )
    said: Answer = {"hook": verdict.hook, "because": reasons(verdict.because)}
    return said if verdict.level is None else {**said, "dealer_side_level": str(verdict.level)}


def _rebellion_allowed(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    role = reader.choice("role", Role, required=True)
    points = reader.whole("hand_points", KITTY, low=0, high=profile.points_max, required=True)
    trumps = reader.whole("trump_count", CARDS, low=0, high=profile.hand_cards, required=True)
    trump = reader.choice("trump", Trump, required=True)
    buried, before = reader.flag("buried_kitty"), reader.flag("previous_hand_was_rebellion")
    reader.done()
    if points is not None:
        reader.findings += off_grain(profile, points, KITTY, "hand_points")
    reader.refuse_if_any()
    assert role is not None
    assert points is not None
    assert trumps is not None
    assert trump is not None
    allowed, because = rebellion_allowed(
        profile,
        role=role,
        hand_points=points,
        trump_count=trumps,
        trump=trump,
        buried_kitty=buried is True,
        previous_hand_was_rebellion=before is True,
    )
    return {"allowed": allowed, "because": reasons(because)}


def _validate_entry(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    captured = reader.points("captured_in_tricks", TRICKS, required=True)
    kitty = reader.points("kitty_points", KITTY)
    reader.done()
    found = [*reader.findings, *check_captured(profile, captured, kitty)]
    cited = {one.clause for one in found}
    return {
        "valid": not any(one.blocking for one in found),
        "findings": [one.to_json() for one in found],
        "because": reasons(
            reason
            for topic in ("grain", "points")
            for reason in profile.cite(topic)
            if not found or reason.clause.id in cited
        ),
    }


def _deal_size(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    what = {"en": "the number of decks", "zh": "几副牌"}
    decks = reader.whole("decks", what, low=min(profile.deal_sizes), high=max(profile.deal_sizes))
    reader.done()
    reader.refuse_if_any()
    count = profile.decks if decks is None else decks
    if count not in profile.deal_sizes:
        choices = {language: ", ".join(map(str, sorted(profile.deal_sizes))) for language in ("en", "zh")}
        raise Refused([finding("unknown_value", "decks", value=wording.shown(decks), choices=choices)])
    hand, kitty = profile.deal_sizes[count]
    return {"hand": hand, "kitty": kitty, "because": reasons(profile.cite("deal"))}


def _sitting_state(profile: Profile, data: Mapping[str, Any]) -> Answer:
    opening = Opening.from_json(data.get("opening"), profile)
    conditions = Conditions.from_json(data["conditions"], profile) if data.get("conditions") is not None else UNTIMED
    reader = Reader(data)
    for name in ("opening", "conditions"):
        reader.raw(name)
    ledger = ledger_of(reader)
    reader.done()
    reader.refuse_if_any()
    state = _fold_rows(profile, opening, conditions, ledger, reader)
    cited = {reason.clause.id: reason for result in state.entries for reason in result.because}
    because = [{"clause": clause, "text": dict(reason.clause.text)} for clause, reason in cited.items()]
    return {**state.to_json(), "because": because}


def _fold_rows(
    profile: Profile, opening: Opening, conditions: Conditions, rows: list[object], reader: Reader
) -> SittingState:
    """The state after a ledger as written. Refused with every finding on its rows; behind a row that cannot be read
    the level of a hand is not known, so the rest is checked without it."""
    state: SittingState | None = start(opening, conditions)
    results: list[EntryResult] = []
    impossible: Refused | None = None
    for i, row in enumerate(rows):
        path = f"ledger[{i}]"
        try:
            entry = read_entry(profile, row, path=path)
        except Refused as refused:
            reader.findings += refused.findings
            state = None
            continue
        if isinstance(entry, HandSheet):
            level = None if state is None else level_due(profile, state, entry)
            checked = check_sheet(profile, entry, path=path, level=level)
            reader.findings += [one for one in checked if one.blocking]
        if state is None:
            continue
        try:
            state, result = step(profile, conditions, state, entry, reasons=True)
            results.append(result)
        except Refused as refused:
            impossible, state = refused, None
    reader.refuse_if_any()
    if impossible is not None:
        raise impossible
    assert state is not None
    return replace(state, entries=tuple(results))


def _match_result(profile: Profile, data: Mapping[str, Any]) -> Answer:
    reader = Reader(data)
    how = reader.word("format", FORMATS, required=True)
    tie_rule = reader.word("tie_rule", TIE_RULES) or profile.timed_tie
    on_stage, first = reader.choice("on_stage", Side), reader.choice("reached_first", Side)
    given = reader.raw("levels")
    rows = reader.nested(given, "levels")
    steps = {side: _steps(rows, side.value, profile) for side in Side}
    rows.done()
    reader.done()
    if not reader.findings and steps[Side.NS] == steps[Side.EW]:
        needed = {"on_stage": on_stage, "first_to_reach": first}
        if tie_rule in needed and needed[tie_rule] is None:
            reader.missing("on_stage" if tie_rule == "on_stage" else "reached_first")
    reader.refuse_if_any()
    top = len(profile.ladder) - (1 if profile.finish == "reach_A" else 0)
    if how == "first_past" and max(steps.values()) < top:
        return {
            "winner": None,
            "draw": False,
            "undecided": None,
            "unfinished": True,
            "because": reasons(profile.cite("finish")),
        }
    verdict = decide(steps[Side.NS] - steps[Side.EW], tie_rule, on_stage=on_stage, reached_first=first)
    return {
        "winner": None if verdict.winner is None else verdict.winner.value,
        "draw": verdict.draw,
        "undecided": verdict.undecided,
        "decided_by": verdict.decided_by,
        "because": reasons(profile.cite("finish" if how == "first_past" else "timed_tie")),
    }


def _steps(reader: Reader, name: str, profile: Profile) -> int:
    """Steps of a final level on the ladder; `passed` or null is one above the last."""
    if name in reader.data and reader.raw(name) in (None, "passed"):
        return profile.ladder.index(None)
    level: Level | None = reader.level(name, profile, required=True)
    return -1 if level is None else profile.ladder.index(level)


def _with_ladder(run: Callable[..., Answer]) -> Callable[[Any, Mapping[str, Any]], Answer]:
    return lambda profile, data: run(data) if profile is None else run(data, profile.ladder)


OPS: Mapping[str, Op] = {
    "level_result": Op(_level_result),
    "kitty_bonus": Op(_kitty_bonus),
    "throw_penalty": Op(_throw_penalty),
    "hand_total": Op(_hand_total, own=frozenset({"dark_bids"})),
    "advance_level": Op(_advance_level),
    "next_dealer": Op(_next_dealer),
    "hook": Op(_hook),
    "rebellion_allowed": Op(_rebellion_allowed),
    "validate_entry": Op(_validate_entry),
    "deal_size": Op(_deal_size, individual=True, own=frozenset({"decks"})),
    "sitting_state": Op(_sitting_state),
    "match_result": Op(_match_result),
    "last_trick_points": Op(ask_last_trick),
    "special_levels": Op(ask_jump),
    "flag_stage": Op(ask_flag),
    "bid_game": Op(ask_bid, individual=True),
    "total_points": Op(ask_points, individual=True, own=frozenset({"decks"})),
    "coins": Op(ask_coins),
    "first_drawer": Op(ask_first_drawer),
    "flip_kitty": Op(ask_flip),
    "counter_allowed": Op(ask_counter),
    "auction": Op(ask_auction),
    "irregularity": Op(ask_irregularity, individual=True),
    **PLAY_OPS,
    **DEAL_OPS,
    **VARIANT_OPS,
    **SIGNAL_OPS,
    "replay": Op(ask_replay, needs_profile=False, individual=True),
    "match_score": Op(_with_ladder(answer_match_score), needs_profile=False),
    "board_scores": Op(ask_board_scores, needs_profile=False),
    "victory_points": Op(lambda profile, data: ask_victory_points(data), needs_profile=False),
    "individual_hand": Op(ask_individual_hand, individual=True),
    "individual_state": Op(ask_individual_state, individual=True),
    "knockout_standings": Op(lambda profile, data: answer_knockout(data), needs_profile=False),
    "overall_placing": Op(lambda profile, data: answer_placing(data), needs_profile=False),
    "standings": Op(_with_ladder(ask_standings), needs_profile=False, individual=True),
}
