import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE } from './data.ts';

export interface LoadRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  answered: number;
  non2xx: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const CLIENT = fileURLToPath(new URL('./load-client.ts', import.meta.url));

interface Load {
  /** Each connection sends its next request as soon as it has a response. */
  connections?: number;
  /** In place of `connections`: requests are sent at random times, on as many connections as needed. */
  perSecond?: number;
  seconds: number;
}

export async function load(url: string, requests: readonly LoadRequest[], how: Load): Promise<LoadResult> {
  const path = `${CACHE}load-${process.pid}.json`;
  writeFileSync(path, JSON.stringify({ url, requests, ...how }));
  try {
    const { stdout } = await promisify(execFile)('taskset', ['-c', '1', process.execPath, CLIENT, path], {
      timeout: (how.seconds + 30) * 1000,
    });
    return JSON.parse(stdout);
  } finally {
    rmSync(path);
  }
}
