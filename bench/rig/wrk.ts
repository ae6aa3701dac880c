import { execFile, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE } from './data.ts';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

export interface WrkResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export const hasWrk = () => spawnSync('wrk', ['-v']).error === undefined;

/** Sends list requests with wrk, which needs so little CPU that it can share cores with the service. */
export async function wrk(
  url: string,
  lists: readonly { path: string; key: string }[],
  { connections, seconds, cores }: { connections: number; seconds: number; cores: string },
): Promise<WrkResult> {
  const plan = `${CACHE}wrk-${process.pid}.txt`;
  writeFileSync(plan, lists.map(({ path, key }) => `${path} ${key}\n`).join(''));
  try {
    const { stderr } = await promisify(execFile)(
      'taskset',
      ['-c', cores, 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '60s'].concat([
        '-s',
        SCRIPT,
        url,
        '--',
        plan,
      ]),
      { timeout: (seconds + 30) * 1000 },
    );
    const { failed, ...result } = JSON.parse(stderr);
    if (failed > 0) throw new Error(`${failed} requests failed`);
    return result;
  } finally {
    rmSync(plan);
  }
}
