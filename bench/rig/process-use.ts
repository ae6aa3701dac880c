import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The fields of a process's stat from its state on. Source: proc_pid_stat(5). */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Milliseconds of processor time that a process has used, all of its threads together. */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same of a process with its children, those that have ended included. */
export function familyCpuMs(pid: number): number {
  const fields = statOf(pid);
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => childCpuMs(Number(name), pid));
  return cpuMs(pid) + ended + living.reduce((sum, one) => sum + one, 0);
}

function childCpuMs(pid: number, parent: number): number {
  try {
    return Number(statOf(pid)[1]) === parent ? cpuMs(pid) : 0;
  } catch {
    // It ended while the folder was read.
    return 0;
  }
}

/** Megabytes that a process holds: now, or at its most. */
export function residentMb(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}
