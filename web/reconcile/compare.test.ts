import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedTransaction } from '../../test/rig/data/scripted-feed.ts';
import { type Compared, compare } from './compare.ts';
import { openFile } from './file-text.ts';
import type { FileReading } from './guess-columns.ts';

const base: FileReading = {
  roles: ['merchantReference', 'paidOut', 'amount'],
  key: 'merchantReference',
  isContained: false,
  decimalComma: false,
  dateOrder: 'dmy',
  currency: '',
};

async function compareText(
  bytes: string | Uint8Array<ArrayBuffer>,
  reading: FileReading,
  order: Partial<Parameters<typeof compare>[0]> = {},
) {
  const file = await openFile(Object.assign(new Blob([bytes]), { name: 'a.csv' }));
  const days = { filter: {}, zone: 'UTC', toleranceDays: 0 };
  const rest = { transactions: [], isPaidOnly: false, archivedBefore: undefined, leavesOut: false };
  const all = { file, reading, days, ...rest, ...order };
  const { compared, ...faulty } = await compare(all, new AbortController().signal, () => {});
  return { ...faulty, compared: compared as Compared };
}

async function amountOf(out: string, into: string, currency = ''): Promise<string | null | undefined> {
  const text = `Text;Paid out;Paid in\na;"${out}";"${into}"\n`;
  const { compared, faults } = await compareText(text, { ...base, currency });
  const [faulty] = faults;
  if (faulty !== undefined)
    return 'value' in faulty.fault ? `no amount: ${faulty.fault.value.text}` : undefined;
  return compared.differences[0]?.file?.amount;
}

test('what is paid out is negative, however it is written, and a zero or a dash is in the column that a line does not use', async () => {
  for (const [out, into, amount] of [
    ['49.90', '', '-49.90'],
    ['49.90', '0.00', '-49.90'],
    ['49.90', '-', '-49.90'],
    ['-49.90', '0', '-49.90'],
    ['0.00', '49.90', '49.90'],
    ['-', '49.90', '49.90'],
    ['0.00', '0.00', '0.00'],
    ['0.00', '', '0.00'],
    ['', '-12.50', '-12.50'],
    ['+12.50', '', '-12.50'],
    ['- 12.50', '', '-12.50'],
    ['12.50-', '', '-12.50'],
    ['(12.50)', '', '-12.50'],
    ['\u221212.50', '', '-12.50'],
    ['12.50 DR', '', '-12.50'],
    ['12.50D', '', '-12.50'],
    ['12.50 S', '', '-12.50'],
    ['12.50 CR', '', 'no amount: -12.50 CR'],
    ['12.50', '10.00', 'no amount: 10.00 / 12.50'],
    ['x', '10.00', 'no amount: 10.00 / x'],
  ] as const)
    assert.equal(await amountOf(out, into), amount, `${out} | ${into}`);
  for (const [out, amount] of [
    ['12.50 EUR', '-12.50'],
    ['EUR -12.50', '-12.50'],
    ['12.50 EUR DR', '-12.50'],
    ['12.50 USD', 'no amount: -12.50 USD'],
  ] as const)
    assert.equal(await amountOf(out, '0.00 EUR', 'EUR'), amount, out);
});

test('without a column for the currency, every line and sum of the file has the chosen currency', async () => {
  const reading: FileReading = {
    ...base,
    roles: ['merchantReference', 'amount'],
    decimalComma: true,
    currency: 'EUR',
  };
  const { compared } = await compareText('Text;Betrag\na;1.234,56\nb;2,00\n', reading);
  assert.deepEqual(
    compared.differences.map((difference) => difference.file?.currencyCode),
    ['EUR', 'EUR'],
  );
  assert.deepEqual(
    compared.sums.map((row) => [row.class, row.currencyCode, row.file.amountMinor]),
    [['missing_here', 'EUR', 123_656n]],
  );
});

const OURS = ['with-order', 'without', 'other'].map((reference, index) =>
  scriptedTransaction({
    reference,
    merchantReference: index === 1 ? null : `order-${1000 + index}`,
    amount: `${index + 1}.00`,
    details: { invoice: `RE-2026-${index}` },
  }),
);

async function differencesOf(text: string, reading: FileReading): Promise<(string | null)[][]> {
  const { compared } = await compareText(text, reading, { transactions: OURS });
  return compared.differences
    .map((one) => [one.kind, one.file?.[reading.key] ?? null, one.account?.reference ?? null])
    .sort();
}

test('a payment is found in a longer text by its own reference, also if it has no merchantReference', async () => {
  const reading: FileReading = { ...base, roles: ['merchantReference', 'amount'], isContained: true };
  const lines = ['Zahlung WITHOUT danke;2.00', 'order-1000;1.00', 'Ihre Nr. other vom 1.3.;9.00'];
  assert.deepEqual(await differencesOf(`Text;Amount\n${lines.join('\n')}\n`, reading), [
    ['differing', 'order-1002', 'other'],
  ]);
});

