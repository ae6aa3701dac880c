import { runSchedules, sharesOf } from '../changes/run-schedules.ts';
import type { ScheduleCounts } from '../changes/schedule.ts';
import { runTotals, type TotalsResult } from '../totals/run-totals.ts';
import { runWalks, type WalksResult } from '../walks/run-walks.ts';
import type { PartResult } from './long-run-table.ts';
import { number, type Part, type PartLimits, progress } from './part.ts';
import { type StoreName, withDatabase } from './with-database.ts';

export interface StorePartSizes {
  first: number;
  walks: number;
  schedules: number;
  questions: number;
}

const nameOf = (part: string, store: StoreName) => (store === 'SQLite' ? part : `${part}-postgres`);

function walksPart(store: StoreName, { walks }: StorePartSizes): Part {
  const found = ({ walks, pages, rows, recorded }: WalksResult, perSecond: string): PartResult => ({
    howMuch: `${number(walks)} walks of all subsets of the filters, ${number(pages)} pages, ${number(rows)} rows shown, none foreign, ${number(recorded)} recorded (${perSecond} walks/s)`,
    broken: '0',
  });
  return {
    name: nameOf('walks', store),
    promise: `A walk on ${store} loses, repeats and invents no row during recordings, with any filters`,
    share: 0.15,
    run: ({ endsAtMs }) =>
      withDatabase(store, async (url) => {
        const { onProgress, perSecond } = progress(`walks on ${store}`);
        return found(await runWalks(url, walks / 2, { endsAtMs, onProgress }), perSecond());
      }),
  };
}

function schedulesPart(store: StoreName, { schedules, first }: StorePartSizes): Part {
  const found = (counts: ScheduleCounts, perSecond: string): PartResult => ({
    howMuch: `${number(counts.schedules)} schedules, ${number(counts.changes)} changes, ${number(counts.reads)} reads, ${number(counts.refused)} recordings refused, ${number(counts.interrupted)} interrupted (${perSecond} schedules/s)`,
    broken: '0',
  });
  const run = async (databaseUrl: string | null, { endsAtMs }: PartLimits) => {
    const { onProgress, perSecond } = progress(`schedules on ${store}`);
    const count = sharesOf(schedules)[databaseUrl === null ? 'sqlite' : 'postgres'];
    return found(await runSchedules({ databaseUrl, first, count, endsAtMs, onProgress }), perSecond());
  };
  return {
    name: nameOf('schedules', store),
    promise: `The changes of recorders at once on ${store} are numbered without a hole or a repeat, in the order in which they become visible, and make the table`,
    share: 0.1,
    run: (limits) =>
      // On SQLite, each worker has a database in memory.
      store === 'SQLite' ? run(null, limits) : withDatabase(store, (url) => run(url, limits)),
  };
}

function totalsPart(store: StoreName, { questions }: StorePartSizes): Part {
  const found = ({ questions, changes, behind, kills }: TotalsResult, perSecond: string): PartResult => ({
    howMuch: `${number(questions)} random totals, ${number(changes)} changes, ${number(behind)} answers with changes after the roll-up, ${number(kills)} kills (${perSecond} totals/s)`,
    broken: '0',
  });
  return {
    name: nameOf('totals', store),
    promise: `Totals on ${store} are those of the change feed at the number that they have, during recordings, imports and folding by several instances, some of them killed`,
    share: 0.05,
    run: ({ endsAtMs }) =>
      withDatabase(store, async (url) => {
        const { onProgress, perSecond } = progress(`totals on ${store}`);
        return found(await runTotals(url, questions / 2, { endsAtMs, onProgress }), perSecond());
      }),
  };
}

/** The parts that run on both stores. */
export function storeParts(sizes: StorePartSizes): Part[] {
  return [walksPart, schedulesPart, totalsPart].flatMap((part) => [
    part('SQLite', sizes),
    part('PostgreSQL', sizes),
  ]);
}
