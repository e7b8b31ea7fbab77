// Without network at all: who has entered a hand shows it as a code that the phone signed; the phone of the other side,
// of single players that of anybody else at the table, scans it, shows the figures in its own form, and signs them too.
// A referee scans what both signed; when the network comes back, the phones send the same, and it counts once.

import { drawing } from "./qr.js";
import { agree, claim, isGenuine, keepPhone, phoneAt, read } from "./result-code.js";
import { canScan, scanned } from "./scan.js";

const byId = (name) => document.getElementById(name);

const saysVoid = (code) => code.fields.some(([name, value]) => name === "kind" && value === "annulled");

export class ResultCodes {
  // `table`: {view, outbox, entry (the form now open), offline, lock}
  constructor(table) {
    this.table = table;
    this.room = byId("result-code");
    this.box = byId("code-box");
    this.words = this.room.dataset;
  }

  async start() {
    const { me, sitting } = this.words;
    this.phone = await phoneAt(me, sitting);
    await this.enrol();
    byId("code-scan").addEventListener("click", () => this.scan());
    byId("code-read").addEventListener("click", () => this.take(byId("code-text").value));
    this.box.addEventListener("close", () => this.scanning?.abort());
    document.addEventListener("click", (event) => {
      if (event.target.closest("#code-show")) this.showAll();
      if (event.target.closest("#code-agree")) this.agree();
      if (event.target.closest("#code-no")) this.leave();
    });
    document.addEventListener("live:changed", () => this.enrol());
    addEventListener("hashchange", () => this.fromAddress());
    this.update();
    this.fromAddress();
  }

  // The server learns the public key while there is a network, and this phone those of the others at the table.
  async enrol() {
    const now = this.told("keys");
    const { me, publicKey } = this.phone;
    if (now[me] && now[me] !== publicKey) this.phone.useless = true;
    if (now[me] === publicKey) this.phone.enrolled = true;
    if (!this.phone.enrolled && !this.phone.useless && navigator.onLine) {
      const body = new URLSearchParams({ public_key: publicKey });
      const headers = { Accept: "application/json", "X-CSRFToken": this.table.outbox.token() };
      const answer = await fetch(this.words.enrol, { method: "POST", body, headers }).catch(() => null);
      if (answer?.ok) this.phone.enrolled = true;
    }
    Object.assign(this.phone.keys, now);
    await keepPhone(this.phone);
  }

  // What the page was last told of the phones here: their keys, or whose they are.
  told(what) {
    return JSON.parse(document.querySelector("#pulse [data-keys]")?.dataset[what] ?? "{}");
  }

  get ready() {
    return this.phone?.enrolled && !this.phone.useless;
  }

  // Which keys are there: to scan while this side enters without network, to show what waits in this phone.
  update() {
    const { view, outbox, offline } = this.table;
    const waits = outbox.jobs.some((job) => job.hand);
    this.room.hidden = !(this.ready && offline() && view.dataset.kind === "enter" && !this.agreeing);
    byId("code-scan").hidden = waits && !view.dataset.ahead;
    byId("code-waits").hidden = !waits;
    byId("code-none").hidden = waits;
    byId("code-show").hidden = !waits;
  }

  open(part) {
    for (const one of this.box.querySelectorAll("[data-part]")) one.hidden = one.dataset.part !== part;
    if (!this.box.open) this.box.showModal();
  }

  // What waits in this phone, each hand as its code.
  async showAll() {
    const { outbox } = this.table;
    const codes = [];
    for (const job of outbox.jobs.filter((one) => one.hand)) {
      job.code ??= await claim(this.phone, job);
      codes.push([job.hand, job.code]);
    }
    outbox.write();
    const list = byId("code-list");
    list.replaceChildren(...codes.map(([hand, code]) => this.shown(hand, code)));
    this.open("show");
  }

