// The second press of a double click sends nothing: the browser would drop the answer to the first one, and with it what
// that answer brought, a sign-in perhaps. Forms that a script sends are that script's own.

const HELD_MS = 5000; // an answer that is a file leaves the page where it is

let sent = new WeakSet();

addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method")?.toLowerCase() !== "post") return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), HELD_MS);
});

// a page that comes back by the Back button can be sent again
addEventListener("pageshow", () => (sent = new WeakSet()));
