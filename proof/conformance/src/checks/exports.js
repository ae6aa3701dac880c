import { exportOf, fileOf, filterOf, MAX_PAGES, manifestOf } from '../account-export.js';
import { FORMATS, readExport, readExported, requestExport, sha256 } from '../export-file.js';
import { judgeFilterFaults, keyNeeded } from '../judge-refusals.js';
import { readCurrent } from '../own-lists.js';
import { judgeOrder, pageThrough } from '../page-through.js';
import { normal, totalsOf } from '../sums.js';
import { zoneDays } from '../time-zones.js';
import { addDays, dayIn, dayOf, FIELDS, isTime, matches, showRow, valuesOf } from '../transaction.js';
import { checksOf } from './check.js';

export default checksOf({ level: 'export', section: 'exports' }, [
  {
    id: 'export.headers',
    rule: 'An export is text/csv or application/x-ndjson, with the headers Export-Id and Export-As-Of.',
    run: (t) =>
      t.each(FORMATS, async (format) => {
        const { response } = await fileOf(t, format);
        const { mediaType } = t.status(response, 200);
        const isType = (format === 'csv' ? /^text\/csv$/ : /ndjson|jsonl/).test(mediaType);
        t.that(isType, `the content type of ${format}`, mediaType, response);
        t.that((response.header('export-id') ?? '') !== '', 'Export-Id', 'none', response);
        const asOf = String(response.header('export-as-of'));
        t.that(/^\d+$/.test(asOf), 'a sequence number in Export-As-Of', asOf, response);
      }),
  },
  {
    id: 'export.csv.form',
    rule: 'CSV has a header line with the seven field names, and lines as in RFC 4180.',
    async run(t) {
      const { rows, response } = await exportOf(t, 'csv');
      const isHeader = response.text.startsWith(`${FIELDS.join(',')}\r\n`);
      t.that(isHeader, 'a header line', response.text.slice(0, 120), response);
      const areNamed = rows.every(({ reference }) => reference !== '');
      t.that(areNamed, 'a reference in each line', 'an empty one', response);
    },
  },
  {
    id: 'export.ndjson.form',
    rule: 'NDJSON has a transaction with the seven fields on each line, and the manifest in {"export":...} as the last line.',
    async run(t) {
      const { rows, manifest, response } = await exportOf(t, 'ndjson');
      t.that(manifest !== null && typeof manifest === 'object', 'a manifest', String(manifest), response);
      for (const row of rows)
        t.same(Object.keys(row).sort(), [...FIELDS].sort(), 'the fields of a line', response);
    },
  },
  {
    id: 'export.as-list',
    section: 'totals',
    rule: 'An export has all transactions of the list with the same filters, in its order, each once.',
    run: (t) => t.each(FORMATS, (format) => judgeAsList(t, format)),
  },
  {
    id: 'export.formats-agree',
    rule: 'CSV and NDJSON up to the same change have the same transactions.',
    async run(t) {
      const [csv, ndjson] = await Promise.all(FORMATS.map((format) => exportOf(t, format)));
      if (csv.asOf !== ndjson.asOf) t.notJudged('something was recorded between the two exports');
      t.same(ndjson.rows.length, csv.rows.length, 'the number of transactions as NDJSON', ndjson.response);
      for (const [index, row] of csv.rows.entries())
        t.same(valuesOf(ndjson.rows[index]), valuesOf(row), `line ${index + 1}`, ndjson.response);
    },
  },
  {
    id: 'export.filters',
    rule: 'An export has only transactions that match its filters, and all of them.',
    async run(t) {
      const base = await filterOf(t);
      const all = await exportOf(t, 'ndjson');
      if (all.rows.length === 0) t.notJudged('the export has no transactions');
      const { status, currencyCode: currency, createdAt } = t.random.pick(all.rows);
      const day = createdAt.slice(0, 10);
      for (const filter of [
        { ...base, status },
        { ...base, currency },
        { from: day, to: day, status, currency },
      ]) {
        const file = await readExported(t.client, 'ndjson', filter);
        const what = `transactions with ${JSON.stringify(filter)}`;
        for (const row of file.rows)
          t.that(matches(row, filter), `only ${what}`, showRow(row), file.response);
        const expected = all.rows.filter((row) => matches(row, filter)).length;
        if (file.asOf === all.asOf) t.same(file.rows.length, expected, what, file.response);
      }
    },
  },
  {
    id: 'export.time-zone',
    rule: 'Where there is a timeZone, an export has exactly the transactions of the days of this time zone.',
    async run(t) {
      await t.requireFilter('timeZone', 'UTC');
      for (const { timeZone, day } of t.random.sample(await zoneDays(t), 4))
        await judgeRestricted(
          t,
          { from: addDays(day, -2), to: addDays(day, 2) },
          { from: day, to: day, timeZone },
          (row) => dayIn(row.createdAt, timeZone) === day,
        );
    },
  },
  {
    id: 'export.any-range',
    rule: 'A range of an export can have any length.',
    async run(t) {
      await readExported(t.client, 'csv', { from: '0001-01-01', to: '0002-12-31' });
      t.judged++;
    },
  },
  {
    id: 'export.faults',
    rule: 'Faulty parameters are refused as in the list.',
    async run(t) {
      for (const format of FORMATS) {
        await judgeFilterFaults(t, (query) => requestExport(t.client, format, query));
        t.fault(await requestExport(t.client, format, { limit: '5' }), 'unknown_parameter', 'limit');
      }
    },
  },
  keyNeeded(
    'export.authentication',
    'Exports and their manifests need a valid key, as the list does.',
    '/v1/transactions.csv',
    '/v1/transactions.ndjson',
    '/v1/exports/exp_0000000000000000',
  ),
  {
    id: 'export.manifest',
    rule: 'GET /v1/exports/{id} has the manifest: id, state complete, format, asOf, and the rows, bytes and SHA-256 of what was sent.',
    run: (t) =>
      t.each(FORMATS, async (format) => {
        const file = await exportOf(t, format);
        const response = t.status(await manifestOf(t.client, file.id), 200);
        judgeManifest(t, response.body, file, response);
        t.same(response.body.format, format, 'the format of the manifest', response);
      }),
  },
  {
    id: 'export.manifest.line',
    rule: 'The last line of NDJSON is the same manifest, already complete.',
    async run(t) {
      const file = await exportOf(t, 'ndjson');
      judgeManifest(t, file.manifest, file, file.response);
    },
  },
  {
    id: 'export.manifest.totals',
    rule: 'The manifest has the count and amount of each currency and status in the file.',
    run: (t) =>
      t.each(FORMATS, async (format) => {
        const file = await exportOf(t, format);
        const response = await manifestOf(t.client, file.id);
        const totals = normal(response.body?.totals ?? []).sort((a, b) =>
          `${a.currencyCode} ${a.status}` < `${b.currencyCode} ${b.status}` ? -1 : 1,
        );
        t.same(totals, totalsOf(file.rows), 'the totals of the manifest', response);
      }),
  },
  {
    id: 'export.manifest.filters',
    rule: 'The manifest has the filters of the export, and when it began and ended.',
    async run(t) {
      const [row] = await t.facts.rows();
      const day = dayOf(row);
      const filters = { status: row.status, currency: row.currencyCode, from: day, to: day };
      const { manifest, response } = await readExported(t.client, 'ndjson', filters);
      for (const [name, value] of Object.entries(filters))
        t.same(manifest?.filters?.[name], value, `the filter ${name} in the manifest`, response);
      for (const name of ['startedAt', 'finishedAt'])
        t.that(isTime(manifest?.[name]), `a UTC time in ${name}`, String(manifest?.[name]), response);
    },
  },
  {
    id: 'export.unknown',
    rule: 'The manifest of an unknown export is 404 not_found.',
    run: async (t) => t.problem(await manifestOf(t.client, `exp_${t.random.letters(16)}`), 404, 'not_found'),
  },
  {
    id: 'export.other-account',
    needs: 'second key',
    rule: 'The manifest of an export of another account is 404 not_found.',
    async run(t) {
      const { id } = await exportOf(t, 'csv');
      const other = await t.deployment.second();
      t.problem(await manifestOf(other, id), 404, 'not_found', "another account's export");
    },
  },
]);

