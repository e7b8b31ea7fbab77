// The ruler on a page: slider, number field and ±5 keys say the same; the flag stands at the total.
// Without this script the number field alone posts.

const STEP = 5;
const PAGE_STEP = 40;
const rulers = new WeakMap();

class Ruler {
  constructor(root) {
    this.root = root;
    this.low = Number(root.dataset.low);
    this.high = Number(root.dataset.high);
    this.bands = JSON.parse(root.dataset.bands);
    this.flag = root.querySelector(".flag");
    this.slider = root.querySelector("input[type=range]");
    this.field = this.findField();
    if (this.slider) this.listen();
  }

  findField() {
    const name = this.root.dataset.field;
    const scope = this.root.closest("form") ?? document;
    return name ? scope.querySelector(`[name="${CSS.escape(name)}"]:not([type=range])`) : null;
  }

  listen() {
    this.slider.addEventListener("input", () => {
      if (this.field) setField(this.field, this.slider.value);
      this.follow(Number(this.slider.value));
    });
    this.slider.addEventListener("keydown", (event) => {
      const step = { PageUp: PAGE_STEP, PageDown: -PAGE_STEP }[event.key];
      if (!step) return;
      event.preventDefault();
      this.slider.value = Number(this.slider.value) + step;
      this.slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    this.field?.addEventListener("input", () => {
      const value = Number(this.field.value);
      if (this.field.value.trim() === "" || !Number.isFinite(value)) return;
      this.slider.value = value;
      this.follow(value);
    });
  }

  follow(value) {
    if ("follow" in this.root.dataset) this.show(value);
    else this.say(String(value));
  }

  // Put the flag at a total and, on a calculator, speak its outcome.
  show(total) {
    const share = (100 * (total - this.low)) / (this.high - this.low);
    this.flag.setAttribute("x", `${Math.min(Math.max(share, 0), 100)}%`);
    this.flag.setAttribute("visibility", "visible");
    this.flag.querySelector("text").textContent = String(total).replace("-", "\u2212");
    if ("follow" in this.root.dataset) this.say(`${total}${colon}${this.outcome(total)}`);
    this.root.dispatchEvent(new CustomEvent("ruler:shown", { bubbles: true, detail: { total, outcome: this.outcome(total) } }));
  }

  hide() {
    this.flag.setAttribute("visibility", "hidden");
  }

  say(words) {
    this.slider?.setAttribute("aria-valuetext", words);
  }

  // What a total means, in the page's words; a total beyond either end means what that end means.
  outcome(total) {
    const within = Math.min(Math.max(total, this.low), this.high);
    return this.bands.find(([low, high]) => within >= low && within <= high)?.[2] ?? "";
  }
}

function setField(field, value) {
  if (field.value === String(value)) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function press(field, step) {
  const low = Number(field.dataset.low ?? 0);
  const high = Number(field.dataset.high ?? Infinity);
  const now = Number(field.value) || 0;
  setField(field, Math.min(Math.max((step > 0 ? Math.floor(now / STEP) : Math.ceil(now / STEP)) * STEP + step, low), high));
}

function tieStepper(root) {
  const field = root.querySelector("input");
  root.addEventListener("click", (event) => {
    const key = event.target.closest("[data-step]");
    if (key) press(field, Number(key.dataset.step));
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: STEP, ArrowDown: -STEP, PageUp: PAGE_STEP, PageDown: -PAGE_STEP }[event.key];
    if (!step) return;
    event.preventDefault();
    press(field, step);
  });
}

// The ruler drawn in an element, tied on first use.
// What stands after a name in the language of the page.
export const colon = document.documentElement.lang.startsWith("zh") ? "：" : ": ";

export function rulerOf(root) {
  if (!rulers.has(root)) rulers.set(root, new Ruler(root));
  return rulers.get(root);
}

// Tie everything inside a part of the page; again after a fragment was swapped in.
export function tie(scope = document) {
  scope.querySelectorAll("[data-ruler]").forEach(rulerOf);
  scope.querySelectorAll("[data-stepper]:not([data-tied])").forEach((root) => {
    root.dataset.tied = "";
    tieStepper(root);
  });
}

tie();
document.addEventListener("live:changed", (event) => tie(event.target));
