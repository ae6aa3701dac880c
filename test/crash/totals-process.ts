import { setImmediate as nextTurn } from 'node:timers/promises';
import { sealUpTo } from '../../src/ledger/seals/seal-up-to.ts';
import { openStore } from '../../src/store/open-store.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';

/*
 * Records and seals until it is killed, and prints a line after each recording. Its arguments are the address of a database, an account,
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
    process.stdout.write('recorded\n');
  }
}

async function sealOn(): Promise<never> {
  for (;;) {
    const options = { isStopped: () => false, monotonicMs: () => performance.now(), pause: () => nextTurn() };
    await sealUpTo(store, account, { atMost: random.integer(1, MAX_STEP) }, options);
    await nextTurn();
  }
}

await Promise.all([recordOn(), sealOn()]);
