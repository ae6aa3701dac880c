import { API_KEYS, WEBHOOK_ENDPOINTS } from './copied-tables.ts';
import { copyChanges } from './copy-changes.ts';
import type { CopyContext } from './copy-context.ts';
import { copyRecords } from './copy-records.ts';

/** What one round found that the target did not have. */
export interface Behind {
  changes: number;
  accounts: number;
  /** Everything that was recorded before this time is copied: how long ago it was. */
  seconds: number;
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
/** With many accounts, a round takes as long as reading their heads: it uses the source for half of the time at most. */
const MAX_PAUSE_MS = 1000;
/** A key that is revoked must not be accepted long after the switch. */
const RECORDS_EVERY_MS = 5000;

/** Copies in rounds until a stop signal. */
export async function followSource(
  context: CopyContext,
  { isStopped, pause, onBehind }: Following,
  monotonicMs: () => number,
): Promise<void> {
  let recordsAtMs = monotonicMs();
  while (!isStopped()) {
    const startedAtMs = monotonicMs();
    const round = await copyChanges(context);
    const tookMs = monotonicMs() - startedAtMs;
    onBehind({ ...round, seconds: round.changes === 0 ? 0 : tookMs / 1000 });
    if (startedAtMs - recordsAtMs >= RECORDS_EVERY_MS) {
      recordsAtMs = startedAtMs;
      await copyRecords(context, API_KEYS);
      await copyRecords(context, WEBHOOK_ENDPOINTS);
    }
    await pause(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, tookMs)));
  }
}
