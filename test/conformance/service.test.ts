import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makePostgresDatabase, makeServingRole } from '../rig/database/postgres.ts';
import { someInTier } from '../rig/run/tier.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { transactionsOf } from './account-rows.ts';
import { serveFilled } from './filled-service.ts';
import { judgeService } from './judge-service.ts';

const JUDGED: [name: string, judge: (t: TestContext) => Promise<void>][] = [
  ['SQLite passes every check', (t) => judgeService(t, 'sqlite:conformance.db')],
  [
    'PostgreSQL passes every check, with the accounts served by a role that has only the rights that migrate grants',
    async (t) => {
      const url = await makePostgresDatabase();
      await judgeService(t, url, { servingUrl: async () => (await makeServingRole(url)).url });
    },
  ],
];

for (const [name, judge] of someInTier(JUDGED, 1)) test(`the service on ${name}`, judge);

turnTest('the service passes every check that needs no key of the operator', (t) =>
  judgeService(t, 'sqlite:conformance.db', { withOperator: false }),
);

turnTest('a reference that a large account and another account share is not judged', async (t) => {
  const large = transactionsOf('store-1', 900);
  const shared = large.slice(-1).map((row) => ({ ...row, amount: `5${row.amount}` }));
  const { read } = await serveFilled(t, {}, (account) => (account === 'store-1' ? large : shared));
  const { results } = await read({ only: ['retrieve.other-account'] });
  assert.deepEqual(
    results.map(({ outcome, reason }) => [outcome, reason]),
    [['not judged', 'both accounts have this reference']],
  );
});
