// Where a camera leads that reads a result code: on to the page of this phone's own place, else to the desk.

import { phones, read } from "./result-code.js";

const code = read(location.hash);
const said = document.getElementById("code-said");
const here = code && "indexedDB" in window ? (await phones().catch(() => [])).find((one) => Number(one.sitting) === code.sitting) : null;
if (here) location.replace(`/table/${here.me}/#${code.text}`);
else if (!code) said.textContent = said.dataset.unreadable;
else {
  said.textContent = (code.agreedBy ? said.dataset.both : said.dataset.half).replace("{n}", code.hand);
  const [, event] = location.pathname.match(/^\/code\/([\w-]+)\//) ?? [];
  const desk = document.getElementById("to-desk");
  if (code.agreedBy && event) {
    desk.href = `/desk/${event}/code/#${code.text}`;
    desk.hidden = false;
  }
}
