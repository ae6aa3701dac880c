import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '../../client/src/send.ts';
import { followFeed, type News } from './follow-feed.ts';

async function follow(position: { after: number } | undefined) {
  const abort = new AbortController();
  const events: (string | number | News)[] = [];
  const send: Send = (path) => {
    events.push(String(path));
    const query = new URL(String(path), 'http://localhost').searchParams;
    const after = Number(query.get('after'));
    const data = Array.from({ length: Math.min(Number(query.get('limit')), 5000 - after) }, (_, index) => ({
      id: `id-${after + index + 1}`,
      sequence: after + index + 1,
      type: 'transaction.completed',
      previousStatus: null,
      recordedAt: '2026-06-15T12:00:00.000Z',
      transaction: {
        reference: 'reference',
        merchantReference: null,
        status: 'completed',
        amount: '1.00',
        currencyCode: 'EUR',
        createdAt: '2026-06-15T12:00:00.000Z',
        paidAt: '2026-06-15T12:00:00.000Z',
      },
    }));
    const lastSequence = after + data.length;
    const body = {
      data,
      lastSequence,
      lastId: `id-${lastSequence}`,
      headSequence: 5000,
      hasMore: lastSequence < 5000,
    };
    return Promise.resolve({ body, requestId: 'request', headers: new Headers() });
  };
  let pauses = 0;
  const sleep = async (milliseconds: number) => {
    events.push(milliseconds);
    if (++pauses === 2) abort.abort();
    abort.signal.throwIfAborted();
  };
  const report = (news: News) => events.push({ ...news, changes: [] });
  await assert.rejects(
    followFeed({ send, sleep }, () => position, report, abort.signal),
    { name: 'AbortError' },
  );
  return events;
}

const end = { after: 5000, afterId: 'id-5000' };
const live = { isLive: true, hasMissed: false, changes: [], begunAfter: undefined, position: end };
const waiting = '/v1/changes?after=5000&afterId=id-5000&limit=1000&wait=10';

test('a feed is live after its first page, which is requested without a wait, and pauses after each page', async () => {
  assert.deepEqual(await follow({ after: 4999 }), [
    '/v1/changes?after=4999&limit=1000&wait=0',
    live,
    1000,
    waiting,
    live,
    1000,
  ]);
});

test('a feed without a position begins 20 changes before its end, and says where', async () => {
  assert.deepEqual(await follow(undefined), [
    '/v1/changes?after=0&limit=1',
    '/v1/changes?after=4980&limit=1000&wait=0',
    { ...live, begunAfter: 4980 },
    1000,
    waiting,
    live,
    1000,
  ]);
});

test('a feed that is too far behind continues before its end, and says that changes were missed', async () => {
  const [, , missed] = await follow({ after: 0 });
  assert.deepEqual(missed, { ...live, hasMissed: true, position: { after: 4980 } });
});
