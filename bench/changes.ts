import { pages } from './changes/pages.ts';
import { wakeUp } from './changes/wake-up.ts';
import { filledDatabase } from './filled-database.ts';
import type { Rounds } from './list-requests.ts';
import type { DataSize } from './rig/data.ts';
import { withDatabases } from './rig/databases.ts';
import type { Finding } from './rig/report.ts';

/** The change feed on both stores: long polls, and pages by depth. */
export async function changes(size: DataSize, scale: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  await withDatabases('changes', async (databases) => {
    findings.push(...(await wakeUp(databases, scale.rounds)));
    findings.push(...(await pages(await filledDatabase(databases, size), size, scale)));
  });
  return findings;
}
