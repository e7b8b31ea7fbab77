// A tap under way, from the touch to its click. What changes a page by itself waits for it, so that the tap meets what
// was under the finger and is not lost.

const CLICK_LATE = 100; // a click comes this soon after the finger has left, or never
const LONGEST = 3000; // a finger that stays longer rests

let under = null;
let waiting = [];

function over() {
  clearTimeout(under);
  under = null;
  const held = waiting;
  waiting = [];
  for (const go of held) go();
}

function within(time) {
  clearTimeout(under);
  under = setTimeout(over, time);
}

addEventListener("pointerdown", () => within(LONGEST), true);
addEventListener("pointerup", () => within(CLICK_LATE), true);
addEventListener("pointercancel", over, true);
addEventListener("click", () => within(0), true);

// Resolved at once, or when the tap under way is over.
export function tapOver() {
  return new Promise((go) => (under === null ? go() : waiting.push(go)));
}
