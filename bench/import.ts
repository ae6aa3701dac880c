import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import type { Rounds } from './list-requests.ts';
import { BINARY, CACHE, type DataSize, rowsOf, writeCsv } from './rig/data.ts';
import { residentMb } from './rig/process-use.ts';
import { type Finding, note } from './rig/report.ts';
import { shown, spreadOf } from './rig/statistics.ts';

const SAMPLE_EVERY_MS = 100;

/** Rows a second and memory of an import into an empty SQLite database, with all checks and indexes. */
export async function importing(size: DataSize, { rounds }: Rounds): Promise<Finding[]> {
  const rows = rowsOf(size);
  mkdirSync(CACHE, { recursive: true });
  const csv = `${CACHE}import-${rows}.csv`;
  if (!existsSync(csv)) {
    await writeCsv(size, createWriteStream(`${csv}.making`));
    renameSync(`${csv}.making`, csv);
  }
  const database = `${CACHE}import-${process.pid}.db`;
  const rates: number[] = [];
  const peaks: number[] = [];
  const growths: number[] = [];
  for (let round = 0; round < rounds; round++) {
    note(`import: round ${round + 1} of ${rounds}`);
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, [BINARY, 'import', csv], {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: `sqlite:${database}` },
      stdio: 'ignore',
    });
    const held: number[] = [];
    const sampling = setInterval(() => {
      const heldMb = residentMb(child.pid as number);
      // A process that has just ended has no memory figure.
      if (!Number.isNaN(heldMb)) held.push(heldMb);
    }, SAMPLE_EVERY_MS);
    const [status] = await once(child, 'exit');
    clearInterval(sampling);
    if (status !== 0) throw new Error('the import failed');
    rates.push(rows / ((performance.now() - startedAtMs) / 1000));
    peaks.push(Math.max(...held));
    // Memory is flat if the last third of the import holds no more than the middle third.
    const third = Math.floor(held.length / 3);
    growths.push(Math.max(...held.slice(2 * third)) / Math.max(...held.slice(third, 2 * third)));
    for (const ending of ['', '-wal', '-shm']) rmSync(`${database}${ending}`, { force: true });
  }
  return [
    {
      name: `SQLite: import of ${rows.toLocaleString('en')} rows, rows a second`,
      figure: shown(spreadOf(rates), 0),
      goal: 'at least 50,000',
    },
    { name: 'SQLite: import, peak memory, MB', figure: shown(spreadOf(peaks), 0), goal: 'under 200' },
    {
      name: 'SQLite: import, peak memory in the last third, relative to the middle third',
      figure: shown(spreadOf(growths)),
      goal: 'flat',
    },
  ];
}
