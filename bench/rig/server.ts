import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import packageJson from '#package' with { type: 'json' };
import { BINARY } from './data.ts';

export interface MeasuredServer {
  url: string;
  /** Of the operator's interface, where it is on. */
  operatorUrl: string | undefined;
  pid: number;
  startedWithinMs: number;
  stop(): Promise<void>;
}

const BAREST = fileURLToPath(new URL('./barest-server.ts', import.meta.url));

export const CURSOR_SECRET = 'a secret that seals the cursors of the benches';

/** As `npm start` starts it. */
const [, ...START] = packageJson.scripts.start.split(' ');
const SERVE = START.map((word) => (word === 'bin/transactions.js' ? BINARY : word));

/** The service as it is shipped, one process, on one core if nothing else is said. The limits of rate and time count, and are out of the way. */
export function startService(
  databaseUrl: string,
  {
    env = {},
    cores = '0',
    args = [],
  }: { env?: Record<string, string>; cores?: string; args?: string[] } = {},
): Promise<MeasuredServer> {
  return startServer(
    [...SERVE, ...args],
    {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      CURSOR_SECRETS: CURSOR_SECRET,
      RATE_LIMIT: '1000000',
      REQUEST_TIMEOUT: '60000',
      ...env,
    },
    cores,
  );
}

export function startBarest(path: string): Promise<MeasuredServer> {
  return startServer([BAREST, path], {});
}

/** A program of peers/, which serves the lists of a database. */
export function startPeer(program: string, databaseUrl: string): Promise<MeasuredServer> {
  return startServer([program, databaseUrl], {});
}

async function startServer(
  args: string[],
  env: Record<string, string>,
  cores = '0',
): Promise<MeasuredServer> {
  const startedAtMs = performance.now();
  const child: ChildProcess = spawn('taskset', ['-c', cores, process.execPath, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let logged = '';
  const [url, operatorUrl] = await new Promise<[string, string | undefined]>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      // The log goes on and is read on, as a collector would.
      if (logged.includes('"listening"')) return;
      logged += chunk;
      const urlIn = (told: string) => /"url":"([^"]+)"/.exec(told)?.[1];
      const line = logged.split('\n').find((one) => one.includes('"listening"'));
      const operatorLine = logged.split('\n').find((one) => one.includes("operator's interface"));
      if (line !== undefined) resolve([urlIn(line) as string, operatorLine && urlIn(operatorLine)]);
    });
    child.once('exit', () => reject(new Error(logged)));
  });
  return {
    url,
    operatorUrl,
    pid: child.pid as number,
    startedWithinMs: performance.now() - startedAtMs,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
