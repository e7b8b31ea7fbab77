"""A record up to the first lead: the cards there are, the auction, and who holds what when play begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from scoring import wording
from scoring.cards.auction import begin, play_out
from scoring.cards.auction_state import Act, Auction, Deal
from scoring.cards.deck import unseen
from scoring.cards.duplicate import clause_id
from scoring.cards.records import ActRecord, Seen, TextPosition, problem
from scoring.cards.replay_notes import Hands, Notes, counted, seen_cards
from scoring.hands.findings import Refused
from scoring.values import FLAG, LEVELS, Card, Level, Player, Seat, Side, Trump, seat_of


def level_of(notes: Notes) -> Level:
    """The level played. Refused `level_missing` or `level_not_here`."""
    rank = notes.record.tags.get("level")
    place = notes.record.place
    if rank is None:
        raise Refused([problem("level_missing", place, "The level is not recorded.", "没有记录级别。")])
    if rank not in LEVELS or Level(rank) not in notes.profile.ladder:
        en, zh = f"{rank[:10]} is no level of these rules.", f"{rank[:10]} 不是本规则的级别。"
        raise Refused([notes.problem("level_not_here", place, en, zh, "ladder")])
    return Level(rank)


def check_players(notes: Notes) -> None:
    """Refused `not_at_the_table` where the record names somebody who does not sit at a table of these rules."""
    record, here = notes.record, notes.profile.seats
    named = {*record.deal, *(act.by for act in record.acts)}
    named |= {play.seat for trick in record.tricks for play in trick.plays}
    strangers = sorted(player.value for player in named if player is not None and player not in here)
    if strangers:
        en, zh = f"Nobody sits at {strangers[0]} by these rules.", f"本规则没有 {strangers[0]} 这一家。"
        raise Refused([notes.problem("not_at_the_table", record.place, en, zh, "deal")])


def check_deal(notes: Notes, level: Level | None) -> None:
    """Hands and kitty as dealt: their sizes, and no card more often than the decks have it."""
    hand_size, kitty_size = notes.profile.deal_at(level)
    place = notes.record.place
    for seat, cards in notes.record.deal.items():
        if len(cards) != hand_size:
            name = wording.PLAYERS[seat]
            en = f"{name['en']} has {len(cards)} cards, {hand_size} are dealt."
            zh = f"{name['zh']}有 {len(cards)} 张牌，应发 {hand_size} 张。"
            notes.add("hand_size", place, en, zh, "deal")
    kitty = notes.record.kitty
    if kitty is not None and len(kitty) != kitty_size:
        en = f"The kitty has {len(kitty)} cards, {kitty_size} are left."
        notes.add("kitty_size", place, en, f"底牌有 {len(kitty)} 张，应留 {kitty_size} 张。", "deal")
    dealt = [*notes.record.deal.values(), kitty or ()]
    _check_often(notes, [(place, cards) for cards in dealt])


def check_shown(notes: Notes) -> None:
    """Who declares, reinforces or counters holds the cards that are shown, as far as the own hand is on record.

    Who has buried before may show cards of the kitty too; who adds to what was shown holds all of it.
    """
    more: dict[Player, Counter[Card] | None] = {}
    shown: dict[Player, Counter[Card]] = {}
    kitty = counted(notes.record.kitty)
    for act in notes.record.acts:
        if act.by is None:
            continue
        if act.act == "bury":
            more[act.by] = kitty
            kitty = counted(act.cards) if act.cards else None
        cards = counted(act.cards)
        if act.act not in ("declare", "reinforce", "counter") or cards is None:
            continue
        cards = cards + shown.get(act.by, Counter()) if act.act == "reinforce" else cards
        shown[act.by] = cards
        dealt, added = counted(notes.record.deal.get(act.by)), more.get(act.by, Counter())
        lacking = Counter() if dealt is None or added is None else cards - (dealt + added)
        if lacking:
            notes.not_held(act.place, act.by, lacking, "counter.what" if act.act == "counter" else "declare")


def check_all_cards(notes: Notes) -> None:
    """No card is played or buried more often than the decks have it."""
    burials = [(act.place, act.cards) for act in notes.record.acts if act.act == "bury"][-1:]
    plays = [(play.place, play.laid) for trick in notes.record.tricks for play in trick.plays]
    _check_often(notes, [*burials, *plays])


def _check_often(notes: Notes, groups: Sequence[tuple[TextPosition, Sequence[Seen]]]) -> None:
    decks = notes.profile.decks
    every = Counter(chain.from_iterable([cards for _, cards in groups]))
    del every[None]
    if max(every.values(), default=0) <= decks:
        return
    seen: Counter[Card] = Counter()
    for place, cards in groups:
        for card in cards:
            if card is None:
                continue
            seen[card] += 1
            if seen[card] == decks + 1:
                named = wording.cards_named([card])
                en, zh = f"{named['en']} is there more than {decks} times.", f"{named['zh']}多于 {decks} 张。"
                notes.add("card_too_often", place, en, zh, "deal")


def auction_of(notes: Notes, level: Level) -> Auction:
    """The auction as recorded; tags say what its acts do not."""
    tags = notes.record.tags
    dealer = Seat(tags["dealer"]) if "dealer" in tags else None
    first = dealer is None or tags.get("hand") == "1"
    drawer = Seat(tags["first_drawer"]) if "first_drawer" in tags else None
    in_turn = notes.profile.declare_order == "partner_first" and dealer is not None
    fixed = Trump(tags["fixed_trump"]) if "fixed_trump" in tags else None
    declared = any(act.act in ("declare", "flip") for act in notes.record.acts)
    contested = first and not in_turn and fixed is None and declared
    deal = Deal(
        profile=notes.profile,
        level=level,
        dealer=None if contested else dealer,
        first_hand=first,
        first_drawer=drawer,
        attackers_level=_attackers_level(notes, dealer),
        # a record that writes passes writes them all, so that the order can be judged
        in_order=in_turn and any(act.act == "pass" for act in notes.record.acts),
        fixed_trump=fixed,
    )
    known, acts = [], []
    for act in notes.record.acts:
        made = _act(act)
        if made is not None:
            known.append(act)
            acts.append(made)
    state, refused = play_out(begin(deal), acts)
    for number, found in refused:
        notes.pass_on(found, known[number].place)
    if state.dealer is None and dealer is not None:
        state = replace(state, dealer=dealer)
    elif contested and dealer is not None and state.dealer is not dealer:
        en, zh = (
            f"By the auction {state.dealer} deals, not {dealer}.",
            f"按亮反，应由 {state.dealer} 坐庄，不是 {dealer}。",
        )
        notes.add("dealer_differs", notes.record.place, en, zh, "first_deal")
    said = Trump(tags["trump"]) if "trump" in tags else None
    if state.trump is None and said is not None:
        state = replace(state, trump=said)
    elif said is not None and state.trump is not said and fixed is not None:
        en, zh = f"The trumps are set: {state.trump}, not {said}.", f"将牌花色已定为 {state.trump}，不是 {said}。"
        notes.findings.append(problem("trump_differs", notes.record.place, en, zh, clause=clause_id("prescribed")))
    elif said is not None and state.trump is not said:
        en = f"By the auction the trumps are {state.trump}, not {said}."
        zh = f"按亮反，主是 {state.trump}，不是 {said}。"
        notes.add("trump_differs", notes.record.place, en, zh, "declare")
    if state.trump is Trump.NT and not notes.profile.no_trump_allowed and state.level != FLAG:
        en, zh = "These rules have no no-trump.", "本规则不打无主。"
        notes.add("no_trump_not_here", notes.record.place, en, zh, "no_trump")
    return state


def _attackers_level(notes: Notes, dealer: Seat | None) -> Level | None:
    side = Side.EW if dealer is None or dealer.side is Side.NS else Side.NS
    rank = notes.record.tags.get(f"{side.value.lower()}_level")
    return Level(rank) if rank in LEVELS else None


def hands_of(notes: Notes, dealer: Player | None, level: Level | None) -> tuple[Hands, tuple[Card, ...] | None]:
    """The hands when play begins and the cards that are buried then, as far as they are on record."""
    players = notes.profile.seats
    hands: Hands = {seat: counted(notes.record.deal.get(seat)) for seat in players}
    hand_size, kitty_size = notes.profile.deal_at(level)
    kitty = counted(notes.record.kitty)
    burials = [act for act in notes.record.acts if act.act == "bury" and act.by is not None]
    for act in burials:
        kitty = _bury(notes, act, hands, kitty)
    if kitty_size and not burials:
        kitty = None
        if dealer is not None:
            hands[dealer] = None
    for seat in players:
        laid = _played(notes, seat) if hands[seat] is None else None
        if laid is not None and laid.total() == hand_size:
            hands[seat] = laid
    whole = [hand for hand in hands.values() if hand is not None]
    if kitty is None and len(whole) == len(players) and all(hand.total() == hand_size for hand in whole):
        left = Counter(unseen(notes.profile, (card for hand in whole for card in hand.elements())))
        kitty = left if left.total() == kitty_size else None
    unknown = [seat for seat in players if hands[seat] is None]
    if unknown and notes.record.tricks:
        en = ", ".join(wording.PLAYERS[seat]["en"] for seat in unknown)
        zh = "、".join(wording.PLAYERS[seat]["zh"] for seat in unknown)
        notes.unknown.append(
            {
                "en": f"Cannot be judged without the hand of {en}: whether suit and shape were followed.",
                "zh": f"没有{zh}的手牌，无法判定是否照规定跟牌。",
            }
        )
    return hands, None if kitty is None else tuple(kitty.elements())


def _bury(notes: Notes, act: ActRecord, hands: Hands, kitty: Counter[Card] | None) -> Counter[Card] | None:
    """Take the kitty and bury; the kitty that lies now, None when it was not recorded."""
    assert act.by is not None
    hand, laid = hands[act.by], counted(act.cards) if act.cards else None
    if hand is not None and kitty is not None and laid is not None:
        hand = hand + kitty
        lacking = laid - hand
        if lacking:
            notes.not_held(act.place, act.by, lacking)
        hands[act.by] = hand - laid
    else:
        hands[act.by] = None
    return laid


def _played(notes: Notes, seat: Player) -> Counter[Card] | None:
    """All cards a player laid, None when one of them was not seen."""
    return counted(
        [card for trick in notes.record.tricks for play in trick.plays if play.seat is seat for card in play.laid]
    )


def _act(act: ActRecord) -> Act | None:
    """The act as the auction knows it; None where a card that decides was not seen. What was buried may stay unseen."""
    cards = seen_cards(act.cards)
    if cards is None and act.act != "bury":
        return None
    return Act(act.act, None if act.by is None else seat_of(act.by), cards or (), act.names)
