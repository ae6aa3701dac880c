import { Account, type Action, anAction, type Round, whileClosed } from './account.ts';
import { ACCESS, makeOwnKey } from './actions/access.ts';
import { OPERATIONS, readToEnd } from './actions/operate.ts';
import { Follower, READINGS, untilSealed } from './actions/read.ts';
import { RECORDINGS } from './actions/record.ts';
import { receiver, untilDelivered, WEBHOOKS } from './actions/webhooks.ts';
import type { Driver } from './driver.ts';
import { type Chance, History } from './history.ts';
import { judge } from './rules.ts';

interface RoundOptions {
  driver: Driver;
  chance: Chance;
  path: string;
  /** The names of the round's accounts begin with this. No other round on the same database may use it. */
  name: string;
  plan?: readonly string[] | number;
  eventsBetween?: number;
}

interface Worker {
  step(): Promise<unknown>;
}

class Workers {
  #hasEnded = false;
  readonly #running: Promise<void>[];

  constructor({ driver, history }: Round, workers: readonly Worker[]) {
    this.#running = workers.map(async (worker) => {
      while (!this.#hasEnded && !history.isBroken) {
        try {
          await worker.step();
        } catch (error) {
          // In a broken round, instances may be missing, so errors are ignored.
          if (!history.isBroken) throw error;
        }
        await driver.pause();
      }
    });
  }

  end(): Promise<unknown> {
    this.#hasEnded = true;
    return Promise.all(this.#running);
  }

  /** Rejects if a worker fails, and otherwise never resolves. */
  get failed(): Promise<never> {
    return Promise.all(this.#running).then(() => new Promise<never>(() => {}));
  }
}

const RECORDERS = 4;
const READERS = 3;

export async function runRound(options: RoundOptions): Promise<{ violations: string[]; history: History }> {
  const { driver, chance, path, name } = options;
  const history = new History(path);
  const accounts = ['a', 'b', 'c'].map((suffix) => new Account(`${name}-${suffix}`));
  const round: Round = {
    ...{ driver, history, chance, accounts, named: 0, followers: new Map() },
    ...{ isCalm: false, early: new Map(), inbox: undefined },
  };
  round.inbox = await driver.openInbox?.(receiver(round));
  for (const account of accounts) {
    await makeOwnKey(round, account);
    round.followers.set(account, new Follower(round, account));
  }
  const doing = (actions: readonly Action[]): Worker => ({
    // If no action is possible, for example because all accounts are closed, the worker only waits.
    step: async () => (await anAction(round, actions)?.run(round)) ?? driver.delay(1),
  });
  const workers = new Workers(round, [
    ...Array.from({ length: RECORDERS }, () => doing(RECORDINGS)),
    ...Array.from({ length: READERS }, () => doing(READINGS)),
    doing([...ACCESS, ...WEBHOOKS]),
    ...(round.followers.values() as Iterable<Follower>),
  ]);
  try {
    await Promise.race([runPlan(round, options), workers.failed]);
  } catch (error) {
    // Ends the workers that still wait for an event.
    history.isBroken = true;
    throw error;
  } finally {
    await workers.end();
  }
  if (!history.isBroken) {
    const disagreements = await driver.operator?.verify();
    if (disagreements !== undefined) history.wrong('', disagreements);
  }
  return { violations: judge(history.events), history };
}

async function runPlan(round: Round, { plan = 6, eventsBetween }: RoundOptions): Promise<void> {
  const { history, chance, accounts } = round;
  const names = typeof plan === 'number' ? Array<undefined>(plan).fill(undefined) : plan;
  for (const name of names) {
    await someEvents(round, eventsBetween ?? 60 + chance.below(300));
    if (history.isBroken) return;
    const action =
      name === undefined
        ? anAction(round, OPERATIONS)
        : OPERATIONS.find((one) => one.name.includes(name) && one.isPossible?.(round));
    if (action === undefined) continue;
    history.did(action.name);
    await action.run(round);
  }
  await someEvents(round, eventsBetween ?? 200);
  if (history.isBroken) return;
  round.driver.endFaults();
  round.isCalm = true;
  await whileClosed(round, accounts, async () => {
    for (const account of accounts) {
      await readToEnd(round, account);
      await untilSealed(round, account);
      await untilDelivered(round, account);
    }
  });
}

async function someEvents({ history, driver }: Round, count: number): Promise<void> {
  const end = history.events.length + count;
  while (history.events.length < end && !history.isBroken) await driver.delay(10);
}

export function summaryOf({ events }: History): string {
  const counts = Map.groupBy(events, ({ op }) => op);
  const known =
    counts.get('record')?.filter((event) => event.op === 'record' && event.outcome !== 'unknown') ?? [];
  const count = (op: string) => counts.get(op as never)?.length ?? 0;
  const done = Object.entries(
    Object.groupBy(counts.get('did') ?? [], (event) => (event.op === 'did' ? event.text : '')),
  );
  return [
    `${known.length} recordings and ${count('record') - known.length} without an answer`,
    `${count('walk')} lists and searches, ${count('totals')} totals, ${count('export')} exports`,
    `${count('retrieve') + count('changes')} retrievals, ${count('feed')} pages of the feed, ${count('seal')} seals`,
    `${count('delivery')} deliveries, ${count('use')} uses and ${count('end')} ends of keys, ${count('remove')} removals`,
    ...done.map(([text, all]) => `${text} ${all?.length}`),
  ].join(', ');
}
