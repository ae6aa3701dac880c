import { FORMATS, parseCsv, readExport, readExported, requestExport } from '../export-file.js';
import { changesOf, readChanges } from '../feed.js';
import { compareInList, FIELDS, valuesOf } from '../transaction.js';
import { checksOf } from './check.js';

const TEXTS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@x',
  '-1',
  'a,b',
  'say "hi"',
  'ünïcödé 💶',
  ' spaces ',
  "'",
  '\u00a0=1',
  ';=1+1',
  'a|+1+1',
  'a, @x',
  ';',
  null,
];

/** A formula can also begin after a separator, because some spreadsheets begin a new cell there. */
const FORMULA = /(?:^|[,;|\t])[\s"]*[=+\-@]/;

const withoutGuard = (/** @type {string} */ text) => text.replaceAll("'", '');

export default checksOf({ level: 'export', section: 'exports', needs: 'operator' }, [
  {
    id: 'export.exact',
    rule: 'Texts are exported byte for byte as they were recorded, and null is an empty cell.',
    async run(t) {
      const { account, rows } = await recorded(t);
      for (const format of FORMATS) {
        const file = await readExported(account.client, format);
        t.same(file.rows.map(valuesOf), rows.map(valuesOf), `the transactions as ${format}`, file.response);
      }
    },
  },
  {
    id: 'export.spreadsheet',
    rule: 'With spreadsheet=true, no text can run as a formula, whether a spreadsheet splits lines at commas, semicolons, tabs or bars, and amounts are unchanged.',
    async run(t) {
      const { account, rows } = await recorded(t);
      const response = await requestExport(account.client, 'csv', { spreadsheet: 'true' });
      t.status(response, 200);
      const [, ...lines] = parseCsv(response.text, response.curl);
      t.same(lines.length, rows.length, 'lines', response);
      for (const [index, cells] of lines.entries()) {
        const text = cells[FIELDS.indexOf('merchantReference')] ?? '';
        t.that(/^-?\d+$/.test(text) || !FORMULA.test(text), 'a text that is not a formula', text, response);
        const recordedText = rows[index].merchantReference ?? '';
        t.same(withoutGuard(text), withoutGuard(recordedText), 'the text without apostrophes', response);
        t.same(cells[FIELDS.indexOf('amount')], rows[index].amount, 'the amount', response);
      }
    },
  },
  {
    id: 'export.read-your-writes',
    rule: 'An export has every recording that was acknowledged before it began, and its number is that of the last change.',
    async record(t, account) {
      for (let count = 1; count <= 3; count++) {
        await account.record(`row-${count}`);
        const file = await readExported(account.client, 'ndjson');
        t.same([file.rows.length, file.asOf], [count, count], 'transactions and Export-As-Of', file.response);
      }
      await judgeTimes(t, account);
    },
  },
]);

/** @param {Context} t @param {OwnAccount} account */
async function judgeTimes(t, account) {
  await account.record('row-1', { status: 'completed' });
  const { data } = changesOf(await readChanges(account.client));
  for (const status of ['', 'pending', 'completed']) {
    const query = { recordedAt: 'true', ...(status !== '' && { status }) };
    const response = await requestExport(account.client, 'ndjson', query);
    if (response.body?.code === 'unknown_parameter') return;
    const { rows } = readExport(response, 'ndjson');
    for (const row of /** @type {any[]} */ (rows)) {
      const times = data.filter(({ transaction }) => transaction.reference === row.reference);
      t.same(
        [row.recordedAt, row.statusRecordedAt],
        [times[0]?.recordedAt, times.at(-1)?.recordedAt],
        `the times at which ${row.reference} and its status were recorded`,
        response,
      );
    }
  }
}

/** @param {Context} t */
async function recorded(t) {
  const account = await t.account('export');
  const rows = await account.recordMany(TEXTS.length, (index) => ({
    merchantReference: TEXTS[index],
    amount: index % 2 === 0 ? '12.50' : '0.05',
    status: index % 3 === 0 ? 'completed' : 'pending',
  }));
  return { account, rows: rows.sort(compareInList) };
}
