// The phone at the table: one page that follows what this side must do now.
// Without this script every act is a plain form; with it, an entry survives bad networks and shows what it does.

import { drawAhead, dressEntry } from "./table-entry.js";
import { IndividualForm } from "./table-individual.js";
import { isFresh, isKept, isLate } from "./offline.js";
import { Outbox } from "./table-outbox.js";
import { colon, tie } from "./ruler.js";
import { tapOver } from "./live.js";

// On a page that has just changed nothing is sent for a moment: the tap was meant for the page before.
const GUARD = 700;
const NEWS = 6000;
const LATE = 10; // minutes
const GAP = 8;

const view = document.getElementById("view");
const pulse = document.getElementById("pulse");
const newer = document.getElementById("newer");
const outbox = new Outbox(view.dataset.place, {
  done: onDone,
  refused: onRefused,
  changed: showUnsent,
  mayGo,
  dropped: onDropped,
  lost: () => location.reload(),
});
const sizes = new ResizeObserver(keepInSight);
let entry = null;
let settling = null;
let cut = false;
let wasOffline = false;
let newsTimer = null;
let codes = null; // how the phones agree with no network at all, where keys can be kept

// What is shown

function dress() {
  tie(view);
  const form = view.querySelector("form[data-send=hand]");
  if (form?.dataset.game) entry = new IndividualForm(form, view.dataset);
  else entry = form ? dressEntry(form, view.dataset) : null;
  lock();
  const dock = view.querySelector(".dock");
  if (dock) sizes.observe(dock);
  measure();
}

function inUse() {
  return (outbox.size > 0 && !outbox.rests) || Boolean(entry?.dirty && !view.dataset.ahead);
}

const isOwn = () => new URLSearchParams(location.search).has("own");
const addressOf = (own) => location.pathname + (own ? "?own=1" : "");

async function refresh({ focus = false, own = isOwn(), unasked = false } = {}) {
  const address = addressOf(own);
  let answer;
  try {
    answer = await fetch(address, { credentials: "same-origin", cache: "no-store" });
  } catch {
    return; // no network: the pulse tells again
  }
  // no answer just now: the page stays; the pulse tells again, but what was asked for is asked for again
  if (answer.status >= 500) return unasked || setTimeout(() => refresh({ focus, own }), 5000);
  if (!answer.ok) return location.assign(address);
  return take(await answer.text(), { address, focus, unasked });
}

// The page as the server has it now takes the place of what is shown.
async function take(html, { address, focus = false, unasked = false }) {
  isFresh();
  const next = new DOMParser().parseFromString(html, "text/html");
  await tapOver();
  const fresh = next.getElementById("view");
  if (!fresh) return location.assign(address);
  // another sitting (the next game): its changes come over another stream
  if (fresh.dataset.place !== view.dataset.place) return location.assign(address);
  // so do those of the event, which the page follows once its round is closed
  const listensTo = (part) => part.dataset.liveUrl.split("?")[0];
  if (listensTo(next.getElementById("pulse")) !== listensTo(pulse)) return location.assign(address);
  // nobody asked for it, and while it was on its way the page was taken into use or came to stand there already
  if (unasked && inUse()) return follow();
  if (unasked && next.documentElement.lang !== document.documentElement.lang) return location.reload();
  if (unasked && fresh.dataset.view === view.dataset.view) return;
  history.replaceState(null, "", address);
  Object.assign(pulse.dataset, next.getElementById("pulse").dataset);
  for (const name of Object.keys(view.dataset)) delete view.dataset[name];
  Object.assign(view.dataset, fresh.dataset);
  view.replaceChildren(...fresh.childNodes);
  document.title = next.title;
  document.querySelector(".topbar .name").replaceWith(next.querySelector(".topbar .name"));
  newer.hidden = true;
  settle();
  dress();
  outbox.flush();
  scrollTo({ top: 0 });
  if (focus) {
    const head = view.querySelector(".notice, h1");
    head?.setAttribute("tabindex", "-1");
    head?.focus({ preventScroll: true });
  }
}

