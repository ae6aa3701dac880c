import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Logger } from 'pino';
import type { TotalsFolder } from '../ledger/totals/totals.ts';
import { BackgroundFolder } from './folding.ts';

const PAGE_MS = 100;
const LOOK_AGAIN_MS = 2000;
/** A fold takes as long as so many changes, and a millisecond at least. */
const CHANGES_A_MS = 50;
const SCAN_MS = 60_000;
const RETRIES_MS = [5000, 10_000];

interface Numbers {
  folded: number;
  head: number;
}

/**
 * A folder on a store of accounts, in simulated time: while it waits for the next scan, the steps of the test run, one for each
 * wait. `finish` resolves when they have all run.
 */
function rig(accounts: Record<string, Numbers>, steps: (() => void)[] = []) {
  const state = {
    nowMs: 0,
    scans: 0,
    slept: [] as number[],
    folds: [] as [account: string, atMs: number, from: number, upTo: number][],
    logged: [] as string[],
    failures: 0,
    unfolded: [] as number[],
    /** Throws if folding of an account fails. */
    onFold: (_account: string) => {},
    /** Is called when accounts are looked at again soon. */
    onLookAgain: () => {},
  };
  const of = (account: string) => accounts[account] as Numbers;
  const store: TotalsFolder = {
    readRollUp: async ({ account }) => ({
      totals: [],
      foldedSequence: of(account).folded,
      headSequence: of(account).head,
      lastNonce: null,
    }),
    sumChanges: async () => ({ sums: [], lastNonce: null }),
    fold: async (account, from, upTo) => {
      state.onFold(account);
      assert.equal(of(account).folded, from);
      of(account).folded = upTo;
      state.folds.push([account, state.nowMs, from, upTo]);
      state.nowMs += Math.max(1, (upTo - from) / CHANGES_A_MS);
      return true;
    },
    listUnfolded: async (after, limit) => {
      if (after === '') state.scans++;
      const names = Object.keys(accounts).filter((account) => account > after);
      return {
        accounts: names
          .slice(0, limit)
          .map((account) => ({ account, foldedSequence: of(account).folded, headSequence: of(account).head }))
          .filter(({ foldedSequence, headSequence }) => headSequence > foldedSequence),
        last: names.slice(0, limit).at(-1) ?? null,
      };
    },
  };
  const finished = Promise.withResolvers<void>();
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    state.slept.push(milliseconds);
    if (milliseconds === LOOK_AGAIN_MS) state.onLookAgain();
    const isWait = milliseconds > LOOK_AGAIN_MS && !RETRIES_MS.includes(milliseconds);
    if (isWait) {
      const step = steps.shift();
      step?.();
      if (step === undefined) {
        finished.resolve();
        if (!signal.aborted) await once(signal, 'abort');
      }
    }
    if (!isWait || !signal.aborted) state.nowMs += milliseconds;
  };
  const folder = new BackgroundFolder({
    store,
    logger: { warn: (_: object, text: string) => state.logged.push(text) } as unknown as Logger,
    metrics: {
      countFolded: () => {},
      countFoldingFailure: () => state.failures++,
      setUnfolded: (changes) => state.unfolded.push(changes),
    },
    monotonicMs: () => state.nowMs,
    sleep,
  });
  const finish = async () => {
    folder.start();
    await finished.promise;
    await folder.stop();
  };
  return { state, folder, finish };
}

const account = (head: number): Numbers => ({ folded: 0, head });
const foldedOf = ({ folds }: { folds: [string, ...unknown[]][] }) => folds.map(([name]) => name);

test('at its start, accounts with 100 unfolded changes or more are folded, in steps, with pauses as long as the work', async () => {
  const accounts = { a: account(99), b: account(100), c: account(600), d: account(0) };
  const { state, finish } = rig(accounts);
  await finish();
  assert.deepEqual(state.folds, [
    ['b', 0, 0, 100],
    ['c', 2, 0, 250],
    ['c', 7, 250, 600],
  ]);
  assert.equal(state.slept[0], 14);
  assert.deepEqual(state.unfolded, [799]);
});

test('accounts that other processes record are found once a minute', async () => {
  const accounts = { a: account(0) };
  const { state, finish } = rig(accounts, [
    () => {
      accounts.a.head = 150;
    },
    () => {},
  ]);
  await finish();
  assert.equal(state.scans, 3);
  assert.deepEqual(state.folds, [['a', SCAN_MS + PAGE_MS, 0, 150]]);
});

test('an hour after its start, every account with an unfolded change is folded', async () => {
  const accounts = { a: account(1), b: account(0), c: account(99) };
  const { state, finish } = rig(
    accounts,
    Array<() => void>(60).fill(() => {}),
  );
  await finish();
  assert.deepEqual(foldedOf(state), ['a', 'c']);
  assert.deepEqual(state.unfolded.slice(-3), [100, 100, 0]);
});

