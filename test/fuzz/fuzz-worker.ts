import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { Random } from '../rig/random.ts';
import { runChunks } from '../rig/workers.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts';
import { isGoodListQuery } from './list-query-oracle.ts';
import type { FuzzResult } from './run-fuzz.ts';
import { apps, checkers, surroundings } from './service.ts';

runChunks(async ({ first, count }): Promise<FuzzResult> => {
  const byStatus: FuzzResult['byStatus'] = {};
  for (let seed = first; seed < first + count; seed++) {
    const request = fuzzRequest(new Random(seed), surroundings);
    const status = await send(request, seed);
    byStatus[status] = (byStatus[status] ?? 0) + 1;
  }
  return { requests: count, byStatus };
});

async function send(request: FuzzRequest, seed: number): Promise<number> {
  const { to, method, headers, payload } = request;
  // As the client of the test spells it; a path that it refuses is sent through a socket elsewhere.
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
    // The page and its files may be kept by a cache, and stand in no document.
    const isPage = to === 'public' && status === 200 && /^\/$|^\/page\//.test(pathname);
    if (!isPage) checkers[to]({ method, path: pathname, status, headers: answered, body });
    assert.ok(status < 500, `${status}: ${body}`);
    checkList(request, pathname, search, status);
    return status;
  } catch (error) {
    throw new Error(`request ${seed}: ${(error as Error).message}\n${JSON.stringify(request)}`, {
      cause: error,
    });
  }
}

/** A query that is wrong is never taken, and one that is right never refused. */
function checkList({ method, headers }: FuzzRequest, path: string, search: string, status: number): void {
  if (path !== '/v1/transactions' || !['GET', 'HEAD'].includes(method)) return;
  const isRightKey = headers['authorization'] === `Bearer ${surroundings.accountKey}`;
  if (!isRightKey || path.length + search.length > 4096 || search.includes('cursor')) return;
  assert.equal(status === 200, isGoodListQuery(search), `${search} was answered by ${status}`);
}
