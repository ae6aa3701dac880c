import { CONNECTIONS, listsOf, type Rounds } from './list-requests.ts';
import { type DataSize, databaseOf } from './rig/data.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { ratioOf, shown } from './rig/statistics.ts';
import { hasWrk, type WrkResult, wrk } from './rig/wrk.ts';

/** The time to warm up, relative to the time of a measurement. */
const WARM_UP_FACTOR = 5;

/** Two processes on two cores shared with the load generator, compared with one process and the generator on a core each. */
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
  const measured = (url: string, cores: string, seconds = secondsEach) =>
    wrk(url, lists, { connections: CONNECTIONS, seconds: Math.ceil(seconds), cores });
  try {
    // Warms up the JIT compilers, which otherwise delay some responses.
    await measured(one.url, '1', WARM_UP_FACTOR * secondsEach);
    await measured(two.url, '0,1', WARM_UP_FACTOR * secondsEach);
    const found: { one: WrkResult; two: WrkResult }[] = [];
    for (let round = 1; round <= rounds; round++) {
      note(`workers: round ${round} of ${rounds}`);
      found.push({ one: await measured(one.url, '1'), two: await measured(two.url, '0,1') });
    }
    const of = (which: 'one' | 'two', figure: keyof WrkResult) => found.map((round) => round[which][figure]);
    return [
      {
        name: 'list requests a second of two processes on two cores, relative to one process on one',
        figure: shown(ratioOf(of('two', 'perSecond'), of('one', 'perSecond'))),
        goal: 'at least 1.7',
      },
      {
        name: `time of a list request, p99 relative to p50, ${CONNECTIONS} connections, by wrk`,
        figure: shown(ratioOf(of('one', 'p99Ms'), of('one', 'p50Ms')), 1),
        goal: 'at most 3',
      },
    ];
  } finally {
    await one.stop();
    await two.stop();
  }
}
