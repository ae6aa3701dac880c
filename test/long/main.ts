import { parseArgs } from 'node:util';
import { type KillsResult, runDatabaseKills, runServiceKills } from '../crash/run-kills.ts';
import { runFuzz, runSocketFuzz } from '../fuzz/run-fuzz.ts';
import { startPostgres } from '../rig/postgres-server.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { runSeeds } from '../simulation/run-seeds.ts';
import { runWalks, type WalksResult } from '../walks/run-walks.ts';
import { soak } from './soak.ts';

/*
 * The long forms of the tests, as a table of promises with figures.
 *
 * npm run verify:long                         the whole, many hours
 * npm run verify:long -- --minutes 30         as much of each part as its share of the time holds
 * npm run verify:long -- --only soak,walks    some parts; --seeds, --walks, --requests, --bytes,
 *                                             --kills and --soak-minutes set how much of each, --first the first seed
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    only: { type: 'string' },
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1000000' },
    walks: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '4500000' },
    bytes: { type: 'string', default: '500000' },
    kills: { type: 'string', default: '2000' },
    'soak-minutes': { type: 'string', default: '60' },
  },
});

interface Row {
  promise: string;
  howMuch: string;
  broken: string;
}

interface Part {
  name: string;
  /** Of the time, where it is given. */
  share: number;
  run(limits: { endsAtMs: number | undefined; minutes: number | undefined }): Promise<Row>;
}

const PROGRESS_MS = 10_000;
const write = (line: string) => process.stdout.write(`${line}\n`);
const number = (value: number) => Math.round(value).toLocaleString('en');

/** Tells how far a part is, from time to time. */
function progress(what: string): { onProgress: (done: number) => void; perSecond: () => string } {
  const beganMs = performance.now();
  let toldMs = beganMs;
  let done = 0;
  const perSecond = () => number(done / ((performance.now() - beganMs) / 1000));
  return {
    perSecond,
    onProgress: (count) => {
      done = count;
      if (performance.now() - toldMs < PROGRESS_MS) return;
      toldMs = performance.now();
      write(`${number(done)} ${what}, ${perSecond()} a second`);
    },
  };
}

/** A count that was asked for, or none where the time decides. */
const countOf = (text: string) => (values.minutes === undefined ? Number(text) : Number.POSITIVE_INFINITY);

function walksRow(store: string, { walks, pages, rows, recorded }: WalksResult, perSecond: string): Row {
  return {
    promise: `A walk on ${store} loses, repeats and invents nothing while others record, whatever the filters`,
    howMuch: `${number(walks)} walks of all subsets of the filters, ${number(pages)} pages, ${number(rows)} rows shown, none foreign, ${number(recorded)} recorded (${perSecond} walks/s)`,
    broken: '0',
  };
}

function killsRow(what: string, { kills, acknowledged, cutOff, unavailable, recoveredMs }: KillsResult): Row {
  const slowest = recoveredMs.reduce((most, one) => Math.max(most, one), 0);
  return {
    promise: `What was acknowledged is there after a kill of ${what}, once and as it was sent`,
    howMuch: `${number(kills)} kills at random moments, ${number(acknowledged)} acknowledged, ${number(cutOff)} answers cut off, ${number(unavailable)} told as unavailable; back within ${number(slowest)} ms`,
    broken: '0',
  };
}

/** So many kills of the service for each of PostgreSQL. */
const KILLS_OF_SERVICE = 40;

