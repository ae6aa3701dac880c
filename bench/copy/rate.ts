import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Rounds } from '../list-requests.ts';
import { BINARY } from '../rig/data.ts';
import type { Databases } from '../rig/databases.ts';
import { cpuMs, residentMb } from '../rig/process-use.ts';
import { type Finding, note } from '../rig/report.ts';
import { ratioOf, shown, spreadOf } from '../rig/statistics.ts';

/** A database on SQLite, with the CSV file that it was imported from. */
export interface CopySource {
  url: string;
  /** An API key of each account. */
  keys: Record<string, string>;
  rows: number;
  csv: string;
}

const SAMPLE_EVERY_MS = 50;

interface Measured {
  tookMs: number;
  /** Of the command, and of the server of the target. */
  cpuMs: number;
  peakMb: number;
  /** The most memory in the last third of the time, to that in the middle third. */
  growth: number;
  stdout: string;
}

/** Runs a command, and measures it from outside. */
export async function measureCommand(
  args: readonly string[],
  { databaseUrl = '', serverCpuMs = () => 0 }: { databaseUrl?: string; serverCpuMs?: () => number },
): Promise<Measured> {
  const serverBeforeMs = serverCpuMs();
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [BINARY, ...args], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const held: number[] = [];
  let used = 0;
  const sampling = setInterval(() => {
    const heldMb = residentMb(child.pid as number);
    // A process that has just ended has no figures.
    if (Number.isNaN(heldMb)) return;
    held.push(heldMb);
    used = cpuMs(child.pid as number);
  }, SAMPLE_EVERY_MS);
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(sampling);
  if (status !== 0) throw new Error(`transactions ${args[0]} failed: ${stdout}`);
  const third = Math.floor(held.length / 3);
  return {
    tookMs: performance.now() - startedAtMs,
    cpuMs: used + serverCpuMs() - serverBeforeMs,
    peakMb: Math.max(...held),
    growth: Math.max(...held.slice(2 * third)) / Math.max(...held.slice(third, 2 * third)),
    stdout,
  };
}

const MOST_ROUNDS = 3;

/** Copies and imports of the same rows into empty databases, in turns. */
export async function copyRate(
  { store, create, serverCpuMs }: Databases,
  { url, rows, csv }: CopySource,
  { rounds }: Pick<Rounds, 'rounds'>,
): Promise<Finding[]> {
  const imports: Measured[] = [];
  const copies: Measured[] = [];
  for (let round = 1; round <= Math.min(MOST_ROUNDS, rounds); round++) {
    note(`${store}: copy and import of ${rows.toLocaleString('en')} rows, round ${round}`);
    imports.push(await measureCommand(['import', csv], { databaseUrl: await create(), serverCpuMs }));
    const to = await create();
    copies.push(await measureCommand(['copy', '--from', url, '--to', to, '--json'], { serverCpuMs }));
  }
  const rateOf = (tookMs: number) => rows / (tookMs / 1000);
  const copying = copies.map(({ stdout }) => JSON.parse(stdout).seconds.copying * 1000);
  const all = copies.map(({ tookMs }) => rateOf(tookMs));
  const importing = imports.map(({ tookMs }) => rateOf(tookMs));
  return [
    {
      name: `${store}: copy, rows a second without the comparison`,
      figure: shown(spreadOf(copying.map(rateOf)), 0),
      goal: '',
    },
    {
      name: `${store}: copy without the comparison, rate to that of an import`,
      figure: shown(ratioOf(copying.map(rateOf), importing)),
      goal: 'at least 0.8',
    },
    {
      name: `${store}: the whole command, rate to that of an import`,
      figure: shown(ratioOf(all, importing)),
      goal: '',
    },
    {
      name: `${store}: the whole command, CPU to that of an import`,
      figure: shown(
        ratioOf(
          copies.map(({ cpuMs: used }) => used),
          imports.map(({ cpuMs: used }) => used),
        ),
      ),
      goal: '',
    },
    {
      name: `${store}: copy, peak memory, MB`,
      figure: shown(spreadOf(copies.map(({ peakMb }) => peakMb)), 0),
      goal: 'under 300',
    },
    {
      name: `${store}: copy, peak memory in the last third, relative to the middle third`,
      figure: shown(spreadOf(copies.map(({ growth }) => growth))),
      goal: 'flat',
    },
  ];
}
