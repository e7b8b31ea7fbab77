// The adjudicator's card picker and live verdict. Every card goes into its field as text; the server alone reads fields
// and judges, and its answer brings the cards of each field, what is left of the decks, and what can still be legal.
const form = document.querySelector("[data-case]");
const judged = document.getElementById("judged");
const WAIT = 220;
const JOKERS = ["JS", "JB"];
const kind = location.pathname.split("/").at(-2);
const COARSE = matchMedia("(pointer: coarse)");

const read = () => JSON.parse(judged.querySelector("[data-judged]").dataset.state);
// by name and never by number: places at a table are called 1 to 5
const field = (name) => form.elements.namedItem(name);
const row = (name) => form.querySelector(`[data-card-field="${name}"]`);
const names = () => [...form.querySelectorAll("[data-card-field]")].map((one) => one.dataset.cardField);

let state;
let target;
let suit = "S";
let waiting;
let asked = 0;

const count = (cards, code) => cards.filter((card) => card === code).length;

function left(code) {
  const source = state.from[target];
  const own = count(state.fields[target] ?? [], code);
  return source ? count(state.fields[source], code) - own : state.left[code];
}

function unlikely(code) {
  const fits = state.fits[target];
  if (fits && !fits.includes(code)) return true;
  return target === "play" && Array.isArray(state.next) && !state.next.includes(code);
}

// What the picker shows of one key: badge, whether a card is left, whether it can lead on.
function mark(key, code, name) {
  const many = count(state.fields[target] ?? [], code);
  const gone = left(code) <= 0;
  if (many) key.dataset.count = many;
  else delete key.dataset.count;
  key.setAttribute("aria-label", many ? `${name} × ${many}` : name);
  key.disabled = gone;
  key.classList.toggle("unlikely", !gone && unlikely(code));
}

function faces(name) {
  const place = row(name).querySelector(".faces");
  place.replaceChildren(
    ...state.fields[name].map((code) => {
      const card = document.createElement("span");
      const joker = JOKERS.includes(code);
      card.className = `mini-card ${joker ? code : code[0]}`;
      card.innerHTML = `<svg class="suit" aria-hidden="true"><use href="#suit-${joker ? code : code[0]}"/></svg>`;
      if (!joker) card.append(code.slice(1));
      return card;
    }),
  );
  const none = field(name).value && form.querySelector("[data-none]")?.textContent.trim();
  place.dataset.empty = none || field(name).placeholder;
}

function paint() {
  form.querySelectorAll("[data-row]").forEach((one) => (one.hidden = isLater(one.dataset.row)));
  if (!target) return;
  const picker = form.querySelector("[data-picker]");
  picker.querySelector("[data-target]").textContent = row(target).querySelector(".label span").textContent.trim();
  picker.querySelectorAll("[data-suit]").forEach((one) => (one.checked = one.value === suit));
  picker.querySelector("[data-ranks]").hidden = suit === "J";
  picker.querySelector("[data-jokers]").hidden = suit !== "J";
  const chosen = picker.querySelector("[data-suit]:checked + .key small")?.textContent.trim() ?? "";
  picker.querySelectorAll("[data-rank]").forEach((key) => mark(key, suit + key.dataset.rank, `${chosen} ${key.dataset.rank}`));
  picker.querySelectorAll("[data-card]").forEach((key) => mark(key, key.dataset.card, key.textContent.trim()));
  const none = picker.querySelector("[data-none]");
  if (none) none.hidden = target === field("leader").value;
  for (const name of names()) {
    faces(name);
    row(name).classList.toggle("current", name === target);
    const said = state.errors[name] ?? "";
    const error = row(name).querySelector(".field-error");
    if (error.hidden !== !said) error.hidden = !said;
    if (said && !error.textContent.includes(said)) error.textContent = said;
    field(name).setAttribute("aria-invalid", String(Boolean(said)));
  }
}

// Where only some cards matter, a suit of them stands open.
function turnTo(fits) {
  if (fits?.length && !fits.some((code) => code[0] === suit)) suit = (fits.find((code) => code[0] !== "J") ?? "J")[0];
}

function aim(name) {
  if (target && target !== name) row(name).scrollIntoView({ block: "nearest" });
  target = name;
  turnTo(state.fits[name]);
  paint();
}

function put(cards) {
  const before = state.fields[target];
  if (!state.from[target]) {
    const codes = new Set([...before, ...cards]);
    codes.forEach((code) => (state.left[code] += count(before, code) - count(cards, code)));
  }
  state.fields[target] = cards;
  state.next = null;
  delete state.errors[target];
  field(target).value = cards.join("");
  forget();
  paint();
  ask();
}

// The field of a further counter, showing or call comes when the one before it is filled.
const NUMBERED = /^(counter|shown|bid)(\d+)$/;
function isLater(name) {
  const [, kindOf, number] = NUMBERED.exec(name) ?? [];
  return Number(number) > 1 && !field(name).value && !field(`${kindOf}${number - 1}`).value;
}

// A reading that the leader declared belongs to the cards it was declared of.
const forget = () => form.querySelector("[name=shapes]")?.remove();

// The suit that the keys show is no part of the case. Who countered, showed or called is said only where there is a
// counter, a showing or a call.
const isSaid = (name) => name !== "suit" && (!name.endsWith("_by") || !NUMBERED.test(name.slice(0, -3)) || field(name.slice(0, -3)).value !== "");

