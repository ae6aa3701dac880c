import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { buildApp, SYSTEM_CLOCK } from '../../src/app.ts';
import { makeApiKey } from '../../src/core/access/api-key.ts';
import { declareStatuses } from '../../src/core/status.ts';
import type { AccountTransaction } from '../../src/core/transaction.ts';
import type { ChangeBody, ChangePageBody } from '../../src/http/schemas/list-changes.ts';
import type { TotalBody, TotalsBody } from '../../src/http/schemas/read-totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import { testConfig, testMetrics } from '../rig/app.ts';
import { FeedTotals, type TotalsParameters } from '../rig/feed-totals.ts';
import { FeedCopy } from '../rig/known-feed.ts';
import type { PageBody } from '../rig/known-transactions.ts';
import { Random } from '../rig/random.ts';
import { transaction } from '../rig/transactions.ts';
import { runChunks } from '../rig/workers.ts';
import { foldSome } from './fold-some.ts';
import { QUESTIONS_OF_ROUND, type TotalsData, type TotalsResult } from './run-totals.ts';
import type { Write, Written } from './writer-worker.ts';

const { databaseUrl } = workerData as TotalsData;
const declared = declareStatuses('refunded:paid,failed:unpaid');
assert.ok('statuses' in declared);
const { store } = await openStore(databaseUrl, Date.now);
let behind = 0;
const { server, keyCache } = await buildApp({
  config: { ...testConfig, requestTimeoutMs: 60_000, statuses: declared.statuses },
  cursorSecrets: ['a secret of the totals, long enough to be one'],
  store,
  clock: SYSTEM_CLOCK,
  randomBytes,
  logger: pino({ enabled: false }),
  metrics: testMetrics,
  onUnfolded: () => behind++,
});
const revocationTimer = setInterval(() => keyCache.refresh(), 500);
const writer = new Worker(new URL('./writer-worker.ts', import.meta.url), { workerData });
const writes = new Map<number, (outcomes: string[]) => void>();
writer.on('message', ({ id, outcomes }: Written) => writes.get(id)?.(outcomes));
let folder = await startFolder();

const ASKERS = 4;
/** Killing an instance, and starting another, takes as long as many questions. */
const KILLS = 0.05;
/** At the edges of months and years, before 1970, and the first and the last of all. */
const DAYS = [
  ['0001-01-01', '1969-11-30', '1969-12-31', '1970-01-01', '2025-12-31', '2026-01-01', '2026-02-28'],
  ['2026-03-01', '2026-03-15', '2026-03-31', '2026-04-01', '9999-12-31'],
].flat();
const TIMES = ['00:00:00.000', '12:00:00.000', '23:59:59.999'];
const CURRENCIES = ['EUR', 'EUR', 'JPY', 'USD'];
const FINAL_STATUSES = ['completed', 'refunded', 'failed'];
const STATUSES = ['pending', ...FINAL_STATUSES];
const LARGEST_MINOR = 999_999_999_999_999;

interface Answer extends TotalsBody {
  parameters: TotalsParameters;
  /** How many changes were acknowledged before the question. */
  least: number;
}

interface Account {
  name: string;
  key: string;
  recorded: number;
  acknowledged: number;
  pending: AccountTransaction[];
  answers: Answer[];
}

runChunks(
  async ({ first, count }): Promise<TotalsResult> => {
    const result = { questions: 0, changes: 0, behind: 0, folded: 0, kills: 0 };
    behind = 0;
    for (let round = first; round < first + count; round++) {
      try {
        await runRound(round, result);
      } catch (error) {
        throw new Error(`round ${round} of the totals: ${(error as Error).message}`, { cause: error });
      }
    }
    return { ...result, behind };
  },
  async () => {
    clearInterval(revocationTimer);
    for (const worker of [writer, folder]) worker.postMessage(null);
    await Promise.all([writer, folder].map((worker) => once(worker, 'exit')));
    await server.close();
    await store.close();
  },
);

async function startFolder(): Promise<Worker> {
  const started = new Worker(new URL('./folder-worker.ts', import.meta.url), { workerData });
  await once(started, 'message');
  return started;
}

