// What every form of a hand does: the draft stays in the phone, the phone itself names what is missing, the server
// judges while the form is filled in, findings stand by their fields. No rules here.

import { missing, whole, wrong } from "./table-required.js";

const PAUSE = 150;

export class HandForm {
  constructor(form, place) {
    this.form = form;
    this.draft = `draft:${place.place}:${place.hand}`;
    this.data = JSON.parse(document.getElementById("form-data").textContent);
    this.required = this.data.required;
    this.bounds = this.data.bounds;
    this.result = document.getElementById("result");
    this.hint = this.result.innerHTML;
    this.line = document.getElementById("missing");
    this.go = document.querySelector(".dock .btn.go");
    this.dirty = false;
    this.told = false;
  }

  // Called by each kind of form once it has read what the page was drawn with: the draft may change that.
  start() {
    this.restore();
    this.form.addEventListener("input", (event) => this.changed(event));
    this.form.addEventListener("change", (event) => this.changed(event));
    this.show();
    this.count();
    this.tell();
    this.ask();
  }

  get(name) {
    return new FormData(this.form).get(name)?.toString().trim() ?? "";
  }

  number(name) {
    return whole(this.get(name));
  }

  changed() {
    this.dirty = true;
    this.round = (this.round ?? 0) + 1; // an answer on its way is about other figures
    this.keep();
    this.show();
    this.count();
    this.tell();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  beforeSend() {
    clearTimeout(this.timer);
    this.round = (this.round ?? 0) + 1; // an answer on its way is for the form before
  }

  // What is still to be filled in of what would be sent: "hand" or "annulled".
  missing(kind) {
    return missing(this.required, this.reader(kind));
  }

  // The numbers of it that cannot be right, whatever else is filled in.
  wrong(kind) {
    return wrong(this.bounds, this.reader(kind));
  }

  reader(kind) {
    const typed = new FormData(this.form);
    const known = { kind, level: this.level() };
    return (name) => known[name] ?? typed.get(name)?.toString().trim() ?? "";
  }

  level() {
    return this.get("level");
  }

  // Refuses, network or none, what says too little or cannot be right: names it, moves to the first. True when it did.
  refuses(kind) {
    const rows = [...this.missing(kind), ...this.wrong(kind)];
    if (!rows.length) return false;
    this.told = kind === "hand";
    this.tell();
    this.mark(rows.map((row) => ({ field: row.at, message: row.say })));
    for (const { at, say } of rows) {
      const lines = [...this.form.querySelectorAll(`[id="${at}-error"]`)];
      lines.filter((line) => line.textContent === say).forEach((line) => (line.dataset.missing = say));
    }
    this.ask(); // what only the server knows to be wrong is said as well, where there is a network
    return true;
  }

  // The line of what is missing, in the place of the result; once the form was refused for it, the key says it too. What
  // cannot be right is said by the key and the line only then: the writer may not have come to the end of a number.
  tell() {
    const empty = this.missing("hand");
    const bad = this.wrong("hand");
    this.told &&= empty.length + bad.length > 0;
    // told of several, it names what the page leads to first, and what is of its kind
    const first = this.inOrder([...empty, ...bad], (row) => row.at)[0];
    const rows = !this.told || empty.includes(first) ? empty : bad;
    const words = [...new Set(this.inOrder(rows, (row) => row.at).map((row) => row.word))];
    const { still, told, wrong, between, fill, mend } = this.line.dataset;
    const [line, key] = rows === empty ? [told, fill] : [wrong, mend];
    this.line.textContent = (this.told ? line : still).replace("{what}", words.join(between));
    const begun = this.dirty && !this.get("annulled_reason"); // a hand that is void has nothing else to say
    this.line.hidden = !rows.length || !(begun || this.told);
    this.line.classList.toggle("wrong", this.told);
    const says = [...empty, ...bad].map((row) => row.say);
    for (const said of this.form.querySelectorAll("[data-missing]")) if (!says.includes(said.dataset.missing)) said.remove();
    if (rows.length && this.result.dataset.shown === "judged") this.forget();
    this.result.hidden = !this.line.hidden && !this.result.dataset.shown;
    this.go.dataset.send ??= this.go.innerHTML;
    if (this.told) this.go.textContent = key.replace("{what}", words[0]);
    else if (this.go.innerHTML !== this.go.dataset.send) this.go.innerHTML = this.go.dataset.send;
    this.go.dataset.words = this.go.innerHTML;
  }

  // Nothing is known of the hand any more.
  forget() {
    if (!this.result.dataset.shown) return;
    this.result.innerHTML = this.hint;
    delete this.result.dataset.shown;
  }

  // A part that is folded away says what was entered in it: opening one folds the others.
  count() {
    for (const part of this.form.querySelectorAll(".acts > details:has(.entered)")) {
      const chosen = (room) => Boolean(room.querySelector("input[type=radio]:checked:not([value=''])"));
      const throws = [...part.querySelectorAll(".throw")].filter(chosen).length;
      const bids = [...part.querySelectorAll("[name^=dark_bids]")].reduce((sum, field) => sum + Number(field.value), 0);
      const sign = part.querySelector(".entered");
      sign.hidden = !(throws || bids || chosen(part) || part.querySelector("#level")?.value);
      sign.querySelector("b").textContent = throws || bids || "";
    }
  }

  open(selector, yes) {
    const part = this.form.querySelector(selector);
    if (!part) return;
    const opens = yes && part.hidden;
    part.hidden = !yes;
    if (opens && this.dirty) this.reveal(part);
  }

  // The server's word: the same judging as when it is sent.
  async ask() {
    const round = (this.round = (this.round ?? 0) + 1);
    const annulled = this.get("annulled_reason");
    const ready = !this.missing("hand").length;
    if (!ready && !annulled && !this.told) return;
    const body = new URLSearchParams([...new FormData(this.form)]);
    body.set("kind", annulled && !ready ? "annulled" : "hand");
    const seen = await this.fetch(body);
    if (!seen || round !== this.round) return;
    if (annulled && !ready) {
      this.form.querySelector("#void-result").innerHTML = seen.html;
      return;
    }
    this.notice(seen.findings);
    if (ready && seen.html.trim()) this.judged(seen);
  }

  judged(seen) {
    this.result.innerHTML = seen.html;
    this.result.dataset.shown = "judged";
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
      return null; // offline: what the phone shows by itself stands
    }
  }

