import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { CSV_HEADER, sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createKey, start, startServe, withoutProgress } from '../rig/service/process.ts';

/** The clock advances by an hour at each reading, so every step is slow enough for a line of progress. */
const SLOW_MACHINE = `const now = performance.now.bind(performance); let calls = 0;
  performance.now = () => now() + 3_600_000 * calls++;`;

test('on a slow machine, every long command adds only lines of progress to standard error', async (t) => {
  const folder = temporaryFolder(t);
  const cwd = folder.path;
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(SLOW_MACHINE)}`];
  const csv = sampleCsv(20);
  writeFileSync(`${cwd}/all.csv`, csv);
  writeFileSync(`${cwd}/none.csv`, `${CSV_HEADER}\n`);
  const runSlowly = async (...args: string[]) => {
    const child = start(args, { cwd, env, nodeOptions });
    child.stdout?.resume();
    const [stderr, [status]] = await Promise.all([
      text(child.stderr as NodeJS.ReadableStream),
      once(child, 'exit'),
    ]);
    return { status, stderr };
  };
  const env: Record<string, string> = {};
  const expected = async (args: string[], status: number, left: RegExp) => {
    const ended = await runSlowly(...args);
    const name = `${args.join(' ')}: ${ended.stderr}`;
    assert.equal(ended.status, status, name);
    assert.match(ended.stderr, /^.* \.\.\.$/m, name);
    assert.match(withoutProgress(ended.stderr), left, name);
  };
  await expected(['import', 'all.csv'], 0, /^Database: .*\n$/);
  await expected(['verify'], 0, /^$/);
  await expected(['backup', 'backup.db'], 0, /^$/);
  await expected(
    ['copy', '--from', 'sqlite:data/transactions.db', '--to', 'sqlite:target.db', '--keep-source'],
    0,
    /^$/,
  );
  env['TRANSACTIONS_API_KEY'] = await createKey('store-1', { cwd });
  const served = await startServe({ cwd }, t);
  await expected(['export', '--json', '--url', served.url, '--output', 'all.ndjson'], 0, /^$/);
  const reconciled = ['reconcile', 'none.csv', '--by', 'reference', '--url', served.url];
  await expected(reconciled, 1, /^Not compared: "account"\..*\nCompared 0 lines with 10 transactions: /);
});
