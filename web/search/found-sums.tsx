import { columnsOf, csvColumns, csvOf } from '../export/found-file.ts';
import { saveFile } from '../export/save-file.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { OrderSums } from '../parts/order-sums.tsx';
import type { Transaction } from '../state/api.ts';
import { columns, extraOf, shownColumns } from '../state/columns.ts';
import { useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { dayIn } from '../text/time.ts';

interface FoundSumsProps {
  account: string;
  transactions: readonly Transaction[];
}

export function FoundSums({ account, transactions }: FoundSumsProps) {
  const { zone } = useRoute();
  const { fields } = extraOf(shownColumns(columns.use(), transactions));
  const save = () =>
    saveFile(
      `${account}_found_${dayIn(zone)}.csv`,
      csvOf(transactions, [...csvColumns(zone), ...columnsOf(fields)]),
    );
  return (
    <div class="summary-note">
      <OrderSums
        transactions={transactions}
        label={texts.$sumOf(counted(transactions.length, texts.$found))}
      />
      <Button onClick={save}>
        <Icon name="download" />
        {texts.$saveAs('CSV')}
      </Button>
    </div>
  );
}
