import { Random } from '../rig/run/random.ts';
import { postgresDatabase, type RestorableDatabase, sqliteDatabase } from './restorable-database.ts';
import { RestoreRun } from './restore-run.ts';

/** Of one database, one after the other. */
const RESTORES_PER_SEED = 5;
/** The other seeds run on SQLite. */
const ON_POSTGRES_EVERY = 4;

const sqliteOrPostgres = async (seed: number) =>
  seed % ON_POSTGRES_EVERY === 0 ? await postgresDatabase() : sqliteDatabase();

interface RestoresOptions {
  /** The first seed. */
  first: number;
  /** Of restores. */
  count: number;
  endsAtMs?: number | undefined;
  onProgress?: (restores: number) => void;
  /** Makes the database of a seed. Default: SQLite, and each fourth on PostgreSQL. */
  databaseOf?: (seed: number) => Promise<RestorableDatabase>;
}

/**
 * Restores databases from older backups while readers follow the change feed, each at its own place, and receivers of webhooks get the
 * changes.
 *
 * Throws: an Error with the seed, whose cause is an AssertionError, if not exactly the readers that have lost changes are refused, or a copy
 * does not become equal, or a change of the history does not arrive at a receiver.
 */
export async function runRestores(options: RestoresOptions) {
  const {
    first,
    count,
    endsAtMs = Number.POSITIVE_INFINITY,
    onProgress,
    databaseOf = sqliteOrPostgres,
  } = options;
  const counts = { lost: 0, recordedAgain: 0, refused: 0, unaffected: 0, delivered: 0, repeated: 0 };
  const result = { seeds: 0, restores: 0, ...counts };
  while (result.restores < count && (result.seeds === 0 || performance.now() < endsAtMs)) {
    const seed = first + result.seeds;
    const database = await databaseOf(seed);
    const run = new RestoreRun(database, new Random(seed), { restores: RESTORES_PER_SEED });
    try {
      await run.run();
    } catch (error) {
      throw new Error(`restores of seed ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      await database.remove();
    }
    result.seeds++;
    result.restores += RESTORES_PER_SEED;
    for (const [name, value] of Object.entries(run.counts)) result[name as keyof typeof run.counts] += value;
    onProgress?.(result.restores);
  }
  return result;
}
