import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../values/unavailable.ts';
import { RunningTests, TESTS_OF_PROCESS } from './test-webhook.ts';

const isFor = (reason: string) => (error: unknown) => error instanceof Unavailable && error.reason === reason;

function begin(
  tests: RunningTests,
  account: string,
): { ended: Promise<string>; end: (fails?: boolean) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const ended = tests.run(account, () => promise);
  return { ended, end: (fails = false) => (fails ? reject(new Error('fails')) : resolve('done')) };
}

test('a test of an account beyond its limit is refused until one of them has ended, also by failing', async () => {
  const tests = new RunningTests();
  const first = begin(tests, 'a');
  const second = begin(tests, 'a');
  await assert.rejects(begin(tests, 'a').ended, { code: 'too_many_tests' });
  first.end(true);
  await assert.rejects(first.ended, /fails/);
  const third = begin(tests, 'a');
  await assert.rejects(begin(tests, 'a').ended, { code: 'too_many_tests' });
  second.end();
  third.end();
  assert.deepEqual([await second.ended, await third.ended], ['done', 'done']);
});

test('tests of all accounts together are limited', async () => {
  const tests = new RunningTests();
  const running = Array.from({ length: TESTS_OF_PROCESS }, (_, index) => begin(tests, `a${index}`));
  await assert.rejects(begin(tests, 'd').ended, isFor('tests_limit'));
  for (const { end } of running) end();
  for (const { ended } of running) await ended;
  const again = begin(tests, 'd');
  again.end();
  assert.equal(await again.ended, 'done');
});

test('the stop aborts the signal, and no test begins after it', async () => {
  const tests = new RunningTests();
  assert.equal(tests.stopSignal.aborted, false);
  tests.stop();
  assert.equal(tests.stopSignal.aborted, true);
  await assert.rejects(begin(tests, 'a').ended, isFor('service_stopping'));
});
