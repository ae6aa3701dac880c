import { test } from 'node:test';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { judgeService } from './judge-service.ts';

test('the service on SQLite passes every check', async (t) => judgeService(t, 'sqlite:conformance.db'));

test('the service on PostgreSQL passes every check', async (t) =>
  judgeService(t, await makePostgresDatabase()));

test('the service passes every check that needs no key of the operator', async (t) =>
  judgeService(t, 'sqlite:conformance.db', { withOperator: false }));
