// The entry form: parts appear when they are needed, the draft stays in the phone, the sum is shown at once and then
// as the server judges it. No rules here: figures of the profile are added up and looked up on the ruler.

import { rulerOf } from "./ruler.js";

const PAUSE = 150;
const WHOLE = /^[−-]?\d{1,9}$/;

export function dressEntry(form, place) {
  return new Entry(form, place);
}

const sideOf = (seat) => (seat === "N" || seat === "S" ? "NS" : seat ? "EW" : "");
const against = (seat) => ({ NS: "EW", EW: "NS" })[sideOf(seat)] ?? "";

class Entry {
  constructor(form, place) {
    this.form = form;
    this.draft = `draft:${place.place}:${place.hand}`;
    this.sums = JSON.parse(form.dataset.sums);
    this.levels = JSON.parse(form.dataset.levels);
    this.drawn = this.level();
    this.ruler = rulerOf(form.querySelector("[data-ruler]"));
    this.result = document.getElementById("result");
    this.dirty = false;
    this.restore();
    form.addEventListener("input", () => this.changed());
    form.addEventListener("change", () => this.changed());
    this.slide();
    this.show();
    this.ask();
  }

  get(name) {
    return new FormData(this.form).get(name)?.toString().trim() ?? "";
  }

  number(name) {
    const text = this.get(name).replace("−", "-");
    return WHOLE.test(text) ? Number(text) : null;
  }

  // The level of this hand: as chosen, or of the side that deals; and whether it has a suit, a kitty, a last trick.

  level() {
    return this.get("level") || this.levels[sideOf(this.dealer())] || "";
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

  changed() {
    this.dirty = true;
    this.keep();
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  beforeSend() {
    clearTimeout(this.timer);
    this.round = (this.round ?? 0) + 1; // an answer on its way is for the form before
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

  open(selector, yes) {
    const part = this.form.querySelector(selector);
    if (part) part.hidden = !yes;
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
    if (this.result.dataset.shown) {
      const line = document.createElement("p");
      line.className = "small soft";
      line.textContent = this.result.dataset.empty;
      this.result.replaceChildren(line);
      delete this.result.dataset.shown;
    }
  }

  say(sum, outcome) {
    const line = document.createElement("p");
    line.className = "sum";
    const then = document.createElement("em");
    then.textContent = `→ ${outcome}`;
    line.append(sum, ...(outcome ? [document.createElement("br"), then] : []));
    if (this.result.querySelector(".sum")?.textContent.startsWith(sum) && this.result.dataset.shown === "judged") return;
    this.result.replaceChildren(line);
    this.result.dataset.shown = "added";
  }

  // The server's word: the same judging as when it is sent.
  async ask() {
    const round = (this.round = (this.round ?? 0) + 1);
    const annulled = this.get("annulled_reason");
    const trump = this.get("trump") || this.sums.withoutSuit.includes(this.level());
    const ready = trump && (this.get("last_trick_winner") || this.atFlag()) && this.get("captured_in_tricks");
    if (!ready && !annulled) return;
    const body = new URLSearchParams([...new FormData(this.form)]);
    body.set("kind", annulled && !ready ? "annulled" : "hand");
    const seen = await this.fetch(body);
    if (!seen || round !== this.round) return;
    if (annulled && !ready) {
      this.form.querySelector("#void-result").innerHTML = seen.html;
      return;
    }
    this.notice(seen.findings);
    if (!seen.html) return;
    this.result.innerHTML = seen.html;
    this.result.dataset.shown = "judged";
    if (seen.total !== null && seen.total !== undefined) {
      this.ruler.show(seen.total);
      this.ruler.say(seen.spoken);
    }
  }

  async fetch(body) {
    try {
      const answer = await fetch(this.form.dataset.preview, {
        method: "POST",
        body,
        headers: { Accept: "application/json", "X-CSRFToken": body.get("csrfmiddlewaretoken") },
        credentials: "same-origin",
      });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null; // offline: the sum made here stands
    }
  }

  // A value that cannot be right is said by its field as soon as the writer has left it; what is only missing is not.
  notice(findings) {
    const wrong = findings.filter((one) => one.blocking && this.filled(one.field));
    for (const old of this.form.querySelectorAll(".field-error.early")) old.remove();
    for (const one of wrong) this.complain(one, true);
  }

  filled(name) {
    const field = this.form.querySelector(`[name="${CSS.escape(name)}"]`);
    return field !== document.activeElement && field?.type !== "radio" && this.get(name) !== "";
  }

  // Refused: every finding by its field, the focus on the first. True when one of them has a field here.
  mark(findings) {
    for (const old of this.form.querySelectorAll(".field-error")) old.remove();
    for (const old of this.form.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
    const fields = findings.map((one) => this.complain(one, false)).filter(Boolean);
    const order = [...this.form.elements];
    fields.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    for (let part = fields[0]?.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    fields[0]?.focus();
    return fields.length > 0;
  }

  complain(finding, early) {
    const field = this.form.querySelector(`[name="${CSS.escape(finding.field)}"]:not([type=hidden])`);
    const room = document.getElementById(`f-${finding.field}`) ?? field?.closest("fieldset, div");
    if (!room) return null;
    const line = document.createElement("p");
    line.className = early ? "field-error early" : "field-error";
    line.id = `${finding.field}-error`;
    line.textContent = finding.message;
    const ruler = room.querySelector(".ruler-room");
    if (ruler) ruler.before(line);
    else room.append(line);
    field?.setAttribute("aria-invalid", "true");
    field?.setAttribute("aria-describedby", line.id);
    return field;
  }

  // The draft

  keep() {
    const values = [...new FormData(this.form)].filter(([name]) => !["csrfmiddlewaretoken", "key", "hand_no"].includes(name));
    try {
      localStorage.setItem(this.draft, JSON.stringify(values));
    } catch {
      // Storage may be forbidden: the open page still holds what was typed.
    }
  }

  restore() {
    let values;
    try {
      values = JSON.parse(localStorage.getItem(this.draft) ?? "null");
    } catch {
      return;
    }
    if (!values) return;
    const kept = new Map(values);
    for (const field of this.form.elements) {
      if (!field.name || field.type === "hidden" || !["INPUT", "SELECT"].includes(field.tagName)) continue;
      if (field.type === "radio") field.checked = kept.get(field.name) === field.value;
      else if (field.type === "checkbox") field.checked = kept.has(field.name);
      else if (kept.has(field.name)) field.value = kept.get(field.name);
    }
    if (kept.get("dealer") || kept.get("level")) this.form.querySelector("#unexpected")?.setAttribute("open", "");
    for (const details of this.form.querySelectorAll(".acts details")) {
      const chosen = "input[type=radio]:checked:not([value=''])";
      const bids = [...details.querySelectorAll("[name^=dark_bids]")].some((field) => field.value !== "0");
      if (details.querySelector(chosen) || bids) details.open = true;
    }
    this.dirty = true;
  }
}
