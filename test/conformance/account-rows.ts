import type { Transaction } from '../../client/src/transaction.ts';

export type Row = Omit<Transaction, 'relatedTo' | 'details' | 'detailsRemovedAt'>;

export const toJsonLines = (account: string, rows: readonly Row[]): string =>
  rows.map((row) => `${JSON.stringify({ account, ...row })}\n`).join('');

const DAY_MS = 86_400_000;
export const ACCOUNTS = ['store-1', 'store-2'];

const DAYS = 125;
const EARLIER_EVERY_MS = DAY_MS / 4;
const NOW_MS = Date.now();
const TODAY_MS = NOW_MS - (NOW_MS % DAY_MS);
const FIRST_DAY_MS = TODAY_MS - DAYS * DAY_MS;
const CURRENCIES = ['EUR', 'USD', 'JPY'];
const LETTERS = ['A', 'a', 'B', 'b', '_', '-', '.', '0', 'Z', 'z'];
const MERCHANT_REFERENCES = [
  null,
  'order-7',
  'a, "quoted" & <marked> text',
  '=1+1',
  'größer 日本 🙂',
  'x'.repeat(200),
  'order-7 ',
];

export function transactionsOf(account: string, more = 0): Row[] {
  if (account !== 'store-1') {
    const shared = ordinary(45).map((row) => ({ ...row, amount: `5${row.amount}` }));
    return [...shared, transaction(3, 'only-here', TODAY_MS)];
  }
  const earlier = Array.from({ length: more }, (_, index) =>
    transaction(index, `old_${index}`, FIRST_DAY_MS - 1 - index * EARLIER_EVERY_MS),
  );
  return [...ties(), ...midnights(), ...fullPages(), ...ordinary(100), ...earlier];
}

function ties(): Row[] {
  const createdAtMs = FIRST_DAY_MS + 20 * DAY_MS + 12_345_678;
  return Array.from({ length: 30 }, (_, index) =>
    transaction(index, `${LETTERS[index % 10]}tie${Math.floor(index / 10)}`, createdAtMs),
  );
}

function midnights(): Row[] {
  return [10, 20, 30, 40, 50].flatMap((day) =>
    [0, DAY_MS - 1, DAY_MS - 500].map((ms) => {
      const createdAtMs = FIRST_DAY_MS + day * DAY_MS + ms;
      return transaction(day + ms, `edge-${day}-${ms}`, createdAtMs);
    }),
  );
}

function fullPages(): Row[] {
  return [10, 20].flatMap((count) =>
    Array.from({ length: count }, (_, index) =>
      transaction(index, `full-${count}-${99 - index}`, FIRST_DAY_MS + (100 + count) * DAY_MS + index * 10),
    ),
  );
}

function ordinary(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const createdAtMs = FIRST_DAY_MS + ((index * 37) % 95) * DAY_MS + ((index * 7_919_123) % DAY_MS);
    return transaction(index, `pay_${String(index * 7).padStart(6, '0')}`, createdAtMs);
  });
}

function transaction(index: number, reference: string, createdAtMs: number): Row {
  const isCompleted = index % 5 < 3;
  return {
    reference,
    merchantReference: MERCHANT_REFERENCES[index % MERCHANT_REFERENCES.length] ?? null,
    status: isCompleted ? 'completed' : 'pending',
    amount: index % 10 === 9 ? `9876543210${10 + (index % 90)}.65` : `${index * 12}.${10 + (index % 90)}`,
    currencyCode: CURRENCIES[index % 4] ?? 'EUR',
    createdAt: new Date(createdAtMs).toISOString(),
    paidAt: isCompleted ? new Date(createdAtMs + (index % 7) * DAY_MS).toISOString() : null,
  };
}
