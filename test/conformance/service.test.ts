import { test } from 'node:test';
import { makePostgresDatabase, makeServingRole } from '../rig/database/postgres.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { judgeService } from './judge-service.ts';

test('the service on SQLite passes every check', async (t) => judgeService(t, 'sqlite:conformance.db'));

test('the service on PostgreSQL passes every check, with the accounts served by a role that has only the rights that migrate grants', async (t) => {
  const url = await makePostgresDatabase();
  await judgeService(t, url, { servingUrl: async () => (await makeServingRole(url)).url });
});

turnTest('the service passes every check that needs no key of the operator', (t) =>
  judgeService(t, 'sqlite:conformance.db', { withOperator: false }),
);
