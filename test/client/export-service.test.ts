import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  AuthenticationError,
  type Export,
  type ExportFormat,
  type ExportManifest,
  InvalidRequestError,
  NotFoundError,
  type Transaction,
  TransactionsClient,
} from '../../client/src/index.ts';
import { hashApiKey } from '../../src/keys/api-key.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { listen } from '../rig/http/connection.ts';
import { type FaultProxy, type NetworkFault, startFaultProxy } from '../rig/http/fault-proxy.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';

const ROWS = 6000;
const TEXTS = [null, 'order-1', '=1+1', 'a "quote", and a comma', 'größer 😀'];

const row = (index: number) =>
  transaction('store-1', `-pay_${index}`, {
    status: index % 3 === 0 ? 'pending' : 'completed',
    currencyCode: ['EUR', 'USD', 'JPY'][index % 3] as string,
    amountMinor: index * 12_345,
    merchantReference: TEXTS[index % TEXTS.length] ?? null,
    createdAtMs: DAY('2026-03-01') + Math.floor(index / 3) * 1000,
  });

/** An answer takes many turns of the proxy, so a loss is always in its middle. */
const SLOW: NetworkFault = { bytesPerSecond: 400_000 };

function loseConnections(proxy: FaultProxy): void {
  proxy.setFault({ reset: true });
  proxy.setFault(SLOW);
}

