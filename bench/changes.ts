import { importing } from './changes/import-into-one-account.ts';
import { type Feed, pages } from './changes/pages.ts';
import { wakeUp } from './changes/wake-up.ts';
import type { Rounds } from './list-requests.ts';
import { importInto } from './postgres.ts';
import { type DataSize, databaseOf, makeKeys, rowsOf, TINY } from './rig/data.ts';
import { type Databases, withDatabases } from './rig/databases.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import type { Finding } from './rig/report.ts';

const IMPORTED_ROWS = 1_000_000;
const FEWER_IMPORTED_ROWS = 300_000;

/** The change feed on both stores: long polls, pages by depth, and recordings during an import into the same account. */
export async function changes(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  await withDatabases('changes', async (databases) => {
    findings.push(...(await wakeUp(databases, rounds)));
    findings.push(...(await pages(await feedOf(databases, size), size, { rounds, secondsEach })));
    findings.push(...(await importing(databases, importedRowsOf(size), secondsEach)));
  });
  return findings;
}

function importedRowsOf(size: DataSize): number {
  if (size === TINY) return rowsOf(TINY);
  return rowsOf(size) < IMPORTED_ROWS ? FEWER_IMPORTED_ROWS : IMPORTED_ROWS;
}

async function feedOf(databases: Databases, size: DataSize): Promise<Feed> {
  const { store, serverCpuMs } = databases;
  if (store === 'SQLite') {
    const { path, keys } = await databaseOf(size);
    return { store, url: `sqlite:${path}`, keys, serverCpuMs };
  }
  const url = await databases.create();
  await importInto(url, size);
  await queryPostgresOnce(url, 'VACUUM (ANALYZE) transactions');
  return { store, url, keys: await makeKeys(url, size), serverCpuMs };
}
