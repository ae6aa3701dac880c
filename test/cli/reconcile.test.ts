import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Transaction } from '../../client/src/index.ts';
import { csvFile, csvLine, expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { type ExportFault, scriptedExport, serveExport } from '../rig/data/scripted-export.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { createKey, run, start } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const FIELDS = ['reference', 'merchantReference', 'status', 'amount', 'currencyCode', 'paidAt', 'createdAt'];

transcript(import.meta.url);

describe('reconcile', () => {
  const csv = sampleCsv(300);
  const account = expectedRows(csv, 'store-1');
  const service = importedService(csv);

  const reconcile = (stdin: string | Buffer, args: readonly string[]) =>
    service.run(['reconcile', '-', ...args], { stdin });

  const fileOf = (rows: readonly Record<string, string | null>[]) =>
    [FIELDS, ...rows.map((row) => FIELDS.map((field) => row[field] ?? ''))]
      .map((cells) => `${cells.join()}\n`)
      .join('');

  test('if not all transactions can be read, nothing is compared', async (t) => {
    const whole = scriptedExport('ndjson', account as unknown as Transaction[]);
    const file = fileOf(account.slice(0, 50));
    const faults: [fault: ExportFault[], said: object, message: RegExp][] = [
      [
        [{ bytes: 10_000 }, { status: 401 }],
        whole.manifest,
        /does not accept the key in TRANSACTIONS_API_KEY: .*\nNothing was compared\.\n$/,
      ],
      [
        [],
        { ...whole.manifest, rows: 151 },
        /The export differs from its manifest: .*\nNothing was compared\.\n$/,
      ],
    ];
    for (const [some, said, message] of faults) {
      whole.faults = some;
      whole.said = () => said;
      const url = await serveExport(t, whole);
      const { status, stdout, stderr } = await reconcile(file, ['--by', 'reference', '--url', url]);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, message);
    }
  });

  test('if the export of the transactions is cut, it is read again, and each transaction is compared once', async (t) => {
    const scripted = scriptedExport('ndjson', account as unknown as Transaction[]);
    scripted.faults = [{ bytes: 10_000 }];
    const url = await serveExport(t, scripted);
    const { status, stderr } = await reconcile(fileOf(account), ['--by', 'reference', '--url', url]);
    assert.equal(status, 0);
    assert.match(stderr, /^The export was cut after .*\nCompared 150 lines with 150 transactions: 150 equal/);
  });
});

test('a full temporary disk is one error sentence, and a killed comparison leaves no file', async (t) => {
  const folder = temporaryFolder(t);
  const line = (at: number) =>
    csvLine({ reference: `r${at}`, merchantReference: `${at}`.padStart(200, 'm') });
  const file = csvFile(...Array.from({ length: 60_000 }, (_, at) => line(at)));
  const key = await createKey('store-1', { cwd: folder.path });
  const options = { cwd: folder.path, env: { TRANSACTIONS_API_KEY: key } };
  const { status, stdout, stderr } = await run(['reconcile', '-', '--by', 'reference'], {
    ...options,
    stdin: file,
    through: ['prlimit', '--fsize=1000000'],
  });
  assert.deepEqual([status, stdout], [1, ''], stderr);
  assert.match(
    stderr,
    /\nThe comparison could not be finished: the temporary file can't be used: .+\. Free space in the folder for temporary files, or set TMPDIR to another folder\.\n$/,
  );
  const temporary = temporaryFolder(t);
  const env = { ...options.env, TMPDIR: temporary.path, SQLITE_TMPDIR: temporary.path };
  const child = start(['reconcile', '-', '--by', 'reference'], { ...options, env });
  const exited = once(child, 'exit');
  child.stdin?.on('error', () => {});
  // The command reports a faulty line when it reads it, so the lines before it are staged by then.
  child.stderr?.setEncoding('utf8');
  child.stdin?.write(`${file}faulty\n`);
  for await (const text of child.stderr as AsyncIterable<string>) if (text.includes('line 60002')) break;
  child.kill('SIGKILL');
  await exited;
  assert.deepEqual(readdirSync(temporary.path), []);
});
