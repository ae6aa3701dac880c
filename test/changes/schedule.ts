import assert from 'node:assert/strict';
import { changeId, formatChange } from '../../src/ledger/changes/change.ts';
import { listChanges } from '../../src/ledger/changes/changes.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { formatTransaction } from '../../src/ledger/transaction-fields.ts';
import { Random } from '../rig/run/random.ts';
import { whenAvailable } from '../rig/store/when-available.ts';
import {
  differentTransactions,
  REFERENCES,
  Recording,
  randomTransaction,
  type Schedule,
} from './recording.ts';
import {
  openScheduleDatabase,
  prepareDatabase,
  type Recorder,
  type ScheduleDatabase,
} from './schedule-database.ts';
import { Seen } from './seen.ts';

interface ScheduleCounts {
  schedules: number;
  changes: number;
}

const MAX_ACCOUNTS = 3;
const MAX_OPERATIONS = 2;
const MAX_BATCH = 5;
const MAX_CHANGES = 1000;

async function runSchedule(
  seed: number,
  random: Random,
  database: ScheduleDatabase,
  counts: ScheduleCounts,
): Promise<void> {
  const accounts = Array.from({ length: random.integer(1, MAX_ACCOUNTS) }, (_, index) => `s${seed}-${index}`);
  const seen = new Seen();
  let keyed = 0;
  const newReference = () => `k${++keyed}`;
  const schedule: Schedule = { database, accounts, seen, newReference };
  try {
    database.begin(random.fork());
    const recorders = database.recorders.slice(0, random.integer(2, database.recorders.length));
    const runs = recorders.map((recorder) => runRecorder(schedule, recorder, random.fork()));
    let running = true;
    const recorded = Promise.all([...runs, disturb(schedule, random.fork())]).finally(() => {
      running = false;
    });
    const read = readMeanwhile(schedule, random.fork(), () => running);
    // All work ends before a failure is reported, because the next schedule uses the same connections.
    const ends = await Promise.allSettled([recorded, read, ...runs]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    for (const account of accounts) counts.changes += await readEnd(schedule, account);
    assert.deepEqual(seen.violations, []);
    counts.schedules++;
  } catch (error) {
    const history = accounts.flatMap((account) => [account, ...seen.historyOf(account)]);
    const message = [`schedule ${seed}: ${(error as Error).message}`, ...history].join('\n');
    throw new Error(message, { cause: error });
  }
}

async function disturb({ database, accounts }: Schedule, random: Random): Promise<void> {
  if (random.chance(0.7)) return;
  for (let pauses = random.integer(0, 3); pauses > 0; pauses--) await database.pause();
  const references = [random.pick(REFERENCES), random.pick(REFERENCES)];
  await database.disturb(random.pick(accounts), references);
}

async function readMeanwhile(schedule: Schedule, random: Random, isRunning: () => boolean): Promise<void> {
  const heads = new Map<string, number>();
  while (isRunning()) {
    const account = random.pick(schedule.accounts);
    const head = heads.get(account) ?? 0;
    const after = random.chance(0.8) ? head : random.integer(0, head);
    const { lastSequence } = await read(schedule, account, after, random.integer(1, 20));
    heads.set(account, Math.max(head, lastSequence));
    await schedule.database.pause();
  }
}

function read({ database, seen }: Schedule, account: string, after: number, limit: number) {
  const query = { account, after, limit };
  return seen.note(account, async () => {
    const { changes, last, headSequence } = await whenAvailable(() => listChanges(database.reader, query));
    const end = changes.at(-1) ?? last;
    const lastSequence = end?.sequence ?? 0;
    return {
      op: 'feed' as const,
      ...{ after, afterId: null, status: 200 as const },
      changes: changes.map((change) => formatChange(account, change)),
      ...{ lastSequence, lastId: end === undefined ? null : changeId(account, end) },
      ...{ headSequence, floorSequence: null, hasMore: lastSequence < headSequence },
    };
  });
}

async function readEnd(schedule: Schedule, account: string): Promise<number> {
  const { changes } = await read(schedule, account, 0, MAX_CHANGES);
  await schedule.seen.note(account, async () => ({ op: 'final' as const, changes }));
  await schedule.seen.note(account, async () => {
    const query = { account, filter: NO_FILTER, after: null };
    const { transactions } = await whenAvailable(() =>
      schedule.database.reader.listTransactions(query, MAX_CHANGES),
    );
    const pages = Array.from({ length: Math.max(1, Math.ceil(transactions.length / 10)) }, (_, page) => ({
      ...{ began: Number.POSITIVE_INFINITY, ended: Number.POSITIVE_INFINITY },
      rows: transactions.slice(10 * page, 10 * page + 10).map(formatTransaction),
    }));
    return { op: 'walk' as const, kind: 'list' as const, filter: {}, pages };
  });
  return changes.length;
}

async function runRecorder(schedule: Schedule, recorder: Recorder, random: Random): Promise<void> {
  const recording = new Recording(schedule, recorder);
  for (let operation = random.integer(1, MAX_OPERATIONS); operation > 0; operation--) {
    const kind = random.integer(1, 10);
    const count = random.integer(2, MAX_BATCH);
    if (kind <= 3) await recording.record([randomTransaction(schedule, random)]);
    else if (kind <= 5) await recording.record(differentTransactions(schedule, random, count));
    else if (kind <= 7)
      await recording.record(Array.from({ length: count }, () => randomTransaction(schedule, random)));
    else if (kind <= 8) await recording.importBatch(differentTransactions(schedule, random, count));
    else await recording.recordOnce(random);
    if (random.chance(0.3)) await schedule.database.pause();
  }
}

interface Schedules {
  databaseUrl: string;
  lanes: number;
  first?: number;
  count: number;
  /** By `performance.now()`. */
  endsAtMs?: number;
  onProgress?: (done: number) => void;
}

export async function runSchedules({
  databaseUrl,
  lanes,
  first = 1,
  count,
  endsAtMs = Number.POSITIVE_INFINITY,
  onProgress = () => {},
}: Schedules): Promise<ScheduleCounts> {
  await prepareDatabase(databaseUrl);
  const counts: ScheduleCounts = { schedules: 0, changes: 0 };
  let next = first;
  const runLane = async (lane: number) => {
    const database = await openScheduleDatabase(databaseUrl, `lane-${lane}`);
    try {
      while (next < first + count && performance.now() < endsAtMs) {
        const seed = next++;
        await runSchedule(seed, new Random(seed), database, counts);
        onProgress(counts.schedules);
      }
    } finally {
      await database.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
  return counts;
}
