import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { importedService } from '../rig/service/imported-service.ts';

type Row = Record<string, string | null>;

/** The lines of a table of totals, added up from the rows of a list. */
function expectedLines(rows: readonly Row[], periodLength: number): string[][] {
  const sums = new Map<string, { count: number; hundredths: bigint }>();
  for (const { createdAt, currencyCode, status, amount } of rows) {
    const name = [
      ...(periodLength > 0 ? [createdAt?.slice(0, periodLength)] : []),
      currencyCode,
      status,
    ].join(' ');
    const { count, hundredths } = sums.get(name) ?? { count: 0, hundredths: 0n };
    sums.set(name, { count: count + 1, hundredths: hundredths + BigInt(String(amount).replace('.', '')) });
  }
  return [...sums]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { count, hundredths }]) => {
      const digits = String(hundredths).padStart(3, '0');
      return [...name.split(' '), String(count), `${digits.slice(0, -2)}.${digits.slice(-2)}`];
    });
}

describe('totals', () => {
  const csv = sampleCsv(600);
  const expected = expectedRows(csv, 'store-1');
  const service = importedService(csv);

  const totals = (args: readonly string[], env: Record<string, string> = {}) =>
    service.run(['totals', ...args], { env });

  test('a table has the sums of the list, and standard error the last change that they have', async () => {
    const { status, stdout, stderr } = await totals([]);
    const [titles = '', ...lines] = stdout.trimEnd().split('\n');
    assert.match(titles, /^CURRENCY {2}STATUS {5}COUNT +AMOUNT$/);
    assert.deepEqual(
      lines.map((line) => line.split(/ +/)),
      expectedLines(expected, 0),
    );
    for (const line of lines) assert.equal(line.length, titles.length, 'amounts end in one column');
    assert.equal(stderr, `These are the totals up to change ${expected.length} of the account.\n`);
    assert.equal(status, 0);
  });

  test('--by day and --by month split them, and the filters restrict them over any range', async () => {
    const last = String(expected[0]?.['createdAt']).slice(0, 10);
    const byDay = await totals(['--by', 'day']);
    const [titles = '', ...lines] = byDay.stdout.trimEnd().split('\n');
    assert.match(titles, /^DAY +CURRENCY +STATUS +COUNT +AMOUNT$/);
    assert.deepEqual(
      lines.map((line) => line.split(/ +/)),
      expectedLines(expected, 10),
    );
    const [monthTitles = '', ...months] = (await totals(['--by', 'month'])).stdout.trimEnd().split('\n');
    assert.match(monthTitles, /^MONTH +CURRENCY +STATUS +COUNT +AMOUNT$/);
    assert.deepEqual(
      months.map((line) => line.split(/ +/)),
      expectedLines(expected, 7),
    );
    const filters = ['--status', 'pending', '--currency', 'CAD', '--from', '2001-01-01', '--to', last];
    const { stdout } = await totals(filters);
    assert.deepEqual(
      stdout.trimEnd().split(/\s+/).slice(4),
      expectedLines(
        expected.filter(({ status }) => status === 'pending'),
        0,
      ).flat(),
    );
  });

  test('--json prints the response of the service, and nothing else', async () => {
    const { status, stdout, stderr } = await totals(['--json', '--by', 'day', '--url', service.url]);
    const response = await fetch(`${service.url}/v1/totals?by=day`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    assert.equal(stdout, `${await response.text()}\n`);
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('no totals are a success with a note', async () => {
    const none = ['--currency', 'JPY'];
    const { status, stdout, stderr } = await totals(none);
    assert.deepEqual([status, stdout], [0, '']);
    assert.equal(stderr, `No transactions match, up to change ${expected.length} of the account.\n`);
    const json = await totals([...none, '--json']);
    const { asOfId, ...rest } = JSON.parse(json.stdout);
    assert.match(asOfId, /^chg_/);
    assert.deepEqual(rest, { data: [], asOf: expected.length });
  });

  test('wrong use ends with status 2, names the correct use, and prints no totals', async () => {
    const wrong: [args: string[], message: RegExp][] = [
      [['--by', 'week'], /'--by <period>' argument 'week' is invalid\. Allowed choices are day, month\./],
      [['--currency', 'usd', '--json'], /^--currency: .*did you mean USD\?\n$/],
      [['--status', 'paid', '--from', 'May'], /^--status: .*\n--from: .*YYYY-MM-DD/],
      [
        ['--from', '2026-02-02', '--to', '2026-02-01'],
        /^--from: it is after --to\. Give the earlier day, or the same day for both\.\n$/,
      ],
      [['--merchant-reference', 'x', '--by', 'day'], /^--by: Totals of a merchantReference are not split/],
    ];
    for (const [args, message] of wrong) {
      const { status, stdout, stderr } = await totals(args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, message);
    }
  });

  test('a refused key ends with status 1 and an error that names the URL', async () => {
    const revoked = await service.revokedKey();
    const { status, stdout, stderr } = await totals([], { TRANSACTIONS_API_KEY: revoked });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^The service at http.* does not accept the key in TRANSACTIONS_API_KEY: /);
  });
});
