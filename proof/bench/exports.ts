import { exportRate } from './exports/rate.ts';
import { totalsRequests } from './exports/totals.ts';
import { filledDatabase } from './filled-database.ts';
import type { Rounds } from './list-requests.ts';
import type { DataSize } from './rig/data.ts';
import { withDatabases } from './rig/databases.ts';
import type { Finding } from './rig/report.ts';
import { startService } from './rig/server.ts';

/** Totals and exports of the large account on both stores. */
export async function exports(size: DataSize, scale: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  await withDatabases('exports', async (databases) => {
    const filled = await filledDatabase(databases, size);
    const service = await startService(filled.url);
    try {
      findings.push(...(await totalsRequests(filled, service, size, scale)));
      findings.push(...(await exportRate(filled, service, size, scale)));
    } finally {
      await service.stop();
    }
  });
  return findings;
}
