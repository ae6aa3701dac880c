import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { dayOf } from '../model/calendar.ts';
import { type ModelAccount, shownChange } from '../model/ledger.ts';
import { totalsOf } from '../model/totals.ts';
import { decimal, isInDays, matches, type Shown, shownOf } from '../model/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { randomFilter, randomTerms, type SearchTerms } from './random-transactions.ts';
import type { World } from './world.ts';

const queryOf = (parameters: object) =>
  new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined),
  ).toString();

interface Page {
  data: unknown[];
  nextCursor: string | null;
  hasMore: boolean;
  archivedBefore?: string;
}

/** The first day of a time zone that is whole in the database, if the days of a request reach back to archived ones. */
function archivedBeforeOf(
  { archivedBefore }: ModelAccount,
  { from, timeZone }: { from: string | null; timeZone: string | null } = { from: null, timeZone: null },
): string | undefined {
  if (archivedBefore === null) return undefined;
  const last = dayOf(Date.parse(archivedBefore) - 1, timeZone);
  if (from !== null && from > last) return undefined;
  return new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10);
}

/** All pages of a collection. */
async function readPages(
  read: (query: string) => Promise<Page>,
  query: string,
  {
    repeats,
    pageSize,
    archivedBefore,
  }: { repeats: boolean; pageSize?: number; archivedBefore?: string | undefined },
): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let next = query; ; ) {
    const { data, nextCursor, hasMore, ...page } = await read(next);
    assert.equal(page.archivedBefore, archivedBefore);
    all.push(...data);
    assert.equal(hasMore, nextCursor !== null);
    if (pageSize !== undefined && hasMore) assert.equal(data.length, pageSize);
    if (pageSize !== undefined) assert.ok(data.length <= pageSize);
    if (nextCursor === null) return all;
    next = `cursor=${nextCursor}${repeats && query !== '' ? `&${query}` : ''}`;
  }
}

async function readList(world: World, name: string, random: Random): Promise<void> {
  const filter = randomFilter(random);
  const isOperator = random.chance(0.2);
  const read = async (query: string) => {
    const path = isOperator ? `/v1/accounts/${name}/transactions?${query}` : `/v1/transactions?${query}`;
    const answer = isOperator ? await world.operator(path) : await world.read(name, path);
    assert.equal(answer?.status, 200, answer?.text);
    return answer.body;
  };
  // A cursor can require a long merchantReference.
  const repeats = filter.merchantReference !== null || random.chance(0.5);
  const archivedBefore = archivedBeforeOf(world.account(name), filter);
  const rows = await readPages(read, queryOf(filter), { repeats, pageSize: 10, archivedBefore });
  const expected = world.account(name).list((row) => matches(filter, row));
  assert.deepEqual(rows, expected.map(shownOf));
}

export async function readOne(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  const archived = account.archivedRows.map((row) => row.reference);
  const known = [...account.rows.keys(), ...archived, `${name}.nobody`];
  const reference = random.pick(known);
  const row = account.rows.get(reference);
  const answer = await world.read(name, `/v1/transactions/${reference}`);
  assert.equal(answer.status, row === undefined ? 404 : 200, answer.text);
  if (row !== undefined) world.assertShown(answer.body, row, 'one transaction');
  const changes = await world.read(name, `/v1/transactions/${reference}/changes`);
  assert.equal(changes.status, row === undefined ? 404 : 200, changes.text);
  if (row !== undefined) assert.deepEqual(changes.body.data, account.changesOf(reference).map(shownChange));
  await readRelated(world, name, random);
}

/** The transactions that are related to one, which need not be recorded. */
async function readRelated(world: World, name: string, random: Random): Promise<void> {
  const reference = `${name}.r${random.integer(1, 4)}`;
  const read = async (query: string) =>
    (await world.readOk(name, `/v1/transactions/${reference}/related?${query}`)).body;
  const archivedBefore = archivedBeforeOf(world.account(name));
  const rows = await readPages(read, '', { repeats: false, pageSize: 10, archivedBefore });
  const expected = world.account(name).list(({ relatedTo }) => relatedTo === reference);
  assert.deepEqual(rows, expected.map(shownOf));
}

/** Amounts are compared as numbers of hundredths. */
const hundredths = (amount: string) => BigInt(amount.replace('.', ''));

