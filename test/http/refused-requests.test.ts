import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestResponse } from '../rig/service/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/service/operator-app.ts';

/*
 * Each request is followed by its response. Requests that are directly above one response share it.
 * In a request, KEY stands for a valid key. In a response, _ stands for the name of the request's parameter.
 * Requests below a title with "operator" go to the operator's listener. TEST_WRITE=1 writes the responses.
 */
const FILE = new URL('./refused-requests.txt', import.meta.url);

const REQUEST =
  /^(?<method>[A-Z]+) (?<path>\S+)(?: Authorization: ?(?<authorization>.*)|(?: (?<word>[A-Z]\S*))?(?: (?<body>[{["].*))?)$/;

const ENCODINGS: Readonly<Record<string, (body: string) => Buffer>> = {
  BOM: (body) => Buffer.from(`\ufeff${body}`),
  'UTF-16': (body) => Buffer.from(`\ufeff${body}`, 'utf16le'),
  'UTF-16LE': (body) => Buffer.from(body, 'utf16le'),
  'ISO-8859-1': (body) => Buffer.from(body, 'latin1'),
  LONG: (body) => Buffer.from(body.padEnd(20_000)),
};

const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  CSV: { accept: 'application/vnd.ms-excel;q=0.9, text/csv' },
  GZIP: { 'content-encoding': 'gzip' },
  NDJSON: { 'content-type': 'application/x-ndjson' },
  TEXT: { 'content-type': 'text/plain' },
  WORD: { 'content-type': 'json' },
};

interface Fault {
  parameter?: string;
  pointer?: string;
  code: string;
  detail: string;
}

function shown({ status, body }: TestResponse): string {
  const faults: Fault[] = body.errors ?? [];
  const isOne = faults.length === 0 || (faults.length === 1 && faults[0]?.pointer === undefined);
  const details = isOne
    ? [body.detail]
    : faults.map(({ parameter, pointer, code, detail }) => `${parameter ?? pointer} ${code}: ${detail}`);
  return details.map((detail) => `  ${isOne ? `${status} ${body.code}` : status} ${detail}`).join('\n');
}

test('each request of refused-requests.txt gets its response, which shows no key, and changes nothing', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  await record(app.store, [transaction('store-1', 'a', { merchantReference: 'order-1042' })]);
  const key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
  const send = (isOperator: boolean, line: string): Promise<TestResponse> => {
    const groups = REQUEST.exec(line)?.groups ?? assert.fail(line);
    const { method = '', path = '', word = '', body, authorization } = groups;
    assert.ok(word === '' || word in ENCODINGS || word in HEADERS, line);
    const request = {
      method: method as OperatorRequest['method'],
      ...(body !== undefined && { text: ENCODINGS[word]?.(body) ?? body }),
      ...(word in HEADERS && { headers: HEADERS[word] as Record<string, string> }),
      ...(authorization !== undefined && {
        key: null,
        headers: { authorization: authorization.replaceAll('KEY', key) },
      }),
    };
    if (isOperator) return operator.send(path, request);
    const { key: _, ...own } = request as typeof request & { key?: null };
    return app.send(path.replaceAll('KEY', key), { ...own, ...(authorization === undefined && { key }) });
  };
  const state = async () => [
    await app.store.listWebhooks('store-1'),
    await app.store.listApiKeys('store-1', null, 10),
    await app.store.listSessions({ account: 'store-1', person: null }, null, 10),
    await app.store.readHeads(['store-1']),
  ];
  const before = await state();

  const table = readFileSync(FILE, 'utf8');
  const lines: string[] = [];
  let isOperator = false;
  for (const line of table.trimEnd().split('\n')) {
    if (line.startsWith('  ')) continue;
    lines.push(line);
    if (line.startsWith('#')) isOperator = line.includes('operator');
    if (line.startsWith('#') || line === '') continue;
    const response = await send(isOperator, line);
    assert.ok(response.status >= 400, line);
    assert.ok(!response.text.includes(key.slice(0, 20)), `a key is shown: ${line}`);
    const [, parameter = '_'] = /\?([\w[\].]+)=[^&\s]*$/.exec(line) ?? [];
    const named = new RegExp(`(?<=\\b(?:[Oo]mit|There is no) )${RegExp.escape(parameter)}(?=[ :,.])`, 'g');
    const text = shown(response).replaceAll(named, '_');
    if (lines.at(-2) === text) lines.splice(-2, 1);
    lines.push(text);
  }
  if (process.env['TEST_WRITE'] === '1') writeFileSync(FILE, `${lines.join('\n')}\n`);
  else assert.equal(`${lines.join('\n')}\n`, table, 'TEST_WRITE=1 writes the responses');
  assert.deepEqual(await state(), before);
});
