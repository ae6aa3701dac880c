import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LostPositionError } from '../../client/src/errors.ts';
import type { Send } from '../../client/src/send.ts';
import { pageOfFeed, scriptedChange } from '../../test/rig/data/scripted-feed.ts';
import { type FeedPosition, followFeed, type News } from './follow-feed.ts';

const CHANGES = Array.from({ length: 5000 }, (_, index) => scriptedChange(index + 1));
const HEAD = '/v1/totals?to=1970-01-01';

/** Follows a feed of 5,000 changes, and stops at the second pause. Changes up to `floor` are archived. */
async function follow(position: FeedPosition | undefined, floor = 0) {
  const abort = new AbortController();
  const events: (string | number | News)[] = [];
  const send: Send = async (call) => {
    const path = String(call);
    events.push(path);
    const totals = { data: [], asOf: 5000, asOfId: 'chg_5000' };
    if (Number(/after=(\d+)/.exec(path)?.[1]) < floor)
      throw Object.assign(Object.create(LostPositionError.prototype), { floorSequence: floor });
    const body = path === HEAD ? totals : pageOfFeed(CHANGES, path);
    return { body, requestId: 'request', headers: new Headers() };
  };
  let pauses = 0;
  const sleep = async (milliseconds: number) => {
    events.push(milliseconds);
    if (++pauses === 2) abort.abort();
    abort.signal.throwIfAborted();
  };
  let known = position;
  const report = (news: News) => {
    events.push({ ...news, changes: [] });
    known = news.position;
  };
  await assert.rejects(
    followFeed({ send, sleep }, () => known, report, abort.signal),
    { name: 'AbortError' },
  );
  return events;
}

const end = { after: 5000, afterId: 'chg_5000' };
const live = { isLive: true, hasMissed: false, changes: [], begunAfter: undefined, position: end };
const waiting = '/v1/changes?after=5000&afterId=chg_5000&limit=1000&wait=10';

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
    HEAD,
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

test('a feed whose last changes are archived begins after them, and has missed changes only if it had begun', async () => {
  const [position, changes] = [{ after: 4990 }, '/v1/changes?after=4990&limit=1000&wait=0'];
  const begun = { isLive: false, hasMissed: false, changes: [], begunAfter: 4990, position };
  const first = '/v1/changes?after=4980&limit=1000&wait=0';
  assert.deepEqual((await follow(undefined, 4990)).slice(0, 5), [HEAD, first, HEAD, begun, changes]);
  const [, , missed] = await follow({ after: 4980 }, 4990);
  assert.deepEqual(missed, { ...begun, hasMissed: true });
});
