"""What is said of cards led and played: who wins a trick, a follow, a throw, how cards are read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from scoring import wording
from scoring.cards.parsing import unit_cards
from scoring.cards.plays import follow_set
from scoring.cards.tricks import LED, OVER_RUFFS, RUFFS, RUFFS_LOW, claim, claim_of_lead
from scoring.hands.findings import Refused
from scoring.values import Card, Role, Seat, Shape

from .cases import seats_named
from .verdicts import (
    BAD,
    CATEGORIES,
    DIM,
    OK,
    OPEN,
    PLAIN,
    OtherReading,
    Placed,
    Verdict,
    cards_named,
    marked,
    reasons,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoring.cards.parsing import Lead
    from scoring.values import Text

    from .cases import Case

#: Legal plays that are shown; the others are counted.
MOST_SHOWN: Final = 12


def _others(answer: Mapping[str, Any]) -> tuple[OtherReading, ...]:
    told = []
    for units in answer.get("other_readings", ()):
        shapes = map(_shape_of, units)
        codes = (f"{one.width}x{one.length}" if one.type == "tractor" else one.type for one in shapes)
        told.append(OtherReading(",".join(codes), _reading_named(units)))
    return tuple(told)


def _shape_of(unit: Mapping[str, Any]) -> Shape:
    return Shape.from_json({name: value for name, value in unit.items() if name != "cards"})


def _reading_named(units: Iterable[Mapping[str, Any]]) -> Text:
    return _parts_named(cards_named(unit["cards"]) for unit in units)


def _parts_named(cards: Iterable[Text]) -> Text:
    """The cards of each shape written together, the shapes apart: ♥9♥9 + ♥K."""
    named = list(cards)
    return {language: " + ".join(one[language].replace(" ", "") for one in named) for language in ("en", "zh")}


def _led_line(case: Case, lead: Lead) -> tuple[Text, str]:
    """How what was led is read: the first of the reasons."""
    named = wording.shapes_named(tuple(unit.shape for unit in lead.units))
    cards = _parts_named(wording.cards_named(lead.cards_of(unit)) for unit in lead.units)
    suit, who = CATEGORIES[lead.category.name], wording.SEATS[case.leader]
    text = say(
        f"{who['en']} leads {suit['en']}: {named['en']} ({cards['en']}).",
        f"{who['zh']}家领出{suit['zh']}：{named['zh']}（{cards['zh']}）。",
    )
    if lead.is_throw:
        return text, "throw.what"
    return text, "cards.tractor" if lead.units[0].length > 1 and lead.units[0].width > 1 else "cards.shapes"


# --- who wins the trick ---


def trick(case: Case, answer: dict[str, Any]) -> Verdict:
    winner = Seat(answer["winner"])
    lead = case.lead(case.leader.value)
    who, points, complete = wording.SEATS[winner], answer["points"], answer["complete"]
    headline = (
        say(f"{who['en']} wins the trick.", f"{who['zh']}家赢得这一圈。")
        if complete
        else say(f"{who['en']} is winning so far.", f"到此为止{who['zh']}家最大。")
    )
    then = [say(f"{points} points on the table.", f"这一圈 {points} 分。")]
    if complete and "attackers_gain" in answer:
        gain = answer["attackers_gain"]
        then = [say(f"The attackers gain {gain} points.", f"闲家得 {gain} 分。")]
        if not gain and points:
            then = [say(f"The dealer side wins {points} points.", f"庄家方赢得 {points} 分，闲家得 0 分。")]
    told = [_led_line(case, lead)]
    played = len(answer["plays"])
    late = [seat for seat in case.in_turn[played:] if case.get(seat.value)]
    if late:
        named, missing = seats_named(late), wording.SEATS[case.in_turn[played]]
        then.append(
            say(
                f"{named['en']} not counted yet: the cards of {missing['en']}, whose turn is before, are missing.",
                f"{named['zh']}家的牌尚未计入：还没有轮在前面的{missing['zh']}家的牌。",
            )
        )
    told += [(dict(play["sentence"]), _topic(play["part"], lead)) for play in answer["plays"] if play["part"] != LED]
    told += _compared_lines(case, lead, answer)
    return Verdict(
        case.kind,
        PLAIN,
        headline,
        tuple(then),
        reasons(case, answer, told),
        tuple(_trick_places(case, lead, answer)),
        winner=winner,
        unknown=case.in_turn[len(answer["plays"]) :],
        other_readings=_others(answer),
        answer=answer,
    )


def _compared_lines(case: Case, lead: Lead, answer: Mapping[str, Any]) -> Iterable[tuple[Text, str]]:
    """Which cards of the winning ruff were compared, where several ruffed a throw and its highest class decides."""
    ruffs = [play for play in answer["plays"] if play["part"] in (RUFFS, OVER_RUFFS, RUFFS_LOW)]
    if not lead.is_throw or len(ruffs) < 2 or case.profile.throw_compare != "highest_class":
        return
    best = next(play["cards"] for play in ruffs if play["seat"] == answer["winner"])
    compared = cards_named(_deciding(lead, tuple(map(Card.parse, best)), leads=False))
    yield (
        say(
            f"Compared is the highest class led: {compared['en']} are the largest; the other cards do not count.",
            f"只比领出牌型中最高的一种：{compared['zh']} 最大，其余的牌不比。",
        ),
        "trick.over_ruff",
    )


def _topic(part: str, lead: Lead) -> str:
    if part in (OVER_RUFFS, RUFFS_LOW) and lead.is_throw:
        return "trick.over_ruff"
    return "trick.ruff" if part in (RUFFS, OVER_RUFFS, RUFFS_LOW) else "trick.wins"


_PARTS: Final[Mapping[str, Text]] = {
    "led": {"en": "led", "zh": "领出"},
    "beats": {"en": "larger", "zh": "更大"},
    "follows": {"en": "not larger", "zh": "不大过"},
    "ruffs": {"en": "ruffs", "zh": "毙"},
    "over_ruffs": {"en": "over-ruffs", "zh": "盖毙"},
    "ruffs_too_low": {"en": "ruff too low", "zh": "毙不大"},
    "discards": {"en": "discard", "zh": "垫牌"},
}


def _trick_places(case: Case, lead: Lead, answer: Mapping[str, Any]) -> Iterable[Placed]:
    for number, play in enumerate(answer["plays"], 1):
        seat, codes = Seat(play["seat"]), play["cards"]
        wins = seat.value == answer["winner"]
        raised = _deciding(lead, tuple(map(Card.parse, codes)), leads=number == 1) if wins else ()
        yield Placed(seat, marked(codes, raised), number, _PARTS[play["part"]], winner=wins, final=answer["complete"])
    for number, seat in enumerate(case.in_turn[len(answer["plays"]) :], len(answer["plays"]) + 1):
        yield Placed(seat, (), number, say("has not played", "未出牌"))


def _deciding(lead: Lead, cards: tuple[Card, ...], *, leads: bool) -> tuple[str, ...]:
    """The cards of the winning play that are compared: those of its highest class."""
    made = claim_of_lead(lead) if leads else claim(lead, cards)
    if made is None or not made.units:
        return tuple(map(str, cards))
    return tuple(str(card) for card in unit_cards(made.category, made.units[0]))


# --- was the follow legal ---


def follow(case: Case, answer: dict[str, Any]) -> Verdict:
    lead = case.lead("lead")
    legal = answer["legal"]
    who = wording.SEATS[case.follower]
    headline = say("The play is legal.", "跟牌合法。") if legal else say("The play is not legal.", "跟牌不合法。")
    held = lead.category.of(lead.order.count(case.cards("hand")))
    suit = CATEGORIES[lead.category.name]
    told = [_led_line(case, lead)]
    told.append(
        (
            say(
                f"{who['en']} holds {sum(held)} {suit['en']} to {lead.size} led.",
                f"{who['zh']}手中有 {sum(held)} 张{suit['zh']}，领出 {lead.size} 张。",
            ),
            "follow.suit",
        )
    )
    topics = {"wrong_count": "follow.suit", "suit_held": "follow.suit", "shape_owed": "follow.order"}
    if not legal:
        told.append((dict(answer["sentence"]), topics[answer["code"]]))
    plays, in_all = _legal_plays(case, lead)
    witness = answer.get("witness") or (() if legal or not plays else plays[0])
    then: tuple[Text, ...] = ()
    if witness:
        cards = cards_named(witness)
        then = (say(f"Owed, for example: {cards['en']}.", f"例如应跟：{cards['zh']}。"),)
    played = case.texts("play")
    return Verdict(
        case.kind,
        OK if legal else BAD,
        headline,
        then,
        reasons(case, answer, told),
        (
            Placed(case.leader, marked(case.texts("lead"), ()), 1, _PARTS["led"]),
            Placed(
                case.follower,
                marked(played, (), "" if legal else DIM),
                case.in_turn.index(case.follower) + 1,
                say("legal", "合法") if legal else say("not legal", "不合法"),
            ),
        ),
        held=_hand_marked(lead, case.texts("hand"), witness, played),
        plays=plays,
        plays_in_all=in_all,
        other_readings=_others(answer),
        answer=answer,
    )


def _hand_marked(
    lead: Lead, hand: Sequence[str], witness: Iterable[str], played: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """The hand, the category led first: what was owed stands out, or what was played where that is legal."""
    order = lead.order
    ranked = sorted(
        hand,
        key=lambda code: (order.category(Card.parse(code)) is not lead.category, order.place[Card.parse(code)]),
    )
    return marked(ranked, witness or played)


def _legal_plays(case: Case, lead: Lead) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Some of the legal plays and how many there are."""
    try:
        plays = follow_set(lead, lead.order.count(case.cards("hand")))
    except Refused as refused:
        many = refused.findings[0].params["count"] if refused.code == "too_many_plays" else 0
        return (), int(many)
    return tuple(tuple(map(str, play)) for play in plays[:MOST_SHOWN]), len(plays)


