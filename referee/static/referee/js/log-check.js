// Receipts that this browser keeps are looked for in the log, and the proofs of it are worked out here (RFC 9162), so
// that nobody has to believe the server. The head that was seen last is kept: the next one has to grow out of it. A
// whole log that was saved before does as well.

const section = document.querySelector("#kept");
const words = section.dataset;
const [KEPT, SEEN] = [`receipts:${words.slug}`, `head:${words.slug}`];
const kept = Object.entries(JSON.parse(localStorage.getItem(KEPT) || "{}"));
const [list, said, button, file] = ["ul", "[role=status]", "button", "input"].map((one) => section.querySelector(one));
/** So many receipts are asked for at once, by so many figures of their digests. */
const [AT_ONCE, SHORT] = [50, 16];

const utf8 = (text) => new TextEncoder().encode(text);
const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
const figures = (data) => Array.from(data, (one) => one.toString(16).padStart(2, "0")).join("");
const sha256 = async (...parts) => {
  const whole = new Uint8Array(await new Blob(parts).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
};
const leafOf = (body) => sha256(Uint8Array.of(0), utf8(body));
const node = (left, right) => sha256(Uint8Array.of(1), left, right);
const half = (number) => Math.floor(number / 2);

/** Follow a proof upwards: each root beside the way is put on the side where it belongs (RFC 9162, 2.1.3.2). */
async function climb(place, last, path, step) {
  for (const beside of path) {
    if (last === 0) return false;
    const isLeft = place % 2 === 1 || place === last;
    await step(bytes(beside), isLeft);
    if (isLeft) while (place % 2 === 0 && place) [place, last] = [half(place), half(last)];
    [place, last] = [half(place), half(last)];
  }
  return last === 0;
}

async function isIn(digest, { number, path }, head) {
  let root = bytes(digest);
  const whole = await climb(number, head.size - 1, path, async (beside, isLeft) => {
    root = isLeft ? await node(beside, root) : await node(root, beside);
  });
  return whole && figures(root) === head.root;
}

async function grewOut(earlier, head, path) {
  if (earlier.size === head.size) return earlier.root === head.root;
  const alone = Number.isInteger(Math.log2(earlier.size));
  const [first, ...rest] = alone ? [earlier.root, ...path] : path;
  if (!first || earlier.size > head.size) return false;
  let [place, last] = [earlier.size - 1, head.size - 1];
  while (place % 2) [place, last] = [half(place), half(last)];
  let [before, now] = [bytes(first), bytes(first)];
  const whole = await climb(place, last, rest, async (beside, isLeft) => {
    if (isLeft) before = await node(beside, before);
    now = isLeft ? await node(beside, now) : await node(now, beside);
  });
  return whole && figures(before) === earlier.root && figures(now) === head.root;
}

/** Whether one of the keys signed it; null where this browser knows no such signatures. */
async function isSigned({ text, signature }, keys) {
  for (const key of keys) {
    try {
      const known = await crypto.subtle.importKey("raw", bytes(key), "Ed25519", false, ["verify"]);
      if (await crypto.subtle.verify("Ed25519", known, bytes(signature), utf8(text))) return true;
    } catch {
      return null;
    }
  }
  return false;
}

async function rootsAt(leaves, sizes) {
  const found = new Map();
  const whole = [];
  for (let size = 1; size <= leaves.length; size += 1) {
    whole.push(leaves[size - 1]);
    for (let left = size; left % 2 === 0; left /= 2) {
      const right = whole.pop();
      whole.push(await node(whole.pop(), right));
    }
    if (!sizes.has(size)) continue;
    let root = whole.at(-1);
    for (const left of whole.slice(0, -1).reverse()) root = await node(left, root);
    found.set(size, figures(root));
  }
  return found;
}

async function isSound(log) {
  const newest = log.heads.at(-1);
  const roots = await rootsAt(log.leaves.map((one) => bytes(one.digest)), new Set(log.heads.map((one) => one.size)));
  return Boolean(newest) && newest.size === log.leaves.length && log.heads.every((one) => roots.get(one.size) === one.root);
}

/** What is said of a receipt, or of a promise whose act was not fetched, with its place in the log, or null. */
async function standing(digest, { body, at, signature }, number, { event, keys, terms }) {
  if (crypto.subtle && body && figures(await leafOf(body)) !== digest) return [words.bent, "bad"];
  const done = body ? JSON.parse(body).at : at;
  // the service signs JSON in the order of its names, with nothing between
  const said = { text: JSON.stringify({ at: done, digest, event, format: "referee/promise/1" }), signature };
  if (crypto.subtle && keys?.length && (await isSigned(said, keys)) === false) return [words.bent, "bad"];
  if (number !== null) return [words.in.replace("{n}", number + 1), "ok"];
  if (Date.now() - Date.parse(done) < 20_000) return [words.wait, ""];
  return (await isOfTermBefore(said, terms)) ? [words.review, "wait"] : [words.out, "bad"];
}

/** The event went on at another laptop, and the one before acknowledged this: nobody lost it, officials look at it. */
async function isOfTermBefore(said, terms) {
  if (!terms?.length) return false;
  return !crypto.subtle || !(await isSigned(said, [terms.at(-1).key]));
}

async function show(numberOf, told) {
  const lines = [];
  for (const [digest, receipt] of kept) {
    const [text, kind] = await standing(digest, receipt, numberOf(digest), told);
    const [line, code, pill] = ["li", "code", "span"].map((name) => document.createElement(name));
    code.className = "digest";
    code.textContent = digest.slice(0, SHORT);
    pill.className = `pill ${kind}`;
    pill.textContent = text;
    line.append(code, " ", pill);
    lines.push(line);
  }
  list.replaceChildren(...lines);
}

async function ask(codes, earlier) {
  const asked = new URLSearchParams(codes.map((one) => ["receipt", one.slice(0, SHORT)]));
  if (earlier) asked.set("earlier", earlier.size);
  const answer = await fetch(`${words.proofs}?${asked}`, { cache: "no-store" });
  if (answer.status === 400 && earlier) return { ...(await ask(codes, null)), shrunk: true };
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

/** Every receipt against the newest head: they all have to be proved under one. */
async function checkHere() {
  const earlier = JSON.parse(localStorage.getItem(SEEN) || "null");
  const found = new Map();
  let [told, head] = [null, null];
  for (let first = 0; first < kept.length; first += AT_ONCE) {
    const digests = kept.slice(first, first + AT_ONCE).map(([digest]) => digest);
    told = await ask(digests, earlier);
    head = told.head && JSON.parse(told.head.text);
    for (const [place, digest] of digests.entries()) {
      const proof = told.receipts[place];
      const holds = proof && proof.digest === digest && (!crypto.subtle || (await isIn(digest, proof, head)));
      found.set(digest, holds ? proof.number : null);
    }
  }
  await show((digest) => found.get(digest), { ...told, event: head?.event });
  said.textContent = await verdict(told, head, earlier);
}

async function verdict(told, head, earlier) {
  if (!crypto.subtle) return words.insecure;
  if (!head) return "";
  if ((await isSigned(told.head, told.keys)) === false) return words.unsigned;
  const grew = !told.shrunk && (!earlier || (await grewOut(earlier, head, told.growth)));
  if (!grew && !told.terms.length) return words.shrunk;
  localStorage.setItem(SEEN, JSON.stringify({ size: head.size, root: head.root }));
  if (!grew) return words.forked;
  const proved = words.proved.replace("{n}", head.size);
  return earlier ? `${proved} ${words.grown.replace("{n}", earlier.size)}` : proved;
}

async function checkSaved(text) {
  const log = JSON.parse(text);
  if (log.event !== Number(words.event)) throw new TypeError(log.slug);
  const numbers = new Map(log.leaves.map((one) => [one.digest, one.number]));
  await show((digest) => numbers.get(digest) ?? null, log);
  if (!crypto.subtle) said.textContent = words.insecure;
  else said.textContent = (await isSound(log)) ? words.sound.replace("{n}", log.leaves.length) : words.unsound;
}

if (kept.length && words.proofs) {
  section.hidden = false;
  button.addEventListener("click", () => checkHere().catch(() => { said.textContent = words.failed; }));
  file.addEventListener("change", () =>
    file.files[0]?.text().then(checkSaved).catch(() => {
      list.replaceChildren();
      said.textContent = words.other;
    }),
  );
}
