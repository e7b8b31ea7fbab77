"""What is worth a question in what stands: pure functions from what was played to flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from scoring.radar import words
from scoring.radar.rates import REVOKE_IN, Honest, binomial_tail, median
from scoring.radar.seen import BoardSeen, Flag, HandSeen, Kind, Place, Rate, RevokesSeen, TableSeen
from scoring.values import Text

#: A total is rare when so many of ten thousand hands, or fewer, come to it or pass it on its side.
RARE_HANDS = 10
#: The same of matches, for climbs and runs; and of results of boards.
RARE_MATCHES = 50
RARE_RESULTS = 50
#: Hands in a row that are looked at together.
TOGETHER = 3
#: No hand is dealt, played and written down faster than one card a second.
CARDS_A_SECOND = 1
#: A hand is very long from so many times the usual one on, and from so many seconds; beyond the last it was a pause.
LONG_TIMES, LONG_SECONDS, PAUSE_SECONDS = 4, 1500, 3600
#: A field needs so many other results.
FEWEST_OTHERS = 4
#: Revokes of one entrant that are worth a question.
REVOKES = 2
TEN_THOUSAND = 10_000


def table_flags(table: TableSeen, known: Honest) -> Iterator[Flag]:
    """All flags of one table, by hand."""
    for hand in table.hands:
        yield from _of_hand(table, hand, known)
    yield from _climb(table, known)
    yield from _copies(table, known)
    yield from _fast(table, known)
    yield from _slow(table, known)


def board_flags(board: BoardSeen, known: Honest) -> Iterator[Flag]:
    """The results of a board that are far from those of the other tables."""
    if len(board.results) <= FEWEST_OTHERS:
        return
    for at, (place, hand, version, took) in enumerate(board.results):
        usual = median([one[3] for other, one in enumerate(board.results) if other != at])
        # as the figures have it: of the 200 points of two decks
        apart = abs(took - usual) * 200 // board.points
        rate = Rate(known.fields.at_least(apart), known.fields.of, "results")
        if known.fields.of and _rare(rate, RARE_RESULTS):
            said = words.field(board.board, took, usual, len(board.results) - 1)
            yield _flag(Kind.FIELD, place, hand, f"v{version}", said, rate)


def revoke_flags(seen: RevokesSeen) -> Iterator[Flag]:
    """Several revokes of one entrant."""
    times = len(seen.where)
    if times >= REVOKES:
        chance = binomial_tail(max(seen.hands, times), times, REVOKE_IN)
        place, hand = seen.where[-1]
        said = words.revokes(seen.entrant, times, seen.hands)
        rate = Rate(round(TEN_THOUSAND * chance), TEN_THOUSAND, "entrants")
        yield Flag(Kind.REVOKES, f"revokes.e{seen.entrant}.n{times}", place, hand, said, words.ASK[Kind.REVOKES], rate)


def _of_hand(table: TableSeen, hand: HandSeen, known: Honest) -> Iterator[Flag]:
    version, place = f"v{hand.version}", table.place
    if hand.figure is not None and known.figures.of:
        below, above = known.figures.at_most(hand.figure), known.figures.at_least(hand.figure)
        rate = Rate(min(below, above), known.figures.of, "hands")
        if _rare(rate, RARE_HANDS):
            yield _flag(Kind.TOTAL, place, hand.number, version, words.total(hand, high=above <= below), rate)
    if hand.not_due:
        yield _flag(Kind.DUE, place, hand.number, version, words.joined(hand.number, hand.not_due), None)
    if hand.differs:
        yield _flag(Kind.CARDS, place, hand.number, version, words.joined(hand.number, hand.differs), None)
    if hand.owed is not None:
        yield _flag(Kind.RETURN, place, hand.number, version, words.joined(hand.number, [hand.owed]), known.returns)


def _climb(table: TableSeen, known: Honest) -> Iterator[Flag]:
    """The most that one party gained in hands that follow each other."""
    found = best_climb(table.hands)
    if found is None or not known.climbs.of:
        return
    gained, party, hands = found
    rate = Rate(known.climbs.at_least(gained), known.climbs.of, "matches")
    if _rare(rate, RARE_MATCHES):
        said = words.climb(hands, table.names.get(party), party, gained)
        yield _flag(Kind.CLIMB, table.place, hands[-1].number, _versions(hands), said, rate)


def best_climb(hands: Sequence[HandSeen]) -> tuple[int, str, Sequence[HandSeen]] | None:
    """What one party gained at most in so many hands in a row, who, and in which."""
    best: tuple[int, str, Sequence[HandSeen]] | None = None
    for last in range(len(hands)):
        few = hands[max(0, last - TOGETHER + 1) : last + 1]
        for party in sorted({party for hand in few for party in hand.gains}):
            gained = sum(hand.gains.get(party, 0) for hand in few)
            if best is None or gained > best[0]:
                best = gained, party, few
    return best


def runs(hands: Sequence[HandSeen]) -> Iterator[Sequence[HandSeen]]:
    """Hands that follow each other and were written down alike, each run as long as it is."""
    first = 0
    for at in range(1, len(hands) + 1):
        if at == len(hands) or not hands[at].parts or hands[at].parts != hands[first].parts:
            yield hands[first:at]
            first = at


def _copies(table: TableSeen, known: Honest) -> Iterator[Flag]:
    for run in runs(table.hands):
        if len(run) >= TOGETHER:
            rate = Rate(known.runs.at_least(len(run)), known.runs.of, "matches") if known.runs.of else None
            yield _flag(Kind.COPY, table.place, run[-1].number, _versions(run), words.copies(run), rate)


def _fast(table: TableSeen, known: Honest) -> Iterator[Flag]:
    """Three hands or more whose times of entry leave less than a second for a card; one late entry is not enough."""
    timed = [hand for hand in table.hands if hand.entered is not None]
    least, first = (TOGETHER - 1) * table.cards // CARDS_A_SECOND, 0
    while first + TOGETHER <= len(timed):
        last = first + TOGETHER - 1
        if _between(timed[first], timed[last]) >= least:
            first += 1
            continue
        while last + 1 < len(timed) and _between(timed[last - 1], timed[last + 1]) < least:
            last += 1
        few = timed[first : last + 1]
        said = words.fast(few, _between(few[0], few[-1]), table.cards)
        yield _flag(Kind.FAST, table.place, few[-1].number, _versions(few), said, known.flagged(Kind.FAST))
        first = last + 1


def _slow(table: TableSeen, known: Honest) -> Iterator[Flag]:
    if table.usual is None:
        return
    timed = [hand for hand in table.hands if hand.entered is not None]
    for before, hand in pairwise(timed):
        took = _between(before, hand)
        if max(LONG_SECONDS, LONG_TIMES * table.usual) <= took <= PAUSE_SECONDS:
            said = words.slow(hand, took, table.usual)
            yield _flag(Kind.SLOW, table.place, hand.number, f"v{hand.version}", said, known.flagged(Kind.SLOW))


def _between(one: HandSeen, other: HandSeen) -> int:
    assert one.entered is not None
    assert other.entered is not None
    return other.entered - one.entered


def _rare(rate: Rate, most: int) -> bool:
    return rate.times * TEN_THOUSAND <= most * rate.of


def _versions(hands: Sequence[HandSeen]) -> str:
    return f"h{hands[0].number}.v" + "-".join(str(hand.version) for hand in hands[-12:])


def _flag(kind: Kind, place: Place, hand: int, more: str, said: Text, rate: Rate | None) -> Flag:
    return Flag(kind, f"{kind}.{place.key}.h{hand}.{more}", place, hand, said, words.ASK[kind], rate)
