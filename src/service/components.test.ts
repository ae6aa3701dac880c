import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runComponents } from './components.ts';

function rig() {
  const events: string[] = [];
  const logger = { error: ({ component }: { component: string }) => void events.push(`logged ${component}`) };
  const stops = (name: string) => () => void events.push(`stopped ${name}`);
  return { events, logger: logger as never, stops };
}

test('a component that fails to stop does not keep the others from stopping, and each failure is logged', async () => {
  const { events, logger, stops } = rig();
  const first = new Error('the first');
  const ended = runComponents(logger, async (components) => {
    components.add('the sender', stops('the sender'));
    components.add('metrics', () => Promise.reject(new Error('another')));
    components.nextStage();
    components.add('a listener', stops('a listener'));
    components.add('totals', () => {
      throw first;
    });
  });
  await assert.rejects(ended, first);
  assert.deepEqual(events.toSorted(), [
    'logged metrics',
    'logged totals',
    'stopped a listener',
    'stopped the sender',
  ]);
});

test('a stage stops only after all components of the next stage have stopped', async () => {
  const { events, logger, stops } = rig();
  const request = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const ended = runComponents(logger, async (components) => {
    components.add('the sender', stops('the sender'));
    components.nextStage();
    components.add('a listener', async () => {
      asked.resolve();
      await request.promise;
      events.push('stopped a listener');
    });
  });
  await asked.promise;
  assert.deepEqual(events, []);
  request.resolve();
  await ended;
  assert.deepEqual(events, ['stopped a listener', 'stopped the sender']);
});
