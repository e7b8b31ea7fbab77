// Keys of the desk (UX §11): off while typing, and off for good where the reader says so.

const STORE = "desk-keys";
const TYPING = "input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]";
const help = document.getElementById("keys");
const toggle = help?.querySelector("[data-keys-on]");

const isOn = () => localStorage.getItem(STORE) !== "off";
if (toggle) {
  toggle.checked = isOn();
  toggle.addEventListener("change", () => localStorage.setItem(STORE, toggle.checked ? "on" : "off"));
}

const tiles = () => [...document.querySelectorAll("[data-table]")];
const items = () => [...document.querySelectorAll("[data-item]")];
const currentItem = () => document.querySelector("[data-item][aria-current]") ?? items()[0];
const navigation = (name) => document.querySelector(`.topbar nav a[href$="/${name}/"]`)?.click();
const shortcut = (name) => document.querySelector(`[data-shortcut="${name}"]`)?.click();

let digits = "";
let digitsTimer;

function openTable(number) {
  const tile = document.querySelector(`[data-table="${Number(number)}"]`);
  if (tile) tile.click();
  else if (document.getElementById("go-to-table")) location.search = `?table=${Number(number)}`;
}

function typeDigit(key) {
  digits = (digits + key).slice(-2);
  document.querySelector(`[data-table="${Number(digits)}"]`)?.focus();
  clearTimeout(digitsTimer);
  digitsTimer = setTimeout(() => (digits = ""), 2000);
}

function moveItem(step) {
  const all = items();
  if (!all.length) return;
  const now = all.findIndex((item) => item.hasAttribute("aria-current"));
  const next = all[Math.min(Math.max(now + step, 0), all.length - 1)];
  all.forEach((item) => item.removeAttribute("aria-current"));
  next.setAttribute("aria-current", "true");
  next.focus();
}

// Arrows move by place on the screen: to the nearest tile in that direction.
function moveTile(dx, dy) {
  const all = tiles();
  const from = document.activeElement.closest?.("[data-table]");
  if (!from) return all[0]?.focus();
  const at = middle(from);
  const ahead = all
    .map((tile) => ({ tile, to: middle(tile) }))
    .filter(({ to }) => (dx ? (to.x - at.x) * dx > 4 && Math.abs(to.y - at.y) < 20 : (to.y - at.y) * dy > 4))
    .sort((a, b) => distance(at, a.to) - distance(at, b.to));
  ahead[0]?.tile.focus();
}

function middle(part) {
  const box = part.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function nextUnfinished() {
  const open = tiles().filter((tile) => tile.hasAttribute("data-unfinished"));
  const now = open.indexOf(document.activeElement);
  open[(now + 1) % open.length]?.focus();
}

const KEYS = {
  "?": () => help?.showModal(),
  ArrowLeft: () => moveTile(-1, 0),
  ArrowRight: () => moveTile(1, 0),
  ArrowUp: () => moveTile(0, -1),
  ArrowDown: () => moveTile(0, 1),
  j: () => moveItem(1),
  k: () => moveItem(-1),
  t: () => currentItem()?.querySelector("[data-take]")?.click(),
  c: () => shortcut("correct"),
  p: () => (document.querySelector('[data-shortcut="pair"]') ? shortcut("pair") : navigation("rounds")),
  r: () => (document.querySelector('[data-shortcut="ruling"]') ? shortcut("ruling") : navigation("rulings")),
  s: () => navigation("standings"),
  "/": () => navigation("entrants"),
  n: nextUnfinished,
  Escape: () => shortcut("back"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.matches?.(TYPING) || help?.open || !isOn()) return;
  if (/^[0-9]$/.test(event.key)) return typeDigit(event.key);
  if (event.key === "Enter" && digits) {
    event.preventDefault();
    openTable(digits);
    digits = "";
    return;
  }
  digits = "";
  if (event.key === "Enter" && document.activeElement.matches?.("[data-item]")) {
    event.preventDefault();
    return document.activeElement.querySelector("[data-open]")?.click();
  }
  if (event.key.startsWith("Arrow") && !tiles().length) return;
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