// The pulse says which page this side should be seeing.
function follow() {
  const mark = pulse.querySelector("[data-view]");
  if (!mark || mark.dataset.view === view.dataset.view) {
    if (!newsTimer) newer.hidden = true;
    return;
  }
  if (inUse()) return tellNews(mark.dataset.say);
  refresh({ own: false, unasked: true });
}

// For a moment the keys that send are dimmed, and say so to who taps them; all others act at once.
function settle() {
  clearTimeout(settling);
  view.classList.add("settling");
  settling = setTimeout(() => {
    settling = null;
    view.classList.remove("settling");
  }, GUARD);
}

// News stands in the head of the page, over nothing that is tapped: with a key that shows it, or for some seconds.
function tellNews(words, { forSeconds = false } = {}) {
  clearTimeout(newsTimer);
  newsTimer = forSeconds ? setTimeout(() => ((newsTimer = null), (newer.hidden = true), follow()), NEWS) : null;
  newer.querySelector("span").textContent = words;
  newer.querySelector("button").hidden = forSeconds;
  newer.hidden = false;
}

// The rooms that the bars take up at the head and at the foot; a dock that stands beside the fields takes none.
function measure() {
  const dock = view.querySelector(".dock");
  const below = dock && getComputedStyle(dock).position === "sticky" && dock.offsetWidth > view.offsetWidth * 0.8;
  const rooms = { "--bar": document.querySelector(".topbar").offsetHeight, "--dock": below ? dock.offsetHeight : 0 };
  for (const [name, room] of Object.entries(rooms)) document.documentElement.style.setProperty(name, `${room}px`);
}

// Scrolls no further than needed for a part to stand whole between the bars, its beginning above all.
function reveal(part) {
  measure();
  const root = getComputedStyle(document.documentElement);
  const [bar, dock] = ["--bar", "--dock"].map((name) => parseFloat(root.getPropertyValue(name)) || 0);
  const { top, bottom } = part.getBoundingClientRect();
  const above = top - bar - GAP;
  const beyond = bottom - (innerHeight - dock - GAP);
  if (above < 0 || beyond > 0) scrollBy({ top: above < 0 ? above : Math.min(beyond, above), behavior: "instant" });
}

// A dock that grows under a field that is being filled in does not hide it.
function keepInSight() {
  measure();
  const field = document.activeElement?.closest("#hand [name]");
  if (field) reveal(field.closest("fieldset, [id^=f-]") ?? field);
}

// What is sent

// Whether an act may go out now. A hand entered ahead goes when the server has come to it and it begins as expected.
function mayGo(job) {
  if (!job.began) return "go";
  const there = Number(view.dataset.hand);
  const hand = Number(job.hand);
  if (view.dataset.ahead || isKept() || there < hand) return "rest";
  if (there > hand || view.dataset.kind === "confirm") return "drop";
  if (view.dataset.kind !== "enter") return ["finished", "closed", "moved"].includes(view.dataset.kind) ? "drop" : "rest";
  return begins() === job.began ? "go" : "drop";
}

// How the hand on the page begins: who deals, at which levels.
function begins() {
  const { due, before } = view.querySelector("#hand").dataset;
  const { levels } = JSON.parse(before);
  return `${due} ${levels.NS} ${levels.EW}`;
}

// Its figures stay as a draft, which the form of that hand shows; where the table is past that hand, nothing shows them.
function onDropped(job) {
  entry?.restore?.();
  const past = Number(view.dataset.hand) > Number(job.hand);
  tellNews(past ? newer.dataset.taken.replace("{n}", job.hand) : newer.dataset.changed);
}

// The hand that may be entered while those before it wait: after the last of them, as far as this phone can know.
function nextHand() {
  const last = outbox.jobs.at(-1);
  const waits = ["offline", "unknown", "server", "rests"].includes(outbox.state) || !navigator.onLine;
  const here = view.dataset.kind === "enter" && Number(view.dataset.hand) <= Number(last?.hand);
  return last?.next && waits && here ? { hand: Number(last.hand) + 1, next: last.next } : null;
}

