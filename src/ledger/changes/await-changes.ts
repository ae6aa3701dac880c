import type { ChangeQuery, ChangeReader, ChangeResult } from './change.ts';
import type { ChangeWatcher, WaitOptions } from './change-watcher.ts';
import { listChanges } from './list-changes.ts';

/** A caller that is ready to wait. */
export interface WaitingCaller extends Pick<WaitOptions, 'isAdmitted'> {
  /** Is called before each wait, with a function that ends it because the caller is gone. */
  beforeWait: (leave: () => void) => void;
  /** Is called after each wait, also if it fails to begin. */
  afterWait: () => void;
  /** Rejects if the caller's key is no longer accepted. Is called after each wait that could end with changes. */
  authenticate: () => Promise<void>;
}

export interface AwaitedChanges extends ChangeResult {
  /** When this process recorded the change that ended the wait, by the monotonic clock; undefined without one. */
  recordedAtMs: number | undefined;
}

export interface AwaitChangesDependencies {
  reader: Pick<ChangeReader, 'listChanges'>;
  watcher: Pick<ChangeWatcher, 'observe'>;
  monotonicMs: () => number;
}

/**
 * Lists changes. If there are none, waits for the first one, for at most `waitMs`.
 *
 * Throws: as listChanges; TooManyWaiting.
 */
export async function awaitChanges(
  { reader, watcher, monotonicMs }: AwaitChangesDependencies,
  query: ChangeQuery,
  waitMs: number,
  caller: WaitingCaller,
): Promise<AwaitedChanges> {
  // Before the first read: a recording during the read must end the wait.
  const observation = watcher.observe(query.account);
  const beganAtMs = monotonicMs();
  const wait = async () => {
    caller.beforeWait(() => observation.close());
    try {
      const untilMs = beganAtMs + waitMs;
      return await observation.wait({ after: query.after, untilMs, isAdmitted: caller.isAdmitted });
    } finally {
      caller.afterWait();
    }
  };
  try {
    let result = await listChanges(reader, query);
    while (result.changes.length === 0) {
      const end = await wait();
      const { recordedAtMs } = observation;
      // Nobody reads the response, or a read would delay the stop.
      if (end === 'gone' || end === 'stopped') break;
      await caller.authenticate();
      observation.clear();
      result = await listChanges(reader, query);
      if (result.changes.length > 0) return { ...result, recordedAtMs };
      // A recording that the read before had already seen ends a wait too. The caller then waits again.
      if (end !== 'change') break;
    }
    return { ...result, recordedAtMs: undefined };
  } finally {
    observation.close();
  }
}
