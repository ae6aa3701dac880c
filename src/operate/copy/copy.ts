import { counted } from '../../../values/counted.ts';
import { inGroups } from '../../../values/in-groups.ts';
import { sentence } from '../../../values/sentence.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { tablesWith } from '../../../values/tables.ts';
import { INSTANCE_LIFETIME_MS } from '../../instances/instance.ts';
import { sealUpTo } from '../../ledger/seals/seals.ts';
import type { CopyMark } from '../copy-mark.ts';
import { show } from '../disagreement.ts';
import { headPairs } from './account-heads.ts';
import { compareRemoved, compareRows } from './compare-rows.ts';
import { type ComparedSides, compareSides, refuseOtherTarget } from './compare-sides.ts';
import { copyChanges, type Round, refuseClosed } from './copy-changes.ts';
import { type CopiedCounts, type CopyContext, CopyFailed } from './copy-context.ts';
import type { CopyReader } from './copy-reader.ts';
import { COPIED_TABLES, copyTables, findDifferentTable } from './copy-tables.ts';
import type { CopyTarget } from './copy-target.ts';

const ACCOUNTS_PER_READ = 500;
const ACCOUNTS_AT_ONCE = 8;
/** A few rounds are enough, because each round copies only what was recorded during the previous round. */
const MAX_ROUNDS = 5;
const FEW_CHANGES = 2000;
const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 1000;

export interface Behind extends Round {
  seconds: number;
}

export interface Following {
  isStopped(): boolean;
  pause(milliseconds: number): Promise<void>;
  onBehind(behind: Behind): void;
}

type MarkSource = () => Promise<Pick<CopyTarget, 'mark' | 'unmark' | 'close'>>;

export interface CopyOptions
  extends Pick<
    CopyContext,
    'source' | 'target' | 'targetReader' | 'targetStore' | 'isStopped' | 'monotonicMs'
  > {
  sourceName: string;
  openSource: MarkSource | null;
  targetName: string;
  following: Following | null;
  now(): number;
  onProgress(copied: CopiedCounts, missing: number): void;
  onMoved(): void;
}

interface Equal {
  end: 'equal';
  compared: ComparedSides;
  /** How long the source refused to record. Null if the source was not marked as moved. */
  pausedMs: number | null;
}

type Unequal = { end: 'stopped' } | { end: 'source changed'; changes: number; table: string | null };

/** `found` counts the changes that the target already had from an earlier copy. */
export type CopyEnd = (Equal | Unequal) & { copied: CopiedCounts; found: number; tookMs: number };

/** Keeps the rows that the target already has, so a second run resumes an interrupted copy. */
export async function copyDatabase(options: CopyOptions): Promise<CopyEnd> {
  const { source, target, targetReader, targetStore, isStopped, monotonicMs } = options;
  const startedAtMs = monotonicMs();
  const copied: CopiedCounts = { changes: 0, records: 0 };
  let [missing, found] = [0, 0];
  const context: CopyContext = {
    ...{ source, target, targetReader, targetStore, copied, isStopped, monotonicMs },
    compareAgainAfter: null,
    onProgress: () => options.onProgress(copied, Math.max(missing, copied.changes)),
  };
  const hasEnded = await prepare(options, context);
  for await (const { source: ours, target: theirs } of headPairs(context)) {
    missing += Math.max(0, (ours?.head ?? 0) - (theirs?.head ?? 0));
    found += theirs?.head ?? 0;
  }
  const end: Equal | Unequal = hasEnded
    ? { end: 'equal', compared: await compareEnded(context), pausedMs: null }
    : await copyAndEnd(options, context);
  return { ...end, copied, found, tookMs: monotonicMs() - startedAtMs };
}

async function compareEnded(context: CopyContext): Promise<ComparedSides> {
  const compared = await compareSides(context);
  if (compared.behind > 0)
    throw new CopyFailed(
      `The source and the target differ by ${counted(compared.behind, 'change')}. The source was moved to the target before, and nothing was copied now: the target has recorded since, or has lost changes.`,
    );
  return compared;
}

