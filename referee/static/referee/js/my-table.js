// A player's own page wakes up: when its news change, the title says them, and who has asked for it hears and feels it.

import { wakesHere } from "./wake.js";

const root = document.querySelector("[data-my-table]");

let news = newsNow();
const rest = document.title.slice(news && document.title.startsWith(news) ? news.length : 0);

// In a wide hall the own table is brought into the frame of the map.
function showPlace() {
  const frame = root?.querySelector(".hall-frame");
  const table = frame?.querySelector(".marked")?.getBoundingClientRect();
  if (!table) return;
  const { left, width } = frame.getBoundingClientRect();
  frame.scrollLeft += table.left + table.width / 2 - left - width / 2;
}

function newsNow() {
  return root?.querySelector("[data-news]")?.dataset.news ?? "";
}

if (root) {
  showPlace();
  const ring = wakesHere(document.querySelector("[data-wake]"));
  root.addEventListener("live:changed", () => {
    showPlace();
    const now = newsNow();
    if (now === news) return;
    news = now;
    document.title = `${now}${rest}`;
    ring();
  });
}
