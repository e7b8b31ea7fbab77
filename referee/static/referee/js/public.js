// Public pages: the round's clock goes on between two fetches; the projector turns its pages.

const TICK = 1000;
const two = (number) => String(number).padStart(2, "0");

function written(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

function tick() {
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const left = Math.max(0, Math.floor(Number(clock.dataset.ends) - Date.now() / 1000));
    clock.querySelector("time").textContent = left ? written(left) : clock.dataset.over;
    clock.classList.toggle("over", !left);
  }
}

if (document.querySelector("[data-ends]")) {
  tick();
  setInterval(tick, TICK);
}

// The projector: one page at a time, the next after some seconds; any key stops and starts it.
const slides = document.querySelector("[data-slides]");
if (slides) {
  const note = document.querySelector("[data-slide-note]");
  let current = 0;
  let paused = false;
  const show = () => {
    const pages = [...slides.querySelectorAll("[data-slide]")];
    if (pages.length) current %= pages.length;
    pages.forEach((page, number) => (page.hidden = number !== current));
  };
  const turn = () => {
    if (paused) return;
    current += 1;
    show();
  };
  show();
  setInterval(turn, Number(slides.dataset.slides) * TICK);
  slides.addEventListener("live:changed", () => {
    show();
    tick();
  });
  const pause = () => {
    paused = !paused;
    note.textContent = paused ? slides.dataset.paused : "";
  };
  document.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.altKey || pause());
  document.addEventListener("click", pause);
}
