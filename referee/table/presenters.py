"""Contexts of the table's templates: the screen, the entry form, what an entry does in words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.adjudicator.questions import kinds_of
from referee.hands import bounds, required
from referee.hands.forms import PhoneForm
from referee.hands.shapes import all_shapes, code_of, shape_key, short_shapes
from referee.hands.words import CATEGORIES, annulled_keys, field_word
from referee.parts.clock import shown_clock
from referee.parts.formats import exact, signed
from referee.parts.kept import CALLS, UNEXPECTED
from referee.parts.live import event_stream, sitting_stream, with_pass
from referee.parts.rulings import penalty_words, stands
from referee.parts.signal_cards import shown_card
from referee.parts.words import ROLES, SEATS, SIDES_SHORT, SPECIALS, in_language, mark, page_language, playing, reached
from scoring.hands import sheets
from scoring.hands.regional import JUMPS, special_digs
from scoring.hands.totals import kitty_multiplier
from scoring.sittings import step_table
from scoring.sittings.checks import dealer_due
from scoring.sittings.sentences import worth_of
from scoring.sittings.states import EntryResult
from scoring.values import FLAG, Role, Seat, Trump
from tournaments.ledger import result_codes
from tournaments.ledger.ending import one_more_hand, sides_agreed
from tournaments.signals.reads import cards_at
from tournaments.sittings.clock import table_clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from referee.table.screens import Screen
    from scoring.hands.variants import Scoring
    from scoring.profiles import Profile
    from scoring.sittings.states import Position, SittingState
    from scoring.values import Side
    from tournaments.acts.errors import Refusal
    from tournaments.ledger.previewing import Preview
    from tournaments.models import Ruling, Tournament

ARROW: Final = " → "
DARK_BIDS: Final = 9
_PATH: Final = re.compile(r"(\w+)(?:\[(\d+)\])?(?:\.(\w+))?")
_RENAMED: Final[Mapping[str, str]] = {
    "winning_play": "hook_card",
    "reason": "annulled_reason",
    "by": "rebel",
    "hand_points": "rebel_points",
}


def screen_context(screen: Screen) -> dict[str, Any]:
    """What every page of a place shows. `key` makes a plain form that is sent twice one act."""
    return {
        "screen": screen,
        "place": screen.place,
        "public_id": screen.place.device.public_id,
        "tournament": screen.place.tournament,
        "language_part": page_language(),
        "profile": screen.profile,
        "now": screen.place.now,
        **_live(screen),
        "offline_pages": f"{offline_pages(screen.place.tournament)} {steps_address(screen)}".strip(),
        "calls": CALLS,
        "wrong": screen.wrong,
        "result_code": _result_code(screen),
        "signal_cards": [] if screen.individual else [shown_card(one) for one in cards_at(screen.sitting)],
        **_clock(screen),
    }


def _result_code(screen: Screen) -> dict[str, str]:
    """What the phone needs to agree by result code; nothing where hands are fixed."""
    if screen.is_over or (not screen.individual and screen.state.fixed):
        return {}
    device = screen.place.device
    known = {one.device: one.public_key for one in result_codes.keys_at(screen.sitting)}
    return {
        "me": device.public_id,
        "sitting": str(screen.sitting.pk),
        "revision": str(screen.sitting.revision),
        "event": screen.place.tournament.slug,
        "keys": json.dumps({one.public_id: key for one, key in known.items()}),
        "names": json.dumps({one.public_id: screen.name_of(one.side) for one in known}),
    }


def offline_pages(event: Tournament) -> str:
    """The addresses that a phone keeps beside its own page: the rules of the event, the adjudicator's questions."""
    language = {"language": page_language()}
    adjudicator = [reverse("public:adjudicator", kwargs=language)]
    adjudicator += [reverse("public:adjudicate", kwargs=language | {"kind": kind}) for kind in kinds_of(event.profile)]
    asked = [f"{address}?event={event.slug}" for address in adjudicator]
    return " ".join([reverse("public:event_rules", kwargs=language | {"event": event.slug}), *asked])


