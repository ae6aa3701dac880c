import type { ChangeQuery, ChangeReader, ChangeResult } from './change.ts';
import type { ChangeWatcher, WaitEnd, WaitOptions } from './change-watcher.ts';
import { listChanges } from './changes.ts';

export interface WaitingCaller extends Pick<WaitOptions, 'isAdmitted'> {
  /** Runs a wait. `gone` is aborted when the caller disconnects. */
  whileWaiting: (wait: (gone: AbortSignal) => Promise<WaitEnd>) => Promise<WaitEnd>;
}

export interface AwaitedChanges extends ChangeResult {
  /** The monotonic time at which this process recorded the change that ended the wait; or undefined. */
  recordedAtMs: number | undefined;
}

interface AwaitChangesDependencies {
  reader: Pick<ChangeReader, 'listChanges'>;
  watcher: Pick<ChangeWatcher, 'observe'>;
  monotonicMs: () => number;
}

/**
 * Lists changes. If there are none, waits up to `waitMs` for the first one.
 *
 * Throws: what listChanges throws; a Problem if too many callers wait.
 */
export async function awaitChanges(
  { reader, watcher, monotonicMs }: AwaitChangesDependencies,
  query: ChangeQuery,
  waitMs: number,
  caller: WaitingCaller,
): Promise<AwaitedChanges> {
  // Observe before the first read, because a recording during the read must end the wait.
  const observation = watcher.observe(query.account);
  const beganAtMs = monotonicMs();
  const wait = (gone: AbortSignal) => {
    if (gone.aborted) observation.close();
    else gone.addEventListener('abort', () => observation.close(), { once: true });
    const untilMs = beganAtMs + waitMs;
    return observation.wait({ after: query.after, untilMs, isAdmitted: caller.isAdmitted });
  };
  try {
    let result = await listChanges(reader, query);
    while (result.changes.length === 0) {
      const end = await caller.whileWaiting(wait);
      const { recordedAtMs } = observation;
      // Do not read again: nobody would get the result, or the read would delay the stop.
      if (end === 'gone' || end === 'refused' || end === 'stopped') break;
      observation.clear();
      result = await listChanges(reader, query);
      if (result.changes.length > 0) return { ...result, recordedAtMs };
      // The noticed recording may be of a change that the caller already has. Then the caller waits again.
      if (end !== 'change') break;
    }
    return { ...result, recordedAtMs: undefined };
  } finally {
    observation.close();
  }
}
