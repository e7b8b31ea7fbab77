// A player's own page wakes up: when its news change, the title says them, and who has asked for it hears and feels it.

import { wakesHere } from "./wake.js";

const root = document.querySelector("[data-my-table]");

let news = newsNow();
const rest = document.title.slice(news && document.title.startsWith(news) ? news.length : 0);

function newsNow() {
  return root?.querySelector("[data-news]")?.dataset.news ?? "";
}

if (root) {
  const ring = wakesHere(document.querySelector("[data-wake]"));
  root.addEventListener("live:changed", () => {
    const now = newsNow();
    if (now === news) return;
    news = now;
    document.title = `${now}${rest}`;
    ring();
  });
}
