import { type ComponentChildren, Fragment } from 'preact';
import { fromMinorUnits } from '../../client/src/amount.ts';
import { RowTotals } from '../export/row-totals.ts';
import type { Api, Transaction } from '../state/api.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import { byImportance, isPaid } from '../state/statuses.ts';
import { useLoad } from '../state/use-load.ts';
import { counted } from '../text/count.ts';
import { overviewOf } from '../text/overview.ts';
import { Amount } from './amount.tsx';
import { Button } from './button.tsx';
import { FailureText } from './failure-panel.tsx';
import { RetryNotice } from './retry-notice.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Timestamp } from './timestamp.tsx';

/** A customer's order has few attempts. A text that many transactions share is no order: the list is the place for those. */
const MAX_PAGES = 5;

interface SameOrderProps {
  api: Api;
  reference: string;
  merchantReference: string;
}

/** The transactions of one order, newest first. */
interface Order {
  transactions: readonly Transaction[];
  /** Whether there are more than were loaded. Then a sum would be wrong. */
  hasMore: boolean;
}

/** The other transactions of an order, and what all of them add up to. Nothing if there are no others. */
export function SameOrder({ api, reference, merchantReference }: SameOrderProps) {
  const { loaded, reload } = useLoad(merchantReference, (signal) =>
    loadOrder(api, merchantReference, signal),
  );
  if (loaded.state === 'loading') return null;
  if (loaded.state === 'failed') {
    const { failure, retry } = loaded;
    return (
      <Section>
        <p>The other transactions of this order could not be loaded: {failure.title}</p>
        <FailureText failure={failure} />
        {retry && <RetryNotice retry={retry} />}
        <Button onClick={reload}>Load the order again</Button>
      </Section>
    );
  }
  const { transactions, hasMore } = loaded.value;
  const others = transactions.filter((one) => one.reference !== reference);
  if (others.length === 0) return null;
  return (
    <Section>
      <ul class="order-others" aria-label="Other transactions of this order">
        {others.map((one) => (
          <Other key={one.reference} transaction={one} />
        ))}
      </ul>
      {hasMore ? (
        <p class="order-foot">
          These are the newest {transactions.length}.{' '}
          <a href={formatRoute(listRoute({ merchantReference }))}>Show all in the list</a>
        </p>
      ) : (
        <OrderSums
          transactions={transactions}
          label={`${counted(transactions.length, 'transaction')} with this one:`}
        />
      )}
    </Section>
  );
}

const Section = ({ children }: { children?: ComponentChildren }) => (
  <section class="card order" aria-labelledby="order">
    <h2 id="order">Same order</h2>
    {children}
  </section>
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

function Other({ transaction }: { transaction: Transaction }) {
  const { reference, status, amount, currencyCode, createdAt } = transaction;
  return (
    <li>
      <Timestamp timestamp={createdAt} />
      <a class="reference" href={formatRoute({ view: 'transaction', reference })}>
        {reference}
      </a>
      <StatusBadge status={status} />
      <Amount amount={amount} currencyCode={currencyCode} />
    </li>
  );
}

/** The net of each currency, which is the result, and what it consists of: an attempt that failed must not count as paid. */
export function OrderSums({ transactions, label }: Pick<Order, 'transactions'> & { label: string }) {
  const totals = new RowTotals();
  for (const one of transactions) totals.add(one);
  const currencies = overviewOf(totals.data, [], isPaid);
  return (
    <div class="order-foot">
      <p>{label}</p>
      <ul class="order-sums" aria-label="Sum of this order">
        {currencies.map(({ currency, sumMinor, cells }) => (
          <Fragment key={currency}>
            <li class="order-net">
              <b>Net</b>
              <span class="order-count" />
              <Amount amount={fromMinorUnits(sumMinor)} currencyCode={currency} />
            </li>
            {[...cells.values()]
              .sort((one, other) => byImportance(one.status, other.status))
              .map(({ status, count, amount }) => (
                <li key={status}>
                  <StatusBadge status={status} />
                  <span class="order-count">{String(count)}</span>
                  <Amount amount={amount} currencyCode={currency} />
                </li>
              ))}
          </Fragment>
        ))}
      </ul>
    </div>
  );
}
