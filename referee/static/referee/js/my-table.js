// A player's own page wakes up: when its news change, the title says them, and who has asked for it hears and feels it.

const root = document.querySelector("[data-my-table]");
const wake = document.querySelector("[data-wake]");
const BUZZ = [200, 100, 200];
const TONE = 660;
const SECONDS = 0.35;

let sound = null;
let news = newsNow();
const rest = document.title.slice(news && document.title.startsWith(news) ? news.length : 0);

function newsNow() {
  return root?.querySelector("[data-news]")?.dataset.news ?? "";
}

function ring() {
  navigator.vibrate?.(BUZZ);
  if (!sound) return;
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  tone.frequency.value = TONE;
  volume.gain.setValueAtTime(0.3, sound.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + SECONDS);
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + SECONDS);
}

if (root) {
  root.addEventListener("live:changed", () => {
    const now = newsNow();
    if (now === news) return;
    news = now;
    document.title = `${now}${rest}`;
    if (wake?.getAttribute("aria-pressed") === "true") ring();
  });
}

// a browser lets a page sound only after a tap on it
if (wake && (window.AudioContext || navigator.vibrate)) {
  wake.hidden = false;
  wake.setAttribute("aria-pressed", "false");
  wake.addEventListener("click", () => {
    const on = wake.getAttribute("aria-pressed") !== "true";
    wake.setAttribute("aria-pressed", String(on));
    if (!on) return;
    sound ??= window.AudioContext ? new AudioContext() : null;
    sound?.resume();
    ring();
  });
}
