import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { Random } from '../rig/run/random.ts';
import { Oracle } from './oracle.ts';
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

/** These counts prove that schedules did something. */
export interface ScheduleCounts {
  schedules: number;
  changes: number;
}

const MAX_ACCOUNTS = 3;
const MAX_OPERATIONS = 2;
const MAX_BATCH = 5;
/** More than the changes that any schedule makes in an account. */
const MAX_CHANGES = 1000;

/** A database runs one schedule at a time. */
async function runSchedule(
  seed: number,
  random: Random,
  database: ScheduleDatabase,
  counts: ScheduleCounts,
): Promise<void> {
  const oracles = Array.from(
    { length: random.integer(1, MAX_ACCOUNTS) },
    (_, index) => new Oracle(`s${seed}-${index}`),
  );
  let keyed = 0;
  const newReference = () => `k${++keyed}`;
  const schedule: Schedule = { database, oracles, newReference };
  try {
    database.begin(random.fork());
    const recorders = database.recorders.slice(0, random.integer(2, database.recorders.length));
    const runs = recorders.map((recorder) => runRecorder(schedule, recorder, random.fork()));
    let running = true;
    const recorded = Promise.all([...runs, disturb(schedule, random.fork())]).finally(() => {
      running = false;
    });
    const read = readMeanwhile(schedule, random.fork(), () => running);
    // All of these end before a failure is reported, because the next schedule uses the same connections.
    const ends = await Promise.allSettled([recorded, read, ...runs]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    for (const oracle of oracles) {
      await checkEnd(schedule, oracle);
      counts.changes += oracle.seen;
    }
    counts.schedules++;
  } catch (error) {
    const history = oracles.flatMap((oracle) => [oracle.account, ...oracle.history]);
    const message = [`schedule ${seed}: ${(error as Error).message}`, ...history].join('\n');
    throw new Error(message, { cause: error });
  }
}

async function disturb({ database, oracles }: Schedule, random: Random): Promise<void> {
  if (random.chance(0.7)) return;
  for (let pauses = random.integer(0, 3); pauses > 0; pauses--) await database.pause();
  const references = [random.pick(REFERENCES), random.pick(REFERENCES)];
  await database.disturb(random.pick(oracles).account, references);
}

async function readMeanwhile(schedule: Schedule, random: Random, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const oracle = random.pick(schedule.oracles);
    const after = random.chance(0.8) ? oracle.seen : random.integer(0, oracle.seen);
    await read(schedule, oracle, after, random.integer(1, 20));
    await schedule.database.pause();
  }
}

async function read({ database }: Schedule, oracle: Oracle, after: number, limit: number): Promise<void> {
  const check = oracle.beginRead({ after, limit });
  check(await whenAvailable(() => database.reader.listChanges({ account: oracle.account, after, limit })));
}

/** Repeats a read whose connection was killed. */
async function whenAvailable<Result>(read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

async function checkEnd(schedule: Schedule, oracle: Oracle): Promise<void> {
  const { account } = oracle;
  await read(schedule, oracle, 0, MAX_CHANGES);
  const query = { account, filter: NO_FILTER, after: null };
  const { transactions } = await whenAvailable(() =>
    schedule.database.reader.listTransactions(query, MAX_CHANGES),
  );
  oracle.checkEnd(transactions);
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
  /** How many schedules run at once. Others continue while the locks of a schedule are held. */
  lanes: number;
  first?: number;
  count: number;
  /** A time of performance.now(). No schedule begins after it. */
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
