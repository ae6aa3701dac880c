import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { CSV_HEADER, csvLine } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { importedService } from '../rig/service/imported-service.ts';

describe('commands with details and related transactions', () => {
  const paid = { createdAt: '2026-03-01T10:00:00.000Z', paidAt: '2026-03-01T10:00:05.000Z', amount: '79.90' };
  const lines = [
    `${csvLine({ ...paid, reference: 'pay_1' })},,Ada Lovelace,4242`,
    `${csvLine({ ...paid, reference: 'back', amount: '-39.95', createdAt: '2026-03-02T10:00:00.000Z' })},store-1.pay_1,Ada Lovelace,4242`,
    `${csvLine({ ...paid, reference: 'pay_2', merchantReference: 'order-2' })},,,`,
  ];
  const service = importedService(
    [`${CSV_HEADER},relatedTo,details.customer,details.last4`, ...lines, ''].join('\n'),
  );
  const columns = ['--related-to', '--details', 'customer,last4'];
  const extraOf = (csv: string) =>
    (parse(csv, { columns: true }) as Record<string, string>[]).map((row) => [
      row['reference'],
      row['relatedTo'],
      row['details.customer'],
      row['details.last4'],
    ]);
  const EXTRA = [
    ['store-1.back', 'store-1.pay_1', 'Ada Lovelace', '4242'],
    ['store-1.pay_2', '', '', ''],
    ['store-1.pay_1', '', 'Ada Lovelace', '4242'],
  ];

  test('list, search and export have columns for them on wish, and JSON always', async () => {
    for (const command of [
      ['list', '--csv'],
      ['export', '--csv'],
      ['search', 'order', '--csv'],
    ]) {
      const { status, stdout, stderr } = await service.run([...command, ...columns]);
      assert.equal(status, 0, stderr);
      assert.deepEqual(extraOf(stdout), EXTRA, command[0]);
      const plain = await service.run(command);
      assert.equal(
        plain.stdout.split(/\r?\n/)[0],
        'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt',
      );
      const json = await service.run([...command.slice(0, -1), '--json']);
      const [back] = jsonLines(json.stdout);
      assert.deepEqual(back?.['details'], { customer: 'Ada Lovelace', last4: '4242' });
      const both = await service.run([...command.slice(0, -1), '--json', ...columns]);
      assert.deepEqual([both.status, /cannot be used with/.test(both.stderr)], [2, true]);
    }
    const found = await service.run(['search', 'LOVELACE', ...columns]);
    assert.deepEqual(
      found.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/).slice(7)),
      [
        ['relatedTo', 'details.customer', 'details.last4'],
        ['store-1.pay_1', 'Ada Lovelace', '4242'],
        ['-', 'Ada Lovelace', '4242'],
      ],
    );
    const wrong = await service.run(['list', '--details', 'Last 4']);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /different names of details with commas between them, such as customer,last4/);
  });

  test('show prints each of them', async () => {
    const { stdout } = await service.run(['show', 'store-1.back', '--account', 'store-1']);
    assert.match(stdout, /^relatedTo +store-1\.pay_1$/m);
    assert.match(stdout, /^details\.customer +Ada Lovelace\ndetails\.last4 +4242$/m);
    const [shown] = jsonLines((await service.run(['show', 'store-1.back', '--json'])).stdout);
    assert.partialDeepStrictEqual(shown, { relatedTo: 'store-1.pay_1', details: { last4: '4242' } });
  });

  test('reconcile pairs lines and transactions by a detail, and names one that differs', async () => {
    const file = (customer: string) =>
      `Card,amount,details.customer\n4242,79.90,${customer}\n4242,-39.95,Ada Lovelace\n`;
    const args = ['reconcile', '-', '--by', 'details.last4', '--column', 'Card=details.last4', '--json'];
    const equal = await service.run(args, { stdin: file('Ada Lovelace') });
    assert.match(equal.stderr, /^Compared 2 lines with 3 transactions: 2 equal/);
    const [missing] = jsonLines(equal.stdout);
    assert.partialDeepStrictEqual(missing, {
      difference: 'missing_there',
      account: { merchantReference: 'order-2' },
    });
    const { status, stdout } = await service.run(args, { stdin: file('Eve') });
    assert.equal(status, 1);
    const differing = jsonLines(stdout).find(({ difference }) => difference === 'differing');
    assert.match(JSON.stringify(differing), /details\.customer/);
  });
});
