// The worker of a phone without network. The server sends it with what it has to know in front: VERSION, SHELL (files of
// the pages, each named by its hash), FALLBACK (the page that says there is no network), CODE
// (the page that a scanned result code opens), WOKEN (where a message on the
// lock screen leads), SIGN (the picture of such a message).
//
// It keeps what the server marks with `Offline-Keep` and nothing else: the page of this phone's own place, the page of
// its own code, rules and the adjudicator. Never the desk, the API, or what others see. Everything goes when a new
// version comes; what belongs to a place goes with the place. It writes nothing: entries wait in the page (outbox).
//
// What a push service brings it shows, and a tap on it opens the table's page: always that one, whatever was sent.

const KEEP = "Offline-Keep";
const KEPT_AT = "Offline-Kept-At";
const NAMES = { shell: `shell ${VERSION}`, own: `own ${VERSION}`, rules: `rules ${VERSION}` };
const DAY = 24 * 3600 * 1000; // a place lasts no longer: its cookie ends then
const PATIENCE = 400; // milliseconds after which a page that is kept is shown; what comes later is kept, and sent to it
const AFTER_ACT = 20_000; // a page that follows an act is waited for longer: the kept one does not know of it
const MINE = /^\/(?:table\/|me\/|(?:zh|en)\/(?:rules|adjudicator)\/|(?:zh|en)\/e\/[^/]+\/rules\/)/;
const NEVER = /^\/(?:desk|api|live|static)\//;
const OF_EVENT = /^(?:\?event=[\w-]+)?$/; // what an address may ask for besides: no position, no form is kept
const UNCHANGING = /\/steps\/[0-9a-f]+\.json$/; // its name says what it holds
const PLACE = /^\/table\/[^/]+\//;
const files = new Set(SHELL);
let acted = 0;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function install() {
  const shell = await caches.open(NAMES.shell);
  await shell.addAll([...SHELL, FALLBACK, CODE]);
  // what an older version kept is asked for again: its pages name files that go with it
  for (const name of (await caches.keys()).filter((one) => /^(own|rules) /.test(one) && !one.endsWith(VERSION))) {
    for (const old of await (await caches.open(name)).keys()) await askFor(pathOf(old.url));
  }
  await self.skipWaiting();
}

async function activate() {
  const present = Object.values(NAMES);
  for (const name of await caches.keys()) if (!present.includes(name)) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  const { keep } = event.data ?? {};
  if (keep) event.waitUntil(Promise.all(keep.filter(isMine).map(async (path) => (await missing(path)) && askFor(path))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.method === "POST" && request.mode === "navigate") acted = Date.now();
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (files.has(path)) event.respondWith(fromShell(request));
  else if (request.mode === "navigate" && !NEVER.test(path)) event.respondWith(page(event, path));
  else if (UNCHANGING.test(path)) event.respondWith(once(event, path));
  else if (isMine(path) && request.destination === "") event.respondWith(passed(event, path));
});

const isMine = (path) => MINE.test(path);

