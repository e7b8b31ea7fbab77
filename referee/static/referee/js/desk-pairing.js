// Pairing by hand: who is chosen in one row swaps out of the row where they stood, so nobody is paired twice.

const form = document.getElementById("pairs");
if (form) {
  const selects = [...form.querySelectorAll("select[name=home], select[name=away]")];
  for (const select of selects) {
    select.dataset.was = select.value;
    select.addEventListener("change", () => {
      const twin = selects.find((other) => other !== select && select.value && other.value === select.value);
      if (twin) twin.value = twin.dataset.was = select.dataset.was;
      select.dataset.was = select.value;
    });
  }
}
