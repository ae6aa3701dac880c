import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { csvFile, csvLine, sampleCsv } from '../rig/data/csv.ts';
import { freePort } from '../rig/http/loopback.ts';
import { missing } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createKey, importCsv, type Served, startServe } from '../rig/service/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/change-feed.md'), 'utf8');
const ROWS = 7000;
const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path)) ?? 'prlimit';
const FULL_DISK = [PRLIMIT, '--fsize=110000'];

const noPython = missing('python3', 'python3');

const PROGRAMS = [
  { name: 'copy.mts', language: 'ts', database: 'copy.db', skip: false },
  { name: 'copy.py', language: 'python', database: 'copy-python.db', skip: noPython },
] as const;
type Program = (typeof PROGRAMS)[number];

const others = (name: string, count: number) =>
  csvFile(...Array.from({ length: count }, (_, index) => csvLine({ reference: `${name}-${index}` })));

function sourceOf({ database, language }: Program): string {
  const [, ...blocks] = GUIDE.split(`\`\`\`${language}\n`);
  const [source] = blocks.map((block) => block.split('```')[0]).filter((code) => code?.includes(database));
  assert.ok(source !== undefined, database);
  return source.replace(
    "'transactions-client'",
    `'${pathToFileURL(join(ROOT, 'client/src/index.ts')).href}'`,
  );
}

describe('a program of the guides', () => {
  const { path: cwd, remove } = temporaryFolder();
  const live = join(cwd, 'data/transactions.db');
  let key: string;
  let served: Served;
  let port: string;

  const serve = async () => {
    served = await startServe({ cwd, env: { PORT: port } });
  };

  before(async () => {
    port = String(await freePort());
    await importCsv(sampleCsv(ROWS), { cwd });
    key = await createKey('store-1', { cwd });
    copyFileSync(live, join(cwd, 'backup.db'));
    await importCsv(others('lost', 60), { cwd });
    await serve();
  });
  after(async () => {
    await served.stop();
    remove();
  });

  function stored({ database }: Program): { sequence: number; id: string }[] {
    const db = new DatabaseSync(join(cwd, database));
    try {
      const rows = db.prepare('SELECT sequence, id FROM changes ORDER BY sequence').all();
      return rows.map(({ sequence, id }) => ({ sequence: Number(sequence), id: String(id) }));
    } finally {
      db.close();
    }
  }

  async function feed(): Promise<{ sequence: number; id: string }[]> {
    const found: { sequence: number; id: string }[] = [];
    for (;;) {
      const response = await fetch(`${served.url}/v1/changes?after=${found.length}&limit=1000`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { data, hasMore } = (await response.json()) as { data: typeof found; hasMore: boolean };
      found.push(...data.map(({ sequence, id }) => ({ sequence, id })));
      if (!hasMore) return found;
    }
  }

  async function run(
    { name, language }: Program,
    killAfterLines = Number.POSITIVE_INFINITY,
    through: readonly string[] = [],
  ) {
    const interpreter = language === 'python' ? 'python3' : process.execPath;
    const [program = '', ...args] = [...through, interpreter, name];
    const env = { PATH: process.env['PATH'] ?? '', TRANSACTIONS_URL: served.url, TRANSACTIONS_API_KEY: key };
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let lines = 0;
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      lines += piece.split('\n').length - 1;
      if (lines >= killAfterLines) child.kill('SIGKILL');
    });
    const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.notEqual(status, 0, errors);
    return { status, errors };
  }

  async function runFor(program: Program, lines = Number.POSITIVE_INFINITY): Promise<void> {
    const left =
      (await feed()).length - (existsSync(join(cwd, program.database)) ? stored(program).length : 0);
    if (left !== 0) {
      const { status, errors } = await run(program, Math.min(lines, left));
      assert.equal(status, null, errors);
    }
    const [found, all] = [stored(program), await feed()];
    assert.deepEqual(found, all.slice(0, lines < all.length ? found.length : all.length));
  }

  for (const program of PROGRAMS)
    test(`continues after kills and a full disk, and stores each change once: ${program.name}`, {
      skip: program.skip,
    }, async () => {
      writeFileSync(join(cwd, program.name), sourceOf(program));
      const full = await run(program, undefined, FULL_DISK);
      assert.equal(full.status, 1);
      assert.match(full.errors, /disk I\/O error|database or disk is full/);
      assert.deepEqual(stored(program), (await feed()).slice(0, 1000));
      for (const lines of [1, 700, undefined]) await runFor(program, lines);
    });

  test('goes back after a restore of the service, and then has the same changes: all programs', async () => {
    await served.stop();
    for (const name of [live, `${live}-wal`, `${live}-shm`]) rmSync(name, { force: true });
    copyFileSync(join(cwd, 'backup.db'), live);
    await importCsv(others('new', 40), { cwd });
    await serve();
    for (const program of PROGRAMS) if (!program.skip) await runFor(program);
  });
});
