import { readdirSync, readFileSync } from 'node:fs';

/** The unit of CPU times in /proc. */
const TICK_MS = 10;

/** The fields of /proc/PID/stat from `state` on. Source: proc_pid_stat(5). */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

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
    return 0;
  }
}

/** In megabytes. `VmHWM` is the peak. */
export function residentMb(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}