# --- does the throw stand ---


def throw(case: Case, answer: dict[str, Any]) -> Verdict:
    lead = case.lead(case.leader.value)
    turn = case.in_turn
    unknown = tuple(seat for seat in turn[1:] if not case.get(seat.value)) if _matters(answer) else ()
    told = [_led_line(case, lead)]
    for failure in answer["failures"]:
        holds, part = cards_named(failure["holds"]), cards_named(failure["cards"])
        who = wording.SEATS[turn[1 + failure["by"]]]
        told.append(
            (
                say(
                    f"{who['en']} holds {holds['en']}, which beats {part['en']}.",
                    f"{who['zh']}家有 {holds['zh']}，大过 {part['zh']}。",
                ),
                "throw.stands",
            )
        )
    tone, headline, then = _throw_result(case, answer, unknown, lead)
    if answer["stands"] is False:
        told += _forced_lines(case, answer, lead)
    return Verdict(
        case.kind,
        tone,
        headline,
        tuple(then),
        reasons(case, answer, told),
        tuple(_throw_places(case, answer)),
        unknown=unknown,
        other_readings=_others(answer),
        answer=answer,
    )


def _matters(answer: Mapping[str, Any]) -> bool:
    """Whether hands that are not known could change the answer."""
    forced_known = "must_play" in answer or "options" in answer
    return answer["stands"] is None or (answer["stands"] is False and not forced_known)


