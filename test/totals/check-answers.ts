import assert from 'node:assert/strict';
import type { ChangeBody, ChangePageBody } from '../../src/ledger/changes/http/change-schemas.ts';
import type { TransactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import type { TotalBody, TotalsBody } from '../../src/ledger/totals/http/totals-schemas.ts';
import { FeedTotals, type TotalsParameters } from '../rig/data/feed-totals.ts';
import { FeedCopy } from '../rig/data/known-feed.ts';
import type { PageBody } from '../rig/data/known-transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { DAYS } from './random-totals.ts';

export interface Answer extends TotalsBody {
  parameters: TotalsParameters;
  /** How many changes were acknowledged before the question. */
  least: number;
}

/** An account at rest, with all answers to questions about it. The last answer was given at rest. */
export interface AnsweredAccount {
  name: string;
  /** How many changes were acknowledged. */
  acknowledged: number;
  answers: Answer[];
  /** The body of a response for the account. */
  get(path: string, query: Record<string, string>): Promise<string>;
}

/** Each answer is the change feed added up to its number. At rest, the list and an export add up to the same. */
export async function checkAnswers(account: AnsweredAccount, random: Random): Promise<void> {
  const changes = await changesOf(account);
  assert.equal(changes.length, account.acknowledged);
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
  await compareWithRows(account, random);
}

/** All changes, each possible after those before. */
async function changesOf(account: AnsweredAccount): Promise<ChangeBody[]> {
  const copy = new FeedCopy();
  const changes: ChangeBody[] = [];
  for (let hasMore = true; hasMore; ) {
    const after = String(copy.lastSequence);
    const page = JSON.parse(await account.get('/v1/changes', { after, limit: '1000' })) as ChangePageBody;
    copy.apply(page.data as ChangeBody[]);
    changes.push(...(page.data as ChangeBody[]));
    hasMore = page.hasMore;
  }
  return changes;
}

/** At rest, the list and an export of a filter add up to its totals. */
async function compareWithRows(account: AnsweredAccount, random: Random): Promise<void> {
  const day = random.pick(DAYS.slice(1, -1));
  const filter = random.pick<Record<string, string>>([
    { status: 'pending' },
    { from: day },
    { to: day },
    { currency: 'JPY' },
  ]);
  const { data, asOf } = JSON.parse(await account.get('/v1/totals', { ...filter, by: 'day' })) as TotalsBody;
  const exported = await exportOf(account, filter);
  assert.equal(exported.asOf, asOf);
  for (const [rows, name] of [
    [await listOf(account, filter), 'list'],
    [exported.rows, 'export'],
  ] as const) {
    const totals = new FeedTotals();
    for (const row of rows) totals.apply({ previousStatus: null, transaction: row });
    assertSame(
      data,
      totals.rows({ by: 'day' }),
      `the ${name} of ${JSON.stringify(filter)} of ${account.name}`,
    );
  }
}

async function listOf(account: AnsweredAccount, filter: Record<string, string>): Promise<TransactionBody[]> {
  const rows: TransactionBody[] = [];
  let query = filter;
  for (;;) {
    const page = JSON.parse(await account.get('/v1/transactions', query)) as PageBody;
    rows.push(...page.data);
    if (page.nextCursor === null) return rows;
    query = { cursor: page.nextCursor };
  }
}

async function exportOf(
  account: AnsweredAccount,
  filter: Record<string, string>,
): Promise<{ rows: TransactionBody[]; asOf: number }> {
  const text = await account.get('/v1/transactions.ndjson', filter);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { export: manifest } = lines.pop();
  assert.deepEqual([manifest.state, manifest.rows], ['complete', lines.length]);
  return { rows: lines, asOf: manifest.asOf };
}

function assertSame(answered: readonly TotalBody[], expected: readonly TotalBody[], about: string): void {
  assert.equal(JSON.stringify(answered), JSON.stringify(expected), about);
}
