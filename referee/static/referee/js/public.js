// The projector: one page at a time, the next when it can have been read. Rows that do not fit on the screen come as a page of
// their own. Pages come in reels: after the last one of a reel the next is asked for. What the desk chose arrives with
// the live part: it pauses, turns and holds every open screen. Here, a number holds the board at that place, F fills the
// screen, any other key pauses.

const TICK = 1000;
// Seconds of a page before anything is read, what is read in one (signs of Chinese; of other writing twice as many), and
// the least and the most that a page stands.
const PACE = { looked: 5, read: 14, least: 8, most: 25 };
// Seconds of a sentence below the boards.
const TELLING = 7;
const slides = document.querySelector("[data-slides]");

class Projector {
  constructor(root, note) {
    this.root = root;
    this.note = note;
    this.current = 0;
    this.row = 0;
    this.paused = false;
    this.held = "";
    this.turned = this.steered?.turned;
    this.stood = 0;
    this.told = 0;
    this.show();
    setInterval(() => this.tick(), TICK);
    root.addEventListener("live:changed", () => this.follow());
    addEventListener("resize", () => this.show());
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("click", (event) => event.target.closest("a, button, label, select") || this.pause());
  }

  // What the desk says

  get steered() {
    return this.root.querySelector("[data-steered]")?.dataset;
  }

  get stands() {
    return this.paused || Boolean(this.steered?.paused);
  }

  tick() {
    this.tell(this.told + 1);
    if (this.stands) return;
    this.stood += 1;
    if (this.stood >= this.pace) this.turn();
  }

  // One of the latest hands below the boards, the next when it can have been read.
  tell(seconds) {
    const ticker = this.root.querySelector("[data-ticker]");
    const page = this.pages[this.current];
    if (ticker && page) ticker.hidden = !ticker.dataset.ticker.split(" ").includes(kind(page));
    const lines = [...this.root.querySelectorAll("[data-ticker] li")];
    this.told = lines.length ? seconds % (lines.length * TELLING) : 0;
    lines.forEach((line, number) => (line.hidden = number !== Math.floor(this.told / TELLING)));
  }

  // Seconds that the page stands: a changed one is not measured from its beginning again.
  get pace() {
    return seconds(this.pages[this.current]?.innerText ?? "");
  }

  follow() {
    const turned = this.steered?.turned;
    const asked = this.turned !== undefined && turned !== undefined && turned !== this.turned;
    this.turned = turned;
    if (asked) this.turn();
    else this.show();
  }

  // Pages

  get pages() {
    const all = [...this.root.querySelectorAll("[data-slide]")];
    const held = all.filter((page) => kind(page) === this.held);
    return held.length ? held : all;
  }

  get next() {
    return this.root.querySelector("[data-slides-next]");
  }

  show() {
    const { pages } = this;
    if (this.next) this.next.hidden = true;
    const first = pages[0]?.id ?? "";
    if (first !== this.first) this.current = this.row = this.stood = 0;
    this.first = first;
    if (pages.length) this.current %= pages.length;
    for (const page of this.root.querySelectorAll("[data-slide]")) page.hidden = page !== pages[this.current];
    this.tell(this.told);
    this.end = pages.length ? fit(pages[this.current], this.row) : 0;
  }

  turn() {
    this.stood = 0;
    if (this.end) {
      this.row = this.end;
      return this.show();
    }
    this.row = 0;
    this.current += 1;
    if (this.next && !this.held && this.current >= this.pages.length) {
      this.root.dataset.fragmentUrl = this.next.dataset.slidesNext;
      document.dispatchEvent(new CustomEvent("live:ask"));
    }
    this.show();
  }

  // Keys

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    if (event.key.toLowerCase() === "f") return fill();
    if (/^[1-9]$/.test(event.key)) return this.hold(Number(event.key));
    this.pause();
  }

  pause() {
    this.paused = !this.paused;
    this.say();
  }

  hold(number) {
    const kinds = [...new Set([...this.root.querySelectorAll("[data-slide]")].map(kind))];
    const wanted = kinds[number - 1] ?? "";
    this.held = wanted === this.held ? "" : wanted;
    this.current = this.row = 0;
    this.say();
    this.show();
  }

  say() {
    const { paused, held } = this.root.dataset;
    this.note.textContent = this.paused ? paused : this.held ? held : "";
  }
}

// The board of a page, as its id begins.
function kind(page) {
  return page.id.replace(/-\d+$/, "");
}

function seconds(text) {
  const signs = [...text.replace(/\s+/g, "")].reduce((sum, sign) => sum + (sign > "\u2e7f" ? 1 : 0.5), 0);
  return Math.min(Math.max(PACE.looked + signs / PACE.read, PACE.least), PACE.most);
}

// Show the rows of a page from `row` on that fit above the lower edge, one at least. Where the rest begins; 0 when all is shown.
function fit(page, row) {
  const rows = [...page.querySelectorAll("tbody > tr")];
  rows.forEach((one, number) => (one.hidden = number < row));
  if (innerWidth < 1024) return 0;
  const below = document.querySelector("[data-ticker]")?.offsetHeight ?? 0;
  const room = innerHeight + scrollY - below;
  const over = rows.findIndex((one, number) => number > row && one.getBoundingClientRect().bottom + scrollY > room);
  if (over < 0) return 0;
  rows.slice(over).forEach((one) => (one.hidden = true));
  return over;
}

function fill() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

// Where the context is secure, the screen does not go dark; it is asked for again whenever the page comes back.
function stayAwake() {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

function timeOfDay(place) {
  const how = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: place.dataset.timeOfDay };
  const written = new Intl.DateTimeFormat("en-GB", how);
  const tell = () => (place.textContent = written.format(new Date()));
  tell();
  setInterval(tell, TICK);
}

if (slides) {
  new Projector(slides, document.querySelector("[data-slide-note]"));
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
  timeOfDay(document.querySelector("[data-time-of-day]"));
}
