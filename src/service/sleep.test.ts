import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatedly } from './sleep.ts';

test('work is repeated after a pause, and a stop waits for running work', async () => {
  const ends: (() => void)[] = [];
  const pauses: (() => void)[] = [];
  const steps: string[] = [];
  const waitIn = (list: (() => void)[], name: string) => {
    steps.push(name);
    return new Promise<void>((resolve) => list.push(resolve));
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const stop = repeatedly(
    () => waitIn(ends, 'work'),
    5,
    (milliseconds) => waitIn(pauses, `pause ${milliseconds}`),
  );
  await turn();
  assert.deepEqual(steps, ['work']);
  ends.shift()?.();
  await turn();
  assert.deepEqual(steps, ['work', 'pause 5']);
  pauses.shift()?.();
  await turn();
  assert.deepEqual(steps, ['work', 'pause 5', 'work']);
  const stopped = stop().then(() => steps.push('stopped'));
  await turn();
  assert.deepEqual(steps.slice(3), []);
  ends.shift()?.();
  await turn();
  pauses.shift()?.();
  await stopped;
  assert.deepEqual(steps.slice(3), ['pause 5', 'stopped']);
});
