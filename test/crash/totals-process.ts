import { setImmediate as nextTurn } from 'node:timers/promises';
import { sealUpTo } from '../../src/ledger/seals/seal-up-to.ts';
import { readNumbers } from '../../src/ledger/totals/utc-totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';

/*
 * Records, additions and seals until it is killed, and prints a line after each addition. Its arguments are the address of a database, an account,
 * a number that no process before it had, and a seed.
 */

const [databaseUrl = '', account = '', run = '', seed = ''] = process.argv.slice(2);
const MAX_STEP = 40;
const DAYS = 70;

const random = new Random(Number(seed));
const { store } = await openStore(databaseUrl, Date.now);

async function recordOn(): Promise<never> {
  for (let count = 0; ; count++) {
    const rows = Array.from({ length: random.integer(1, 10) }, (_, index) => ({
      ...pending(account, `${run}-${count}-${index}`, random.integer(-DAYS, DAYS) * 86_400_000),
      amountMinor: random.integer(-500, 1000),
    }));
    await record(store, rows);
    await record(
      store,
      rows.filter(() => random.chance(0.5)).map((row) => completed(row)),
    );
  }
}

async function addOn(): Promise<never> {
  for (;;) {
    const { totalsSequence: from, headSequence } = await readNumbers(store, account);
    const upTo = Math.min(headSequence, from + random.integer(1, MAX_STEP));
    if (upTo > from) {
      await store.addToTotals(account, from, upTo, await store.sumChanges(account, from, upTo));
      process.stdout.write('added\n');
    }
    await nextTurn();
  }
}

async function sealOn(): Promise<never> {
  for (;;) {
    const options = { isStopped: () => false, monotonicMs: () => performance.now(), pause: () => nextTurn() };
    await sealUpTo(store, account, { atMost: random.integer(1, MAX_STEP) }, options);
    await nextTurn();
  }
}

await Promise.all([recordOn(), addOn(), sealOn()]);
