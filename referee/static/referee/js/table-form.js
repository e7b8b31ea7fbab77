// What every form of a hand does: the draft stays in the phone, the server judges while it is filled in, findings stand
// by their fields. No rules here.

const PAUSE = 150;

export class HandForm {
  constructor(form, place) {
    this.form = form;
    this.draft = `draft:${place.place}:${place.hand}`;
    this.result = document.getElementById("result");
    this.dirty = false;
  }

  // Called by each kind of form once it has read what the page was drawn with: the draft may change that.
  start() {
    this.restore();
    this.form.addEventListener("input", (event) => this.changed(event));
    this.form.addEventListener("change", (event) => this.changed(event));
    this.show();
    this.ask();
  }

  get(name) {
    return new FormData(this.form).get(name)?.toString().trim() ?? "";
  }

  number(name) {
    const text = this.get(name).replace("−", "-");
    return /^-?\d{1,9}$/.test(text) ? Number(text) : null;
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

  open(selector, yes) {
    const part = this.form.querySelector(selector);
    if (part) part.hidden = !yes;
  }

  // The server's word: the same judging as when it is sent.
  async ask() {
    const round = (this.round = (this.round ?? 0) + 1);
    const annulled = this.get("annulled_reason");
    const ready = this.ready();
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
    if (seen.html.trim()) this.judged(seen);
  }

  judged(seen) {
    this.result.innerHTML = seen.html;
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
    for (const one of wrong) this.complain(one, true);
  }

  filled(name) {
    const field = this.form.querySelector(`[name="${CSS.escape(name)}"]`);
    return field && field !== document.activeElement && field.type !== "radio" && this.get(name) !== "";
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
    this.place(line, room);
    field?.setAttribute("aria-invalid", "true");
    field?.setAttribute("aria-describedby", line.id);
    return field;
  }

  place(line, room) {
    room.append(line);
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
    this.reopen(kept);
    this.dirty = true;
  }

  // What the draft has chosen is seen.
  reopen() {
    for (const details of this.form.querySelectorAll(".acts details")) {
      if (details.querySelector("input[type=radio]:checked:not([value=''])")) details.open = true;
    }
  }
}
