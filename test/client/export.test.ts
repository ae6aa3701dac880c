import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ArgumentError,
  ConnectionError,
  type Export,
  type ExportFormat,
  type ExportQuery,
  type Fetch,
  RequestTimeoutError,
  type Transaction,
  TransactionsClient,
} from '../../client/src/index.ts';
import {
  fetchOf,
  type ScriptedExport,
  sampleTransactions,
  scriptedExport,
  serveExport,
} from '../rig/data/scripted-export.ts';
import { clientOn, type TestOptions } from '../rig/http/client.ts';
import { someInTier } from '../rig/run/tier.ts';

const CUTS = 200;
const FORMATS: readonly ExportFormat[] = ['csv', 'ndjson'];

function clientTo(scripted: ScriptedExport, chunkBytes = 64, options: Partial<TestOptions> = {}) {
  return clientOn(fetchOf(scripted, chunkBytes), 'a-key', options);
}

const answersOf = (requests: readonly string[]) =>
  requests.filter((path) => !path.startsWith('/v1/exports/'));

async function readFile(exported: Export<Uint8Array>, { rowEnds }: ScriptedExport): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let end = 0;
  for await (const rows of exported) {
    end += rows.length;
    assert.ok(rows.length > 0 && rowEnds.has(end), `a piece ends at ${end}`);
    pieces.push(rows);
  }
  return Buffer.concat(pieces);
}

async function readAgain(client: TransactionsClient, query: ExportQuery) {
  const restarts: [restart: number, rows: number][] = [];
  let pieces: Uint8Array[] = [];
  const exported = client.transactions.exportFile(query, {
    onRestart: async ({ restart, rows }) => {
      await nextTurn();
      restarts.push([restart, rows]);
      pieces = [];
    },
  });
  for await (const rows of exported) pieces.push(rows);
  return { file: Buffer.concat(pieces), exported, restarts };
}

test('transactions arrive unchanged, and the manifest after them', async () => {
  const scripted = scriptedExport('ndjson');
  const { client, requests } = clientTo(scripted);
  const exported = client.transactions.export({ from: '2020-01-01', currency: 'EUR' });
  assert.deepEqual([requests.length, exported.id, exported.asOf, exported.rows], [0, null, null, 0]);
  const all: Transaction[] = [];
  for await (const transaction of exported) {
    assert.equal(exported.manifest, null);
    assert.deepEqual([exported.id, exported.asOf], [scripted.manifest.id, 25]);
    all.push(transaction);
    assert.ok(exported.rows >= all.length);
  }
  assert.deepEqual(all, sampleTransactions);
  assert.deepEqual(exported.manifest, scripted.manifest);
  assert.deepEqual([exported.rows, exported.expectedRows], [8, 8]);
  assert.deepEqual(answersOf(requests), ['/v1/transactions.ndjson?from=2020-01-01&currency=EUR']);
});

for (const format of FORMATS) {
  test(`a file of ${format} arrives in whole rows, whatever the chunks of the network`, async () => {
    const scripted = scriptedExport(format);
    for (let chunkBytes = 1; chunkBytes <= scripted.answer.length; chunkBytes += Math.ceil(chunkBytes / 20)) {
      const exported = clientTo(scripted, chunkBytes).client.transactions.exportFile({ format });
      assert.deepEqual(await readFile(exported, scripted), scripted.file);
      assert.deepEqual(exported.manifest, scripted.manifest);
    }
  });

  for (const end of ['lost', 'clean'] as const) {
    test(`${format} that is cut after any byte starts again from the beginning (the end is ${end})`, async () => {
      const scripted = scriptedExport(format);
      for (const bytes of someInTier([...scripted.answer.keys()], CUTS)) {
        scripted.faults = [{ bytes, end }];
        const { client, requests } = clientTo(scripted, 500);
        const { file, exported, restarts } = await readAgain(client, { format });
        assert.deepEqual(file, scripted.file);
        assert.deepEqual(exported.manifest, scripted.manifest);
        const isComplete = format === 'ndjson' && bytes === scripted.answer.length - 1 && end === 'clean';
        const answers = Array(isComplete ? 1 : 2).fill(`/v1/transactions.${format}`);
        assert.deepEqual(answersOf(requests), answers, `${bytes} bytes`);
        const rows = [...scripted.rowEnds].filter((rowEnd) => rowEnd <= bytes).length - 1;
        assert.deepEqual(restarts, isComplete ? [] : [[1, Math.max(0, rows)]]);
      }
    });
  }

  test(`${format} starts again at most three times, and only if its reader can discard what it has received`, async () => {
    const scripted = scriptedExport(format);
    const cuts = [400, 0, 900, 300].map((bytes) => ({ bytes }));
    scripted.faults = [...cuts];
    const { client, requests, waitsMs } = clientTo(scripted, 500, { random: () => 0, maxRetries: 0 });
    await assert.rejects(readAgain(client, { format }), ConnectionError);
    assert.deepEqual([answersOf(requests).length, waitsMs], [4, [500, 1000, 2000]]);
    scripted.faults = cuts.slice(1);
    const { file, restarts } = await readAgain(client, { format });
    assert.deepEqual([file, restarts.length], [scripted.file, 3]);

    scripted.faults = [{ bytes: 0 }, { bytes: 400 }];
    const pieces = client.transactions.exportFile({ format });
    await assert.rejects(Array.fromAsync(pieces), ConnectionError);
    assert.deepEqual([scripted.faults, pieces.manifest], [[], null]);
  });

  test(`a second loop over a file of ${format} begins a new export`, async () => {
    const scripted = scriptedExport(format);
    const { client, requests } = clientTo(scripted, 200);
    const exported = client.transactions.exportFile({ format });
    for await (const _ of exported) break;
    assert.equal(exported.manifest, null);
    for (let loop = 0; loop < 2; loop++) {
      assert.deepEqual(await readFile(exported, scripted), scripted.file);
      assert.deepEqual(exported.manifest, scripted.manifest);
    }
    assert.equal(answersOf(requests).length, 3);
  });
}

