import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ArgumentError,
  type ClientOptions,
  type Export,
  type ExportFormat,
  type Transaction,
} from '../../client/src/index.ts';
import {
  fetchOf,
  type ScriptedExport,
  sampleTransactions,
  scriptedExport,
} from '../rig/data/scripted-export.ts';
import { clientOn } from '../rig/http/client.ts';
import { fc } from '../rig/run/properties.ts';
import { someInTier } from '../rig/run/tier.ts';

/** Of the bytes after which an answer is cut. */
const CUTS = 200;
const FORMATS: readonly ExportFormat[] = ['csv', 'ndjson'];

function clientTo(scripted: ScriptedExport, chunkBytes = 64, options: Partial<ClientOptions> = {}) {
  return clientOn(fetchOf(scripted, chunkBytes), 'a-key', options);
}

/** The requests for the export itself, without those for its manifest. */
const answersOf = (requests: readonly string[]) =>
  requests.filter((path) => !path.startsWith('/v1/exports/'));

/** Reads a file, and checks that each piece has whole rows. */
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

async function readAll(exported: Export<Transaction>): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for await (const transaction of exported) all.push(transaction);
  return all;
}

test('transactions arrive as they are, and the manifest after them', async () => {
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
    test(`${format} that is cut after any byte is joined to the same file (the end is ${end})`, async () => {
      const scripted = scriptedExport(format);
      for (const bytes of someInTier([...scripted.answer.keys()], CUTS)) {
        scripted.faults = [{ bytes, end }];
        const { client, requests } = clientTo(scripted, 500);
        const exported = client.transactions.exportFile({ format });
        assert.deepEqual(await readFile(exported, scripted), scripted.file);
        assert.deepEqual(exported.manifest, scripted.manifest);
        const rows = [...scripted.rowEnds].filter((rowEnd) => rowEnd <= bytes).length - 1;
        const after = rows > 0 ? `&after=${sampleTransactions[rows - 1]?.reference}` : '';
        const resumed = `/v1/transactions.${format}?resume=${scripted.manifest.id}${after}`;
        // The last byte is the line end of the manifest, which the client can do without.
        const isComplete = format === 'ndjson' && bytes === scripted.answer.length - 1 && end === 'clean';
        assert.deepEqual(answersOf(requests).slice(1), isComplete ? [] : [resumed], `${bytes} bytes`);
      }
    });
  }

  test(`a file of ${format} is joined from any number of answers that are cut anywhere`, async () => {
    const scripted = scriptedExport(format);
    const fault = fc.record({
      bytes: fc.nat({ max: scripted.answer.length }),
      end: fc.constantFrom('lost' as const, 'clean' as const),
    });
    const faults = fc.array(fault, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(faults, fc.integer({ min: 1, max: 900 }), async (given, chunkBytes) => {
        scripted.faults = [...given];
        const options = { maxRetries: given.length };
        const exported = clientTo(scripted, chunkBytes, options).client.transactions.exportFile({ format });
        assert.deepEqual(await readFile(exported, scripted), scripted.file);
        assert.deepEqual(exported.manifest, scripted.manifest);
      }),
    );
  });

  test(`a file of ${format} without transactions is a file too`, async () => {
    const scripted = scriptedExport(format, []);
    for (let bytes = 0; bytes <= scripted.answer.length; bytes++) {
      scripted.faults = [{ bytes }];
      const exported = clientTo(scripted, 500).client.transactions.exportFile({ format });
      assert.deepEqual(await readFile(exported, scripted), scripted.file);
      assert.equal(exported.manifest?.rows, 0);
    }
  });

  test(`a second loop over a file of ${format} continues where the first one stopped`, async () => {
    const scripted = scriptedExport(format);
    const { client, requests } = clientTo(scripted, 200);
    const exported = client.transactions.exportFile({ format });
    const pieces: Uint8Array[] = [];
    for await (const rows of exported) {
      pieces.push(rows);
      if (pieces.length === 2) break;
    }
    assert.equal(exported.manifest, null);
    for await (const rows of exported) pieces.push(rows);
    assert.deepEqual(Buffer.concat(pieces), scripted.file);
    assert.deepEqual(exported.manifest, scripted.manifest);
    assert.match(answersOf(requests)[1] ?? '', /resume=exp_0123456789abcdef&after=/);
    for await (const rows of exported) assert.fail(`${rows.length} bytes follow the end`);
    assert.equal(answersOf(requests).length, 2);
  });
}

test('a second loop over transactions continues with the one after the last', async () => {
  for (let first = 1; first < sampleTransactions.length; first++) {
    const exported = clientTo(scriptedExport('ndjson'), 1000).client.transactions.export();
    const all: Transaction[] = [];
    for await (const transaction of exported) if (all.push(transaction) === first) break;
    all.push(...(await readAll(exported)));
    assert.deepEqual(all, sampleTransactions);
    assert.equal(exported.manifest?.rows, 8);
  }
});

