import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { constants, gunzipSync } from 'node:zlib';
import { NO_FILTER } from '../../src/ledger/list/list-filter.ts';
import { expectedCsv, expectedNdjson } from '../rig/data/expected-export.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { someInTier } from '../rig/run/tier.ts';
import { buildTestApp } from '../rig/service/app.ts';

const ACCOUNT = 'store-1';
/** Of the bytes after which an export is cut. */
const CUTS = 100;

/** Some rows whose texts have quotes, commas, line ends and characters of several bytes. */
const ROWS = ['two\r\nlines', null, 'a "quote"', '"', '\n', 'größer, 😀', '=1', 'x'].map(
  (merchantReference, index) =>
    transaction(ACCOUNT, `t${index}`, {
      createdAtMs: DAY('2026-03-01') + Math.floor(index / 3) * 1000,
      status: index % 3 === 0 ? 'pending' : 'completed',
      merchantReference,
    }),
);
const LISTED = expectedList(ROWS, ACCOUNT, NO_FILTER);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The bytes of a CSV file up to its last whole row, and the reference of that row. */
function wholeCsvRows(bytes: Buffer): { kept: Buffer; after: string | null } {
  const text = bytes.toString('latin1');
  let isQuoted = false;
  let end = 0;
  let after: string | null = null;
  for (let at = 0, start = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted || text[at] !== '\n') continue;
    if (start > 0) {
      end = at + 1;
      after = text.slice(start, text.indexOf(',', start));
    }
    start = at + 1;
  }
  return { kept: bytes.subarray(0, end), after };
}

function wholeNdjsonRows(bytes: Buffer): { kept: Buffer; after: string | null } {
  const kept = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const rows = kept.toString().trim().split('\n');
  const after = kept.length === 0 ? null : JSON.parse(rows.at(-1) as string).reference;
  return { kept, after };
}

/** What can be decompressed of the first bytes of a gzip stream. */
function gunzipped(bytes: Buffer): Buffer {
  return bytes.length < 10 ? Buffer.alloc(0) : gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
}

async function appWithRows() {
  const app = await buildTestApp();
  await record(app.store, ROWS);
  const key = await app.makeKey(ACCOUNT);
  const get = (url: string, isGzipped = false) =>
    app.server.inject({
      url,
      headers: { authorization: `Bearer ${key}`, ...(isGzipped && { 'accept-encoding': 'gzip' }) },
    });
  return { app, key, get };
}

describe('an export that was cut at any byte and resumed', () => {
  for (const format of ['csv', 'ndjson'] as const) {
    for (const isGzipped of [false, true]) {
      test(`200: joins to the same bytes, and its manifest has the parts (${format}${isGzipped ? ', gzip' : ''})`, async () => {
        const { app, key, get } = await appWithRows();
        const path = `/v1/transactions.${format}`;
        const { rawPayload, headers } = await get(`${path}?from=2026-03-01`, isGzipped);
        const expected = Buffer.from(format === 'csv' ? expectedCsv(LISTED) : expectedNdjson(LISTED));
        const decoded = isGzipped ? gunzipSync(rawPayload) : rawPayload;
        const manifestAt = format === 'csv' ? decoded.length : decoded.lastIndexOf('{"export"');
        assert.ok(decoded.subarray(0, manifestAt).equals(expected), decoded.toString());
        const id = String(headers['export-id']);
        const asOf = headers['export-as-of'];
        await record(app.store, [
          ...ROWS.filter(({ status }) => status === 'pending').map((row) => ({
            ...row,
            status: 'completed',
            paidAtMs: row.createdAtMs,
          })),
          transaction(ACCOUNT, 'later', { createdAtMs: DAY('2026-03-01') }),
        ]);

        // Where parts begin: the export was resumed there for this cut or an earlier one.
        const begins = new Map<number, string | null>([[0, null]]);
        for (const cut of someInTier([...rawPayload.keys()], CUTS)) {
          const arrived = rawPayload.subarray(0, cut);
          const rowsIn = format === 'csv' ? wholeCsvRows : wholeNdjsonRows;
          const { kept, after } = rowsIn((isGzipped ? gunzipped(arrived) : arrived).subarray(0, manifestAt));
          const resumed = await get(
            `${path}?resume=${id}${after === null ? '' : `&after=${after}`}`,
            isGzipped,
          );
          assert.deepEqual([resumed.headers['export-id'], resumed.headers['export-as-of']], [id, asOf]);
          const header = after === null ? 'present' : 'absent';
          const type =
            format === 'csv' ? `text/csv; charset=utf-8; header=${header}` : 'application/x-ndjson';
          assert.equal(resumed.headers['content-type'], type);
          const rest = isGzipped ? gunzipSync(resumed.rawPayload) : resumed.rawPayload;
          const joined = Buffer.concat([kept, rest]);
          assert.ok(joined.subarray(0, manifestAt).equals(expected), `cut after ${cut} bytes: ${joined}`);

          const { body: manifest } = await app.send(`/v1/exports/${id}`, { key });
          if (format === 'ndjson') {
            const last = JSON.parse(joined.subarray(manifestAt).toString());
            assert.deepEqual(last, { export: manifest });
          } else assert.equal(joined.length, manifestAt);
          if (after !== null) begins.set(kept.length, after);
          assert.deepEqual(
            [manifest.state, manifest.rows, manifest.bytes, manifest.sha256],
            ['complete', LISTED.length, expected.length, sha256(expected)],
          );
          const ends = [...begins.keys(), expected.length].slice(1);
          assert.deepEqual(
            manifest.parts.map(({ rows: _, ...part }: { rows: number }) => part),
            [...begins].map(([begin, reference], index) => {
              const piece = expected.subarray(begin, ends[index]);
              return { after: reference, bytes: piece.length, sha256: sha256(piece) };
            }),
          );
        }
      });
    }
  }

  test('200: several times has a part for each piece, and an earlier place replaces later ones', async () => {
    const { app, key, get } = await appWithRows();
    const { headers } = await get('/v1/transactions.csv?from=2026-03-01&to=2026-03-01');
    const id = String(headers['export-id']);
    const parts = async (at: number | null) => {
      const after = at === null ? '' : `&after=${references[at]}`;
      assert.equal((await app.send(`/v1/transactions.csv?resume=${id}${after}`, { key })).status, 200);
      const { body } = await app.send(`/v1/exports/${id}`, { key });
      return body.parts.map((part: { after: string | null; rows: number }) => [part.after, part.rows]);
    };
    const references = (await app.send(`/v1/transactions.csv?resume=${id}`, { key })).text
      .split(/\r\n(?=store-1\.)/)
      .slice(1)
      .map((row) => row.split(',')[0] as string);
    const rows = references.length;
    assert.ok(rows >= 8);
    const [second, fourth, sixth] = [references[1], references[3], references[5]];
    assert.deepEqual(await parts(1), [
      [null, 2],
      [second, rows - 2],
    ]);
    assert.deepEqual(await parts(5), [
      [null, 2],
      [second, 4],
      [sixth, rows - 6],
    ]);
    assert.deepEqual(await parts(3), [
      [null, 2],
      [second, 2],
      [fourth, rows - 4],
    ]);
    assert.deepEqual(await parts(rows - 1), [
      [null, 2],
      [second, 2],
      [fourth, rows - 4],
      [references[rows - 1], 0],
    ]);
    assert.deepEqual(await parts(null), [[null, rows]]);
  });
});

