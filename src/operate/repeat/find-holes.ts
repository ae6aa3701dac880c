import { parseTimestamp } from '../../../values/calendar.ts';
import type { AuditReader } from '../../audit/audit.ts';
import type { ReadEntry } from './read-audit.ts';

export interface Hole {
  /** The id of the last missing entry, and its time. */
  id: string;
  at: string;
  log: string;
  fromNumber: number;
  toNumber: number;
}

/** Looks up only each entry's predecessor: a database that contains it contains all earlier entries. */
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
