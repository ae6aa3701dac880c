import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../http/loopback.ts';
import { PROGRAM_PATH } from '../run/installed.ts';
import { ROLE_PASSWORD } from './postgres.ts';
import { NOBODY } from './postgres-programs.ts';
import { untilConnected } from './postgres-server.ts';

export async function startPgbouncer(
  serverUrl: string,
  settings: Record<string, string> = {},
  userlist?: string,
) {
  const { hostname, port: serverPort } = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'transactions-pgbouncer-'));
  const port = await freePort();
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: '3',
    ...settings,
  };
  const configuration = `[databases]\n* = host=${hostname} port=${serverPort}${userlist === undefined ? ' user=postgres' : ''}\n[pgbouncer]\n${Object.entries(
    lines,
  )
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n')}\n`;
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration);
  if (userlist !== undefined) writeFileSync(join(folder, 'userlist.txt'), userlist);
  const user = userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ('uid' in user) chownSync(folder, NOBODY, NOBODY);
  // When the tests end or are killed, the input of the shell closes, and the shell ends pgbouncer.
  const script =
    'pgbouncer -q pgbouncer.ini </dev/null >log 2>&1 & pid=$!; read -r _; kill -INT $pid; wait $pid';
  const supervisor = spawn('/bin/sh', ['-c', script], {
    ...user,
    cwd: folder,
    env: { PATH: PROGRAM_PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const stop = async () => {
    const ended = new Promise((resolve) => supervisor.once('exit', resolve));
    supervisor.stdin?.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const client = { user: 'postgres', password: ROLE_PASSWORD, database: 'postgres' };
  await untilConnected({ host: '127.0.0.1', port, ...client }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { port, stop };
}
