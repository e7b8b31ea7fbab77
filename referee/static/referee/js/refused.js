// Where a page stands when it opens: what is scrolled to is never behind the bar at the top, which is as high as its
// words need; and after a refusal the focus is in the first field that is wrong, with its sentence in sight.

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
