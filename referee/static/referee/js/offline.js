// A page that opens without network: has the worker installed that keeps it, or taken away where the server says so, and
// says in words when it is a kept one. Where the address is not secure (plain http) there is no worker: it says that.

const at = document.querySelector("meta[name=offline]");
const worker = at?.content;
const bar = document.getElementById("kept");
const atTable = Boolean(document.getElementById("view"));
const MINUTE = 60000;
const LATE = 300;
const LATE_TURNS = 10;
const LATEST = 20_000; // a worker that has told nothing by then will not
const JUST_NOW = 10_000;

if ("serviceWorker" in navigator) {
  if (worker) addEventListener("load", () => install());
  else if (at) remove();
} else document.getElementById("plain-http")?.removeAttribute("hidden");

async function install() {
  try {
    await navigator.serviceWorker.register(worker, { scope: "/", updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    const address = location.pathname;
    active.postMessage({ keep: [...(at.dataset.keep ?? "").split(" ").filter(Boolean), address] });
  } catch {
    // No network or not allowed: the page works as without a worker.
  }
}

export async function remove() {
  for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
  if (!("caches" in window)) return;
  // a worker that was at work when it was told to go may still keep what it had asked for
  for (let turn = 0; turn < LATE_TURNS; turn += 1) {
    for (const name of await caches.keys()) await caches.delete(name);
    await new Promise((done) => setTimeout(done, LATE));
    if (!(await caches.keys()).length) return;
  }
}

// A kept page says so, with its age, until the network answers.
export function isKept() {
  return "kept" in document.documentElement.dataset;
}

// It is shown because the network is slow: whether there is one the worker still has to tell.
export function isLate() {
  return "late" in document.documentElement.dataset && performance.now() < LATEST;
}

export function isFresh() {
  delete document.documentElement.dataset.kept;
  if (bar) bar.hidden = true;
}

const age = () => Date.now() - Date.parse(document.documentElement.dataset.kept);

function say() {
  if (!bar || !isKept()) return;
  const minutes = Math.max(0, Math.floor(age() / MINUTE));
  const words = minutes ? bar.dataset.age.replace("{n}", minutes) : bar.dataset.now;
  bar.querySelector("span").textContent = isLate() ? bar.dataset.late : words;
  // at the table it would push down what is about to be tapped: the head of the page says it
  bar.hidden = isLate() && atTable;
}

// The table's page takes itself up again, a live part asks; another page is opened anew where it says something else now.
async function again() {
  if (!isKept() || isLate() || atTable) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) renew(await answer.text());
}

function renew(html) {
  const next = new DOMParser().parseFromString(html, "text/html");
  const live = document.querySelector("[data-fragment-url]");
  const same = next.getElementById("main")?.textContent === document.getElementById("main").textContent;
  // one of just now differs by its times only: opening it again and again would be no better
  if (!live && !same && age() > JUST_NOW) return location.reload();
  isFresh();
  document.dispatchEvent(new CustomEvent("live:ask"));
}

// What the worker tells of the page that was late.
function told({ late, html }) {
  if (!late) return;
  delete document.documentElement.dataset.late;
  if (late === "gone") return location.reload();
  if (late === "here" && !atTable) renew(html);
  say();
  document.dispatchEvent(new CustomEvent("late", { detail: html }));
}

if (bar) {
  say();
  setInterval(say, MINUTE / 2);
  setInterval(again, 5000);
  addEventListener("online", again);
  navigator.serviceWorker?.addEventListener("message", ({ data }) => told(data ?? {}));
}

// A page that leaves the worker to be taken away by hand.
for (const key of document.querySelectorAll("[data-forget]")) {
  key.addEventListener("click", async () => {
    if ("serviceWorker" in navigator) await remove();
    document.getElementById("forgotten").hidden = false;
    key.disabled = true;
  });
}

// The page that stands for one which is not kept leads to those that are.
const list = document.getElementById("kept-pages");
if (list && "caches" in window) {
  for (const name of (await caches.keys()).filter((one) => /^(own|rules) /.test(one))) {
    const pages = await caches.open(name);
    for (const one of await pages.keys()) {
      const page = new DOMParser().parseFromString(await (await pages.match(one)).text(), "text/html");
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = new URL(one.url).pathname;
      link.textContent = page.title.replace(" · Referee", "");
      line.append(link);
      list.append(line);
    }
  }
  document.getElementById("kept-here").hidden = !list.children.length;
  document.getElementById("not-kept").hidden = location.pathname === list.dataset.here;
}
