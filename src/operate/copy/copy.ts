import { INSTANCE_LIFETIME_MS } from '../../instances/instance.ts';
import type { Disagreement, Verified } from '../verify/disagreement.ts';
import { accountsAfter, verify } from '../verify/verify.ts';
import { CheckWhileFollowing } from './check-while-following.ts';
import { CheckedAccounts, type ComparedWhileFollowing } from './checked-accounts.ts';
import { accountsOf, type ComparedSides, compareSides } from './compare-sides.ts';
import { Contradictions } from './contradiction.ts';
import {
  ACCOUNT_AUDIT,
  API_KEYS,
  ARCHIVES,
  CURSOR_SECRET,
  EXPORTS,
  IDEMPOTENCY_KEYS,
  KEY_AUDIT,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_FAILURES,
} from './copied-tables.ts';
import { copyChanges, differingHeads } from './copy-changes.ts';
import { type CopiedCounts, type CopyContext, CopyFailed } from './copy-context.ts';
import type { CopyReader } from './copy-reader.ts';
import { copyRecords, findRecordContradictions } from './copy-records.ts';
import type { CopyTarget } from './copy-target.ts';
import { type Following, followSource } from './follow-source.ts';
import { compareHistories } from './histories.ts';

/** In the order in which they are copied: keys first, archives before the transactions that they lack, and webhooks after those that they are about. */
const BEFORE_TRANSACTIONS = [CURSOR_SECRET, API_KEYS, ARCHIVES];
const AFTER_TRANSACTIONS = [
  IDEMPOTENCY_KEYS,
  EXPORTS,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_FAILURES,
  KEY_AUDIT,
  ACCOUNT_AUDIT,
];
const ALL_TABLES = [...BEFORE_TRANSACTIONS, ...AFTER_TRANSACTIONS];
/** Idempotency keys can be millions, and what a source that goes on records is looked for behind them. */
const LOOKED_AT_AGAIN = [...AFTER_TRANSACTIONS, ...BEFORE_TRANSACTIONS];

/** Each round copies what the source recorded during the one before, which is less and less, unless it records faster. */
const MAX_ROUNDS = 5;

/** What a copy does now, with figures for its progress. */
export type CopyProgress =
  | { step: 'comparing'; compared: ComparedSides }
  | { step: 'copying'; copied: CopiedCounts; missing: number }
  | { step: 'verifying'; verified: Readonly<Verified> };

export interface CopyOptions extends Pick<CopyContext, 'source' | 'target' | 'targetReader' | 'isStopped'> {
  /** The address of the source, as the mark has it. */
  sourceName: string;
  /** Opens the source to mark it as moved. Null leaves it as it is. */
  openSource: (() => Promise<Pick<CopyTarget, 'mark' | 'unmark' | 'close'>>) | null;
  /** The address of the target, as the mark of the source has it. */
  targetName: string;
  /** Null copies what there is now. */
  following: Following | null;
  now(): number;
  monotonicMs(): number;
  onProgress(progress: CopyProgress): void;
  /** Called with the machine and process of each service that uses the source, if it is to be marked as moved. */
  onServed(hosts: string[]): void;
  /** Called with what is wrong in the target by itself. */
  onDisagreement(disagreement: Disagreement): Promise<void>;
}

export type CopyEnd =
  /** Both sides were equal when they were compared. The source is marked as moved, if it is to be, and the target has no mark. */
  | {
      end: 'equal';
      copied: CopiedCounts;
      /** At the end. */
      compared: ComparedSides;
      comparedWhileFollowing: ComparedWhileFollowing | null;
      /** At the end and while following. */
      verified: Verified;
      /** What came before the last comparison, and that. */
      seconds: { copying: number; comparing: number };
    }
  | { end: 'stopped'; copied: CopiedCounts }
  /** The source changed after the comparison: `changes` of transactions, and `records` of small tables. */
  | { end: 'source changed'; copied: CopiedCounts; changes: number; records: number }
  /** The target has disagreements, which were reported. */
  | { end: 'disagreements'; copied: CopiedCounts; count: number };

/**
 * Copies everything from one database to another while a service uses the source, and compares both. What the target has already is
 * left as it is, so that a copy that was cut off is resumed.
 *
 * Throws: TargetContradicts, CopyFailed, StoreUnavailable.
 */
