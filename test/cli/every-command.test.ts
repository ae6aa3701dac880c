import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CSV_HEADER, csvFile, csvLine } from '../rig/data/csv.ts';
import { tagged } from '../rig/database/isolation.ts';
import { someInTier } from '../rig/run/tier.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { run, runProgram } from '../rig/service/process.ts';

/*
 * Most tests run their command lines in a process that they share (test/rig/service/commands.ts). Here, each command that ends runs
 * as a program as well, four of them with each commit, and the outcome must be the same. `serve`, `demo` and `--follow` are programs of their own everywhere.
 */

const REFERENCE = tagged('store-1', 'a');
const LINE = csvLine({ reference: 'a' });
const COMMANDS: readonly (readonly string[])[] = [
  ['--version'],
  ['import', '-', '--format', 'csv'],
  ['list', '--json'],
  ['search', 'store', '--amount-from', '0.01', '--json'],
  ['export', '--csv'],
  ['changes', '--json'],
  ['totals', '--json'],
  ['reconcile', 'payments.csv', '--by', 'reference', '--json'],
  ['accounts', '--json'],
  ['show', REFERENCE, '--account', 'store-1'],
  ['keys', 'list', '--json'],
  ['audit', '--json'],
  ['sessions', 'list', '--account', 'store-1'],
  ['access', '--account', 'store-1', '--json'],
  ['webhooks', 'list', '--account', 'store-1'],
  ['migrate'],
  ['copy', '--from', 'sqlite:data/transactions.db', '--to', 'sqlite:copied.db', '--json'],
  ['doctor'],
  ['verify'],
  ['seals'],
  ['backup', 'backup.db'],
];

describe('a command ends alike as a program and in a shared process', () => {
  const service = importedService(csvFile(LINE));
  for (const args of someInTier(COMMANDS, 4))
    test(args.join(' '), async () => {
      writeFileSync(`${service.folder}/payments.csv`, csvFile(LINE));
      const options = { ...service.options, stdin: `${CSV_HEADER}\n` };
      // A copy marks its source as moved.
      const reopen = async () => args[0] === 'copy' && (await run(['reopen'], options));
      const own = await runProgram(args, options);
      await reopen();
      const shared = await run(
        args.map((one) => one.replace(/(copied|backup)(?=\.db)/, 'again-$1')),
        options,
      );
      await reopen();
      assert.equal(own.status, 0, own.stderr);
      assert.ok((own.stdout + own.stderr).length > 0);
      assert.deepEqual(
        { ...shared, stdout: normal(shared.stdout), stderr: normal(shared.stderr) },
        { ...own, stdout: normal(own.stdout), stderr: normal(own.stderr) },
      );
    });
});

/** Without the names of the second run, measured times, and the number of records, which the service renews or not meanwhile. */
const normal = (text: string) =>
  text
    .replaceAll('again-', '')
    .replaceAll(/"records":\d+/g, '"records":0')
    .replaceAll(/"seconds":.*|\b\d+(\.\d+)? (ms|s|seconds?)\b/g, '0 s');
