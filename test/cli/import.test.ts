import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CSV_HEADER, csvFile, csvLine, sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { createKey, type Outcome, run, startServe, walkList } from '../rig/service/process.ts';

describe('import', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const importing = (args: string[], stdin?: string | Buffer, env: Record<string, string> = {}) =>
    run(['import', ...args], { cwd: folder.path, env, ...(stdin !== undefined && { stdin }) });
  const csv = (text: string | Buffer, ...args: string[]) =>
    importing(['-', '--format', 'csv', ...args], text);
  const summary = ({ status, stdout, stderr }: Outcome) => {
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };

  test('reports each faulty line with its number, column, cause and correction, and records nothing', async () => {
    const outcome = await csv(
      csvFile(
        csvLine(),
        csvLine({ reference: 'pay_2', amount: '12.505' }),
        csvLine({ reference: 'pay 3', currencyCode: 'eur' }),
        csvLine({ reference: 'pay_4', status: 'pending' }),
        csvLine({ reference: 'pay_5', createdAt: '2026-02-30T00:00:00Z' }),
        'store-1,pay_6',
        csvLine({ reference: 'pay_7', account: '' }),
      ),
    );
    assert.equal(outcome.status, 1);
    assert.equal(outcome.stdout, 'Read 7 lines, 6 of them faulty. Nothing was recorded.\n');
    const lines = outcome.stderr.trim().split('\n');
    for (const expected of [
      /^line 3, column amount: "12\.505" has more than two decimals, so it cannot be stored exactly$/,
      /^line 4, column reference: "store-1\.pay 3" contains a character that is not allowed; write 1 to 64 characters/,
      /^line 4, column currencyCode: "eur" is not a currency code: did you mean EUR\?$/,
      /^line 5, column paidAt: must be null, which CSV writes as nothing; a transaction that is "pending" has not been paid$/,
      /^line 6, column createdAt: "2026-02-30T00:00:00Z" /,
      /^line 7: has 2 columns, and the header has 8$/,
      /^line 8, column account: is missing$/,
      /^6 lines are faulty, as reported above\. Correct them, or record the valid lines with --skip-invalid\.$/,
    ]) {
      assert.ok(
        lines.some((line) => expected.test(line)),
        `${expected} is not reported:\n${outcome.stderr}`,
      );
    }
    assert.equal(lines.length, 8);
    assert.match(
      summary(await csv(csvFile(csvLine()))),
      /1 new/,
      'the valid line of the refused file was recorded',
    );
  });

  test('--skip-invalid records the valid lines and reports the others', async () => {
    const outcome = await csv(
      csvFile(csvLine(), csvLine({ reference: 'pay_2', amount: 'x' })),
      '--skip-invalid',
    );
    assert.equal(summary(outcome), 'Imported 2 lines: 1 new, 0 changed, 0 unchanged, 1 faulty.');
    assert.match(outcome.stderr, /^line 3, column amount: /);
  });

  test('--dry-run checks the file and writes nothing, not even an empty database', async () => {
    const good = await csv(csvFile(csvLine()), '--dry-run');
    assert.equal(
      summary(good),
      'Checked 1 line: 1 new, 0 changed, 0 unchanged, 0 faulty. Nothing was recorded, because this is a dry run.',
    );
    assert.equal(existsSync(`${folder.path}/data`), false);
    assert.equal((await csv(csvFile(csvLine({ amount: 'x' })), '--dry-run')).status, 1);

    await csv(csvFile(csvLine()));
    const conflicting = await csv(csvFile(csvLine({ amount: '1.00' })), '--dry-run');
    assert.equal(conflicting.status, 1);
    assert.match(conflicting.stderr, /line 2: contradicts the transaction recorded/);
  });

  test('a line that a trigger of the owner refuses is reported, and all others are recorded', async () => {
    await csv(csvFile(csvLine()));
    const db = new DatabaseSync(`${folder.path}/data/transactions.db`);
    db.exec(
      `CREATE TRIGGER closed BEFORE INSERT ON transactions WHEN NEW.reference LIKE '%closed' BEGIN SELECT RAISE(ABORT, 'the books are closed'); END`,
    );
    db.close();
    const outcome = await csv(
      csvFile(
        csvLine({ reference: 'pay_2' }),
        csvLine({ reference: 'pay_closed' }),
        csvLine({ reference: 'pay_3' }),
      ),
    );
    assert.equal(outcome.status, 1);
    assert.equal(outcome.stdout, 'Imported 3 lines: 2 new, 0 changed, 0 unchanged, 1 faulty.\n');
    assert.match(
      outcome.stderr,
      /^Database: .*\nline 3: the database refuses it: the books are closed\nThe database refused 1 line, as reported above\. All others are recorded\.\n$/,
    );
  });

  test('importing a file again changes nothing, a pending payment is completed, and a contradiction is reported', async () => {
    const pending = csvLine({ status: 'pending', paidAt: '' });
    assert.match(summary(await csv(csvFile(pending))), /1 new/);
    assert.match(summary(await csv(csvFile(pending))), /0 new, 0 changed, 1 unchanged/);
    assert.match(summary(await csv(csvFile(csvLine()))), /0 new, 1 changed/);
    const outcome = await csv(csvFile(csvLine({ amount: '99.00' }), csvLine({ reference: 'pay_2' })));
    assert.equal(outcome.status, 1);
    assert.match(
      outcome.stderr,
      /^line 2: contradicts the transaction recorded under this reference: amount is "12\.50" there and "99\.00" here$/m,
    );
    assert.match(summary(await csv(csvFile(csvLine({ reference: 'pay_2' })))), /1 new/);
  });

  test('accepts the CSV of spreadsheets: byte order mark, CRLF, quotes, blank lines, no final line end', async () => {
    const text = `\uFEFF${CSV_HEADER}\r\n${csvLine({ merchantReference: '"a ""b"", c"' })}\r\n\r\n${csvLine({ reference: 'pay_2', merchantReference: '' })}`;
    assert.match(summary(await csv(text)), /2 new/);
    const served = await startServe({ cwd: folder.path });
    try {
      const rows = await walkList(served.url, await createKey('store-1', { cwd: folder.path }));
      assert.deepEqual(
        rows.map((row) => row['merchantReference']),
        [null, 'a "b", c'],
      );
    } finally {
      await served.stop();
    }
  });

  test('line numbers count every line end, including quoted ones', async () => {
    const outcome = await csv(
      csvFile(csvLine({ merchantReference: '"two\nlines"' }), csvLine({ reference: 'pay_2', amount: 'x' })),
    );
    assert.match(outcome.stderr, /^line 2, column merchantReference: contains a control character/m);
    assert.match(outcome.stderr, /^line 4, column amount: /m);
  });

  test('invalid UTF-8 and an overlong line are reported', async () => {
    const latin = Buffer.from(csvFile(csvLine({ merchantReference: 'caf\xe9' })), 'latin1');
    assert.match((await csv(latin)).stderr, /^line 2, column merchantReference: .*not UTF-8/m);
    const endless = await csv(csvFile(csvLine(), csvLine({ merchantReference: 'x'.repeat(200_000) })));
    assert.equal(endless.status, 1);
    assert.match(endless.stderr, /line 3 is longer than 65536 characters.*Nothing was recorded\./);
  });

  test('a stray quote is a fault of its own line only, and every valid line is recorded', async () => {
    const good = Array.from({ length: 3000 }, (_, index) => csvLine({ reference: `good_${index}` }));
    for (const [position, what] of [
      [0, 'first'],
      [1500, 'in the middle'],
      [3000, 'last'],
    ] as const) {
      const lines = good.toSpliced(
        position,
        0,
        csvLine({ reference: `bad_${position}`, merchantReference: '"12 inch' }),
      );
      const refused = await csv(csvFile(...lines));
      assert.equal(refused.status, 1, what);
      assert.equal(refused.stdout, 'Read 3,001 lines, 1 of them faulty. Nothing was recorded.\n');
      assert.ok(
        refused.stderr.startsWith(`line ${position + 2}: a quote is opened and never closed; `),
        what,
      );
    }
    const lines = [
      ...good.slice(0, 9),
      csvLine({ reference: 'bad', merchantReference: '"x' }),
      ...good.slice(9),
    ];
    const skipped = await csv(csvFile(...lines), '--skip-invalid');
    assert.equal(summary(skipped), 'Imported 3,001 lines: 3,000 new, 0 changed, 0 unchanged, 1 faulty.');
    assert.match(skipped.stderr, /^line 11: a quote is opened and never closed; /m);
  });

  test('a file with lines between two stray quotes is refused, because they can be transactions or text', async () => {
    const file = csvFile(
      csvLine({ merchantReference: '"x' }),
      csvLine({ reference: 'pay_2' }),
      csvLine({ reference: 'pay_3', merchantReference: 'x"' }),
    );
    const outcome = await csv(file, '--skip-invalid');
    assert.equal(outcome.status, 1);
    assert.match(
      outcome.stderr,
      /can't be imported: line 3 is inside a quoted field that begins on line 2 and ends on line 4, .*Nothing was recorded\./,
    );
  });

  test('a contradiction within the file names the earlier line', async () => {
    const outcome = await csv(
      csvFile(csvLine(), csvLine({ reference: 'pay_2' }), csvLine({ amount: '1.00' })),
    );
    assert.equal(outcome.status, 1);
    assert.match(
      outcome.stderr,
      /^line 4: contradicts line 2, which has the same reference: amount is "12\.50" there and "1\.00" here$/m,
    );
  });

  test('a dry run changes no byte of the database and adds no file', async () => {
    await csv(csvFile(csvLine()));
    const files = () =>
      readdirSync(`${folder.path}/data`).map((name) => [
        name,
        readFileSync(`${folder.path}/data/${name}`, 'hex'),
      ]);
    const before = files();
    const outcome = await csv(csvFile(csvLine(), csvLine({ reference: 'pay_2' })), '--dry-run');
    assert.match(summary(outcome), /1 new, 0 changed, 1 unchanged/);
    assert.deepEqual(files(), before);
  });

  test('a wrong header, an empty file, an unknown file name ending and a missing file are one sentence each', async () => {
    const header = await csv('reference,amount\npay_1,12.50\n');
    assert.equal(header.status, 1);
    assert.match(
      header.stderr,
      /its first line is "reference,amount", and the header must be account,reference,[A-Za-z,]+; relatedTo and details\.NAME can follow\. Nothing was recorded\.$/m,
    );
    for (const [delimiter, name] of [
      [';', 'semicolons'],
      ['\t', 'tabs'],
    ] as const) {
      const separated = await csv(csvFile(csvLine()).replaceAll(',', delimiter));
      assert.deepEqual([separated.status, separated.stdout], [1, '']);
      assert.match(
        separated.stderr,
        new RegExp(
          `its columns are separated by ${name}, .* the header must be account,reference,.* Nothing was recorded\\.$`,
          'm',
        ),
      );
    }
    assert.match(
      (await csv('')).stderr,
      /it has no header; its first line must be account,reference,[A-Za-z,]+\. Nothing was recorded\.$/m,
    );
    const ending = await importing(['payments.xlsx']);
    assert.equal(ending.status, 2);
    assert.match(ending.stderr, /The name payments\.xlsx does not end in \.csv, \.ndjson or \.jsonl/);
    const missing = await importing(['payments.csv']);
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /There is no file "payments\.csv"\./);
    mkdirSync(`${folder.path}/folder.csv`);
    const directory = await importing(['folder.csv']);
    assert.equal(directory.status, 1);
    assert.match(directory.stderr, /folder\.csv can't be read: .*Nothing was recorded\./);
    const unnamed = await importing(['-'], '');
    assert.equal(unnamed.status, 2);
    assert.match(unnamed.stderr, /add --format csv or --format ndjson/);
    assert.equal((await importing(['-', '--format', 'xml'], '')).status, 2);
  });

  test('NDJSON has the same fields, null or absent if empty, and each fault is reported with its line', async () => {
    const object = (fields: Record<string, unknown>) =>
      JSON.stringify({
        account: 'store-1',
        reference: 'store-1.pay_1',
        status: 'pending',
        amount: '12.50',
        currencyCode: 'EUR',
        createdAt: '2026-03-01T10:00:00.000Z',
        ...fields,
      });
    writeFileSync(
      `${folder.path}/good.ndjson`,
      `${object({})}\n\n${object({ reference: 'pay_2', merchantReference: null, paidAt: null })}`,
    );
    assert.match(summary(await importing(['good.ndjson'])), /2 new/);
    const bad = await importing(
      ['-', '--format', 'ndjson'],
      [
        object({ reference: 'pay_3', amount: 12.5 }),
        '{"account":',
        '[]',
        object({ reference: 'pay_4', ammount: '1.00' }),
        object({ reference: 'pay_5', createdAt: undefined }),
      ].join('\n'),
    );
    assert.equal(bad.status, 1);
    for (const expected of [
      /^line 1, column amount: is a number; write it as a string with two decimals, for example "12.50"$/m,
      /^line 2: is not JSON: /m,
      /^line 3: is not a JSON object; write one object on each line$/m,
      /^line 4, column ammount: is not a field of a transaction: did you mean amount\? The fields are /m,
      /^line 5, column createdAt: is missing$/m,
    ]) {
      assert.match(bad.stderr, expected);
    }
  });

  test('a line without a reference is assigned one, and a note explains the consequence', async () => {
    const outcome = await csv(csvFile(csvLine({ reference: '' })));
    assert.match(summary(outcome), /1 new/);
    assert.match(outcome.stderr, /1 line had no reference and got a new one\. Importing the file again/);
  });

  test('only declared statuses are accepted', async () => {
    const file = csvFile(csvLine({ status: 'failed', paidAt: '' }));
    const args = ['-', '--format', 'csv'];
    assert.equal((await importing(args, file)).status, 1);
    assert.match(summary(await importing(args, file, { STATUSES: 'failed:unpaid' })), /1 new/);
    // A recorded transaction can be repeated without the declaration. No other takes its status.
    assert.match(summary(await importing(args, file)), /0 new.*1 unchanged/);
    const pending = csvFile(csvLine({ reference: 'waiting', status: 'pending', paidAt: '' }));
    assert.match(summary(await importing(args, pending)), /1 new/);
    for (const reference of ['other', 'waiting']) {
      const refused = await importing(args, csvFile(csvLine({ reference, status: 'failed', paidAt: '' })));
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /^line 2, column status: "failed" is not a recognised status/m);
    }
  });

  test('while a service uses the same database, a walk only grows, without duplicates', async () => {
    assert.match(summary(await csv(csvFile(csvLine({ reference: 'first' })))), /1 new/);
    const served = await startServe({ cwd: folder.path });
    try {
      const key = await createKey('store-1', { cwd: folder.path });
      const lines = inTier({ short: 10_000, long: 40_000 });
      const big = sampleCsv(lines);
      let importingNow = true;
      const outcome = csv(big).finally(() => {
        importingNow = false;
      });
      const counts: number[] = [];
      while (importingNow) {
        const rows = await walkList(served.url, key, 'status=pending');
        assert.equal(new Set(rows.map(({ reference }) => reference)).size, rows.length);
        counts.push(rows.length);
      }
      assert.ok(summary(await outcome).includes(`${lines.toLocaleString('en')} new`));
      const pending = big
        .split('\n')
        .filter((line) => line.startsWith('store-1') && line.includes('pending'));
      assert.deepEqual(
        counts,
        counts.toSorted((left, right) => left - right),
      );
      assert.equal((await walkList(served.url, key, 'status=pending')).length, pending.length);
      // The write-ahead log is truncated when the import ends or, if a reader prevents that, when the next recording restarts it.
      assert.ok(statSync(`${folder.path}/data/transactions.db-wal`).size <= 16 * 1024 * 1024);
    } finally {
      await served.stop();
    }
  });

  test('a closed output does not crash the import', async () => {
    const { spawnSync } = await import('node:child_process');
    const binary = new URL('../../bin/transactions.js', import.meta.url).pathname;
    writeFileSync(
      `${folder.path}/bad.csv`,
      csvFile(
        ...Array.from({ length: 5000 }, (_, index) => csvLine({ reference: `r${index}`, amount: 'x' })),
      ),
    );
    const { stdout } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" "${binary}" import bad.csv 2>&1 | head -n 2; echo done`],
      { cwd: folder.path, encoding: 'utf8' },
    );
    assert.match(stdout, /^line 2, column amount: .*\nline 3, column amount: .*\ndone\n$/);
  });
});