export async function copyDatabase(options: CopyOptions): Promise<CopyEnd> {
  const { source, target, targetReader, following, onProgress } = options;
  const startedAtMs = options.monotonicMs();
  await prepare(options);
  let missing = 0;
  for await (const heads of differingHeads(source, targetReader))
    missing += Math.max(0, heads.source - heads.target);
  const copied: CopiedCounts = { changes: 0, records: 0 };
  const context: CopyContext = {
    source,
    target,
    targetReader,
    copied,
    checked: new CheckedAccounts(),
    isStopped: options.isStopped,
    onProgress: () => onProgress({ step: 'copying', copied, missing: Math.max(missing, copied.changes) }),
  };
  for (const table of BEFORE_TRANSACTIONS) await copyRecords(context, table);
  await copyAllChanges(context);
  for (const table of AFTER_TRANSACTIONS) await copyRecords(context, table);
  if (options.isStopped()) return { end: 'stopped', copied };
  if (following !== null) {
    const count = await follow(options, context, following);
    if (count > 0) return { end: 'disagreements', copied, count };
  }
  return finish(options, context, startedAtMs);
}

/** Checks that the source can be copied, and that nothing in the target contradicts it; then marks the target. */
async function prepare(options: CopyOptions): Promise<void> {
  const { source, target, targetReader, sourceName } = options;
  if ((await source.readIdentity()) === (await targetReader.readIdentity()))
    throw new CopyFailed('The source and the target are the same database.');
  await refuseServed(options);
  const mark = await source.readMark();
  if (mark?.state === 'copying')
    throw new CopyFailed(
      `The source is the target of a copy of ${mark.other} that has not ended. End that copy first.`,
    );
  for (const reader of [source, targetReader]) {
    const { rowOrder, tables } = await reader.checkSchema();
    if (rowOrder === null || ALL_TABLES.some(({ table }) => !tables.has(table)))
      throw new CopyFailed(
        'The schema is damaged. Run "transactions verify" on the source and on the target.',
      );
  }
  // A target that this source's copy has marked is a part of the source. Any other one can have anything.
  const marked = await targetReader.readMark();
  if (marked?.state !== 'copying' || marked.other !== sourceName) await compareBefore(options);
  await target.mark({ state: 'copying', other: sourceName, sinceMs: options.now() });
}

/** The services that use a database: each as its machine and process id. */
async function servicesOn(reader: CopyReader, nowMs: number): Promise<string[]> {
  const { records } = await reader.readRecords('instances', null, null);
  return records
    .filter(({ seen_at_ms: seenMs }) => Math.abs(nowMs - Number(seenMs)) < INSTANCE_LIFETIME_MS)
    .map(({ host }) => String(host));
}

/** The mark of a target keeps a service from starting, and not one that runs. */
async function refuseServed({ targetReader, now }: CopyOptions): Promise<void> {
  if ((await servicesOn(targetReader, now())).length > 0)
    throw new CopyFailed(
      'A service uses the target, and would serve a part of the copy as if it were the whole. Stop it, and run the command again; if it was killed, a minute later.',
    );
}

/** Throws: TargetContradicts, before anything is written. */
async function compareBefore({ source, targetReader, onProgress }: CopyOptions): Promise<void> {
  const contradictions = new Contradictions();
  for (const table of ALL_TABLES) await findRecordContradictions(source, targetReader, table, contradictions);
  if ((await targetReader.nextAccount('')) !== undefined)
    await compareSides(source, targetReader, {
      accounts: accountsOf(source, targetReader),
      contradictions,
      onProgress: (compared) => onProgress({ step: 'comparing', compared }),
    });
  contradictions.refuse();
}

async function copyAllChanges(context: CopyContext): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS && !context.isStopped(); round++)
    if ((await copyChanges(context)).changes === 0) return;
}

