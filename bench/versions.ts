import { execFile } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Rounds } from './list-requests.ts';
import { type DataSize, rowsOf, TINY, writeCsv } from './rig/data.ts';
import { type Databases, runCommand, withDatabases } from './rig/databases.ts';
import { load } from './rig/load.ts';
import { cpuMs } from './rig/process-use.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { makeOperatorKey, putRequests } from './rig/recorder.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';
import { ndjsonPieces, stream } from './rig/stream.ts';
import { openStoreOf, THIS_VERSION, VERSION_BEFORE } from './rig/versions.ts';

const AT_ONCE = 64;
const RECORDERS = 4;
const HOT_AT_ONCE = 200;
const HOT_RECORDER = fileURLToPath(new URL('./rig/hot-recorder.ts', import.meta.url));
const PUTS_A_SECOND = 12_000;
const IMPORTED: DataSize = { largeRows: 100_000, smallAccounts: 1000, smallRows: 200 };
const STREAMED: DataSize = { largeRows: 1000, smallAccounts: 1000, smallRows: 100 };
const MAX_WRITES = 5;

const VERSIONS = { before: VERSION_BEFORE, now: THIS_VERSION };
type Version = keyof typeof VERSIONS;

/** Figures by name, of each version, in the order of the rounds. */
class Figures {
  readonly #found = new Map<string, Record<Version, number[]>>();

  add(version: Version, figures: Record<string, number>): void {
    for (const [name, figure] of Object.entries(figures)) {
      const found = this.#found.get(name) ?? { before: [], now: [] };
      found[version].push(figure);
      this.#found.set(name, found);
    }
  }

