import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CSV_HEADER, csvFile, csvLine, sampleCsv } from '../rig/csv.ts';
import { createKey, type Outcome, run, startServe, walkList } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

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

  test('names each faulty line with its number, column, cause and cure, and records nothing', async () => {
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
      /^line 3, column amount: "12\.505" has more decimals than two; it cannot be kept exactly$/,
      /^line 4, column reference: "store-1\.pay 3" holds a character that is not allowed; write 1 to 64 characters/,
      /^line 4, column currencyCode: "eur" is not a currency code: did you mean EUR\?$/,
      /^line 5, column paidAt: must be empty; a transaction that is "pending" has not been paid$/,
      /^line 6, column createdAt: "2026-02-30T00:00:00Z" /,
      /^line 7: has 2 columns, and the header has 8$/,
      /^line 8, column account: is missing$/,
      /^6 lines are faulty, as told above\. Correct them, or record the good lines with --skip-invalid\.$/,
    ]) {
      assert.ok(
        lines.some((line) => expected.test(line)),
        `${expected} is not told:\n${outcome.stderr}`,
      );
    }
    assert.equal(lines.length, 8);
    assert.match(
      summary(await csv(csvFile(csvLine()))),
      /1 new/,
      'the good line of the refused file had been recorded',
    );
  });

  test('--skip-invalid records the good lines and reports the others', async () => {
    const outcome = await csv(
      csvFile(csvLine(), csvLine({ reference: 'pay_2', amount: 'x' })),
      '--skip-invalid',
    );
    assert.equal(summary(outcome), 'Imported 2 lines: 1 new, 0 changed, 0 unchanged, 1 faulty.');
    assert.match(outcome.stderr, /^line 3, column amount: /);
  });

  test('--dry-run checks everything and leaves nothing, not even a database', async () => {
    const good = await csv(csvFile(csvLine()), '--dry-run');
    assert.equal(
      summary(good),
      'Checked 1 line: 1 new, 0 changed, 0 unchanged, 0 faulty. Nothing was recorded, as asked.',
    );
    assert.equal(existsSync(`${folder.path}/data`), false);
    assert.equal((await csv(csvFile(csvLine({ amount: 'x' })), '--dry-run')).status, 1);

    await csv(csvFile(csvLine()));
    const conflicting = await csv(csvFile(csvLine({ amount: '1.00' })), '--dry-run');
    assert.equal(conflicting.status, 1);
    assert.match(conflicting.stderr, /line 2: contradicts what is recorded/);
  });

  test('of the same file again changes nothing; a payment completes; a contradiction is told', async () => {
    const pending = csvLine({ status: 'pending', paidAt: '' });
    assert.match(summary(await csv(csvFile(pending))), /1 new/);
    assert.match(summary(await csv(csvFile(pending))), /0 new, 0 changed, 1 unchanged/);
    assert.match(summary(await csv(csvFile(csvLine()))), /0 new, 1 changed/);
    const outcome = await csv(csvFile(csvLine({ amount: '99.00' }), csvLine({ reference: 'pay_2' })));
    assert.equal(outcome.status, 1);
    assert.match(
      outcome.stderr,
      /^line 2: contradicts what is recorded under this reference: amount is "12\.50" there and "99\.00" here$/m,
    );
    assert.match(summary(await csv(csvFile(csvLine({ reference: 'pay_2' })))), /1 new/);
  });

  test('reads what spreadsheets write: a mark of the byte order, CRLF, quotes, blank lines, no last line end', async () => {
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

  test('counts lines as an editor does, quoted line ends included', async () => {
    const outcome = await csv(
      csvFile(csvLine({ merchantReference: '"two\nlines"' }), csvLine({ reference: 'pay_2', amount: 'x' })),
    );
    assert.match(outcome.stderr, /^line 2, column merchantReference: holds a control character/m);
    assert.match(outcome.stderr, /^line 4, column amount: /m);
  });

  test('a quote that is never closed, bytes that are not UTF-8, and a line without end are told', async () => {
    const unclosed = await csv(
      csvFile(csvLine({ merchantReference: '"open' }), csvLine({ reference: 'pay_2' })),
    );
    assert.equal(unclosed.status, 1);
    assert.match(unclosed.stderr, /quote/);
    const latin = Buffer.from(csvFile(csvLine({ merchantReference: 'caf\xe9' })), 'latin1');
    assert.match((await csv(latin)).stderr, /^line 2, column merchantReference: .*not UTF-8/m);
    const endless = await csv(csvFile(csvLine(), csvLine({ merchantReference: 'x'.repeat(200_000) })));
    assert.equal(endless.status, 1);
    assert.match(endless.stderr, /line 3 is longer than 65536 characters.*Nothing was recorded\./);
  });

  test('a wrong header, an empty file, a wrong ending and a missing file are said in one sentence', async () => {
    const header = await csv('reference,amount\npay_1,12.50\n');
    assert.equal(header.status, 1);
    assert.match(
      header.stderr,
      /its first line is "reference,amount", and the header must be account,reference/,
    );
    assert.match((await csv('')).stderr, /it has no header; its first line must be account,reference/);
    const ending = await importing(['payments.xlsx']);
    assert.equal(ending.status, 2);
    assert.match(ending.stderr, /The ending of payments\.xlsx is none of \.csv, \.ndjson and \.jsonl/);
    const missing = await importing(['payments.csv']);
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /There is no file payments\.csv\./);
    mkdirSync(`${folder.path}/folder.csv`);
    const directory = await importing(['folder.csv']);
    assert.equal(directory.status, 1);
    assert.match(directory.stderr, /folder\.csv can't be read: .*Nothing was recorded\./);
    const unnamed = await importing(['-'], '');
    assert.equal(unnamed.status, 2);
    assert.match(unnamed.stderr, /add --format csv or --format ndjson/);
    assert.equal((await importing(['-', '--format', 'xml'], '')).status, 2);
  });

  test('NDJSON: the same names, null or absent for what is not there, and every fault with its line', async () => {
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
      /^line 1, column amount: is a number; write it as a string$/m,
      /^line 2: is not JSON: /m,
      /^line 3: is not a JSON object; write one object on each line$/m,
      /^line 4, column ammount: is not a field of a transaction; did you mean amount\?$/m,
      /^line 5, column createdAt: is missing$/m,
    ]) {
      assert.match(bad.stderr, expected);
    }
  });

  test('a line without a reference gets one, and the user is told what that means', async () => {
    const outcome = await csv(csvFile(csvLine({ reference: '' })));
    assert.match(summary(outcome), /1 new/);
    assert.match(outcome.stderr, /1 line came without a reference and got one: importing the file again/);
  });

  test('takes the statuses that the operator declared, and no others', async () => {
    const file = csvFile(csvLine({ status: 'failed', paidAt: '' }));
    const args = ['-', '--format', 'csv'];
    assert.equal((await importing(args, file)).status, 1);
    assert.match(summary(await importing(args, file, { STATUSES: 'failed:unpaid' })), /1 new/);
  });

  test('is safe while the service serves the same file: every answer meanwhile is right', async () => {
    assert.match(summary(await csv(csvFile(csvLine({ reference: 'first' })))), /1 new/);
    const served = await startServe({ cwd: folder.path });
    try {
      const key = await createKey('store-1', { cwd: folder.path });
      const big = sampleCsv(40_000);
      let importingNow = true;
      const outcome = csv(big).finally(() => {
        importingNow = false;
      });
      const counts = new Set<number>();
      while (importingNow) {
        const rows = await walkList(served.url, key, 'status=pending');
        counts.add(rows.length);
      }
      assert.match(summary(await outcome), /40,000 new/);
      const pending = big
        .split('\n')
        .filter((line) => line.startsWith('store-1') && line.includes('pending'));
      for (const count of counts) {
        assert.ok(count === 0 || count === pending.length, `a walk saw ${count} of ${pending.length}`);
      }
      assert.equal((await walkList(served.url, key, 'status=pending')).length, pending.length);
    } finally {
      await served.stop();
    }
  });

  test('a reader that goes away is no crash', async () => {
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
