"""Seeded hands as the form of the table writes them, and what the server makes of them: so the phone has to as well."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from referee.hands.forms import PhoneForm
from referee.hands.shapes import all_shapes, code_of
from referee.table.presenters import before, sums_of
from scoring.hands.findings import Refused
from scoring.hands.regional import special_digs
from scoring.hands.sheets import read_entry
from scoring.profiles import load, profile_ids
from scoring.sittings import step_table
from scoring.sittings.checks import check_next, dealer_due
from scoring.sittings.fold import start, step
from scoring.sittings.states import UNTIMED, Opening
from scoring.values import FLAG, Seat, Side, Trump

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.profiles import Profile
    from scoring.sittings.states import SittingState

#: So often the last trick was led with a short shape: totals that the table says nothing of are rare at a table too.
OFTEN = 0.9
#: Runs in the page: the first hands of which the phone says something else than the server did, and how many it left.
COMPARE = """async ([module, told]) => {
  const { after, partsOf, sideOf } = await import(module);
  const wrong = [];
  let silent = 0;
  for (const { sums, table, hands } of told) {
    for (const { form, state, dealer, was } of hands) {
      const get = (name) => form[name] ?? "";
      const flag = state.levels[sideOf(dealer)] === sums.flag;
      const throws = [1, 2, 3].map((row) => [get(`throw_side_${row}`), get(`throw_cards_${row}`)]);
      const parts = partsOf(sums, get, throws, flag);
      const dug = !flag && get("last_trick_winner") === "attackers";
      const specials = flag ? [] : [["red_fives_declared", get("red_fives_declared")],
        [get("led"), dug && sums.specialDigs.includes(get("led")) ? "attackers" : ""]].filter(([, by]) => by);
      const hook = dug && Boolean(get("hook_card"));
      const next = parts && after(table, state, { dealer, total: parts.total, hook, specials });
      if (!next) { silent += 1; continue; }
      const { levels, failures, hooked, winner } = next;
      const says = { total: parts.total, levels, dealer: next.dealer, failures, hooked, winner };
      const text = (one) => (one && typeof one === "object" ? `${one.NS} ${one.EW}` : String(one));
      const differs = (name) => text(says[name]) !== text(was[name]);
      if (Object.keys(was).some(differs)) wrong.push({ profile: table.profile, form, state, says, was });
    }
  }
  return { wrong: wrong.slice(0, 3), found: wrong.length, silent };
}"""


def told(seed: int, hands: int) -> list[dict[str, Any]]:
    """For every profile of two sides, so many hands each: the form, the state before, what the server says."""
    return [
        {
            "sums": sums_of(profile),
            "table": step_table.step_table(profile),
            "hands": list(_hands(profile, random.Random(f"{seed} {profile.id}"), hands)),
        }
        for profile in (load(name) for name in profile_ids())
    ]


def _hands(profile: Profile, lot: random.Random, count: int) -> Iterator[dict[str, Any]]:
    state = _opened(profile, lot)
    while count:
        form = _form(profile, lot, state)
        known = PhoneForm.posted(form, profile)
        facts = known.facts()
        try:
            entry = read_entry(profile, facts)
        except Refused:
            continue
        dealer = dealer_due(profile, state, entry)
        assert dealer is not None
        known.level = str(state.levels[dealer.side])
        try:
            entry = read_entry(profile, known.turned_to("hand").facts())
            if any(one.blocking for one in check_next(profile, state, entry)):
                continue
            after, result = step(profile, UNTIMED, state, entry)
        except Refused:
            continue
        assert result.total is not None
        yield _case(state, form, str(dealer), after, int(result.total.raw))
        count -= 1
        state = _opened(profile, lot) if after.finished or lot.random() < 0.02 else after


def _case(state: SittingState, form: dict[str, str], dealer: str, after: SittingState, total: int) -> dict[str, Any]:
    said = before(after)
    winner = None if after.winner is None else str(after.winner)
    was = {"total": total, "dealer": str(after.next_dealer), "winner": winner, **said}
    return {"form": form, "state": before(state), "dealer": dealer, "was": was}


def _opened(profile: Profile, lot: random.Random) -> SittingState:
    levels = {side: lot.choice(list(profile.ladder)) for side in Side}
    return start(Opening(levels, lot.choice(list(Seat))))


def _form(profile: Profile, lot: random.Random, state: SittingState) -> dict[str, str]:
    most, kitty = int(profile.points_max), int(profile.kitty_max)
    codes = [code_of(shape) for shape in all_shapes(profile)]
    form = {
        "kind": "hand",
        "trump": lot.choice([one.value for one in Trump if one is not Trump.NT or profile.no_trump_allowed]),
        "captured_in_tricks": str(5 * lot.randint(0, most // 5)),
        "last_trick_winner": lot.choice(["dealer", "attackers"]),
        "led": lot.choice([*codes[: 5 if lot.random() < OFTEN else None], *special_digs(profile)]),
        "kitty_points": str(5 * lot.randint(0, kitty // 5)),
        "last_trick_points": str(5 * lot.randint(0, 8)),
        "winning_category": lot.choice(["trump", "side"]),
        "dark_bids_dealer": "0",
        "dark_bids_attackers": "0",
    }
    if lot.random() < 0.3:
        form["hook_card"] = "trump" if profile.hook_card == "main" else lot.choice("SHCD")
    if lot.random() < 0.2:
        form["red_fives_declared"] = lot.choice(["dealer", "attackers"])
    for row in range(1, lot.choice([1, 1, 1, 2, 3, 4])):
        form |= {f"throw_side_{row}": lot.choice(["dealer", "attackers"]), f"throw_cards_{row}": str(lot.randint(2, 6))}
    if profile.dark_bid_fine and lot.random() < 0.3:
        form["dark_bids_dealer"] = str(lot.randint(0, 3))
    dealing = state.next_dealer
    if dealing is not None and state.levels[dealing.side] == FLAG:
        form |= {"last_trick_winner": "", "led": "", "kitty_points": "", "trump": ""}
    return form
