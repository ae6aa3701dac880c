/** Announces a change to screen readers. They only speak a region that is in the page from the start. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}
