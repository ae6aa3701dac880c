/** Speaking a sentence takes about this long. */
const PAUSE_MS = 5000;
const MAX_PAUSE_MS = 80_000;

let waiting = 0;
let pauseMs = PAUSE_MS;
let quietUntilMs = 0;

function speak(text: string): void {
  clearTimeout(waiting);
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}

/** Puts the text into a region that stays in the page: screen readers can miss one that is added later. */
export function announce(text: string): void {
  pauseMs = PAUSE_MS;
  quietUntilMs = performance.now() + pauseMs;
  speak(text);
}

/** Each announcement interrupts what the user is hearing, so the pause doubles after each one. */
export function announceLive(text: string): void {
  clearTimeout(waiting);
  const restMs = quietUntilMs - performance.now();
  if (restMs > 0) waiting = setTimeout(announceLive, restMs, text);
  else {
    speak(text);
    quietUntilMs = performance.now() + pauseMs;
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}
