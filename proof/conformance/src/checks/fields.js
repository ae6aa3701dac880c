import { FIELDS, isTime } from '../transaction.js';
import { checksOf } from './check.js';

const NOT_IN_TEXT = /[\p{Cc}\uFFFD]/u;
const NULLABLE = ['merchantReference', 'paidAt'];

/**
 * @param {Context} t @param {(row: any) => unknown} isRight @param {string} expected
 * @param {string} [field] what the report shows of an item; by default all of it
 */
async function eachRow(t, isRight, expected, field) {
  const { pages } = await t.facts.window();
  for (const page of pages)
    for (const row of page.body.data) {
      if (isRight(row) === undefined) continue;
      const shown = field === undefined ? row : { [field]: row[field] };
      t.that(isRight(row), expected, `${JSON.stringify(shown).slice(0, 300)} in ${row.reference}`, page);
    }
}

/**
 * @param {string} id @param {string} section @param {string} rule
 * @param {(row: any) => unknown} isRight @param {string} expected @param {string} [field]
 */
const ofEach = (id, section, rule, isRight, expected, field) => ({
  id,
  section,
  rule,
  run: (/** @type {Context} */ t) => eachRow(t, isRight, expected, field),
});

export default checksOf({ level: 'list', section: 'transactions' }, [
  ofEach(
    'transaction.fields',
    'transactions',
    'Each item has the seven fields of a transaction, with null only in merchantReference and paidAt.',
    (row) =>
      FIELDS.every(
        (field) => typeof row[field] === 'string' || (row[field] === null && NULLABLE.includes(field)),
      ),
    `strings in ${FIELDS.join(', ')}`,
  ),
  {
    requirement: 'SHOULD',
    ...ofEach(
      'transaction.no-other-fields',
      'transactions',
      'An item has no fields other than the seven.',
      (row) => Object.keys(row).every((name) => FIELDS.includes(/** @type {any} */ (name))),
      'the seven fields alone',
    ),
  },
  ofEach(
    'transaction.reference.form',
    'transactions',
    'A reference has 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore and hyphen.',
    (row) => /^[A-Za-z0-9._-]{1,64}$/.test(row.reference),
    'a reference of this form',
    'reference',
  ),
  ofEach(
    'transaction.merchant-reference.form',
    'transactions',
    'A merchantReference is null, or has 1 to 255 characters, none of them a control character.',
    ({ merchantReference: text }) =>
      text === null || (text !== '' && [...text].length <= 255 && !NOT_IN_TEXT.test(text)),
    'null or 1 to 255 characters without control characters',
    'merchantReference',
  ),
  {
    id: 'transaction.status.recognized',
    section: 'states',
    rule: 'Every status of an item is lower-case, and is a status that the filter recognizes.',
    async run(t) {
      const rows = await t.facts.rows();
      for (const status of new Set(rows.map((row) => row.status))) {
        const isLower = status === status.toLowerCase() && status !== '';
        t.that(isLower, 'a lower-case status', JSON.stringify(status));
        t.status(await t.list({ status }), 200);
      }
    },
  },
  ofEach(
    'transaction.amount.form',
    'money',
    'An amount is a string: a decimal number with exactly two decimals, in every currency.',
    ({ amount }) =>
      typeof amount === 'string' && /^-?(0|[1-9]\d{0,12})\.\d\d$/.test(amount) && amount !== '-0.00',
    'a decimal string with two decimals',
    'amount',
  ),
  {
    id: 'transaction.currency.form',
    rule: 'A currencyCode is three upper-case letters, and is a code that the filter recognizes.',
    async run(t) {
      const rows = await t.facts.rows();
      const isCode = (/** @type {any} */ row) => /^[A-Z]{3}$/.test(row.currencyCode);
      await eachRow(t, isCode, 'three upper-case letters', 'currencyCode');
      const codes = [...new Set(rows.map((row) => row.currencyCode))];
      await t.accepted(codes.slice(0, 20).map((currency) => ({ currency })));
    },
  },
  ofEach(
    'transaction.created-at.form',
    'transactions',
    'createdAt is a UTC time with milliseconds that exists, such as 2026-01-31T09:30:00.000Z.',
    (row) => isTime(row.createdAt),
    'a UTC time with milliseconds',
    'createdAt',
  ),
  ofEach(
    'transaction.paid-at.form',
    'transactions',
    'paidAt is null or a UTC time with milliseconds that exists.',
    (row) => row.paidAt === null || isTime(row.paidAt),
    'null or a UTC time with milliseconds',
    'paidAt',
  ),
  ofEach(
    'transaction.paid-at.pending',
    'states',
    'A pending transaction has paidAt null.',
    (row) => (row.status === 'pending' ? row.paidAt === null : undefined),
    'paidAt null for pending',
    'paidAt',
  ),
  ofEach(
    'transaction.paid-at.completed',
    'states',
    'A completed transaction has the time of its payment in paidAt.',
    (row) => (row.status === 'completed' ? isTime(row.paidAt) : undefined),
    'a time in paidAt for completed',
    'paidAt',
  ),
]);
