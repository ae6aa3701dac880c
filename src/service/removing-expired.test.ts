import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatUntil } from '../../test/rig/service/repeated-work.ts';
import { startRemovingExpired } from './removing-expired.ts';

test('a removal that fails is logged once, until it works again', async () => {
  const fails = [true, true, false, true];
  const warnings: string[] = [];
  const remove = async () => {
    if (fails.shift()) throw new Error('down');
  };
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  await repeatUntil(
    () => fails.length === 0,
    (sleep) => startRemovingExpired('exports', { logger: logger as never, sleep }, remove),
  );
  assert.equal(warnings.length, 2);
});
