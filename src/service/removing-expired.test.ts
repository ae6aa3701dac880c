import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPORT_LIFETIME_MS } from '../ledger/exports/export.ts';
import { startRemovingExports } from './expired-exports.ts';

test('a server that fails keeps its own exports alone, which is logged once, until it works again', async () => {
  const removed: string[] = [];
  const warnings: string[] = [];
  let isDown = true;
  const store = {
    servers: () => ['down', 'up'],
    removeExpiredExports: async (expiredMs: number, server = '') => {
      if (server === 'down' && isDown) throw new Error('down');
      removed.push(`${server} ${expiredMs}`);
    },
  };
  const done = Promise.withResolvers<void>();
  let rounds = 0;
  const sleep = async () => {
    rounds++;
    if (rounds === 2) isDown = false;
    if (rounds === 3) done.resolve();
    if (rounds >= 3) await stopped.promise;
  };
  const stopped = Promise.withResolvers<void>();
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const stop = startRemovingExports(store, logger as never, () => EXPORT_LIFETIME_MS + 7, sleep);
  await done.promise;
  stopped.resolve();
  await stop();
  assert.deepEqual(removed, ['up 7', 'up 7', 'down 7', 'up 7']);
  assert.equal(warnings.length, 1);
});
