import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker, workerData } from 'node:worker_threads';
import type { LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { makeApiKey } from '../../src/keys/api-key.ts';
import { FILTER_PARAMETERS, type ListFilter, NO_FILTER } from '../../src/ledger/list/list-filter.ts';
import type { RecordOutcome } from '../../src/ledger/record/transaction-recorder.ts';
import { buildApp, SYSTEM_CLOCK } from '../../src/service/app.ts';
import { openStore } from '../../src/store/open-store.ts';
import {
  type KnownTransaction,
  KnownTransactions,
  type PageBody,
  Walk,
} from '../rig/data/known-transactions.ts';
import { randomOptionalFields } from '../rig/data/optional-fields.ts';
import { SAMPLE } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { runChunks } from '../rig/run/workers.ts';
import { testConfig, testMetrics } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';
import type { WalksData, WalksResult } from './run-walks.ts';

const { databaseUrl } = workerData as WalksData;
const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: 60_000, connections: 2 });
const recording = new Worker(new URL('./record-worker.ts', import.meta.url), { workerData: { databaseUrl } });
const { server, keyCache } = await buildApp({
  config: testConfig,
  cursorSecrets: ['a secret of the walks, long enough to be one'],
  store,
  clock: SYSTEM_CLOCK,
  randomBytes,
  logger: pino({ enabled: false }),
  metrics: testMetrics,
});
const revocationTimer = setInterval(() => keyCache.refresh(), 500);

let moments = 0;
const moment = () => ++moments;

const SUBSETS = 2 ** FILTER_PARAMETERS.length;
const WALKERS = 4;
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-31'];
const TIMES = ['00:00:00.000', '12:00:00.000', '12:00:00.001', '23:59:59.999'];
const MERCHANT_REFERENCES = ['order-1', 'größer "x", 😀'];

runChunks(
  async ({ first, count }): Promise<WalksResult> => {
    const result = { walks: 0, pages: 0, rows: 0, recorded: 0 };
    for (let round = first; round < first + count; round++) {
      try {
        await runRound(round, result);
      } catch (error) {
        throw new Error(`round ${round} of the walks: ${(error as Error).message}`, { cause: error });
      }
    }
    return result;
  },
  async () => {
    clearInterval(revocationTimer);
    recording.postMessage(null);
    await once(recording, 'exit');
    await server.close();
    await store.close();
  },
);

/** Walks every subset of the filters for two accounts while transactions of both are recorded and completed. */
async function runRound(round: number, result: WalksResult): Promise<void> {
  const random = new Random(round);
  const accounts = [`w${round}.a`, `w${round}.b`].map((account) => new KnownTransactions(account));
  const keys = await Promise.all(accounts.map(({ account }) => makeKey(account)));
  for (const known of accounts) await grow(random, known, random.integer(0, 90), result);

  const subsets = Array.from({ length: SUBSETS }, (_, bits) => bits);
  const walks = subsets.map((bits) => ({ bits, of: random.integer(0, 1), random: random.fork() }));
  const walker = async () => {
    for (let next = walks.pop(); next !== undefined; next = walks.pop()) {
      const filter = filterOf(next.bits, next.random);
      const list = { known: accounts[next.of] as KnownTransactions, key: keys[next.of] as string, filter };
      await walkOnce(list, next.random, () => growth.promise, result);
      result.walks++;
    }
  };
  let isWalking = true;
  let growth = Promise.withResolvers<void>();
  const recorder = async () => {
    while (isWalking) {
      await grow(random, random.pick(accounts), random.integer(1, 5), result);
      growth.resolve();
      growth = Promise.withResolvers();
    }
  };
  const walkers = Promise.all(Array.from({ length: WALKERS }, walker)).finally(() => {
    isWalking = false;
  });
  await Promise.all([walkers, recorder()]);
}

async function makeKey(account: string): Promise<string> {
  const { key, stored } = makeApiKey({ account, label: null, expiresAtMs: null }, Date.now(), randomBytes);
  await store.createApiKey(stored, someEntry());
  return key;
}

