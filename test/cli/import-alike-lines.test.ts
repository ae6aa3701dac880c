import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';

describe('an import of a file with many lines that have the same fault', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** What an import reports on standard error, line by line. */
  const report = async (text: string, format = 'csv', ...args: string[]) => {
    const { stderr } = await run(['import', '-', '--format', format, ...args], {
      cwd: folder.path,
      stdin: text,
    });
    return stderr.trim().split('\n');
  };
  const lines = (count: number, fields: (index: number) => Partial<Record<string, string>> = () => ({})) =>
    Array.from({ length: count }, (_, index) =>
      csvLine({ reference: `pay_${String(index).padStart(5, '0')}`, ...fields(index) }),
    );
  const numbersOf = (notes: readonly string[], pattern: RegExp) =>
    notes.map((note) => Number(pattern.exec(note)?.[1]));

  test('prints the first ten in full, and the rest as one line with their count and numbers', async () => {
    const notes = await report(csvFile(...lines(10_000, () => ({ currencyCode: 'EURO' }))));
    assert.equal(notes.length, 12, notes.join('\n').slice(0, 2000));
    assert.deepEqual(
      numbersOf(notes.slice(0, 10), /^line (\d+), column currencyCode: "EURO" is not /),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    );
    assert.deepEqual(notes.slice(10), [
      '9,990 more lines like line 2, column currencyCode: 12-10001',
      '10,000 lines are faulty, as reported above. Correct them, or record the valid lines with --skip-invalid.',
    ]);
  });

  test('shows each of several faults, however many lines have another one', async () => {
    const faults = [
      { account: '' },
      { reference: 'pay 1' },
      { merchantReference: 'x'.repeat(256) },
      { status: 'paid' },
      { status: '' },
      { amount: '1.234' },
      { amount: '' },
      { currencyCode: 'eur' },
      { currencyCode: '' },
      { paidAt: 'yesterday' },
      { createdAt: '2026-02-30T00:00:00Z' },
      { status: 'pending' },
    ];
    const notes = await report(csvFile(...lines(1200, (index) => faults[index % 12] ?? {})));
    for (const [index, fault] of faults.entries())
      assert.ok(
        notes.some((note) => note.startsWith(`line ${index + 2}, column `)),
        `${JSON.stringify(fault)} is not shown:\n${notes.join('\n')}`,
      );
    assert.equal(notes.filter((note) => note.startsWith('line ')).length, 12 * 10);
    const rests = notes.filter((note) => /^\d+ more lines like line \d+, column \w+: /.test(note));
    assert.equal(rests.length, 12);
    // Every twelfth line.
    const numbers = Array.from({ length: 90 }, (_, index) => 122 + 12 * index).join(', ');
    assert.equal(rests[0], `90 more lines like line 2, column account: ${numbers}`);
  });

  test('every faulty line is named, however many gaps are between them', async () => {
    const notes = await report(csvFile(...lines(5000, (index) => (index % 2 === 0 ? { amount: '' } : {}))));
    const inFull = numbersOf(notes.slice(0, 10), /^line (\d+), column amount: /);
    const rests = notes
      .slice(10, -1)
      .map((note) => /^([\d,]+) more lines like line 2, column amount: (.*)$/.exec(note));
    const named = rests.flatMap((rest) => (rest?.[2] ?? '').split(', ').map(Number));
    assert.deepEqual(
      [...inFull, ...named],
      Array.from({ length: 2500 }, (_, index) => 2 + 2 * index),
    );
    for (const rest of rests)
      assert.equal(
        Number(rest?.[1]?.replace(',', '')),
        rest?.[2]?.split(', ').length,
        rest?.[0].slice(0, 60),
      );
  });

  test('lines that cannot be read are alike, whatever numbers and texts their faults have', async () => {
    const columns = Array.from({ length: 30 }, (_, index) => 'x,'.repeat(index + 10));
    assert.deepEqual((await report(csvFile(...columns))).slice(10), [
      '20 more lines like line 2: 12-31',
      '30 lines are faulty, as reported above. Correct them, or record the valid lines with --skip-invalid.',
    ]);
    const broken = Array.from(
      { length: 30 },
      (_, index) => `${' '.repeat(index)}{"account": store-${index}}`,
    );
    assert.equal((await report(broken.join('\n'), 'ndjson'))[10], '20 more lines like line 1: 11-30');
  });

  test('a file with a new fault on each line shows each of them', async () => {
    const unknown = Array.from({ length: 300 }, (_, index) => JSON.stringify({ [`field${index}`]: '' }));
    const notes = await report(unknown.join('\n'), 'ndjson');
    const shown = notes.filter((note) => note.includes('is not a field of a transaction'));
    assert.equal(shown.length, 300);
  });

  test('contradictions are alike: of recorded transactions and of other lines', async () => {
    const good = lines(300);
    await report(csvFile(...good));
    // In descending order of their references: they are compared in ascending order.
    const notes = await report(csvFile(...lines(300, () => ({ amount: '1.00' })).toReversed()));
    assert.equal(notes.filter((note) => /^line \d+: contradicts /.test(note)).length, 10);
    assert.match(notes.at(-2) ?? '', /^290 more lines like line 301: /);
    const repeated = lines(30).map((line, index) =>
      line.replace('12.50', `${index}.00`).replace(/pay_\d+/, 'p'),
    );
    const within = await report(csvFile(...repeated));
    assert.equal(within.at(-2), '19 more lines like line 3: 13-31');
  });

  test('lines that the database refuses are alike, and all others are recorded', async () => {
    await report(csvFile(csvLine()));
    const db = new DatabaseSync(`${folder.path}/data/transactions.db`);
    db.exec(
      `CREATE TRIGGER closed BEFORE INSERT ON transactions BEGIN SELECT RAISE(ABORT, 'the books are closed'); END`,
    );
    db.close();
    const notes = await report(csvFile(...lines(40)));
    assert.equal(notes.filter((note) => note.includes('the database refuses it: the books')).length, 10);
    assert.deepEqual(notes.slice(-2), [
      '30 more lines like line 2: 12-41',
      'The database refused 40 lines, as reported above. All others are recorded.',
    ]);
  });

  test('the rest is reported also where the file cannot be read to its end', async () => {
    const notes = await report(`${csvFile(...lines(30, () => ({ amount: 'x' })))}${'x'.repeat(70_000)}\n`);
    assert.equal(notes.at(-2), '20 more lines like line 2, column amount: 12-31');
    assert.match(notes.at(-1) ?? '', /Nothing was recorded\.$/);
  });
});
