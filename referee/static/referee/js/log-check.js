// Receipts that this browser keeps are looked for in the log, and the tree of the log is worked out again here
// (RFC 9162), so that nobody has to believe the server. A log that was saved before does as well as the one there now.

const section = document.querySelector("#kept");
const words = section.dataset;
const kept = Object.entries(JSON.parse(localStorage.getItem(`receipts:${words.slug}`) || "{}"));
const [list, said, button, file] = ["ul", "[role=status]", "button", "input"].map((one) => section.querySelector(one));

const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
const figures = (data) => Array.from(data, (one) => one.toString(16).padStart(2, "0")).join("");
const sha256 = async (...parts) => {
  const whole = new Uint8Array(await new Blob(parts).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
};
const leafOf = (body) => sha256(Uint8Array.of(0), new TextEncoder().encode(body));
const node = (left, right) => sha256(Uint8Array.of(1), left, right);

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

async function standing(digest, { body }, numbers) {
  if (crypto.subtle && figures(await leafOf(body)) !== digest) return [words.bent, "bad"];
  const number = numbers.get(digest);
  if (number !== undefined) return [words.in.replace("{n}", number + 1), "ok"];
  const age = Date.now() - Date.parse(JSON.parse(body).at);
  return age < 20_000 ? [words.wait, ""] : [words.out, "bad"];
}

async function check(log) {
  const numbers = new Map(log.leaves.map((one) => [one.digest, one.number]));
  list.replaceChildren();
  for (const [digest, receipt] of kept) {
    const [text, kind] = await standing(digest, receipt, numbers);
    const line = document.createElement("li");
    const code = document.createElement("code");
    const pill = document.createElement("span");
    code.className = "digest";
    code.textContent = digest.slice(0, 16);
    pill.className = `pill ${kind}`;
    pill.textContent = text;
    line.append(code, " ", pill);
    list.append(line);
  }
  if (!crypto.subtle) said.textContent = words.insecure;
  else said.textContent = (await isSound(log)) ? words.sound.replace("{n}", log.leaves.length) : words.unsound;
}

async function load() {
  const answer = await fetch(words.log, { cache: "no-store" });
  return answer.json();
}

if (kept.length && words.log) {
  section.hidden = false;
  const tell = (work) => work.catch(() => { said.textContent = words.failed; });
  button.addEventListener("click", () => tell(load().then(check)));
  file.addEventListener("change", () => tell(file.files[0].text().then(JSON.parse).then(check)));
}
