import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { Random } from '../rig/run/random.ts';
import { runChunks } from '../rig/run/workers.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts';
import { faultsOf } from './query-oracle.ts';
import type { FuzzResult } from './run-fuzz.ts';
import { apps, CHANGES, checkers, environment } from './service.ts';

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
    checkQuery(request, pathname, search, status, isGzipped ? String(gunzipSync(rawPayload)) : body);
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

/** All faults of a query are in the answer, and a query without faults is never refused. */
function checkQuery(
  { method, headers }: FuzzRequest,
  path: string,
  search: string,
  status: number,
  body: string,
): void {
  const isValidKey = headers['authorization'] === `Bearer ${environment.accountKey}`;
  if (method !== 'GET' || !isValidKey || path.length + search.length > 4096) return;
  const faults = faultsOf(path, search);
  if (faults === undefined || (path === '/v1/transactions' && search.includes('cursor'))) return;
  const after = Number(new URLSearchParams(search).get('after') ?? 0);
  // How many changes there are, others have recorded.
  if (path === '/v1/changes' && faults.size === 0 && after > CHANGES && status === 400)
    faults.add('sequence_ahead');
  const { errors = [] }: { errors?: { code: string }[] } = status === 400 ? JSON.parse(body) : {};
  const codes = new Set(errors.map(({ code }) => code));
  assert.deepEqual([status, codes], [faults.size > 0 ? 400 : 200, faults], search);
}
