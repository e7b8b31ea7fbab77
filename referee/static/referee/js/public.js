// The projector turns its pages. They come in reels: after the last page of one the next is asked for.

const TICK = 1000;
// The projector: one page at a time, the next after some seconds; any key stops and starts it.
const slides = document.querySelector("[data-slides]");
if (slides) {
  const note = document.querySelector("[data-slide-note]");
  let current = 0;
  let first = "";
  let paused = false;
  const show = () => {
    const pages = [...slides.querySelectorAll("[data-slide]")];
    const next = nextReel();
    if (next) next.hidden = true;
    if (pages.length && pages[0].id !== first) current = 0;
    first = pages[0]?.id ?? "";
    if (pages.length) current %= pages.length;
    pages.forEach((page, number) => (page.hidden = number !== current));
  };
  const nextReel = () => slides.querySelector("[data-slides-next]");
  const turn = () => {
    if (paused) return;
    current += 1;
    const next = nextReel();
    if (next && current >= slides.querySelectorAll("[data-slide]").length) {
      slides.dataset.fragmentUrl = next.dataset.slidesNext;
      document.dispatchEvent(new CustomEvent("live:ask"));
    }
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
