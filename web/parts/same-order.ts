import { type ComponentChildren, h } from 'preact';
import { fromMinorUnits } from '../../client/src/amount.ts';
import { RowTotals } from '../export/row-totals.ts';
import type { Api, Transaction } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import { byImportance, isPaid } from '../state/statuses.ts';
import { useLoad } from '../state/use-load.ts';
import { counted } from '../text/count.ts';
import { overviewOf } from '../text/overview.ts';
import { Amount } from './amount.ts';
import { FailureText } from './failure-panel.ts';
import { RetryNotice } from './retry-notice.ts';
import { StatusBadge } from './status-badge.ts';
import { Timestamp } from './timestamp.ts';

/** A customer's order has few attempts. A text that many transactions share is no order: the list is the place for those. */
const MAX_PAGES = 5;

interface SameOrderProps {
  api: Api;
  reference: string;
  merchantReference: string;
  zone: string;
  onFailure(failure: Failure): void;
}

/** The transactions of one order, newest first. */
interface Order {
  transactions: readonly Transaction[];
  /** Whether there are more than were loaded. Then a sum would be wrong. */
  hasMore: boolean;
}

/** The other transactions of an order, and what all of them add up to. Nothing if there are no others. */
export function SameOrder({ api, reference, merchantReference, zone, onFailure }: SameOrderProps) {
  const { loaded, reload } = useLoad(
    merchantReference,
    (signal) => loadOrder(api, merchantReference, signal),
    onFailure,
  );
  if (loaded.state === 'loading') return null;
  if (loaded.state === 'failed') {
    const { failure, retry } = loaded;
    return h(
      Section,
      null,
      h('p', null, `The other transactions of this order could not be loaded: ${failure.title}`),
      h(FailureText, { failure }),
      retry && h(RetryNotice, { retry }),
      h('button', { type: 'button', class: 'button', onClick: reload }, 'Load the order again'),
    );
  }
  const { transactions, hasMore } = loaded.value;
  const others = transactions.filter((one) => one.reference !== reference);
  if (others.length === 0) return null;
  return h(
    Section,
    null,
    h(
      'ul',
      { class: 'order-others', 'aria-label': 'Other transactions of this order' },
      others.map((one) => h(Other, { transaction: one, zone, key: one.reference })),
    ),
    hasMore
      ? h(
          'p',
          { class: 'order-foot' },
          `These are the newest ${transactions.length}. `,
          h('a', { href: formatRoute(listRoute({ merchantReference })) }, 'Show all in the list'),
        )
      : h(OrderSums, {
          transactions,
          label: `${counted(transactions.length, 'transaction')} with this one:`,
        }),
  );
}

const Section = ({ children }: { children?: ComponentChildren }) =>
  h(
    'section',
    { class: 'card order', 'aria-labelledby': 'order' },
    h('h2', { id: 'order' }, 'Same order'),
    children,
  );

async function loadOrder(api: Api, merchantReference: string, signal: AbortSignal): Promise<Order> {
  let page = await api.page({ merchantReference }, signal);
  const transactions = [...page.data];
  for (let pages = 1; page.nextCursor !== null && pages < MAX_PAGES; pages++) {
    page = await api.page({ merchantReference, cursor: page.nextCursor }, signal);
    transactions.push(...page.data);
  }
  return { transactions, hasMore: page.hasMore };
}

function Other({ transaction, zone }: { transaction: Transaction; zone: string }) {
  const { reference, status, amount, currencyCode, createdAt } = transaction;
  return h(
    'li',
    null,
    h(Timestamp, { timestamp: createdAt, zone }),
    h('a', { class: 'reference', href: formatRoute({ view: 'transaction', reference }) }, reference),
    h(StatusBadge, { status }),
    h(Amount, { amount, currencyCode }),
  );
}

/** The net of each currency, which is the result, and what it consists of: an attempt that failed must not count as paid. */
export function OrderSums({ transactions, label }: Pick<Order, 'transactions'> & { label: string }) {
  const totals = new RowTotals();
  for (const one of transactions) totals.add(one);
  const currencies = overviewOf(totals.data, [], isPaid);
  return h(
    'div',
    { class: 'order-foot' },
    h('p', null, label),
    h(
      'ul',
      { class: 'order-sums', 'aria-label': 'Sum of this order' },
      currencies.map(({ currency, sumMinor, cells }) => [
        h(
          'li',
          { key: currency, class: 'order-net' },
          h('b', null, 'Net'),
          h('span', { class: 'order-count' }),
          h(Amount, { amount: fromMinorUnits(sumMinor), currencyCode: currency }),
        ),
        [...cells.values()]
          .sort((one, other) => byImportance(one.status, other.status))
          .map(({ status, count, amount }) =>
            h(
              'li',
              { key: `${currency} ${status}` },
              h(StatusBadge, { status }),
              h('span', { class: 'order-count' }, String(count)),
              h(Amount, { amount, currencyCode: currency }),
            ),
          ),
      ]),
    ),
  );
}
