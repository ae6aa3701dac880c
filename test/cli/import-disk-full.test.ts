import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { before, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';

const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

const ROWS = 60_000;

before(() => assert.ok(PRLIMIT, 'prlimit is not installed; Debian has it in the package util-linux'));

const csvOf = (rows: number) =>
  csvFile(
    ...Array.from({ length: rows }, (_, index) =>
      csvLine({ reference: `r${(index * 7919) % 1_000_003}`, merchantReference: 'm'.repeat(200) }),
    ),
  );

for (const [phase, rows, bytes, message] of [
  [
    'during staging',
    ROWS,
    1_000_000,
    /^Nothing was recorded: the temporary file can't be used: .+\. Free space in the folder for temporary files, or set TMPDIR to another folder\.$/,
  ],
  [
    'during recording',
    8000,
    3_000_000,
    /^The import ended early: the database can't answer: .+\. At least [\d,]+ of 8,000 transactions are recorded(, up to 2026-03-01T10:00:00\.000Z of account "store-1")?\. Import the file again to record the rest\.$/,
  ],
] as const) {
  test(`a full disk ${phase} is one error sentence and exit status 1, and repeating the import completes it`, async (t) => {
    const folder = temporaryFolder(t);
    const options = { cwd: folder.path, stdin: csvOf(rows) };
    const args = ['import', '-', '--format', 'csv'];
    const full = await run(args, { ...options, through: [PRLIMIT as string, `--fsize=${bytes}`] });
    assert.equal(full.status, 1, full.stderr);
    assert.equal(full.stdout, '');
    const errors = full.stderr
      .split('\n')
      .filter((line) => line !== '' && !/^(Database:|checked|compared|recorded|sorting) /.test(line));
    assert.equal(errors.length, 1, full.stderr);
    assert.match(errors[0] as string, message);
    const again = await run(args, options);
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stdout, new RegExp(`^Imported ${rows.toLocaleString('en')} lines: `));
  });
}
