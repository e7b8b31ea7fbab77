// The offer to undo what was just done counts its seconds down and goes when they are over; the server decides.

for (const form of document.querySelectorAll("form[data-undo]")) {
  const until = Date.now() + Number(form.dataset.undo) * 1000;
  const shown = form.querySelector("[data-undo-left]");
  const show = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    shown.textContent = shown.textContent.trim().replace(/\d+/, left);
    if (left > 0) return;
    clearInterval(turn);
    form.remove();
  };
  const turn = setInterval(show, 1000);
}
