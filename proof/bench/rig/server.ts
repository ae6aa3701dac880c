import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import packageJson from '#package' with { type: 'json' };
import { BINARY } from './data.ts';

export interface MeasuredServer {
  url: string;
  operatorUrl: string | undefined;
  pid: number;
  startedWithinMs: number;
  stop(): Promise<void>;
}

const MINIMAL = fileURLToPath(new URL('./minimal-server.ts', import.meta.url));
const peerProgram = (peer: string) => fileURLToPath(new URL(`../peers/${peer}.js`, import.meta.url));

export const CURSOR_SECRET = 'a secret that seals the cursors of the benches';

const [, ...START] = packageJson.scripts.start.split(' ');
const SERVE = START.map((word) => (word === 'bin/transactions.js' ? BINARY : word));

/** The rate limit and the time limit are on, but too high to take effect. */
export function startService(
  databaseUrl: string,
  { env = {}, cores = '0' }: { env?: Record<string, string>; cores?: string } = {},
): Promise<MeasuredServer> {
  return startServer(
    SERVE,
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

export const startMinimal = (databaseUrl: string): Promise<MeasuredServer> =>
  startServer([MINIMAL, databaseUrl], {});

export const startPeer = (peer: string, databaseUrl: string): Promise<MeasuredServer> =>
  startServer([peerProgram(peer), databaseUrl], {});

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
      if (logged.includes('"listening"')) return;
      logged += chunk;
      const urlIn = (text: string) => /"url":"([^"]+)"/.exec(text)?.[1];
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
