// The roll call: rows are found as one types, a tap checks in without leaving the place on the page.

const find = document.querySelector("[data-roll-find]");
const none = document.querySelector("[data-roll-none]");
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

function filter() {
  const wanted = plain(find.value.trim());
  const whole = /^[0-9]+$/.test(wanted);
  let found = 0;
  for (const row of document.querySelectorAll("[data-roll-row]")) {
    const text = plain(row.dataset.rollRow);
    const fits = whole ? text.split(" ")[0].startsWith(wanted) : text.includes(wanted);
    row.hidden = !fits;
    found += fits;
  }
  none.hidden = found > 0;
}

async function send(form, button) {
  const body = new FormData(form, button);
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
    if (answer.status !== 204) throw new Error(answer.status);
  } catch {
    // Not done, or nobody knows: the plain form asks again and shows what came of it.
    button.disabled = false;
    form.removeAttribute("data-roll");
    form.requestSubmit(button);
    return;
  }
  document.dispatchEvent(new CustomEvent("live:ask"));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-roll]") || !event.submitter) return;
  event.preventDefault();
  send(form, event.submitter);
});
find?.addEventListener("input", filter);
document.addEventListener("live:changed", () => find && filter());
