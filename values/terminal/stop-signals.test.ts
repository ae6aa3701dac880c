import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, test } from 'node:test';
import { onStopSignal, type StopReason } from './stop-signals.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

// The test runner handles the signals of the process, so the test sends signals through this emitter.
const signals = new EventEmitter();
let forget = () => {};
afterEach(() => forget());

const handled = () => SIGNALS.filter((signal) => signals.listenerCount(signal) > 0);

test('every stop signal is handled, and the first one is reported', () => {
  for (const signal of SIGNALS) {
    const reasons: StopReason[] = [];
    forget = onStopSignal((reason) => reasons.push(reason), { again: 'ignored' }, signals);
    for (const one of [signal, ...SIGNALS]) signals.emit(one, one);
    assert.deepEqual(reasons, [signal]);
    forget();
    assert.deepEqual(handled(), []);
  }
});

test('a second signal within a second is the same one, and a later one ends the process', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let calls = 0;
  forget = onStopSignal(() => calls++, { again: 'ends the process' }, signals);
  signals.emit('SIGINT', 'SIGINT');
  t.mock.timers.tick(999);
  signals.emit('SIGINT', 'SIGINT');
  assert.deepEqual([calls, handled()], [1, [...SIGNALS]]);
  t.mock.timers.tick(1);
  assert.deepEqual(handled(), []);
});
