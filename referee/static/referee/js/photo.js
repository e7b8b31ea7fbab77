// A photo is made small in the browser, where it can, and sent as soon as it is chosen. The server makes it anew whatever
// comes; without this script the file goes as it is, by the button.
// <form data-photo="send"> is sent in the background, again and again until there is an answer: the key of the form makes
// it one photo. <form data-photo> goes with the page.

const EDGE = 1800;
const QUALITY = 0.8;
const SMALL = 300_000; // bytes that are not worth the work
const TRIES = 6;
const WAIT = 2000;

const sending = new WeakSet();
const wait = (time) => new Promise((done) => setTimeout(done, time));

async function smaller(file) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, EDGE / Math.max(picture.width, picture.height));
    if (scale === 1 && file.size <= SMALL && file.type === "image/jpeg") return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const paper = canvas.getContext("2d");
    paper.fillStyle = "#fff";
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
    return blob ? new File([blob], "photo.jpg", { type: "image/jpeg" }) : file;
  } catch {
    return file; // the browser cannot read it: perhaps the server can
  }
}

function say(form, words) {
  const output = form.querySelector("output");
  if (output) output.textContent = words;
}

async function answerTo(form, data) {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "application/json" } });
      if (answer.status < 500 || tries >= TRIES) return answer;
    } catch (lost) {
      if (tries >= TRIES) throw lost;
    }
    say(form, form.dataset.failed);
    await wait(WAIT * tries);
  }
}

// A part with the focus waits for it to leave: it leaves, and comes back to the head of the new part. Other parts may
// change before this one does: the focus that came back then would keep the old part where it is.
function showIt(form) {
  if (form.closest(".photo-fold").contains(document.activeElement)) {
    const toNewHead = () => {
      if (form.isConnected) return;
      document.removeEventListener("live:changed", toNewHead);
      const free = document.activeElement === document.body;
      if (free) document.querySelector(".photo-fold > summary")?.focus({ preventScroll: true });
    };
    document.addEventListener("live:changed", toNewHead);
    document.activeElement.blur();
  }
  document.dispatchEvent(new Event("live:ask"));
}

async function send(form, file) {
  if (sending.has(form)) return;
  sending.add(form);
  const button = form.querySelector("button");
  button.disabled = true;
  form.classList.remove("unsent");
  say(form, form.dataset.sending);
  try {
    const data = new FormData(form);
    const photo = await smaller(file);
    data.set("photo", photo, photo.name);
    const answer = await answerTo(form, data);
    const { message } = await answer.json();
    say(form, message);
    form.reset();
    if (answer.ok) showIt(form);
    const key = form.elements.namedItem("key"); // the next photo is another act
    if (key) key.value = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  } catch {
    form.classList.add("unsent");
    say(form, form.dataset.givenUp); // the file stays chosen: the key sends it again, under the same key
  } finally {
    button.disabled = false;
    sending.delete(form);
  }
}

async function withPage(input) {
  const files = new DataTransfer();
  files.items.add(await smaller(input.files[0]));
  input.files = files.files;
  input.form.requestSubmit();
}

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-photo]");
  if (!form || event.target.type !== "file" || !event.target.files.length) return;
  if (form.dataset.photo === "send") send(form, event.target.files[0]);
  else withPage(event.target);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset?.photo !== "send") return;
  event.preventDefault();
  const [file] = form.querySelector("input[type=file]").files;
  if (file) send(form, file);
});
