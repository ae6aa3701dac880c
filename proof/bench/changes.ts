import { openStore } from '../../src/store/open-store.ts';
import { type DataSize, LARGE_ACCOUNT } from './rig/data.ts';
import { filledDatabase, onBothStores } from './rig/databases.ts';
import { type Finding, finding } from './rig/report.ts';
import { callsEach, inRounds } from './rig/rounds.ts';
import { ratioOf, spreadOf } from './rig/statistics.ts';

const LIMIT = 100;
const CALLS_EACH = 1000;

/** CPU of a page of 100 changes in the middle of the large account's feed, and of its last full page. */
export const changes = (size: DataSize, rounds: number): Promise<Finding[]> =>
  onBothStores('changes', async (databases) => {
    const { store: name, url, serverCpuMs } = await filledDatabase(databases, size);
    const { store } = await openStore(url, Date.now);
    const calls = callsEach(rounds, CALLS_EACH);
    const cpuUs = async (after: number) => {
      const serverMs = serverCpuMs();
      const own = process.cpuUsage();
      for (let call = 0; call < calls; call++) {
        const { changes } = await store.listChanges({ account: LARGE_ACCOUNT, after, limit: LIMIT });
        if (changes.length !== LIMIT) throw new Error('the page of changes is not full');
      }
      const { user, system } = process.cpuUsage(own);
      return (user + system + (serverCpuMs() - serverMs) * 1000) / calls;
    };
    const { last, middle } = await inRounds(
      `${name}: pages of changes`,
      { rounds, isWarmedUp: true },
      async () => ({
        last: await cpuUs(size.largeRows - LIMIT),
        middle: await cpuUs(Math.floor(size.largeRows / 2)),
      }),
    );
    await store.close();
    const what = `${name}: page of 100 changes, CPU${name === 'SQLite' ? '' : ' with the database'}`;
    return [
      finding(`${what}, the last one, in us`, spreadOf(last), '', 0),
      finding(`${what}, in the middle, relative to the last one`, ratioOf(middle, last), 'at most 1.2'),
    ];
  });