def _live(screen: Screen) -> dict[str, str]:
    """What a page listens to: its table, and once the round is closed, the rounds and standings of the event."""
    if screen.view == "closed":
        return {"live_url": event_stream(screen.place.tournament.slug), "live_what": "round standings"}
    return {"live_url": with_pass(sitting_stream(screen.sitting.pk), screen.place.device)}


def _clock(screen: Screen) -> dict[str, Any]:
    """The clock of this table, and what its sides have said of the end."""
    clock = shown_clock(table_clock(screen.sitting), screen.place.now)
    entering = screen.view == "enter" and screen.waiting is None and not screen.individual
    extra_due = entering and one_more_hand(screen.sitting, screen.state)
    endable = clock is not None and entering and not extra_due
    return {
        "clock": clock,
        "extra_due": extra_due,
        "hands_over": extra_due and screen.state.hands_played >= (screen.sitting.round.stage.hands or inf),
        "endable": endable,
        "said_over": sides_agreed(screen.sitting) if endable else frozenset(),
    }


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling as the sides of its table read it."""

    ruling: Ruling
    state: str
    state_words: str
    penalty: str
    appealable: bool


def rulings_of(rulings: Iterable[Ruling], now: datetime) -> list[Ruled]:
    """The rulings at a table, with whether a side may still appeal."""
    return [Ruled(one, *stands(one), penalty_words(one.penalty), one.appealable(now)) for one in rulings]


def entry_context(screen: Screen) -> dict[str, Any]:
    """The entry form: its keys, the values typed so far, what was found wrong by field."""
    profile = screen.profile
    if screen.typed is None:
        mend = screen.to_mend
        screen.typed = _fresh(screen) if mend is None else PhoneForm.of_facts(_but_as_due(screen, mend.facts), profile)
    trumps = [trump.value for trump in Trump if trump is not Trump.NT or profile.no_trump_allowed]
    errors = errors_by_field(screen.findings)
    return {
        "typed": screen.typed,
        "form_data": {
            "required": required.rows_json(screen.required),
            "bounds": bounds.bounds_json(bounds.of_two_sides(profile)),
            "sums": sums_of(profile),
        },
        "errors": errors,
        "plain_rows": screen.typed.plain_rows(errors),
        "seats": list(SEATS),
        "roles": [role.value for role in Role],
        "categories": list(CATEGORIES),
        "throwers": list(ROLES.items()),
        "levels": [str(level) for level in profile.ladder],
        "trumps": trumps,
        "by_cards": profile.last_trick != "kitty",
        "special_digs": [
            (event, SPECIALS[event], kitty_multiplier(profile, led)[0]) for event, led in special_digs(profile).items()
        ],
        "declares_red_fives": JUMPS["red_fives_declared"] in profile.level_jumps,
        "shapes": [shape_key(profile, shape) for shape in short_shapes(profile)],
        "more_shapes": [shape_key(profile, shape) for shape in all_shapes(profile)],
        "throw_sizes": [str(size) for size in range(2, max(profile.deal_at(level)[0] for level in profile.ladder) + 1)],
        "dark_bid_times": [str(times) for times in range(DARK_BIDS + 1)],
        "annulled": annulled_keys(profile),
        "unexpected": UNEXPECTED,
        "captured_most": int(profile.points_max),
        "kitty_most": int(profile.kitty_max),
        "deals": [_deal(screen, seat) for seat in Seat],
        "attacking": list(SIDES_SHORT),
        "due_levels": json.dumps({str(side): str(level) for side, level in screen.state.levels.items()}),
        "before": json.dumps(before(screen.state)),
        "steps": steps_address(screen),
    }


def before(state: SittingState) -> dict[str, Any]:
    """What the phone's own arithmetic goes on from: levels, failures running at the flag, how often hooked, by side."""
    parts = {"levels": state.levels, "failures": state.flag_failures, "hooked": state.hooked}
    return {name: {str(side): _plain(value) for side, value in of.items()} for name, of in parts.items()}


