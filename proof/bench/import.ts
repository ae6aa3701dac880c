import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import type { Rounds } from './list-requests.ts';
import { CACHE, type DataSize, rowsOf, writeCsv } from './rig/data.ts';
import { type Databases, withDatabases } from './rig/databases.ts';
import { startImport } from './rig/import-process.ts';
import { residentMb } from './rig/process-use.ts';
import { type Finding, note } from './rig/report.ts';
import { shown, spreadOf } from './rig/statistics.ts';

const SAMPLE_EVERY_MS = 100;

/** Rows a second and memory of an import to an empty database, with checks and indexes, on both stores. */
export async function importing(size: DataSize, { rounds }: Rounds): Promise<Finding[]> {
  mkdirSync(CACHE, { recursive: true });
  const csv = `${CACHE}import-${process.pid}.csv`;
  await writeCsv(size, createWriteStream(csv));
  const findings: Finding[] = [];
  await withDatabases('import', async (databases) => {
    findings.push(...(await importsInto(databases, csv, rowsOf(size), rounds)));
  });
  rmSync(csv);
  return findings;
}

async function importsInto(
  { store, create }: Databases,
  csv: string,
  rows: number,
  rounds: number,
): Promise<Finding[]> {
  const rates: number[] = [];
  const peaks: number[] = [];
  const growths: number[] = [];
  for (let round = 0; round < rounds; round++) {
    note(`${store}: import, round ${round + 1} of ${rounds}`);
    const url = await create();
    const startedAtMs = performance.now();
    const { pid, done } = startImport(url, csv);
    const held: number[] = [];
    const sampling = setInterval(() => {
      const heldMb = residentMb(pid);
      // A process that has just ended has no memory figure.
      if (!Number.isNaN(heldMb)) held.push(heldMb);
    }, SAMPLE_EVERY_MS);
    await done.finally(() => clearInterval(sampling));
    rates.push(rows / ((performance.now() - startedAtMs) / 1000));
    peaks.push(Math.max(...held));
    // Memory is flat if the last third of the import holds no more than the middle third.
    const third = Math.floor(held.length / 3);
    growths.push(Math.max(...held.slice(2 * third)) / Math.max(...held.slice(third, 2 * third)));
  }
  return [
    {
      name: `${store}: import of ${rows.toLocaleString('en')} rows, rows a second`,
      figure: shown(spreadOf(rates), 0),
      goal: store === 'SQLite' ? 'at least 50,000' : 'at least 40,000',
    },
    { name: `${store}: import, peak memory, MB`, figure: shown(spreadOf(peaks), 0), goal: 'under 200' },
    {
      name: `${store}: import, peak memory in the last third, relative to the middle third`,
      figure: shown(spreadOf(growths)),
      goal: 'flat',
    },
  ];
}