def _throw_result(
    case: Case, answer: Mapping[str, Any], unknown: Sequence[Seat], lead: Lead
) -> tuple[str, Text, list[Text]]:
    suit, seats = CATEGORIES[lead.category.name], seats_named(unknown)
    thrower = wording.SEATS[case.leader]
    missing = say(
        f"Cannot be judged without the {suit['en']} of {seats['en']}.",
        f"不知道{seats['zh']}的{suit['zh']}，无法裁定。",
    )
    if answer["stands"] is None:
        return OPEN, missing, [say("Larger cards are still out.", "外面还有更大的牌。")]
    if answer["stands"]:
        return OK, say("The throw stands.", "甩牌成立。"), []
    then: list[Text] = []
    if "options" in answer:
        named = [cards_named(option) for option in answer["options"]]
        chooser = wording.SEATS[case.in_turn[1]]
        then.append(
            say(
                f"{chooser['en']} names what stays: {' or '.join(one['en'] for one in named)}.",
                f"由{chooser['zh']}家指定出 {' 或 '.join(one['zh'] for one in named)}。",
            )
        )
    elif "must_play" in answer:
        must, back = cards_named(answer["must_play"]), lead.size - len(answer["must_play"])
        then.append(
            say(
                f"{thrower['en']} must play {must['en']} and takes back {back}.",
                f"{thrower['zh']}必须出 {must['zh']}，其余 {back} 张收回。",
            )
        )
    else:
        then.append(missing)
    if "fine" in answer:
        then.append(_fine(answer["fine"], lead.size))
    return BAD, say("The throw fails.", "甩牌不成立。"), then


def _fine(fine: int, cards: int) -> Text:
    if not fine:
        return say("No fine.", "不罚分。")
    signed = f"+{fine}" if fine > 0 else f"{wording.MINUS}{-fine}"
    return say(f"Fine for {cards} cards: attackers {signed}.", f"甩 {cards} 张罚分：闲家 {signed}。")


