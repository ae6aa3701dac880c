import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runSchedules } from '../changes/schedule.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { runHistory } from '../judge/histories.ts';
import { startPostgres } from '../rig/database/postgres-server.ts';
import { faultsPart } from './faults-part.ts';
import { filesPart } from './files-part.ts';
import { number, type Part, progress, write } from './part.ts';
import { soakPart } from './soak-part.ts';

const JUDGE = fileURLToPath(new URL('../../proof/judge/main.ts', import.meta.url));

const histories: Part = {
  name: 'histories',
  promise:
    'Random histories in simulated time break no rule of the judge: faults of the database, kills, pauses, clocks, restores, copies',
  share: 0.4,
  async run({ first, endsAtMs }) {
    const onProgress = progress('histories');
    let [count, events] = [0, 0];
    while (performance.now() < endsAtMs) {
      const seed = first + count;
      const { violations, history, story } = await runHistory(seed);
      if (violations.length > 0)
        throw new Error(
          `TEST_SEED=${seed} npm test -- test/judge/histories.test.ts\n${[...story, ...violations].join('\n')}`,
        );
      events += history.events.length;
      onProgress(++count);
    }
    return `${number(count)} histories of ${number(events)} events`;
  },
};

const judge: Part = {
  name: 'judge',
  promise:
    'Random histories of processes on SQLite and PostgreSQL, with one to three instances and kills of all processes, break no rule of the judge',
  share: 0.4,
  async run({ first, endsAtMs }) {
    const minutes = (endsAtMs - performance.now()) / 60_000;
    const args = [JUDGE, '--minutes', String(minutes), '--seed', String(first)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    let count = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      write(line);
      if (line.startsWith('seed ')) count++;
    }
    const [status] = await exited;
    if (status !== 0) throw new Error(`npm run judge -- --seed ${first + Math.max(0, count - 1)}`);
    return `${number(count)} rounds`;
  },
};

const schedules: Part = {
  name: 'schedules-postgres',
  promise:
    'The changes of concurrent recorders on PostgreSQL have numbers without a gap or a repeat, in the order in which they become visible',
  share: 0.1,
  async run({ first, endsAtMs }) {
    const server = await startPostgres();
    const databaseUrl = `${server.url}/postgres`;
    const onProgress = progress('schedules');
    try {
      const count = Number.POSITIVE_INFINITY;
      const { schedules } = await runSchedules({ databaseUrl, lanes: 6, first, count, endsAtMs, onProgress });
      return `${number(schedules)} schedules`;
    } finally {
      await server.stop();
    }
  },
};

const fuzz: Part = {
  name: 'fuzz',
  promise: 'A malformed query, path, header or body gets a documented response',
  share: 0.1,
  async run({ first, endsAtMs }) {
    const onProgress = progress('requests');
    const byStatus = await runFuzz({ first, count: Number.POSITIVE_INFINITY, endsAtMs, onProgress });
    return `${number(byStatus.values().reduce((sum, requests) => sum + requests, 0))} requests`;
  },
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** How many files a run changes in its share of four hours. */
const MUTATED_AT_ONCE = 6;

/** The files that `npm run mutation` changes, which its configuration lists. */
function mutatedFiles(): string[] {
  const { mutate } = JSON.parse(readFileSync(`${ROOT}proof/mutation/stryker.config.json`, 'utf8')) as {
    mutate: string[];
  };
  const exclude = mutate.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const files = globSync(
    mutate.filter((one) => !one.startsWith('!')),
    { cwd: ROOT, exclude },
  );
  return files.sort();
}

const mutation: Part = {
  name: 'mutation',
  promise: 'Unit tests notice nine of ten mutations of src/ledger, src/keys and src/webhooks',
  share: 0.3,
  async run({ first }) {
    const files = mutatedFiles();
    const wanted = Array.from(
      { length: MUTATED_AT_ONCE },
      (_, index) => files[(first - 1 + index) % files.length],
    );
    const args = ['run', 'mutation', '--', '--mutate', wanted.join(',')];
    const [status] = await once(spawn('npm', args, { cwd: ROOT, stdio: 'inherit' }), 'exit');
    if (status !== 0) throw new Error(`npm ${args.join(' ')}`);
    return wanted.join(', ');
  },
};

export const PARTS: readonly Part[] = [
  filesPart,
  faultsPart,
  histories,
  judge,
  schedules,
  fuzz,
  soakPart,
  mutation,
];
