import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRemovingExpired } from './removing-expired.ts';

test('a removal that fails is logged once, until it works again', async () => {
  const fails = [true, true, false, true];
  const warnings: string[] = [];
  const done = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const remove = async () => {
    if (fails.shift()) throw new Error('down');
  };
  const sleep = async () => {
    if (fails.length > 0) return;
    done.resolve();
    await stopped.promise;
  };
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const stop = startRemovingExpired('exports', { logger: logger as never, sleep }, remove);
  await done.promise;
  stopped.resolve();
  await stop();
  assert.equal(warnings.length, 2);
});
