"""What is said of the auction: whether a counter may be made, and what the kitty turns up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scoring import wording
from scoring.cards.auction_state import Act, Deal
from scoring.cards.countering import counters_on, declaration, judge_counter, standing
from scoring.cards.declaring import declare_in_turn
from scoring.cards.flip import check_flip, judge_flip
from scoring.hands.findings import Refused, finding
from scoring.profiles.clause_files import clauses_beside
from scoring.values import RANKS, Seat, Trump, seat_of

from .card_text import read_typed
from .questions import COUNTERS, TOLD
from .verdicts import (
    BAD,
    CATEGORIES,
    DECIDING,
    DIM,
    OK,
    PLAIN,
    Placed,
    Reading,
    Verdict,
    marked,
    reasons,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.cards.auction_state import Auction
    from scoring.cards.declaring import Declaring
    from scoring.hands.findings import Finding
    from scoring.values import Card, Text

    from .cases import Case


# --- may this counter be made ---


def is_declaration(case: Case) -> bool:
    """Whether the cards on the table are what a declaration shows: level cards of one suit, jokers beside them or not.

    A level without cards of its own is left to the kernel.
    """
    shown, level = set(_declared(case)), case.get("level")
    return bool(shown) and (level not in RANKS or (len(shown) == 1 and shown.pop().rank == level))


def _declared(case: Case) -> list[Card]:
    """The cards that declare; a joker beside them says nothing of the suit."""
    return [card for card in case.cards("declared") if not card.is_joker]


def counter(case: Case) -> Verdict:
    auction, act = _auction_asked(case)
    verdict = judge_counter(auction, act)
    declared, *counters = auction.bids
    by, cards = wording.SEATS[declared.by], wording.cards_named(case.cards("declared"))
    told = [(say(f"{by['en']} declared {cards['en']}.", f"{by['zh']}家亮 {cards['zh']}。"), "declare")]
    shown = [(declared.by, case.cards("declared"), say("declared", "亮主"))]
    for name, bid in zip(_counters(case), counters, strict=True):
        who, cards = wording.SEATS[bid.by], wording.cards_named(case.cards(name))
        told.append(
            (say(f"{who['en']} countered with {cards['en']}.", f"{who['zh']}家反 {cards['zh']}。"), "counter.what")
        )
        shown.append((bid.by, case.cards(name), say("countered", "反主")))
    lines = [Reading(text, case.profile.topics.get(topic)) for text, topic in told]
    clauses = case.profile.clauses
    lines += [Reading(dict(one.message), clauses.get(one.clause or "")) for one in verdict.problems]
    seen = {line.clause.id for line in lines if line.clause is not None} if verdict.problems else set()
    lines += [Reading(one.clause.text, one.clause) for one in verdict.because if one.clause.id not in seen]
    assert act.by is not None
    who, cards = wording.SEATS[act.by], wording.cards_named(act.cards)
    tone, headline, word = OK, say("The counter may be made.", "可以反。"), say("may counter", "可以反")
    if verdict.problems:
        tone, headline, word = (
            BAD,
            say("The counter may not be made.", "不可以反。"),
            say("may not counter", "不可以反"),
        )
    return Verdict(
        case.kind,
        tone,
        headline,
        (say(f"{who['en']} shows {cards['en']}.", f"{who['zh']}家亮出 {cards['zh']}。"),),
        tuple(lines),
        tuple(_bids_placed([*shown, (act.by, act.cards, word)], DECIDING if verdict.allowed else DIM)),
        answer=verdict,
    )


def _counters(case: Case) -> list[str]:
    """The counters before the one in question that were filled in."""
    return [name for name in COUNTERS if case.get(name)]


def _auction_asked(case: Case) -> tuple[Auction, Act]:
    """The auction as it stands before the counter in question, and that counter. Raises Refused."""
    profile, reader = case.profile, case.reader()
    level = reader.level("level", profile, required=True)
    by, names = reader.choice("by", Seat), reader.choice("names", Trump)
    declared_by = reader.choice("declared_by", Seat) or Seat.S
    acts = [
        (name, Act("counter", reader.choice(f"{name}_by", Seat) or Seat.E, case.cards(name)))
        for name in _counters(case)
    ]
    reader.refuse_if_any()
    assert level is not None
    shown = _declared(case)
    declared = declaration(profile, level, declared_by, shown[0].suit, strong=len(shown) > 1)
    bids = counters_on(profile, level, declared, acts, reader.findings)
    reader.refuse_if_any()
    dealer = None if case.dealer is None else seat_of(case.dealer)
    deal = Deal(profile, level, dealer, first_hand=bool(case.get("first")))
    auction = standing(deal, bids, after_burial=True if case.get("buried") else None)
    return auction, Act("counter", by or Seat.E, case.cards("cards"), names)


def _bids_placed(shown: Sequence[tuple[Seat, tuple[Card, ...], Text]], final: str) -> Iterable[Placed]:
    """Who showed what; a player who bid twice is drawn with the last bid, the one in question in the state `final`."""
    last = {seat: number for number, (seat, _, _) in enumerate(shown, 1)}
    for number, (seat, cards, note) in enumerate(shown, 1):
        if last[seat] == number:
            state = final if number == len(shown) else ""
            yield Placed(seat, tuple((str(card), state) for card in cards), number, note)


# --- who declares at a board ---


def declared_in_turn(case: Case) -> Verdict:
    """How declaring in turn stands at a board whose dealer is fixed. Raises Refused."""
    profile, reader = case.profile, case.reader()
    level, dealer = reader.level("level", profile, required=True), seat_of(case.dealer or Seat.S)
    fixed = reader.choice("fixed", Trump)
    reader.refuse_if_any()
    assert level is not None
    acts: list[Act] = []
    for name in TOLD:
        if not case.get(name):
            break
        due = declare_in_turn(profile, level, dealer, acts).turn
        acts.append(_told_act(case, name, due or (acts[-1].by or dealer).right if acts else dealer.partner))
    state = declare_in_turn(profile, level, dealer, acts, fixed)
    wrong = dict(state.problems)
    headline, then = _turn_said(state)
    lines = [_told_line(act, wrong.get(number)) for number, act in enumerate(acts, 1)]
    cited = {line.clause.id for line in lines if line.clause is not None}
    lines += [Reading(one.clause.text, one.clause) for one in state.because if one.clause.id not in cited]
    shown = [(act.by, act.cards, say("shown", "亮出")) for act in acts if act.cards and act.by is not None]
    placed = tuple(_bids_placed(shown, "")) if shown else ()
    return Verdict(case.kind, BAD if wrong else PLAIN, headline, then, tuple(lines), placed, answer=state)


def _told_act(case: Case, name: str, due: Seat) -> Act:
    """One act of the form: `pass`, `=H` for a suit that is named, else cards that are shown."""
    text, by = case.get(name), case.player(f"{name}_by")
    seat = due if by is None else seat_of(by)
    if text == "pass":
        return Act("pass", seat)
    if text[:1] == "=" and text[1:] in Trump.__members__:
        return Act("name", seat, names=Trump(text[1:]))
    read = read_typed(text)
    if read.wrong or not read.cards:
        raise Refused([finding("card_unknown", name, value=wording.shown(text[:20]))])
    first = not any(case.get(one) not in ("", "pass") for one in TOLD[: TOLD.index(name)])
    return Act("declare" if first else "counter", seat, read.cards)


def _told_line(act: Act, problem: Finding | None) -> Reading:
    assert act.by is not None
    who, cards = wording.SEATS[act.by], wording.cards_named(act.cards)
    text = say(f"{who['en']} passes.", f"{who['zh']}家不亮。")
    if act.act == "name" and act.names is not None:
        suit = wording.TRUMPS[act.names]
        text = say(f"{who['en']} names {suit['en']}.", f"{who['zh']}家口头定{suit['zh']}。")
    elif act.cards:
        text = say(f"{who['en']} shows {cards['en']}.", f"{who['zh']}家亮出 {cards['zh']}。")
    if problem is None:
        return Reading(text)
    why = problem.message
    clause = next((one for one in clauses_beside() if one.id == problem.clause), None)
    return Reading(say(f"{text['en']} It does not count. {why['en']}", f"{text['zh']}不算。{why['zh']}"), clause)


def _turn_said(state: Declaring) -> tuple[Text, tuple[Text, ...]]:
    """The headline, and what follows from it."""
    dealer = wording.SEATS[state.dealer]
    deals = say(f"{dealer['en']} deals.", f"{dealer['zh']}家坐庄。")
    if state.turn is None:
        assert state.trump is not None
        suit = wording.TRUMPS[state.trump]
        return say(f"Trumps: {suit['en']}.", f"主牌：{suit['zh']}。"), (deals,)
    due = wording.SEATS[state.turn]
    if state.naming:
        return say(f"{due['en']} names the trump suit.", f"由{due['zh']}家口头决定主牌花色。"), (deals,)
    if state.trump is None:
        return say(f"{due['en']} may declare or pass.", f"轮到{due['zh']}家亮主或不亮。"), (deals,)
    stands = wording.TRUMPS[state.trump]
    standing = say(f"What stands: {stands['en']}.", f"现以{stands['zh']}为主。")
    return say(f"{due['en']} may counter or pass.", f"轮到{due['zh']}家反主或不反。"), (standing, deals)


# --- what the kitty turns up ---


#: By the place in the order of drawing.
_DRAWERS: Final[Sequence[Text]] = (
    {"en": "who draws first", "zh": "先抓牌的玩家"},
    {"en": "who draws second", "zh": "第二个抓牌的玩家"},
    {"en": "who draws third", "zh": "第三个抓牌的玩家"},
    {"en": "who draws fourth", "zh": "第四个抓牌的玩家"},
)


def flip(case: Case) -> Verdict:
    profile, kitty, first = case.profile, case.cards("kitty"), bool(case.get("first"))
    reader = case.reader()
    level = reader.level("level", profile, required=True)
    reader.findings += check_flip(profile, kitty, first_hand=first, field="kitty")
    reader.refuse_if_any()
    assert level is not None
    said = judge_flip(profile, level, kitty, first_hand=first, field="kitty")
    if said.redeal:
        headline = say("The hand is dealt again; nothing is turned.", "重新发牌，不翻底。")
        lines = reasons(case, said.because, ())
        return Verdict(case.kind, BAD, headline, (), lines, row=marked(kitty, ()), answer=said)
    assert said.trump is not None
    suit = CATEGORIES.get(said.trump)
    headline = (
        say("No-trump.", "打无主。")
        if suit is None
        else say(f"{suit['en'].capitalize()} are trumps.", f"主牌为{suit['zh']}。")
    )
    then = []
    if said.dealer_place is not None:
        place = _DRAWERS[said.dealer_place]
        then.append(say(f"The dealer is {place['en']}.", f"由{place['zh']}坐庄。"))
    turned = said.turned
    card = wording.cards_named(kitty[turned - 1 : turned])
    told = [
        (
            say(f"Card {turned} turned, {card['en']}, settles it.", f"翻到第 {turned} 张 {card['zh']} 为止。"),
            "flip.trump",
        )
    ]
    row = tuple((str(one), DECIDING if i == turned else DIM if i > turned else "") for i, one in enumerate(kitty, 1))
    return Verdict(case.kind, PLAIN, headline, tuple(then), reasons(case, said.because, told), row=row, answer=said)
