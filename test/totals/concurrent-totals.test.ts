import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { runTotals } from './run-totals.ts';

const QUESTIONS = inTier({ short: 300, long: 2000 });

async function checkQuestions(t: TestContext, databaseUrl: string): Promise<void> {
  const { questions, changes } = await runTotals(databaseUrl, QUESTIONS);
  assert.equal(questions, QUESTIONS);
  t.diagnostic(`${changes} changes`);
}

test(`${QUESTIONS} totals on SQLite during recordings and imports are those of the change feed`, async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  await checkQuestions(t, `sqlite:${folder.path}/totals.db`);
});

test(`${QUESTIONS} totals on PostgreSQL during recordings and imports are those of the change feed`, async (t) => {
  await checkQuestions(t, await makeMigratedDatabase());
});
