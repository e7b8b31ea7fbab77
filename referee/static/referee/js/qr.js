// A small QR encoder: bytes, error correction L (a screen has no scratches), versions 1 to 25. The code of a hand is
// shown by a phone without network, so no server can draw it. Tested module by module against the server's own encoder.

const PER_BLOCK = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12];
const MASKS = [
  (x, y) => (x + y) % 2,
  (x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

// Rows of dark (true) and light modules, without the quiet zone. `mask`: 0 to 7; left out, the one that reads best.
export function modules(bytes, mask) {
  const version = PER_BLOCK.findIndex((_, at) => bytes.length <= room(at + 1)) + 1;
  if (!version) throw new RangeError("too long for a QR code");
  const base = patterns(version);
  const bits = stream(interleaved(bytes, version));
  const drawn = (one) => masked(base, bits, one, version);
  if (mask !== undefined) return drawn(mask);
  const all = MASKS.map((_, one) => drawn(one));
  const marks = all.map(penalty);
  return all[marks.indexOf(Math.min(...marks))];
}

// A drawing of it, with its quiet zone, black on white in light and dark.
export function drawing(bytes, label) {
  const rows = modules(bytes);
  const size = rows.length + 8;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" }))
    svg.setAttribute(name, value);
  const ground = document.createElementNS(svg.namespaceURI, "path");
  ground.setAttribute("fill", "#fff");
  ground.setAttribute("d", `M0 0h${size}v${size}H0z`);
  const dark = document.createElementNS(svg.namespaceURI, "path");
  dark.setAttribute("fill", "#000");
  dark.setAttribute("d", rows.flatMap((row, y) => row.map((on, x) => (on ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join(""));
  svg.append(ground, dark);
  return svg;
}

const side = (version) => 17 + 4 * version;

// All codewords of a version: its modules without those of its patterns.
function codewords(version) {
  const marks = version > 1 ? Math.floor(version / 7) + 2 : 0;
  const aligned = marks ? 25 * marks * marks - 10 * marks - 55 : 0; // less where they cross the timing pattern
  const free = 16 * version * version + 128 * version + 64 - aligned - (version >= 7 ? 36 : 0);
  return Math.floor(free / 8);
}

const data = (version) => codewords(version) - PER_BLOCK[version - 1] * BLOCKS[version - 1];
const counted = (version) => (version < 10 ? 8 : 16); // bits that say how many bytes follow
const room = (version) => data(version) - Math.ceil((4 + counted(version)) / 8);

function interleaved(bytes, version) {
  const size = data(version);
  const bits = [];
  const push = (value, width) => {
    for (let at = width - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  push(4, 4);
  push(bytes.length, counted(version));
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, size * 8 - bits.length));
  if (bits.length < size * 8) push(0, 8 - (bits.length % 8)); // a word of nothing, as the server's encoder has it
  const words = [];
  for (let at = 0; at < bits.length; at += 8) words.push(bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  for (let pad = 0xec; words.length < size; pad ^= 0xec ^ 0x11) words.push(pad);
  const count = BLOCKS[version - 1];
  const short = Math.floor(size / count);
  const longer = size % count; // so many of the last blocks hold one word more
  const blocks = [];
  for (let at = 0, one = 0; one < count; one++) {
    const next = at + short + (one >= count - longer ? 1 : 0);
    blocks.push(words.slice(at, next));
    at = next;
  }
  const checks = blocks.map((block) => remainder(block, PER_BLOCK[version - 1]));
  const turns = (parts) => [...Array(Math.max(...parts.map((one) => one.length)))].flatMap((_, at) => parts.filter((one) => at < one.length).map((one) => one[at]));
  return [...turns(blocks), ...turns(checks)];
}

const EXP = [];
const LOG = [];
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? EXP[(LOG[a] + LOG[b]) % 255] : 0);

// The check words of a block: what is left when it is divided by (x - 1)(x - 2)(x - 4)…
function remainder(block, count) {
  let divisor = [1];
  for (let power = 0; power < count; power++)
    divisor = [...divisor, 0].map((value, at) => value ^ (at ? times(divisor[at - 1], EXP[power]) : 0));
  const rest = [...block, ...Array(count).fill(0)];
  for (let at = 0; at < block.length; at++) {
    const lead = rest[at];
    if (lead) divisor.forEach((value, step) => (rest[at + step] ^= times(value, lead)));
  }
  return rest.slice(block.length);
}

const stream = (words) => words.flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (word >> bit) & 1));

// What stands in every code of a version; what is open for data is null.
function patterns(version) {
  const size = side(version);
  const rows = [...Array(size)].map(() => Array(size).fill(null));
  const put = (x, y, on) => {
    if (x >= 0 && y >= 0 && x < size && y < size) rows[y][x] = on;
  };
  for (let at = 0; at < size; at++) put(at, 6, at % 2 === 0), put(6, at, at % 2 === 0);
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]])
    for (let dx = -4; dx <= 4; dx++)
      for (let dy = -4; dy <= 4; dy++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        put(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
  const places = marksOf(version);
  const last = places.length - 1;
  places.forEach((cx, i) =>
    places.forEach((cy, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      for (let dx = -2; dx <= 2; dx++) for (let dy = -2; dy <= 2; dy++) put(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
  for (const [x, y] of formatPlaces(size).flat()) rows[y][x] = false;
  put(8, size - 8, true);
  if (version >= 7) {
    const said = checked(version, 12, 0x1f25);
    for (let at = 0; at < 18; at++) {
      const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)];
      const on = Boolean((said >> at) & 1);
      put(a, b, on), put(b, a, on);
    }
  }
  return rows;
}

function marksOf(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...[...Array(count - 1)].map((_, at) => side(version) - 7 - at * step).reverse()];
}

// A number followed by what is left when it is divided.
function checked(value, width, divisor) {
  let rest = value;
  for (let at = 0; at < width; at++) rest = (rest << 1) ^ (rest >> (width - 1) ? divisor : 0);
  return (value << width) | (rest & ((1 << width) - 1));
}

// Where the format stands, twice, its lowest bit first.
function formatPlaces(size) {
  const first = [];
  const second = [];
  for (let at = 0; at < 15; at++) {
    first.push(at < 6 ? [8, at] : at < 8 ? [8, at + 1] : at === 8 ? [7, 8] : [14 - at, 8]);
    second.push(at < 8 ? [size - 1 - at, 8] : [8, size - 15 + at]);
  }
  return [first, second];
}

function masked(base, bits, mask, version) {
  const size = side(version);
  const rows = base.map((row) => [...row]);
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - step : step;
        if (rows[y][x] !== null) continue;
        rows[y][x] = Boolean((bits[next++] ?? 0) ^ (MASKS[mask](x, y) === 0 ? 1 : 0));
      }
  }
  const said = checked((1 << 3) | mask, 10, 0x537) ^ 0x5412;
  for (const places of formatPlaces(size)) places.forEach(([x, y], at) => (rows[y][x] = Boolean((said >> at) & 1)));
  return rows;
}

// How badly a code reads: long runs, squares, what looks like a corner, more dark than light.
function penalty(rows) {
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  let marks = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((on) => (on ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) marks += run.length - 2;
    for (let at = 0; at + 11 <= text.length; at++) if (["10111010000", "00001011101"].includes(text.slice(at, at + 11))) marks += 40;
  }
  for (let y = 1; y < rows.length; y++)
    for (let x = 1; x < rows.length; x++)
      if (rows[y][x] === rows[y - 1][x] && rows[y][x] === rows[y][x - 1] && rows[y][x] === rows[y - 1][x - 1]) marks += 3;
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2;
  return marks + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
