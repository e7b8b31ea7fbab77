// A recorded hand in steps. Arrow keys, a swipe and the links put the next step in place; the address follows, so that
// what is shown can be shared. Without this script every step is a page.

const SWIPE = 48;
const TYPING = "input, select, textarea, [contenteditable]";
const root = document.querySelector("[data-steps]");

const links = () => [...root.querySelectorAll("[data-step]")];
const shown = () => links().findIndex((link) => link.hasAttribute("aria-current"));

let at = shown();
let asked = 0;

// Taps that come faster than the answers count one by one; only the last answer is shown.
async function show(place) {
  const to = links()[place]?.href;
  if (!to || place === at) return;
  at = place;
  const mine = ++asked;
  let html;
  try {
    const answer = await fetch(`${to}&part=live`, { headers: { "X-Requested-With": "fetch" }, credentials: "same-origin" });
    if (mine !== asked) return;
    if (!answer.ok) return location.assign(to);
    html = await answer.text();
  } catch {
    // no network: the step that is shown stays
    if (mine === asked) at = shown();
    return;
  }
  if (mine === asked) put(html, to);
}

function put(html, to) {
  const held = root.contains(document.activeElement) ? document.activeElement.id : null;
  root.innerHTML = html;
  history.replaceState(null, "", to);
  if (held !== null) (document.getElementById(held) ?? document.getElementById("step")).focus({ preventScroll: true });
  const language = document.querySelector(".topbar a.language, .topbar a[hreflang]");
  if (language) language.search = location.search;
  const name = document.getElementById("step").firstChild.textContent.trim();
  document.title = [name, ...document.title.split(" · ").slice(1)].join(" · ");
  document.getElementById("live-say").textContent = [name, root.querySelector("[data-said]").dataset.said].join(". ");
  center();
}

// The row of steps may be wider than a phone: the one that is shown stands in its middle.
function center() {
  const row = root.querySelector(".step-row");
  const link = row.querySelector("[aria-current]");
  row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}

function start() {
  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    const place = links().findIndex((one) => one.href === link.href);
    if (place < 0) return;
    event.preventDefault();
    if (link.rel === "next") show(at + 1);
    else if (link.rel === "prev") show(at - 1);
    else show(place);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.matches?.(TYPING)) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    show(step ? at + step : event.key === "Home" ? 0 : links().length - 1);
  });
  let from = null;
  root.addEventListener(
    "touchstart",
    ({ touches, target }) => {
      from = touches.length === 1 && !target.closest(".step-row, .scroll") ? touches[0] : null;
    },
    { passive: true },
  );
  root.addEventListener("touchend", ({ changedTouches }) => {
    if (!from) return;
    const [dx, dy] = [changedTouches[0].clientX - from.clientX, changedTouches[0].clientY - from.clientY];
    from = null;
    if (Math.abs(dx) >= SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) show(at + (dx < 0 ? 1 : -1));
  });
  document.querySelector("[data-steps-note]").hidden = false;
  center();
}

if (root) start();