async function copyAndEnd(options: CopyOptions, context: CopyContext): Promise<Equal | Unequal> {
  const { following, openSource, isStopped } = options;
  for (let round = 0; round < MAX_ROUNDS && !isStopped(); round++)
    if ((await copyRound(context)).changes < FEW_CHANGES) break;
  if (following !== null) await follow(context, following);
  // The long comparison runs here, while the source still accepts writes.
  context.compareAgainAfter = new Map();
  await compareRows(context, null);
  await refuseClosed(context);
  if (!isStopped()) await compareSides(context);
  await copyRound(context);
  if (isStopped()) return { end: 'stopped' };
  return openSource === null ? endBeside(options, context) : endMoved(options, openSource, context);
}

async function copyRound(context: CopyContext): Promise<Round> {
  const round = await copyChanges(context);
  await sealTarget(context);
  return round;
}

async function sealTarget(context: CopyContext): Promise<void> {
  const { targetStore, isStopped, monotonicMs } = context;
  const options = { isStopped, monotonicMs, pause: async () => {} };
  for (let last: string | null = ''; last !== null && !isStopped(); ) {
    const page = await targetStore.listUnsealed(last, ACCOUNTS_PER_READ);
    await inGroups(page.accounts, ACCOUNTS_AT_ONCE, async ({ account }) => {
      await sealUpTo(targetStore, account, {}, options).catch((error: Error) => {
        if (error instanceof StoreUnavailable) throw error;
        throw new CopyFailed(
          `The account ${show(account)} of the target can't be sealed: ${sentence(error.message)} If "transactions verify" finds that in the source, correct it there. Then copy into an empty database.`,
        );
      });
      context.onProgress();
    });
    last = page.last;
  }
}

async function copyRest(
  context: CopyContext,
): Promise<{ compared: ComparedSides; table: string | undefined }> {
  await copyRound(context);
  await copyTables(context);
  await refuseClosed(context);
  await compareRows(context, context.compareAgainAfter);
  await compareRemoved(context);
  const compared = await compareSides(context);
  return { compared, table: await findDifferentTable(context) };
}

/** Returns true if an earlier run completed the copy. Then the databases only have to be compared. */
async function prepare(options: CopyOptions, context: CopyContext): Promise<boolean> {
  const { source, target, targetReader, sourceName, openSource, targetName, now } = options;
  if ((await source.readIdentity()) === (await targetReader.readIdentity()))
    throw new CopyFailed('The source and the target are the same database.');
  await refuseServed(options);
  for (const reader of [source, targetReader]) {
    const { rowOrder, tables } = await reader.checkSchema();
    if (rowOrder === null || tablesWith(({ copied }) => copied !== 'not').some((table) => !tables.has(table)))
      throw new CopyFailed(
        'The schema is damaged. Run "transactions verify" on the source and on the target.',
      );
  }
  const [ours, theirs] = [await source.readMark(), await targetReader.readMark()];
  if (ours?.state === 'copying')
    throw new CopyFailed(
      `The source is the target of a copy of ${ours.other} that has not ended. End that copy first.`,
    );
  if (openSource !== null) refuseMovedElsewhere(ours, targetName);
  if (await hasData(targetReader)) {
    if (theirs === undefined && ours?.other === targetName) return true;
    if (theirs?.other !== sourceName) throw foreignTarget(theirs);
  }
  if (theirs?.state === 'moved') {
    // A target that this check refuses must stay marked as `moved`, so the check comes before `target.mark`.
    await refuseOtherTarget(context);
  }
  await target.mark({ state: 'copying', other: sourceName, sinceMs: now() });
  // A service may have written to the target before the mark was stored.
  if (theirs === undefined && (await hasData(targetReader))) {
    await target.unmark();
    throw foreignTarget(undefined);
  }
  return false;
}

/** Two targets of one source would record different changes with the same numbers. */
function refuseMovedElsewhere(ours: CopyMark | undefined, targetName: string): void {
  if (ours?.state === 'moved' && ours.other !== targetName)
    throw new CopyFailed(
      `The source was moved to ${ours.other}, and --to names another database. Copy from ${ours.other} instead. If --to is the same database, write its address in the same way. To copy the source all the same, without what was recorded in ${ours.other} since, run "transactions reopen" on it first.`,
    );
}

async function hasData(reader: CopyReader): Promise<boolean> {
  if ((await reader.nextAccount('')) !== undefined) return true;
  for (const table of COPIED_TABLES)
    if (table !== 'cursor_secret' && (await reader.readRecords(table, null, null)).records.length > 0)
      return true;
  return false;
}

