// The entry form of two sides: parts appear when they are needed, the sum is shown at once and then as the server
// judges it. No rules here: figures of the profile are added up and looked up on the ruler.

import { rulerOf } from "./ruler.js";
import { after, otherSide, partsOf, sideOf } from "./table-arithmetic.js";
import { HandForm } from "./table-form.js";

export function dressEntry(form, place) {
  return new Entry(form, place);
}

const against = (seat) => otherSide(sideOf(seat));
const tables = new Map();

// The table of the rules, asked for once; null while it is not there.
function tableAt(address, then) {
  if (!address) return null;
  if (!tables.has(address)) {
    tables.set(address, null);
    fetch(address)
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((table) => (table ? (tables.set(address, table), then()) : tables.delete(address)))
      .catch(() => tables.delete(address));
  }
  return tables.get(address);
}

// The form of the hand after those that wait, as this phone expects it: {levels, failures, hooked, dealer} before it. The
// server has not seen it; when it comes to that hand, the figures go out if it began as expected, or stay a draft.
export function drawAhead(view, old, hand, next) {
  const form = old.form.cloneNode(true);
  const words = old.sums.words;
  const { levels, failures, hooked, dealer } = next;
  Object.assign(view.dataset, { ahead: "yes", hand, view: "ahead" });
  // what nobody knew of the hand before is known of this one
  const contested = form.querySelector("#f-dealer:not(#unexpected *)");
  contested?.replaceWith(document.getElementById("due-deal").content.cloneNode(true));
  form.querySelector("#unexpected").open = false;
  const before = JSON.stringify({ levels, failures, hooked });
  Object.assign(form.dataset, { before, levels: JSON.stringify(levels), due: dealer, drawn: old.drawn });
  for (const field of form.elements) {
    if (field.type === "radio") field.checked = field.value === "";
    else if (field.type === "checkbox") field.checked = false;
    else if (field.tagName === "SELECT") field.selectedIndex = 0;
    else if (["text", "number"].includes(field.type)) field.value = "";
  }
  form.querySelector("[name=hand_no]").value = hand;
  for (const line of form.querySelectorAll(".this-hand [data-dealer]")) {
    const seat = line.dataset.dealer;
    line.querySelector("b").textContent = words.deals.replace("{seat}", words[seat]).replace("{level}", levels[sideOf(seat)]);
  }
  for (const mark of form.querySelectorAll("[data-due-seat]")) mark.hidden = mark.dataset.dueSeat !== dealer;
  for (const line of form.querySelectorAll(".field-error")) line.remove();
  old.form.replaceWith(form);
  old.result.innerHTML = old.hint;
  delete old.result.dataset.shown;
  const sides = view.dataset.place.endsWith("NS") ? ["NS", "EW"] : ["EW", "NS"];
  view.querySelectorAll(".sides .level").forEach((mark, at) => (mark.textContent = levels[sides[at]]));
  for (const line of view.querySelectorAll(".sides small.soft")) line.textContent = line.textContent.split("·")[0].trim();
  for (const name of view.querySelectorAll(".entry > .fields > .notice:not(.wait)")) name.remove();
  const name = words.hand.replace("{n}", hand);
  for (const head of [document.querySelector(".topbar .name b"), view.querySelector("h1")]) head.textContent = name;
}

