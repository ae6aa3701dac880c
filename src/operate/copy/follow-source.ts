import type { CheckWhileFollowing } from './check-while-following.ts';
import { API_KEYS, WEBHOOK_ENDPOINTS } from './copied-tables.ts';
import { copyChanges } from './copy-changes.ts';
import type { CopyContext } from './copy-context.ts';
import { copyRecords } from './copy-records.ts';
import { compareHistories } from './histories.ts';

/** What one round found that the target did not have. */
export interface Behind {
  changes: number;
  accounts: number;
  /** Everything that was recorded before this time is copied: how long ago it was. */
  seconds: number;
  /** How many accounts need not be compared at the end, unless they change, of all. */
  compared: { accounts: number; of: number };
}

/** Goes on with what the source records meanwhile. */
export interface Following {
  /** Whether a stop signal was received: then the rest is copied, and both sides are compared. */
  isStopped(): boolean;
  /** Resolves after the time, or at the stop signal. */
  pause(milliseconds: number): Promise<void>;
  onBehind(behind: Behind): void;
}

const MIN_PAUSE_MS = 200;
/**
 * The longest pause between two rounds. A round over many accounts takes as long as reading their heads: it uses the source for
 * half of the time at most.
 */
const MAX_PAUSE_MS = 1000;
/** Accounts are checked in the pauses, for half of the time at most: a round waits for one slice, or for one read that is longer. */
const SLICE_MS = 20;
/** A key that is revoked must not be accepted long after the switch. */
const RECORDS_EVERY_MS = 5000;
/** A source that was restored, and has as many changes as before, shows it only by the ids of the last ones. */
const HISTORIES_EVERY_MS = 5000;
/**
 * The pause after a comparison, as a multiple of its time. Comparing many accounts takes longer: it uses at most a twentieth of
 * the time.
 */
const PAUSE_OF_COMPARING = 20;

/**
 * Copies in rounds until a stop signal, or until the check has found a disagreement.
 *
 * Throws: TargetContradicts.
 */
export async function followSource(
  context: CopyContext,
  following: Following,
  check: CheckWhileFollowing,
  monotonicMs: () => number,
): Promise<void> {
  const { isStopped, onBehind } = following;
  let recordsAtMs = monotonicMs();
  let historiesAtMs = recordsAtMs + HISTORIES_EVERY_MS;
  while (!isStopped() && check.disagreements === 0) {
    const startedAtMs = monotonicMs();
    const { allAccounts, ...round } = await copyChanges(context);
    const tookMs = monotonicMs() - startedAtMs;
    const compared = { accounts: context.checked.size, of: allAccounts };
    onBehind({ ...round, seconds: round.changes === 0 ? 0 : tookMs / 1000, compared });
    if (startedAtMs - recordsAtMs >= RECORDS_EVERY_MS) {
      recordsAtMs = startedAtMs;
      await copyRecords(context, API_KEYS);
      await copyRecords(context, WEBHOOK_ENDPOINTS);
    }
    if (startedAtMs >= historiesAtMs) {
      const comparingMs = monotonicMs();
      await compareHistories(context.source, context.targetReader);
      const pauseMs = PAUSE_OF_COMPARING * (monotonicMs() - comparingMs);
      historiesAtMs = monotonicMs() + Math.max(HISTORIES_EVERY_MS, pauseMs);
    }
    const untilMs = monotonicMs() + Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, tookMs));
    await checkUntil(untilMs, following, check, monotonicMs);
  }
}

/** Works and pauses in turns. */
async function checkUntil(
  untilMs: number,
  { isStopped, pause }: Following,
  check: CheckWhileFollowing,
  monotonicMs: () => number,
): Promise<void> {
  for (let nowMs = monotonicMs(); nowMs < untilMs && !isStopped(); nowMs = monotonicMs()) {
    const hasMore = await check.work(SLICE_MS);
    const workedMs = monotonicMs() - nowMs;
    await pause(hasMore ? workedMs : untilMs - nowMs);
  }
}
