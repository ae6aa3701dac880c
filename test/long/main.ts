import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runSchedules } from '../changes/schedule.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { runHistory } from '../judge/histories.ts';
import { startPostgres } from '../rig/database/postgres-server.ts';
import { soak } from './soak.ts';

/* For example: `npm run test:random -- fuzz --minutes 60 --first 7` */

interface Limits {
  first: number;
  endsAtMs: number;
  onProgress: (done: number) => void;
}

interface Part {
  promise: string;
  run(limits: Limits): Promise<string>;
}

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 });

const PARTS: Readonly<Record<string, Part>> = {
  histories: {
    promise:
      'Random histories in simulated time break no rule of the judge: faults of the database, kills, pauses, clocks, restores, copies',
    async run({ first, endsAtMs, onProgress }) {
      let [count, events] = [0, 0];
      for (; performance.now() < endsAtMs; onProgress(++count)) {
        const seed = first + count;
        const { violations, history, story } = await runHistory(seed);
        if (violations.length > 0) throw new Error([`seed ${seed}`, ...story, ...violations].join('\n'));
        events += history.events.length;
      }
      return `${number(count)} histories of ${number(events)} events`;
    },
  },
  schedules: {
    promise:
      'The changes of concurrent recorders on PostgreSQL have numbers without a gap or a repeat, in the order in which they become visible',
    async run(limits) {
      const server = await startPostgres();
      const databaseUrl = `${server.url}/postgres`;
      const count = Number.POSITIVE_INFINITY;
      try {
        const { schedules } = await runSchedules({ databaseUrl, lanes: 6, count, ...limits });
        return `${number(schedules)} schedules`;
      } finally {
        await server.stop();
      }
    },
  },
  fuzz: {
    promise: 'A malformed query, path, header or body gets a documented response',
    async run(limits) {
      const byStatus = await runFuzz(limits);
      return `${number(byStatus.values().reduce((sum, requests) => sum + requests, 0))} requests`;
    },
  },
  soak: {
    promise: 'Under steady load, the memory and the descriptors of a process stay constant',
    run: soak,
  },
};

const PROGRESS_MS = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    first: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const [name = ''] = positionals;
const { promise, run } = PARTS[name] ?? fail();

function fail(): never {
  throw new Error(`name one of ${Object.keys(PARTS).join(', ')}`);
}

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`${name} from seed ${values.first}, for ${values.minutes} minutes`);
let printedMs = performance.now();
const checked = await run({
  first: Number(values.first),
  endsAtMs: performance.now() + Number(values.minutes) * 60_000,
  onProgress: (done) => {
    if (performance.now() - printedMs < PROGRESS_MS) return;
    printedMs = performance.now();
    print(number(done));
  },
});
const git = ['log', '-1', '--date=short', '--format=%cd, %h'];
const commit = execFileSync('git', git, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
const line = `| ${[name, promise, checked, commit].join(' | ')} |\n`;
appendFileSync(new URL('./results.md', import.meta.url), line);
print(checked);
// A service may have left threads, which would keep this process alive.
process.exit();
