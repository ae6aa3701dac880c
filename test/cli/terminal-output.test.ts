import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { scriptedExport, serveExport } from '../rig/data/scripted-export.ts';
import { scriptedFeed } from '../rig/data/scripted-feed.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  type CommandLine,
  createDatabase,
  importCsv,
  run,
  runAll,
  start,
  startRunning,
  startServe,
  withoutProgress,
} from '../rig/service/process.ts';

const HOSTILE = 'x\u001b[31m\u001b]0;t\u0007\u009b2J\u202e\u2066\u200f\u0085\u2028\r\u007f\nPLANTED';
const UNSEEN = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const API_KEY = 'tk_live_0000000000000000000000000000002C8GjS';

const ROW = {
  reference: HOSTILE,
  merchantReference: HOSTILE,
  status: HOSTILE,
  amount: HOSTILE,
  currencyCode: HOSTILE,
  paidAt: HOSTILE,
  createdAt: HOSTILE,
};

const hostileService = createServer((request, response) => {
  const page = { data: [ROW], nextCursor: null, hasMore: false };
  const change = {
    sequence: 1,
    id: HOSTILE,
    type: HOSTILE,
    previousStatus: HOSTILE,
    recordedAt: HOSTILE,
    transaction: ROW,
  };
  const changes = { data: [change], lastSequence: 1, lastId: HOSTILE, headSequence: 1, hasMore: false };
  const problem = {
    type: '/errors/invalid_status',
    title: HOSTILE,
    status: 400,
    detail: HOSTILE,
    code: 'invalid_status',
    requestId: HOSTILE,
  };
  const faults = [{ parameter: HOSTILE, code: 'invalid_status', detail: HOSTILE }];
  const [status, body] = (
    {
      '/rows': [200, page],
      '/changes': [200, changes],
      '/refused': [401, { ...problem, status: 401, code: 'invalid_api_key' }],
      '/faults': [400, { ...problem, errors: faults }],
    } as Record<string, [number, unknown]>
  )[request.url?.replace(/\/v1.*/, '') ?? ''] ?? [404, HOSTILE];
  response.writeHead(status, {
    'content-type': status === 200 ? 'application/json' : 'application/problem+json',
  });
  response.end(JSON.stringify(body));
});

const CLEARED_LINE = '\r\u001b[K';

function refuseUnseen(printed: string): void {
  const text = printed.replaceAll(CLEARED_LINE, '');
  const at = text.search(UNSEEN);
  assert.equal(at, -1, JSON.stringify(text.slice(Math.max(0, at - 80), at + 20)));
  assert.doesNotMatch(text, /^PLANTED/m);
}

