import { OF_EXPORTS } from './export-corruptions.ts';
import { OF_STATUSES } from './status-corruptions.ts';
import { OF_WEBHOOKS } from './webhook-corruptions.ts';

/** A change of a healthy database that the service never makes, and what verify reports of it. */
export interface Corruption {
  name: string;
  /** Runs without constraints of values. */
  sql: string;
  /** The reported lines: the account, the place, and what is there. */
  reported: readonly string[];
}

const set = (name: string, values: string, account = 'store-1') =>
  `UPDATE transactions SET ${values} WHERE account = '${account}' AND reference = '${account}.${name}'`;

const row = (name: string, found: string, account = 'store-1') =>
  `${account}, transaction ${account}.${name}: ${found}`;
const sum = (amount: string | undefined, count: number) =>
  amount === undefined ? 'nothing' : `${amount} in ${count} ${count === 1 ? 'transaction' : 'transactions'}`;
/** Without an amount, the total is missing. */
const total = (period: string, amount?: string, count = 1) =>
  `store-1, daily total of ${period}: ${sum(amount, count)}`;
const noChange = (number: number | string) => `store-1, sequence number ${number}: no change`;

const MARCH_1 = '2026-03-01 EUR completed';
const MARCH_5 = '2026-03-05 EUR completed';
const APRIL_10 = '2026-04-10 EUR completed';

const LONG = 'x'.repeat(256);

const OF_NUMBERS: Corruption[] = [
  {
    name: 'a transaction is missing',
    sql: `DELETE FROM transactions WHERE account = 'store-1' AND reference = 'store-1.d'`,
    reported: [noChange(5), total(APRIL_10, '9.99')],
  },
  {
    name: 'a transaction that was completed is missing',
    sql: `DELETE FROM transactions WHERE account = 'store-1' AND reference = 'store-1.b'`,
    reported: [noChange(2), noChange(4), total(MARCH_1, '25.00', 2)],
  },
  {
    name: 'the last transaction is missing',
    sql: `DELETE FROM transactions WHERE account = 'store-1' AND reference = 'store-1.f'`,
    reported: [noChange(7), total(MARCH_5, '0.01')],
  },
  {
    name: 'a transaction is there twice, with the same number',
    sql: `INSERT INTO transactions (account, created_at_ms, reference, status, amount_minor, currency_code, pending_sequence, pending_recorded_at_ms, pending_nonce)
          SELECT account, created_at_ms, 'copy', 'pending', amount_minor, currency_code, final_sequence, final_recorded_at_ms, final_nonce
          FROM transactions WHERE account = 'store-1' AND reference = 'store-1.d'`,
    reported: [
      'store-1, transaction store-1.d: the sequence number 5, which another transaction has too',
      total('2026-04-10 EUR pending'),
    ],
  },
  {
    name: 'a number is missing',
    sql: set('d', 'final_sequence = NULL, final_recorded_at_ms = NULL, final_nonce = NULL'),
    reported: [row('d', 'the status completed without finalSequence'), noChange(5), total(APRIL_10, '9.99')],
  },
  {
    name: 'a number is beyond the head',
    sql: set('d', 'final_sequence = 12'),
    reported: [row('d', 'the sequence number 12'), noChange(5)],
  },
  {
    name: 'a number is 0',
    sql: set('a', 'final_sequence = 0'),
    reported: [row('a', 'finalSequence 0'), noChange(1)],
  },
  {
    name: 'the head is one too low',
    sql: `UPDATE accounts SET head_sequence = 6 WHERE account = 'store-1'`,
    reported: [row('f', 'the sequence number 7')],
  },
  {
    name: 'the head is too high',
    sql: `UPDATE accounts SET head_sequence = 9 WHERE account = 'store-1'`,
    reported: ['store-1, sequence numbers 8 to 9: no change'],
  },
  {
    name: 'the head is missing',
    sql: `DELETE FROM accounts WHERE account = 'store-1'`,
    reported: ['store-1, head sequence: none'],
  },
  {
    name: 'a transaction became pending after its final status',
    sql: set('b', 'pending_sequence = 4, final_sequence = 2'),
    reported: [row('b', 'pendingSequence 4 and finalSequence 2')],
  },
  ...[
    { what: 'time', column: 'recorded_at_ms', field: 'RecordedAtMs' },
    { what: 'nonce', column: 'nonce', field: 'Nonce' },
  ].flatMap(({ what, column, field }) => [
    {
      name: `a number has no ${what}`,
      sql: set('d', `final_${column} = NULL`),
      reported: [row('d', `finalSequence 5 with final${field} null`)],
    },
    {
      name: `a ${what} has no number`,
      sql: set('d', `pending_${column} = 1`),
      reported: [row('d', `pendingSequence null with pending${field} 1`)],
    },
  ]),
];