/** A service with transactions, behind a slow proxy that can lose its connections. */
async function served(t: TestContext) {
  const app = await buildTestApp();
  await record(
    app.store,
    Array.from({ length: ROWS }, (_, index) => row(index)),
  );
  const key = await app.makeKey('store-1');
  const { port } = await listen(t, app.server);
  const proxy = await startFaultProxy(port);
  proxy.setFault(SLOW);
  t.after(() => proxy.close());
  const options = { apiKey: key, sleep: async () => {} };
  const client = new TransactionsClient({ url: `http://127.0.0.1:${proxy.port}`, ...options });
  const whole = async (path: string) => {
    const { text } = await app.send(path, { key });
    return text.replace(/^\{"export":.*\n/m, '');
  };
  return { app, key, proxy, client, whole };
}

/** Reads an export whose connection is lost now and then, while transactions are recorded and change. */
async function readThroughLosses<Item>(
  exported: Export<Item>,
  { app, proxy }: { app: Awaited<ReturnType<typeof buildTestApp>>; proxy: FaultProxy },
  losses: number,
): Promise<{ items: Item[]; lost: number }> {
  const random = new Random(seed);
  const items: Item[] = [];
  let [lost, nextRow] = [0, 0];
  for await (const item of exported) {
    items.push(item);
    const { rows } = exported;
    if (lost === losses || rows < nextRow) continue;
    nextRow = rows + random.integer(1, 700);
    loseConnections(proxy);
    lost++;
    // The later status of a pending transaction, and a new one: neither belongs to the export.
    const paid = { ...row(lost * 3), status: 'completed', paidAtMs: row(0).createdAtMs + ROWS * 1000 };
    await record(app.store, [paid, row(ROWS + 3 * lost)]);
  }
  return { items, lost };
}

for (const format of ['csv', 'ndjson'] as const satisfies readonly ExportFormat[]) {
  test(`a file of ${format} through lost connections is byte for byte the file as it was at its beginning`, async (t) => {
    const context = await served(t);
    const { client, whole } = context;
    const expected = Buffer.from(await whole(`/v1/transactions.${format}`));
    const exported = client.transactions.exportFile({ format });
    const { items, lost } = await readThroughLosses(exported, context, 6);
    assert.ok(Buffer.concat(items).equals(expected));
    const manifest = exported.manifest as ExportManifest;
    assert.deepEqual([manifest.rows, manifest.asOf, manifest.bytes], [ROWS, ROWS, expected.length]);
    assert.equal(manifest.sha256, createHash('sha256').update(expected).digest('hex'));
    assert.deepEqual(await client.transactions.exportManifest(exported.id as string), manifest);
    assert.ok(lost >= 3 && manifest.parts.length > 1, `${lost} losses, ${manifest.parts.length} parts`);
  });
}

test('transactions through lost connections are those at the beginning, and those after it are the changes after asOf', async (t) => {
  const context = await served(t);
  const { client, whole } = context;
  const lines = (await whole('/v1/transactions.ndjson?currency=EUR')).trimEnd().split('\n');
  const exported = client.transactions.export({ currency: 'EUR' });
  const { items } = await readThroughLosses(exported, context, 4);
  assert.deepEqual(
    items,
    lines.map((line): Transaction => JSON.parse(line)),
  );
  const { totals } = exported.manifest as ExportManifest;
  assert.deepEqual(
    totals.map(({ currencyCode, status, count }) => [currencyCode, status, count]),
    [['EUR', 'pending', ROWS / 3]],
  );

  const copy = new Map(items.map((one) => [one.reference, one]));
  const { data } = await client.changes.list({ after: exported.asOf as number, limit: 1000 });
  for (const { transaction: one } of data) if (one.currencyCode === 'EUR') copy.set(one.reference, one);
  const now = await Array.fromAsync(client.transactions.export({ currency: 'EUR' }));
  assert.deepEqual(new Set(copy.values()), new Set(now));
});

for (const [name, fault] of [
  ['is reset', { reset: true }],
  ['falls into a black hole', { blackHole: true }],
  ['is closed in one direction', { halfClose: true }],
] satisfies [string, NetworkFault][]) {
  test(`a connection that ${name} until the client tries again cuts an export, and the client joins it`, async (t) => {
    const { key, proxy, client, whole } = await served(t);
    const expected = Buffer.from(await whole('/v1/transactions.csv'));
    const { transactions } = new TransactionsClient({
      url: client.url,
      apiKey: key,
      timeoutMs: 3000,
      sleep: async () => proxy.setFault(SLOW),
    });
    const exported = transactions.exportFile({ format: 'csv' });
    const pieces: Uint8Array[] = [];
    for await (const rows of exported) {
      if (pieces.length === 0) proxy.setFault(fault);
      pieces.push(rows);
    }
    assert.ok(Buffer.concat(pieces).equals(expected));
    assert.ok((exported.manifest as ExportManifest).parts.length > 1);
  });
}

test('a guarded file is joined after a reference that begins like a formula', async (t) => {
  const context = await served(t);
  const expected = Buffer.from(await context.whole('/v1/transactions.csv?spreadsheet=true&to=2026-03-01'));
  const query = { format: 'csv', spreadsheet: true, to: '2026-03-01' } as const;
  const { items } = await readThroughLosses(context.client.transactions.exportFile(query), context, 4);
  assert.ok(Buffer.concat(items).equals(expected));
  assert.ok(expected.includes("'=1+1"));
});

test('an account without transactions has an empty export, with a manifest', async (t) => {
  const { app, client } = await served(t);
  const other = new TransactionsClient({ url: client.url, apiKey: await app.makeKey('store-2') });
  const exported = other.transactions.export();
  assert.deepEqual(await Array.fromAsync(exported), []);
  assert.deepEqual([exported.asOf, exported.expectedRows, exported.manifest?.totals], [0, 0, []]);
  const file = other.transactions.exportFile({ format: 'csv' });
  const [header, ...rows] = await Array.fromAsync(file);
  assert.match(Buffer.from(header ?? []).toString(), /^reference,.*,createdAt\r\n$/);
  assert.equal(rows.length, 0);
});

test('the errors of the service have their classes and codes', async (t) => {
  const { app, key, client, proxy } = await served(t);
  await assert.rejects(client.transactions.exportManifest('exp_0123456789abcdef'), NotFoundError);
  const wrong = client.transactions.exportFile({ format: 'csv', currency: 'EURO' });
  await assert.rejects(Array.fromAsync(wrong), { name: 'InvalidRequestError', code: 'invalid_currency' });
  const guarded = client.transactions.exportFile({ format: 'ndjson', spreadsheet: true });
  await assert.rejects(Array.fromAsync(guarded), InvalidRequestError);

  const old = client.transactions.exportFile({ format: 'csv' });
  const readOld = async () => {
    for await (const _ of old) {
      app.clock.advance(25 * 3_600_000);
      loseConnections(proxy);
    }
  };
  await assert.rejects(readOld(), { name: 'InvalidRequestError', code: 'invalid_resume' });

  const { id } = (await app.store.findApiKey(hashApiKey(key))) as { id: string };
  const revoked = client.transactions.exportFile({ format: 'csv' });
  const readRevoked = async () => {
    for await (const _ of revoked) {
      await app.store.revokeApiKey(id, app.clock.now(), someEntry());
      await app.keyCache.refresh();
      loseConnections(proxy);
    }
  };
  await assert.rejects(readRevoked(), AuthenticationError);
});
