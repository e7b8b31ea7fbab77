// Live parts of a page: hear that something changed, fetch the fragment, put in what differs.
// <section data-live-url="/live/…" data-fragment-url="…" data-live-what="standings round">
// While the network is lost it asks every two seconds; refused a stream (too many listen), it asks slowly. The stream
// greets a listener that may have missed a change while the page was on its way. An address without a pass is a
// stranger's: what he is not told at once (that a hand waits) he asks for once a minute. `live:ask` on the document
// fetches at once. What a stranger is told names a version: all who heard it ask under the same address, spread over a
// second, and any cache on the way may answer them. Where the server says when to ask again (Retry-After), nothing is
// asked before, and then by each page at a moment of its own. A fragment that says data-live-over is the last: nothing is asked for after it.

const POLL = 2000;
const POLL_MOST = 3000;
const POLL_HIDDEN = 20000;
const POLL_REFUSED = 15000;
const POLL_REFUSED_MOST = 20000;
const STRANGER_ASKS = 60000;
const STREAM_AGAIN = 60000;
const PASS_AGE = 60000;
const PASS_AGAIN = 2000;
const STREAM_LATE = 3000;
const BREATH = 250;
const BREATH_STRANGER = 1500;
const SPREAD = 1000;
const LOST_AFTER = 10000;
const SAY_EVERY = 3000;
const NOT_BEFORE_MOST = 60;
const FAILED_AGAIN = 2000;
const WASH = 1200;
const KEYED = "[data-key], [id]";
const CLICK_LATE = 100; // a click comes this soon after the finger has left, or never
const LONGEST = 3000; // a finger that stays longer rests

class Live {
  constructor(root) {
    this.root = root;
    this.seen = Date.now();
    this.passGiven = Date.now();
    this.held = null;
    this.shown = picture(root);
    this.openStream();
    this.askAgain();
    document.addEventListener("visibilitychange", () => this.onVisible());
    document.addEventListener("live:ask", () => this.refresh());
    if (!this.hasPass) setInterval(() => document.hidden || this.refresh(), STRANGER_ASKS * (0.75 + Math.random() / 2));
    root.addEventListener("focusout", () => setTimeout(() => this.held && !this.holdsFocus(root) && this.put(this.held)));
  }

  // Stream and fall-back

  get hasPass() {
    return Boolean(this.root.dataset.liveUrl?.includes("?pass="));
  }