/** Asks for totals of two accounts while transactions of both are recorded, completed, imported and folded. */
async function runRound(round: number, result: TotalsResult): Promise<void> {
  const random = new Random(round);
  const accounts = await Promise.all([`t${round}.a`, `t${round}.b`].map(makeAccount));
  await write(random, accounts, { isImport: true, most: 90 }, result);
  folder.postMessage(accounts.map(({ name }) => name));

  let isAsking = true;
  let questions = 0;
  let answered = Promise.withResolvers<void>();
  const ask = async () => {
    while (questions++ < QUESTIONS_OF_ROUND) {
      await askOnce(random.pick(accounts), randomParameters(random));
      answered.resolve();
      answered = Promise.withResolvers();
    }
  };
  // After some answers, so that as much is written on a slow database as on a fast one.
  const whileAsking = async (work: () => Promise<unknown>) => {
    while (isAsking) {
      await work();
      for (let count = 0; count < 3 && isAsking; count++) await Promise.race([answered.promise, asking]);
    }
  };
  const asking = Promise.all(Array.from({ length: ASKERS }, ask)).finally(() => {
    isAsking = false;
  });
  const kill = async () => {
    await folder.terminate();
    result.kills++;
    folder = await startFolder();
  };
  await Promise.all([
    asking,
    whileAsking(() => write(random, accounts, { isImport: false, most: 5 }, result)),
    whileAsking(() => write(random, accounts, { isImport: true, most: 20 }, result)),
    whileAsking(async () => {
      result.folded += await foldSome(store, random.pick(accounts).name, random);
      await write(random, accounts, { isImport: false, most: 1 }, result);
    }),
    random.chance(KILLS) && kill(),
  ]);
  for (const account of accounts) await check(account, random);
  result.questions += QUESTIONS_OF_ROUND;
}

async function makeAccount(name: string): Promise<Account> {
  const options = { account: name, label: null, expiresAtMs: null };
  const { key, stored } = makeApiKey(options, Date.now(), randomBytes);
  await store.createApiKey(stored);
  return { name, key, recorded: 0, acknowledged: 0, pending: [], answers: [] };
}

/** Records or imports new transactions of all accounts, and completes some that are pending. */
async function write(
  random: Random,
  accounts: readonly Account[],
  { isImport, most }: { isImport: boolean; most: number },
  result: TotalsResult,
): Promise<void> {
  const written: { account: Account; row: AccountTransaction }[] = [];
  for (const account of accounts) {
    const due = account.pending.splice(0, random.integer(0, Math.min(most, account.pending.length)));
    for (const row of due) written.push({ account, row: finalVersion(random, row) });
    for (let count = random.integer(0, most); count > 0; count--)
      written.push({ account, row: newTransaction(random, account) });
  }
  if (written.length === 0) return;
  const outcomes = await writtenBy({ isImport, transactions: written.map(({ row }) => row) });
  for (const [index, { account, row }] of written.entries()) {
    assert.ok(['recorded', 'changed'].includes(outcomes[index] ?? ''), `a row was ${outcomes[index]}`);
    account.acknowledged++;
    if (row.status === 'pending') account.pending.push(row);
  }
  result.changes += written.length;
}

let writeCount = 0;

function writtenBy(sent: Omit<Write, 'id'>): Promise<string[]> {
  const id = ++writeCount;
  return new Promise((resolve) => {
    writes.set(id, (outcomes) => {
      writes.delete(id);
      resolve(outcomes);
    });
    writer.postMessage({ id, ...sent } satisfies Write);
  });
}

function newTransaction(random: Random, account: Account): AccountTransaction {
  const status = random.chance(0.5) ? 'pending' : random.pick(FINAL_STATUSES);
  const createdAtMs = Date.parse(`${random.pick(DAYS)}T${random.pick(TIMES)}Z`);
  return transaction(account.name, `r${account.recorded++}`, {
    status,
    createdAtMs,
    paidAtMs: ['completed', 'refunded'].includes(status) ? createdAtMs : null,
    currencyCode: random.pick(CURRENCIES),
    amountMinor: random.chance(0.2)
      ? random.pick([LARGEST_MINOR, -LARGEST_MINOR, 0])
      : random.integer(-5000, 90_000),
  });
}

