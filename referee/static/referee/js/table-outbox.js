// What this phone has not been able to send yet. Each act has a key made when it was tapped: sent twice, it is one act.
// It is kept until the server has answered, also over a reload or when the side's code is scanned again (it is kept
// by sitting and side); nothing is called saved before. No answer, and an answer that the outcome is not known (503),
// are neither yes nor no: the same act goes out again with the same key. Phones that were all told the same wait come
// back apart: each waits up to a quarter longer.

import { keepPromise } from "./receipts.js";

const AGAIN = 5; // seconds, where the server names no other time
const SLOWER = 10;
const LONGEST = 300;
const PATIENCE = 10000;
const APART = 0.25;

// The seconds after which the server wants to be asked again; undefined where it names none.
function retryAfter(answer) {
  const said = answer.headers.get("Retry-After");
  const seconds = /^\d+$/.test(said ?? "") ? Number(said) : Math.ceil((Date.parse(said ?? "") - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), LONGEST) : undefined;
}

function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  // Plain http is no secure context: no randomUUID there, but random bytes.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A place claimed anew has another address than the one the act was tapped at.
function hereNow(address) {
  const [place] = location.pathname.match(/^.*\/table\/[^/]+\//) ?? [];
  return place ? address.replace(/^.*\/table\/[^/]+\//, place) : address;
}

export class Outbox {
  constructor(place, hooks) {
    this.name = `outbox:${place}`;
    this.hooks = hooks;
    this.state = "idle"; // sending, offline, unknown, server, fast: what came of the last try
    this.wait = 0; // seconds from that try to the next
    this.notBefore = 0;
    this.jobs = this.read();
  }

  get size() {
    return this.jobs.length;
  }

  get hands() {
    return this.jobs.map((job) => job.hand).filter(Boolean);
  }

  // The first act waits for what the table does, not for the network.
  get rests() {
    return this.state === "rests";
  }

  get minutes() {
    return this.size ? Math.floor((Date.now() - this.jobs[0].at) / 60000) : 0;
  }

  start() {
    this.hooks.changed();
    this.flush();
  }

  put(job) {
    navigator.storage?.persist?.();
    this.jobs.push({ ...job, key: newKey(), at: Date.now(), time: new Date().toISOString() });
    this.write();
    this.flush();
  }

  // One at a time, in order; a failure keeps everything and tries again.
  async flush() {
    if (this.sending) return;
    clearTimeout(this.timer);
    if (!this.size) return this.hooks.changed();
    const may = this.hooks.mayGo(this.jobs[0]);
    if (may === "drop") {
      this.state = "idle";
      this.hooks.dropped(this.take());
      return this.flush();
    }
    if (may === "rest") {
      this.state = "rests";
      return this.hooks.changed();
    }
    const early = this.notBefore - Date.now();
    if (early > 0) return void (this.timer = setTimeout(() => this.flush(), early));
    this.sending = true;
    if (this.state !== "offline") this.state = "sending";
    this.hooks.changed();
    const job = this.jobs[0];
    this.wait = await this.post(job);
    this.sending = false;
    if (this.wait) this.timer = setTimeout(() => this.flush(), this.wait * 1000 * (1 + APART * Math.random()));
    this.hooks.changed();
    if (!this.wait && this.size) this.flush();
  }

  // How many seconds to wait before the next try; 0 when this job is answered.
  async post(job) {
    const body = new URLSearchParams(job.fields);
    body.set("key", job.key);
    body.set("device_time", job.time);
    const patience = new AbortController();
    const late = setTimeout(() => patience.abort(), PATIENCE);
    let answer;
    try {
      answer = await fetch(hereNow(job.address), {
        method: "POST",
        body,
        headers: { Accept: "application/json", "X-CSRFToken": this.token() },
        credentials: "same-origin",
        signal: patience.signal,
      });
    } catch {
      this.state = navigator.onLine ? "unknown" : "offline"; // it may have arrived all the same
      return AGAIN;
    } finally {
      clearTimeout(late);
    }
    if (answer.status === 429) {
      this.state = "fast";
      return this.later(answer, SLOWER);
    }
    const words = await answer.json().catch(() => null);
    if (answer.status >= 500 || words === null) {
      this.state = words?.code === "outcome_unknown" ? "unknown" : "server";
      if (answer.status === 403) await this.newToken();
      return this.later(answer, AGAIN);
    }
    this.state = "idle";
    this.take();
    if (answer.ok) keepPromise(words.promise);
    if (answer.ok) await this.hooks.done(job, words);
    else this.hooks.refused(job, words);
    return 0;
  }

  take() {
    const job = this.jobs.shift();
    this.write();
    return job;
  }

  // The seconds the server asks for, before which nothing makes this phone try; else as many as `usual`.
  later(answer, usual) {
    const asked = retryAfter(answer);
    if (asked) this.notBefore = Date.now() + asked * 1000;
    return asked ?? usual;
  }

  // The page's token may be older than the browser's cookie: take the one of a fresh page. No page: the place is lost.
  async newToken() {
    try {
      const answer = await fetch(location.href);
      if (answer.status === 404) return this.hooks.lost();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[name=csrfmiddlewaretoken]")?.value;
      if (fresh) this.token = () => fresh;
    } catch {
      // No network: the next try asks again.
    }
  }

  read() {
    try {
      return JSON.parse(localStorage.getItem(this.name) ?? "[]");
    } catch {
      return [];
    }
  }

  write() {
    try {
      if (this.size) localStorage.setItem(this.name, JSON.stringify(this.jobs));
      else localStorage.removeItem(this.name);
    } catch {
      // Storage may be full or forbidden: the open page still holds it.
    }
  }
}