function pathOf(address) {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

async function fromShell(request) {
  const shell = await caches.open(NAMES.shell);
  return (await shell.match(request, { ignoreVary: true })) ?? fetch(request);
}

// A page that is opened: from the network; if there is none, or it is late, as this phone saw it last.
async function page(event, path) {
  const old = isMine(path) ? await lastSeen(path) : null;
  const asked = fetch(event.request).then((answer) => noted(path, answer));
  event.waitUntil(asked.catch(() => null));
  const answer = await (old ? Promise.race([asked, late()]) : asked).catch(() => null);
  if (answer && answer !== LATE && (answer.status < 500 || !old)) return answer;
  if (answer === LATE) event.waitUntil(tell(event, path, asked));
  const other = path.startsWith(CODE) ? CODE : FALLBACK;
  return old ? old.shown(answer === LATE) : (await (await caches.open(NAMES.shell)).match(other)) ?? Response.error();
}

// What came of a page that was late goes to the kept one that is shown meanwhile: it is new, there is none, or it is not
// that page any longer, and then it is asked for again.
async function tell(event, path, asked) {
  const answer = await asked.catch(() => null);
  const none = !answer || answer.status >= 500 || answer.status === 429;
  if (!none && !answer.ok) await forget(path);
  const html = !none && answer.ok ? await answer.text() : "";
  const client = await self.clients.get(event.resultingClientId);
  client?.postMessage({ late: none ? "none" : html ? "here" : "gone", html });
}

async function once(event, path) {
  return (await get("own", path)) ?? passed(event, path);
}

// What a script of the page asks for is never answered from what is kept: it would take it for news.
async function passed(event, path) {
  const answer = await fetch(event.request);
  return noted(path, answer);
}

const search = (path) => path.slice(path.split("?")[0].length);
const LATE = Symbol("late");
const late = () => new Promise((done) => setTimeout(() => done(LATE), Date.now() - acted < AFTER_ACT ? AFTER_ACT : PATIENCE));

async function lastSeen(path) {
  const plain = path.split("?")[0];
  const found = (await get("own", plain)) ?? (await get("rules", path)) ?? (await get("rules", plain));
  if (!found) return null;
  const at = found.headers.get(KEPT_AT);
  const outlived = found.headers.get(KEEP) === "own" && Date.now() - Date.parse(at) > DAY;
  if (outlived) await forget(plain);
  return outlived ? null : { shown: (late) => marked(found, at, late) };
}

// The page says itself that it is a kept one, and since when; and whether the one of the server may still come.
async function marked(answer, at, late) {
  const html = (await answer.text()).replace("<html ", `<html data-kept="${at}" ${late ? "data-late " : ""}`);
  return new Response(html, { headers: answer.headers });
}

// Keeps an answer where the server says so; where it says that the place is gone, forgets it.
async function noted(path, answer) {
  const keep = answer.headers.get(KEEP);
  const place = path.match(PLACE)?.[0];
  if (place && answer.status === 404) await forgetAll(place);
  else if (keep === "forget") await forget(path);
  else if (answer.ok && isMine(path) && (keep === "own" || keep === "rules") && OF_EVENT.test(search(path))) await put(keep, path, answer.clone());
  return answer;
}

async function put(kind, path, answer) {
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
  headers.set(KEPT_AT, new Date().toISOString());
  const body = await answer.text();
  await (await caches.open(NAMES[kind])).put(path, new Response(body, { headers }));
}

async function get(kind, path) {
  return (await caches.open(NAMES[kind])).match(path, { ignoreVary: true });
}

async function missing(path) {
  return !(await get("own", path)) && !(await get("rules", path));
}

async function askFor(path) {
  const answer = await fetch(path, { credentials: "same-origin" });
  if (!answer.redirected) await noted(path, answer);
}

async function forget(path) {
  for (const name of [NAMES.own, NAMES.rules]) {
    for (const one of [path, path.split("?")[0]]) await (await caches.open(name)).delete(one, { ignoreVary: true });
  }
}

async function forgetAll(place) {
  const own = await caches.open(NAMES.own);
  for (const one of await own.keys()) if (new URL(one.url).pathname.startsWith(place)) await own.delete(one);
}

self.addEventListener("push", (event) => event.waitUntil(say(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open());
});

// A browser that shows nothing for a message takes the permission away: what cannot be read is shown as a bare one.
async function say(data) {
  let said = {};
  try {
    said = data.json() ?? {};
  } catch {
    // sent by nobody we know
  }
  const text = (name) => (typeof said[name] === "string" ? said[name] : "");
  await self.registration.showNotification(text("title") || "Referee", {
    body: text("body"),
    tag: text("tag") || "referee",
    lang: text("lang"),
    renotify: true,
    icon: SIGN,
    vibrate: [200, 100, 200],
  });
}

// A page that is open already is taken, else a new one opened.
async function open() {
  const address = new URL(WOKEN, location.origin).href;
  for (const one of await self.clients.matchAll({ type: "window" })) {
    if (!/^\/(?:me|table)\//.test(new URL(one.url).pathname)) continue;
    const gone = await one.navigate(address).catch(() => null);
    if (gone) return gone.focus().catch(() => null);
  }
  return self.clients.openWindow(address);
}
