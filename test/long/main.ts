import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machine } from '../../bench/rig/report.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { addRun, longRunDocument, longRunTable, type PartResult, type Row, rowOf } from './long-run-table.ts';
import { options } from './options.ts';
import { type Part, write } from './part.ts';
import { PARTS, partNamed } from './parts.ts';

/*
 * The long tier of the tests, as a table of promises with figures, which is written to results.md (--write FILE). Each run has
 * seeds that no earlier one in the table had (--first N: these), and adds to the counts.
 *
 * npm run test:long                        all parts, each for its share of four hours
 * npm run test:long -- --minutes 30        of half an hour
 * npm run test:long -- --resume            the parts that have not passed with this commit yet
 * npm run test:long -- --full              all parts in full (--counts walks=100,kills=5: so many), many hours
 * npm run test:long -- --full --resume     with what is left of that after the earlier runs
 * npm run test:long -- --only soak,walks   some parts
 */
const PROCESS = fileURLToPath(new URL('./part-process.ts', import.meta.url));

/** A part that runs in full and takes longer hangs. */
const FULL_MINUTES = 48 * 60;

const wanted = options.only?.split(',') ?? PARTS.map(({ name }) => name);
refuseUnknown(wanted);
const sizes = new Map(
  options.counts
    .split(',')
    .filter((text) => text !== '')
    .map((text) => text.split('=') as [string, string]),
);
refuseUnknown([...sizes.keys()]);

function refuseUnknown(names: readonly string[]): void {
  const unknown = names.filter((name) => partNamed(name) === undefined);
  if (unknown.length === 0) return;
  const known = PARTS.map(({ name }) => name).join(', ');
  throw new Error(`there is no part ${unknown.join(', ')}; the parts are ${known}`);
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
}).trim();

const written = () => (existsSync(options.write) ? readFileSync(options.write, 'utf8') : '');

/** How much of a part a full run does. */
function countOf({ name, promise, goal }: Part): number {
  const count = Number(sizes.get(name) ?? goal);
  const done = Object.values(rowOf(written(), promise)?.counts ?? {})[0] ?? 0;
  return options.resume ? count - done : count;
}

function isDone(part: Part): boolean {
  const row = rowOf(written(), part.promise);
  if (!options.resume || row === undefined) return false;
  return options.full ? countOf(part) <= 0 : row.broken === '0' && row.commit === commit;
}

/** Runs a part in a process, and stops that with everything it started if it hangs. */
async function runPart(part: Part, first: number, minutes: number): Promise<PartResult> {
  const folder = temporaryFolder();
  const result = `${folder.path}/result.json`;
  const limits = options.full
    ? { first, count: countOf(part), minutes: null }
    : { first, count: null, minutes };
  const args = ['--part', part.name, '--limits', JSON.stringify(limits), '--result', result];
  const given = [...process.argv.slice(2), ...args];
  // A group of its own, with its servers and workers.
  const child = spawn(process.execPath, [PROCESS, ...given], { stdio: 'inherit', detached: true });
  const stop = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
  };
  const mostMinutes = options.full ? FULL_MINUTES : minutes + Number(options.grace);
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    stop();
  }, mostMinutes * 60_000);
  const onSignal = () => {
    stop();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const [status, signal] = await once(child, 'exit');
  clearTimeout(timer);
  stop();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  try {
    if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8'));
    const broken = isHung
      ? `stopped: it hung for ${mostMinutes} minutes`
      : `its process ended with ${signal ?? status}`;
    return { counts: {}, seeds: 0, figures: 'ended early', broken };
  } finally {
    folder.remove();
  }
}

const parts = wanted.map((name) => partNamed(name) as Part).filter((part) => !isDone(part));
const endsAtMs = performance.now() + Number(options.minutes) * 60_000;
const allShares = parts.reduce((sum, { share }) => sum + share, 0);
let sharesLeft = allShares;
const rows: Row[] = [];
for (const part of parts) {
  const { name, promise, share } = part;
  // What earlier parts left of their time is shared by the others. What they took longer is not taken from them.
  const minutesLeft = (endsAtMs - performance.now()) / 60_000;
  const minutes = Math.max((Number(options.minutes) * share) / allShares, (minutesLeft * share) / sharesLeft);
  sharesLeft -= share;
  const earlier = rowOf(written(), promise);
  const firstSeed = Number(options.first ?? (earlier?.seeds?.last ?? 0) + 1);
  write(`${name}, from seed ${firstSeed}${options.full ? '' : `, for ${minutes.toFixed(1)} minutes`}`);
  const result = await runPart(part, firstSeed, minutes);
  const day = new Date().toISOString().slice(0, 10);
  rows.push(addRun(earlier, { promise, result, firstSeed, day, commit }));
  // Written after each part, so that a failure loses no earlier result.
  const promises = [...new Set([...PARTS, ...parts])];
  writeFileSync(options.write, longRunDocument(written(), rows, { promises, machine: machine() }));
}
const goals = new Map(parts.map(({ promise, goal }) => [promise, goal]));
write(`\n${longRunTable(rows, goals)}\n\nWritten to ${options.write}.`);
if (rows.some(({ broken }) => broken !== '0')) process.exitCode = 1;
