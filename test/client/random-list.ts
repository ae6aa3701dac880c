import type { ListFilters } from '../../client/src/index.ts';
import { transactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import { DAY, transaction } from '../rig/data/transactions.ts';
import { fc } from '../rig/run/properties.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = DAY('2025-06-01');
const SPAN_DAYS = 400;

/** Either few distinct times, so that most rows share them, or the bounds of days far apart, or any time. */
const createdAtMs = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.integer({ min: 0, max: 5 }).map((step) => FIRST_DAY_MS + step * 16 * 3_600_000),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: SPAN_DAYS }), fc.constantFrom(-1, 0))
      .map(([days, offsetMs]) => FIRST_DAY_MS + days * DAY_MS + offsetMs),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: SPAN_DAYS * DAY_MS }).map((afterMs) => FIRST_DAY_MS + afterMs),
  },
);

/** The last text is too long for a cursor. */
const MERCHANT_REFERENCES = ['order-1', 'größer "x", 😀', 'long '.repeat(51)];

const row = fc.record({
  name: fc.stringMatching(/^[A-Za-z0-9._-]{1,4}$/),
  createdAtMs,
  status: fc.constantFrom('pending', 'completed', 'completed'),
  currencyCode: fc.constantFrom('EUR', 'EUR', 'USD'),
  amountMinor: fc.integer({ min: -1000, max: 1_000_000 }),
  merchantReference: fc.constantFrom(null, ...MERCHANT_REFERENCES),
});

/** A row without its account. */
type NamedRow = typeof row extends fc.Arbitrary<infer Row> ? Row : never;

export const rows = (maxLength: number): fc.Arbitrary<NamedRow[]> =>
  fc.uniqueArray(row, { minLength: maxLength / 4, maxLength, size: 'max', selector: ({ name }) => name });

export const rowsOf = (account: string, named: readonly NamedRow[]): AccountTransaction[] =>
  named.map(({ name, ...fields }) => transaction(account, name, fields));

const day = fc
  .integer({ min: -10, max: SPAN_DAYS + 10 })
  .map((days) => new Date(FIRST_DAY_MS + days * DAY_MS).toISOString().slice(0, 10));
/** Mostly undefined, so that most filters are absent and many lists have several pages. */
const mostlyUndefined = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Filters that do not depend on the rows. Most ranges are longer than one list. */
export const filters: fc.Arbitrary<ListFilters> = fc
  .record({
    status: mostlyUndefined(fc.constantFrom('pending', 'completed', 'completed')),
    currency: mostlyUndefined(fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', 'JPY')),
    merchantReference: mostlyUndefined(fc.constantFrom(...MERCHANT_REFERENCES)),
    from: fc.option(day, { nil: undefined, freq: 2 }),
    to: fc.option(day, { nil: undefined, freq: 2 }),
    timeZone: mostlyUndefined(fc.constantFrom('UTC', 'Asia/Kolkata', 'Pacific/Auckland', 'America/New_York')),
  })
  .map(({ from, to, ...others }) =>
    from !== undefined && to !== undefined && from > to
      ? { ...others, from: to, to: from }
      : { ...others, from, to },
  );

/** The transactions that a list must return, as the service writes them. */
export function expectedOf(recorded: readonly AccountTransaction[], account: string, given: ListFilters) {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return expectedList(recorded, account, { ...NO_FILTER, ...defined }).map(transactionBody);
}