test('a detail can be the key of a file that has neither a reference nor a merchantReference', async () => {
  const reading: FileReading = { ...base, key: 'details.invoice', roles: ['details.invoice', 'amount'] };
  assert.deepEqual(await differencesOf('Rechnung;Amount\nRE-2026-0;1.00\nRE-2026-1;2.50\n', reading), [
    ['differing', 'RE-2026-1', 'without'],
    ['missing_there', null, 'other'],
  ]);
});

test('a line whose transaction can be archived is not missing: its day is archived, or it has none', async () => {
  const compared = async (
    text: string,
    roles: FileReading['roles'],
    archivedBefore: string | undefined,
    toleranceDays = 0,
  ) => {
    const days = { filter: {}, zone: 'UTC', toleranceDays };
    const result = await compareText(text, { ...base, key: 'reference', roles }, { days, archivedBefore });
    const { differences, archivedLines } = result.compared;
    return { missing: differences.map(({ line }) => line), archivedLines };
  };
  const dated = 'Ref,Day\na,2026-02-28\nb,2026-03-01\n';
  const roles = ['reference', 'createdAt'] as const;
  assert.deepEqual(await compared(dated, [...roles], '2026-03-01'), { missing: [3], archivedLines: [2] });
  assert.deepEqual(await compared(dated, [...roles], undefined), { missing: [2, 3], archivedLines: [] });
  assert.deepEqual(await compared(dated, [...roles], '2026-02-27', 2), { missing: [3], archivedLines: [2] });
  assert.deepEqual(await compared('Ref,Amount\na,1.00\n', ['reference', 'amount'], '2026-03-01'), {
    missing: [],
    archivedLines: [2],
  });
});

const byReference = (roles: FileReading['roles'], decimalComma = false): FileReading => ({
  ...base,
  ...{ key: 'reference', roles, decimalComma },
});

async function compareBytes(bytes: string | Uint8Array<ArrayBuffer>, given: FileReading) {
  const { compared, faultCount } = await compareText(bytes, given, { transactions: OURS });
  const differences = faultCount > 0 ? [] : compared.differences;
  const found = differences.map(({ kind, fields, file, account }) => [
    kind,
    file?.reference ?? account?.reference,
    ...fields,
  ]);
  return { faultCount, found };
}

test('a line with an unreadable value is faulty, and another currency is a difference', async () => {
  const given = byReference(['reference', 'amount', 'currencyCode'], true);
  const lines = (amount: string, currency: string) =>
    `Ref;Betrag;W\nwith-order;${amount};${currency}\nwithout;2,00;EUR\nother;3,00;EUR\n`;
  assert.deepEqual(await compareBytes(lines('1,00 Euro', 'eur'), given), { faultCount: 0, found: [] });
  assert.deepEqual(await compareBytes(lines('999,99 Euro', 'EUR'), given), {
    faultCount: 0,
    found: [['differing', 'with-order', 'amount']],
  });
  assert.deepEqual(await compareBytes(lines('1,00', 'usd'), given), {
    faultCount: 0,
    found: [['differing', 'with-order', 'currencyCode']],
  });
  for (const [amount, currency] of [
    ['1,00*', 'EUR'],
    ['1,00 kr', 'EUR'],
    ['1,00 lei', 'EUR'],
    ['1,00', '$'],
  ] as const)
    assert.equal((await compareBytes(lines(amount, currency), given)).faultCount, 1, amount + currency);
});

test('a file is compared whole, whatever its line ends, and wherever its first letter beyond ASCII is', async () => {
  const given = byReference(['reference', 'amount', '']);
  const ours = OURS.map(({ reference, amount }) => `${reference},${amount},x\n`).join('');
  const long = `Ref,Amount,Text\n${ours}${',,\n'.repeat(90_000)}more,9.00,M\u00fcller\n`;
  for (const text of [long, long.replaceAll('\n', '\r'), long.replaceAll('\n', '\r\n')])
    for (const encoding of ['latin1', 'utf8', 'utf16le'] as const)
      assert.deepEqual(
        await compareBytes(Buffer.from(text, encoding), given),
        { faultCount: 0, found: [['missing_here', 'more']] },
        `${encoding} ${JSON.stringify(text.slice(15, 17))}`,
      );
});

test('an unsigned debit is negative, and a line that is neither debit nor credit is faulty', async () => {
  const given = byReference(['reference', 'amount', 'direction']);
  const lines = (word: string) => `Ref,Amount,Art\nwith-order,1.00,${word}\nwithout,2.00,H\nother,3.00,H\n`;
  assert.deepEqual(await compareBytes(lines('Haben'), given), { faultCount: 0, found: [] });
  assert.deepEqual((await compareBytes(lines('S'), given)).found, [['differing', 'with-order', 'amount']]);
  for (const word of ['x', '']) assert.equal((await compareBytes(lines(word), given)).faultCount, 1, word);
});
