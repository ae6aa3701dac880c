import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../http/loopback.ts';
import { until } from '../run/give-up.ts';
import {
  findPrograms,
  type PostgresPrograms,
  type ServerUser,
  serverUser,
  TEMPLATE_VARIABLE,
} from './postgres-programs.ts';

export interface PostgresServer {
  url: string;
  port: number;
  folder: string;
  source: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  suspend(): void;
  resume(): void;
}

export interface ServerOptions {
  version?: number;
  settings?: Record<string, string>;
  standbyOf?: PostgresServer;
  isTemplate?: boolean;
}

function makeFolder(user: ServerUser | undefined, prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

/* The shell outlives a killed test run. When its input closes, it ends the server and deletes the folder. */
const SUPERVISOR = `trap '' INT TERM HUP
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
  # A server does not start while processes of the previous one still run.
  for child in $killed; do
    tries=40
    while [ $tries -gt 0 ] && kill -0 "$child" 2>/dev/null; do sleep 0.05; tries=$((tries - 1)); done
  done
}
pid=
while read -r command; do
  case "$command" in
    start) "$PROGRAM" -D "$FOLDER/data" </dev/null >>"$FOLDER/log" 2>&1 & pid=$!;;
    crash) crash; pid=;;
  esac
  echo "$command"
done
if [ -n "$pid" ]; then kill -CONT $(children) "$pid" 2>/dev/null; kill -INT "$pid"; wait "$pid"; fi
rm -rf "$FOLDER"`;

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
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR], {
    ...spawning,
    env: { ...spawning.env, PROGRAM: join(programs.folder, 'postgres'), FOLDER: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const pipes = [supervisor.stdin, supervisor.stdout] as unknown as Pick<Socket, 'ref' | 'unref'>[];
  const ended = once(supervisor, 'exit');
  const command = async (name: 'start' | 'crash') => {
    const done = once(supervisor.stdout, 'data');
    for (const pipe of pipes) pipe.ref();
    supervisor.stdin.write(`${name}\n`);
    await done;
    for (const pipe of pipes) pipe.unref();
  };
  supervisor.unref();
  const stop = async () => {
    supervisor.ref();
    supervisor.stdin.end();
    await ended;
  };

  const url = `postgres://postgres@127.0.0.1:${port}`;
  const start = async () => {
    await command('start');
    await untilConnected({ connectionString: `${url}/postgres` }).catch((cause) => {
      const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '';
      throw new Error(`PostgreSQL did not start in ${basename(folder)}: ${log.slice(-2000)}`, { cause });
    });
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
    kill: () => command('crash'),
    suspend: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
}

type Spawning = { uid?: number; gid?: number; cwd: string; env: Record<string, string> };

async function makeCluster(
  programs: PostgresPrograms,
  folder: string,
  spawning: Spawning,
  { version, settings = {}, standbyOf, isTemplate }: ServerOptions,
  port: number,
): Promise<void> {
  const data = join(folder, 'data');
  const template = process.env[TEMPLATE_VARIABLE];
  const lines: Record<string, string> = {
    port: String(port),
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    max_connections: '200',
    fsync: 'off',
    shared_buffers: "'64MB'",
    max_wal_size: "'512MB'",
    wal_keep_size: "'64MB'",
    log_min_messages: 'fatal',
    ...settings,
  };
  if (standbyOf !== undefined) {
    await copyCluster(standbyOf, data, spawning);
    lines['primary_conninfo'] = `'host=127.0.0.1 port=${standbyOf.port} user=postgres'`;
  } else if (template !== undefined && version === undefined) {
    execFileSync('cp', ['-r', join(template, 'template'), data], spawning);
  } else {
    // A linguistic collation, so that tests notice a statement that does not sort references by bytes.
    execFileSync(
      join(programs.folder, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'].concat([
        '--locale=C',
        '--locale-provider=icu',
        '--icu-locale=en',
      ]),
      { ...spawning, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    if (isTemplate) execFileSync('cp', ['-r', data, join(folder, 'template')], spawning);
  }
  const configuration = Object.entries(lines)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');
  execFileSync('/bin/sh', ['-c', 'cat >> "$0/postgresql.conf"', data], {
    ...spawning,
    input: `\n${configuration}\n`,
  });
}

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

function processesOf(folder: string): number[] {
  const [postmaster] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  const pid = Number(postmaster);
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

export const untilConnected = (config: pg.ClientConfig): Promise<void> =>
  until(async () => {
    const client = new pg.Client({ connectionTimeoutMillis: 1000, ...config });
    client.on('error', () => {});
    return client
      .connect()
      .then(() => client.end())
      .then(
        () => true,
        () => false,
      );
  });
