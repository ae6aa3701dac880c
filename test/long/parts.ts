import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type KillsResult, runDatabaseKills, runServiceKills } from '../crash/run-kills.ts';
import { runFuzz, runSocketFuzz } from '../fuzz/run-fuzz.ts';
import { runSeeds } from '../simulation/run-seeds.ts';
import { CANARIES } from './canaries.ts';
import { conformancePart } from './conformance-part.ts';
import { filesPart } from './files-part.ts';
import type { PartResult } from './long-run-table.ts';
import { number, type Part, progress, write } from './part.ts';
import { REPEATED_FILES, repeatedPart } from './repeated-files.ts';
import { soak } from './soak.ts';
import { storeParts } from './store-parts.ts';
import { webhookParts } from './webhook-parts.ts';

export const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '240' },
    full: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    /** How many minutes after its time a part that has not ended hangs. */
    grace: { type: 'string', default: '30' },
    only: { type: 'string' },
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1000000' },
    walks: { type: 'string', default: '1000000' },
    schedules: { type: 'string', default: '1000000' },
    questions: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '4500000' },
    bytes: { type: 'string', default: '500000' },
    kills: { type: 'string', default: '2000' },
    waiting: { type: 'string', default: '100000' },
    servers: { type: 'string', default: '1000' },
    repeats: { type: 'string', default: '50' },
    files: { type: 'string', default: REPEATED_FILES.join(',') },
    'soak-minutes': { type: 'string', default: '60' },
    /** The part that a process runs, and the file for its result: only main.ts gives them. */
    part: { type: 'string' },
    result: { type: 'string' },
    write: {
      type: 'string',
      default: fileURLToPath(new URL('../../docs/long-run.md', import.meta.url)),
    },
  },
});

/** The count of an option; unlimited if the minutes decide. */
const countOf = (text: string) => (values.full ? Number(text) : Number.POSITIVE_INFINITY);

const killsPromise = (what: string) =>
  `After a kill of ${what}, every acknowledged transaction is listed, once and unchanged`;

function killsFound({ kills, acknowledged, cutOff, unavailable, recoveredMs }: KillsResult): PartResult {
  const slowest = recoveredMs.reduce((most, one) => Math.max(most, one), 0);
  return {
    howMuch: `${number(kills)} kills at random moments, ${number(acknowledged)} acknowledged, ${number(cutOff)} connections lost, ${number(unavailable)} answered 503; recovered within ${number(slowest)} ms`,
    broken: '0',
  };
}

/** Kills of the service for each kill of PostgreSQL. */
const SERVICE_KILLS_PER_DATABASE_KILL = 40;

export const PARTS: readonly Part[] = [
  filesPart(Number(values.first)),
  {
    name: 'simulation',
    promise:
      'Every response is correct despite lost, failed and slow calls, restarts, revocations and clock jumps',
    share: 0.3,
    async run({ endsAtMs }) {
      const { onProgress, perSecond } = progress('seeds');
      const first = Number(values.first);
      const result = await runSeeds({ first, count: countOf(values.seeds), endsAtMs, onProgress });
      const { failed } = result;
      if (failed !== undefined) write(`${failed.history.join('\n')}\n${failed.violation}`);
      return {
        howMuch: `${number(result.seeds)} simulated histories, ${number(result.responses)} responses (${perSecond()} seeds/s)`,
        broken: failed === undefined ? '0' : `npm run simulate -- --seed ${failed.seed}`,
      };
    },
  },
  ...storeParts({
    first: Number(values.first),
    walks: countOf(values.walks),
    schedules: countOf(values.schedules),
    questions: countOf(values.questions),
  }),
  {
    name: 'fuzz',
    promise: 'A malformed query, path, header or body gets a documented response: no crash, no 500',
    share: 0.1,
    async run({ endsAtMs }) {
      const { onProgress, perSecond } = progress('malformed requests');
      const first = Number(values.first);
      const result = await runFuzz({ first, count: countOf(values.requests), endsAtMs, onProgress });
      return {
        howMuch: `${number(result.requests)} requests (${perSecond()}/s)`,
        broken: '0',
      };
    },
  },
  {
    name: 'bytes',
    promise: 'Damaged bytes and ambiguous framing get one as well, and no connection stays open',
    share: 0.1,
    async run({ endsAtMs }) {
      const { onProgress, perSecond } = progress('damaged requests');
      const first = Number(values.first);
      const result = await runSocketFuzz({ first, count: countOf(values.bytes), endsAtMs, onProgress });
      return {
        howMuch: `${number(result.requests)} connections (${perSecond()}/s)`,
        broken: '0',
      };
    },
  },
  {
    name: 'kills',
    promise: killsPromise('the service'),
    share: 0.1,
    async run({ endsAtMs }) {
      const { onProgress } = progress('kills of the service');
      return killsFound(await runServiceKills({ kills: countOf(values.kills), endsAtMs, onProgress }));
    },
  },
  {
    name: 'database-kills',
    promise: killsPromise('PostgreSQL'),
    share: 0.05,
    async run({ endsAtMs }) {
      const { onProgress } = progress('kills of PostgreSQL');
      const kills = Math.ceil(countOf(values.kills) / SERVICE_KILLS_PER_DATABASE_KILL);
      return killsFound(await runDatabaseKills({ kills, endsAtMs, onProgress }));
    },
  },
  conformancePart(Number(values.first), Number(values.servers)),
  ...webhookParts({
    seed: Number(values.first),
    kills: countOf(values.kills),
    waiting: Number(values.waiting),
  }),
  repeatedPart({
    first: Number(values.first),
    repeats: countOf(values.repeats),
    files: values.files.split(','),
  }),
  {
    name: 'soak',
    promise: 'Under steady load, the memory, descriptors and latency of a process stay constant',
    share: 0.2,
    async run({ minutes }) {
      const result = await soak(minutes ?? Number(values['soak-minutes']), write);
      const { rssMb, descriptors, p99Ms } = result;
      for (const failure of new Set(result.failures)) write(failure);
      return {
        howMuch:
          `${result.minutes.toFixed(1)} min, ${number(result.requests)} requests; memory ${rssMb.first.toFixed(1)} to ${rssMb.last.toFixed(1)} MB ` +
          `(${result.rssMbPerHour.toFixed(1)} MB/h), descriptors ${descriptors.first} to ${descriptors.last}, p99 ${p99Ms.first.toFixed(1)} to ${p99Ms.last.toFixed(1)} ms`,
        broken: String(result.failures.length),
      };
    },
  },
];

/** The part with a name. A canary is none of them: it runs only if it is named. */
export const partNamed = (name: string): Part | undefined =>
  [...PARTS, ...CANARIES].find((part) => part.name === name);
