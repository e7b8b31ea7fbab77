// A result code: what one phone of a table claims of a hand, signed by it, and countersigned by another one there. The
// server reads the same bytes (`tournaments/ledger/result_code_text.py`). Keys lie in this browser and cannot be taken out.

const VERSION = 1;
const SIGNATURE = 64;
const CLAIMED = "referee result claim 1\n";
const AGREED = "referee result agreed 1\n";
const DAYS = 2 * 24 * 3600 * 1000;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const SIGNING = { name: "ECDSA", hash: "SHA-256" };

// Keys

function store(how, act) {
  return new Promise((done, failed) => {
    const asked = indexedDB.open("referee", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("phones", { keyPath: "me" });
    asked.onerror = () => failed(asked.error);
    asked.onsuccess = () => {
      const turn = asked.result.transaction("phones", how);
      const answer = act(turn.objectStore("phones"));
      turn.oncomplete = () => (asked.result.close(), done(answer?.result));
      turn.onerror = turn.onabort = () => (asked.result.close(), failed(turn.error));
    };
  });
}

// What this browser knows of its places: {me, sitting, pair, publicKey, enrolled, keys (of the phones there), at}.
export const phones = () => store("readonly", (all) => all.getAll());
export const keepPhone = (phone) => store("readwrite", (all) => all.put(phone));

export async function phoneAt(me, sitting) {
  const all = await phones();
  for (const old of all) if (Date.now() - old.at > DAYS) await store("readwrite", (rows) => rows.delete(old.me));
  const known = all.find((one) => one.me === me);
  if (known) return known;
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
  const publicKey = written(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  const made = { me, sitting, pair, publicKey, enrolled: false, keys: {}, at: Date.now() };
  await keepPhone(made);
  return made;
}

// Bytes

export const written = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
const encoded = (text) => new TextEncoder().encode(text);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

function words(text) {
  const bytes = encoded(text);
  return [...number(bytes.length), ...bytes];
}

async function sign(phone, use, bytes) {
  return new Uint8Array(await crypto.subtle.sign(SIGNING, phone.pair.privateKey, joined(encoded(use), bytes)));
}

// The claim of a hand that waits in this phone: {hand, revision, key, level, fields}.
export async function claim(phone, job) {
  const once = job.key.replace(/-/g, "").match(/../g).map((pair) => parseInt(pair, 16));
  const typed = job.fields.filter(([name, value]) => value !== "" && !["hand_no", "why"].includes(name));
  const fields = new URLSearchParams([...typed, ["at_level", job.level]]).toString();
  const bytes = joined(
    [VERSION],
    number(Number(phone.sitting)),
    number(Number(job.hand)),
    number(Number(job.revision)),
    once,
    words(phone.me),
    words(fields),
  );
  return written(joined(bytes, await sign(phone, CLAIMED, bytes)));
}

// The same with this phone's agreement.
export async function agree(phone, text) {
  const bytes = joined(bytesOf(text), words(phone.me));
  return written(joined(bytes, await sign(phone, AGREED, bytes)));
}

// What a text or a scanned address says; null where it is no result code.
export function read(text) {
  try {
    const plain = text.replace(/\s+/g, "").split("#").at(-1);
    const bytes = bytesOf(plain);
    let at = 0;
    const take = (size) => {
      if (at + size > bytes.length) throw new RangeError(text);
      return bytes.slice(at, (at += size));
    };
    const figure = () => {
      for (let sum = 0, weight = 1; ; weight *= 128) {
        const [byte] = take(1);
        sum += (byte % 128) * weight;
        if (byte < 128) return sum;
      }
    };
    const said = () => new TextDecoder("utf-8", { fatal: true }).decode(take(figure()));
    if (take(1)[0] !== VERSION) return null;
    const [sitting, hand, revision] = [figure(), figure(), figure()];
    take(16);
    const [claimedBy, fields] = [said(), said()];
    const claimed = bytes.slice(0, at);
    const signature = take(SIGNATURE);
    const found = { text: plain, sitting, hand, revision, claimedBy, fields: [...new URLSearchParams(fields)], claimed, signature, agreedBy: null };
    if (at === bytes.length) return found;
    found.agreedBy = said();
    take(SIGNATURE);
    return at === bytes.length ? found : null;
  } catch {
    return null;
  }
}

// Whether the phone of this key made the claim.
export async function isGenuine(key, { claimed, signature }) {
  const known = await crypto.subtle.importKey("raw", bytesOf(key), ALGORITHM, false, ["verify"]);
  return crypto.subtle.verify(SIGNING, known, signature, joined(encoded(CLAIMED), claimed));
}
