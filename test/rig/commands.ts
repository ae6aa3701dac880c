import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CommandLine } from './commands-process.ts';
import { GIVE_UP_MS } from './give-up.ts';

export interface CommandOutput {
  status: number;
  /** Standard output. */
  result: string;
  /** Standard error. */
  notes: string;
}

const PROCESS = fileURLToPath(new URL('./commands-process.ts', import.meta.url));

/** Runs command lines one after the other in one child process, and returns the output of each. */
export async function runCommands(lines: readonly CommandLine[], cwd: string): Promise<CommandOutput[]> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROCESS, JSON.stringify(lines)], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE },
    timeout: GIVE_UP_MS,
  });
  const parts = (text: string) => [...text.matchAll(/([\s\S]*?)=== (\d)\n/g)];
  const results = parts(stdout);
  return parts(stderr).map(([, notes = '', status], index) => ({
    status: Number(status),
    result: results[index]?.[1] ?? '',
    notes,
  }));
}
