// The projector turns its pages.

const TICK = 1000;
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
  slides.addEventListener("live:changed", show);
  const pause = () => {
    paused = !paused;
    note.textContent = paused ? slides.dataset.paused : "";
  };
  document.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.altKey || pause());
  document.addEventListener("click", pause);
}
