import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Transaction } from '../../client/src/index.ts';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { type ExportFault, scriptedExport, serveExport } from '../rig/data/scripted-export.ts';
import { importedService } from '../rig/service/imported-service.ts';
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
