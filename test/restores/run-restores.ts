import { Random } from '../rig/random.ts';
import { postgresDatabase, sqliteDatabase } from './restorable-database.ts';
import { RestoreRun } from './restore-run.ts';

/** Of one database, one after the other. */
const RESTORES_PER_SEED = 5;
/** The other seeds run on SQLite. */
const ON_POSTGRES_EVERY = 4;

interface RestoresOptions {
  /** The first seed. */
  first: number;
  /** Of restores. */
  count: number;
  endsAtMs?: number | undefined;
  onProgress?: (restores: number) => void;
}

/**
 * Restores databases from older backups while readers follow the change feed, each at its own place.
 *
 * Throws: an Error with the seed, whose cause is an AssertionError, if not exactly the readers that have lost changes are refused, or a copy
 * does not become equal.
 */
export async function runRestores(options: RestoresOptions) {
  const { first, count, endsAtMs = Number.POSITIVE_INFINITY, onProgress } = options;
  const result = { seeds: 0, restores: 0, lost: 0, recordedAgain: 0, refused: 0, unaffected: 0 };
  while (result.restores < count && (result.seeds === 0 || performance.now() < endsAtMs)) {
    const seed = first + result.seeds;
    const database = seed % ON_POSTGRES_EVERY === 0 ? await postgresDatabase() : sqliteDatabase();
    const run = new RestoreRun(database, new Random(seed), { restores: RESTORES_PER_SEED });
    try {
      await run.run();
    } catch (error) {
      throw new Error(`restores of seed ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      database.remove();
    }
    result.seeds++;
    result.restores += RESTORES_PER_SEED;
    for (const [name, value] of Object.entries(run.counts)) result[name as keyof typeof run.counts] += value;
    onProgress?.(result.restores);
  }
  return result;
}
