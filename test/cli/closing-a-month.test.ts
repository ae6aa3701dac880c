import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import type { ExportManifest } from '../../client/src/index.ts';
import type { TransactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import type { TotalBody } from '../../src/ledger/totals/http/totals-schemas.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { FeedTotals } from '../rig/data/feed-totals.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { importedService } from '../rig/service/imported-service.ts';

/*
 * Follows docs/closing-a-month.md with the commands of the document, one after the other, on the payments of three months.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = readFileSync(`${ROOT}/docs/closing-a-month.md`, 'utf8');
const COMMANDS = [...GUIDE.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

type Fields = Partial<Record<string, string>>;

/** 60 payments of each month from February to April, every seventh of them pending. */
const PAYMENTS: Fields[] = Array.from({ length: 180 }, (_, index) => {
  const createdAt = `2026-0${2 + Math.floor(index / 60)}-${String(1 + (index % 28)).padStart(2, '0')}T23:59:59.999Z`;
  const isPending = index % 7 === 0;
  return {
    reference: `pay_${index}`,
    merchantReference: `order-${index}`,
    status: isPending ? 'pending' : 'completed',
    amount: `${index % 90}.${String(index % 100).padStart(2, '0')}`,
    currencyCode: index % 3 === 0 ? 'USD' : 'EUR',
    createdAt,
    paidAt: isPending ? '' : createdAt,
  };
});
const MARCH = PAYMENTS.filter(({ createdAt }) => createdAt?.startsWith('2026-03'));

/** The bank has all completed payments of March but the first one. */
const [unknownToBank, ...knownToBank] = MARCH.filter(({ status }) => status === 'completed');
const BANK = [
  'Verwendungszweck;Betrag;Währung',
  ...knownToBank.map(
    (one) => `${one['merchantReference']};${one['amount']?.replace('.', ',')};${one['currencyCode']}`,
  ),
].join('\n');

function totalsOf(payments: readonly Fields[]): TotalBody[] {
  const totals = new FeedTotals();
  for (const payment of payments)
    totals.apply({ previousStatus: null, transaction: payment as unknown as TransactionBody });
  return totals.rows({});
}

describe('closing a month', () => {
  const service = importedService(csvFile(...PAYMENTS.map(csvLine)));
  const read = (name: string) => readFileSync(`${service.folder}/${name}`, 'utf8');
  let manifest: ExportManifest;

  before(async () => {
    writeFileSync(`${service.folder}/bank.csv`, `${BANK}\n`);
    const [getting, setting] = [commands.next().value ?? '', commands.next().value ?? ''];
    assert.match(getting, /^curl -O \S+\/client\/transactions\.mjs$/);
    assert.match(setting, /^export TRANSACTIONS_URL=\S+ TRANSACTIONS_API_KEY=\$KEY$/);
    const response = await fetch(`${service.url}/client/transactions.mjs`);
    writeFileSync(`${service.folder}/transactions.mjs`, await response.text());
  });

  /** Runs the next command of the guide, which must contain a text. */
  const commands = COMMANDS.values();
  const follow = async (text: string, change = (line: string) => line) => {
    const line = change(commands.next().value ?? '');
    assert.ok(line.includes(text), `the guide has ${line}`);
    const env = {
      PATH: process.env['PATH'] ?? '',
      TRANSACTIONS_URL: service.url,
      TRANSACTIONS_API_KEY: service.key,
    };
    const ended = promisify(execFile)('sh', ['-c', line], { cwd: service.folder, env });
    return ended.then(
      ({ stdout }) => ({ status: 0, stdout }),
      ({ code, stdout, stderr }) => ({ status: code as number, stdout: `${stdout}${stderr}` }),
    );
  };

  const expected = totalsOf(MARCH);
  const rowsOf = (table: string) =>
    table
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/));

  test('the totals are the sums of the month', async () => {
    const { status, stdout } = await follow(' totals ');
    assert.equal(status, 0);
    const wanted = expected.map(({ currencyCode, status, count, amount }) => [
      currencyCode,
      status,
      String(count),
      amount,
    ]);
    assert.deepEqual(rowsOf(stdout).slice(1), wanted);
  });

  test('the file has every payment of the month, and the manifest the same sums', async () => {
    const { status, stdout } = await follow(' export ');
    assert.equal(status, 0, stdout);
    manifest = JSON.parse(read('march.manifest.json'));
    assert.deepEqual(manifest.totals, expected);
    const rows = parse<Fields>(read('march.csv'), { columns: true });
    assert.deepEqual(
      rows.map(({ merchantReference }) => merchantReference).sort(),
      MARCH.map(({ merchantReference }) => merchantReference).sort(),
    );
    assert.deepEqual(totalsOf(rows), expected);
  });

  test('the hash of the file is that of the manifest', async () => {
    const hash = createHash('sha256').update(read('march.csv')).digest('hex');
    assert.equal(manifest.sha256, hash);
    const { status, stdout } = await follow('sha256sum');
    assert.deepEqual([status, stdout], [0, 'march.csv: OK\n']);
  });

  test('the comparison names the payment that the bank does not have, and no other', async () => {
    const { status, stdout } = await follow(' reconcile ');
    assert.equal(status, 1);
    assert.match(stdout, new RegExp(` ${unknownToBank?.['merchantReference']} `));
    assert.match(stdout, / 1 missing there .* 0 differing/);
  });

  test('a payment that is completed later is the change after the manifest, and explains the later totals', async () => {
    const late = MARCH.find(({ status }) => status === 'pending') as Fields;
    const completed = { ...late, status: 'completed', paidAt: '2026-04-02T08:00:00.000Z' };
    await service.import(csvFile(csvLine(completed)));
    const { stdout } = await follow(' changes ', (line) => line.replace('25', String(manifest.asOf)));
    assert.deepEqual(
      jsonLines(stdout).map(({ previousStatus, transaction }) => [
        previousStatus,
        transaction.reference,
        transaction.status,
      ]),
      [['pending', `store-1.${late['reference']}`, 'completed']],
    );
    const later = await service.run(['totals', '--json', '--from', '2026-03-01', '--to', '2026-03-31']);
    const { data, asOf } = JSON.parse(later.stdout);
    assert.deepEqual(data, totalsOf(MARCH.map((one) => (one === late ? completed : one))));
    assert.equal(asOf, manifest.asOf + 1);
    assert.equal(commands.next().done, true, 'the guide has another command');
  });
});
