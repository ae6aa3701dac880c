import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { followLag } from './copy/follow-lag.ts';
import { listsDuringCopy } from './copy/lists-during-copy.ts';
import { copyRate } from './copy/rate.ts';
import type { Rounds } from './list-requests.ts';
import { CACHE, type DataSize, databaseOf, rowsOf, writeCsv } from './rig/data.ts';
import { withDatabases } from './rig/databases.ts';
import type { Finding } from './rig/report.ts';

/** Copies of a database on SQLite to both stores: their rate, their memory, lists of the source meanwhile, and how far following is behind. */
export async function copying(size: DataSize, scale: Rounds): Promise<Finding[]> {
  mkdirSync(CACHE, { recursive: true });
  const csv = `${CACHE}import-${rowsOf(size)}.csv`;
  if (!existsSync(csv)) {
    await writeCsv(size, createWriteStream(`${csv}.making`));
    renameSync(`${csv}.making`, csv);
  }
  const { path, keys } = await databaseOf(size);
  const source = { url: `sqlite:${path}`, keys, rows: rowsOf(size), csv };
  const findings: Finding[] = [];
  await withDatabases('copy', async (databases) => {
    findings.push(...(await copyRate(databases, source, scale)));
    findings.push(...(await listsDuringCopy(databases, source, scale)));
    findings.push(...(await followLag(databases, scale)));
  });
  return findings;
}
