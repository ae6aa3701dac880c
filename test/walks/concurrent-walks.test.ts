import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { runWalks } from './run-walks.ts';

const WALKS = inTier({ short: 64, long: 3200 });

test(`${WALKS} walks on SQLite during recordings lose, repeat and invent no row`, async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const result = await runWalks(`sqlite:${folder.path}/walks.db`, WALKS);
  assert.equal(result.walks, WALKS);
  t.diagnostic(
    `${result.rows} rows were shown, none of another account; ${result.recorded} were recorded during the walks`,
  );
});

test(`${WALKS} walks on PostgreSQL during recordings lose, repeat and invent no row`, async (t) => {
  const result = await runWalks(await makeMigratedDatabase(), WALKS);
  assert.equal(result.walks, WALKS);
  t.diagnostic(
    `${result.rows} rows were shown, none of another account; ${result.recorded} were recorded during the walks`,
  );
});