describe('no control character is printed to a terminal', () => {
  const folder = temporaryFolder();
  const cwd = folder.path;
  let url = '';

  before(async () => {
    writeFileSync(`${cwd}/header.csv`, `${HOSTILE}\n`);
    hostileService.listen(0, '127.0.0.1');
    await once(hostileService, 'listening');
    url = `http://127.0.0.1:${(hostileService.address() as AddressInfo).port}`;
  });
  after(() => {
    hostileService.close();
    folder.remove();
  });

  async function allShow(lines: readonly CommandLine[], status?: number) {
    const ran = await runAll(lines, { cwd });
    assert.equal(ran.length, lines.length);
    for (const [index, outcome] of ran.entries()) {
      const name = JSON.stringify(lines[index]?.args);
      if (status !== undefined) assert.equal(outcome.status, status, `${name}: ${outcome.stderr}`);
      refuseUnseen(outcome.stdout);
      refuseUnseen(outcome.stderr);
      assert.match(outcome.stdout + outcome.stderr, /x\\+u001b\[31m/, name);
      assert.doesNotMatch(outcome.stderr, /Internal error/, name);
    }
    return ran.map(({ stdout }) => stdout);
  }

  const linesOf = (text: string, env: Record<string, string> = {}): CommandLine[] =>
    text
      .trim()
      .split(/\n */)
      .map((line) => ({ args: line.split(' ').map((word) => word.replace('HOSTILE', HOSTILE)), env }));
  const calling = { TRANSACTIONS_API_KEY: API_KEY };

  test('from arguments and files', async () => {
    const lines = linesOf(`
      HOSTILE
      keys HOSTILE
      --HOSTILE
      serve --workers HOSTILE
      import HOSTILE
      import a.csv --format HOSTILE
      keys create --account HOSTILE
      keys create --account a --expires HOSTILE
      keys list --account HOSTILE
      webhooks list --account HOSTILE
      webhooks failures HOSTILE --account HOSTILE
      list --limit HOSTILE
      changes --after HOSTILE
      reconcile header.csv --by HOSTILE
      reconcile header.csv --by reference --column HOSTILE`);
    await allShow([...lines, ...linesOf('reconcile header.csv --by reference', calling)], 2);
    await allShow(linesOf('import header.csv'), 1);
  });

  test('from responses of a service; CSV is escaped on a terminal only', async () => {
    const env = calling;
    const command = (name: string, path: string, ...args: string[]) => ({
      args: [name, '--url', `${url}${path}`, ...args],
      env,
    });
    const list = (path: string, ...args: string[]) => command('list', path, ...args);
    const onTerminal = { ...list('/rows', '--csv'), isTerminal: true };
    const lines = [list('/refused'), list('/faults'), list('/rows'), list('/rows', '--json'), onTerminal];
    const [, , , json = ''] = await allShow(lines);
    assert.deepEqual(JSON.parse(json), ROW);
    const [csv] = await runAll([list('/rows', '--csv')], { cwd });
    assert.ok(csv?.stdout.includes(HOSTILE));
    refuseUnseen(csv?.stderr ?? '');
    const changes = (path: string, ...args: string[]) => command('changes', path, ...args);
    const [, , , change = ''] = await allShow([
      changes('/refused'),
      changes('/faults'),
      changes('/changes'),
      changes('/changes', '--json'),
    ]);
    assert.deepEqual(JSON.parse(change).transaction, ROW);
  });

  test('in the log of a service', async () => {
    const served = await startServe({ cwd, env: { DATABASE_URL: `sqlite:${cwd}/data/\u202e\u009b.db` } });
    await served.stop();
    assert.match(served.logged(), /data\/\\u202e\\u009b\.db/);
    refuseUnseen(served.logged());
  });
});

describe('an output that fails', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const cwd = folder.path;
  const toFull = (stream: 1 | 2) => ['sh', '-c', `exec "$@" ${stream}>/dev/full`, 'sh'];
  before(async () => {
    await createDatabase({ cwd });
    await run(['keys', 'create', '--account', 'a'], { cwd });
  });

  test('is one error sentence and status 1 on a full disk, also of a long list', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => csvLine({ account: `a${at}`, reference: 'r' }));
    await importCsv(csvFile(...lines), { cwd });
    const reason = "The output can't be written: the disk is full. Make room, and run the command again.\n";
    for (const args of [['accounts', '--json'], ['seals'], ['keys', 'list', '--json'], ['--help']]) {
      const { status, stderr } = await run(args, { cwd, through: toFull(1) });
      assert.deepEqual([status, stderr], [1, reason]);
    }
    const created = await run(['keys', 'create', '--account', 'a', '--json'], { cwd, through: toFull(1) });
    assert.deepEqual([created.status, created.stderr.includes(reason)], [1, true]);
    assert.match(created.stderr, /To revoke it: transactions keys revoke key_\w+$/m);
  });

  test('of notes on standard error does not end the check of an import', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => csvLine({ reference: `r${at}`, amount: 'x' }));
    const args = ['import', '-', '--format', 'csv'];
    const { status, stdout } = await run(args, { cwd, stdin: csvFile(...lines), through: toFull(2) });
    assert.deepEqual(
      [status, stdout],
      [1, 'Read 3,000 lines, 3,000 of them faulty. Nothing was recorded.\n'],
    );
  });

  test('ends a command with status 1, without a note, when its reader closes it', async () => {
    const child = start(['keys', 'list', '--json'], { cwd });
    child.stdout?.destroy();
    let notes = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      notes += chunk;
    });
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.equal(notes, '');
  });

  test('ends list, changes and export with status 0 and reconcile with 1, without a note, if its reader closes it', {
    timeout: GIVE_UP_MS,
  }, async (t) => {
    let nowMs = Date.UTC(2026, 0, 1);
    const list = await serveHttp(t, (_, response) => {
      const data = [{ ...ROW, reference: 'r', createdAt: new Date(nowMs--).toISOString() }];
      const page = { data, nextCursor: 'next', hasMore: true };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(page));
    });
    const feed = await scriptedFeed(t, 3);
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      ...ROW,
      reference: `r${index}`,
      amount: '1.00',
    }));
    const [csv, ndjson] = [
      await serveExport(t, scriptedExport('csv', rows)),
      await serveExport(t, scriptedExport('ndjson', rows)),
    ];
    writeFileSync(`${cwd}/one.csv`, 'reference,amount\nother,2\n');
    for (const [url, status, ...args] of [
      [list, 0, 'list', '--json'],
      [feed.url, 0, 'changes', '--follow', '--json'],
      [csv, 0, 'export', '--csv'],
      [ndjson, 1, 'reconcile', 'one.csv', '--by', 'reference', '--json'],
    ] as const) {
      const env = { TRANSACTIONS_API_KEY: API_KEY };
      const { child, output, lines, exited } = startRunning(t, [...args, '--url', url], { cwd, env });
      await lines(1);
      child.stdout?.destroy();
      feed.record();
      assert.deepEqual(await exited, [status, null], `${args[0]}: ${output.stderr}`);
      assert.equal(withoutProgress(output.stderr), '', args[0]);
    }
  });
});
