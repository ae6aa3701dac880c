import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier, someInTier } from '../rig/run/tier.ts';
import { runOutage } from './run-outage.ts';

const CHANGES = inTier({ short: 2000, long: 10_000 });

const DATABASES = [
  { name: 'SQLite', make: (folder: string) => `sqlite:${folder}/outage.db` },
  { name: 'PostgreSQL', make: () => makePostgresDatabase() },
];

for (const { name, make } of someInTier(DATABASES, 1))
  test(`a receiver is down across ${CHANGES} changes: the database has no row for each, and everything arrives once: ${name}`, {
    timeout: GIVE_UP_MS,
  }, async (t) => {
    const { path } = temporaryFolder(t);
    const { refused, delivered, rows } = await runOutage(await make(path), CHANGES);
    t.diagnostic(`${refused} attempts refused, ${delivered} delivered; rows: ${JSON.stringify([...rows])}`);
    assert.equal(delivered, 2 * CHANGES);
  });
