// Sending and copying, where the browser can: without it the link and the pictures stand on the page all the same.

const send = document.querySelector("[data-share-url]");
if (send && navigator.share) {
  send.hidden = false;
  send.addEventListener("click", async () => {
    const { shareTitle: title, shareText: text, shareUrl: url } = send.dataset;
    try {
      await navigator.share({ title, text, url });
    } catch (error) {
      if (error.name !== "AbortError") throw error; // who closes the list has decided
    }
  });
}

const copy = document.querySelector("[data-copy]");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  const label = copy.querySelector("span");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copy.dataset.copy);
    label.textContent = copy.dataset.copied;
  });
}
