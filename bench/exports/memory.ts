import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import type { FilledDatabase } from '../filled-database.ts';
import { callsEach } from '../growth.ts';
import type { Rounds } from '../list-requests.ts';
import { LARGE_ACCOUNT } from '../rig/data.ts';
import { download } from '../rig/download.ts';
import { residentMb } from '../rig/process-use.ts';
import { type Finding, note } from '../rig/report.ts';
import { SequentialClient } from '../rig/sequential.ts';
import { startService } from '../rig/server.ts';
import { FORMATS } from './rate.ts';

const LISTS_BEFORE = 4000;
const SAMPLE_EVERY_MS = 20;
const MOST_PAIRS = 3;

/** The memory of a service during two exports of all transactions at once, to before: some pairs of exports, one after the other. */
export async function exportMemory(
  { store, url, keys }: FilledDatabase,
  { rounds }: Pick<Rounds, 'rounds'>,
): Promise<Finding[]> {
  const service = await startService(url);
  const key = keys[LARGE_ACCOUNT] as string;
  const client = new SequentialClient(service.url, key);
  const mostMb: number[] = [];
  let sampledMb = 0;
  const sampling = setInterval(() => {
    sampledMb = Math.max(sampledMb, residentMb(service.pid));
  }, SAMPLE_EVERY_MS);
  try {
    for (let call = 0; call < callsEach(rounds, LISTS_BEFORE); call++) await client.time(LIST_PATH);
    const beforeMb = residentMb(service.pid);
    for (let pair = 1; pair <= Math.min(MOST_PAIRS, rounds); pair++) {
      note(`${store}: memory of two exports at once, ${pair} of ${Math.min(MOST_PAIRS, rounds)}`);
      sampledMb = residentMb(service.pid);
      await Promise.all(FORMATS.map((format) => download(`${service.url}${LIST_PATH}.${format}`, key)));
      mostMb.push(sampledMb);
    }
    const name = `${store}: memory of the service`;
    const most = Math.max(...mostMb);
    return [
      { name: `${name} before any export, MB`, figure: beforeMb.toFixed(0), goal: '' },
      {
        name: `${name} during two exports, more, MB`,
        figure: (most - beforeMb).toFixed(0),
        goal: 'at most 64',
      },
      {
        name: `${name} during two exports, the last two to the first two`,
        figure: ((mostMb.at(-1) as number) / (mostMb[0] as number)).toFixed(2),
        goal: 'flat',
      },
    ];
  } finally {
    clearInterval(sampling);
    client.close();
    await service.stop();
  }
}
