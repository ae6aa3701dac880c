import { type DataSize, rowsOf, withCsv } from './rig/data.ts';
import { onBothStores } from './rig/databases.ts';
import { startImport } from './rig/import-process.ts';
import { residentMb } from './rig/process-use.ts';
import { type Finding, finding } from './rig/report.ts';
import { inRounds } from './rig/rounds.ts';
import { spreadOf } from './rig/statistics.ts';

const SAMPLE_EVERY_MS = 100;

/** Measures the speed (rows a second) and the memory of an import into an empty database, on both stores. */
export async function importing(size: DataSize, rounds: number): Promise<Finding[]> {
  const rows = rowsOf(size);
  return withCsv(size, (csv) =>
    onBothStores('import', async ({ store, create }) => {
      const { rate, peak, growth } = await inRounds(`${store}: import`, { rounds }, async () => {
        const url = await create();
        const startedAtMs = performance.now();
        const { pid, done } = startImport(url, csv);
        const held: number[] = [];
        const sampling = setInterval(() => {
          const heldMb = residentMb(pid);
          if (!Number.isNaN(heldMb)) held.push(heldMb);
        }, SAMPLE_EVERY_MS);
        await done.finally(() => clearInterval(sampling));
        const third = Math.floor(held.length / 3);
        return {
          rate: rows / ((performance.now() - startedAtMs) / 1000),
          peak: Math.max(...held),
          growth: Math.max(...held.slice(2 * third)) / Math.max(...held.slice(third, 2 * third)),
        };
      });
      const goal = store === 'SQLite' ? 'at least 60,000' : 'at least 40,000';
      const what = `${store}: import`;
      return [
        finding(`${what} of ${rows.toLocaleString('en')} rows, rows a second`, spreadOf(rate), goal, 0),
        finding(`${what}, peak memory, MB`, spreadOf(peak), 'under 200', 0),
        finding(
          `${what}, peak memory in the last third, relative to the middle third`,
          spreadOf(growth),
          'flat',
        ),
      ];
    }),
  );
}
