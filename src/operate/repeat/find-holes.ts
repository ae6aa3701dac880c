import { parseTimestamp } from '../../../values/calendar.ts';
import type { AuditReader } from '../../audit/audit.ts';
import type { ReadEntry } from './read-audit.ts';

/** Consecutive entries of a log that are not in the input. At least the last is also not in the database. */
export interface Hole {
  /** The id of the last missing entry, and its time. */
  id: string;
  at: string;
  log: string;
  fromNumber: number;
  toNumber: number;
}

/**
 * Each entry contains the id of the previous entry of its log. There is a hole if that previous entry is
 * neither in `entries` nor in the database. Entries before that one are not looked up, because a database
 * that contains an entry contains all earlier entries of the log too.
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