/** A filter with random values, independent of the rows. */
function filterOf(bits: number, random: Random): ListFilter {
  const [from, to] = [random.pick(DAYS), random.pick(DAYS)].sort();
  const values: { [Name in keyof ListFilter]: string } = {
    status: random.pick(['pending', 'completed']),
    currency: random.pick(['EUR', 'EUR', 'USD', 'JPY']),
    from: from as string,
    to: to as string,
    timeZone: random.pick(['Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns']),
    merchantReference: random.pick([...MERCHANT_REFERENCES, 'order']),
  };
  const filter = { ...NO_FILTER };
  for (const [index, name] of FILTER_PARAMETERS.entries())
    if (bits & (1 << index)) filter[name] = values[name];
  return filter;
}

/** Records new transactions, and completes some pending ones. */
async function grow(
  random: Random,
  known: KnownTransactions,
  count: number,
  result: WalksResult,
): Promise<void> {
  if (count === 0) return;
  const pending = known.rows.filter(({ completed }) => completed === null);
  const completing = new Set(pending.length === 0 ? [] : [random.pick(pending), random.pick(pending)]);
  const transactions = [
    ...Array.from({ length: count }, (_, index) => newTransaction(random, known, index)),
    ...[...completing].map(({ fields }) => ({
      ...fields,
      status: 'completed',
      paidAtMs: fields.createdAtMs + 1,
    })),
  ];
  const rows = transactions.map((transaction) => known.noteSent(transaction, moment()));
  const answered = once(recording, 'message');
  recording.postMessage(transactions);
  const [outcomes] = (await answered) as [RecordOutcome[]];
  for (const [index, { outcome }] of outcomes.entries()) {
    assert.equal(outcome, index < count ? 'recorded' : 'changed');
    known.noteRecorded(rows[index] as KnownTransaction, transactions[index]?.status as string, moment());
  }
  result.recorded += count;
}

function newTransaction(random: Random, { account, rows }: KnownTransactions, index: number) {
  const createdAtMs = Date.parse(`${random.pick(DAYS)}T${random.pick(TIMES)}Z`);
  const isPending = random.chance(0.4);
  return {
    ...SAMPLE,
    account,
    // Both accounts have the same references, so that only the account distinguishes them.
    reference: `${random.text('aB.-_', 1, 3)}${rows.length + index}`,
    merchantReference: random.chance(0.4) ? null : random.pick(MERCHANT_REFERENCES),
    status: isPending ? 'pending' : 'completed',
    amountMinor: random.integer(-1000, 10_000_000),
    currencyCode: random.pick(['EUR', 'EUR', 'USD']),
    paidAtMs: isPending ? null : createdAtMs + 1,
    createdAtMs,
    ...randomOptionalFields(random, 'payment-1'),
  };
}

async function walkOnce(
  { known, key, filter }: { known: KnownTransactions; key: string; filter: ListFilter },
  random: Random,
  nextGrowth: () => Promise<void>,
  result: WalksResult,
): Promise<void> {
  const walk = new Walk(filter);
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  const query = new URLSearchParams(given).toString();
  let url: string | undefined = `/v1/transactions?${query}`;
  while (url !== undefined) {
    const startedAt = moment();
    const response: LightMyRequestResponse = await server.inject({
      url,
      headers: { authorization: `Bearer ${key}` },
    });
    const interval = { startedAt, endedAt: moment() };
    assert.equal(response.statusCode, 200, response.body);
    const page: PageBody = response.json();
    try {
      known.checkPage(walk, page, startedAt, interval);
    } catch (error) {
      throw new Error(`${(error as Error).message}, in ${url} of ${known.account}, page ${response.body}`);
    }
    result.pages++;
    result.rows += page.data.length;
    const next = `/v1/transactions?cursor=${page.nextCursor}${random.chance(0.5) ? '' : `&${query}`}`;
    url = page.hasMore ? next : undefined;
    if (page.hasMore && random.chance(0.5)) await nextGrowth();
  }
}