/** Follows the source, and checks accounts meanwhile. Returns how many disagreements of the target were reported. */
async function follow(options: CopyOptions, context: CopyContext, following: Following): Promise<number> {
  const { source, targetReader, checked } = context;
  const { now, monotonicMs, onDisagreement } = options;
  const { isStopped } = following;
  const clock = { now, monotonicMs };
  const checkOptions = { source, targetReader, checked, ...clock, isStopped, onDisagreement };
  const check = new CheckWhileFollowing(checkOptions);
  try {
    await followSource(context, following, check, monotonicMs);
  } finally {
    await check.close();
  }
  return check.disagreements;
}

/** Copies the rest, compares both sides, and ends the copy if they are equal. */
async function finish(options: CopyOptions, context: CopyContext, startedAtMs: number): Promise<CopyEnd> {
  const { source, target, targetReader, onProgress, monotonicMs } = options;
  const { copied, checked } = context;
  const services = options.openSource === null ? [] : await servicesOn(source, options.now());
  // One that records nothing changes nothing that the comparison could find.
  if (services.length > 0) options.onServed(services);
  await copyAllChanges(context);
  for (const table of ALL_TABLES) await copyRecords(context, table);
  if (options.isStopped()) return { end: 'stopped', copied };

  const copiedAtMs = monotonicMs();
  const contradictions = new Contradictions();
  await checked.dropMoved(targetReader);
  const compared = await compareSides(source, targetReader, {
    accounts: checked.remaining(targetReader, (after) => accountsOf(source, targetReader, after)),
    contradictions,
    onProgress: (soFar) => onProgress({ step: 'comparing', compared: soFar }),
    onRemoved: (account, { reference, detailsRemovedAtMs }) =>
      target.removeDetails(account, reference, detailsRemovedAtMs as number),
  });
  contradictions.refuse();
  const verified = await verify(targetReader, {
    account: null,
    ofCopy: {
      accounts: checked.remaining(targetReader, (after) => accountsAfter(targetReader, after)),
      counted: checked.verified(),
    },
    onDisagreement: options.onDisagreement,
    onProgress: (soFar) => onProgress({ step: 'verifying', verified: soFar }),
  });
  if (verified.disagreements > 0) return { end: 'disagreements', copied, count: verified.disagreements };

  const moved = await endEqual(options, context);
  if (moved !== null) return moved;
  const seconds = {
    copying: (copiedAtMs - startedAtMs) / 1000,
    comparing: (monotonicMs() - copiedAtMs) / 1000,
  };
  return { end: 'equal', copied, compared, comparedWhileFollowing: checked.compared(), verified, seconds };
}

/**
 * Ends the copy if the source is what was compared. It is marked as moved first, and refuses every write from then on, so that nothing
 * is recorded in it behind the last look. If the copy does not end, the source has the mark that it had before.
 */
async function endEqual(options: CopyOptions, context: CopyContext): Promise<CopyEnd | null> {
  const { source, target, targetName: other, openSource, isStopped, now } = options;
  const { copied } = context;
  const before = await source.readMark();
  await using marking = new AsyncDisposableStack();
  const marker = await openSource?.();
  if (marker !== undefined) marking.defer(() => marker.close());
  const giveUp = () => (before === undefined ? marker?.unmark() : marker?.mark(before));
  await marker?.mark({ state: 'moved', other, sinceMs: now() });
  try {
    const { changes, records } = await lookAgain(context);
    if (isStopped() || changes > 0 || records > 0) {
      await giveUp();
      return isStopped() ? { end: 'stopped', copied } : { end: 'source changed', copied, changes, records };
    }
  } catch (error) {
    // If it can't be removed now, the mark stays: the same copy, or "reopen", ends it.
    await giveUp()?.catch(() => {});
    throw error;
  }
  await target.unmark();
  return null;
}

/**
 * How much the source has changed since the comparison. The heads come last: recording a transaction moves one, and nothing else for sure.
 *
 * Throws: TargetContradicts if an older state of the source was restored, and as many changes recorded as it had before.
 */
async function lookAgain(context: CopyContext): Promise<{ changes: number; records: number }> {
  // Nothing to write is the comparison: both sides are read whole.
  let records = 0;
  for (const table of LOOKED_AT_AGAIN) records += (await copyRecords(context, table)).written;
  let changes = 0;
  for await (const heads of differingHeads(context.source, context.targetReader))
    changes += Math.abs(heads.source - heads.target);
  await compareHistories(context.source, context.targetReader);
  return { changes, records };
}
