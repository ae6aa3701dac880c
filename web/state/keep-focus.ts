/**
 * Puts the focus on the heading where what had it is taken away, such as a button that has done its work. Without it,
 * who goes by the keyboard would begin again at the top of the page.
 */
export function keepFocus(page: HTMLElement): void {
  let last: Element | undefined;
  page.addEventListener('focusin', ({ target }) => {
    last = target as Element;
  });
  const restore = () => {
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    last = undefined;
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  };
  // A screen that has a better place for the focus is first to put it there.
  new MutationObserver(() => setTimeout(restore, 50)).observe(page, { childList: true, subtree: true });
}