function isFound(row: Transaction, terms: SearchTerms, timeZone: string | null): boolean {
  const amount = BigInt(row.amountMinor);
  if (terms.amount !== undefined && decimal(row.amountMinor) !== terms.amount) return false;
  if (terms.amountFrom !== undefined && amount < hundredths(terms.amountFrom)) return false;
  if (terms.amountTo !== undefined && amount > hundredths(terms.amountTo)) return false;
  const text = terms.text?.toLowerCase();
  const details: string[] = Object.values(JSON.parse(row.details ?? '{}'));
  const texts = [row.reference, row.merchantReference ?? '', ...details].map((one) => one.toLowerCase());
  if (text !== undefined && !texts.some((one) => one.includes(text))) return false;
  return isPaidIn(row, terms, timeZone);
}

function isPaidIn(
  { paidAtMs }: Transaction,
  { paidFrom, paidTo }: Pick<SearchTerms, 'paidFrom' | 'paidTo'>,
  timeZone: string | null,
): boolean {
  if (paidFrom === undefined && paidTo === undefined) return true;
  return paidAtMs !== null && isInDays(paidAtMs, { from: paidFrom ?? null, to: paidTo ?? null, timeZone });
}

export async function readSearch(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  const filter = randomFilter(random);
  const terms = randomTerms(random, [...account.rows.values()]);
  const read = async (query: string) => (await world.readOk(name, `/v1/search?${query}`)).body;
  const repeats = filter.merchantReference !== null || random.chance(0.5);
  const archivedBefore = archivedBeforeOf(account, filter);
  const rows = await readPages(read, queryOf({ ...filter, ...terms }), { repeats, archivedBefore });
  const expected = account.list((row) => matches(filter, row) && isFound(row, terms, filter.timeZone));
  assert.deepEqual(rows, expected.map(shownOf));
}

export async function readChanges(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  const { head, floor } = account;
  const after = random.pick(
    [0, floor - 1, floor, head, head + 1, random.integer(0, head)].filter((n) => n >= 0),
  );
  const id = account.idAt(after);
  const isWrong = after > 0 && random.chance(0.15);
  const afterId =
    after === 0 || random.chance(0.4) ? null : isWrong || id === null ? 'chg_AAAAAAAAAAAAAAAAAAAAAA' : id;
  const limit = random.pick([1, 3, 100, 1000]);
  const answer = await world.read(name, `/v1/changes?${queryOf({ after, afterId, limit })}`);
  const { status, body } = answer;
  if (after < floor) {
    if (status === 409 && afterId !== null && afterId !== id) return;
    assert.deepEqual([status, body.code, body.floorSequence], [410, 'changes_archived', floor]);
    return;
  }
  if (afterId !== null && afterId !== id) {
    assert.deepEqual([status, body.code, body.headSequence], [409, 'history_changed', head], answer.text);
    return;
  }
  if (after > head) {
    assert.deepEqual([status, body.code, body.headSequence], [400, 'sequence_ahead', head], answer.text);
    return;
  }
  const data = account.changes.slice(after, after + limit).map(shownChange);
  const lastSequence = after + data.length;
  const expected = {
    data,
    lastSequence,
    lastId: account.idAt(lastSequence),
    headSequence: head,
    hasMore: lastSequence < head,
  };
  assert.deepEqual([status, body], [200, expected], answer.text);
}

export async function readTotals(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  const filter = randomFilter(random);
  const by = random.pick([null, null, 'day', 'month'] as const);
  if (by !== null || random.chance(0.5)) filter.merchantReference = null;
  const { body } = await world.readOk(name, `/v1/totals?${queryOf({ ...filter, by })}`);
  const archivedBefore = archivedBeforeOf(account, filter);
  assert.deepEqual(body, {
    data: totalsOf(account.rows.values(), filter, by),
    asOf: account.head,
    asOfId: account.idAt(account.head),
    ...(archivedBefore !== undefined && { archivedBefore }),
  });
}

export async function readExport(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  const filter = randomFilter(random);
  const paid = random.chance(0.2) ? { paidFrom: '2026-03-08', paidTo: '2026-03-29' } : {};
  const format = random.pick(['csv', 'ndjson'] as const);
  const columns = format === 'csv' ? { relatedTo: 'true', details: 'last4,customer,a1' } : {};
  const query = queryOf({ ...filter, ...paid, ...columns });
  const answer = await world.readOk(name, `/v1/transactions.${format}?${query}`);
  const expected = account.list((row) => matches(filter, row) && isPaidIn(row, paid, filter.timeZone));
  assertExport(account, expected, { format, timeZone: filter.timeZone }, answer);
  const archivedBefore = archivedBeforeOf(account, filter);
  assert.equal(answer.headers['export-archived-before'], archivedBefore);
  const { body: manifest } = await world.readOk(name, `/v1/exports/${answer.headers['export-id']}`);
  const bytes = format === 'csv' ? answer.text : answer.text.replace(/[^\n]*\n$/, '');
  assert.equal(manifest.archivedBefore, archivedBefore);
  assert.deepEqual(
    [manifest.state, manifest.asOf, manifest.rows, manifest.bytes, manifest.sha256, manifest.totals],
    [
      'complete',
      account.head,
      expected.length,
      Buffer.byteLength(bytes),
      createHash('sha256').update(bytes).digest('hex'),
      totalsOf(expected, { ...filter, from: null, to: null }),
    ],
  );
}

