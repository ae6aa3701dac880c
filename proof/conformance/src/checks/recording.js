import { withDefaults } from '../operator.js';
import { judgeList } from '../own-lists.js';
import { inOneOrder } from '../transaction.js';
import { checksOf } from './check.js';

/** @type {[Record<string, unknown>, string][]} */
const INVALID = [
  [{ createdAt: '2026-01-10T12:00:00.0001Z' }, 'a time finer than a millisecond'],
  [{ createdAt: '2026-02-30T12:00:00.000Z' }, 'a day that does not exist'],
  [{ createdAt: null }, 'no createdAt'],
  [{ amount: '12.505' }, 'an amount of three decimals'],
  [{ amount: '12,50' }, 'an amount with a comma'],
  [{ amount: 'NaN' }, 'an amount that is not a number'],
  [{ amount: '1e3' }, 'an amount with an exponent'],
  [{ amount: '-0.00' }, 'a zero with a sign'],
  [{ currencyCode: 'eur' }, 'a currency in lower case'],
  [{ currencyCode: 'ABC' }, 'a currency that does not exist'],
  [{ status: 'Pending' }, 'a status in another case'],
  [{ status: 'nonsense' }, 'a status that does not exist'],
  [{ status: 'pending', paidAt: '2026-01-10T12:00:00.000Z' }, 'pending with a time of payment'],
  [{ status: 'completed', paidAt: null }, 'completed without a time of payment'],
  [{ merchantReference: 'x'.repeat(256) }, 'a merchantReference of 256 characters'],
  [{ merchantReference: 'a\nb' }, 'a merchantReference with a control character'],
];

