import type { ListQuery } from '../../../src/ledger/list/list.ts';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import type { EqualityFilter } from '../../../values/interface/filters.ts';
import { DAY } from './transactions.ts';

const ACCOUNT = 'large';
const ROWS = 9000;
const FIRST_DAY = DAY('2026-01-01');
const LAST_DAY = DAY('2026-03-01');
const TIES = 3;
const TIE_MS = Math.floor((TIES * (LAST_DAY - FIRST_DAY)) / ROWS);

/** Misleads the planner: nearly all rows are of one account, and filter columns have few distinct values. */
export const INSERT_LIST_ROWS = `
INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms,
  pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
SELECT CASE WHEN n % 20 = 0 THEN (ARRAY['a', 'largd', 'large.', 'z'])[1 + n / 20 % 4] ELSE '${ACCOUNT}' END,
  ${FIRST_DAY} + (n / ${TIES}) * ${TIE_MS}::bigint, 'tx_' || lpad(n::text, 5, '0'),
  CASE WHEN n % 1500 = 1 THEN 'order-7' WHEN n % 4 > 0 THEN 'order-1' WHEN n % 8 = 0 THEN 'order-9' END,
  status, n, CASE WHEN n % 2000 = 1 THEN 'USD' WHEN n % 2 = 0 THEN 'EUR' ELSE 'AUD' END,
  CASE WHEN status <> 'pending' THEN n END,
  ${Array(3).fill("CASE WHEN status = 'pending' THEN n END")}, ${Array(3).fill("CASE WHEN status <> 'pending' THEN n END")}
FROM (SELECT n, CASE WHEN n % 3000 = 1 THEN 'pending' WHEN n % 3 = 0 THEN 'cancelled' ELSE 'completed' END AS status
  FROM generate_series(1, ${ROWS}) AS n) AS given`;

export const EQUALITY_VALUES = {
  status: ['completed', 'pending', 'expired'],
  currency: ['EUR', 'USD', 'GBP'],
  merchantReference: ['order-1', 'order-2'],
} as const satisfies Record<EqualityFilter, readonly [string, string, ...string[]]>;

const EQUALITIES = Object.entries(EQUALITY_VALUES).reduce<Partial<ListQuery['filter']>[]>(
  (found, [name, values]) =>
    found.flatMap((filter) => [filter, ...values.map((value) => ({ ...filter, [name]: value }))]),
  [{}],
);

const MIDDLE = '2026-02-01';
const RANGES: { from: string | null; to: string | null; after: ListQuery['after'] }[] = [
  { from: null, to: null, after: null },
  { from: MIDDLE, to: null, after: null },
  { from: '2027-01-01', to: null, after: null },
  { from: null, to: MIDDLE, after: null },
  { from: null, to: null, after: { createdAtMs: DAY(MIDDLE), reference: 'tx_04000' } },
  { from: MIDDLE, to: MIDDLE, after: { createdAtMs: DAY(MIDDLE) + 2 * TIE_MS, reference: 'tx_04000' } },
];

export const LIST_CASES: readonly ListQuery[] = EQUALITIES.flatMap((equal) =>
  RANGES.map(({ from, to, after }) => ({
    account: ACCOUNT,
    filter: { ...NO_FILTER, ...equal, from, to },
    after,
  })),
);
