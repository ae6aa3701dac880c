import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from 'pino';
import { startNumbering } from './numbering.ts';

test('a failure is logged once and tried again soon; after success, the next look is a minute later', async () => {
  const outcomes: (number | Error)[] = [new Error('held'), new Error('held'), 3, 0];
  const logged: string[] = [];
  const logger = {
    info: (fields: object | string, text?: string) => logged.push(text ?? String(fields)),
    warn: (_fields: object, text: string) => logged.push(text),
  } as unknown as Logger;
  const numberTransactions = async () => {
    const outcome = outcomes.shift() ?? 0;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const slept: number[] = [];
  const done = Promise.withResolvers<void>();
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    slept.push(milliseconds);
    if (outcomes.length > 0) return;
    done.resolve();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const stop = startNumbering({ numberTransactions }, logger, sleep);
  await done.promise;
  await stop();
  assert.deepEqual(slept, [5000, 5000, 50, 60_000]);
  assert.deepEqual(logged, [
    'could not number transactions; trying again later',
    'numbering transactions of an earlier version',
    'numbered transactions of an earlier version',
  ]);
});
