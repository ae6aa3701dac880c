import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Logger } from 'pino';
import type { TotalsUpdater } from '../ledger/totals/totals.ts';
import { BackgroundTotals } from './background-totals.ts';

const PAGE_MS = 100;
/** An addition takes as long as so many changes, and a millisecond at least. */
const CHANGES_A_MS = 50;
/** Between scans, if there are few accounts and nothing was to be added. */
const SCAN_MS = 2000;
const SCANS_OF_AN_HOUR = 1 + Math.ceil(3_600_000 / (SCAN_MS + PAGE_MS));
const RETRIES_MS = [5000, 10_000];

interface Numbers {
  added: number;
  head: number;
  /** The last sealed change; absent if all are. */
  sealed?: number;
}

/**
 * The updates of a store of accounts, in simulated time: while it waits for the next scan, the steps of the test run, one for each
 * wait. `finish` resolves when they have all run.
 */
function rig(accounts: Record<string, Numbers>, steps: (() => void)[] = []) {
  const state = {
    nowMs: 0,
    scans: 0,
    slept: [] as number[],
    additions: [] as [account: string, atMs: number, from: number, upTo: number][],
    logged: [] as string[],
    failures: 0,
    behind: [] as number[],
    unsealed: [] as number[],
    found: [] as string[],
    /** Throws if the addition to an account fails. */
    onAdd: (_account: string) => {},
  };
  const of = (account: string) => accounts[account] as Numbers;
  const names = Object.keys(accounts);
  const store: TotalsUpdater = {
    readStoredTotals: async ({ account }) => ({
      totals: [],
      totalsSequence: of(account).added,
      headSequence: of(account).head,
      lastNonce: null,
    }),
    sumChanges: async () => ({ sums: [], lastNonce: null }),
    addToTotals: async (account, from, upTo) => {
      state.onAdd(account);
      assert.equal(of(account).added, from);
      of(account).added = upTo;
      state.additions.push([account, state.nowMs, from, upTo]);
      state.nowMs += Math.max(1, (upTo - from) / CHANGES_A_MS);
      return true;
    },
    listBehind: async (after, limit) => {
      if (after === '') state.scans++;
      const first = names.indexOf(after) + 1;
      const page = names.slice(first, first + limit);
      return {
        accounts: page
          .map((account) => {
            const { added, head, sealed } = of(account);
            return { account, totalsSequence: added, sealedSequence: sealed ?? head, headSequence: head };
          })
          .filter(({ totalsSequence, headSequence }) => headSequence > totalsSequence),
        last: page.at(-1) ?? null,
      };
    },
  };
  const finished = Promise.withResolvers<void>();
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    state.slept.push(milliseconds);
    const isWait = milliseconds >= SCAN_MS && !RETRIES_MS.includes(milliseconds);
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
  const totals = new BackgroundTotals({
    store,
    logger: { warn: (_: object, text: string) => state.logged.push(text) } as unknown as Logger,
    metrics: {
      countAdded: () => {},
      countAddingFailure: () => state.failures++,
      setBehind: (changes) => state.behind.push(changes),
      setUnsealed: (changes) => state.unsealed.push(changes),
    },
    onUnsealed: (account) => state.found.push(account),
    monotonicMs: () => state.nowMs,
    sleep,
  });
  const finish = async () => {
    totals.start();
    await finished.promise;
    await totals.stop();
  };
  return { state, totals, finish };
}

const account = (head: number): Numbers => ({ added: 0, head });
const totalsSequenceOf = ({ additions }: { additions: [string, ...unknown[]][] }) =>
  additions.map(([name]) => name);

test('at its start, accounts with 100 or more changes to add are handled, in steps, with pauses as long as the work', async () => {
  const accounts = { a: account(99), b: account(100), c: account(600), d: account(0) };
  const { state, finish } = rig(accounts);
  await finish();
  assert.deepEqual(state.additions, [
    ['b', 0, 0, 100],
    ['c', 2, 0, 250],
    ['c', 7, 250, 600],
  ]);
  assert.equal(state.slept[0], 14);
  assert.deepEqual(state.behind, [799]);
});

test('accounts that other processes record are found within seconds if there are few accounts', async () => {
  const accounts = { a: account(0) };
  const { state, finish } = rig(accounts, [
    () => {
      accounts.a.head = 150;
    },
    () => {},
  ]);
  await finish();
  assert.equal(state.scans, 3);
  assert.deepEqual(state.additions, [['a', SCAN_MS + PAGE_MS, 0, 150]]);
});

test('an hour after its start, every account with a change to add is handled', async () => {
  const accounts = { a: account(1), b: account(0), c: account(99) };
  const { state, finish } = rig(
    accounts,
    Array<() => void>(SCANS_OF_AN_HOUR).fill(() => {}),
  );
  await finish();
  assert.deepEqual(totalsSequenceOf(state), ['a', 'c']);
  assert.deepEqual(state.behind.slice(-3), [100, 100, 0]);
});

