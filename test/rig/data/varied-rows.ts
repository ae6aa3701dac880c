import type { ListFilter } from '../../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import type { Store } from '../../../src/store/store.ts';
import { filterSubsets } from './expected-list.ts';
import { DAY, record, transaction } from './transactions.ts';

export const ORDER = 'größer "x", 😀';

export const VARIED_ROWS: readonly AccountTransaction[] = Array.from({ length: 200 }, (_, index) => {
  const status = index % 5 === 0 ? 'pending' : index % 11 === 0 ? 'failed' : 'completed';
  return transaction(index % 3 === 0 ? 'store-2' : 'store-1', `t${(index * 7919) % 1000}`, {
    createdAtMs: DAY('2026-03-01') + Math.floor(index / 8) * 9_000_000,
    status,
    currencyCode: ['EUR', 'USD', 'JPY'][(index * 31) % 3] as string,
    amountMinor: (index - 50) * 100,
    merchantReference: ['order-1', null, 'order-1', ORDER, 'order-2'][(index * 17) % 5] ?? null,
  });
});

export async function recordVariedRows(store: Store): Promise<void> {
  const before = VARIED_ROWS.map((row, index) =>
    index % 3 === 0 ? row : { ...row, status: 'pending', paidAtMs: null },
  );
  await record(store, before);
  await record(store, VARIED_ROWS.toReversed());
}

export const VARIED_FILTERS: readonly ListFilter[] = [
  ['pending', 'USD', '2026-03-02', '2026-03-03', 'order-1'],
  ['completed', 'EUR', '2026-03-01', '2026-03-01', ORDER],
  ['failed', 'JPY', '2026-04-01', '2026-04-02', 'order'],
].flatMap(([status = '', currency = '', from = '', to = '', merchantReference = '']) =>
  filterSubsets({ status, currency, from, to, timeZone: 'Asia/Kolkata', merchantReference }),
);