  shown(hand, code) {
    const { words } = this;
    const both = Boolean(read(code).agreedBy);
    const part = byId("code-one").content.cloneNode(true).firstElementChild;
    const name = words.hand.replace("{n}", hand);
    part.querySelector("h3").textContent = name;
    part.querySelector("p").textContent = both ? words.both : words.half;
    const address = `${location.origin}/code/${words.event}/#${code}`;
    part.querySelector(".qr").append(drawing(new TextEncoder().encode(address), `${words.code}: ${name}`));
    part.querySelector("textarea").value = code;
    part.querySelector("button").addEventListener("click", () => navigator.clipboard.writeText(code));
    return part;
  }

  async scan() {
    byId("code-text").value = "";
    this.say("");
    this.open("scan");
    const camera = await canScan();
    byId("code-camera").hidden = camera;
    if (!camera) return;
    this.scanning = new AbortController();
    const text = await scanned(byId("code-video"), this.scanning.signal);
    if (text) this.take(text);
  }

  fromAddress() {
    const text = location.hash.slice(1);
    if (!text || !read(text)) return;
    history.replaceState(null, "", location.pathname + location.search);
    this.take(text);
  }

  say(words) {
    byId("code-wrong").textContent = words;
    byId("code-wrong").hidden = !words;
  }

  refuse(words) {
    this.open("scan");
    this.say(words);
  }

  // What was scanned: looked at, then shown in the form of this page.
  async take(text) {
    const { words } = this;
    const { view, entry } = this.table;
    const code = read(text);
    this.scanning?.abort();
    if (!code) return this.refuse(words.unreadable);
    if (!this.ready) return this.refuse(words.noKey);
    if (code.sitting !== Number(words.sitting)) return this.refuse(words.otherTable);
    if (code.claimedBy === this.phone.me || code.agreedBy) return this.refuse(words.ownCode);
    const waits = this.table.outbox.jobs.some((job) => Number(job.hand) === code.hand);
    if (view.dataset.kind !== "enter" || Number(view.dataset.hand) !== code.hand || waits)
      return this.refuse(words.otherHand.replace("{n}", code.hand));
    const key = this.phone.keys[code.claimedBy];
    if (key && !(await isGenuine(key, code))) return this.refuse(words.notGenuine);
    this.before = entry().values();
    entry().fill(code.fields);
    if (entry().level() !== (code.fields.find(([name]) => name === "at_level")?.[1] ?? "")) {
      entry().fill(this.before);
      return this.refuse(words.otherLevel);
    }
    this.agreeing = code;
    this.box.close();
    this.dress(true);
    this.name(code);
    byId("code-unchecked").hidden = Boolean(key);
    byId("code-theirs").scrollIntoView({ block: "center" });
  }

  // Who claims what. The form may hold figures of a hand that is claimed to be void: they give nothing then.
  name(code) {
    const who = byId("code-who");
    const { claims, voids, somebody } = who.dataset;
    const isVoid = saysVoid(code);
    who.textContent = (isVoid ? voids : claims).replace("{name}", () => this.told("names")[code.claimedBy] ?? somebody);
    const result = byId("result");
    result.hidden ||= isVoid || !result.dataset.shown;
  }

  // While what another phone claims is looked at, the form rests, and the keys below agree or turn it down.
  dress(on) {
    const { view, entry } = this.table;
    entry().form.inert = on;
    byId("code-theirs").hidden = !on;
    byId("code-answer")?.remove();
    if (on) view.querySelector(".dock").append(byId("code-keys").content.cloneNode(true));
    view.querySelector(".dock .btn.go[form=hand]").hidden = on;
    this.update();
  }

  leave() {
    this.agreeing = null;
    this.table.entry().fill(this.before);
    this.dress(false);
  }

  async agree() {
    const { view, outbox, entry } = this.table;
    const code = await agree(this.phone, this.agreeing.text);
    const next = saysVoid(this.agreeing) ? null : (entry().following?.() ?? null);
    this.agreeing = null;
    this.dress(false);
    entry().beforeSend();
    outbox.put({ address: this.words.agreed, fields: [["code", code]], hand: view.dataset.hand, next, began: null, code });
    if (this.table.offline()) this.showAll();
  }
}
