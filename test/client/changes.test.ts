import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Change,
  type ChangeFeed,
  type Fetch,
  RateLimitedError,
  RequestTimeoutError,
  type SavedFeed,
  ServiceError,
  UnexpectedResponseError,
} from '../../client/src/index.ts';
import { pageOfFeed, scriptedChange } from '../rig/data/scripted-feed.ts';
import { answer, answersInTurn, clientOn, type TestOptions } from '../rig/http/client.ts';

type FetchResponse = Awaited<ReturnType<Fetch>>;

const NEVER: Fetch = () => new Promise(() => {});

const changes = (...sequences: number[]) => sequences.map((sequence) => scriptedChange(sequence));
const upTo = (head: number) => Array.from({ length: head }, (_, index) => scriptedChange(index + 1));
const sequencesOf = (data: readonly Change[]) => data.map(({ sequence }) => sequence);

function page(data: readonly Change[], after: number, headSequence: number): FetchResponse {
  const lastSequence = data.at(-1)?.sequence ?? after;
  const lastId = lastSequence === 0 ? null : `chg_${lastSequence}`;
  return answer(200, { data, lastSequence, lastId, headSequence, hasMore: headSequence > lastSequence });
}

const feedOf =
  (head: () => number): Fetch =>
  async (url) =>
    answer(200, pageOfFeed(upTo(head()), url));

const following = (head: () => number) => clientOn(feedOf(head), 'a-key');

const respondingInTurn = (...responses: FetchResponse[]) => clientOn(answersInTurn(...responses), 'a-key');

async function read(feed: AsyncIterable<Change>, count: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { sequence } of feed) if (seen.push(sequence) === count) break;
  return seen;
}

test('a feed returns every change after a number in order, and each request asks for 1000 changes and waits 25 seconds', async () => {
  const { client, requests } = following(() => 2500);
  const feed = client.changes.follow({ after: 200 });
  assert.deepEqual(requests, []);
  assert.deepEqual(await read(feed, 2300), sequencesOf(upTo(2500)).slice(200));
  assert.deepEqual(
    requests,
    ['200', '1200&afterId=chg_1200', '2200&afterId=chg_2200'].map(
      (after) => `/v1/changes?after=${after}&limit=1000&wait=25`,
    ),
  );
  const other = following(() => 3);
  assert.deepEqual(await read(other.client.changes.follow({ limit: 2, wait: 5 }), 3), [1, 2, 3]);
  assert.deepEqual(other.requests, [
    '/v1/changes?after=0&limit=2&wait=5',
    '/v1/changes?after=2&afterId=chg_2&limit=2&wait=5',
  ]);
});

test('a feed is read by change, by response, or by both, and says how far it is behind', async () => {
  const { client } = following(() => 25);
  const feed = client.changes.follow({ limit: 10 });
  assert.deepEqual(await read(feed, 3), [1, 2, 3]);
  const { data, headSequence } = await feed.page();
  assert.deepEqual([sequencesOf(data), headSequence], [[4, 5, 6, 7, 8, 9, 10], 25]);
  const lengths: number[] = [];
  for await (const one of feed.pages()) {
    lengths.push(one.data.length);
    if (one.data.at(-1)?.sequence === one.headSequence) break;
  }
  assert.deepEqual(lengths, [10, 5]);
  assert.equal(feed.after, 25);
});

test('a service that answers at once without a change gets at most two requests in a second', async () => {
  let head = 0;
  const { client, requests, waitsMs } = clientOn(
    async (url, init) => {
      if (requests.length === 4) head = 1;
      return feedOf(() => head)(url, init);
    },
    'a-key',
    { now: () => 0, random: () => 0.5 },
  );
  assert.deepEqual(await read(client.changes.follow(), 1), [1]);
  assert.deepEqual(waitsMs, [750, 750, 750]);
});