const query = () => {
  const pairs = [...new FormData(form)].filter(([name, value]) => value !== "" && isSaid(name));
  return new URLSearchParams(pairs);
};

// An answer still on its way knows nothing of what was entered since: it is dropped, else it would take a card away.
function ask(soon = WAIT) {
  asked += 1;
  clearTimeout(waiting);
  waiting = setTimeout(judge, soon);
}

async function judge() {
  const mine = ++asked;
  const here = `${location.pathname}?${query()}`;
  let answer;
  try {
    answer = await fetch(`${here}&part=live`, { headers: { Accept: "text/html" } });
  } catch {
    return ask(3000);
  }
  if (!answer.ok || mine !== asked) return;
  const html = await answer.text();
  if (mine !== asked) return;
  const open = [...judged.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep);
  judged.innerHTML = html;
  open.forEach((name) => judged.querySelector(`[data-keep="${name}"]`)?.setAttribute("open", ""));
  history.replaceState(null, "", here);
  sameInOtherLanguage();
  form.querySelector(".now").replaceChildren(judged.querySelector("[data-now]").content.cloneNode(true));
  state = read();
  dress();
  paint();
  say(judged.querySelector("[data-judged]").dataset.say);
}

// The link to the other language leads to the same position.
function sameInOtherLanguage() {
  const link = document.querySelector(".topbar a.language, .topbar a[hreflang]");
  if (link) link.search = location.search;
}

let said = "";
let saying;
function say(sentence) {
  clearTimeout(saying);
  if (sentence === said) return;
  saying = setTimeout(() => {
    said = sentence;
    document.getElementById("live-say").textContent = sentence;
  }, 900);
}

// Acts that need a script appear with it.
function dress() {
  judged.querySelectorAll("[data-copy], [data-print]").forEach((button) => (button.hidden = false));
}

async function copy(button) {
  const link = new URL(button.dataset.copy, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    const place = document.createElement("textarea");
    place.value = link;
    document.body.append(place);
    place.select();
    document.execCommand("copy");
    place.remove();
  }
  const words = button.querySelector("span");
  const before = words.textContent;
  words.textContent = button.dataset.done;
  setTimeout(() => (words.textContent = before), 2000);
}

function start() {
  document.querySelector(".page.adjudicator").classList.add("scripted");
  state = read();
  listen();
  if (names().length) startPicker();
  paint();
  dress();
}

function startPicker() {
  for (const name of names()) {
    const place = document.createElement("span");
    place.className = "faces";
    field(name).after(place);
    place.addEventListener("click", () => {
      aim(name);
      field(name).focus();
    });
    field(name).addEventListener("focus", () => aim(name));
    field(name).addEventListener("input", () => {
      forget();
      ask();
    });
  }
  const picker = form.querySelector("[data-picker]");
  picker.hidden = false;
  form.querySelector("[data-picker-note]").hidden = false;
  const keyboard = picker.querySelector("[data-keyboard]");
  const typing = (on) => {
    form.classList.toggle("picking", !on);
    keyboard.setAttribute("aria-pressed", String(on));
    names().forEach((name) => (field(name).inputMode = on ? "text" : "none"));
  };
  typing(!COARSE.matches);
  keyboard.hidden = !COARSE.matches;
  keyboard.addEventListener("click", () => {
    typing(keyboard.getAttribute("aria-pressed") !== "true");
    field(target).focus();
  });
  picker.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key) return;
    const cards = state.fields[target];
    if (key.dataset.rank) put([...cards, suit + key.dataset.rank]);
    else if (key.dataset.card) put([...cards, key.dataset.card]);
    else if ("back" in key.dataset) put(cards.slice(0, -1));
    else if ("clear" in key.dataset) put([]);
    else if ("none" in key.dataset) {
      put([]);
      field(target).value = "-";
      faces(target);
    }
  });
  picker.addEventListener("change", (event) => {
    if (!event.target.matches("[data-suit]")) return;
    suit = event.target.value;
    paint();
  });
  const led = state.fields[names()[0]][0];
  if (led) suit = led[0];
  const empty = (name) => !field(name).value && !field(name).placeholder && !name.startsWith("counter");
  aim(names().find(empty) ?? names().at(kind === "counter" ? -1 : 0));
}

function listen() {
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-suit], .mono")) return;
    paint();
    // other rules have other levels and trumps, another leader another order of fields: the whole page is asked for
    if (event.target.matches("[name=profile], [name=leader]")) location.assign(`${location.pathname}?${query()}`);
    else ask(0);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(0);
  });
}

if (form && judged) {
  start();
  judged.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.copy) copy(button);
    else if (button && "print" in button.dataset) print();
  });
  new IntersectionObserver(([seen]) => {
    document.querySelector(".page.adjudicator").classList.toggle("at-verdict", seen.isIntersecting);
  }, { threshold: 0.12 }).observe(judged);
}

// Other rules leave other questions.
const chooser = document.querySelector("[data-chooser]");
chooser?.addEventListener("change", (event) => {
  if (event.target.matches("[name=profile]")) location.assign(`${location.pathname}?profile=${event.target.value}`);
});
