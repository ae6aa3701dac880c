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

/* The programs of the guides that keep a position, as people copy them: killed, on a full disk, and after a restore of the service. */

const ROOT = join(import.meta.dirname, '../..');
/** Of two accounts: the one that is copied has four pages. */
const ROWS = 7000;
/** A file that is larger than so many bytes cannot be written, as on a full disk. It holds the first page. */
const FULL_DISK = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path)) ?? 'prlimit';

const noPython = missing('python3', 'python3');

const PROGRAMS = [
  {
    name: 'copy.mts',
    language: 'ts',
    guide: 'docs/change-feed.md',
    database: 'copy.db',
    table: 'changes',
    ends: false,
    fullAt: 110_000,
  },
  {
    name: 'copy.py',
    language: 'python',
    guide: 'docs/change-feed.md',
    database: 'copy-python.db',
    table: 'changes',
    ends: false,
    fullAt: 110_000,
  },
  {
    name: 'nightly.mts',
    language: 'ts',
    guide: 'docs/using-the-api.md',
    database: 'nightly.db',
    table: 'done',
    ends: true,
    fullAt: 60_000,
  },
] as const;
type Program = (typeof PROGRAMS)[number];

const others = (name: string, count: number) =>
  csvFile(...Array.from({ length: count }, (_, index) => csvLine({ reference: `${name}-${index}` })));

/** The block of the guide with the program. */
function sourceOf({ guide, database, language }: Program): string {
  const [, ...blocks] = readFileSync(join(ROOT, guide), 'utf8').split(`\`\`\`${language}\n`);
  const [source] = blocks.map((block) => block.split('```')[0]).filter((code) => code?.includes(database));
  assert.ok(source !== undefined, guide);
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
  /** The address stays the same across restarts. */
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

  /** The numbers and ids that the program has stored. */
  function stored({ database, table }: Program): { sequence: number; id: string }[] {
    const db = new DatabaseSync(join(cwd, database));
    try {
      const rows = db.prepare(`SELECT sequence, id FROM ${table} ORDER BY sequence`).all();
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

  /** Runs the program until it ends, or is killed when it has printed so many lines. Returns what it printed as errors. */
  async function run(
    { name, language, ends }: Program,
    killAfterLines?: number,
    through: readonly string[] = [],
  ) {
    const interpreter = language === 'python' ? 'python3' : process.execPath;
    const [program = '', ...args] = [...through, interpreter, name];
    const env = { PATH: process.env['PATH'] ?? '', TRANSACTIONS_URL: served.url, TRANSACTIONS_API_KEY: key };
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let lines = 0;
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      lines += piece.split('\n').length - 1;
      if (lines >= (killAfterLines ?? Number.POSITIVE_INFINITY)) child.kill('SIGKILL');
    });
    const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.ok(ends || status !== 0, errors);
    return { status, errors };
  }

  /** Runs it until it has everything: one without an end is killed when it has printed the last change. */
  async function complete(program: Program): Promise<void> {
    const left =
      (await feed()).length - (existsSync(join(cwd, program.database)) ? stored(program).length : 0);
    const { status, errors } = await run(program, program.ends ? undefined : left);
    assert.equal(status, program.ends ? 0 : null, errors);
    assert.deepEqual(stored(program), await feed());
  }

  for (const program of PROGRAMS)
    test(`continues after kills and after a full disk, and has each change once: ${program.name}`, {
      skip: program.language === 'python' && noPython,
    }, async () => {
      writeFileSync(join(cwd, program.name), sourceOf(program));
      const full = await run(program, undefined, [FULL_DISK, `--fsize=${program.fullAt}`]);
      assert.equal(full.status, 1);
      assert.match(full.errors, /disk I\/O error|database or disk is full/);
      assert.deepEqual(stored(program), (await feed()).slice(0, 1000));
      for (const lines of [1, 700]) {
        assert.equal((await run(program, lines)).status, null);
        const found = stored(program);
        assert.deepEqual(found, (await feed()).slice(0, found.length));
      }
      await complete(program);
    });

  test('goes back after a restore of the service, and has what it has: all programs', async () => {
    await served.stop();
    for (const name of [live, `${live}-wal`, `${live}-shm`]) rmSync(name, { force: true });
    copyFileSync(join(cwd, 'backup.db'), live);
    await importCsv(others('new', 40), { cwd });
    await serve();
    for (const program of PROGRAMS)
      if (program.language !== 'python' || noPython === false) await complete(program);
  });
});
