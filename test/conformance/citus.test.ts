import { test } from 'node:test';
import { makeCitusDatabase, onCitus } from '../rig/database/citus.ts';
import { judgeService } from './judge-service.ts';

onCitus('the kit on Citus', () => {
  test('the service on Citus passes every check', async (t) => judgeService(t, await makeCitusDatabase()));
});
