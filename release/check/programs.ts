import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Throws: an error with all output if the exit status is not 0. */
export async function run(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const { stdout } = await promisify(execFile)(program, args, {
    env: { ...process.env, PATH },
    maxBuffer: 2 ** 28,
    ...(cwd !== undefined && { cwd }),
  });
  return stdout;
}

const GIVE_UP_MS = 120_000;

export async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const endsAtMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > endsAtMs) throw new Error(`waited two minutes until ${what}`);
    await delay(50);
  }
}

export const untilReady = (url: string): Promise<boolean> =>
  until(`${url} is ready`, async () => (await fetch(`${url}/readyz`)).ok || undefined);

export function report(text: string): void {
  process.stdout.write(`${text}\n`);
}