const foreignTarget = (mark: CopyMark | undefined): CopyFailed =>
  new CopyFailed(
    mark === undefined
      ? 'The target has data that is not from a copy of this source. Nothing there was changed. Copy into an empty database.'
      : `The target ${mark.state === 'copying' ? 'is a part of a copy of' : 'was moved to'} ${mark.other}, and --from names another database. If --from is the same database, write its address in the same way. Otherwise, copy into an empty database.`,
  );

/** Services read the mark only when they start, so `target.mark` does not stop one that already runs. */
async function refuseServed({ targetReader, now }: CopyOptions): Promise<void> {
  const { records } = await targetReader.readRecords('instances', null, null);
  if (records.some(({ seen_at_ms: seenMs }) => Math.abs(now() - Number(seenMs)) < INSTANCE_LIFETIME_MS))
    throw new CopyFailed(
      'A service uses the target, and would serve a part of the copy as if it were the whole. Stop it, and run the command again; if it was killed, a minute later.',
    );
}

async function follow(context: CopyContext, { isStopped, pause, onBehind }: Following): Promise<void> {
  const { monotonicMs } = context;
  while (!isStopped()) {
    const startedAtMs = monotonicMs();
    const round = await copyChanges(context);
    const tookMs = monotonicMs() - startedAtMs;
    if (round.changes > 0) await sealTarget(context);
    onBehind({ ...round, seconds: round.changes === 0 ? 0 : tookMs / 1000 });
    await pause(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, tookMs)));
  }
}

async function endBeside({ target, isStopped }: CopyOptions, context: CopyContext): Promise<Equal | Unequal> {
  const found: Unequal = { end: 'source changed', changes: 0, table: null };
  for (let tries = 0; tries < MAX_ROUNDS && !isStopped(); tries++) {
    const { compared, table } = await copyRest(context);
    if (compared.behind === 0 && table === undefined) {
      await target.unmark();
      return { end: 'equal', compared, pausedMs: null };
    }
    Object.assign(found, { changes: compared.behind, table: table ?? null });
  }
  return isStopped() ? { end: 'stopped' } : found;
}

/** Marks the source as moved. If the copy then fails or is stopped, restores the earlier mark, if any. */
async function endMoved(
  { source, target, targetName: other, isStopped, now, onMoved }: CopyOptions,
  openSource: MarkSource,
  context: CopyContext,
): Promise<Equal | Unequal> {
  const marker = await openSource();
  try {
    // The mark is read again, because the source was not locked before `openSource`.
    const before = await source.readMark();
    refuseMovedElsewhere(before, other);
    const giveUp = (reason: string) =>
      (before === undefined ? marker.unmark() : marker.mark(before)).catch(() => {
        throw new CopyFailed(
          `${sentence(reason)} The source may still be marked as moved, and record nothing: run the command again, or "transactions reopen" on the source.`,
        );
      });
    const markedAtMs = context.monotonicMs();
    const mark: CopyMark = { state: 'moved', other, sinceMs: now() };
    let compared: ComparedSides | undefined;
    try {
      // Inside the `try`, because a call that fails may still have stored the mark.
      await marker.mark(mark);
      await requireMark(source, mark);
      onMoved();
      const rest = await copyRest(context);
      if (!isStopped()) compared = rest.compared;
      if (compared !== undefined && (compared.behind > 0 || rest.table !== undefined))
        throw new CopyFailed(
          `The source and the target differ${rest.table === undefined ? '' : ` in the table ${rest.table}`}, although the source was marked as moved. Run the command again.`,
        );
    } catch (error) {
      await giveUp(error instanceof Error ? error.message : String(error));
      throw error;
    }
    if (compared === undefined) {
      await giveUp('The copy was stopped');
      return { end: 'stopped' };
    }
    await target.unmark();
    return { end: 'equal', compared, pausedMs: context.monotonicMs() - markedAtMs };
  } finally {
    await marker.close();
  }
}

async function requireMark(source: CopyReader, mark: CopyMark): Promise<void> {
  const found = await source.readMark();
  if (found?.state !== mark.state || found.other !== mark.other || found.sinceMs !== mark.sinceMs)
    throw new CopyFailed(
      'The source is not the database that was copied: since the copy began, its address leads to another one. Run the command again.',
    );
}
