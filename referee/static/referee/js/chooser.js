// The file chooser in words of the page: the name of what was chosen stands beside the button. A list of entrants is
// sent as soon as it is chosen, and read anew as soon as a column is taken for something else. A file that the server
// would refuse for its size is refused here, before any of it is sent.

for (const chooser of document.querySelectorAll(".chooser")) {
  const input = chooser.querySelector("input");
  const chosen = chooser.querySelector(".chosen");
  const say = () => {
    chosen.textContent = input.files.length ? input.files[0].name : chosen.dataset.none;
  };
  chooser.classList.add("told");
  say();
  input.addEventListener("change", () => {
    say();
    const tooLarge = input.files[0]?.size > Number(input.dataset.largest ?? Infinity);
    input.setCustomValidity(tooLarge ? input.dataset.tooLarge : "");
    if (tooLarge) input.reportValidity();
    if ("send" in input.dataset && input.files.length) input.form.requestSubmit();
  });
}

document.addEventListener("change", (event) => {
  const look = event.target.matches("[data-reread]") && event.target.form.querySelector("[name=look]");
  if (look) event.target.form.requestSubmit(look);
});
