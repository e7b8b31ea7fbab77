// A knockout opens on the round in play, and stays where its reader has gone to when its live part is put in anew.

const places = new Map();

function restore() {
  for (const [number, rounds] of document.querySelectorAll("[data-bracket]").entries()) {
    const known = places.get(number);
    const column = rounds.children[Number(rounds.dataset.bracket)];
    const left = known ?? (column ? column.offsetLeft - rounds.children[0].offsetLeft : 0);
    rounds.scrollTo({ left, behavior: "instant" });
    if (rounds.dataset.watched) continue;
    rounds.dataset.watched = "yes";
    rounds.addEventListener("scroll", () => places.set(number, rounds.scrollLeft), { passive: true });
  }
}

restore();
document.addEventListener("live:changed", restore);
