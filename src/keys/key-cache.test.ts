import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiKey } from '../../test/store/api-keys-contract.ts';
import type { ApiKey } from './api-key.ts';
import { KEY_ENDS_FRESH_MS, KeyCache, LOOK_UP_SHARED_MS, MAX_KNOWN_ENDS } from './key-cache.ts';
import { KEY_ENDS_PAGE, KEY_ENDS_WINDOW_MS, type KeyEnd } from './keys.ts';

const key = apiKey('key_0000000000000001', { account: 'acct-1', hash: 'h1' });

function rig() {
  const state = {
    nowMs: 0,
    lookups: 0,
    key: key as ApiKey | undefined,
    ends: [] as KeyEnd[],
    endsRead: 0,
    away: false,
  };
  const answer = async <Value>(value: () => Value): Promise<Value> => {
    if (state.away) throw new Error('away');
    return value();
  };
  const readFrom: (number | null)[] = [];
  const store = {
    findApiKey: () => {
      state.lookups++;
      return answer(() => state.key);
    },
    listKeyEnds: (from: number | null) =>
      answer(() => {
        readFrom.push(from);
        const ends = state.ends
          .filter(({ recordedAtMs }) => recordedAtMs >= (from ?? 0))
          .slice(0, KEY_ENDS_PAGE);
        state.endsRead += ends.length;
        return ends;
      }),
  };
  const cache = new KeyCache(store, () => state.nowMs);
  const change = (fields: Partial<ApiKey>) => {
    state.key = { ...key, ...state.key, ...fields };
    const { id, revokedAtMs, expiresAtMs } = state.key;
    const recordedAtMs = (state.ends.at(-1)?.recordedAtMs ?? 0) + 1;
    state.ends = [
      ...state.ends.filter((end) => end.id !== id),
      { id, revokedAtMs, expiresAtMs, recordedAtMs },
    ];
  };
  const revoke = () => change({ revokedAtMs: state.nowMs });
  const roll = (expiresAtMs: number) => change({ expiresAtMs, rolledAtMs: state.nowMs });
  return { state, cache, store, readFrom, revoke, roll };
}

test('with current key ends, a key is looked up once a minute', async () => {
  const { state, cache } = rig();
  for (state.nowMs = 0; state.nowMs < 120_000; state.nowMs += 500) {
    await cache.refresh();
    assert.deepEqual(await cache.find('h1'), key);
  }
  assert.equal(state.lookups, 2);
});

test('the caller can prevent the lookup of a key that is not cached', async () => {
  const { state, cache } = rig();
  const refuse = () => {
    throw new Error('refused');
  };
  await assert.rejects(async () => cache.find('h1', refuse), /refused/);
  assert.equal(state.lookups, 0);
  await cache.find('h1');
  assert.deepEqual(await cache.find('h1', refuse), key);
  assert.equal(state.lookups, 2);
  state.key = { ...key, revokedAtMs: 0 };
  await cache.find('h1');
  await assert.rejects(async () => cache.find('h1', refuse), /refused/);
});

test('a cached key is found only by its own hash', async () => {
  const { state, cache } = rig();
  await cache.refresh();
  assert.deepEqual(await cache.find('h1'), key);
  const other = { ...key, id: 'key_0000000000000002', account: 'acct-2', hash: 'h2' };
  state.key = other;
  assert.deepEqual(await cache.find('h2'), other);
  assert.deepEqual(await cache.find('h1'), key);
  assert.deepEqual(await cache.find('h2'), other);
});

test('a cached key is used for less than a second after the last successful query of key ends', async () => {
  const { state, cache, revoke } = rig();
  await cache.refresh();
  await cache.find('h1');
  revoke();
  state.nowMs = KEY_ENDS_FRESH_MS - 1;
  assert.equal((await cache.find('h1'))?.revokedAtMs, null);
  state.nowMs = KEY_ENDS_FRESH_MS;
  assert.notEqual((await cache.find('h1'))?.revokedAtMs, null);
  assert.ok(KEY_ENDS_FRESH_MS < 1000);
});

test('the key ends are as old as the start of their query, not its end', async () => {
  const { state, cache, store } = rig();
  const answered = Promise.withResolvers<KeyEnd[]>();
  const slow = new KeyCache({ ...store, listKeyEnds: () => answered.promise }, () => state.nowMs);
  await slow.find('h1');
  const refreshed = slow.refresh();
  state.nowMs = KEY_ENDS_FRESH_MS;
  answered.resolve([]);
  await refreshed;
  await slow.find('h1');
  assert.equal(state.lookups, 2);
  assert.notEqual(slow, cache);
});

test('a failed query of key ends rejects, and extends the use of no key', async () => {
  const { state, cache } = rig();
  await cache.refresh();
  await cache.find('h1');
  state.away = true;
  await assert.rejects(cache.refresh());
  assert.deepEqual(await cache.find('h1'), key);
  state.nowMs = KEY_ENDS_FRESH_MS;
  await assert.rejects(async () => cache.find('h1'));
});

