// Whom this browser follows at an event: a star beside every entrant, kept here and nowhere else. The page of those who
// are followed is made by the server from the numbers in its address.

const slug = /^\/(?:zh|en)\/e\/([^/]+)\//.exec(location.pathname)?.[1];
const KEY = `followed:${slug}`;
const list = document.querySelector("[data-follow-list]");

// A browser that lets nothing be kept has no stars.
function kept() {
  try {
    return (localStorage.getItem(KEY) ?? "").split(",").filter(Boolean);
  } catch {
    return null;
  }
}

function keep(numbers) {
  try {
    localStorage.setItem(KEY, numbers.join(","));
  } catch {
    // full, or not allowed: the star stays as it was
  }
}

function address(page, numbers) {
  const to = new URL(page, location.href);
  if (numbers.length) to.searchParams.set("n", numbers.join(","));
  else to.searchParams.delete("n");
  return to.href.replaceAll("%2C", ",");
}

function show() {
  const numbers = kept();
  if (!numbers) return;
  for (const star of document.querySelectorAll("[data-star]")) {
    star.hidden = false;
    star.setAttribute("aria-pressed", String(numbers.includes(star.dataset.star)));
  }
  for (const mark of document.querySelectorAll("[data-follows]")) {
    if (numbers.includes(mark.dataset.follows)) showMark(mark);
  }
  for (const link of document.querySelectorAll("[data-follow-page]")) {
    link.hidden = !numbers.length;
    link.href = address(link.href, numbers);
    link.querySelector("[data-follow-count]").textContent = numbers.length;
  }
}

// In a knockout its match is framed, and the line to the next one where it has won.
function showMark(mark) {
  mark.hidden = false;
  const match = mark.closest(".meeting");
  match?.classList.add("on");
  const cell = match?.parentElement;
  if (!cell?.matches(".cell")) return;
  cell.classList.add("on");
  if (mark.closest(".won")) cell.classList.add("through");
}

function toggle(star) {
  const before = kept();
  const number = star.dataset.star;
  const after = before.includes(number) ? before.filter((one) => one !== number) : [...before, number];
  keep(after);
  // its own list stays in the address; somebody else's, opened by a link, is left alone
  if (list?.dataset.followList === before.join(",")) {
    list.dataset.followList = after.join(",");
    history.replaceState(history.state, "", address(location.href, after));
  }
  show();
}

if (slug) {
  const numbers = kept();
  if (list && numbers?.length && !new URL(location.href).searchParams.has("n")) {
    location.replace(address(location.href, numbers));
  }
  show();
  document.addEventListener("click", (event) => {
    const star = event.target.closest("[data-star]");
    if (star) toggle(star);
  });
  document.addEventListener("live:changed", show);
  addEventListener("storage", (event) => event.key === KEY && show());
}
