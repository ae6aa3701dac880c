import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { Random } from '../rig/run/random.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts';

interface FuzzOptions {
  first: number;
  count: number;
  endsAtMs?: number;
  onProgress?: (done: number) => void;
}

/** Checks every response. Returns how many requests got each status. */
export async function runFuzz({
  first,
  count,
  endsAtMs = Number.POSITIVE_INFINITY,
  onProgress = () => {},
}: FuzzOptions): Promise<Map<number, number>> {
  const service = await import('./service.ts');
  const byStatus = new Map<number, number>();
  for (let sent = 0; sent < count && performance.now() < endsAtMs; onProgress(++sent)) {
    const seed = first + sent;
    const request = fuzzRequest(new Random(seed), service.environment);
    const status = await send(service, request, seed);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }
  return byStatus;
}

async function send(
  { apps, checkers }: typeof import('./service.ts'),
  request: FuzzRequest,
  seed: number,
): Promise<number> {
  const { to, method, headers, payload } = request;
  // `inject` needs a URL in normal form. The socket tests send paths in any form.
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
