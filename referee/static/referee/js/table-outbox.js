// What this phone has not been able to send yet. Each act has a key made when it was tapped: sent twice, it is one act.
// It is kept until the server has answered, also over a reload or when the side's code is scanned again (it is kept
// by sitting and side); nothing is called saved before.

const AGAIN = 5000;
const SLOWER = 10000;
const PATIENCE = 10000;

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
    this.state = "idle";
    this.jobs = this.read();
  }

  get size() {
    return this.jobs.length;
  }

  get hand() {
    return this.jobs[0]?.hand ?? null;
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
    this.sending = true;
    if (this.state !== "offline") this.state = "sending";
    this.hooks.changed();
    const job = this.jobs[0];
    const wait = await this.post(job);
    this.sending = false;
    if (wait) this.timer = setTimeout(() => this.flush(), wait);
    this.hooks.changed();
    if (!wait && this.size) this.flush();
  }

  // How long to wait before the next try; 0 when this job is answered.
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
      this.state = navigator.onLine ? "server" : "offline";
      return AGAIN;
    } finally {
      clearTimeout(late);
    }
    if (answer.status === 429) {
      this.state = "fast";
      return SLOWER;
    }
    const words = await answer.json().catch(() => null);
    if (answer.status >= 500 || words === null) {
      this.state = "server";
      if (answer.status === 403) await this.newToken();
      return AGAIN;
    }
    this.state = "idle";
    this.jobs.shift();
    this.write();
    if (answer.ok) await this.hooks.done(job, words);
    else this.hooks.refused(job, words);
    return 0;
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
