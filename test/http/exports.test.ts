import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FormattedChange } from '../../src/ledger/changes/change.ts';
import { NO_SEAL, sealAfter, sealedText } from '../../src/ledger/seals/seal.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';

async function appWithRows() {
  const app = await buildTestApp();
  await record(
    app.store,
    Array.from({ length: 200 }, (_, index) => transaction('store-1', `t${index}`)),
  );
  return { app, key: await app.makeKey('store-1') };
}

test('200: the manifest has the seal of its change, even if nothing is sealed yet, and is stored for 24 hours', async () => {
  const { app, key } = await appWithRows();
  const { headers } = await app.send('/v1/transactions.csv', { key });
  const manifest = () => app.send(`/v1/exports/${headers['export-id']}`, { key });
  const { body: feed } = await app.send('/v1/changes?limit=1000', { key });
  const seal = feed.data.reduce(
    (before: string, change: FormattedChange) => sealAfter(before, sealedText(change)),
    NO_SEAL,
  );
  assert.equal((await manifest()).body.seal, seal);
  app.clock.advance(24 * 3_600_000 - 1);
  assert.equal((await manifest()).status, 200);
  app.clock.advance(1);
  assert.equal((await manifest()).status, 404);
});

test('200: with gzip an export has the same content, and the hash of the uncompressed bytes; HEAD starts no export', async () => {
  const { app, key } = await appWithRows();
  const withoutManifest = (text: string) => text.replace(/^\{"export".*\n/m, '');
  for (const format of ['csv', 'ndjson']) {
    const url = `/v1/transactions.${format}`;
    const plain = await app.send(url, { key });
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'br;q=0.9, gzip' };
    const { rawPayload, headers: sent } = await app.server.inject({ url, headers });
    assert.deepEqual([sent['content-encoding'], sent['vary']], ['gzip', 'accept-encoding']);
    const text = gunzipSync(rawPayload).toString();
    assert.equal(withoutManifest(text), withoutManifest(plain.text));
    const { body } = await app.send(`/v1/exports/${sent['export-id']}`, { key });
    const hash = createHash('sha256').update(withoutManifest(text)).digest('hex');
    assert.deepEqual([body.state, body.sha256], ['complete', hash]);
    const head = await app.send(url, { key, method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.deepEqual(
      Object.keys(plain.headers).filter((name) => !(name in head.headers) && name !== 'transfer-encoding'),
      ['export-id', 'export-as-of', 'export-as-of-id', 'content-disposition'],
    );
  }
});
