import { test } from 'node:test';
import { makePostgresDatabase } from '../rig/postgres.ts';
import { judgeService } from './judge-service.ts';

test('the service on SQLite passes every check', (t) => judgeService(t, 'sqlite:conformance.db'));

test('the service on PostgreSQL passes every check', async (t) =>
  judgeService(t, await makePostgresDatabase()));
