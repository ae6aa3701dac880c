import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run, runAll, startServe } from '../rig/service/process.ts';

describe('faulty settings', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());
  const cwd = () => folder.path;

  test('a variable close to a setting is a warning, without its value', async () => {
    const env = { PROT: 'hunter2', port: 'hunter2' };
    const { status, stderr } = await run(['migrate'], { cwd: cwd(), env });
    assert.equal(status, 0);
    assert.deepEqual(stderr.split('\n').slice(0, 2), [
      'PROT is not a setting and has no effect; did you mean PORT?',
      'port is not a setting and has no effect; did you mean PORT?',
    ]);
    const served = await startServe({ cwd: cwd(), env, args: ['--workers', '2'] });
    await served.stop();
    const warnings = served
      .logged()
      .split('\n')
      .filter((line) => line.includes('is not a setting'))
      .map((line) => JSON.parse(line));
    assert.equal(warnings.length, 2);
    for (const { level } of warnings) assert.equal(level, 40);
    assert.ok(!(stderr + served.logged()).includes('hunter2'));
  });

  test('a setting in the .env file without an equals sign is refused, with its line and every other fault', async () => {
    writeFileSync(
      `${cwd()}/.env`,
      '# PORT 1\nCURSOR_LIFETIME: 60\nexport RATE_LIMIT 5\nHOST = 127.0.0.1\nPORT=x\n',
    );
    const { status, stderr } = await run(['serve'], { cwd: cwd() });
    assert.equal(status, 2);
    assert.deepEqual(stderr.split('\n').slice(0, 3), [
      'The settings are wrong:',
      '  Line 2 of .env has CURSOR_LIFETIME without an equals sign; write CURSOR_LIFETIME=VALUE.',
      '  Line 3 of .env has RATE_LIMIT without an equals sign; write RATE_LIMIT=VALUE.',
    ]);
    assert.match(stderr, /\n {2}PORT .*\n$/);
  });

  test('a line of .env that is neither a setting nor a comment is refused, and a setting that is there twice', async () => {
    writeFileSync(
      `${cwd()}/.env`,
      '\n  # PORT=1\n<<<<<<< hunter2\nPORT=1\r\n\r\n=hunter2\nhunter2\nexport PORT=2\nPORT=1\n',
    );
    const { status, stderr } = await run(['serve'], { cwd: cwd() });
    assert.equal(status, 2);
    const garbage = 'is neither NAME=VALUE nor a comment; correct it, or begin it with #.';
    assert.deepEqual(stderr.split('\n').slice(0, 6), [
      'The settings are wrong:',
      `  Line 3 of .env ${garbage}`,
      `  Line 6 of .env ${garbage}`,
      `  Line 7 of .env ${garbage}`,
      '  Line 8 of .env has PORT again, after line 4; keep one of the two.',
      '  Line 9 of .env has PORT again, after line 4; keep one of the two.',
    ]);
    assert.ok(!stderr.includes('hunter2'));
  });

  test('a value in .env that Node.js would shorten is refused, and one with a comment is not', async () => {
    const shortened = [
      'DATABASE_URL=sqlite:x#1.db',
      'CURSOR_SECRETS="a"b',
      "STATUSES='a",
      'ACCOUNTS=`any',
      'LOG_LEVEL=info\rPORT=1',
    ];
    const whole = ['PORT=1 # a#b', 'OPERATOR_PORT="1" #', "WEBHOOKS='on'", 'TRANSACTIONS_OPERATOR_KEY=a#b'];
    writeFileSync(`${cwd()}/.env`, [...shortened, ...whole, ''].join('\n'));
    const { status, stderr } = await run(['serve'], { cwd: cwd() });
    assert.equal(status, 2);
    assert.deepEqual(
      stderr.split('\n').filter((line) => line.startsWith('  Line')),
      ['DATABASE_URL', 'CURSOR_SECRETS', 'STATUSES', 'ACCOUNTS', 'LOG_LEVEL'].map(
        (name, index) =>
          `  Line ${index + 1} of .env has a value of ${name} that is not read whole; write it on one line in single quotes: ${name}='VALUE'.`,
      ),
    );
  });

  test('an .env file that is not UTF-8 is refused, and a byte order mark is none of its first name', async () => {
    const text = '\uFEFFDATABASE_URL=sqlite:mine.db\r\n';
    for (const bytes of [
      Buffer.from(text, 'utf16le'),
      Buffer.from(text.slice(1), 'utf16le'),
      Buffer.from([0x41, 0x3d, 0xe9]),
    ]) {
      writeFileSync(`${cwd()}/.env`, bytes);
      const { status, stderr } = await run(['migrate'], { cwd: cwd() });
      assert.equal(status, 2);
      assert.equal(
        stderr,
        'The settings are wrong:\n  The file .env is not a text in UTF-8; save it as UTF-8.\n',
      );
    }
    assert.deepEqual(readdirSync(cwd()), ['.env']);
    writeFileSync(`${cwd()}/.env`, text);
    assert.equal((await run(['migrate'], { cwd: cwd() })).status, 0);
    assert.ok(existsSync(`${cwd()}/mine.db`));
  });

  test('ENV_FILE names another file, which must be there, and which cannot name one itself', async () => {
    const path = `${cwd()}/service.env`;
    writeFileSync(path, 'PROT=1\nENV_FILE=other.env\n');
    const refused = await run(['accounts'], { cwd: cwd(), env: { ENV_FILE: path } });
    assert.deepEqual(
      [refused.status, refused.stderr.split('\n').slice(0, -1)],
      [
        2,
        [
          'The settings are wrong:',
          `  Line 2 of ${path} has ENV_FILE, which only the environment can have.`,
          `  PROT in ${path} is not a setting; did you mean PORT?`,
        ],
      ],
    );
    rmSync(path);
    const missing = await run(['accounts'], { cwd: cwd(), env: { ENV_FILE: path } });
    assert.deepEqual([missing.status, missing.stderr.includes(path)], [2, true]);
  });

  test('a name in .env that is no setting is refused, and an unreadable file is an error sentence', async () => {
    writeFileSync(`${cwd()}/.env`, 'PROT=hunter2\n');
    const refused = await run(['serve'], { cwd: cwd() });
    assert.equal(refused.status, 2);
    assert.equal(
      refused.stderr,
      'The settings are wrong:\n  PROT in .env is not a setting; did you mean PORT?\n',
    );
    rmSync(`${cwd()}/.env`);
    mkdirSync(`${cwd()}/.env`);
    const unreadable = await run(['keys', 'list'], { cwd: cwd() });
    assert.equal(unreadable.status, 1);
    assert.match(unreadable.stderr, /^The file \.env can't be read: .*\.\n$/);
    rmdirSync(`${cwd()}/.env`);
  });

  test('an impossible database path is an error sentence and exit status 1', async () => {
    writeFileSync(`${cwd()}/file`, 'x');
    writeFileSync(
      `${cwd()}/damaged.db`,
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8192, 7)]),
    );
    mkdirSync(`${cwd()}/folder.db`);
    symlinkSync('loop', `${cwd()}/loop`);
    const paths = [
      '/proc/x.db',
      '/proc/a/b.db',
      '/proc/version',
      '/proc/self/mem',
      'folder.db',
      'file/x.db',
      'file/a/x.db',
    ];
    const more = ['loop', 'loop/x.db', 'damaged.db', '/dev/null', '/dev/full', `${'x'.repeat(300)}.db`];
    const lines = [...paths, ...more].map((path) => ({
      args: ['keys', 'list'],
      env: { DATABASE_URL: `sqlite:${path}` },
    }));
    const outcomes = await runAll(lines, { cwd: cwd() });
    assert.equal(outcomes.length, lines.length);
    for (const { status, stdout, stderr } of outcomes) {
      assert.equal(status, 1, stderr);
      assert.match(stderr, /^The database sqlite:\S+ can't be used: .*\.\n$/);
      assert.equal(stdout, '');
    }
  });
});
