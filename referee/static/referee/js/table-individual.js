// The entry form of single players: who plays alone for which bid, who deals and who is the ally, or everybody's points.

import { HandForm } from "./table-form.js";

export class IndividualForm extends HandForm {
  constructor(form, place) {
    super(form, place);
    this.levels = JSON.parse(form.dataset.levels);
    this.start();
  }

  points() {
    return [...this.form.querySelectorAll("[name^=points_]")].map((field) => this.number(field.name));
  }

  // The level at which the hand counts: that of who deals, where levels are kept and no other one was played.
  level() {
    return this.get("level") || (this.levels[this.get("dealer")] ?? "");
  }

  // What the hand gives is the server's to say: while it cannot be asked, nothing of it is shown.
  async fetch(body) {
    const seen = await super.fetch(body);
    if (seen) return seen;
    this.forget();
    const line = document.createElement("p");
    line.className = "small soft";
    line.textContent = this.result.dataset.unknown;
    this.result.replaceChildren(line);
    return null;
  }

  changed(event) {
    const slider = this.form.querySelector(".points-slider");
    if (slider && event?.target === slider) this.form.querySelector("#captured_in_tricks").value = slider.value;
    super.changed();
  }

  show() {
    this.open(".dig", this.get("last_trick_winner") === "attackers");
    this.open(".led-more", this.get("led") === "more");
    let free = true;
    for (const row of this.form.querySelectorAll(".throw")) {
      row.hidden = !free;
      free = Boolean(row.querySelector("input:checked")?.value);
    }
    const slider = this.form.querySelector(".points-slider");
    const captured = this.number("captured_in_tricks");
    if (slider && captured !== null) slider.value = captured;
    this.add();
  }

  // The points of all and of the kitty against those of the decks.
  add() {
    const line = this.form.querySelector("#points-sum");
    if (!line) return;
    const known = [...this.points(), this.number("kitty_points")].filter((one) => one !== null);
    const sum = known.reduce((total, one) => total + one, 0);
    const all = Number(line.dataset.all);
    const words = sum === all ? line.dataset.done : line.dataset.words;
    line.textContent = words.replace("{sum}", sum).replace("{all}", all);
    line.classList.toggle("short", sum !== all);
  }
}
