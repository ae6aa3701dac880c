import { type AppliedMigration, alteredMigrations, type Migration } from '../../db/migrations.ts';
import type { Disagreement } from './disagreement.ts';

/** A part of the schema that differs from what the migrations make. */
export const schemaDisagreement = (place: string, found: string, expected: string): Disagreement => ({
  check: 'schema',
  account: null,
  place,
  found,
  expected,
});

/** Migrations that were applied with another text than this program's. */
export const migrationDisagreements = (
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Disagreement[] =>
  alteredMigrations(migrations, applied).map(({ version, name }) =>
    schemaDisagreement(
      `migration ${version} ${name}`,
      'another checksum',
      "the checksum of this program's migration",
    ),
  );