def _plain(value: object) -> int | str:
    return value if isinstance(value, int) else str(value)


def steps_address(screen: Screen) -> str:
    """Where the phone finds the table of these rules; none where hands are fixed, which the server alone scores."""
    if screen.individual or screen.state.fixed:
        return ""
    known = {"public_id": screen.place.device.public_id, "digest": step_table.digest(screen.profile)}
    return reverse("table:steps", kwargs=known)


def errors_by_field(findings: Any) -> dict[str, list[str]]:
    """The sentences of blocking findings under the name of the form's field."""
    errors: dict[str, list[str]] = {}
    for one in findings:
        if one.blocking:
            errors.setdefault(field_of(one.field), []).append(sentence_of(one))
    return errors


def sentence_of(finding: Any) -> str:
    """A finding as the page says it: what is merely missing is named as the form names it."""
    if finding.code == "missing":
        return _("%(field)s is missing.") % {"field": field_word(finding.field, brief=True)}
    return in_language(finding.message)


def refused_context(refusal: Refusal | None) -> dict[str, Any]:
    """What was refused: the sentence, and every blocking finding in words."""
    if refusal is None:
        return {"refusal": None}
    blocking = [sentence_of(one) for one in refusal.findings if one.blocking]
    return {"refusal": refusal, "refused_sentences": blocking}


def field_of(path: str) -> str:
    """The form's field for a path of the facts: ``throw_failures[0].cards`` is ``throw_cards_1``."""
    found = _PATH.match(path)
    head, row, part = found.groups() if found else (path, None, None)
    if head == "points" and part:
        return f"points_{part}"
    if head == "throw_failures":
        return f"throw_{part or 'side'}_{int(row or 0) + 1}"
    if head == "specials":
        return "red_fives_declared"
    if head == "dark_bids":
        return "dark_bids_dealer"
    return _RENAMED.get(head, head)


def judged(screen: Screen, seen: Preview) -> dict[str, Any]:
    """What the rules say of an entry as it stands: what they notice, and what is missing."""
    return {
        "screen": screen,
        "profile": screen.profile,
        "notices": [in_language(one.message) for one in seen.findings if not one.blocking],
        "missing": [sentence_of(one) for one in seen.findings if one.blocking],
    }


def in_parts(sentence: str) -> dict[str, str]:
    """The sentence of a result as a phone sets it: the sum, and large below it the outcome."""
    sum_words, _arrow, outcome = sentence.partition(ARROW)
    return {"sum": sum_words, "outcome": outcome}


def result_words(screen: Screen, seen: Preview) -> dict[str, Any]:
    """What an entry does, in words: the sum, the outcome, the levels and who deals next, and why."""
    context = judged(screen, seen)
    result = seen.result
    if not isinstance(result, EntryResult) or result.sentence is None:
        return context
    sentence, levels = in_language(result.sentence), in_language(result.levels_sentence)
    parts = in_parts(sentence)
    total = None if result.total is None else int(result.total.raw)
    said = {
        "levels": levels,
        "total": total,
        "played": str(result.level or ""),
        "spoken": sentence if total is None else f"{exact(total)}{mark(':')}{parts['outcome']}",
        "because": result.because,
        "agree": agreement(result, screen.profile, fixed=screen.state.scoring if screen.state.fixed else None),
    }
    return context | parts | said


def agreement(result: EntryResult, profile: Profile, *, fixed: Scoring | None = None) -> str:
    """What the button says that agrees to an entry: the total, and which side gains what (fixed hands: as counted)."""
    if result.total is None or result.dealer is None or result.winner_role is None:
        return _("Confirm: this hand is void")
    dealing = Seat(result.dealer).side
    gaining = dealing if result.winner_role is Role.DEALER else dealing.other
    if result.jump is not None:
        return _jump_agreement(result.jump, result.after, exact(int(result.total.raw)), profile)
    words = {"total": exact(int(result.total.raw)), "side": SIDES_SHORT[str(gaining)], "n": result.levels_won}
    if fixed is not None:
        side, worth = worth_of(fixed, dealing, result)
        words |= {"side": SIDES_SHORT[str(side)], "n": signed(worth)}
        return _("Confirm %(total)s: %(side)s %(n)s") % words
    if result.deal_changes_hands and not result.levels_won:
        return _("Confirm %(total)s: %(side)s take the deal, +0") % words
    if result.deal_changes_hands:
        return _("Confirm %(total)s: %(side)s take the deal, +%(n)s") % words
    if result.winner_role is Role.DEALER:
        return _("Confirm %(total)s: %(side)s keep the deal, +%(n)s") % words
    return _("Confirm %(total)s: %(side)s +%(n)s") % words