def _forced_lines(case: Case, answer: Mapping[str, Any], lead: Lead) -> Iterable[tuple[Text, str]]:
    if "must_play" in answer:
        must = cards_named(answer["must_play"])
        yield say(f"Forced: {must['en']}.", f"强制出小：{must['zh']}。"), "throw.forced"
        if "equals" in answer:
            same = [cards_named(one) for one in answer["equals"]]
            yield (
                say(
                    f"{' and '.join(one['en'] for one in same)} would be as low: the thrower chooses, and the record "
                    "says which stayed.",
                    f"{'、'.join(one['zh'] for one in same)} 同样大小，由甩牌者选定，并须记明留下的是哪些牌。",
                ),
                "throw.forced",
            )
    elif "options" in answer:
        yield say("Several classes failed.", "不止一种牌型不成立。"), "throw.forced"
    if "fine" not in answer and case.profile.throw_fine:
        yield say("Say who deals, to see whom the fine is for.", "请选庄家，以判定罚分归哪一方。"), "throw_fine"
    elif answer.get("fine"):
        dealer = case.role_of(case.leader) is Role.DEALER
        fine, cards = abs(answer["fine"]), lead.size
        who = wording.SEATS[case.leader]
        en = f"{who['en']} is of the {'dealer side' if dealer else 'attackers'}: {fine} points for {cards} cards thrown"
        zh = f"{who['zh']}是{'庄家方' if dealer else '闲家'}，甩出的 {cards} 张都算，共 {fine} 分"
        yield (
            say(f"{en}, {'to' if dealer else 'from'} the attackers.", f"{zh}，{'加给' if dealer else '扣自'}闲家。"),
            "throw_fine",
        )
    yield (
        say("The cards of the attempt have been seen by everybody.", "甩出过的牌四家都已看到，算公开的牌。"),
        "",
    )


def _throw_places(case: Case, answer: Mapping[str, Any]) -> Iterable[Placed]:
    turn = case.in_turn
    stays = [code for option in answer.get("options", ()) for code in option] or list(answer.get("must_play") or ())
    failed = answer["stands"] is False
    thrown = marked(case.texts(turn[0].value), stays, DIM if failed and stays else "")
    note = say(f"threw {len(thrown)}", f"甩 {len(thrown)} 张")
    yield Placed(turn[0], thrown, 1, note)
    for i, seat in enumerate(turn[1:]):
        beating = [failure for failure in answer["failures"] if failure["by"] == i]
        if not case.get(seat.value):
            yield Placed(seat, (("?", ""),), i + 2, say("not known", "未知"))
            continue
        if case.holds_none(seat.value):
            yield Placed(seat, (), i + 2, say("none held", "缺门"))
            continue
        raised: Counter[str] = Counter()
        for failure in beating:
            raised |= Counter(failure["holds"])
        note = say("nothing larger", "没有更大的")
        if beating:
            named = [_told_apart(one["holds"], one["cards"]) for one in beating]
            note = say(
                "; ".join(f"{high['en']} beats {low['en']}" for high, low in named),
                "；".join(f"{high['zh']} 大过 {low['zh']}" for high, low in named),
            )
        yield Placed(seat, marked(case.texts(seat.value), raised.elements()), i + 2, note)


def _ranks(codes: Iterable[str]) -> Text:
    """Cards of one category in short, where they are drawn beside: 99, big joker."""
    cards = [Card.parse(code) for code in codes]
    named = [wording.cards_named([card]) if card.is_joker else say(card.rank, card.rank) for card in cards]
    blank = " " if any(card.is_joker for card in cards) else ""
    return say(blank.join(one["en"] for one in named), "".join(one["zh"] for one in named))


def _told_apart(holds: Sequence[str], cards: Sequence[str]) -> tuple[Text, Text]:
    """Two sets of cards in short; with their suits where the ranks alone are the same: main and side level cards."""
    named = _ranks(holds), _ranks(cards)
    return named if named[0] != named[1] else (cards_named(holds), cards_named(cards))


# --- how cards are read ---


def shapes(case: Case, answer: dict[str, Any]) -> Verdict:
    best = answer["best"]
    units = tuple((wording.shape_name(_shape_of(unit)), tuple(unit["cards"])) for unit in best)
    named = wording.shapes_named([*map(_shape_of, best)])
    others = [units for units in answer["all"] if units != best]
    thrown = say(" Led together they are a throw.", "一起领出即为甩牌。") if len(best) > 1 else say("", "")
    told = [(say(f"Read as {_reading_named(best)['en']}.", f"读作 {_reading_named(best)['zh']}。"), "cards.tractor")]
    told += [
        (say(f"Or as {one['en']}.", f"也可读作 {one['zh']}。"), "cards.reading") for one in map(_reading_named, others)
    ]
    return Verdict(
        case.kind,
        PLAIN,
        say(f"{named['en'][:1].upper()}{named['en'][1:]}.{thrown['en']}", f"{named['zh']}。{thrown['zh']}"),
        (),
        reasons(case, answer, told[: 1 + MOST_SHOWN]),
        units=units,
        answer=answer,
    )
