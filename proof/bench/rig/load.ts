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
const TIMES_CLIENT = fileURLToPath(new URL('./times-client.ts', import.meta.url));

export const load = (
  url: string,
  requests: readonly LoadRequest[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> => run(CLIENT, { url, requests, connections, seconds });

export interface ListTimes {
  p50Ms: number;
  p99Ms: number;
}

/** If requests are sent at random times, each request is timed from when it is due. */
export const timesOf = (
  url: string,
  requests: readonly LoadRequest[],
  how: { readers: number; perSecond: number | null; seconds: number },
): Promise<ListTimes> => run(TIMES_CLIENT, { url, requests, ...how });

/** The client runs on another core than the service. */
async function run<Result>(
  client: string,
  plan: { seconds: number; [other: string]: unknown },
): Promise<Result> {
  const path = `${CACHE}load-${process.pid}.json`;
  writeFileSync(path, JSON.stringify(plan));
  try {
    const { stdout } = await promisify(execFile)('taskset', ['-c', '1', process.execPath, client, path], {
      timeout: (plan.seconds + 30) * 1000,
    });
    return JSON.parse(stdout);
  } finally {
    rmSync(path);
  }
}
