import { h } from 'preact';
import { describeFilter, type Filter, isFiltered, listRoute } from '../state/route.ts';
import { navigate } from '../state/use-route.ts';
import { Panel } from './panel.ts';

/** A list that is empty, and why it may be. */
export function EmptyPanel({ filter, isFirstPage }: { filter: Filter; isFirstPage: boolean }) {
  if (!isFirstPage) {
    return h(Panel, { icon: 'empty', title: 'No older transactions', actions: clear('First page', filter) });
  }
  if (!isFiltered(filter)) {
    return h(
      Panel,
      { icon: 'empty', title: 'No transactions yet' },
      h(
        'p',
        null,
        'Nothing is recorded for this account so far. New transactions appear here as soon as they are.',
      ),
    );
  }
  return h(
    Panel,
    { icon: 'empty', title: 'No transactions match', actions: clear('Clear the filters', {}) },
    h(
      'p',
      null,
      `The account has no transaction with ${describeFilter(filter)}.`,
      filter.merchantReference && ' A reference is matched whole, its capitals and spaces included.',
      (filter.from || filter.to) && ' Days are UTC days of the time of creation.',
    ),
  );
}

const clear = (label: string, filter: Filter) =>
  h('button', { type: 'button', class: 'button', onClick: () => navigate(listRoute(filter)) }, label);
