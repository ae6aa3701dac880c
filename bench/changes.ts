import { importing } from './changes/import-into-one-account.ts';
import { pages } from './changes/pages.ts';
import { wakeUp } from './changes/wake-up.ts';
import { filledDatabase } from './filled-database.ts';
import type { Rounds } from './list-requests.ts';
import { type DataSize, rowsOf, TINY } from './rig/data.ts';
import { withDatabases } from './rig/databases.ts';
import type { Finding } from './rig/report.ts';

const IMPORTED_ROWS = 1_000_000;
const FEWER_IMPORTED_ROWS = 300_000;

/** The change feed on both stores: long polls, pages by depth, and recordings during an import into the same account. */
export async function changes(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  await withDatabases('changes', async (databases) => {
    findings.push(...(await wakeUp(databases, rounds)));
    findings.push(...(await pages(await filledDatabase(databases, size), size, { rounds, secondsEach })));
    findings.push(...(await importing(databases, importedRowsOf(size), secondsEach)));
  });
  return findings;
}

function importedRowsOf(size: DataSize): number {
  if (size === TINY) return rowsOf(TINY);
  return rowsOf(size) < IMPORTED_ROWS ? FEWER_IMPORTED_ROWS : IMPORTED_ROWS;
}