  openStream() {
    if (this.over) return;
    if (!this.root.dataset.liveUrl || !("EventSource" in window)) return this.poll();
    clearTimeout(this.streamTimer);
    this.stream?.close();
    const stream = new EventSource(this.root.dataset.liveUrl);
    this.stream = stream;
    const late = setTimeout(() => stream.readyState !== EventSource.OPEN && this.poll(), STREAM_LATE);
    stream.onopen = () => {
      clearTimeout(late);
      this.refused = false;
      this.stopPolling();
    };
    stream.onmessage = (message) => this.hear(read(message.data));
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) this.onRefused();
      this.poll();
    };
  }

  hear({ what, v }) {
    if (what === "over") this.onOver();
    else if (this.concerns(what)) v ? this.refreshSoon(v) : this.refresh();
  }

  refreshSoon(version) {
    this.version = version;
    this.soon ??= setTimeout(() => {
      this.soon = null;
      this.refresh(this.version);
    }, SPREAD * Math.random());
  }

  // The pass has ended, by its age or because what its holder may do has changed; a new one has to be younger than that.
  onOver() {
    this.stream.close();
    this.poll();
    this.streamTimer = setTimeout(() => this.renew(), PASS_AGAIN * (1 + Math.random()));
  }

  // The server answered and gave no stream: too many listen, or the pass is over.
  onRefused() {
    clearTimeout(this.streamTimer);
    if (this.hasPass && Date.now() - this.passGiven > PASS_AGE) this.renew();
    else this.askSlowly();
  }

  async renew() {
    if (await this.renewPass()) this.openStream();
    else this.askSlowly();
  }

  askSlowly() {
    this.refused = true;
    this.streamTimer = setTimeout(() => this.openStream(), STREAM_AGAIN * (1 + Math.random() / 2));
  }

  // The page, asked for again, brings a new pass; true when it did.
  async renewPass() {
    try {
      const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
      if (!answer.ok || answer.redirected) return false;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const place = [...document.querySelectorAll("[data-fragment-url]")].indexOf(this.root);
      const address = page.querySelectorAll("[data-fragment-url]")[place]?.dataset.liveUrl;
      if (address) this.takePass(address);
      return Boolean(address);
    } catch {
      return false;
    }
  }

  takePass(address) {
    this.root.dataset.liveUrl = address;
    this.passGiven = Date.now();
  }

  // data-live-what names the kinds of change this part shows; without it, all.
  concerns(kind) {
    const kinds = this.root.dataset.liveWhat;
    return !kinds || !kind || kind === "hello" || kinds.split(" ").includes(kind);
  }

  poll() {
    if (this.polling || this.over) return;
    this.polling = true;
    const again = () => {
      if (!this.polling) return;
      const [least, most] = this.refused ? [POLL_REFUSED, POLL_REFUSED_MOST] : [POLL, POLL_MOST];
      const wait = document.hidden ? POLL_HIDDEN : least + Math.random() * (most - least);
      this.pollTimer = setTimeout(() => this.refresh().finally(again), wait);
    };
    again();
  }

  stopPolling() {
    this.polling = false;
    clearTimeout(this.pollTimer);
  }

  onVisible() {
    if (document.hidden || this.over) return;
    this.refresh();
    if (this.polling) {
      this.stopPolling();
      this.poll();
    }
  }

  stop() {
    this.over = true;
    this.stopPolling();
    clearTimeout(this.streamTimer);
    this.stream?.close();
    this.root.dispatchEvent(new CustomEvent("live:over", { bubbles: true }));
  }

  // One fetch at a time; a change heard meanwhile is one more fetch afterwards.
  async refresh(version) {
    if (this.over) return;
    if (this.fetching) {
      this.again = true;
      return;
    }
    if (Date.now() < this.notBefore) return;
    const address = this.root.dataset.fragmentUrl;
    // the page of a table is nobody else's: only parts that everybody may have are asked for under a version
    const shared = version && address.includes("part=live");
    this.fetching = true;
    try {
      const answer = await fetch(shared ? `${address}&v=${version}` : address, {
        headers: { "X-Requested-With": "fetch" },
        credentials: "same-origin",
        cache: shared ? "default" : "no-cache",
      });
      if (answer.status === 404 || answer.status === 410) return this.stop();
      if (!answer.ok) return this.askLater(Number(answer.headers.get("Retry-After"))) || this.askFailed();
      this.seen = Date.now();
      if (answer.status === 204) return;
      const html = await answer.text();
      await tapOver();
      this.offer(html);
    } catch {
      this.askFailed(); // no network: the bar tells the age of the page
    } finally {
      this.fetching = false;
      if (this.again) {
        this.again = false;
        setTimeout(() => this.refresh(), this.hasPass ? BREATH : BREATH_STRANGER);
      }
    }
  }

  // Not answered. Where the page does not ask by itself because its stream stands, nobody would tell it once more.
  askFailed() {
    clearTimeout(this.laterTimer);
    if (!this.polling) this.laterTimer = setTimeout(() => this.refresh(this.version), FAILED_AGAIN * (1 + Math.random()));
  }

  // Refused because too many ask: all who were told the same wait come back apart. True where a wait was told.
  askLater(seconds) {
    if (!(seconds > 0)) return false;
    const wait = 1000 * Math.min(seconds, NOT_BEFORE_MOST) * (1 + Math.random() / 2);
    this.notBefore = Date.now() + wait;
    clearTimeout(this.laterTimer);
    this.laterTimer = setTimeout(() => this.refresh(this.version), wait + 1);
    return true;
  }

  // Swapping

  offer(html) {
    if (html === this.last) return;
    const words = this.root.dataset.liveHold;
    if (words && this.last !== undefined && this.root.getBoundingClientRect().top < -40) return this.hold(html, words);
    this.put(html);
  }

  hold(html, words) {
    this.waiting = (this.waiting ?? 0) + 1;
    this.last = html;
    if (!this.button) {
      this.button = document.createElement("button");
      this.button.type = "button";
      this.button.className = "btn mini newer";
      this.button.addEventListener("click", () => {
        this.root.scrollIntoView();
        this.put(this.last);
      });
      this.root.before(this.button);
    }
    this.button.textContent = words.replace("{n}", this.waiting);
  }

  put(html) {
    this.held = null;
    this.waiting = 0;
    this.button?.remove();
    this.button = null;
    this.last = html;
    const next = document.createElement("template");
    next.innerHTML = html;
    const swapped = [];
    const news = [];
    const kept = this.merge(next.content, swapped, news);
    if (kept) this.held = html;
    news.forEach(wash);
    const said = news.map((part) => part.dataset.say).filter(Boolean);
    if (said.length) say(said);
    if (swapped.length) this.root.dispatchEvent(new CustomEvent("live:changed", { bubbles: true, detail: { swapped, news } }));
    this.askAgain();
    if (this.root.querySelector("[data-live-over]")) this.stop();
  }

  // What the server offers only for so long (data-again-in: seconds) is asked for anew when that is over.
  askAgain() {
    const part = this.root.querySelector("[data-again-in]");
    clearTimeout(this.againTimer);
    if (part) this.againTimer = setTimeout(() => this.refresh(), 1000 * (Number(part.dataset.againIn) + 1));
  }

  // Keyed parts that are the same stay; a part with the focus stays until the focus leaves it. True when one was kept back.
  // What the server sent is compared with what it sent before, so that what the reader opened or typed is no difference.
  merge(content, swapped, news) {
    const next = picture(content);
    const same = next.frame === this.shown.frame;
    const kept = same ? this.replaceParts(next, swapped, news) : this.replaceAll(content, next, swapped, news);
    if (!kept) this.shown = next;
    return kept;
  }

  replaceParts(next, swapped, news) {
    let kept = false;
    const places = elementsByKey(this.root);
    for (const [key, html] of next.parts) {
      const before = this.shown.parts.get(key);
      const now = places.get(key);
      if (html === before || !now) continue;
      if (this.holdsFocus(now)) {
        kept = true;
        continue;
      }
      const part = next.elements.get(key);
      keepState(now, part);
      now.replaceWith(part);
      this.shown.parts.set(key, html);
      swapped.push(part);
      if (timeless(html) !== timeless(before)) news.push(part);
    }
    return kept;
  }

  replaceAll(content, next, swapped, news) {
    const active = document.activeElement;
    const inside = this.holdsFocus(this.root);
    if (inside && active.matches("input, select, textarea")) return true;
    const focusKey = inside ? keyOf(active.closest(KEYED) ?? this.root) : null;
    const places = elementsByKey(this.root);
    for (const [key, html] of next.parts) {
      const before = this.shown.parts.get(key);
      const part = next.elements.get(key);
      if (places.has(key)) keepState(places.get(key), part);
      if (before === undefined || timeless(before) !== timeless(html)) news.push(part);
    }
    if (!news.length && timeless(next.frame) !== timeless(this.shown.frame)) news.push(this.root);
    this.root.replaceChildren(content);
    swapped.push(this.root);
    if (focusKey) refocus(this.root, focusKey);
    return false;
  }

  holdsFocus(part) {
    return document.activeElement !== document.body && part.contains(document.activeElement);
  }
}

