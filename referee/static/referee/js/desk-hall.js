// The plan of the hall: tables, doors, the desk and pillars are dragged on the map, or moved with the arrow keys; what
// stands there changes places with them. The fields of the form follow, and the form saves them. A table is named by its
// number, anything else by its kind and a number (`door-1`); what has no place is off the map.

const CELL = 128;
const FRONT = 52;
const LEAST = 4;
const SMALL = 80;

const picture = document.querySelector("[data-hall]");
const form = document.getElementById("places");
if (picture && form) arrange();

function arrange() {
  const keys = document.querySelector("[data-hall-keys]");
  const undo = keys.querySelector("[data-undo]");
  const buttons = [...keys.querySelectorAll("[data-put]")];
  const spots = new Map([...picture.querySelectorAll("[data-table]")].map((spot) => [spot.dataset.table, spot]));
  const field = (part, number) => form.elements[`${part}-${number}`];
  const isTable = (number) => !spots.get(number).dataset.word;
  const most = Number(field("row", spots.keys().next().value).max);
  const steps = [];
  const places = new Map();
  let held = null;

  function bounded(value) {
    return Math.min(Math.max(Math.round(value) || 1, 1), most);
  }

  function typed() {
    places.clear();
    for (const number of spots.keys()) {
      const [row, column] = ["row", "column"].map((part) => field(part, number).value);
      if (isTable(number) || (row && column)) places.set(number, [bounded(Number(row)), bounded(Number(column))]);
    }
  }

  function at(row, column) {
    return [...places].find(([, place]) => place[0] === row && place[1] === column)?.[0];
  }

  function put(number, [row, column]) {
    const shape = spots.get(number).querySelector("svg");
    shape.setAttribute("x", (column - 1) * CELL + CELL / 2);
    shape.setAttribute("y", FRONT + (row - 1) * CELL + CELL / 2);
    spots.get(number).setAttribute("aria-label", words(number, row, column));
  }

  function words(number, row, column) {
    const thing = spots.get(number).dataset.word;
    const sentence = thing ? form.dataset.thingWord.replace("[thing]", thing) : form.dataset.word.replace("[table]", number);
    return sentence.replace("[row]", row).replace("[place]", column);
  }

  // All tables where they stand, and the floor one row and one place larger than they need.
  function show() {
    const rows = Math.max(...[...places.values()].map((place) => place[0])) + 1;
    const columns = Math.max(...[...places.values()].map((place) => place[1])) + 1;
    const wide = Math.max(columns, LEAST);
    const left = -((wide - columns) * CELL) / 2;
    const size = { x: left, y: 0, width: wide * CELL, height: FRONT + rows * CELL };
    picture.setAttribute("viewBox", Object.values(size).join(" "));
    picture.setAttribute("width", wide * SMALL);
    for (const [name, value] of Object.entries(size)) picture.querySelector(".floor").setAttribute(name, value);
    picture.querySelector(".front").setAttribute("x", left + (wide * CELL) / 2);
    for (const [number, spot] of spots) {
      spot.setAttribute("visibility", places.has(number) ? "visible" : "hidden");
      spot.setAttribute("tabindex", places.has(number) ? "0" : "-1");
      if (places.has(number)) put(number, places.get(number));
    }
    for (const button of buttons) button.disabled = !free(button.dataset.put);
    undo.disabled = !steps.length;
  }

  function write() {
    for (const number of spots.keys()) {
      const [row, column] = places.get(number) ?? ["", ""];
      field("row", number).value = row;
      field("column", number).value = column;
    }
  }

  // A step keeps what it changes, so that it can be taken back.
  function move(number, row, column) {
    const from = places.get(number);
    const other = at(row, column);
    if (other === number) return;
    keep();
    places.set(number, [row, column]);
    if (other !== undefined) places.set(other, from);
    write();
    show();
    say(words(number, row, column));
  }

  function keep() {
    steps.push(new Map([...places].map(([one, place]) => [one, [...place]])));
  }

  // The next one of a kind that is not in the hall yet.
  function free(kind) {
    return [...spots.keys()].find((key) => key.startsWith(`${kind}-`) && !places.has(key));
  }

  // At the first free place of the last row, else of one behind it.
  function putIn(kind) {
    const key = free(kind);
    const last = Math.max(...[...places.values()].map((place) => place[0]));
    const wide = Math.max(...[...places.values()].map((place) => place[1]));
    const columns = Array.from({ length: wide }, (_, at) => at + 1);
    const row = Math.min(columns.some((column) => at(last, column) === undefined) ? last : last + 1, most);
    const column = columns.find((one) => at(row, one) === undefined);
    if (column === undefined) return;
    move(key, row, column);
    spots.get(key).focus({ preventScroll: true });
  }

  function takeOff(number) {
    keep();
    places.delete(number);
    write();
    show();
    say(form.dataset.offWord.replace("[thing]", spots.get(number).dataset.word));
    buttons[0].focus();
  }

  function say(sentence) {
    const place = document.getElementById("live-say");
    if (place) place.textContent = sentence;
  }

  function point(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    return { x, y };
  }

  function hold(event, number) {
    if (event.button) return;
    const spot = spots.get(number);
    const shape = spot.querySelector("svg");
    const start = point(event);
    held = { number, dx: Number(shape.getAttribute("x")) - start.x, dy: Number(shape.getAttribute("y")) - start.y };
    spot.setPointerCapture(event.pointerId);
    spot.classList.add("held");
    spot.parentNode.append(spot);
    spot.focus({ preventScroll: true });
    event.preventDefault();
  }

  function drag(event) {
    if (!held) return;
    const { x, y } = point(event);
    const shape = spots.get(held.number).querySelector("svg");
    shape.setAttribute("x", x + held.dx);
    shape.setAttribute("y", y + held.dy);
  }

  function drop(event) {
    if (!held) return;
    const { number, dx, dy } = held;
    const { x, y } = point(event);
    held = null;
    spots.get(number).classList.remove("held");
    if (event.type === "pointerup") {
      move(number, bounded((y + dy - FRONT + CELL / 2) / CELL), bounded((x + dx + CELL / 2) / CELL));
    }
    show();
  }

  const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  function step(event, number) {
    if (["Delete", "Backspace"].includes(event.key) && !isTable(number)) {
      event.preventDefault();
      takeOff(number);
      return;
    }
    const by = ARROWS[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    const [row, column] = places.get(number);
    event.preventDefault();
    move(number, bounded(row + by[0]), bounded(column + by[1]));
  }

  for (const [number, spot] of spots) {
    spot.setAttribute("role", "button");
    spot.addEventListener("pointerdown", (event) => hold(event, number));
    spot.addEventListener("pointermove", drag);
    spot.addEventListener("pointerup", drop);
    spot.addEventListener("pointercancel", drop);
    spot.addEventListener("keydown", (event) => step(event, number));
  }
  for (const button of buttons) button.addEventListener("click", () => putIn(button.dataset.put));
  undo.addEventListener("click", () => {
    const before = steps.pop();
    if (!before) return;
    places.clear();
    for (const [number, place] of before) places.set(number, place);
    write();
    show();
  });
  form.addEventListener("change", () => {
    typed();
    show();
  });
  keys.hidden = false;
  typed();
  show();
}
