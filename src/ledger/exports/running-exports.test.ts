import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../../values/unavailable.ts';
import { RunningExports } from './running-exports.ts';

function running(account: string) {
  const stopped: string[] = [];
  return { account, stop: () => void stopped.push(account), stopped };
}

const tooMany = { code: 'too_many_exports' };
const isFor = (reason: string) => (error: unknown) => error instanceof Unavailable && error.reason === reason;

test('the exports that run at once are limited for an account and for a process, and an end makes room for another', () => {
  const exports = new RunningExports({ perAccount: 2, perProcess: 3 });
  const [first, second] = [running('a'), running('a')];
  exports.begin(first);
  exports.begin(second);
  assert.throws(() => exports.begin(running('a')), tooMany);
  const third = running('b');
  exports.begin(third);
  assert.throws(() => exports.begin(running('c')), isFor('exports_limit'));
  exports.end(first);
  exports.end(first);
  exports.begin(running('c'));
  assert.throws(() => exports.begin(running('d')), isFor('exports_limit'));
  assert.deepEqual([first.stopped, second.stopped, third.stopped], [[], [], []]);
});

test('a stop ends all exports, and no export begins after it', () => {
  const exports = new RunningExports({ perAccount: 2, perProcess: 8 });
  const all = [running('a'), running('b')];
  for (const one of all) exports.begin(one);
  exports.stop();
  assert.deepEqual(
    all.map(({ stopped }) => stopped),
    [['a'], ['b']],
  );
  for (const one of all) exports.end(one);
  assert.throws(() => exports.begin(running('c')), isFor('service_stopping'));
});