test('a change that is missing or repeated is an error that names the numbers, and none of its page is returned', async () => {
  const wrong: [response: FetchResponse, message: RegExp][] = [
    [page(changes(8, 10), 7, 12), /has a gap: change 10 follows 8 /],
    [page(changes(9), 7, 12), /has a gap: change 9 follows 7 /],
    [page(changes(8, 8), 7, 12), /repeats a change: 8 follows 8 /],
    [page(changes(7, 8), 7, 12), /repeats a change: 7 follows 7 /],
    [page(changes(8, 9, 5), 7, 12), /repeats a change: 5 follows 9 /],
    [page([], 7, 9), /has a gap: no change follows 7, and its head is 9 /],
  ];
  for (const [response, message] of wrong) {
    const { client, requests, waitsMs } = respondingInTurn(response);
    const feed = client.changes.follow({ after: 7 });
    const error = await read(feed, 1).catch((reason) => reason);
    assert.ok(error instanceof UnexpectedResponseError);
    assert.match(error.message, message);
    assert.match(error.message, /request client-/);
    assert.equal(feed.after, 7);
    assert.deepEqual([requests.length, waitsMs.length], [1, 0]);
    const alone = respondingInTurn(response);
    await assert.rejects(alone.client.changes.list({ after: 7 }), {
      name: 'UnexpectedResponseError',
      message,
    });
  }
});

test('a feed is retried maxRetries times if the option is given, and after an error another loop continues it', async () => {
  let failures = 0;
  const { client, waitsMs } = clientOn(
    async (url, init) => {
      if (failures > 0) {
        failures--;
        return answer(503);
      }
      return feedOf(() => 9)(url, init);
    },
    'a-key',
    { random: () => 0, maxRetries: 5 },
  );
  const feed = client.changes.follow({ limit: 3 });
  assert.deepEqual(await read(feed, 3), [1, 2, 3]);
  failures = 5;
  assert.deepEqual(await read(feed, 3), [4, 5, 6]);
  assert.deepEqual(waitsMs, [500, 1000, 2000, 4000, 8000]);
  failures = 6;
  await assert.rejects(read(feed, 3), ServiceError);
  assert.deepEqual(await read(feed, 3), [7, 8, 9]);
});

test('the time limit of an attempt begins after the wait that the request asks for', async () => {
  const { client, requests } = clientOn(NEVER, 'a-key', { timeoutMs: 5, maxRetries: 0 });
  const startedAtMs = performance.now();
  const error = await read(client.changes.follow({ wait: 1 }), 1).catch((reason) => reason);
  assert.ok(error instanceof RequestTimeoutError);
  assert.match(error.message, /did not answer within 1005 ms/);
  assert.equal(requests.length, 1);
  // A timer of 1005 ms can fire a millisecond early.
  assert.ok(performance.now() - startedAtMs >= 1004);
  await assert.rejects(client.changes.list({}, { timeoutMs: 7 }), /did not answer within 7 ms/);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) };
}

test('an aborted signal ends a feed with its reason: during a wait, and during a pause', async () => {
  const during = abortable();
  let ended = false;
  const waiting = clientOn((_url, { signal }) => {
    signal.addEventListener('abort', () => {
      ended = true;
    });
    setImmediate(during.abort);
    return new Promise(() => {});
  }, 'a-key');
  const feed = waiting.client.changes.follow({ after: 7 }, { signal: during.signal });
  await assert.rejects(read(feed, 1), during.signal.reason);
  assert.equal(ended, true, 'the request goes on');
  assert.equal(feed.after, 7);

  const pausing = abortable();
  const empty = clientOn(
    async () => {
      setImmediate(pausing.abort);
      return page([], 0, 0);
    },
    'a-key',
    { sleep: undefined, now: () => 0 },
  );
  await assert.rejects(read(empty.client.changes.follow({}, { signal: pausing.signal }), 1), /enough/);
});