function finalVersion(random: Random, row: AccountTransaction): AccountTransaction {
  const status = random.pick(FINAL_STATUSES);
  return { ...row, status, paidAtMs: status === 'failed' ? null : row.createdAtMs };
}

function randomParameters(random: Random): TotalsParameters {
  const days = [random.pick(DAYS), random.pick(DAYS)].sort();
  return {
    ...(random.chance(0.3) && { status: random.pick(STATUSES) }),
    ...(random.chance(0.3) && { currency: random.pick([...CURRENCIES, 'XTS']) }),
    ...(random.chance(0.5) && { from: days[0] as string }),
    ...(random.chance(0.5) && { to: days[1] as string }),
    ...(random.chance(0.4) && { by: 'day' }),
  };
}

async function get<Body>({ key }: Account, path: string, query: Record<string, string>): Promise<Body> {
  const { statusCode, body } = await server.inject({
    url: `${path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(statusCode, 200, body);
  return JSON.parse(body) as Body;
}

async function askOnce(account: Account, parameters: TotalsParameters): Promise<void> {
  const least = account.acknowledged;
  const answer = await get<TotalsBody>(account, '/v1/totals', parameters);
  account.answers.push({ ...answer, parameters, least });
}

/** Each answer is the change feed added up to its number; at rest, so is the list. */
async function check(account: Account, random: Random): Promise<void> {
  const changes = await changesOf(account);
  assert.equal(changes.length, account.acknowledged);
  await askOnce(account, randomParameters(random));
  const totals = new FeedTotals();
  let added = 0;
  for (const { asOf, least, parameters, data } of account.answers.sort(
    (one, other) => one.asOf - other.asOf,
  )) {
    assert.ok(asOf >= least && asOf <= changes.length, `totals as of ${asOf}, and ${least} was acknowledged`);
    while (added < asOf) totals.apply(changes[added++] as ChangeBody);
    const about = `${JSON.stringify(parameters)} of ${account.name} as of ${asOf} of ${changes.length}`;
    assertSame(data, totals.rows(parameters), about);
  }
  const last = account.answers.at(-1) as Answer;
  assert.equal(last.asOf, changes.length, 'totals at rest are not those of the head');
  await compareWithList(account, random);
}

/** All changes, each possible after those before. */
async function changesOf(account: Account): Promise<ChangeBody[]> {
  const copy = new FeedCopy();
  const changes: ChangeBody[] = [];
  for (let hasMore = true; hasMore; ) {
    const after = String(copy.lastSequence);
    const page = await get<ChangePageBody>(account, '/v1/changes', { after, limit: '1000' });
    copy.apply(page.data as ChangeBody[]);
    changes.push(...(page.data as ChangeBody[]));
    hasMore = page.hasMore;
  }
  return changes;
}

async function compareWithList(account: Account, random: Random): Promise<void> {
  const day = random.pick(DAYS.slice(1, -1));
  const filter = random.pick<Record<string, string>>([
    { status: 'pending' },
    { from: day },
    { to: day },
    { currency: 'JPY' },
  ]);
  const listed = new FeedTotals();
  let query = filter;
  for (;;) {
    const page = await get<PageBody>(account, '/v1/transactions', query);
    for (const row of page.data) listed.apply({ previousStatus: null, transaction: row });
    if (page.nextCursor === null) break;
    query = { cursor: page.nextCursor };
  }
  const { data } = await get<TotalsBody>(account, '/v1/totals', { ...filter, by: 'day' });
  assertSame(data, listed.rows({ by: 'day' }), `the list of ${JSON.stringify(filter)} of ${account.name}`);
}

function assertSame(answered: readonly TotalBody[], expected: readonly TotalBody[], about: string): void {
  assert.equal(JSON.stringify(answered), JSON.stringify(expected), about);
}
