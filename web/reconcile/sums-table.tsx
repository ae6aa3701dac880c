import type { Sum, SumRow } from '../../client/reconcile/reconcile-sums.ts';
import { fromMinorUnits } from '../../client/src/amount.ts';
import { Amount } from '../parts/amount.tsx';
import { Nothing } from '../parts/transactions-table.tsx';
import { groupedAmount } from '../text/amount.ts';
import { number } from '../text/count.ts';
import { texts } from './texts.ts';

interface SumsTableProps {
  sums: readonly SumRow[];
  /** Whether the file has amounts. */
  hasAmounts: boolean;
}

interface Shown {
  name: string;
  currency: string | null;
  file: Sum;
  account: Sum;
  isTotal: boolean;
}

/** The counts and sums of each class and currency, with a line for both sides of each currency. */
export function SumsTable({ sums, hasAmounts }: SumsTableProps) {
  const rows = [...Map.groupBy(sums, ({ currencyCode }) => currencyCode)].flatMap(
    ([currency, ofCurrency]): Shown[] => [
      ...ofCurrency.map((row) => ({
        name: texts.$classes[row.class],
        currency,
        file: row.file,
        account: row.account,
        isTotal: false,
      })),
      {
        name: texts.$total(currency ?? ''),
        currency,
        file: added(ofCurrency, 'file'),
        account: added(ofCurrency, 'account'),
        isTotal: true,
      },
    ],
  );
  return (
    <table role="table" class="card-table sums">
      <caption class="visually-hidden">{texts.$sums}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[
            texts.$result,
            texts.$lines,
            texts.$inFile,
            texts.$transactions,
            texts.$inAccount,
            texts.$difference,
          ].map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={`${row.name} ${row.currency}`} role="row" class={row.isTotal ? 'sums-total' : undefined}>
            <th role="rowheader" scope="row">
              {row.name}
            </th>
            <td role="cell" data-name={texts.$lines}>
              {count(row.file)}
            </td>
            <td role="cell" data-name={texts.$inFile}>
              {hasAmounts ? amount(row.file, row.currency) : nothing}
            </td>
            <td role="cell" data-name={texts.$transactions}>
              {count(row.account)}
            </td>
            <td role="cell" data-name={texts.$inAccount}>
              {amount(row.account, row.currency)}
            </td>
            <td role="cell" data-name={texts.$difference}>
              {hasAmounts
                ? amount(
                    { count: 1, amountMinor: row.file.amountMinor - row.account.amountMinor },
                    row.currency,
                  )
                : nothing}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const nothing = <Nothing meaning={texts.$none} />;
const count = (sum: Sum) => (sum.count === 0 ? nothing : number(sum.count));

function amount(sum: Sum, currency: string | null) {
  if (sum.count === 0) return nothing;
  const text = fromMinorUnits(sum.amountMinor);
  return currency === null ? groupedAmount(text) : <Amount amount={text} currencyCode={currency} />;
}

const added = (rows: readonly SumRow[], side: 'file' | 'account'): Sum => ({
  count: rows.reduce((all, row) => all + row[side].count, 0),
  amountMinor: rows.reduce((all, row) => all + row[side].amountMinor, 0n),
});
