import { FIELDS, isTime, showRow } from '../transaction.js';
import { checksOf } from './check.js';

/** @typedef {import('./check.js').Context} Context */
/** @typedef {import('../transaction.js').Transaction} Transaction */

/**
 * Judges each item of the window.
 * @param {Context} t
 * @param {(row: any) => unknown} isRight
 * @param {string} expected
 * @param {(row: any) => string} show
 */
async function eachRow(t, isRight, expected, show) {
  const { pages } = await t.facts.window();
  for (const page of pages)
    for (const row of page.body.data)
      t.that(isRight(row), expected, `${show(row)} in ${row.reference}`, page);
}

/** @param {keyof Transaction} field */
const showField = (field) => (/** @type {any} */ row) => `${field} ${JSON.stringify(row[field])}`;

const NOT_IN_TEXT = /[\p{Cc}\uFFFD]/u;

const FORMS = checksOf({ level: 'list', section: 'transactions' }, [
  {
    id: 'transaction.fields',
    rule: 'Each item has the seven fields of a transaction, with null only in merchantReference and paidAt.',
    run: (t) =>
      eachRow(
        t,
        (row) =>
          FIELDS.every(
            (field) =>
              typeof row[field] === 'string' ||
              (row[field] === null && (field === 'merchantReference' || field === 'paidAt')),
          ),
        `strings in ${FIELDS.join(', ')}`,
        (row) => JSON.stringify(row).slice(0, 300),
      ),
  },
  {
    id: 'transaction.no-other-fields',
    requirement: 'SHOULD',
    rule: 'An item has no fields other than the seven.',
    run: (t) =>
      eachRow(
        t,
        (row) => Object.keys(row).every((name) => FIELDS.includes(/** @type {any} */ (name))),
        'the seven fields alone',
        (row) => Object.keys(row).join(', '),
      ),
  },
  {
    id: 'transaction.reference.form',
    section: 'transactions',
    rule: 'A reference has 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore and hyphen.',
    run: (t) =>
      eachRow(
        t,
        (row) => /^[A-Za-z0-9._-]{1,64}$/.test(row.reference),
        'a reference of this form',
        showField('reference'),
      ),
  },
  {
    id: 'transaction.merchant-reference.form',
    section: 'transactions',
    rule: 'A merchantReference is null, or has 1 to 255 characters, none of them a control character.',
    run: (t) =>
      eachRow(
        t,
        ({ merchantReference: text }) =>
          text === null || (text !== '' && [...text].length <= 255 && !NOT_IN_TEXT.test(text)),
        'null or 1 to 255 characters without control characters',
        showField('merchantReference'),
      ),
  },
  {
    id: 'transaction.status.recognized',
    section: 'states',
    rule: 'Every status of an item is lower-case, and is a status that the filter recognizes.',
    async run(t) {
      const rows = await t.facts.rows();
      for (const status of new Set(rows.map((row) => row.status))) {
        t.that(
          status === status.toLowerCase() && status !== '',
          'a lower-case status',
          JSON.stringify(status),
        );
        t.status(await t.list({ status }), 200, `status=${status}, which items have`);
      }
    },
  },
  {
    id: 'transaction.amount.form',
    section: 'money',
    rule: 'An amount is a string: a decimal number with exactly two decimals, in every currency.',
    run: (t) =>
      eachRow(
        t,
        ({ amount }) =>
          typeof amount === 'string' && /^-?(0|[1-9]\d{0,12})\.\d\d$/.test(amount) && amount !== '-0.00',
        'a decimal string with two decimals',
        showField('amount'),
      ),
  },
  {
    id: 'transaction.currency.form',
    rule: 'A currencyCode is three upper-case letters, and is a code that the filter recognizes.',
    async run(t) {
      const rows = await t.facts.rows();
      await eachRow(
        t,
        (row) => /^[A-Z]{3}$/.test(row.currencyCode),
        'three upper-case letters',
        showField('currencyCode'),
      );
      await t.each([...new Set(rows.map((row) => row.currencyCode))].slice(0, 20), async (currency) =>
        t.status(await t.list({ currency }), 200, `currency=${currency}, which items have`),
      );
    },
  },
  {
    id: 'transaction.created-at.form',
    rule: 'createdAt is a UTC time with milliseconds that exists, such as 2026-01-31T09:30:00.000Z.',
    run: (t) =>
      eachRow(t, (row) => isTime(row.createdAt), 'a UTC time with milliseconds', showField('createdAt')),
  },
  {
    id: 'transaction.paid-at.form',
    rule: 'paidAt is null or a UTC time with milliseconds that exists.',
    run: (t) =>
      eachRow(
        t,
        (row) => row.paidAt === null || isTime(row.paidAt),
        'null or a UTC time with milliseconds',
        showField('paidAt'),
      ),
  },
  {
    id: 'transaction.paid-at.pending',
    section: 'states',
    rule: 'A pending transaction has paidAt null.',
    run: (t) => ofStatus(t, 'pending', (row) => row.paidAt === null, 'paidAt null for pending'),
  },
  {
    id: 'transaction.paid-at.completed',
    section: 'states',
    rule: 'A completed transaction has the time of its payment in paidAt.',
    run: (t) => ofStatus(t, 'completed', (row) => isTime(row.paidAt), 'a time in paidAt for completed'),
  },
]);

/** @param {Context} t @param {string} status @param {(row: Transaction) => boolean} isRight @param {string} expected */
async function ofStatus(t, status, isRight, expected) {
  const { pages } = await t.facts.window();
  for (const page of pages)
    for (const row of page.body.data)
      if (row.status === status)
        t.that(isRight(row), expected, `${showRow(row)} with paidAt ${JSON.stringify(row.paidAt)}`, page);
}

export default FORMS;
