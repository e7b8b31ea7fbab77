// What this browser keeps for its reader, here and nowhere else: whom he follows at an event, with a star beside entrants,
// and that he has a table of his own. The page of those who are followed is made by the server from the numbers in its
// address.

const here = slugOf(location.href);
const list = document.querySelector("[data-follow-list]");

function slugOf(address) {
  return /^\/(?:zh|en)\/e\/([^/]+)\//.exec(new URL(address, location.href).pathname)?.[1];
}

// A browser that lets nothing be kept has no stars.
function kept(slug) {
  try {
    return (localStorage.getItem(`followed:${slug}`) ?? "").split(",").filter(Boolean);
  } catch {
    return null;
  }
}

function keep(slug, numbers) {
  try {
    localStorage.setItem(`followed:${slug}`, numbers.join(","));
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

// The event of a star: the one of the page, unless the star names another.
const eventOf = (star) => star.dataset.of ?? here;

function show() {
  if (!kept("")) return;
  for (const star of document.querySelectorAll("[data-star]")) {
    star.hidden = false;
    star.setAttribute("aria-pressed", String(kept(eventOf(star)).includes(star.dataset.star)));
  }
  for (const mark of document.querySelectorAll("[data-follows]")) {
    if (kept(here).includes(mark.dataset.follows)) showMark(mark);
  }
  for (const link of document.querySelectorAll("[data-follow-page]")) {
    const numbers = kept(slugOf(link.href));
    link.hidden = !numbers.length;
    link.href = address(link.href, numbers);
    link.querySelector("[data-follow-count]").textContent = numbers.length;
  }
  // the page by the own code for a week, else the places at tables for a day: each notes itself (forms.js)
  const own = ["/me/", "/table/"].find((page) => Number(localStorage.getItem(`own:${page}`)) > Date.now());
  for (const link of document.querySelectorAll("[data-own-table]")) {
    link.hidden = !own;
    if (own) link.href = own;
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
  const before = kept(eventOf(star));
  const number = star.dataset.star;
  const after = before.includes(number) ? before.filter((one) => one !== number) : [...before, number];
  keep(eventOf(star), after);
  // its own list stays in the address; somebody else's, opened by a link, is left alone
  if (list?.dataset.followList === before.join(",")) {
    list.dataset.followList = after.join(",");
    history.replaceState(history.state, "", address(location.href, after));
  }
  show();
}

const numbers = here && kept(here);
if (list && numbers?.length && !new URL(location.href).searchParams.has("n")) {
  location.replace(address(location.href, numbers));
}
show();
document.addEventListener("click", (event) => {
  const star = event.target.closest("[data-star]");
  if (star) toggle(star);
});
document.addEventListener("live:changed", show);
addEventListener("storage", (event) => event.key?.startsWith("followed:") && show());