const PARTS: readonly Part[] = [
  {
    name: 'simulation',
    share: 0.3,
    async run({ endsAtMs }) {
      const { onProgress, perSecond } = progress('seeds');
      const first = Number(values.first);
      const result = await runSeeds({ first, count: countOf(values.seeds), endsAtMs, onProgress });
      const { failed } = result;
      if (failed !== undefined) write(`${failed.history.join('\n')}\n${failed.violation}`);
      return {
        promise:
          'Every answer is right through lost, failing and slow calls, restarts, revocations and clock jumps',
        howMuch: `${number(result.seeds)} simulated histories, ${number(result.answers)} answers (${perSecond()} seeds/s)`,
        broken: failed === undefined ? '0' : `npm run simulate -- --seed ${failed.seed}`,
      };
    },
  },
  {
    name: 'walks',
    share: 0.15,
    async run({ endsAtMs }) {
      const folder = temporaryFolder();
      const { onProgress, perSecond } = progress('walks on SQLite');
      try {
        const url = `sqlite:${folder.path}/walks.db`;
        const result = await runWalks(url, countOf(values.walks) / 2, { endsAtMs, onProgress });
        return walksRow('SQLite', result, perSecond());
      } finally {
        folder.remove();
      }
    },
  },
  {
    name: 'walks-postgres',
    share: 0.15,
    async run({ endsAtMs }) {
      const server = await startPostgres();
      const { onProgress, perSecond } = progress('walks on PostgreSQL');
      try {
        const result = await runWalks(`${server.url}/postgres`, countOf(values.walks) / 2, {
          endsAtMs,
          onProgress,
        });
        return walksRow('PostgreSQL', result, perSecond());
      } finally {
        await server.stop();
      }
    },
  },
  {
    name: 'fuzz',
    share: 0.1,
    async run({ endsAtMs }) {
      const { onProgress, perSecond } = progress('malformed requests');
      const first = Number(values.first);
      const result = await runFuzz({ first, count: countOf(values.requests), endsAtMs, onProgress });
      return {
        promise: 'A malformed query, path, header or body gets a documented answer: no crash, no 500',
        howMuch: `${number(result.requests)} requests (${perSecond()}/s)`,
        broken: '0',
      };
    },
  },
  {
    name: 'bytes',
    share: 0.1,
    async run({ endsAtMs }) {
      const { onProgress, perSecond } = progress('damaged requests');
      const first = Number(values.first);
      const result = await runSocketFuzz({ first, count: countOf(values.bytes), endsAtMs, onProgress });
      return {
        promise: 'So do damaged bytes and doubtful framing, through sockets, and no connection is left open',
        howMuch: `${number(result.requests)} connections (${perSecond()}/s)`,
        broken: '0',
      };
    },
  },
  {
    name: 'kills',
    share: 0.1,
    async run({ endsAtMs }) {
      const { onProgress } = progress('kills of the service');
      return killsRow(
        'the service',
        await runServiceKills({ kills: countOf(values.kills), endsAtMs, onProgress }),
      );
    },
  },
  {
    name: 'database-kills',
    share: 0.05,
    async run({ endsAtMs }) {
      const { onProgress } = progress('kills of PostgreSQL');
      const kills = Math.ceil(countOf(values.kills) / KILLS_OF_SERVICE);
      return killsRow('PostgreSQL', await runDatabaseKills({ kills, endsAtMs, onProgress }));
    },
  },
  {
    name: 'soak',
    share: 0.2,
    async run({ minutes }) {
      const result = await soak(minutes ?? Number(values['soak-minutes']), write);
      const { rssMb, descriptors, p99Ms } = result;
      for (const failure of new Set(result.failures)) write(failure);
      return {
        promise: 'A served process under steady load holds its memory, descriptors and latency',
        howMuch:
          `${result.minutes.toFixed(1)} min, ${number(result.requests)} requests; memory ${rssMb.first.toFixed(1)} to ${rssMb.last.toFixed(1)} MB ` +
          `(${result.rssMbPerHour.toFixed(1)} MB/h), descriptors ${descriptors.first} to ${descriptors.last}, p99 ${p99Ms.first.toFixed(1)} to ${p99Ms.last.toFixed(1)} ms`,
        broken: String(result.failures.length),
      };
    },
  },
];

const wanted = values.only?.split(',');
const parts = PARTS.filter(({ name }) => wanted === undefined || wanted.includes(name));
const unknown = wanted?.filter((name) => !PARTS.some((part) => part.name === name)) ?? [];
if (unknown.length > 0) {
  throw new Error(
    `there is no part ${unknown.join(', ')}; the parts are ${PARTS.map(({ name }) => name).join(', ')}`,
  );
}

const shares = parts.reduce((sum, { share }) => sum + share, 0);
const rows: Row[] = [];
for (const { name, share, run } of parts) {
  const minutes = values.minutes === undefined ? undefined : (Number(values.minutes) * share) / shares;
  write(`${name}${minutes === undefined ? '' : `, for ${minutes.toFixed(1)} minutes`}`);
  try {
    rows.push(await run({ endsAtMs: minutes && performance.now() + minutes * 60_000, minutes }));
  } catch (error) {
    write(String((error as Error).stack));
    rows.push({
      promise: name,
      howMuch: 'ended early',
      broken: (error as Error).message.split('\n')[0] ?? '',
    });
  }
}
write('\n| promise | checked by | broken |\n|---|---|---|');
for (const { promise, howMuch, broken } of rows) write(`| ${promise} | ${howMuch} | ${broken} |`);
if (rows.some(({ broken }) => broken !== '0')) process.exitCode = 1;
