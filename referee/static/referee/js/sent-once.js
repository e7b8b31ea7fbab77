// The second press of a double click sends nothing: the browser would drop the answer to the first one, and with it what
// that answer brought, a sign-in perhaps. Forms that a script sends are that script's own.

const HELD_MS = 5000; // an answer that is a file leaves the page where it is

let sent = new WeakSet();

addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method")?.toLowerCase() !== "post") return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  setTimeout(() => free(form), HELD_MS);
});

// what answers with a file is asked for anew by the next press: that is another act, with a key of its own
function free(form) {
  sent.delete(form);
  const key = form.dataset.answer === "file" ? form.elements.namedItem("key") : null;
  if (key) key.value = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// a page that comes back by the Back button can be sent again
addEventListener("pageshow", () => (sent = new WeakSet()));