describe('400: an export is not resumed', () => {
  async function appWithExport(query = '') {
    const { app, key } = await appWithRows();
    const { headers } = await app.send(`/v1/transactions.csv${query}`, { key });
    return { app, key, id: String(headers['export-id']) };
  }

  test('of another account, an unknown one, or one that began 24 hours ago', async () => {
    const { app, key, id } = await appWithExport();
    const other = await app.makeKey('store-2');
    const codeOf = async (resume: string, of = key) =>
      (await app.send(`/v1/transactions.csv?resume=${resume}`, { key: of })).body?.code;
    assert.equal(await codeOf(id, other), 'invalid_resume');
    assert.equal(await codeOf('exp_0000000000000000'), 'invalid_resume');
    assert.equal(await codeOf(id), undefined);
    app.clock.advance(24 * 3_600_000);
    assert.equal(await codeOf(id), 'invalid_resume');
  });

  test('after a transaction that it does not have: unknown, recorded later, filtered out, or of another account', async () => {
    const { app, key, id } = await appWithExport('?status=pending');
    await record(app.store, [
      transaction(ACCOUNT, 'later', { status: 'pending' }),
      transaction('store-2', 'foreign', { status: 'pending' }),
    ]);
    const faultsOf = async (after: string) => {
      const { status, body } = await app.send(`/v1/transactions.csv?resume=${id}&after=${after}`, { key });
      return [status, body?.code];
    };
    for (const after of ['store-1.none', 'store-1.later', 'store-1.t1', 'store-2.foreign'])
      assert.deepEqual(await faultsOf(after), [400, 'invalid_after'], after);
    assert.deepEqual(await faultsOf('store-1.t3'), [200, undefined]);
  });

  test('with other filters, another format or another spreadsheet; all faults are reported together', async () => {
    const { app, key, id } = await appWithExport('?currency=EUR&spreadsheet=true');
    const same = await app.send(`/v1/transactions.csv?resume=${id}&currency=EUR&spreadsheet=true`, { key });
    assert.equal(same.status, 200);
    const { body } = await app.send(
      `/v1/transactions.ndjson?resume=${id}&currency=USD&status=pending&after=none`,
      { key },
    );
    assert.deepEqual(
      body.errors.map(({ parameter, code }: { parameter: string; code: string }) => `${parameter} ${code}`),
      ['status export_mismatch', 'currency export_mismatch', 'resume export_mismatch', 'after invalid_after'],
    );
  });
});