test('an unknown key is looked up each time, so a new key works at once', async () => {
  const { state, cache } = rig();
  state.key = undefined;
  await cache.refresh();
  assert.equal(await cache.find('h1'), undefined);
  state.key = key;
  assert.deepEqual(await cache.find('h1'), key);
});

function slowRig() {
  const { state, store, ...rest } = rig();
  const waiting: (() => void)[] = [];
  const slow = {
    ...store,
    findApiKey: async () => {
      const found = store.findApiKey();
      found.catch(() => {});
      await new Promise<void>((resolve) => waiting.push(resolve));
      return found;
    },
  };
  return { state, ...rest, waiting, cache: new KeyCache(slow, () => state.nowMs) };
}

test('requests of a key share the look-up in flight, whether or not the key ends are known', async () => {
  const { state, cache, waiting } = slowRig();
  const found = Array.from({ length: 200 }, () => cache.find('h1'));
  waiting.shift()?.();
  for (const one of await Promise.all(found)) assert.deepEqual(one, key);
  assert.equal(state.lookups, 1);
});

test('after two quick failures, requests of a key that wait or come soon cause no look-up, and a later one succeeds', async () => {
  const { state, cache, waiting } = slowRig();
  const answerAll = async () => {
    for (let turn = 0; turn < 3; turn++) {
      for (const answer of waiting.splice(0)) answer();
      await nextTurn();
    }
  };
  for (const isAway of [false, true]) {
    state.lookups = 0;
    state.away = isAway;
    state.key = undefined;
    const waitingOnes = Promise.allSettled(Array.from({ length: 200 }, () => cache.find('h1')));
    await answerAll();
    const statuses = new Set((await waitingOnes).map(({ status }) => status));
    assert.deepEqual([...statuses], [isAway ? 'rejected' : 'fulfilled']);
    assert.equal(state.lookups, 2);
  }
  for (let count = 0; count < 10; count++) await assert.rejects(async () => cache.find('h1'), /away/);
  assert.equal(state.lookups, 2);
  state.away = false;
  state.key = key;
  state.nowMs = LOOK_UP_SHARED_MS;
  const found = cache.find('h1');
  await answerAll();
  assert.deepEqual(await found, key);
});

test('a look-up that fails late fails for all requests that share it', async () => {
  const { state, cache, waiting } = slowRig();
  state.away = true;
  const shared = [cache.find('h1'), cache.find('h1')];
  state.nowMs = LOOK_UP_SHARED_MS;
  waiting.shift()?.();
  for (const one of shared) await assert.rejects(async () => one, /away/);
  assert.equal(state.lookups, 1);
});

test('a look-up in flight is not shared with a request that comes too late, or after the end of the key was read', async () => {
  for (const isLate of [true, false]) {
    const { state, cache, waiting, revoke } = slowRig();
    await cache.refresh();
    const early = cache.find('h1');
    revoke();
    if (isLate) state.nowMs = KEY_ENDS_FRESH_MS;
    else await cache.refresh();
    const late = cache.find('h1');
    waiting.shift()?.();
    assert.equal((await early)?.revokedAtMs, isLate ? null : 0);
    await nextTurn();
    waiting.shift()?.();
    assert.equal((await late)?.revokedAtMs, 0);
  }
});

test('while a query of key ends is late, a key is looked up once in the time in which its revocation must be known', async () => {
  const { state, cache, revoke } = rig();
  await cache.refresh();
  for (state.nowMs = KEY_ENDS_FRESH_MS; state.nowMs < 2 * KEY_ENDS_FRESH_MS; state.nowMs += 100)
    assert.deepEqual(await cache.find('h1'), key);
  assert.equal(state.lookups, 1);
  state.nowMs = 2 * KEY_ENDS_FRESH_MS - 1;
  revoke();
  assert.equal((await cache.find('h1'))?.revokedAtMs, null);
  state.nowMs++;
  assert.notEqual((await cache.find('h1'))?.revokedAtMs, null);
});

test('the number of cached keys is bounded: the oldest is dropped', async () => {
  const { state, cache } = rig();
  await cache.refresh();
  for (let count = 0; count <= 10_000; count++) await cache.find(`h${count}`);
  const lookups = state.lookups;
  await cache.find('h10000');
  assert.equal(state.lookups, lookups);
  await cache.find('h0');
  assert.equal(state.lookups, lookups + 1);
});

test('the end of a key is known by its id from the next refresh on, without a lookup', async () => {
  const { state, cache, revoke, roll } = rig();
  await cache.refresh();
  assert.equal(cache.endOf(key.id), undefined);
  roll(5000);
  assert.equal(cache.endOf(key.id), undefined);
  await cache.refresh();
  assert.deepEqual(cache.endOf(key.id), {
    id: key.id,
    revokedAtMs: null,
    expiresAtMs: 5000,
    recordedAtMs: 1,
  });
  revoke();
  await cache.refresh();
  assert.deepEqual(cache.endOf(key.id), { id: key.id, revokedAtMs: 0, expiresAtMs: 5000, recordedAtMs: 2 });
  assert.deepEqual([cache.endOf('key_other'), state.lookups], [undefined, 0]);
});

