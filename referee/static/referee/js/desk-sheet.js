// The sheet at the desk: what it gives is shown while it is filled in; the dig fields fade when nobody dug.

const WAIT = 200;

for (const form of document.querySelectorAll("[data-sheet-form]")) watch(form);
for (const sheet of document.querySelectorAll("[data-sheet]")) followLastTrick(sheet);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  document.querySelector("[data-main-act]:not(:disabled)")?.click();
});

function watch(form) {
  const place = form.querySelector("[data-preview-here]");
  let timer;
  let latest = 0;
  const look = async () => {
    const number = ++latest;
    try {
      const answer = await fetch(form.dataset.preview, {
        method: "POST",
        body: new FormData(form),
        headers: { "X-Requested-With": "fetch" },
        credentials: "same-origin",
      });
      if (answer.ok && number === latest) place.innerHTML = await answer.text();
    } catch {
      // No answer: the sheet can still be sent; the server judges it again anyway.
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, WAIT);
  };
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  if (form.querySelector(".sheet :checked:not(option), .sheet input:not([type=radio])[value]:not([value=''])")) soon();
}

function followLastTrick(sheet) {
  const digs = sheet.querySelectorAll("[data-dig]");
  if (!digs.length) return;
  const show = () => {
    const winner = sheet.querySelector('[name="last_trick_winner"]:checked')?.value;
    for (const dig of digs) dig.toggleAttribute("data-idle", winner === "dealer");
  };
  sheet.addEventListener("change", show);
  show();
}
