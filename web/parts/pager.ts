import { h } from 'preact';
import { Icon } from './icon.ts';

interface PagerProps {
  /** Undefined where the page was opened by its address, which does not tell how many lie before it. */
  pageNumber: number | undefined;
  /** On the first page, it looks whether there are newer ones by now. */
  onNewest(): void;
  /** Undefined where no page is known to be newer. */
  onNewer: (() => void) | undefined;
  /** Undefined on the last page. */
  onOlder: (() => void) | undefined;
}

/** Buttons that have nothing to do stay in their place, so that the keyboard's focus is not lost on them. */
export function Pager({ pageNumber, onNewest, onNewer, onOlder }: PagerProps) {
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
    h('span', { class: 'pager-place' }, placeText(pageNumber, onOlder === undefined)),
    button('Newest', onNewest, undefined),
    button('Newer', onNewer, 'left'),
    button('Older', onOlder, 'right'),
  );
}

function placeText(pageNumber: number | undefined, isLast: boolean): string {
  const place = pageNumber === undefined ? 'A later page' : `Page ${pageNumber}`;
  return isLast ? `${place}, the last` : place;
}
