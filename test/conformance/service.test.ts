import { type TestContext, test } from 'node:test';
import { makePostgresDatabase, makeServingRole } from '../rig/database/postgres.ts';
import { someInTier } from '../rig/run/tier.ts';
import { turnTest } from '../rig/run/turn-test.ts';
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
