// Passkeys: the service says what to ask the browser, the browser opens its own window, and its answer goes into the
// form as JSON. Without passkeys in the browser a button that shows one stays hidden; the fields beside it are enough.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const described = (all) => all?.map((one) => ({ ...one, id: bytes(one.id) }));

async function asked(button) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", button.form.elements.namedItem("csrfmiddlewaretoken").value);
  body.set("for", button.dataset.passkey);
  const answer = await fetch(button.dataset.ask, { method: "POST", body, credentials: "same-origin", redirect: "error" });
  if (!answer.ok) throw new TypeError(`answered ${answer.status}`);
  const options = await answer.json();
  options.challenge = bytes(options.challenge);
  return options;
}

async function make(options) {
  const publicKey = {
    ...options,
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: described(options.excludeCredentials),
  };
  const made = await navigator.credentials.create({ publicKey });
  return [made, { attestationObject: text(made.response.attestationObject) }];
}

async function show(options) {
  const publicKey = { ...options, allowCredentials: described(options.allowCredentials) };
  const shown = await navigator.credentials.get({ publicKey });
  const { authenticatorData, signature, userHandle } = shown.response;
  const said = { authenticatorData: text(authenticatorData), signature: text(signature) };
  return [shown, userHandle ? { ...said, userHandle: text(userHandle) } : said];
}

function say(button, sentence) {
  const said = (button.closest("[data-passkey-part]") ?? button.form).querySelector("[data-passkey-said]");
  said.textContent = sentence;
  said.hidden = !sentence;
}

function why(button, error) {
  if (error.name === "InvalidStateError" && button.dataset.there) return button.dataset.there;
  return error instanceof DOMException ? button.dataset.ended : button.dataset.failed;
}

// what else the form asks for is typed first, but what the passkey stands for
function isTyped(form) {
  const fields = [...form.elements].filter((one) => !["code", "proof"].includes(one.name));
  return fields.every((one) => one.reportValidity());
}

async function use(button) {
  if (button.disabled || !isTyped(button.form)) return;
  say(button, "");
  button.disabled = true;
  try {
    const [key, said] = await (button.dataset.passkey === "new" ? make : show)(await asked(button));
    const response = { ...said, clientDataJSON: text(key.response.clientDataJSON) };
    const part = button.closest("[data-passkey-part]") ?? button.form;
    part.querySelector("[data-passkey-answer]").value = JSON.stringify({
      id: key.id,
      rawId: text(key.rawId),
      type: key.type,
      authenticatorAttachment: key.authenticatorAttachment,
      clientExtensionResults: {},
      response,
    });
    button.form.submit();
  } catch (error) {
    button.disabled = false;
    button.focus();
    say(button, why(button, error));
  }
}

for (const button of document.querySelectorAll("[data-passkey]")) {
  if (button.type === "submit") {
    button.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (window.PublicKeyCredential) use(button);
      else say(button, button.dataset.none);
    });
  } else if (window.PublicKeyCredential) {
    button.closest("[data-passkey-part]").hidden = false;
    button.addEventListener("click", () => use(button));
  }
}

// a page that comes back by the Back button can be used again
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("[data-passkey]")) button.disabled = false;
});
