// A referee scans a result code: the field is filled from the address, or by the camera where the browser reads codes.

import { canScan, scanned } from "./scan.js";

const field = document.getElementById("code");
const key = document.getElementById("scan");

function take(text) {
  if (text.length > 1) field.value = text.split("#").at(-1);
}

take(location.hash);
addEventListener("hashchange", () => take(location.hash));
if (await canScan()) key.hidden = false;
key.addEventListener("click", async () => {
  const text = await scanned(document.getElementById("camera"), new AbortController().signal);
  if (text) take(text);
});
