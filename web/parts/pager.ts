import { h } from 'preact';
import { Icon } from './icon.ts';

interface PagerProps {
  /** Undefined where the page was opened by its address, which does not tell how many lie before it. */
  pageNumber: number | undefined;
  /** Whether the page is not there yet. The rows above are then those of the page before. */
  isLoading: boolean;
  /** On the first page, it looks whether there are newer ones by now. */
  onNewest(): void;
  /** Undefined where no page is known to be newer. */
  onNewer: (() => void) | undefined;
  /** Undefined on the last page, and while a page loads. */
  onOlder: (() => void) | undefined;
}

/** Buttons that have nothing to do stay in their place, so that the keyboard's focus is not lost on them. */
export function Pager({ pageNumber, isLoading, onNewest, onNewer, onOlder }: PagerProps) {
  const button = (label: string, action: (() => void) | undefined, icon: 'left' | 'right' | undefined) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button',
        'aria-disabled': action === undefined,
        onClick: action ?? (() => {}),
      },
      icon === 'left' && h(Icon, { name: icon }),
      label,
      icon === 'right' && h(Icon, { name: icon }),
    );
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    h('span', { class: 'pager-place' }, placeText(pageNumber, isLoading, onOlder === undefined)),
    button('Newest', onNewest, undefined),
    button('Newer', onNewer, 'left'),
    button('Older', onOlder, 'right'),
  );
}

function placeText(pageNumber: number | undefined, isLoading: boolean, isLast: boolean): string {
  if (isLoading) return `Loading ${pageNumber === undefined ? 'a later page' : `page ${pageNumber}`}\u2026`;
  const place = pageNumber === undefined ? 'A later page' : `Page ${pageNumber}`;
  return isLast ? `${place}, the last` : place;
}