  findings(store: string): Finding[] {
    return [...this.#found]
      .filter(([, { now }]) => now.some((figure) => figure > 0))
      .flatMap(([name, { before, now }]) => [
        { name: `${store}: ${name}`, figure: shown(spreadOf(now), digitsOf(now)), goal: '' },
        {
          name: `${store}: ${name}, relative to the version before`,
          figure: shown(ratioOf(now, before)),
          goal: goalOf(name),
        },
      ]);
  }
}

function goalOf(name: string): string {
  if (!name.endsWith('a second')) return '';
  return name.startsWith('one account') ? 'at least 0.7' : 'at least 0.9';
}

const digitsOf = ([figure = 0]: number[]) => (figure < 10 ? 1 : 0);

/** In turns with the version before: single recordings, a stream, an import, and one account from several processes. */
export async function versions(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  await withDatabases('versions', async (databases, folder) => {
    const figures = new Figures();
    await singles(databases, figures, rounds, secondsEach);
    const writes = Math.min(MAX_WRITES, rounds);
    await streams(databases, figures, writes, size, `${folder}/stream-${databases.store}.csv`);
    await imports(databases, figures, writes, size, `${folder}/import-${databases.store}.csv`);
    if (databases.store === 'PostgreSQL') await hotAccount(databases, figures, rounds, secondsEach);
    findings.push(...figures.findings(databases.store));
  });
  return findings;
}

/** Runs work for each version, in another order in each round. */
async function inTurns(
  databases: Databases,
  what: string,
  rounds: number,
  work: (version: Version, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    note(`${databases.store}: ${what} of two versions, round ${round + 1} of ${rounds}`);
    const order: Version[] = round % 2 === 0 ? ['before', 'now'] : ['now', 'before'];
    for (const version of order) await work(version, round);
  }
}

/** Single PUTs of 100 accounts, 64 at once. */
async function singles(databases: Databases, figures: Figures, rounds: number, secondsEach: number) {
  const started = async (root: string) => {
    const url = await databases.create();
    const key = await makeOperatorKey(url, root);
    const service = await startService(url, { env: { OPERATOR_PORT: '0' }, cores: '0,1', root });
    return { url, key, service };
  };
  const recorders = { before: await started(VERSIONS.before), now: await started(VERSIONS.now) };
  try {
    const warmUp = rounds === 1 ? 0 : 1;
    await inTurns(databases, 'single recordings', rounds + warmUp, async (version, round) => {
      const { url, key, service } = recorders[version];
      const requests = putRequests(key, `${round}-`, PUTS_A_SECOND * secondsEach);
      const logged = await logBytes(url);
      const [ofService, ofServer] = [cpuMs(service.pid), databases.serverCpuMs()];
      const options = { connections: AT_ONCE, seconds: secondsEach };
      const { answered, non2xx, perSecond } = await load(service.operatorUrl as string, requests, options);
      if (non2xx > 0 || answered > requests.length) throw new Error('recordings failed');
      if (round < warmUp) return;
      figures.add(version, {
        '64 single PUTs at once, a second': perSecond,
        'a single PUT, CPU of the service in us': ((cpuMs(service.pid) - ofService) * 1000) / answered,
        'a single PUT, CPU of the database in us': ((databases.serverCpuMs() - ofServer) * 1000) / answered,
        'a single PUT, log of the database in bytes': ((await logBytes(url)) - logged) / answered,
      });
    });
  } finally {
    for (const { service } of Object.values(recorders)) await service.stop();
  }
}

async function streams(databases: Databases, figures: Figures, rounds: number, size: DataSize, csv: string) {
  await writeCsv(size === TINY ? TINY : STREAMED, createWriteStream(csv));
  const [, ...lines] = readFileSync(csv, 'utf8').trimEnd().split('\n');
  const pieces = [...ndjsonPieces(lines)];
  await inTurns(databases, 'streams', rounds, async (version) => {
    const root = VERSIONS[version];
    const url = await databases.create();
    const key = await makeOperatorKey(url, root);
    const service = await startService(url, { env: { OPERATOR_PORT: '0' }, cores: '0,1', root });
    try {
      const logged = await logBytes(url);
      const [ofService, ofServer] = [cpuMs(service.pid), databases.serverCpuMs()];
      const startedAtMs = performance.now();
      await stream(service.operatorUrl as string, key, pieces);
      const tookMs = performance.now() - startedAtMs;
      figures.add(version, {
        'stream of many accounts, rows a second': (lines.length * 1000) / tookMs,
        'a row of a stream, CPU of the service in us':
          ((cpuMs(service.pid) - ofService) * 1000) / lines.length,
        'a row of a stream, CPU of the database in us':
          ((databases.serverCpuMs() - ofServer) * 1000) / lines.length,
        'a row of a stream, log of the database in bytes': ((await logBytes(url)) - logged) / lines.length,
      });
    } finally {
      await service.stop();
    }
  });
}

async function imports(databases: Databases, figures: Figures, rounds: number, size: DataSize, csv: string) {
  const imported = size === TINY ? TINY : IMPORTED;
  const rows = rowsOf(imported);
  await writeCsv(imported, createWriteStream(csv));
  await inTurns(databases, 'imports', rounds, async (version) => {
    const url = await databases.create();
    await (await openStoreOf(VERSIONS[version], url)).close();
    const logged = await logBytes(url);
    const ofServer = databases.serverCpuMs();
    const { tookMs, cpuMs } = await runCommand(url, ['import', csv], VERSIONS[version]);
    figures.add(version, {
      [`import of ${rows.toLocaleString('en')} rows, rows a second`]: (rows * 1000) / tookMs,
      'an imported row, CPU of the import in us': (cpuMs * 1000) / rows,
      'an imported row, CPU of the database in us': ((databases.serverCpuMs() - ofServer) * 1000) / rows,
      'an imported row, log of the database in bytes': ((await logBytes(url)) - logged) / rows,
      'an imported row, bytes stored': (await storedBytes(url)) / rows,
    });
  });
}

/** One account, recorded by several processes without HTTP. */
async function hotAccount(databases: Databases, figures: Figures, rounds: number, secondsEach: number) {
  const urls = { before: await databases.create(), now: await databases.create() };
  for (const version of ['before', 'now'] as const)
    await (await openStoreOf(VERSIONS[version], urls[version])).close();
  await inTurns(databases, 'one account from 4 recorders', rounds, async (version, round) => {
    const recorders = Array.from({ length: RECORDERS }, async (_, index) => {
      const args = [VERSIONS[version], urls[version], `${round}-${index}`, HOT_AT_ONCE, secondsEach];
      const { stdout } = await promisify(execFile)(process.execPath, [HOT_RECORDER, ...args.map(String)]);
      return JSON.parse(stdout) as { perSecond: number; recorded: number; cpuMs: number };
    });
    const ofServer = databases.serverCpuMs();
    const found = await Promise.all(recorders);
    const sum = (figure: keyof (typeof found)[0]) => found.reduce((total, one) => total + one[figure], 0);
    const recorded = sum('recorded');
    figures.add(version, {
      'one account from 4 recorders, changes a second': sum('perSecond'),
      'the same, CPU of the recorders in us': (sum('cpuMs') * 1000) / recorded,
      'the same, CPU of the database in us': ((databases.serverCpuMs() - ofServer) * 1000) / recorded,
    });
  });
}

/** The position in the write-ahead log of the server; 0 for SQLite, which overwrites its log. */
async function logBytes(url: string): Promise<number> {
  if (url.startsWith('sqlite:')) return 0;
  return Number(await queryPostgresOnce(url, `SELECT pg_current_wal_lsn() - '0/0'::pg_lsn`));
}

async function storedBytes(url: string): Promise<number> {
  if (!url.startsWith('sqlite:'))
    return Number(await queryPostgresOnce(url, `SELECT pg_total_relation_size('transactions')`));
  const db = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
  const [page] = db
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .all();
  db.close();
  return Number(page?.['bytes']);
}