  // A value that cannot be right is said by its field as soon as the writer has left it; what is only missing is not.
  notice(findings) {
    const wrong = findings.filter((one) => one.blocking && this.filled(one.field));
    for (const old of this.form.querySelectorAll(".field-error.early")) old.remove();
    for (const one of wrong) if (!this.says(one)) this.complain(one, true);
  }

  // Whether the phone has said it by itself.
  says({ message }) {
    return [...this.form.querySelectorAll("[data-missing]")].some((line) => line.dataset.missing === message);
  }

  filled(name) {
    const field = this.form.querySelector(`[name="${CSS.escape(name)}"]`);
    return field && field !== document.activeElement && field.type !== "radio" && this.get(name) !== "";
  }

  // Refused: every finding by its field, the focus on the first. True when one of them has a field here.
  mark(findings) {
    for (const old of this.form.querySelectorAll(".field-error")) old.remove();
    for (const old of this.form.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
    const fields = this.inOrder(findings, (one) => one.field).map((one) => this.complain(one, false)).filter(Boolean);
    for (let part = fields[0]?.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    fields[0]?.focus({ preventScroll: true });
    if (fields[0]) this.reveal(this.roomOf(fields[0].name) ?? fields[0]);
    return fields.length > 0;
  }

  // What is found wrong, from the head of the page down; what has no field of its own comes last.
  inOrder(found, nameOf) {
    const all = [...this.form.elements];
    const place = (one) => all.indexOf(this.fieldOf(nameOf(one)) ?? this.roomOf(nameOf(one))?.querySelector("[name]"));
    const last = (at) => (at < 0 ? all.length : at);
    return [...found].sort((a, b) => last(place(a)) - last(place(b)));
  }

  fieldOf(name) {
    return this.form.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`);
  }

  complain(finding, early) {
    const field = this.fieldOf(finding.field);
    const room = this.roomOf(finding.field) ?? field?.closest("fieldset, div");
    if (!room) return null;
    const line = document.createElement("p");
    line.className = early ? "field-error early" : "field-error";
    line.id = `${finding.field}-error`;
    line.textContent = finding.message;
    this.place(line, room);
    field?.setAttribute("aria-invalid", "true");
    field?.setAttribute("aria-describedby", line.id);
    return field;
  }

  roomOf(name) {
    return document.getElementById(`f-${name}`);
  }

  // The page brings a part of the form into sight, whole and not behind a bar.
  reveal(part) {
    part.dispatchEvent(new CustomEvent("form:shown", { bubbles: true }));
  }

  place(line, room) {
    room.append(line);
  }

  // The draft

  keep() {
    try {
      localStorage.setItem(this.draft, JSON.stringify(this.values()));
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
    this.write(values);
    this.dirty = true;
  }

  // What is typed, as pairs of name and value.
  values() {
    return [...new FormData(this.form)].filter(([name]) => !["csrfmiddlewaretoken", "key", "hand_no"].includes(name));
  }

  write(values) {
    const kept = new Map(values);
    for (const field of this.form.elements) {
      if (!field.name || field.type === "hidden" || !["INPUT", "SELECT"].includes(field.tagName)) continue;
      if (field.type === "radio") field.checked = (kept.get(field.name) ?? "") === field.value;
      else if (field.type === "checkbox") field.checked = kept.has(field.name);
      else if (kept.has(field.name)) field.value = kept.get(field.name);
      else if (field.tagName === "INPUT") field.value = "";
    }
    this.reopen(kept);
  }

  // The form says this now, as if it had been typed.
  fill(values) {
    this.write(values);
    this.changed();
  }

  // What the draft has chosen is seen.
  reopen() {
    for (const details of this.form.querySelectorAll(".acts details")) {
      if (details.querySelector("input[type=radio]:checked:not([value=''])")) details.open = true;
    }
  }
}