test('a key that this process ended is ended at once, even if the database has lost the end', async () => {
  const { cache } = rig();
  cache.noteEnded({ id: key.id, revokedAtMs: 1, expiresAtMs: null });
  await cache.refresh();
  assert.equal(cache.endOf(key.id)?.revokedAtMs, 1);
});

test('a cached key of a session is looked up again when the key that made it has ended', async () => {
  const { state, cache } = rig();
  state.key = { ...key, session: { madeBy: 'key_maker' } as ApiKey['session'] };
  await cache.refresh();
  await cache.find('h1');
  state.ends = [{ id: 'key_maker', revokedAtMs: 1, expiresAtMs: null, recordedAtMs: 1 }];
  await cache.refresh();
  assert.equal((await cache.find('h1'))?.revokedAtMs, 1);
  assert.equal(state.lookups, 2);
});

for (const how of ['revoked', 'rolled'] as const) {
  const ended = () => {
    const made = rig();
    const expected = how === 'revoked' ? [0, null] : [null, 5000];
    const end = () => (how === 'revoked' ? made.revoke() : made.roll(5000));
    const endOf = (found: ApiKey | undefined) => [found?.revokedAtMs, found?.expiresAtMs];
    return { ...made, expected, end, endOf };
  };

  test(`a key that is ${how} is looked up again as soon as its end is read`, async () => {
    const { state, cache, expected, end, endOf } = ended();
    await cache.refresh();
    await cache.find('h1');
    end();
    assert.deepEqual(endOf(await cache.find('h1')), [null, null]);
    await cache.refresh();
    for (let count = 0; count < 3; count++) assert.deepEqual(endOf(await cache.find('h1')), expected);
    assert.equal(state.lookups, how === 'revoked' ? 4 : 2);
  });

  test(`a key that was looked up before it was ${how}, and cached after its end was read, is not used`, async () => {
    const { state, cache, expected, end, endOf } = ended();
    await cache.refresh();
    const reading = cache.find('h1');
    end();
    await cache.refresh();
    assert.deepEqual(endOf(await reading), [null, null]);
    assert.deepEqual(endOf(await cache.find('h1')), expected);
    assert.equal(state.lookups, 2);
  });
}

const manyEnds = (count: number): KeyEnd[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index === count - 1 ? key.id : `key_${index}`,
    revokedAtMs: 0,
    expiresAtMs: null,
    recordedAtMs: index + 1,
  }));

test('if the last known end is gone, all of them are read, and every key is looked up again', async () => {
  const { state, cache, revoke } = rig();
  state.ends = manyEnds(3).slice(0, 2);
  await cache.refresh();
  assert.equal((await cache.find('h1'))?.revokedAtMs, null);
  state.ends = [];
  revoke();
  await cache.refresh();
  assert.equal(cache.endOf(key.id)?.recordedAtMs, 1);
  assert.notEqual((await cache.find('h1'))?.revokedAtMs, null);
  state.key = { ...key, hash: 'h2', id: 'key_0000000000000002' };
  await cache.find('h2');
  state.nowMs = 1;
  state.ends = [];
  await cache.refresh();
  state.key = undefined;
  assert.equal(await cache.find('h2'), undefined);
});

test('if the last known end is gone, a new end of a key counts even if its time is before that of the known one', async () => {
  const { state, cache, revoke, roll } = rig();
  state.ends = manyEnds(3).slice(0, 2);
  roll(5000);
  await cache.refresh();
  assert.equal(cache.endOf(key.id)?.recordedAtMs, 3);
  state.ends = [];
  revoke();
  state.ends.push({ id: 'key_other', revokedAtMs: 0, expiresAtMs: null, recordedAtMs: 2 });
  state.away = true;
  await assert.rejects(cache.refresh());
  state.away = false;
  await cache.refresh();
  assert.deepEqual(cache.endOf(key.id), { id: key.id, revokedAtMs: 0, expiresAtMs: 5000, recordedAtMs: 1 });
});

test('an end stays known for the window, and longer if it is among the last, even if the database has lost it', async () => {
  const { state, cache } = rig();
  state.ends = manyEnds(MAX_KNOWN_ENDS + 2);
  await cache.refresh();
  state.nowMs = KEY_ENDS_WINDOW_MS - 1;
  await cache.refresh();
  assert.equal(cache.knownEnds().length, MAX_KNOWN_ENDS + 2);
  state.nowMs = KEY_ENDS_WINDOW_MS;
  state.ends = [];
  await cache.refresh();
  assert.equal(cache.knownEnds().length, MAX_KNOWN_ENDS);
  assert.equal(cache.endOf('key_1'), undefined);
  assert.equal((await cache.find('h1'))?.revokedAtMs, 0);
});
