// Reads a QR code with the camera, where the browser can: Chrome on Android. Elsewhere the phone's own camera opens the
// address in the code, or the text of the code is pasted.

export async function canScan() {
  if (!("BarcodeDetector" in window) || !navigator.mediaDevices?.getUserMedia) return false;
  return (await BarcodeDetector.getSupportedFormats().catch(() => [])).includes("qr_code");
}

// The text of the first code seen; null when `ended` is aborted, or the camera is refused.
export async function scanned(video, ended) {
  const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }).catch(() => null);
  if (!camera) return null;
  const reader = new BarcodeDetector({ formats: ["qr_code"] });
  video.srcObject = camera;
  video.hidden = false;
  await video.play().catch(() => null);
  let found = null;
  while (!found && !ended.aborted) {
    [found] = await reader.detect(video).catch(() => []);
    if (!found) await new Promise((done) => setTimeout(done, 150));
  }
  for (const track of camera.getTracks()) track.stop();
  video.hidden = true;
  return found?.rawValue ?? null;
}
