import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sealChanges, UNSEALED } from '../../src/ledger/seals/seal.ts';
import { readTotals } from '../../src/ledger/totals/read-totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ALL_TOTALS } from '../rig/data/all-totals.ts';
import { changesOf } from '../rig/data/changes.ts';
import { expectedTotals } from '../rig/data/expected-totals.ts';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';

const KILLS = inTier({ short: 4, long: 10 });
const KILLS_ON_POSTGRES = inTier({ short: 2, long: 5 });
/** A process is killed after a random number of recordings, at most this many, */
const MAX_RECORDINGS = 25;
/** and then a random time, at most this long, so that kills interrupt every step of a recording. */
const MAX_LATER_MS = 4;
const ACCOUNT = 'store-1';
const PROCESS = fileURLToPath(new URL('./totals-process.ts', import.meta.url));

/** Starts a process that records, and kills it at a random moment. */
async function killOne(databaseUrl: string, run: number, random: Random): Promise<void> {
  const child = spawn(process.execPath, [PROCESS, databaseUrl, ACCOUNT, `${run}`, `${random.next()}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(GIVE_UP_MS) });
  const recordings = random.integer(1, MAX_RECORDINGS);
  let seen = 0;
  for await (const _ of createInterface({ input: child.stdout })) if (++seen === recordings) break;
  assert.equal(seen, recordings, 'the process ended by itself');
  await delay(random.integer(0, MAX_LATER_MS));
  child.kill('SIGKILL');
  await exited;
}

/**
 * Checks the seal and the totals, each up to their number. PostgreSQL can still commit what the killed process had sent, so each number is
 * that of its own read, and the changes are read last.
 */
async function check(store: Store): Promise<void> {
  const query = { account: ACCOUNT, ...ALL_TOTALS };
  const totals = await readTotals(store, { ...query, by: null });
  const totalsByDay = await readTotals(store, { ...query, by: 'day' });
  const { sequence, nonce, seal } = await store.readSeal(ACCOUNT);
  const changes = await changesOf(store, ACCOUNT);
  const sealed = { last: undefined, changes: changes.slice(0, sequence), headSequence: changes.length };
  const { head } = sealChanges(ACCOUNT, UNSEALED, sealed);
  assert.deepEqual([head.sequence, head.nonce, head.seal], [sequence, nonce, seal]);
  for (const [read, each] of [
    [totals, null],
    [totalsByDay, 'day'],
  ] as const)
    assert.deepEqual(read.totals, expectedTotals(changes, read.asOf, { ...query, by: each }));
}

/** Kills processes on a database, one after the other, and checks what each leaves. */
async function killAndCheck(databaseUrl: string, kills: number): Promise<void> {
  const random = new Random(seed);
  for (let run = 1; run <= kills; run++) {
    await killOne(databaseUrl, run, random);
    const { store } = await openStore(databaseUrl, Date.now);
    try {
      await check(store);
    } finally {
      await store.close();
    }
  }
}

test(`${KILLS} kills of a process that records on SQLite, at random moments: totals are exact`, async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  await killAndCheck(`sqlite:${folder.path}/transactions.db`, KILLS);
});

test(`${KILLS_ON_POSTGRES} kills of a process that records on PostgreSQL, at random moments: totals are exact`, async () => {
  await killAndCheck(await makePostgresDatabase(), KILLS_ON_POSTGRES);
});
