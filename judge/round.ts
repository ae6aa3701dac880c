import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment, Processes } from './deployment.ts';
import { type Chance, History, isByKey } from './history.ts';
import { send } from './http.ts';
import { Follower, Reader } from './reader.ts';
import { type Account, anInstance, Recorder, type Round, untilAnswered } from './recorder.ts';
import { judge } from './rules.ts';

interface RoundOptions {
  deployment: Deployment;
  chance: Chance;
  /** Where the history is written. */
  path: string;
  /** What the names of its accounts begin with: no other round on the same database may have it. */
  name: string;
  /** How many kills there are besides a backup and its restore. */
  kills?: number;
  /** How many events there are at least before the next of them. */
  eventsBetween?: number;
}

/** Runs workers that can be paused, so that nothing is in flight. */
class Workers {
  #isPaused = false;
  #hasEnded = false;
  #active = 0;
  readonly #running: Promise<void>[];

  constructor(workers: readonly { step(): Promise<void> }[]) {
    this.#running = workers.map((worker) => this.#run(worker));
  }

  async #run(worker: { step(): Promise<void> }): Promise<void> {
    while (!this.#hasEnded) {
      if (this.#isPaused) await delay(10);
      else {
        this.#active++;
        try {
          await worker.step();
        } finally {
          this.#active--;
        }
      }
    }
  }

  async whilePaused(work: () => Promise<void>): Promise<void> {
    this.#isPaused = true;
    while (this.#active > 0) await delay(5);
    await work();
    this.#isPaused = false;
  }

  end(): Promise<unknown> {
    this.#hasEnded = true;
    return Promise.all(this.#running);
  }

  /** Rejects if a worker fails. */
  get failed(): Promise<never> {
    return Promise.all(this.#running).then(() => new Promise<never>(() => {}));
  }
}

/** Lets workers record, read and follow while processes are killed and a backup is restored, and judges what they saw. */
export async function runRound(options: RoundOptions): Promise<{ violations: string[]; summary: string }> {
  const { deployment, chance, path, name } = options;
  const history = new History(path);
  const round: Round = { deployment, history, chance, accounts: [] };
  for (const suffix of ['a', 'b', 'c']) round.accounts.push(await makeAccount(round, `${name}-${suffix}`));
  const reader = new Reader(round);
  const followers = round.accounts.map((account) => new Follower(round, account));
  const recorders = [...'wxyz'].map((letter) => new Recorder(round, letter));
  const readers = [1, 2, 3].map(() => new Reader(round));
  const workers = new Workers([...recorders, ...readers, ...followers]);
  const readAll = async () => {
    for (const follower of followers) await follower.catchUp();
    for (const account of round.accounts) await reader.readFinally(account);
  };
  const disturb = async () => {
    for (const { text, run } of planOf(options, round)) {
      await someEvents(history, options.eventsBetween ?? 60 + chance.below(400));
      if (history.isBroken) return;
      history.add({ op: 'did', text });
      if (text === RESTORED)
        await workers.whilePaused(async () => {
          await readAll();
          await run();
        });
      else await run();
    }
    await someEvents(history, options.eventsBetween ?? 200);
    if (history.isBroken) return;
    await workers.whilePaused(async () => {
      await readAll();
      for (const account of round.accounts) await reader.untilSealed(account);
    });
  };
  try {
    await Promise.race([disturb(), workers.failed]);
  } catch (error) {
    // What still waits for events ends.
    history.isBroken = true;
    throw error;
  } finally {
    await workers.end();
  }
  return { violations: judge(history.events), summary: summaryOf(history) };
}

async function someEvents(history: History, count: number): Promise<void> {
  const end = history.events.length + count;
  while (history.events.length < end && !history.isBroken) await delay(10);
}

interface Step {
  text: string;
  run(): Promise<void>;
}

const RESTORED = 'the backup is restored';
const NOTHING = 'nothing is killed';

/** A backup, its restore, and kills before, between and after them. */
function planOf({ deployment: { processes }, chance, kills = 3 }: RoundOptions, round: Round): Step[] {
  if (processes === undefined) return Array(kills).fill({ text: NOTHING, run: async () => {} });
  const plan: Step[] = [
    { text: 'everything is killed for a backup', run: () => backUp(processes, round.history) },
    { text: RESTORED, run: () => restore(processes, round) },
  ];
  for (let count = 0; count < kills; count++) {
    const index = chance.below(processes.size);
    const ms = 200 + chance.below(2000);
    const kill = chance.pick<Step>([
      { text: 'an instance is killed', run: () => processes.restartInstance(index) },
      { text: 'an instance is suspended', run: () => processes.suspendInstance(index, ms) },
      { text: 'the database is killed', run: () => processes.restartDatabase() },
    ]);
    plan.splice(chance.below(plan.length + 1), 0, kill);
  }
  return plan;
}

async function backUp(processes: Processes, history: History): Promise<void> {
  history.add({ op: 'backup', era: history.era, began: history.tick() });
  await processes.backUp();
}

async function restore(processes: Processes, { history, accounts }: Round): Promise<void> {
  await processes.restore(() => history.add({ op: 'restore', era: ++history.era }));
  // Under the reference that the service chose once, a lost one would be recorded apart from its key.
  for (const account of accounts)
    account.sent = account.sent.filter(({ merchantReference }) => !isByKey(merchantReference));
}

async function makeAccount(round: Round, name: string): Promise<Account> {
  const body = JSON.stringify({ label: 'judge', scopes: ['read'] });
  const headers = { 'content-type': 'application/json' };
  const { operatorKey: key } = round.deployment;
  await anInstance(round);
  const answer = await untilAnswered(round, ({ operatorUrl }) =>
    send(`${operatorUrl}/v1/accounts/${name}/keys`, { method: 'POST', key, body, headers }),
  );
  if (answer.status !== 201) throw new Error(`no key: ${answer.status} ${answer.text}`);
  return { name, key: JSON.parse(answer.text).key, sent: [], keys: [] };
}

function summaryOf({ events, era }: History): string {
  const count = (op: string) => events.filter((event) => event.op === op).length;
  const kills = events.filter((event) => event.op === 'did' && event.text !== NOTHING).length;
  const known = events.filter((event) => event.op === 'record' && event.outcome !== 'unknown').length;
  const unknown = count('record') - known;
  const walks = `${count('walk')} lists and searches, ${count('totals')} totals, ${count('export')} exports`;
  const others = `${count('retrieve')} retrievals, ${count('feed')} pages of the feed, ${count('seal')} seals`;
  return `${known} recordings and ${unknown} without an answer, ${walks}, ${others}, ${kills} kills, ${era} restores`;
}
