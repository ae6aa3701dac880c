import { h } from 'preact';

/** Its header, and those of a page. */
const ROWS = 11;

/** The place of a table whose rows are not there yet. */
export function LoadingTable() {
  return h(
    'div',
    { class: 'loading', 'aria-hidden': 'true' },
    Array.from({ length: ROWS }, (_, index) =>
      h('div', { class: 'loading-row', key: index }, h('i', null), h('i', null), h('i', null), h('i', null)),
    ),
  );
}
