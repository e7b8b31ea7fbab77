// What every page does for its forms: where it stands when it opens, and that each is sent once; and for the bar.

// What is scrolled to is never behind the bar at the top, which is as high as its words need; and after a refusal the
// focus is in the first field that is wrong, with its sentence in sight.

const bar = document.querySelector(".topbar");

function measure() {
  const height = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
  document.documentElement.style.setProperty("--bar", `${height}px`);
}

function toWrongField() {
  const first = document.querySelector("main .field-error, main [aria-invalid='true']");
  if (!first) return;
  const row = first.closest(".form-row, fieldset, .fields > div") ?? first;
  for (let around = row.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  const fields = [first, ...row.querySelectorAll("[aria-invalid='true'], input:not([type=hidden]), select, textarea")];
  fields.find((one) => one.matches("input, select, textarea"))?.focus({ preventScroll: true });
  const tall = row.offsetHeight > innerHeight / 2;
  (tall ? first : row).scrollIntoView({ block: tall ? "center" : "start" });
}

// the phone at the table measures its own bar
if (bar && !document.documentElement.classList.contains("at-table")) {
  measure();
  new ResizeObserver(measure).observe(bar);
  addEventListener("resize", measure);
}
toWrongField();

// The second press of a double click sends nothing: the browser would drop the answer to the first one, and with it what
// that answer brought, a sign-in perhaps. Forms that a script sends are that script's own.

const HELD_MS = 5000; // an answer that is a file leaves the page where it is

let sent = new WeakSet();

addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method")?.toLowerCase() !== "post") return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  setTimeout(() => free(form), HELD_MS);
});

// what answers with a file is asked for anew by the next press: that is another act, with a key of its own
function free(form) {
  sent.delete(form);
  const key = form.dataset.answer === "file" ? form.elements.namedItem("key") : null;
  if (key) key.value = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// a page that comes back by the Back button can be sent again
addEventListener("pageshow", () => (sent = new WeakSet()));

// Public pages show the way back to the player's own page and the place at a table (follow.js): the pages themselves say
// for how many days, and none once this phone holds them no more.
for (const { dataset } of document.querySelectorAll("[data-own-page]")) {
  const name = `own:${dataset.ownPage}`;
  try {
    if (Number(dataset.days)) localStorage.setItem(name, Date.now() + dataset.days * 24 * 3600 * 1000);
    else localStorage.removeItem(name);
  } catch {
    // not allowed: no way is shown
  }
}
