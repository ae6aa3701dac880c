import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { makeApiKey } from '../../src/keys/api-key.ts';
import type { TotalsBody } from '../../src/ledger/totals/http/totals-schemas.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { buildApp, SYSTEM_CLOCK } from '../../src/service/app.ts';
import { openStore } from '../../src/store/open-store.ts';
import { declareStatuses } from '../../src/values/status.ts';
import type { TotalsParameters } from '../rig/data/feed-totals.ts';
import { Random } from '../rig/run/random.ts';
import { runChunks } from '../rig/run/workers.ts';
import { testConfig, testMetrics } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { type AnsweredAccount, checkAnswers } from './check-answers.ts';
import { finalVersion, newTransaction, randomParameters } from './random-totals.ts';
import { QUESTIONS_OF_ROUND, type TotalsData, type TotalsResult } from './run-totals.ts';
import type { Write, Written } from './writer-worker.ts';

const { databaseUrl } = workerData as TotalsData;
const declared = declareStatuses('refunded:paid,failed:unpaid');
assert.ok('statuses' in declared);
const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: 60_000, connections: 2 });
const { server, keyCache } = await buildApp({
  config: { ...testConfig, requestTimeoutMs: 60_000, statuses: declared.statuses },
  cursorSecrets: ['a secret of the totals, long enough to be one'],
  store,
  clock: SYSTEM_CLOCK,
  randomBytes,
  logger: pino({ enabled: false }),
  metrics: testMetrics,
});
const revocationTimer = setInterval(() => keyCache.refresh(), 500);
const writer = new Worker(new URL('./writer-worker.ts', import.meta.url), { workerData });
const writes = new Map<number, (outcomes: string[]) => void>();
writer.on('message', ({ id, outcomes }: Written) => writes.get(id)?.(outcomes));

const ASKERS = 4;

interface Account extends AnsweredAccount {
  recorded: number;
  pending: AccountTransaction[];
}

runChunks(
  async ({ first, count }): Promise<TotalsResult> => {
    const result = { questions: 0, changes: 0 };
    for (let round = first; round < first + count; round++) {
      try {
        await runRound(round, result);
      } catch (error) {
        throw new Error(`round ${round} of the totals: ${(error as Error).message}`, { cause: error });
      }
    }
    return result;
  },
  async () => {
    clearInterval(revocationTimer);
    writer.postMessage(null);
    await once(writer, 'exit');
    await server.close();
    await store.close();
  },
);

/** Asks for totals of two accounts while transactions of both are recorded, completed and imported. */
async function runRound(round: number, result: TotalsResult): Promise<void> {
  const random = new Random(round);
  const accounts = await Promise.all([`t${round}.a`, `t${round}.b`].map(makeAccount));
  await write(random, accounts, { isImport: true, most: 90 }, result);
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
  await Promise.all([
    asking,
    whileAsking(() => write(random, accounts, { isImport: false, most: 5 }, result)),
    whileAsking(() => write(random, accounts, { isImport: true, most: 20 }, result)),
  ]);
  for (const account of accounts) {
    await askOnce(account, randomParameters(random));
    await checkAnswers(account, random);
  }
  result.questions += QUESTIONS_OF_ROUND;
}

async function makeAccount(name: string): Promise<Account> {
  const options = { account: name, label: null, expiresAtMs: null };
  const { key, stored } = makeApiKey(options, Date.now(), randomBytes);
  await store.createApiKey(stored, someEntry());
  const get = async (path: string, query: Record<string, string>) => {
    const { statusCode, body } = await server.inject({
      url: `${path}?${new URLSearchParams(query)}`,
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(statusCode, 200, body);
    return body;
  };
  return { name, recorded: 0, acknowledged: 0, pending: [], answers: [], get };
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
      written.push({ account, row: newTransaction(random, account.name, `r${account.recorded++}`) });
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

async function askOnce(account: Account, parameters: TotalsParameters): Promise<void> {
  const least = account.acknowledged;
  const answer = JSON.parse(await account.get('/v1/totals', parameters)) as TotalsBody;
  account.answers.push({ ...answer, parameters, least });
}