// What a message says has changed, and its version; nothing where it cannot be read.
function read(data) {
  try {
    return JSON.parse(data) ?? {};
  } catch {
    return {};
  }
}

function keyOf(part) {
  return part.dataset.key ?? part.id;
}

// Markup without what differs at every answer: white space, the form's token.
function tidy(html) {
  return html.replace(/(name="(?:csrfmiddlewaretoken|key)" value=")[^"]*/g, "$1").replace(/\s+/g, " ").trim();
}

// And without the ages in it: an age that grows is no news, nor is a time that runs out.
function timeless(html) {
  return html.replace(/(<time[^>]*>)[^<]*/g, "$1").replace(/ data-again-in="\d*"/g, "");
}

function outermostKeyed(scope) {
  return [...scope.querySelectorAll(KEYED)].filter((part) => {
    const around = part.parentElement?.closest(KEYED);
    return !around || !scope.contains(around) || around === scope;
  });
}

function elementsByKey(scope) {
  return new Map(outermostKeyed(scope).map((part) => [keyOf(part), part]));
}

// What the server sent: the keyed parts, and the frame around them with their order.
function picture(scope) {
  const elements = elementsByKey(scope);
  const parts = new Map([...elements].map(([key, part]) => [key, tidy(part.outerHTML)]));
  const copy = document.createElement("div");
  copy.append(...[...scope.childNodes].map((node) => node.cloneNode(true)));
  for (const part of outermostKeyed(copy)) part.replaceWith(`#${keyOf(part)}#`);
  return { elements, parts, frame: tidy(copy.innerHTML) };
}

