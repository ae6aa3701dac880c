import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { importedService } from '../rig/service/imported-service.ts';

describe('search', () => {
  const csv = sampleCsv(300);
  const expected = expectedRows(csv, 'store-1');
  const service = importedService(csv);
  const search = (...args: readonly string[]) => service.run(['search', ...args]);

  test('finds by a part of a reference, an amount and a day of payment, newest first', async () => {
    const wanted = expected.find(({ paidAt }) => paidAt !== null) ?? {};
    const amount = String(wanted['amount']);
    const day = String(wanted['paidAt']).slice(0, 10);
    const part = String(wanted['reference']).slice(1);
    const cases: [args: string[], matches: (row: Record<string, unknown>) => boolean][] = [
      [['--amount', amount], (row) => row['amount'] === amount],
      [['--paid-from', day, '--paid-to', day], (row) => String(row['paidAt']).startsWith(day)],
      [[part.toUpperCase()], (row) => `${row['reference']}\n${row['merchantReference']}`.includes(part)],
    ];
    for (const [args, matches] of cases) {
      const { status, stdout, stderr } = await search(...args, '--json');
      assert.deepEqual(jsonLines(stdout), expected.filter(matches), args.join(' '));
      assert.ok(jsonLines(stdout).length > 0);
      assert.deepEqual([status, stderr], [0, '']);
    }
  });

  test('prints a table, and what to do without a match', async () => {
    const { stdout } = await search('--amount', String(expected[0]?.['amount']), '--limit', '1');
    assert.match(stdout, /^CREATED +REFERENCE .*\n\S+Z +\S+ .*\n$/);
    const nothing = await search('no-such-reference');
    assert.deepEqual([nothing.status, nothing.stderr], [0, 'No transactions match.\n']);
    const amount = await search('999999,07');
    assert.equal(
      amount.stderr,
      'No transactions match.\nA text is looked for in references. To find an amount, use --amount 999999.07.\n',
    );
  });

  test('names the fault of an option', async () => {
    const cases: [args: string[], message: string][] = [
      [
        [],
        'text: Give a part of a reference, or --amount, --amount-from, --amount-to, --paid-from or --paid-to. To print all transactions, use "transactions list".\n',
      ],
      [['ab'], 'text: text has 2 characters. Send 3 to 64 characters of a reference or a detail.\n'],
      [
        ['--paid-from', '2026-03-02', '--paid-to', '2026-03-01'],
        '--paid-from: it is after --paid-to. Give the earlier day, or the same day for both.\n',
      ],
    ];
    for (const [args, message] of cases) {
      const { status, stdout, stderr } = await search(...args);
      assert.deepEqual([status, stdout, stderr], [2, '', message]);
    }
  });
});
