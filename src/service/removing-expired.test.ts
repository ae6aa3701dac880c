import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRemovingExpired } from './removing-expired.ts';

test('a node that fails keeps its own exports alone, which is logged once, until it works again', async () => {
  const removed: string[] = [];
  const warnings: string[] = [];
  let isDown = true;
  const remove = async (node: string) => {
    if (node === 'down' && isDown) throw new Error('down');
    removed.push(node);
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
  const removal = { logger: logger as never, nodes: () => ['down', 'up'], sleep };
  const stop = startRemovingExpired('exports', removal, remove);
  await done.promise;
  stopped.resolve();
  await stop();
  assert.deepEqual(removed, ['up', 'up', 'down', 'up']);
  assert.equal(warnings.length, 1);
});
