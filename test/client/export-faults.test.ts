import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ArgumentError,
  ConnectionError,
  ExportDamagedError,
  type ExportFormat,
  type ExportManifest,
  type Fetch,
  RateLimitedError,
  UnexpectedResponseError,
} from '../../client/src/index.ts';
import { fetchOf, type ScriptedExport, scriptedExport } from '../rig/data/scripted-export.ts';
import { clientOn, type TestOptions } from '../rig/http/client.ts';

const FORMATS: readonly ExportFormat[] = ['csv', 'ndjson'];
const KEY = 'a-key';

function clientTo(scripted: ScriptedExport, options: Partial<TestOptions> = {}) {
  return clientOn(fetchOf(scripted, 100), KEY, options);
}

const answersOf = (requests: readonly string[]) =>
  requests.filter((path) => !path.startsWith('/v1/exports/'));

async function readToEnd(exported: AsyncIterable<Uint8Array | object>): Promise<Error | number> {
  let items = 0;
  try {
    for await (const _ of exported) items++;
    return items;
  } catch (error) {
    return error as Error;
  }
}

const WRONG: [fault: string, said: (manifest: ExportManifest) => ExportManifest, pattern: RegExp][] = [
  ['another hash', (one) => ({ ...one, sha256: 'f'.repeat(64) }), /sha256 is [0-9a-f]{64}, not f{64}/],
  ['fewer rows', (one) => ({ ...one, rows: 7 }), /rows is 8, not 7/],
  ['more rows', (one) => ({ ...one, rows: 9 }), /rows is 8, not 9/],
  ['fewer bytes', (one) => ({ ...one, bytes: 10 }), /bytes is \d+, not 10/],
  ['another id', (one) => ({ ...one, id: 'exp_another' }), /id is exp_0123456789abcdef, not exp_another/],
  ['another number', (one) => ({ ...one, asOf: 26 }), /asOf is 25, not 26/],
  ['another history', (one) => ({ ...one, asOfId: 'chg_b' }), /asOfId is chg_25, not chg_b/],
  ['another format', (one) => ({ ...one, format: 'xml' as never }), /format is \w+, not xml/],
  [
    'totals of other rows',
    (one) => ({ ...one, totals: one.totals.slice(1) }),
    /its totals have another number of rows/,
  ],
];

