import { openStore } from '../../src/store/open-store.ts';
import { type FilledDatabase, filledDatabase } from './filled-database.ts';
import { callsEach } from './growth.ts';
import { measure, type Rounds, warmUp } from './list-requests.ts';
import { type DataSize, LARGE_ACCOUNT } from './rig/data.ts';
import { withDatabases } from './rig/databases.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

const LIMIT = 100;
const CALLS_EACH = 1000;

/** Where a page begins in the large account's feed: first, in the middle, anywhere, the last full page. */
const placesOf = (head: number): [name: string, afterOf: (call: number) => number][] => [
  ['after=head-100', () => head - LIMIT],
  ['deep in the middle', () => Math.floor(head / 2)],
  ['after=0', () => 0],
  ['anywhere', (call) => (call * 7919) % (head - LIMIT)],
];

/** Pages of the change feed by depth, on both stores. */
export async function changes(size: DataSize, scale: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  await withDatabases('changes', async (databases) => {
    findings.push(...(await pages(await filledDatabase(databases, size), size, scale)));
  });
  return findings;
}

/** CPU and time of a page of 100 changes by its position, at the store and as a whole request. */
async function pages(feed: FilledDatabase, size: DataSize, scale: Rounds): Promise<Finding[]> {
  const { rounds, secondsEach } = scale;
  // At the scale tiny, which only checks that the benchmark runs, two places are enough.
  const places = placesOf(size.largeRows).slice(0, rounds === 1 ? 2 : undefined);
  const calls = callsEach(rounds, CALLS_EACH);
  const { store } = await openStore(feed.url, Date.now);
  const service = await startService(feed.url);
  const authorization = { authorization: `Bearer ${feed.keys[LARGE_ACCOUNT]}` };
  const found = new Map<string, number[]>();
  const put = (name: string, value: number) => found.set(name, [...(found.get(name) ?? []), value]);
  const requestsOf = (afterOf: (call: number) => number) =>
    Array.from({ length: calls }, (_, call) => ({
      path: `/v1/changes?after=${afterOf(call)}`,
      headers: authorization,
    }));
  try {
    await warmUp(
      service,
      places.flatMap(([, afterOf]) => requestsOf(afterOf)),
      scale,
    );
    for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
      note(
        `${feed.store}: pages of changes, round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`,
      );
      if (round === 1) found.clear();
      for (const [name, afterOf] of round % 2 === 0 ? places : places.toReversed()) {
        const serverCpuMs = feed.serverCpuMs();
        const cpu = process.cpuUsage();
        const startedAtMs = performance.now();
        for (let call = 0; call < calls; call++) {
          const query = { account: LARGE_ACCOUNT, after: afterOf(call), limit: LIMIT };
          const { changes } = await store.listChanges(query);
          if (changes.length !== LIMIT) throw new Error('the page of changes is not full');
        }
        put(`store ${name}: time`, ((performance.now() - startedAtMs) * 1000) / calls);
        const { user, system } = process.cpuUsage(cpu);
        put(`store ${name}: CPU`, (user + system + (feed.serverCpuMs() - serverCpuMs) * 1000) / calls);

        const serverBeforeMs = feed.serverCpuMs();
        const { answered, cpuUsPerRequest } = await measure(service, requestsOf(afterOf), secondsEach);
        const ofServer = ((feed.serverCpuMs() - serverBeforeMs) * 1000) / answered;
        put(`request ${name}: CPU`, cpuUsPerRequest + ofServer);
      }
    }
  } finally {
    await service.stop();
    await store.close();
  }
  return findingsOf(
    feed,
    places.map(([name]) => name),
    found,
  );
}

function findingsOf(
  feed: FilledDatabase,
  places: readonly string[],
  found: ReadonlyMap<string, number[]>,
): Finding[] {
  const valuesOf = (name: string) => found.get(name) as number[];
  const base = places[0] as string;
  const sums = feed.store === 'SQLite' ? '' : ' with the database';
  return [
    ['store', 'time'],
    ['store', 'CPU'],
    ['request', 'CPU'],
  ].flatMap(([where, what]) =>
    places.map((place): Finding => {
      const name = `${feed.store}: page of 100 changes, ${where}, ${what}${what === 'CPU' ? sums : ''}`;
      const values = valuesOf(`${where} ${place}: ${what}`);
      if (place === base)
        return { name: `${name} in us, ${place}`, figure: shown(spreadOf(values), 0), goal: '' };
      const figure = shown(ratioOf(values, valuesOf(`${where} ${base}: ${what}`)));
      const goal = place === 'deep in the middle' ? 'at most 1.2' : '';
      return { name: `${name}, ${place}, relative to ${base}`, figure, goal };
    }),
  );
}
