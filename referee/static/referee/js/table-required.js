// What the form of a hand has to say before it is sent. The tables come with the page; each row is asked while every
// field of its `when` has one of its values and no field of its `unless` has one of its own.

const asked = (get) => (row) => {
  const holds = ([name, values]) => values.includes(get(name));
  return Object.entries(row.when).every(holds) && !Object.entries(row.unless).some(holds);
};

// What is left empty, by the table that the server checks by: {fields, at, word, say}. One of `fields` is to be filled in.
export function missing(rows, get) {
  return rows.filter(asked(get)).filter((row) => !row.fields.some((name) => get(name)));
}

// Numbers that cannot be right, as rows {at, word, say}: each field by itself, then sums of those that are right.
// The bounds are {fields, at, word, low, high, step, says}, their sentences name what was typed in braces.
export function wrong(bounds, get) {
  const found = [];
  const bad = new Set();
  for (const bound of bounds.filter(asked(get))) {
    const { fields, at, word } = bound;
    if (!fields.every((name) => get(name))) continue;
    if (fields.length > 1 && fields.some((name) => bad.has(name))) continue;
    const said = sentences(bound, fields.map(get));
    if (said.length && fields.length === 1) bad.add(at);
    found.push(...said.map((say) => ({ at, word, say })));
  }
  return found;
}

function sentences({ fields, low, high, step, says }, typed) {
  const numbers = typed.map(whole);
  if (numbers.includes(null)) return says.number ? [says.number.replace("{value}", typed[0])] : [];
  const sum = numbers.reduce((total, one) => total + one, 0);
  const names = { value: sum, over: sum - high, rest: sum - numbers.at(-1) };
  fields.forEach((name, at) => (names[name] = numbers[at]));
  const kinds = [];
  if (says.step && sum % step) kinds.push("step");
  if (low !== null && sum < low) kinds.push("low");
  if (high !== null && sum > high) kinds.push("high");
  const filled = kinds.map((kind) => says[kind].replace(/\{(\w+)\}/g, (all, name) => shown(names[name])));
  return [...new Set(filled)];
}

// A whole number as typed, with either minus sign; null where it is none.
export function whole(text) {
  return /^[-−]?\d{1,9}$/.test(text ?? "") ? Number(text.replace("−", "-")) : null;
}

const shown = (number) => String(number).replace("-", "−");
