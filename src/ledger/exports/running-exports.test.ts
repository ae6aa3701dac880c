import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../values/unavailable.ts';
import { RunningExports, TooManyExports } from './running-exports.ts';

function running(account: string, id: string | null = null) {
  const reasons: string[] = [];
  return { account, id, stop: (reason: string) => void reasons.push(reason), reasons };
}

const tooMany = (error: unknown) => error instanceof TooManyExports && error.scope === 'running';
const isFor = (reason: string) => (error: unknown) => error instanceof Unavailable && error.reason === reason;

test('an account and a process can run so many exports at once, and further ones when one has ended', () => {
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
  assert.deepEqual([first.reasons, second.reasons, third.reasons], [[], [], []]);
});

test('an export that is resumed ends the one that runs, and has its place', () => {
  const exports = new RunningExports({ perAccount: 1, perProcess: 8 });
  const old = running('a', 'exp_1');
  const other = running('b', 'exp_2');
  exports.begin(old);
  exports.begin(other);
  const taken = running('a');
  exports.begin(taken, 'exp_1');
  assert.deepEqual(old.reasons, []);
  exports.supersede(taken, 'exp_1');
  assert.deepEqual([old.reasons, other.reasons, taken.reasons], [['superseded'], [], []]);
  exports.end(old);
  assert.throws(() => exports.begin(running('a')), tooMany);
});

test('requests that resume the same export at once do not end each other, and have one place together with it', () => {
  const exports = new RunningExports({ perAccount: 1, perProcess: 8 });
  const [old, first] = [running('a', 'exp_1'), running('a')];
  exports.begin(old);
  exports.begin(first, 'exp_1');
  assert.throws(() => exports.begin(running('a'), 'exp_1'), tooMany);
  exports.supersede(first, 'exp_1');
  assert.deepEqual([old.reasons, first.reasons, first.id], [['superseded'], [], 'exp_1']);
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
  assert.throws(() => exports.begin(running('c')), isFor('service_stopping'));
});

test('an account gets its second export only while others can still begin one', () => {
  const exports = new RunningExports({ perAccount: 2, perProcess: 4 });
  exports.begin(running('a'));
  exports.begin(running('b'));
  exports.begin(running('b'));
  assert.throws(() => exports.begin(running('a')), isFor('exports_limit'));
  exports.begin(running('c'));
  assert.throws(() => exports.begin(running('d')), isFor('exports_limit'));
});