test('a saved position is never ahead of the loop, does not contain the key, and continues in another process', async () => {
  const { client, requests } = following(() => 12);
  assert.deepEqual(client.changes.follow({ after: 5 }).toJSON(), { after: 5 });
  const feed = client.changes.follow({ limit: 5 });
  for await (const { sequence } of feed) {
    assert.deepEqual(JSON.parse(JSON.stringify(feed)), { after: sequence, afterId: `chg_${sequence}` });
    assert.equal(feed.after, sequence);
    const saved = JSON.parse(JSON.stringify(feed)) as SavedFeed;
    if (sequence < 12) assert.deepEqual(await read(client.changes.follow(saved), 1), [sequence + 1]);
    if (sequence === 12) break;
  }
  assert.equal(requests.filter((path) => path.includes('limit=5')).length, 3);
});

test('a number that is out of range is refused before anything is sent', async () => {
  const { client, requests } = clientOn(async () => assert.fail('nothing is sent'), 'a-key');
  const refused = async (query: object, expected: object) => {
    assert.throws(() => client.changes.follow(query as never), expected);
    await assert.rejects(client.changes.list(query as never), expected);
  };
  const range = (name: string, text: string) => ({
    name: 'ArgumentError',
    message: `${name} is not a whole number from ${text}.`,
  });
  for (const after of [-1, 1.5, '7', null, Number.NaN, 2 ** 53])
    await refused({ after }, range('after', '0 to 9007199254740991'));
  for (const limit of [0, 1001, '10']) await refused({ limit }, range('limit', '1 to 1000'));
  for (const wait of [-1, 31, 0.5]) await refused({ wait }, range('wait', '0 to 30'));
  assert.throws(() => client.changes.follow({ wait: 0 }), range('wait', '1 to 30'));
  for (const query of [7, null, 'a'])
    await refused(query as never, { name: 'ArgumentError', message: /pass \{ after \}/ });
  assert.equal(requests.length, 0);
});

const next = (sequence: number) => page(changes(sequence), sequence - 1, sequence);
const LOST = new TypeError('fetch failed');
const failing = (status: number, headers: Record<string, string> = {}) => answer(status, {}, headers);
const losing = (count: number) => Array.from({ length: count }, () => LOST);

function feedOn(answers: readonly (FetchResponse | Error)[], options: Partial<TestOptions> = {}) {
  const all = { random: () => 0, ...options };
  const { client, requests, waitsMs } = clientOn(answersInTurn(...answers), 'a-key', all);
  return { feed: client.changes.follow({ after: 7 }), requests, waitsMs };
}

async function firstOf(feed: ChangeFeed): Promise<number> {
  return (await feed.page()).data[0]?.sequence ?? assert.fail('an empty page');
}

test('a feed outlasts an outage of any length: lost connections, 408, 429 and 5xx', async () => {
  const statuses = [408, 429, 500, 502, 503, 504].map((status) => failing(status));
  const outage = Array.from({ length: 40 }, () => [LOST, answer(200, '{"data":['), ...statuses]).flat();
  const { feed, requests, waitsMs } = feedOn([...outage, next(8), LOST, next(9)]);
  assert.equal(await firstOf(feed), 8);
  assert.equal(await firstOf(feed), 9);
  assert.deepEqual([requests.length, waitsMs.length], [outage.length + 3, outage.length + 1]);
});

test('the pauses of a feed double up to 15 seconds, plus a random part of up to the same length, and start over after a success', async () => {
  for (const [random, factor] of [
    [0, 1],
    [0.5, 1.5],
  ] as const) {
    const { feed, waitsMs } = feedOn([...losing(8), next(8), LOST, next(9)], { random: () => random });
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
  const { feed, waitsMs } = feedOn([retryAfter(7), retryAfter(600), retryAfter(86_400), next(8)]);
  assert.equal(await firstOf(feed), 8);
  assert.deepEqual(waitsMs, [7000, 600_000, 86_400_000]);
  await assert.rejects(firstOf(feedOn([retryAfter(86_401)]).feed), ServiceError);
  const given = feedOn([failing(429, { 'retry-after': '3' })], { maxRetryAfterMs: 2999 });
  await assert.rejects(firstOf(given.feed), RateLimitedError);
});
