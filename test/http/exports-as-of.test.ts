import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListFilter, NO_FILTER } from '../../src/ledger/list/list.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';
import { expectedCsv, expectedNdjson } from '../rig/data/expected-export.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { buildTestApp, testClock, testConfig } from '../rig/service/app.ts';
import {
  ACCOUNT,
  CURRENCIES,
  RandomRecorder,
  REFERENCES,
  rowsAsOf,
  STATUSES,
} from '../rig/store/random-recorder.ts';
import { storeWith } from '../rig/store/store-with.ts';

const EXPORTS = inTier({ short: 20, long: 200 });
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];

function randomFilter(random: Random): ListFilter {
  const pick = <Value>(values: readonly Value[]) => (random.chance(0.3) ? random.pick(values) : null);
  const from = pick(DAYS);
  return {
    ...NO_FILTER,
    status: pick(STATUSES),
    currency: pick(CURRENCIES),
    from,
    to: pick(DAYS.filter((day) => from === null || day >= from)),
    merchantReference: pick(REFERENCES),
  };
}

test('200: exports during recordings and completions are as the account was at their number, and with the times of its changes', async () => {
  const random = new Random(seed);
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const recorder = new RandomRecorder(random);
  await recorder.record(store, 300);
  let changesToRecord = 0;
  const app = await buildTestApp({
    clock,
    config: { ...testConfig, statuses: new Map([...BUILT_IN_STATUSES, ['failed', 'unpaid']]) },
    store: storeWith(store, {
      // Records a change before each of the first pages.
      listNumbered: async (query, limit) => {
        if (changesToRecord-- > 0) await recorder.record(store, 1);
        return store.listNumbered(query, limit);
      },
    }),
  });
  const key = await app.makeKey(ACCOUNT);
  let recordedMeanwhile = 0;
  for (let count = 0; count < EXPORTS; count++) {
    changesToRecord = random.integer(0, 15);
    const filter = { ...NO_FILTER, ...randomFilter(random), ...(count % 4 === 0 && { status: 'pending' }) };
    const sent = Object.entries(filter).filter(([, value]) => value !== null) as [string, string][];
    const format = random.pick(['csv', 'ndjson']);
    if (format === 'ndjson') sent.push(['recordedAt', 'true']);
    const path = `/v1/transactions.${format}`;
    const { text, headers } = await app.send(`${path}?${new URLSearchParams(sent)}`, { key });
    const asOf = Number(headers['export-as-of']);
    const rows = expectedList(await rowsAsOf(store, asOf), ACCOUNT, filter);
    const expected = format === 'csv' ? expectedCsv(rows) : expectedNdjson(rows);
    const withoutManifest = (bytes: string) => bytes.replace(/^\{"export".*\n/m, '');
    const withoutTimes = (bytes: string) =>
      bytes.replaceAll(/,"recordedAt":"[^"]+","statusRecordedAt":"[^"]+"\}$/gm, '}');
    assert.equal(withoutTimes(withoutManifest(text)), expected, `as of ${asOf}: ${JSON.stringify(filter)}`);
    const head = (await store.readHeads([ACCOUNT])).get(ACCOUNT) ?? 0;
    recordedMeanwhile += head - asOf;
  }
  assert.ok(recordedMeanwhile > 1.5 * EXPORTS, `${recordedMeanwhile} changes were recorded meanwhile`);
});
