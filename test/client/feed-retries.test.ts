import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AuthenticationError,
  type ChangeFeed,
  type Fetch,
  InvalidRequestError,
  RateLimitedError,
  SequenceAheadError,
  ServiceError,
  UnexpectedResponseError,
} from '../../client/src/index.ts';
import { scriptedChange } from '../rig/data/scripted-feed.ts';
import { answer, clientOn, type TestOptions } from '../rig/http/client.ts';

type FetchResponse = Awaited<ReturnType<Fetch>>;
type Answer = FetchResponse | Error | (() => Promise<never>);

function page(sequence: number): FetchResponse {
  const [lastSequence, lastId, headSequence] = [sequence, `chg_${sequence}`, sequence];
  return answer(200, {
    data: [scriptedChange(sequence)],
    lastSequence,
    lastId,
    headSequence,
    hasMore: false,
  });
}

const LOST = new TypeError('fetch failed');
const CUT = answer(200, '{"data":[');
const failing = (status: number, headers: Record<string, string> = {}) => answer(status, {}, headers);
const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);

/** A feed that begins after change 7. Its service gives these responses in turn. */
function feedOn(
  answers: readonly Answer[],
  options: Partial<TestOptions> = {},
  signal?: AbortSignal,
): { feed: ChangeFeed; left: Answer[]; waitsMs: number[] } {
  const left = [...answers];
  const fetch: Fetch = async () => {
    const next = left.shift() ?? assert.fail('one request too many');
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next() : next;
  };
  const { client, waitsMs } = clientOn(fetch, 'a-key', { random: () => 0, ...options });
  return { feed: client.changes.follow({ after: 7 }, { signal }), left, waitsMs };
}

async function firstOf(feed: ChangeFeed): Promise<number> {
  return (await feed.page()).data[0]?.sequence ?? assert.fail('an empty page');
}

test('a feed outlasts an outage of any length: lost connections, 408, 429 and 5xx', async () => {
  const kinds: Answer[] = [LOST, CUT, ...[408, 429, 500, 502, 503, 504].map((status) => failing(status))];
  const outage = Array.from({ length: 40 }, () => kinds).flat();
  const { feed, left, waitsMs } = feedOn([...outage, page(8), LOST, page(9)]);
  assert.equal(await firstOf(feed), 8);
  assert.equal(await firstOf(feed), 9);
  assert.deepEqual([left, waitsMs.length], [[], outage.length + 1]);
});

test('a feed outlasts time limits', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const hang = () => {
    t.mock.timers.runAll();
    return new Promise<never>(() => {});
  };
  const { feed, waitsMs } = feedOn([...times(20, hang), page(8)]);
  assert.equal(await firstOf(feed), 8);
  assert.equal(waitsMs.length, 20);
});

test('the pauses of a feed double up to 15 seconds, plus a random part of up to the same length, and begin again', async () => {
  for (const [random, factor] of [
    [0, 1],
    [0.5, 1.5],
  ] as const) {
    const { feed, waitsMs } = feedOn([...times(8, LOST), page(8), LOST, page(9)], { random: () => random });
    await firstOf(feed);
    await firstOf(feed);
    const pauses = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 500];
    assert.deepEqual(
      waitsMs,
      pauses.map((pauseMs) => pauseMs * factor),
    );
  }
});

test('a feed waits for Retry-After, up to a day, or up to maxRetryAfterMs if it is given', async () => {
  const retryAfter = (seconds: number) => failing(503, { 'retry-after': String(seconds) });
  const { feed, waitsMs } = feedOn([retryAfter(7), retryAfter(600), retryAfter(86_400), page(8)]);
  assert.equal(await firstOf(feed), 8);
  assert.deepEqual(waitsMs, [7000, 600_000, 86_400_000]);
  await assert.rejects(firstOf(feedOn([retryAfter(86_401)]).feed), ServiceError);
  const given = feedOn([failing(429, { 'retry-after': '3' })], { maxRetryAfterMs: 2999 });
  await assert.rejects(firstOf(given.feed), RateLimitedError);
});

test('what retrying cannot fix ends a feed, also after an outage', async () => {
  const ahead = { code: 'sequence_ahead', detail: 'after is 7.', headSequence: 3 };
  for (const [refusal, wanted] of [
    [failing(400), InvalidRequestError],
    [failing(401), AuthenticationError],
    [failing(501), ServiceError],
    [answer(400, ahead), SequenceAheadError],
    [page(9), UnexpectedResponseError],
    [answer(200, '<html>', { 'content-type': 'text/html' }), UnexpectedResponseError],
  ] as const) {
    const { feed, left, waitsMs } = feedOn([...times(9, LOST), refusal, page(8)]);
    await assert.rejects(firstOf(feed), wanted);
    assert.deepEqual([left.length, waitsMs.length, feed.after], [1, 9, 7]);
  }
});

test('an aborted signal ends a feed during an outage', async () => {
  const stopping = new AbortController();
  const reason = new Error('enough');
  let pauses = 0;
  const sleep = async () => {
    if (++pauses === 20) stopping.abort(reason);
  };
  const { feed, left } = feedOn([...times(20, LOST), page(8)], { sleep }, stopping.signal);
  await assert.rejects(firstOf(feed), reason);
  assert.deepEqual([left.length, feed.after], [1, 7]);
});
