import { changesIn, rowUpTo } from '../row-up-to.ts';
import { show } from '../verify/check-row.ts';
import type { StoredRow } from '../verify/verify-reader.ts';
import { Contradictions, conflictContradictions, headContradiction } from './contradiction.ts';
import type { CopyContext } from './copy-context.ts';
import { CopyFailed } from './copy-context.ts';
import type { AccountHead, ChangeRange, CopyReader } from './copy-reader.ts';
import type { ChangeConflict, ChangePart } from './copy-target.ts';
import { headPages } from './heads.ts';
import { historyContradiction, nonceIn, rangeOf } from './histories.ts';
import { byText, mergePages } from './merge-pages.ts';

/** A read of so many changes takes some tens of milliseconds, and so does their transaction of the database. */
const CHANGES_PER_WRITE = 4000;
const ACCOUNTS_PER_WRITE = 200;

/** The heads of an account in both databases; 0 if it has none. */
interface HeadPair {
  account: string;
  source: number;
  target: number;
}

/**
 * The accounts whose heads differ. Counts all accounts in `read`.
 *
 * Throws: CopyFailed if an account is being erased: what is left of it is no account, and the other database would not know that.
 */
export async function* differingHeads(
  source: CopyReader,
  target: CopyReader,
  read: { heads: number } = { heads: 0 },
): AsyncGenerator<HeadPair, undefined> {
  const order = (left: AccountHead, right: AccountHead) => byText(left.account, right.account);
  for await (const pairs of mergePages(headPages(source), headPages(target), order))
    for (const [ours, theirs] of pairs) {
      read.heads++;
      refuseClosed('source', ours);
      refuseClosed('target', theirs);
      const pair = { source: ours?.head ?? 0, target: theirs?.head ?? 0 };
      if (pair.source !== pair.target) yield { account: (ours ?? (theirs as AccountHead)).account, ...pair };
    }
  return undefined;
}

function refuseClosed(side: 'source' | 'target', head: AccountHead | undefined): void {
  if (head?.isClosed === true)
    throw new CopyFailed(
      `The account ${show(head.account)} of the ${side} is being erased. Complete that with "transactions erase" there, and copy into an empty database then.`,
    );
}

/** What one round found missing in the target, and copied. */
export interface Round {
  changes: number;
  accounts: number;
}

/**
 * Copies the changes that the target does not have, up to the heads that are read on the way, or until a stop.
 *
 * Throws: TargetContradicts; CopyFailed if the source lacks a change.
 */
export async function copyChanges(context: CopyContext): Promise<Round & { allAccounts: number }> {
  const read = { heads: 0 };
  const round = await copyAccounts(context, differingHeads(context.source, context.targetReader, read));
  return { ...round, allAccounts: read.heads };
}

/** Copies the changes of one account up to its head. */
export async function copyAccount(context: CopyContext, account: string): Promise<void> {
  const [source, target] = await Promise.all([
    context.source.readHead(account),
    context.targetReader.readHead(account),
  ]);
  const heads = { account, source: source.head ?? 0, target: target.head ?? 0 };
  if (heads.source !== heads.target) await copyAccounts(context, heads);
}

async function copyAccounts(
  context: CopyContext,
  heads: AsyncGenerator<HeadPair, undefined> | HeadPair,
): Promise<Round> {
  const round: Round = { changes: 0, accounts: 0 };
  const batches = batchesOf('account' in heads ? [heads] : heads, round);
  const parts = new PartReader(context);
  const next = async () => {
    const { done, value: ranges } = await batches.next();
    return done === true || context.isStopped() ? undefined : parts.read(ranges);
  };
  const inFlight: { parts: readonly ChangePart[]; writing: Promise<ChangeConflict[]> }[] = [];
  let reading = next();
  try {
    for (;;) {
      const read = await reading;
      if (read !== undefined) {
        const writing = context.target.writeChanges(read);
        // Awaited below. Without this handler, an earlier rejection would end the process.
        writing.catch(() => {});
        inFlight.push({ parts: read, writing });
        // Read while the parts before are written.
        reading = next();
        reading.catch(() => {});
        if (inFlight.length < context.target.writesInFlight) continue;
      }
      const first = inFlight.shift();
      if (first === undefined) return round;
      refuseConflicts(await first.writing);
      noteCopied(context, first.parts);
    }
  } finally {
    await Promise.allSettled([reading, ...inFlight.map(({ writing }) => writing)]);
  }
}

/** Throws: TargetContradicts if there are any. */
function refuseConflicts(conflicts: readonly ChangeConflict[]): void {
  const contradictions = new Contradictions();
  for (const conflict of conflicts) contradictions.add(...conflictContradictions(conflict));
  contradictions.refuse();
}

function noteCopied({ copied, checked, onProgress }: CopyContext, parts: readonly ChangePart[]): void {
  for (const { account, after, upTo } of parts) {
    copied.changes += upTo - after;
    checked.drop(account);
  }
  onProgress();
}

