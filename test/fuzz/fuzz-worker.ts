import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { NO_FILTER } from '../../src/ledger/list/list-filter.ts';
import { Random } from '../rig/run/random.ts';
import { runChunks } from '../rig/run/workers.ts';
import { changesAnswer, changesFaults } from './changes-query-oracle.ts';
import { exportAnswer, exportFaults } from './export-query-oracle.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts';
import { isValidListQuery } from './list-query-oracle.ts';
import type { FuzzResult } from './run-fuzz.ts';
import { ACCOUNT, apps, CHANGES, checkers, environment, store } from './service.ts';
import { totalsAnswer, totalsFaults } from './totals-query-oracle.ts';

runChunks(async ({ first, count }): Promise<FuzzResult> => {
  const byStatus: FuzzResult['byStatus'] = {};
  for (let seed = first; seed < first + count; seed++) {
    const request = fuzzRequest(new Random(seed), environment);
    const status = await send(request, seed);
    byStatus[status] = (byStatus[status] ?? 0) + 1;
  }
  return { requests: count, byStatus };
});

async function send(request: FuzzRequest, seed: number): Promise<number> {
  const { to, method, headers, payload } = request;
  // `inject` needs a URL in normal form; the socket tests send paths in any form.
  const { pathname, search } = new URL(request.url, 'http://localhost/');
  const options = { method: method as InjectOptions['method'], url: pathname + search, headers };
  try {
    const {
      statusCode: status,
      headers: answered,
      body,
      rawPayload,
    } = await apps[to].server.inject({
      ...(options as InjectOptions),
      ...(payload !== undefined && { payload }),
    });
    // The page and its files can be cached, also with 304, and are not in the OpenAPI document.
    const isPage = to === 'public' && (status === 200 || status === 304) && /^\/$|^\/page\//.test(pathname);
    if (!isPage) checkers[to]({ method, path: pathname, status, headers: answered, body });
    assert.ok(status < 500, `${status}: ${body}`);
    const isGzipped = answered['content-encoding'] === 'gzip' && method === 'GET';
    if (pathname === '/v1/webhooks' && method === 'POST') checkCreated(payload, status, body);
    await checkQuery(request, pathname, search, status, isGzipped ? String(gunzipSync(rawPayload)) : body);
    return status;
  } catch (error) {
    throw new Error(`request ${seed}: ${(error as Error).message}\n${JSON.stringify(request)}`, {
      cause: error,
    });
  }
}

/** An endpoint that is created has the fields that were sent, each in a form that an endpoint can have. */
function checkCreated(payload: FuzzRequest['payload'], status: number, body: string): void {
  if (status !== 201) return;
  const sent = JSON.parse(String(payload));
  const known = ['url', 'types', 'label', 'ordered'];
  assert.deepEqual(
    Object.keys(sent).filter((name) => !known.includes(name)),
    [],
  );
  const { url, types, label, ordered, secret } = JSON.parse(body);
  const { types: sentTypes = null, label: sentLabel = null, ordered: sentOrdered = false } = sent;
  assert.deepEqual([url, types, label, ordered], [sent.url, sentTypes, sentLabel, sentOrdered]);
  assert.match(url, /^https:\/\/[^\s#@\\]{1,2040}$/i);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const type of types ?? []) assert.match(type, /^transaction\.(pending|completed)$/);
  assert.ok(types === null || (types.length > 0 && new Set(types).size === types.length));
  assert.ok(label === null || (label.length > 0 && [...label].length <= 100));
  assert.equal(typeof ordered, 'boolean');
}

/** An invalid query is never accepted, and a valid one is never refused. */
async function checkQuery(
  { method, headers }: FuzzRequest,
  path: string,
  search: string,
  status: number,
  body: string,
): Promise<void> {
  if (!['GET', 'HEAD'].includes(method)) return;
  const isValidKey = headers['authorization'] === `Bearer ${environment.accountKey}`;
  if (!isValidKey || path.length + search.length > 4096) return;
  if (path === '/v1/transactions' && !search.includes('cursor'))
    assert.equal(status === 200, isValidListQuery(search), `${search} got ${status}`);
  if (path === '/v1/changes' && method === 'GET') checkChanges(search, JSON.parse(body), status);
  if (path === '/v1/totals' && method === 'GET') await checkTotals(search, JSON.parse(body), status);
  const [, format] = /^\/v1\/transactions\.(csv|ndjson)$/.exec(path) ?? [];
  if (format !== undefined && method === 'GET')
    await checkExport(search, format as 'csv' | 'ndjson', body, status);
}

/** All faults are in the answer. Without faults, it has all transactions that match. */
async function checkExport(
  search: string,
  format: 'csv' | 'ndjson',
  body: string,
  status: number,
): Promise<void> {
  const faults = exportFaults(search, format);
  if (faults.size > 0) {
    const { errors }: { errors?: { code: string }[] } = JSON.parse(body);
    assert.deepEqual([status, new Set(errors?.map(({ code }) => code))], [400, faults], search);
    return;
  }
  const query = { account: ACCOUNT, filter: NO_FILTER, after: null };
  const { transactions } = await store.listTransactions(query, Number.MAX_SAFE_INTEGER);
  const rows = format === 'csv' ? body : body.replace(/^\{"export".*\n$/m, '');
  assert.deepEqual([status, rows], [200, exportAnswer(search, format, transactions)], search);
}

interface ChangesAnswer {
  data?: { sequence: number }[];
  headSequence: number;
  errors?: { code: string }[];
}

/** All faults are in the answer. Without faults, it is the page, or says that `after` is beyond the head sequence. */
function checkChanges(search: string, { data, headSequence, errors }: ChangesAnswer, status: number): void {
  const faults = changesFaults(search);
  const codes = new Set(errors?.map(({ code }) => code));
  if (faults.size > 0) {
    assert.deepEqual([status, codes], [400, faults], search);
    return;
  }
  assert.ok(headSequence >= CHANGES, search);
  const expected = changesAnswer(search, headSequence);
  if (expected === null) assert.deepEqual([status, codes], [400, new Set(['sequence_ahead'])], search);
  else assert.deepEqual([status, data?.map(({ sequence }) => sequence)], [200, expected], search);
}

interface TotalsAnswer {
  data?: unknown[];
  asOf?: number;
  errors?: { code: string }[];
}

/** All faults are in the answer. Without faults, it has the sums of all transactions that match. */
async function checkTotals(
  search: string,
  { data, asOf, errors }: TotalsAnswer,
  status: number,
): Promise<void> {
  const faults = totalsFaults(search);
  if (faults.size > 0) {
    assert.deepEqual([status, new Set(errors?.map(({ code }) => code))], [400, faults], search);
    return;
  }
  // Requests are sent one after the other, so nothing was recorded meanwhile.
  const query = { account: ACCOUNT, filter: NO_FILTER, after: null };
  const { transactions } = await store.listTransactions(query, Number.MAX_SAFE_INTEGER);
  const { headSequence } = await store.listChanges({ account: ACCOUNT, after: 0, limit: 1 });
  const expected = totalsAnswer(search, transactions);
  assert.deepEqual([status, data, asOf], [200, expected, headSequence], search);
}
