import { CONNECTIONS, listsOf, type Rounds } from './list-requests.ts';
import { type DataSize, databaseOf } from './rig/data.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { ratioOf, shown } from './rig/statistics.ts';
import { hasWrk, type WrkResult, wrk } from './rig/wrk.ts';

/** To the time of a measurement. */
const WARM_UP = 5;

/** Two processes on two cores, which the load has to share, beside one process on one core and the load on the other. */
export async function workers(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  if (!hasWrk()) {
    note('workers: not measured, because wrk is not installed');
    return [];
  }
  const { path, keys } = await databaseOf(size);
  const lists = listsOf(size, keys);
  const one = await startService(`sqlite:${path}`);
  const two = await startService(`sqlite:${path}`, { args: ['--workers', '2'], cores: '0,1' });
  // wrk counts in whole seconds.
  const ask = (url: string, cores: string, seconds = secondsEach) =>
    wrk(url, lists, { connections: CONNECTIONS, seconds: Math.ceil(seconds), cores });
  try {
    // Compiles the hot code of all before anything is counted: until then, answers wait for it at times.
    await ask(one.url, '1', WARM_UP * secondsEach);
    await ask(two.url, '0,1', WARM_UP * secondsEach);
    const found: { one: WrkResult; two: WrkResult }[] = [];
    for (let round = 1; round <= rounds; round++) {
      note(`workers: round ${round} of ${rounds}`);
      found.push({ one: await ask(one.url, '1'), two: await ask(two.url, '0,1') });
    }
    const of = (which: 'one' | 'two', figure: keyof WrkResult) => found.map((round) => round[which][figure]);
    return [
      {
        question: 'throughput: two processes on two cores to one on one',
        figure: shown(ratioOf(of('two', 'perSecond'), of('one', 'perSecond'))),
        goal: 'at least 1.7',
      },
      {
        question: `p99 to p50 with ${CONNECTIONS} connections, by wrk`,
        figure: shown(ratioOf(of('one', 'p99Ms'), of('one', 'p50Ms')), 1),
        goal: 'at most 3',
      },
    ];
  } finally {
    await one.stop();
    await two.stop();
  }
}