/** Ranges of accounts that are read and written together: few large ones, or many small ones. Counts them in `round`. */
async function* batchesOf(
  heads: AsyncIterable<HeadPair> | Iterable<HeadPair>,
  round: Round,
): AsyncGenerator<ChangeRange[], undefined> {
  let batch: ChangeRange[] = [];
  let size = 0;
  for await (const { account, source, target } of heads) {
    if (target > source) refuseHead(account, source, target);
    round.accounts++;
    for (let after = target; after < source; ) {
      const upTo = Math.min(source, after + CHANGES_PER_WRITE - size);
      batch.push({ account, after, upTo });
      size += upTo - after;
      round.changes += upTo - after;
      after = upTo;
      if (size < CHANGES_PER_WRITE && batch.length < ACCOUNTS_PER_WRITE) continue;
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

function refuseHead(account: string, source: number, target: number): never {
  const contradictions = new Contradictions();
  contradictions.add(headContradiction(account, source, target));
  contradictions.refuse();
  throw new Error('a contradiction is refused');
}

/** Reads parts of the source, each of which goes on where the target, or the part before, ends. */
class PartReader {
  readonly #source: CopyReader;
  readonly #target: CopyReader;
  /** The last change of the last part, which may not be written yet: a large account goes on with the next part. */
  #last: { account: string; upTo: number; nonce: number | undefined } | undefined;

  constructor({ source, targetReader }: Pick<CopyContext, 'source' | 'targetReader'>) {
    this.#source = source;
    this.#target = targetReader;
  }

  /** Throws: TargetContradicts if the source has another change where the target ends; CopyFailed if the source lacks a change. */
  async read(ranges: readonly ChangeRange[]): Promise<ChangePart[]> {
    const known = await this.#nonces(ranges);
    // With the change at `after`, in one read: a source that is restored between two reads is noticed.
    const read = await this.#source.readChanges(
      ranges.map((range) => ({ ...range, after: Math.max(0, range.after - 1) })),
    );
    const contradictions = new Contradictions();
    for (const [index, { account, after }] of ranges.entries()) {
      if (after === 0) continue;
      const [found, expected] = [nonceIn(read[index] ?? [], after), known.get(account)];
      if (found !== expected) contradictions.add(historyContradiction(account, after, found, expected));
    }
    contradictions.refuse();
    const last = ranges.at(-1);
    this.#last = last && { ...last, nonce: nonceIn(read.at(-1) ?? [], last.upTo) };
    return Promise.all(
      ranges.map(async (range, index) => {
        const rows = rowsOf(range, read[index] ?? []);
        await this.#refuseMissing(range, rows);
        return { ...range, rows };
      }),
    );
  }

  /** The sum of the changes shows whether one is missing. Up to the floor of the account, they can be archived. */
  async #refuseMissing({ account, after, upTo }: ChangeRange, rows: readonly StoredRow[]): Promise<void> {
    const found = countChanges(rows, after, upTo);
    if (found === upTo - after) return;
    const floor = (await this.#source.readArchive(account))?.floorSequence ?? 0;
    const from = Math.min(upTo, Math.max(after, floor));
    if (countChanges(rows, from, upTo) === upTo - from) return;
    throw new CopyFailed(
      `The source has ${found} changes of account ${show(account)} with the sequence numbers ${after + 1} to ${upTo}, and should have ${upTo - after}. Run "transactions verify" on it.`,
    );
  }

  /** The nonce of the change at the beginning of each range, as the target has it or will have it. */
  async #nonces(ranges: readonly ChangeRange[]): Promise<Map<string, number | undefined>> {
    const last = this.#last;
    const [first] = ranges;
    const goesOn = last !== undefined && first?.account === last.account && first.after === last.upTo;
    const inTarget = ranges.slice(goesOn ? 1 : 0).filter(({ after }) => after > 0);
    const rows =
      inTarget.length === 0
        ? []
        : await this.#target.readChanges(inTarget.map(({ account, after }) => rangeOf(account, after)));
    const nonces = inTarget.map(
      ({ account, after }, index) => [account, nonceIn(rows[index] ?? [], after)] as const,
    );
    return new Map(goesOn ? [...nonces, [last.account, last.nonce]] : nonces);
  }
}

/** The transactions of a range as they were at its end. */
const rowsOf = ({ after, upTo }: ChangeRange, read: readonly StoredRow[]): StoredRow[] =>
  read.flatMap((row) => {
    const then = rowUpTo(row, upTo);
    return then !== undefined && changesIn(then, after, upTo) > 0 ? [then] : [];
  });

const countChanges = (rows: readonly StoredRow[], after: number, upTo: number): number =>
  rows.reduce((sum, row) => sum + changesIn(row, after, upTo), 0);
