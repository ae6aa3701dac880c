import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createNew } from '../../values/terminal/output-file.ts';
import { createAccountKey, createOperatorKey, RecordingLoad } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importCsv, type RunOptions, run, startServe, walkList } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const ROWS = 2000;
const GUIDE = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');
const [, RESTORE = ''] = /\*Clone:\*\n\n```\n([\s\S]*?)```/.exec(GUIDE) ?? [];

transcript(import.meta.url);

describe('backup of the embedded database', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let options: RunOptions;
  beforeEach(() => {
    folder = temporaryFolder();
    options = { cwd: folder.path };
  });
  afterEach(() => folder.remove());

  const backup = (...args: string[]) => run(['backup', ...args], options);
  const files = () => readdirSync(folder.path).sort();
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const execute = (sql: string) => {
    const db = new DatabaseSync(join(folder.path, 'data/transactions.db'));
    db.exec(sql);
    db.close();
  };

  test('of a service that records is a snapshot, and the commands of the guide restore it', async (t) => {
    const operatorKey = await createOperatorKey(options);
    const served = await startServe({ ...options, env: { OPERATOR_PORT: '0' } }, t);
    const key = await createAccountKey(served, operatorKey, 'store-1');
    const load = new RecordingLoad('store-1');
    load.start(served.operatorUrl, operatorKey);
    await until(() => load.acknowledged.size >= 300);
    const before = new Set(load.acknowledged);
    const { status, stdout, stderr } = await backup('backup.db');
    const enough = load.acknowledged.size + 50;
    await until(() => load.acknowledged.size >= enough);
    await load.stop();
    await served.stop();
    assert.deepEqual([status, stderr], [0, '']);
    const { size } = statSync(join(folder.path, 'backup.db'));
    const bytes = size.toLocaleString('en-US');
    const [made = '', checked = ''] = stdout.split('\n');
    assert.equal(
      made,
      `Backed up sqlite:data/transactions.db to backup.db: ${bytes} bytes, readable by its owner alone.`,
    );
    const [, transactions = ''] =
      /, 1 account, ([\d,]+) transactions, .*: no disagreement\.$/.exec(checked) ?? [];

    execFileSync('sh', ['-ec', RESTORE], { cwd: folder.path });
    assert.equal(modeOf(join(folder.path, 'data/transactions.db')), 0o600);
    const restored = await startServe(options, t);
    const rows = await walkList(restored.url, key);
    const listed = new Set(rows.map(({ reference }) => reference));
    assert.deepEqual(
      [...before].filter((reference) => !listed.has(reference)),
      [],
    );
    assert.equal(rows.length, Number(transactions.replace(',', '')));
    assert.ok(rows.length < load.acknowledged.size, 'the backup has what was recorded after it');
  });

  test('does not replace a file that appears while the backup is made', async () => {
    const path = join(folder.path, 'late.db');
    const file = await createNew(path);
    writeFileSync(path, 'kept too');
    await assert.rejects(file.keep(), { message: /late\.db exists/ });
    file.discard();
    assert.equal(readFileSync(path, 'utf8'), 'kept too');
    assert.deepEqual(files(), ['late.db']);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`leaves no file with its name when ${signal} ends it just before its end`, async () => {
      await importCsv(sampleCsv(10), options);
      const atTheEnd = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
        fs.link = async () => { process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000); await new Promise(() => {}); };
        syncBuiltinESMExports();`;
      const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(atTheEnd)}`];
      const ended = await run(['backup', 'backup.db'], { ...options, nodeOptions });
      const left = files().filter((name) => name !== 'data');
      if (signal === 'SIGKILL') {
        assert.equal(ended.signal, signal);
        assert.match(left.join(), /^backup\.db\.incomplete-[0-9a-f]{8}$/);
        assert.equal(modeOf(join(folder.path, left[0] as string)), 0o600);
      } else {
        assert.deepEqual([ended.status, ended.stdout], [1, '']);
        assert.equal(ended.stderr, `Stopped by ${signal}. No backup was made.\n`);
        assert.deepEqual(left, []);
      }
      assert.equal((await backup(' two\nlines.db')).status, 0);
    });
  }

  test('is not made of a database without tables, which a killed first start leaves behind', async () => {
    mkdirSync(join(folder.path, 'data'));
    execute('PRAGMA journal_mode = WAL');
    const { status, stderr } = await backup('backup.db');
    assert.equal(status, 1);
    assert.match(stderr, /^The database .* can't be used: it is empty\. .*\nNo backup was made\.\n$/);
    assert.deepEqual(files(), ['data']);
  });

  test('notices pages that the disk has damaged', async () => {
    await importCsv(sampleCsv(ROWS), options);
    execute('PRAGMA journal_mode = DELETE');
    const path = join(folder.path, 'data/transactions.db');
    const bytes = readFileSync(path);
    const row = bytes.indexOf('rental-1200');
    assert.ok(row > 0);
    const page = Math.floor(row / 4096) * 4096;
    bytes.fill(0xff, page, page + 64);
    writeFileSync(path, bytes);
    const { status, stdout, stderr } = await backup('backup.db');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /malformed[\s\S]*No backup was made/);
    assert.deepEqual(files(), ['data']);
  });
});
