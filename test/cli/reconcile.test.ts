import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Transaction } from '../../client/src/index.ts';
import { csvFile, csvLine, expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { type ExportFault, scriptedExport, serveExport } from '../rig/data/scripted-export.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { createKey, run, start } from '../rig/service/process.ts';

const FIELDS = ['reference', 'merchantReference', 'status', 'amount', 'currencyCode', 'paidAt', 'createdAt'];

describe('reconcile', () => {
  const csv = sampleCsv(300);
  const account = expectedRows(csv, 'store-1');
  const service = importedService(csv);

  const reconcile = (stdin: string | Buffer, args: readonly string[]) =>
    service.run(['reconcile', '-', ...args], { stdin });

  const fileOf = (rows: readonly Record<string, string | null>[], fields = FIELDS, delimiter = ',') =>
    [fields, ...rows.map((row) => fields.map((field) => row[field] ?? ''))]
      .map((cells) => `${cells.join(delimiter)}\n`)
      .join('');

  test('a file that agrees with the account ends with status 0, no difference, and the sums', async () => {
    const cents = account.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    for (const by of ['reference', 'merchantReference']) {
      const { status, stdout, stderr } = await reconcile(fileOf(account), ['--by', by, '--json']);
      assert.deepEqual([status, stdout], [0, '']);
      const [counts, titles = '', equal = '', ...more] = stderr.trimEnd().split('\n');
      assert.equal(
        counts,
        'Compared 150 lines with 150 transactions: 150 equal, 0 missing here (in the file, not in the account), 0 missing there (in the account, not in the file), 0 differing.',
      );
      assert.match(titles, /^ +CURRENCY +LINES +AMOUNT +TRANSACTIONS +AMOUNT$/);
      assert.deepEqual(equal.split(/ +/), ['equal', 'CAD', '150', amount, '150', amount]);
      assert.deepEqual(more, []);
    }
  });

  /** A statement with a line too many, one too few and one with other values. Its days and amounts are a bank's. */
  const bank = () => {
    const [paid] = account.filter(({ paidAt }) => paidAt !== null);
    const rows = account
      .filter((_, at) => at !== 5)
      .map((row) => ({
        Zweck: row['merchantReference'] ?? null,
        Betrag: row['amount']?.replace('.', ',') ?? null,
        Tag: row['createdAt']?.slice(0, 10) ?? null,
        Konto: '1234',
      }));
    const wrong = rows.find(({ Zweck }) => Zweck === paid?.['merchantReference']);
    Object.assign(wrong as object, { Betrag: '1.000,00', Tag: '2026-01-01' });
    rows.push({ Zweck: 'rental-new', Betrag: '-5', Tag: '2026-03-01', Konto: '1234' });
    const args = ['--by', 'merchantReference', '--decimal-comma'];
    for (const column of ['Zweck=merchantReference', 'Betrag=amount', 'Tag=createdAt'])
      args.push('--column', column);
    return {
      csv: `\uFEFF${fileOf(rows, ['Konto', 'Zweck', 'Betrag', 'Tag'], ';').replaceAll('\n', '\r\n')}`,
      args,
      wrong: paid as Record<string, string | null>,
      wrongLine: rows.indexOf(wrong as (typeof rows)[number]) + 2,
      lastLine: rows.length + 1,
      missing: account[5] as Record<string, string | null>,
    };
  };

  test('a statement of a bank: each difference with its line, its values and its fields, and status 1', async () => {
    const { csv: statement, args, wrong, wrongLine, lastLine, missing } = bank();
    const { status, stdout, stderr } = await reconcile(statement, [...args, '--json']);
    assert.equal(status, 1);
    const byKind = Object.fromEntries(jsonLines(stdout).map((one) => [one.difference, one]));
    assert.deepEqual(byKind, {
      differing: {
        difference: 'differing',
        line: wrongLine,
        fields: ['amount', 'createdAt'],
        file: { merchantReference: wrong['merchantReference'], amount: '1000.00', createdAt: '2026-01-01' },
        account: wrong,
      },
      missing_here: {
        difference: 'missing_here',
        line: lastLine,
        fields: [],
        file: { merchantReference: 'rental-new', amount: '-5.00', createdAt: '2026-03-01' },
        account: null,
      },
      missing_there: { difference: 'missing_there', line: null, fields: [], file: null, account: missing },
    });
    assert.match(
      stderr,
      /^Not compared: "Konto"\. To compare a column, name its field: --column "Konto=FIELD"\.\n/,
    );
    assert.match(
      stderr,
      /Compared 150 lines with 150 transactions: 148 equal, 1 missing here .*, 1 missing there .*, 1 differing\.\n/,
    );
    assert.match(stderr, /^missing here +- +1 +-5\.00 +0 +-$/m);
    assert.match(stderr, /^missing there +CAD +0 +- +1 +\d+\.99$/m);
    assert.match(stderr, /^differing +CAD +1 +1000\.00 +1 +\d+\.99$/m);
  });

  test('a table is the default format, and CSV has both values of every field', async () => {
    const { csv: statement, args, wrong, wrongLine, missing } = bank();
    writeFileSync(`${service.folder}/bank.csv`, statement);
    const table = await service.run(['reconcile', 'bank.csv', ...args, '--url', service.url]);
    const lines = table.stdout.trimEnd().split('\n');
    assert.match(lines[0] as string, /^DIFFERENCE +LINE {2}MERCHANT REFERENCE {2}VALUES$/);
    const differing = lines.find((line) => line.startsWith('differing')) ?? '';
    assert.deepEqual(differing.split(/ {2,}/), [
      'differing',
      String(wrongLine),
      wrong['merchantReference'],
      `amount 1000.00 in the file, ${wrong['amount']} in the account; createdAt 2026-01-01 in the file, ${wrong['createdAt']} in the account`,
    ]);
    const rows = parse<Record<string, string>>((await reconcile(statement, [...args, '--csv'])).stdout, {
      columns: true,
    });
    assert.equal(rows.length, 3);
    for (const row of rows) {
      assert.deepEqual(Object.keys(row), [
        'difference',
        'line',
        'fields',
        ...FIELDS.map((field) => `file_${field}`),
        ...FIELDS.map((field) => `account_${field}`),
      ]);
      const is = { missing_there: missing, differing: wrong }[row['difference'] as string];
      for (const field of FIELDS) assert.equal(row[`account_${field}`], is?.[field] ?? '');
    }
    assert.deepEqual(rows.map((row) => row['file_amount']).sort(), ['', '-5.00', '1000.00']);
    assert.deepEqual(rows.map(({ fields }) => fields).sort(), ['', '', 'amount createdAt']);
  });

  test('empty rows and a delimiter at the end of the header are no difference, and no advice', async () => {
    const lines = fileOf(account).trimEnd().split('\n');
    const text = [...lines.slice(0, 3), ',,,,,,', ...lines.slice(3), '"",,,,,,'];
    const rows = `${text.map((line) => `${line},`).join('\n')}\n,,\n`;
    const agreeing = await reconcile(rows, ['--by', 'reference']);
    assert.deepEqual([agreeing.status, agreeing.stdout], [0, '']);
    assert.match(agreeing.stderr, /^Compared 150 lines with 150 transactions: 150 equal/);
    const refused = await reconcile('Nummer,amount,\n', ['--by', 'reference']);
    assert.match(refused.stderr, / Its columns are "Nummer", "amount"\.\n$/);
  });

  test('lines above the table are left out, padded or not, and a note says where the columns are named', async () => {
    const file = fileOf(account, FIELDS, ';');
    for (const above of [
      'Statement;;;;;;\nPeriod;2026-01-01;2026-03-31;;;;\n\n',
      'Statement\nAccount;1\n\n',
    ]) {
      const { status, stderr } = await reconcile(above + file, ['--by', 'reference']);
      assert.equal(status, 0, stderr);
      assert.match(
        stderr,
        /^The columns are named on line 4\. What is above it is left out\.\nCompared 150 lines with 150 transactions: 150 equal/,
      );
    }
  });

  test('--currency is the currency of every line of a file without a column for it', async () => {
    const { status, stdout, stderr } = await reconcile('reference,amount\nnew,5\n', [
      ...['--by', 'reference', '--currency', 'JPY', '--json'],
    ]);
    assert.equal(status, 1);
    assert.deepEqual(
      jsonLines(stdout).map(({ file }) => file),
      [{ currencyCode: 'JPY', reference: 'new', amount: '5.00' }],
    );
    assert.match(stderr, /^missing here +JPY +1 +5\.00 +0 +-$/m);
  });

  test('a table shows why a text differs from one that looks equal', async () => {
    const [first, ...others] = account.filter(({ merchantReference }) => merchantReference !== null);
    const given = first?.['merchantReference'] ?? '';
    const alike: [theirs: string, shown: string][] = [
      [`${given} `, `"${given} "`],
      [`${given}\u200b`, `"${given}\\u200b"`],
      [given.replace('-', '\u2013'), `"${given.replace('-', '\\u2013')}"`],
      [`${given}\u00a0e\u0301`, `"${given}\\u00a0e\\u0301"`],
      [`${given}é`, `${given}é`],
    ];
    for (const [theirs, shown] of alike) {
      const file = fileOf([{ ...first, merchantReference: theirs }, ...others]);
      const byNumber = await reconcile(file, ['--by', 'reference']);
      assert.ok(
        byNumber.stdout.includes(`merchantReference ${shown} in the file, ${given} in the account`),
        byNumber.stdout,
      );
      const byText = await reconcile(file, ['--by', 'merchantReference']);
      assert.ok(byText.stdout.includes(` ${shown} `), byText.stdout);
    }
  });

  test('filters restrict the transactions of the account', async () => {
    const pending = account.filter(({ status }) => status === 'pending');
    const day = String(account[100]?.['createdAt']).slice(0, 10);
    const until = account.filter(({ createdAt }) => String(createdAt) < `${day}T24`);
    for (const [rows, args] of [
      [pending, ['--status', 'pending']],
      [until, ['--to', day, '--currency', 'CAD']],
      [[], ['--currency', 'JPY']],
    ] as const) {
      const { status, stderr } = await reconcile(fileOf(rows), ['--by', 'reference', ...args]);
      assert.equal(status, 0, stderr);
      assert.match(stderr, new RegExp(`^Compared ${rows.length} lines with ${rows.length} transactions`));
    }
  });

  test('faulty lines are reported with their numbers, and then nothing is compared', async () => {
    const rows = account.map((row) => ({ ...row }));
    Object.assign(rows[0] as object, { amount: '1,5' });
    Object.assign(rows[1] as object, { amount: 'x', paidAt: 'yesterday' });
    const file = `${fileOf(rows, FIELDS, '\t')}only\tthree\tcolumns\n`;
    const { status, stdout, stderr } = await reconcile(file, ['--by', 'reference']);
    assert.deepEqual([status, stdout], [1, '']);
    const [first, second, third, fourth, last, ...more] = stderr.trimEnd().split('\n');
    assert.match(first as string, /^line 2, amount: "1,5" has a decimal comma; add --decimal-comma/);
    assert.match(second as string, /^line 3, amount: "x" is not an amount/);
    assert.match(third as string, /^line 3, paidAt: "yesterday" is not a time/);
    assert.equal(fourth, 'line 152: has 3 columns, and the header has 7');
    assert.equal(last, "3 of 151 lines of - can't be compared, so nothing was compared.");
    assert.deepEqual(more, []);
    const many = fileOf(account.map((row) => ({ ...row, amount: 'x' })));
    const notes = (await reconcile(many, ['--by', 'reference'])).stderr.trimEnd().split('\n');
    assert.equal(notes.length, 12);
    assert.deepEqual(notes.slice(10), [
      '140 more lines like line 2, amount: 12-151',
      "150 of 150 lines of - can't be compared, so nothing was compared.",
    ]);
  });

  test('wrong use ends with status 2 and says what would be right', async () => {
    const file = 'Nummer;Betrag;amount;Amount\n1;2;3;4\n';
    const by = ['--by', 'reference'];
    const wrong: [args: string[], message: RegExp][] = [
      [[], /^Say which field .*: --by merchantReference or --by reference\.$/m],
      [['--by', 'amount'], /Allowed choices are merchantReference, reference/],
      [
        by,
        /^The file has no column reference, which --by names\. Name the column that has it: --column NAME=reference\. Its columns are "Nummer", "Betrag", "amount", "Amount"\.\n$/,
      ],
      [
        [...by, '--column', 'Numer=reference'],
        /^--column Numer=reference: the file has no column "Numer"\. Did you mean "Nummer"\?\n/,
      ],
      [
        [...by, '--column', 'Nummer=reference', '--column', 'Betrag=amount'],
        /^The columns "Betrag", "amount" of the file are all amount, and only one can be\. Leave a column out with --column NAME=\n$/,
      ],
      [
        [...by, '--column', 'Nummer=reference', '--column', 'amount='],
        /^The file has no column to compare besides reference\./,
      ],
      [
        [...by, '--column', 'Nummer=refrence'],
        /"refrence" is not a field: did you mean reference\? The fields are reference, merchantReference, status,/,
      ],
      [[...by, '--column', 'Nummer=account'], /"account" is not a field/],
      [[...by, '--column', 'Nummer'], /write the name of the file's column, "=" and a field/],
      [
        [...by, '--column', 'Nummer=reference', '--column', 'Nummer=status'],
        /the column "Nummer" is given twice/,
      ],
      [
        [...by, '--column', 'Nummer=reference', '--currency', 'eur'],
        /^Not compared: .*\n--currency: .*did you mean EUR\?/,
      ],
      [[...by, '--json', '--csv'], /cannot be used with/],
    ];
    for (const [args, message] of wrong) {
      const { status, stdout, stderr } = await reconcile(file, args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, message);
    }
    const latin = await reconcile(Buffer.from('Währung;amount\nEUR;1\n', 'latin1'), by);
    assert.equal(latin.status, 2);
    assert.match(latin.stderr, /bytes that are not UTF-8/);
  });

  test('a file that is not there, is empty or is no table of text ends with status 1', async () => {
    const absent = await service.run(['reconcile', 'absent.csv', '--by', 'reference']);
    assert.deepEqual([absent.status, absent.stderr], [1, 'There is no file "absent.csv".\n']);
    const empty = await reconcile('\n', ['--by', 'reference']);
    assert.equal(empty.status, 1);
    assert.match(
      empty.stderr,
      /^- can't be compared: it has no header; its first line must be the names of its columns/,
    );
    for (const [content, message] of [
      ['PK\u0003\u0004\u0014', /^- can't be compared: it is a workbook\. Save it as CSV first: [^\n]+\.\n$/],
      ['%PDF-1.7\n1 0 obj', /^- can't be compared: it is a PDF\. Download the month as CSV [^\n]+\.\n$/],
      ['<?xml version="1.0"?>\n<a/>', /^- can't be compared: it is an XML file\. [^\n]+\.\n$/],
    ] as const) {
      const { status, stderr } = await reconcile(content, ['--by', 'reference']);
      assert.equal(status, 1);
      assert.match(stderr, message);
    }
  });

  test('transactions that can be read only in part are never compared', async (t) => {
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

  test('transactions that are read in two parts are compared', async (t) => {
    const scripted = scriptedExport('ndjson', account as unknown as Transaction[]);
    scripted.faults = [{ bytes: 10_000 }];
    const url = await serveExport(t, scripted);
    const { status, stderr } = await reconcile(fileOf(account), ['--by', 'reference', '--url', url]);
    assert.equal(status, 0);
    assert.match(stderr, /^Compared 150 lines with 150 transactions: 150 equal/);
  });

  test('a reader that closes the output ends the command without an error text, and not with status 0', {
    timeout: GIVE_UP_MS,
  }, async (t) => {
    const child = start(['reconcile', '-', '--by', 'reference', '--json'], service.options);
    t.after(() => child.kill('SIGKILL'));
    child.stdout?.destroy();
    const exited = once(child, 'exit');
    child.stdin?.end(fileOf(account.map((row) => ({ ...row, reference: `other-${row['reference']}` }))));
    assert.deepEqual(await exited, [1, null]);
  });
});

test('a full temporary disk is one error sentence, and a killed comparison leaves no file', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const line = (at: number) =>
    csvLine({ reference: `r${at}`, merchantReference: `${at}`.padStart(200, 'm') });
  const file = csvFile(...Array.from({ length: 60_000 }, (_, at) => line(at)));
  const key = await createKey('store-1', { cwd: folder.path });
  const options = { cwd: folder.path, env: { TRANSACTIONS_API_KEY: key } };
  const { status, stdout, stderr } = await run(['reconcile', '-', '--by', 'reference'], {
    ...options,
    stdin: file,
    through: ['prlimit', '--fsize=1000000'],
  });
  assert.deepEqual([status, stdout], [1, ''], stderr);
  assert.match(
    stderr,
    /\nThe comparison could not be finished: the temporary file can't be used: .+\. Free space in the folder for temporary files, or set TMPDIR to another folder\.\n$/,
  );
  const temporary = temporaryFolder();
  t.after(temporary.remove);
  const env = { ...options.env, TMPDIR: temporary.path, SQLITE_TMPDIR: temporary.path };
  const child = start(['reconcile', '-', '--by', 'reference'], { ...options, env });
  const exited = once(child, 'exit');
  child.stdin?.on('error', () => {});
  // A faulty line is reported when it is read, so the lines before it are staged by then.
  child.stderr?.setEncoding('utf8');
  child.stdin?.write(`${file}faulty\n`);
  for await (const text of child.stderr as AsyncIterable<string>) if (text.includes('line 60002')) break;
  child.kill('SIGKILL');
  await exited;
  assert.deepEqual(readdirSync(temporary.path), []);
});
