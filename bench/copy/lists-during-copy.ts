import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import { callsEach } from '../growth.ts';
import type { Rounds } from '../list-requests.ts';
import { LARGE_ACCOUNT } from '../rig/data.ts';
import type { Databases } from '../rig/databases.ts';
import { type Finding, note } from '../rig/report.ts';
import { SequentialClient } from '../rig/sequential.ts';
import { startService } from '../rig/server.ts';
import { percentileOf, ratioOf, shown } from '../rig/statistics.ts';
import { type CopySource, measureCommand } from './rate.ts';

const WARM_UP_CALLS = 2000;
const MOST_ROUNDS = 5;

/** How long lists of the source take while it is copied, to how long they take without a copy, in turns. */
export async function listsDuringCopy(
  { store, create }: Databases,
  { url, keys }: CopySource,
  { rounds }: Pick<Rounds, 'rounds'>,
): Promise<Finding[]> {
  const service = await startService(url, { cores: '0,1' });
  const client = new SequentialClient(service.url, keys[LARGE_ACCOUNT] as string);
  const alone: number[][] = [];
  const during: number[][] = [];
  try {
    for (let call = 0; call < callsEach(rounds, WARM_UP_CALLS); call++) await client.time(LIST_PATH);
    for (let round = 1; round <= Math.min(MOST_ROUNDS, rounds); round++) {
      note(`${store}: lists during a copy, round ${round}`);
      let isCopying = true;
      const copied = measureCommand(['copy', '--from', url, '--to', await create(), '--json'], {}).finally(
        () => {
          isCopying = false;
        },
      );
      copied.catch(() => {});
      const times: number[] = [];
      while (isCopying) times.push(await client.time(LIST_PATH));
      await copied;
      during.push(times);
      alone.push(await timesOf(client, times.length));
    }
  } finally {
    client.close();
    await service.stop();
  }
  const at = (times: number[][], share: number) => times.map((one) => percentileOf(one, share));
  return [
    {
      name: `${store}: lists of the source during a copy, median to without`,
      figure: shown(ratioOf(at(during, 0.5), at(alone, 0.5))),
      goal: 'at most 1.5',
    },
    {
      name: `${store}: lists of the source during a copy, p99 to without`,
      figure: shown(ratioOf(at(during, 0.99), at(alone, 0.99))),
      goal: '',
    },
  ];
}

async function timesOf(client: SequentialClient, calls: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < calls) times.push(await client.time(LIST_PATH));
  return times;
}
