"""The verdict on a position of the adjudicator, in words of both languages: `verdict_of(kind, profile, params)`.

The kernel judges, by the question of the batch protocol that the position puts; here its answer becomes a headline,
numbered reasons each with its clause, and the cards around the table. Both languages, because a ruling keeps both.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from referee.parts.cases import COUNTER, FLIP, FOLLOW, OPS, SHAPES, THROW, TRICK, Case, seats_named
from scoring import wording
from scoring.cards.order import order_of
from scoring.cards.parsing import read_lead, unit_cards
from scoring.cards.plays import MOST_PLAYS
from scoring.cards.tricks import LED, OVER_RUFFS, RUFFS, RUFFS_LOW, claim, claim_of_lead
from scoring.findings import Finding, Refused, finding
from scoring.profiles import load, profile_ids
from scoring.questions import OPS as QUESTIONS
from scoring.values import RANKS, Card, Role, Seat, Shape, Trump

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scoring.cards.parsing import Lead
    from scoring.profiles import Clause, Profile
    from scoring.values import Text

#: How a verdict looks: it stands, it does not, it cannot be judged, it only states who won or what is.
OK, BAD, OPEN, PLAIN = "ok", "bad", "open", "plain"
DECIDING, DIM = "deciding", "dim"
#: Legal plays that are shown; the others are counted.
MOST_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """One reason: what it says about these cards, and the clause it rests on."""

    text: Text
    clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """One player's cards in the drawing: `cards` with their state; `number` is the place in the order of play.

    `final` is False of a `winner` whom a play still to come may beat.
    """

    seat: Seat
    cards: tuple[tuple[str, str], ...]
    number: int
    note: Text
    winner: bool = False
    final: bool = True


@dataclass(frozen=True, slots=True)
class OtherReading:
    """Another way to read what was led: its codes for the link, and its name."""

    codes: str
    name: Text


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said about a position.

    `tone` and `headline` come first, `then` is what follows from it (points, fine). `answer` is the kernel's own
    answer. Where nothing could be judged `findings` say why, field by field of the form; `needs` are fields that are
    still empty, `unknown` players whose hands would decide.
    """

    kind: str
    tone: str
    headline: Text
    then: tuple[Text, ...] = ()
    lines: tuple[Reading, ...] = ()
    placed: tuple[Placed, ...] = ()
    held: tuple[tuple[str, str], ...] = ()
    row: tuple[tuple[str, str], ...] = ()
    units: tuple[tuple[Text, tuple[str, ...]], ...] = ()
    plays: tuple[tuple[str, ...], ...] = ()
    plays_in_all: int = 0
    winner: Seat | None = None
    unknown: tuple[Seat, ...] = ()
    other_readings: tuple[OtherReading, ...] = ()
    answer: Mapping[str, Any] | None = None
    findings: tuple[Finding, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def is_judged(self) -> bool:
        return self.answer is not None

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses the verdict rests on, each once, the deciding one first."""
        return tuple({line.clause.id: line.clause for line in self.lines if line.clause is not None}.values())

    @property
    def text(self) -> Text:
        """Headline and what follows, as a ruling keeps it."""
        parts = (self.headline, *self.then)
        return {"en": " ".join(part["en"] for part in parts), "zh": "".join(part["zh"] for part in parts)}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The same position by other rules; `same`: the headline and what follows do not differ."""

    profile: Profile
    verdict: Verdict
    same: bool


def verdict_of(kind: str, profile: Profile, params: Mapping[str, Any]) -> Verdict:
    """The verdict on a position: `kind` is one of `cases.KINDS`, `params` the query of its link (a QueryDict will do).

    Never raises for what somebody typed: what cannot be judged is a verdict with `findings` or `needs`.
    """
    return judge(Case.of(kind, profile, params))


def judge(case: Case) -> Verdict:
    found = case.unread()
    if found:
        return _refused(case, found)
    if case.kind == COUNTER and not case.needs and not _is_declaration(case):
        shown = finding("declare_cards", "declared", profile=case.profile, topic="declare", level=case.get("level"))
        return _refused(case, [shown])
    if case.needs:
        return Verdict(case.kind, OPEN, _say("Enter the cards.", "请输入牌。"), needs=case.needs)
    try:
        answer = QUESTIONS[OPS[case.kind]].run(case.profile, case.question())
        return _TELL[case.kind](case, answer)
    except Refused as refused:
        return _refused(case, [replace(one, field=case.field_of(one.field)) for one in refused.findings])


def by_other_rules(case: Case, here: Verdict) -> list[Elsewhere]:
    """The position under every other profile with as many decks, those that say something else first."""
    told = []
    for name in profile_ids():
        other = load(name)
        if other.decks == case.profile.decks and (name != case.profile.id or case.profile.changed):
            verdict = judge(replace(case, profile=other))
            told.append(Elsewhere(other, verdict, same=verdict.text == here.text))
    return sorted(told, key=lambda one: one.same)


def _say(en: str, zh: str) -> Text:
    return {"en": en, "zh": zh}


def _refused(case: Case, findings: Iterable[Finding]) -> Verdict:
    headline = _say("This cannot be judged as it stands.", "现在还不能裁定。")
    return Verdict(case.kind, OPEN, headline, findings=tuple(findings))


def _reasons(case: Case, answer: Mapping[str, Any], told: Iterable[tuple[Text, str]]) -> tuple[Reading, ...]:
    """Sentences with the clauses of their topics; then the clauses the kernel cites beside them, in its words."""
    profile = case.profile
    lines = [Reading(text, profile.topics.get(topic)) for text, topic in told]
    used = {line.clause.id for line in lines if line.clause is not None}
    for reason in answer["because"]:
        clause = profile.clauses[reason["clause"]]
        if clause.id not in used:
            used.add(clause.id)
            lines.append(Reading(clause.text, clause))
    return tuple(lines)


def _seat(seat: Seat) -> Text:
    return wording.SEATS[seat]


def _named(codes: Iterable[str]) -> Text:
    return wording.cards_named(Card.parse(code) for code in codes)


_CATEGORIES: Final[Mapping[str, Text]] = {
    "S": {"en": "spades", "zh": "黑桃"},
    "H": {"en": "hearts", "zh": "红桃"},
    "C": {"en": "clubs", "zh": "梅花"},
    "D": {"en": "diamonds", "zh": "方块"},
    "T": {"en": "trumps", "zh": "主牌"},
}


def _lead_of(case: Case, cards: Sequence[Card], shapes: Sequence[Any] | None) -> Lead:
    declared = tuple(Shape.from_json(shape) for shape in shapes) if shapes else None
    level = next(level for level in case.profile.ladder.levels if level.rank == case.get("level"))
    return read_lead(order_of(case.profile, Trump(case.get("trump")), level), cards, declared)


def _others(answer: Mapping[str, Any]) -> tuple[OtherReading, ...]:
    told = []
    for units in answer.get("other_readings", ()):
        shapes = [Shape.from_json({name: unit[name] for name in unit if name != "cards"}) for unit in units]
        codes = (f"{one.width}x{one.length}" if one.type == "tractor" else one.type for one in shapes)
        told.append(OtherReading(",".join(codes), _reading_named(units)))
    return tuple(told)


def _reading_named(units: Iterable[Mapping[str, Any]]) -> Text:
    named = [_named(unit["cards"]) for unit in units]
    return {language: " + ".join(one[language].replace(" ", "") for one in named) for language in ("en", "zh")}


def _units_named(lead: Lead) -> Text:
    named = [wording.cards_named(lead.cards_of(unit)) for unit in lead.units]
    return {language: " + ".join(one[language].replace(" ", "") for one in named) for language in ("en", "zh")}


def _led_line(case: Case, lead: Lead) -> tuple[Text, str]:
    """How what was led is read: the first of the reasons."""
    shapes, cards = wording.shapes_named(tuple(unit.shape for unit in lead.units)), _units_named(lead)
    suit, who = _CATEGORIES[lead.category.name], _seat(case.leader)
    text = _say(
        f"{who['en']} leads {suit['en']}: {shapes['en']} ({cards['en']}).",
        f"{who['zh']}家领出{suit['zh']}：{shapes['zh']}（{cards['zh']}）。",
    )
    if lead.is_throw:
        return text, "throw.what"
    return text, "cards.tractor" if lead.units[0].length > 1 and lead.units[0].width > 1 else "cards.shapes"


# --- who wins the trick ---


def _trick(case: Case, answer: dict[str, Any]) -> Verdict:
    winner = Seat(answer["winner"])
    lead = _lead_of(case, case.cards(case.leader.value), case.question().get("lead_shapes"))
    who, points, complete = _seat(winner), answer["points"], answer["complete"]
    headline = (
        _say(f"{who['en']} wins the trick.", f"{who['zh']}家赢得这一圈。")
        if complete
        else _say(f"{who['en']} is winning so far.", f"到此为止{who['zh']}家最大。")
    )
    then = [_say(f"{points} points on the table.", f"这一圈 {points} 分。")]
    if complete and "attackers_gain" in answer:
        gain = answer["attackers_gain"]
        then = [_say(f"The attackers gain {gain} points.", f"闲家得 {gain} 分。")]
        if not gain and points:
            then = [_say(f"The dealer side wins {points} points.", f"庄家方赢得 {points} 分，闲家得 0 分。")]
    told = [_led_line(case, lead)]
    played = len(answer["plays"])
    late = [seat for seat in case.in_turn[played:] if case.get(seat.value)]
    if late:
        named, missing = seats_named(late), _seat(case.in_turn[played])
        then.append(
            _say(
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
        _reasons(case, answer, told),
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
    compared = _named(_deciding(lead, tuple(map(Card.parse, best)), leads=False))
    yield (
        _say(
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
        yield Placed(seat, _marked(codes, raised), number, _PARTS[play["part"]], winner=wins, final=answer["complete"])
    for number, seat in enumerate(case.in_turn[len(answer["plays"]) :], len(answer["plays"]) + 1):
        yield Placed(seat, (), number, _say("has not played", "未出牌"))


def _deciding(lead: Lead, cards: tuple[Card, ...], *, leads: bool) -> tuple[str, ...]:
    """The cards of the winning play that are compared: those of its highest class."""
    made = claim_of_lead(lead) if leads else claim(lead, cards)
    if made is None or not made.units:
        return tuple(map(str, cards))
    return tuple(str(card) for card in unit_cards(made.category, made.units[0]))


def _marked(codes: Iterable[str], raised: Iterable[str], rest: str = "") -> tuple[tuple[str, str], ...]:
    """Cards with their states: as many of each face as in `raised` decide, the others are `rest`."""
    left = Counter(raised)
    marked = []
    for code in codes:
        left[code] -= 1
        marked.append((code, DECIDING if left[code] >= 0 else rest))
    return tuple(marked)


# --- was the follow legal ---


def _follow(case: Case, answer: dict[str, Any]) -> Verdict:
    lead = _lead_of(case, case.cards("lead"), case.question().get("lead_shapes"))
    legal = answer["legal"]
    who = _seat(case.follower)
    headline = _say("The play is legal.", "跟牌合法。") if legal else _say("The play is not legal.", "跟牌不合法。")
    held = lead.category.of(lead.order.count(case.cards("hand")))
    suit = _CATEGORIES[lead.category.name]
    told = [_led_line(case, lead)]
    told.append(
        (
            _say(
                f"{who['en']} holds {sum(held)} {suit['en']} to {lead.size} led.",
                f"{who['zh']}手中有 {sum(held)} 张{suit['zh']}，领出 {lead.size} 张。",
            ),
            "follow.suit",
        )
    )
    topics = {"wrong_count": "follow.suit", "suit_held": "follow.suit", "shape_owed": "follow.order"}
    if not legal:
        told.append((dict(answer["sentence"]), topics[answer["code"]]))
    plays, in_all = _legal_plays(case)
    witness = answer.get("witness") or (() if legal or not plays else plays[0])
    then: tuple[Text, ...] = ()
    if witness:
        cards = _named(witness)
        then = (_say(f"Owed, for example: {cards['en']}.", f"例如应跟：{cards['zh']}。"),)
    played = _texts(case, "play")
    return Verdict(
        case.kind,
        OK if legal else BAD,
        headline,
        then,
        _reasons(case, answer, told),
        (
            Placed(case.leader, _marked(_texts(case, "lead"), ()), 1, _PARTS["led"]),
            Placed(
                case.follower,
                _marked(played, (), "" if legal else DIM),
                case.in_turn.index(case.follower) + 1,
                _say("legal", "合法") if legal else _say("not legal", "不合法"),
            ),
        ),
        held=_hand_marked(lead, _texts(case, "hand"), witness, played),
        plays=plays,
        plays_in_all=in_all,
        other_readings=_others(answer),
        answer=answer,
    )


def _ranks(codes: Iterable[str]) -> Text:
    """Cards of one category in short, where they are drawn beside: 99, big joker."""
    cards = [Card.parse(code) for code in codes]
    named = [wording.cards_named([card]) if card.is_joker else _say(card.rank, card.rank) for card in cards]
    blank = " " if any(card.is_joker for card in cards) else ""
    return _say(blank.join(one["en"] for one in named), "".join(one["zh"] for one in named))


def _told_apart(holds: Sequence[str], cards: Sequence[str]) -> tuple[Text, Text]:
    """Two sets of cards in short; with their suits where the ranks alone are the same: main and side level cards."""
    named = _ranks(holds), _ranks(cards)
    return named if named[0] != named[1] else (_named(holds), _named(cards))


def _texts(case: Case, name: str) -> list[str]:
    return [str(card) for card in case.cards(name)]


def _hand_marked(
    lead: Lead, hand: Sequence[str], witness: Iterable[str], played: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """The hand, the category led first: what was owed stands out, or what was played where that is legal."""
    order = lead.order
    ranked = sorted(
        hand,
        key=lambda code: (order.category(Card.parse(code)) is not lead.category, order.place[Card.parse(code)]),
    )
    return _marked(ranked, witness or played)


def _legal_plays(case: Case) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Some of the legal plays and how many there are."""
    asked = {name: value for name, value in case.question().items() if name != "play"}
    try:
        plays = QUESTIONS["follow_set"].run(case.profile, asked)["plays"]
    except Refused as refused:
        many = refused.findings[0].params.get("count", MOST_PLAYS + 1) if refused.code == "too_many_plays" else 0
        return (), int(many)
    return tuple(map(tuple, plays[:MOST_SHOWN])), len(plays)


# --- does the throw stand ---


def _throw(case: Case, answer: dict[str, Any]) -> Verdict:
    lead = _lead_of(case, case.cards(case.leader.value), case.question().get("thrown_shapes"))
    turn = case.in_turn
    unknown = tuple(seat for seat in turn[1:] if not case.get(seat.value)) if _matters(answer) else ()
    told = [_led_line(case, lead)]
    for failure in answer["failures"]:
        holds, part = _named(failure["holds"]), _named(failure["cards"])
        who = _seat(turn[1 + failure["by"]])
        told.append(
            (
                _say(
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
        _reasons(case, answer, told),
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
    suit, seats = _CATEGORIES[lead.category.name], seats_named(unknown)
    thrower = _seat(case.leader)
    missing = _say(
        f"Cannot be judged without the {suit['en']} of {seats['en']}.",
        f"不知道{seats['zh']}的{suit['zh']}，无法裁定。",
    )
    if answer["stands"] is None:
        return OPEN, missing, [_say("Larger cards are still out.", "外面还有更大的牌。")]
    if answer["stands"]:
        return OK, _say("The throw stands.", "甩牌成立。"), []
    then: list[Text] = []
    if "options" in answer:
        named = [_named(option) for option in answer["options"]]
        chooser = _seat(case.in_turn[1])
        then.append(
            _say(
                f"{chooser['en']} names what stays: {' or '.join(one['en'] for one in named)}.",
                f"由{chooser['zh']}家指定出 {' 或 '.join(one['zh'] for one in named)}。",
            )
        )
    elif "must_play" in answer:
        must, back = _named(answer["must_play"]), lead.size - len(answer["must_play"])
        then.append(
            _say(
                f"{thrower['en']} must play {must['en']} and takes back {back}.",
                f"{thrower['zh']}必须出 {must['zh']}，其余 {back} 张收回。",
            )
        )
    else:
        then.append(missing)
    if "fine" in answer:
        then.append(_fine(answer["fine"], lead.size))
    return BAD, _say("The throw fails.", "甩牌不成立。"), then


def _fine(fine: int, cards: int) -> Text:
    if not fine:
        return _say("No fine.", "不罚分。")
    signed = f"+{fine}" if fine > 0 else f"{wording.MINUS}{-fine}"
    return _say(f"Fine for {cards} cards: attackers {signed}.", f"甩 {cards} 张罚分：闲家 {signed}。")


def _forced_lines(case: Case, answer: Mapping[str, Any], lead: Lead) -> Iterable[tuple[Text, str]]:
    if "must_play" in answer:
        must = _named(answer["must_play"])
        yield _say(f"Forced: {must['en']}.", f"强制出小：{must['zh']}。"), "throw.forced"
        if "equals" in answer:
            same = [_named(one) for one in answer["equals"]]
            yield (
                _say(
                    f"{' and '.join(one['en'] for one in same)} would be as low: the thrower chooses, and the record "
                    "says which stayed.",
                    f"{'、'.join(one['zh'] for one in same)} 同样大小，由甩牌者选定，并须记明留下的是哪些牌。",
                ),
                "throw.forced",
            )
    elif "options" in answer:
        yield _say("Several classes failed.", "不止一种牌型不成立。"), "throw.forced"
    if "fine" not in answer and case.profile.throw_fine:
        yield _say("Say who deals, to see whom the fine is for.", "请选庄家，以判定罚分归哪一方。"), "throw_fine"
    elif answer.get("fine"):
        dealer = case.role_of(case.leader) is Role.DEALER
        fine, cards = abs(answer["fine"]), lead.size
        who = _seat(case.leader)
        en = f"{who['en']} is of the {'dealer side' if dealer else 'attackers'}: {fine} points for {cards} cards thrown"
        zh = f"{who['zh']}是{'庄家方' if dealer else '闲家'}，甩出的 {cards} 张都算，共 {fine} 分"
        yield (
            _say(f"{en}, {'to' if dealer else 'from'} the attackers.", f"{zh}，{'加给' if dealer else '扣自'}闲家。"),
            "throw_fine",
        )
    yield (
        _say("The cards of the attempt have been seen by everybody.", "甩出过的牌四家都已看到，算公开的牌。"),
        "",
    )


def _throw_places(case: Case, answer: Mapping[str, Any]) -> Iterable[Placed]:
    turn = case.in_turn
    stays = [code for option in answer.get("options", ()) for code in option] or list(answer.get("must_play") or ())
    failed = answer["stands"] is False
    thrown = _marked(_texts(case, turn[0].value), stays, DIM if failed and stays else "")
    note = _say(f"threw {len(thrown)}", f"甩 {len(thrown)} 张")
    yield Placed(turn[0], thrown, 1, note)
    for i, seat in enumerate(turn[1:]):
        beating = [failure for failure in answer["failures"] if failure["by"] == i]
        if not case.get(seat.value):
            yield Placed(seat, (("?", ""),), i + 2, _say("not known", "未知"))
            continue
        if case.holds_none(seat.value):
            yield Placed(seat, (), i + 2, _say("none held", "缺门"))
            continue
        raised: Counter[str] = Counter()
        for failure in beating:
            raised |= Counter(failure["holds"])
        note = _say("nothing larger", "没有更大的")
        if beating:
            named = [_told_apart(one["holds"], one["cards"]) for one in beating]
            note = _say(
                "; ".join(f"{high['en']} beats {low['en']}" for high, low in named),
                "；".join(f"{high['zh']} 大过 {low['zh']}" for high, low in named),
            )
        yield Placed(seat, _marked(_texts(case, seat.value), raised.elements()), i + 2, note)


# --- how cards are read ---


def _shapes(case: Case, answer: dict[str, Any]) -> Verdict:
    best = answer["best"]
    units = tuple(
        (wording.shape_name(Shape.from_json({k: v for k, v in unit.items() if k != "cards"})), tuple(unit["cards"]))
        for unit in best
    )
    shapes = wording.shapes_named([Shape.from_json({k: v for k, v in unit.items() if k != "cards"}) for unit in best])
    others = [units for units in answer["all"] if units != best]
    throw = _say(" Led together they are a throw.", "一起领出即为甩牌。") if len(best) > 1 else _say("", "")
    told = [(_say(f"Read as {_reading_named(best)['en']}.", f"读作 {_reading_named(best)['zh']}。"), "cards.tractor")]
    told += [
        (_say(f"Or as {one['en']}.", f"也可读作 {one['zh']}。"), "cards.reading") for one in map(_reading_named, others)
    ]
    return Verdict(
        case.kind,
        PLAIN,
        _say(f"{shapes['en'][:1].upper()}{shapes['en'][1:]}.{throw['en']}", f"{shapes['zh']}。{throw['zh']}"),
        (),
        _reasons(case, answer, told[: 1 + MOST_SHOWN]),
        units=units,
        answer=answer,
    )


# --- may this counter be made ---


def _is_declaration(case: Case) -> bool:
    """Whether the cards on the table are what a declaration shows: level cards of one suit, or jokers outright.

    A joker beside them says nothing of the suit. A level without cards of its own is left to the question.
    """
    level = case.get("level")
    level_cards = {card for card in case.cards("declared") if not card.is_joker}
    if not level_cards or level not in RANKS:
        return True
    return len(level_cards) == 1 and level_cards.pop().rank == level


def _counter(case: Case, answer: dict[str, Any]) -> Verdict:
    allowed = answer["allowed"]
    question = case.question()
    state, bid = question["state"], question["bid"]
    told = []
    by, cards = Seat(state["declared"]["by"]), _named(_texts(case, "declared"))
    told.append(
        (_say(f"{_seat(by)['en']} declared {cards['en']}.", f"{_seat(by)['zh']}家亮 {cards['zh']}。"), "declare")
    )
    for one in state["counters"]:
        who, shown = _seat(Seat(one["by"])), _named(one["cards"])
        told.append(
            (_say(f"{who['en']} countered with {shown['en']}.", f"{who['zh']}家反 {shown['zh']}。"), "counter.what")
        )
    lines = [Reading(text, case.profile.topics.get(topic)) for text, topic in told]
    clauses = case.profile.clauses
    for problem in answer["problems"]:
        lines.append(Reading(dict(problem["message"]), clauses.get(problem["clause"] or "")))
    seen = {line.clause.id for line in lines if line.clause is not None} if not allowed else set()
    for reason in answer["because"]:
        if reason["clause"] not in seen:
            lines.append(Reading(clauses[reason["clause"]].text, clauses[reason["clause"]]))
    who, shown = _seat(Seat(bid["by"])), _named(bid["cards"])
    then = _say(f"{who['en']} shows {shown['en']}.", f"{who['zh']}家亮出 {shown['zh']}。")
    headline = (
        _say("The counter may be made.", "可以反。") if allowed else _say("The counter may not be made.", "不可以反。")
    )
    return Verdict(
        case.kind,
        OK if allowed else BAD,
        headline,
        (then,),
        tuple(lines),
        tuple(_bids_placed(case, state, bid, allowed=allowed)),
        answer=answer,
    )


def _bids_placed(case: Case, state: Mapping[str, Any], bid: Mapping[str, Any], *, allowed: bool) -> Iterable[Placed]:
    """Who showed what; a player who bid twice is drawn with the last bid."""
    shown = [(Seat(state["declared"]["by"]), _texts(case, "declared"), _say("declared", "亮主"))]
    shown += [(Seat(one["by"]), one["cards"], _say("countered", "反主")) for one in state["counters"]]
    word = _say("may counter", "可以反") if allowed else _say("may not counter", "不可以反")
    shown.append((Seat(bid["by"]), bid["cards"], word))
    last = {seat: number for number, (seat, _, _) in enumerate(shown, 1)}
    for number, (seat, cards, note) in enumerate(shown, 1):
        if last[seat] == number:
            final = number == len(shown)
            state_of = (DECIDING if allowed else DIM) if final else ""
            yield Placed(seat, tuple((code, state_of) for code in cards), number, note)


# --- what the kitty turns up ---


_DRAWERS: Final[Mapping[str, Text]] = {
    "first_drawer": {"en": "who draws first", "zh": "先抓牌的玩家"},
    "second_drawer": {"en": "who draws second", "zh": "第二个抓牌的玩家"},
    "third_drawer": {"en": "who draws third", "zh": "第三个抓牌的玩家"},
    "fourth_drawer": {"en": "who draws fourth", "zh": "第四个抓牌的玩家"},
}


def _flip(case: Case, answer: dict[str, Any]) -> Verdict:
    codes = _texts(case, "kitty")
    if answer.get("redeal"):
        headline = _say("The hand is dealt again; nothing is turned.", "重新发牌，不翻底。")
        return Verdict(case.kind, BAD, headline, (), _reasons(case, answer, ()), row=_marked(codes, ()), answer=answer)
    trump = answer["trump"]
    suit = _CATEGORIES.get(trump)
    headline = (
        _say("No-trump.", "打无主。")
        if suit is None
        else _say(f"{suit['en'].capitalize()} are trumps.", f"主牌为{suit['zh']}。")
    )
    then = []
    if "first_dealer" in answer:
        place = _DRAWERS[answer["first_dealer"]]
        then.append(_say(f"The dealer is {place['en']}.", f"由{place['zh']}坐庄。"))
    turned = answer["turned"]
    card = _named(codes[turned - 1 : turned])
    told = [
        (
            _say(f"Card {turned} turned, {card['en']}, settles it.", f"翻到第 {turned} 张 {card['zh']} 为止。"),
            "flip.trump",
        )
    ]
    row = tuple((code, DECIDING if i == turned else DIM if i > turned else "") for i, code in enumerate(codes, 1))
    return Verdict(case.kind, PLAIN, headline, tuple(then), _reasons(case, answer, told), row=row, answer=answer)


_TELL: Final[Mapping[str, Callable[[Case, dict[str, Any]], Verdict]]] = {
    TRICK: _trick,
    FOLLOW: _follow,
    THROW: _throw,
    SHAPES: _shapes,
    COUNTER: _counter,
    FLIP: _flip,
}
