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

type Shown = Omit<SumRow, 'class'> & { name: string; isTotal: boolean };

export function SumsTable({ sums, hasAmounts }: SumsTableProps) {
  const rows = [...Map.groupBy(sums, ({ currencyCode }) => currencyCode)].flatMap(
    ([currencyCode, ofCurrency]): Shown[] => [
      ...ofCurrency.map((row) => ({ ...row, name: texts.$classes[row.class], isTotal: false })),
      {
        name: texts.$total(currencyCode ?? ''),
        currencyCode,
        file: added(ofCurrency, 'file'),
        account: added(ofCurrency, 'account'),
        isTotal: true,
      },
    ],
  );
  const column = (name: string, cell: (row: Shown) => ComponentChildren) => ({
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
        column(texts.$inFile, ({ file, currencyCode }) =>
          hasAmounts ? amount(file, currencyCode) : nothing,
        ),
        column(texts.$transactions, ({ account }) => count(account)),
        column(texts.$inAccount, ({ account, currencyCode }) => amount(account, currencyCode)),
        column(texts.$difference, ({ file, account, currencyCode }) =>
          hasAmounts
            ? amount({ count: 1, amountMinor: file.amountMinor - account.amountMinor }, currencyCode)
            : nothing,
        ),
      ]}
      rows={rows}
      keyOf={({ name, currencyCode }) => `${name} ${currencyCode}`}
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
