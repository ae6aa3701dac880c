import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { NO_SEAL, type SealHead } from '../ledger/seals/seal.ts';
import type { Sealer, UnsealedLister } from '../ledger/seals/seals.ts';
import { backgroundSeals } from './background-seals.ts';

const GATHER_MS = 2000;
const BETWEEN_STEPS_MS = 20;

function rig(t: TestContext, heads: Record<string, number>, steps: (() => void)[] = []) {
  const sealed: Record<string, number> = {};
  const state = {
    nowMs: 0,
    logged: [] as string[],
    failures: 0,
    counted: 0,
    stored: [] as [account: string, from: number, upTo: number][],
    failing: new Set<string>(),
    pages: [] as Awaited<ReturnType<UnsealedLister['listUnsealed']>>[],
    scannedAfter: [] as string[],
    unsealed: [] as number[],
    isLate: false,
    pausing: 0,
    mostPausing: 0,
  };
  const head = (account: string): SealHead => ({
    sequence: sealed[account] ?? 0,
    nonce: null,
    seal: NO_SEAL,
    digests: '',
  });
  const ended = Promise.withResolvers<{ accounts: []; last: null }>();
  const store: Sealer & UnsealedLister = {
    listUnsealed: async (after) => {
      state.scannedAfter.push(after);
      const page = state.pages.shift();
      if (page?.last === 'unreadable') throw new Error('gone');
      return page ?? ended.promise;
    },
    readSeal: async (account) => {
      if (state.failing.has(account)) throw new Error('gone');
      return head(account);
    },
    sealChanges: async (account, from, limit) => {
      const headSequence = heads[account] ?? 0;
      const sequence = Math.min(headSequence, from.sequence + limit);
      state.nowMs += 1 + (sequence - from.sequence) / 100;
      return { head: { ...from, sequence }, blocks: [], headSequence };
    },
    storeSeals: async (account, from, { head: next }) => {
      if (state.isLate) sealed[account] = next.sequence;
      if (sealed[account] !== undefined && sealed[account] !== from.sequence) return false;
      sealed[account] = next.sequence;
      state.stored.push([account, from.sequence, next.sequence]);
      return true;
    },
  };
  const seals = backgroundSeals({
    store,
    logger: { error: (_: object, text: string) => state.logged.push(text) } as unknown as Logger,
    metrics: {
      countSealed: (changes) => {
        state.counted += changes;
      },
      countSealingFailure: () => state.failures++,
      setUnsealed: (changes) => state.unsealed.push(changes),
    },
    monotonicMs: () => state.nowMs,
    sleep: async (milliseconds) => {
      state.nowMs += milliseconds;
      if (milliseconds === GATHER_MS) steps.shift()?.();
      if (milliseconds === BETWEEN_STEPS_MS) state.mostPausing = Math.max(state.mostPausing, ++state.pausing);
      await nextTurn();
      if (milliseconds === BETWEEN_STEPS_MS) state.pausing--;
    },
  });
  t.after(async () => {
    ended.resolve({ accounts: [], last: null });
    await seals.stop();
  });
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await nextTurn();
  };
  return { seals, state, sealed, until };
}

test('changes that are recorded within the gathering time are sealed together, once', async (t) => {
  const { seals, state, until } = rig(t, { a: 1, b: 2 }, [
    () => {
      for (const account of ['b', 'a']) seals.noteRecorded(account);
    },
  ]);
  seals.start();
  seals.noteRecorded('a');
  await until(() => state.stored.length === 2);
  assert.deepEqual(state.stored, [
    ['a', 0, 1],
    ['b', 0, 2],
  ]);
  await until(() => state.counted === 3);
});

test('an account with millions of changes lets others have their turn', async (t) => {
  const { seals, state, sealed, until } = rig(t, { large: 250_000, small: 1 }, [
    () => {},
    () => seals.noteRecorded('small'),
  ]);
  seals.start();
  seals.noteRecorded('large');
  await until(() => sealed['large'] === 250_000);
  const small = state.stored.findIndex(([account]) => account === 'small');
  assert.ok(small > 0 && small < state.stored.length - 1);
});

test('the steps of several accounts follow each other, each after a pause', async (t) => {
  const { seals, state, sealed, until } = rig(t, { a: 5000, b: 5000 });
  seals.start();
  for (const account of ['a', 'b']) seals.noteRecorded(account);
  await until(() => sealed['a'] === 5000 && sealed['b'] === 5000);
  assert.equal(state.mostPausing, 1);
});

test('a failure is logged once for its account, and other accounts are sealed', async (t) => {
  const { seals, state, sealed, until } = rig(t, { a: 1, b: 1 });
  seals.start();
  state.failing.add('a');
  for (const account of ['a', 'b']) seals.noteRecorded(account);
  await until(() => sealed['b'] === 1 && state.failures === 1);
  seals.noteRecorded('a');
  await until(() => state.failures === 2);
  state.failing.clear();
  seals.noteRecorded('a');
  await until(() => sealed['a'] === 1);
  assert.equal(state.logged.length, 1);
});

test('a scan finds the changes of imports and other instances page by page, is repeated after a failure, and logs the failure once', async (t) => {
  const { seals, state, sealed, until } = rig(t, { a: 3, b: 4, c: 5 });
  const failing = { accounts: [], last: 'unreadable' };
  state.pages = [
    { accounts: [{ account: 'a', changes: 3 }], last: 'a' },
    { accounts: [{ account: 'b', changes: 4 }], last: 'b' },
    { accounts: [], last: null },
    failing,
    failing,
    { accounts: [{ account: 'c', changes: 5 }], last: null },
  ];
  seals.start();
  await until(() => sealed['c'] === 5);
  assert.deepEqual(sealed, { a: 3, b: 4, c: 5 });
  assert.deepEqual(state.scannedAfter.slice(0, 6), ['', 'a', 'b', '', '', '']);
  assert.deepEqual([state.unsealed, state.failures], [[7, 5], 2]);
  assert.deepEqual(state.logged, ['could not read the unsealed changes; trying again later']);
});
