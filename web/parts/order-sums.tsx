import { Fragment } from 'preact';
import { fromMinorUnits } from '../../client/src/amount.ts';
import { RowTotals } from '../export/row-totals.ts';
import type { Transaction } from '../state/api.ts';
import { byImportance, isPaid } from '../state/statuses.ts';
import { texts } from '../text/language.ts';
import { overviewOf } from '../text/overview.ts';
import { Amount } from './amount.tsx';
import { StatusBadge } from './status-badge.tsx';

interface OrderSumsProps {
  transactions: readonly Transaction[];
  label: string;
}

/** The net leaves out unpaid transactions, such as failed payments. Below it, each status has its own sum. */
export function OrderSums({ transactions, label }: OrderSumsProps) {
  const totals = new RowTotals();
  for (const one of transactions) totals.add(one);
  const currencies = overviewOf(totals.data, [], isPaid);
  return (
    <div class="order-foot">
      <p>{label}</p>
      <ul class="order-sums" aria-label={texts.$sumLabel}>
        {currencies.map(({ currency, sumMinor, cells }) => (
          <Fragment key={currency}>
            <li class="order-net">
              <b>{texts.$net}</b>
              <span class="order-count" />
              <Amount amount={fromMinorUnits(sumMinor)} currencyCode={currency} />
            </li>
            {[...cells.values()]
              .sort((left, right) => byImportance(left.status, right.status))
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
