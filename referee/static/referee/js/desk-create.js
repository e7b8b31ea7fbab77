// The form of a new event: its short name follows the name, until somebody writes another one.

const form = document.querySelector("[data-short-name]");
const [name, latin, slug] = ["name", "name_latin", "slug"].map((one) => form.querySelector(`[name=${one}]`));
let own = slug.value !== "";
let newest = 0;

async function suggest() {
  if (own) return;
  const mine = ++newest;
  const asked = new URLSearchParams({ name: name.value, latin: latin.value });
  try {
    const answer = await fetch(`${form.dataset.shortName}?${asked}`, { credentials: "same-origin" });
    const found = answer.ok ? await answer.text() : "";
    if (own || mine !== newest) return;
    slug.value = found;
    // Who is there already types another name, not behind this one.
    if (document.activeElement === slug) slug.select();
  } catch {
    // No network: the server makes the short name of an empty field.
  }
}

slug.addEventListener("input", () => (own = slug.value !== ""));
for (const field of [name, latin]) field.addEventListener("change", suggest);
