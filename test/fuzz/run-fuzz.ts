import assert from 'node:assert/strict';
import { SCOPES } from '../../values/scopes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { fc } from '../rig/run/properties.ts';
import { buildTestApp, type TestRequest } from '../rig/service/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/service/operator-app.ts';
import { type FuzzEnvironment, type FuzzRequest, fuzzRequests } from './fuzz-request.ts';

interface FuzzOptions {
  first: number;
  requests?: number;
  endsAtMs?: number;
  onProgress?: (done: number) => void;
}

export async function runFuzz({
  first: seed,
  requests: numRuns = Number.MAX_SAFE_INTEGER,
  endsAtMs,
  onProgress = () => {},
}: FuzzOptions): Promise<Map<number, number>> {
  const { environment, send } = await serve();
  const byStatus = new Map<number, number>();
  let sent = 0;
  const property = fc.asyncProperty(fuzzRequests(environment), async (request) => {
    const status = await send(request);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    onProgress(++sent);
  });
  await fc.assert(property, {
    seed,
    numRuns,
    ...(endsAtMs !== undefined && { interruptAfterTimeLimit: endsAtMs - performance.now() }),
  });
  return byStatus;
}

const ACCOUNT = 'store-1';

async function serve() {
  const app = await buildTestApp({
    exportLimits: {
      perAccount: 2,
      perProcess: 8,
      storedPerAccount: Number.POSITIVE_INFINITY,
      readerTimeoutMs: 60_000,
      stopGraceMs: 0,
    },
  });
  const operator = await buildTestOperatorApp(app.store, app.clock);
  await record(
    app.store,
    Array.from({ length: 25 }, (_, index) => transaction(ACCOUNT, `initial-${index}`)),
  );
  const accountKey = await app.makeKey(ACCOUNT, { scopes: SCOPES.account });
  const cursors: string[] = [];
  for (const query of ['', 'status=completed', 'currency=EUR&from=2026-02-01'])
    cursors.push((await app.send(`/v1/transactions?${query}`, { key: accountKey })).body.nextCursor);
  const environment: FuzzEnvironment = { accountKey, operatorKey: operator.key, cursors };

  const send = async ({ to, url, ...request }: FuzzRequest): Promise<number> => {
    const parsed = URL.parse(url, 'http://localhost/');
    fc.pre(parsed !== null);
    const { pathname, search } = parsed;
    fc.pre(!/^\/$|^\/page\//.test(pathname));
    const { status, text } = await (to === 'public'
      ? app.send(pathname + search, request as TestRequest)
      : operator.send(pathname + search, { ...request, key: null } as OperatorRequest));
    app.logged.length = 0;
    operator.logged.length = 0;
    assert.ok(status < 500, `${status}: ${text}`);
    return status;
  };
  return { environment, send };
}
