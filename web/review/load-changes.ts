import type { Change } from '../../client/src/change.ts';
import { LostPositionError } from '../../client/src/errors.ts';
import type { Send } from '../../client/src/send.ts';
import { headOfFeed, readChanges } from '../state/follow-feed.ts';
import type { Recorded } from './findings.ts';

export interface Changed extends Recorded {
  previousStatus: string | null;
}

export interface FoundChanges {
  /** Contains each transaction only once. The transaction with the newest change comes first. */
  changed: readonly Changed[];
  /** The time of the earliest change that was read, if there were too many to read all. */
  readBackTo: string | undefined;
  /** True if the feed starts after the requested time, because earlier changes are archived. */
  isArchived: boolean;
}

interface Since {
  sinceMs: number;
  currency: string | undefined;
}

const PAGE = 1000;
/** About 50 MB of memory. */
const MOST = 50_000;

export async function loadChanges(
  send: Send,
  { sinceMs, currency }: Since,
  signal: AbortSignal,
  onProgress: (count: number) => void,
  { page: limit = PAGE, most = MOST } = {},
): Promise<FoundChanges> {
  const headSequence = await headOfFeed(send, signal);
  let archivedUpTo = 0;
  const changed = new Map<string, Changed>();
  const found = (rest: Partial<FoundChanges> = {}): FoundChanges => ({
    changed: [...changed.values()],
    readBackTo: undefined,
    isArchived: false,
    ...rest,
  });
  let hasOlder = false;
  for (let last = headSequence; last > archivedUpTo; ) {
    const first = Math.max(archivedUpTo, last - limit);
    const page = await readBetween(send, first, last, signal).catch((error: unknown) => {
      if (!(error instanceof LostPositionError) || archivedUpTo > 0 || !error.floorSequence) throw error;
      archivedUpTo = error.floorSequence;
    });
    if (page === undefined) continue;
    const ofTime = page.filter(({ recordedAt }) => Date.parse(recordedAt) >= sinceMs).reverse();
    // Only a whole page of old changes ends the search: one change can look old because of a wrong clock.
    if (ofTime.length === 0) return found();
    hasOlder = ofTime.length < page.length;
    for (const change of ofTime)
      if (currency === undefined || change.transaction.currencyCode === currency) add(changed, change);
    last = first;
    const count = headSequence - last;
    onProgress(count);
    if (count >= most && last > archivedUpTo) return found({ readBackTo: (page[0] as Change).recordedAt });
  }
  return found({ isArchived: archivedUpTo > 0 && !hasOlder });
}

async function readBetween(send: Send, after: number, last: number, signal: AbortSignal): Promise<Change[]> {
  const changes: Change[] = [];
  for (let next = after; next < last; ) {
    const page = await readChanges(send, { after: next, limit: last - next }, signal);
    // The feed has fewer changes if the database was restored from a backup in the meantime.
    if (page.data.length === 0) break;
    changes.push(...page.data);
    next = page.lastSequence;
  }
  return changes;
}

/** Must be called with newer changes first. The oldest change of a transaction sets `previousStatus`. */
function add(changed: Map<string, Changed>, { recordedAt, previousStatus, transaction }: Change): void {
  const { reference } = transaction;
  const later = changed.get(reference) ?? { ...transaction, recordedAt, statusRecordedAt: recordedAt };
  changed.set(reference, { ...later, previousStatus });
}
