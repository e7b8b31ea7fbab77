"""What is said of the deal: who bids or declares highest among single players, and what the dealer may bury."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scoring import wording
from scoring.cards.burying import judge_burial
from scoring.cards.deck import check_cards
from scoring.hands.findings import Refused, finding
from scoring.individual.contests import Bid, ContestAct, bid_down, contest
from scoring.values import Place, in_turn

from .cases import seats_named
from .questions import SHOWN, bid_fields, first_player, level_fields
from .verdicts import BAD, CATEGORIES, DECIDING, DIM, OK, PLAIN, Placed, Reading, Verdict, marked, reasons, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scoring.hands.findings import Finding
    from scoring.individual.contests import Bidding, Contest
    from scoring.profiles import Reason
    from scoring.values import Level, Player, Text

    from .cases import Case

#: A call of the bidding in which no points are bid.
PASSES = "pass"


# --- who plays alone, for how much ---


def bids(case: Case) -> Verdict:
    """How the bidding stands. Raises Refused for calls that are no numbers."""
    first = case.player("first") or first_player(case.profile)
    acts = _calls(case, first)
    state = bid_down(case.profile, first, acts)
    headline, then = _bidding_said(case, state)
    told = dict(state.problems)
    lines = [_call_line(case, act, told.get(number)) for number, act in enumerate(acts, 1)]
    tone = BAD if told else PLAIN
    return Verdict(case.kind, tone, headline, then, _with_rest(lines, state.because), answer=state)


def _calls(case: Case, first: Player) -> list[Bid]:
    """The calls up to the first empty field; who is not named calls as the turn has it."""
    reader, acts = case.reader(), list[Bid]()
    for name in bid_fields(case.profile):
        text = case.get(name)
        if not text:
            break
        if text != PASSES and not (text.isascii() and text.isdigit() and len(text) < 4):
            raise Refused([_no_bid(case, name, text)])
        stated = reader.word(f"{name}_by", [player.value for player in case.profile.seats])
        reader.refuse_if_any()
        by = case.player(f"{name}_by") if stated else bid_down(case.profile, first, acts).turn
        by = by or in_turn(case.profile.seats, acts[-1].by)[1]
        acts.append(Bid(by, None if text == PASSES else int(text)))
    return acts


def _no_bid(case: Case, name: str, text: str) -> Finding:
    assert case.profile.bidding is not None
    words: dict[str, Any] = {**case.profile.bidding, "value": wording.shown(text)}
    return finding("bid_not_here", name, profile=case.profile, topic="bid", **words)


def _bidding_said(case: Case, state: Bidding) -> tuple[Text, tuple[Text, ...]]:
    if state.redeal:
        return say("All passed: the cards are dealt again.", "各家都不叫，重新发牌。"), ()
    if state.dealer is None:
        assert state.turn is not None
        due = wording.PLAYERS[state.turn]
        turn = say(f"It is the turn of {due['en']}.", f"轮到 {due['zh']}家叫分。")
        if state.standing is None:
            return say("Nobody has bid yet.", "还没有人叫分。"), (turn,)
        return say(f"{state.standing} stands.", f"现叫到 {state.standing} 分。"), (turn,)
    who, points = wording.PLAYERS[state.dealer], state.standing
    headline = say(f"{who['en']} plays alone for {points}.", f"{who['zh']}家以 {points} 分坐庄，一打三。")
    others = seats_named(in_turn(case.profile.seats, state.dealer)[1:])
    then = say(
        f"{others['en']} win together with {points} points or more.",
        f"{others['zh']}家合得 {points} 分或以上即胜。",
    )
    return headline, (then,)


def _call_line(case: Case, act: Bid, problem: Finding | None) -> Reading:
    who = wording.PLAYERS[act.by]
    text = say(f"{who['en']} passes.", f"{who['zh']}家不叫。")
    if act.bid is not None:
        text = say(f"{who['en']} bids {act.bid}.", f"{who['zh']}家叫 {act.bid} 分。")
    return _left_out(case, text, problem)


def _left_out(case: Case, text: Text, problem: Finding | None) -> Reading:
    """A line of what was done; what does not count is told with the clause that keeps it out."""
    if problem is None:
        return Reading(text)
    why = problem.message
    return Reading(
        say(f"{text['en']} It does not count. {why['en']}", f"{text['zh']}不算。{why['zh']}"),
        case.profile.clauses.get(problem.clause or ""),
    )


def _with_rest(lines: Iterable[Reading], because: Iterable[Reason]) -> tuple[Reading, ...]:
    """The lines, then the clauses of the kernel that none of them cites."""
    told = list(lines)
    cited = {line.clause.id for line in told if line.clause is not None}
    return (*told, *(Reading(one.clause.text, one.clause) for one in because if one.clause.id not in cited))


# --- who deals, at what level and with which trumps ---


def contested(case: Case) -> Verdict:
    """Who deals after these showings. Raises Refused."""
    levels, acts = _levels(case), _showings(case)
    state = contest(case.profile, levels, ())
    kinds = []
    for number, (by, name) in enumerate(acts, 1):
        act = ContestAct(_what(state, by, number), by, case.cards(name))
        kinds.append(act)
        state.act(number, act)
    told = dict(state.problems)
    lines = [_showing_line(case, act, told.get(number)) for number, act in enumerate(kinds, 1)]
    headline, then = _contest_said(state)
    return Verdict(
        case.kind,
        BAD if told else PLAIN,
        headline,
        then,
        _with_rest(lines, state.because),
        tuple(_showings_placed(state, kinds, told)),
        answer=state,
    )


def _levels(case: Case) -> Mapping[Place, Level]:
    """The level of each player: his own, or the one that all play."""
    profile, reader = case.profile, case.reader()
    names = level_fields(profile)
    found = [reader.level(name, profile, required=True) for name in names]
    reader.findings += check_cards(profile, [(name, case.cards(name)) for name in SHOWN])
    reader.refuse_if_any()
    table = profile.seats
    each = found if len(names) == len(table) else found * len(table)
    return {cast("Place", place): level for place, level in zip(table, each, strict=True) if level is not None}


def _showings(case: Case) -> list[tuple[Place, str]]:
    """Who showed cards, and the field that holds them, up to the first empty one."""
    reader, shown = case.reader(), []
    for name in SHOWN:
        if not case.cards(name):
            break
        reader.word(f"{name}_by", [player.value for player in case.profile.seats])
        by = case.player(f"{name}_by") or first_player(case.profile)
        shown.append((cast("Place", by), name))
    reader.refuse_if_any()
    return shown


def _what(state: Contest, by: Place, number: int) -> str:
    """What showing cards is: the first one declares, the declarer reinforces as long as nobody else has shown."""
    if state.dealer is None:
        return "declare"
    return "reinforce" if state.dealer is by and not state.countered else "counter"


def _contest_said(state: Contest) -> tuple[Text, tuple[Text, ...]]:
    if state.dealer is None:
        return say("Nobody has declared yet.", "还没有人亮主。"), ()
    who, level, trump = wording.PLAYERS[state.dealer], state.level, state.trump
    assert level is not None
    assert trump is not None
    suit = CATEGORIES.get(trump)
    trumps = (
        say("No-trump.", "打无主。")
        if suit is None
        else say(f"{suit['en'].capitalize()} are trumps.", f"主牌为{suit['zh']}。")
    )
    played = say(f"The hand is played at level {level}.", f"本副打 {level}。")
    return say(f"{who['en']} deals.", f"{who['zh']}家坐庄。"), (played, trumps)


_DONE: Mapping[str, Text] = {
    "declare": say("declares with", "亮"),
    "reinforce": say("adds", "加固"),
    "counter": say("counters with", "反"),
}


def _showing_line(case: Case, act: ContestAct, problem: Finding | None) -> Reading:
    who, did, cards = wording.PLAYERS[act.by], _DONE[act.act], wording.cards_named(act.cards)
    text = say(f"{who['en']} {did['en']} {cards['en']}.", f"{who['zh']}家{did['zh']} {cards['zh']}。")
    return _left_out(case, text, problem)


def _showings_placed(state: Contest, acts: Sequence[ContestAct], told: Mapping[int, Finding]) -> Iterator[Placed]:
    """Who showed what; of a player who showed several times the last cards."""
    last = {act.by: number for number, act in enumerate(acts, 1)}
    for number, act in enumerate(acts, 1):
        if last[act.by] != number:
            continue
        holds = act.by is state.dealer and number not in told
        card_state = DECIDING if holds else DIM if number in told else ""
        note = say("does not count", "不算") if number in told else _NOTES[act.act]
        cards = tuple((str(card), card_state) for card in (state.shown if holds else act.cards))
        yield Placed(act.by, cards, number, say("deals", "坐庄") if holds else note)


_NOTES: Mapping[str, Text] = {
    "declare": say("declared", "亮主"),
    "reinforce": say("reinforced", "加固"),
    "counter": say("countered", "反主"),
}


# --- what may be buried ---


def burial(case: Case) -> Verdict:
    """Whether these cards may be buried. Raises Refused."""
    profile, buried, held = case.profile, case.cards("buried"), case.cards("hand")
    wrong = [*check_cards(profile, [("buried", buried)]), *check_cards(profile, [("hand", held)])]
    if wrong:
        raise Refused(wrong)
    verdict = judge_burial(profile, buried, held or None)
    clauses = profile.clauses
    lines = [Reading(one.message, clauses.get(one.clause or "")) for one in verdict.problems]
    headline = (
        say("The burial stands.", "埋底有效。")
        if verdict.allowed
        else say("These may not be buried.", "不能这样埋底。")
    )
    points = say(f"{verdict.points} points are buried.", f"埋下 {verdict.points} 分。")
    return Verdict(
        case.kind,
        OK if verdict.allowed else BAD,
        headline,
        (points,),
        (
            *lines,
            *(one for one in reasons(case, verdict.because, ()) if one.clause not in [line.clause for line in lines]),
        ),
        row=marked(buried, verdict.lacking),
        answer=verdict,
    )
