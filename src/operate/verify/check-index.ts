import { dayOf } from '../../values/calendar.ts';
import type { AccountNumbers } from './check-numbers.ts';
import { identityOf } from './check-row.ts';
import type { VerifyContext } from './context.ts';
import type { Disagreement } from './disagreement.ts';
import type { NumberSet } from './number-set.ts';
import { readAllRows, readRow } from './read-rows.ts';
import type { IndexEntry, IndexPosition, IndexShape, StoredRow } from './verify-reader.ts';

/** How many transactions without an entry are looked up by their numbers, one by one. */
const MAX_LOOKUPS = 1000;
/** A transaction changes at most twice while it is looked up: it is completed, and it is numbered. */
const MAX_TRIES = 3;

/** Compares an index with the transactions that were read before. Nothing is known of those that were recorded meanwhile. */
export async function checkIndex(
  context: VerifyContext,
  index: IndexShape,
  numbers: AccountNumbers,
): Promise<void> {
  const { reader, verified, pageSize, report } = context;
  const { account } = numbers;
  const expected = expectedIn(index, numbers);
  let last: IndexPosition | null = null;
  for (;;) {
    const range = { from: last, isInclusive: false, limit: pageSize };
    const entries = await reader.readIndex(index, account, range);
    for (const entry of entries) {
      if (!entry.agrees) await report(strayEntry(account, index, entry));
      else if (index.isUnique && last !== null && entry.position[0] === last[0])
        await report(repeatedEntry(account, index, entry));
      const number = numberOf(index, entry);
      if (entry.agrees && number !== undefined && number <= numbers.upTo) {
        expected?.delete(number);
        if (!numbers.numbers.has(number)) await checkUnread(context, numbers, entry);
      }
      last = entry.position;
    }
    verified.indexEntries += entries.length;
    context.onProgress();
    if (entries.length < pageSize) break;
  }
  if (expected !== undefined && expected.size > 0) await checkUnseen(context, index, numbers, expected);
  if (index.contents === 'unnumbered')
    for (const row of numbers.unnumbered) await checkEntryOf(context, index, account, row);
}

/** The numbers of the transactions that have an entry; undefined if they have no numbers. */
function expectedIn({ contents }: IndexShape, numbers: AccountNumbers): NumberSet | undefined {
  switch (contents) {
    case 'all':
      return numbers.identities.without();
    case 'merchantReference':
      return numbers.withMerchantReference.without();
    case 'pendingSequence':
      return numbers.pendings.without();
    case 'finalSequence':
      return numbers.numbers.without(numbers.pendings);
    case 'unnumbered':
      return undefined;
  }
}

const numberOf = (
  { contents }: IndexShape,
  row: Pick<StoredRow, 'pendingSequence' | 'finalSequence'>,
): number | undefined => (contents === 'finalSequence' ? (row.finalSequence ?? undefined) : identityOf(row));

/** An entry leads to a transaction that was not read in the order of transactions. */
async function checkUnread(
  { reader, schema, report }: VerifyContext,
  numbers: AccountNumbers,
  { reference, createdAtMs, pendingSequence, finalSequence }: IndexEntry,
): Promise<void> {
  const { account } = numbers;
  if ((await readRow(reader, account, { createdAtMs, reference })) !== undefined) return;
  numbers.addUnread({ pendingSequence, finalSequence }, dayOf(createdAtMs));
  await report({
    check: 'indexes',
    account,
    place: `transaction ${reference}`,
    found: `no entry in the ${schema.rowOrder}`,
    expected: 'an entry for each transaction',
  });
}

/** Transactions without an entry. Many have moved in the index meanwhile, because they were completed. */
async function checkUnseen(
  context: VerifyContext,
  index: IndexShape,
  { account }: AccountNumbers,
  unseen: NumberSet,
): Promise<void> {
  let lookups = 0;
  for (const number of unseen.values()) {
    if (++lookups > MAX_LOOKUPS) break;
    const row = await context.reader.findNumbered(account, number);
    if (row === undefined) continue;
    unseen.delete(number);
    await checkEntryOf(context, index, account, row);
  }
  if (unseen.size === 0) return;
  for await (const rows of readAllRows(context.reader, account, context)) {
    context.onProgress();
    for (const row of rows) {
      const number = numberOf(index, row);
      if (number !== undefined && unseen.delete(number)) await checkEntryOf(context, index, account, row);
    }
  }
}

async function checkEntryOf(
  { reader, report }: VerifyContext,
  index: IndexShape,
  account: string,
  row: StoredRow,
): Promise<void> {
  let current: StoredRow | undefined = row;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!belongsIn(index, current)) return;
    const from: IndexPosition = index.order.map((field) => (current as StoredRow)[field]);
    const [entry] = await reader.readIndex(index, account, { from, isInclusive: true, limit: 1 });
    if (entry?.reference === current.reference && entry.position.every((value, at) => value === from[at]))
      return;
    const again = await readRow(reader, account, current);
    if (again === undefined) return;
    if (isSame(again, current)) break;
    current = again;
  }
  await report({
    check: 'indexes',
    account,
    place: `transaction ${row.reference}`,
    found: `no entry in the index ${index.name}`,
    expected: 'an entry for each transaction that belongs in it',
  });
}

function belongsIn({ contents }: IndexShape, row: StoredRow): boolean {
  if (contents === 'all') return true;
  if (contents === 'unnumbered')
    return row.finalSequence === null && (row.status !== 'pending' || row.pendingSequence === null);
  return row[contents] !== null;
}

const isSame = (left: StoredRow, right: StoredRow) =>
  left.status === right.status &&
  left.pendingSequence === right.pendingSequence &&
  left.finalSequence === right.finalSequence;

const strayEntry = (account: string, { name }: IndexShape, { reference }: IndexEntry): Disagreement => ({
  check: 'indexes',
  account,
  place: `transaction ${reference}`,
  found: `an entry in the index ${name} with other values than the transaction, or without one`,
  expected: 'the values of the transaction',
});

const repeatedEntry = (
  account: string,
  { name, order }: IndexShape,
  { reference, position }: IndexEntry,
): Disagreement => ({
  check: 'indexes',
  account,
  place: `transaction ${reference}`,
  found: `the ${order[0]} ${position[0]}, which another transaction has too, in the unique index ${name}`,
  expected: 'one transaction',
});