test('transactions are returned once each when their answers are cut', async () => {
  const scripted = scriptedExport('ndjson');
  scripted.faults = [700, 10, 400, 0].map((bytes) => ({ bytes }));
  const exported = clientTo(scripted).client.transactions.export();
  assert.deepEqual(await readAll(exported), sampleTransactions);
});

test('a guarded file is resumed after a reference that begins like a formula', async () => {
  const scripted = scriptedExport('csv', sampleTransactions, true);
  for (let bytes = 0; bytes < scripted.file.length; bytes++) {
    scripted.faults = [{ bytes }];
    const { client, requests } = clientTo(scripted, 500);
    const exported = client.transactions.exportFile({ format: 'csv', spreadsheet: true });
    assert.deepEqual(await readFile(exported, scripted), scripted.file);
    assert.equal(requests[0], '/v1/transactions.csv?spreadsheet=true');
  }
  assert.ok(scripted.file.includes("\n'-4,'=1+1,"));
});

test('the memory of a piece belongs to the caller', async () => {
  const scripted = scriptedExport('csv');
  scripted.faults = [{ bytes: 333 }];
  const kept: Buffer[] = [];
  for await (const rows of clientTo(scripted, 50).client.transactions.exportFile({ format: 'csv' })) {
    kept.push(Buffer.from(rows));
    // What postMessage does with a piece that it transfers.
    structuredClone(rows.buffer, { transfer: [rows.buffer as ArrayBuffer] });
  }
  assert.deepEqual(Buffer.concat(kept), scripted.file);
});

test('the manifest of an export is read by its id', async () => {
  const scripted = scriptedExport('csv');
  const { client, requests } = clientTo(scripted);
  assert.deepEqual(await client.transactions.exportManifest(scripted.manifest.id), scripted.manifest);
  assert.deepEqual(requests, [`/v1/exports/${scripted.manifest.id}`]);
  const running = { ...scripted.manifest, state: 'running', rows: null, bytes: null, sha256: null };
  scripted.said = () => running;
  assert.deepEqual(await client.transactions.exportManifest(scripted.manifest.id), running);
});

test('a response that is not a manifest is refused', async () => {
  const { manifest } = scriptedExport('csv');
  for (const wrong of [
    null,
    [],
    {},
    { ...manifest, state: 'done' },
    { ...manifest, rows: null },
    { ...manifest, bytes: '3' },
    { ...manifest, sha256: null },
    { ...manifest, totals: [{}] },
    { ...manifest, totals: undefined },
    { ...manifest, parts: null },
    { ...manifest, parts: [{ after: null }] },
    { ...manifest, asOf: -1 },
    { ...manifest, asOfId: undefined },
    { ...manifest, id: 7 },
  ]) {
    const { client } = clientTo({ ...scriptedExport('csv'), respond: () => respondWith(wrong) });
    const asked = client.transactions.exportManifest(manifest.id);
    await assert.rejects(asked, { name: 'UnexpectedResponseError' }, JSON.stringify(wrong));
  }
});

const respondWith = (body: unknown) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
  end: null,
});

test('wrong arguments are refused, and nothing is sent', async () => {
  const { client, requests } = clientTo(scriptedExport('csv'));
  const { transactions } = client;
  assert.throws(() => transactions.exportFile({} as never), ArgumentError);
  assert.throws(() => transactions.exportFile({ format: 'xml' as never }), ArgumentError);
  assert.throws(() => transactions.exportFile({ format: 'toString' as never }), ArgumentError);
  assert.throws(() => transactions.exportFile({ format: 'csv', curency: 'EUR' } as never), /mean currency\?/);
  assert.throws(() => transactions.export({ spreadsheet: true, cursor: 'c' } as never), TypeError);
  assert.throws(() => transactions.export({ from: new Date() } as never), /Use utcDay for a Date/);
  assert.throws(() => transactions.export({}, { limit: 1 } as never), TypeError);
  for (const id of ['', '.', '..', '\ud800', 7, undefined])
    await assert.rejects(transactions.exportManifest(id as string), ArgumentError);
  assert.deepEqual(requests, []);
});

test('an export that is being read is not read by another loop', async () => {
  const exported = clientTo(scriptedExport('ndjson')).client.transactions.export();
  const loop = exported[Symbol.asyncIterator]();
  await loop.next();
  await assert.rejects(readAll(exported), ArgumentError);
  await loop.return(undefined);
  assert.equal((await readAll(exported)).length, 7);
});
