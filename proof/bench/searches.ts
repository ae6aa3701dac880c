import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import { DAY_MS } from '../../values/days.ts';
import { warmUp } from './list-requests.ts';
import { type DataSize, LARGE_ACCOUNT } from './rig/data.ts';
import { type FilledDatabase, filledDatabase, onBothStores } from './rig/databases.ts';
import { type Finding, finding } from './rig/report.ts';
import { inRounds, type Rounds } from './rig/rounds.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { spreadOf } from './rig/statistics.ts';

/** The oldest first match that must be found within a second. */
const FIRST_MATCH_DAYS = 90;

interface SearchPage {
  data: { reference: string; createdAt: string }[];
  nextCursor: string | null;
}

/**
 * The time to find a transaction of 90 days ago, on both stores. The service has both cores: on SQLite,
 * searches have a thread of their own.
 */
export const searching = (size: DataSize, scale: Rounds): Promise<Finding[]> =>
  onBothStores('searches', async (databases) => {
    const filled = await filledDatabase(databases, size);
    const service = await startService(filled.url, { cores: '0,1' });
    try {
      return [await searches(filled, service, scale)];
    } finally {
      await service.stop();
    }
  });

async function searches(
  { store, keys }: FilledDatabase,
  service: MeasuredServer,
  scale: Rounds,
): Promise<Finding> {
  const headers = { authorization: `Bearer ${keys[LARGE_ACCOUNT]}` };
  const pageOf = async (path: string): Promise<SearchPage> => {
    const response = await fetch(service.url + path, { headers });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as SearchPage;
  };
  const first = (await pageOf(LIST_PATH)).data[0] as SearchPage['data'][number];
  const oldestMs = Date.parse(first.createdAt) - (FIRST_MATCH_DAYS - 1) * DAY_MS;
  const day = new Date(oldestMs).toISOString().slice(0, 10);
  // The newest, if the account is younger.
  const [one] = (await pageOf(`${LIST_PATH}?from=${day}&to=${day}`)).data;
  const { reference } = one ?? first;
  await warmUp(service, [{ path: LIST_PATH, headers }], scale);
  const { tookMs } = await inRounds(`${store}: searches`, scale, async () => {
    const startedAtMs = performance.now();
    let path = `/v1/search?text=${reference}`;
    for (let page = await pageOf(path); page.data.length === 0; page = await pageOf(path))
      path = `/v1/search?cursor=${page.nextCursor}`;
    return { tookMs: performance.now() - startedAtMs };
  });
  const name = `${store}: ms until a search has found a reference of ${FIRST_MATCH_DAYS} days ago`;
  return finding(name, spreadOf(tookMs), 'less than 1000', 0);
}
