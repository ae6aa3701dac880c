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

/** The reader is a process of its own, on another core than the service. */
function startClient(args: readonly string[]) {
  return spawn('taskset', ['-c', '1', process.execPath, CLIENT, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Reads a response a number of times, one after the other. */
export async function download(url: string, key: string, times = 1): Promise<Download[]> {
  const child = startClient([url, key, String(times)]);
  const exited = once(child, 'exit');
  const downloads: Download[] = [];
  for await (const line of createInterface(child.stdout)) {
    const read: Download | { isReading: true } = JSON.parse(line);
    if ('bytes' in read) downloads.push(read);
  }
  if ((await exited)[0] !== 0) throw new Error('the response was not read');
  return downloads;
}

/** Reads a response again and again. Resolves when the first bytes have come. */
export async function keepDownloading(url: string, key: string): Promise<{ stop(): Promise<void> }> {
  const child = startClient([url, key, 'Infinity']);
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  await Promise.race([
    once(lines, 'line'),
    exited.then(() => Promise.reject(new Error('the response was not read'))),
  ]);
  return {
    stop: async () => {
      if (child.exitCode !== null) throw new Error('reading ended early');
      child.kill();
      await exited;
    },
  };
}
