// Live parts of a page: hear that something changed, fetch the fragment, put in what differs.
// <section data-live-url="/live/…" data-fragment-url="…" data-live-what="standings round">
// Without a stream it asks every two seconds. The stream greets every listener, so a change made while the page was
// on its way is not missed.

const POLL = 2000;
const POLL_MOST = 3000;
const POLL_HIDDEN = 20000;
const STREAM_AGAIN = 15000;
const STREAM_LATE = 3000;
const BREATH = 250;
const LOST_AFTER = 10000;
const SAY_EVERY = 3000;
const WASH = 1200;

class Live {
  constructor(root) {
    this.root = root;
    this.seen = Date.now();
    this.held = null;
    this.openStream();
    document.addEventListener("visibilitychange", () => this.onVisible());
    root.addEventListener("focusout", () => setTimeout(() => this.held && !this.holdsFocus(root) && this.put(this.held)));
  }

  // Stream and fall-back

  openStream() {
    if (!this.root.dataset.liveUrl || !("EventSource" in window)) return this.poll();
    clearTimeout(this.streamTimer);
    this.stream?.close();
    const stream = new EventSource(this.root.dataset.liveUrl);
    this.stream = stream;
    const late = setTimeout(() => stream.readyState !== EventSource.OPEN && this.poll(), STREAM_LATE);
    stream.onopen = () => {
      clearTimeout(late);
      this.stopPolling();
    };
    stream.onmessage = (message) => this.concerns(message.data) && this.refresh();
    stream.onerror = () => {
      this.poll();
      if (stream.readyState === EventSource.CLOSED) this.streamTimer = setTimeout(() => this.openStream(), STREAM_AGAIN);
    };
  }

  // data-live-what names the kinds of change this part shows; without it, all.
  concerns(data) {
    const kinds = this.root.dataset.liveWhat;
    if (!kinds) return true;
    try {
      const { what } = JSON.parse(data);
      return what === "hello" || kinds.split(" ").includes(what);
    } catch {
      return true;
    }
  }

  poll() {
    if (this.polling || this.over) return;
    this.polling = true;
    const again = () => {
      if (!this.polling) return;
      const wait = document.hidden ? POLL_HIDDEN : POLL + Math.random() * (POLL_MOST - POLL);
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
  }

  // One fetch at a time; a change heard meanwhile is one more fetch afterwards.
  async refresh() {
    if (this.over) return;
    if (this.fetching) {
      this.again = true;
      return;
    }
    this.fetching = true;
    try {
      const answer = await fetch(this.root.dataset.fragmentUrl, {
        headers: { "X-Requested-With": "fetch" },
        credentials: "same-origin",
        cache: "no-cache",
      });
      if (answer.status === 404 || answer.status === 410) return this.stop();
      if (!answer.ok) return;
      this.seen = Date.now();
      if (answer.status !== 204) this.offer(await answer.text());
    } catch {
      // No network: the bar tells the age of the page, the next poll tries again.
    } finally {
      this.fetching = false;
      if (this.again) {
        this.again = false;
        setTimeout(() => this.refresh(), BREATH);
      }
    }
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
    const first = this.last === undefined;
    this.last = html;
    const next = document.createElement("template");
    next.innerHTML = html;
    const changed = [];
    const kept = this.merge(next.content, changed);
    if (kept) this.held = html;
    if (first && !changed.length) return;
    changed.forEach((part) => wash(part));
    const said = changed.map((part) => part.dataset.say).filter(Boolean);
    if (said.length) say(said);
    if (changed.length) this.root.dispatchEvent(new CustomEvent("live:changed", { bubbles: true, detail: { changed } }));
  }

  // Keyed parts that are the same stay; a part with the focus stays until the focus leaves it. True when one was kept back.
  merge(content, changed) {
    const old = new Map([...this.root.querySelectorAll("[data-key], [id]")].map((part) => [keyOf(part), part]));
    const fresh = [...content.querySelectorAll("[data-key], [id]")].filter((part) => !part.parentElement?.closest("[data-key], [id]"));
    const sameShape =
      fresh.length > 0 && skeleton(content) === skeleton(this.root) && fresh.every((part) => old.has(keyOf(part)));
    if (!sameShape) return this.replaceAll(content, old, changed);
    let kept = false;
    for (const part of fresh) {
      const now = old.get(keyOf(part));
      if (bare(now) === bare(part)) continue;
      if (this.holdsFocus(now)) kept = true;
      else {
        const news = timeless(now) !== timeless(part);
        now.replaceWith(part);
        if (news) changed.push(part);
      }
    }
    return kept;
  }

  replaceAll(content, old, changed) {
    if (bare(content) === bare(this.root)) return false;
    const active = document.activeElement;
    const inside = this.holdsFocus(this.root);
    if (inside && active.matches("input, select, textarea")) return true;
    const focusKey = inside ? keyOf(active.closest("[data-key], [id]") ?? this.root) : null;
    for (const part of content.querySelectorAll("[data-key], [id]")) {
      const before = old.get(keyOf(part));
      if (!before || timeless(before) !== timeless(part)) changed.push(part);
    }
    if (!changed.length && timeless(content) !== timeless(this.root)) changed.push(this.root);
    this.root.replaceChildren(content);
    if (focusKey) refocus(this.root, focusKey);
    return false;
  }

  holdsFocus(part) {
    return document.activeElement !== document.body && part.contains(document.activeElement);
  }
}

function keyOf(part) {
  return part.dataset.key ?? part.id;
}

// Markup without what this script or the reader added.
function bare(part) {
  const html = part.outerHTML ?? [...part.childNodes].map((node) => node.outerHTML ?? node.textContent).join("");
  const inner = part.dataset && "fragmentUrl" in part.dataset ? part.innerHTML : html;
  return inner.replace(/ ?\bchanged\b/g, "").replace(/ class=""/g, "").replace(/ data-tied=""/g, "").replace(/\s+/g, " ").trim();
}

// The same without the ages in it: an age that grows is no news.
function timeless(part) {
  return bare(part).replace(/(<time[^>]*>)[^<]*/g, "$1");
}

// What stands around the keyed parts, with their order.
function skeleton(part) {
  const copy = document.createElement("div");
  copy.append(...[...part.childNodes].map((node) => node.cloneNode(true)));
  for (const keyed of copy.querySelectorAll("[data-key], [id]")) {
    if (copy.contains(keyed)) keyed.replaceWith(`#${keyOf(keyed)}#`);
  }
  return copy.innerHTML.replace(/\s+/g, " ").trim();
}

function refocus(root, key) {
  const part = root.querySelector(`[data-key="${CSS.escape(key)}"], [id="${CSS.escape(key)}"]`);
  const target = part?.matches("a, button, input, select, textarea, [tabindex]") ? part : part?.querySelector("a, button, [tabindex]");
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
  if (!bar) return;
  bar.querySelector("button").addEventListener("click", () => location.reload());
  setInterval(() => {
    const broken = lives.filter((live) => !live.over && live.stream?.readyState !== EventSource.OPEN);
    const age = Math.max(0, ...broken.map((live) => Date.now() - live.seen));
    bar.hidden = age < LOST_AFTER || document.hidden;
    if (!bar.hidden) bar.querySelector("span").textContent = bar.dataset.age.replace("{n}", Math.round(age / 1000));
  }, 1000);
}

const lives = [...document.querySelectorAll("[data-fragment-url]")].map((root) => new Live(root));
if (lives.length) watchAge(lives);
