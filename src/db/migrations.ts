import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StoreRefused } from '../../values/store-errors.ts';

/** The text of a released migration never changes. */
export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

export interface AppliedMigration {
  version: number;
  checksum: string;
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .sort()
    .map((fileName, index) => {
      const [, number, name] = FILE_NAME.exec(fileName) ?? [];
      if (number === undefined || name === undefined || Number(number) !== index + 1) {
        throw new Error(`${fileName} is not migration ${index + 1} of its folder`);
      }
      const sql = readFileSync(new URL(fileName, folder), 'utf8');
      return { version: index + 1, name, sql, checksum: hash('sha256', sql, 'hex') };
    });
}

/** Throws: StoreRefused if the database is newer than the program, or if a migration's text differs. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const newest = Math.max(0, ...applied.map(({ version }) => version));
  if (newest > known.length) {
    throw new StoreRefused(
      `its schema is at version ${newest} and this program knows up to ${known.length}: run a newer program. Nothing was changed.`,
    );
  }
  for (const { version, checksum } of applied) {
    if (known[version - 1]?.checksum !== checksum) {
      throw new StoreRefused(
        `its migration ${version} differs from this program's: run the program that applied it. Nothing was changed.`,
      );
    }
  }
  const done = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !done.has(version));
}

export interface Unmigrated {
  pending: Migration[];
  isEmpty: boolean;
  /** Absent for SQLite. */
  missingRights?: string[];
}

/** Throws: StoreRefused. */
export function unmigratedOf(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Unmigrated | undefined {
  const pending = pendingMigrations(known, applied);
  return pending.length === 0 ? undefined : { pending, isEmpty: applied.length === 0 };
}

export const FIND_DATABASE =
  'Set DATABASE_URL to the database of the service, in the environment or in .env. "transactions migrate" makes a new database.';

export function refuseUnmigrated(needed: Unmigrated): never {
  if (needed.isEmpty) throw new StoreRefused(`it is empty. ${FIND_DATABASE}`);
  throw new StoreRefused(
    `its schema is older than this program's. Run the version of the program that serves it, or run "transactions migrate", after which an older program can't start. Nothing was changed. Missing: ${needed.pending.map(migrationName).join(', ')}.`,
  );
}

export const migrationName = ({ version, name }: Migration) => `${version} ${name}`;

export function alteredMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  return applied.flatMap(({ version, checksum }) => {
    const migration = known[version - 1];
    return migration === undefined || migration.checksum === checksum ? [] : [migration];
  });
}

/** Ignores the texts of migrations. Throws: StoreRefused if the database is newer than the program. */
export function unappliedOf(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Unmigrated | undefined {
  return unmigratedOf(
    known,
    applied.map(({ version, checksum }) => ({ version, checksum: known[version - 1]?.checksum ?? checksum })),
  );
}