// Details the reader opened stay open, and what was typed stays in its field.
function keepState(before, after) {
  const opened = [...before.querySelectorAll("details")];
  after.querySelectorAll("details").forEach((details, at) => {
    if (opened[at]) details.open = opened[at].open;
  });
  for (const field of after.querySelectorAll("input[id]:is(:not([type]), [type=text])")) {
    const typed = before.querySelector(`#${CSS.escape(field.id)}`);
    if (typed?.value && !field.value) rowOf(field).replaceWith(rowOf(typed));
  }
}

// A field with its label and what is said of it.
function rowOf(field) {
  return field.closest(".form-row") ?? field;
}

function refocus(root, key) {
  const part = root.querySelector(`[data-key="${CSS.escape(key)}"], [id="${CSS.escape(key)}"]`);
  const target = part?.matches("a, button, [tabindex]") ? part : part?.querySelector("a, button, [tabindex]");
  target?.focus({ preventScroll: true });
}

function wash(part) {
  part.classList.add("changed");
  setTimeout(() => part.classList.remove("changed"), WASH);
}

// One polite sentence at a time, at most one in three seconds; the latest of each kind wins.
let unsaid = [];
let sayTimer = null;
function say(sentences) {
  unsaid = sentences;
  if (!sayTimer) speak();
}
function speak() {
  const place = document.getElementById("live-say");
  if (!place || !unsaid.length) {
    sayTimer = null;
    return;
  }
  place.textContent = unsaid.length > 1 ? `${unsaid[0]} (+${unsaid.length - 1})` : unsaid[0];
  unsaid = [];
  sayTimer = setTimeout(speak, SAY_EVERY);
}

function watchAge(lives) {
  const bar = document.getElementById("live-lost");
  bar?.querySelector("button").addEventListener("click", () => location.reload());
  setInterval(() => {
    const broken = lives.filter((live) => !live.over && live.stream?.readyState !== EventSource.OPEN);
    const age = Math.max(0, ...broken.map((live) => Date.now() - live.seen - (live.refused ? POLL_REFUSED_MOST : 0)));
    const lost = age >= LOST_AFTER && !document.hidden;
    document.dispatchEvent(new CustomEvent("live:lost", { detail: lost }));
    if (!bar) return;
    bar.hidden = !lost;
    if (lost) bar.querySelector("span").textContent = bar.dataset.age.replace("{n}", Math.round(age / 1000));
  }, 1000);
}

// A tap under way, from the touch to its click. What changes a page by itself waits for it, so that the tap meets what
// was under the finger and is not lost.

let under = null;
let waiting = [];

function over() {
  clearTimeout(under);
  under = null;
  const held = waiting;
  waiting = [];
  for (const go of held) go();
}

function within(time) {
  clearTimeout(under);
  under = setTimeout(over, time);
}

addEventListener("pointerdown", () => within(LONGEST), true);
addEventListener("pointerup", () => within(CLICK_LATE), true);
addEventListener("pointercancel", over, true);
addEventListener("click", () => within(0), true);

// Resolved at once, or when the tap under way is over.
export function tapOver() {
  return new Promise((go) => (under === null ? go() : waiting.push(go)));
}

const lives = [...document.querySelectorAll("[data-fragment-url]")].map((root) => new Live(root));
if (lives.length) watchAge(lives);
