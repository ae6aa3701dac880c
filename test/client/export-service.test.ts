import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  AuthenticationError,
  type ExportFormat,
  type ExportManifest,
  InvalidRequestError,
  NotFoundError,
  TransactionsClient,
} from '../../client/src/index.ts';
import { hashApiKey } from '../../src/keys/api-key.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { testOptions } from '../rig/http/client.ts';
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
  const client = new TransactionsClient(testOptions({ url: `http://127.0.0.1:${proxy.port}`, ...options }));
  const whole = async (path: string) => {
    const { text } = await app.send(path, { key });
    return text.replace(/^\{"export":.*\n/m, '');
  };
  return { app, key, proxy, client, whole };
}

for (const format of ['csv', 'ndjson'] as const satisfies readonly ExportFormat[]) {
  test(`a file of ${format} through lost connections is byte for byte the file as it was when it last began`, async (t) => {
    const { app, client, proxy, whole } = await served(t);
    const random = new Random(seed);
    let pieces: Uint8Array[] = [];
    let losses = 0;
    const onRestart = () => {
      pieces = [];
    };
    const exported = client.transactions.exportFile({ format, from: '2026-03-01' }, { onRestart });
    let nextRow = random.integer(1, 1000);
    for await (const rows of exported) {
      pieces.push(rows);
      if (losses === 3 || exported.rows < nextRow) continue;
      nextRow = random.integer(1, 1000);
      losses++;
      // The later status of a pending transaction, and a new one: the next attempt has both.
      const paid = { ...row(losses * 3), status: 'completed', paidAtMs: row(0).createdAtMs + ROWS * 1000 };
      await record(app.store, [paid, row(ROWS + 3 * losses)]);
      loseConnections(proxy);
    }
    const expected = Buffer.from(await whole(`/v1/transactions.${format}`));
    assert.ok(Buffer.concat(pieces).equals(expected));
    const manifest = exported.manifest as ExportManifest;
    assert.deepEqual([manifest.rows, manifest.asOf, manifest.bytes], [ROWS + 3, ROWS + 6, expected.length]);
    assert.equal(manifest.sha256, createHash('sha256').update(expected).digest('hex'));
    assert.deepEqual(await client.transactions.exportManifest(exported.id as string), manifest);
  });
}

test('the errors of the service have their classes and codes', async (t) => {
  const { app, key, client, proxy } = await served(t);
  await assert.rejects(client.transactions.exportManifest('exp_0123456789abcdef'), NotFoundError);
  const wrong = client.transactions.exportFile({ format: 'csv', currency: 'EURO' });
  await assert.rejects(Array.fromAsync(wrong), { name: 'InvalidRequestError', code: 'invalid_currency' });
  const guarded = client.transactions.exportFile({ format: 'ndjson', spreadsheet: true });
  await assert.rejects(Array.fromAsync(guarded), InvalidRequestError);

  const { id } = (await app.store.findApiKey(hashApiKey(key))) as { id: string };
  const revoked = client.transactions.exportFile({ format: 'csv' }, { onRestart: () => {} });
  const readRevoked = async () => {
    for await (const _ of revoked) {
      await app.store.revokeApiKey(id, app.clock.now(), someEntry());
      await app.keyCache.refresh();
      loseConnections(proxy);
    }
  };
  await assert.rejects(readRevoked(), AuthenticationError);
});
