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
/** What is found of a row that breaks a CHECK. */
const refused = (check: string) => `a value that CHECK ${check} refuses`;
const sum = (amount: string | undefined, count: number) =>
  amount === undefined ? 'nothing' : `${amount} in ${count} ${count === 1 ? 'transaction' : 'transactions'}`;
/** Without an amount, the total is missing. */
const total = (period: string, amount?: string, count = 1) =>
  `store-1, daily total of ${period}: ${sum(amount, count)}`;
const noChange = (number: number | string) => `store-1, sequence number ${number}: no change`;

const MARCH_1 = '2026-03-01 EUR completed';
const MARCH_5 = '2026-03-05 EUR completed';
const APRIL_10 = '2026-04-10 EUR completed';

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
    reported: [row('d', refused('changes_have_sequences')), noChange(5), total(APRIL_10, '9.99')],
  },
  {
    name: 'a number is beyond the head',
    sql: set('d', 'final_sequence = 12'),
    reported: [row('d', 'the sequence number 12'), noChange(5)],
  },
  {
    name: 'a number is 0',
    sql: set('a', 'final_sequence = 0'),
    reported: [row('a', refused('final_sequence')), noChange(1)],
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
];

const OF_ROWS: Corruption[] = [
  {
    name: 'a completed transaction is pending again',
    sql: set('d', "status = 'pending', paid_at_ms = NULL"),
    reported: [
      row('d', refused('changes_have_sequences')),
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
    reported: [row('d', refused('amount_minor')), total(APRIL_10, '9.99')],
  },
  {
    name: 'an amount is beyond the numbers of JavaScript',
    sql: set('d', 'amount_minor = 9223372036854775807'),
    reported: [row('d', refused('amount_minor')), total(APRIL_10, '9.99')],
  },
  {
    name: 'another status than was recorded',
    sql: set('f', "status = 'refunded'"),
    reported: [total(MARCH_5, '0.01'), total('2026-03-05 EUR refunded')],
  },
  {
    name: 'a currency in lower case',
    sql: set('d', "currency_code = 'eur'"),
    reported: [
      row('d', refused('currency_code')),
      total(APRIL_10, '9.99'),
      total('2026-04-10 eur completed'),
    ],
  },
  {
    name: 'a reference with a space',
    sql: set('a', `reference = 'a b'`),
    reported: [`store-1, transaction a b: ${refused('reference')}`],
  },
  {
    name: 'a transaction is on another day',
    sql: set('d', 'created_at_ms = created_at_ms + 86400000'),
    reported: [total(APRIL_10, '9.99'), total('2026-04-11 EUR completed')],
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
    name: 'an id of a key is no id',
    sql: `UPDATE api_keys SET id = 'key_1' ${ofStore1}`,
    reported: [`store-1, key key_1: ${refused('id')}`],
  },
  {
    name: 'the cursor secret is cut off',
    sql: `UPDATE cursor_secret SET secret = 'AAECAwQFBgcI'`,
    reported: [`cursor secret: ${refused('secret')}`],
  },
  {
    name: 'a migration has another checksum',
    sql: `UPDATE schema_migrations SET checksum = 'other' WHERE version = 1`,
    reported: ['migration 1 initial: another checksum'],
  },
];

/** Statuses that no service records, or that it records in another way. */
const OF_STATUSES: Corruption[] = [
  {
    name: 'a status that is no name',
    sql: `UPDATE transactions SET status = 'Refunded!' WHERE account = 'store-1' AND reference = 'store-1.e'`,
    reported: [
      row('e', refused('status')),
      'store-1, daily total of 1969-12-31 EUR refunded: -0.40 in 1 transaction',
      'store-1, daily total of 1969-12-31 EUR Refunded!: nothing',
    ],
  },
  {
    name: 'a status that no filter accepts, because it is not noted',
    sql: 'DELETE FROM recorded_statuses',
    reported: ['store-1, transaction store-1.e: status "refunded"'],
  },
];

const OF_EXPORTS: Corruption[] = [
  {
    name: 'the record of an export is cut off',
    sql: `UPDATE exports SET record = substr(record, 1, 20)`,
    reported: ['store-1, export exp_0123456789abcdef: a record that is no JSON object'],
  },
  {
    name: 'the record of an export has another account',
    sql: `UPDATE exports SET record = replace(record, 'store-1', 'store-2')`,
    reported: ['store-1, export exp_0123456789abcdef: account "store-2" in the record'],
  },
  {
    name: 'the record of an export has no time',
    sql: `UPDATE exports SET record = replace(record, 'startedAtMs', 'startedCtMs')`,
    reported: ['store-1, export exp_0123456789abcdef: startedAtMs undefined in the record'],
  },
];

const ID = 'we_0000000000000001';
const setWebhook = (values: string) => `UPDATE webhook_endpoints SET ${values} WHERE account = 'store-1'`;
const webhookWith = (found: string) => `store-1, webhook ${ID}: ${found}`;
const failureWith = (sequence: number, found: string, account = 'store-1') =>
  `${account}, webhook failure ${ID}, ${sequence}: ${found}`;

const OF_WEBHOOKS: Corruption[] = [
  {
    name: 'a webhook has acknowledged more changes than there are',
    sql: setWebhook('acknowledged_sequence = 8'),
    reported: [webhookWith('acknowledged_sequence 8')],
  },
  {
    name: 'a failure is of a change that is beyond the head',
    sql: 'UPDATE webhook_failures SET sequence = 8 WHERE sequence = 5',
    reported: [failureWith(8, 'sequence 8')],
  },
  {
    name: 'failures whose webhook is missing',
    sql: `DELETE FROM webhook_endpoints WHERE account = 'store-1'`,
    reported: [failureWith(4, 'no webhook'), failureWith(5, 'no webhook')],
  },
  {
    name: 'a failure of an account without changes',
    sql: `UPDATE webhook_failures SET account = 'ghost' WHERE sequence = 4`,
    reported: [failureWith(4, 'sequence 4', 'ghost'), failureWith(4, 'no webhook', 'ghost')],
  },
  {
    name: 'secrets and the address of a webhook are of another form, and are not shown',
    sql: setWebhook(`secret = 'tk_live_1', previous_secret = 'whsec_1', url = 'ftp://user:word@example.com'`),
    reported: ['secret', 'previous_secret', 'url'].map((column) => webhookWith(refused(column))),
  },
  {
    name: 'types of a webhook are no types',
    sql: setWebhook(`types = '["transaction.Paid!"]'`),
    reported: [webhookWith(String.raw`types "[\"transaction.Paid!\"]"`)],
  },
  {
    name: 'types of a webhook are cut off',
    sql: setWebhook(`types = '["transaction.co'`),
    reported: [webhookWith(String.raw`types "[\"transaction.co"`)],
  },
  {
    name: 'a webhook is disabled without a time, lacks its previous secret and was replayed by a later version',
    sql: setWebhook(`disabled_reason = 'gone', previous_secret = NULL, replay_version = 9`),
    reported: [
      webhookWith(refused('disabled_has_time')),
      webhookWith(refused('previous_secret_has_time')),
      webhookWith(refused('replayed_by_a_version')),
    ],
  },
  {
    name: 'an instance that serves with settings that are no object',
    sql: `UPDATE instances SET settings = '[]'`,
    reported: ['serving instance one: settings "[]"'],
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
