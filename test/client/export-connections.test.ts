import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import {
  type Export,
  type ExportFormat,
  type Fetch,
  RequestTimeoutError,
  TransactionsClient,
} from '../../client/src/index.ts';
import { fetchOf, scriptedExport, serveExport } from '../rig/data/scripted-export.ts';
import { clientOn, testOptions } from '../rig/http/client.ts';

/*
 * Exports over real connections that are cut, and with time limits whose clock the tests control.
 */
const FORMATS: readonly ExportFormat[] = ['csv', 'ndjson'];

async function readFile(exported: Export<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const rows of exported) pieces.push(rows);
  return Buffer.concat(pieces);
}

for (const format of FORMATS) {
  test(`${format}: leaving the loop closes the connection`, async (t) => {
    const scripted = scriptedExport(format);
    const closed = Promise.withResolvers<boolean>();
    scripted.faults = [{ bytes: 400, end: 'silent' }];
    const url = await serveExport(t, scripted, (path, isComplete) => {
      if (!path.startsWith('/v1/exports/')) closed.resolve(isComplete);
    });
    const client = new TransactionsClient({ url, apiKey: 'a-key' });
    const exported = client.transactions.exportFile({ format });
    for await (const _ of exported) break;
    assert.equal(await closed.promise, false);
    assert.equal(exported.manifest, null);
  });

  test(`${format}: a signal ends an export at any moment, with its reason`, async (t) => {
    const scripted = scriptedExport(format);
    const url = await serveExport(t, scripted);
    const reason = new Error('the user has left');
    const never: Fetch = () => new Promise(() => {});
    const client = new TransactionsClient({ url, apiKey: 'a-key' });
    const deaf = new TransactionsClient({ url, apiKey: 'a-key', fetch: never });

    const aborted = client.transactions.exportFile({ format }, { signal: AbortSignal.abort(reason) });
    await assert.rejects(readFile(aborted), reason);
    const opening = new AbortController();
    const opened = readFile(deaf.transactions.exportFile({ format }, { signal: opening.signal }));
    setImmediate(() => opening.abort(reason));
    await assert.rejects(opened, reason);

    // Aborts while the loop waits for bytes, and while the loop's body has a piece.
    for (const inLoop of [false, true]) {
      scripted.faults = [{ bytes: 400, end: 'silent' }];
      const controller = new AbortController();
      const read = async () => {
        for await (const _ of client.transactions.exportFile({ format }, { signal: controller.signal })) {
          if (inLoop) controller.abort(reason);
          else setImmediate(() => controller.abort(reason));
        }
      };
      await assert.rejects(read(), reason);
    }

    // Aborts during the pause before a retry.
    scripted.faults = [{ bytes: 400 }];
    const pausing = new AbortController();
    const sleep = (_: number, signal: AbortSignal | undefined) => {
      setImmediate(() => pausing.abort(reason));
      return once(signal as AbortSignal, 'abort').then(() => Promise.reject(signal?.reason));
    };
    const paused = new TransactionsClient(testOptions({ url, apiKey: 'a-key', sleep }));
    await assert.rejects(
      readFile(paused.transactions.exportFile({ format }, { signal: pausing.signal, onRestart: () => {} })),
      reason,
    );
  });
}

/** Lets all work continue that waits for no timer. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

test('the time limit is the longest time without a byte, not that of the whole', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const scripted = scriptedExport('ndjson');
  let next = Promise.withResolvers<void>();
  const fetch: Fetch = async (url, init) => {
    const response = await fetchOf(scripted, 10)(url, init);
    const reader = response.body?.getReader();
    if (reader === undefined) return response;
    const read = async () => {
      await next.promise;
      next = Promise.withResolvers<void>();
      return reader.read();
    };
    return { ...response, body: { getReader: () => ({ ...reader, read }) } };
  };
  const { client, requests } = clientOn(fetch, 'a-key', { timeoutMs: 1000, maxRetries: 0 });
  const exported = client.transactions.exportFile({ format: 'ndjson' });
  let isDone = false;
  const file = readFile(exported).finally(() => {
    isDone = true;
  });
  let slowMs = 0;
  for (; !isDone; slowMs += 999) {
    await settle();
    t.mock.timers.tick(999);
    next.resolve();
  }
  assert.deepEqual(await file, scripted.file);
  assert.ok(slowMs > 50_000, `${slowMs} ms`);
  assert.equal(requests.filter((path) => path.startsWith('/v1/transactions')).length, 1);
});

test('a connection that brings no byte within the time limit is given up, and the export starts again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const scripted = scriptedExport('csv');
  const { client, waitsMs } = clientOn(fetchOf(scripted), 'a-key', { maxRetries: 1 });
  const read = async (faults: typeof scripted.faults) => {
    scripted.faults = faults;
    let isDone = false;
    const file = readFile(client.transactions.exportFile({ format: 'csv' }, { timeoutMs: 700 })).finally(
      () => {
        isDone = true;
      },
    );
    file.catch(() => {});
    while (!isDone) {
      await settle();
      t.mock.timers.tick(350);
    }
    return file;
  };
  assert.deepEqual(await read([{ bytes: 0, end: 'silent' }]), scripted.file);
  assert.equal(waitsMs.length, 1);
  await assert.rejects(read([{ bytes: 300, end: 'silent' }]), RequestTimeoutError);
});