function showNext() {
  const key = document.getElementById("go-on");
  if (!key) return;
  const following = nextHand();
  key.hidden = !following;
  if (following) key.textContent = key.dataset.says.replace("{n}", following.hand);
}

function goOn() {
  const following = nextHand();
  if (!following || !entry) return;
  drawAhead(view, entry, following.hand, following.next);
  settle();
  dress();
  showUnsent();
  scrollTo({ top: 0 });
}

// The form of a hand that is entered ahead is open while others wait.
function isAhead() {
  const last = Number(outbox.jobs.at(-1)?.hand ?? 0);
  return Boolean(view.dataset.ahead) && Number(view.dataset.hand) > last;
}

function send(form, button) {
  const hand = form?.dataset.send === "hand";
  if (!form || (outbox.size && !outbox.rests && !(hand && isAhead()))) return;
  hideRefusal();
  if (hand && entry.refuses(button?.value ?? "hand")) return nameRefused();
  const body = new FormData(form);
  if (button?.name) body.set(button.name, button.value);
  if (hand) entry.beforeSend();
  const kind = body.get("kind") ?? "hand";
  outbox.put({
    next: hand && kind === "hand" ? (entry.following?.() ?? null) : null,
    began: hand && view.dataset.ahead ? begins() : null,
    level: hand ? entry.level() : null,
    revision: view.dataset.revision,
    address: form.getAttribute("action"),
    fields: [...body].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "key"),
    hand: hand ? view.dataset.hand : null,
  });
}

function token() {
  return document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}
outbox.token = token;

async function onDone(job, answer) {
  if (job.hand) forgetDraft(job.hand);
  await refresh({ focus: true, own: false });
  if (answer.message) showNote(answer.message);
}

function onRefused(job, answer) {
  lock();
  if (answer.code === "place_lost") return location.reload();
  const overtaken = ["stale", "already_recorded", "already_confirmed", "hand_skipped", "disputed", "match_over", "round_closed"];
  showRefusal(answer);
  if (!overtaken.includes(answer.code)) return;
  tellNews(answer.message);
  // hands wait behind it: the page takes itself up where the server stands, and they go or are named
  if (outbox.size) refresh({ own: false, unasked: true });
}

function forgetDraft(hand) {
  try {
    localStorage.removeItem(`draft:${view.dataset.place}:${hand}`);
  } catch {
    // Storage may be forbidden: then there is no draft either.
  }
}

// Words: unsent, refused

function isOffline() {
  return !navigator.onLine || outbox.state === "offline" || cut || (isKept() && !isLate());
}

function showUnsent() {
  const bar = document.getElementById("unsent");
  lock();
  showNext();
  const offline = isOffline();
  codes?.update();
  document.getElementById("net-on").hidden = offline;
  document.getElementById("net-off").hidden = !offline;
  if (offline && !wasOffline && !outbox.size && newer.hidden) tellNews(newer.dataset.offline, { forSeconds: true });
  wasOffline = offline;
  bar.hidden = !outbox.size || outbox.state === "sending";
  if (!bar.hidden) bar.querySelector("span").textContent = unsentWords(bar.dataset);
}

// What waits in this phone, and what came of the last try; after some minutes, whom to show it.
function unsentWords(words) {
  const { hands } = outbox;
  const many = words.many.replace("{count}", outbox.size).replace("{hands}", hands.join(", "));
  const what = hands.length > 1 ? many : hands.length ? words.one.replace("{n}", hands[0]) : words.act;
  if (outbox.rests && !isKept() && navigator.onLine) return `${what} ${words.rests}`;
  const late = outbox.minutes >= LATE;
  const how = late ? words.late.replace("{n}", outbox.minutes) : (words[outbox.state] ?? words.offline).replace("{n}", outbox.wait);
  return `${what} ${how}`;
}

