// The phone keeps the receipts of its table: what it was told once, nobody can take back unnoticed. The answer to an
// act holds a signed promise, kept at once; what the act wrote is fetched soon after and takes its place.

const MOST = 2000;
const SOON_MS = 3000;

async function keep(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  const { event, receipts } = await answer.json();
  put(event, (kept) => {
    for (const { digest, body, signature } of receipts) kept.set(digest, { body, signature });
  });
}

function put(event, change) {
  const name = `receipts:${event}`;
  const kept = new Map(Object.entries(JSON.parse(localStorage.getItem(name) || "{}")));
  change(kept);
  localStorage.setItem(name, JSON.stringify(Object.fromEntries([...kept].slice(-MOST))));
}

export function keepPromise(promise) {
  if (!promise) return;
  const { digest, at, signature } = promise;
  try {
    put(place.dataset.event, (kept) => kept.has(digest) || kept.set(digest, { at, signature }));
  } catch {
    // Storage may be full or forbidden: the log has it all the same.
  }
}

const place = document.querySelector("[data-receipts]");
if (place) {
  const address = place.dataset.receipts;
  const again = () => keep(address).catch(() => {}); // no network, or no room: the next change asks again
  let soon = 0;
  const changed = () => {
    clearTimeout(soon);
    soon = setTimeout(again, SOON_MS);
  };
  new MutationObserver(changed).observe(document.querySelector("main"), { childList: true, subtree: true });
  if (!place.dataset.hand) again(); // a visit to the table costs nothing more; what happens there is kept
}