def _fresh(screen: Screen) -> PhoneForm:
    """An empty form, with the trump suit that a board sets."""
    due = screen.state.due
    return PhoneForm({} if due is None or due.trump is None else {"trump": str(due.trump)}, screen.profile)


def _deal(screen: Screen, seat: Seat) -> dict[str, str]:
    """This hand if that seat deals it: at which level, and what this side is in it."""
    mine = str(seat.side) == screen.side
    role = ROLES[Role.DEALER if mine else Role.ATTACKERS]
    return {"seat": str(seat), "level": str(screen.state.levels[seat.side]), "my_role": str(role)}


def _jump_agreement(up: Side, after: Position, total: str, profile: Profile) -> str:
    """What the button says of a hand that sets the levels of both sides."""

    def comes_to(side: Side) -> str:
        level = after.levels[side]
        return reached(None, profile) if level is None else playing(level)

    words = {
        "total": total,
        "up": SIDES_SHORT[str(up)],
        "high": comes_to(up),
        "down": SIDES_SHORT[str(up.other)],
        "low": comes_to(up.other),
    }
    return _("Confirm %(total)s: %(up)s %(high)s, %(down)s %(low)s") % words


def _but_as_due(screen: Screen, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts without the dealer and level that the ledger fills in: only what was not as due is shown as chosen."""
    if screen.state.contested:
        return dict(facts)
    if facts.get("kind") != "hand":
        return {
            name: value for name, value in facts.items() if (name, value) != ("dealer", str(screen.state.next_dealer))
        }
    sheet = sheets.read_entry(screen.profile, {**facts, "dealer": None, "level": None})
    dealer = dealer_due(screen.profile, screen.state, sheet)
    level = screen.state.levels[dealer.side] if dealer is not None else None
    due = {"dealer": str(dealer), "level": str(level)}
    return {name: value for name, value in facts.items() if due.get(name) != value}


def sums_of(profile: Profile) -> dict[str, Any]:
    """What the page's script needs to add up before the server has answered: figures of the profile, and words."""
    return {
        "factors": {code_of(shape): kitty_multiplier(profile, [shape])[0] for shape in all_shapes(profile)}
        | {event: kitty_multiplier(profile, led)[0] for event, led in special_digs(profile).items()},
        "byCards": profile.last_trick != "kitty",
        "trumpOnly": profile.dig_trump_only,
        "lined": profile.dealer_sets_line and profile.own_line == "must",
        "fine": profile.throw_fine,
        "freeCards": 0 if profile.throw_fine_per == "card" else 1,
        "darkBid": profile.dark_bid_fine,
        "specialDigs": list(special_digs(profile)),
        "withoutSuit": [str(level) for level in profile.ladder if level.has_no_trump_suit],
        "flag": FLAG.rank,
        "words": {
            "points": _("Attackers {n}"),
            "kitty": _("+ kitty {n}×{m}"),
            "last": _("last trick {n}×{m}"),
            "fine": _("throw fine {n}"),
            "dark": _("dark bids {n}"),
            "then": _("If this is right: {what}"),
            "hand": _("Hand %(n)s") % {"n": "{n}"},
            "won": _("{side} win the match"),
            "deals": _("{seat} deals, playing {level}"),
            "between": pgettext("between parts of a sentence", "; "),
            **{seat: str(word) for seat, word in SEATS.items()},
            **{side: str(word) for side, word in SIDES_SHORT.items()},
        },
    }
