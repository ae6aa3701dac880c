import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A response that was read to its end. */
export interface Download {
  bytes: number;
  tookMs: number;
}

const CLIENT = fileURLToPath(new URL('./download-client.ts', import.meta.url));

/** Reads a response a number of times, one after the other, in a process on another core than the service. */
export async function download(url: string, key: string, times = 1): Promise<Download[]> {
  const child = spawn('taskset', ['-c', '1', process.execPath, CLIENT, url, key, String(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const downloads: Download[] = [];
  for await (const line of createInterface(child.stdout)) {
    downloads.push(JSON.parse(line));
  }
  if ((await exited)[0] !== 0) throw new Error('the response was not read');
  return downloads;
}
