import { type KillsResult, runDatabaseKills, runServiceKills } from '../crash/run-kills.ts';
import { runMoves } from '../crash/run-moves.ts';
import { runFuzz, runSocketFuzz } from '../fuzz/run-fuzz.ts';
import { runSeeds } from '../simulation/run-seeds.ts';
import { CANARIES } from './canaries.ts';
import { conformancePart } from './conformance-part.ts';
import { differentialParts } from './differential-parts.ts';
import { failoverParts } from './failover-part.ts';
import { faultsPart } from './faults-part.ts';
import { filesPart } from './files-part.ts';
import type { PartResult } from './long-run-table.ts';
import { options } from './options.ts';
import { number, type Part, progress, trialsFor, write } from './part.ts';
import { repeatedPart } from './repeated-files.ts';
import { restoresPart } from './restores-part.ts';
import { soakPart } from './soak-part.ts';
import { storeParts } from './store-parts.ts';
import { webhookParts } from './webhook-parts.ts';

const killsPromise = (what: string) =>
  `After a kill of ${what}, every acknowledged transaction is listed, once and unchanged`;

function killsFound({ kills, acknowledged, cutOff, unavailable, recoveredMs }: KillsResult): PartResult {
  const slowest = recoveredMs.reduce((most, one) => Math.max(most, one), 0);
  return {
    counts: {
      'kills at random moments': kills,
      acknowledged,
      'connections lost': cutOff,
      'answered 503': unavailable,
    },
    seeds: kills,
    figures: `recovered within ${number(Math.round(slowest))} ms`,
    broken: '0',
  };
}

const simulation: Part = {
  name: 'simulation',
  promise:
    'Every response is correct despite lost, failed and slow calls, restarts, revocations and clock jumps',
  share: 0.3,
  goal: trialsFor(10_000),
  async run({ first, count, endsAtMs }) {
    const { onProgress, perSecond } = progress('seeds');
    const { seeds, responses, failed } = await runSeeds({ first, count, endsAtMs, onProgress });
    if (failed !== undefined) write(`${failed.history.join('\n')}\n${failed.violation}`);
    return {
      counts: { 'simulated histories': seeds, responses },
      seeds,
      figures: `${perSecond()} histories/s`,
      broken: failed === undefined ? '0' : `npm run simulate -- --seed ${failed.seed}`,
    };
  },
};

const fuzz: Part = {
  name: 'fuzz',
  promise: 'A malformed query, path, header or body gets a documented response: no crash, no 500',
  share: 0.1,
  goal: trialsFor(1_000_000),
  async run({ first, count, endsAtMs }) {
    const { onProgress, perSecond } = progress('malformed requests');
    const { requests } = await runFuzz({ first, count, endsAtMs, onProgress });
    return { counts: { requests }, seeds: requests, figures: `${perSecond()}/s`, broken: '0' };
  },
};

const bytes: Part = {
  name: 'bytes',
  promise: 'Damaged bytes and ambiguous framing get one as well, and no connection stays open',
  share: 0.1,
  goal: trialsFor(100_000),
  async run({ first, count, endsAtMs }) {
    const { onProgress, perSecond } = progress('damaged requests');
    const { requests } = await runSocketFuzz({ first, count, endsAtMs, onProgress });
    return { counts: { connections: requests }, seeds: requests, figures: `${perSecond()}/s`, broken: '0' };
  },
};

const kills: Part = {
  name: 'kills',
  promise: killsPromise('the service'),
  share: 0.1,
  goal: trialsFor(100),
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('kills of the service');
    return killsFound(await runServiceKills({ kills: count, seed: first, endsAtMs, onProgress }));
  },
};

const databaseKills: Part = {
  name: 'database-kills',
  promise: killsPromise('PostgreSQL'),
  share: 0.05,
  goal: 50,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('kills of PostgreSQL');
    return killsFound(await runDatabaseKills({ kills: count, seed: first, endsAtMs, onProgress }));
  },
};

const moves: Part = {
  name: 'moves',
  promise:
    'After a move to another database under load, with kills of copy, service and database, the target has all that was acknowledged',
  share: 0.05,
  goal: 100,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('moves');
    const moved = await runMoves({ moves: count, perSecond: 500, seed: first, endsAtMs, onProgress });
    const [medianMs, longestMs] = [0.5, 1].map((share) => quantile(moved.pausedMs, share));
    return {
      counts: { moves: moved.moves, ...moved.kills, acknowledged: moved.acknowledged },
      seeds: moved.moves,
      figures: `nothing recorded for ${medianMs} ms (median), ${longestMs} ms at most`,
      broken: '0',
    };
  },
};

const quantile = (values: readonly number[], share: number): string =>
  number(Math.round(values.toSorted((a, b) => a - b).at(Math.ceil(share * values.length) - 1) ?? 0));

export const PARTS: readonly Part[] = [
  filesPart(),
  faultsPart(),
  simulation,
  ...storeParts(),
  ...differentialParts,
  fuzz,
  bytes,
  kills,
  databaseKills,
  moves,
  ...failoverParts,
  conformancePart(),
  ...webhookParts(),
  repeatedPart(options.files.split(',')),
  restoresPart,
  soakPart,
];

/** The part with a name. A canary is none of them: it runs only if it is named. */
export const partNamed = (name: string): Part | undefined =>
  [...PARTS, ...CANARIES].find((part) => part.name === name);
