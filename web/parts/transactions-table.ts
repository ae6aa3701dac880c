import { h } from 'preact';
import type { Transaction } from '../state/api.ts';
import { formatRoute } from '../state/route.ts';
import { Amount } from './amount.ts';
import { columnHeader } from './column-header.ts';
import { CopyButton } from './copy-button.ts';
import { StatusBadge } from './status-badge.ts';
import { Timestamp } from './timestamp.ts';

interface TransactionsTableProps {
  transactions: readonly Transaction[];
  zone: string;
  caption: string;
  isLoading: boolean;
}

/** The table of a page. Its roles are explicit, because browsers drop them when a narrow screen shows the rows as cards. */
export function TransactionsTable({ transactions, zone, caption, isLoading }: TransactionsTableProps) {
  const header = (name: string, ofTimes?: string) =>
    columnHeader(`column-${name.toLowerCase().replaceAll(' ', '-')}`, name, ofTimes);
  return h(
    'table',
    {
      role: 'table',
      class: isLoading ? 'transactions transactions-stale' : 'transactions',
      'aria-busy': isLoading,
    },
    h('caption', { class: 'visually-hidden' }, caption),
    h(
      'thead',
      { role: 'rowgroup' },
      h(
        'tr',
        { role: 'row' },
        header('Created', zone),
        header('Reference'),
        header('Your reference'),
        header('Status'),
        header('Paid', zone),
        header('Amount'),
      ),
    ),
    h(
      'tbody',
      { role: 'rowgroup' },
      transactions.map((transaction) => h(Row, { transaction, zone, key: transaction.reference })),
    ),
  );
}

function Row({ transaction, zone }: { transaction: Transaction; zone: string }) {
  const { reference, merchantReference, status, amount, currencyCode, paidAt, createdAt } = transaction;
  const cell = (name: string, ...children: Parameters<typeof h>[2][]) =>
    h('td', { role: 'cell', class: `column-${name}` }, ...children);
  return h(
    'tr',
    { role: 'row' },
    cell('created', h(Timestamp, { timestamp: createdAt, zone })),
    cell(
      'reference',
      h('a', { class: 'reference', href: formatRoute({ view: 'transaction', reference }) }, reference),
      h(CopyButton, { text: reference, name: `reference ${reference}` }),
    ),
    cell(
      'your-reference',
      merchantReference === null
        ? h(Nothing, { meaning: 'no reference of yours' })
        : [
            h(
              'a',
              { class: 'merchant-reference', href: formatRoute({ view: 'search', text: merchantReference }) },
              merchantReference,
            ),
            h(CopyButton, { text: merchantReference, name: `your reference ${merchantReference}` }),
          ],
    ),
    cell('status', h(StatusBadge, { status })),
    cell(
      'paid',
      paidAt === null ? h(Nothing, { meaning: 'not paid' }) : h(Timestamp, { timestamp: paidAt, zone }),
    ),
    cell('amount', h(Amount, { amount, currencyCode })),
  );
}

/** A dash, with words for screen readers. */
export function Nothing({ meaning }: { meaning: string }) {
  return h(
    'span',
    { class: 'nothing' },
    h('span', { 'aria-hidden': 'true' }, '\u2013'),
    h('span', { class: 'visually-hidden' }, meaning),
  );
}
