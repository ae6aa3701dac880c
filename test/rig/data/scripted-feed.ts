import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { Change, ChangePage, Transaction } from '../../../client/src/index.ts';
import { serveHttp } from '../http/loopback.ts';

export const scriptedTransaction = (fields: Partial<Transaction> = {}): Transaction => ({
  reference: 'pay_1',
  merchantReference: null,
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-03-01T10:00:05.000Z',
  createdAt: '2026-03-01T10:00:00.000Z',
  ...fields,
});

export const scriptedChange = (sequence: number, fields: Partial<Transaction> = {}): Change => ({
  sequence,
  id: `chg_${sequence}`,
  type: 'transaction.completed',
  previousStatus: sequence % 2 === 0 ? 'pending' : null,
  recordedAt: '2026-03-01T10:00:06.000Z',
  transaction: scriptedTransaction({ reference: `pay_${sequence}`, ...fields }),
});

/** The page that the service sends for `path`, such as /v1/changes?after=7, if its feed has `changes`. */
export function pageOfFeed(changes: readonly Change[], path: string, most = 1000): ChangePage {
  const query = new URL(path, 'http://service.test').searchParams;
  const after = Number(query.get('after') ?? 0);
  const data = changes.slice(after, after + Math.min(Number(query.get('limit') ?? 100), most));
  const lastSequence = after + data.length;
  const [lastId, headSequence] = [changes[lastSequence - 1]?.id ?? null, changes.length];
  return { data, lastSequence, lastId, headSequence, hasMore: headSequence > lastSequence };
}

export interface ScriptedFeed {
  url: string;
  changes: Change[];
  record(): void;
  waiting(): Promise<void>;
  /** Called with the number of each request, from 1. Returns true if it has sent the response. */
  intercept: (request: number, response: ServerResponse) => boolean;
}

export async function scriptedFeed(t: TestContext, count: number): Promise<ScriptedFeed> {
  const changes = Array.from({ length: count }, (_, index) => scriptedChange(index + 1));
  const callers: (() => void)[] = [];
  let noteWaiting = Promise.withResolvers<void>();
  let requests = 0;

  const feed: ScriptedFeed = {
    url: '',
    changes,
    record: () => {
      feed.changes.push(scriptedChange(feed.changes.length + 1));
      for (const answer of callers.splice(0)) answer();
    },
    waiting: () => (callers.length > 0 ? Promise.resolve() : noteWaiting.promise),
    intercept: () => false,
  };
  feed.url = await serveHttp(t, (request, response) => {
    if (feed.intercept(++requests, response)) return;
    const path = String(request.url);
    const query = new URL(path, 'http://service.test').searchParams;
    const after = Number(query.get('after') ?? 0);
    const afterId = query.get('afterId');
    const answer = () => {
      if (afterId !== null && feed.changes[after - 1]?.id !== afterId) {
        refuse(response, 409, 'history_changed', `Change ${after} has another id.`);
        return;
      }
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(pageOfFeed(feed.changes, path)));
    };
    if (after < feed.changes.length || Number(query.get('wait') ?? 0) === 0) return answer();
    callers.push(answer);
    noteWaiting.resolve();
    noteWaiting = Promise.withResolvers<void>();
  });
  return feed;
}

export function refuse(response: ServerResponse, status: number, code: string, detail: string): true {
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ code, detail, errors: [{ parameter: 'after', code, detail }] }));
  return true;
}
