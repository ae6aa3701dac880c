import { withDefaults } from '../operator.js';
import { judgeList } from '../own-lists.js';
import { checksOf } from './check.js';

const RECORDED = { merchantReference: 'order-1', amount: '12.50', createdAt: '2026-01-10T12:00:00.000Z' };
const CONTRADICTING = { ...RECORDED, amount: '13.00', createdAt: '2026-01-11T12:00:00.000Z' };
const DIFFERENCES = [
  { field: 'amount', recorded: '12.50', given: '13.00' },
  { field: 'createdAt', recorded: RECORDED.createdAt, given: CONTRADICTING.createdAt },
];

export default checksOf({ level: 'record', section: 'states', needs: 'operator' }, [
  {
    id: 'own.amounts.large',
    section: 'money',
    rule: 'An accepted amount is exact, even beyond the precision of floating-point numbers.',
    async record(t, account) {
      const amounts = ['90071992547409.93', '50000000000000000.07'];
      const rows = [];
      for (const [index, amount] of amounts.entries()) {
        const fields = withDefaults({ amount });
        const response = await account.put(`pay_${index}`, fields);
        if (response.status === 201) rows.push({ reference: `pay_${index}`, ...fields });
        else t.problem(response, 422, 'invalid_fields', `the amount ${amount}`);
      }
      if (rows.length === 0) t.notJudged('the deployment does not accept such amounts');
      await judgeList(t, account.client, rows);
    },
  },
  {
    id: 'record.conflict.differences',
    rule: 'A contradicting recording or batch line is refused, with each differing field, its recorded value and the given value.',
    async record(t, account) {
      await account.record('pay_1', RECORDED);
      const refused = await account.put('pay_1', CONTRADICTING);
      t.problem(refused, 409, 'transaction_conflict', 'another amount and createdAt');
      judgeDifferences(t, refused.body.differences, refused);
      const response = t.status(await account.batch([{ reference: 'pay_1', ...CONTRADICTING }]), 200);
      const { outcome, differences } = JSON.parse(response.text.trim());
      t.same(outcome, 'conflict', 'the outcome of the line', response);
      judgeDifferences(t, differences, response);
    },
  },
  {
    id: 'record.invalid.every-field',
    requirement: 'SHOULD',
    section: 'parameters',
    rule: 'All faulty fields are reported at once, each with its pointer and code.',
    async record(t, account) {
      const refused = await account.put('pay_1', {
        amount: '1.005',
        currencyCode: 'eur',
        status: 'nonsense',
      });
      t.problem(refused, 422, 'invalid_fields', 'three faulty fields');
      const errors = Array.isArray(refused.body.errors) ? refused.body.errors : [];
      for (const pointer of ['/amount', '/currencyCode', '/status']) {
        const named = errors.find((/** @type {any} */ one) => one?.pointer === pointer);
        const isNamed = typeof named?.code === 'string';
        t.that(isNamed, `${pointer} with a code in errors`, refused.text.slice(0, 400), refused);
      }
    },
  },
  {
    id: 'record.invalid.repeated-name',
    requirement: 'SHOULD',
    section: 'parameters',
    rule: 'A body that has a name twice is refused, even if one is written with escapes, and nothing is recorded.',
    async record(t, account) {
      const path = `${account.path}/transactions/pay_1`;
      for (const name of ['amount', '\\u0061mount']) {
        const body = JSON.stringify(withDefaults({})).replace('{', `{"${name}":"99.00",`);
        const headers = { 'Content-Type': 'application/json' };
        const refused = await account.operator.client.send(path, { method: 'PUT', headers, body });
        t.problem(refused, 422, 'invalid_fields', `a body with amount and ${name}`);
      }
      await judgeList(t, account.client, []);
    },
  },
  {
    id: 'record.parameter.unknown',
    requirement: 'SHOULD',
    section: 'parameters',
    rule: 'A recording with a query parameter is 400 unknown_parameter, and nothing is recorded.',
    async record(t, account) {
      const refused = await account.put('pay_1?validate=true', {});
      t.fault(refused, 'unknown_parameter', 'validate');
      await judgeList(t, account.client, []);
    },
  },
  {
    id: 'record.reference.form',
    section: 'transactions',
    rule: 'A reference with other characters, or with more than 64, is refused, and nothing is recorded.',
    async record(t, account) {
      for (const reference of ['a%20b', 'a:b', '%C3%A9', 'x'.repeat(65)]) {
        const refused = await account.put(reference, {});
        const isRefusal = refused.status >= 400 && refused.status < 500;
        t.that(isRefusal, `a status from 400 to 499 for ${reference}`, refused);
      }
      await judgeList(t, account.client, []);
    },
  },
  {
    id: 'record.post.key-required',
    requirement: 'SHOULD',
    section: 'transactions',
    rule: 'A POST without an Idempotency-Key is refused, because it could not be repeated.',
    async record(t, account) {
      const path = `${account.path}/transactions`;
      const refused = await account.operator.client.json('POST', path, withDefaults({}));
      t.status(refused, 400, 'a recording without Idempotency-Key');
      await judgeList(t, account.client, []);
    },
  },
]);

/** @param {Context} t @param {unknown} given @param {Exchange} exchange */
function judgeDifferences(t, given, exchange) {
  const differences = Array.isArray(given) ? given : [];
  const ordered = differences
    .map(({ field, recorded, given: other }) => ({ field, recorded, given: other }))
    .sort((a, b) => (a.field < b.field ? -1 : 1));
  t.same(ordered, DIFFERENCES, 'the differences', exchange);
}
