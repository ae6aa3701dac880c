import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunningExports, TooManyExports } from './running-exports.ts';

function running(account: string, id: string | null = null) {
  const reasons: string[] = [];
  return { account, id, stop: (reason: string) => void reasons.push(reason), reasons };
}

const tooMany = (scope: string) => (error: unknown) =>
  error instanceof TooManyExports && error.scope === scope;

test('an account and a process can run so many exports at once, and further ones when one has ended', () => {
  const exports = new RunningExports({ perAccount: 2, perProcess: 3 });
  const [first, second] = [running('a'), running('a')];
  exports.begin(first);
  exports.begin(second);
  assert.throws(() => exports.begin(running('a')), tooMany('account'));
  const third = running('b');
  exports.begin(third);
  assert.throws(() => exports.begin(running('c')), tooMany('process'));
  exports.end(first);
  exports.end(first);
  exports.begin(running('c'));
  assert.throws(() => exports.begin(running('d')), tooMany('process'));
  assert.deepEqual([first.reasons, second.reasons, third.reasons], [[], [], []]);
});

test('an export that is taken up again ends the one that runs, and has its place', () => {
  const exports = new RunningExports({ perAccount: 1, perProcess: 8 });
  const old = running('a', 'exp_1');
  const other = running('b', 'exp_2');
  exports.begin(old);
  exports.begin(other);
  exports.supersede('exp_1');
  assert.deepEqual([old.reasons, other.reasons], [['superseded'], []]);
  exports.begin(running('a', 'exp_1'));
  exports.end(old);
  assert.throws(() => exports.begin(running('a')), tooMany('account'));
});

test('a stop ends all, and none begins after it', () => {
  const exports = new RunningExports({ perAccount: 2, perProcess: 8 });
  const all = [running('a', 'exp_1'), running('b')];
  for (const one of all) exports.begin(one);
  exports.stop();
  assert.deepEqual(
    all.map(({ reasons }) => reasons),
    [['stopped'], ['stopped']],
  );
  for (const one of all) exports.end(one);
  assert.throws(() => exports.begin(running('c')), tooMany('process'));
});
