// The look that a reader has chosen, set before anything is painted: a public page is made once for everybody, so the
// server does not know whose it is. No module, for those run after the page is read. Without scripts a public page has
// the look of the system.

(() => {
  const choices = { theme: ["auto", "light", "dark"], suits: ["two", "four"] };
  const root = document.documentElement;
  const cookies = new Map(document.cookie.split("; ").map((one) => one.split("=")));
  for (const [name, offered] of Object.entries(choices)) {
    const chosen = cookies.get(`__Host-${name}`) ?? cookies.get(name); // behind TLS its name is the host's own
    if (offered.includes(chosen)) root.dataset[name] = chosen;
  }
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("form:is(.theme, .suits) button[name=to]")) {
      button.setAttribute("aria-pressed", String(button.value === root.dataset[button.form.className]));
    }
  });
})();
