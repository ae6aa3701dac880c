import type { ComponentChildren } from 'preact';
import type { Sum, SumRow } from '../../client/reconcile/reconcile-sums.ts';
import { fromMinorUnits } from '../../client/src/amount.ts';
import { Amount } from '../parts/amount.tsx';
import { CardTable } from '../parts/card-table.tsx';
import { Nothing } from '../parts/transactions-table.tsx';
import { groupedAmount } from '../text/amount.ts';
import { number } from '../text/count.ts';
import { texts } from './texts.ts';

interface SumsTableProps {
  sums: readonly SumRow[];
  hasAmounts: boolean;
}

interface Shown {
  name: string;
  currency: string | null;
  file: Sum;
  account: Sum;
  isTotal: boolean;
}

/** The counts and sums of each class and currency. Each currency has a line with the totals of both sides. */
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
  const column = (name: string, cell: (row: (typeof rows)[number]) => ComponentChildren) => ({
    class: '',
    name,
    cell,
  });
  return (
    <CardTable
      class="plain-table sums"
      caption={texts.$sums}
      columns={[
        { ...column(texts.$result, ({ name }) => name), isRowHeader: true },
        column(texts.$lines, ({ file }) => count(file)),
        column(texts.$inFile, ({ file, currency }) => (hasAmounts ? amount(file, currency) : nothing)),
        column(texts.$transactions, ({ account }) => count(account)),
        column(texts.$inAccount, ({ account, currency }) => amount(account, currency)),
        column(texts.$difference, ({ file, account, currency }) =>
          hasAmounts
            ? amount({ count: 1, amountMinor: file.amountMinor - account.amountMinor }, currency)
            : nothing,
        ),
      ]}
      rows={rows}
      keyOf={({ name, currency }) => `${name} ${currency}`}
      classOf={({ isTotal }) => (isTotal ? 'sums-total' : undefined)}
    />
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
