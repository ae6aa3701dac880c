import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE } from './data.ts';

export interface LoadRequest {
  /** Default: GET. */
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  /** Responses with status 2xx. */
  answered: number;
  non2xx: number;
  perSecond: number;
  meanMs: number;
  p50Ms: number;
  p99Ms: number;
}

const CLIENT = fileURLToPath(new URL('./load-client.ts', import.meta.url));

/** Sends requests over keep-alive connections, from a separate process on another core than the service. */
export async function load(
  url: string,
  requests: readonly LoadRequest[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const plan = `${CACHE}load-${process.pid}.json`;
  writeFileSync(plan, JSON.stringify({ url, requests, connections, seconds }));
  try {
    const { stdout } = await promisify(execFile)('taskset', ['-c', '1', process.execPath, CLIENT, plan], {
      timeout: (seconds + 30) * 1000,
    });
    return JSON.parse(stdout);
  } finally {
    rmSync(plan);
  }
}
