import { test } from 'node:test';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { judgeService } from './judge-service.ts';

const DATABASES = [
  { name: 'SQLite', make: async () => 'sqlite:conformance.db' },
  { name: 'PostgreSQL', make: () => makePostgresDatabase() },
];

for (const { name, make } of DATABASES)
  test(`the service on ${name} passes every check`, async (t) => judgeService(t, await make()));