class Entry extends HandForm {
  constructor(form, place) {
    super(form, place);
    this.sums = this.data.sums;
    this.levels = JSON.parse(form.dataset.levels);
    this.before = JSON.parse(form.dataset.before);
    this.drawn = form.dataset.drawn ?? this.level();
    this.ruler = rulerOf(form.querySelector("[data-ruler]"));
    this.start();
    // where no worker keeps it, it has to be here before the network goes
    if (!("serviceWorker" in navigator)) this.table();
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

  reader(kind) {
    const typed = super.reader(kind);
    return (name) => (name === "dealer" ? this.dealer() : typed(name));
  }

  // Whether the dealer set what takes the deal: then neither the ruler nor the table of the rules says what the hand gives.
  ownLine() {
    return this.sums.lined || this.get("line") !== "";
  }

  atFlag() {
    return this.level() === this.sums.flag;
  }

  slide() {
    const slider = this.form.querySelector("input[type=range]");
    slider.value = this.number("captured_in_tricks") ?? slider.defaultValue;
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
    for (const room of this.form.querySelectorAll(".ruler-room")) room.hidden = this.ownLine();
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
    const parts = partsOf(this.sums, (name) => this.get(name), this.throws(), this.atFlag());
    if (!parts) return this.forget();
    const { words, byCards } = this.sums;
    const { points, last, fine, dark, total } = parts;
    const said = [words.points.replace("{n}", points)];
    if (last.length) {
      const [amount, factor, figure] = last;
      const of = (byCards ? words.last : words.kitty).replace("{n}", figure).replace("{m}", factor);
      said.push(byCards ? `${amount > 0 ? "+" : "−"} ${of}` : of);
    }
    for (const [amount, text] of [[fine, words.fine], [dark, words.dark]])
      if (amount) said.push(`${amount > 0 ? "+" : "−"} ${text.replace("{n}", Math.abs(amount))}`);
    const sum = said.length > 1 ? `${said.join(" ")} = ${String(total).replace("-", "−")}` : said[0];
    this.ruler.show(total);
    if (total % 5 === 0) this.say(sum, this.outcome(total), this.then(total));
  }

  throws() {
    return [...this.form.querySelectorAll(".throw")].map((row) => [
      row.querySelector("input:checked")?.value ?? "",
      row.querySelector("select").value,
    ]);
  }

  table() {
    return tableAt(this.form.dataset.steps, () => this.form.isConnected && this.add());
  }

  // What the table of the rules says of a total: the state after the hand. Null: the server says it.
  next(total) {
    const table = this.table();
    const chosen = this.get("level"); // another level was played than was due: how it counts is no question of a phone
    if (!table || chosen || !this.dealer() || this.ownLine()) return null;
    const specials = [
      ["red_fives_declared", this.atFlag() ? "" : this.get("red_fives_declared")],
      [this.get("led"), this.digs() && !this.atFlag() ? "attackers" : ""],
    ];
    const dug = !this.atFlag() && this.get("last_trick_winner") === "attackers";
    return after(table, this.before, {
      dealer: this.dealer(),
      total,
      hook: dug && Boolean(this.get("hook_card")),
      specials: specials.filter(([, by]) => by),
    });
  }

  // Where the next hand begins if this one is right; null where the phone cannot know, or nothing comes after it.
  following() {
    const parts = partsOf(this.sums, (name) => this.get(name), this.throws(), this.atFlag());
    const next = parts && this.next(parts.total);
    return next && !next.winner ? next : null;
  }

  // That in words.
  then(total) {
    const next = this.next(total);
    const words = this.sums.words;
    if (!next) return "";
    const moved = ["NS", "EW"].filter((side) => next.levels[side] !== this.before.levels[side]);
    const moves = moved.map((side) => `${words[side]} ${this.before.levels[side]} → ${next.levels[side]}`);
    if (next.winner) moves.push(words.won.replace("{side}", words[next.winner]));
    const deals = words.deals.replace("{seat}", words[next.dealer]).replace("{level}", next.levels[sideOf(next.dealer)]);
    if (!next.winner) moves.push(deals);
    return words.then.replace("{what}", moves.join(words.between));
  }

  // What the ruler says of a total; nothing where it is drawn for another level, where a play sets the levels, or
  // where it does not reach: the server says it.
  outcome(total) {
    if (total < this.ruler.low || total > this.ruler.high) return "";
    const special = !this.atFlag() && (this.get("red_fives_declared") || this.digs());
    const other = this.atFlag() !== (this.drawn === this.sums.flag);
    return special || other || this.ownLine() ? "" : this.ruler.outcome(total);
  }

  digs() {
    return this.get("last_trick_winner") === "attackers" && this.sums.specialDigs.includes(this.get("led"));
  }

  forget() {
    this.ruler.hide();
    super.forget();
  }

  say(sum, outcome, levels) {
    const line = document.createElement("p");
    line.className = "sum";
    const then = document.createElement("em");
    then.textContent = `→ ${outcome}`;
    line.append(sum, ...(outcome ? [document.createElement("br"), then] : []));
    if (this.result.querySelector(".sum")?.textContent.trim().startsWith(sum) && this.result.dataset.shown === "judged") return;
    const preview = document.createElement("p");
    preview.className = "small preview";
    preview.textContent = levels;
    this.result.replaceChildren(line, ...(levels ? [preview] : []));
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

  fill(values) {
    super.fill(values);
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