test('an export that is being read is not read by another loop', async () => {
  const exported = clientTo(scriptedExport('ndjson')).client.transactions.export();
  const loop = exported[Symbol.asyncIterator]();
  await loop.next();
  await assert.rejects(Array.fromAsync(exported), ArgumentError);
  await loop.return(undefined);
  assert.equal((await Array.fromAsync(exported)).length, 8);
});

test('leaving the loop closes the connection', async (t) => {
  const scripted = scriptedExport('csv');
  const closed = Promise.withResolvers<boolean>();
  scripted.faults = [{ bytes: 400, end: 'silent' }];
  const url = await serveExport(t, scripted, (path, isComplete) => {
    if (!path.startsWith('/v1/exports/')) closed.resolve(isComplete);
  });
  const client = new TransactionsClient({ url, apiKey: 'a-key' });
  for await (const _ of client.transactions.exportFile({ format: 'csv' })) break;
  assert.equal(await closed.promise, false);
});

test('a signal ends an export with its reason: before the request, while it opens, while the loop waits, in the loop, in a pause', async () => {
  const reason = new Error('the user has left');
  const never: Fetch = () => new Promise(() => {});
  const endsAt = async (faults: ScriptedExport['faults'], options: Partial<TestOptions>, inLoop = false) => {
    const scripted = scriptedExport('csv');
    scripted.faults = faults;
    const ending = new AbortController();
    const { client } = clientTo(scripted, 64, options);
    if (!inLoop) setImmediate(() => ending.abort(reason));
    const exported = client.transactions.exportFile(
      { format: 'csv' },
      { signal: ending.signal, onRestart: () => {} },
    );
    await assert.rejects(async () => {
      for await (const _ of exported) if (inLoop) ending.abort(reason);
    }, reason);
  };
  const before = { signal: AbortSignal.abort(reason) };
  const { client, requests } = clientTo(scriptedExport('csv'));
  await assert.rejects(Array.fromAsync(client.transactions.exportFile({ format: 'csv' }, before)), reason);
  assert.deepEqual(requests, []);
  await endsAt([], { fetch: never });
  await endsAt([{ bytes: 400, end: 'silent' }], {});
  await endsAt([{ bytes: 400, end: 'silent' }], {}, true);
  await endsAt([{ bytes: 400 }], { sleep: undefined, random: () => 0 });
});

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

test('the time limit applies to the time without a byte, not to the whole export', async (t) => {
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
  const file = readFile(exported, scripted).finally(() => {
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
  assert.equal(answersOf(requests).length, 1);
});

test('a connection that receives no byte within the time limit is closed, and the export starts again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const scripted = scriptedExport('csv');
  const { client, waitsMs } = clientOn(fetchOf(scripted), 'a-key', { maxRetries: 1 });
  const read = async (faults: typeof scripted.faults) => {
    scripted.faults = faults;
    let isDone = false;
    const exported = client.transactions.exportFile({ format: 'csv' }, { timeoutMs: 700 });
    const file = readFile(exported, scripted).finally(() => {
      isDone = true;
    });
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
