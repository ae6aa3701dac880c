import { createWriteStream, rmSync } from 'node:fs';
import { CACHE, LARGE_ACCOUNT, writeCsv } from '../rig/data.ts';
import { type Databases, runCommand } from '../rig/databases.ts';
import { makeOperatorKey, putRequests } from '../rig/recorder.ts';
import { type Finding, note } from '../rig/report.ts';
import { startService } from '../rig/server.ts';
import { forSeconds, type SteadyResult, sendSteadily } from '../rig/steady.ts';
import { THIS_VERSION } from '../rig/versions.ts';

const PUTS_A_SECOND = 20;

/** How long single recordings of an account take while an import records into the same account. */
export async function importing(
  databases: Databases,
  rows: number,
  secondsEach: number,
  root = THIS_VERSION,
): Promise<Finding[]> {
  const url = await databases.create();
  const operatorKey = await makeOperatorKey(url, root);
  const csv = `${CACHE}one-account-${process.pid}.csv`;
  await writeCsv({ largeRows: rows, smallAccounts: 0, smallRows: 0 }, createWriteStream(csv));
  const service = await startService(url, { env: { OPERATOR_PORT: '0' }, cores: '0,1', root });
  const put = (phase: string) => async (index: number) => {
    const [request] = putRequests(operatorKey, `${phase}-${index}-`, 1, () => LARGE_ACCOUNT);
    const { path, ...init } = request as NonNullable<typeof request>;
    const response = await fetch(`${service.operatorUrl}${path}`, init);
    await response.text();
    return response.status === 201;
  };
  try {
    note(`${databases.store}: import of ${rows.toLocaleString('en')} rows into one account`);
    await sendSteadily(PUTS_A_SECOND, forSeconds(secondsEach), put('first'));
    const quiet = await sendSteadily(PUTS_A_SECOND, forSeconds(secondsEach * 5), put('quiet'));
    let isImporting = true;
    const imported = runCommand(url, ['import', csv], root).finally(() => {
      isImporting = false;
    });
    const during = await sendSteadily(PUTS_A_SECOND, () => isImporting, put('during'));
    const { tookMs } = await imported;
    return findingsOf(databases.store, rows, { quiet, during, tookMs });
  } finally {
    await service.stop();
    rmSync(csv);
  }
}

function findingsOf(
  store: string,
  rows: number,
  { quiet, during, tookMs }: { quiet: SteadyResult; during: SteadyResult; tookMs: number },
): Finding[] {
  const imported = `an import of ${rows.toLocaleString('en')} rows into their account`;
  const times = ({ p99Ms, p50Ms, mostMs }: SteadyResult) =>
    `${p99Ms.toFixed(0)} (p50 ${p50Ms.toFixed(0)}, most ${mostMs.toFixed(0)})`;
  return [
    [`${store}: single PUTs during ${imported}, p99 in ms`, times(during), 'at most 250'],
    [`${store}: the same without an import`, times(quiet), ''],
    [`${store}: PUTs refused or failed of ${during.count + during.failed}`, String(during.failed), '0'],
    [`${store}: rows a second of that import`, ((rows * 1000) / tookMs).toFixed(0), ''],
  ].map(([name = '', figure = '', goal = '']) => ({ name, figure, goal }));
}
