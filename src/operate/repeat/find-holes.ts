import { parseTimestamp } from '../../../values/calendar.ts';
import type { AuditReader } from '../../audit/audit.ts';
import type { ReadEntry } from './read-audit.ts';

/** Entries of a log that were not given. The last of them is not in the database either. */
export interface Hole {
  /** The id of the last missing entry, and its time. */
  id: string;
  at: string;
  log: string;
  fromNumber: number;
  toNumber: number;
}

/**
 * Each entry of a log contains the id of the previous entry. There is a hole if the previous entry is neither
 * in `entries` nor in the database. A database that has an entry of a log has all earlier entries too.
 */
export async function findHoles(entries: readonly ReadEntry[], store: AuditReader): Promise<Hole[]> {
  const given = new Set(entries.map(({ id }) => id));
  const holes: Hole[] = [];
  for (const [log, ofLog] of Map.groupBy(entries, ({ logged }) => logged?.log)) {
    if (log === undefined) continue;
    const numbers = ofLog.map(({ logged }) => logged?.number as number);
    for (const { logged } of ofLog) {
      const previous = logged?.previous ?? null;
      if (logged === undefined || previous === null || given.has(previous.id)) continue;
      const { id, at } = previous;
      const position = { atMs: parseTimestamp(at) ?? 0, id: id.slice(0, -1) };
      const [found] = await store.listAudit(null, position, 1);
      if (found?.id === id) continue;
      const before = numbers.filter((number) => number < logged.number);
      holes.push({ id, at, log, fromNumber: Math.max(0, ...before) + 1, toNumber: logged.number - 1 });
    }
  }
  return holes;
}
