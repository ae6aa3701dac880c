/** The pause between two announcements: speaking a sentence takes about this long. */
const PAUSE_MS = 5000;

let waiting = 0;
let spokenMs = -PAUSE_MS;

/** Announces a change to screen readers. They speak a region only if it is in the page from the start. */
export function announce(text: string): void {
  clearTimeout(waiting);
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}

/** Announces changes that happen without the user, at most one in this pause: the latest change. */
export function announceLive(text: string): void {
  clearTimeout(waiting);
  const pauseMs = spokenMs + PAUSE_MS - performance.now();
  if (pauseMs > 0) waiting = setTimeout(announceLive, pauseMs, text);
  else {
    spokenMs = performance.now();
    announce(text);
  }
}
