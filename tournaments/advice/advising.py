"""What many trials of an event say: one report, as JSON, with a sentence for each finding in both languages.

Shares are written as whole numbers of a thousand events, times as whole minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb
from typing import Any

from scoring.standings.chains import chain_findings, title_of
from scoring.standings.results import EntrantId, Result
from scoring.standings.scales import SCALES
from scoring.values import Text
from scoring.wording import both

from .boards import FORMATS, TEAMS
from .playing import Form, Model, Play
from .singles import SINGLES
from .trials import AnyResult, Table, Trial, places, play_of, table, trials

#: Minutes between two rounds: results are handed in, the draw is made and read.
PAUSE = 10
#: Of so many events one is also ranked by the other match scores and without each tie-break.
COMPARED = 5
#: A referee is free for a table that calls in so many of a hundred moments.
FREE = 95

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Question:
    """What an organiser asks: the form, so many sides, and the numbers of rounds he hesitates between.

    A round robin and a knockout have the rounds of their field, whatever `rounds` says. `then` are the stages after.
    """

    form: Form
    model: Model
    entrants: int
    rounds: tuple[int, ...]
    events: int
    seed: str
    then: tuple[Form, ...] = ()


@dataclass
class _Counted:
    """What is counted over the events of one number of rounds."""

    entrants: int
    events: int = 0
    first: Counter[int] = field(default_factory=Counter)
    best_three: int = 0
    in_order: int = 0
    pairs: int = 0
    hands: list[int] = field(default_factory=list)
    full: int = 0
    drawn: int = 0
    minutes: list[int] = field(default_factory=list)
    lasts: list[int] = field(default_factory=list)
    tied: Counter[int] = field(default_factory=Counter)
    first_by: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    other_winner: Counter[str] = field(default_factory=Counter)
    moved: Counter[str] = field(default_factory=Counter)


def advise(asked: Question, tell: Tell = lambda done, of: None) -> dict[str, Any]:
    """The report; `tell` hears how many events of how many are played."""
    of, options = asked.events * len(asked.rounds), []
    for turn, rounds in enumerate(asked.rounds):
        form = replace(asked.form, rounds=rounds)
        counted, play = _Counted(asked.entrants), play_of(form, asked.model)
        then = [play_of(one, asked.model) for one in asked.then]
        through = asked.then[0].qualify if asked.then else None
        for number, trial in enumerate(trials(play, asked.entrants, asked.events, asked.seed, then)):
            _count(counted, trial)
            if number % COMPARED == 0 and trial.tables:
                _compare(counted, play, trial, through)
            if number % 20 == 0:
                tell(turn * asked.events + number, of)
        options.append(_option(form, counted))
    tell(of, of)
    hall = _hall(asked)
    return {
        "entrants": asked.entrants,
        "events": asked.events,
        "seed": asked.seed,
        "format": asked.form.format,
        "match_score": asked.form.match_score,
        "stages": 1 + len(asked.then),
        "boards": asked.form.format in FORMATS,
        "singles": asked.form.format == SINGLES,
        "through": asked.then[0].qualify if asked.then else None,
        "options": options,
        "hall": hall,
        "findings": [dict(one) for one in _findings(asked, options, hall)],
    }


def _count(counted: _Counted, trial: Trial) -> None:
    counted.events += 1
    counted.first[trial.places[0]] += 1
    counted.best_three += sum(place <= 3 for place in trial.places[:3])
    for better, strength in enumerate(trial.strengths):
        for worse in range(better + 1, len(trial.strengths)):
            if strength > trial.strengths[worse] and trial.places[better] != trial.places[worse]:
                counted.pairs += 1
                counted.in_order += trial.places[better] < trial.places[worse]
    lasted = 0
    for matches in trial.matches:
        played = [one.played for one in matches]
        counted.hands += [one.hands for one in played]
        counted.full += sum(one.full for one in played)
        counted.drawn += sum(one.winner is None for one in played)
        last = max((one.seconds for one in played), default=0)
        counted.lasts.append(-(-last // 60))
        lasted += last
    counted.minutes.append(-(-lasted // 60) + PAUSE * (len(trial.matches) - 1))
    counted.tied[trial.tied_on_points] += 1
    counted.splits.update(trial.splits)
    if trial.first_by is not None:
        counted.first_by[trial.first_by] += 1


def _compare(counted: _Counted, play: Play, trial: Trial, through: int | None) -> None:
    """The same matches of the first stage, counted otherwise: by each other match score, and without each tie-break.

    `through` are those of each table who come into the next stage; where there is none, the winner matters.
    """
    counted.compared += 1
    form = play.form
    for code in play.other_scales():
        _otherwise_ranked(counted, f"scale:{code}", play, trial, through, code, SCALES[code].bye)
    for code in form.chain[1:]:
        chain = tuple(one for one in form.chain if one != code)
        if code != "lots" and not chain_findings(chain):
            pairs = [
                (_ranks(form, one, one.results, form.chain), _ranks(form, one, one.results, chain))
                for one in trial.tables
            ]
            _moved(counted, f"without:{code}", pairs, through)


def _otherwise_ranked(
    counted: _Counted, what: str, play: Play, trial: Trial, through: int | None, code: str, bye: Fraction
) -> None:
    pairs = []
    for one in trial.tables:
        results = [play.result(*match, code) for match in one.matches]
        byes = (result for result in one.results if isinstance(result, Result) and result.away is None)
        results += [result._replace(home_score=bye) for result in byes]
        chain = play.form.chain
        pairs.append((_ranks(play.form, one, one.results, chain), _ranks(play.form, one, results, chain)))
    _moved(counted, what, pairs, through)


Ranks = Mapping[EntrantId, int]


def _ranks(form: Form, one: Table, results: Sequence[AnyResult], chain: Sequence[str]) -> Ranks:
    return places(table(form, one.members, results, chain))


def _moved(counted: _Counted, what: str, pairs: Sequence[tuple[Ranks, Ranks]], through: int | None) -> None:
    most = through or 1
    counted.other_winner[what] += any(_first(one, most) != _first(other, most) for one, other in pairs)
    counted.moved[what] += sum(abs(place - other[who]) for one, other in pairs for who, place in one.items())


def _first(ranks: Ranks, most: int) -> set[EntrantId]:
    return {who for who, place in ranks.items() if place <= most}


def _option(form: Form, counted: _Counted) -> dict[str, Any]:
    events = counted.events
    matches = len(counted.hands)
    return {
        "rounds": form.rounds,
        "strongest": {str(place): _thousandth(counted.first[place], events) for place in sorted(counted.first)},
        "strongest_wins": _thousandth(counted.first[1], events),
        "best_three": _tenth(counted.best_three, events),
        "in_order": _thousandth(counted.in_order, counted.pairs),
        "hands": _spread(counted.hands),
        "full": _thousandth(counted.full, matches),
        "drawn": _thousandth(counted.drawn, matches),
        "last_table": _spread(counted.lasts),
        "minutes": _spread(counted.minutes),
        "finish": _histogram(counted.minutes),
        "tied_first": _thousandth(events - counted.tied[1], events),
        "first_by": {code: _thousandth(times, events) for code, times in counted.first_by.most_common()},
        "splits": {code: _tenth(times, events) for code, times in counted.splits.most_common()},
        "compared": counted.compared,
        "otherwise": {
            what: {
                "other_winner": _thousandth(counted.other_winner[what], counted.compared),
                "moved": _tenth(counted.moved[what], counted.compared * counted.entrants),
            }
            for what in counted.moved
        },
    }


def _hall(asked: Question) -> dict[str, int]:
    """Tables, and the fewest referees of whom one is nearly always free for a table that calls."""
    model, form = asked.model, asked.form
    at_a_table = form.profile.players if form.format == SINGLES else 2
    tables = asked.entrants // at_a_table * (2 if form.format == TEAMS else 1)
    busy = Fraction(model.calls * model.ruling, 1000 * model.pace)
    referees, within = 0, Fraction(0)
    while referees < tables:
        within += comb(tables, referees) * busy**referees * (1 - busy) ** (tables - referees)
        referees += 1
        if within * 100 >= FREE:
            break
    return {"tables": tables, "referees": max(1, referees), "free": FREE}


def _findings(asked: Question, options: Sequence[Mapping[str, Any]], hall: Mapping[str, int]) -> Iterable[Text]:
    """A sentence for each thing that a number above says."""
    singles = asked.form.format == SINGLES
    side_en, side_zh, two_zh = ("player", "选手", "两名选手") if singles else ("side", "一方", "两方")
    for one in options:
        rounds, wins, minutes = one["rounds"], _percent(one["strongest_wins"]), one["minutes"]
        yield both(
            f"{rounds} rounds: the strongest {side_en} wins {wins} of 100 events; of two {side_en}s the stronger "
            f"stands higher in {_percent(one['in_order'])} of 100 cases; all is over after about {minutes['half']} "
            f"minutes, in nine of ten events within {minutes['nine']}.",
            f"{rounds} 轮：最强的{side_zh}在 100 次赛事中夺冠 {wins} 次；任意{two_zh}中较强的{side_zh}名次靠前的占 "
            f"{_percent(one['in_order'])}%；约 {minutes['half']} 分钟结束，十次有九次不超过 {minutes['nine']} 分钟。",
        )
    if asked.then:
        through, many = asked.then[0].qualify, 1 + len(asked.then)
        en = "all come through to the second" if through is None else f"of each table {through} come through"
        zh = "全部进入下一阶段" if through is None else f"每表前 {through} 名出线"
        yield both(
            f"Counted through all {many} stages; {en}, and stand before those who do not.",
            f"{many} 个阶段合计；{zh}，出线者列于未出线者之前。",
        )
    if any(form.format in FORMATS for form in (asked.form, *asked.then)):
        yield both(
            "On boards nobody climbs and no clock ends a match: nothing is said of matches that are over before their "
            "time, of match scores that count levels, or of net board points as a tie-break.",
            "复式牌副不升级，也不由计时结束：不涉及提前结束的对局、按最终级数计的场分，也不计净牌副分这一小分。",
        )
    if len(options) > 1:
        yield _choice(options[0], options[-1])
    last = options[-1]
    if last["first_by"]:
        title = title_of(next(iter(last["first_by"])))
        yield both(
            f"In {_percent(last['tied_first'])} of 100 events several share the most points; what then decides the "
            f"first place most often: {title['en']}.",
            f"100 次中有 {_percent(last['tied_first'])} 次不止一方积分最高；这时最常决定冠军的是：{title['zh']}。",
        )
    advance = asked.then != () and asked.then[0].qualify is not None
    yield from _otherwise(last, advance=advance, side=(side_en, "每名选手" if singles else "每方"))
    yield both(
        f"The hall needs {hall['tables']} tables; {hall['referees']} referees are enough that one is free in "
        f"{hall['free']} of 100 calls.",
        f"场地要 {hall['tables']} 张桌；{hall['referees']} 名裁判足以使 100 次叫裁判中有 {hall['free']} 次立刻有人。",
    )


def _choice(few: Mapping[str, Any], many: Mapping[str, Any]) -> Text:
    gained = _percent(many["strongest_wins"]) - _percent(few["strongest_wins"])
    longer = many["minutes"]["half"] - few["minutes"]["half"]
    more, longer_en = "more" if gained >= 0 else "less", "longer" if longer >= 0 else "shorter"
    more_zh, longer_zh = "多" if gained >= 0 else "少", "多用" if longer >= 0 else "少用"
    return both(
        f"{many['rounds']} rounds instead of {few['rounds']}: the strongest wins {abs(gained)} times {more} in 100 "
        f"events, and it takes {abs(longer)} minutes {longer_en}.",
        f"打 {many['rounds']} 轮而不是 {few['rounds']} 轮：100 次中最强者{more_zh}夺冠 {abs(gained)} 次，"
        f"{longer_zh} {abs(longer)} 分钟。",
    )


def _otherwise(one: Mapping[str, Any], *, advance: bool, side: tuple[str, str]) -> Iterable[Text]:
    """The match score and the tie-break that would move most; `advance`: what matters is who comes through.

    `side`: what those who compete are called.
    """
    side_en, side_zh = side
    other_en, other_zh = ("others advance", "出线者不同") if advance else ("another winner", "冠军不同")
    for kind in ("scale", "without"):
        found = [(what, by) for what, by in one["otherwise"].items() if what.startswith(kind)]
        if not found:
            continue
        what, by = max(found, key=lambda item: (item[1]["moved"], item[1]["other_winner"]))
        title = SCALES[what.partition(":")[2]].title if kind == "scale" else title_of(what.partition(":")[2])
        winner, moved = _percent(by["other_winner"]), f"{by['moved'] / 10:.1f}"
        if kind == "scale":
            yield both(
                f"Of the other match scores this one moves most: {title['en']}. The same matches: {other_en} "
                f"in {winner} of 100 events, and a {side_en} moves by {moved} places on average.",
                f"其他场分办法中影响最大的是：{title['zh']}。同样的比赛结果，100 次中有 {winner} 次{other_zh}，"
                f"{side_zh}名次平均变动 {moved} 名。",
            )
        else:
            yield both(
                f"Of the tie-breaks this one moves most when it is left out: {title['en']}; {other_en} in {winner} "
                f"of 100 events, and a {side_en} moves by {moved} places on average.",
                f"小分中去掉后影响最大的是：{title['zh']}。100 次中有 {winner} 次{other_zh}，"
                f"{side_zh}名次平均变动 {moved} 名。",
            )


def _thousandth(part: int, of: int) -> int:
    """Of a thousand, rounded half up."""
    return (2000 * part + of) // (2 * of) if of else 0


def _tenth(part: int, of: int) -> int:
    """In tenths, rounded half up."""
    return (20 * part + of) // (2 * of) if of else 0


def _percent(thousandths: int) -> int:
    return (thousandths + 5) // 10


def _spread(values: Sequence[int]) -> dict[str, int]:
    """The values that one in ten, half and nine in ten do not pass."""
    ordered = sorted(values)
    return {
        name: ordered[min(len(ordered) - 1, len(ordered) * tenths // 10)] if ordered else 0
        for name, tenths in (("one", 1), ("half", 5), ("nine", 9))
    }


def _histogram(minutes: Sequence[int], most: int = 12) -> list[list[int]]:
    """How many events of a thousand ended in each span of minutes: [from, to, of a thousand]."""
    low, high = min(minutes), max(minutes)
    width = next(one for one in (1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 960) if (high - low) // one < most)
    begin = low // width * width
    spans = Counter((one - begin) // width for one in minutes)
    return [
        [begin + width * number, begin + width * (number + 1), _thousandth(spans[number], len(minutes))]
        for number in range(max(spans) + 1)
    ]
