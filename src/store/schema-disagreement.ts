import type { Disagreement } from '../core/verify/disagreement.ts';
import { type AppliedMigration, alteredMigrations, type Migration } from './migrations.ts';

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