test('10,000 accounts with a few unfolded changes are folded in twice the time of the work', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `store-${String(index).padStart(5, '0')}`);
  const { state, finish } = rig(
    Object.fromEntries(names.map((name, index) => [name, account(1 + (index % 99))])),
    Array<() => void>(60).fill(() => {}),
  );
  await finish();
  assert.deepEqual(foldedOf(state), names);
  const [first, last] = [state.folds[0], state.folds.at(-1)].map((fold) => fold?.[1] ?? 0) as [
    number,
    number,
  ];
  const workMs = names.reduce((sum, _, index) => sum + Math.max(1, (1 + (index % 99)) / CHANGES_A_MS), 0);
  assert.ok(last - first >= 1.9 * workMs && last - first <= 2.1 * workMs, `${last - first} ms`);
});

test('an account of which this process has recorded 100 changes since the last scan is folded at once, not before', async () => {
  const accounts = { a: account(99), b: account(99) };
  const { state, folder, finish } = rig(accounts, [
    () => {
      folder.noteRecorded('a', 64);
      folder.noteRecorded('b', 1);
      folder.noteRecorded('a', 35);
    },
    () => {
      accounts.a.head = 199;
      folder.noteRecorded('a', 99);
      folder.noteRecorded('b', 99);
      folder.noteRecorded('a', 1);
    },
    () => folder.noteRecorded('a', 99),
  ]);
  await finish();
  assert.deepEqual(state.folds, [['a', SCAN_MS + 2 * PAGE_MS, 0, 199]]);
});

test('an account whose totals were read with 100 unfolded changes is folded at once, with fewer it is not', async () => {
  const accounts = { a: account(0), b: account(0) };
  const { state, folder, finish } = rig(accounts, [
    () => {
      accounts.a.head = 99;
      accounts.b.head = 100;
      folder.noteUnfolded('a', 99);
      folder.noteUnfolded('b', 100);
    },
  ]);
  await finish();
  assert.deepEqual(foldedOf(state), ['b']);
});

test('more accounts than a page has are all found', async () => {
  const names = Array.from({ length: 1200 }, (_, index) => `store-${String(index).padStart(4, '0')}`);
  const { state, finish } = rig(Object.fromEntries(names.map((name) => [name, account(100)])));
  await finish();
  assert.deepEqual(foldedOf(state), names);
});

test('an account that an import goes on recording is folded every two seconds until it ends, and then left alone', async () => {
  const accounts = { a: account(1000) };
  const { state, finish } = rig(accounts);
  const imported = [5000, 5000, 99];
  state.onLookAgain = () => {
    accounts.a.head += imported.shift() ?? 0;
  };
  await finish();
  assert.deepEqual(accounts.a, { folded: 11_000, head: 11_099 });
  assert.equal(state.slept.filter((milliseconds) => milliseconds === LOOK_AGAIN_MS).length, 3);
});

test('an account that is far behind lets others have their turn', async () => {
  const accounts = { a: account(250_000), b: account(100) };
  const { state, finish } = rig(accounts);
  await finish();
  const order = foldedOf(state).filter((name, index, all) => name !== all[index - 1]);
  assert.deepEqual(order, ['a', 'b', 'a']);
  assert.deepEqual(accounts.a, { folded: 250_000, head: 250_000 });
});

test('failures are logged once and tried again less and less often; other accounts are folded', async () => {
  const accounts = { a: account(100), b: account(100), c: account(100) };
  const { state, finish } = rig(accounts);
  state.onFold = (name) => {
    if (name !== 'c') throw new Error('permission denied');
  };
  await finish();
  assert.deepEqual(foldedOf(state), ['c']);
  assert.deepEqual(state.slept.slice(0, 2), [5000, 10_000]);
  assert.equal(state.failures, 2);
  assert.deepEqual(state.logged, [
    'could not add changes to the stored totals; trying again later. Totals are right meanwhile, and slower to read',
  ]);
});

test('after a success, the next failure is logged again', async () => {
  const accounts = { a: account(100) };
  let isFailing = true;
  const { state, finish } = rig(accounts, [
    () => {
      isFailing = false;
    },
    () => {
      isFailing = true;
      accounts.a.head = 200;
    },
  ]);
  state.onFold = () => {
    if (isFailing) throw new Error('the database is away');
  };
  await finish();
  assert.deepEqual(foldedOf(state), ['a']);
  assert.equal(state.logged.length, 2);
});

test('a stop ends folding after the step in progress', async () => {
  const { state, folder } = rig({ a: account(100_000), b: account(100) });
  const stopped = Promise.withResolvers<void>();
  state.onFold = () => {
    if (state.folds.length === 2) void folder.stop().then(stopped.resolve);
  };
  folder.start();
  await stopped.promise;
  assert.deepEqual(foldedOf(state), ['a', 'a', 'a']);
});
