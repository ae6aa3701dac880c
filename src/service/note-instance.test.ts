import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatUntil } from '../../test/rig/service/repeated-work.ts';
import { StoreRefused, StoreUnavailable } from '../../values/store-errors.ts';
import { readConfig } from '../config/read-config.ts';
import type { Instance } from '../instances/instance.ts';
import { startNotingInstance } from './note-instance.ts';

const AWAY = new StoreUnavailable('database_connection', 'away');

async function noting(ends: readonly (Error | undefined)[]) {
  const calls: string[] = [];
  const noted: Instance[] = [];
  const left = [...ends];
  const read = readConfig({});
  assert.ok('config' in read);
  const { config } = read;
  const store = {
    noteInstance: async (instance: Instance) => {
      calls.push('note');
      noted.push(instance);
      const end = left.shift();
      if (end !== undefined) throw end;
    },
    removeInstance: async (instance: string) => {
      calls.push(`remove ${instance}`);
      throw AWAY;
    },
  };
  const logger = { warn: (_: unknown, text: string) => calls.push(`warn: ${text}`) } as never;
  await repeatUntil(
    () => left.length === 0,
    (sleep) => startNotingInstance({ store, config, instance: 'one', logger, sleep }),
  );
  return { calls, noted };
}

test('a process registers itself until it stops, even while the database does not respond, and then removes itself', async () => {
  const { calls, noted } = await noting([undefined, AWAY, undefined]);
  assert.deepEqual(calls, ['note', 'note', 'note', 'remove one']);
  const [first] = noted;
  assert.match(first?.host ?? '', new RegExp(`:${process.pid}$`));
  assert.match(first?.version ?? '', /^\d+\.\d+\.\d+ \(commit /);
  assert.equal(first?.settings['ACCOUNTS'], 'any');
});

test('if the role may not register the process, that is logged once, and no more refused statements are sent', async () => {
  const { calls } = await noting([new StoreRefused('no right')]);
  assert.deepEqual(calls, [
    'note',
    'warn: could not store this instance in the database: settings of instances cannot be compared',
  ]);
});