function assertExport(
  account: ModelAccount,
  expected: readonly Transaction[],
  { format, timeZone }: { format: 'csv' | 'ndjson'; timeZone: string | null },
  { text, headers }: Awaited<ReturnType<World['read']>>,
): void {
  const rows = format === 'csv' ? csvRows(text, timeZone) : ndjsonRows(text);
  // CSV does not say when details were removed.
  const withoutRemoval = ({ detailsRemovedAt: _, ...row }: Shown) => row;
  assert.deepEqual(
    rows,
    format === 'csv' ? expected.map(shownOf).map(withoutRemoval) : expected.map(shownOf),
  );
  assert.equal(headers['export-as-of'], String(account.head));
  assert.equal(headers['export-as-of-id'], account.idAt(account.head) ?? undefined);
}

export const FIELDS = [
  'reference',
  'merchantReference',
  'status',
  'amount',
  'currencyCode',
  'paidAt',
  'createdAt',
];

/** Reads CSV as in RFC 4180. */
export function csvRecords(text: string): string[][] {
  const records: string[][] = [];
  for (const line of text.match(/(?:"(?:[^"]|"")*"|[^"\r\n])*\r\n/g) ?? []) {
    const cells = line.slice(0, -2).match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^",]*)/g) ?? [];
    records.push(
      cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
    );
  }
  return records;
}

function csvRows(text: string, timeZone: string | null): Shown[] {
  const [header, ...records] = csvRecords(text);
  const local = timeZone === null || timeZone === 'UTC' ? [] : ['paidAtLocal', 'createdAtLocal'];
  const details = ['relatedTo', 'details.last4', 'details.customer', 'details.a1'];
  assert.deepEqual(header, [...FIELDS, ...local, ...details]);
  return records.map((cells) => {
    for (const [index, time] of cells.slice(FIELDS.length, FIELDS.length + local.length).entries())
      assertLocal(cells[FIELDS.length - local.length + index] as string, time, timeZone);
    const [relatedTo, ...texts] = cells.slice(FIELDS.length + local.length);
    const details = ['last4', 'customer', 'a1'].map((name, index) => [name, texts[index]]);
    const given = details.filter(([, text]) => text !== '');
    return {
      ...Object.fromEntries(FIELDS.map((field, index) => [field, cells[index] === '' ? null : cells[index]])),
      ...(relatedTo !== '' && { relatedTo }),
      ...(given.length > 0 && { details: Object.fromEntries(given) }),
    } as unknown as Shown;
  });
}

/** A local time is the same moment, on the day that the time zone has then. */
function assertLocal(time: string, local: string, timeZone: string | null): void {
  if (time === '') {
    assert.equal(local, '');
    return;
  }
  assert.match(local, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
  assert.equal(Date.parse(local), Date.parse(time));
  assert.equal(local.slice(0, 10), dayOf(Date.parse(time), timeZone));
}

function ndjsonRows(text: string): Shown[] {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  assert.ok(lines.at(-1)?.export !== undefined, 'the last line is the manifest');
  return lines.slice(0, -1);
}

/** Those with a change or a key. */
export async function readAccounts(world: World): Promise<void> {
  const read = async (query: string) => {
    const answer = await world.operator(`/v1/accounts?${query}`);
    assert.equal(answer?.status, 200, answer?.text);
    return answer.body;
  };
  const listed = await readPages(read, '', { repeats: false });
  const expected = [...world.accounts]
    .filter(([, { head, keys }]) => head > 0 || keys.length > 0)
    .map(([account, { head }]) => ({ account, headSequence: head }))
    .sort((one, other) => (one.account < other.account ? -1 : 1));
  const heads = (listed as { headId: string | null; headSequence: number }[]).map(({ headId, ...head }) => {
    assert.match(String(headId), head.headSequence === 0 ? /^null$/ : /^chg_/);
    return head;
  });
  assert.deepEqual(heads, expected);
}

export const READINGS = [readList, readOne, readSearch, readChanges, readTotals, readExport];
