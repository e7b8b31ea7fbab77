// The rules. The calculator: what the ruler shows is said, marked in the table, and explained below it; without this
// script the form asks for the total and the page says the same. What is folded on a phone stands open where there is room.
import { colon, tie } from "./ruler.js";

const calculator = () => document.querySelector("[data-calculator]");

const within = (part, total) =>
  (part.dataset.low === "" || Number(part.dataset.low) <= total) && (part.dataset.high === "" || total <= Number(part.dataset.high));

function show(total, outcome) {
  const form = calculator();
  form.querySelector("[data-sum]").textContent = `${String(total).replace("-", "\u2212")}${colon}${outcome}`;
  form.querySelectorAll(".bands tr[data-low]").forEach((row) => {
    row.classList.toggle("marked", within(row, total));
    if (within(row, total)) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  });
  form.querySelectorAll(".effect").forEach((effect) => (effect.hidden = !within(effect, total)));
  form.querySelector("#total-error")?.remove();
}

const address = (form) => `${location.pathname}?${new URLSearchParams(new FormData(form))}#who`;

// Other levels change every effect: the page is asked for them and only the calculator is put in.
async function startFrom(form) {
  const chosen = document.activeElement?.id;
  const answer = await fetch(address(form));
  if (!answer.ok) return form.submit();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  form.replaceWith(page.querySelector("[data-calculator]"));
  tie(calculator());
  if (chosen) document.getElementById(chosen)?.focus();
  keep();
}

let keeping;
function keep() {
  clearTimeout(keeping);
  keeping = setTimeout(() => history.replaceState(null, "", address(calculator())), 400);
}

document.addEventListener("ruler:shown", (event) => {
  if (!calculator()?.contains(event.target)) return;
  show(event.detail.total, event.detail.outcome);
  keep();
});
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("[data-calculator]");
  if (form && event.target.matches("select")) startFrom(form);
});

const WIDE = matchMedia("(min-width: 1000px)");
const folded = () => document.querySelectorAll("details[data-wide]");

if (WIDE.matches) folded().forEach((part) => (part.open = true));

// A link to a clause opens the chapter it stands in, in browsers that do not do so by themselves.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = target?.closest("details");
  if (!part || part.open) return;
  part.open = true;
  target.scrollIntoView();
}

document.querySelector("[data-open-all]")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.querySelectorAll(".chapter").forEach((part) => (part.open = true));
});
addEventListener("hashchange", openTarget);
openTarget();