/** @param {Context} t @param {'csv' | 'ndjson'} format */
async function judgeAsList(t, format) {
  const { before, response, filter } = await fileOf(t, format);
  const { rows } = readExport(response, format);
  const after = await readCurrent(
    () => pageThrough(t.client, filter, { maxPages: MAX_PAGES }),
    (list) => findDifference(rows, before.rows, list.rows) !== undefined,
  );
  if (!before.isComplete || !after.isComplete) t.notJudged('the day has too many transactions');
  const exported = new Set(rows.map(({ reference }) => reference));
  t.same(exported.size, rows.length, 'transactions, each once', response);
  for (const [index, row] of rows.slice(1).entries()) judgeOrder(t, rows[index], row, response);
  const [expected, got] = findDifference(rows, before.rows, after.rows) ?? [];
  t.that(expected === undefined, String(expected), String(got), response);
}

/**
 * @param {Transaction[]} rows @param {Transaction[]} before @param {Transaction[]} after
 * @returns {[expected: string, got: string] | undefined}
 */
function findDifference(rows, before, after) {
  const text = (/** @type {Transaction | undefined} */ row) => row && JSON.stringify(valuesOf(row));
  const exported = new Map(rows.map((row) => [row.reference, row]));
  const later = new Map(after.map((row) => [row.reference, row]));
  for (const row of before) {
    const one = exported.get(row.reference);
    const isListed = [row, later.get(row.reference)].some((listed) => text(listed) === text(one));
    if (one === undefined || !isListed) return [`${showRow(row)} as in the list`, showRow(one)];
  }
  const unlisted = rows.find(({ reference }) => !later.has(reference));
  return unlisted && ['only transactions of the list', showRow(unlisted)];
}

/**
 * @param {Context} t @param {Filter} wider @param {Record<string, string>} query
 * @param {(row: Transaction) => boolean} isMatch
 */
async function judgeRestricted(t, wider, query, isMatch) {
  for (let attempt = 0; attempt < 4; attempt++) {
    const all = await readExported(t.client, 'ndjson', wider);
    const file = await readExported(t.client, 'ndjson', query);
    if (file.asOf !== all.asOf) continue;
    const references = (/** @type {Transaction[]} */ rows) => rows.map(({ reference }) => reference);
    const expected = references(all.rows.filter(isMatch));
    t.same(references(file.rows), expected, `the export of ${JSON.stringify(query)}`, file.response);
    return;
  }
  t.notJudged('something was recorded during each of four attempts');
}

/**
 * @param {Context} t @param {any} manifest
 * @param {import('../export-file.js').ExportFile} file @param {Exchange} response
 */
function judgeManifest(t, { id, state, asOf, rows, bytes, sha256: hash }, file, response) {
  const sent = { rows: file.rows.length, bytes: file.bytes.length, hash: sha256(file.bytes) };
  const expected = { id: file.id, state: 'complete', asOf: file.asOf, ...sent };
  t.same({ id, state, asOf, rows, bytes, hash }, expected, 'the manifest', response);
}
