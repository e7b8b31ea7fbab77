// What a hand does, worked out on the phone: the total from figures of the profile, the levels from the table of its
// rules (`scoring.sittings.step_table`). There are no rules here. It is a preview: the server decides.

import { whole } from "./table-required.js";

const ROWS = [1, 2, 3];

export const sideOf = (seat) => (seat === "N" || seat === "S" ? "NS" : seat ? "EW" : "");
export const otherSide = (side) => ({ NS: "EW", EW: "NS" })[side] ?? "";
const partner = { N: "S", S: "N", E: "W", W: "E" };
const right = { N: "W", W: "S", S: "E", E: "N" };

// The parts of the attackers' total: {points, last: [amount, factor, figure] or null, fine, dark, total}; null while
// they are not known. `get` reads a field of the form, `throws` are [side, cards] of failed throws.
export function partsOf(sums, get, throws, atFlag) {
  const points = whole(get("captured_in_tricks"));
  const last = atFlag ? [] : lastTrick(sums, get);
  if (points === null || last === null) return null;
  const fine = throws.reduce((sum, [side, cards]) => sum + cards_of(sums, cards) * ({ dealer: 1, attackers: -1 }[side] ?? 0), 0);
  const dark = atFlag ? 0 : darkBids(sums, get);
  return { points, last, fine, dark, total: points + (last[0] ?? 0) + fine + dark };
}

function cards_of(sums, cards) {
  return (Number(cards) - sums.freeCards) * sums.fine;
}

// What the last trick gives: [amount, factor, figure], nothing (empty), or null while it is not known.
function lastTrick(sums, get) {
  const winner = get("last_trick_winner");
  if (!winner) return null;
  if (sums.byCards) return byCards(sums, get, winner);
  if (winner === "dealer") return [];
  const factor = sums.factors[get("led")] ?? factorOfMore(sums, get);
  const kitty = whole(get("kitty_points"));
  const category = get("winning_category");
  if (!factor || kitty === null || (sums.trumpOnly && !category)) return null;
  return sums.trumpOnly && category === "side" ? [] : [kitty * factor, factor, kitty];
}

// Several shapes led at once: only where the profile counts each by itself does the page know their factor.
function factorOfMore(sums, get) {
  const led = ROWS.map((row) => get(`led_${row}`)).filter(Boolean);
  return get("led") === "more" && led.length === 1 ? sums.factors[led[0]] : undefined;
}

function byCards(sums, get, winner) {
  const led = get("led") === "more" ? ROWS.map((row) => get(`led_${row}`)).filter(Boolean) : [get("led")];
  const cards = led.reduce((sum, code) => sum + (sums.factors[code] ?? NaN), 0);
  const points = whole(get("last_trick_points"));
  if (!cards || points === null) return null;
  const amount = winner === "attackers" ? points * cards : cards > 1 ? -points * cards : 0;
  return amount ? [amount, cards, points] : [];
}

function darkBids(sums, get) {
  if (!sums.darkBid) return 0;
  return sums.darkBid * (Number(get("dark_bids_dealer")) - Number(get("dark_bids_attackers")));
}

// The state after a hand: {levels, dealer, failures, hooked, winner}; null where the table does not say.
// `before` is the state before it, `hand` {dealer, total, hook (dug with the hook card), specials: [[event, by]]}.
export function after(table, before, hand) {
  const dealing = sideOf(hand.dealer);
  const level = before.levels[dealing];
  const bands = level === table.flag && table.flag_bands.length ? table.flag_bands : table.bands;
  const band = bands.find(([low, high]) => low <= hand.total && hand.total <= high);
  if (!band || !dealing || !(level in table.gains)) return null;
  const [role, won, changes] = table.results[band[2]];
  const gaining = role === "D" ? dealing : otherSide(dealing);
  const [reached, wins] = table.gains[before.levels[gaining]][band[2]];
  const next = {
    levels: { ...before.levels, [gaining]: reached },
    dealer: changes ? right[hand.dealer] : partner[hand.dealer],
    failures: { ...before.failures },
    hooked: { ...before.hooked },
    winner: wins ? gaining : null,
    role,
    won,
  };
  hooks(table, before, hand, next, dealing, gaining);
  jumps(table, hand, next, dealing, gaining, role);
  flags(table, before, next, dealing, changes);
  return next;
}

function hooks({ hook }, before, hand, next, dealing, gaining) {
  if (!hook || !hand.hook || !hook.levels.includes(before.levels[dealing])) return;
  if (hook.from !== null && hand.total < hook.from) return;
  if (hook.limit !== null && before.hooked[dealing] >= hook.limit) return;
  next.levels[dealing] = hook.to;
  next.hooked[dealing] += 1;
  if (gaining === dealing) next.winner = null;
}

function jumps({ jumps: table }, hand, next, dealing, gaining, role) {
  if (!table || !hand.specials?.length) return;
  const order = ([event]) => table.events.indexOf(event);
  const [event, by] = hand.specials.reduce((last, one) => (order(one) > order(last) ? one : last));
  const up = table.up[`${event} ${by === "dealer" ? "D" : "A"} ${role}`] === "D" ? dealing : otherSide(dealing);
  next.levels = { [up]: table.top[next.levels[up]], [otherSide(up)]: table.first };
  if (up !== gaining) next.winner = null;
}

function flags(table, before, next, dealing, changes) {
  if (table.failed.length && changes && before.levels[dealing] === table.flag) {
    const [failures, level] = table.failed[Math.min(before.failures[dealing], table.failed.length - 1)];
    next.failures[dealing] = failures;
    if (level) next.levels[dealing] = level;
  }
  for (const side of ["NS", "EW"]) if (next.levels[side] !== table.flag) next.failures[side] = 0;
}
