import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machine } from '../../bench/rig/report.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { longRunDocument, longRunTable, type PartResult, type Row, rowOf } from './long-run-table.ts';
import { type Part, write } from './part.ts';
import { PARTS, partNamed, values } from './parts.ts';

/*
 * The long tier of the tests, as a table of promises with figures, which is written to docs/long-run.md (--write FILE).
 *
 * npm run test:long                        all parts, each for its share of four hours
 * npm run test:long -- --minutes 30        of half an hour
 * npm run test:long -- --full              all parts in full, many hours
 * npm run test:long -- --resume            the parts that have not passed with this commit yet
 * npm run test:long -- --only soak,walks   some parts. With --full, --seeds, --walks, --schedules, --questions, --requests, --bytes, --kills,
 *                                          --waiting, --servers, --repeats (of --files) and --soak-minutes set the size of each; --first the first seed
 */
const PROCESS = fileURLToPath(new URL('./part-process.ts', import.meta.url));

/** A part that runs in full and takes longer hangs. */
const FULL_MINUTES = 24 * 60;

const wanted = values.only?.split(',') ?? PARTS.map(({ name }) => name);
const unknown = wanted.filter((name) => partNamed(name) === undefined);
if (unknown.length > 0) {
  throw new Error(
    `there is no part ${unknown.join(', ')}; the parts are ${PARTS.map(({ name }) => name).join(', ')}`,
  );
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
}).trim();

const written = () => (existsSync(values.write) ? readFileSync(values.write, 'utf8') : '');

function hasPassed({ promise }: Part): boolean {
  const row = rowOf(written(), promise);
  return row?.broken === '0' && row.measured.endsWith(`, ${commit}`);
}

/** Runs a part in a process, and stops that with everything it started if it hangs. */
async function runPart(name: string, minutes: number): Promise<PartResult> {
  const folder = temporaryFolder();
  const result = `${folder.path}/result.json`;
  const args = [...process.argv.slice(2), '--part', name, '--result', result, '--minutes', String(minutes)];
  // A group of its own, with its servers and workers.
  const child = spawn(process.execPath, [PROCESS, ...args], { stdio: 'inherit', detached: true });
  const stop = () => process.kill(-(child.pid as number), 'SIGKILL');
  const mostMinutes = values.full ? FULL_MINUTES : minutes + Number(values.grace);
  const timer = setTimeout(stop, mostMinutes * 60_000);
  const onSignal = () => {
    stop();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const [status] = await once(child, 'exit');
  clearTimeout(timer);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  try {
    if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8'));
    const end = status === null ? `stopped: it hung for ${mostMinutes} minutes` : `ended with ${status}`;
    return { howMuch: 'ended early', broken: end };
  } finally {
    folder.remove();
  }
}

const parts = wanted
  .map((name) => partNamed(name) as Part)
  .filter((part) => !values.resume || !hasPassed(part));
const shares = parts.reduce((sum, { share }) => sum + share, 0);
const rows: Row[] = [];
for (const { name, promise, share } of parts) {
  const minutes = (Number(values.minutes) * share) / shares;
  write(`${name}${values.full ? '' : `, for ${minutes.toFixed(1)} minutes`}`);
  const found = await runPart(name, minutes);
  rows.push({ promise, ...found, measured: `${new Date().toISOString().slice(0, 10)}, ${commit}` });
  // Written after each part, so that a failure loses no earlier result.
  const promises = [...new Set([...PARTS, ...parts].map((part) => part.promise))];
  writeFileSync(values.write, longRunDocument(written(), rows, { promises, machine: machine() }));
}
write(`\n${longRunTable(rows)}\n\nWritten to ${values.write}.`);
if (rows.some(({ broken }) => broken !== '0')) process.exitCode = 1;
