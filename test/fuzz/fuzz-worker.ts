import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { Random } from '../rig/run/random.ts';
import { runChunks } from '../rig/run/workers.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts';
import type { FuzzResult } from './run-fuzz.ts';
import { apps, checkers, environment } from './service.ts';

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
    } = await apps[to].server.inject({
      ...(options as InjectOptions),
      ...(payload !== undefined && { payload }),
    });
    // The OpenAPI document omits the page and its files, which can also be cached with 304.
    const isPage = to === 'public' && (status === 200 || status === 304) && /^\/$|^\/page\//.test(pathname);
    if (!isPage) checkers[to]({ method, path: pathname, status, headers: answered, body });
    assert.ok(status < 500, `${status}: ${body}`);
    return status;
  } catch (error) {
    throw new Error(`request ${seed}: ${(error as Error).message}\n${JSON.stringify(request)}`, {
      cause: error,
    });
  }
}
