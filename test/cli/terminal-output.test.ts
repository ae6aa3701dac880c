import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { scriptedExport, serveExport } from '../rig/data/scripted-export.ts';
import { scriptedFeed } from '../rig/data/scripted-feed.ts';
import { serveHttp } from '../rig/http/loopback.ts';
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
  createdAt: '2026-01-01T00:00:00.000Z',
};

function refuseUnseen(text: string): void {
  const at = text.search(UNSEEN);
  assert.equal(at, -1, JSON.stringify(text.slice(Math.max(0, at - 80), at + 20)));
  assert.doesNotMatch(text, /^PLANTED/m);
}

describe('no control character is printed to a terminal', () => {
  const folder = temporaryFolder();
  const cwd = folder.path;
  after(folder.remove);

  async function allShow(lines: readonly CommandLine[], status: number) {
    const ran = await runAll(lines, { cwd });
    assert.equal(ran.length, lines.length);
    for (const [index, outcome] of ran.entries()) {
      const name = JSON.stringify(lines[index]?.args);
      assert.equal(outcome.status, status, `${name}: ${outcome.stderr}`);
      refuseUnseen(outcome.stdout);
      refuseUnseen(outcome.stderr);
      assert.match(outcome.stdout + outcome.stderr, /x\\+u001b\[31m/, name);
    }
    return ran.map(({ stdout }) => stdout);
  }

  test('from arguments and files', async () => {
    writeFileSync(`${cwd}/header.csv`, `${HOSTILE.replace('\r', '')}\n`);
    const lines = [
      [HOSTILE],
      [`--${HOSTILE}`],
      ['import', HOSTILE],
      ['keys', 'create', '--account', HOSTILE],
      ['list', '--limit', HOSTILE],
    ];
    await allShow(
      lines.map((args) => ({ args })),
      2,
    );
    await allShow([{ args: ['import', 'header.csv'] }], 1);
  });

  test('from responses of a service; CSV is escaped on a terminal only', async (t) => {
    const url = await serveHttp(t, (_, response) => {
      const page = { data: [ROW], nextCursor: null, hasMore: false };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(page));
    });
    const list = (...args: string[]) => ({
      args: ['list', '--url', url, ...args],
      env: { TRANSACTIONS_API_KEY: API_KEY },
    });
    const onTerminal = { ...list('--csv'), isTerminal: true };
    const [, json = ''] = await allShow([list(), list('--json'), onTerminal], 0);
    assert.deepEqual(JSON.parse(json), ROW);
    const [csv] = await runAll([list('--csv')], { cwd });
    assert.ok(csv?.stdout.includes(HOSTILE));
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

  test('ends list, changes and export with status 0 and reconcile with 1, without a note, if its reader closes it', async (t) => {
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
