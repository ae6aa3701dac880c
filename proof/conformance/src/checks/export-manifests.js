import { exportOf, manifestOf } from '../account-export.js';
import { FORMATS, readExported, sha256 } from '../export-file.js';
import { normal, totalsOf } from '../sums.js';
import { dayOf, isTime } from '../transaction.js';
import { checksOf } from './check.js';

export default checksOf({ level: 'export', section: 'exports' }, [
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
    rule: 'The manifest of another account is 404 not_found.',
    async run(t) {
      const { id } = await exportOf(t, 'csv');
      const other = await t.deployment.second();
      t.problem(await manifestOf(other, id), 404, 'not_found', "another account's export");
    },
  },
]);

/**
 * @param {Context} t @param {any} manifest
 * @param {import('../export-file.js').ExportFile} file @param {Exchange} response
 */
function judgeManifest(t, { id, state, asOf, rows, bytes, sha256: hash }, file, response) {
  const sent = { rows: file.rows.length, bytes: file.bytes.length, hash: sha256(file.bytes) };
  const expected = { id: file.id, state: 'complete', asOf: file.asOf, ...sent };
  t.same({ id, state, asOf, rows, bytes, hash }, expected, 'the manifest', response);
}