export default checksOf({ level: 'record', section: 'recording', needs: 'operator' }, [
  {
    id: 'record.created',
    rule: 'A recording is answered with 201, and the list has the transaction with the same values.',
    async record(t, account) {
      const fields = {
        merchantReference: 'order-1',
        status: 'completed',
        amount: '99.95',
        currencyCode: 'USD',
        createdAt: '2026-01-10T12:00:00.123Z',
        paidAt: '2026-01-10T12:00:05.456Z',
      };
      t.status(await account.put('pay_1', fields), 201, 'a new transaction');
      await judgeList(t, account.client, [{ reference: 'pay_1', ...fields }]);
    },
  },
  {
    id: 'record.repeated',
    section: 'states',
    rule: 'Recording the same transaction twice changes nothing: 200, and the list has it once.',
    async record(t, account) {
      const row = await account.record('pay_1', { merchantReference: 'order-1' });
      for (let times = 0; times < 2; times++)
        t.status(await account.put('pay_1', row), 200, 'the same transaction again');
      await judgeList(t, account.client, [row]);
    },
  },
  {
    id: 'record.paid',
    section: 'states',
    rule: 'A pending transaction becomes completed with its time of payment, and keeps its place in the list.',
    async record(t, account) {
      const rows = await account.recordMany(3);
      const paid = { ...rows[1], status: 'completed', paidAt: '2026-02-01T00:00:00.001Z' };
      t.status(await account.put(paid.reference, paid), 200, 'the payment of a pending transaction');
      await judgeList(t, account.client, [rows[0], paid, rows[2]]);
      await judgeList(t, account.client, [rows[0], paid, rows[2]], { status: 'completed' });
      await judgeList(t, account.client, [rows[0], paid, rows[2]], { status: 'pending' });
    },
  },
  {
    id: 'record.said',
    rule: 'The response to a recording says whether it recorded, changed or left the transaction, and the number of the change; a replayed POST says so.',
    async record(t, account) {
      /** @param {Exchange} response @param {unknown[]} right @param {string} why */
      const says = (response, right, why) => {
        const names = ['recording-outcome', 'change-sequence', 'idempotency-replayed'];
        const said = names.map((name) => response.headers[name] ?? null);
        t.same(said, right, `${names.join(', ')} of ${why}`, response);
      };
      const row = { reference: 'pay_1', ...withDefaults({}) };
      const paid = { ...row, status: 'completed', paidAt: '2026-02-01T00:00:00.000Z' };
      says(await account.put('pay_1', row), ['recorded', '1', null], 'a new transaction');
      says(await account.post('key-1'), ['recorded', '2', null], 'a POST');
      says(await account.put('pay_1', row), ['unchanged', '1', null], 'the same transaction again');
      says(await account.put('pay_1', paid), ['changed', '3', null], 'its payment');
      says(await account.put('pay_1', paid), ['unchanged', '3', null], 'the same payment again');
      says(await account.post('key-1'), ['unchanged', '2', 'true'], 'the same POST again');
    },
  },
  {
    id: 'record.final',
    section: 'states',
    rule: 'A completed transaction never changes again: another status or time of payment is 409 transaction_conflict.',
    async record(t, account) {
      const row = await account.record('pay_1', { status: 'completed' });
      for (const change of [{ status: 'pending', paidAt: null }, { paidAt: '2026-03-01T00:00:00.000Z' }])
        await conflicts(t, account, { ...row, ...change });
      await judgeList(t, account.client, [row]);
    },
  },
  {
    id: 'record.immutable',
    section: 'states',
    rule: 'Amount, currency and createdAt never change: another value is 409 transaction_conflict, even together with a payment.',
    async record(t, account) {
      const row = await account.record('pay_1');
      for (const change of [
        { amount: '12.51' },
        { currencyCode: 'USD' },
        { createdAt: '2026-01-10T12:00:00.001Z' },
      ])
        for (const payment of [{}, { status: 'completed', paidAt: '2026-03-01T00:00:00.000Z' }])
          await conflicts(t, account, { ...row, ...payment, ...change });
      await judgeList(t, account.client, [row]);
    },
  },
  {
    id: 'record.invalid',
    section: 'times',
    rule: 'Fields that break a rule are 422 and nothing is recorded; a time or an amount is never rounded.',
    async record(t, account) {
      await t.each(INVALID, async ([fields, why]) => {
        const response = await account.put(`bad-${t.random.letters(6)}`, withDefaults(fields));
        t.problem(response, 422, 'invalid_fields', why);
      });
      await judgeList(t, account.client, []);
    },
  },
  {
    id: 'record.concurrent',
    section: 'states',
    rule: 'Of equal concurrent recordings, one is answered with 201 and the others with 200; the list has the transaction once.',
    async record(t, account) {
      const row = { reference: 'pay_1', ...withDefaults({}) };
      const responses = await Promise.all(Array.from({ length: 4 }, () => account.put('pay_1', row)));
      const statuses = responses.map(({ status }) => status).sort();
      t.same(statuses, [200, 200, 200, 201], 'the statuses', responses[0]);
      await judgeList(t, account.client, [row]);
    },
  },
  {
    id: 'record.post.repeated',
    section: 'transactions',
    rule: 'A POST with the same Idempotency-Key and fields gets the same transaction again, under a reference that the service assigned.',
    async record(t, account) {
      const [first, second] = [await account.post('key-1'), await account.post('key-1')];
      t.status(first, 201, 'a transaction without a reference');
      const isReference = /^[A-Za-z0-9._-]{1,64}$/.test(first.body?.reference);
      t.that(isReference, 'a reference', first.text.slice(0, 300), first);
      t.status(second, 201, 'the repeated request');
      t.same(inOneOrder(second.body), inOneOrder(first.body), 'the response to the repeated request', second);
      const other = await account.post('key-2');
      const isOther = other.status === 201 && other.body?.reference !== first.body.reference;
      t.that(isOther, 'another transaction for another key', other);
      await judgeList(t, account.client, [first.body, other.body]);
    },
  },
  {
    id: 'record.post.reused',
    section: 'transactions',
    rule: 'The same Idempotency-Key with other fields is 409 idempotency_key_reused, and nothing is recorded.',
    async record(t, account) {
      const first = await account.post('key-1');
      const reused = await account.post('key-1', { amount: '99.00' });
      t.problem(reused, 409, 'idempotency_key_reused', 'other fields');
      await judgeList(t, account.client, [first.body]);
    },
  },
  {
    id: 'record.batch',
    section: 'states',
    rule: 'Each line of a batch has its own outcome, in order, and a faulty line does not affect the others.',
    async record(t, account) {
      /** @type {[line: string | Record<string, unknown>, outcome: string][]} */
      const lines = [
        [{ reference: 'pay_1' }, 'recorded'],
        [{ reference: 'pay_2' }, 'recorded'],
        [{ reference: 'pay_1' }, 'unchanged'],
        [{ reference: 'pay_3', amount: '1.005' }, 'invalid'],
        ['not JSON', 'invalid'],
        [{ reference: 'pay_2', status: 'completed' }, 'changed'],
        [{ reference: 'pay_1', amount: '13.00' }, 'conflict'],
        [{ reference: 'pay_4', merchantReference: ODD_TEXT }, 'recorded'],
      ];
      const response = t.status(await account.batch(lines.map(([line]) => line)), 200);
      const answers = response.text.trim().split('\n');
      t.same(
        answers.map((text) => [JSON.parse(text).line, JSON.parse(text).outcome]),
        lines.map(([, outcome], index) => [index + 1, outcome]),
        'the lines with their outcomes',
        response,
      );
      const recorded = [
        { reference: 'pay_1', ...withDefaults({}) },
        { reference: 'pay_2', ...withDefaults({ status: 'completed' }) },
        { reference: 'pay_4', ...withDefaults({ merchantReference: ODD_TEXT }) },
      ];
      await judgeList(t, account.client, recorded);
    },
  },
  {
    id: 'record.authentication',
    section: 'authentication',
    rule: "The operator's interface refuses requests without an operator's key, even with the key of an account, with 401 or 403.",
    async record(t, account) {
      const put = (/** @type {string | null} */ authorization) => {
        const path = `${account.path}/transactions/pay_1`;
        return account.operator.client.json('PUT', path, withDefaults({}), {}, { authorization });
      };
      t.status(await put(null), 401, 'a recording without a key');
      const asAccount = await put(`Bearer ${account.client.key}`);
      t.that([401, 403].includes(asAccount.status), "401 or 403 for an account's key", asAccount);
      await judgeList(t, account.client, []);
    },
  },
]);

/** @param {Context} t @param {OwnAccount} account @param {Record<string, unknown>} fields */
const conflicts = async (t, account, fields) =>
  t.problem(await account.put('pay_1', fields), 409, 'transaction_conflict', JSON.stringify(fields));

/** U+2028 and U+2029 do not end a line of a batch. */
const ODD_TEXT = 'order\u2028of\u2029pay_4';
