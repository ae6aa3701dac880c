import { setTimeout as delay } from 'node:timers/promises';
import { LIST_PATH } from '../src/ledger/list/http/list-query.ts';
import { type FilledDatabase, filledDatabase } from './filled-database.ts';
import { callsEach } from './growth.ts';
import { type Rounds, warmUp } from './list-requests.ts';
import { type DataSize, LARGE_ACCOUNT } from './rig/data.ts';
import { withDatabases } from './rig/databases.ts';
import { type Finding, note } from './rig/report.ts';
import { SequentialClient } from './rig/sequential.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { percentileOf, ratioOf, shown, spreadOf } from './rig/statistics.ts';

const DAY_MS = 86_400_000;
const WARM_UP_CALLS = 2000;
const PAUSE_MS = 1;
/** The oldest first match that is to be found within a second. */
const FIRST_MATCH_DAYS = 90;

interface SearchPage {
  data: { reference: string; createdAt: string }[];
  nextCursor: string | null;
}

/** Searches of the large account on both stores. The service has both cores: on SQLite, searches have a thread of their own. */
export async function searching(size: DataSize, scale: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  await withDatabases('searches', async (databases) => {
    const filled = await filledDatabase(databases, size);
    const service = await startService(filled.url, { cores: '0,1' });
    try {
      findings.push(...(await searches(filled, service, scale)));
    } finally {
      await service.stop();
    }
  });
  return findings;
}

/** How long it takes to find a transaction of 90 days ago, and how long lists take while a search goes on without a match. */
async function searches(
  { store, keys }: FilledDatabase,
  service: MeasuredServer,
  scale: Rounds,
): Promise<Finding[]> {
  const { rounds, secondsEach } = scale;
  const key = keys[LARGE_ACCOUNT] as string;
  const client = new SequentialClient(service.url, key);
  const pageOf = async (path: string): Promise<SearchPage> => {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as SearchPage;
  };
  const first = (await pageOf(LIST_PATH)).data[0] as SearchPage['data'][number];
  const oldestMs = Date.parse(first.createdAt) - (FIRST_MATCH_DAYS - 1) * DAY_MS;
  const day = new Date(oldestMs).toISOString().slice(0, 10);
  // The newest, if the account is younger.
  const [one] = (await pageOf(`${LIST_PATH}?from=${day}&to=${day}`)).data;
  const { reference } = one ?? first;
  const found: number[] = [];
  const times = { alone: [] as number[][], during: [] as number[][] };
  const timesOf = async () => {
    const each: number[] = [];
    for (const endsAtMs = performance.now() + secondsEach * 1000; performance.now() < endsAtMs; ) {
      each.push(await client.time(LIST_PATH));
      await delay(PAUSE_MS);
    }
    return each;
  };
  try {
    await warmUp(service, [{ path: LIST_PATH, headers: { authorization: `Bearer ${key}` } }], scale);
    for (let round = 1; round <= rounds; round++) {
      note(`${store}: searches, round ${round} of ${rounds}`);
      const startedAtMs = performance.now();
      let path = `/v1/search?text=${reference}`;
      for (let page = await pageOf(path); page.data.length === 0; page = await pageOf(path))
        path = `/v1/search?cursor=${page.nextCursor}`;
      found.push(performance.now() - startedAtMs);
      for (let call = 0; call < callsEach(rounds, WARM_UP_CALLS); call++) await client.time(LIST_PATH);
      times.alone.push(await timesOf());
      const searching = searchOn(pageOf);
      times.during.push(await timesOf());
      await searching.stop();
    }
  } finally {
    client.close();
  }
  return [
    {
      name: `${store}: ms until a search has found a reference of ${FIRST_MATCH_DAYS} days ago`,
      figure: shown(spreadOf(found), 0),
      goal: 'less than 1000',
    },
    ...[0.5, 0.99].map((at) => ({
      name: `${store}: p${at * 100} of a list beside a search, to without`,
      figure: shown(
        ratioOf(
          times.during.map((each) => percentileOf(each, at)),
          times.alone.map((each) => percentileOf(each, at)),
        ),
      ),
      goal: 'at most 1.2',
    })),
  ];
}

/** Searches for what no transaction has, again and again, until it is stopped. */
function searchOn(pageOf: (path: string) => Promise<SearchPage>): { stop(): Promise<void> } {
  const begin = '/v1/search?text=no-such-text';
  let isStopped = false;
  const searching = (async () => {
    for (let path = begin; !isStopped; ) {
      const { nextCursor } = await pageOf(path);
      path = nextCursor === null ? begin : `/v1/search?cursor=${nextCursor}`;
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await searching;
    },
  };
}
