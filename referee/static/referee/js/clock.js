// The clock of the round goes on between two fetches: on phones, at the desk and in the hall.
// <span data-clock data-phase data-ends data-warning data-word-running="…" …>; the server's own time is known
// from what was left when the page was made. Each change of phase is said once, politely.

const TICK = 1000;
const OVER = "over";
const seen = new WeakMap();
let offset = 0;
let said = null;

const two = (number) => String(number).padStart(2, "0");

export function written(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function read(text) {
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

function phaseOf(clock, left) {
  if (clock.dataset.phase === "stopped") return "stopped";
  if (left <= 0) return OVER;
  return left <= Number(clock.dataset.warning) ? "warning" : "running";
}

// When what stands on the page came from the server: a page that was kept opens with what was left then.
let came = Date.parse(document.documentElement.dataset.kept) || null;

// A clock that has just come from the server tells what time it is there.
function meet(clock) {
  const left = read(clock.querySelector("[data-clock-left]").textContent);
  const then = (came ?? Date.now()) / 1000;
  if (clock.dataset.phase !== "stopped" && left > 0) offset = Number(clock.dataset.ends) - left - then;
  seen.set(clock, clock.dataset.phase);
}

function show(clock) {
  if (!seen.has(clock)) meet(clock);
  const time = clock.querySelector("[data-clock-left]");
  const left = Math.max(0, Math.round(Number(clock.dataset.ends) - Date.now() / 1000 - offset));
  const phase = phaseOf(clock, left);
  if (phase !== "stopped") time.textContent = written(left);
  time.hidden = phase === OVER;
  const word = clock.querySelector("[data-clock-word]");
  const words = clock.getAttribute(`data-word-${phase}`);
  if (word.textContent !== words) word.textContent = words;
  clock.className = `clock ${phase}`;
  return { phase, word: word.textContent, time: phase === OVER ? "" : time.textContent };
}

function follow(now) {
  for (const mirror of document.querySelectorAll("[data-clock-mirror]")) {
    mirror.hidden = now.phase === OVER;
    mirror.className = `pill${now.phase === "running" ? "" : " wait"}`;
    mirror.querySelector("span").textContent = now.time || now.word;
  }
  for (const part of document.querySelectorAll("[data-when-over]")) part.hidden = now.phase !== OVER;
  for (const bar of document.querySelectorAll("progress[data-clock-bar]")) {
    const clock = document.querySelector("[data-clock]");
    bar.value = bar.max - Math.max(0, Number(clock.dataset.ends) - Date.now() / 1000 - offset);
  }
  const place = document.getElementById("live-say");
  if (said !== null && said !== now.phase && place) place.textContent = now.word;
  said = now.phase;
}

function tick() {
  const clocks = [...document.querySelectorAll("[data-clock]")].map(show);
  if (clocks.length) follow(clocks[0]);
  else for (const mirror of document.querySelectorAll("[data-clock-mirror]")) mirror.hidden = true;
}

tick();
came = null;
setInterval(tick, TICK);
document.addEventListener("live:changed", tick);
