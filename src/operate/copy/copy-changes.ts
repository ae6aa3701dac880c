import { changeId } from '../../ledger/changes/change.ts';
import { changesIn, rowUpTo } from '../row-up-to.ts';
import { show } from '../verify/check-row.ts';
import type { StoredRow } from '../verify/verify-reader.ts';
import { Contradictions, type CopyContext, CopyFailed } from './copy-context.ts';
import type { AccountHead, ChangeRange, CopyReader } from './copy-reader.ts';
import type { ChangePart } from './copy-target.ts';
import { byText, mergePages } from './merge-pages.ts';

/** A read of so many changes takes some tens of milliseconds, and so does their transaction of the database. */
const CHANGES_PER_WRITE = 4000;
const ACCOUNTS_PER_WRITE = 200;
const HEADS_PER_READ = 1000;

/** The heads of an account in both databases, at least one of them. */
type HeadPair = { account: string; source?: AccountHead | undefined; target?: AccountHead | undefined };

/**
 * The heads of all accounts of both databases.
 *
 * Throws: CopyFailed if an account is being erased: what is left of it is no account, and the other database would not know that.
 */
export async function* headPairs({
  source,
  targetReader,
}: Pick<CopyContext, 'source' | 'targetReader'>): AsyncGenerator<HeadPair, undefined> {
  const order = (left: AccountHead, right: AccountHead) => byText(left.account, right.account);
  for await (const pairs of mergePages(headPages(source), headPages(targetReader), order))
    for (const [ours, theirs] of pairs) {
      refuseClosed('source', ours);
      refuseClosed('target', theirs);
      yield { account: (ours ?? (theirs as AccountHead)).account, source: ours, target: theirs };
    }
  return undefined;
}

async function* headPages(reader: CopyReader): AsyncGenerator<AccountHead[], undefined> {
  for (let after = ''; ; ) {
    const heads = await reader.listHeads(after, HEADS_PER_READ);
    yield heads;
    const last = heads.at(-1);
    if (last === undefined || heads.length < HEADS_PER_READ) return undefined;
    after = last.account;
  }
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
 * Throws: TargetContradicts; CopyFailed if the target refuses a change.
 */
export async function copyChanges(context: CopyContext): Promise<Round> {
  const round: Round = { changes: 0, accounts: 0 };
  const batches = batchesOf(context, round);
  const parts = new PartReader(context);
  const next = async () => {
    const { done, value: ranges } = await batches.next();
    return done === true || context.isStopped() ? undefined : parts.read(ranges);
  };
  const inFlight: { parts: readonly ChangePart[]; writing: Promise<void> }[] = [];
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
      await first.writing;
      noteCopied(context, first.parts);
    }
  } finally {
    await Promise.allSettled([reading, ...inFlight.map(({ writing }) => writing)]);
  }
}

function noteCopied({ copied, moved, onProgress }: CopyContext, parts: readonly ChangePart[]): void {
  for (const { account, after, upTo } of parts) {
    copied.changes += upTo - after;
    moved?.add(account);
  }
  onProgress();
}

/** Ranges of accounts that are read and written together: few large ones, or many small ones. Counts them in `round`. */
async function* batchesOf(context: CopyContext, round: Round): AsyncGenerator<ChangeRange[], undefined> {
  let batch: ChangeRange[] = [];
  let size = 0;
  for await (const { account, source, target } of headPairs(context)) {
    const [head, copied] = [source?.head ?? 0, target?.head ?? 0];
    refuseMore(account, head, copied);
    if (copied < head) round.accounts++;
    for (let after = copied; after < head; ) {
      const upTo = Math.min(head, after + CHANGES_PER_WRITE - size);
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

/** Throws: TargetContradicts if the target has more changes of an account than the source. Writes nothing. */
export async function refuseLongerTarget(
  context: Pick<CopyContext, 'source' | 'targetReader'>,
): Promise<void> {
  for await (const { account, source, target } of headPairs(context))
    refuseMore(account, source?.head ?? 0, target?.head ?? 0);
}

function refuseMore(account: string, head: number, copied: number): void {
  if (copied > head) refuse(account, 'head sequence', head, copied);
}

function refuse(account: string, place: string, source: number | string, target: number | string): void {
  const contradictions = new Contradictions();
  contradictions.add({ account, place, source: String(source), target: String(target) });
  contradictions.refuse();
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

  /** Throws: TargetContradicts if the source has another change where the target ends. */
  async read(ranges: readonly ChangeRange[]): Promise<ChangePart[]> {
    const known = await this.#nonces(ranges);
    // With the change at `after`, in one read: a source that is restored between two reads is noticed.
    const read = await this.#source.readChanges(
      ranges.map((range) => ({ ...range, after: Math.max(0, range.after - 1) })),
    );
    for (const [index, { account, after }] of ranges.entries()) {
      if (after === 0) continue;
      const [found, expected] = [nonceIn(read[index] ?? [], after), known.get(account)];
      if (found !== expected)
        refuse(account, `change ${after}`, shownId(account, after, found), shownId(account, after, expected));
    }
    const last = ranges.at(-1);
    this.#last = last && { ...last, nonce: nonceIn(read.at(-1) ?? [], last.upTo) };
    return ranges.map((range, index) => ({ ...range, rows: rowsOf(range, read[index] ?? []) }));
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
        : await this.#target.readChanges(
            inTarget.map(({ account, after }) => ({ account, after: after - 1, upTo: after })),
          );
    const nonces = inTarget.map(
      ({ account, after }, index) => [account, nonceIn(rows[index] ?? [], after)] as const,
    );
    return new Map(goesOn ? [...nonces, [last.account, last.nonce]] : nonces);
  }
}

/** The nonce of the change at a number, from the rows of a range that has it; undefined if there is none. */
function nonceIn(rows: readonly StoredRow[], sequence: number): number | undefined {
  for (const { pendingSequence, pendingNonce, finalSequence, finalNonce } of rows) {
    if (pendingSequence === sequence) return pendingNonce as number;
    if (finalSequence === sequence) return finalNonce as number;
  }
  return undefined;
}

const shownId = (account: string, sequence: number, nonce: number | undefined): string =>
  nonce === undefined ? 'no such change' : `id ${changeId(account, { sequence, nonce })}`;

/** The transactions of a range as they were at its end. */
const rowsOf = ({ after, upTo }: ChangeRange, read: readonly StoredRow[]): StoredRow[] =>
  read.flatMap((row) => {
    const then = rowUpTo(row, upTo);
    return then !== undefined && changesIn(then, after, upTo) > 0 ? [then] : [];
  });
