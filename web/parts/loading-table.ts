import { h } from 'preact';

/** The header, and the rows of a page. */
const ROWS = 11;

/** A placeholder for a table whose rows are loading. */
export function LoadingTable() {
  return h(
    'div',
    { class: 'loading', 'aria-hidden': 'true' },
    Array.from({ length: ROWS }, (_, index) =>
      h('div', { class: 'loading-row', key: index }, h('i', null), h('i', null), h('i', null), h('i', null)),
    ),
  );
}
