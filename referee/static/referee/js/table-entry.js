// The entry form of two sides: parts appear when they are needed, the sum is shown at once and then as the server
// judges it. No rules here: figures of the profile are added up and looked up on the ruler.

import { rulerOf } from "./ruler.js";
import { HandForm } from "./table-form.js";

export function dressEntry(form, place) {
  return new Entry(form, place);
}

const sideOf = (seat) => (seat === "N" || seat === "S" ? "NS" : seat ? "EW" : "");
const against = (seat) => ({ NS: "EW", EW: "NS" })[sideOf(seat)] ?? "";

class Entry extends HandForm {
  constructor(form, place) {
    super(form, place);
    this.sums = JSON.parse(form.dataset.sums);
    this.levels = JSON.parse(form.dataset.levels);
    this.drawn = this.level();
    this.ruler = rulerOf(form.querySelector("[data-ruler]"));
    this.start();
  }

  // The level at which this hand counts: of the side that deals, whatever was chosen. It says whether there is a suit,
  // a kitty, a last trick.
  level() {
    return this.levels[sideOf(this.dealer())] || this.get("level");
  }

  // Who deals: as chosen; an attacker who declared; as due.
  dealer() {
    const due = this.form.dataset.due;
    const declarer = this.get("declared_by");
    const takesIt = declarer && sideOf(declarer) !== sideOf(due);
    return this.get("dealer") || (takesIt ? declarer : due);
  }

  atFlag() {
    return this.level() === this.sums.flag;
  }

  slide() {
    const points = this.number("captured_in_tricks");
    if (points !== null) this.form.querySelector("input[type=range]").value = points;
  }

  // Which parts are open

  show() {
    const dealer = this.dealer();
    for (const part of this.form.querySelectorAll("[data-dealer]")) part.hidden = part.dataset.dealer !== dealer;
    for (const part of this.form.querySelectorAll("[data-attackers]")) part.hidden = part.dataset.attackers !== against(dealer);
    const flag = this.atFlag();
    const dug = !flag && (this.sums.byCards || this.get("last_trick_winner") === "attackers");
    this.open("#f-trump", !this.sums.withoutSuit.includes(this.level()));
    this.open("#f-last_trick_winner", !flag);
    for (const part of this.form.querySelectorAll(".not-at-flag")) part.hidden = flag;
    this.open(".dig", dug);
    this.open(".led-more", this.get("led") === "more");
    this.open(".rebel", this.get("annulled_reason") === "rebellion");
    const hook = this.form.querySelector(".hook");
    if (hook) this.open(".hook", hook.dataset.levels.split(" ").includes(this.level()));
    let free = true;
    for (const row of this.form.querySelectorAll(".throw")) {
      row.hidden = !free;
      free = Boolean(row.querySelector("input:checked")?.value);
    }
    this.add();
  }

  // The sum at once, from figures the server put into the page.
  add() {
    const points = this.number("captured_in_tricks");
    const last = this.atFlag() ? [] : this.lastTrick();
    if (points === null || last === null) return this.forget();
    const words = this.sums.words;
    const fines = [
      [this.fine(), words.fine],
      [this.atFlag() ? 0 : this.darkBids(), words.dark],
    ];
    const signed = fines.filter(([amount]) => amount);
    const total = [...last, ...signed].reduce((sum, [amount]) => sum + amount, points);
    const parts = [words.points.replace("{n}", points), ...last.map(([, text]) => text).filter(Boolean)];
    for (const [amount, text] of signed) parts.push(`${amount > 0 ? "+" : "−"} ${text.replace("{n}", Math.abs(amount))}`);
    const sum = parts.length > 1 ? `${parts.join(" ")} = ${String(total).replace("-", "−")}` : parts[0];
    this.ruler.show(total);
    if (total % 5 === 0) this.say(sum, this.outcome(total));
  }

  // What the ruler says of a total; nothing where it is drawn for another level, where a play sets the levels, or
  // where it does not reach: the server says it.
  outcome(total) {
    if (total < this.ruler.low || total > this.ruler.high) return "";
    const special = !this.atFlag() && (this.get("red_fives_declared") || this.digs());
    const other = this.atFlag() !== (this.drawn === this.sums.flag);
    return special || other ? "" : this.ruler.outcome(total);
  }

  digs() {
    return this.get("last_trick_winner") === "attackers" && this.sums.specialDigs.includes(this.get("led"));
  }

  // What the last trick gives: [points, words] or nothing; null while it is not known.
  lastTrick() {
    const winner = this.get("last_trick_winner");
    if (!winner) return null;
    if (this.sums.byCards) return this.byCards(winner);
    if (winner === "dealer") return [];
    const factor = this.sums.factors[this.get("led")];
    const kitty = this.number("kitty_points");
    const category = this.get("winning_category");
    if (!factor || kitty === null || (this.sums.trumpOnly && !category)) return null;
    if (this.sums.trumpOnly && category === "side") return [];
    return [[kitty * factor, this.sums.words.kitty.replace("{n}", kitty).replace("{m}", factor)]];
  }

  byCards(winner) {
    const led = this.get("led") === "more" ? [1, 2, 3].map((row) => this.get(`led_${row}`)).filter(Boolean) : [this.get("led")];
    const cards = led.reduce((sum, code) => sum + (this.sums.factors[code] ?? NaN), 0);
    const points = this.number("last_trick_points");
    if (!cards || points === null) return null;
    const amount = winner === "attackers" ? points * cards : cards > 1 ? -points * cards : 0;
    const words = this.sums.words.last.replace("{n}", points).replace("{m}", cards);
    return amount ? [[amount, `${amount > 0 ? "+" : "−"} ${words}`]] : [];
  }

  fine() {
    return [...this.form.querySelectorAll(".throw")].reduce((sum, row) => {
      const side = row.querySelector("input:checked")?.value;
      const cards = (Number(row.querySelector("select").value) - this.sums.freeCards) * this.sums.fine;
      return sum + (side === "dealer" ? cards : side === "attackers" ? -cards : 0);
    }, 0);
  }

  darkBids() {
    if (!this.sums.darkBid) return 0;
    return this.sums.darkBid * (Number(this.get("dark_bids_dealer")) - Number(this.get("dark_bids_attackers")));
  }

  forget() {
    this.ruler.hide();
    super.forget();
  }

  say(sum, outcome) {
    const line = document.createElement("p");
    line.className = "sum";
    const then = document.createElement("em");
    then.textContent = `→ ${outcome}`;
    line.append(sum, ...(outcome ? [document.createElement("br"), then] : []));
    if (this.result.querySelector(".sum")?.textContent.trim().startsWith(sum) && this.result.dataset.shown === "judged") return;
    this.result.replaceChildren(line);
    this.result.dataset.shown = "added";
  }

  judged(seen) {
    super.judged(seen);
    if (seen.total !== null && seen.total !== undefined) {
      this.ruler.show(seen.total);
      this.ruler.say(seen.spoken);
    }
  }

  place(line, room) {
    const ruler = room.querySelector(".ruler-room");
    if (ruler) ruler.before(line);
    else super.place(line, room);
  }

  // The draft

  restore() {
    super.restore();
    this.slide();
  }

  reopen(kept) {
    super.reopen(kept);
    if (kept.get("dealer") || kept.get("level")) this.form.querySelector("#unexpected")?.setAttribute("open", "");
    for (const details of this.form.querySelectorAll(".acts details")) {
      const bids = [...details.querySelectorAll("[name^=dark_bids]")];
      if (bids.some((field) => field.value !== "0")) details.open = true;
    }
  }
}
