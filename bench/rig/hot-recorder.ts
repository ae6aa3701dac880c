/*
 * Records transactions of one account in groups, as a service does, but without HTTP.
 * Arguments: folder of the version, database URL, prefix of the references, recordings in flight, seconds. Prints JSON.
 */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openStoreOf } from './versions.ts';

const [root = '', databaseUrl = '', prefix = '', inFlight = '1', seconds = '1'] = process.argv.slice(2);
const { GroupCommit }: typeof import('../../src/ledger/record/group-commit.ts') = await import(
  join(root, 'src/ledger/record/group-commit.ts')
);
const store = await openStoreOf(root, databaseUrl);
const groups = new GroupCommit(store, () => nextTurn());
const startedAtMs = performance.now();
const cpu = process.cpuUsage();
const endsAtMs = startedAtMs + Number(seconds) * 1000;
let sent = 0;
let recorded = 0;
const work = async () => {
  while (performance.now() < endsAtMs) {
    const createdAtMs = Date.UTC(2024, 0, 1) + sent;
    const { outcome } = await groups.record({
      account: 'hot',
      reference: `hot-${prefix}-${sent++}`,
      merchantReference: null,
      status: 'completed',
      amountMinor: 1250,
      currencyCode: 'EUR',
      paidAtMs: createdAtMs,
      createdAtMs,
    });
    if (outcome !== 'recorded') throw new Error(`the outcome is ${outcome}`);
    recorded++;
  }
};
await Promise.all(Array.from({ length: Number(inFlight) }, work));
const { user, system } = process.cpuUsage(cpu);
const perSecond = (recorded * 1000) / (performance.now() - startedAtMs);
await store.close();
process.stdout.write(JSON.stringify({ perSecond, recorded, cpuMs: (user + system) / 1000 }));
