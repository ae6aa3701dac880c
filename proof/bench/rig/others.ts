import { readFileSync } from 'node:fs';
import { familyCpuMs, TICK_MS } from './process-use.ts';

/** If other programs use more than this share of the processors, ratios differ by half from round to round. */
export const MAX_OTHERS = 0.05;

/**
 * Returns a function that returns the share of the processors that others have used since: time that was
 * neither idle nor used by this process and its ended children, for example by other programs or other
 * machines of the host (steal).
 */
export function watchOthers(): () => number {
  const began = used();
  return () => {
    const now = used();
    return Math.max(0, (now.busyMs - began.busyMs - (now.ownMs - began.ownMs)) / (now.allMs - began.allMs));
  };
}

function used() {
  // Source: proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal, and guests, which are a part
  // of user.
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string).split(/\s+/);
  const ticks = fields.slice(0, 8).map(Number);
  const allMs = ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
  const idleMs = ((ticks[3] as number) + (ticks[4] as number)) * TICK_MS;
  return { allMs, busyMs: allMs - idleMs, ownMs: familyCpuMs(process.pid) };
}
