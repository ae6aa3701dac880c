import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { hashApiKey } from '../../src/keys/api-key.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { fc } from '../rig/run/properties.ts';
import { inTier } from '../rig/run/tier.ts';
import { buildTestApp, type TestApp, type TestResponse, testClock } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';

const FIRST_DAY = DAY('2026-03-01');
const NOW = DAY('2026-06-15');
const LISTS = inTier({ short: 8, long: 40 });

/** Times that tie, statuses and currencies both common and rare, references that sort differently by bytes. */
const ROWS = Array.from({ length: 400 }, (_, index) =>
  transaction(index % 5 === 0 ? 'store-2' : 'store-1', `${'aB_-.9'[index % 6]}${(index * 37) % 400}`, {
    createdAtMs: FIRST_DAY + Math.floor(index / 3) * 5_000_000,
    status: index % 9 === 0 ? 'pending' : 'completed',
    currencyCode: index % 50 === 0 ? 'JPY' : index % 3 === 0 ? 'USD' : 'EUR',
    amountMinor: (index % 2 === 0 ? 1 : -1) * index * 12_345_678,
    merchantReference: index % 4 === 0 ? null : `order "${index}" \\ é😀`,
  }),
);

/** Bytes that are the same for both services, and differ from page to page. */
function countedBytes(): (length: number) => Uint8Array {
  let drawn = 0;
  return (length) => Buffer.from(hash('sha512', `bytes ${++drawn}`, 'buffer')).subarray(0, length);
}

const stores: Store[] = [];
let key = '';

before(async () => {
  for (const url of [IN_MEMORY_URL, await makeMigratedDatabase()]) {
    // The ids of changes, which exports and totals name, are those of equal nonces.
    const options = { timeoutMs: 30_000, connections: 2, records: true, drawNonce: () => 7 };
    const { store } = await openStore(url, () => NOW, options);
    await record(store, ROWS);
    stores.push(store);
  }
});
after(async () => {
  for (const store of stores) await store.close();
});

async function buildBoth(): Promise<TestApp[]> {
  const apps = [];
  for (const store of stores) {
    apps.push(await buildTestApp({ store, clock: testClock(NOW), randomBytes: countedBytes() }));
  }
  return apps;
}

/** Sends a request to both services, and returns the response, which must be the same. */
async function sendToBoth(apps: readonly TestApp[], url: string): Promise<TestResponse> {
  const headers = { 'request-id': 'parity' };
  const [one, other] = await Promise.all(apps.map((app) => app.send(url, { key, headers })));
  assert.ok(one && other);
  // The Date header is the time of the machine, which can change between the two responses.
  const compared = ({ status, headers: { date: _, ...sent }, text }: TestResponse) => ({
    status,
    sent,
    text,
  });
  // The bytes of an export are too many to show.
  assert.deepEqual({ ...compared(other), text: '' }, { ...compared(one), text: '' }, url);
  assert.ok(other.text === one.text, `the bytes of ${url} differ`);
  return one;
}

/** Mostly no filter: many lists then have several pages. */
const value = (...usual: string[]) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...usual) },
  );

const query = fc.record({
  status: value('pending', 'completed', 'completed', 'failed', ''),
  currency: value('EUR', 'EUR', 'USD', 'JPY', 'CHF', 'usd'),
  from: value('2026-03-01', '2026-03-01', '2026-03-05', '2026-02-30', '2025-01-01'),
  to: value('2026-03-03', '2026-03-08', '2026-03-08', '2026-03-05', '0001-01-01'),
  page: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, '2'),
});

test('SQLite and PostgreSQL return the same bytes for the same data and requests', async () => {
  const apps = await buildBoth();
  key = await (apps[0] as TestApp).makeKey('store-1');
  const found = await stores[0]?.findApiKey(hashApiKey(key));
  assert.ok(found);
  await stores[1]?.createApiKey({ ...found }, someEntry());

  let pages = 0;
  await fc.assert(
    fc.asyncProperty(query, async (parameters) => {
      const given = Object.entries(parameters).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      let url: string | undefined = `/v1/transactions?${new URLSearchParams(given)}`;
      while (url !== undefined) {
        const { body } = await sendToBoth(apps, url);
        url = body.hasMore ? `/v1/transactions?cursor=${body.nextCursor}` : undefined;
        pages++;
      }
    }),
    { numRuns: LISTS },
  );
  assert.ok(pages > LISTS + LISTS / 2, `only ${pages} pages`);
  for (const url of ['/v1/transactions?cursor=AAAA', '/readyz', '/livez', '/v1/nothing', '/openapi.json']) {
    await sendToBoth(apps, url);
  }
  for (const filters of ['', 'status=pending', 'currency=EUR&to=2026-03-05', 'merchantReference=order-1']) {
    for (const format of ['csv', 'ndjson']) {
      const { headers } = await sendToBoth(apps, `/v1/transactions.${format}?${filters}`);
      await sendToBoth(apps, `/v1/exports/${headers['export-id']}`);
    }
  }
  key = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  assert.equal((await sendToBoth(apps, '/v1/transactions')).status, 401);
});