for (const format of FORMATS) {
  for (const [fault, said, pattern] of WRONG) {
    test(`${format}: a manifest with ${fault} is an error, and no request is repeated`, async () => {
      const scripted = scriptedExport(format);
      scripted.said = () => said(scripted.manifest);
      const { client, requests, waitsMs } = clientTo(scripted);
      const exported = client.transactions.exportFile({ format });
      const error = await readToEnd(exported);
      assert.ok(error instanceof ExportDamagedError);
      assert.match(error.message, pattern);
      assert.deepEqual([error.code, error.retryable], ['export_damaged', false]);
      assert.match(error.requestId ?? '', /^client-/);
      assert.equal(exported.manifest, null);
      assert.deepEqual([answersOf(requests).length, waitsMs.length], [1, 0]);
    });
  }

  test(`${format}: a byte that is altered in transit is an error`, async () => {
    const scripted = scriptedExport(format);
    const { respond } = scripted;
    for (let at = 0; at < scripted.file.length; at += 7) {
      scripted.respond = (path) => {
        const response = respond(path);
        if (path.startsWith('/v1/exports/')) return response;
        const body = Buffer.from(response.body);
        body[at] = (body[at] as number) ^ 1;
        return { ...response, body };
      };
      const { client } = clientTo(scripted, { maxRetries: 1 });
      const exported = client.transactions.exportFile({ format });
      const error = await readToEnd(exported);
      assert.ok(error instanceof Error, `byte ${at} was altered`);
      assert.equal(exported.manifest, null);
    }
  });

  test(`${format}: 429 and 503 are retried after their Retry-After, maxRetries times before the export has begun`, async () => {
    const scripted = scriptedExport(format);
    const refusals = [
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': '2' } },
    ];
    scripted.faults = [...refusals, { bytes: 400 }, ...refusals];
    const { client, requests, waitsMs } = clientTo(scripted, { maxRetries: 2, random: () => 0 });
    const exported = client.transactions.exportFile({ format }, { onRestart: () => {} });
    assert.equal(typeof (await readToEnd(exported)), 'number');
    assert.deepEqual(waitsMs, [7000, 2000, 500, 7000, 2000]);
    assert.equal(answersOf(requests).length, 6);
    scripted.faults = [503, 503, 429].map((status) => ({ status }));
    assert.ok((await readToEnd(exported)) instanceof RateLimitedError);
    assert.deepEqual(waitsMs.slice(5), [500, 1000]);
  });

  test(`${format}: a response that is not the export is refused`, async () => {
    for (const headers of [{ 'export-id': '' }, { 'export-as-of': '' }, { 'export-as-of': 'x' }]) {
      const scripted = scriptedExport(format);
      scripted.faults = [{ headers }];
      const { client } = clientTo(scripted);
      const error = await readToEnd(client.transactions.exportFile({ format }));
      assert.ok(error instanceof UnexpectedResponseError);
      assert.match(
        error.message,
        /^The response is not an export \(GET \/v1\/transactions\.\w+, request client-/,
      );
    }
  });

  test(`${format}: a fetch without a body stream is refused, and the error says why`, async () => {
    const scripted = scriptedExport(format);
    for (const body of [undefined, null]) {
      const fetch: Fetch = async (url, init) => ({ ...(await fetchOf(scripted)(url, init)), body });
      const { client, requests } = clientOn(fetch, KEY);
      const error = await readToEnd(client.transactions.exportFile({ format }));
      assert.ok(error instanceof ArgumentError);
      assert.match(error.message, /The fetch of the client returns no `body` stream, which exports need\./);
      assert.equal(requests.length, 1);
    }
  });

  test(`${format}: the number of rows is known during the export, which also works without it`, async () => {
    const scripted = scriptedExport(format);
    const known = clientTo(scripted).client.transactions.exportFile({ format });
    const seen: (number | null)[] = [];
    for await (const _ of known) seen.push(known.expectedRows);
    assert.ok(seen.slice(2).every((rows) => rows === 8) && seen.length > 2, inspect(seen));

    const { respond } = scripted;
    let refusals = 0;
    scripted.respond = (path) =>
      path.startsWith('/v1/exports/') && refusals++ === 0
        ? { status: 500, headers: {}, body: Buffer.alloc(0), end: null }
        : respond(path);
    const unknown = clientTo(scripted).client.transactions.exportFile({ format });
    for await (const _ of unknown) assert.equal(unknown.expectedRows, null);
    assert.equal(unknown.expectedRows, 8);
  });
}

test('CSV: a manifest that is not ready is requested again; if it never is, the export is incomplete', async () => {
  const scripted = scriptedExport('csv');
  const running = { ...scripted.manifest, state: 'running' as const, rows: null, bytes: null, sha256: null };
  let manifests = 0;
  scripted.said = () => (++manifests < 4 ? running : scripted.manifest);
  const late = clientTo(scripted);
  assert.equal(typeof (await readToEnd(late.client.transactions.exportFile({ format: 'csv' }))), 'number');
  assert.equal(answersOf(late.requests).length, 1);
  assert.deepEqual(late.waitsMs, [100, 200]);

  scripted.said = () => running;
  const never = clientTo(scripted, { random: () => 0 });
  const error = await readToEnd(never.client.transactions.exportFile({ format: 'csv' }));
  assert.ok(error instanceof ConnectionError);
  assert.match(
    error.message,
    /^No complete response came from https:\/\/service.test: the export ends early/,
  );
  const asked = [100, 200, 400, 800, 1600, 3200];
  assert.deepEqual([never.waitsMs, answersOf(never.requests).length], [asked, 1]);
});

test('transactions that do not add up to the sums of the manifest are an error', async () => {
  const scripted = scriptedExport('ndjson');
  const [first, second, ...others] = scripted.manifest.totals;
  assert.ok(first !== undefined && second !== undefined);
  for (const totals of [
    [{ ...first, amount: '0.01' }, second, ...others],
    [{ ...first, count: first.count + 1 }, { ...second, count: second.count - 1 }, ...others],
    [{ ...first, currencyCode: 'JPY' }, second, ...others],
    [first, second, ...others, { ...first, status: 'refunded', count: 0, amount: '0.00' }],
  ]) {
    scripted.said = () => ({ ...scripted.manifest, totals });
    const { client, requests } = clientTo(scripted);
    const exported = client.transactions.export();
    const error = await readToEnd(exported);
    assert.ok(error instanceof ExportDamagedError, JSON.stringify(totals));
    assert.match(error.message, /the totals are EUR completed: \d, .* not EUR /);
    assert.deepEqual([exported.rows, exported.manifest, answersOf(requests).length], [8, null, 1]);
  }
  scripted.said = () => ({ ...scripted.manifest, totals: [...scripted.manifest.totals].reverse() });
  assert.equal(await readToEnd(clientTo(scripted).client.transactions.export()), 8);
});

test('a line that is not a transaction is an error', async () => {
  const { file, ...scripted } = scriptedExport('ndjson');
  for (const wrong of [
    '{"reference":"pay_8"}',
    '{}',
    'null',
    '<html>',
    '"text',
    file.toString().replace('0.50', '0.5').split('\n')[0],
  ]) {
    const body = Buffer.from(`${wrong}\n${file}`);
    const headers = { 'export-id': scripted.manifest.id, 'export-as-of': '25', 'export-as-of-id': 'chg_25' };
    const respond = () => ({ status: 200, headers, body, end: null });
    const { client } = clientOn(fetchOf({ respond }, 10_000), KEY);
    const error = await readToEnd(client.transactions.export());
    assert.ok(error instanceof UnexpectedResponseError, wrong);
  }
});

test('a row without an end is refused before it fills the memory', async () => {
  const scripted = scriptedExport('csv');
  const [headers, body] = [
    { 'export-id': scripted.manifest.id, 'export-as-of': '25', 'export-as-of-id': 'chg_25' },
    Buffer.alloc(2 ** 22, '"a'),
  ];
  const { client } = clientOn(
    fetchOf({ respond: () => ({ status: 200, headers, body, end: null }) }, 2 ** 16),
    KEY,
  );
  const error = await readToEnd(client.transactions.exportFile({ format: 'csv' }));
  assert.ok(error instanceof UnexpectedResponseError);
  assert.match(error.message, /a row does not end/);
});