const OF_ROWS: Corruption[] = [
  {
    name: 'a pending transaction has a time of payment',
    sql: set('c', 'paid_at_ms = 1'),
    reported: [row('c', 'the status pending with paidAtMs')],
  },
  {
    name: 'a completed transaction has no time of payment',
    sql: set('d', 'paid_at_ms = NULL'),
    reported: [row('d', 'the status completed without paidAtMs')],
  },
  {
    name: 'a completed transaction is pending again',
    sql: set('d', "status = 'pending', paid_at_ms = NULL"),
    reported: [
      row('d', 'the status pending with finalSequence 5'),
      row('d', 'the status pending without pendingSequence'),
      total(APRIL_10, '9.99'),
      total('2026-04-10 EUR pending'),
    ],
  },
  {
    name: 'an amount is one hundredth too high',
    sql: set('d', 'amount_minor = 1000'),
    reported: [total(APRIL_10, '9.99')],
  },
  {
    name: 'an amount is out of bounds',
    sql: set('d', 'amount_minor = 1000000000000000'),
    reported: [row('d', 'amountMinor 1000000000000000'), total(APRIL_10, '9.99')],
  },
  {
    name: 'an amount is beyond the numbers of JavaScript',
    sql: set('d', 'amount_minor = 9223372036854775807'),
    reported: [row('d', 'amountMinor 9223372036854776000'), total(APRIL_10, '9.99')],
  },
  {
    name: 'another status than was recorded',
    sql: set('f', "status = 'refunded'"),
    reported: [total(MARCH_5, '0.01'), total('2026-03-05 EUR refunded')],
  },
  {
    name: 'a currency in lower case',
    sql: set('d', "currency_code = 'eur'"),
    reported: [row('d', 'currencyCode "eur"'), total(APRIL_10, '9.99'), total('2026-04-10 eur completed')],
  },
  {
    name: 'a merchantReference that is too long',
    sql: set('a', `merchant_reference = '${LONG}'`),
    reported: [row('a', `merchantReference "${LONG.slice(0, 60)}..."`)],
  },
  {
    name: 'an empty merchantReference',
    sql: set('a', `merchant_reference = ''`),
    reported: [row('a', 'merchantReference ""')],
  },
  {
    name: 'a reference with a space',
    sql: set('a', `reference = 'a b'`),
    reported: ['store-1, transaction a b: reference "a b"'],
  },
  {
    name: 'a transaction is on another day',
    sql: set('d', 'created_at_ms = created_at_ms + 86400000'),
    reported: [total(APRIL_10, '9.99'), total('2026-04-11 EUR completed')],
  },
  {
    name: 'a time is after the year 9999',
    sql: set('d', 'paid_at_ms = 253402300800000'),
    reported: [row('d', 'paidAtMs 253402300800000')],
  },
];

const ofStore1 = `WHERE account = 'store-1'`;

const OF_TOTALS: Corruption[] = [
  {
    name: 'a count of a day is one too high',
    sql: `UPDATE daily_totals SET count = count + 1 ${ofStore1} AND day = 20553`,
    reported: [total(APRIL_10, '9.99', 2)],
  },
  {
    name: 'a count is negative',
    sql: `UPDATE daily_totals SET count = -1 ${ofStore1} AND day = 20553`,
    reported: [total(APRIL_10, '9.99', -1)],
  },
  {
    name: 'a total of a day is missing',
    sql: `DELETE FROM daily_totals ${ofStore1} AND day = -1`,
    reported: [total('1969-12-31 EUR refunded')],
  },
  {
    name: 'a day of a total is in no calendar',
    sql: `UPDATE daily_totals SET day = 2000000000 ${ofStore1} AND day = 20553`,
    reported: [total('day 2000000000 EUR completed', '9.99'), total(APRIL_10)],
  },
  {
    name: 'the stored totals are missing',
    sql: `DELETE FROM daily_totals ${ofStore1}`,
    reported: [
      total('1969-12-31 EUR refunded'),
      total(MARCH_1),
      total('2026-03-02 USD pending'),
      total(MARCH_5),
      total(APRIL_10),
    ],
  },
  {
    name: 'totals of an account without transactions',
    sql: `UPDATE daily_totals SET account = 'ghost' ${ofStore1} AND day = 20553`,
    reported: ['ghost, daily total of 2026-04-10 EUR completed: 9.99 in 1 transaction', total(APRIL_10)],
  },
];

const OF_KEYS: Corruption[] = [
  {
    name: 'a hash of a key is no hash',
    sql: `UPDATE api_keys SET hash = 'tk_live_secret' ${ofStore1}`,
    reported: ['store-1, key KEY: hash of another form'],
  },
  {
    name: 'an account of a key is no account',
    sql: `UPDATE api_keys SET account = 'store 1' ${ofStore1}`,
    reported: ['store 1, key KEY: account "store 1"'],
  },
  {
    name: 'a revoked key has no time of its record',
    sql: `UPDATE api_keys SET end_recorded_at_ms = NULL ${ofStore1}`,
    reported: ['store-1, key KEY: end_recorded_at_ms null'],
  },
  {
    name: 'an id of a key is no id',
    sql: `UPDATE api_keys SET id = 'key_1' ${ofStore1}`,
    reported: ['store-1, key key_1: id "key_1"'],
  },
  {
    name: 'a fingerprint of an idempotency key is no hash',
    sql: `UPDATE idempotency_keys SET fingerprint = '${'A'.repeat(64)}'`,
    reported: ['store-2, idempotency key key 1: fingerprint of another form'],
  },
  {
    name: 'the cursor secret is cut off',
    sql: `UPDATE cursor_secret SET secret = 'AAECAwQFBgcI'`,
    reported: ['cursor secret: secret of another form'],
  },
  {
    name: 'a migration has another checksum',
    sql: `UPDATE schema_migrations SET checksum = 'other' WHERE version = 1`,
    reported: ['migration 1 initial: another checksum'],
  },
];

export const CORRUPTIONS = [
  OF_NUMBERS,
  OF_ROWS,
  OF_STATUSES,
  OF_TOTALS,
  OF_KEYS,
  OF_EXPORTS,
  OF_WEBHOOKS,
].flat();
