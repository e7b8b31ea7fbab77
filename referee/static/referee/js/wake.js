// "Wake me": one button. Where the browser can be woken through its push service, the server learns its address; besides,
// and everywhere else, the open page sounds and buzzes. A browser lets a page sound only after a tap on it: where it was
// turned on before, the first tap anywhere will do.

const BUZZ = [200, 100, 200];
const TONE = 660;
const SECONDS = 0.35;
const LATE = 20000; // a push service that has not answered by then is none

let sound = null;

function arm() {
  sound ??= window.AudioContext ? new AudioContext() : null;
  sound?.resume();
}

function ring() {
  navigator.vibrate?.(BUZZ);
  if (!sound) return;
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  tone.frequency.value = TONE;
  volume.gain.setValueAtTime(0.3, sound.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + SECONDS);
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + SECONDS);
}

const isIphone = () => navigator.standalone === false;
const worker = () => document.querySelector("meta[name=offline]")?.content;
const canPush = (form) =>
  form.dataset.key && isSecureContext && worker() && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

// What is on stays on for this entrant when the page is opened again.
const kept = {
  get: (form) => localStorage.getItem("wake") === form.dataset.own,
  set: (form, on) => (on ? localStorage.setItem("wake", form.dataset.own) : localStorage.removeItem("wake")),
};

// Makes the button work; gives what rings while it is on.
export function wakesHere(form) {
  if (!form) return () => {};
  const button = form.querySelector("button");
  const said = form.querySelector("[data-said]");
  let on = false;

  function show(how) {
    button.setAttribute("aria-pressed", String(on));
    form.querySelector("[data-on]").hidden = !on;
    form.querySelector("[data-off]").hidden = on;
    said.textContent = how ? form.querySelector(`[data-how=${how}]`).content.textContent.trim() : "";
  }

  const without = () => (isIphone() ? "iphone" : "open");

  async function turnOn() {
    on = true;
    kept.set(form, true);
    show(canPush(form) ? "" : without());
    arm();
    ring();
    if (canPush(form)) show(await asked(form));
  }

  async function turnOff() {
    on = false;
    kept.set(form, false);
    show(canPush(form) ? "" : without());
    const old = canPush(form) && (await subscription());
    if (!old) return;
    await send(form, old, { off: "1" }).catch(() => null);
    await old.unsubscribe().catch(() => null);
  }

  async function again() {
    on = kept.get(form);
    show(canPush(form) ? (Notification.permission === "denied" ? "denied" : on ? "push" : "") : without());
    if (!on) return;
    addEventListener("pointerdown", arm, { once: true });
    if (!canPush(form) || Notification.permission !== "granted") return;
    const old = await subscription();
    if (!old || !isOurs(form, old) || !(await isKnown(form, old))) show(await asked(form));
  }

  form.hidden = false;
  button.addEventListener("click", () => (on ? turnOff() : turnOn()));
  again();
  return () => on && ring();
}

// Asks for the permission, has the push service give an address, tells it to the server; how it went.
async function asked(form) {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  try {
    const { pushManager } = await inTime(navigator.serviceWorker.ready);
    const old = await pushManager.getSubscription();
    if (old && !isOurs(form, old)) await old.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key) };
    const made = await inTime(pushManager.subscribe(options));
    const answer = await send(form, made);
    return answer.ok ? "push" : "failed";
  } catch {
    return "failed";
  }
}

async function subscription() {
  const found = await navigator.serviceWorker.getRegistration();
  return found?.pushManager.getSubscription();
}

function send(form, one, more = {}) {
  const [token, { endpoint, keys }] = [form.querySelector("[name=csrfmiddlewaretoken]").value, one.toJSON()];
  const body = new URLSearchParams({ address: endpoint, public_key: keys.p256dh, secret: keys.auth, ...more });
  return fetch(form.action, { method: "POST", body, headers: { "X-CSRFToken": token }, redirect: "error" });
}

// Bound to another key it is an earlier installation's, which nobody can send to any more.
function isOurs(form, one) {
  const key = one.options?.applicationServerKey;
  return !key || text(new Uint8Array(key)) === form.dataset.key;
}

async function isKnown(form, one) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(one.endpoint));
  const figures = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return form.dataset.known.split(" ").includes(figures);
}

const inTime = (promise) => Promise.race([promise, new Promise((_, late) => setTimeout(() => late(new Error("late")), LATE))]);
const bytes = (key) => Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
const text = (data) => btoa(String.fromCharCode(...data)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
