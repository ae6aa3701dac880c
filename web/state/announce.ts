let waiting = 0;
let spokenMs = 0;

/** Announces a change to screen readers. They only speak a region that is in the page from the start. */
export function announce(text: string): void {
  clearTimeout(waiting);
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}

/** Speaking a sentence takes so long. */
const PAUSE_MS = 5000;

/** Announces changes that happen by themselves, at most one in some seconds: the latest. */
export function announceLive(text: string): void {
  clearTimeout(waiting);
  const pauseMs = spokenMs + PAUSE_MS - Date.now();
  if (pauseMs > 0) waiting = setTimeout(announceLive, pauseMs, text);
  else {
    spokenMs = Date.now();
    announce(text);
  }
}
