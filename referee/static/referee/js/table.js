// The phone at the table: one page that follows what this side must do now.
// Without this script every act is a plain form; with it, an entry survives bad networks and shows what it does.

import { dressEntry } from "./table-entry.js";
import { IndividualForm } from "./table-individual.js";
import { Outbox } from "./table-outbox.js";
import { tie } from "./ruler.js";

// A page that changed under the thumb takes no tap for a moment: the tap was meant for the page before.
const GUARD = 700;

const view = document.getElementById("view");
const pulse = document.getElementById("pulse");
const newer = document.getElementById("newer");
const outbox = new Outbox(view.dataset.place, {
  done: onDone,
  refused: onRefused,
  changed: showUnsent,
  lost: () => location.reload(),
});
let entry = null;
let freshUntil = 0;

// What is shown

function dress() {
  tie(view);
  const form = view.querySelector("form[data-send=hand]");
  if (form?.dataset.game) entry = new IndividualForm(form, view.dataset);
  else entry = form ? dressEntry(form, view.dataset) : null;
  lock();
}

function inUse() {
  return outbox.size > 0 || Boolean(entry?.dirty);
}

async function refresh({ focus = false, own = new URLSearchParams(location.search).has("own"), unasked = false } = {}) {
  const address = location.pathname + (own ? "?own=1" : "");
  let answer;
  try {
    answer = await fetch(address, { credentials: "same-origin", cache: "no-store" });
  } catch {
    return; // no network: the pulse tells again
  }
  if (!answer.ok) return location.assign(address);
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = next.getElementById("view");
  if (!fresh) return location.assign(address);
  // another sitting (the next game): its changes come over another stream
  if (fresh.dataset.place !== view.dataset.place) return location.assign(address);
  // nobody asked for it, and while it was on its way the page was taken into use or came to stand there already
  if (unasked && inUse()) return follow();
  if (unasked && fresh.dataset.view === view.dataset.view) return;
  history.replaceState(null, "", address);
  pulse.dataset.fragmentUrl = next.getElementById("pulse").dataset.fragmentUrl;
  for (const name of Object.keys(view.dataset)) delete view.dataset[name];
  Object.assign(view.dataset, fresh.dataset);
  view.replaceChildren(...fresh.childNodes);
  document.title = next.title;
  document.querySelector(".topbar .name").replaceWith(next.querySelector(".topbar .name"));
  newer.hidden = true;
  freshUntil = Date.now() + GUARD;
  dress();
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
    newer.hidden = true;
    return;
  }
  if (inUse()) {
    newer.querySelector("span").textContent = mark.dataset.say;
    newer.hidden = false;
    return;
  }
  refresh({ own: false, unasked: true });
}

// What is sent

function send(form, button) {
  if (outbox.size || !form) return;
  const body = new FormData(form);
  if (button?.name) body.set(button.name, button.value);
  if (form.dataset.send === "hand") entry.beforeSend();
  hideRefusal();
  outbox.put({
    address: form.getAttribute("action"),
    fields: [...body].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "key"),
    hand: form.dataset.send === "hand" ? view.dataset.hand : null,
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
  if (overtaken.includes(answer.code)) {
    newer.querySelector("span").textContent = answer.message;
    newer.hidden = false;
  }
}

function forgetDraft(hand) {
  try {
    localStorage.removeItem(`draft:${view.dataset.place}:${hand}`);
  } catch {
    // Storage may be forbidden: then there is no draft either.
  }
}

// Words: unsent, refused

function showUnsent() {
  const bar = document.getElementById("unsent");
  const words = bar.querySelector("span");
  lock();
  const late = outbox.minutes >= 10;
  const offline = !navigator.onLine || outbox.state === "offline";
  document.getElementById("net-on").hidden = offline;
  document.getElementById("net-off").hidden = !offline;
  bar.hidden = !(offline || (outbox.size && outbox.state !== "sending"));
  standBelowBar();
  if (bar.hidden) return;
  const lines = [];
  if (outbox.size) lines.push(outbox.hand ? bar.dataset.one.replace("{n}", outbox.hand) : bar.dataset.act);
  if (outbox.size && late) lines.push(bar.dataset.late.replace("{n}", outbox.minutes));
  if (outbox.state === "server") lines.push(bar.dataset.server);
  else if (outbox.state === "fast") lines.push(bar.dataset.fast);
  else if (offline && !outbox.size) lines.push(bar.dataset.offline);
  words.textContent = lines.join(" ");
}

// The bar of unsent acts stands right below the bar of the page, which is as high as its words need.
function standBelowBar() {
  const top = document.querySelector(".topbar");
  const height = getComputedStyle(top).position === "sticky" ? top.offsetHeight : 0;
  document.documentElement.style.setProperty("--bar", `${height}px`);
}

// While something is on its way the keys rest; what was typed stays to be seen.
function lock() {
  const busy = outbox.size > 0;
  for (const button of document.querySelectorAll("#view button, #view [name]")) {
    const keep = button.type === "hidden";
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
  document.title = document.title.replace(`${view.dataset.refused}: `, "");
  entry?.mark([]);
}

function showRefusal(answer) {
  const box = document.getElementById("refused");
  if (!box) return;
  const blocking = (answer.findings ?? []).filter((one) => one.blocking);
  box.querySelector(".head").textContent = blocking.length ? "" : answer.message;
  box.querySelector("ul").replaceChildren(...blocking.map((one) => item(one)));
  box.hidden = false;
  document.title = `${view.dataset.refused}: ${document.title.replace(`${view.dataset.refused}: `, "")}`;
  if (!entry?.mark(blocking)) box.focus();
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
  if (Date.now() >= freshUntil) send(form, event.submitter);
});
view.addEventListener(
  "click",
  (event) => {
    if (Date.now() < freshUntil) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);
newer.querySelector("button").addEventListener("click", () => refresh({ focus: true, own: false }));
pulse.addEventListener("live:changed", follow);
pulse.addEventListener("live:over", () => location.reload());
addEventListener("online", () => outbox.flush());
addEventListener("offline", showUnsent);
document.addEventListener("visibilitychange", () => document.hidden || outbox.flush());

dress();
setInterval(showUnsent, 15000);
outbox.start();
follow();
