import { both, fileOf, manifestOf } from '../account-export.js';
import { readExport, sha256 } from '../export-file.js';
import { normal, totalsOf } from '../sums.js';
import { checksOf } from './check.js';

const MANIFESTS = checksOf({ level: 'export', section: 'exports' }, [
  {
    id: 'export.manifest',
    rule: 'GET /v1/exports/{id} has the manifest: id, state complete, format, asOf, and the rows, bytes and SHA-256 of what was sent.',
    run: async (t) =>
      void (await both(async (format) => {
        const file = readExport((await fileOf(t, format)).response, format);
        const response = await manifestOf(t.client, file.id);
        t.status(response, 200, 'the manifest');
        const { id, state, format: named, asOf, rows, bytes, sha256: hash } = response.body;
        t.same(
          { id, state, format: named, asOf, rows, bytes, sha256: hash },
          {
            id: file.id,
            state: 'complete',
            format,
            asOf: file.asOf,
            rows: file.rows.length,
            bytes: file.bytes.length,
            sha256: sha256(file.bytes),
          },
          'the manifest',
          response,
        );
      })),
  },
  {
    id: 'export.manifest.line',
    rule: 'The last line of NDJSON is the same manifest, already complete.',
    async run(t) {
      const file = readExport((await fileOf(t, 'ndjson')).response, 'ndjson');
      const { id, state, rows, bytes, sha256: hash, asOf } = file.manifest;
      t.same(
        { id, state, rows, bytes, sha256: hash, asOf },
        {
          id: file.id,
          state: 'complete',
          rows: file.rows.length,
          bytes: file.bytes.length,
          sha256: sha256(file.bytes),
          asOf: file.asOf,
        },
        'the manifest line',
        file.response,
      );
    },
  },
  {
    id: 'export.manifest.totals',
    rule: 'The manifest has the count and amount of each currency and status in the file.',
    run: async (t) =>
      void (await both(async (format) => {
        const file = readExport((await fileOf(t, format)).response, format);
        const response = await manifestOf(t.client, file.id);
        const totals = normal(response.body?.totals ?? []).sort((a, b) =>
          `${a.currencyCode} ${a.status}` < `${b.currencyCode} ${b.status}` ? -1 : 1,
        );
        t.same(totals, totalsOf(file.rows), 'the totals of the manifest', response);
      })),
  },
  {
    id: 'export.unknown',
    rule: 'The manifest of an unknown export is 404 not_found.',
    run: async (t) =>
      t.problem(
        await manifestOf(t.client, `exp_${t.random.letters(16)}`),
        404,
        'not_found',
        'an unknown export',
      ),
  },
  {
    id: 'export.other-account',
    needs: 'second key',
    rule: 'The manifest of another account is 404 not_found.',
    async run(t) {
      const { id } = readExport((await fileOf(t, 'csv')).response, 'csv');
      const other = await t.deployment.second();
      t.problem(await manifestOf(other, id), 404, 'not_found', "another account's export");
    },
  },
]);

export default MANIFESTS;
