import { runSchedules } from '../changes/run-schedules.ts';
import { QUESTIONS_OF_ROUND, runTotals } from '../totals/run-totals.ts';
import { runWalks, WALKS_PER_ROUND } from '../walks/run-walks.ts';
import { type Part, progress, trialsFor } from './part.ts';
import { type StoreName, withDatabase } from './with-database.ts';

const nameOf = (part: string, store: StoreName) => (store === 'SQLite' ? part : `${part}-postgres`);

const walksPart = (store: StoreName): Part => ({
  name: nameOf('walks', store),
  promise: `Reading all pages on ${store} loses, repeats and invents no row during recordings, with any filters`,
  share: 0.15,
  goal: trialsFor(100_000),
  run: ({ first, count, endsAtMs }) =>
    withDatabase(store, async (url) => {
      const { onProgress, perSecond } = progress(`walks on ${store}`);
      const result = await runWalks(url, count, { firstRound: first, endsAtMs, onProgress });
      const { walks, pages, rows, recorded } = result;
      return {
        counts: { 'lists of all subsets of the filters': walks, pages, 'rows shown': rows, recorded },
        seeds: walks / WALKS_PER_ROUND,
        figures: `${perSecond()} walks/s`,
        broken: '0',
      };
    }),
});

function schedulesPart(store: StoreName): Part {
  const run = async (databaseUrl: string | null, { first, count, endsAtMs }: Parameters<Part['run']>[0]) => {
    const { onProgress, perSecond } = progress(`schedules on ${store}`);
    const result = await runSchedules({ databaseUrl, first, count, endsAtMs, onProgress });
    const { schedules, changes, reads, refused, interrupted } = result;
    return {
      counts: { schedules, changes, reads, 'recordings refused': refused, interrupted },
      seeds: schedules,
      figures: `${perSecond()} schedules/s`,
      broken: '0',
    };
  };
  return {
    name: nameOf('schedules', store),
    promise: `The changes of recorders at once on ${store} are numbered without a hole or a repeat, in the order in which they become visible, and make the table`,
    share: 0.1,
    goal: trialsFor(10_000),
    run: (limits) =>
      // On SQLite, each worker has a database in memory.
      store === 'SQLite' ? run(null, limits) : withDatabase(store, (url) => run(url, limits)),
  };
}

const totalsPart = (store: StoreName): Part => ({
  name: nameOf('totals', store),
  promise: `Totals on ${store} are those of the change feed at the number that they have, during recordings and imports`,
  share: 0.05,
  goal: trialsFor(10_000),
  run: ({ first, count, endsAtMs }) =>
    withDatabase(store, async (url) => {
      const { onProgress, perSecond } = progress(`totals on ${store}`);
      const result = await runTotals(url, count, { firstRound: first, endsAtMs, onProgress });
      const { questions, changes } = result;
      return {
        counts: { 'random totals': questions, changes },
        seeds: questions / QUESTIONS_OF_ROUND,
        figures: `${perSecond()} totals/s`,
        broken: '0',
      };
    }),
});

/** The parts that run on both stores. */
export const storeParts = (): Part[] =>
  [walksPart, schedulesPart, totalsPart].flatMap((part) => [part('SQLite'), part('PostgreSQL')]);