// While something is on its way the keys rest; what was typed stays to be seen.
function lock() {
  const busy = outbox.size > 0 && !outbox.rests && !isAhead();
  for (const button of document.querySelectorAll("#view button, #view [name]")) {
    const keep = button.type === "hidden";
    if (button.id === "go-on") continue;
    if (!keep && button.matches("button:not([data-step]), [data-step], input, select")) button.disabled = busy;
  }
  const go = view.querySelector(".dock .btn[data-sending]");
  if (!go) return;
  go.dataset.words ??= go.innerHTML;
  if (busy) go.textContent = outbox.state === "sending" || outbox.state === "idle" ? go.dataset.sending : go.dataset.unsent;
  else if (go.innerHTML !== go.dataset.words) go.innerHTML = go.dataset.words;
}

function hideRefusal() {
  const box = document.getElementById("refused");
  if (!box) return;
  box.hidden = true;
  document.title = document.title.replace(view.dataset.refused + colon, "");
  entry?.mark([]);
}

function showRefusal(answer) {
  const box = document.getElementById("refused");
  if (!box) return;
  const blocking = (answer.findings ?? []).filter((one) => one.blocking);
  box.querySelector(".head").textContent = blocking.length ? "" : answer.message;
  const inOrder = entry?.inOrder(blocking, (one) => one.field) ?? blocking;
  box.querySelector("ul").replaceChildren(...inOrder.map((one) => item(one)));
  box.hidden = false;
  nameRefused();
  if (!entry?.mark(blocking)) box.focus();
}

function nameRefused() {
  const refused = view.dataset.refused + colon;
  document.title = refused + document.title.replace(refused, "");
}

function item(finding) {
  const line = document.createElement("li");
  line.textContent = finding.message;
  return line;
}

function showNote(words) {
  const note = document.createElement("div");
  note.className = "notice";
  note.setAttribute("role", "status");
  note.textContent = words;
  view.querySelector(".fields")?.prepend(note);
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-send]");
  if (!form) return;
  event.preventDefault();
  if (settling) return tellNews(newer.dataset.early, { forSeconds: true });
  send(form, event.submitter);
});
// what opens is seen whole, not behind the dock
view.addEventListener("click", (event) => {
  const part = event.target.closest("summary")?.parentElement;
  if (part && !part.closest(".dock")) requestAnimationFrame(() => requestAnimationFrame(() => part.open && reveal(part)));
});
view.addEventListener("form:shown", (event) => reveal(event.target));
document.addEventListener("live:lost", (event) => {
  if (cut === event.detail) return;
  cut = event.detail;
  showUnsent();
});
view.addEventListener("click", (event) => event.target.closest("#go-on") && goOn());
newer.querySelector("button").addEventListener("click", () => refresh({ focus: true, own: false }));
pulse.addEventListener("live:changed", follow);
pulse.addEventListener("live:over", () => location.reload());
addEventListener("online", () => outbox.flush());
addEventListener("offline", showUnsent);
document.addEventListener("visibilitychange", () => document.hidden || outbox.flush());

sizes.observe(document.querySelector(".topbar"));
dress();
setInterval(showUnsent, 15000);
// a page that the phone had kept takes itself up where the server stands, once it answers
const taken = setInterval(() => (isKept() ? isLate() || refresh({ unasked: true }) : clearInterval(taken)), 5000);
if (isLate()) tellNews(document.getElementById("kept").dataset.late, { forSeconds: true });
document.addEventListener("late", async ({ detail }) => {
  clearTimeout(newsTimer);
  newsTimer = null;
  newer.hidden = true;
  if (detail) await take(detail, { address: addressOf(isOwn()), unasked: true });
  outbox.flush();
  showUnsent();
});
// without a worker a page that is left cannot be opened again: the browser asks first
addEventListener("beforeunload", (event) => {
  const lost = !navigator.serviceWorker?.controller && (!navigator.onLine || cut) && inUse();
  if (lost) event.preventDefault();
});
outbox.start();
follow();
// what a page without network needs is not waited for by one that has just been opened
addEventListener("load", async () => {
  if (!document.getElementById("result-code") || !isSecureContext || !("indexedDB" in window)) return;
  const { ResultCodes } = await import("./table-result-code.js");
  const made = new ResultCodes({ view, outbox, entry: () => entry, offline: isOffline });
  await made.start();
  codes = made;
});
