import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../client/src/change.ts';
import { LostPositionError } from '../../client/src/errors.ts';
import type { Send } from '../../client/src/send.ts';
import { pageOfFeed, scriptedChange } from '../../test/rig/data/scripted-feed.ts';
import { loadChanges } from './load-changes.ts';

const SINCE_MS = Date.parse('2026-06-14T00:00:00.000Z');

function change(sequence: number, reference: string, minutes: number, fields: Partial<Change> = {}): Change {
  const time = new Date(SINCE_MS + minutes * 60_000).toISOString();
  const status = fields.type?.replace('transaction.', '') ?? 'completed';
  const currencyCode = reference.startsWith('usd') ? 'USD' : 'EUR';
  return {
    ...scriptedChange(sequence, { reference, status, currencyCode }),
    ...{ type: `transaction.${status}`, previousStatus: null, recordedAt: time },
    ...fields,
  };
}

const serviceWith =
  (changes: readonly Change[], { most = 1000, floor = 0 } = {}): Send =>
  async (call) => {
    const path = String(call);
    const totals = { data: [], asOf: changes.length, asOfId: null };
    const [, after] = /after=(\d+)/.exec(path) ?? [];
    if (Number(after) < floor) throw lost(floor);
    const body = after === undefined ? totals : pageOfFeed(changes, path, most);
    return { body, requestId: 'request', headers: new Headers() };
  };

const lost = (floorSequence: number) =>
  Object.assign(Object.create(LostPositionError.prototype) as object, { floorSequence });

async function load(
  send: Send,
  { currency, page = 3, most = 100 }: { currency?: string; page?: number; most?: number } = {},
) {
  const counts: number[] = [];
  const since = { sinceMs: SINCE_MS, currency };
  const found = await loadChanges(send, since, new AbortController().signal, (count) => counts.push(count), {
    page,
    most,
  });
  const { changed, ...rest } = found;
  return {
    ...rest,
    counts,
    changed: changed.map(({ reference, previousStatus, status }) => [reference, previousStatus, status]),
  };
}

const COMPLETED = { type: 'transaction.completed', previousStatus: 'pending' };
const PENDING = { type: 'transaction.pending' };

test('each transaction recorded since a time is found once, the last change first, with the status before and after', async () => {
  const changes = [
    change(1, 'old', -2000, PENDING),
    change(2, 'before', -1),
    change(3, 'on-time', 0),
    change(4, 'both', 1, PENDING),
    change(5, 'usd', 2),
    change(6, 'old', 3, COMPLETED),
    change(7, 'both', 4, COMPLETED),
  ];
  const all = [
    ['both', null, 'completed'],
    ['old', 'pending', 'completed'],
    ['usd', null, 'completed'],
    ['on-time', null, 'completed'],
  ];
  for (const page of [1, 2, 3, 7, 1000])
    for (const most of [1, 1000]) {
      const found = await load(serviceWith(changes, { most }), { page });
      assert.deepEqual(found.changed, all, `${page} ${most}`);
      assert.deepEqual([found.readBackTo, found.isArchived], [undefined, false]);
    }
  const dollars = await load(serviceWith(changes), { currency: 'USD' });
  assert.deepEqual(dollars.changed, [['usd', null, 'completed']]);
});

test('the clocks of instances can differ, so reading ends only at a page without changes since the time', async () => {
  const minutes = [-60, -50, -40, -30, 5, -20, 4, -10, 6];
  const changes = minutes.map((minute, index) => change(index + 1, `t${index + 1}`, minute));
  const found = await load(serviceWith(changes));
  assert.deepEqual(
    found.changed.map(([reference]) => reference),
    ['t9', 't7', 't5'],
  );
  assert.deepEqual(found.counts, [3, 6]);
});

test('too many changes are cut, with the time of the earliest one that was read', async () => {
  const changes = Array.from({ length: 10 }, (_, index) => change(index + 1, `t${index + 1}`, index));
  const found = await load(serviceWith(changes), { most: 5 });
  assert.equal(found.changed.length, 6);
  assert.equal(found.readBackTo, changes[4]?.recordedAt);
  const whole = await load(serviceWith(changes), { most: 10 });
  assert.deepEqual([whole.changed.length, whole.readBackTo], [10, undefined]);
});

test('a feed that begins after the time, because older changes are archived, says so', async () => {
  const changes = [1, 2, 3, 4, 5].map((index) => change(index, `t${index}`, index));
  const found = await load(serviceWith(changes, { floor: 2 }), { page: 2 });
  assert.deepEqual(
    found.changed.map(([reference]) => reference),
    ['t5', 't4', 't3'],
  );
  assert.equal(found.isArchived, true);
  const older = [-9, -8, -7, 1, 2].map((minutes, index) => change(index + 1, `t${index}`, minutes));
  const whole = await load(serviceWith(older, { floor: 2 }));
  assert.deepEqual(
    [whole.changed.length, whole.isArchived],
    [2, false],
    'nothing since the time is archived',
  );
  assert.deepEqual(await load(serviceWith([])), {
    changed: [],
    counts: [],
    readBackTo: undefined,
    isArchived: false,
  });
});

test('a feed that ends earlier than it began, because the database was restored meanwhile, is read to its new end', async () => {
  const changes = [1, 2, 3].map((index) => change(index, `t${index}`, index));
  let requests = 0;
  const send: Send = (...call) => {
    assert.ok(++requests < 10);
    return serviceWith(requests === 1 ? changes : [])(...call);
  };
  assert.deepEqual((await load(send)).changed, []);
});
