/** Tells a reader of the screen what changed, politely. The region stands in the page from the start, or it would not be heard. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region !== null) region.textContent = text;
}
