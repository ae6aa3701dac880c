import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { type Part, write } from './part.ts';
import { PARTS } from './parts.ts';

/*
 * The long tier of the tests: parts, each with a promise. Each run of a part adds a line to results.md
 * (--write FILE).
 *
 * npm run test:long                              all parts, each for its share of four hours
 * npm run test:long -- --minutes 30              all parts, each for its share of half an hour
 * npm run test:long -- --only soak,histories     some parts
 * npm run test:long -- --only fuzz --first 7     from a seed
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '240' },
    only: { type: 'string', default: PARTS.map(({ name }) => name).join(',') },
    first: { type: 'string', default: String(randomInt(2 ** 31)) },
    write: { type: 'string', default: fileURLToPath(new URL('./results.md', import.meta.url)) },
  },
});

const PROCESS = fileURLToPath(new URL('./run-part.ts', import.meta.url));
/** A part that runs this much longer than its time is considered hung. */
const GRACE_MINUTES = 30;

const parts = options.only.split(',').map((name) => {
  const part = PARTS.find((one) => one.name === name);
  if (part !== undefined) return part;
  throw new Error(`there is no part ${name}; the parts are ${PARTS.map((one) => one.name).join(', ')}`);
});

/**
 * Runs a part in a process. Ends the process and all that it started. Returns what was checked, or undefined
 * if the promise is broken.
 */
async function runPart({ name }: Part, minutes: number): Promise<string | undefined> {
  const folder = temporaryFolder();
  const path = `${folder.path}/result.txt`;
  const args = [PROCESS, name, options.first, String(minutes), path];
  // The part's process group also has the part's servers and workers.
  const child = spawn(process.execPath, args, { stdio: 'inherit', detached: true });
  const stop = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // The group has no process left.
    }
  };
  const hung = setTimeout(stop, (minutes + GRACE_MINUTES) * 60_000);
  const onSignal = () => {
    stop();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const [status] = await once(child, 'exit');
  clearTimeout(hung);
  stop();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  try {
    return status === 0 ? readFileSync(path, 'utf8') : undefined;
  } finally {
    folder.remove();
  }
}

const git = ['rev-parse', '--short', 'HEAD'];
const commit = execFileSync('git', git, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
const allShares = parts.reduce((sum, { share }) => sum + share, 0);
for (const part of parts) {
  const minutes = (Number(options.minutes) * part.share) / allShares;
  write(`${part.name}, from seed ${options.first}, for ${minutes.toFixed(1)} minutes`);
  const checked = await runPart(part, minutes);
  if (checked === undefined) process.exitCode = 1;
  const day = new Date().toISOString().slice(0, 10);
  // Written after each part, so that a failure loses no earlier result.
  const cells = [part.name, part.promise, checked ?? '**broken**', `${day}, ${commit}`];
  appendFileSync(options.write, `| ${cells.join(' | ')} |\n`);
}