test('10,000 accounts with a few changes not in the stored totals are handled in twice the time of the work', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `store-${String(index).padStart(5, '0')}`);
  const { state, finish } = rig(
    Object.fromEntries(names.map((name, index) => [name, account(1 + (index % 99))])),
    Array<() => void>(SCANS_OF_AN_HOUR).fill(() => {}),
  );
  await finish();
  assert.deepEqual(totalsSequenceOf(state), names);
  const [first, last] = [state.additions[0], state.additions.at(-1)].map((add) => add?.[1] ?? 0) as [
    number,
    number,
  ];
  const workMs = names.reduce((sum, _, index) => sum + Math.max(1, (1 + (index % 99)) / CHANGES_A_MS), 0);
  assert.ok(last - first >= 1.9 * workMs && last - first <= 2.1 * workMs, `${last - first} ms`);
});

test('an account of which this process has recorded 100 changes since the last scan is handled at once, not before', async () => {
  const accounts = { a: account(99), b: account(99) };
  const { state, totals, finish } = rig(accounts, [
    () => {
      totals.noteRecorded('a', 64);
      totals.noteRecorded('b', 1);
      totals.noteRecorded('a', 35);
    },
    () => {
      accounts.a.head = 199;
      totals.noteRecorded('a', 99);
      totals.noteRecorded('b', 99);
      totals.noteRecorded('a', 1);
    },
    () => totals.noteRecorded('a', 99),
  ]);
  await finish();
  assert.deepEqual(state.additions, [['a', SCAN_MS + 2 * PAGE_MS, 0, 199]]);
});

test('an account whose totals were read with 100 changes to add is handled at once, with fewer it is not', async () => {
  const accounts = { a: account(0), b: account(0) };
  const { state, totals, finish } = rig(accounts, [
    () => {
      accounts.a.head = 99;
      accounts.b.head = 100;
      totals.noteBehind('a', 99);
      totals.noteBehind('b', 100);
    },
  ]);
  await finish();
  assert.deepEqual(totalsSequenceOf(state), ['b']);
});

test('more accounts than a page has are all found', async () => {
  const names = Array.from({ length: 1200 }, (_, index) => `store-${String(index).padStart(4, '0')}`);
  const { state, finish } = rig(Object.fromEntries(names.map((name) => [name, account(100)])));
  await finish();
  assert.deepEqual(totalsSequenceOf(state), names);
});

test('of 20,000 accounts, those that an import goes on recording are handled every three seconds, and once a minute after it', async () => {
  const quiet = Array.from({ length: 19_999 }, (_, index) => [`store-${index}`, account(0)] as const);
  const accounts: Record<string, Numbers> = { a: account(1000), ...Object.fromEntries(quiet) };
  const record = (changes: number) => () => {
    (accounts['a'] as Numbers).head += changes;
  };
  const { state, finish } = rig(accounts, [record(5000), record(5000), record(99)]);
  await finish();
  assert.deepEqual(accounts['a'], { added: 11_000, head: 11_099 });
  const waits = state.slept.filter((milliseconds) => milliseconds >= SCAN_MS);
  assert.deepEqual(waits, [3000, 3000, 3000, 60_000]);
});

test('an account that is far behind lets others have their turn', async () => {
  const accounts = { a: account(250_000), b: account(100) };
  const { state, finish } = rig(accounts);
  await finish();
  const order = totalsSequenceOf(state).filter((name, index, all) => name !== all[index - 1]);
  assert.deepEqual(order, ['a', 'b', 'a']);
  assert.deepEqual(accounts.a, { added: 250_000, head: 250_000 });
});

test('failures are logged once and tried again less and less often; other accounts are handled', async () => {
  const accounts = { a: account(100), b: account(100), c: account(100) };
  const { state, finish } = rig(accounts);
  state.onAdd = (name) => {
    if (name !== 'c') throw new Error('permission denied');
  };
  await finish();
  assert.deepEqual(totalsSequenceOf(state), ['c']);
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
  state.onAdd = () => {
    if (isFailing) throw new Error('the database is away');
  };
  await finish();
  assert.deepEqual(totalsSequenceOf(state), ['a']);
  assert.equal(state.logged.length, 2);
});

test('a stop ends the work after the step in progress', async () => {
  const { state, totals } = rig({ a: account(100_000), b: account(100) });
  const stopped = Promise.withResolvers<void>();
  state.onAdd = () => {
    if (state.additions.length === 2) void totals.stop().then(stopped.resolve);
  };
  totals.start();
  await stopped.promise;
  assert.deepEqual(totalsSequenceOf(state), ['a', 'a', 'a']);
});
