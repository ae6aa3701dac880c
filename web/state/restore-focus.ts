import { mainHeading } from './title.ts';

/** Without this, keyboard users would be at the top of the page when the focused element is removed. */
export function restoreFocus(page: HTMLElement): void {
  let last: Element | undefined;
  page.addEventListener('focusin', ({ target }) => {
    last = target as Element;
  });
  const restore = () => {
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    last = undefined;
    mainHeading()?.focus({ preventScroll: true });
  };
  // The delay lets a screen move the focus elsewhere first.
  new MutationObserver(() => setTimeout(restore, 50)).observe(page, { childList: true, subtree: true });
}
