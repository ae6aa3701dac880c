import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE } from './data.ts';
import type { OpenLoopPlan, OpenLoopResult } from './open-loop.ts';

const CLIENT = fileURLToPath(new URL('./open-loop-client.ts', import.meta.url));
let plans = 0;

/** Runs an open loop in a separate process, on another core than the service. */
export async function openLoop(plan: OpenLoopPlan): Promise<OpenLoopResult> {
  const path = `${CACHE}open-loop-${process.pid}-${++plans}.json`;
  writeFileSync(path, JSON.stringify(plan));
  try {
    const { stdout } = await promisify(execFile)('taskset', ['-c', '1', process.execPath, CLIENT, path], {
      timeout: (plan.seconds + 30) * 1000,
    });
    return JSON.parse(stdout);
  } finally {
    rmSync(path);
  }
}
